"""The long simulation of the page RAPPOR, as workers run it: settings in, sums of reports out."""

from collections.abc import Iterator

from dpviz import streams
from dpviz.local.bloom import Bloom
from dpviz.local.rappor import Rappor
from dpviz.local.survey import Reports, collected_rappor
from dpviz.ui.rappor.examples import browsers

SEED = 5  # one draw, chosen to be readable


def reports(
    clients: int, bloom: Bloom, first: Rappor, second: Rappor, again: int
) -> Iterator[tuple[float, tuple[Reports, ...] | None]]:
    """Let made-up browsers report at two f.

    Args:
        clients: how many browsers.
        bloom: the public hash functions.
        first: the probabilities of the first report.
        second: those of the second report.
        again: how often they reported before.
    """
    rng = streams.teaching(SEED, again)
    return collected_rappor(browsers(clients), bloom, [first, second], rng=rng)
