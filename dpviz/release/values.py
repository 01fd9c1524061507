"""What a session takes as exact values: finite numbers in an array of any shape, copied."""

from typing import Any

import numpy as np

from dpviz.errors import ParameterError
from dpviz.noise.arguments import within_categories
from dpviz.noise.family import Array, Process

LARGEST = 1e300  # values within ± this keep their sums with noise finite


def own_copy(values: Any, family: Process) -> Array:
    """Copy the exact values into the dtype of the family.

    Args:
        values: anything numpy makes an array of.
        family: float families take whole numbers too; integer families refuse all others.

    Returns:
        A fresh float64 or int64 array of that shape in row order, never sharing memory with
        `values`.

    Raises:
        ParameterError: if they are not finite numbers of the right kind.

    >>> from dpviz.noise import FAMILIES
    >>> own_copy([1, 2], FAMILIES["gaussian"])
    array([1., 2.])
    >>> own_copy([[1, 2]], FAMILIES["poisson"])
    array([[1, 2]])
    """
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):
        raise ParameterError("values must be an array of numbers of one length") from None
    if np.ma.is_masked(values):  # numpy would lay the masked numbers open
        raise ParameterError(
            "values must have no masked entries, whose numbers would be released; fill them first"
        )
    if array.dtype.kind not in ("iu" if family.integer else "iuf"):
        wanted = "whole numbers" if family.integer else "numbers"
        raise ParameterError(
            f"values must be {wanted} of a numpy dtype for {family.label} noise, "
            f"got dtype {array.dtype}"
        )
    copy = _whole_copy(array) if family.integer else _float_copy(array)
    categories = getattr(family, "categories", None)  # a family of the caller's may leave it out
    if categories is not None:
        within_categories(categories, values=copy)
    return copy


def _float_copy(array: Array) -> Array:
    """A float64 copy, refused unless every value is finite and of reasonable size."""
    with np.errstate(over="ignore"):  # a longer float may become infinite, and is refused below
        copy = np.array(array, dtype=np.float64, order="C")
    if copy.size and not -LARGEST <= copy.min() <= copy.max() <= LARGEST:  # NaN fails
        raise ParameterError(f"values must be finite and within ±{LARGEST:g}; clean them first")
    copy += 0  # a negative zero becomes a plain one, whose sign tells nothing
    return copy


def _whole_copy(array: Array) -> Array:
    """An int64 copy, refused where it would wrap around."""
    if array.size and array.max() > np.iinfo(np.int64).max:
        raise ParameterError("values must fit into 64-bit signed integers; pass smaller ones")
    return np.array(array, dtype=np.int64, order="C")
