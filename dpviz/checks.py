"""Named checks, phrased so that NaN fails; the message gives name, rule and value."""

import math
import operator
import sys
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from itertools import islice
from typing import Any, SupportsIndex

import numpy as np
from numpy.typing import NDArray

from dpviz.errors import ParameterError

LONGEST = 1_000_000  # entries of a list
LARGEST = sys.float_info.max
_NUMBERS = ("b", "i", "u", "f")  # kinds of arrays that hold real numbers
QUOTED = 40  # letters of a value that a refusal quotes


def positive(**named: float) -> None:
    """Refuse each named value that is not a finite number above 0.

    >>> positive(level=0.5)
    >>> positive(level=float("nan"))
    Traceback (most recent call last):
    dpviz.errors.ParameterError: level must be a finite number above 0, got nan
    """
    for name, value in named.items():
        if not 0 < _number(name, value) < math.inf:
            raise ParameterError(f"{name} must be a finite number above 0, got {told(value)}")


def non_negative(**named: float) -> None:
    """Refuse each named value that is not a finite number of at least 0.

    >>> non_negative(low=0.0)
    """
    for name, value in named.items():
        if not 0 <= _number(name, value) < math.inf:
            raise ParameterError(f"{name} must be a finite number of at least 0, got {told(value)}")


def probability(**named: float) -> None:
    """Refuse each named value that is not strictly between 0 and 1.

    >>> probability(delta=1e-6)
    """
    for name, value in named.items():
        if not 0 < _number(name, value) < 1:
            raise ParameterError(f"{name} must lie strictly between 0 and 1, got {told(value)}")


def finite(**named: float) -> None:
    """Refuse each named value that is not a finite number, of either sign.

    >>> finite(below=-0.5)
    """
    for name, value in named.items():
        if not -math.inf < _number(name, value) < math.inf:
            raise ParameterError(f"{name} must be a finite number, got {told(value)}")


def between(least: float, most: float, **named: float) -> None:
    """Refuse each named value that is not a number from `least` to `most`, both included.

    >>> between(-math.inf, 0, log_mass=-math.inf)
    """
    for name, value in named.items():
        if not least <= _number(name, value) <= most:
            raise ParameterError(
                f"{name} must be a number from {least:g} to {most:g}, got {told(value)}"
            )


def stated(**named: float) -> None:
    """Refuse each named value that is negative or not a number; NaN and infinite are no guarantee.

    >>> stated(half_width=math.nan)
    """
    for name, value in named.items():
        if _number(name, value) < 0:
            raise ParameterError(f"{name} must be at least 0, or NaN, got {told(value)}")


def side(**named: int) -> None:
    """Refuse each named value that is neither 1 nor -1.

    >>> side(sign=-1)
    """
    for name, value in named.items():
        if not isinstance(value, int) or value not in (1, -1):
            raise ParameterError(f"{name} must be 1 or -1, got {told(value)}")


def known(check: Callable[..., None], **named: float | None) -> None:
    """Check the named values that are known, which is to say not None.

    >>> known(positive, rho=None, epsilon=0.5)
    """
    check(**{name: value for name, value in named.items() if value is not None})


def arrays(ndim: int, *, least: float = -LARGEST, most: float = LARGEST, **named: Any) -> None:
    """Refuse named values that are not arrays of numbers within these limits, of one shape.

    >>> arrays(1, least=0, l1=np.ones(3), l2=np.ones(3))
    """
    for name, value in named.items():
        kind = value.dtype.kind if isinstance(value, np.ndarray) else ""
        if kind not in _NUMBERS or value.ndim != ndim:
            raise ParameterError(f"{name} must be an array of numbers, {ndim}-dimensional")
        if value.size and not (  # so NaN fails
            np.minimum.reduce(value, axis=None) >= least
            and np.maximum.reduce(value, axis=None) <= most
        ):
            raise ParameterError(f"{name} must hold numbers from {least:g} to {most:g}")
    if len(named) > 1 and len({value.shape for value in named.values()}) > 1:
        raise ParameterError(f"{' and '.join(named)} must have the same shape")


def whole(minimum: int, **named: SupportsIndex) -> None:
    """Refuse each named value that is not a whole number of at least `minimum`.

    >>> whole(1, dimension=3)
    >>> whole(1, dimension=0)
    Traceback (most recent call last):
    dpviz.errors.ParameterError: dimension must be a whole number of at least 1, got 0
    """
    for name, value in named.items():
        try:
            allowed = not isinstance(value, bool) and operator.index(value) >= minimum
        except TypeError:
            allowed = False
        if not allowed:
            raise ParameterError(
                f"{name} must be a whole number of at least {minimum}, got {told(value)}"
            )


