"""A bound that says what it is: its value, the theorem behind it, how tight it is, what it assumes.

What several mechanisms cost together has many valid answers. They differ in tightness, and in what
may depend on earlier results: nothing, the next mechanism, or also which kind comes next. A number
that hides this cannot be compared with another. Where two methods answer the same question, one
exact and one a bound, a number says its method.
"""

import math
from dataclasses import dataclass

from dpviz import checks

EXACT, UPPER, LOWER = "exact", "upper bound", "lower bound"
KINDS = (EXACT, UPPER, LOWER)
ANY_ORDER = "mechanisms and their order chosen as results come in"
FIXED_ORDER = "mechanisms chosen as results come in, order of the kinds fixed in advance"
IN_ADVANCE = "all mechanisms fixed in advance"
ASSUMPTIONS = (ANY_ORDER, FIXED_ORDER, IN_ADVANCE)


@dataclass(frozen=True, slots=True)
class Stated:
    """A number and the method that gave it.

    >>> answer = Stated(0.5, "largest budget held")
    >>> float(answer), answer.method
    (0.5, 'largest budget held')
    """

    value: float
    method: str

    def __post_init__(self) -> None:
        checks.between(-math.inf, math.inf, value=self.value)  # a logarithm may be infinite

    def __float__(self) -> float:
        """The bare number."""
        return self.value


@dataclass(frozen=True, slots=True)
class Bound:
    """One answer to what several mechanisms cost together.

    Attributes:
        name: what the page calls it.
        value: the epsilon or the ln delta, rounded to the private side.
        theorem: where it is proved.
        kind: one of KINDS: how `value` relates to the least number that holds.
        assumes: one of ASSUMPTIONS: the most that may depend on earlier results.

    >>> Bound("simple sum", 0.3, "MATHEMATICS 5.1", UPPER, ANY_ORDER).value
    0.3
    """

    name: str
    value: float
    theorem: str
    kind: str
    assumes: str

    def __post_init__(self) -> None:
        for text in (self.name, self.theorem):
            checks.instance(str, text=text)
        checks.between(-math.inf, math.inf, value=self.value)  # a logarithm may be infinite
        checks.one_of(KINDS, kind=self.kind)
        checks.one_of(ASSUMPTIONS, assumes=self.assumes)

    def __float__(self) -> float:
        """The bare number."""
        return self.value


@dataclass(frozen=True, slots=True)
class Best:
    """The smallest valid bound, and all that were tried.

    Attributes:
        value: the epsilon of the smallest bound that may be used.
        method: the name of that bound.
        bounds: every bound that was computed, the smallest first; also those that assume more
            than was granted and may not be used.

    >>> one = Bound("simple sum", 0.3, "MATHEMATICS 5.1", UPPER, ANY_ORDER)
    >>> Best(0.3, "simple sum", (one,)).chosen is one
    True
    """

    value: float
    method: str
    bounds: tuple[Bound, ...]

    def __post_init__(self) -> None:
        checks.non_negative(value=self.value)
        for each in checks.listed(bounds=self.bounds):
            checks.instance(Bound, bounds=each)
        checks.one_of(tuple(each.name for each in self.bounds), method=self.method)

    @property
    def chosen(self) -> Bound:
        """The bound whose value this is."""
        return next(each for each in self.bounds if each.name == self.method)
