"""What the accounting functions accept: numbers, checked and made floats once, or arrays of them.

Budgets arrive as floats, exact decimals or fractions and become a float once, here. Whatever
becomes 0 or infinite on the way (Decimal("1e-400")) is refused by the check that follows.

A function of budgets, deltas or levels takes numbers or arrays of any shape, one for another. It
works element by element on their common (broadcast) shape and returns one kind of thing: a float
where all arguments are numbers or 0-dimensional, else a float64 array of that shape; infinite where
no number will do. What is no `Number` in the signature (a count, a family, a move, the list of what
is composed) stays a single one. By which method a number was found follows from the name and the
choices typed, or is told by another function (`poisson_rule`, `skellam_rule`). The exceptions
are `coalition_rho` and `coalition_epsilon`, where who is in a coalition decides what is counted, so
their result says it (`Stated`), and what is exact for some mechanisms and a bound for others: one
`Bound` for each call (`adaptive_composition_epsilon`, `composed_pure_epsilon`, `best_epsilon`).
"""

import math
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import wraps
from inspect import Parameter, signature
from typing import Any, ParamSpec, Protocol, cast, overload

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.errors import ParameterError

Number = float | Decimal | Fraction
Floats = NDArray[np.float64]
BROADCAST = (Number, Number | None, Parameter.empty)
P = ParamSpec("P")
SMALLEST_LEVEL, LARGEST_LEVEL = 1e-300, 1e9  # of sums over the outcomes
LARGEST_SHIFT = 10_000  # units by which one person moves the one coordinate of such a sum


class Elementwise(Protocol[P]):
    """A function of numbers that takes arrays in their place."""

    __name__: str

    @overload
    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> float: ...

    @overload
    def __call__(self, *args: object, **kwargs: object) -> Floats: ...


def elementwise(function: Callable[P, float]) -> Elementwise[P]:
    """The same function, for arrays of its arguments as well.

    Args:
        function: takes numbers, by place or by name, and returns one. What its signature calls
            something else than `Number` is passed on as it is.

    Raises:
        ParameterError: what is called with arrays that do not fit together, or hold no numbers.

    >>> @elementwise
    ... def total(left, right=1.0):
    ...     return left + right
    >>> total(1.0), total([1.0, 2.0], right=[[0.5], [1.5]])
    (2.0, array([[1.5, 2.5],
           [2.5, 3.5]]))
    """
    names = signature(function)
    single = {k for k, each in names.parameters.items() if each.annotation not in BROADCAST}

    @wraps(function)
    def applied(*args: Any, **kwargs: Any) -> Any:
        if not any(_several(each) for each in (*args, *kwargs.values())):
            return function(*args, **kwargs)
        given = names.bind(*args, **kwargs).arguments
        several = {k: each for k, each in given.items() if k not in single and _several(each)}
        if not several:
            return function(*args, **kwargs)
        arrays = fitting_together(**several)
        shape = arrays[next(iter(arrays))].shape
        calls = zip(*(each.flat for each in arrays.values()), strict=True)
        found = [_call(function, given | dict(zip(arrays, each, strict=True))) for each in calls]
        return shaped(np.array(found, dtype=np.float64).reshape(shape))

    return applied


def vectorised(function: Callable[P, Floats]) -> Elementwise[P]:
    """The same function of numbers or arrays, with a float for what is 0-dimensional.

    Args:
        function: takes numbers and arrays as they come, and returns an array.

    >>> vectorised(np.sqrt)(4.0)
    2.0
    """

    @wraps(function)
    def applied(*args: Any, **kwargs: Any) -> Any:
        return shaped(np.asarray(function(*args, **kwargs), dtype=np.float64))

    return applied


def fitting_together(**named: Any) -> dict[str, Floats]:
    """The named numbers or arrays of numbers, all in their common shape.

    Raises:
        ParameterError: one holds what is no number, or their shapes do not fit together.

    >>> fitting_together(mu=1.0, alpha=[0.1, 0.2])["mu"]
    array([1., 1.])
    """
    arrays = {
        name: checks.reals(**{name: each if _several(each) else checks.number(**{name: each})})
        for name, each in named.items()
    }
    try:
        together = np.broadcast_arrays(*arrays.values())
    except ValueError:
        shapes = " and ".join(str(each.shape) for each in arrays.values())
        raise ParameterError(
            f"{' and '.join(arrays)} must have shapes that fit together, got {shapes}"
        ) from None
    return dict(zip(named, together, strict=True))


