"""Budget to noise rate and back, for Poisson noise: which rule holds, and what it says.

The level is a rate; sensitivities D1, D2, Di, the dimension d and delta map it to an epsilon by the
first rule that applies (MATHEMATICS 3.10):

1. one coordinate moves (d = 1, or D1 = 1): exactly, from the two probability mass functions;
2. Di = 1 and one person moves D1 coordinates, up to 100,000, the same way: the exact sum
   of the one-coordinate privacy losses, rounded up;
3. otherwise, and for levels beyond the reach of the exact sums: Theorem E.2 of [LMR25], corrected.

A noisier release is a post-processing of a less noisy one, so under each rule epsilon never rises
with the level. Only at level 1e9, where the exact rules end, the bound of rule 3 takes over, a few
percent larger. The statistic is whole-numbered; a sensitivity that is not whole (a loose bound)
leaves rule 3. Symbols: dpviz/NOTATION.md.  [LMR25] arXiv:2505.22449v1, appendix E.
"""

import math
from functools import lru_cache

from dpviz.accounting import poisson, poisson_groups, poisson_theorem
from dpviz.accounting.inputs import LARGEST_LEVEL, Number, positive, probability
from dpviz.accounting.moves import NO_NOISE, Moves
from dpviz.accounting.search import move_up
from dpviz.errors import ParameterError

EXACT_ONE = "exact, one coordinate"
EXACT_SUM = "exact, sum over the coordinates that one person moves"
THEOREM = "Theorem E.2"
ROUNDING = 1e-9  # first step when the way back must not exceed the budget
ONE_MARGIN, SUM_MARGIN = 1e-10, 2e-7  # of ln delta: more than the way back rounds up


def poisson_level(
    epsilon: Number,
    delta: Number,
    *,
    l1_sensitivity: Number,
    l2_sensitivity: Number,
    linf_sensitivity: Number,
    dimension: int,
    same_direction: bool = True,
) -> float:
    """Least rate of Poisson noise that is (epsilon, delta)-private, by the rules of the module.

    Args:
        epsilon: above 0, nats.
        delta: between 0 and 1.
        l1_sensitivity: D1, above 0, in units of the statistic.
        l2_sensitivity: D2.
        linf_sensitivity: Di.
        dimension: number of coordinates, d.
        same_direction: one person moves all coordinates up, or all down, as when a person is added
            or removed; False leaves rule 2 out.

    Returns:
        The rate, in units of the statistic; `poisson_epsilon` of it never exceeds `epsilon`. A
        large epsilon gives the least rate at which any guarantee holds at this delta.

    Raises:
        ParameterError: an argument is out of range, or needs more noise than a float can hold.

    Source: [LMR25] appendix E; MATHEMATICS 3.10 to 3.13.

    >>> one = dict(l1_sensitivity=1, l2_sensitivity=1, linf_sensitivity=1, dimension=1)
    >>> round(poisson_level(1.0, 1e-6, **one), 3)
    34.068
    """
    epsilon, delta = positive(epsilon=epsilon), probability(delta=delta)
    moves = Moves(l1_sensitivity, l2_sensitivity, linf_sensitivity, dimension, same_direction)
    if moves.linf == 0:
        raise ParameterError(NO_NOISE)
    return _level(epsilon, math.log(delta), moves)


def poisson_epsilon(
    level: Number,
    delta: Number,
    *,
    l1_sensitivity: Number,
    l2_sensitivity: Number,
    linf_sensitivity: Number,
    dimension: int,
    same_direction: bool = True,
) -> float:
    """Epsilon of Poisson noise at this rate and delta, by the rules of the module, rounded up.

    Args:
        level: rate of the noise in each coordinate, above 0.
        delta: between 0 and 1.
        l1_sensitivity: D1, at least 0, in units of the statistic; 0 costs nothing.
        l2_sensitivity: D2.
        linf_sensitivity: Di.
        dimension: number of coordinates, d.
        same_direction: one person moves all coordinates up, or all down.

    Returns:
        epsilon in nats.

    Raises:
        NoGuaranteeError: the level is below what rule 3 needs where no exact rule applies, or too
            small for any finite epsilon at this delta.
        ParameterError: an argument is out of range.

    Source: [LMR25] appendix E; MATHEMATICS 3.10 to 3.13.

    >>> one = dict(l1_sensitivity=1, l2_sensitivity=1, linf_sensitivity=1, dimension=1)
    >>> round(poisson_epsilon(34.068, 1e-6, **one), 4)
    1.0
    """
    level, delta = positive(level=level), probability(delta=delta)
    moves = Moves(l1_sensitivity, l2_sensitivity, linf_sensitivity, dimension, same_direction)
    return 0.0 if moves.linf == 0 else _epsilon(level, math.log(delta), moves)