def integer(minimum: int, **named: SupportsIndex) -> int:
    """The one named value as a plain whole number, which never wraps around; refused as `whole`.

    >>> integer(1, steps=np.uint8(200)) + 200
    400
    """
    whole(minimum, **named)
    ((_, value),) = named.items()
    return operator.index(value)


def number(**named: Any) -> float:
    """The one named value as a float of any size; text, None, bool and arrays are refused.

    >>> number(low=Fraction(1, 2))
    0.5
    """
    ((name, value),) = named.items()
    return _number(name, value)


def reals(**named: Any) -> NDArray[np.float64]:
    """The one named value as float64, of any shape; text, None and complex numbers are refused.

    >>> reals(x=[1, Fraction(1, 2)])
    array([1. , 0.5])
    """
    ((name, value),) = named.items()
    try:
        found = np.asarray(value)
        if found.dtype.kind == "O" and not any(each is None for each in found.ravel()):
            return found.astype(np.float64)
        if found.dtype.kind in "biuf":
            return np.asarray(found, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        pass
    raise ParameterError(f"{name} must hold numbers, got {told(value)}; pass for example [0.5, 2]")


def instance(kind: type, **named: Any) -> None:
    """Refuse each named value that is not of this kind.

    >>> instance(Fraction, share=Fraction(1, 2))
    """
    for name, value in named.items():
        if not isinstance(value, kind):
            raise ParameterError(f"{name} must be a {kind.__name__}, got {told(value)}")


def key(**named: Any) -> None:
    """Refuse each named value that cannot be the key of a mapping, such as a list.

    >>> key(viewer="doctor", hospital=("town", 3))
    """
    for name, value in named.items():
        try:
            hash(value)
        except Exception:  # of a tuple with a list in it, of a signalling NaN, of an array
            raise ParameterError(
                f"{name} must be a name or another key, such as 'a', got {told(value)}"
            ) from None


def keys(**named: Any) -> list[Any]:
    """What the one named iterable holds, each once, in order; each must be a key.

    >>> keys(viewers=["a", "b", "a"])
    ['a', 'b']
    """
    ((name, _),) = named.items()
    found = listed(**named)
    for each in found:
        key(**{f"each of {name}": each})
    return list(dict.fromkeys(found))


def one_of(choices: Any, **named: Any) -> None:
    """Refuse each named value that is not one of these names.

    >>> one_of(("first", "last"), side="last")
    """
    for name, value in named.items():
        if not isinstance(value, str) or value not in choices:
            raise ParameterError(f"{name} must be one of {', '.join(choices)}, got {told(value)}")


def listed(**named: Any) -> list[Any]:
    """What the one named iterable holds, as a list; text and endless ones are refused.

    >>> listed(budgets=(0.1, 0.5))
    [0.1, 0.5]
    """
    ((name, value),) = named.items()
    try:
        found = None if isinstance(value, str | bytes) else list(islice(value, LONGEST + 1))
    except TypeError:
        found = None
    if found is None:
        raise ParameterError(f"{name} must be a list, got {told(value)}")
    if len(found) > LONGEST:
        raise ParameterError(f"{name} may hold at most {LONGEST:,} entries; pass fewer")
    return found


def told(value: object) -> str:
    """How a refusal quotes what was passed: on one line, short, and never the contents of an array.

    >>> told(0.5), told("x" * 100)[:8], told(np.zeros(3))
    ('0.5', "'xxxxxxx", 'ndarray')
    """
    if not isinstance(value, int | float | str | bytes | Decimal | Fraction | np.generic | None):
        return type(value).__name__
    try:
        text = repr(value)
    except ValueError:  # Python writes no whole number of more than 4300 digits
        return type(value).__name__
    return text if len(text) <= QUOTED else f"{text[: QUOTED - 1]}…"


def _number(name: str, value: float) -> float:
    """The value as a float; text, None, bool and arrays are not numbers."""
    if isinstance(value, bool | np.bool_ | str | bytes | complex):
        raise ParameterError(f"{name} must be a number, got {told(value)}")
    try:
        return float(value)
    except OverflowError:
        raise ParameterError(
            f"{name} must be a number that a float can hold, got {told(value)}"
        ) from None
    except (TypeError, ValueError):
        raise ParameterError(f"{name} must be a number, got {told(value)}") from None
