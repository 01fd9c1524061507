"""Check and shape what a noise family is handed: levels, arrays of values, room for the result.

Levels are finite floats with `low <= level <= high`; 0 stands for the exact values and is allowed
for `low` only. Arrays have shape (d,) and are never changed. Whether values are finite is asked
once, by the session, not at every draw.
"""

from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, cast

import numpy as np

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.noise.family import Array, Family, Process

GENERATOR = "rng must be a numpy Generator, pass streams.teaching(seed) or streams.hardened()"
BLOCK = 16384  # values worked on at a time: a few such arrays stay in a second-level cache

Span = tuple[float, float]  # least and greatest level of a family


def within(span: Span, level: float) -> float:
    """The level as a float, refused unless it lies in the span of its family.

    >>> within((1e-300, 1e300), 2)
    2.0
    """
    if type(level) is float and span[0] <= level <= span[1]:  # the common case, without a call
        return level
    checks.positive(level=level)
    number = float(level)
    if not span[0] <= number <= span[1]:
        raise ParameterError(
            f"level must lie between {span[0]:g} and {span[1]:g} for this family, "
            f"got {checks.told(level)}"
        )
    return number


def ascending(span: Span, low: float, *noisier: float) -> list[float]:
    """All levels as floats: `low` may be 0, the rest lie in the span, and they never descend.

    Raises:
        ParameterError: one of them is out of the span or below the one before.

    >>> ascending((1e-300, 1e300), 0, 1, 2)
    [0.0, 1.0, 2.0]
    """
    low = low if type(low) is float else checks.number(low=low)
    levels = [within(span, low) if low else 0.0]
    for level in noisier:
        levels.append(within(span, level))
        if levels[-1] < levels[-2]:
            raise ParameterError(f"levels must ascend from low to high, got {levels}")
    return levels


def mean_shares(span: Span, low: float, level: float, high: float | None) -> tuple[float, float]:
    """Weights of both neighbours in the mean of a process whose mean is linear in its level.

    >>> mean_shares((1e-300, 1e300), 0, 4, None)
    (1.0, 0.0)
    """
    if high is None:
        ascending(span, low, level)
        return 1.0, 0.0
    low, level, high = ascending(span, low, level, high)
    if low == high:  # all three levels are one: the draw is a copy of the neighbour below
        return 1.0, 0.0
    return (high - level) / (high - low), (level - low) / (high - low)


def rest_chances(
    span: Span,
    stays: Callable[[float, float], float],
    low: float,
    level: float,
    high: float | None,
) -> tuple[float, float]:
    """Weights of both neighbours for a lazy path: chances that it rests between two levels.

    >>> rest_chances((1e-300, 1e300), lambda low, high: low / high, 1, 2, None)
    (0.5, 0.0)
    """
    low, level, *noisier = ascending(span, low, level, *(() if high is None else (high,)))
    return stays(low, level), stays(level, noisier[0]) if noisier else 0.0


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
        array = given if type(given) is np.ndarray else as_array(name, given)
        if array.ndim != 1:
            raise ParameterError(f"{name} must be one-dimensional, got {array.ndim} dimensions")
        if array.dtype.kind not in kinds:
            wanted = "numbers" if "f" in kinds else "whole numbers"
            raise ParameterError(f"{name} must hold {wanted}, got dtype {array.dtype}")
        if array.dtype != dtype:
            with np.errstate(over="ignore"):  # a long double beyond the floats is infinite: right
                array = array.astype(dtype)
        arrays.append(array)
    if arrays[0].size != arrays[-1].size:
        sizes = ", ".join(str(array.size) for array in arrays)
        raise ParameterError(f"{' and '.join(named)} must have the same length, got {sizes}")
    return arrays


def as_array(name: str, given: Any) -> Array:
    """What was given, as an array of any kind.

    Raises:
        ParameterError: numpy can make no array of it.

    >>> as_array("values", [1, 2])
    array([1, 2])
    """
    try:
        return np.asarray(given)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"{name} must be an array of numbers, one for each value") from None


