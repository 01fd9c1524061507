"""Numbers about one truth, each with what it was drawn from: the frames of threads and strings."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pandas as pd

from dpviz import checks
from dpviz.accounting import gaussian_right_guesses
from dpviz.accounting.levels import gaussian_level
from dpviz.noise import ADDITIVE
from dpviz.noise.bridge_law import release_law
from dpviz.palette import TierStyle
from dpviz.planning.budgets import usual_half_width

GAUSSIAN = ADDITIVE["gaussian"]
WHO, VALUE, SD, HALF, RIGHT = "who", "value", "sd", "half", "right"
ABOVE, STATE, STYLE = "above", "state", "style"
THREADS = (WHO, VALUE, SD, HALF, RIGHT, ABOVE, STATE, STYLE)
STRING = (SD, "low", "lower", "upper", "high")
State = Literal["held", "compared", "large"]
HELD: State = "held"
COMPARED: State = "compared"
LARGE: State = "large"
STATES: tuple[State, ...] = (HELD, COMPARED, LARGE)
TRUTH, TO_COME = "truth", "to come"  # of a row of the frame
QUANTILES = (0.025, 0.25, 0.75, 0.975)
NO_STYLE = TierStyle(0, 0)  # several together, in the ink of the page
STEPS = 61  # levels at which the bands of a string are computed


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """One number of the picture.

    Attributes:
        who: whose it is; no two marks have one name.
        rho: its budget, for a statistic that one person moves by 1.
        style: look of its tier; slot 0: several together, in the ink of the page.
        value: the number; None while it is to come: then its row has no mark.
        above: who has the number from which it hangs; "" for none.
        state: "compared" is hollow and on a dotted thread; a "large" one has its number in
            large type.

    Raises:
        ParameterError: a number is not one, or there is no such state.
    """

    who: str
    rho: float
    style: TierStyle
    value: float | None = None
    above: str = ""
    state: State = HELD


def half_of(rho: float) -> float:
    """Half the width of the interval that holds 95 % of the noise of this budget.

    >>> round(half_of(0.4), 2)
    2.19
    """
    return usual_half_width(GAUSSIAN, gaussian_level(rho, 1.0))


def threads_frame(marks: Sequence[Mark], truth: tuple[str, float] | None = None) -> pd.DataFrame:
    """The truth first, if it may be shown, then a row per mark.

    Columns: who, value (NaN: to come), sd, half (95 % of the noise), right (of 1,000 guesses),
    above, state, style.

    Args:
        marks: the numbers.
        truth: what it is called, and the true number.

    >>> frame = threads_frame([Mark(who="audit", rho=0.5, style=TierStyle(11, 3), value=2.0)])
    >>> frame["sd"].tolist(), frame["right"].round().tolist()
    ([1.0], [691.0])
    """
    nothing = (0.0, 0.0, math.nan, "", TRUTH, NO_STYLE)
    top = [] if truth is None else [(*truth, *nothing)]
    rows = [
        (
            *(mark.who, math.nan if mark.value is None else mark.value),
            *(math.sqrt(gaussian_level(mark.rho, 1.0)), half_of(mark.rho)),
            *(gaussian_right_guesses(mark.rho), mark.above),
            TO_COME if mark.value is None else mark.state,
            mark.style,
        )
        for mark in marks
    ]
    return pd.DataFrame([*top, *rows], columns=list(THREADS))


def string_frame(above: Mark, below: Mark) -> pd.DataFrame:
    """Where the string between two numbers may hang: 95 % and 50 % of a number drawn in between.

    Args:
        above: the sharper one.
        below: the blurrier one.

    Columns: sd, low, lower, upper, high; quantiles 2.5, 25, 75 and 97.5 %. Nothing is drawn.
    """
    high, low = (checks.number(value=mark.value) for mark in (above, below))
    return hanging_frame(above.rho, high, below.rho, low)


def hanging_frame(rho: float, value: float, foot: float, end: float | None = None) -> pd.DataFrame:
    """Where the noise may go on below a number, as far as a blur, or up to another number there.

    Args:
        rho: budget of the number; infinite for the truth.
        value: the number.
        foot: budget at which the bands end.
        end: the number there; None: none, the bands are those of adding noise.

    Columns as of `string_frame`. Nothing is drawn.

    >>> hanging_frame(0.5, 2.0, 0.25)[["sd", "low", "high"]].round(1).values.tolist()[-1]
    [1.4, 0.0, 4.0]
    """
    top, last = (0.0 if math.isinf(each) else gaussian_level(each, 1.0) for each in (rho, foot))
    rows = [(math.sqrt(top), *4 * (value,))]
    known = None if end is None else last
    for sd in np.linspace(math.sqrt(top), math.sqrt(last), STEPS)[1:].tolist():
        if end is not None and sd**2 >= last * (1 - 1e-12):
            rows.append((sd, *4 * (end,)))
            continue
        law = release_law(GAUSSIAN, value, end, top, sd**2, known)
        rows.append((sd, *law.quantile(np.array(QUANTILES)).tolist()))
    return pd.DataFrame(rows, columns=list(STRING))
