"""What is printed in the papers would have done: one row each, how many times what was promised.

A bar runs from 1, which is what was promised, to the number; the axis is logarithmic, so that twice
as much and half as much are equally long.
"""

import math

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import grounded, note, rule
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, rgba
from dpviz.words import plain, significant

WHERE, ABOUT, TIMES = MISTAKES = ("where", "about", "times")
MORE, LESS = "#A74A14", GREY  # gives more away than promised; spends noise in vain
ROW, HEAD = 66.0, 30.0  # pixels
THICK = 14.0
GIVES, WASTES, ASIDE = "gives more away →", "← wasted noise", 44  # pixels beside "as promised"
ROOM = 1.9  # of the largest number: what its words need beside the bar
TICKS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)


def mistake_bars(frame: pd.DataFrame) -> go.Figure:
    """Draw a bar per mistake; above it what goes wrong, and where it is printed.

    Args:
        frame: columns `MISTAKES`; `times` above 0.

    Raises:
        ParameterError: a column is missing or there is no row.

    >>> one = pd.DataFrame([("Lemma 1", "noise", 2.0)], columns=list(MISTAKES))
    >>> mistake_bars(one).data[0].x
    (0.0, 1.0)
    """
    require_columns(frame, *MISTAKES)
    bars, notes = [], []
    for rank, (_, row) in enumerate(frame.iterrows()):
        times, y = float(row[TIMES]), HEAD + ROW * rank
        colour = MORE if times > 1 else LESS
        said = f"{significant(times)} times what was promised"
        line = {"color": rgba(colour, 0.75), "width": THICK}
        bars.append(
            go.Scatter(
                x=(0.0, math.log2(times)),
                y=(y + 48, y + 48),
                mode="lines",
                line=line,
                name=plain(row[WHERE]),
                hoverinfo="text",
                hovertext=[f"<b>{plain(row[WHERE])}</b>: {plain(row[ABOUT])}<br>{said}"] * 2,
            )
        )
        notes.append(grounded(f"<b>{plain(row[ABOUT], 70)}</b>", 0, y + 10, xref="paper"))
        notes.append(grounded(plain(row[WHERE], 70), 0, y + 27, xref="paper"))
        beside = {"xshift": 6} if times > 1 else {"xshift": -6, "xanchor": "right"}
        notes.append(note(f"{significant(times)} times", math.log2(times), y + 48, **beside))
    return go.Figure(data=bars, layout=_layout(frame, notes))


def _layout(frame: pd.DataFrame, notes: list[dict[str, object]]) -> dict[str, object]:
    low = min(math.log2(frame[TIMES].min()), 0.0) - 0.8
    high = math.log2(max(frame[TIMES].max(), 2.0) * ROOM)
    ticks = [tick for tick in TICKS if low < math.log2(tick) < high]
    bottom = HEAD + ROW * len(frame)
    heads = (
        grounded("as promised", 0.0, 10, xanchor="center"),
        grounded(GIVES, 0.0, 10, xshift=ASIDE),
        grounded(WASTES, 0.0, 10, xshift=-ASIDE, xanchor="right"),
    )
    promised = {"type": "line", "x0": 0.0, "x1": 0.0, "y0": HEAD - 8, "y1": bottom}
    lines = [rule(HEAD + ROW * rank - 2) for rank in range(len(frame))]
    return {
        "height": round(bottom + 64),
        "margin": {"t": 4},
        "annotations": [*heads, *notes],
        "shapes": [*lines, promised | {"line": {"color": GREY, "width": 1.5}}],
        "xaxis": {
            "title": {"text": "times what was promised; each grid line doubles it"},
            "range": (low, high),
            "tickvals": [math.log2(tick) for tick in ticks],
            "ticktext": [significant(tick) for tick in ticks],
            "zeroline": False,
        },
        "yaxis": {"visible": False, "range": (bottom, 0)},
    }
