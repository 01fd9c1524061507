"""Exact privacy losses of whole noise for everything that one person can move.

One loss for each largest move (moves.py), in one order at all levels: who makes a move makes the
same one in every release, so the losses of one move are composed, and the worst move counts.
Source: MATHEMATICS 3.12, 5.7.
"""

from collections.abc import Callable
from functools import reduce
from typing import TypedDict

from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.moves import Move, Moves
from dpviz.accounting.privacy_loss import poisson, skellam

MovedLosses = tuple[PrivacyLoss, ...] | None


class Sizes(TypedDict):
    """What one person moves, as the rules for whole noise take it."""

    l1_sensitivity: float
    l2_sensitivity: float
    linf_sensitivity: float
    dimension: int
    l0_sensitivity: int


def poisson_moved(level: float, moves: Moves) -> MovedLosses:
    """Of Poisson noise, up and down apart; None where there are too many moves.

    >>> two = Moves(2.0, 2**0.5, 1.0, dimension=9, directions=(2, 2))
    >>> [round(loss.delta(0.5), 5) for loss in poisson_moved(40.0, two)]
    [0.00232, 0.00151]
    """

    def one(by: int) -> PrivacyLoss:
        return poisson(level, shift=abs(by), lowered=bool(by < 0))

    return _composed(one, moves.signed)


def skellam_moved(level: float, moves: Moves) -> MovedLosses:
    """Of Skellam noise, for which up and down are alike; None where there are too many moves.

    >>> two = Moves(2.0, 2**0.5, 1.0, dimension=9)
    >>> [round(loss.delta(0.5), 5) for loss in skellam_moved(20.0, two)]
    [0.0012]
    """

    def one(by: int) -> PrivacyLoss:
        return skellam(level, shift=abs(by))

    return _composed(one, moves.sizes)


def _composed(one: Callable[[int], PrivacyLoss], moves: tuple[Move, ...] | None) -> MovedLosses:
    """Of each move the losses of its coordinates, composed."""
    if moves is None:
        return None
    return tuple(
        reduce(lambda loss, part: loss.compose(one(part[1]), times=part[0]), move, PrivacyLoss())
        for move in moves
    )
