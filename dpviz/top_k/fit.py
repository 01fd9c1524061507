"""Noisy counts in a published order, moved as little as possible until they keep that order.

    min Σ (xⱼ - yⱼ)²   such that   x₁ >= x₂ >= … >= x_k   (and x_k >= 0)

The maximum-likelihood counts of Gaussian noise, given that the order is right. Post-processing of
what was released: it costs nothing and reads no data. Pool adjacent violators, O(k).
Source: MATHEMATICS 13.3; [BCT20] Algorithm 1, equation 9.
"""

from typing import Any

import numpy as np
from scipy import optimize

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.noise.family import Array

LARGEST = 1e300


def fit_in_order(values: Any, *, non_negative: bool = False) -> Array:
    """The nearest numbers that do not rise, in the sense of least squares.

    Args:
        values: noisy counts in the order of the list, shape (k,).
        non_negative: whether the counts are known to be at least 0.

    Returns:
        Shape (k,), float64.

    Raises:
        ParameterError: values are not a row of finite numbers.

    >>> fit_in_order([4, 1, 5, 2])
    array([4., 3., 3., 2.])
    >>> fit_in_order([2, -1.5, -2], non_negative=True)
    array([2., 0., 0.])
    """
    checks.instance(bool, non_negative=non_negative)
    row = checks.reals(values=values)
    if row.ndim != 1:
        raise ParameterError("values must be a row of numbers, one for each item of the list")
    checks.arrays(1, least=-LARGEST, most=LARGEST, values=row)
    if not row.size:
        return row
    fitted = optimize.isotonic_regression(row, increasing=False).x
    return np.maximum(fitted, 0.0) if non_negative else np.asarray(fitted)
