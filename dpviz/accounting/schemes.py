"""Whom a coalition's budgets add up for: six ways to serve tiers, each release counted once.

A scheme says which independent pieces the members of a coalition hold together:

    lossless     one piece: the release of the least private member; the others add nothing
    independent  one piece per person, with independent noise
    splitting    tier i holds one piece of budget b_i - b_(i-1); members of a tier share it
    averaged     tier i holds the pieces of splitting up to its own, and averages them
    doubling     pieces at min(tiers) 2^i; a member holds the largest one within their budget
    global       one release at the global budget, and independent noise for every person

All but the last are lists of budgets that add (`pieces`); that one adds noise, not budgets
(coalition.py). Budgets are exact fractions here: a float stands for its shortest decimal.
Source: MATHEMATICS 5.4; [LMR25] Figure 2, introduction and section 1.2; Ligett et al. (2017).
"""

import math
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from dpviz import checks
from dpviz.accounting.inputs import Number, positive
from dpviz.errors import ParameterError
from dpviz.parameters import exact

LOSSLESS, INDEPENDENT, SPLITTING = "lossless", "independent", "splitting"
AVERAGED, DOUBLING, GLOBAL = "averaged", "doubling", "global"
SLICED = (SPLITTING, AVERAGED)  # tiers have slices of the budget, one on top of the other


@dataclass(frozen=True, slots=True, kw_only=True)
class Scheme:
    """A way to serve tiers, as people and formulas call it.

    Attributes:
        name: what people read.
        sentence: what a tier gets.
        held: which budgets add up for a coalition, as the end of a sentence.
        part: what a tier keeps of the joint budget where that is fixed, as a formula in which
            {x} is the letter of the budgets.
    """

    name: str
    sentence: str
    held: str
    part: str = ""


SCHEMES = {  # by the word that functions take
    LOSSLESS: Scheme(
        name="lossless",
        sentence="All tiers see one path of noise, each as much of it as its budget allows.",
        held="the largest budget held",
        part="{x}_i",
    ),
    INDEPENDENT: Scheme(
        name="separate noise",
        sentence="Every tier gets an independent release; all budgets are scaled down together.",
        held="the sum of every member's budget",
        part=r"{x}_i\max {x}/\sum {x}",
    ),
    SPLITTING: Scheme(
        name="budget split",
        sentence="Tier i gets an independent release from the budget between it and the tier "
        "below.",
        held="the sum of the slices held, each tier's once",
        part="{x}_i-{x}_{{i-1}}",
    ),
    AVERAGED: Scheme(
        name="averaged pieces",
        sentence="Tier i averages its piece of the split budget with those of all tiers below.",
        held="the sum of the slices up to the largest budget held, each once",
    ),
    DOUBLING: Scheme(
        name="doubling budgets",
        sentence="Releases at the smallest budget, its double, its fourfold …, scaled down "
        "together; a tier gets the best one allowed.",
        held="the sum of the releases held, each once",
    ),
    GLOBAL: Scheme(
        name="global release + separate noise",
        sentence="Every reader gets one release at the global budget, with noise of their own.",
        held="the global release seen through the noise of every member",
    ),
}


def budgets(values: Iterable[Number], name: str) -> list[Fraction]:
    """The checked budgets as exact fractions, in their order; at least one.

    Raises:
        ParameterError: no budget is given, or one of them is not a finite number above 0.

    >>> budgets([0.1, 0.5], "rhos")
    [Fraction(1, 10), Fraction(1, 2)]
    """
    checked = checks.listed(**{name: values})
    if not checked:
        raise ParameterError(f"{name} must hold at least one budget; pass one per member")
    every = f"every budget of {name}"
    for value in checked:
        if not (isinstance(value, float) and 0 < value < math.inf):  # the common case, quickly
            positive(**{every: value})
    return [_decimal(float(v)) if isinstance(v, float) else exact(v) for v in checked]


@lru_cache(maxsize=4096)  # pure mathematics; a page asks for a thousand coalitions of ten budgets
def _decimal(value: float) -> Fraction:
    """The shortest decimal that reads as this float, as a fraction."""
    return exact(value)


