"""The attack made real: error of the best estimate, and the membership test.

Errors are drawn, never values. Lines are formulas, symbols are simulated and never joined.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.charts.labels import Floats, note, ticks
from dpviz.palette import GREY, GRID, TierStyle
from dpviz.words import NARROW, percent, plain, significant

HEIGHT, TALL = 330, 380  # pixels
CROWDED = 40  # persons; more of them get smaller marks


def error_chart(
    lossless: tuple[Floats, Floats],
    independent: tuple[Floats, Floats],
    *,
    style: TierStyle,
    noun: str,
) -> go.Figure:
    """Draw the error of the best estimate as one person after the other joins.

    Args:
        lossless: root mean square error by formula and simulated, shape (persons,) each; nothing
            simulated has the shape (0,).
        independent: the same with independent noise for each person.
        style: look of the least private member.
        noun: unit of the errors.

    >>> one = np.array([2.0, 2.0])
    >>> fig = error_chart((one, one), (one, one), style=TierStyle(2, 0), noun="people")
    >>> [trace.mode for trace in fig.data]
    ['lines', 'lines', 'markers', 'markers']
    """
    x = np.arange(1, lossless[0].size + 1, dtype=float)
    looks = (
        ("lossless", lossless, style.colour, "solid", style.marker),
        ("independent", independent, GREY, "8px 4px", "diamond-open"),
    )
    lines = [
        go.Scatter(
            x=x,
            y=theory,
            mode="lines",
            name=f"{name}, formula",
            line={"color": colour, "width": 2.5, "dash": dash, "simplify": False},
            hoverinfo="skip",
        )
        for name, (theory, _), colour, dash, _ in looks
    ]
    marks = [
        go.Scatter(
            x=x[: found.size],
            y=found,
            mode="markers",
            name=f"{name}, simulated",
            marker={"color": colour, "size": 9 if x.size <= CROWDED else 5, "symbol": symbol},
            hovertext=[
                f"<b>{name}</b>: {int(k)} together miss by {significant(v)} {plain(noun)}, "
                "root mean square."
                for k, v in zip(x[: found.size], found, strict=True)
            ],
            hoverinfo="text",
        )
        for name, (_, found), colour, _, symbol in looks
    ]
    return go.Figure(data=[*lines, *marks], layout=_errors_layout(lossless, independent))


def _errors_layout(
    lossless: tuple[Floats, Floats], independent: tuple[Floats, Floats]
) -> dict[str, Any]:
    count = lossless[0].size
    top = 1.18 * float(np.concatenate([*lossless, independent[0]]).max())
    above = {"xanchor": "right", "yanchor": "bottom", "yshift": 5}
    below = {"xanchor": "right", "yanchor": "top", "yshift": -8}
    notes = [note("<b>lossless</b>", count, float(lossless[0][-1]), **above)]
    if count > 1:
        notes.append(note("independent", count, float(independent[0][-1]), **below))
    pad = 0.06 * max(count - 1, 1)
    whole = {"tickmode": "array", "tickvals": list(range(1, count + 1))}
    return {
        "height": HEIGHT,
        "margin": {"t": 8},
        "annotations": notes,
        "xaxis": {
            "range": (1 - pad, count + pad),
            "title": {"text": "persons, the least private first"},
        }
        | (whole if count <= 8 else ticks(1, count)),
        "yaxis": {"range": (0, top), "showgrid": True, "gridcolor": GRID}
        | ticks(0, top, room=math.inf),
    }


def trade_off_chart(
    alarms: Floats,
    curves: Sequence[tuple[str, Floats, TierStyle]],
    at: Floats,
    marks: Sequence[tuple[str, Floats, TierStyle]],
    *,
    alarm: str,
    mirrored: tuple[str, Floats] | None = None,
) -> go.Figure:
    """Draw what the best membership test misses at each share of false alarms.

    Args:
        alarms: type I errors of the curves, ascending, shape (n,).
        curves: name, type II errors of shape (n,), look; slot 0 is grey and dashed.
        at: type I errors of the simulated marks, shape (k,).
        marks: name, type II errors of shape (k,), look.
        alarm: what a false alarm is, such as "says “in” of one who is out".
        mirrored: when the first curve is another one, such as "a person makes the numbers smaller",
            and that curve.

    >>> half = np.array([0.0, 0.5, 1.0])
    >>> fig = trade_off_chart(half, [("a", 1 - half, TierStyle(2, 0))], half, [],
    ...     alarm="says “in” of one who is out")
    >>> [trace.name for trace in fig.data]
    ['guessing', 'a']
    """
    guessing = go.Scatter(
        x=[0, 1],
        y=[1, 0],
        mode="lines",
        name="guessing",
        line={"color": GREY, "width": 1.5, "dash": "dot"},
        hoverinfo="skip",
    )
    lines = [_line(name, alarms, misses, look, 2.5) for name, misses, look in curves]
    if mirrored is not None:
        name, _, look = curves[0]
        lines.append(_line(f"{name}, if {mirrored[0]}", alarms, mirrored[1], look, 1))
    points = [
        go.Scatter(
            x=at,
            y=misses,
            mode="markers",
            name=f"{name}, simulated",
            marker={"color": look.colour, "size": 9, "symbol": _mark(look)},
            hovertext=_hover(name, at, misses, "The simulated attacker: "),
            hoverinfo="text",
        )
        for name, misses, look in marks
    ]
    layout = {
        "height": TALL,
        "margin": {"t": 8},
        "annotations": [
            note("guessing", 0.62, 0.4, xanchor="left", yanchor="bottom"),
            *_named(alarms, curves),
        ],
        "xaxis": _percents() | {"title": {"text": f"false alarms: {alarm}"}},
        "yaxis": _percents() | {"showgrid": True, "gridcolor": GRID},
    }
    return go.Figure(data=[guessing, *lines, *points], layout=layout)


def _line(name: str, alarms: Floats, misses: Floats, look: TierStyle, width: float) -> go.Scatter:
    return go.Scatter(
        x=alarms,
        y=misses,
        mode="lines",
        name=name,
        line={
            "color": look.colour,
            "width": width,
            "dash": "solid" if look.slot else "8px 4px",
            "simplify": False,
        },
        hovertext=_hover(name, alarms, misses, ""),
        hoverinfo="text",
    )


def _percents() -> dict[str, Any]:
    return {
        "range": (-0.09, 1.02),
        "tickmode": "array",
        "tickvals": [0, 0.25, 0.5, 0.75, 1],
        "ticktext": [f"{p}{NARROW}%" for p in (0, 25, 50, 75, 100)],
    }


def _mark(look: TierStyle) -> str:
    return look.marker if look.slot else "diamond-open"


def _hover(name: str, alarms: Floats, misses: Floats, who: str) -> list[str]:
    return [
        f"{who}<b>{plain(name)}</b>: a test with {percent(a)} false alarms<br>"
        f"still misses {percent(b)}."
        for a, b in zip(alarms.tolist(), misses.tolist(), strict=True)
    ]


def _named(alarms: Floats, curves: Sequence[tuple[str, Floats, TierStyle]]) -> list[dict[str, Any]]:
    """The upper curve's name above it, the lower one's below it."""
    notes = []
    upper = {"xanchor": "left", "yanchor": "bottom", "xshift": 6, "yshift": 4}
    lower = {"xanchor": "right", "yanchor": "top", "xshift": -6, "yshift": -4}
    for rank, (name, misses, _) in enumerate(curves):
        at = int(np.argmin(np.abs(misses - alarms - (0.3 if rank == 0 else -0.1))))
        text = f"<b>{plain(name)}</b>" if rank == 0 else plain(name)
        place = upper if rank == 0 else lower
        notes.append(note(text, float(alarms[at]), float(misses[at]), **place))
    return notes
