"""Poisson noise when one person moves several coordinates, up or down, each by whole steps.

Where the person is away, a coordinate that they would move up by s has the loss of Poisson(level)
against s + Poisson(level), one that they would move down the loss of the reverse; where they are
there it is the other way round. Both are summed as in move_sums.py and the worse is returned.
"""

from collections.abc import Iterator, Sequence

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
from dpviz.accounting.moves import Move, checked_move, reverse
from dpviz.accounting.poisson import no_finite_epsilon
from dpviz.accounting.poisson_losses import directions


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
