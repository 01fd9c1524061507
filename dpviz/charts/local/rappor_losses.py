"""What all reports of one person tell after f was relaxed, by the way the second bits are drawn."""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import dotted, note, pixels, ticks
from dpviz.charts.tidy import require_columns
from dpviz.local.couplings import COUPLINGS, Coupling
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.words import fixed, rounded_up

COUPLING, EPSILON = "coupling", "epsilon"
LOSSES = (COUPLING, EPSILON)
NAMES: Mapping[Coupling, str] = {
    "chain": "<b>Both reports, linked</b> (here)",
    "recast": "<b>Both reports, linked</b> as in the paper",
    "fresh": "<b>Both reports, separate noise</b>",
}
HERE = TierStyle(2, 0)
ROW, NARROWEST = 56, 250


def losses_frame(losses: Mapping[Coupling, float]) -> pd.DataFrame:
    """A row for each coupling, the least private last; columns `LOSSES`.

    >>> losses_frame({"chain": 1.0, "recast": 1.25, "fresh": 2.0})[EPSILON].tolist()
    [1.0, 1.25, 2.0]
    """
    return pd.DataFrame([(each, losses[each]) for each in COUPLINGS], columns=list(LOSSES))


def upward(epsilon: float, digits: int = 4) -> str:
    """An ε as it is written: never smaller than it is.

    >>> upward(4.39444915), upward(0.5), upward(4.39444915, 3)
    ('4.395', '0.500', '4.40')
    """
    return fixed(rounded_up(epsilon, digits), digits - 1)


def loss_bars(frame: pd.DataFrame, *, alone: float, second: str) -> go.Figure:
    """Draw a bar for each coupling, and on each a dotted line at what the second f tells alone.

    Args:
        frame: columns `LOSSES`.
        alone: the ε of the second f alone.
        second: the second f as per cent.

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *LOSSES)
    most = float(frame[EPSILON].max())
    texts = [upward(value, 3) for value in frame[EPSILON]]
    room = 1 - (max(pixels(text, 15, bold=True) for text in texts) + 16) / NARROWEST
    side = "center" if alone < 0.75 * most else "right"
    label = f"{second} random answers alone"
    notes: list[dict[str, Any]] = [
        note(label, alone, 1, yref="paper", yanchor="bottom", xanchor=side)
    ]
    bars = []
    for place, row in enumerate(frame.to_dict("records")):
        name = NAMES[row[COUPLING]]
        notes.append(note(name, 0, -place + 0.22, xref="paper", yanchor="bottom"))
        number = {"xref": "paper", "xanchor": "right", "align": "right", "font": {"size": 15}}
        notes.append(note(f"<b>{texts[place]}</b>", 1, -place, **number))
        bars.append(
            go.Bar(
                x=[row[EPSILON]],
                y=[-place],
                width=0.34,
                orientation="h",
                name=row[COUPLING],
                marker={"color": HERE.colour if not place else rgba(GREY, 0.6)},
                hovertext=[f"{name}: ε = {texts[place]}"],
                hoverinfo="text",
            )
        )
    layout = {
        "height": ROW * len(texts) + 84,
        "margin": {"t": 26},
        "annotations": notes,
        "shapes": [
            dotted(alone, layer="above") | {"yref": "y", "y0": low, "y1": high}
            for low, high in [(0.56, 0.7), *((-p - 0.34, -p + 0.22) for p in range(len(texts)))]
        ],  # between the names of the bars
        "xaxis": {
            "range": (-0.025 * most, most / room),  # with room for a 0
            "showgrid": False,
            "title": {"text": "ε of all reports (larger = less private)"},
        }
        | ticks(0, most * 1.02, most=5, room=room * NARROWEST),
        "yaxis": {"visible": False, "range": (-len(texts) + 0.6, 0.7)},
    }
    return go.Figure(data=bars, layout=layout)
