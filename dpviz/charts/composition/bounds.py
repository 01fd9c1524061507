"""The total ε of a sequence by every bound, one bar each, the tightest first.

The bar that counts is coloured; a bound that holds for questions fixed in advance only is hollow
while they are not. A dotted line is the total that may be spent.
"""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.accounting.bounds import ASSUMPTIONS, EXACT, Bound
from dpviz.charts.labels import dotted, note, pixels, ticks
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.words import NARROW, capitalised, plain, rounded_up, significant

BOUND, EPSILON, KIND, HOLDS, ASSUMES, REASON = (
    "bound",
    "epsilon",
    "kind",
    "holds",
    "assumes",
    "reason",
)
BOUNDS = (BOUND, EPSILON, KIND, HOLDS, ASSUMES, REASON)
BEST = TierStyle(2, 0)
ROW, THICK, NARROWEST = 54, 0.36, 250  # pixels of a row; share of it; the least width of the plot


def bounds_frame(bounds: Sequence[Bound], *, granted: str) -> pd.DataFrame:
    """A row for each bound, the tightest first, those that do not hold last; columns `BOUNDS`.

    Args:
        bounds: what all answers cost together, by every bound.
        granted: what may depend on earlier answers, one of `ASSUMPTIONS`.
    """
    most = ASSUMPTIONS.index(granted)
    rows = [
        (b.name, b.value, b.kind, ASSUMPTIONS.index(b.assumes) <= most, b.assumes, b.theorem)
        for b in bounds
    ]
    rows.sort(key=lambda row: (not row[3], row[1]))
    return pd.DataFrame(rows, columns=list(BOUNDS))


def bound_bars(frame: pd.DataFrame, *, limit: float | None = None) -> go.Figure:
    """Draw a bar for each bound, with its ε at the right.

    Args:
        frame: columns `BOUNDS`, as `bounds_frame` gives it.
        limit: the total that may be spent, or None.

    Raises:
        ParameterError: a column is missing, or there is no bound.

    >>> added = Bound("simple sum", 2.0, "MATHEMATICS 5.1", "upper bound", ASSUMPTIONS[0])
    >>> [bar.name for bar in bound_bars(bounds_frame([added], granted=IN_ADVANCE)).data]
    ['simple sum']
    """
    require_columns(frame, *BOUNDS)
    rows = frame.to_dict("records")
    texts = [_text(row) for row in rows]
    most = max(*frame[EPSILON], limit or 0.0, 1e-300)
    reserve = (max(pixels(text, 15, bold=True) for text in texts) + 18) / NARROWEST
    best = next((place for place, row in enumerate(rows) if row[HOLDS]), None)
    notes = [_name(row, -place) for place, row in enumerate(rows)]
    notes += [_number(text, -place) for place, text in enumerate(texts)]
    shapes = []
    if limit is not None:
        shapes.append(dotted(limit, layer="above"))
        side = "right" if limit > 0.5 * most else "left"
        look = {"yref": "paper", "yanchor": "bottom", "xanchor": side}
        notes.append(note(f"may be spent: {significant(limit)}", limit, 1, **look))
    layout = {
        "barmode": "overlay",
        "height": ROW * len(rows) + 82,
        "margin": {"t": 24},
        "annotations": notes,
        "shapes": shapes,
        "xaxis": {
            "range": (0, most / (1 - min(reserve, 0.6))),
            "title": {"text": "total ε of all questions (larger = less private)"},
        }
        | ticks(0, most * 1.04, most=5, room=(1 - min(reserve, 0.6)) * NARROWEST),
        "yaxis": {"visible": False, "range": (-len(rows) + 0.6, 0.7)},
    }
    bars = [_bar(row, -place, place == best) for place, row in enumerate(rows)]
    return go.Figure(data=bars, layout=layout)


def _text(row: dict[Any, Any]) -> str:
    """The ε of a row: a bound is not made smaller by being written."""
    if row[KIND] == EXACT:
        return significant(row[EPSILON])
    return f"≤{NARROW}{significant(rounded_up(row[EPSILON], 3))}"


def _bar(row: dict[Any, Any], y: float, best: bool) -> go.Bar:
    colour = BEST.colour if best else GREY
    holds = bool(row[HOLDS])
    said = "" if holds else "<br>Only if all questions are fixed in advance."
    return go.Bar(
        x=[row[EPSILON]],
        y=[y],
        width=THICK,
        orientation="h",
        name=row[BOUND],
        marker={
            "color": (colour if best else rgba(GREY, 0.55)) if holds else "rgba(0,0,0,0)",
            "line": {"width": 0 if holds else 1.5, "color": GREY},
        },
        hovertext=[
            f"<b>{capitalised(row[BOUND])}</b>: ε {_text(row)}.<br>{plain(row[REASON], 90)}{said}"
        ],
        hoverinfo="text",
    )


def _name(row: dict[Any, Any], y: float) -> dict[str, Any]:
    """The bound above its bar; one that does not hold says so."""
    name = capitalised(str(row[BOUND]))
    shown = f"{name}, if fixed in advance" if not row[HOLDS] else name
    return note(shown, 0, y + 0.2, xref="paper", yanchor="bottom")


def _number(text: str, y: float) -> dict[str, Any]:
    right = {"xref": "paper", "xanchor": "right", "align": "right", "font": {"size": 15}}
    return note(f"<b>{text}</b>", 1, y, **right)
