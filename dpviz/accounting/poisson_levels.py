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

Poisson noise when one person moves several coordinates, up or down, each by whole steps.

Where the person is away, a coordinate that they would move up by s has the loss of Poisson(level)
against s + Poisson(level), one that they would move down the loss of the reverse; where they are
there it is the other way round. Both are summed as in move_sums.py and the worse is returned.

Poisson noise on any vector of integers: Theorem E.2, corrected, and its inverse.

    epsilon = D2 sqrt(2 ln(1.25/delta)) / sqrt(level)
            + (D2 5 sqrt(2) sqrt(ln(10/delta)) + D1 5/3) / (level (1 - delta/10))
            + (2/3 Di ln(1.25/delta) + 4/3 Di ln(20 d/delta) ln(10/delta)) / level

valid only for level >= max(23 ln(10 d/delta), 2 Di); below that it says nothing. It is the limit
p -> 0 of the binomial mechanism of Agarwal et al. (2018, cpSGD, Theorem 1). The extracted text of
[LMR25, Theorem E.2] prints D1 5/3 under the square root; it belongs outside (MATHEMATICS 3.13).
An upper bound: for one coordinate the exact noise needed is about a fifteenth (poisson.py).
"""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

from dpviz import checks
from dpviz.accounting.inputs import (
    LARGEST_LEVEL,
    Number,
    elementwise,
    log_probability,
    non_negative,
    positive,
    probability,
    representable,
    summed_level,
)
from dpviz.accounting.loss_sums import Part
from dpviz.accounting.loss_terms import directions
from dpviz.accounting.move_sums import (
    SUM_MARGIN,
    checked_depth,
    first_level,
    move_epsilon,
    move_level,
    move_log_delta,
    worst,
)
from dpviz.accounting.moves import (
    EXACT_ONE,
    EXACT_SUM,
    NO_NOISE,
    Move,
    Moves,
    checked_move,
    reverse,
)
from dpviz.accounting.poisson import (
    no_finite_epsilon,
    poisson_coordinate_epsilon,
    poisson_coordinate_level,
)
from dpviz.accounting.search import move_up
from dpviz.errors import NoGuaranteeError, ParameterError
from dpviz.queries.sensitivity import Directions


@elementwise
def poisson_groups_log_delta(
    epsilon: Number, level: Number, *, move: Move, depth: Number | None = None
) -> float:
    """Least ln delta of Poisson noise where one person makes this move or its reverse, rounded up.

    Args:
        epsilon: at least 0, nats.
        level: rate of the noise in each coordinate, from 1e-300 to LARGEST_LEVEL.
        move: pairs (coordinates, by how much each), such as ((5, 1), (5, -1)) for five up and five
            down by one; at most 100,000 coordinates, by at most 10,000 each.
        depth: resolve deltas down to e^-depth (a smaller one is reported as less than that);
            None deepens until the delta found is resolved, or e^-600 is reached.

    Returns:
        ln delta, at most 0, never below the exact value.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.12.

    >>> one = ((1, 1),)
    >>> round(poisson_groups_log_delta(1.0, 34.0, move=one), 4)  # as poisson_log_delta(1.0, 34.0)
    -13.7922
    """
    epsilon, level = non_negative(epsilon=epsilon), summed_level(level)
    return move_log_delta(losses_of_move, epsilon, level, checked_move(move), depth)


@elementwise
def poisson_groups_epsilon(log_delta: Number, level: Number, *, move: Move) -> float:
    """Least epsilon of Poisson noise where one person makes this move or its reverse.

    Args:
        log_delta: ln delta, below 0 and at least -600.
        level: rate of the noise in each coordinate, from 1e-300 to LARGEST_LEVEL.
        move: pairs (coordinates, by how much each), as for `poisson_groups_log_delta`.

    Returns:
        epsilon in nats, rounded up.

    Raises:
        NoGuaranteeError: no epsilon is finite, see `poisson_coordinate_epsilon`.
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.12, inverted.

    >>> round(poisson_groups_epsilon(-13.815511, 905.0, move=((50, 1),)), 3)
    1.0
    """
    log_delta, level = checked_depth(log_delta), summed_level(level)
    epsilon = move_epsilon(losses_of_move, log_delta, level, checked_move(move))
    if epsilon is None:
        raise no_finite_epsilon()
    return epsilon


@elementwise
def poisson_groups_level(epsilon: Number, log_delta: Number, *, move: Move) -> float:
    """Least rate of Poisson noise that is private where one person makes this move or its reverse.

    Args:
        epsilon: above 0, nats.
        log_delta: ln delta, below 0 and at least -600.
        move: pairs (coordinates, by how much each), as for `poisson_groups_log_delta`.

    Returns:
        The rate, rounded up, or infinite where it would exceed LARGEST_LEVEL.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.12, inverted.

    >>> round(poisson_groups_level(1.0, -13.815511, move=((50, 1),)))
    905
    """
    epsilon, log_delta = positive(epsilon=epsilon), checked_depth(log_delta)
    move = checked_move(move)
    guess = first_level(epsilon, log_delta, move) - log_delta
    return move_level(losses_of_move, epsilon, log_delta, move, guess)


def losses_of_move(level: float, cut: float, width: float, move: Move) -> Iterator[Sequence[Part]]:
    """Losses of the move and, if that is another one, of its reverse.

    >>> [len(parts) for parts in losses_of_move(9.0, 50.0, 0.01, ((2, 1), (1, -1)))]
    [2, 2]
    """
    back = reverse(move)
    for one in (move, back) if back != move else (move,):
        parts = []
        for coordinates, by in one:
            away, there = directions(level, cut, width, abs(by))
            parts.append((away if by > 0 else there, coordinates))
        yield parts


@elementwise
def poisson_theorem_limit(log_delta: Number, *, linf_sensitivity: Number, dimension: int) -> float:
    """Least level for which Theorem E.2 says anything: max(23 ln(10 d/delta), 2 Di).

    Raises:
        ParameterError: an argument is out of range.

    >>> round(poisson_theorem_limit(math.log(1e-6), linf_sensitivity=1, dimension=1), 1)
    370.7
    """
    dimension = checks.integer(1, dimension=dimension)
    spread = math.log(10) + math.log(dimension) - log_probability(log_delta)
    limit = max(23 * spread, 2 * positive(linf_sensitivity=linf_sensitivity))
    return representable(limit)


@elementwise
def poisson_theorem_epsilon(
    level: Number,
    log_delta: Number,
    *,
    l1_sensitivity: Number,
    l2_sensitivity: Number,
    linf_sensitivity: Number,
    dimension: int,
) -> float:
    """Epsilon of Poisson noise on a vector of integers, by Theorem E.2 (see the module).

    Args:
        level: rate of the noise in each coordinate.
        log_delta: ln delta, below 0.
        l1_sensitivity: D1, in units of the statistic.
        l2_sensitivity: D2.
        linf_sensitivity: Di, the most that one person moves one coordinate.
        dimension: d, the number of coordinates.

    Returns:
        epsilon in nats.

    Raises:
        NoGuaranteeError: the level is below the theorem's limit.
        ParameterError: an argument is out of range.

    Source: [LMR25] Theorem E.2, with its erratum; MATHEMATICS 3.13.

    >>> one = dict(l1_sensitivity=1, l2_sensitivity=1, linf_sensitivity=1, dimension=1)
    >>> round(poisson_theorem_epsilon(522.0, math.log(1e-6), **one), 3)
    1.0
    """
    level = positive(level=level)
    limit = poisson_theorem_limit(log_delta, linf_sensitivity=linf_sensitivity, dimension=dimension)
    if level < limit:
        raise NoGuaranteeError(
            f"no theorem gives a guarantee for Poisson noise at level {level:g}; "
            f"pass a level of at least {limit:.6g}"
        )
    root, linear = _coefficients(
        log_delta, l1_sensitivity, l2_sensitivity, linf_sensitivity, dimension
    )
    return representable((root / math.sqrt(level) + linear / level) * (1 + 2.0**-48))


@elementwise
def poisson_theorem_level(
    epsilon: Number,
    log_delta: Number,
    *,
    l1_sensitivity: Number,
    l2_sensitivity: Number,
    linf_sensitivity: Number,
    dimension: int,
) -> float:
    """Least level that Theorem E.2 allows at this epsilon and delta, never below its limit.

    Args:
        epsilon: above 0, nats.
        log_delta: ln delta, below 0.
        l1_sensitivity: D1, in units of the statistic.
        l2_sensitivity: D2.
        linf_sensitivity: Di, the most that one person moves one coordinate.
        dimension: d, the number of coordinates.

    Returns:
        The rate; `poisson_theorem_epsilon` of it never exceeds `epsilon`.

    Raises:
        ParameterError: an argument is out of range, or epsilon asks for more noise than a float.

    Source: [LMR25] Theorem E.2, a quadratic in 1/sqrt(level).

    >>> one = dict(l1_sensitivity=1, l2_sensitivity=1, linf_sensitivity=1, dimension=1)
    >>> round(poisson_theorem_level(1.0, math.log(1e-6), **one), 1)
    521.7
    """
    epsilon, log_delta = positive(epsilon=epsilon), log_probability(log_delta)
    root, linear = _coefficients(
        log_delta, l1_sensitivity, l2_sensitivity, linf_sensitivity, dimension
    )
    small = 2 * epsilon / (root + math.sqrt(root * root + 4 * linear * epsilon))  # 1/sqrt(level)
    if not small > 1e-140:
        raise ParameterError(
            f"epsilon is too small for any noise to reach, got {checks.told(epsilon)}"
        )
    limit = poisson_theorem_limit(log_delta, linf_sensitivity=linf_sensitivity, dimension=dimension)

    def excess(level: float) -> float:
        return (root / math.sqrt(level) + linear / level) * (1 + 2.0**-48) - epsilon

    return move_up(excess, max(limit, small**-2), tolerance=4e-16)


def _coefficients(
    log_delta: Number,
    l1_sensitivity: Number,
    l2_sensitivity: Number,
    linf_sensitivity: Number,
    dimension: int,
) -> tuple[float, float]:
    """The theorem as epsilon = root / sqrt(level) + linear / level."""
    log_delta = log_probability(log_delta)
    l1 = positive(l1_sensitivity=l1_sensitivity)
    l2 = positive(l2_sensitivity=l2_sensitivity)
    linf = positive(linf_sensitivity=linf_sensitivity)
    dimension = checks.integer(1, dimension=dimension)
    log_125, log_10 = math.log(1.25) - log_delta, math.log(10) - log_delta
    log_20d = math.log(20) + math.log(dimension) - log_delta
    second = (l2 * 5 * math.sqrt(2) * math.sqrt(log_10) + l1 * 5 / 3) / (
        1 - math.exp(log_delta) / 10
    )
    third = linf * (2 / 3 * log_125 + 4 / 3 * log_20d * log_10)
    return representable(l2 * math.sqrt(2 * log_125)), representable(second + third)


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
        epsilon = poisson_coordinate_epsilon(log_delta, level, shift=moves.shift)
    elif level <= LARGEST_LEVEL and moves.signed is not None:
        epsilon = worst(
            moves.signed,
            lambda move: poisson_groups_epsilon(log_delta, level, move=move),
            lambda move, found: _holds(found, level, log_delta, move),
        )
    if epsilon is not None:
        return epsilon
    return poisson_theorem_epsilon(
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
        level = poisson_coordinate_level(epsilon, stricter, shift=moves.shift)
    elif moves.signed is not None:
        stricter = log_delta * (1 + SUM_MARGIN)
        level = worst(
            moves.signed,
            lambda move: poisson_groups_level(epsilon, stricter, move=move),
            lambda move, found: _holds(epsilon, found, stricter, move),
        )
    if level == math.inf:
        level = poisson_theorem_level(
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
    found = poisson_groups_log_delta(epsilon, level, move=move, depth=-log_delta)
    return found <= log_delta
