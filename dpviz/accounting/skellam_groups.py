"""Skellam noise when one person moves several coordinates, each by whole steps.

The noise is symmetric, so a coordinate that moves up costs what one costs that moves down, and both
directions of the test cost the same. The losses are summed as in move_sums.py.
"""

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np

from dpviz.accounting.arrays import elementwise
from dpviz.accounting.inputs import Number, non_negative, positive, summed_level
from dpviz.accounting.loss_sums import Part
from dpviz.accounting.move_sums import (
    checked_depth,
    first_level,
    move_epsilon,
    move_level,
    move_log_delta,
)
from dpviz.accounting.moves import Move, checked_move
from dpviz.accounting.poisson_losses import Floats, Losses, added_up, gridded
from dpviz.accounting.skellam_losses import log_mass, log_ratios
from dpviz.errors import NoGuaranteeError

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
