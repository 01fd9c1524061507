"""What all reports of one person tell at two f: each kind alone, both linked, both separate."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note, pixels, ticks
from dpviz.charts.local.rappor_inks import ink
from dpviz.charts.tidy import require_columns
from dpviz.words import number, rounded_up, significant

WAY, FIRST, SECOND, INSIDE, RIGHT = "reports", "ε of f₁", "ε of f₂", "f₁ inside f₂", "right guesses"
LOSSES = (WAY, FIRST, SECOND, INSIDE, RIGHT)
ROW, NARROWEST = 54, 250
WIDE, NARROW = 18, 5  # pixels: a bar, and one that lies inside another
COIN = "of 1,000 guesses right<br>(a coin: 500)"


def losses_frame(
    names: tuple[str, str], first: float, second: float, right: tuple[float, float, float]
) -> pd.DataFrame:
    """A row for each kind of report alone, for both linked, and both separate; columns `LOSSES`.

    Args:
        names: of both kinds.
        first: the ε of any number of reports at f₁.
        second: the same at f₂, where f is smaller.
        right: right guesses of 1,000 by the first kind, by the second, and by both separate.

    >>> losses_frame(("75 %", "50 %"), 2.0, 4.0, (684.0, 844.0, 883.0))[RIGHT].tolist()
    [684.0, 844.0, 844.0, 883.0]
    """
    rows = [
        (f"<b>{names[0]}</b> alone", first, 0.0, 0.0, right[0]),
        (f"<b>{names[1]}</b> alone", 0.0, second, 0.0, right[1]),
        ("<b>Both, linked</b> as here", 0.0, second, first, right[1]),
        ("<b>Both, separate noise</b>", first, second, 0.0, right[2]),
    ]
    return pd.DataFrame(rows, columns=list(LOSSES))


def upward(epsilon: float, digits: int = 4) -> str:
    """An ε as it is written: never smaller than it is.

    >>> upward(4.39444915), upward(0.5), upward(0.20022, 2)
    ('4.395', '0.5', '0.21')
    """
    return significant(rounded_up(epsilon, digits), digits)


def loss_bars(frame: pd.DataFrame) -> go.Figure:
    """Draw a bar for each way to report, of the colours of its kinds, and its right guesses.

    Args:
        frame: columns `LOSSES`.

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *LOSSES)
    most = float((frame[FIRST] + frame[SECOND]).max())
    texts = [number(rounded_up(right, 3)) for right in frame[RIGHT]]
    room = 1 - (max(pixels(text, 18, bold=True) for text in texts) + 16) / NARROWEST
    at_right: dict[str, Any] = {"xref": "paper", "xanchor": "right", "align": "right"}
    notes = [note(COIN, 1, 1, yref="paper", yanchor="bottom", yshift=2, **at_right)]
    bars = []
    for place, row in enumerate(frame.to_dict("records")):
        name = f"{row[WAY]}: ε = {upward(row[FIRST] + row[SECOND], 2)}"
        notes.append(note(name, 0, -place + 0.22, xref="paper", yanchor="bottom"))
        notes.append(note(f"<b>{texts[place]}</b>", 1, -place, **at_right, font={"size": 18}))
        told = f"{name}; {texts[place]} of 1,000 guesses right"
        parts = [
            (0.0, row[SECOND], 1, WIDE),
            (row[SECOND], row[SECOND] + row[FIRST], 0, WIDE),
            (0.0, row[INSIDE], 0, NARROW),
        ]
        bars += [
            _bar(low, high, -place, kind, width, told)
            for low, high, kind, width in parts
            if high > low
        ]
    layout = {
        "height": ROW * len(texts) + 96,
        "margin": {"t": 40},
        "annotations": notes,
        "xaxis": {
            "range": (-0.025 * most, most / room),  # with room for a 0
            "showgrid": False,
            "title": {"text": "ε of any number of reports (larger = less private)"},
        }
        | ticks(0, most * 1.02, most=5, room=room * NARROWEST),
        "yaxis": {"visible": False, "range": (-len(texts) + 0.6, 0.6)},
    }
    return go.Figure(data=bars, layout=layout)


def _bar(low: float, high: float, y: float, kind: int, width: int, told: str) -> go.Scatter:
    """A bar as a wide line: without a colour it has the ink of the page."""
    return go.Scatter(
        x=[low, (low + high) / 2, high],
        y=[y] * 3,
        mode="lines",
        line={"width": width, **ink(kind)},
        hovertext=[told] * 3,
        hoverinfo="text",
    )
