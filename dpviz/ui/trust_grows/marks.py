"""What the pictures of the lesson on trust share: the truth, the axis, the marks of the four."""

from dataclasses import dataclass

import pandas as pd

from dpviz.charts.local.trust import YES_NO
from dpviz.charts.threads_frame import HELD, Mark, State
from dpviz.ui.kit.lesson import Asked
from dpviz.ui.trust_grows.town import RHO, STYLE, YES, Drawn

TRUTH = ("her answer: yes", YES)
TICKS = {-4.0: "−4", -2.0: "−2", **YES_NO, 3.0: "3", 5.0: "5"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A frame, the draw it shows, and what was asked.

    Attributes:
        frame: the numbers, as `threads_frame` or `crowd_frame` makes them.
        drawn: the draw.
        asked: what was asked.
        string: bands in which one more number may fall, as `string_frame` makes them.
    """

    frame: pd.DataFrame
    drawn: Drawn
    asked: Asked
    string: pd.DataFrame | None = None


def mark(name: str, value: float | None = None, above: str = "", state: State = HELD) -> Mark:
    """The mark of one of the four, under its name and with its look and budget."""
    look = STYLE[name]
    return Mark(who=name, rho=RHO[name], style=look, value=value, above=above, state=state)
