"""Mechanisms of a few data sets and a few outcomes: their tables of chances, in exact fractions.

A row is a data set, a column an outcome. What is here adds no noise to a number, as randomised
response. Budgets are given by a fraction in place of e^-ε, so that every chance is a fraction, too:
1/2 is ε = 0.69. Source: docs/LOSSLESS.md.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.lossless.lattice import LatticeLaw, chances, fraction

Row = tuple[Fraction, ...]
MOST_CELLS = 400  # data sets times outcomes


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


def clipped_noise(law: LatticeLaw, largest: int) -> FiniteMechanism:
    """A count from 0 to `largest` with this noise, clipped to that range.

    What lies beyond an end counts at the end, so no chance is lost. To clip is post-processing: a
    lower bound of a loss here is one of the noise itself, on these counts and on more.

    Args:
        law: of the noise; it does not depend on the count.
        largest: count, from 1 to 19.

    Raises:
        ParameterError: `largest` is out of range.

    >>> coin = LatticeLaw.of({-1: 1, 1: 1})
    >>> clipped_noise(coin, 1).rows
    ((Fraction(1, 2), Fraction(1, 2)), (Fraction(1, 2), Fraction(1, 2)))
    """
    checks.instance(LatticeLaw, law=law)
    last = checks.integer(1, largest=largest)
    checks.between(1, MOST_CELLS**0.5 - 1, largest=last)
    rows = []
    for count in range(last + 1):
        inside = [law.mass(y - count) for y in range(1, last)]
        below = _up_to(law, -count)
        rows.append((below, *inside, 1 - below - sum(inside)))
    return FiniteMechanism(tuple(rows))


def _up_to(law: LatticeLaw, x: int) -> Fraction:
    """The chance of at most x."""
    if x < law.first:
        return law.mass(x) / (1 - law.left)
    below = law.masses[0] * law.left / (1 - law.left)
    return below + sum(law.mass(y) for y in range(law.first, x + 1))
