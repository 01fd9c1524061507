"""From which size on a group is readable: a line per tier, and one mark where it begins."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import dotted, note, tag
from dpviz.charts.tidy import require_columns, tiers
from dpviz.words import number, plain, rounded_up, significant

LEAST = ("tier", "size", "style")
ROW = 44.0  # pixels
NAMED = 4  # typed sizes that are marked
ROOM = 1.6  # of the axis beyond the outermost marks, as a factor


def least_sizes(frame: pd.DataFrame, sizes: Sequence[float], *, axis_title: str) -> go.Figure:
    """Draw each tier's line from its least readable size on; dotted: the sizes that were typed.

    Args:
        frame: columns `LEAST`; a size of 0: any group is readable.
        sizes: expected sizes of the groups; those above 0 are marked, at most four of them.
        axis_title: quantity and unit.

    Raises:
        ParameterError: a column is missing or there is no row.

    >>> from dpviz.palette import TierStyle
    >>> one = pd.DataFrame({"tier": ["audit"], "size": [22.0], "style": [TierStyle(11, 3)]})
    >>> [round(10**x) for x in least_sizes(one, [100.0], axis_title="people").data[0].x]
    [22, 160]
    """
    require_columns(frame, *LEAST)
    asked = sorted({float(size) for size in sizes if size > 0})
    asked = [asked[round(i)] for i in np.linspace(0, len(asked) - 1, min(len(asked), NAMED))]
    known = [*(float(s) for s in frame["size"] if 0 < s < np.inf), *asked] or [1.0]
    low, high = np.log10(min(known) / ROOM), np.log10(max(known) * ROOM)
    traces, notes = [], []
    for rank, tier in enumerate(tiers(frame)):
        size, y = float(tier.rows["size"].iloc[0]), ROW * (rank + 0.7)
        begins = float(np.log10(size)) if size else low
        words = f"{significant(rounded_up(size), 2)} and more" if size else "any size"
        traces.append(_line(tier.name, tier.style, (begins, high), y, words))
        label = f"{tag(tier.style, tier.short())} {words}"
        notes.append(note(label, 0, y - 0.42 * ROW, xref="paper"))
    bottom = ROW * len(notes) + 14
    layout = {
        "height": round(bottom + 50),
        "margin": {"t": 4},
        "annotations": notes,
        "shapes": [dotted(float(np.log10(size))) for size in asked],
        "xaxis": {
            "title": {"text": plain(axis_title)},
            "range": (low, high),
            "tickvals": [float(np.log10(size)) for size in asked],
            "ticktext": [number(size) for size in asked],
            "showgrid": False,
        },
        "yaxis": {"visible": False, "range": (bottom, 0)},
    }
    return go.Figure(data=traces, layout=layout)


def _line(name: str, style: Any, ends: tuple[float, float], y: float, words: str) -> go.Scatter:
    return go.Scatter(
        x=np.array(ends),
        y=[y, y],
        mode="lines+markers",
        name=name,
        line={"color": style.colour, "width": 4},
        marker={"color": style.colour, "symbol": style.marker, "size": [15, 0], "opacity": 1},
        hovertext=[f"<b>{name}</b> can read groups of {words}."] * 2,
        hoverinfo="text",
    )
