"""Right guesses by all readers together: here, and with separate noise.

What counts here has the ink of the page, what would count otherwise is grey: neither is a tier's.
"""

from typing import Any

import plotly.graph_objects as go

from dpviz.charts.labels import note, pixels
from dpviz.charts.local.right_bars import WIDE, bar, scale, track
from dpviz.palette import GREY
from dpviz.workspace.guesses import ALL, COIN, Right

ROW, NARROWEST = 62, 250  # pixels


def together_chart(right: tuple[Right, Right], texts: tuple[str, str]) -> go.Figure:
    """Draw how many guesses are right, from a coin's 500 on.

    Args:
        right: of 1,000 guesses, here and with separate noise.
        texts: what stands above each bar.

    >>> fig = together_chart((Right(value=697.0), Right(value=751.0)), ("here", "separate noise"))
    >>> [float(each.x[-1]) for each in fig.data]
    [697.0, 751.0]
    """
    counts = [f"{found.count:,}" for found in right]
    room = 1 - (max(pixels(count, 18, bold=True) for count in counts) + 16) / NARROWEST
    edge: dict[str, Any] = {"xref": "paper", "xanchor": "right", "align": "right"}
    looks: tuple[dict[str, Any], ...] = ({"width": WIDE}, {"width": WIDE, "color": GREY})
    notes, bars = scale(-1.38, 0.66), []
    for place, (count, look, text) in enumerate(zip(counts, looks, texts, strict=True)):
        y = float(-place)
        notes.append(note(text, 0, y + 0.22, xref="paper", yanchor="bottom"))
        notes.append(note(f"<b>{count}</b>", 1, y, **edge, font={"size": 18}))
        told = f"{text}: {count} of 1,000 guesses right"
        bars.append(bar(COIN, max(right[place].value, COIN), y, look, told))
    return go.Figure(
        data=bars,
        layout={
            "height": ROW * 2 + 50,
            "margin": {"t": 6, "b": 6},
            "annotations": notes,
            "shapes": [track(0.0), track(-1.0)],
            "xaxis": {"visible": False, "range": (COIN, COIN + (ALL - COIN) / room)},
            "yaxis": {"visible": False, "range": (-1.8, 1.0)},
        },
    )
