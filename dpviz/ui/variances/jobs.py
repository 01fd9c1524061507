"""The long measurement of the page Variances, as workers run it: settings in, results out."""

from collections.abc import Iterator

from dpviz import streams
from dpviz.experiments.simulation import SampleVariances, simulate_variances
from dpviz.noise import ADDITIVE

SEED = 7  # of everything measured here; it is public


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
