"""Items by name, for one tier: seen, hidden below the threshold, or a phantom.

Drawn from counts, so for a made-up example or after "reveal" only. The axis is logarithmic.
"""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.axes import log_ticks
from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import note
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, TierStyle
from dpviz.scenes.sparse_histograms import HIDDEN, PHANTOM, SEEN
from dpviz.words import capitalised, clean, join, plain, significant

ITEM, KIND, COUNT, VALUE = ITEMS = ("item", "kind", "count", "value")
ROW, TOP, BOTTOM = 26, 24, 40  # pixels
LEAST = 0.7  # the smallest number on the axis


def named_rows(frame: pd.DataFrame, *, threshold: float, style: TierStyle, noun: str) -> Picture:
    """Draw a row per item: its true count, and what is published of it.

    Args:
        frame: columns `ITEMS`, as `dpviz.scenes.sparse_histograms.ten_items` gives them.
        threshold: above which an item shows.
        style: of the tier.
        noun: what is counted, such as "people".

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *ITEMS)
    rows = frame.assign(place=np.arange(len(frame))[::-1])
    real, phantoms = rows[rows[KIND] != PHANTOM], rows[rows[KIND] == PHANTOM]
    ink = {"symbol": "line-ns-open", "size": 16, "line": {"width": 1.5}}
    look = {"color": style.colour, "symbol": style.marker, "size": 11, "line": {"width": 2}}
    hollow = look | {"symbol": f"{style.marker}-open"}
    grey = look | {"color": GREY}
    most = math.log10(max(2.0, float(np.nanmax([*frame[COUNT], *frame[VALUE], threshold]))))
    least = math.log10(LEAST)
    ends = least - 0.05, most + 0.45 * (most - least)  # with room for the words on the right
    at = max(threshold, LEAST)
    layout = {
        "height": TOP + BOTTOM + ROW * len(rows),
        "margin": {"t": TOP, "b": BOTTOM},
        "annotations": [_line_said(at, threshold), *map(_became, rows.to_dict("records"))],
        "shapes": [
            {
                "type": "line",
                **{"x0": at, "x1": at, "y0": -0.6, "y1": len(rows) - 0.4},
                "line": {"color": style.colour, "width": 1.5, "dash": "dot"},
                "layer": "below",
            }
        ],
        "xaxis": {
            "type": "log",
            "range": ends,
            "title": {"text": f"{plain(noun)} (log scale)"},
            "showgrid": True,
        }
        | log_ticks(0.0, most, 3),
        "yaxis": {
            "range": (-0.6, len(rows) - 0.4),
            "tickvals": rows["place"].to_numpy(),
            "ticktext": [plain(item, 24) for item in rows[ITEM]],
            "showgrid": False,
        },
    }
    traces = [
        _marks("with noise, hidden", real[real[KIND] == HIDDEN].dropna(), VALUE, grey, noun),
        _marks("published", real[real[KIND] == SEEN], VALUE, look, noun),
        _marks("published of a phantom", phantoms, VALUE, hollow, noun),
        _marks("in truth", real, COUNT, ink, noun),  # on top of what is near it
    ]
    kinds = [
        f"{capitalised(str(kind))}: {join([clean(item) for item in held[ITEM]])}."
        for kind, held in rows.groupby(KIND, sort=False)
    ]
    return Picture(go.Figure(data=traces, layout=layout), " ".join(kinds))


def _marks(
    name: str, rows: pd.DataFrame, column: str, look: dict[str, Any], noun: str
) -> go.Scatter:
    """True counts, or what is published."""
    said = [
        f"<b>{plain(item, 24)}</b>: {significant(value, 4)} {plain(noun)} {name}."
        for item, value in zip(rows[ITEM], rows[column], strict=True)
    ]
    return go.Scatter(
        x=np.maximum(rows[column], LEAST),
        y=rows["place"],
        mode="markers",
        name=name,
        marker=look,
        hovertext=said,
        hoverinfo="text",
    )


def _line_said(at: float, threshold: float) -> dict[str, Any]:
    """Above the dotted line: from where on an item shows."""
    place = {"yref": "paper", "xanchor": "center", "yanchor": "bottom"}
    return note(f"shown beyond {significant(threshold)}", math.log10(at), 1, **place)


def _became(row: dict[Any, Any]) -> dict[str, Any]:
    """Right of a row: what became of it."""
    said = plain(row[KIND])
    if row[KIND] != HIDDEN:
        said = f"{said}: <b>{significant(row[VALUE], 3)}</b>"
    return note(said, 1, row["place"], xref="paper", xanchor="right", yanchor="middle")
