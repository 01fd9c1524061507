"""Budget to noise level and back, for Skellam noise: which rule holds, and what it says.

The level is the rate of each of its two counts; the first rule that applies holds (MATHEMATICS
3.9):

1. one coordinate moves: exactly, from the masses;
2. several move, and the bounds allow at most 64 largest moves (moves.py): the exact sum of the
   one-coordinate privacy losses, rounded up, for the worst of these moves;
3. otherwise, and for levels beyond the exact sums: the Rényi bound, looser by some percent.

Every level is rounded so that the way back never exceeds the budget. A noisier release is a
post-processing of a less noisy one, so epsilon never rises with the level under one rule.
Symbols: dpviz/NOTATION.md.  Source: MATHEMATICS 3.1, 3.9.

Skellam noise when one person moves several coordinates, each by whole steps.

The noise is symmetric, so a coordinate that moves up costs what one costs that moves down, and both
directions of the test cost the same. The losses are summed as in move_sums.py.

Skellam noise on whole vectors: the Rényi bound, converted to epsilon and delta.

With v = 2 level the variance, for every whole order alpha > 1 [AKL21, Theorem 3.5]

    D_alpha <= alpha D2²/(2v) + min( ((2 alpha - 1) D2² + 6 D1)/(4v²), 3 D1/(2v) )

Both branches are alpha times a rate plus an offset, and

    epsilon = D_alpha + (L - ln alpha)/(alpha - 1) + ln(1 - 1/alpha),   L = -ln delta   [CKS20]

is least near (alpha - 1)² rate + ln alpha = L; the whole numbers on either side are tried. Every
alpha gives a valid bound, so an inexact minimiser costs nothing but tightness. The bound falls as
the level grows, and is a few percent above the exact cost of one coordinate.
[AKL21] Agarwal, Kairouz, Liu, The Skellam Mechanism for Differentially Private Federated Learning,
NeurIPS 2021.  [CKS20] Canonne, Kamath, Steinke, arXiv:2004.00010, Proposition 12.
"""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from dpviz.accounting.inputs import (
    LARGEST_LEVEL,
    Number,
    elementwise,
    log_probability,
    non_negative,
    positive,
    probability,
    summed_level,
)
from dpviz.accounting.loss_sums import Part
from dpviz.accounting.loss_terms import Floats, Losses, added_up, gridded
from dpviz.accounting.move_sums import (
    SUM_MARGIN,
    checked_depth,
    first_level,
    move_epsilon,
    move_level,
    move_log_delta,
    worst,
)
from dpviz.accounting.moves import EXACT_ONE, EXACT_SUM, NO_NOISE, Move, Moves, checked_move
from dpviz.accounting.search import least, move_up, or_infinite
from dpviz.accounting.skellam import (
    log_mass,
    log_ratios,
    skellam_coordinate_epsilon,
    skellam_coordinate_level,
)
from dpviz.errors import NoGuaranteeError, ParameterError

LOW_CUT = 45.0  # nats: mass of low losses that is moved up by less than rounding


@elementwise
def skellam_groups_log_delta(
    epsilon: Number, level: Number, *, move: Move, depth: Number | None = None
) -> float:
    """Least ln delta of Skellam noise where one person makes this move or its reverse, rounded up.

    Args:
        epsilon: at least 0, nats.
        level: rate of each of the two counts in each coordinate, from 1e-300 to LARGEST_LEVEL.
        move: pairs (coordinates, by how much each), such as ((5, 1), (5, -1)) for five up and five
            down by one; at most 100,000 coordinates, by at most 10,000 each.
        depth: resolve deltas down to e^-depth (a smaller one is reported as less than that);
            None deepens until the delta found is resolved, or e^-600 is reached.

    Returns:
        ln delta, at most 0, never below the exact value.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.9.

    >>> one = ((1, 1),)
    >>> round(skellam_groups_log_delta(0.0, 0.5, move=one), 4)  # as skellam_log_delta(0.0, 0.5)
    -0.7641
    """
    epsilon, level = non_negative(epsilon=epsilon), summed_level(level)
    return move_log_delta(losses_of_move, epsilon, level, checked_move(move), depth)


@elementwise
def skellam_groups_epsilon(log_delta: Number, level: Number, *, move: Move) -> float:
    """Least epsilon of Skellam noise where one person makes this move or its reverse.

    Args:
        log_delta: ln delta, below 0 and at least -600.
        level: rate of each of the two counts in each coordinate, from 1e-300 to LARGEST_LEVEL.
        move: pairs (coordinates, by how much each), as for `skellam_groups_log_delta`.

    Returns:
        epsilon in nats, rounded up.

    Raises:
        NoGuaranteeError: no epsilon up to a million holds.
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.9, inverted.

    >>> round(skellam_groups_epsilon(-13.815511, 20.0, move=((3, 1),)), 4)
    1.1494
    """
    log_delta, level = checked_depth(log_delta), summed_level(level)
    epsilon = move_epsilon(losses_of_move, log_delta, level, checked_move(move))
    if epsilon is None:
        raise NoGuaranteeError(
            "no epsilon up to a million holds at this level and delta; pass a larger level or a "
            "larger delta"
        )
    return epsilon


