"""Two hills: how likely each number is if one thing is true, and if the other is."""

from collections.abc import Mapping
from typing import Any, Literal

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.labels import dotted, note, rule
from dpviz.charts.threads import BOTTOM, HEIGHT, TITLED, TOP, number_of
from dpviz.charts.tidy import Floats, require_columns
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.scenes.lessons import CENTRE, DENSITY, HILLS, PLACE
from dpviz.words import number

NARROWEST = 1.2  # of the axis to either side of the middle
FLANK, BELOW = 0.6, 0.14  # height of a name on its hill, of the hill; ink below a hill
STEM, HIGHEST = 1.1, 1.26  # times the hills: where the number is said, and the end of the axis
NAME = 0.3  # of the axis, from the middle: what the name of a hill takes on a phone
EDGE = 0.55  # of the axis, from the middle: beyond it words are turned inwards
Side = Literal["left", "right"]
SIDES: tuple[Side, Side] = ("left", "right")


def two_hills(
    frame: pd.DataFrame,
    sent: float,
    style: TierStyle,
    *,
    names: tuple[str, str],
    says: str,
    ticks: Mapping[float, str],
    reach: float | None = None,
    high: float | None = None,
    across: str = "",
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
        high: of the vertical axis, a density; None: as high as the hills, whatever their area.
        across: title of the horizontal axis.

    Raises:
        ParameterError: a column is missing, or `sent` is not a finite number.

    >>> from dpviz.scenes.lessons import hills_frame
    >>> fig = two_hills(hills_frame(0.3), 0.6, TierStyle(7, 6), names=("no", "yes"),
    ...     says="she sends", ticks={0.0: "no", 1.0: "yes"})
    >>> [trace.name for trace in fig.data]
    ['below no', 'no', 'below yes', 'yes', 'sent']
    """
    require_columns(frame, *HILLS)
    checks.finite(sent=sent)
    top, centres = high or float(frame[DENSITY].max()), sorted(frame[CENTRE].unique())
    middle = sum(centres) / 2
    reach = reach or max(NARROWEST, float(frame[PLACE].max()) - middle)
    hills = [_curve(part) for _, part in frame.groupby(CENTRE)]
    said = f"<b>{number(sent) if len(frame) == len(centres) else number_of(sent)}</b>"
    beyond = (sent - middle) / reach  # words at the edge stand towards the middle
    side = "right" if beyond > EDGE else "left" if beyond < -EDGE else "center"
    aside = {"xanchor": side, "yanchor": "bottom", "font": {"size": 18}}
    notes = [
        *(
            _clear(flank(x, y, words, side), sent, NAME * reach)
            for (x, y), words, side in zip(hills, names, SIDES, strict=True)
        ),
        note(f"{says} {said}", sent, STEM * top, **aside),
    ]
    axis = {"range": (middle - reach, middle + reach), "showgrid": False, "fixedrange": True}
    stem = dotted(sent) | {"yref": "y", "y1": STEM * top}
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": TITLED if across else BOTTOM, "r": 4},
        "annotations": notes,
        "shapes": [stem, rule(0)],
        "xaxis": axis
        | {"tickvals": list(ticks), "ticktext": list(ticks.values())}
        | ({"title": {"text": across}} if across else {}),
        "yaxis": {"visible": False, "range": (-0.06 * top, HIGHEST * top), "fixedrange": True},
    }
    drawn = [
        trace
        for (x, y), name, ink in zip(hills, ("no", "yes"), (False, True), strict=True)
        for trace in hill(x, y, name, ink=ink)
    ]
    return go.Figure(data=[*drawn, came(sent, 0, style, "sent")], layout=layout)


def _curve(part: pd.DataFrame) -> tuple[Floats, Floats]:
    """Places and heights of a hill; without noise of a spike."""
    x, y = part[PLACE].to_numpy(float), part[DENSITY].to_numpy(float)
    return (np.repeat(x, 2), np.r_[0.0, y]) if len(x) == 1 else (x, y)


def _clear(name: dict[str, Any], sent: float, long: float) -> dict[str, Any]:
    """The name of a hill, moved outwards where the stem would run through it."""
    out = sent - name["x"] if name["xanchor"] == "left" else name["x"] - sent
    return name | {"x": sent} if 0 < out < long else name


def hill(x: Floats, y: Floats, name: str, *, ink: bool, base: float = 0.0) -> list[go.Scatter]:
    """A hill: what is below it, and its outline.

    Args:
        x: places, in order.
        y: heights.
        name: of the outline.
        ink: whether it is in the ink of the page, not grey.
        base: height of its foot.
    """
    ends = {"x": np.r_[x, x[::-1]], "y": np.r_[np.full(len(x), base), y[::-1]]}
    fill = {"fill": "toself", "fillcolor": rgba(GREY, BELOW), "hoverinfo": "skip"}
    line: dict[str, Any] = {"width": 2.5, "simplify": False} | ({} if ink else {"color": GREY})
    return [
        go.Scatter(**ends, mode="none", name=f"below {name}", **fill),
        go.Scatter(x=x, y=y, mode="lines", name=name, line=line, hoverinfo="skip"),
    ]


def flank(x: Floats, y: Floats, words: str, side: Side) -> dict[str, Any]:
    """The name of a hill, beside the upper half of its flank on this side."""
    high = np.flatnonzero(y > FLANK * y.max())
    at = high[0] if side == "left" else high[-1]
    ends = "right" if side == "left" else "left"  # of the words
    look = {"xanchor": ends, "align": ends, "xshift": -12 if side == "left" else 12}
    return (
        note(words, float(x[at]), float(FLANK * y.max()), font={"size": 16}, yanchor="bottom")
        | look
    )


def came(x: float, y: float, style: TierStyle, name: str, **more: Any) -> go.Scatter:
    """The mark of the number that came, in the look of its tier; slot 0: the ink of the page."""
    marker = {"size": 20, "symbol": style.marker} | ({"color": style.colour} if style.slot else {})
    place = {"x": [x], "y": [y], "mode": "markers", "name": name, "cliponaxis": False}
    says = {"hovertemplate": f"The number is {number_of(x)}.<extra></extra>"}
    return go.Scatter(**(place | {"marker": marker} | says | more))
