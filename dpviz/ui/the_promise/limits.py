"""Screen 6 of the lesson on the promise: what a limit cuts away, and the noise that it saves."""

from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.promise.limits import ERROR, LIMIT, best_limit, cut_or_blur, limits_frame
from dpviz.ui.kit.lesson import Asked, Side
from dpviz.ui.the_promise import claims, words
from dpviz.ui.the_promise.town import RHO, STYLE, VISITS

CLOSE = 1.1  # times the least error: as good as the best


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """The errors of a sum at each limit, and the visitor's limit.

    Attributes:
        frame: as `limits_frame` makes it.
        at: the limit that was chosen.
        asked: what was asked.
    """

    frame: pd.DataFrame
    at: int
    asked: Asked

    @property
    def error(self) -> float:
        """The error at the limit that was chosen."""
        return float(self.frame.set_index(LIMIT).loc[self.at, ERROR])


def limits_scene(asked: Asked) -> Limits:
    """Every limit, and the one that was chosen."""
    return Limits(frame=limits_frame(VISITS, RHO), at=int(asked.chosen), asked=asked)


def limits_said(scene: Limits) -> str:
    """The question, and its answer."""
    if not scene.asked.done:
        return words.WHERE_TO_CUT
    least = best_limit(scene.frame)[ERROR]
    return words.answered(words.BETWEEN, str(scene.at), scene.error <= CLOSE * least)


def limits_picture(scene: Limits) -> go.Figure:
    """The people, and below them the errors."""
    return cut_or_blur(VISITS, scene.frame, scene.at, STYLE, asked=scene.asked.done)


def limits_alt(scene: Limits) -> str:
    """The same in words."""
    best = best_limit(scene.frame)
    start = f"Bars of people by their visits, and a limit at {scene.at}."
    if not scene.asked.done:
        return f"{start} Below it what is cut away, and the noise."
    return f"{start} Cutting falls with it, noise rises; both are least at {best[LIMIT]:.0f}."


def limits_side(scene: Limits) -> Side:
    """The error at the visitor's limit against the least."""
    best = best_limit(scene.frame)
    if not scene.asked.done:
        return Side(label=words.OFF, value="?", lines=words.SUM, caption=words.CUT)
    return Side(
        label=words.OFF,
        value=f"{scene.error:.0f}",
        note=f"best possible: {best[ERROR]:.0f}, at a limit of {best[LIMIT]:.0f}",
        claims=claims.limits(scene.frame, scene.at),
        lines=(words.near_enough(scene.at, scene.error, best),),
        caption=words.BOTH,
    )