@elementwise
def skellam_groups_level(epsilon: Number, log_delta: Number, *, move: Move) -> float:
    """Least rate of Skellam noise that is private where one person makes this move or its reverse.

    Args:
        epsilon: above 0, nats.
        log_delta: ln delta, below 0 and at least -600.
        move: pairs (coordinates, by how much each), as for `skellam_groups_log_delta`.

    Returns:
        The rate, rounded up, or infinite where it would exceed LARGEST_LEVEL.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.9, inverted.

    >>> round(skellam_groups_level(1.0, -13.815511, move=((3, 1),)), 2)
    26.1
    """
    epsilon, log_delta = positive(epsilon=epsilon), checked_depth(log_delta)
    move = checked_move(move)
    guess = first_level(epsilon, log_delta, move) / 2
    return move_level(losses_of_move, epsilon, log_delta, move, guess)


def losses_of_move(level: float, cut: float, width: float, move: Move) -> Iterator[Sequence[Part]]:
    """Losses of the move; those of its reverse are the same.

    >>> [len(parts) for parts in losses_of_move(9.0, 50.0, 0.01, ((2, 1), (1, -1)))]
    [2]
    """
    yield [(one_coordinate(level, cut, width, abs(by)), n) for n, by in move]


@lru_cache(maxsize=16)  # pure mathematics of public numbers
def one_coordinate(level: float, cut: float, width: float, shift: int) -> Losses:
    """Losses of one coordinate moved by `shift`, outcomes cut where the mass is below e^-cut.

    What is cut on the side of high losses counts as infinite. On the other side, where no loss
    makes delta, e^-LOW_CUT is enough; that mass is given to the last outcome kept, whose loss is
    higher.

    >>> found = one_coordinate(3.0, 40.0, 0.01, 2)
    >>> round(float(np.exp(found.log_mass).sum()), 12)
    1.0
    """
    low, high = _reach(min(cut, LOW_CUT), level), _reach(cut, level)
    ratios = log_ratios(-low, low + high + shift + 1, level)  # from -low up
    upwards = ratios[low:]
    half = log_mass(0, level) - np.concatenate([[0.0], np.cumsum(upwards[:high])])
    mass = np.exp(np.concatenate([half[low:0:-1], half]))
    mass[0] += math.exp(_beyond(float(half[low]), upwards[low : low + 2]))
    return gridded(
        added_up(ratios, shift)[: len(mass)],
        mass,
        width,
        _beyond(float(half[high]), upwards[high : high + 2]),
    )


def _reach(cut: float, level: float) -> int:
    """From which outcome on the mass is below e^-cut, as in skellam.py."""
    return math.ceil(cut + math.sqrt(cut * cut + 4 * cut * level))


def _beyond(log_last: float, ratios: Floats) -> float:
    """Bound of the ln of the mass beyond an outcome, by the next two ratios, which only grow."""
    return log_last - float(ratios[0]) - math.log(-math.expm1(-float(ratios[1])))


STEPS = 60  # of bisection for the best order, in its logarithm
LARGEST_ORDER = 1e15
LARGEST_EPSILON = 1e6
ROUNDED = 2.0**-49  # bound on the relative rounding error of a sum of five terms


@elementwise
def skellam_renyi_epsilon(
    level: Number, log_delta: Number, *, l1_sensitivity: Number, l2_sensitivity: Number
) -> float:
    """Epsilon of Skellam noise on a vector of whole numbers, by its Rényi bound, rounded up.

    Args:
        level: rate of each of the two counts in each coordinate, above 0.
        log_delta: ln delta, below 0.
        l1_sensitivity: D1, at least 0, in units of the statistic.
        l2_sensitivity: D2, likewise; 0 costs nothing.

    Returns:
        epsilon in nats, at least 0.

    Raises:
        NoGuaranteeError: the bound is beyond a million.
        ParameterError: an argument is out of range.

    Source: [AKL21], [CKS20].

    >>> at = dict(l1_sensitivity=1, l2_sensitivity=1)
    >>> round(skellam_renyi_epsilon(20.0, math.log(1e-6), **at), 4)
    0.7104
    """
    level, log_delta = positive(level=level), log_probability(log_delta)
    l1, l2 = (
        non_negative(l1_sensitivity=l1_sensitivity),
        non_negative(l2_sensitivity=l2_sensitivity),
    )
    if l2 == 0:
        return 0.0
    epsilon = _bound(level, -log_delta, l1, l2)
    if not epsilon <= LARGEST_EPSILON:
        raise NoGuaranteeError(
            "no epsilon up to a million holds at this level and delta; pass a larger level or a "
            "larger delta"
        )
    return epsilon


