"""The privacy loss as a random number: how often each comes up, and what each letter bounds."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.accounting import gaussian_log_delta, rho_to_mu
from dpviz.charts.labels import note, rule
from dpviz.charts.promise.hills import HEIGHT
from dpviz.charts.threads_frame import GAUSSIAN
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.words import percent, significant

LOSS, OFTEN, BEYOND = "loss", "often", "beyond"
LOSSES = (LOSS, OFTEN, BEYOND)
BOTTOM = 44
NEAR, FAR = -1.6, 2.7  # losses shown
HIGH = 1.22  # of the lines, in heights of the hill
RIGHTMOST = 1.2  # a line farther to the right has its words at its left
TICKS = {-1: "−1", 0: "0", 1: "1", 2: "2"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """A line through the losses of Gaussian noise, and what lies beyond it.

    Attributes:
        rho: budget of the noise: the mean loss.
        epsilon: where the line is.

    Raises:
        ParameterError: the budget is not positive, or the line is below 0.
    """

    rho: float
    epsilon: float

    def __post_init__(self) -> None:
        checks.positive(rho=self.rho)
        checks.non_negative(epsilon=self.epsilon)

    @property
    def passed(self) -> float:
        """How often the loss passes the line.

        >>> round(Line(rho=0.1, epsilon=0.5).passed, 3)
        0.186
        """
        return float(1 - GAUSSIAN.cdf(self.epsilon - self.rho, 2 * self.rho))

    @property
    def delta(self) -> float:
        """What the promise leaves open at this line, exactly.

        >>> round(Line(rho=0.1, epsilon=0.5).delta, 4)
        0.0374
        """
        return math.exp(gaussian_log_delta(self.epsilon, rho_to_mu(self.rho)))


def loss_frame(line: Line) -> pd.DataFrame:
    """How often each loss comes up, and how much of that the promise leaves open.

    The loss of Gaussian noise is a normal number with mean rho and variance 2 rho; of a loss beyond
    the line the share 1 - e^(epsilon - loss) counts, and all of it together is delta.

    Columns: loss, often (density), beyond (density of what is left open).

    >>> frame = loss_frame(Line(rho=0.1, epsilon=0.5))
    >>> round(float(np.trapezoid(frame["beyond"], frame["loss"])), 3)
    0.037
    """
    losses = np.r_[np.linspace(-FAR, line.epsilon, 200), np.linspace(line.epsilon, 2 * FAR, 300)]
    often = GAUSSIAN.density(losses - line.rho, 2 * line.rho)
    share = np.maximum(-np.expm1(line.epsilon - losses), 0.0)
    return pd.DataFrame({LOSS: losses, OFTEN: often, BEYOND: often * share})


def loss_hill(frame: pd.DataFrame, line: Line, style: TierStyle, *, asked: bool) -> go.Figure:
    """Draw how often each loss comes up, the line, and what lies beyond it.

    Args:
        frame: as `loss_frame` makes it.
        line: the line.
        style: look of the tier that is told.
        asked: whether all three letters are shown.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *LOSSES)
    shown = frame[frame[LOSS] <= FAR]
    top = float(shown[OFTEN].max())
    x, y = shown[LOSS].to_numpy(float), shown[OFTEN].to_numpy(float)
    over = shown[shown[LOSS] >= line.epsilon]
    traces = [_area(x, y, rgba(GREY, 0.14), "losses")]
    if asked:
        traces.append(_area(over[LOSS], over[OFTEN], rgba(style.colour, 0.3), "passes the line"))
        traces.append(_area(over[LOSS], over[BEYOND], style.colour, "left open"))
    look: dict[str, Any] = {"mode": "lines", "hoverinfo": "skip", "line": {"width": 2.5}}
    traces.append(go.Scatter(x=x, y=y, name="hill", **look))
    traces.append(go.Scatter(x=2 * [line.epsilon], y=[0, HIGH * top], name="line", **look))
    layout = {
        "height": HEIGHT,
        "margin": {"t": 8, "b": BOTTOM, "l": 0, "r": 4},
        "annotations": _words(line, top, style, asked=asked),
        "shapes": [rule(0)],
        "xaxis": {"range": (NEAR, FAR), "showgrid": False, "fixedrange": True}
        | {"tickvals": list(TICKS), "ticktext": list(TICKS.values())}
        | {"title": {"text": "← without Maria · privacy loss · with Maria →"}},
        "yaxis": {"visible": False, "fixedrange": True, "range": (-0.03 * top, 1.26 * top)},
    }
    if asked:
        mean = {"color": GREY, "width": 2, "dash": "2px 3px"}
        place = {"x": 2 * [line.rho], "y": [0, HIGH * top]}
        traces.append(go.Scatter(**place, name="mean", **(look | {"line": mean})))
    return go.Figure(data=traces, layout=layout)


def _area(x: Any, y: Any, colour: str, name: str) -> go.Scatter:
    x, y = np.asarray(x, float), np.asarray(y, float)
    ends = {"x": np.r_[x, x[::-1]], "y": np.r_[y, np.zeros(len(y))]}
    fill = {"fill": "toself", "fillcolor": colour, "hoverinfo": "skip"}
    return go.Scatter(**ends, mode="none", name=name, **fill)


def _words(line: Line, top: float, style: TierStyle, *, asked: bool) -> list[dict[str, Any]]:
    """Beside each line what it is, in words first; left of a line that is far to the right."""
    far = line.epsilon > RIGHTMOST
    side = {"xanchor": "right", "align": "right"} if far else {}
    says = {"font": {"size": 16}, "yanchor": "top", "xshift": -8 if far else 8, **side}
    if not asked:
        return [note("the line<br>How often beyond?", line.epsilon, HIGH * top, **says)]
    words = f"<b>line ε = {significant(line.epsilon)}</b><br>passed in {percent(line.passed)}"
    opened = f"left open<br>δ = {significant(line.delta, 2)}"
    opened = f'<b style="color:{style.colour}">{opened}</b>'
    mean = f"<b>mean ρ = {significant(line.rho)}</b>"
    left = says | {"xanchor": "right", "xshift": -8}
    at = line.epsilon if far else max(line.epsilon, 0.75) + 0.4
    return [
        note(mean, line.rho, HIGH * top, **left),
        note(words, line.epsilon, HIGH * top, **says),
        note(opened, at, 0.46 * top, **says),
    ]
