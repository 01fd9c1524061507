"""Whom a coalition's budgets add up for: six ways to serve tiers, each release counted once.

A scheme says which independent pieces the members of a coalition hold together:

    lossless     one piece: the release of the least private member; the others add nothing
    independent  one piece per person, with independent noise
    splitting    tier i holds one piece of budget b_i - b_(i-1); members of a tier share it
    averaged     tier i holds the pieces of splitting up to its own, and averages them
    doubling     pieces at min(tiers) 2^i; a member holds the largest one within their budget
    global       one release at the global budget, and independent noise for every person

All but the last are lists of budgets that add (`pieces`); that one adds noise, not budgets
as told below. Budgets are exact fractions here: a float stands for its shortest decimal.
Source: MATHEMATICS 5.4; [LMR25] Figure 2, introduction and section 1.2; Ligett et al. (2017).

What a coalition has learned together, under each way of serving tiers.

An entry of `rhos` or `epsilons` is a person; several may hold the same tier. Under lossless,
splitting, averaged and doubling members of one tier hold the same numbers, which count once; under
independent and global the noise of all is independent. In units of the sensitivity, with t = 1/rho
for every person and g = 1/global rho,

    lossless, averaged  max rho    independent  sum rho    splitting, doubling  sum of pieces held
    global    1 / (g + 1 / sum(1 / (t_i - g)))       a member at the global budget: global rho

The precision of what is held adds as rho does: for Gaussian noise it is 2 rho / l2². With pure
epsilon the same pieces add; under global two persons can hold equal values, and so the global
release and its budget. Budgets are exact fractions, rounded up once at the end.
Source: MATHEMATICS 5.4.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise

from dpviz import checks
from dpviz.accounting.bounds import Stated
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


WORST = "two members who hold equal values hold the global release"


def coalition_rho(
    rhos: Iterable[Number],
    scheme: str,
    *,
    tiers: Iterable[Number] | None = None,
    global_rho: Number | None = None,
) -> Stated:
    """Joint zCDP budget of the members of a coalition (formulas in the module's docstring).

    Args:
        rhos: one budget per person.
        scheme: one of SCHEMES.
        tiers: budgets of all tiers, needed by splitting, averaged and doubling.
        global_rho: budget of the global release, needed by global.

    Returns:
        rho, exact and rounded up once; and which budgets were counted.

    Raises:
        ParameterError: an unknown scheme, no member, tiers or global_rho missing, a budget that
            is not a tier (splitting, averaged), below all tiers (doubling) or above the global
            one.

    Source: MATHEMATICS 5.4; additivity of zCDP, Bun and Steinke (2016), Lemma 1.7.

    >>> coalition_rho([0.5, 0.3, 0.1], "lossless").value
    0.5
    >>> [round(coalition_rho([0.1] * k, "global", global_rho=1.0).value, 4) for k in (2, 4, 16)]
    [0.1818, 0.3077, 0.64]
    """
    check_scheme(scheme)
    members = budgets(rhos, "rhos")
    if scheme == GLOBAL:
        whole = _global(members, "rho", global_rho)
        return Stated(upward(_seen_through(members, whole)), f"{SCHEMES[scheme].held}, exact")
    whole = total(pieces(members, scheme, tiers))
    return Stated(upward(whole), f"{SCHEMES[scheme].held}, exact for Gaussian noise")


def coalition_epsilon(
    epsilons: Iterable[Number],
    scheme: str,
    *,
    tiers: Iterable[Number] | None = None,
    global_epsilon: Number | None = None,
) -> Stated:
    """Joint pure budget of the members of a coalition, all with Laplace noise.

    Args:
        epsilons: one budget per person, nats.
        scheme: one of SCHEMES.
        tiers: budgets of all tiers, needed by splitting, averaged and doubling.
        global_epsilon: budget of the global release, needed by global.

    Returns:
        epsilon in nats, exact for delta = 0 and rounded up once; and which budgets were counted.

    Raises:
        ParameterError: as `coalition_rho`.

    Source: MATHEMATICS 5.4; basic composition (Dwork et al. 2006), which Laplace noise attains.
    At a delta above 0 independent releases cost less: `composed_laplace_epsilon`.

    >>> coalition_epsilon([0.1, 0.1], "global", global_epsilon=1.0).value
    1.0
    """
    check_scheme(scheme)
    members = budgets(epsilons, "epsilons")
    if scheme == GLOBAL:
        whole = _global(members, "epsilon", global_epsilon)
        if len(members) > 1:
            return Stated(upward(whole), f"the global budget: {WORST}")
        return Stated(upward(members[0]), "the budget of the only member, exact")
    whole = total(pieces(members, scheme, tiers))
    return Stated(upward(whole), f"{SCHEMES[scheme].held}, exact for δ = 0")


def _global(members: list[Fraction], name: str, value: Number | None) -> Fraction:
    """The checked global budget; nobody may hold more."""
    if value is None:
        raise ParameterError(f"the scheme 'global' needs global_{name}; pass the global budget")
    positive(**{f"global_{name}": value})
    whole = exact(value)
    if max(members) > whole:
        raise ParameterError(
            f"budget {float(max(members)):g} is above global_{name} {float(whole):g}; pass a "
            "global budget that nobody exceeds"
        )
    return whole


def _seen_through(precisions: list[Fraction], whole: Fraction) -> Fraction:
    """Joint precision 1 / (g + 1 / sum(1 / (t_i - g))), t = 1/precision, g = 1/whole.

    With s = sum(precision / (whole - precision)) it is whole s / (1 + s).
    """
    if max(precisions) == whole:
        return whole
    above, below = 0, 1  # the sum of each / (whole - each), not reduced until the end
    for each, count in Counter(precisions).items():
        own = each * whole.denominator  # over the denominator of the whole
        gap = whole.numerator * own.denominator - own.numerator
        above, below = above * gap + count * own.numerator * below, below * gap
    return whole * Fraction(above, above + below)
