"""Delta, epsilon and level of noise on whole numbers when one person moves several coordinates.

The privacy loss is then the sum of independent one-coordinate losses, and delta is that of the
sum's distribution. This computes an upper bound that is tight to about 1e-3 of delta: losses go on
a grid that costs at least as much (loss_terms.py), and are added by a tilted Fourier transform
that rounds up (loss_sums.py). A law says what the losses are; where going and coming differ it
gives both, and the worse counts. Limits: levels up to LARGEST_LEVEL, LARGEST_GROUPS coordinates, as
searches for more take many seconds; far below every likely loss the bound is the trivial one,
delta = 1.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from dpviz.accounting.inputs import (
    LARGEST_LEVEL,
    SMALLEST_LEVEL,
    Number,
    log_probability,
    positive,
)
from dpviz.accounting.loss_sums import HALF_WINDOW, LARGEST_WINDOW, LossSum, Part, sum_log_delta
from dpviz.accounting.moves import Move
from dpviz.accounting.search import least, or_infinite
from dpviz.errors import ParameterError

FINENESS = 128.0  # grid points per standard deviation of one coordinate's loss
TOLERANCE = 1e-8  # relative, of the inverses
ROUGH = 16.0  # fineness that says where to search
SUM_MARGIN = 2e-7  # of ln delta: more than the inverses round up
FIRST_DEPTH = 40.0
DEEPEST = 600.0  # nats: below e^-600 delta is not resolved
CUT = 45.0  # nats below the depth where outcomes are cut
# level, nats to cut below, width of the grid, move: the losses of every direction
Law = Callable[[float, float, float, Move], Iterable[Sequence[Part]]]


def move_log_delta(
    law: Law, epsilon: float, level: float, move: Move, depth: Number | None = None
) -> float:
    """Least ln delta at `epsilon` where one person makes this move, or its reverse, rounded up.

    Args:
        law: losses of the noise.
        epsilon: at least 0, nats.
        level: of the noise.
        move: coordinates and steps.
        depth: resolve deltas down to e^-depth (a smaller one is reported as less than that);
            None deepens until the delta found is resolved, or e^-DEEPEST is reached.

    >>> from dpviz.accounting.skellam_levels import losses_of_move
    >>> round(move_log_delta(losses_of_move, 1.0, 26.103, ((2, 1), (1, -1))), 2)
    -13.82
    """
    width = _width(level, move)
    # about as deep as the delta of that many normal losses, which saves most of the deepening
    first = FIRST_DEPTH + min(epsilon, 1e9) ** 2 * level / _square(move)
    reached = min(first if depth is None else positive(depth=depth), DEEPEST)
    least_bound = 0.0
    while True:  # each depth gives a valid bound
        bound = -math.inf
        for parts in law(level, reached + CUT, width, move):
            bound = max(bound, sum_log_delta(parts, epsilon))
            if bound >= 0:  # else the other direction cannot be worse
                break
        least_bound = min(least_bound, bound)
        if depth is not None or least_bound > -reached or reached == DEEPEST:
            return least_bound
        reached = min(2 * reached, DEEPEST)


def move_epsilon(law: Law, log_delta: float, level: float, move: Move) -> float | None:
    """Least epsilon at this delta, rounded up; None if none is finite.

    >>> from dpviz.accounting.skellam_levels import losses_of_move
    >>> round(move_epsilon(losses_of_move, -13.8155, 26.103, ((3, 1),)), 3)
    1.0
    """
    cut = min(-log_delta, DEEPEST) + CUT  # as `move_log_delta` to this depth, at every epsilon
    sums = [LossSum(parts) for parts in law(level, cut, _width(level, move), move)]
    near, fall = max(each.rough_epsilon(log_delta) for each in sums)
    guess = near if near > 0 else math.sqrt(-2 * log_delta * _square(move) / level)
    worse = max(sums, key=lambda each: each.log_delta(guess))

    def search(bound: Callable[[float], float], start: float) -> float | None:
        return least(
            lambda epsilon: bound(epsilon) - log_delta,
            start,
            highest=1e6,
            tolerance=TOLERANCE,
            fall=max(fall, 0.0),
        )

    def both(epsilon: float) -> float:
        return max(each.log_delta(epsilon) for each in sums)

    if both(guess) <= log_delta and both(0.0) <= log_delta:
        return 0.0
    found = search(worse.log_delta, guess)
    if found is None or both(found) <= log_delta:
        return found
    return search(both, found)


def move_level(law: Law, epsilon: float, log_delta: float, move: Move, guess: float) -> float:
    """Least level at this epsilon and delta, rounded up; infinite where it exceeds LARGEST_LEVEL.

    >>> from dpviz.accounting.skellam_levels import losses_of_move
    >>> round(move_level(losses_of_move, 1.0, -13.8155, ((3, 1),), 30.0), 2)
    26.1
    """
    cut = min(-log_delta, DEEPEST) + CUT

    def excesses(level: float) -> list[float]:
        losses = law(level, cut, _width(level, move), move)
        return [sum_log_delta(parts, epsilon) - log_delta for parts in losses]

    def within(level: float) -> float:  # outside, laws fill the memory or overflow
        return min(max(level, SMALLEST_LEVEL), LARGEST_LEVEL)

    guess = within(guess)
    for _ in range(2):  # epsilon falls as one over the root of the level, about
        rough = law(guess, cut, _width(guess, move, ROUGH), move)
        near = max(LossSum(parts).rough_epsilon(log_delta)[0] for parts in rough)
        if 0 < near < math.inf:
            guess = within(guess * min(max((near / epsilon) ** 2, 0.25), 4.0))
    first = excesses(guess)
    worse = first.index(max(first))

    def excess(level: float) -> float:
        if level == guess:
            return first[worse]
        losses = list(law(level, cut, _width(level, move), move))
        return sum_log_delta(losses[worse], epsilon) - log_delta

    def search(excess: Callable[[float], float], start: float) -> float:
        found = least(
            excess, start, highest=LARGEST_LEVEL, tolerance=TOLERANCE, fall=max(1.0, -log_delta)
        )
        return or_infinite(found)

    found = search(excess, guess)
    if found == math.inf or max(excesses(found)) <= 0:
        return found
    return search(lambda level: max(excesses(level)), found)


def worst(
    moves: Sequence[Any], answer: Callable[[Any], float], holds: Callable[[Any, float], bool]
) -> float:
    """The largest answer over the moves; infinite if that of a move is.

    Most moves are not the worst, so each is first asked whether the answer so far does for it.

    >>> worst([((2, 1),), ((1, 1),)], lambda move: float(move[0][0]), lambda _, found: found >= 2)
    2.0
    """
    found = 0.0
    for move in moves:
        if found == 0 or not holds(move, found):
            found = max(found, answer(move))
            if found == math.inf:
                break
    return found


def checked_depth(log_delta: Number) -> float:
    """The checked ln delta, deep enough to be resolved.

    Raises:
        ParameterError: it is not below 0, or below -DEEPEST.

    >>> checked_depth(-13.8)
    -13.8
    """
    value = log_probability(log_delta)
    if value < -DEEPEST:
        raise ParameterError(
            "delta is too small for the exact sum over several coordinates; "
            "pass a delta of at least 1e-260"
        )
    return value


def first_level(epsilon: float, log_delta: float, move: Move) -> float:
    """A variance where the search for the level of noise may start: that of Gaussian noise, about.

    >>> first_level(1.0, -10.0, ((5, 1),))
    100.0
    """
    return -2 * log_delta * _square(move) / min(max(epsilon, 1e-9), 1e9) ** 2


def _square(move: Move) -> int:
    """Squared Euclidean length of the move."""
    return sum(n * by * by for n, by in move)


def _width(level: float, move: Move, fineness: float = FINENESS) -> float:
    """Width of the grid: a part of the deviation of a coordinate's loss, as moved on average."""
    moved = sum(n for n, _ in move)
    fineness = min(fineness, LARGEST_WINDOW / (2 * HALF_WINDOW * math.sqrt(moved)))
    return math.sqrt(_square(move) / moved) / (fineness * max(1.0, math.sqrt(level)))