def total(parts: Iterable[Fraction]) -> Fraction:
    """The exact sum, with one common denominator and one reduction.

    >>> total([Fraction(1, 10), Fraction(1, 5)])
    Fraction(3, 10)
    """
    listed = list(parts)
    whole = math.lcm(*(part.denominator for part in listed))
    return Fraction(sum(part.numerator * (whole // part.denominator) for part in listed), whole)


def check_scheme(scheme: str, allowed: Iterable[str] = tuple(SCHEMES)) -> None:
    """Refuse a scheme that is not one of those allowed.

    >>> check_scheme("lossless")
    """
    checks.one_of(allowed, scheme=scheme)


def pieces(members: list[Fraction], scheme: str, tiers: Iterable[Number] | None) -> list[Fraction]:
    """Budgets of the independent pieces that these persons hold together; they add.

    Args:
        members: one budget per person.
        scheme: any but "global".
        tiers: budgets of all tiers, for splitting, averaged and doubling.

    Raises:
        ParameterError: tiers are missing, or a member's budget has no piece.

    >>> held = [Fraction(1, 2), Fraction(1, 2), Fraction(1, 5)]
    >>> [float(sum(pieces(held, each, [0.1, 0.2, 0.5]))) for each in list(SCHEMES)[:5]]
    [0.5, 1.2, 0.4, 0.5, 0.6]
    """
    if scheme == LOSSLESS:
        return [max(members)]
    if scheme == INDEPENDENT:
        return members
    if tiers is None:
        raise ParameterError(f"the scheme {scheme!r} needs tiers; pass the budgets of all tiers")
    steps = budgets(tiers, "tiers")
    if scheme in SLICED:
        return _slices(members, steps, below=scheme == AVERAGED)
    return _doubled(members, min(steps))


def _slices(
    members: list[Fraction], steps: list[Fraction], *, below: bool = False
) -> list[Fraction]:
    """What each tier adds to the one below it, of all tiers that have a member.

    With `below` a member has the slices of all tiers below their own, too.

    Here and in `_doubled` budgets are integers over one common denominator, which are compared and
    hashed at a fraction of the price of fractions.
    """
    whole, held, rungs = _over_one(members, steps)
    strange = held - rungs
    if strange:
        raise ParameterError(
            f"budget {float(Fraction(min(strange), whole)):g} is not a tier; each piece lies "
            "between two of them: pass one of the budgets in tiers"
        )
    has = {rung for rung in rungs if rung <= max(held)} if below else held
    ladder = pairwise([0, *sorted(rungs)])
    return [Fraction(step - before, whole) for before, step in ladder if step in has]


def _doubled(members: list[Fraction], least: Fraction) -> list[Fraction]:
    """The releases of the grid least, 2 least, 4 least, ... that have a member, each once."""
    whole, held, (first,) = _over_one(members, [least])
    if min(held) < first:
        doubled(Fraction(min(held), whole), least)  # refuses it
    powers = {(each // first).bit_length() - 1 for each in held}
    return [least * (1 << power) for power in sorted(powers)]


def _over_one(members: list[Fraction], steps: list[Fraction]) -> tuple[int, set[int], set[int]]:
    """A common denominator, and the numerators of both over it, each once."""
    whole = math.lcm(*{each.denominator for each in (*members, *steps)})
    held, rungs = (
        {each.numerator * (whole // each.denominator) for each in some} for some in (members, steps)
    )
    return whole, held, rungs


def split(steps: list[Fraction]) -> dict[Fraction, Fraction]:
    """Budget → the slice b_i - b_(i-1) that its tier holds; steps ascend and differ.

    >>> split([Fraction(1, 10), Fraction(1, 2)])
    {Fraction(1, 10): Fraction(1, 10), Fraction(1, 2): Fraction(2, 5)}
    """
    return {step: step - before for before, step in zip([Fraction(0), *steps], steps, strict=False)}


def doubled(budget: Fraction, least: Fraction) -> Fraction:
    """Largest of least, 2 least, 4 least, ... that is within the budget.

    Raises:
        ParameterError: the budget is below the least.

    >>> doubled(Fraction(1, 2), Fraction(1, 10))
    Fraction(2, 5)
    """
    if budget < least:
        raise ParameterError(
            f"budget {float(budget):g} is below the smallest tier {float(least):g}; doubling has "
            "no release for it"
        )
    return least * (1 << ((budget // least).bit_length() - 1))


def upward(number: Fraction) -> float:
    """The least float whose shortest decimal is at least this number.

    >>> upward(3 * exact(0.1)), upward(Fraction(2, 11)) >= Fraction(2, 11)
    (0.3, True)
    """
    value = float(number)
    return value if exact(value) >= number else math.nextafter(value, math.inf)
