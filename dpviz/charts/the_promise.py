"""Pictures of what the promise says: hills and their ratio, hills of groups, losses, and limits."""

import math
from collections.abc import Mapping
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
    BEYOND,
    CUT,
    ERROR,
    FAR,
    GROUP_RHO,
    HILLS,
    LIMIT,
    LIMITS,
    LOSS,
    LOSSES,
    NOISE,
    OFTEN,
    PEOPLE,
    PLACE,
    RIGHT,
    WITH,
    WITHOUT,
    Line,
)
from dpviz.words import number, percent, significant

HEIGHT, TOP, BOTTOM = 350, 8, 26  # pixels of a figure, above and below the plot
TITLED = 44  # pixels below a plot whose axis has a title
PANEL = 0.36  # share of the plot that the ratio takes
TALL = 0.82  # of a row of hills
TIMES = {-2: "¼", -1: "½", 0: "1", 1: "2", 2: "4"}  # powers of two, and ratios in words
NEAR = -1.6  # the least loss shown
HIGH = 1.22  # of the lines, in heights of the hill
RIGHTMOST = 1.2  # a line farther to the right has its words at its left
TICKS = {-1: "−1", 0: "0", 1: "1", 2: "2"}
PEOPLE_PANEL = 0.34  # share of the plot that the people take, above the errors
LOWEST, HIGHEST = -12, 190  # errors at the ends of the axis


def ratio_at(loss: float) -> str:
    """A ratio in words: how many times likelier.

    >>> ratio_at(math.log(2.46)), ratio_at(-math.log(2.46))
    ('2.5', '0.41')
    """
    return number(math.exp(loss))


def hills_and_ratio(
    frame: pd.DataFrame, at: float, style: TierStyle, *, revealed: bool
) -> go.Figure:
    """Draw both hills of one person, the number in question, and the ratio of the hills.

    Args:
        frame: as `hills_frame` makes it, of one group.
        at: the number in question.
        style: look of the tier that is told.
        revealed: whether the ratio is shown.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *HILLS)
    x = frame[PLACE].to_numpy(float)
    tallest = float(frame[WITH].max())
    middle = (x[0] + x[-1]) / 2
    here, away, loss = (float(np.interp(at, x, frame[k])) for k in (WITH, WITHOUT, LOSS))
    side = -1 if at > middle else 1  # where the words have room
    marks = [_heights(at, away, here), *([] if revealed else [came(at, 0, style, "number")])]
    notes = _names(frame)
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": TITLED, "l": 0, "r": 4},
        "shapes": [dotted(at), rule(0)],
        "xaxis": {"range": (x[0], x[-1]), "showgrid": False, "fixedrange": True}
        | {"tickvals": [306, 309, 312, 315, 318], "anchor": "y2" if revealed else "y"}
        | {"title": {"text": "people who are ill, with noise"}},
        "yaxis": {"visible": False, "fixedrange": True, "range": (-0.07 * tallest, 1.05 * tallest)}
        | {"domain": (PANEL + 0.06, 1) if revealed else (0, 1)},
    }
    traces = [*_hills(frame), *marks]
    if revealed:
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


def loss_hill(frame: pd.DataFrame, line: Line, style: TierStyle, *, revealed: bool) -> go.Figure:
    """Draw how often each loss comes up, the line, and what lies beyond it.

    Args:
        frame: as `loss_frame` makes it.
        line: the line.
        style: look of the tier that is told.
        revealed: whether both letters are shown.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *LOSSES)
    shown = frame[frame[LOSS] <= FAR]
    top = float(shown[OFTEN].max())
    x, y = shown[LOSS].to_numpy(float), shown[OFTEN].to_numpy(float)
    over = shown[shown[LOSS] >= line.epsilon]
    traces = [_area(x, y, rgba(GREY, 0.14), "losses")]
    if revealed:
        traces.append(_area(over[LOSS], over[OFTEN], rgba(style.colour, 0.3), "passes the line"))
        traces.append(_area(over[LOSS], over[BEYOND], style.colour, "left open"))
    smooth = {"width": 2.5, "simplify": False}
    look: dict[str, Any] = {"mode": "lines", "hoverinfo": "skip", "line": smooth}
    traces.append(go.Scatter(x=x, y=y, name="hill", **look))
    traces.append(go.Scatter(x=2 * [line.epsilon], y=[0, HIGH * top], name="line", **look))
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": TITLED, "l": 0, "r": 4},
        "annotations": _words(line, top, style, revealed=revealed),
        "shapes": [rule(0)],
        "xaxis": {"range": (NEAR, FAR), "showgrid": False, "fixedrange": True}
        | {"tickvals": list(TICKS), "ticktext": list(TICKS.values())}
        | {"title": {"text": "← without Maria · privacy loss · with Maria →"}},
        "yaxis": {"visible": False, "fixedrange": True, "range": (-0.03 * top, 1.26 * top)},
    }
    return go.Figure(data=traces, layout=layout)


