"""Paths of noise below the truth: one that was drawn, and others that might have been.

Left and right is the number, and the higher, the sharper, as in the picture of threads.
"""

from collections.abc import Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note
from dpviz.charts.threads import bands, threads
from dpviz.charts.threads_frame import RIGHT, SD, STATE, TRUTH, VALUE, WHO
from dpviz.charts.tidy import require_columns
from dpviz.charts.trick.frame import STRAND, STRANDS
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.words import plain

CLOSED = 0.10  # opacity of what cannot be asked any more
String = tuple[pd.DataFrame, TierStyle]


def walks(
    frame: pd.DataFrame,
    drawn: pd.DataFrame,
    possible: pd.DataFrame,
    *,
    ticks: Mapping[float, str],
    strings: Sequence[String] = (),
    remark: str = "",
    wall: tuple[str, str] | None = None,
) -> go.Figure:
    """Draw the path that was drawn in ink, others that might have been in grey, and the numbers.

    Args:
        frame: the numbers, as `threads_frame` makes them, below a truth.
        drawn: the path, as `strands_frame` makes it; may be empty.
        possible: other paths; may be empty.
        ticks: words at places of the horizontal axis.
        strings: bands and the look of the tier whose number falls there; without them there is
            the cone.
        remark: words in the upper left corner.
        wall: words above and below a line between the truth and the sharpest number.

    Raises:
        ParameterError: a column is missing.
    """
    base = threads(frame, ticks=ticks, remark=remark, wall=wall, guesses=False)
    marks = [trace for trace in base.data if trace.mode == "markers"]
    below = [trace for trace in base.data if trace.name == "cone" and not strings]
    below += [trace for string, style in strings for trace in bands(string, style)]
    faint = {"color": rgba(GREY, 0.5), "width": 1}
    lines = [
        *_strands(possible, "a possible path", faint),
        *_strands(drawn, "the path", {"width": 2}),
    ]
    return go.Figure(data=[*below, *lines, *marks], layout=base.layout)


def sealed(
    frame: pd.DataFrame,
    drawn: pd.DataFrame,
    *,
    ticks: Mapping[float, str],
    strings: Sequence[String],
    asks: Mapping[str, bool],
    erased: bool,
) -> go.Figure:
    """Draw what can still be asked: the path, the strings, and a word at the right of each row.

    Args:
        frame: the numbers, as `threads_frame` makes them, below a truth.
        drawn: what is left of the path.
        ticks: words at places of the horizontal axis.
        strings: bands in which later numbers may fall.
        asks: whether who has no number yet can still be given one.
        erased: whether the truth is erased.

    Raises:
        ParameterError: a column is missing.
    """
    base = walks(frame, drawn, frame[[]], ticks=ticks, strings=strings)
    rows = {row[WHO]: row for row in frame.to_dict("records")}
    (top,) = (row for row in rows.values() if row[STATE] == TRUTH)
    edge = {"xref": "paper", "xanchor": "right"}
    notes = [
        note(f"<b>{'open' if can else 'closed'}</b>", 1, rows[who][SD], **edge)
        | {"font": {"size": 17}}
        for who, can in asks.items()
    ]
    sharpest = min(
        (row for row in rows.values() if row[RIGHT] and row[VALUE] == row[VALUE]),
        key=lambda row: row[SD],
    )
    shapes = list(base.layout.shapes)
    traces = list(base.data)
    if erased:
        ends = {"x0": 0, "x1": 1, "xref": "x domain", "y0": base.layout.yaxis.range[1]}
        look = {"fillcolor": rgba(GREY, CLOSED), "line": {"width": 0}, "layer": "below"}
        shapes.append({"type": "rect", **ends, "y1": sharpest[SD] - 0.1, **look})
        traces = [t for t in traces if t.name != plain(top[WHO], 40)]
        cross = {"symbol": "x-thin", "size": 15, "line": {"width": 3, "color": GREY}}
        traces.append(
            go.Scatter(
                **{"x": [top[VALUE]], "y": [0], "mode": "markers", "name": "erased"},
                marker=cross,
                cliponaxis=False,
                hoverinfo="skip",
            )
        )
    layout = base.layout.to_plotly_json()
    layout |= {"annotations": [*layout.get("annotations", ()), *notes], "shapes": shapes}
    return go.Figure(data=traces, layout=layout)


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
