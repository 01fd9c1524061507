"""Numbers that people type outside the tier table: δ and the seed."""

from dpviz import checks
from dpviz.errors import ParameterError


def delta_from(text: str) -> float:
    """Read δ.

    >>> delta_from("1e-6")
    1e-06
    >>> delta_from("2")
    Traceback (most recent call last):
    dpviz.errors.ParameterError: δ: 2 is not between 0 and 1. Type a small number, for example 1e-6.
    """
    try:
        value = float(text)
        checks.probability(delta=value)
    except ValueError:
        raise ParameterError(
            f"δ: {text.strip()[:20]} is not between 0 and 1. Type a small number, for example 1e-6."
        ) from None
    return value


def seed_from(text: str) -> int:
    """Read the seed of teaching mode.

    >>> seed_from("7")
    7
    """
    try:
        value = int(text)
        checks.whole(0, seed=value)
    except ValueError:
        raise ParameterError(
            "The seed must be a whole number of at least 0. Type one, for example 7."
        ) from None
    return value
