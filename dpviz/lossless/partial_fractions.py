"""What is added where tables with tails do not divide: by partial fractions, with proof.

The generating function of what is added is P/Q in lowest terms, and that of a law converges on the
unit circle. So there is one candidate, the expansion there:

    roots ρ of Q outside of the circle    parts c ρ^-x to the right
    roots ρ of Q inside                   parts c ρ^-x to the left
    a root on the circle                  no law at all: its generating function is at most 1 there

(for a root that comes more than once c is a polynomial in x). Where a root that is a positive
number is nearest to the circle on its side, its part outweighs the sum of all others from some x
on, and from then on ever more so; up to there the chances are enclosed one by one. If all of them
are above 0 it is a law. If one is below 0 it is not, and there is no other candidate.
Limits: degree 64 and 600 numbers on a side. An answer needs intervals that exclude 0: where a
chance is 0 or too near to it, or two roots are at one distance from 0, there may be none.
Source: docs/LOSSLESS.md.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from dpviz.lossless.lattice import LatticeLaw, times
from dpviz.lossless.polynomials import (
    Root,
    Whole,
    by_multiplicity,
    divide,
    enclosed_roots,
    intervals,
    of_table,
    shared,
    without,
)
from dpviz.lossless.series import Power, SeriesLaw

Verdict = Literal["yes", "no", "undecided"]
MOST_DEGREE = 64
LOOK = 600  # numbers on a side that are looked at
DOUBLINGS, TURN = 6, 16  # further away: where is looked, and at how many numbers
TINY = 1e-300  # a chance that is below 0 by less is a tie
WORK = 30_000  # powers of roots that are computed on a side
AFTER = 12  # numbers that are looked at beyond a chance below 0: the lowest is told
CHECKED = {0, *(2**k for k in range(10))}  # numbers from the first on where tails are compared
SHOWN = 1e-15  # chances are listed until they are smaller
PLACES = 30  # of a listed chance
DIGITS_TOLD = 7  # of a chance below 0
Listed = dict[int, Fraction]
Repeated = list[tuple[Root, int]]  # roots, and how often each comes


@dataclass(frozen=True, slots=True)
class Expansion:
    """The only candidate for what is added, and whether it is a law.

    Attributes:
        verdict: "yes", "no" or "undecided".
        law: if yes, it.
        negative: if no, a number and a bound of its chance, still below 0; None if the generating
            function is infinite on the unit circle.
        hidden: then the frequency where it is.
        listed: the chances that were looked at, rounded; some may be below 0.
    """

    verdict: Verdict
    law: SeriesLaw | None = None
    negative: tuple[int, Fraction] | None = None
    hidden: float | None = None
    listed: Listed | None = None


@dataclass(frozen=True, slots=True)
class _Side:
    """One side of the expansion: x = origin + step · n for n from `begin` on.

    Attributes:
        whole: coefficients of n = 0, 1, … that stand beside the powers.
        parts: of each root: its inverse and its factors, as intervals.
        leader: the place of the positive root that is nearest to the circle; None without one.
    """

    origin: int
    step: int
    begin: int
    whole: list[Fraction]
    parts: list[tuple[Any, list[Any]]]
    leader: int | None


def expand(sharper: LatticeLaw, noisier: LatticeLaw) -> Expansion:
    """Decide by partial fractions whether the noisier noise is the sharper one plus more.

    Args:
        sharper: the less private noise.
        noisier: the more private noise.

    >>> law = lambda centre, side, a: LatticeLaw.of({-1: side, 0: centre, 1: side}, left=a, right=a)
    >>> laplace = [law("3/4", "15/128", "1/16"), law("1/2", "3/16", "1/4")]  # rounded
    >>> found = expand(*laplace)
    >>> found.verdict, [round(float(found.law.mass(x)), 3) for x in range(3)]
    ('yes', [0.62, 0.147, 0.032])
    """
    (up, over), (down, under) = _quotient(sharper, noisier)
    common = shared(over, under)
    over, under = without(over, common), without(under, common)
    if max(len(over), len(under)) > MOST_DEGREE:
        return Expansion("undecided")
    context = intervals()
    roots = _roots(under, context)
    if roots is None:
        return Expansion("undecided")
    for root, _ in roots:
        if root.on_circle:
            turn = math.atan2(float(root.value.imag.mid), float(root.value.real.mid))
            return Expansion("no", hidden=abs(turn))
    if not all(root.inside or root.outside for root, _ in roots):
        return Expansion("undecided")
    scale = Fraction(sum(under), sum(over))  # all chances add up to 1
    both = any(root.inside for root, _ in roots) and any(root.outside for root, _ in roots)
    lower = max(len(under) - 1 - len(over), 0) if both else 0  # every number is on one of the sides
    above = [Fraction(0)] * lower + [scale * value for value in over]
    return _decided(above, under, up - down - lower, roots, context)


def _quotient(
    sharper: LatticeLaw, noisier: LatticeLaw
) -> tuple[tuple[int, Whole], tuple[int, Whole]]:
    """Both generating functions in one fraction; a tail that both have is left out of it."""
    over, under = noisier.numerator(), sharper.numerator()
    for mine, theirs, step in ((sharper.left, noisier.left, -1), (sharper.right, noisier.right, 1)):
        if mine != theirs:
            over = times(over, {0: Fraction(1), step: -mine})
            under = times(under, {0: Fraction(1), step: -theirs})
    return of_table(over), of_table(under)


def _roots(under: Whole, context: Any) -> Repeated | None:
    """All roots with how often each comes; None if some are too close to tell apart."""
    found: Repeated = []
    for factor, often in by_multiplicity(under):
        roots = enclosed_roots(factor, context)
        if roots is None:
            return None
        found += [(root, often) for root in roots]
    return found


def _decided(
    above: list[Fraction], under: Whole, shift: int, roots: Repeated, context: Any
) -> Expansion:
    """Both sides, looked at until each is settled."""
    beyond = len(above) - len(under)  # as in a mirror the powers begin there
    right = _side(above, under, [each for each in roots if each[0].outside], context, shift, 1)
    mirrored = [
        (Root(1 / root.value, 1 / root.size), often) for root, often in roots if root.inside
    ]
    left = _side(above[::-1], under[::-1], mirrored, context, shift + beyond, -1, beyond + 1)
    enclosed: dict[int, Any] = {}
    settled = True
    for side in (right, left):
        within, sure = _looked_at(side, context)
        enclosed |= within
        settled = settled and sure
    listed = {x: _rounded(value) for x, value in sorted(enclosed.items())}
    below = [x for x, value in enclosed.items() if value.b < -TINY]
    if below:
        place = min(below, key=lambda x: (listed[x], abs(x), -x))
        if abs(place) > LOOK + MOST_DEGREE:  # far away from all others, and tiny
            del listed[place]
        return Expansion("no", negative=(place, _bound(enclosed[place])), listed=listed)
    if not settled or any(value.a < 0 for value in enclosed.values()):
        return Expansion("undecided")
    law = SeriesLaw(
        first=min(listed),
        masses=tuple(listed[x] for x in range(min(listed), max(listed) + 1)),
        left=_powers(left),
        right=_powers(right),
        start=(left.origin, right.origin),
        above=tuple(above),
        below=under,
        shift=shift,
    )
    return Expansion("yes", law=law, listed=listed)


def _side(
    above: list[Fraction],
    under: Whole,
    roots: Repeated,
    context: Any,
    origin: int,
    step: int,
    begin: int = 0,
) -> _Side:
    """The powers of the roots outside of the circle, and the polynomial beside them."""
    parts = [
        (1 / root.value, _factors(above, under, root, often, context)) for root, often in roots
    ]
    nearest = [place for place, (root, _) in enumerate(roots) if root.positive]
    leader = min(nearest, key=lambda place: float(roots[place][0].size.mid), default=None)
    return _Side(origin, step, begin, divide(tuple(above), under)[0], parts, leader)


def _factors(
    above: list[Fraction], under: Whole, root: Root, often: int, context: Any
) -> list[Any]:
    """Of C(n + j, j) ρ⁻ⁿ, j = 0, 1, …: from the Laurent series around the root."""
    at = root.value
    top = _taylor([context.mpf(v.numerator) / v.denominator for v in above], at, often, context)
    base = _taylor([context.mpf(v) for v in under], at, 2 * often, context)[often:]
    series: list[Any] = []
    for i in range(often):
        known = sum((series[k] * base[i - k] for k in range(i)), context.mpc(0))
        series.append((top[i] - known) / base[0])
    return [
        series[often - j] * (-1) ** j / at**j  # of 1/(z - ρ)^j
        for j in range(1, often + 1)
    ]


def _taylor(coefficients: list[Any], at: Any, count: int, context: Any) -> list[Any]:
    """The first coefficients of a polynomial in powers of z - at."""
    row, found = list(coefficients), []
    for _ in range(count):
        carried, quotient = context.mpc(0), []
        for value in reversed(row):
            carried = carried * at + value
            quotient.append(carried)
        found.append(carried)
        row = quotient[-2::-1]
    return found


def _looked_at(side: _Side, context: Any) -> tuple[dict[int, Any], bool]:
    """Chances of one side, enclosed, and whether all that were not looked at are above 0."""
    found: dict[int, Any] = {}
    start = max(side.begin, len(side.whole))  # of the powers alone
    settled, lowest = not side.parts, math.inf
    for n, value in _enclosed(side, context):
        if settled and n >= start and (not side.parts or abs(value).b < SHOWN):
            break
        if n >= side.begin:
            found[side.origin + side.step * n] = value
            lowest = min(lowest, n) if value.b < -TINY else lowest
        if n > 2 * lowest + AFTER:
            break
        if n >= start and n - start in CHECKED:
            settled = settled or _outweighs(side, n + 1)
    if not settled and lowest == math.inf:
        found |= _far_below(side, context)
    return found, settled


def _far_below(side: _Side, context: Any) -> dict[int, Any]:
    """A chance below 0 further away, if one is among those that are looked at.

    There is one where the root that is nearest to the circle is not a positive number [Pringsheim's
    theorem]: signs then change for ever, but late where another root is nearly as near.
    """
    for doubling in range(DOUBLINGS):
        for n in range(LOOK * 2**doubling, LOOK * 2**doubling + TURN):
            weights = (_weight(factors, n, context) * base**n for base, factors in side.parts)
            value = sum((each.real for each in weights), context.mpf(0))
            if value.b < -TINY:
                return {side.origin + side.step * n: value}
    return {}


def _weight(factors: list[Any], n: int, context: Any) -> Any:
    """What the power of a root is multiplied by, n from the start."""
    return sum((f * math.comb(n + j, j) for j, f in enumerate(factors)), context.mpc(0))


def _enclosed(side: _Side, context: Any) -> Iterator[tuple[int, Any]]:
    """Yield n and the chance of the number that is n from the origin, while there is time."""
    powers = [context.mpc(1) for _ in side.parts]
    for n in range(min(LOOK, WORK // max(len(powers), 1))):
        value = context.mpf(0)
        if n < len(side.whole):
            value += context.mpf(side.whole[n].numerator) / side.whole[n].denominator
        for power, (_, factors) in zip(powers, side.parts, strict=True):
            value += (_weight(factors, n, context) * power).real
        yield n, value
        powers = [power * base for power, (base, _) in zip(powers, side.parts, strict=True)]


def _outweighs(side: _Side, n: int) -> bool:
    """Whether the part of the nearest positive root is above all others together, from n on.

    Each quotient of another part to it falls from n on if neither its next step nor the limit of
    its steps is above 1.
    """
    if side.leader is None:
        return False
    base, factors = side.parts[side.leader]
    often, top = len(factors), factors[-1].real
    if top.a <= 0:
        return False
    total = base.real * 0
    for place, (other, theirs) in enumerate(side.parts):
        own = place == side.leader
        step = base.real * 0 + 1 if own else abs(other) / base.real
        for j, factor in enumerate(theirs[:-1] if own else theirs):
            if max((step * (n + 1 + j) / (n + often)).b, step.b) > 1:
                return False
            weight = abs(factor) * math.comb(n + j, j) / math.comb(n + often - 1, often - 1)
            total += weight / top * step**n
    return bool(total.b <= 1)


def _powers(side: _Side) -> tuple[Power, ...]:
    """The parts of a tail as floats, for who reads them."""

    def plain(value: Any) -> complex:
        return complex(float(value.real.mid), float(value.imag.mid))

    return tuple(
        Power(plain(base), tuple(plain(factor) for factor in factors))
        for base, factors in side.parts
    )


def _exact(end: Any) -> Fraction:
    """An end of an interval as the fraction that it is."""
    from mpmath.libmp import to_rational

    return Fraction(*map(int, to_rational(end._mpi_[0])))


def _rounded(value: Any) -> Fraction:
    """The middle of an interval, to 30 places."""
    return Fraction(round(_exact(value.mid) * 10**PLACES), 10**PLACES)


def _bound(value: Any) -> Fraction:
    """A short number that is not below an interval below 0, and below 0 itself.

    >>> from dpviz.lossless.polynomials import intervals
    >>> _bound(intervals().mpf(-0.5))
    Fraction(-1, 2)
    """
    end = _exact(value.b)
    places = max(0, DIGITS_TOLD - math.floor(math.log10(-float(end))))
    return Fraction(math.ceil(end * 10**places), 10**places)
