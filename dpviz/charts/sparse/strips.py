"""Who survives a threshold: a strip per tier, items by rank, released values as marks.

The grey line is the true count, the dotted one the threshold; phantoms are beyond the last item,
in a band of their own, for they have no rank. Drawn from counts, so for a made-up example or after
"reveal" only. Both axes are logarithmic; a value below ½ is drawn there.
"""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note, tag
from dpviz.charts.sparse.frame import (
    BUDGET,
    COUNT,
    DRAWN,
    ITEM,
    PHANTOMS,
    RANK,
    SLOT,
    STRIPS,
    SYMBOL,
    THRESHOLD,
    TIER,
    TRUE_ITEMS,
    TRUTH,
    VALUE,
)
from dpviz.charts.tidy import Floats, require_columns
from dpviz.palette import GREY, GRID, TierStyle, rgba
from dpviz.words import number, plain, significant

NAME, BETWEEN, BOTTOM = 22.0, 10.0, 48  # pixels: a strip's name, the gap below it, the axis
FLOOR = 0.5  # where the vertical axis begins


def sparse_strips(
    strips: pd.DataFrame, truth: pd.DataFrame, shown: pd.DataFrame, *, noun: str
) -> go.Figure:
    """Draw a strip per tier, most private on top.

    Args:
        strips: columns `STRIPS`, a row per tier.
        truth: columns `TRUTH`.
        shown: columns `SHOWN`; may have no rows.
        noun: what is counted, such as "people".

    Raises:
        ParameterError: a column is missing, or there is no tier.
    """
    require_columns(strips, *STRIPS)
    require_columns(truth, *TRUTH)
    last = float(truth[RANK].max())
    start, end = last * 1.9, last * 6.0  # the band of the phantoms
    most = max(float(truth[COUNT].max()), float(strips[THRESHOLD].max()), 2.0)
    if len(shown):
        most = max(most, float(shown[VALUE].max()))
    limits = (math.log10(FLOOR), math.log10(most * 1.6))
    traces, axes, notes, shapes = [], {}, [], []
    height, domains = _domains(len(strips))
    for place, (row, domain) in enumerate(
        zip(strips.to_dict("records"), domains, strict=True), start=1
    ):
        key = "" if place == 1 else str(place)
        axes[f"yaxis{key}"] = _counts(limits, domain)
        mine = shown[shown[TIER] == row[TIER]] if len(shown) else shown
        strip = [_line(truth, noun), *_marks(row, mine, (start, end), noun)]
        traces += [trace.update(yaxis=f"y{key}") for trace in strip]
        notes += _names(row, domain[1])
        shapes += _lines(row, f"y{key}", last)
    notes.append(_band_name(start, end))
    shapes.append(_band(start, end))
    bottom = "y" if len(strips) == 1 else f"y{len(strips)}"
    layout = {
        "height": round(height + BOTTOM),
        "margin": {"t": 20, "b": BOTTOM},
        "annotations": notes,
        "shapes": shapes,
        "xaxis": _ranks(last, end) | {"anchor": bottom},
    }
    return go.Figure(data=traces, layout=layout | axes)


def _domains(count: int) -> tuple[float, list[tuple[float, float]]]:
    """Height of all strips in pixels, and the share that each takes, from the top down."""
    strip = float(np.clip(440 / count, 58, 160))
    total = count * (NAME + strip + BETWEEN)
    tops = [1 - (place * (NAME + strip + BETWEEN) + NAME) / total for place in range(count)]
    return total, [(max(top - strip / total, 0.0), top) for top in tops]


def _counts(limits: tuple[float, float], domain: tuple[float, float]) -> dict[str, Any]:
    powers = 10.0 ** np.arange(0, math.floor(limits[1]) + 1)
    return {
        "type": "log",
        "range": limits,
        "domain": domain,
        "showgrid": True,
        "gridcolor": GRID,
        "tickvals": powers,
        "ticktext": [number(p) for p in powers],
    }


def _ranks(last: float, end: float) -> dict[str, Any]:
    powers = 10.0 ** np.arange(0, math.floor(math.log10(last) + 1e-9) + 1)
    return {
        "type": "log",
        "range": (math.log10(0.8), math.log10(end)),
        "tickvals": powers,
        "ticktext": [number(p) for p in powers],
        "title": {"text": "rank of the item by its true count"},
    }


