"""A numeric column and the range that its values are clipped to, both typed, never read off.

Real values on a declared grid, so that their sums are whole numbers and take integer noise.

A value x becomes the whole number of steps ⌊x/s + ½⌋. The step s is a power of two: then x/s is
exact in floating point and the rounding is the same for everybody, which the sensitivity rests on.
Rounding half up is monotone, so what was clipped to [L, U] lies between the steps of L and of U.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.parameters import round_number
from dpviz.queries.sensitivity import full, plain

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


FINEST_STEPS = 2**51  # beyond this many steps a double has no half steps any more
NARROWEST = 2.0**-960  # a range so narrow has no steps that a float holds
_FINE = 1024  # at least this many steps in a range, where nobody asks for another number


@dataclass(frozen=True, slots=True)
class Grid:
    """A grid of step `step`, in units of the statistic.

    Attributes:
        step: a power of two, such as 0.25 or 8.

    Raises:
        ParameterError: if the step is not a power of two.

    >>> Grid(0.25).steps(np.array([0.3, -0.3, 1.0]))
    array([ 1, -1,  4])
    """

    step: float

    def __post_init__(self) -> None:
        checks.positive(step=self.step)
        object.__setattr__(self, "step", float(self.step))
        if math.frexp(self.step)[0] != 0.5:
            below = 2.0 ** math.floor(math.log2(self.step))
            raise ParameterError(
                f"the step of a grid must be a power of two, got {checks.told(self.step)}; "
                f"type for example {below!r}"
            )

    def steps(self, values: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
        """The values as whole numbers of steps, shape (d,), halves rounded up.

        Raises:
            ParameterError: if a value is not finite or too far out for the step.
        """
        with np.errstate(over="ignore"):  # too large a number is refused below
            scaled = checks.reals(values=values) / self.step
        if scaled.size and not np.abs(scaled).max() < FINEST_STEPS:  # NaN fails
            raise ParameterError("a value is not finite or too large for this grid; widen the step")
        whole = np.floor(scaled)
        return (whole + (scaled - whole >= 0.5)).astype(np.int64)

    def values(self, steps: NDArray[np.integer[Any]]) -> NDArray[np.float64]:
        """Whole numbers of steps as values, in units of the statistic.

        Raises:
            ParameterError: it is no number, or its value is beyond the floats.

        >>> Grid(0.25).values(np.array([1, -1, 4]))
        array([ 0.25, -0.25,  1.  ])
        """
        with np.errstate(over="ignore"):
            found = checks.reals(steps=steps) * self.step
        if not np.isfinite(found).all():
            raise ParameterError("the sum is beyond any float; pass fewer steps, or a finer grid")
        return found


def default_step(lower: float, upper: float) -> float:
    """The largest power of two that is at most (U − L)/1024: rounding then costs next to nothing.

    A narrow range far from 0 gets the smallest step at which its sums are exact, which is larger.

    Args:
        lower: L, finite.
        upper: U, finite and above L.

    Raises:
        ParameterError: if upper is not above lower, or one of them is not finite.

    >>> default_step(0.0, 100.0), default_step(1e6, 1000000.001)
    (0.0625, 1.52587890625e-05)
    """
    width = checks.number(upper=upper) - checks.number(lower=lower)
    if not NARROWEST < width < math.inf:
        raise ParameterError(
            f"lower must be below upper, both finite, got {checks.told(lower)} and "
            f"{checks.told(upper)}; type the smaller bound first"
        )
    fine = math.ldexp(1.0, math.frexp(width / _FINE)[1] - 1)
    return max(fine, least_step(max(abs(lower), abs(upper))))


def least_step(farthest: float) -> float:
    """The smallest power of two of which `farthest` is at most MOST_STEPS.

    >>> least_step(1e6)
    1.52587890625e-05
    """
    return 2.0 ** math.ceil(math.log2(farthest / MOST_STEPS))
