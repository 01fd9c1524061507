"""What a coalition learns together, one row of bars per scheme.

Lossless bars are nested, the larger the thicker: the largest counts. The others stand end to end;
grey is what no member holds alone. A grey tick shows what the least private member learns alone,
and every scheme says its price: how near that member's own numbers are.
"""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.collusion.frame import (
    LOSSLESS,
    PRICE,
    SCHEME,
    SCHEMES,
    SEGMENTS,
    SLOT,
    START,
    STOP,
    SYMBOL,
    TIER,
    TOTAL,
)
from dpviz.charts.labels import note, pixels, ticks
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, TierStyle
from dpviz.words import aligned, capitalised, plain, pm, significant

ROW, NARROWEST = 74, 250  # pixels: of a row; the least width of the plot
THICK, TICK = 0.44, 0.26  # of the distance between two rows; TICK is half a tick's height


def scheme_bars(frame: pd.DataFrame, *, letter: str, most: str = "") -> go.Figure:
    """Draw a row for each scheme, with its total at the right.

    Args:
        frame: columns `SEGMENTS`, as `schemes_frame` gives it.
        letter: currency of the axis, ρ or ε.
        most: what is written before a sum that is an upper bound, such as "≤ ".

    Raises:
        ParameterError: a column is missing.

    >>> alone = {TIER: "audit", START: 0.0, STOP: 1.0, SLOT: 2, SYMBOL: 0, TOTAL: 1.0, PRICE: 2.0}
    >>> fig = scheme_bars(pd.DataFrame([{SCHEME: s, **alone} for s in SCHEMES]), letter="ρ")
    >>> [bar.name for bar in fig.data][:2], fig.layout.annotations[1].text
    (['lossless', 'separate noise'], '<b>ρ\u202f1</b>')
    """
    require_columns(frame, *SEGMENTS)
    parts = [frame[frame[SCHEME] == scheme] for scheme in SCHEMES]
    totals = [float(part[TOTAL].iloc[0]) for part in parts]
    texts = [
        f"{most if scheme != LOSSLESS else ''}{letter}\u202f{text}"
        for scheme, text in zip(SCHEMES, aligned(totals), strict=True)
    ]
    alone, last = float(parts[0][STOP].max()), parts[0].iloc[-1]
    reach = max(*totals, alone)
    reserve = min((max(pixels(text, 15, bold=True) for text in texts) + 18) / NARROWEST, 0.6)
    axis = {
        "range": (0, reach / (1 - reserve)),
        "title": {"text": f"bound {letter} on privacy loss (larger = less private)"},
    } | ticks(0, reach * 1.04, most=5, room=(1 - reserve) * NARROWEST)
    bars = [
        _row(part, -row, letter, text)
        for row, (part, text) in enumerate(zip(parts, texts, strict=True))
    ]
    layout = {
        "barmode": "overlay",
        "height": ROW * len(parts) + 58,
        "margin": {"t": 4},
        "annotations": _texts(parts, texts, str(last[TIER])),
        "shapes": [_alone(alone, -row) for row in range(len(parts))],
        "xaxis": axis,
        "yaxis": {"visible": False, "range": (-len(parts) + 0.64, 0.66)},
    }
    return go.Figure(data=bars, layout=layout)


def _row(part: pd.DataFrame, y: float, letter: str, total: str) -> go.Bar:
    """Segments of one scheme; nested ones largest first, so that it lies behind."""
    nested = part[SCHEME].iloc[0] == LOSSLESS
    part = part.iloc[::-1] if nested else part
    thickness = THICK * (1 - np.arange(len(part)) / len(part)) if nested else THICK
    start, stop = part[START].to_numpy(float), part[STOP].to_numpy(float)
    return go.Bar(
        base=start,
        x=stop - start,
        y=np.full(len(part), float(y)),
        width=np.broadcast_to(thickness, len(part)),
        orientation="h",
        opacity=1.0 if nested else 0.7,
        marker={
            "color": [
                TierStyle(int(s), int(m)).colour
                for s, m in zip(part[SLOT], part[SYMBOL], strict=True)
            ],
            "line": {"width": 0.75 if len(part) > 12 else 0},
        },
        name=SCHEMES[part[SCHEME].iloc[0]],
        hovertext=[_hover(row, letter, total, nested) for row in part.to_dict("records")],
        hoverinfo="text",
    )


def _hover(row: dict[Any, Any], letter: str, total: str, nested: bool) -> str:
    loss = f"{letter} = {significant(row[STOP] - row[START])}"
    if not row[TIER]:
        said = f"No member has this part alone: {loss}."
    elif nested:
        said = f"<b>{plain(row[TIER])}</b> has {loss}."
    else:
        said = f"In this scheme <b>{plain(row[TIER])}</b> adds {loss}."
    return f"{said}<br>Together they learn {total}."


def _texts(parts: list[pd.DataFrame], totals: list[str], last: str) -> list[dict[str, Any]]:
    """Scheme and price above each row, its total in a column at the right."""
    notes, name = [], plain(last, 14)
    for row, (part, total) in enumerate(zip(parts, totals, strict=True)):
        scheme, price = part[SCHEME].iloc[0], float(part[PRICE].iloc[0])
        here = " (here)" if scheme == LOSSLESS else ""
        gets = f"{name} gets {pm(price)}" if price else f"{name} is {pm(price)}"
        gets = gets if math.isfinite(price) else f"nothing for {name}"
        head = f"<b>{capitalised(SCHEMES[scheme])}</b>{here}: {gets}"
        notes.append(note(head, 0, 0.25 - row, xref="paper", yanchor="bottom"))
        right = {"xref": "paper", "xanchor": "right", "align": "right", "font": {"size": 15}}
        notes.append(note(f"<b>{total}</b>", 1, -row, **right))
    return notes


def _alone(loss: float, y: float) -> dict[str, Any]:
    ends = {"x0": loss, "x1": loss, "y0": y - TICK, "y1": y + TICK}
    return {"type": "line", **ends, "line": {"color": GREY, "width": 2}}
