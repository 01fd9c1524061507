"""What the accounting functions accept: shared checks and conversions of their arguments.

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


def probability(**named: Number) -> float:
    """The one named value as a float; refused unless strictly between 0 and 1.

    >>> probability(delta=1e-6)
    1e-06
    """
    ((name, value),) = named.items()
    checks.probability(**{name: cast("float", value)})
    return float(value)


def log_probability(log_delta: Number) -> float:
    """ln delta as a float; refused unless finite and below 0, so that 0 < delta < 1.

    >>> log_probability(-700.0)
    -700.0
    >>> log_probability(0.01)
    Traceback (most recent call last):
    dpviz.errors.ParameterError: log_delta must be the natural logarithm of a delta between 0 \
and 1, a finite number below 0, got 0.01
    """
    try:
        value = math.nan if isinstance(log_delta, bool | str | bytes) else float(log_delta)
    except (TypeError, ValueError, OverflowError):
        value = math.nan
    if not -math.inf < value < 0:
        raise ParameterError(
            "log_delta must be the natural logarithm of a delta between 0 and 1, "
            f"a finite number below 0, got {log_delta!r}"
        )
    return value
