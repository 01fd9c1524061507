"""What bounding itself costs: exact numbers, so everything here is grey and not private.

For teaching mode only, behind "reveal".
"""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpviz.charts.labels import PHONE, Floats, beyond, note, signed, ticks, wrapped
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY
from dpviz.queries import Kept, Query
from dpviz.words import number, percent, plain
from dpviz.words.grammar import numbered

BOUNDING = ("group", "bounded", "unbounded", "difference")
KEPT = ("stage", "rows", "share")
MOST = 30  # groups; of more those that move most are shown
ROW = 34  # pixels


def bounding_frame(
    query: Query, bounded_estimates: NDArray[Any], unbounded: NDArray[Any]
) -> pd.DataFrame:
    """How far the bounds move each number, columns `BOUNDING`, in units of the statistic.

        difference = bounded − unbounded

    Args:
        query: the statistic.
        bounded_estimates: its exact bounded numbers, as read; shape (labels,).
        unbounded: the same numbers without ℓ₀, ℓ∞ and clip, as `dpviz.queries.unbounded` gives
            them; shape (labels,). NaN for a mean without rows.
    """
    bounded = np.asarray(bounded_estimates, dtype=np.float64)
    whole = np.asarray(unbounded, dtype=np.float64)
    columns = (list(query.labels), bounded, whole, bounded - whole)
    return pd.DataFrame(dict(zip(BOUNDING, columns, strict=True)))


def kept_frame(kept: Kept) -> pd.DataFrame:
    """How many rows are left after each bound, columns `KEPT`; shares are of all rows.

    The last row counts the rows whose value the clip moved; they stay, at the bound.
    """
    stages = (
        ("in the file", kept.rows),
        ("in a group, with what is needed", kept.in_groups),
        ("after the bound on groups", kept.after_groups),
        ("after the bound on rows", kept.after_rows),
        ("moved by the clip", kept.clipped),
    )
    rows = [(stage, count, count / max(kept.rows, 1)) for stage, count in stages]
    return pd.DataFrame(rows, columns=list(KEPT))


def bounding_chart(frame: pd.DataFrame, *, axis_title: str) -> go.Figure:
    """A bar per group, as long as the bounds move its number: to the left what they take away.

    Args:
        frame: columns `BOUNDING`; a difference that is NaN (a mean without rows) has no bar.
        axis_title: quantity and unit.

    Raises:
        ParameterError: a column is missing or there is no row.

    >>> frame = pd.DataFrame({"group": ["a"], "bounded": [90.0], "unbounded": [100.0],
    ...     "difference": [-10.0]})
    >>> bounding_chart(frame, axis_title="rows").data[0].x.tolist()
    [-10.0]
    """
    require_columns(frame, *BOUNDING)
    shown = frame.iloc[_largest(np.abs(frame["difference"].to_numpy(float)))]
    moved = shown["difference"].to_numpy(float)
    names = [wrapped(group) for group in shown["group"]]
    rows = np.arange(len(shown))
    sentences = [
        f"Exact, <b>not private</b>: {number(before)} for {plain(group, 40)},<br>"
        f"and {number(after)} after the bounds."
        for group, after, before in zip(
            shown["group"], shown["bounded"], shown["unbounded"], strict=True
        )
    ]
    width = PHONE - 16 - max(length for _, length in names)
    known, texts = np.nan_to_num(moved), [signed(x) for x in moved]
    limits = beyond(min(0.0, known.min()), max(0.0, known.max()), texts, width)
    layout = {
        "height": 56 + ROW * len(shown),
        "margin": {"t": 4},
        "annotations": [_amount(x, row) for row, x in enumerate(moved)],
        "xaxis": {"title": {"text": plain(axis_title)}, "range": limits}
        | ticks(*limits, most=4, room=width - 10),
        "yaxis": {
            "range": (len(shown) - 0.5, -0.5),
            "tickvals": rows,
            "ticktext": [text for text, _ in names],
            "tickfont": {"size": 13},
        },
    }
    return go.Figure(data=[_bars(moved, rows, sentences)], layout=layout)


def kept_chart(frame: pd.DataFrame, *, rows_are: str = "rows") -> go.Figure:
    """A bar per stage, as long as the share of rows that is left after it.

    Args:
        frame: columns `KEPT`.
        rows_are: what several rows are called.

    Raises:
        ParameterError: a column is missing or there is no row.
    """
    require_columns(frame, *KEPT)
    share, rows = frame["share"].to_numpy(float), np.arange(len(frame))
    told = zip(frame["stage"], frame["rows"], share, strict=True)
    texts = [
        f"{plain(stage)}: {numbered(count, plain(rows_are))}, {percent(part)}"
        for stage, count, part in told
    ]
    sentences = [f"Exact, <b>not private</b>: {text}." for text in texts]
    notes = [note(text, 0, row - 0.34, xref="paper") for row, text in enumerate(texts)]
    layout = {
        "height": 16 + 48 * len(frame),
        "margin": {"t": 8, "b": 8},
        "annotations": notes,
        "xaxis": {"visible": False, "range": (0, 1)},
        "yaxis": {"visible": False, "range": (len(frame) - 0.5, -0.6)},
    }
    bars = _bars(share, rows + 0.12, sentences).update(width=0.36)
    return go.Figure(data=[bars], layout=layout)


def _largest(size: Floats) -> NDArray[np.intp]:
    """Places of the largest, as they stand in the list; NaN last."""
    return np.sort(np.argsort(-np.nan_to_num(size, nan=-1.0), kind="stable")[:MOST])


def _bars(lengths: Floats, rows: NDArray[Any], sentences: list[str]) -> go.Bar:
    return go.Bar(
        x=lengths,
        y=rows,
        orientation="h",
        width=0.5,
        marker={"color": GREY, "line": {"width": 0}},
        hovertext=sentences,
        hoverinfo="text",
        name="exact",
    )


def _amount(moved: float, row: int) -> dict[str, Any]:
    """The number beyond the end of its bar; of no bar, inside the plot."""
    left = moved < 0
    end, look = (0.0 if np.isnan(moved) else moved), {"xshift": -6 if left else 6}
    return note(signed(moved), end, row, xanchor="right" if left else "left", **look)
