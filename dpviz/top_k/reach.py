"""What one person can do to a list: to the counts it is read from, and to which items are there.

A count is moved by at most Δ∞. Where the number of counts that one person moves is bounded, Δ₀, the
setting is called restricted; without such a bound a list of at most k items keeps the cost finite.

In an unknown domain the list of items itself is private, so only common items may be found, or
none. The d̄ + 1 largest counts are looked at. The d̄ largest compete, and so does a sign ⊥ that the
list has ended, as if it were an item with the count

    h⊥ = h₍d̄₊₁₎ + Δ∞ + (Δ∞/ε) ln(min(Δ₀, d̄)/δ)        h₍d̄₊₁₎ = 0 if there are fewer items

The list goes on until ⊥ is drawn or it is long enough. An item that is in reach for one of two
neighbours only comes before ⊥ with a chance of at most δ. Equal counts at the cut are told apart by
the order of the items themselves, a public rule.
Limits: neighbours are one person more or less; the theorem is quoted, and checked here by the
enumeration of all lists on small instances.
Source: MATHEMATICS 13.2; [DR19].
"""

import math
from dataclasses import dataclass
from fractions import Fraction

from dpviz import checks
from dpviz.accounting.inputs import log_probability, representable
from dpviz.errors import ParameterError
from dpviz.queries import Bounds, Sensitivity

LARGEST_MOVE = 10**12  # rows of one person
MOST_COUNTS = 10**12
MOST_SEEN = 10**6


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


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownDomain:
    """How a list is drawn where the domain is unknown.

    Attributes:
        seen: d̄, how many of the largest counts compete; one more is looked at.
        log_delta: ln of the δ of one list.

    Raises:
        ParameterError: if a number is out of range.
    """

    seen: int
    log_delta: float

    def __post_init__(self) -> None:
        object.__setattr__(self, "seen", checks.integer(1, seen=self.seen))
        if self.seen > MOST_SEEN:
            raise ParameterError(f"seen must be at most {MOST_SEEN:,}; type a smaller one")
        object.__setattr__(self, "log_delta", log_probability(self.log_delta))

    def above(self, step: Fraction, reach: Reach) -> Fraction:
        """How far ⊥ lies above the largest count that does not compete, h⊥ - h₍d̄₊₁₎.

            Δ∞ + (Δ∞/ε) ln(min(Δ₀, d̄)/δ)

        Args:
            step: ε of one draw.
            reach: what one person can do.

        Returns:
            An exact fraction, not below the formula; at least Δ∞.

        Raises:
            ParameterError: neighbours may raise some counts and lower others.

        >>> one = UnknownDomain(seen=100, log_delta=math.log(1e-6))
        >>> round(float(one.above(Fraction(1, 10), Reach(l0=5))), 6)
        155.249485
        """
        checks.instance(Fraction, step=step)
        checks.instance(Reach, reach=reach)
        if reach.both_ways:
            raise ParameterError(
                "a list from an unknown domain is private for one person more or less, not for one "
                "replaced by another: choose add/remove, or a known list of items"
            )
        logarithm = math.log(reach.moved(self.seen)) - self.log_delta
        more = representable(logarithm * (1 + 1e-15))  # rounded to the private side
        return reach.linf * (1 + Fraction(more) / step)
