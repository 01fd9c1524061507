"""A number that says by which method it was computed.

Two methods often answer the same question, one exact and one a bound; a number without its method
cannot be checked. `float(stated)` is the bare number.
"""

import math
from dataclasses import dataclass

from dpviz import checks


@dataclass(frozen=True, slots=True)
class Stated:
    """A number and the method that gave it.

    >>> answer = Stated(0.5, "largest budget held")
    >>> float(answer), answer.method
    (0.5, 'largest budget held')
    """

    value: float
    method: str

    def __post_init__(self) -> None:
        checks.between(-math.inf, math.inf, value=self.value)  # a logarithm may be infinite

    def __float__(self) -> float:
        """The bare number."""
        return self.value