def poisson_rule(
    level: Number,
    *,
    l1_sensitivity: Number,
    l2_sensitivity: Number,
    linf_sensitivity: Number,
    dimension: int,
    same_direction: bool = True,
) -> str:
    """Name of the rule that `poisson_epsilon` and `poisson_level` use at this rate.

    Args:
        level: rate of the noise, above 0.
        l1_sensitivity: D1, at least 0, in units of the statistic.
        l2_sensitivity: D2.
        linf_sensitivity: Di.
        dimension: number of coordinates, d.
        same_direction: one person moves all coordinates up, or all down.

    Returns:
        EXACT_ONE, EXACT_SUM or THEOREM.

    Raises:
        ParameterError: an argument is out of range.

    >>> two = dict(l1_sensitivity=2, l2_sensitivity=2**0.5, linf_sensitivity=1, dimension=9)
    >>> poisson_rule(50.0, **two)
    'exact, sum over the coordinates that one person moves'
    """
    moves = Moves(l1_sensitivity, l2_sensitivity, linf_sensitivity, dimension, same_direction)
    return _rule(positive(level=level), moves)


def _rule(level: float, moves: Moves) -> str:
    """The first rule that applies; the exact ones reach up to LARGEST_LEVEL."""
    if level > LARGEST_LEVEL:
        return THEOREM
    if moves.shift is not None:
        return EXACT_ONE
    return THEOREM if moves.groups(poisson_groups.LARGEST_GROUPS) is None else EXACT_SUM


@lru_cache(maxsize=1024)  # pure mathematics of public numbers; a page asks for every tier again
def _epsilon(level: float, log_delta: float, moves: Moves) -> float:
    """The way back, by the rule that holds at this level."""
    groups = moves.groups(poisson_groups.LARGEST_GROUPS)
    if level <= LARGEST_LEVEL and moves.shift is not None:
        return poisson.poisson_coordinate_epsilon(log_delta, level, shift=moves.shift)
    if level <= LARGEST_LEVEL and groups is not None:
        return poisson_groups.poisson_groups_epsilon(log_delta, level, groups=groups)
    return poisson_theorem.poisson_theorem_epsilon(
        level,
        log_delta,
        l1_sensitivity=moves.l1,
        l2_sensitivity=moves.l2,
        linf_sensitivity=moves.linf,
        dimension=moves.dimension,
    )


@lru_cache(maxsize=1024)
def _level(epsilon: float, log_delta: float, moves: Moves) -> float:
    """The least level, moved up until the way back does not exceed epsilon."""
    level, groups = None, moves.groups(poisson_groups.LARGEST_GROUPS)
    if moves.shift is not None:
        stricter = log_delta * (1 + ONE_MARGIN)
        level = poisson.poisson_coordinate_level(epsilon, stricter, shift=moves.shift)
    elif groups is not None:
        stricter = log_delta * (1 + SUM_MARGIN)
        level = poisson_groups.poisson_groups_level(epsilon, stricter, groups=groups)
    if level is None:
        level = poisson_theorem.poisson_theorem_level(
            epsilon,
            log_delta,
            l1_sensitivity=moves.l1,
            l2_sensitivity=moves.l2,
            linf_sensitivity=moves.linf,
            dimension=moves.dimension,
        )
    return move_up(lambda x: _epsilon(x, log_delta, moves) - epsilon, level, tolerance=ROUNDING)
