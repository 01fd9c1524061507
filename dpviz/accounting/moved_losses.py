"""Exact privacy losses of what one person moves: of one coordinate, and of whole noise of all.

Of one coordinate, by the noise of the release: each takes a noise level and a shift in steps, below
0 where the number gets smaller. Of everything that one person can move, where the noise is whole:
One loss for each largest move (moves.py), in one order at all levels: who makes a move makes the
same one in every release, so the losses of one move are composed, and the worst move counts.
Source: MATHEMATICS 3.12, 5.7.
"""

import math
from collections.abc import Callable
from functools import partial, reduce
from typing import TypedDict

from dpviz.accounting import privacy_loss
from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.moves import Move, Moves

MovedLosses = tuple[PrivacyLoss, ...] | None


class Sizes(TypedDict):
    """What one person moves, as the rules for whole noise take it."""

    l1_sensitivity: float
    l2_sensitivity: float
    linf_sensitivity: float
    dimension: int
    l0_sensitivity: int


def gaussian_loss(level: float, shift: float) -> PrivacyLoss:
    """Of Gaussian noise; the level is its variance.

    >>> gaussian_loss(4.0, -1.0) == privacy_loss.gaussian(0.5)
    True
    """
    return privacy_loss.gaussian(abs(shift) / math.sqrt(level))


def laplace_loss(level: float, shift: float) -> PrivacyLoss:
    """Of Laplace noise.

    >>> laplace_loss(2.0, -1.0) == privacy_loss.laplace(2.0, 1.0)
    True
    """
    return privacy_loss.laplace(level, abs(shift))


def discrete_laplace_loss(level: float, shift: float) -> PrivacyLoss:
    """Of discrete Laplace noise, on a coordinate that moves by whole steps.

    >>> discrete_laplace_loss(2.0, -3.0) == privacy_loss.discrete_laplace(2.0, shift=3)
    True
    """
    return privacy_loss.discrete_laplace(level, shift=round(abs(shift)))


def poisson_loss(level: float, shift: float) -> PrivacyLoss:
    """Of Poisson noise, on a coordinate that moves by whole steps, up or down.

    >>> poisson_loss(40.0, -1.0) == privacy_loss.poisson(40.0, lowered=True)
    True
    """
    return privacy_loss.poisson(level, shift=round(abs(shift)), lowered=bool(shift < 0))


def skellam_loss(level: float, shift: float) -> PrivacyLoss:
    """Of Skellam noise, on a coordinate that moves by whole steps.

    >>> skellam_loss(40.0, -2.0) == privacy_loss.skellam(40.0, shift=2)
    True
    """
    return privacy_loss.skellam(level, shift=round(abs(shift)))


def poisson_moved(level: float, moves: Moves) -> MovedLosses:
    """Of Poisson noise, up and down apart; None where there are too many moves.

    >>> two = Moves(2.0, 2**0.5, 1.0, dimension=9, directions=(2, 2))
    >>> [round(loss.delta(0.5), 5) for loss in poisson_moved(40.0, two)]
    [0.00232, 0.00151]
    """
    return _composed(partial(poisson_loss, level), moves.signed)


def skellam_moved(level: float, moves: Moves) -> MovedLosses:
    """Of Skellam noise, for which up and down are alike; None where there are too many moves.

    >>> two = Moves(2.0, 2**0.5, 1.0, dimension=9)
    >>> [round(loss.delta(0.5), 5) for loss in skellam_moved(20.0, two)]
    [0.0012]
    """
    return _composed(partial(skellam_loss, level), moves.sizes)


def _composed(
    of_shift: Callable[[float], PrivacyLoss], moves: tuple[Move, ...] | None
) -> MovedLosses:
    """Of each move the losses of its coordinates, composed."""
    if moves is None:
        return None
    return tuple(
        reduce(
            lambda loss, part: loss.compose(of_shift(part[1]), times=part[0]), move, PrivacyLoss()
        )
        for move in moves
    )
