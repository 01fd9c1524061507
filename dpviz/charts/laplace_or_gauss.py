"""The map of Laplace and Gaussian noise, and what rounds of both cost.

In the map the numbers that one person moves run to the right and δ upwards. Both are drawn on
log₁₀ values, because a δ may be smaller than any float. Between the two regions lies the border
where both kinds are equally large.
"""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.axes import power_axis, probability, ratio_axis
from dpviz.charts.forms.lines import DETAIL, HIGH, LINE, LOW, Axis, Look, X, Y, lines
from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import PHONE, note, pixels
from dpviz.charts.tidy import require_columns
from dpviz.palette import DASHED, DOTTED, GAUSS_COLOUR, GREY, LAPLACE_COLOUR, rgba
from dpviz.parameters import DELTA_AXIS
from dpviz.scenes.laplace_or_gauss import (
    BORDER,
    GAUSS,
    GAUSS_LOOSE,
    GAUSS_ZCDP,
    LAPLACE_BOUND,
    LAPLACE_EXACT,
    LEAST_END,
    LN_10,
    LOG10_DELTA,
    METHOD,
    MOVED,
    ROUND_COLUMNS,
    ROUNDS,
    TOTAL,
)
from dpviz.words import plain, significant

HEIGHT, BELOW = 420, 52  # pixels; of the map, and of an axis
WIDE = PHONE - 70  # pixels between the sides of the map on a phone
SLOTS = (0.1, 0.25, 0.4, 0.55, 0.7, 0.85)  # heights where words may stand, as shares
CLEAR, LIFT = 45, 19  # pixels: words from the query, and its name above or below its mark
LOOKS = {
    LAPLACE_EXACT: ("Laplace, exact", Look(colour=LAPLACE_COLOUR)),
    LAPLACE_BOUND: ("Laplace, bound", Look(colour=LAPLACE_COLOUR, width=2, dash=DASHED)),
    GAUSS: ("Gaussian, exact", Look(colour=GAUSS_COLOUR)),
    GAUSS_ZCDP: ("Gaussian, zCDP", Look(colour=GAUSS_COLOUR, width=2, dash=DOTTED)),
    GAUSS_LOOSE: ("Gaussian, loose", Look(colour=GAUSS_COLOUR, width=2, dash=DASHED)),
}


def crossover_map(
    border: pd.DataFrame, *, here: tuple[float, float], turn: int | None, noun: str
) -> Picture:
    """Draw both regions, the border between them, and where the query is.

    Args:
        border: columns `BORDER`, δ ascending: how many numbers of one person make both equal.
        here: numbers of one person, and log₁₀ δ, of the query.
        turn: numbers from which on Gaussian noise is smaller at its δ; None: not known.
        noun: what runs to the right, such as "counts per person".

    Raises:
        ParameterError: a column is missing.

    >>> line = pd.DataFrame({"log10_delta": [-9.0, -1.0], "moved": [20.0, 1.0]})
    >>> made = crossover_map(line, here=(5.0, -6.0), turn=9, noun="counts per person")
    >>> [trace.name for trace in made.figure.data]
    ['Laplace', 'Gaussian', 'border', 'here']
    """
    require_columns(border, *BORDER)
    y, line = border[LOG10_DELTA].to_numpy(float), border[MOVED].to_numpy(float)
    edge = float(np.interp(here[1], y, line))  # the border at the query's δ
    end = math.log10(max(LEAST_END, 1.3 * here[0], 1.3 * edge))
    x = np.clip(np.log10(line), 0, end)
    within = np.flatnonzero((x > 0) & (x < end))
    inside = slice(max(0, within[0] - 1), within[-1] + 2) if len(within) else slice(0)
    at = (math.log10(here[0]), here[1])
    traces = [
        _region("Laplace", LAPLACE_COLOUR, [*x, 0.0, 0.0], [*y, y[-1], y[0]]),
        _region("Gaussian", GAUSS_COLOUR, [*x, end, end], [*y, y[-1], y[0]]),
        _border(x[inside], y[inside], line[inside], noun),
        _here(at, here[0], noun),
    ]
    shares = np.interp(SLOTS, (y - y[0]) / (y[-1] - y[0]), x / end)
    low = (at[1] - y[0]) / (y[-1] - y[0])
    layout = {
        "height": HEIGHT,
        "margin": {"t": 4, "r": 4},
        "annotations": [
            *_names(dict(zip(SLOTS, shares.tolist(), strict=True)), low),
            *_at_query(at[0] / end, low, math.log10(max(1.0, edge)) / end, turn, here[0]),
        ],
        "shapes": [_level(at, math.log10(max(1.0, edge)))],
        "xaxis": {
            "title": {"text": f"{plain(noun)} (log scale)"},
            "showgrid": False,
            "fixedrange": True,
        }
        | ratio_axis(1.0, 10**end, whole=True),
        "yaxis": {"title": {"text": f"{DELTA_AXIS}, log scale"}, "fixedrange": True}
        | power_axis(float(y[0]), float(y[-1])),
    }
    return Picture(go.Figure(data=traces, layout=layout), _alt(here, edge, turn, noun))


def _region(name: str, colour: str, x: list[float], y: list[float]) -> go.Scatter:
    look: dict[str, Any] = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    return go.Scatter(x=x, y=y, name=name, fill="toself", fillcolor=rgba(colour, 0.3), **look)


