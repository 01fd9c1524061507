"""Budget to noise level and back, for the integer families: discrete Laplace and Skellam.

Discrete Laplace: level b = scale, epsilon = D1/b, as for Laplace, because the statistic is whole.
Skellam: level = rate of each of its two counts, by the first rule that applies (MATHEMATICS 3.9):

1. one coordinate moves: exactly, from the masses;
2. several move, and the bounds allow at most 64 largest moves (moves.py): the exact sum of the
   one-coordinate privacy losses, rounded up, for the worst of these moves;
3. otherwise, and for levels beyond the exact sums: the Rényi bound, looser by some percent.

Every level is rounded so that the way back never exceeds the budget. A noisier release is a
post-processing of a less noisy one, so epsilon never rises with the level under one rule.
Symbols: dpviz/NOTATION.md.  Source: MATHEMATICS 3.1, 3.9.
"""

import math
from functools import lru_cache

from dpviz.accounting import skellam, skellam_groups, skellam_renyi
from dpviz.accounting.arrays import elementwise
from dpviz.accounting.inputs import LARGEST_LEVEL, Number, positive, probability
from dpviz.accounting.levels import laplace_epsilon, laplace_level
from dpviz.accounting.move_sums import SUM_MARGIN, worst
from dpviz.accounting.moves import EXACT_ONE, EXACT_SUM, NO_NOISE, Move, Moves
from dpviz.accounting.search import move_up
from dpviz.errors import ParameterError

RENYI = "Rényi bound"
ROUNDING = 1e-11  # first step when the way back must not exceed the budget


@elementwise
def discrete_laplace_level(epsilon: Number, l1_sensitivity: Number) -> float:
    """Noise scale of the discrete Laplace release that costs epsilon: D1/epsilon.

    Args:
        epsilon: above 0, nats.
        l1_sensitivity: above 0, in units of the statistic, which holds whole numbers.

    Returns:
        Scale b; `discrete_laplace_epsilon` of it never exceeds `epsilon`.

    Raises:
        ParameterError: an argument is out of range, or the level is beyond any float.

    Source: MATHEMATICS 3.1.

    >>> discrete_laplace_level(0.5, 1)
    2.0
    """
    return laplace_level(epsilon, l1_sensitivity)


@elementwise
def discrete_laplace_epsilon(level: Number, l1_sensitivity: Number) -> float:
    """Pure epsilon of discrete Laplace noise of scale `level`: D1/b.

    Args:
        level: scale, above 0.
        l1_sensitivity: at least 0, in units of the statistic; 0 costs nothing.

    Returns:
        epsilon in nats.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.1.

    >>> discrete_laplace_epsilon(2.0, 1)
    0.5
    """
    return laplace_epsilon(level, l1_sensitivity)


@elementwise
def skellam_level(
    epsilon: Number,
    delta: Number,
    *,
    l1_sensitivity: Number,
    l2_sensitivity: Number,
    linf_sensitivity: Number,
    dimension: int,
    l0_sensitivity: int | None = None,
) -> float:
    """Least rate of Skellam noise that is (epsilon, delta)-private, by the rules of the module.

    Args:
        epsilon: above 0, nats.
        delta: between 0 and 1.
        l1_sensitivity: D1, above 0, in units of the statistic.
        l2_sensitivity: D2.
        linf_sensitivity: Di.
        dimension: number of coordinates, d.
        l0_sensitivity: number of coordinates that one person moves at most; None: all of them.

    Returns:
        The rate; `skellam_epsilon` of it never exceeds `epsilon`.

    Raises:
        ParameterError: an argument is out of range, or needs more noise than a float can hold.

    Source: MATHEMATICS 3.9.

    >>> one = dict(l1_sensitivity=1, l2_sensitivity=1, linf_sensitivity=1, dimension=1)
    >>> round(skellam_level(1.0, 1e-6, **one), 3)
    7.12
    """
    epsilon, delta = positive(epsilon=epsilon), probability(delta=delta)
    sizes = l1_sensitivity, l2_sensitivity, linf_sensitivity
    moves = Moves(*sizes, dimension, l0_sensitivity)
    if moves.linf == 0:
        raise ParameterError(NO_NOISE)
    return _level(epsilon, math.log(delta), moves)