def _area(x: Any, y: Any, colour: str, name: str) -> go.Scatter:
    x, y = np.asarray(x, float), np.asarray(y, float)
    ends = {"x": np.r_[x, x[::-1]], "y": np.r_[y, np.zeros(len(y))]}
    fill = {"fill": "toself", "fillcolor": colour, "hoverinfo": "skip"}
    return go.Scatter(**ends, mode="none", name=name, **fill)


def _words(line: Line, top: float, style: TierStyle, *, revealed: bool) -> list[dict[str, Any]]:
    """Beside each line what it is, in words first; left of a line that is far to the right."""
    far = line.epsilon > RIGHTMOST
    side = {"xanchor": "right", "align": "right"} if far else {}
    says = {"font": {"size": 16}, "yanchor": "top", "xshift": -8 if far else 8, **side}
    if not revealed:
        return [note("the line<br>How often crossed?", line.epsilon, HIGH * top, **says)]
    words = f"<b>line ε = {significant(line.epsilon)}</b><br>crossed in {percent(line.passed)}"
    opened = f"left open<br>δ = {significant(line.delta, 2)}"
    opened = f'<b style="color:{style.colour}">{opened}</b>'
    at = line.epsilon if far else max(line.epsilon, 0.75) + 0.4
    return [
        note(words, line.epsilon, HIGH * top, **says),
        note(opened, at, 0.46 * top, **says),
    ]


