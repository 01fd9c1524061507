"""What a growing domain costs, as a picture."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.axes import log_range
from dpviz.charts.labels import dotted, note
from dpviz.charts.tidy import require_columns
from dpviz.experiments.domain_growth import Cost
from dpviz.palette import GREY, GRID
from dpviz.words import number, scientific, significant

SIZE, METHOD, MEASURED = "items possible", "method", "measured"
SECONDS, BYTES, NORMALS = "seconds", "bytes", "normals"
GROWTH = (SIZE, METHOD, MEASURED, SECONDS, BYTES, NORMALS)
OURS, LEMMA, DENSE = "ours", "lemma", "dense"
HEIGHT = 340
SAID = {OURS: "sparse", LEMMA: "bound of Lemma 5.7", DENSE: "noise in every item"}


def growth_frame(costs: Sequence[Cost]) -> pd.DataFrame:
    """Time, memory and normal variates by size of the domain; columns `GROWTH`.

    Noise in every item costs in proportion to their number: where it was not tried, its time and
    memory follow from the largest domain on which it was.
    """
    ordered = sorted(costs, key=lambda c: c.size)
    tried = [c for c in ordered if c.dense_seconds is not None and c.dense_bytes is not None]
    rows: list[tuple[object, ...]] = []
    for c in ordered:
        rows.append((c.size, OURS, True, c.seconds, c.bytes, c.normals))
        rows.append((c.size, LEMMA, False, np.nan, np.nan, c.lemma))
        normals = c.size * c.rounds
        if c in tried:
            rows.append((c.size, DENSE, True, c.dense_seconds, c.dense_bytes, normals))
        elif tried:
            last = tried[-1]
            times = c.size / last.size
            seconds = (last.dense_seconds or 0.0) * times
            rows.append((c.size, DENSE, False, seconds, (last.dense_bytes or 0) * times, normals))
    return pd.DataFrame(rows, columns=list(GROWTH))


def size_tick(size: float) -> str:
    """A power of ten as people say it.

    >>> size_tick(1e3), size_tick(1e9)
    ('1,000', '10⁹')
    """
    return number(size) if size < 1e5 else scientific(size).removeprefix("1×")


def growth_chart(frame: pd.DataFrame, quantity: str, *, at: int) -> go.Figure:
    """Draw one quantity against the size of the domain, both logarithmic.

    Args:
        frame: columns `GROWTH`.
        quantity: `SECONDS`, `BYTES` or `NORMALS`.
        at: the size that is read off.

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *GROWTH)
    known = frame[np.isfinite(frame[quantity].to_numpy(float))]
    low, high = log_range(known[quantity].to_numpy(float), 0.12)
    traces, notes = [], []
    for method in (DENSE, LEMMA, OURS):
        rows = known[known[METHOD] == method]
        if rows.empty:
            continue
        traces += _lines(rows, quantity, method)
        end = rows.iloc[-1]
        words = SAID[method] + ("" if end[MEASURED] or quantity == NORMALS else ", extrapolated")
        y = math.log10(max(float(end[quantity]), 1e-300))
        anchor = "top" if method == LEMMA else "bottom"
        place = {"xanchor": "right", "yanchor": anchor, "yshift": -6 if method == LEMMA else 6}
        notes.append(note(f"<b>{words}</b>", math.log10(end[SIZE]), y, **place))
    powers = 10.0 ** np.arange(3, 13)
    layout = {
        "height": HEIGHT,
        "margin": {"t": 12, "r": 14},
        "annotations": notes,
        "shapes": [dotted(float(at))],
        "xaxis": {
            "type": "log",
            "range": (2.7, 12.3),
            "tickvals": powers[::3],
            "ticktext": [size_tick(p) for p in powers[::3]],
            "title": {"text": "items possible, d"},
        },
        "yaxis": {"type": "log", "range": (low, high), "showgrid": True, "gridcolor": GRID}
        | _powers(low, high, quantity),
    }
    return go.Figure(data=traces, layout=layout)


def _powers(low: float, high: float, quantity: str) -> dict[str, Any]:
    """Ticks at powers of ten, few enough, in units that people know."""
    first, last = math.ceil(low), math.floor(high)
    step = max(1, math.ceil((last - first + 1) / 6))
    values = [10.0**p for p in range(first, last + 1, step)]
    return {"tickvals": np.array(values), "ticktext": [_tick(v, quantity) for v in values]}


def _tick(value: float, quantity: str) -> str:
    """A power of ten: long times stay in seconds, where powers of ten are round."""
    long = quantity == SECONDS and value >= 1
    return f"{size_tick(value)} s" if long else amount(value, quantity)


def amount(value: float, quantity: str) -> str:
    """A cost in the unit that suits its size.

    >>> amount(0.02, "seconds"), amount(8e12, "bytes"), amount(4e9, "normals")
    ('20 ms', '8 TB', '4 billion')
    """
    scales = {
        SECONDS: ((86_400.0, "days"), (3600.0, "h"), (1.0, "s"), (1e-3, "ms"), (1e-6, "µs")),
        BYTES: ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"), (1.0, "bytes")),
        NORMALS: ((1e12, "trillion"), (1e9, "billion"), (1e6, "million"), (1.0, "")),
    }[quantity]
    size, unit = next((pair for pair in scales if value >= pair[0]), scales[-1])
    return f"{significant(value / size, 3)} {unit}".strip()


def _lines(rows: pd.DataFrame, quantity: str, method: str) -> list[go.Scatter]:
    x, y = rows[SIZE].to_numpy(float), rows[quantity].to_numpy(float)
    sure = rows[MEASURED].to_numpy(bool)
    ours = method == OURS
    look: dict[str, Any] = {"width": 2.5} if ours else {"color": GREY, "width": 1.5}
    said = [
        f"<b>{SAID[method]}</b>: {amount(value, quantity)} for {size_tick(size)} items"
        + (" (measured)." if here else " (computed)." if quantity == NORMALS else " (extrapolated)")
        for size, value, here in zip(x, y, sure, strict=True)
    ]
    dash = "solid" if ours else "2px 3px" if method == LEMMA else "8px 4px"
    marker = {"size": 9, "symbol": ["circle" if here else "circle-open" for here in sure]}
    if not ours:
        marker["color"] = GREY
    return [
        go.Scatter(
            x=x,
            y=y,
            mode="lines+markers" if method != LEMMA else "lines",
            name=SAID[method],
            line=look | {"dash": dash, "simplify": False},
            marker=marker,
            hovertext=said,
            hoverinfo="text",
        )
    ]