@elementwise
def skellam_epsilon(
    level: Number,
    delta: Number,
    *,
    l1_sensitivity: Number,
    l2_sensitivity: Number,
    linf_sensitivity: Number,
    dimension: int,
    l0_sensitivity: int | None = None,
) -> float:
    """Epsilon of Skellam noise at this rate and delta, by the rules of the module, rounded up.

    Args:
        level: rate of each of the two counts, above 0.
        delta: between 0 and 1.
        l1_sensitivity: D1, at least 0, in units of the statistic; 0 costs nothing.
        l2_sensitivity: D2.
        linf_sensitivity: Di.
        dimension: number of coordinates, d.
        l0_sensitivity: number of coordinates that one person moves at most; None: all of them.

    Returns:
        epsilon in nats.

    Raises:
        NoGuaranteeError: no epsilon up to a million holds at this level and delta.
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.9.

    >>> one = dict(l1_sensitivity=1, l2_sensitivity=1, linf_sensitivity=1, dimension=1)
    >>> round(skellam_epsilon(10.0, 1e-6, **one), 4)
    0.8604
    """
    level, delta = positive(level=level), probability(delta=delta)
    sizes = l1_sensitivity, l2_sensitivity, linf_sensitivity
    moves = Moves(*sizes, dimension, l0_sensitivity)
    return 0.0 if moves.linf == 0 else _epsilon(level, math.log(delta), moves)


def skellam_rule(
    level: Number,
    *,
    l1_sensitivity: Number,
    l2_sensitivity: Number,
    linf_sensitivity: Number,
    dimension: int,
    l0_sensitivity: int | None = None,
) -> str:
    """Name of the rule that `skellam_epsilon` and `skellam_level` use at this rate.

    Args:
        level: rate of each of the two counts, above 0.
        l1_sensitivity: D1, at least 0, in units of the statistic.
        l2_sensitivity: D2.
        linf_sensitivity: Di.
        dimension: number of coordinates, d.
        l0_sensitivity: number of coordinates that one person moves at most; None: all of them.

    Returns:
        EXACT_ONE, EXACT_SUM or RENYI.

    Raises:
        ParameterError: an argument is out of range.

    >>> two = dict(l1_sensitivity=2, l2_sensitivity=2**0.5, linf_sensitivity=1, dimension=9)
    >>> skellam_rule(50.0, **two), skellam_rule(2e9, **two)
    ('exact, sum over the coordinates that one person moves', 'Rényi bound')
    """
    sizes = l1_sensitivity, l2_sensitivity, linf_sensitivity
    moves = Moves(*sizes, dimension, l0_sensitivity)
    if positive(level=level) > LARGEST_LEVEL:
        return RENYI
    if moves.shift is not None:
        return EXACT_ONE
    return RENYI if moves.sizes is None else EXACT_SUM


@lru_cache(maxsize=1024)  # pure mathematics of public numbers; a page asks for every tier again
def _epsilon(level: float, log_delta: float, moves: Moves) -> float:
    """The way back, by the rule that holds at this level."""
    epsilon = None
    if moves.shift is not None and level <= LARGEST_LEVEL:
        epsilon = skellam.skellam_coordinate_epsilon(log_delta, level, shift=moves.shift)
    elif moves.sizes is not None and level <= LARGEST_LEVEL:
        epsilon = worst(
            moves.sizes,
            lambda move: skellam_groups.skellam_groups_epsilon(log_delta, level, move=move),
            lambda move, found: _holds(found, level, log_delta, move),
        )
    if epsilon is not None:
        return epsilon
    return skellam_renyi.skellam_renyi_epsilon(
        level, log_delta, l1_sensitivity=moves.l1, l2_sensitivity=moves.l2
    )


@lru_cache(maxsize=1024)
def _level(epsilon: float, log_delta: float, moves: Moves) -> float:
    """The least level, moved up until the way back does not exceed epsilon."""
    level = math.inf
    if moves.shift is not None:
        level = skellam.skellam_coordinate_level(epsilon, log_delta, shift=moves.shift)
    elif moves.sizes is not None:
        stricter = log_delta * (1 + SUM_MARGIN)
        level = worst(
            moves.sizes,
            lambda move: skellam_groups.skellam_groups_level(epsilon, stricter, move=move),
            lambda move, found: _holds(epsilon, found, stricter, move),
        )
    if level == math.inf:
        level = skellam_renyi.skellam_renyi_level(
            epsilon, log_delta, l1_sensitivity=moves.l1, l2_sensitivity=moves.l2
        )
    if level == math.inf:
        raise ParameterError(
            "this budget needs more noise than a float can hold; pass one of ordinary size"
        )
    return move_up(lambda x: _epsilon(x, log_delta, moves) - epsilon, level, tolerance=ROUNDING)


def _holds(epsilon: float, level: float, log_delta: float, move: Move) -> bool:
    """Whether the promise is kept for this move."""
    found = skellam_groups.skellam_groups_log_delta(epsilon, level, move=move, depth=-log_delta)
    return found <= log_delta
