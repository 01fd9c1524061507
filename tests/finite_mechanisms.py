"""Mechanisms of a few data sets and outcomes that docs/LOSSLESS.md tries, as tables of chances.

The geometric mechanism clipped to a range, the exponential mechanism, and noisy max with
exponential noise, which is permute-and-flip [DKS21].
[DKS21] Ding, Kifer and others, The Permute-and-Flip Mechanism is Identical to Report-Noisy-Max with
Exponential Noise, arXiv:2105.07260.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import prod

from dpviz.lossless import FiniteMechanism


def clipped_geometric(a: Fraction | float | str, most: int) -> FiniteMechanism:
    """A count from 0 to `most` with two-sided geometric noise of ratio a, clipped to that range."""
    ratio, count = Fraction(a), most
    inside = (1 - ratio) / (1 + ratio)

    def chance(x: int, y: int) -> Fraction:
        power: Fraction = ratio ** abs(x - y)
        return power / (1 + ratio) if y in (0, count) else inside * power

    span = range(count + 1)
    return FiniteMechanism(tuple(tuple(chance(x, y) for y in span) for x in span))


def exponential_mechanism_table(
    scores: Sequence[Sequence[int]], base: Fraction | float | str
) -> FiniteMechanism:
    """The exponential mechanism: a candidate whose score is g less than another's is base^g likely.

    Args:
        scores: a row for each data set, with a whole score for each candidate.
        base: e^(-ε/2) for scores that one person moves by at most 1, in either direction each.
    """
    return FiniteMechanism.of(_powers(scores, base))


def noisy_max(scores: Sequence[Sequence[int]], base: Fraction | float | str) -> FiniteMechanism:
    """Which noisy score is the largest, with exponential noise: permute-and-flip.

        P(r) = p_r Σ (-1)^|S|/(|S| + 1) Π_S p_s over sets S of others,  p_s = base^(best - score)

    Args:
        scores: a row for each data set, with a whole score for each of at most 10 candidates.
        base: e^(-ε/2) for scores that one person moves by at most 1, in either direction each.

    Source: [DKS21].
    """
    flips = _powers(scores, base)

    def chance(row: list[Fraction], place: int) -> Fraction:
        others = row[:place] + row[place + 1 :]
        kept = sum(
            Fraction((-1) ** size, size + 1) * prod(some)
            for size in range(len(others) + 1)
            for some in combinations(others, size)
        )
        return row[place] * kept

    return FiniteMechanism(tuple(tuple(chance(row, i) for i in range(len(row))) for row in flips))


def _powers(scores: Sequence[Sequence[int]], base: Fraction | float | str) -> list[list[Fraction]]:
    """base^(best - score), row by row."""
    return [[Fraction(base) ** (max(row) - score) for score in row] for row in scores]