def _line(truth: pd.DataFrame, noun: str) -> go.Scatter:
    """The true counts."""
    ranks, counts = truth[RANK].to_numpy(float), truth[COUNT].to_numpy(float)
    return go.Scatter(
        x=ranks,
        y=counts,
        mode="lines",
        name="true counts",
        line={"color": GREY, "width": 1.5, "simplify": False},
        customdata=np.stack([ranks, counts], axis=1),
        hovertemplate="Rank %{customdata[0]:,.0f}: in truth %{customdata[1]:,.0f} "
        f"{plain(noun)}.<extra></extra>",
    )


def _marks(
    row: dict[Any, Any], mine: pd.DataFrame, band: tuple[float, float], noun: str
) -> list[go.Scatter]:
    """The released items of one tier: survivors at their rank, phantoms in the band."""
    style = TierStyle(int(row[SLOT]), int(row[SYMBOL]))
    phantom = mine[RANK].isna().to_numpy(bool) if len(mine) else np.zeros(0, bool)
    traces = []
    for name, rows in (("survivors", mine[~phantom]), ("phantoms", mine[phantom])):
        if rows.empty:
            continue
        ghost = name == "phantoms"
        look = {"color": style.colour, "symbol": style.marker, "size": 6}
        if ghost:
            look |= {"symbol": f"{style.marker}-open", "size": 9, "line": {"width": 2}}
        traces.append(
            go.Scatter(
                x=_spread(len(rows), band) if ghost else rows[RANK].to_numpy(float),
                y=np.maximum(rows[VALUE].to_numpy(float), FLOOR),
                mode="markers",
                name=name,
                marker=look,
                hovertext=[_said(row, r, noun) for r in rows.to_dict("records")],
                hoverinfo="text",
            )
        )
    return traces


def _spread(count: int, band: tuple[float, float]) -> Floats:
    """Places side by side within the band."""
    low, high = np.log10(band[0] * 1.12), np.log10(band[1] / 1.12)
    return np.asarray(10.0 ** (low + (high - low) * (np.arange(count) + 0.5) / count))


def _said(row: dict[Any, Any], item: dict[Any, Any], noun: str) -> str:
    who, value = plain(row[TIER]), significant(item[VALUE], 4)
    what = f"<b>{who}</b> sees {value} {plain(noun)} for item {plain(item[ITEM], 24)};<br>"
    if item[RANK] != item[RANK]:
        return f"{what}a phantom: in truth nobody has it."
    return f"{what}in truth {item[COUNT]:,.0f}, rank {item[RANK]:,.0f}."


def _lines(row: dict[Any, Any], axis: str, last: float) -> list[dict[str, Any]]:
    """The threshold across the strip."""
    if row[THRESHOLD] < FLOOR:
        return []
    across = {"x0": 0.8, "x1": last * 6.0, "y0": row[THRESHOLD], "y1": row[THRESHOLD]}
    style = TierStyle(int(row[SLOT]), int(row[SYMBOL]))
    look = {"line": {"color": style.colour, "width": 1.5, "dash": "dot"}, "layer": "below"}
    return [{"type": "line", "xref": "x", "yref": axis, **across, **look}]


def _names(row: dict[Any, Any], top: float) -> list[dict[str, Any]]:
    """Name, threshold and what came through, above the strip."""
    style = TierStyle(int(row[SLOT]), int(row[SYMBOL]))
    words = f" above {significant(row[THRESHOLD])}, {plain(row[BUDGET])}"
    if row[DRAWN]:
        ghosts = row[PHANTOMS]
        found = f": {row[TRUE_ITEMS]:,} true, {ghosts:,} phantom" + ("" if ghosts == 1 else "s")
    else:
        found = ": not drawn yet"
    text = tag(style, plain(row[TIER], 16)) + words + found
    place = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "xshift": 2, "yshift": 1}
    return [note(text, 0, top, **place)]


def _band(start: float, end: float) -> dict[str, Any]:
    across = {"x0": start, "x1": end, "y0": 0, "y1": 1, "xref": "x", "yref": "paper"}
    fill = {"fillcolor": rgba(GREY, 0.10), "line": {"width": 0}, "layer": "below"}
    return {"type": "rect", **across, **fill}


def _band_name(start: float, end: float) -> dict[str, Any]:
    middle = (math.log10(start) + math.log10(end)) / 2
    place = {"yref": "paper", "yanchor": "top", "xanchor": "center", "yshift": -4}
    return note("phantoms", middle, 0, **place)
