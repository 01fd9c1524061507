"""Right guesses by all reports of one person: each kind alone, both linked, both separate."""

import math
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note, pixels
from dpviz.charts.local.rappor_inks import ink
from dpviz.charts.local.right_bars import WIDE, bar, scale, track
from dpviz.charts.tidy import require_columns
from dpviz.words import rounded_up, significant
from dpviz.workspace.guesses import ALL, COIN

WAY, FIRST, SECOND, RIGHT, EPSILON = (
    *("reports", "first up to", "second up to", "right guesses", "ε"),
)
LOSSES = (WAY, FIRST, SECOND, RIGHT, EPSILON)
ROW, NARROWEST = 54, 250


def losses_frame(
    names: tuple[str, str],
    epsilons: tuple[float, float, float, float],
    right: tuple[float, float, float],
) -> pd.DataFrame:
    """A row for each kind of report alone, for both linked, and both separate; columns `LOSSES`.

    Args:
        names: of both kinds.
        epsilons: of any number of reports in each row.
        right: right guesses of 1,000 by the first kind, by the second, and by both separate.

    >>> frame = losses_frame(("75 %", "50 %"), (2.0, 4.4, 4.4, 6.4), (684.0, 844.0, 883.0))
    >>> frame[RIGHT].tolist()
    [684.0, 844.0, 844.0, 883.0]
    """
    once, linked, separate = right
    rows = [
        (f"<b>{names[0]}</b>", once, 0.0, once),
        (f"<b>{names[1]}</b>", 0.0, linked, linked),
        ("<b>Both reports, as here</b>: the first adds nothing", 0.0, linked, linked),
        ("<b>Both reports, with separate noise</b>", separate, linked, separate),
    ]
    both = [(*row, epsilon) for row, epsilon in zip(rows, epsilons, strict=True)]
    return pd.DataFrame(both, columns=list(LOSSES))


def upward(epsilon: float, digits: int = 4) -> str:
    """An ε as it is written: never smaller than it is.

    >>> upward(4.39444915), upward(0.5), upward(0.20022, 2)
    ('4.395', '0.5', '0.21')
    """
    return significant(rounded_up(epsilon, digits), digits)


def right(guessed: float) -> int:
    """Right guesses of 1,000 as they are written: never fewer than there may be.

    >>> right(843.2), right(500.0)
    (844, 500)
    """
    return math.ceil(round(guessed, 6))


def loss_bars(frame: pd.DataFrame) -> go.Figure:
    """Draw a bar for each way to report, from a coin's guesses on, in the looks of its kinds.

    Args:
        frame: columns `LOSSES`.

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *LOSSES)
    texts = [f"{right(found):,}" for found in frame[RIGHT]]
    room = 1 - (max(pixels(text, 18, bold=True) for text in texts) + 16) / NARROWEST
    most = COIN + (ALL - COIN) / room
    at_right: dict[str, Any] = {"xref": "paper", "xanchor": "right", "align": "right"}
    notes, shapes, bars = scale(-len(texts) + 0.62), [], []
    for place, row in enumerate(frame.to_dict("records")):
        epsilon = f"ε = {upward(row[EPSILON], 2)}"
        notes.append(note(row[WAY], 0, -place + 0.22, xref="paper", yanchor="bottom"))
        notes.append(note(f"<b>{texts[place]}</b>", 1, -place, **at_right, font={"size": 18}))
        shapes.append(track(-place))
        told = f"{row[WAY]}: {texts[place]} of 1,000 guesses right, {epsilon}"
        parts = [(COIN, row[SECOND], 1), (max(COIN, row[SECOND]), row[FIRST], 0)]
        bars += [
            bar(low, high, -place, {"width": WIDE, **ink(kind)}, told)
            for low, high, kind in parts
            if high > low
        ]
    layout = {
        "height": ROW * len(texts) + 60,
        "margin": {"t": 6, "b": 6},
        "annotations": notes,
        "shapes": shapes,
        "xaxis": {"visible": False, "range": (COIN, most)},
        "yaxis": {"visible": False, "range": (-len(texts) + 0.05, 0.98)},
    }
    return go.Figure(data=bars, layout=layout)
