"""Pictures of what the promise says: hills and their ratio, hills of groups, losses, and limits."""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.forms.squares import guesses_head
from dpviz.charts.labels import dotted, note, rule
from dpviz.charts.tidy import require_columns
from dpviz.charts.two_hills import SIDES, came, flank, hill
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.scenes.the_promise import (
    CUT,
    ERROR,
    FAR,
    GROUP_RHO,
    HILLS,
    LIMIT,
    LIMITS,
    LINE,
    LOSS,
    LOSSES,
    NEAR,
    NOISE,
    OFTEN,
    PEOPLE,
    PLACE,
    RIGHT,
    WITH,
    WITHOUT,
)
from dpviz.words import number

HEIGHT, TOP = 350, 8  # pixels of a figure, and above the plot
TITLED = 44  # pixels below a plot whose axis has a title
PANEL = 0.36  # share of the plot that the ratio takes
TALL = 0.82  # of a row of hills
TIMES = {-2: "¼", -1: "½", 0: "1", 1: "2", 2: "4"}  # powers of two, and ratios in words
HIGH = 1.22  # of the line, in heights of the hill
COUNTED = "people who are ill, with noise"  # of an axis
LIKELIER = "times as likely with Maria"
MIDDLE = 40  # limits beyond it have their words at their left
LOWEST, HIGHEST = -12, 190  # errors at the ends of the axis


def ratio_at(loss: float) -> str:
    """A ratio in words: how many times likelier.

    >>> ratio_at(math.log(2.46)), ratio_at(-math.log(2.46))
    ('2.5', '0.41')
    """
    return number(math.exp(loss))


