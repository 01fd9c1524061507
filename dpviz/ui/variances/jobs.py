"""The long measurements of the page Variances, as workers run them: settings in, results out."""

from collections.abc import Iterator

from dpviz import streams
from dpviz.experiments.covariance import SampleCovariances, simulate_covariances
from dpviz.experiments.planted import AnotherLaw
from dpviz.experiments.simulation import (
    IndependentReleases,
    OpenReleases,
    SampleVariances,
    simulate_variances,
)
from dpviz.noise import ADDITIVE
from dpviz.release import MultipleRelease

SEED = 7  # of everything measured here; it is public
NOTHING, APART, ANOTHER = "nothing", "apart", "another"
DRAWS: dict[str, OpenReleases] = {
    NOTHING: MultipleRelease,
    APART: IndependentReleases,
    ANOTHER: AnotherLaw,
}


def variances(
    family_name: str,
    lossless: tuple[float, ...],
    baseline: tuple[float, ...],
    repetitions: int,
    path: int,
) -> Iterator[tuple[float, SampleVariances]]:
    """Measure variances; each result is complete over all draws so far.

    Args:
        family_name: of the noise.
        lossless: levels of one session.
        baseline: levels of independent releases.
        repetitions: how often every tier is drawn.
        path: the number of the stream below `SEED`.
    """
    family, rng = ADDITIVE[family_name], streams.teaching(SEED, path)
    for found in simulate_variances(family, lossless, baseline, repetitions, rng=rng):
        yield found.repetitions / repetitions, found


def covariances(
    family_name: str, levels: tuple[float, ...], repetitions: int, planted: str, path: int
) -> Iterator[tuple[float, SampleCovariances]]:
    """Measure covariances; each result is complete over all draws so far.

    Args:
        family_name: of the noise.
        levels: of the tiers, all different.
        repetitions: how often every tier is drawn.
        planted: what draws, one of `DRAWS`.
        path: the number of the stream below `SEED`.
    """
    family, rng, draw = ADDITIVE[family_name], streams.teaching(SEED, path), DRAWS[planted]
    for found in simulate_covariances(family, levels, repetitions, rng=rng, open_releases=draw):
        yield found.repetitions / repetitions, found
