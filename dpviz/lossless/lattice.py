"""Laws on the whole numbers in exact fractions: a table, and geometric tails beyond it.

Noise on a grid of any step is such a law, counted in steps. The finite laws have no tails; the
two-sided geometric law, which is discrete Laplace noise, is one number and two tails. All
arithmetic is that of fractions, so what is found here is a proof and no measurement.
Limits: tails of one ratio a side. Poisson, Skellam and Gaussian noise are in `jumps`.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from dpviz import checks
from dpviz.errors import ParameterError

Table = dict[int, Fraction]  # a Laurent polynomial: what stands at each whole number
FURTHEST = 2**62  # from 0
MOST_NUMBERS = 400  # of a table; fractions are slow
TEXT = re.compile(r"\s*\d{1,50}(\.\d{0,50}|/\d{1,50})?\s*")  # "1e999999999" would take for ever


@dataclass(frozen=True, slots=True)
class LatticeLaw:
    """A law on the whole numbers.

    Attributes:
        first: the least number in the table.
        masses: chances of `first`, `first` + 1, …, at least 0; of any length up to 400.
        left: what a chance is multiplied by with each step below the table; 0 for no tail.
        right: likewise above the table.

    Raises:
        ParameterError: the chances are no fractions, or do not add up to 1 with their tails.

    >>> half = Fraction(1, 2)
    >>> LatticeLaw(0, (half,), right=half).mass(3)  # how often a coin shows heads in a row
    Fraction(1, 16)
    """

    first: int
    masses: tuple[Fraction, ...]
    left: Fraction = Fraction(0)
    right: Fraction = Fraction(0)

    def __post_init__(self) -> None:
        checks.instance(int, first=self.first)
        checks.between(-FURTHEST, FURTHEST, first=self.first)
        checks.instance(tuple, masses=self.masses)
        if not 1 <= len(self.masses) <= MOST_NUMBERS:
            raise ParameterError(f"masses must hold 1 to {MOST_NUMBERS} chances; pass as many")
        for mass in self.masses:
            checks.instance(Fraction, masses=mass)
        checks.instance(Fraction, left=self.left, right=self.right)
        if not (0 <= self.left < 1 and 0 <= self.right < 1):
            raise ParameterError("left and right must be at least 0 and below 1")
        if min(self.masses) < 0 or total(self.masses, self.left, self.right) != 1:
            raise ParameterError(
                "masses must be at least 0 and add up to 1 with their tails; "
                "LatticeLaw.of takes weights and divides them by their sum"
            )

    @classmethod
    def of(
        cls,
        weights: Mapping[int, Fraction | float | str],
        *,
        left: Fraction | float | str = 0,
        right: Fraction | float | str = 0,
    ) -> "LatticeLaw":
        """The law whose chances are these weights divided by their sum, tails included.

        Args:
            weights: by whole number; what is left out between two of them is 0. A float counts
                as the fraction that it is, a text such as "1/3" or "0.1" as what it says.
            left: ratio of the tail below the least number.
            right: ratio of the tail above the greatest number.

        Raises:
            ParameterError: a weight is negative or no number, or all are 0.

        >>> LatticeLaw.of({-1: 1, 0: 2, 1: 1}).masses
        (Fraction(1, 4), Fraction(1, 2), Fraction(1, 4))
        >>> LatticeLaw.of({0: 1}, left="1/3", right="1/3").masses  # discrete Laplace, a = 1/3
        (Fraction(1, 2),)
        """
        checks.instance(Mapping, weights=weights)
        given = {checks.integer(-FURTHEST, number=x): fraction(w) for x, w in weights.items()}
        ratios = fraction(left), fraction(right)
        if max(ratios) >= 1:
            raise ParameterError("left and right must be at least 0 and below 1")
        given = {x: w for x, w in given.items() if w}
        if not given:
            raise ParameterError("weights must hold at least one number above 0")
        first, last = min(given), max(given)
        if last - first >= MOST_NUMBERS:
            raise ParameterError(f"weights must lie within {MOST_NUMBERS} whole numbers")
        row = [given.get(x, Fraction(0)) for x in range(first, last + 1)]
        whole = total(row, *ratios)
        return cls(first, tuple(w / whole for w in row), *ratios)

    @property
    def last(self) -> int:
        """The greatest number in the table."""
        return self.first + len(self.masses) - 1

    @property
    def finite(self) -> bool:
        """Whether there is nothing beyond the table."""
        return self.left == 0 == self.right

    def mass(self, x: int) -> Fraction:
        """The chance of x.

        >>> LatticeLaw.of({0: 1, 1: 1}).mass(2)
        Fraction(0, 1)
        """
        if x < self.first:
            return self.masses[0] * self.left ** (self.first - x)
        if x > self.last:
            return self.masses[-1] * self.right ** (x - self.last)
        return self.masses[x - self.first]

    def numerator(self) -> Table:
        """N(z) of the generating function N(z)/((1 - right·z)(1 - left/z)).

        >>> LatticeLaw.of({0: 1}, left="1/3", right="1/3").numerator()  # (1 - a)²
        {0: Fraction(4, 9)}
        """
        ends = range(self.first - 1, self.last + 2)
        once = {x: self.mass(x) - self.right * self.mass(x - 1) for x in ends}
        full = {x: once[x] - self.left * once[x + 1] for x in range(self.first, self.last + 1)}
        return {x: value for x, value in full.items() if value}

    def denominator(self) -> Table:
        """(1 - right·z)(1 - left/z), what `numerator` stands above.

        >>> LatticeLaw.of({0: 1}, right="1/3").denominator()
        {0: Fraction(1, 1), 1: Fraction(-1, 3)}
        """
        one = Fraction(1)
        tails = {0: one, 1: -self.right}, {0: one, -1: -self.left}
        return times(*({x: value for x, value in tail.items() if value} for tail in tails))


def fraction(value: Fraction | float | str) -> Fraction:
    """A number of at least 0 as the fraction that it is.

    Raises:
        ParameterError: it is negative, or no number.

    >>> fraction("1/3"), fraction(0.5)
    (Fraction(1, 3), Fraction(1, 2))
    """
    try:
        if isinstance(value, bool) or (isinstance(value, str) and not TEXT.fullmatch(value)):
            raise TypeError
        found = Fraction(value)
    except (TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise ParameterError(
            f"a chance or weight is {checks.told(value)}; pass a number such as 0.25 or '1/3'"
        ) from None
    if found < 0:
        raise ParameterError("a chance or weight is negative; pass a number of at least 0")
    return found


def chances(*values: Fraction) -> None:
    """Refuse what is no fraction from 0 to 1.

    Raises:
        ParameterError: one of the values is not.

    >>> chances(Fraction(1, 3), Fraction(1))
    """
    for value in values:
        checks.instance(Fraction, chance=value)
        if not 0 <= value <= 1:
            raise ParameterError("a chance lies outside of 0 to 1; pass a fraction between them")


def total(masses: Iterable[Fraction], left: Fraction, right: Fraction) -> Fraction:
    """The sum of a table and of its tails.

    >>> total([Fraction(1, 4), Fraction(1, 4)], Fraction(0), Fraction(1, 2))
    Fraction(3, 4)
    """
    row = list(masses)
    return sum(row, row[0] * left / (1 - left) + row[-1] * right / (1 - right))


def times(one: Table, other: Table) -> Table:
    """The product of two Laurent polynomials.

    >>> times({0: Fraction(1), 1: Fraction(1)}, {0: Fraction(1), 1: Fraction(-1)})
    {0: Fraction(1, 1), 2: Fraction(-1, 1)}
    """
    found: Table = {}
    for x, a in one.items():
        for y, b in other.items():
            found[x + y] = found.get(x + y, Fraction(0)) + a * b
    return {x: value for x, value in found.items() if value}


def divided(whole: Table, part: Table) -> tuple[Table, Table]:
    """Quotient and remainder of two Laurent polynomials, from the highest power down.

    >>> divided({0: Fraction(1), 2: Fraction(-1)}, {0: Fraction(1), 1: Fraction(1)})
    ({1: Fraction(-1, 1), 0: Fraction(1, 1)}, {})
    """
    rest, top, quotient = dict(whole), max(part), Table()
    width = top - min(part)
    while rest and max(rest) - min(whole) >= width:
        x = max(rest)
        factor = rest[x] / part[top]
        quotient[x - top] = factor
        for y, value in part.items():
            place = x - top + y
            rest[place] = rest.get(place, Fraction(0)) - factor * value
            if not rest[place]:
                del rest[place]
    return quotient, rest
