"""Right guesses as bars from a coin's 500 to 1,000; and what all tiers guess who compare notes.

Here the largest budget alone matters; if each had separate noise, budgets would add up. Two ticks
say what the same scale shows of budgets that others have published with.
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
from dpviz.planning.practice import PRACTICE, Deployment
from dpviz.words import loss, plain
from dpviz.workspace.guesses import ALL, COIN, Right, right_of_epsilon, right_of_rho
from dpviz.workspace.takeaways import letter_of

TOGETHER = ("who", "how", "right", "said", "slot")
HERE, SEPARATE = "shared noise (here)", "separate noise"
ROW, TOP, OTHERS = 62.0, 20.0, 64.0  # pixels: a way to give out all tiers, scale, others
BARS = (0.0, 0.8)  # of the width; the counts are beyond
THICK, TICK = 20.0, 24.0  # pixels: a bar, the row of a tick

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


def yardstick_frame() -> pd.DataFrame:
    """The most and the least private budget of `PRACTICE`, as ways to publish; columns `TOGETHER`.

    >>> yardstick_frame()[["who", "said"]].to_numpy().tolist()
    [['Wikipedia page views', '535'], ['US Census 2020', 'at most 1,000']]
    """
    each = sorted(((_right_of(d), d) for d in PRACTICE), key=lambda pair: pair[0].value)
    rows = [(d.name, _budget(d), right.value, right.said, 0) for right, d in (each[0], each[-1])]
    return pd.DataFrame(rows, columns=list(TOGETHER))


def _right_of(published: Deployment) -> Right:
    if published.rho is not None:
        return right_of_rho(published.rho)
    return right_of_epsilon(published.epsilon or 0.0, published.delta or 0.0)


def _budget(published: Deployment) -> str:
    letter, value = ("ε", published.epsilon) if published.rho is None else ("ρ", published.rho)
    return f"{letter} = {value:g}"


def yardstick(
    frame: pd.DataFrame, axis: str, ends: tuple[float, float], top: float
) -> tuple[go.Scatter, list[dict[str, Any]]]:
    """A tick for each budget that others have published with, on the scale of the bars.

    Args:
        frame: as `yardstick_frame` makes it.
        axis: that of the bars.
        ends: where the bars are, in shares of the width; the names are left of them.
        top: where the first tick's row begins, in pixels.
    """
    places = [top + TICK * (rank + 0.5) for rank in range(len(frame))]
    notes, said = [], []
    for (_, one), y in zip(frame.iterrows(), places, strict=True):
        words = f"{plain(one['who'])}, {plain(one['how'])}"
        notes.append(note(words, 0, y, xref="paper", font={"size": 12}))
        notes.append(count(str(one["said"]), ends[1], y, size=12))
        said.append(f"{words}:<br>{plain(one['said'])} of {ALL:,} guesses right.")
    marks = go.Scatter(
        x=frame["right"],
        y=places,
        mode="markers",
        name="yardstick",
        xaxis=axis,
        marker={"symbol": "line-ns", "size": 14, "line": {"width": 3, "color": GREY}},
        cliponaxis=False,
        hovertext=said,
        hoverinfo="text",
    )
    return marks, notes


def compared(frame: pd.DataFrame) -> go.Figure:
    """Draw a bar per way to give out all tiers, its words above it; below, others' budgets.

    Args:
        frame: as `together_frame` makes it.

    Raises:
        ParameterError: a column is missing or there is no row.

    >>> one = pd.DataFrame([("both", "ρ", 673.0, "673", 11)], columns=list(TOGETHER))
    >>> [trace.name for trace in compared(one).data]
    ['all', 'right', 'yardstick']
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
    others, names = _others(TOP + ROW * len(frame) + OTHERS / 2)
    notes += names
    bottom = TOP + ROW * len(frame) + OTHERS
    layout = {
        "height": round(bottom + 8),
        "margin": {"t": 4, "b": 4, "l": 0, "r": 0},
        "annotations": notes,
        "barmode": "overlay",
        "xaxis": {"domain": BARS, "range": (COIN, ALL), "visible": False, "fixedrange": True},
        "yaxis": {"visible": False, "range": (bottom, 0), "fixedrange": True},
    }
    return go.Figure(data=[*bars(guesses, "x"), others], layout=layout)


def _others(y: float) -> tuple[go.Scatter, list[dict[str, Any]]]:
    """A tick for each budget that others have published with; names above and below by turns."""
    frame = yardstick_frame()
    marks, notes = yardstick(frame, "x", BARS, y - TICK / 2)
    marks.y = [y] * len(frame)
    notes = []
    for rank, (_, one) in enumerate(frame.iterrows()):
        words = f"{plain(one['who'])}: <b>{plain(with_sign(str(one['said'])))}</b>"
        side = "left" if one["right"] < (COIN + ALL) / 2 else "right"
        look = {"xref": "x", "xanchor": side, "font": {"size": 12}}
        notes.append(note(words, one["right"], y + (17 if rank % 2 else -17), **look))
    return marks, notes


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