@elementwise
def skellam_renyi_level(
    epsilon: Number, log_delta: Number, *, l1_sensitivity: Number, l2_sensitivity: Number
) -> float:
    """Least rate of Skellam noise that is (epsilon, delta)-private by the Rényi bound, rounded up.

    Args:
        epsilon: above 0, nats.
        log_delta: ln delta, below 0.
        l1_sensitivity: D1, above 0, in units of the statistic.
        l2_sensitivity: D2, above 0.

    Returns:
        The rate; `skellam_renyi_epsilon` at it never exceeds `epsilon`. Infinite where it would
        be beyond any ordinary float.

    Raises:
        ParameterError: an argument is out of range.

    >>> at = dict(l1_sensitivity=1, l2_sensitivity=1)
    >>> round(skellam_renyi_level(1.0, math.log(1e-6), **at), 2)
    10.79
    """
    epsilon, log_delta = positive(epsilon=epsilon), log_probability(log_delta)
    l1, l2 = positive(l1_sensitivity=l1_sensitivity), positive(l2_sensitivity=l2_sensitivity)

    found = least(
        lambda level: _bound(level, -log_delta, l1, l2) - epsilon,
        -log_delta * (l2 / epsilon) * (l2 / epsilon) + l1 / epsilon,
        highest=1e280,
    )
    return or_infinite(found)


def _bound(level: float, big_l: float, l1: float, l2: float) -> float:
    """The least epsilon of both branches; infinite where a float cannot hold their parts."""
    v = 2 * level
    square = (l2 / v) * l2
    branches = (
        (square / 2 + square / v / 2, (6 * (l1 / v) - square) / v / 4),
        (square / 2, 1.5 * (l1 / v)),
    )
    sane = [b for b in branches if b[0] < 1e250 and -1e250 < b[1] < 1e250]
    return max(0.0, min((_of_branch(*branch, big_l) for branch in sane), default=math.inf))


def _of_branch(rate: float, offset: float, big_l: float) -> float:
    """The least epsilon over whole orders of D_alpha = rate alpha + offset."""
    low, high = 0.0, math.log(LARGEST_ORDER)  # of ln(alpha - 1)
    for _ in range(STEPS):
        middle = (low + high) / 2
        x = math.exp(middle)
        low, high = (middle, high) if rate * x * x + math.log1p(x) < big_l else (low, middle)
    x = math.floor(math.exp(low))
    return min(_at(rate, offset, big_l, step) for step in (x, x + 1, x + 2))


def _at(rate: float, offset: float, big_l: float, x: int) -> float:
    """Epsilon of the order 1 + x, rounded up."""
    terms = (rate * (1 + x), offset, big_l / x, -math.log1p(x) / x, -math.log1p(1 / x))
    return math.fsum(terms) + ROUNDED * math.fsum(map(abs, terms))


RENYI = "Rényi bound"
ROUNDING = 1e-11  # first step when the way back must not exceed the budget


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
        epsilon = skellam_coordinate_epsilon(log_delta, level, shift=moves.shift)
    elif moves.sizes is not None and level <= LARGEST_LEVEL:
        epsilon = worst(
            moves.sizes,
            lambda move: skellam_groups_epsilon(log_delta, level, move=move),
            lambda move, found: _holds(found, level, log_delta, move),
        )
    if epsilon is not None:
        return epsilon
    return skellam_renyi_epsilon(level, log_delta, l1_sensitivity=moves.l1, l2_sensitivity=moves.l2)


@lru_cache(maxsize=1024)
def _level(epsilon: float, log_delta: float, moves: Moves) -> float:
    """The least level, moved up until the way back does not exceed epsilon."""
    level = math.inf
    if moves.shift is not None:
        level = skellam_coordinate_level(epsilon, log_delta, shift=moves.shift)
    elif moves.sizes is not None:
        stricter = log_delta * (1 + SUM_MARGIN)
        level = worst(
            moves.sizes,
            lambda move: skellam_groups_level(epsilon, stricter, move=move),
            lambda move, found: _holds(epsilon, found, stricter, move),
        )
    if level == math.inf:
        level = skellam_renyi_level(
            epsilon, log_delta, l1_sensitivity=moves.l1, l2_sensitivity=moves.l2
        )
    if level == math.inf:
        raise ParameterError(
            "this budget needs more noise than a float can hold; pass one of ordinary size"
        )
    return move_up(lambda x: _epsilon(x, log_delta, moves) - epsilon, level, tolerance=ROUNDING)


def _holds(epsilon: float, level: float, log_delta: float, move: Move) -> bool:
    """Whether the promise is kept for this move."""
    found = skellam_groups_log_delta(epsilon, level, move=move, depth=-log_delta)
    return found <= log_delta
