"""Real numbers enclosed between whole numbers: directed rounding, any number of bits, no float.

An `Interval` is two whole numbers, a lower and an upper bound of a real number times 2^bits. Every
operation rounds outwards, so a formula written with `+ - * /` encloses its value; `enclose` asks
for more bits until the two ends are close. exp(-x) of a fraction x is Taylor's series at x/2ᵏ,
squared k times, each rounding counted.
Limits: operands are at least 0, as everything here is a probability or a product of some.
Source: interval arithmetic [Moore 1966]; more bits on demand [Ziv 1991].
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Protocol

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.noise.bits import Pair

GUARD = 64  # bits beyond those asked for, at first; doubled until they are enough
SMALL = 8  # Taylor's series is summed below 2^-SMALL


class TooCoarseError(ArithmeticError):
    """A divisor cannot be told from 0 with so few bits."""


@dataclass(frozen=True, slots=True)
class Interval:
    """A real number T with low <= T·2^bits <= high.

    >>> third = Interval.of(Fraction(1, 3), 8)
    >>> third, 1 - third * third
    (Interval(low=85, high=86, bits=8), Interval(low=227, high=228, bits=8))
    """

    low: int
    high: int
    bits: int

    def __post_init__(self) -> None:
        plain = type(self.low) is type(self.high) is type(self.bits) is int  # quick: many are made
        if not (plain and 0 <= self.low <= self.high and self.bits >= 0):
            raise ParameterError("an interval needs whole numbers 0 <= low <= high and bits >= 0")

    @classmethod
    def of(cls, number: Fraction | int, bits: int) -> "Interval":
        """The narrowest interval around a fraction.

        >>> Interval.of(1, 8)
        Interval(low=256, high=256, bits=8)
        """
        scaled = Fraction(number) * 2**bits
        return cls(scaled.__floor__(), scaled.__ceil__(), bits)

    def __add__(self, other: "Interval") -> "Interval":
        return Interval(self.low + other.low, self.high + other.high, self.bits)

    def __sub__(self, other: "Interval") -> "Interval":
        return Interval(max(self.low - other.high, 0), self.high - other.low, self.bits)

    def __rsub__(self, other: int) -> "Interval":
        whole = other << self.bits
        return Interval(max(whole - self.high, 0), whole - self.low, self.bits)

    def __radd__(self, other: int) -> "Interval":
        whole = other << self.bits
        return Interval(whole + self.low, whole + self.high, self.bits)

    def __mul__(self, other: "Interval") -> "Interval":
        low = self.low * other.low >> self.bits
        return Interval(low, -(-self.high * other.high >> self.bits), self.bits)

    def __truediv__(self, other: "Interval") -> "Interval":
        if other.low <= 0:
            raise TooCoarseError
        low = (self.low << self.bits) // other.high
        return Interval(low, -((-self.high << self.bits) // other.low), self.bits)


class Ratio(Protocol):
    """A number in [0, 1) whose powers are wanted: the ratio of a geometric law."""

    @property
    def scale(self) -> float:
        """About -1/ln(ratio): what sizes of tables are chosen by, never a law."""

    def power(self, exponent: int, bits: int) -> Interval:
        """The ratio to the power of a whole number of at least 0."""


@dataclass(frozen=True, slots=True)
class Exponential:
    """exp(-rate), for a rational rate above 0; `None` stands for an infinite rate, which gives 0.

    >>> one = Exponential(Fraction(1)).power(1, 20)
    >>> one.low / 2**20, one.high / 2**20  # 0.36787944…
    (0.36787891387939453, 0.36787986755371094)
    """

    rate: Fraction | None

    def __post_init__(self) -> None:
        if self.rate is not None:
            checks.instance(Fraction, rate=self.rate)
            if self.rate <= 0:
                raise ParameterError("rate must be above 0, or None for an infinite one")

    @property
    def scale(self) -> float:
        """1/rate."""
        return 0.0 if self.rate is None else float(1 / self.rate)

    def power(self, exponent: int, bits: int) -> Interval:
        """exp(-exponent·rate)."""
        if exponent == 0:
            return Interval.of(1, bits)
        if self.rate is None:
            return Interval.of(0, bits)
        return exponential(self.rate * exponent, bits)


@lru_cache(maxsize=256)
def exponential(x: Fraction, bits: int) -> Interval:
    """Enclose exp(-x) for a fraction x of at least 0, at most 2 units of 2^-bits wide.

    With y = x/2ᵏ < 2⁻⁸ and W = bits + k + 16 bits, each of the n terms of the series is at most 3
    units of 2^-W off, y at most 1, and what is left of the series at most 3; squaring k times
    multiplies that by 2ᵏ, and the 16 bits more absorb it.

    >>> exponential(Fraction(1), 10), exponential(Fraction(10**300), 10)
    (Interval(low=376, high=377, bits=10), Interval(low=0, high=1, bits=10))
    """
    if x >= bits:  # e^-x < 2^-bits
        return Interval(0, 1, bits)
    halvings = SMALL + int(x).bit_length()
    work = bits + halvings + 16
    y = (x.numerator << (work - halvings)) // x.denominator
    term = total = 1 << work
    count = 0
    while term:
        count += 1
        term = (term * y >> work) // count
        total += -term if count % 2 else term
    slack = 3 * count + 4
    low, high = total - slack, total + slack
    for _ in range(halvings):
        low, high = low * low >> work, (high * high >> work) + 1
    shift = work - bits
    return Interval(low >> shift, min((high >> shift) + 1, 1 << bits), bits)


def powers(first: Interval, ratio: Interval, count: int) -> Iterator[Interval]:
    """first·ratioⁱ for i = 0, 1, … count - 1, one multiplication each.

    >>> half = Interval.of(Fraction(1, 2), 4)
    >>> [one.low for one in powers(half, half, 3)]
    [8, 4, 2]
    """
    for _ in range(count):
        yield first
        first *= ratio


def enclose(formula: Callable[[int], list[Interval]], bits: int) -> list[Pair]:
    """Enclose real numbers as `dpviz.noise.bits.Real` wants them, at most 1 unit wide.

    Args:
        formula: `bits -> intervals`; asked with more bits until the results are close enough.
        bits: number of bits of the result.

    Returns:
        One pair of whole numbers for each interval.

    >>> enclose(lambda bits: [Interval.of(1, bits) / Interval.of(3, bits)], 8)
    [(85, 85)]
    """
    guard = GUARD
    while True:
        try:
            found = formula(bits + guard)
        except TooCoarseError:
            found = []
        if found and all(one.high - one.low <= 1 << guard for one in found):
            return [(one.low >> guard, one.high >> guard) for one in found]
        guard *= 2
