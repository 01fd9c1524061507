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

MAP, BELOW = 370, 50  # pixels; of the map, and of its axis
WIDE = PHONE - 120  # pixels between the sides of the map on a phone
SLOTS = (0.1, 0.25, 0.4, 0.55, 0.7, 0.85)  # heights where words may stand, as shares
EQUAL = "← equal here"
CLEAR, LIFT = 45, 19  # pixels: words from the query, and its name above or below its mark
ODDS = {
    "0.5": "1 in 2",
    "10⁻³": "1 in a thousand",
    "10⁻⁶": "1 in a million",
    "10⁻⁹": "1 in a billion",
    "10⁻¹²": "1 in a trillion",
    "10⁻¹⁵": "1 in 10¹⁵",
}
COLOURS = {"Laplace": LAPLACE_COLOUR, "Gaussian": GAUSS_COLOUR}
LOOKS = {
    LAPLACE_EXACT: ("Laplace, exact", Look(colour=LAPLACE_COLOUR)),
    LAPLACE_BOUND: ("Laplace, bound", Look(colour=LAPLACE_COLOUR, width=2, dash=DASHED)),
    GAUSS: ("Gaussian, exact", Look(colour=GAUSS_COLOUR)),
    GAUSS_ZCDP: ("Gaussian, zCDP", Look(colour=GAUSS_COLOUR, width=2, dash=DOTTED)),
    GAUSS_LOOSE: ("Gaussian, loose", Look(colour=GAUSS_COLOUR, width=2, dash=DASHED)),
}


def crossover_map(
    border: pd.DataFrame,
    *,
    here: tuple[float, float],
    turn: int | None,
    across: str,
    mark: str,
) -> Picture:
    """Draw both regions, the border between them, and where the query is.

    Args:
        border: columns `BORDER`, δ ascending: how many numbers of one person make both equal.
        here: numbers of one person, and log₁₀ δ, of the query.
        turn: numbers from which on Gaussian noise is smaller at its δ; None: not known.
        across: what runs to the right, such as "how often one person is counted".
        mark: what the query is called.

    Raises:
        ParameterError: a column is missing.

    >>> line = pd.DataFrame({"log10_delta": [-9.0, -1.0], "moved": [20.0, 1.0]})
    >>> made = crossover_map(line, here=(5.0, -6.0), turn=9, across="counts", mark="5 counts")
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
    at, ends_at = (math.log10(here[0]), here[1]), math.log10(max(1.0, edge))
    name, delta = f"<b>{plain(mark)}</b>", probability(at[1] * LN_10)
    traces = [
        _region("Laplace", [*x, 0.0, 0.0], [*y, y[-1], y[0]]),
        _region("Gaussian", [*x, end, end], [*y, y[-1], y[0]]),
        _border(x[inside], y[inside], line[inside]),
        _mark(at, f"{name}: δ = {delta}, {significant(here[0])} {plain(across)}."),
    ]
    shares = np.interp(SLOTS, (y - y[0]) / (y[-1] - y[0]), x / end)
    low = (at[1] - y[0]) / (y[-1] - y[0])
    layout: dict[str, Any] = {
        "height": MAP + BELOW,
        "margin": {"t": 4, "r": 4, "b": BELOW - 4},
        "annotations": [
            *_names(dict(zip(SLOTS, shares.tolist(), strict=True)), low),
            *_at_query(name, at[0] / end, low, ends_at / end, turn, here[0]),
        ],
        "shapes": [_level(at, ends_at)],
        "xaxis": {"title": {"text": plain(across)}, "showgrid": False, "fixedrange": True}
        | ratio_axis(1.0, 10**end, whole=True),
        "yaxis": {"title": {"text": DELTA_AXIS}, "fixedrange": True}
        | _odds(power_axis(float(y[0]), float(y[-1]))),
    }
    return Picture(go.Figure(data=traces, layout=layout), _alt(here, edge, turn, across))


def _odds(axis: dict[str, Any]) -> dict[str, Any]:
    """The axis of δ with its ticks in words, where they have some."""
    return axis | {"ticktext": [ODDS.get(text, text) for text in axis["ticktext"]]}


def _region(name: str, x: list[float], y: list[float]) -> go.Scatter:
    look: dict[str, Any] = {"mode": "lines", "line": {"width": 0}, "hoverinfo": "skip"}
    fill = rgba(COLOURS[name], 0.3)
    return go.Scatter(x=x, y=y, name=name, fill="toself", fillcolor=fill, **look)


def _border(x: Any, y: Any, line: Any) -> go.Scatter:
    told = [
        f"At δ = {probability(at * LN_10)}: Laplace noise is smaller up to {math.floor(n):,},<br>"
        f"Gaussian noise from {math.floor(n) + 1:,} on."
        for at, n in zip(y.tolist(), line.tolist(), strict=True)
    ]
    look = {"name": "border", "line": {"width": 3, "simplify": False}}
    return go.Scatter(x=x, y=y, mode="lines", hovertext=told, hoverinfo="text", **look)


def _mark(at: tuple[float, float], told: str) -> go.Scatter:
    look: dict[str, Any] = {"mode": "markers", "cliponaxis": False, "marker": {"size": 16}}
    return go.Scatter(x=[at[0]], y=[at[1]], name="here", hovertext=told, hoverinfo="text", **look)


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
    free = [slot for slot in SLOTS if abs(slot - here) * MAP > CLEAR]
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
    if pixels(EQUAL) + 22 < (1 - shares[middle]) * WIDE:
        notes.append(_word(EQUAL, shares[middle], middle, xshift=18))
    return notes


def _at_query(
    name: str, here: float, low: float, edge: float, turn: int | None, count: float
) -> list[dict[str, Any]]:
    """The name of the query, and beside the border where the smaller noise changes."""
    beyond = turn is None or count < turn  # the border lies to the right
    away = "right" if beyond else "left"
    anchor = "left" if here < 0.3 else "right" if here > 0.7 else away
    place = {"xanchor": anchor, "align": anchor, "xshift": -8 if anchor == "left" else 8}
    up = -LIFT if low > 0.85 else LIFT
    notes = [_word(name, here, low, yshift=up, **place)]
    text = f"from {turn or 0:,} on" if beyond else f"up to {(turn or 1) - 1:,}"
    room = ((1 - edge) if beyond else edge) * WIDE - 10
    if turn is not None and pixels(text) < room:
        side = {"xanchor": "left", "xshift": 14} if beyond else {"xanchor": "right", "xshift": -14}
        notes.append(_word(text, edge, low, **side))
    return notes


def _word(text: str, x: float, y: float, **more: Any) -> dict[str, Any]:
    """A note at shares of the plot."""
    return note(text, x, y, xref="x domain", yref="y domain", yanchor="middle", **more)


def _alt(here: tuple[float, float], edge: float, turn: int | None, across: str) -> str:
    side = "left of it, where Laplace" if here[0] <= edge else "right of it, where Gaussian"
    changes = "" if turn is None else f" At this δ that changes at {turn:,}."
    return (
        f"Map: {across} to the right, δ upwards. Laplace noise is smaller left of a border, "
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
