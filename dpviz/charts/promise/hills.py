"""Hills with and without people: how often each number would come up, and the ratio of both."""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

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
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.words import number

HEIGHT, TOP, BOTTOM = 360, 8, 26  # pixels of a figure, above and below the plot
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
    marks = [_heights(at, away, here), *([] if asked else [_told(at, style)])]
    notes = _flanks(frame)
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
    drawn = []
    for name, colour in ((WITHOUT, GREY), (WITH, None)):
        y = base + scale * part[name].to_numpy(float)
        line: dict[str, Any] = {"width": 2.5, "simplify": False}
        line |= {"color": colour} if colour else {}
        ends = {"x": np.r_[x, x[::-1]], "y": np.r_[np.full(len(x), base), y[::-1]]}
        fill = {"fill": "toself", "fillcolor": rgba(GREY, 0.13), "hoverinfo": "skip"}
        drawn.append(go.Scatter(**ends, mode="none", name=f"below {name}", **fill))
        drawn.append(go.Scatter(x=x, y=y, mode="lines", name=name, line=line, hoverinfo="skip"))
    return drawn


def _flanks(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """What each hill is called, halfway up its outer flank."""
    notes = []
    for name, end, colour in ((WITHOUT, 0, GREY), (WITH, -1, None)):
        rows = frame[frame[name] > 0.6 * frame[name].max()]
        x, y = (float(rows[k].iloc[end]) for k in (PLACE, name))
        side = "right" if end == 0 else "left"
        words = f'<b style="color:{colour}">{name}</b>' if colour else f"<b>{name}</b>"
        look: dict[str, Any] = {"xanchor": side, "align": side, "xshift": 24 * (end == -1) - 12}
        notes.append(note(f"{words}<br>Maria", x, y, font={"size": 16}) | look)
    return notes


def _heights(at: float, away: float, here: float) -> go.Scatter:
    """Where the number meets both hills."""
    marker = {"size": 9, "symbol": "circle-open", "line": {"width": 2.5}}
    place = {"x": [at, at], "y": [away, here], "mode": "markers", "name": "heights"}
    return go.Scatter(**place, marker=marker, text=[WITHOUT, WITH], hoverinfo="text")


def _told(at: float, style: TierStyle) -> go.Scatter:
    marker = {"size": 18, "symbol": style.marker, "color": style.colour}
    says = f"The number is {number(at)}.<extra></extra>"
    place = {"x": [at], "y": [0], "mode": "markers", "name": "number", "cliponaxis": False}
    return go.Scatter(**place, marker=marker, hovertemplate=says)


def _ratio(frame: pd.DataFrame, at: float, loss: float, style: TierStyle) -> list[go.Scatter]:
    x, twos = frame[PLACE], frame[LOSS] / math.log(2)
    marker = {"size": 16, "symbol": style.marker, "color": style.colour}
    says = f"{ratio_at(loss)} times likelier with Maria<extra></extra>"
    return [
        go.Scatter(x=x, y=twos, mode="lines", name="ratio", yaxis="y2", hoverinfo="skip"),
        go.Scatter(
            **{"x": [at], "y": [loss / math.log(2)], "mode": "markers", "name": "ratio here"},
            **{"yaxis": "y2", "marker": marker, "hovertemplate": says},
        ),
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
    notes.append(
        note("guesses right, of 1,000", 1, 1, xref="paper", yref="paper")
        | {"xanchor": "right", "yanchor": "bottom"}
    )
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
