"""Price curves of a data market: what a release with budget ε costs, exactly.

A curve is made of straight pieces, begins at 0 for nothing, and never falls. Who buys in steps pays
the difference, so a buyer's payments add up to the price of the best release that she holds.
With lossless releases that is all it takes: a coalition knows its best release and has paid at
least for that one. If every release had independent noise, budgets would add up, and a curve had
to be subadditive as well, P(x + y) <= P(x) + P(y); `undercut` finds two purchases that break this.
It looks at corners only: P(x) + P(y) - P(x + y) is linear between the lines on which x, y or x + y
is a corner of the curve, so it is least where two such lines meet.
Symbols: dpviz/NOTATION.md.  Source: MATHEMATICS 15.5; ours.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

from dpviz import checks
from dpviz.accounting.inputs import Number, non_negative, positive
from dpviz.errors import ParameterError
from dpviz.parameters import EPSILON, exact, round_number
from dpviz.words.numbers import exactly

COIN = Fraction(1, 100)  # payments are whole multiples
MOST_POINTS = 50  # of a curve; `undercut` compares their pairs
MOST_PRICE = 10**12


@dataclass(frozen=True, slots=True, kw_only=True)
class PriceCurve:
    """The price of a release by its budget ε: straight pieces through points, from (0, 0) on.

    Attributes:
        points: pairs of ε and price, ε ascending from above 0, prices never falling; exact.
        beyond: price of each further ε after the last point; None: nothing further is sold.

    Raises:
        ParameterError: there is no point or too many, ε does not ascend, a price is negative or
            falls, or a number is too large.

    >>> curve = PriceCurve(points=((1, 4), (3, 10)), beyond=2)
    >>> [str(curve.price(each)) for each in (0.5, 2, 4)]
    ['2', '7', '12']
    """

    points: tuple[tuple[Number, Number], ...]
    beyond: Number | None = None

    def __post_init__(self) -> None:
        rows = [_pair(row) for row in checks.listed(points=self.points)]
        if not 1 <= len(rows) <= MOST_POINTS:
            raise ParameterError(
                f"a price curve has 1 to {MOST_POINTS} points, got {len(rows)}; pass pairs of ε "
                "and price"
            )
        for (before, paid), (epsilon, price) in pairwise(rows):
            if epsilon <= before:
                raise ParameterError(
                    f"ε = {_plain(epsilon)} comes after ε = {_plain(before)}; list each ε once, "
                    "in ascending order"
                )
            if price < paid:
                raise ParameterError(
                    f"ε = {_plain(epsilon)} costs {_plain(price)}, less than the {_plain(paid)} of "
                    f"ε = {_plain(before)}; type at least {_plain(paid)}"
                )
        object.__setattr__(self, "points", tuple(rows))
        if self.beyond is not None:
            object.__setattr__(self, "beyond", _price(self.beyond))

    @classmethod
    def linear(cls, rate: Number) -> "PriceCurve":
        """The same price for each ε.

            P(ε) = rate · ε

        Raises:
            ParameterError: the rate is negative or no number.

        >>> str(PriceCurve.linear(4).price(0.6))
        '12/5'
        """
        return cls(points=((1, rate),), beyond=rate)

    @classmethod
    def with_discount(cls, rate: Number, up_to: Number, then: Number) -> "PriceCurve":
        """A price for each ε up to a place, and another one for each ε beyond it.

            P(ε) = rate · min(ε, u) + then · max(ε - u, 0)

        Raises:
            ParameterError: a rate is negative, or the place is not above 0.

        >>> str(PriceCurve.with_discount(4, 1, 2).price(2))
        '6'
        """
        return cls(points=((up_to, exact(rate) * exact(up_to)),), beyond=then)

    @property
    def corners(self) -> tuple[tuple[Fraction, Fraction], ...]:
        """Where the curve can bend: pairs of ε and price, both exact."""
        return tuple((exact(epsilon), exact(price)) for epsilon, price in self.points)

    @property
    def most(self) -> Fraction | None:
        """The largest ε that has a price; None: every ε has one."""
        return self.corners[-1][0] if self.beyond is None else None

    def line(self, epsilon: Number) -> Fraction:
        """The curve itself, before it is rounded to whole coins; 0 for nothing.

        Raises:
            ParameterError: ε is negative, or beyond the last point of a curve that ends there.

        >>> str(PriceCurve(points=((3, 10),)).line(1))
        '10/3'
        """
        wanted = exact(epsilon)
        checks.non_negative(epsilon=float(wanted))
        rows = ((Fraction(0), Fraction(0)), *self.corners)
        place = bisect_left(rows, wanted, key=lambda row: row[0])
        if place < len(rows):
            if rows[place][0] == wanted:
                return rows[place][1]
            (low, below), (high, above) = rows[place - 1], rows[place]
            return below + (above - below) * (wanted - low) / (high - low)
        if self.beyond is None:
            raise ParameterError(
                f"ε = {_plain(wanted)} has no price; type at most {_plain(rows[-1][0])}"
            )
        return rows[-1][1] + exact(self.beyond) * (wanted - rows[-1][0])

    def price(self, epsilon: Number) -> Fraction:
        """What a release of budget ε costs, rounded up to whole coins.

        Rounding up keeps a curve from falling, and keeps it subadditive if it was.

        Raises:
            ParameterError: as `line`.

        >>> str(PriceCurve(points=((3, 10),)).price(1))
        '167/50'
        """
        return -(-self.line(epsilon) // COIN) * COIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Undercut:
    """Two purchases that cost less than one of their sum: an arbitrage, if noise were independent.

    Attributes:
        first: ε of one purchase, the smaller one.
        second: ε of the other.
        apart: what both cost, before prices are rounded to whole coins.
        at_once: what one purchase of first + second costs, likewise.

    Raises:
        ParameterError: an ε is not above 0, or buying apart is not cheaper.
    """

    first: Fraction
    second: Fraction
    apart: Fraction
    at_once: Fraction

    def __post_init__(self) -> None:
        for part in (self.first, self.second):
            positive(epsilon=part)
        for price in (self.apart, self.at_once):
            non_negative(price=price)
        if not self.apart < self.at_once:
            raise ParameterError("two purchases undercut one only if they cost less")


def undercut(curve: PriceCurve, limit: Number) -> Undercut | None:
    """The two purchases that save most against one of their sum; None where none save anything.

    With independent noise budgets add, so two purchases of x and y are worth x + y of privacy. None
    says that the curve is subadditive up to the limit, and then it is so in whole coins, too.

    Args:
        curve: the prices.
        limit: the largest ε that is sold.

    Raises:
        ParameterError: the limit is not above 0, or has no price.

    >>> undercut(PriceCurve.linear(4), 3) is None
    True
    >>> dear = undercut(PriceCurve(points=((1, 2), (2, 8))), 2)
    >>> str(dear.first), str(dear.second), str(dear.apart), str(dear.at_once)
    ('1', '1', '4', '8')
    """
    checks.instance(PriceCurve, curve=curve)
    most = bought(limit)
    curve.line(most)  # refused where it has no price
    first, second = max(_splits(curve, most), key=lambda pair: _saving(curve, *pair))
    if _saving(curve, first, second) <= 0:
        return None
    return Undercut(
        first=min(first, second),
        second=max(first, second),
        apart=curve.line(first) + curve.line(second),
        at_once=curve.line(first + second),
    )


def bought(epsilon: Number) -> Fraction:
    """A budget that can be sold, exact.

    Raises:
        ParameterError: it is not above 0, or too small or too large to compute with.

    >>> bought(0.1)
    Fraction(1, 10)
    """
    found = exact(epsilon)
    if not Fraction(EPSILON.least) <= found <= Fraction(EPSILON.most):
        least, most = round_number(EPSILON.least), round_number(EPSILON.most)
        raise ParameterError(
            f"ε = {_plain(found)} cannot be sold; type a number above 0, from {least} to {most}"
        )
    return found


def _splits(curve: PriceCurve, most: Fraction) -> Iterator[tuple[Fraction, Fraction]]:
    """Pairs among which the largest saving is found: where two lines of corners meet."""
    yield Fraction(0), most  # which saves nothing
    corners = [*(epsilon for epsilon, _ in curve.corners if epsilon < most), most]
    for place, first in enumerate(corners):
        yield from ((first, second) for second in corners[place:] if first + second <= most)
        yield from ((first, whole - first) for whole in corners[place + 1 :])


def _saving(curve: PriceCurve, first: Fraction, second: Fraction) -> Fraction:
    return curve.line(first + second) - curve.line(first) - curve.line(second)


def _pair(row: Iterable[Number]) -> tuple[Fraction, Fraction]:
    pair = checks.listed(point=row)
    if len(pair) != 2:
        raise ParameterError(f"a point is a pair of ε and price, got {len(pair)} numbers")
    return bought(pair[0]), _price(pair[1])


def _price(number: Number) -> Fraction:
    """A price, exact; what is no price is refused."""
    found = exact(number)
    if not 0 <= found <= MOST_PRICE:
        raise ParameterError(
            f"{_plain(found)} is not a price; type a number from 0 to {round_number(MOST_PRICE)}"
        )
    return found


def _plain(number: Fraction) -> str:
    """A number as a refusal writes it, however large."""
    return exactly(number, up=True) if abs(number) <= Fraction(10) ** 15 else "such a number"
