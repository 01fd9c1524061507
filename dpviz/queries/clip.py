"""A numeric column and the range that its values are clipped to, both typed, never read off."""

import math
from dataclasses import dataclass

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.parameters import round_number
from dpviz.queries.words import full, plain

# Steps from 0 to either bound. No file that is read has 2²⁶ rows, so no sum reaches 2⁶² and noise
# in 64 bits can be added to it: whether a sum fits must not depend on what the rows say.
MOST_STEPS = 2**36
LARGEST = 1e100  # bound; no sum of such values overflows, and no step that fits one is too small


@dataclass(frozen=True, slots=True)
class Clip:
    """A column and its range [lower, upper].

    Attributes:
        column: the column whose numbers are taken.
        lower: L; smaller values count as L.
        upper: U; larger values count as U.

    Raises:
        ParameterError: if the bounds are not two finite numbers, the lower one first.

    >>> Clip("age", 0, 100).described
    'clipped to the range from 0 to 100'
    """

    column: str
    lower: float
    upper: float

    def __post_init__(self) -> None:
        checks.instance(str, column=self.column)
        for name in ("lower", "upper"):
            object.__setattr__(self, name, _finite(name, getattr(self, name)))
        if not self.lower < self.upper:
            raise ParameterError(
                f"lower must be below upper, got {plain(self.lower)} and {plain(self.upper)}; "
                "type the smaller bound first"
            )
        if self.farthest > LARGEST:
            raise ParameterError(
                f"lower and upper must be between {round_number(-LARGEST)} and "
                f"{round_number(LARGEST)}; type smaller ones"
            )
        # there is a power of two between farthest/MOST_STEPS and the width, so some step fits
        if self.upper - self.lower < max(2 * self.farthest / MOST_STEPS, 1 / LARGEST):
            raise ParameterError("lower and upper are too close together; type them farther apart")

    @property
    def farthest(self) -> float:
        """The bound farthest from 0: max(|L|, |U|)."""
        return max(abs(self.lower), abs(self.upper))

    def said_of(self, row: str) -> str:
        """How far one row counts, to end the name of a sum or a mean.

        Args:
            row: what one row is called.

        >>> Clip("cost", 0, 1000).said_of("row"), Clip("age", 18, 64.5).said_of("visit")
        ('each row at most 1,000', 'each visit from 18 to 64.5')
        """
        if self.lower:
            return f"each {row} from {full(self.lower)} to {full(self.upper)}"
        return f"each {row} at most {full(self.upper)}"

    @property
    def described(self) -> str:
        """What happens to the values."""
        return f"clipped to the range from {plain(self.lower)} to {plain(self.upper)}"


def _finite(name: str, value: float) -> float:
    """The number as float, −0 as 0."""
    try:
        number = math.nan if isinstance(value, bool | str | bytes) else float(value) + 0.0
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not math.isfinite(number):
        raise ParameterError(
            f"{name} must be a finite number, such as 0 or 100; got {checks.told(value)}"
        )
    return number
