"""Right guesses as bars from a coin's 500 to 1,000; and what all tiers guess who compare notes.

Here the largest budget alone matters; if each had separate noise, budgets would add up.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.accounting import JointLoss
from dpviz.charts.labels import note
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.words import loss, plain
from dpviz.workspace.guesses import ALL, COIN, Right
from dpviz.workspace.takeaways import letter_of

TOGETHER = ("who", "how", "right", "said", "slot")
HERE, SEPARATE = "shared noise (here)", "separate noise"
ROW, TOP = 62.0, 20.0  # pixels: a way to give out all tiers, the scale above
BARS = (0.0, 0.8)  # of the width; the counts are beyond
THICK = 20.0  # pixels

Guess = tuple[float, float, float, str, str]  # right, y, how thick, colour, words


def together_frame(
    who: str,
    joint: tuple[JointLoss, Right],
    alone: tuple[JointLoss, Right],
    *,
    slot: int,
    earlier: bool = False,
) -> pd.DataFrame:
    """All tiers together, here and with separate noise if that differs; columns `TOGETHER`.

    Args:
        who: who compares notes, such as "all four".
        joint: loss and right guesses of all together, here.
        alone: the same, had each been drawn with independent noise.
        slot: of the colour of the largest budget; 0: grey.
        earlier: whether earlier sessions add to both.
    """
    letter = letter_of(joint[0])
    if joint[0].value == alone[0].value and not earlier:
        only = (who, f"{letter} = {loss(joint[0].value)}", joint[1].value, joint[1].said, slot)
        return pd.DataFrame([only], columns=list(TOGETHER))
    most, every = "only the largest", f"{who} added"
    if earlier:
        slot, most, every = 0, "the earlier ones and the largest", "the earlier ones and all others"
    here, apart = (f"{letter} = {loss(one.value)}" for one, _ in (joint, alone))
    rows = [
        (f"{who}, {HERE}", f"{here}, {most}", joint[1].value, joint[1].said, slot),
        (f"{who}, {SEPARATE}", f"{apart}, {every}", alone[1].value, alone[1].said, 0),
    ]
    return pd.DataFrame(rows, columns=list(TOGETHER))


def compared(frame: pd.DataFrame) -> go.Figure:
    """Draw a bar per way to give out all tiers, its words above it.

    Args:
        frame: as `together_frame` makes it.

    Raises:
        ParameterError: a column is missing or there is no row.

    >>> one = pd.DataFrame([("both", "ρ", 673.0, "673", 11)], columns=list(TOGETHER))
    >>> [trace.name for trace in compared(one).data]
    ['all', 'right']
    """
    require_columns(frame, *TOGETHER)
    middles = [TOP + ROW * rank + 40 for rank in range(len(frame))]
    notes = scale("x", TOP / 2)
    for (_, one), middle in zip(frame.iterrows(), middles, strict=True):
        words = f"<b>{plain(one['who'])}</b>: {plain(one['how'])}"
        notes.append(note(words, 0, middle - 22, xref="paper"))
        notes.append(count(str(one["said"]), BARS[1], middle, size=22))
    guesses = [
        guess_of(one, y, THICK) for (_, one), y in zip(frame.iterrows(), middles, strict=True)
    ]
    bottom = TOP + ROW * len(frame)
    layout = {
        "height": round(bottom + 8),
        "margin": {"t": 4, "b": 4, "l": 0, "r": 0},
        "annotations": notes,
        "barmode": "overlay",
        "xaxis": {"domain": BARS, "range": (COIN, ALL), "visible": False, "fixedrange": True},
        "yaxis": {"visible": False, "range": (bottom, 0), "fixedrange": True},
    }
    return go.Figure(data=bars(guesses, "x"), layout=layout)


def guess_of(one: pd.Series, y: float, thick: float) -> Guess:
    """The bar of one way to give out all tiers, from a row of `TOGETHER`."""
    sentence = f"{plain(one['who'])}: {plain(one['said'])} of {ALL:,} guesses right."
    return float(one["right"]), y, thick, TierStyle(int(one["slot"]), 0).colour, sentence


def bars(guesses: Sequence[Guess], axis: str) -> list[go.Bar]:
    """Right guesses beyond a coin’s, each on a pale bar of all there could be."""
    right, y, thick, colours, sentences = zip(*guesses, strict=True)
    look: dict[str, Any] = {
        "y": y,
        "base": float(COIN),
        "width": thick,
        "orientation": "h",
        "xaxis": axis,
        "hovertext": sentences,
        "hoverinfo": "text",
    }
    pale, full = ({"color": c, "line": {"width": 0}} for c in (rgba(GREY, 0.18), colours))
    return [
        go.Bar(x=[float(ALL - COIN)] * len(guesses), name="all", marker=pale, **look),
        go.Bar(x=np.array(right) - COIN, name="right", marker=full, **look),
    ]


def scale(axis: str, y: float) -> list[dict[str, Any]]:
    """What the two ends of such bars mean."""
    look: dict[str, Any] = {"xref": axis, "font": {"size": 12}}
    return [
        note(f"{COIN} a coin", COIN, y, **look),
        note(f"{ALL:,} always", ALL, y, **look | {"xanchor": "center"}),
    ]


def with_sign(said: str) -> str:
    """Right guesses as they stand in a picture: a bound by its sign.

    >>> with_sign("at most 673")
    '≤ 673'
    """
    return said.replace("at most", "≤").replace("at least", "≥")


def count(said: str, x: float, y: float, *, size: int = 16) -> dict[str, Any]:
    """The right guesses, beyond the pale bar; a bound has its sign."""
    return note(
        f"<b>{plain(with_sign(said))}</b>", x, y, xref="paper", xshift=8, font={"size": size}
    )
