"""What one person can do to the counts that a list is read from: how many, how far, which way.

A count is moved by at most Δ∞. Where the number of counts that one person moves is bounded, Δ₀, the
setting is called restricted; without such a bound a list of at most k items keeps the cost finite.
"""

from dataclasses import dataclass

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.queries import Bounds, Sensitivity

LARGEST_MOVE = 10**12  # rows of one person
MOST_COUNTS = 10**12


@dataclass(frozen=True, slots=True, kw_only=True)
class Reach:
    """What one person can do to the counts.

    Attributes:
        linf: Δ∞, the most that one count moves, a whole number.
        l0: Δ₀, how many counts one person moves at most; None: as many as there are.
        both_ways: whether neighbours may raise some counts and lower others, as where one person is
            replaced by another; False where a person is added or removed.

    Raises:
        ParameterError: if a number is out of range.

    >>> Reach(l0=3).sensitivity(10)
    Sensitivity(l0=3, l1=3.0, l2=1.7320508075688772, linf=1.0)
    """

    linf: int = 1
    l0: int | None = None
    both_ways: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "linf", checks.integer(1, linf=self.linf))
        if self.linf > LARGEST_MOVE:
            raise ParameterError(f"linf must be at most {LARGEST_MOVE:.0e}; type a smaller one")
        if self.l0 is not None:
            object.__setattr__(self, "l0", checks.integer(1, l0=self.l0))
        checks.instance(bool, both_ways=self.both_ways)

    @classmethod
    def of(cls, bounds: Bounds, size: int = MOST_COUNTS) -> "Reach":
        """What one person can do to the counts of a query, by its bounds.

        Args:
            bounds: of the query.
            size: how many counts there are at most.

        Raises:
            ParameterError: an argument is out of range.

        >>> Reach.of(Bounds(person="id", relation="replace"))
        Reach(linf=1, l0=2, both_ways=True)
        """
        checks.instance(Bounds, bounds=bounds)
        moved, _, _ = bounds.moved(checks.integer(1, size=size))
        both_ways = bounds.relation == "replace"
        return cls(linf=bounds.rows_per_group, l0=moved, both_ways=both_ways)

    def moved(self, size: int) -> int:
        """How many of `size` counts one person moves at most.

        Raises:
            ParameterError: size is no whole number of at least 0.

        >>> Reach(l0=3).moved(2), Reach().moved(50)
        (2, 50)
        """
        size = checks.integer(0, size=size)
        return size if self.l0 is None else min(self.l0, size)

    def sensitivity(self, size: int) -> Sensitivity:
        """Norms of what one person moves in `size` counts whose items are known.

        Raises:
            ParameterError: size is no whole number of at least 1.
        """
        checks.whole(1, size=size)
        return Sensitivity.bounded(self.moved(size), float(self.linf))
