"""The privacy loss of one coordinate that a person moves, by the noise family of the release.

Each takes a noise level and a shift in steps, below 0 where the number gets smaller; the losses of
several coordinates and of several releases compose. Source: MATHEMATICS 5.7.
"""

import math

from dpviz.accounting import privacy_loss
from dpviz.accounting.composed_loss import PrivacyLoss


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
