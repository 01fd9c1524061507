"""Two pictures of how the trick works: paths of noise below the truth, and runs that pile up.

Paths: left and right is the number, and the higher, the sharper, as in the picture of threads.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note, rule, tag
from dpviz.charts.labels import ticks as ticks_of
from dpviz.charts.threads import BOTTOM, HEIGHT, PLOT, TOP, bands, number_of, ring, threads
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.scenes.the_trick import COUNT, HEAPS, ORDER, PLACE, STRAND, STRANDS
from dpviz.scenes.threads import LARGE, SD, STATE, TO_COME, TRUTH, VALUE, WHO
from dpviz.words import plain

CLOSED, GAP = 0.12, 0.09  # opacity of where nothing can be asked; between it and a number
LOWER = 32  # pixels from the top of the plot
FAINT = 0.85  # opacity of a path that might have been
NUMBER = 48  # pixels of the plot of a phone for a number
LINE = 22  # pixels between two names of the legend
AHEAD = 40  # pixels that a choice above the picture takes from it
String = tuple[pd.DataFrame, TierStyle]


def walks(
    frame: pd.DataFrame,
    drawn: pd.DataFrame,
    possible: pd.DataFrame,
    *,
    ticks: Mapping[float, str],
    strings: Sequence[String] = (),
    rings: Sequence[str] = (),
    remark: str = "",
    band: str = "",
) -> go.Figure:
    """Draw the path that was drawn in ink, others that might have been in grey, and the numbers.

    The numbers stand at the right edge of their rows, where no path runs.

    Args:
        frame: the numbers, as `threads_frame` makes them, below a truth.
        drawn: the path, as `strands_frame` makes it; may be empty.
        possible: other paths; may be empty.
        ticks: words at places of the horizontal axis.
        strings: bands and the look of the tier whose number falls there; without them there is
            the cone.
        rings: whose marks are ringed.
        remark: words at the right edge, below what the truth is called.
        band: words beside the string.

    Raises:
        ParameterError: a column is missing.
    """
    base = threads(frame, ticks=ticks, guesses=False)
    rows = frame.to_dict("records")
    marks = [trace for trace in base.data if trace.mode == "markers"]
    below = [trace for trace in base.data if trace.name == "cone" and not strings]
    below += [trace for string, style in strings for trace in bands(string, style)]
    faint = {"color": rgba(GREY, FAINT), "width": 1.2}
    lines = [
        *_strands(possible, "a possible path", faint),
        *_strands(drawn, "the path", {"width": 2}),
    ]
    layout = base.layout.to_plotly_json()
    layout["xaxis"]["range"] = _across(layout["xaxis"]["range"], strings, (drawn, possible))
    layout["annotations"] = [
        *(words for words in layout["annotations"] if not _is_number(words)),
        *(_at_the_edge(row) for row in rows if row[STATE] not in (TRUTH, TO_COME)),
        *([_below_the_truth(remark)] if remark else []),
        *(_beside(string, style, band) for string, style in strings if band),
    ]
    around = [ring(row) for row in rows if row[WHO] in rings]
    return go.Figure(data=[*below, *lines, *around, *marks], layout=layout)


def _below_the_truth(words: str) -> dict[str, Any]:
    """Words at the right edge, where a cone is still narrow."""
    place = {"xref": "paper", "yref": "paper", "xanchor": "right", "yanchor": "top"}
    return note(words, 1, 1, yshift=-LOWER, **place) | {"align": "right"}


def _beside(string: pd.DataFrame, style: TierStyle, words: str) -> dict[str, Any]:
    """Words to the right of a band, half way down."""
    middle, lower = (string.iloc[k * len(string) // 4] for k in (2, 3))  # a band grows downwards
    return note(
        f'<b style="color:{style.colour}">{words}</b>', lower["high"], middle[SD], xshift=10
    )


def _is_number(words: dict[str, Any]) -> bool:
    """Whether words stand beside a mark, and are not those of the truth or at an edge."""
    return "xshift" in words and "xref" not in words and words["y"] > 0


def _at_the_edge(row: dict[Any, Any]) -> dict[str, Any]:
    """The number of a row, where other pictures have its guesses."""
    size = 21 if row[STATE] == LARGE else 15
    edge = {"xref": "paper", "xanchor": "right", "font": {"size": size}}
    return note(f"<b>{number_of(row[VALUE])}</b>", 1, row[SD], **edge)


def _across(
    ends: Sequence[float], strings: Sequence[String], paths: Sequence[pd.DataFrame]
) -> tuple[float, float]:
    """Ends of the horizontal axis that hold all bands and paths, and at its right edge numbers."""
    held = [string[name] for string, _ in strings for name in ("low", "high")]
    held += [frame[VALUE].astype(float) for frame in paths if not frame.empty]
    low = min([ends[0], *(float(each.min()) for each in held)])
    high = max([ends[1], *(float(each.max()) for each in held)])
    return low, high + (high - low) * NUMBER / (PLOT - NUMBER)


def sealed(
    frame: pd.DataFrame,
    *,
    ticks: Mapping[float, str],
    strings: Sequence[String],
    can_ask: Mapping[str, bool],
    erased: bool,
) -> go.Figure:
    """Draw what can still be asked: the strings, and a word at the right of each row.

    Args:
        frame: the numbers, as `threads_frame` makes them, below a truth.
        ticks: words at places of the horizontal axis.
        strings: bands in which later numbers may fall.
        can_ask: whether who has no number yet can still be given one.
        erased: whether the truth is erased.

    Raises:
        ParameterError: a column is missing.
    """
    nothing = pd.DataFrame(columns=list(STRANDS))
    base = walks(frame, nothing, nothing, ticks=ticks, strings=strings)
    rows = {row[WHO]: row for row in frame.to_dict("records")}
    edge = {"xref": "paper", "xanchor": "right", "font": {"size": 17}}
    notes = [
        note(f"<b>{'can ask' if can else 'too late'}</b>", 1, rows[who][SD], **edge)
        for who, can in can_ask.items()
    ]
    layout = base.layout.to_plotly_json()
    layout["annotations"] += notes
    if not erased:
        return go.Figure(data=base.data, layout=layout)
    (top,) = (row for row in rows.values() if row[STATE] == TRUTH)
    sharpest = min(row[SD] for row in rows.values() if row[STATE] not in (TRUTH, TO_COME))
    ends = {"x0": 0, "x1": 1, "xref": "x domain", "y0": layout["yaxis"]["range"][1]}
    shade = {"fillcolor": rgba(GREY, CLOSED), "line": {"width": 0}, "layer": "below"}
    layout["shapes"] += ({"type": "rect", **ends, "y1": sharpest - GAP, **shade},)
    cross = {"symbol": "x-thin", "size": 15, "line": {"width": 3, "color": GREY}}
    place = {"x": [top[VALUE]], "y": [0], "mode": "markers", "name": "erased", "marker": cross}
    gone = go.Scatter(**place, cliponaxis=False, hoverinfo="skip")
    left = [trace for trace in base.data if trace.name != plain(top[WHO], 40)]
    return go.Figure(data=[*left, gone], layout=layout)


def _strands(frame: pd.DataFrame, name: str, line: dict[str, object]) -> list[go.Scatter]:
    if frame.empty:
        return []
    require_columns(frame, *STRANDS)
    x: list[float | None] = []
    y: list[float | None] = []
    for _, part in frame.groupby(STRAND):
        x += [*part[VALUE], None]
        y += [*part[SD], None]
    return [go.Scatter(x=x, y=y, mode="lines", name=name, line=line, hoverinfo="skip")]


def heaps(
    frame: pd.DataFrame,
    single: Mapping[str, float],
    style: TierStyle,
    *,
    what: str,
    ticks: Mapping[float, str],
    both: bool,
) -> go.Figure:
    """Draw how many runs land where: one order filled, the other as an outline.

    Args:
        frame: as `heaps_frame` makes it, of two orders.
        single: the number of one run, by order.
        style: look of whose number it is.
        what: words for the height of a bar, above the vertical axis.
        ticks: words at places of the horizontal axis.
        both: whether the second order is shown.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *HEAPS)
    parts = {str(order): part for order, part in frame.groupby(ORDER, sort=False)}
    one, other = single
    key = f'<span style="color:{rgba(style.colour, 0.35)}">▇</span>'
    filled = {"fill": "tozeroy", "fillcolor": rgba(style.colour, 0.35)}
    traces = [_steps(parts[one], {"width": 0}) | filled]
    names = [f"{key} {_named(one, single, tag(style, ''))}"]
    if both:
        traces.append(_steps(parts[other], {"width": 2}))
        names.append(f"□ {_named(other, single, style.glyph)}")
    low, high = float(frame[PLACE].min()), float(frame[PLACE].max())
    top = 1.08 * float(frame[COUNT].max())
    traces += [
        {"x": [single[order]], "y": [0.0], "mode": "markers", "name": f"one run, {order}"}
        | {"cliponaxis": False, "marker": marker}
        for order, marker in (
            (one, {"size": 15, "symbol": style.marker, "color": style.colour}),
            (other, {"size": 15, "symbol": style.marker}),
        )[: 1 + both]
    ]
    place = {"xref": "paper", "yref": "paper", "yanchor": "top", "font": {"size": 15}}
    heights = ticks_of(0.0, top, most=4)
    layout = {
        "height": HEIGHT - AHEAD,
        "margin": {"t": TOP, "b": BOTTOM, "r": 4},
        "annotations": [
            note(what, 0, 1, **place) | {"yanchor": "bottom", "yshift": 6, "font": {"size": 13}},
            *(
                note(name, 0, 1, xshift=8, yshift=-2 * LINE * k, **place)
                for k, name in enumerate(names)
            ),
        ],
        "shapes": [rule(0)],
        "xaxis": {"range": (low, high), "showgrid": False, "fixedrange": True, "tickangle": 0}
        | {"tickvals": list(ticks), "ticktext": list(ticks.values())},
        "yaxis": {"range": (-0.05 * top, top), "fixedrange": True} | heights,
    }
    return go.Figure(
        data=[go.Scatter(hoverinfo="skip", **trace) for trace in traces], layout=layout
    )


def _named(order: str, single: Mapping[str, float], glyph: str) -> str:
    """An order of asking, and the number of one run below it, behind what marks it."""
    return f"{plain(order, 30)}<br>{glyph} one run: <b>{number_of(single[order])}</b>"


def _steps(part: pd.DataFrame, line: dict[str, Any]) -> dict[str, Any]:
    """The outline of the bars, from the axis to the axis."""
    x, y = part[PLACE].to_numpy(float), part[COUNT].to_numpy(float)
    half = (x[1] - x[0]) / 2
    edges = np.repeat(np.r_[x - half, x[-1] + half], 2)
    heights = np.r_[0.0, np.repeat(y, 2), 0.0]
    name = str(part[ORDER].iloc[0])
    return {"x": edges, "y": heights, "mode": "lines", "name": name, "line": line}
