"""Budget to noise rate and back, for Poisson noise: which rule holds, and what it says.

The level is a rate; sensitivities D1, D2, Di, the dimension d and delta map it to an epsilon by the
first rule that applies (MATHEMATICS 3.10):

1. one coordinate moves: exactly, from the two probability mass functions;
2. several move, and the bounds allow at most 64 largest moves (moves.py): the exact sum of the
   one-coordinate privacy losses, rounded up, for each of these moves in both directions, and the
   worst of them;
3. otherwise, and for levels beyond the reach of the exact sums: Theorem E.2 of [LMR25], corrected.

A noisier release is a post-processing of a less noisy one, so under each rule epsilon never rises
with the level. Only at level 1e9, where the exact rules end, the bound of rule 3 takes over, a few
percent larger. The statistic is whole-numbered, so that bounds that are not whole are rounded down
for rules 1 and 2. Symbols: dpviz/NOTATION.md.  [LMR25] arXiv:2505.22449v1, appendix E.
"""

import math
from functools import lru_cache

from dpviz.accounting import poisson, poisson_groups, poisson_theorem
from dpviz.accounting.arrays import elementwise
from dpviz.accounting.inputs import LARGEST_LEVEL, Number, positive, probability
from dpviz.accounting.move_sums import SUM_MARGIN, worst
from dpviz.accounting.moves import EXACT_ONE, EXACT_SUM, NO_NOISE, Move, Moves
from dpviz.accounting.search import move_up
from dpviz.errors import ParameterError
from dpviz.queries.sensitivity import Directions

THEOREM = "Theorem E.2"
ROUNDING = 1e-9  # first step when the way back must not exceed the budget
ONE_MARGIN = 1e-10  # of ln delta: more than the way back rounds up


@elementwise
def poisson_level(
    epsilon: Number,
    delta: Number,
    *,
    l1_sensitivity: Number,
    l2_sensitivity: Number,
    linf_sensitivity: Number,
    dimension: int,
    l0_sensitivity: int | None = None,
    directions: Directions | None = None,
) -> float:
    """Least rate of Poisson noise that is (epsilon, delta)-private, by the rules of the module.

    Args:
        epsilon: above 0, nats.
        delta: between 0 and 1.
        l1_sensitivity: D1, above 0, in units of the statistic.
        l2_sensitivity: D2.
        linf_sensitivity: Di.
        dimension: number of coordinates, d.
        l0_sensitivity: number of coordinates that one person moves at most; None: all of them.
        directions: most coordinates that one person moves one way, and the other way, such as
            (3, 0) where somebody is added or removed and all move alike; None: any.

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
    sizes = l1_sensitivity, l2_sensitivity, linf_sensitivity
    moves = Moves(*sizes, dimension, l0_sensitivity, directions)
    if moves.linf == 0:
        raise ParameterError(NO_NOISE)
    return _level(epsilon, math.log(delta), moves)


@elementwise
def poisson_epsilon(
    level: Number,
    delta: Number,
    *,
    l1_sensitivity: Number,
    l2_sensitivity: Number,
    linf_sensitivity: Number,
    dimension: int,
    l0_sensitivity: int | None = None,
    directions: Directions | None = None,
) -> float:
    """Epsilon of Poisson noise at this rate and delta, by the rules of the module, rounded up.

    Args:
        level: rate of the noise in each coordinate, above 0.
        delta: between 0 and 1.
        l1_sensitivity: D1, at least 0, in units of the statistic; 0 costs nothing.
        l2_sensitivity: D2.
        linf_sensitivity: Di.
        dimension: number of coordinates, d.
        l0_sensitivity: number of coordinates that one person moves at most; None: all of them.
        directions: most coordinates that one person moves one way, and the other way; None: any.

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
    sizes = l1_sensitivity, l2_sensitivity, linf_sensitivity
    moves = Moves(*sizes, dimension, l0_sensitivity, directions)
    return 0.0 if moves.linf == 0 else _epsilon(level, math.log(delta), moves)


def poisson_rule(
    level: Number,
    *,
    l1_sensitivity: Number,
    l2_sensitivity: Number,
    linf_sensitivity: Number,
    dimension: int,
    l0_sensitivity: int | None = None,
    directions: Directions | None = None,
) -> str:
    """Name of the rule that `poisson_epsilon` and `poisson_level` use at this rate.

    Args:
        level: rate of the noise, above 0.
        l1_sensitivity: D1, at least 0, in units of the statistic.
        l2_sensitivity: D2.
        linf_sensitivity: Di.
        dimension: number of coordinates, d.
        l0_sensitivity: number of coordinates that one person moves at most; None: all of them.
        directions: most coordinates that one person moves one way, and the other way; None: any.

    Returns:
        EXACT_ONE, EXACT_SUM or THEOREM.

    Raises:
        ParameterError: an argument is out of range.

    >>> two = dict(l1_sensitivity=2, l2_sensitivity=2**0.5, linf_sensitivity=1, dimension=9)
    >>> poisson_rule(50.0, **two)
    'exact, sum over the coordinates that one person moves'
    """
    sizes = l1_sensitivity, l2_sensitivity, linf_sensitivity
    moves = Moves(*sizes, dimension, l0_sensitivity, directions)
    return _rule(positive(level=level), moves)


def _rule(level: float, moves: Moves) -> str:
    """The first rule that applies; the exact ones reach up to LARGEST_LEVEL."""
    if level > LARGEST_LEVEL:
        return THEOREM
    if moves.shift is not None:
        return EXACT_ONE
    return THEOREM if moves.signed is None else EXACT_SUM


@lru_cache(maxsize=1024)  # pure mathematics of public numbers; a page asks for every tier again
def _epsilon(level: float, log_delta: float, moves: Moves) -> float:
    """The way back, by the rule that holds at this level."""
    epsilon = None
    if level <= LARGEST_LEVEL and moves.shift is not None:
        epsilon = poisson.poisson_coordinate_epsilon(log_delta, level, shift=moves.shift)
    elif level <= LARGEST_LEVEL and moves.signed is not None:
        epsilon = worst(
            moves.signed,
            lambda move: poisson_groups.poisson_groups_epsilon(log_delta, level, move=move),
            lambda move, found: _holds(found, level, log_delta, move),
        )
    if epsilon is not None:
        return epsilon
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
    level = math.inf
    if moves.shift is not None:
        stricter = log_delta * (1 + ONE_MARGIN)
        level = poisson.poisson_coordinate_level(epsilon, stricter, shift=moves.shift)
    elif moves.signed is not None:
        stricter = log_delta * (1 + SUM_MARGIN)
        level = worst(
            moves.signed,
            lambda move: poisson_groups.poisson_groups_level(epsilon, stricter, move=move),
            lambda move, found: _holds(epsilon, found, stricter, move),
        )
    if level == math.inf:
        level = poisson_theorem.poisson_theorem_level(
            epsilon,
            log_delta,
            l1_sensitivity=moves.l1,
            l2_sensitivity=moves.l2,
            linf_sensitivity=moves.linf,
            dimension=moves.dimension,
        )
    return move_up(lambda x: _epsilon(x, log_delta, moves) - epsilon, level, tolerance=ROUNDING)


def _holds(epsilon: float, level: float, log_delta: float, move: Move) -> bool:
    """Whether the promise is kept for this move."""
    found = poisson_groups.poisson_groups_log_delta(epsilon, level, move=move, depth=-log_delta)
    return found <= log_delta
