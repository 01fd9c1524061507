"""Mechanisms of a few data sets and a few outcomes: their tables of chances, in exact fractions.

A row is a data set, a column an outcome. What is here adds no noise to a number: randomised
response, the geometric mechanism clipped to a range, the exponential mechanism, and noisy max with
exponential noise, which is permute-and-flip [DKS21]. Budgets are given by a fraction in place of
e^-ε, so that every chance is a fraction, too: 1/2 is ε = 0.69.
[DKS21] Ding, Kifer and others, The Permute-and-Flip Mechanism is Identical to Report-Noisy-Max with
Exponential Noise, arXiv:2105.07260. Source: docs/LOSSLESS.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from math import prod

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.lossless.lattice import chances, fraction

Row = tuple[Fraction, ...]
MOST_CELLS = 400  # data sets times outcomes
MOST_CANDIDATES = 10  # of noisy max: a sum over all sets of candidates


@dataclass(frozen=True, slots=True)
class FiniteMechanism:
    """What each data set makes likely.

    Attributes:
        rows: a row for each data set; its chances are at least 0 and add up to 1.

    Raises:
        ParameterError: rows differ in length, or hold what are no chances as fractions.

    >>> FiniteMechanism.of([[3, 1], [1, 3]]).rows[0]
    (Fraction(3, 4), Fraction(1, 4))
    """

    rows: tuple[Row, ...]

    def __post_init__(self) -> None:
        checks.instance(tuple, rows=self.rows)
        for row in self.rows:
            checks.instance(tuple, rows=row)
            for chance in row:
                checks.instance(Fraction, rows=chance)
        lengths = {len(row) for row in self.rows}
        if len(lengths) != 1 or not 0 < sum(map(len, self.rows)) <= MOST_CELLS:
            raise ParameterError(
                f"rows must have one length and hold 1 to {MOST_CELLS} chances in all"
            )
        if any(min(row) < 0 or sum(row) != 1 for row in self.rows):
            raise ParameterError("each row must hold chances of at least 0 that add up to 1")

    @classmethod
    def of(cls, weights: Sequence[Sequence[Fraction | float | str]]) -> "FiniteMechanism":
        """The mechanism whose chances are these weights, row by row divided by their sum.

        Raises:
            ParameterError: a weight is negative or no number, or a row holds nothing above 0.

        >>> FiniteMechanism.of([["1/2", 0.25]]).rows
        ((Fraction(2, 3), Fraction(1, 3)),)
        """
        rows = [
            [fraction(w) for w in checks.listed(row=row)] for row in checks.listed(rows=weights)
        ]
        if any(not sum(row) for row in rows):
            raise ParameterError("each row of weights must hold at least one above 0")
        return cls(tuple(tuple(w / sum(row) for w in row) for row in rows))

    @property
    def outcomes(self) -> int:
        """Number of columns."""
        return len(self.rows[0])

    def ratio(self, neighbours: Sequence[tuple[int, int]]) -> Fraction | None:
        """e^ε: the greatest quotient of the chances of one outcome under two neighbours.

        Args:
            neighbours: pairs of rows; each counts in both directions.

        Returns:
            The quotient; None if an outcome is possible for one neighbour only.

        >>> FiniteMechanism.of([[3, 1], [1, 3]]).ratio([(0, 1)])
        Fraction(3, 1)
        """
        return greatest(self.rows, both_ways(neighbours, len(self.rows)))


def greatest(rows: Sequence[Row], pairs: list[tuple[int, int]]) -> Fraction | None:
    """The greatest quotient of chances of one outcome over these ordered pairs; None if infinite.

    >>> half = Fraction(1, 2)
    >>> greatest([(half, half), (half / 2, 3 * half / 2)], [(0, 1)])
    Fraction(2, 1)
    """
    found = Fraction(1)
    for one, other in pairs:
        for a, b in zip(rows[one], rows[other], strict=True):
            if a and not b:
                return None
            found = max(found, a / b) if a else found
    return found


def both_ways(neighbours: Sequence[tuple[int, int]], rows: int) -> list[tuple[int, int]]:
    """Each pair of rows in both directions.

    Raises:
        ParameterError: there is no pair, or one names a row that is not there.

    >>> both_ways([(0, 1)], 2)
    [(0, 1), (1, 0)]
    """
    found: list[tuple[int, int]] = []
    for pair in checks.listed(neighbours=neighbours):
        ends = checks.listed(neighbours=pair)
        if len(ends) != 2 or not all(isinstance(i, int) and 0 <= i < rows for i in ends):
            raise ParameterError(f"neighbours must be pairs of rows from 0 to {rows - 1}")
        found += [(ends[0], ends[1]), (ends[1], ends[0])]
    if not found:
        raise ParameterError("neighbours must hold at least one pair of rows; pass such as (0, 1)")
    return found


def response(kept: Fraction | float | str, categories: int) -> FiniteMechanism:
    """Randomised response: the truth is kept with this chance, else redrawn from all alike.

    Raises:
        ParameterError: `kept` is above 1, or there are fewer than 2 categories or more than 20.

    >>> response("1/2", 2).rows
    ((Fraction(3, 4), Fraction(1, 4)), (Fraction(1, 4), Fraction(3, 4)))
    """
    share = fraction(kept)
    chances(share)
    count = checks.integer(2, categories=categories)
    checks.between(2, MOST_CELLS**0.5, categories=count)
    other = (1 - share) / count
    return FiniteMechanism(
        tuple(tuple(other + share * (x == y) for y in range(count)) for x in range(count))
    )


def clipped_geometric(a: Fraction | float | str, most: int) -> FiniteMechanism:
    """A count from 0 to `most` with two-sided geometric noise of ratio a, clipped to that range.

    Raises:
        ParameterError: a is 0 or at least 1, or `most` is below 1 or above 19.

    >>> clipped_geometric("1/2", 2).rows[0]
    (Fraction(2, 3), Fraction(1, 6), Fraction(1, 6))
    """
    ratio = fraction(a)
    _inside(ratio)
    count = checks.integer(1, most=most)
    checks.between(1, MOST_CELLS**0.5 - 1, count=count)
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

    Raises:
        ParameterError: base is not between 0 and 1, or a score is no whole number.

    >>> exponential_mechanism_table([[2, 0], [1, 1]], "1/2").rows
    ((Fraction(4, 5), Fraction(1, 5)), (Fraction(1, 2), Fraction(1, 2)))
    """
    return FiniteMechanism.of(_powers(scores, base))


