"""Check and shape what a noise family is handed: levels, arrays of values, room for the result.

Levels are finite floats with `low <= level <= high`; 0 stands for the exact values and is allowed
for `low` only. Arrays have shape (d,) and are never changed. Whether values are finite is asked
once, by the session, not at every draw.
"""

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.noise.family import Array

BLOCK = 16384  # doubles worked on at a time: a few of these arrays stay in a second-level cache

Span = tuple[float, float]  # least and greatest level of a family


def level_within(span: Span, **named: float) -> list[float]:
    """Levels as floats, each above 0 and within the span of its family.

    >>> level_within((1e-300, 1e300), level=2)
    [2.0]
    """
    checks.positive(**named)
    for name, value in named.items():
        if not span[0] <= value <= span[1]:
            raise ParameterError(
                f"{name} must lie between {span[0]:g} and {span[1]:g} for this family, "
                f"got {value!r}"
            )
    return [float(value) for value in named.values()]


def ascending(span: Span, low: float, **noisier: float) -> list[float]:
    """All levels as floats: `low` may be 0, the rest lie in the span, and they never descend.

    >>> ascending((1e-300, 1e300), 0, level=1, high=2)
    [0.0, 1.0, 2.0]
    """
    checks.non_negative(low=low)
    levels = [float(low), *level_within(span, **noisier)]
    if low > 0:
        level_within(span, low=low)
    for first, second in pairwise(levels):
        if not first <= second:
            names = " <= ".join(["low", *noisier])
            raise ParameterError(f"levels must ascend, {names}, got {levels}")
    return levels


def mean_shares(span: Span, low: float, level: float, high: float | None) -> tuple[float, float]:
    """Weights of both neighbours in the mean of a process whose mean is linear in its level.

    >>> mean_shares((1e-300, 1e300), 0, 4, None)
    (1.0, 0.0)
    """
    if high is None:
        ascending(span, low, level=level)
        return 1.0, 0.0
    low, level, high = ascending(span, low, level=level, high=high)
    if low == high:  # all three levels are one: the draw is a copy of the neighbour below
        return 1.0, 0.0
    return (high - level) / (high - low), (level - low) / (high - low)


def vectors(kinds: str, dtype: type[np.generic], **named: Array) -> list[Array]:
    """Each named array with the dtype wanted, all of one shape (d,).

    Args:
        kinds: kinds of dtype that may be converted, as in `numpy.dtype.kind`, e.g. "iuf".
        dtype: dtype of the result; arrays that have it already are passed through, not copied.
        **named: arrays of shape (d,).

    Raises:
        ParameterError: if an array has another number of dimensions, kind or length.

    >>> vectors("iuf", np.float64, values=np.array([1, 2]))
    [array([1., 2.])]
    """
    arrays = []
    for name, given in named.items():
        array = np.asarray(given)
        if array.ndim != 1:
            raise ParameterError(f"{name} must be one-dimensional, got {array.ndim} dimensions")
        if array.dtype.kind not in kinds:
            wanted = "whole numbers" if "f" not in kinds else "numbers"
            raise ParameterError(f"{name} must hold {wanted}, got dtype {array.dtype}")
        arrays.append(array if array.dtype == dtype else array.astype(dtype))
    if any(array.size != arrays[0].size for array in arrays):
        sizes = ", ".join(str(array.size) for array in arrays)
        raise ParameterError(f"{' and '.join(named)} must have the same length, got {sizes}")
    return arrays


def room(out: Array | None, *arrays: Array) -> Array:
    """Room for the result: `out` if it fits and overlaps no argument, else a fresh array.

    >>> room(None, np.zeros(3)).shape
    (3,)
    """
    like = arrays[0]
    if out is None:
        return np.empty_like(like, order="C")
    if not isinstance(out, np.ndarray) or out.shape != like.shape or out.dtype != like.dtype:
        raise ParameterError(f"out must be an array of shape {like.shape} and dtype {like.dtype}")
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise ParameterError("out must be contiguous and writeable, pass a plain new array")
    if any(np.may_share_memory(out, array) for array in arrays):
        raise ParameterError("out must not overlap an argument, pass an array of its own")
    return out


def blocks(size: int) -> Iterator[slice]:
    """Consecutive slices of at most `BLOCK` that cover `size` values.

    >>> [part.stop for part in blocks(BLOCK + 1)] == [BLOCK, BLOCK + 1]
    True
    """
    for start in range(0, size, BLOCK):
        yield slice(start, min(start + BLOCK, size))


def scratch(size: int, rows: int) -> list[Array]:
    """Float64 working memory: `rows` arrays, each as long as the longest block of `size` values.

    >>> [row.shape for row in scratch(3, 2)]
    [(3,), (3,)]
    """
    return list(np.empty((rows, min(size, BLOCK))))
