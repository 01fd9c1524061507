"""Screen 3 of the lesson on the promise: the loss is random, and three letters bound it."""

from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.promise.loss import Line, loss_frame, loss_hill
from dpviz.ui.kit.lesson import Asked, Side
from dpviz.ui.the_promise import claims, words
from dpviz.ui.the_promise.town import RHO, STYLE
from dpviz.words import percent, significant


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """Losses, a line through them, and what was asked.

    Attributes:
        frame: as `loss_frame` makes it.
        line: the line that was chosen.
        asked: what was asked.
    """

    frame: pd.DataFrame
    line: Line
    asked: Asked


def loss_scene(asked: Asked) -> Losses:
    """All losses of the public number, and the line that was chosen."""
    line = Line(rho=RHO, epsilon=float(asked.chosen))
    return Losses(frame=loss_frame(line), line=line, asked=asked)


def loss_said(scene: Losses) -> str:
    """The question, and its answer."""
    return words.THREE_LETTERS if scene.asked.done else words.HOW_OFTEN_BEYOND


def loss_picture(scene: Losses) -> go.Figure:
    """The hill of losses, cut by the line."""
    return loss_hill(scene.frame, scene.line, STYLE, asked=scene.asked.done)


def loss_alt(scene: Losses) -> str:
    """The same in words."""
    line, end = scene.line, "How often is it passed?"
    if scene.asked.done:
        end = f"It is passed in {percent(line.passed)} of draws; the mean loss is {RHO}."
    return f"A hill of losses around {RHO}, and a line at {significant(line.epsilon)}. {end}"


def loss_side(scene: Losses) -> Side:
    """What each letter bounds."""
    if not scene.asked.done:
        return Side(label=words.PASSED, value="?", caption=words.LOSSES)
    return Side(
        label=words.PASSED,
        value=percent(scene.line.passed),
        note="of all draws of the public number",
        claims=claims.losses(scene.line),
        lines=words.letters(scene.line),
        caption=words.LETTERS,
    )