def _border(x: Any, y: Any, line: Any, noun: str) -> go.Scatter:
    told = [
        f"At δ = {probability(at * LN_10)}: Laplace noise is smaller up to {math.floor(n):,}<br>"
        f"{plain(noun)}, Gaussian noise from {math.floor(n) + 1:,} on."
        for at, n in zip(y.tolist(), line.tolist(), strict=True)
    ]
    return go.Scatter(
        x=x,
        y=y,
        mode="lines",
        name="border",
        line={"width": 3, "simplify": False},
        hovertext=told,
        hoverinfo="text",
    )


def _here(at: tuple[float, float], count: float, noun: str) -> go.Scatter:
    return go.Scatter(
        x=[at[0]],
        y=[at[1]],
        mode="markers",
        name="here",
        cliponaxis=False,
        marker={"size": 15},
        hovertext=f"You are here: {significant(count)} {plain(noun)}, "
        f"δ = {probability(at[1] * LN_10)}.",
        hoverinfo="text",
    )


def _level(at: tuple[float, float], edge: float) -> dict[str, Any]:
    """A dotted line from the query to the border at its δ."""
    ends = {"x0": at[0], "x1": edge, "y0": at[1], "y1": at[1]}
    return {"type": "line", **ends, "line": {"width": 1.5, "dash": "dot", "color": GREY}}


def _names(shares: dict[float, float], here: float) -> list[dict[str, Any]]:
    """Whose region it is, and what the border is, clear of the query and of one another.

    Args:
        shares: where the border is, by the heights where words may stand; all as shares.
        here: the height of the query.
    """
    free = [slot for slot in SLOTS if abs(slot - here) * (HEIGHT - BELOW) > CLEAR]
    low, middle, high = free[0], free[len(free) // 2], free[-1]
    notes = []
    for name, at, left, right in (
        ("Laplace", low, 0.0, shares[low]),
        ("Gaussian", high, shares[high], 1.0),
    ):
        tries = (f"{name} is smaller", name)
        room = (right - left) * WIDE - 12
        text = next((t for t in tries if pixels(t, bold=True) < room), "")
        if text:
            centre = {"xanchor": "center", "align": "center"}
            notes.append(_word(f"<b>{text}</b>", (left + right) / 2, at, **centre))
    if pixels("both equal") + 22 < (1 - shares[middle]) * WIDE:
        notes.append(_word("both equal", shares[middle], middle, xshift=18))
    return notes


def _at_query(
    here: float, low: float, edge: float, turn: int | None, count: float
) -> list[dict[str, Any]]:
    """The name of the query, and beside the border where the smaller noise changes."""
    beyond = turn is None or count < turn  # the border lies to the right
    away = "right" if beyond else "left"
    anchor = "left" if here < 0.3 else "right" if here > 0.7 else away
    place = {"xanchor": anchor, "align": anchor, "xshift": -8 if anchor == "left" else 8}
    up = -LIFT if low > 0.85 else LIFT
    notes = [_word("<b>you are here</b>", here, low, yshift=up, **place)]
    text = f"from {turn or 0:,} on" if beyond else f"up to {(turn or 1) - 1:,}"
    room = ((1 - edge) if beyond else edge) * WIDE - 10
    if turn is not None and pixels(text) < room:
        side = {"xanchor": "left", "xshift": 14} if beyond else {"xanchor": "right", "xshift": -14}
        notes.append(_word(text, edge, low, **side))
    return notes


def _word(text: str, x: float, y: float, **more: Any) -> dict[str, Any]:
    """A note at shares of the plot."""
    return note(text, x, y, xref="x domain", yref="y domain", yanchor="middle", **more)


def _alt(here: tuple[float, float], edge: float, turn: int | None, noun: str) -> str:
    side = "left of it, where Laplace" if here[0] <= edge else "right of it, where Gaussian"
    changes = "" if turn is None else f" At this δ that changes at {turn:,}."
    return (
        f"Map: {noun} to the right, δ upwards. Laplace noise is smaller left of a falling border, "
        f"Gaussian right of it.{changes} The query, {significant(here[0])} at "
        f"δ = {probability(here[1] * LN_10)}, lies {side} noise is smaller."
    )


def rounds_lines(totals: pd.DataFrame) -> Picture:
    """Draw the total ε over the number of rounds, a line for each way to count.

    Args:
        totals: columns `ROUND_COLUMNS`: a key of `LOOKS`, rounds (at least 1), ε (drawn above 0).

    Raises:
        ParameterError: a column is missing.

    >>> frame = pd.DataFrame({"method": ["laplace_exact", "laplace_exact", "gauss", "gauss"],
    ...     "rounds": [1, 10, 1, 10], "epsilon": [1.0, 9.0, 3.0, 8.0]})
    >>> rounds_lines(frame).alt[:62]
    'Total ε by rounds. Laplace, exact: from 1 at rounds 1 to 9 at '
    """
    require_columns(totals, *ROUND_COLUMNS)
    shown = totals[totals[TOTAL] > 0]
    frame = pd.DataFrame(
        {
            LINE: [LOOKS[method][0] for method in shown[METHOD]],
            X: shown[ROUNDS].astype(float),
            Y: shown[TOTAL],
            LOW: math.nan,
            HIGH: math.nan,
            DETAIL: "",
        }
    )
    return lines(
        frame,
        what="Total ε by rounds.",
        x=Axis(title="rounds", log=True),
        y=Axis(title="total ε", log=True),
        looks=dict(LOOKS.values()),
    )
