"""Levels of the baselines by the convolved losses of all their releases, where ε needs a δ.

Noise that keeps an epsilon at a delta only (Poisson, Skellam) composes to less than the sum of
both. Here the losses of all releases of a scheme are convolved, for every largest move of one
person, who makes the same move in all of them, at the plan's own delta:

    independent  every lossless level times the least factor with which all keep the largest budget
    doubling     the same for the levels of the grid of budgets
    splitting    one tier after the other: the least level with which the slices up to it keep its
                 own budget

For Gaussian noise these are the rules of scheme_variances.py. Rounded up, to the private side.
Limits: MOST releases, as each is a search over convolutions; beyond it, and where the losses of one
person are not known, budgets are added. Source: MATHEMATICS 5.5, 5.7.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache, partial, reduce

from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.guarantees import Setting, guarantee_of
from dpviz.accounting.inputs import LARGEST_LEVEL
from dpviz.accounting.move_sums import worst
from dpviz.accounting.schemes import DOUBLING, INDEPENDENT, SPLITTING, doubled
from dpviz.accounting.search import least, or_infinite

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