def shaped(found: Floats) -> Any:
    """The array, or the float of a 0-dimensional one.

    >>> shaped(np.array(0.5)), shaped(np.array([0.5]))
    (0.5, array([0.5]))
    """
    return found if found.ndim else float(found)


def _call(function: Callable[..., float], named: dict[str, Any]) -> float:
    return function(**named)


def _several(value: Any) -> bool:
    """Whether it is an array or a list, and not one number."""
    return isinstance(value, np.ndarray | list | tuple)


def positive(**named: Number) -> float:
    """The one named value as a float; refused unless finite and above 0.

    >>> positive(rho=Fraction(1, 4))
    0.25
    """
    ((name, value),) = named.items()
    checks.positive(**{name: cast("float", value)})
    return float(value)


def non_negative(**named: Number) -> float:
    """The one named value as a float; refused unless finite and at least 0.

    >>> non_negative(epsilon=Decimal("0.5"))
    0.5
    """
    ((name, value),) = named.items()
    checks.non_negative(**{name: cast("float", value)})
    return float(value)


def finite(**named: Number) -> float:
    """The one named value as a float, of either sign; refused unless finite.

    >>> finite(epsilon=-0.5)
    -0.5
    """
    ((name, value),) = named.items()
    if not -math.inf < (number := _number(value)) < math.inf:
        raise ParameterError(f"{name} must be a finite number, got {checks.told(value)}")
    return number


def probability(**named: Number) -> float:
    """The one named value as a float; refused unless strictly between 0 and 1.

    >>> probability(delta=1e-6)
    1e-06
    """
    ((name, value),) = named.items()
    checks.probability(**{name: cast("float", value)})
    return float(value)


def log_probability(log_delta: Number) -> float:
    """The ln delta as a float; refused unless finite and below 0, so that 0 < delta < 1.

    >>> log_probability(-700.0)
    -700.0
    >>> log_probability(0.01)
    Traceback (most recent call last):
    dpviz.errors.ParameterError: log_delta must be the natural logarithm of a delta between 0 \
and 1, a finite number below 0, got 0.01
    """
    if not -math.inf < (value := _number(log_delta)) < 0:
        raise ParameterError(
            "log_delta must be the natural logarithm of a delta between 0 and 1, "
            f"a finite number below 0, got {checks.told(log_delta)}"
        )
    return value


def summed_level(level: Number) -> float:
    """The level as a float, refused where its outcomes cannot be summed one by one.

    >>> summed_level(40)
    40.0
    """
    value = positive(level=level)
    if not SMALLEST_LEVEL <= value <= LARGEST_LEVEL:
        raise ParameterError(
            f"level must lie between {SMALLEST_LEVEL:g} and {LARGEST_LEVEL:g} here, "
            f"got {checks.told(level)}"
        )
    return value


def summed_shift(shift: int) -> int:
    """The shift, refused if it is not a whole number from 1 to LARGEST_SHIFT.

    >>> summed_shift(2)
    2
    """
    shift = checks.integer(1, shift=shift)
    if shift > LARGEST_SHIFT:
        raise ParameterError(f"shift must be at most {LARGEST_SHIFT}, got {checks.told(shift)}")
    return shift


def representable(number: float | Fraction) -> float:
    """The result of a formula, refused where no float can hold it.

    >>> representable(1e300)
    1e+300
    """
    try:
        found = float(number)
    except OverflowError:
        found = math.inf
    if not -math.inf < found < math.inf:
        raise ParameterError(
            "no float can hold this result; pass arguments of ordinary size, such as 0.1"
        )
    return found


def _number(value: Number) -> float:
    """The value as a float; NaN for what is not a number."""
    try:
        return math.nan if isinstance(value, bool | str | bytes) else float(value)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def rounded_up(value: Fraction) -> float:
    """The smallest float that is not below the exact value.

    Raises:
        ParameterError: no float can hold it.

    >>> rounded_up(Fraction(1, 10)), rounded_up(Fraction(1, 3)) > Fraction(1, 3)
    (0.1, True)
    """
    nearest = representable(value)
    return nearest if Fraction(nearest) >= value else math.nextafter(nearest, math.inf)
