"""What is printed in the papers would have done: one row each, how many times what was promised.

A bar runs from 1, which is what was promised, to the number; the axis is logarithmic, so that twice
as much and half as much are equally long.
"""

import math
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import grounded, rule
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, rgba
from dpviz.words import plain, significant

PAPER, WHERE, ABOUT, TIMES, SAID = MISTAKES = ("paper", "where", "about", "times", "said")
MORE, LESS = "#A74A14", GREY  # gives more away than promised; spends noise in vain
ROW, HEAD = 54.0, 30.0  # pixels
DOWN = 34  # pixels, from the top of a row to its bar
THICK = 14.0
GIVES, WASTES, ASIDE = "gives too much away", "too noisy", 52  # pixels beside "as promised"
ROOM = 5.0  # of the largest number: what its words need beside the bar
TICKS = (0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0)


def mistake_bars(frame: pd.DataFrame) -> go.Figure:
    """Draw a bar per mistake; above it what goes wrong, and on hover the paper that has it.

    Args:
        frame: columns `MISTAKES`; `times` above 0, the largest first; `said` stands beside the bar.

    Raises:
        ParameterError: a column is missing or there is no row.

    >>> rows = [("A paper", "Lemma 1", "noise", 2.0, "2 times")]
    >>> mistake_bars(pd.DataFrame(rows, columns=list(MISTAKES))).data[0].x
    (0.0, 1.0)
    """
    require_columns(frame, *MISTAKES)
    bars, notes = [], []
    tops = _tops(frame)
    for y, (_, row) in zip(tops, frame.iterrows(), strict=True):
        times = float(row[TIMES])
        colour = MORE if times > 1 else LESS
        line = {"color": rgba(colour, 0.75), "width": THICK}
        bars.append(
            go.Scatter(
                x=(0.0, math.log2(times)),
                y=(y + DOWN, y + DOWN),
                mode="lines",
                line=line,
                name=plain(row[WHERE]),
                hoverinfo="text",
                hovertext=[_told(row)] * 2,
            )
        )
        notes.append(grounded(f"<b>{plain(row[ABOUT], 70)}</b>", 0, y + 12, xref="paper"))
        notes.append(grounded(row[SAID], max(math.log2(times), 0.0), y + DOWN, xshift=6))
    return go.Figure(data=bars, layout=_layout(frame, tops, notes))


def _told(row: Any) -> str:
    """A mistake, where it is printed, and how large it is."""
    where = f"{plain(row[PAPER], 70)}<br>{plain(row[WHERE])}"
    return f"<b>{plain(row[ABOUT])}</b><br>{where}<br>{row[SAID]}"


def _tops(frame: pd.DataFrame) -> list[float]:
    """Where each row begins."""
    return [HEAD + ROW * rank for rank in range(len(frame))]


def _layout(
    frame: pd.DataFrame, tops: list[float], notes: list[dict[str, object]]
) -> dict[str, object]:
    low = min(math.log2(frame[TIMES].min()), 0.0) - 0.8
    high = math.log2(max(frame[TIMES].max(), 2.0) * ROOM)
    most = max(frame[TIMES].max(), 2.0)  # beyond it is room for words alone
    ticks = [tick for tick in TICKS if low < math.log2(tick) and tick <= most]
    bottom = max(tops, default=HEAD) + ROW
    heads = (
        grounded("as promised", 0.0, 10, xanchor="center"),
        grounded(GIVES, 0.0, 10, xshift=ASIDE),
        grounded(WASTES, 0.0, 10, xshift=-ASIDE, xanchor="right"),
    )
    grey = {"type": "line", "x0": 0.0, "x1": 0.0, "line": {"color": GREY, "width": 1.5}}
    promised = [grey | {"y0": top + DOWN - 11, "y1": top + DOWN + 11} for top in tops]
    lines = [rule(top - 2) for top in tops]
    return {
        "height": round(bottom + 64),
        "margin": {"t": 4},
        "annotations": [*heads, *notes],
        "shapes": [*lines, *promised],
        "xaxis": {
            "title": {"text": "times what the paper promises"},
            "showgrid": False,
            "range": (low, high),
            "tickvals": [math.log2(tick) for tick in ticks],
            "ticktext": [significant(tick) for tick in ticks],
            "zeroline": False,
        },
        "yaxis": {"visible": False, "range": (bottom, 0)},
    }
