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
SMALLEST_LEVEL, LARGEST_LEVEL = 1e-300, 1e9  # of sums over the outcomes
LARGEST_SHIFT = 10_000  # units by which one person moves the one coordinate of such a sum


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