def noisy_max(scores: Sequence[Sequence[int]], base: Fraction | float | str) -> FiniteMechanism:
    """Which noisy score is the largest, with exponential noise: permute-and-flip.

        P(r) = p_r Σ (-1)^|S|/(|S| + 1) Π_S p_s over sets S of others,  p_s = base^(best - score)

    Args:
        scores: a row for each data set, with a whole score for each of at most 10 candidates.
        base: e^(-ε/2) for scores that one person moves by at most 1, in either direction each.

    Raises:
        ParameterError: base is not between 0 and 1, a score is no whole number, or there are more
            than 10 candidates.

    Source: [DKS21].

    >>> noisy_max([[2, 0], [1, 1]], "1/2").rows
    ((Fraction(7, 8), Fraction(1, 8)), (Fraction(1, 2), Fraction(1, 2)))
    """
    flips = _powers(scores, base)
    if max(map(len, flips), default=0) > MOST_CANDIDATES:
        raise ParameterError(f"scores must have at most {MOST_CANDIDATES} candidates in a row")

    def chance(row: list[Fraction], place: int) -> Fraction:
        others = row[:place] + row[place + 1 :]
        kept = sum(
            Fraction((-1) ** size, size + 1) * prod(some)
            for size in range(len(others) + 1)
            for some in combinations(others, size)
        )
        return row[place] * kept

    return FiniteMechanism(tuple(tuple(chance(row, i) for i in range(len(row))) for row in flips))


def _inside(ratio: Fraction) -> None:
    if not 0 < ratio < 1:
        raise ParameterError("a ratio must be above 0 and below 1; pass one such as '1/2'")


def _powers(scores: Sequence[Sequence[int]], base: Fraction | float | str) -> list[list[Fraction]]:
    """base^(best - score), row by row."""
    ratio = fraction(base)
    _inside(ratio)
    found = []
    for row in checks.listed(scores=scores):
        each = [checks.integer(-MOST_CELLS, scores=score) for score in checks.listed(scores=row)]
        checks.between(-MOST_CELLS, MOST_CELLS, **{"scores": max(each, default=0)})
        found.append([ratio ** (max(each) - score) for score in each])
    return found
