"""How the functions of `dpviz.accounting` take arrays, said once.

A function of budgets, deltas or levels takes numbers or arrays of any shape, one for another. It
works element by element on their common (broadcast) shape and returns one kind of thing: a float
where all arguments are numbers or 0-dimensional, else a float64 array of that shape. What is a
choice and no number (a count, a family, a shift in whole units) stays a single one. A result that
names its method (`Stated`) is only there where the method varies with the arguments.
"""

from collections.abc import Callable
from functools import wraps
from inspect import signature
from typing import Any, ParamSpec, Protocol, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
P = ParamSpec("P")


class Elementwise(Protocol[P]):
    """A function of numbers that takes arrays in their place."""

    __name__: str

    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> float: ...

    @overload
    def __call__(self, *args: ArrayLike, **kwargs: ArrayLike) -> Floats: ...


def elementwise(function: Callable[P, float]) -> Elementwise[P]:
    """The same function, for arrays of its arguments as well.

    >>> @elementwise
    ... def total(left, right=1.0):
    ...     return left + right
    >>> total(1.0), total([1.0, 2.0], right=[[0.5], [1.5]])
    (2.0, array([[1.5, 2.5],
           [2.5, 3.5]]))
    """
    names = signature(function)
    one: Callable[..., float] = function

    @wraps(function)
    def applied(*args: Any, **kwargs: Any) -> Any:
        if not any(_several(each) for each in (*args, *kwargs.values())):
            return function(*args, **kwargs)
        bound = names.bind(*args, **kwargs).arguments
        together = np.broadcast(*(np.asarray(each) for each in bound.values()))
        found = [one(**dict(zip(bound, each, strict=True))) for each in together]
        return np.array(found, dtype=np.float64).reshape(together.shape)

    return applied


def _several(value: Any) -> bool:
    """Whether it is an array or a list, and not one number."""
    return isinstance(value, np.ndarray | list | tuple)
