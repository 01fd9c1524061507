"""An unknown domain: the list itself is private, so only common items may be found, or none.

The d̄ + 1 largest counts are looked at. The d̄ largest compete, and so does a sign ⊥ that the list
has ended, as if it were an item with the count

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
from dpviz.top_k.reach import Reach

MOST_SEEN = 10**6


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
