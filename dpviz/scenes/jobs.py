"""Long work of pages, as workers run it: settings in, results out.

A worker loads this module, so it imports neither pandas nor the engine of tables, 100 MB together.
"""

from collections.abc import Iterator

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.experiments.simulation import SampleVariances, simulate_variances
from dpviz.noise import ADDITIVE
from dpviz.planning.sharing import Outcome, Request, work_out

SEED = 7  # of everything measured here; it is public


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
