"""Budget to noise level and back, for the integer families: discrete Laplace and Skellam.

Discrete Laplace: level b = scale, epsilon = D1/b, as for Laplace, because the statistic is whole.
Skellam: level = rate of each of its two counts; exactly from the masses where one coordinate moves
(d = 1, or D1 = 1), otherwise, and for levels beyond the exact sums, by the Rényi bound, a few
percent looser. Every level is rounded so that the way back never exceeds the budget. A noisier
release is a post-processing of a less noisy one, so epsilon never rises with the level under one
rule. Symbols: dpviz/NOTATION.md.  Source: MATHEMATICS 3.1, 3.9.
"""

import math
from functools import lru_cache

from dpviz.accounting import skellam, skellam_renyi
from dpviz.accounting.inputs import LARGEST_LEVEL, Number, positive, probability
from dpviz.accounting.levels import laplace_epsilon, laplace_level
from dpviz.accounting.moves import NO_NOISE, Moves
from dpviz.accounting.search import move_up
from dpviz.errors import ParameterError

ROUNDING = 1e-11  # first step when the way back must not exceed the budget


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


def skellam_level(
    epsilon: Number,
    delta: Number,
    *,
    l1_sensitivity: Number,
    l2_sensitivity: Number,
    linf_sensitivity: Number,
    dimension: int,
) -> float:
    """Least rate of Skellam noise that is (epsilon, delta)-private, by the rules of the module.

    Args:
        epsilon: above 0, nats.
        delta: between 0 and 1.
        l1_sensitivity: D1, above 0, in units of the statistic.
        l2_sensitivity: D2.
        linf_sensitivity: Di.
        dimension: number of coordinates, d.

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
    moves = Moves(l1_sensitivity, l2_sensitivity, linf_sensitivity, dimension)
    if moves.linf == 0:
        raise ParameterError(NO_NOISE)
    return _level(epsilon, math.log(delta), moves)


def skellam_epsilon(
    level: Number,
    delta: Number,
    *,
    l1_sensitivity: Number,
    l2_sensitivity: Number,
    linf_sensitivity: Number,
    dimension: int,
) -> float:
    """Epsilon of Skellam noise at this rate and delta, by the rules of the module, rounded up.

    Args:
        level: rate of each of the two counts, above 0.
        delta: between 0 and 1.
        l1_sensitivity: D1, at least 0, in units of the statistic; 0 costs nothing.
        l2_sensitivity: D2.
        linf_sensitivity: Di.
        dimension: number of coordinates, d.

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
    moves = Moves(l1_sensitivity, l2_sensitivity, linf_sensitivity, dimension)
    return 0.0 if moves.linf == 0 else _epsilon(level, math.log(delta), moves)


@lru_cache(maxsize=1024)  # pure mathematics of public numbers; a page asks for every tier again
def _epsilon(level: float, log_delta: float, moves: Moves) -> float:
    """The way back, by the rule that holds at this level."""
    if moves.shift is not None and level <= LARGEST_LEVEL:
        return skellam.skellam_coordinate_epsilon(log_delta, level, shift=moves.shift)
    return skellam_renyi.skellam_renyi_epsilon(
        level, log_delta, l1_sensitivity=moves.l1, l2_sensitivity=moves.l2
    )


@lru_cache(maxsize=1024)
def _level(epsilon: float, log_delta: float, moves: Moves) -> float:
    """The least level, moved up until the way back does not exceed epsilon."""
    level = None
    if moves.shift is not None:
        level = skellam.skellam_coordinate_level(epsilon, log_delta, shift=moves.shift)
    if level is None:
        level = skellam_renyi.skellam_renyi_level(
            epsilon, log_delta, l1_sensitivity=moves.l1, l2_sensitivity=moves.l2
        )
    if level is None:
        raise ParameterError(
            "this budget needs more noise than a float can hold; pass one of ordinary size"
        )
    return move_up(lambda x: _epsilon(x, log_delta, moves) - epsilon, level, tolerance=ROUNDING)
