"""What the pictures of the lesson on trust share: the axis, and a frame with its draw."""

from dataclasses import dataclass

import pandas as pd

from dpviz.charts.local.trust import YES_NO
from dpviz.ui.kit.lesson import Asked
from dpviz.ui.trust_grows.town import Drawn

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
