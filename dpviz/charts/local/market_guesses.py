"""Right guesses by all buyers of a data market together: here, and with independent noise."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note, pixels
from dpviz.charts.local.market import EPSILON, SLOT, SYMBOL
from dpviz.charts.local.market_money import RUNNING
from dpviz.charts.local.right_bars import WIDE, bar, scale, track
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, TierStyle
from dpviz.workspace.guesses import ALL, COIN, Right

ROW, NARROWEST = 62, 250  # pixels


def together(
    frame: pd.DataFrame, *, right: tuple[Right, Right], texts: tuple[str, str]
) -> go.Figure:
    """Draw how many guesses are right, from a coin's 500 on.

    Args:
        frame: columns `RUNNING`.
        right: of 1,000 guesses, here and with independent noise.
        texts: what stands above each bar.

    Raises:
        ParameterError: a column is missing, or nothing was sold.
    """
    require_columns(frame, *RUNNING)
    best = frame.loc[frame[EPSILON].idxmax()]
    colours = (TierStyle(int(best[SLOT]), int(best[SYMBOL])).colour, GREY)
    counts = [f"{found.count:,}" for found in right]
    room = 1 - (max(pixels(count, 18, bold=True) for count in counts) + 16) / NARROWEST
    edge: dict[str, Any] = {"xref": "paper", "xanchor": "right", "align": "right"}
    notes, bars = scale(-1.38, 0.66), []
    for place, (count, colour, text) in enumerate(zip(counts, colours, texts, strict=True)):
        y = float(-place)
        notes.append(note(text, 0, y + 0.22, xref="paper", yanchor="bottom"))
        notes.append(note(f"<b>{count}</b>", 1, y, **edge, font={"size": 18}))
        told = f"{text}: {count} of 1,000 guesses right"
        look = {"width": WIDE, "color": colour}
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
