"""Two hills: how often each number would come up if one thing were true, and if the other were."""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.accounting.levels import gaussian_level
from dpviz.charts.labels import note, rule
from dpviz.charts.threads import BOTTOM, HEIGHT, TOP, number_of
from dpviz.charts.threads_frame import GAUSSIAN
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.words import number

CENTRE, PLACE, DENSITY = "centre", "place", "density"
HILLS = (CENTRE, PLACE, DENSITY)
REACH, POINTS = 3.6, 241  # standard deviations around both; points of a hill
NARROWEST = 1.2  # of the axis to either side of the middle
BESIDE = 0.26 * HEIGHT  # pixels from the middle of a hill to its name


def hills_frame(rho: float | None, first: float = 0.0) -> pd.DataFrame:
    """How often each number would come up around one truth, and around a truth larger by 1.

    Columns: centre, place (the number), density. Without noise each truth is one place of
    density 1.

    Args:
        rho: budget of the number; None: no noise.
        first: the smaller truth.

    Raises:
        ParameterError: `first` is not a finite number, or the budget is not positive.

    >>> hills_frame(None)["place"].tolist()
    [0.0, 1.0]
    """
    checks.finite(first=first)
    centres = (float(first), first + 1.0)
    if rho is None:
        return pd.DataFrame([(at, at, 1.0) for at in centres], columns=list(HILLS))
    level = gaussian_level(rho, 1.0)
    reach = REACH * math.sqrt(level)
    places = np.linspace(centres[0] - reach, centres[1] + reach, POINTS)
    hills = [
        pd.DataFrame({CENTRE: at, PLACE: places, DENSITY: GAUSSIAN.density(places - at, level)})
        for at in centres
    ]
    return pd.concat(hills, ignore_index=True)


def two_hills(
    frame: pd.DataFrame,
    sent: float,
    style: TierStyle,
    *,
    names: tuple[str, str],
    says: str,
    ticks: Mapping[float, str],
    reach: float | None = None,
) -> go.Figure:
    """Draw a hill for each of two truths, and the number that came.

    Args:
        frame: as `hills_frame` makes it.
        sent: the number.
        style: look of the tier that holds it; slot 0: the ink of the page.
        names: words beside the hills.
        says: who sends the number, such as "she sends".
        ticks: words at places of the horizontal axis.
        reach: of the axis to either side of the middle; None: as far as the hills go.

    Raises:
        ParameterError: a column is missing, or `sent` is not a finite number.

    >>> fig = two_hills(hills_frame(0.3), 0.6, TierStyle(7, 6), names=("no", "yes"),
    ...     says="she sends", ticks={0.0: "no", 1.0: "yes"})
    >>> [trace.name for trace in fig.data]
    ['no', 'yes', 'sent']
    """
    require_columns(frame, *HILLS)
    checks.finite(sent=sent)
    top, centres = float(frame[DENSITY].max()), sorted(frame[CENTRE].unique())
    middle = sum(centres) / 2
    reach = reach or max(NARROWEST, float(frame[PLACE].max()) - middle)
    parts = [part for _, part in frame.groupby(CENTRE)]
    traces = [_hill(part, name) for part, name in zip(parts, ("no", "yes"), strict=True)]
    size, high = {"size": 16}, 0.86 * top
    said: dict[str, Any] = {"align": "center", "yanchor": "bottom", "yshift": 16}
    exact = len(frame) == len(centres)  # then the words stand beside the spike
    said |= {"xanchor": "left", "xshift": 16} if exact else {"xanchor": "center"}
    left = {"xanchor": "right", "align": "right", "xshift": -BESIDE}
    notes = [
        note(names[0], centres[0], high, font=size, **left),
        note(names[1], centres[1], high, font=size, xshift=BESIDE),
        note(
            f"{says}<br><b>{number(sent) if exact else number_of(sent)}</b>",
            sent,
            0,
            font={"size": 18},
            **said,
        ),
    ]
    across = {"range": (middle - reach, middle + reach), "showgrid": False, "fixedrange": True}
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": BOTTOM, "r": 4},
        "annotations": notes,
        "shapes": [rule(0)],
        "xaxis": across | {"tickvals": list(ticks), "ticktext": list(ticks.values())},
        "yaxis": {"visible": False, "range": (-0.06 * top, 1.08 * top), "fixedrange": True},
    }
    return go.Figure(data=[*traces, _sent(sent, style, says)], layout=layout)


def _sent(sent: float, style: TierStyle, says: str) -> go.Scatter:
    marker: dict[str, Any] = {"size": 20, "symbol": style.marker}
    if style.slot:
        marker["color"] = style.colour
    place = {"x": [sent], "y": [0], "mode": "markers", "name": "sent", "cliponaxis": False}
    words = f"{says[:1].upper()}{says[1:]} {number_of(sent)}.<extra></extra>"
    return go.Scatter(**place, marker=marker, hovertemplate=words)


def _hill(part: pd.DataFrame, name: str) -> go.Scatter:
    x, y = part[PLACE].to_numpy(float), part[DENSITY].to_numpy(float)
    if len(x) == 1:  # no noise: a spike
        x, y = np.repeat(x, 2), np.r_[0.0, y]
    line: dict[str, Any] = {"width": 2.5, "simplify": False}
    line |= {"color": GREY} if name == "no" else {}
    fill = {"fill": "tozeroy", "fillcolor": rgba(GREY, 0.16)}
    return go.Scatter(x=x, y=y, mode="lines", name=name, line=line, hoverinfo="skip", **fill)