def drawing(rng: np.random.Generator, method: str) -> None:
    """Refuse a generator that cannot draw in this way, such as a seed or the module `np.random`.

    >>> drawing(np.random.Generator(np.random.PCG64(7)), "integers")
    """
    if type(rng) is np.random.Generator:  # the common case, at no cost
        return
    strange = isinstance(rng, type | ModuleType | np.random.RandomState)
    strange = strange or hasattr(rng, "getrandbits")  # Python's own generator
    if strange or not callable(getattr(rng, method, None)):
        raise ParameterError(GENERATOR)


def chance(**named: float) -> float:
    """The one named value as a float; refused unless above 0 and at most 1.

    >>> chance(miss=1)
    1.0
    """
    ((name, value),) = named.items()
    number = checks.number(**named)
    if not 0 < number <= 1:
        raise ParameterError(f"{name} must lie above 0 and at most at 1, got {checks.told(value)}")
    return float(number)


def noise_family(family: Process) -> Process:
    """The noise family; anything else is refused.

    >>> from dpviz.noise import FAMILIES
    >>> noise_family(FAMILIES["laplace"]).label
    'Laplace'
    """
    if isinstance(family, type) or not callable(getattr(family, "bridge", None)):
        raise ParameterError('family must be a noise family, pass for example FAMILIES["gaussian"]')
    return family


def additive_family(family: Process) -> Family:
    """The family, if it adds noise to numbers; anything else is refused.

    >>> from dpviz.noise import FAMILIES
    >>> additive_family(FAMILIES["randomised_response"])
    Traceback (most recent call last):
    dpviz.errors.ParameterError: family must add noise to numbers, and randomised response changes \
categories; pass for example FAMILIES["gaussian"]
    """
    if not callable(getattr(noise_family(family), "variance", None)):
        raise ParameterError(
            f"family must add noise to numbers, and {family.label} changes categories; "
            'pass for example FAMILIES["gaussian"]'
        )
    return cast(Family, family)


def within_categories(categories: int, **named: Array) -> None:
    """Refuse whole numbers that are no categories 0 … K-1.

    >>> within_categories(3, values=np.array([0, 3]))
    Traceback (most recent call last):
    dpviz.errors.ParameterError: values must be categories from 0 to 2; number them so, or choose \
how many there are by with_categories
    """
    for name, array in named.items():
        if array.size and not 0 <= array.min() <= array.max() < categories:
            raise ParameterError(
                f"{name} must be categories from 0 to {categories - 1}; number them so, or choose "
                "how many there are by with_categories"
            )


def room(out: Array | None, *arrays: Array) -> Array:
    """Room for the result: `out` if it fits and overlaps no argument, else a fresh array.

    Raises:
        ParameterError: `out` has another shape or dtype, or shares memory with an argument.

    >>> room(None, np.zeros(3)).shape
    (3,)
    """
    like = arrays[0]
    if out is None:
        return np.empty(like.size, like.dtype)
    if not isinstance(out, np.ndarray) or out.shape != like.shape or out.dtype != like.dtype:
        raise ParameterError(f"out must be an array of shape {like.shape} and dtype {like.dtype}")
    if not out.flags.c_contiguous or not out.flags.writeable:
        raise ParameterError("out must be contiguous and writeable, pass a plain new array")
    if any(np.may_share_memory(out, array) for array in arrays):
        raise ParameterError("out must not overlap an argument, pass an array of its own")
    return out


def blocks(*arrays: Array) -> Iterator[tuple[Array, ...]]:
    """Walk through arrays of one length side by side, at most `BLOCK` values at a time.

    >>> [part.size for part, in blocks(np.zeros(BLOCK + 1))] == [BLOCK, 1]
    True
    """
    if arrays[0].size <= BLOCK:  # no slicing: a release of one number must be quick
        yield arrays
        return
    for start in range(0, arrays[0].size, BLOCK):
        yield tuple(array[start : start + BLOCK] for array in arrays)


def scratch(size: int) -> Array:
    """Float64 working memory as long as the longest block of `size` values.

    >>> scratch(3).shape
    (3,)
    """
    return np.empty(min(size, BLOCK))
