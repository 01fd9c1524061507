"""A mistake with the right covariances, for a check that must not be content with them."""

from typing import Any

import numpy as np

from dpviz.experiments.covariance import levels_with_variances
from dpviz.noise import ADDITIVE
from dpviz.noise.family import DOUBLE_EXPONENTIAL, NORMAL, Array, Family
from dpviz.release import MultipleRelease


class AnotherLaw:
    """Releases of one lossless path of another family, with the means and variances of this one.

    The covariance of two levels is the variance of the less noisy one on every path, so all of
    them are right; the law of the increments is not. Gaussian noise gets Laplace increments, all
    other noise of real numbers Gaussian ones, discrete Laplace noise those of Skellam noise, and
    all other noise of whole numbers discrete Laplace ones.

    >>> from dpviz import streams
    >>> noise, zero = ADDITIVE["laplace"], np.zeros(100_000)
    >>> wrong = AnotherLaw(zero, noise, rng=streams.teaching(7))
    >>> low, high = wrong.release(1.0), wrong.release(2.0)
    >>> round(np.mean(low * high)), round(np.mean(high**2)), np.mean(low == high).item()
    (2, 8, 0.0)
    """

    def __init__(self, values: Any, family: Family, *, rng: np.random.Generator) -> None:
        """Open on exact values of shape (d,)."""
        self._family, self._other = family, _other_than(family)
        self._path = MultipleRelease(values, self._other, rng=rng)

    def release(self, level: float) -> Array:
        """The release at a level, of the wrong law."""
        variance, mean = self._family.variance(level), self._family.mean(level)
        (other,) = levels_with_variances(self._other, [variance])
        drawn: Array = self._path.release(other) - self._other.mean(other) + mean
        return drawn


def _other_than(family: Family) -> Family:
    if family.integer:
        alike = family.shape == DOUBLE_EXPONENTIAL
        return ADDITIVE["skellam"] if alike else ADDITIVE["discrete_laplace"]
    return ADDITIVE["laplace"] if family.shape == NORMAL else ADDITIVE["gaussian"]
