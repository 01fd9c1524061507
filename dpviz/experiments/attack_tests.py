"""The best membership test against one number: what the simulated attacker is held against.

One person moves the number by `moved`. Gaussian and Laplace noise have closed forms for one release
(dpviz.accounting.tradeoff), and Gaussian noise for several; all else is summed over outcomes. The
likelihood ratio of Laplace and discrete Laplace noise is flat beyond 0 and `moved`, so both tails
are one outcome each; tails of Poisson and Skellam noise are cut where less than 1e-15 is left. Any
other noise of real numbers is put into `MOST_OUTCOMES` cells by its distribution function.
Limits: one number. A person who moves several numbers can be found by a test of all of them.
Source: MATHEMATICS 5.6.
"""

import math
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz.accounting import (
    Pair,
    gaussian_advantage,
    gaussian_trade_off,
    joint_pair,
    laplace_advantage,
    laplace_trade_off,
    pair_advantage,
    pair_trade_off,
)
from dpviz.errors import ParameterError
from dpviz.noise.family import DOUBLE_EXPONENTIAL, NORMAL, Family
from dpviz.queries import Sensitivity

Floats = NDArray[np.float64]
CELLS = 2000  # of continuous noise between 0 and what one person moves
MOST_OUTCOMES = 4000  # wider noise of whole numbers is taken at evenly spaced counts


def moved_by(family: Family, sensitivity: Sensitivity) -> float:
    """How far the attacked person moves the attacked number, in whole steps where noise is whole.

    Δ∞, which is the most that one number moves; for Gaussian noise Δ₂, since a test of all numbers
    finds as much as a test of one that is moved by Δ₂.

    >>> from dpviz.noise import FAMILIES
    >>> moved_by(FAMILIES["poisson"], Sensitivity(l0=3, l1=3, l2=1.7320508, linf=1))
    1.0
    """
    moved = float(sensitivity.l2 if family.shape == NORMAL else sensitivity.linf)
    return float(math.ceil(moved)) if family.integer else moved


def best_misses(
    family: Family,
    levels: Sequence[float],
    moved: float,
    alarms: ArrayLike,
    *,
    lowers: bool = False,
) -> Floats:
    """Least share of misses at each share of false alarms, against independent releases.

    Args:
        family: a noise family.
        levels: noise level of every release; one level for a lossless coalition, its least.
        moved: how far the person moves the number; above 0, whole for whole-number noise.
        alarms: shares of false alarms, between 0 and 1.
        lowers: whether the person makes the number smaller instead of larger, which is another
            test where the noise is not symmetric.

    Raises:
        ParameterError: no level, or a value out of range.

    >>> from dpviz.noise import FAMILIES
    >>> best_misses(FAMILIES["laplace"], [1.0], 1.0, [0.25]).round(6), best_misses(
    ...     FAMILIES["discrete_laplace"], [1.0], 1.0, [0.25]).round(6)
    (array([0.367879]), array([0.32043]))
    """
    if family.shape == NORMAL:
        return gaussian_trade_off(_mu(levels, moved), alarms)
    if _plain_laplace(family) and len(levels) == 1:
        return laplace_trade_off(moved / levels[0], alarms)
    pair = _joint(family, tuple(sorted(levels)), moved)
    misses: Floats = pair_trade_off(pair.swapped if lowers else pair, alarms)
    return misses


def best_success(family: Family, levels: Sequence[float], moved: float) -> float:
    """Share of right guesses of the best test at even odds, against independent releases.

    Args:
        family: as in `best_misses`.
        levels: as in `best_misses`.
        moved: as in `best_misses`.

    Raises:
        ParameterError: as `best_misses`.

    >>> from dpviz.noise import FAMILIES
    >>> round(best_success(FAMILIES["gaussian"], [1.0], 1.0), 4)
    0.6915
    """
    if family.shape == NORMAL:
        return (1 + gaussian_advantage(_mu(levels, moved))) / 2
    if _plain_laplace(family) and len(levels) == 1:
        return (1 + laplace_advantage(moved / levels[0])) / 2
    return (1 + pair_advantage(_joint(family, tuple(sorted(levels)), moved))) / 2


def _plain_laplace(family: Family) -> bool:
    return family.shape == DOUBLE_EXPONENTIAL and not family.integer


def _mu(levels: Sequence[float], moved: float) -> float:
    return moved * math.sqrt(math.fsum(1 / level for level in levels))


@lru_cache(maxsize=64)  # pure mathematics of public numbers
def _joint(family: Family, levels: tuple[float, ...], moved: float) -> Pair:
    pairs = [(outcomes(family, level, moved), n) for level, n in Counter(levels).items()]
    return pairs[0][0] if len(levels) == 1 else joint_pair(pairs)


def outcomes(family: Family, level: float, moved: float) -> Pair:
    """Masses of the outcomes of one release without the person and with them.

    Raises:
        ParameterError: no such outcomes, or a shift that whole-number noise cannot have.

    >>> from dpviz.noise import FAMILIES
    >>> pair = outcomes(FAMILIES["discrete_laplace"], 1.0, 1)
    >>> pair.out.round(4), pair.inside.round(4)  # at most 0, at least 1
    (array([0.7311, 0.2689]), array([0.2689, 0.7311]))
    """
    if family.shape == NORMAL:
        raise ParameterError(
            f"{family.label} noise has no outcomes to sum; use Poisson, for example"
        )
    if moved <= 0 or (family.integer and moved != int(moved)):
        raise ParameterError("a person moves a whole number by a whole number above 0; round up")
    if family.shape == DOUBLE_EXPONENTIAL:
        # Flat ratios beyond both ends: everything up to 0 is one outcome, all from `moved` another.
        edges = np.arange(moved) if family.integer else np.linspace(0, moved, CELLS + 1)
        upto = np.concatenate([[0.0], np.asarray(family.cdf(edges, level), dtype=float), [1.0]])
        out = np.diff(upto)
        return Pair(out, out[::-1].copy())
    spread, mean = math.sqrt(family.variance(level)), family.mean(level)
    if not family.integer:
        edges = np.linspace(mean - 9 * spread, mean + 9 * spread + moved, MOST_OUTCOMES - 1)
        edges = np.concatenate([[-np.inf], edges, [np.inf]])
        out, inside = (np.maximum(np.diff(family.cdf(x, level)), 0) for x in (edges, edges - moved))
        return Pair(out, inside)
    reach = 9 * spread + 40
    low, high = math.floor(mean - reach), math.ceil(mean + reach + moved)
    step = max(1, (high - low) // MOST_OUTCOMES)
    counts = np.arange(low, high + 1, step)
    out, inside = (
        np.asarray(family.density(x, level), dtype=float) for x in (counts, counts - int(moved))
    )
    return Pair(out / out.sum(), inside / inside.sum())
