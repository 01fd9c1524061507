"""Ten items by name, for one tier: seen, hidden below the threshold, or made up by noise.

Drawn from counts, so for a made-up example or after "reveal" only. The axis is logarithmic.
"""

import math
from collections.abc import Callable

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpviz.charts.labels import note
from dpviz.charts.sparse.frame import COUNT, ITEM, VALUE, SparseTier
from dpviz.charts.tidy import require_columns
from dpviz.palette import TierStyle
from dpviz.words import number, plain, significant

KIND = "kind"
ROWS = (ITEM, KIND, COUNT, VALUE)
SEEN, HIDDEN, MADE_UP = "seen", "hidden", "made up by noise"
MOST = {MADE_UP: 2, HIDDEN: 4, SEEN: 4}
ROW, TOP, BOTTOM = 26, 8, 40  # pixels
LEAST = 0.7  # where the axis begins


def rows_frame(
    tier: SparseTier,
    indices: NDArray[np.int64],
    counts: NDArray[np.int64],
    names: Callable[[NDArray[np.int64]], list[str]],
) -> pd.DataFrame:
    """A few items of each kind, the most common first; columns `ROWS`.

    A hidden item has no value (NaN), one made up by noise the count 0. Of the seen and the hidden
    ones some are chosen evenly by rank, of those made up the largest.

    Args:
        tier: whose release is drawn.
        indices: the items that have a count.
        counts: their counts.
        names: names of items by index.
    """
    cells = np.array([], dtype=np.int64) if tier.indices is None else tier.indices
    values = np.array([]) if tier.values is None else tier.values
    truth = pd.Series(counts, index=indices).sort_values(ascending=False, kind="stable")
    given = pd.Series(values, index=cells)
    groups = {
        SEEN: truth.index[truth.index.isin(cells)],
        HIDDEN: truth.index[~truth.index.isin(cells)],
        MADE_UP: given[~given.index.isin(indices)].sort_values(ascending=False).index,
    }
    parts = []
    for kind, found in groups.items():
        most = MOST[kind]
        kept = found[:most] if kind == MADE_UP else found[_evenly(len(found), most)]
        chosen = {ITEM: names(kept.to_numpy(np.int64)), KIND: kind}
        numbers = {COUNT: truth.reindex(kept).fillna(0), VALUE: given.reindex(kept)}
        parts.append(pd.DataFrame(chosen | numbers).reset_index(drop=True))
    return pd.concat(parts, ignore_index=True)


def _evenly(size: int, most: int) -> NDArray[np.int64]:
    """At most this many places of `size`, evenly, both ends among them."""
    return np.unique(np.round(np.linspace(0, size - 1, min(size, most))).astype(np.int64))


def named_rows(frame: pd.DataFrame, *, threshold: float, style: TierStyle, noun: str) -> go.Figure:
    """Draw a row per item: its true count, and what is published of it.

    Args:
        frame: columns `ROWS`.
        threshold: above which an item shows.
        style: of the tier.
        noun: what is counted, such as "people".

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *ROWS)
    places = np.arange(len(frame))[::-1]
    made_up = (frame[KIND] == MADE_UP).to_numpy()
    hidden = (frame[KIND] == HIDDEN).to_numpy()
    most = float(np.nanmax([*frame[COUNT], *frame[VALUE], threshold]))
    traces = [_truth(frame, places, made_up, noun)]
    for name, rows in (("published", ~made_up & ~hidden), ("made up", made_up)):
        symbol = f"{style.marker}-open" if name == "made up" else style.marker
        traces.append(
            go.Scatter(
                x=np.maximum(frame[VALUE][rows], LEAST),
                y=places[rows],
                mode="markers",
                name=name,
                marker={"color": style.colour, "symbol": symbol, "size": 11, "line": {"width": 2}},
                hovertext=[_said(row, noun) for row in frame[rows].to_dict("records")],
                hoverinfo="text",
            )
        )
    layout = {
        "height": TOP + BOTTOM + ROW * len(frame),
        "margin": {"t": TOP, "b": BOTTOM},
        "annotations": [
            _words(row, place) for row, place in zip(frame.to_dict("records"), places, strict=True)
        ],
        "shapes": [_line(threshold, style, len(frame))],
        "xaxis": _axis(most, noun),
        "yaxis": {
            "range": (-0.6, len(frame) - 0.4),
            "tickvals": places,
            "ticktext": [plain(item, 24) for item in frame[ITEM]],
            "showgrid": False,
        },
    }
    return go.Figure(data=traces, layout=layout)


def _truth(
    frame: pd.DataFrame, places: NDArray[np.int64], made_up: NDArray[np.bool_], noun: str
) -> go.Scatter:
    real = frame[~made_up]
    look = {"symbol": "line-ns-open", "size": 16, "line": {"width": 1.5}}
    return go.Scatter(
        x=real[COUNT],
        y=places[~made_up],
        mode="markers",
        name="in truth",
        marker=look,
        hovertext=[f"In truth {c:,.0f} {plain(noun)}." for c in real[COUNT]],
        hoverinfo="text",
    )


def _said(row: dict[str, object], noun: str) -> str:
    value = significant(float(str(row[VALUE])), 4)
    return f"<b>{plain(str(row[ITEM]), 24)}</b>: {value} {plain(noun)} published."


def _words(row: dict[str, object], place: int) -> dict[str, object]:
    """Right of a row: what became of it."""
    kind = str(row[KIND])
    said = {
        SEEN: f"<b>{significant(float(str(row[VALUE])), 3)}</b>" if kind == SEEN else "",
        HIDDEN: "hidden",
        MADE_UP: MADE_UP,
    }[kind]
    return note(said, 1, int(place), xref="paper", xanchor="right", yanchor="middle")


def _line(threshold: float, style: TierStyle, rows: int) -> dict[str, object]:
    """The threshold, across all rows."""
    at = max(threshold, LEAST)
    line = {"color": style.colour, "width": 1.5, "dash": "dot"}
    ends = {"x0": at, "x1": at, "y0": -0.6, "y1": rows - 0.4}
    return {"type": "line", "xref": "x", "yref": "y", **ends, "line": line, "layer": "below"}


def _axis(most: float, noun: str) -> dict[str, object]:
    """Counts by powers of ten, with room for the words on the right."""
    powers = 10.0 ** np.arange(0, math.floor(math.log10(max(most, 1.0))) + 1)
    low, high = math.log10(LEAST), math.log10(max(most, 2.0))
    return {
        "type": "log",
        "range": (low, high + 0.28 * (high - low)),
        "tickvals": powers,
        "ticktext": [number(p) for p in powers],
        "title": {"text": f"{plain(noun)}; each step to the right is ten times as many"},
        "showgrid": True,
    }
