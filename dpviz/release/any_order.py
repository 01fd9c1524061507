"""A release by seed and level alone: the path of the noise, refined in one fixed way.

The exact values are extended to level 1, from there octave by octave to the first power of two that
is not below the level; below 1 an octave is a bridge from the exact values. Then the interval
around the level is halved by bridges until a middle is the level itself. Every point on the way
has a stream of its own, keyed by the seed and the point, so it is the same for whatever is asked
and in whatever order; the law of the path is exact, as `extend` and `bridge` are.
Of level l it takes |log2 l| draws for the octaves and one per binary digit, at most 53. Points on
the way are computed again for each release and kept nowhere: some have less noise than any release.
"""

import numpy as np

from dpviz import streams
from dpviz.noise.arguments import within
from dpviz.noise.family import Array, Process


def release_at(family: Process, exact: Array, level: float, *, rng: np.random.Generator) -> Array:
    """The values at a level of the path that belongs to a seed.

    Args:
        family: the noise family.
        exact: values at level 0, shape (d,).
        level: above 0, within the span of the family.
        rng: what `streams.for_levels` returned; nothing is drawn from it.

    Returns:
        Shape (d,).

    Raises:
        ParameterError: the family does not take the level or the values.

    >>> from dpviz.noise import FAMILIES
    >>> rng = streams.for_levels(rng=streams.teaching(7))
    >>> [release_at(FAMILIES["poisson"], np.array([3, 5]), x, rng=rng) for x in (2.5, 40.0, 2.5)]
    [array([4, 7]), array([51, 40]), array([4, 7])]
    """
    least, greatest = family.span
    within(family.span, level)

    def stream(point: float) -> np.random.Generator:
        return streams.at_level(point, rng=rng)

    low, below = 0.0, exact
    high = min(max(1.0, least), greatest)
    above = family.extend(exact, low, high, rng=stream(high))
    while high < level:
        low, below = high, above
        high = min(2 * high, greatest)
        above = family.extend(below, low, high, rng=stream(high))
    while high != level:
        middle = max(low + (high - low) / 2, least)
        drawn = family.bridge(below, above, low, middle, high, rng=stream(middle))
        if middle < level:
            low, below = middle, drawn
        else:
            high, above = middle, drawn
    return above
