"""Samplers for the two-round erratum: straight from the definition, no densities."""

import math

from scipy import special


def right_sums(first, second, deviations, size, *, rng):
    """S₂ of `size` pairs of steps, kept where S₁ stays below and S₂ crosses."""
    one = rng.normal(0, math.sqrt(first / 2), size)
    two = one + rng.normal(0, math.sqrt((second - first) / 2), size)
    below = one <= deviations * math.sqrt(first / 2)
    return two[below & (two > deviations * math.sqrt(second / 2))]


def printed_sums(first, second, deviations, size, *, rng):
    """S₂ as printed: S₁ given its own barrier alone, then the step given that it crosses."""
    barriers = deviations * math.sqrt(first / 2), deviations * math.sqrt(second / 2)
    one = rng.normal(0, math.sqrt(first / 2), 4 * size)
    one = one[one <= barriers[0]][:size]
    step = math.sqrt((second - first) / 2)
    crosses = special.ndtr((one - barriers[1]) / step)
    return one - step * special.ndtri(crosses * (1 - rng.random(one.size)))
