"""Long work of pages, as workers run it: settings in, results out.

A worker loads this module, so it imports neither pandas nor the engine of tables, 100 MB together.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.experiments.simulation import SampleVariances, simulate_variances
from dpviz.local.bloom import Bloom
from dpviz.local.rappor import Rappor
from dpviz.local.survey import Reports, collected_rappor
from dpviz.noise import ADDITIVE
from dpviz.planning.sharing import Outcome, Request, work_out

SEED = 7  # of everything measured here; it is public
Town = tuple[tuple[tuple[str, int], ...], tuple[int, ...]]
REPORTS_SEED = 5  # of made-up browsers: one draw, chosen to be readable


def measurement(
    family_name: str,
    lossless: tuple[float, ...],
    baseline: tuple[float, ...],
    repetitions: int,
    path: int,
) -> Iterator[tuple[float, SampleVariances]]:
    """Measure variances, as workers run it; each result is complete over all draws so far.

    Args:
        family_name: of the noise.
        lossless: levels of one session.
        baseline: levels of independent releases.
        repetitions: how often every tier is drawn.
        path: the number of the stream below `SEED`.

    >>> *_, (share, found) = measurement("laplace", (1.0,), (2.0,), 1000, 3)
    >>> share, found.repetitions
    (1.0, 1000)
    """
    family, rng = ADDITIVE[family_name], streams.teaching(SEED, path)
    for found in simulate_variances(family, lossless, baseline, repetitions, rng=rng):
        yield found.repetitions / repetitions, found


def shared_budgets(
    *requests: Request,
) -> Iterator[tuple[float, tuple[Outcome | ParameterError, ...] | None]]:
    """Work out the budgets of tiers, one after the other; all of them come at the end.

    Args:
        requests: what each tier is to have.

    >>> [share for share, _ in shared_budgets()]
    [1.0]
    """
    found: list[Outcome | ParameterError] = []
    for request in requests:
        yield len(found) / len(requests), None
        try:
            found.append(work_out(request))
        except ParameterError as error:
            found.append(error)
    yield 1.0, tuple(found)


def reports(
    towns: Sequence[Town],
    bloom: Bloom,
    kinds: Sequence[Rappor],
) -> Iterator[tuple[float, tuple[tuple[Reports, ...], ...] | None]]:
    """Let made-up browsers report, town after town; the sums of all come at the end.

    Args:
        towns: each text and how many browsers have it; and their stream below `REPORTS_SEED`.
        bloom: the public hash functions.
        kinds: the probabilities of each kind of report.

    >>> bloom, kind = Bloom(bits=8, cohorts=2), Rappor(f=0.5, p=0.25, q=0.75)
    >>> *_, (share, found) = reports([((("a", 300), ("b", 700)), (0,))], bloom, [kind])
    >>> share, [[each.total for each in town] for town in found]
    (1.0, [[1000]])
    """
    done: list[tuple[Reports, ...]] = []
    for place, (counts, stream) in enumerate(towns):
        rng = streams.teaching(REPORTS_SEED, *stream)
        for share, found in collected_rappor(dict(counts), bloom, kinds, rng=rng):
            done += [found] if found else []
            ended = len(done) == len(towns)
            yield (place + share) / len(towns), tuple(done) if ended else None


@lru_cache(maxsize=8)
def reported(
    towns: tuple[Town, ...], bloom: Bloom, kinds: tuple[Rappor, ...]
) -> tuple[tuple[Reports, ...], ...]:
    """What `reports` gives at its end: of settings alone, so made once for all visitors.

    >>> towns, bloom, kind = (((("a", 300),), (0,)),), Bloom(bits=8), Rappor(f=0.5, p=0.25, q=0.75)
    >>> reported(towns, bloom, (kind,)) is reported(towns, bloom, (kind,))
    True
    """
    *_, (_, found) = reports(towns, bloom, kinds)
    assert found is not None
    return found