def hills_and_ratio(
    frame: pd.DataFrame, at: float, rare: float, style: TierStyle, *, revealed: bool
) -> go.Figure:
    """Draw both hills of one person, the number in question, and the ratio of the hills.

    Args:
        frame: as `hills_frame` makes it, of one group.
        at: the number in question.
        rare: a larger one, which seldom comes.
        style: look of the tier that is told.
        revealed: whether the ratio is shown.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *HILLS)
    x = frame[PLACE].to_numpy(float)
    tallest = float(frame[WITH].max())
    here, away, loss = (float(np.interp(at, x, frame[k])) for k in (WITH, WITHOUT, LOSS))
    marks = [_heights(at, away, here), *([] if revealed else [came(at, 0, style, "number")])]
    notes = _names(frame)
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": TITLED, "l": 0, "r": 4},
        "shapes": [dotted(at), rule(0)],
        "xaxis": {"range": (x[0], x[-1]), "showgrid": False, "fixedrange": True}
        | {"tickvals": [305, 309, at, 317], "ticktext": ["305", "309", f"<b>{at:.0f}</b>", "317"]}
        | {"anchor": "y2" if revealed else "y"}
        | {"title": {"text": COUNTED}},
        "yaxis": {"visible": False, "fixedrange": True, "range": (-0.07 * tallest, 1.05 * tallest)}
        | {"domain": (PANEL + 0.06, 1) if revealed else (0, 1)},
    }
    traces = [*_hills(frame), *marks]
    if revealed:
        traces += _ratio(frame, at, rare, style)
        far = float(np.interp(rare, x, frame[LOSS]))
        above = {"xanchor": "right", "yanchor": "bottom", "xshift": -9, "yshift": 2}
        below = {"xanchor": "left", "yanchor": "top", "xshift": 9, "yshift": -2}
        notes += [
            note(f"<b>{ratio_at(each)}</b> times", where, each / math.log(2), yref="y2", **look)
            for where, each, look in (
                (at, loss, below | {"font": {"size": 22}}),
                (rare, far, above | {"font": {"size": 16}}),
            )
        ]
        corner = {"xref": "paper", "yref": "paper", "yanchor": "top", "xanchor": "left"}
        title = f"<b>{LIKELIER}</b>"
        notes.append(note(title, 0, PANEL, xshift=6, font={"size": 14}, **corner))
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


def _ratio(frame: pd.DataFrame, at: float, rare: float, style: TierStyle) -> list[go.Scatter]:
    """The ratio at each number; marked at the one in question, and hollow at a rare one."""
    x, twos = frame[PLACE].to_numpy(float), frame[LOSS].to_numpy(float) / math.log(2)
    heights = {where: float(np.interp(where, x, twos)) for where in (at, rare)}
    says = {
        where: f"{where:.0f}: {ratio_at(high * math.log(2))} {LIKELIER}<extra></extra>"
        for where, high in heights.items()
    }
    marker = {"size": 13, "symbol": "circle-open", "line": {"width": 2.5}}
    place = {"x": [rare], "y": [heights[rare]], "mode": "markers", "yaxis": "y2"}
    name = "ratio of a rare number"
    return [
        go.Scatter(x=x, y=twos, mode="lines", name="ratio", yaxis="y2", hoverinfo="skip"),
        go.Scatter(**place, name=name, marker=marker, hovertemplate=says[rare]),
        came(at, heights[at], style, "ratio here", yaxis="y2", hovertemplate=says[at]),
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
    require_columns(groups, PEOPLE, GROUP_RHO, RIGHT)
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
    first = frame[frame[PEOPLE] == frame[PEOPLE].min()]
    places = first[PLACE].to_numpy(float)
    for name, side in zip((WITHOUT, WITH), SIDES, strict=True):
        words = "none ill" if name == WITHOUT else "all ill"
        named = flank(places, scale * first[name].to_numpy(float), words, side)
        notes.append(named | {"font": {"size": 14}})
    x = frame[PLACE]
    room = 0.16 * float(x.max() - x.min())  # for the guesses
    layout = {
        "height": HEIGHT,
        "margin": {"t": 24, "b": TITLED, "r": 4},
        "annotations": notes,
        "shapes": [rule(-k) for k in range(len(rows))],
        "xaxis": {"range": (x.min() + 0.05 * room, x.max() + room), "showgrid": False}
        | {"tickvals": [304, 308, 312, 316], "fixedrange": True}
        | {"title": {"text": COUNTED}},
        "yaxis": {"range": (0.94 - len(rows), 1), "fixedrange": True}
        | {"tickvals": [0.3 - k for k in range(len(rows))], "ticktext": labels}
        | {"tickfont": {"size": 15}},
    }
    return go.Figure(data=traces, layout=layout)


def loss_hill(frame: pd.DataFrame, often: float, style: TierStyle, *, revealed: bool) -> go.Figure:
    """Draw how often each ratio comes up, the line at twice, and what lies beyond it.

    Args:
        frame: as `loss_frame` makes it.
        often: in how many draws of 100 the line is crossed.
        style: look of the tier that is told.
        revealed: whether that is shown.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *LOSSES)
    x, y = frame[LOSS].to_numpy(float), frame[OFTEN].to_numpy(float)
    top, line = float(y.max()), math.log(LINE)
    traces = [_area(x, y, rgba(GREY, 0.14), "all draws")]
    if revealed:
        traces.append(_area(x[x >= line], y[x >= line], style.colour, "beyond the line"))
    smooth = {"width": 2.5, "simplify": False}
    look: dict[str, Any] = {"mode": "lines", "hoverinfo": "skip", "line": smooth}
    traces.append(go.Scatter(x=x, y=y, name="hill", **look))
    traces.append(go.Scatter(x=2 * [line], y=[0, HIGH * top], name="line", **look))
    notes = [note("more than twice<br>as likely →", line, HIGH * top, yanchor="top", xshift=9)]
    notes[0]["font"] = {"size": 16}
    if revealed:
        words = f'<b style="color:{style.colour}">{often:.0f} of 100<br>draws</b>'
        notes.append(note(words, line + 0.42, 0.36 * top, font={"size": 18}))
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": TITLED, "l": 0, "r": 4},
        "annotations": notes,
        "shapes": [rule(0)],
        "xaxis": {"range": (NEAR, FAR), "showgrid": False, "fixedrange": True}
        | {"tickvals": [k * math.log(2) for k in TIMES], "ticktext": list(TIMES.values())}
        | {"title": {"text": LIKELIER}},
        "yaxis": {"visible": False, "fixedrange": True, "range": (-0.03 * top, 1.26 * top)},
    }
    return go.Figure(data=traces, layout=layout)


def _area(x: Any, y: Any, colour: str, name: str) -> go.Scatter:
    x, y = np.asarray(x, float), np.asarray(y, float)
    ends = {"x": np.r_[x, x[::-1]], "y": np.r_[y, np.zeros(len(y))]}
    fill = {"fill": "toself", "fillcolor": colour, "hoverinfo": "skip"}
    return go.Scatter(**ends, mode="none", name=name, **fill)