def cut_or_noise(
    values: Mapping[int, int],
    frame: pd.DataFrame,
    at: int,
    given: int,
    style: TierStyle,
    *,
    looked: bool,
) -> go.Figure:
    """Draw the noise at each limit; after a look people by their values, and all errors below.

    Args:
        values: how many people have each value.
        frame: as `limits_frame` makes it.
        at: the limit of the visitor.
        given: the limit that was known before.
        style: look of the tier that is told.
        looked: whether the people are shown, and so what a limit cuts away.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *LIMITS)
    if not looked:
        return _noise_by_limit(frame, at, style)
    rows = frame.set_index(LIMIT)
    yours, before = float(rows.loc[at, ERROR]), float(rows.loc[given, ERROR])
    corner = {"xref": "paper", "yref": "y2", "yanchor": "top", "xanchor": "right"}
    traces = [
        _people(values, at, style),
        _curve(frame, CUT, GREY),
        _curve(frame, NOISE, style.colour),
        _curve(frame, ERROR, None),
        _spot(given, before, "given before", "circle"),
        _spot(at, yours, "yours", "circle-open"),
    ]
    notes = [
        _outlier(values),
        note("error of the sum, root mean square", 1, HIGHEST, **corner),
        *_curve_names(frame, given, before, style),
        *_yours(at, yours, given),
    ]
    layout = _limits_layout(frame) | {"annotations": notes, "shapes": [dotted(at)]}
    layout["xaxis"] |= {"anchor": "y2"}
    layout["yaxis"] = {"visible": False, "fixedrange": True, "domain": (1 - PEOPLE_PANEL, 1)}
    layout["yaxis2"] = _errors_axis((0, 1 - PEOPLE_PANEL - 0.05))
    return go.Figure(data=traces, layout=layout)


def _noise_by_limit(frame: pd.DataFrame, at: int, style: TierStyle) -> go.Figure:
    """What is known before anyone looks at the people: the noise that each limit needs."""
    noise = float(frame.loc[frame[LIMIT] == at, NOISE].iloc[0])
    side = "left" if at <= 30 else "right"
    place = {"xanchor": side, "xshift": 13 if side == "left" else -13, "font": {"size": 18}}
    notes = [
        note(f"noise: <b>{noise:.0f}</b><br>standard deviation", at, noise, yanchor="top", **place),
        note("what is cut away: <b>?</b>", 1, 1, xref="paper", yref="paper", yanchor="top")
        | {"xanchor": "right", "font": {"size": 18}},
    ]
    traces = [
        _curve(frame, NOISE, style.colour, "y"),
        _spot(at, noise, NOISE, style.marker, style.colour, "y"),
    ]
    layout = _limits_layout(frame) | {"annotations": notes, "shapes": [dotted(at)]}
    layout["yaxis"] = _errors_axis((0, 1))
    return go.Figure(data=traces, layout=layout)


def _limits_layout(frame: pd.DataFrame) -> dict[str, Any]:
    most = float(frame[LIMIT].max())
    return {
        "height": HEIGHT - 14,  # the sentence has three lines on a phone
        "margin": {"t": TOP, "b": TITLED, "l": 0, "r": 4},
        "barmode": "overlay",
        "xaxis": {"range": (-1, most + 3), "showgrid": False, "fixedrange": True}
        | {"tickvals": [0, 15, 30, 45, 60]}
        | {"title": {"text": "visits of one person in a year, and where they are cut off"}},
    }


def _errors_axis(domain: tuple[float, float]) -> dict[str, Any]:
    ends = {"fixedrange": True, "domain": domain, "range": (LOWEST, HIGHEST)}
    ticks = {"tickvals": [0, 50, 100, 150], "ticktext": ["0", "50", "100", "150<br>visits"]}
    return ends | ticks | {"showgrid": True, "anchor": "x"}


def _people(values: Mapping[int, int], at: int, style: TierStyle) -> go.Bar:
    """A bar for each value; grey beyond the limit. The root of the number is its height."""
    colours = [style.colour if value <= at else rgba(GREY, 0.5) for value in values]
    return go.Bar(
        **{"x": [*values], "y": np.sqrt([*values.values()]), "name": "people", "width": 0.8},
        marker={"color": colours},
        hovertext=[f"{people} with {value} visits" for value, people in values.items()],
        hoverinfo="text",
    )


def _outlier(values: Mapping[int, int]) -> dict[str, Any]:
    most = max(values)
    words = f"one person: <b>{most}</b>"
    return note(words, most, 1, xanchor="right", xshift=-6, yanchor="bottom", yshift=4)


def _curve(frame: pd.DataFrame, name: str, colour: str | None, axis: str = "y2") -> go.Scatter:
    part = frame[frame[name] <= HIGHEST]
    line: dict[str, Any] = {"width": 2.5 if colour else 3.5} | ({"color": colour} if colour else {})
    place = {"x": part[LIMIT], "y": part[name], "mode": "lines", "yaxis": axis}
    return go.Scatter(**place, name=f"curve of {name}", line=line, hoverinfo="skip")


def _spot(
    x: float, y: float, name: str, symbol: str, colour: str | None = None, axis: str = "y2"
) -> go.Scatter:
    marker: dict[str, Any] = {"size": 15, "symbol": symbol} | ({"color": colour} if colour else {})
    if symbol.endswith("open"):
        marker["line"] = {"width": 2.5}
    says = f"{name}: {y:.0f} visits, at a limit of {x:.0f}<extra></extra>"
    place = {"x": [x], "y": [min(y, HIGHEST)], "mode": "markers", "yaxis": axis}
    return go.Scatter(**place, name=name, marker=marker, hovertemplate=says, cliponaxis=False)


def _yours(at: int, error: float, given: int) -> list[dict[str, Any]]:
    """The error at the limit of the visitor, unless the one given before is too near to it."""
    if abs(at - given) < 10:
        return []
    side = "left" if at < 10 else "right" if at > 50 else "center"
    words = f"yours: <b>{error:.0f}</b>"
    look = {"yref": "y2", "xanchor": side, "yanchor": "bottom", "yshift": 11}
    return [note(words, at, error, font={"size": 15}, **look)]


def _curve_names(
    frame: pd.DataFrame, given: int, before: float, style: TierStyle
) -> list[dict[str, Any]]:
    """The names of the curves, where they are apart."""
    last = frame.iloc[-1]
    return [
        note(f'<span style="color:{style.colour}">noise</span>', last[LIMIT], 0.8 * last[NOISE])
        | {"yref": "y2", "xanchor": "right", "yanchor": "top", "font": {"size": 15}},
        note("cut away", 34, 26, yref="y2", yanchor="bottom", font={"size": 15}),
        note("<b>both</b>", 45, 108, yref="y2", yanchor="bottom", xanchor="right")
        | {"font": {"size": 15}},
        note(f"given: <b>{before:.0f}</b>", given, before, yref="y2")
        | {"yanchor": "bottom", "yshift": 12, "font": {"size": 16}, "xanchor": "center"},
    ]
