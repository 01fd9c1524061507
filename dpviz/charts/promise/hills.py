"""Hills with and without people: how often each number would come up, and the ratio of both."""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.forms.squares import guesses_head
from dpviz.charts.labels import dotted, note, rule
from dpviz.charts.promise.hills_frame import (
    HILLS,
    LOSS,
    PEOPLE,
    PLACE,
    RHO,
    RIGHT,
    WITH,
    WITHOUT,
)
from dpviz.charts.tidy import require_columns
from dpviz.charts.two_hills import SIDES, came, flank, hill
from dpviz.palette import TierStyle
from dpviz.words import number

HEIGHT, TOP, BOTTOM = 350, 8, 26  # pixels of a figure, above and below the plot
PANEL = 0.36  # share of the plot that the ratio takes
TALL = 0.82  # of a row of hills
TIMES = {-2: "¼", -1: "½", 0: "1", 1: "2", 2: "4"}  # powers of two, and ratios in words


def ratio_at(loss: float) -> str:
    """A ratio in words: how many times likelier.

    >>> ratio_at(math.log(2.46)), ratio_at(-math.log(2.46))
    ('2.5', '0.41')
    """
    return number(math.exp(loss))


def two_hills(frame: pd.DataFrame, at: float, style: TierStyle, *, asked: bool) -> go.Figure:
    """Draw both hills of one person, the number in question, and the ratio of the hills.

    Args:
        frame: as `hills_frame` makes it, of one group.
        at: the number in question.
        style: look of the tier that is told.
        asked: whether the ratio is shown.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *HILLS)
    x = frame[PLACE].to_numpy(float)
    tallest = float(frame[WITH].max())
    middle = (x[0] + x[-1]) / 2
    here, away, loss = (float(np.interp(at, x, frame[k])) for k in (WITH, WITHOUT, LOSS))
    side = -1 if at > middle else 1  # where the words have room
    marks = [_heights(at, away, here), *([] if asked else [came(at, 0, style, "number")])]
    notes = _names(frame)
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": BOTTOM, "l": 0, "r": 4},
        "shapes": [dotted(at), rule(0)],
        "xaxis": {"range": (x[0], x[-1]), "showgrid": False, "fixedrange": True}
        | {"tickvals": [306, 309, 312, 315, 318], "anchor": "y2" if asked else "y"},
        "yaxis": {"visible": False, "fixedrange": True, "range": (-0.07 * tallest, 1.05 * tallest)}
        | {"domain": (PANEL + 0.06, 1) if asked else (0, 1)},
    }
    traces = [*_hills(frame), *marks]
    if asked:
        traces += _ratio(frame, at, loss, style)
        words = f"<b>{ratio_at(loss)}</b> times"
        shift = {"xshift": 10 * side, "xanchor": "left" if side > 0 else "right"}
        shift |= {"yanchor": "bottom", "yshift": 30 if side > 0 else 0}  # above the line
        notes += [
            note(words, at, loss / math.log(2), yref="y2", font={"size": 22}, **shift),
            note("times likelier with Maria", 0, PANEL, xref="paper", yref="paper")
            | {"yanchor": "top", "font": {"size": 14}},
        ]
        ticks = {"tickvals": list(TIMES), "ticktext": list(TIMES.values()), "side": "right"}
        reach = 3.0  # powers of two
        layout["yaxis2"] = ticks | {
            **{"domain": (0, PANEL), "range": (-reach, reach), "fixedrange": True},
            **{"showgrid": True, "anchor": "x", "tickfont": {"size": 13}},
        }
    return go.Figure(data=traces, layout=layout | {"annotations": notes})


def _hills(part: pd.DataFrame, base: float = 0.0, scale: float = 1.0) -> list[go.Scatter]:
    """Grey without, ink with."""
    x = part[PLACE].to_numpy(float)
    return [
        trace
        for name in (WITHOUT, WITH)
        for trace in hill(
            x, base + scale * part[name].to_numpy(float), name, ink=name == WITH, base=base
        )
    ]


def _names(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """What each hill is called, beside its outer flank."""
    x = frame[PLACE].to_numpy(float)
    return [
        flank(x, frame[name].to_numpy(float), f"<b>{name}</b><br>Maria", side)
        for name, side in zip((WITHOUT, WITH), SIDES, strict=True)
    ]


def _heights(at: float, away: float, here: float) -> go.Scatter:
    """Where the number meets both hills."""
    marker = {"size": 9, "symbol": "circle-open", "line": {"width": 2.5}}
    place = {"x": [at, at], "y": [away, here], "mode": "markers", "name": "heights"}
    return go.Scatter(**place, marker=marker, text=[WITHOUT, WITH], hoverinfo="text")


def _ratio(frame: pd.DataFrame, at: float, loss: float, style: TierStyle) -> list[go.Scatter]:
    x, twos = frame[PLACE], frame[LOSS] / math.log(2)
    says = f"{ratio_at(loss)} times likelier with Maria<extra></extra>"
    here = {"yaxis": "y2", "hovertemplate": says}
    return [
        go.Scatter(x=x, y=twos, mode="lines", name="ratio", yaxis="y2", hoverinfo="skip"),
        came(at, loss / math.log(2), style, "ratio here", **here),
    ]


def hills_of_groups(frame: pd.DataFrame, groups: pd.DataFrame, *, known: int) -> go.Figure:
    """Draw a row for each group: both hills, and the guesses right about it.

    Args:
        frame: as `hills_frame` makes it.
        groups: as `groups_frame` makes it.
        known: for how many rows the guesses are shown.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *HILLS)
    require_columns(groups, PEOPLE, RHO, RIGHT)
    rows = groups.to_dict("records")
    scale = TALL / float(frame[WITH].max())
    traces, notes, labels = [], [], []
    for k, row in enumerate(rows):
        size = int(row[PEOPLE])
        traces += _hills(frame[frame[PEOPLE] == size], -k, scale)
        said = f"<b>{row[RIGHT]:.0f}</b>" if k < known else "<b>?</b>"
        place = {"xref": "paper", "xanchor": "right", "font": {"size": 24 if k else 18}}
        notes.append(note(said, 1, 0.3 - k, **place))
        labels.append(f"<b>{size}</b> {'person' if size == 1 else 'people'}")
    notes.append(guesses_head())
    last = frame[frame[PEOPLE] == frame[PEOPLE].max()]
    for name in (WITHOUT, WITH):
        look: dict[str, Any] = {"yanchor": "bottom", "yshift": 8, "font": {"size": 14}}
        at = float(last.loc[last[name].idxmax(), PLACE])
        notes.append(note(name, at, 1 - len(rows), xanchor="center", **look))
    x = frame[PLACE]
    room = 0.16 * float(x.max() - x.min())  # for the guesses
    layout = {
        "height": HEIGHT,
        "margin": {"t": 24, "b": BOTTOM, "r": 4},
        "annotations": notes,
        "shapes": [rule(-k) for k in range(len(rows))],
        "xaxis": {"range": (x.min() + 0.05 * room, x.max() + room), "showgrid": False}
        | {"tickvals": [304, 308, 312, 316], "fixedrange": True},
        "yaxis": {"range": (0.94 - len(rows), 1), "fixedrange": True}
        | {"tickvals": [0.3 - k for k in range(len(rows))], "ticktext": labels}
        | {"tickfont": {"size": 15}},
    }
    return go.Figure(data=traces, layout=layout)
