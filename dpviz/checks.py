"""Named checks, phrased so that NaN fails; the message gives name, rule and value."""

import math
import operator
from typing import SupportsIndex

from dpviz.errors import ParameterError


def positive(**named: float) -> None:
    """Refuse each named value that is not a finite number above 0.

    >>> positive(level=0.5)
    >>> positive(level=float("nan"))
    Traceback (most recent call last):
    dpviz.errors.ParameterError: level must be a finite number above 0, got nan
    """
    for name, value in named.items():
        if not 0 < _number(name, value) < math.inf:
            raise ParameterError(f"{name} must be a finite number above 0, got {value!r}")


def non_negative(**named: float) -> None:
    """Refuse each named value that is not a finite number of at least 0.

    >>> non_negative(low=0.0)
    """
    for name, value in named.items():
        if not 0 <= _number(name, value) < math.inf:
            raise ParameterError(f"{name} must be a finite number of at least 0, got {value!r}")


def probability(**named: float) -> None:
    """Refuse each named value that is not strictly between 0 and 1.

    >>> probability(delta=1e-6)
    """
    for name, value in named.items():
        if not 0 < _number(name, value) < 1:
            raise ParameterError(f"{name} must lie strictly between 0 and 1, got {value!r}")


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
                f"{name} must be a whole number of at least {minimum}, got {value!r}"
            )


def _number(name: str, value: float) -> float:
    """The value as a float; text, None, bool and arrays are no numbers."""
    if isinstance(value, bool | str | bytes):
        raise ParameterError(f"{name} must be a number, got {value!r}")
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"{name} must be a number, got {value!r}") from None
