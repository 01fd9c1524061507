"""The vector that one person moves: what a membership test of all numbers is a test of.

A query says which farthest moves one person can really make (`dpviz.queries.Query.moves`); by which
of them the person is found most easily depends on the noise, see
`dpviz.experiments.attack_tests.most_exposed`.
Source: MATHEMATICS 5.6.
"""

import math
from dataclasses import dataclass

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.queries import Query


@dataclass(frozen=True, slots=True)
class Moved:
    """By how much one person moves the coordinates: (shift, number of coordinates), in steps.

    A negative shift makes a coordinate smaller. Under replacement the shifts are from the one
    person to the other.

    >>> moved = Moved(((1.0, 5), (-2.0, 1)))
    >>> moved.count, moved.l2, moved.largest
    (6, 3.0, 2.0)
    """

    shifts: tuple[tuple[float, int], ...]

    def __post_init__(self) -> None:
        for shift, count in self.shifts:
            checks.positive(shift=abs(checks.number(shift=shift)))
            checks.whole(1, count=count)
        if not self.shifts:
            raise ParameterError(
                "a person who moves nothing cannot be found; pass at least one shift"
            )

    @property
    def count(self) -> int:
        """Number of coordinates that move."""
        return sum(count for _, count in self.shifts)

    @property
    def largest(self) -> float:
        """Size of the largest shift."""
        return max(abs(shift) for shift, _ in self.shifts)

    @property
    def l2(self) -> float:
        """Euclidean length."""
        return math.sqrt(math.fsum(count * shift * shift for shift, count in self.shifts))

    @property
    def mirrored(self) -> "Moved":
        """The same sizes the other way."""
        return Moved(tuple((-shift, count) for shift, count in self.shifts))

    @property
    def balanced(self) -> bool:
        """Whether as many coordinates go up as down, size by size."""
        return sorted(self.shifts) == sorted(self.mirrored.shifts)


def moves_of(query: Query) -> tuple[Moved, ...]:
    """The farthest moves of a statistic that one person can make.

    Raises:
        ParameterError: the statistic is public: nobody moves it.

    >>> from dpviz.queries import Bounds, BoundedSum
    >>> moves_of(BoundedSum("cost", 0, 50, step=1, bounds=Bounds("id", rows_per_group=2)))
    (Moved(shifts=((100.0, 1),)),)
    """
    if not query.moves:
        raise ParameterError("nobody can move this statistic; choose another one")
    return tuple(map(Moved, query.moves))
