"""The price of the baselines: what every tier's noise would be at equal joint guarantee.

A scheme gives each tier part of the joint budget, the largest b_i, which everything that is
released costs together; the tier's noise is that of one release at its part:

    lossless     b_i
    splitting    b_i - b_(i-1)
    averaged     b_i - b_(i-1), and the pieces of all tiers below, weighted by 1/variance
    independent  b_i max b / sum(b)           every budget scaled down alike
    doubling     g_i max b / sum(g)           the same for the grid g = min(b) 2^j

The grid of doubling reaches up to the largest value within max b, and all of it is released;
where it adds up to less than max b nothing is scaled up: no tier may get more than its budget.
Averaged pieces have the variance 1 / sum(1 / variance of each piece): that of lossless release with
Gaussian noise, whose precision adds as rho does; more with Laplace, discrete Laplace and Skellam
noise; less with Poisson noise, whose large losses seldom come in two pieces at once. They need all
budgets before the first draw, or budgets that only rise.
A budget is that of the family: rho of Gaussian noise and the pure epsilon of Laplace noise add
exactly. Where epsilon holds at a delta the losses of all releases are convolved instead
(told below); where that is out of reach epsilon and delta add, which is a bound, and each
of k independent releases has delta/k. `scheme_rule` says which. At equal single budgets independent
releases have the lossless variance, and cost more together: schemes.py.
Source: MATHEMATICS 5.5; [LMR25] Figure 2, section 1.2; Ligett et al. (2017); Dwork et al. (2006).

Levels of the baselines by the convolved losses of all their releases, where ε needs a δ.

Noise that keeps an epsilon at a delta only (Poisson, Skellam) composes to less than the sum of
both. Here the losses of all releases of a scheme are convolved, for every largest move of one
person, who makes the same move in all of them, at the plan's own delta:

    independent  every lossless level times the least factor with which all keep the largest budget
    doubling     the same for the levels of the grid of budgets
    splitting    one tier after the other: the least level with which the slices up to it keep its
                 own budget

For Gaussian noise these are the rules above. Rounded up, to the private side.
Limits: MOST releases, as each is a search over convolutions; beyond it, and where the losses of one
person are not known, budgets are added. Source: MATHEMATICS 5.5, 5.7.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache, partial, reduce
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.guarantees import Setting, float_below, guarantee_of
from dpviz.accounting.inputs import LARGEST_LEVEL, Number, representable
from dpviz.accounting.move_sums import worst
from dpviz.accounting.schemes import (
    AVERAGED,
    DOUBLING,
    INDEPENDENT,
    LOSSLESS,
    SLICED,
    SPLITTING,
    budgets,
    check_scheme,
    doubled,
    split,
    total,
)
from dpviz.accounting.search import least, or_infinite
from dpviz.noise import ADDITIVE
from dpviz.parameters import USUAL_DELTA
from dpviz.queries import Sensitivity

MOST = 5  # releases whose losses are convolved: more take seconds
TOLERANCE = 1e-4  # relative, of a level
Levels = tuple[float, ...]
Excess = Callable[[Sequence[float], float], float]  # of ln δ at levels and an ε, for one move


@lru_cache(maxsize=64)  # pure mathematics; a page asks for the same scheme again
def convolved_levels(tiers: tuple[Fraction, ...], scheme: str, setting: Setting) -> Levels | None:
    """Level of every tier's own release; None where budgets have to be added.

    Args:
        tiers: budgets, ascending.
        scheme: "splitting", "independent" or "doubling".
        setting: of a family whose budget is an epsilon at a delta.
    """
    level = guarantee_of(setting.family).level
    first, last = tiers[0], tiers[-1]
    distinct = sorted(set(tiers))
    budgets = {
        SPLITTING: distinct,
        INDEPENDENT: list(tiers),
        DOUBLING: [first * 2**j for j in range((last // first).bit_length())],
    }[scheme]
    if len(budgets) > MOST:
        return None
    alone = [level(budget, setting) for budget in budgets]
    excesses = _joint(setting)
    if excesses is None or max(alone) > LARGEST_LEVEL:
        return None
    if scheme == SPLITTING:
        slices = _sliced(distinct, alone, excesses)
        return None if slices is None else tuple(slices[distinct.index(t)] for t in tiers)
    factor = _factor(alone, float(last), excesses)
    if factor == math.inf:
        return None
    if scheme == INDEPENDENT:
        return tuple(factor * each for each in alone)
    return tuple(factor * alone[budgets.index(doubled(t, first))] for t in tiers)


def _joint(setting: Setting) -> list[Excess] | None:
    """For each largest move, how far ln δ of releases is above that of the plan; None: unknown."""
    losses_of = guarantee_of(setting.family).losses_of_moves
    known = None if losses_of is None else losses_of(1.0, setting)
    if losses_of is None or known is None:
        return None
    log_delta = math.log(setting.delta)

    def excess(move: int, levels: Sequence[float], epsilon: float) -> float:
        of_move = ((losses_of(level, setting) or known)[move] for level in levels)
        found: float = reduce(PrivacyLoss.compose, of_move).log_delta(epsilon)
        return found - log_delta

    return [partial(excess, move) for move in range(len(known))]


def _least(
    excesses: list[Excess],
    levels: Callable[[float], Sequence[float]],
    epsilon: float,
    *,
    guess: float,
    lowest: float,
    highest: float,
) -> float:
    """The least number whose levels keep the budget for every move; infinite if none does."""

    def answer(move: Excess) -> float:
        def excess(x: float) -> float:
            return move(levels(x), epsilon)

        found = least(excess, guess, lowest=lowest, highest=highest, tolerance=TOLERANCE)
        return or_infinite(found)

    return worst(excesses, answer, lambda move, found: move(levels(found), epsilon) <= 0)


def _factor(alone: list[float], epsilon: float, excesses: list[Excess]) -> float:
    """The least factor of all levels, at least 1, with which they keep the budget together."""
    if len(alone) == 1:
        return 1.0
    return _least(
        excesses,
        lambda factor: [factor * level for level in alone],
        epsilon,
        guess=min(alone) * math.fsum(1 / level for level in alone),
        lowest=1.0,
        highest=LARGEST_LEVEL / max(alone),
    )


def _sliced(
    budgets: list[Fraction], alone: list[float], excesses: list[Excess]
) -> list[float] | None:
    """One slice after the other: the least level with which those up to it keep its budget."""
    found = alone[:1]
    for budget, before, level in zip(budgets[1:], alone, alone[1:], strict=False):
        gained = 1 / level - 1 / before
        own = _least(
            excesses,
            lambda x: [*found, x],
            float(budget),
            guess=1 / gained if gained > 0 else LARGEST_LEVEL,
            lowest=level,
            highest=LARGEST_LEVEL,
        )
        if own == math.inf:
            return None
        found.append(own)
    return found


Floats = NDArray[np.float64]
ALONE = "one release"
ADDED = "budgets added, exact"
CONVOLVED = "privacy losses convolved, rounded up"
BOUND = "ε and δ added, an upper bound"
COMPARED = (LOSSLESS, SPLITTING, AVERAGED, INDEPENDENT, DOUBLING)
ONE_NUMBER = Setting(
    family=ADDITIVE["gaussian"], delta=USUAL_DELTA, sensitivity=Sensitivity.bounded(1), dimension=1
)


def scheme_variances(
    losses: Iterable[Number], scheme: str, *, setting: Setting = ONE_NUMBER
) -> Floats:
    """Noise variance of every tier at equal joint guarantee, the largest loss.

    Args:
        losses: one budget per tier, in any order and in the currency of the family (ρ of Gaussian
            noise, else ε); tiers of one budget share their release under lossless, splitting and
            doubling, and have one each under independent.
        scheme: one of COMPARED.
        setting: family, sensitivity, step and δ; Gaussian noise on one number that one person
            moves by at most 1, if left out.

    Returns:
        Variances in squared units of the statistic, tiers ascending by budget, shape (m,).

    Raises:
        ParameterError: an unknown scheme, no tier, a budget that is not above 0, or one for which
            the family has no noise.

    Source: MATHEMATICS 5.5.

    >>> for scheme in COMPARED:
    ...     print(scheme, scheme_variances([0.1, 0.2, 0.5], scheme).round(4))
    lossless [5.  2.5 1. ]
    splitting [5.     5.     1.6667]
    averaged [5.  2.5 1. ]
    independent [8.  4.  1.6]
    doubling [7.   3.5  1.75]
    >>> from dataclasses import replace
    >>> laplace = replace(ONE_NUMBER, family=ADDITIVE["laplace"])
    >>> scheme_variances([0.1, 0.2, 0.5], "splitting", setting=laplace).round(4)
    array([200.    , 200.    ,  22.2222])
    >>> scheme_variances([0.1, 0.2, 0.5], "averaged", setting=laplace).round(4)
    array([200.    , 100.    ,  18.1818])
    """
    losses = budgets(losses, "losses")
    levels = scheme_levels(losses, scheme, setting=setting)
    with np.errstate(over="ignore"):
        steps = np.array([setting.family.variance(level) for level in levels.tolist()])
        variances: Floats = steps * setting.step * setting.step
    representable(float(variances.max()))
    return _averaged(variances, losses) if scheme == AVERAGED else variances


def scheme_levels(
    losses: Iterable[Number], scheme: str, *, setting: Setting = ONE_NUMBER
) -> Floats:
    """Noise level of every tier at equal joint guarantee: that of its part of the budget.

    Under averaged it is that of the piece that the tier alone does not share with those below.

    Args:
        losses: as for `scheme_variances`.
        scheme: likewise.
        setting: likewise.

    Returns:
        Levels of the family, tiers ascending by budget, shape (m,).

    Raises:
        ParameterError: as for `scheme_variances`.

    Source: MATHEMATICS 5.5.

    >>> scheme_levels([0.1, 0.5], "independent").round(4)
    array([6. , 1.2])
    """
    tiers = budgets(losses, "losses")
    checks.instance(Setting, setting=setting)
    if (convolved := _convolved(tiers, scheme, setting)) is not None:
        return np.array(convolved, dtype=np.float64)
    found = _levels(tuple(scheme_budgets(tiers, scheme)), _alone(tiers, scheme, setting))
    return np.array(found, dtype=np.float64)


def scheme_rule(losses: Iterable[Number], scheme: str, *, setting: Setting = ONE_NUMBER) -> str:
    """By which rule the releases of a scheme are held to the joint guarantee.

    Args:
        losses: as for `scheme_variances`.
        scheme: likewise.
        setting: likewise.

    Returns:
        ALONE, ADDED, CONVOLVED or BOUND.

    Raises:
        ParameterError: as for `scheme_variances`.

    >>> from dataclasses import replace
    >>> scheme_rule([0.1, 0.5], "independent")
    'budgets added, exact'
    >>> skellam = replace(ONE_NUMBER, family=ADDITIVE["skellam"])
    >>> scheme_rule([0.5, 2], "independent", setting=skellam)
    'privacy losses convolved, rounded up'
    """
    tiers = budgets(losses, "losses")
    checks.instance(Setting, setting=setting)
    if scheme_pieces(tiers, scheme) == 1:
        return ALONE
    if not guarantee_of(setting.family).with_delta:
        return ADDED
    return BOUND if _convolved(tiers, scheme, setting) is None else CONVOLVED


def scheme_budgets(losses: Iterable[Number], scheme: str) -> list[Fraction]:
    """The part of the joint budget of every tier's own release where budgets add; exact.

    Args:
        losses: one budget per tier, in any order.
        scheme: one of COMPARED.

    Raises:
        ParameterError: an unknown scheme, no tier, or a budget that is not above 0.

    >>> [float(part) for part in scheme_budgets([0.1, 0.2, 0.5], "splitting")]
    [0.1, 0.1, 0.3]
    """
    check_scheme(scheme, COMPARED)
    tiers = sorted(budgets(losses, "losses"))
    if scheme == LOSSLESS:
        return tiers
    if scheme in SLICED:
        slices = split(sorted(set(tiers)))
        return [slices[each] for each in tiers]
    if scheme == INDEPENDENT:
        shrink = tiers[-1] / total(tiers)
        return [each * shrink for each in tiers]
    grid = [doubled(each, tiers[0]) for each in tiers]
    shrink = tiers[-1] / (2 * grid[-1] - grid[0])  # grid[0] + 2 grid[0] + ... + grid[-1]
    return [each * min(shrink, Fraction(1)) for each in grid]


def scheme_pieces(losses: Iterable[Number], scheme: str) -> int:
    """How many independent releases a scheme makes for these tiers.

    Args:
        losses: one budget per tier, in any order.
        scheme: one of COMPARED.

    Raises:
        ParameterError: as for `scheme_budgets`.

    >>> [scheme_pieces([0.1, 0.2, 0.5], scheme) for scheme in COMPARED]
    [1, 3, 3, 3, 3]
    """
    check_scheme(scheme, COMPARED)
    tiers = budgets(losses, "losses")
    if scheme == LOSSLESS:
        return 1
    if scheme in SLICED:
        return len(set(tiers))
    if scheme == INDEPENDENT:
        return len(tiers)
    return (max(tiers) // min(tiers)).bit_length()


def _averaged(variances: Floats, tiers: list[Fraction]) -> Floats:
    """Variances of the averages of the pieces up to each; tiers of one budget share a piece."""
    ascending = sorted(tiers)
    new = [True, *(one != other for one, other in pairwise(ascending))]
    found: Floats = 1 / np.cumsum(np.where(new, 1 / variances, 0.0))
    return found


def _convolved(tiers: list[Fraction], scheme: str, setting: Setting) -> Sequence[float] | None:
    """Levels by convolved losses, tiers ascending; None where budgets add, or there is one."""
    check_scheme(scheme, COMPARED)
    if not guarantee_of(setting.family).with_delta or scheme_pieces(tiers, scheme) == 1:
        return None
    return convolved_levels(
        tuple(sorted(tiers)), SPLITTING if scheme in SLICED else scheme, setting
    )


def _alone(losses: Iterable[Number], scheme: str, setting: Setting) -> Setting:
    """The setting of one independent release: δ is shared where budgets hold at a δ only."""
    if not guarantee_of(setting.family).with_delta:
        return setting
    own = float_below(Fraction(setting.delta) / scheme_pieces(losses, scheme))
    return replace(setting, delta=own)


@lru_cache(maxsize=256)  # pure mathematics; a page asks for four schemes again and again
def _levels(parts: tuple[Fraction, ...], setting: Setting) -> tuple[float, ...]:
    level = guarantee_of(setting.family).level
    found = {part: level(part, setting) for part in dict.fromkeys(parts)}
    return tuple(found[part] for part in parts)
