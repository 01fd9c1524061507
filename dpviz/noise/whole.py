"""Check and add whole numbers for the integer families: nothing wraps around unseen."""

import numpy as np

from dpviz.errors import ParameterError
from dpviz.noise.arguments import as_array, vectors
from dpviz.noise.family import Array

LARGEST = 2**63 - 1
TOO_LARGE = "values with this much noise leave the 64-bit integers; pass smaller ones"
UNRELATED = (
    "above and below differ by more than any noise between them, so these are not two releases of "
    "one session; pass both as they were released"
)


def counts(**named: Array) -> list[Array]:
    """Each named array as int64, all of one shape (d,).

    Raises:
        ParameterError: if an array holds other than whole numbers, or numbers above 2⁶³ - 1, or
            has another number of dimensions or length.

    >>> counts(values=np.array([1, 2], dtype=np.uint8))[0].dtype
    dtype('int64')
    """
    for name, given in named.items():
        array = as_array(name, given)
        if array.dtype == np.uint64 and (array > LARGEST).any():
            raise ParameterError(f"{name} leave the 64-bit integers; pass smaller ones")
    return vectors("iu", np.int64, **named)


def add(values: Array, onto: Array) -> None:
    """Add `values` to `onto`, in place.

    Raises:
        ParameterError: if the sum leaves the 64-bit integers somewhere.

    >>> onto = np.array([1, 2])
    >>> add(np.array([3, 4]), onto)
    >>> onto
    array([4, 6])
    """
    fits = reach(values) + reach(onto) <= LARGEST
    onto += values
    if not fits and (((values ^ onto) & ((onto - values) ^ onto)) < 0).any():
        raise ParameterError(TOO_LARGE)


def subtract(first: Array, second: Array) -> Array:
    """The difference, as a fresh array.

    Raises:
        ParameterError: if it, or its negative, leaves the 64-bit integers somewhere.

    >>> subtract(np.array([1, 2]), np.array([3, 5]))
    array([-2, -3])
    """
    difference: Array = first - second
    if reach(first) + reach(second) <= LARGEST:
        return difference
    if (((first ^ second) & (first ^ difference)) < 0).any() or difference.min() < -LARGEST:
        raise ParameterError(TOO_LARGE)
    return difference


def reach(values: Array) -> int:
    """The largest magnitude.

    >>> reach(np.array([3, -5])), reach(np.array([], dtype=np.int64))
    (5, 0)
    """
    if values.size == 1:  # as a release of one number is
        return abs(int(values.item()))
    return max(int(values.max()), -int(values.min())) if values.size else 0
