"""What the accounting functions accept: shared checks that return the argument as a float.

Budgets arrive as floats, exact decimals or fractions and become a float once, here. Whatever
becomes 0 or infinite on the way (Decimal("1e-400")) is refused by the check that follows.
"""

import math
from decimal import Decimal
from fractions import Fraction
from typing import cast

from dpviz import checks
from dpviz.errors import ParameterError

Number = float | Decimal | Fraction


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