def cut_or_noise(
    frame: pd.DataFrame, at: int | None, given: int, style: TierStyle, *, revealed: bool
) -> go.Figure:
    """Draw the noise that each limit needs; then what it cuts away, and the error of both.

    Args:
        frame: as `limits_frame` makes it.
        at: the limit of the visitor; None: none was chosen.
        given: the limit that was known before.
        style: look of the tier that is told.
        revealed: whether more than the noise is shown.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *LIMITS)
    rows = frame.set_index(LIMIT)
    traces, notes = [_curve(frame, NOISE, style.colour)], [_noise_name(frame, style)]
    if revealed:
        traces += [_curve(frame, CUT, GREY), _curve(frame, ERROR, None)]
        notes += _curve_names()
        traces.append(_spot(given, float(rows.loc[given, ERROR]), "in advance", "circle"))
        inside = {"yanchor": "bottom", "yshift": 24, "xshift": 14}  # where the curve has room
        notes.append(_beside("once a month:<br>", given, float(rows.loc[given, ERROR]), **inside))
    if at is not None and (at != given or not revealed):
        name, symbol, colour = (
            (ERROR, "circle-open", None) if revealed else (NOISE, style.marker, style.colour)
        )
        height = float(rows.loc[at, name])
        words = "yours" if revealed else "noise"
        traces.append(_spot(at, height, words, symbol, colour))
        outside: dict[str, Any] = {"yanchor": "top", "xshift": 10}  # below what rises
        if revealed and at < given:
            outside |= {"yanchor": "bottom"}
        if at > MIDDLE:
            outside |= {"xanchor": "right", "xshift": -10, "yanchor": "bottom"}
        notes.append(_beside(f"{words}: ", at, height, **outside))
    most = float(frame[LIMIT].max())
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": TITLED, "l": 0, "r": 4},
        "annotations": notes,
        "shapes": [] if at is None else [dotted(at)],
        "xaxis": {"range": (-1, most + 3), "showgrid": False, "fixedrange": True}
        | {"tickvals": [0, 6, 12, 30, 60]}
        | {"title": {"text": "limit on visits counted per person"}},
        "yaxis": {"fixedrange": True, "range": (LOWEST, HIGHEST), "showgrid": True}
        | {"tickvals": [0, 50, 100, 150], "ticktext": ["0", "50", "100", "150<br>visits"]},
    }
    return go.Figure(data=traces, layout=layout)


def _curve(frame: pd.DataFrame, name: str, colour: str | None) -> go.Scatter:
    part = frame[frame[name] <= HIGHEST]
    line: dict[str, Any] = {"width": 2.5 if colour else 3.5} | ({"color": colour} if colour else {})
    place = {"x": part[LIMIT], "y": part[name], "mode": "lines"}
    return go.Scatter(**place, name=f"curve of {name}", line=line, hoverinfo="skip")


def _spot(x: float, y: float, name: str, symbol: str, colour: str | None = None) -> go.Scatter:
    marker: dict[str, Any] = {"size": 15, "symbol": symbol} | ({"color": colour} if colour else {})
    if symbol.endswith("open"):
        marker["line"] = {"width": 2.5}
    says = f"{name}: {y:.0f} visits, at a limit of {x:.0f}<extra></extra>"
    place = {"x": [x], "y": [y], "mode": "markers"}
    return go.Scatter(**place, name=name, marker=marker, hovertemplate=says, cliponaxis=False)


def _beside(words: str, x: float, y: float, **look: Any) -> dict[str, Any]:
    """What a spot is, with its number."""
    return note(f"{words}<b>{y:.0f}</b>", x, y, font={"size": 17}) | look


def _noise_name(frame: pd.DataFrame, style: TierStyle) -> dict[str, Any]:
    """The name of the noise, well below the end of its line, where a phone has room for it."""
    last = frame.iloc[-1]
    noise = f'<span style="color:{style.colour}">error<br>from noise</span>'
    look = {"xanchor": "right", "align": "right", "font": {"size": 15}}
    return note(noise, last[LIMIT], 0.57 * last[NOISE], **look)


def _curve_names() -> list[dict[str, Any]]:
    """The names of the other curves, where they are apart."""
    return [
        note("from<br>cutting off", 60, 34, xanchor="right", align="right", font={"size": 15}),
        note("<b>total error</b>", 45, 108, yanchor="bottom", xanchor="right", font={"size": 15}),
    ]
