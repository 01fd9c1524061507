"""What is printed in the papers would have done: one row each, how many times what was promised.

An outline in each row is what was promised, as long in every row; the bar is what the text as
printed does, on a scale from 0. So each row is read by itself, whatever it measures.
"""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import PHONE, grounded, pixels, rule
from dpviz.charts.tidy import require_columns
from dpviz.palette import BEYOND, GREY, rgba
from dpviz.words import plain

PAPER, WHERE, ABOUT, TIMES, SAID = MISTAKES = ("paper", "where", "about", "times", "said")
ROW, HEAD = 54.0, 30.0  # pixels
DOWN = 34  # pixels, from the top of a row to its bar
THICK, TALL = 14.0, 9.0  # pixels: of a bar, and from its middle to its outline
GAP = 8.0  # pixels, from a bar to its words
PROMISED = "promised"


def mistake_bars(frame: pd.DataFrame) -> go.Figure:
    """Draw a bar per mistake; above it what goes wrong, and on hover the paper that has it.

    Args:
        frame: columns `MISTAKES`; `times` above 0, the largest first; `said` stands beside the bar.

    Raises:
        ParameterError: a column is missing or there is no row.

    >>> rows = [("A paper", "Lemma 1", "noise", 2.0, "2 times")]
    >>> [bar.x for bar in mistake_bars(pd.DataFrame(rows, columns=list(MISTAKES))).data]
    [(0.0, 1.0), (1.0, 2.0)]
    """
    require_columns(frame, *MISTAKES)
    bars, notes = [], []
    tops = [HEAD + ROW * rank for rank in range(len(frame))]
    for y, (_, row) in zip(tops, frame.iterrows(), strict=True):
        times = float(row[TIMES])
        bars.append(_bar(row, y + DOWN, (0.0, min(times, 1.0)), GREY))
        if times > 1:
            bars.append(_bar(row, y + DOWN, (1.0, times), BEYOND))
        notes.append(grounded(f"<b>{plain(row[ABOUT], 70)}</b>", 0, y + 12, xref="paper"))
        notes.append(grounded(row[SAID], max(times, 1.0), y + DOWN, xshift=GAP))
    return go.Figure(data=bars, layout=_layout(frame, tops, notes))


def _bar(row: Any, y: float, ends: tuple[float, float], colour: str) -> go.Scatter:
    """A part of a bar; on hover its mistake, where it is printed, and how large it is."""
    where = f"{plain(row[PAPER], 70)}<br>{plain(row[WHERE])}"
    return go.Scatter(
        x=ends,
        y=(y, y),
        mode="lines",
        line={"color": rgba(colour, 0.75), "width": THICK},
        name=plain(row[WHERE]),
        hoverinfo="text",
        hovertext=[f"<b>{plain(row[ABOUT])}</b><br>{where}<br>{row[SAID]}"] * 2,
    )


def _layout(
    frame: pd.DataFrame, tops: list[float], notes: list[dict[str, object]]
) -> dict[str, object]:
    rows = zip(frame[TIMES], frame[SAID], strict=True)  # the words stay inside on a phone
    most = max(max(x, 1.0) / (1 - (pixels(said) + 2 * GAP) / PHONE) for x, said in rows)
    outline = {"type": "rect", "x0": 0.0, "x1": 1.0, "line": {"color": GREY, "width": 1.5}}
    outlines = [outline | {"y0": top + DOWN - TALL, "y1": top + DOWN + TALL} for top in tops]
    head = grounded(PROMISED, 0.5, 10, xanchor="center")
    bottom = max(tops) + ROW
    return {
        "height": round(bottom + 8),
        "margin": {"t": 4, "b": 4},
        "annotations": [head, *notes],
        "shapes": [*(rule(top - 2) for top in tops), *outlines],
        "xaxis": {"visible": False, "range": (-0.02, most), "fixedrange": True},
        "yaxis": {"visible": False, "range": (bottom, 0), "fixedrange": True},
    }
