"""The attack made real: the error of the best estimate, and the membership test.

Errors are drawn, never values. Lines are formulas, symbols are simulated and never joined; the
lossless line has the colour of the least private member, what it is compared with is grey.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import plotly.graph_objects as go

from dpviz.accounting.schemes import INDEPENDENT, LOSSLESS, SCHEMES
from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import Floats, note, ticks
from dpviz.palette import DASHED, GREY, GRID, SOLID, TierStyle
from dpviz.words import NARROW, percent, plain, significant

HEIGHT, TALL = 330, 380  # pixels
CROWDED = 40  # persons; more of them get smaller marks
DASHES = {LOSSLESS: SOLID, INDEPENDENT: DASHED}


def error_chart(
    formula: Mapping[str, Floats],
    simulated: Mapping[str, Floats],
    *,
    style: TierStyle,
    noun: str,
) -> Picture:
    """Draw the error of the best estimate as one person after the other joins.

    Args:
        formula: by scheme, root mean square errors, shape (persons,).
        simulated: the same as simulated; nothing where there is no simulation.
        style: look of the least private member.
        noun: unit of the errors.

    >>> one = {LOSSLESS: np.array([2.0, 2.0]), INDEPENDENT: np.array([2.0, 1.4])}
    >>> made = error_chart(one, {}, style=TierStyle(2, 0), noun="people")
    >>> [trace.mode for trace in made.figure.data]
    ['lines', 'lines']
    """
    count = formula[LOSSLESS].size
    x = np.arange(1, count + 1, dtype=float)
    lines = [
        go.Scatter(
            x=x,
            y=errors,
            mode="lines",
            name=f"{SCHEMES[scheme].name}, formula",
            line=_line(scheme, style),
            hoverinfo="skip",
        )
        for scheme, errors in formula.items()
    ]
    marks = [
        go.Scatter(
            x=x[: errors.size],
            y=errors,
            mode="markers",
            name=f"{SCHEMES[scheme].name}, simulated",
            marker=_mark(scheme, style) | {"size": 9 if count <= CROWDED else 5},
            hovertext=[
                f"<b>{SCHEMES[scheme].name}</b>: {k} together miss by {significant(error)} "
                f"{plain(noun)}, root mean square."
                for k, error in enumerate(errors.tolist(), start=1)
            ],
            hoverinfo="text",
        )
        for scheme, errors in simulated.items()
    ]
    top = 1.18 * max(float(errors.max()) for errors in (*formula.values(), *simulated.values()))
    above = {"xanchor": "right", "yanchor": "bottom", "yshift": 5}
    below = {"xanchor": "right", "yanchor": "top", "yshift": -8}
    notes = [note("<b>lossless</b>", count, float(formula[LOSSLESS][-1]), **above)]
    if count > 1:
        notes.append(
            note(SCHEMES[INDEPENDENT].name, count, float(formula[INDEPENDENT][-1]), **below)
        )
    pad = 0.06 * max(count - 1, 1)
    whole = {"tickmode": "array", "tickvals": list(range(1, count + 1))}
    layout = {
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
    ends = [significant(formula[scheme][-1]) for scheme in (LOSSLESS, INDEPENDENT)]
    alt = (
        f"Error of the best estimate, in {noun}, against readers. Lossless ends at {ends[0]}, "
        f"separate noise falls to {ends[1]}."
    )
    return Picture(go.Figure(data=[*lines, *marks], layout=layout), alt)


def trade_off_chart(
    alarms: Floats,
    curves: Mapping[str, Floats],
    at: Floats,
    simulated: Mapping[str, Floats],
    *,
    style: TierStyle,
    alarm: str,
    mirrored: tuple[str, Floats] | None = None,
) -> Picture:
    """Draw what the best membership test misses at each share of false alarms.

    Args:
        alarms: type I errors of the curves, ascending, shape (n,).
        curves: by scheme, type II errors, shape (n,); the lossless one first.
        at: type I errors of the simulated marks, shape (k,).
        simulated: by scheme, type II errors of the marks, shape (k,).
        style: look of the least private member.
        alarm: what a false alarm is, such as "says “in” of one who is out".
        mirrored: when the lossless curve is another one, such as "a person makes the numbers
            smaller", and that curve.

    >>> half = np.array([0.0, 0.5, 1.0])
    >>> look = TierStyle(2, 0)
    >>> made = trade_off_chart(half, {LOSSLESS: 1 - half}, half, {}, style=look, alarm="x")
    >>> [trace.name for trace in made.figure.data]
    ['guessing', 'lossless']
    """
    guessing = go.Scatter(
        x=[0, 1],
        y=[1, 0],
        mode="lines",
        name="guessing",
        line={"color": GREY, "width": 1.5, "dash": "dot"},
        hoverinfo="skip",
    )
    drawn = [
        (SCHEMES[scheme].name, misses, _line(scheme, style)) for scheme, misses in curves.items()
    ]
    if mirrored is not None:
        thin = _line(LOSSLESS, style) | {"width": 1}
        drawn.append((f"{SCHEMES[LOSSLESS].name}, if {mirrored[0]}", mirrored[1], thin))
    lines = [
        go.Scatter(
            x=alarms,
            y=misses,
            mode="lines",
            name=name,
            line=look,
            hovertext=_hover(name, alarms, misses, ""),
            hoverinfo="text",
        )
        for name, misses, look in drawn
    ]
    points = [
        go.Scatter(
            x=at,
            y=misses,
            mode="markers",
            name=f"{SCHEMES[scheme].name}, simulated",
            marker=_mark(scheme, style) | {"size": 9},
            hovertext=_hover(SCHEMES[scheme].name, at, misses, "The simulated attacker: "),
            hoverinfo="text",
        )
        for scheme, misses in simulated.items()
    ]
    percents = {
        "range": (-0.09, 1.02),
        "tickmode": "array",
        "tickvals": [0, 0.25, 0.5, 0.75, 1],
        "ticktext": [f"{p}{NARROW}%" for p in (0, 25, 50, 75, 100)],
    }
    layout = {
        "height": TALL,
        "margin": {"t": 8},
        "annotations": [
            note("guessing", 0.62, 0.4, xanchor="left", yanchor="bottom"),
            *_named(alarms, curves),
        ],
        "xaxis": percents | {"title": {"text": f"false alarms: {alarm}"}},
        "yaxis": percents | {"showgrid": True, "gridcolor": GRID},
    }
    missed = percent(float(np.interp(0.05, alarms, curves[LOSSLESS])))
    alt = f"Trade-off curves. At 5 % false alarms the test misses {missed} under lossless release."
    return Picture(go.Figure(data=[guessing, *lines, *points], layout=layout), alt)


def _line(scheme: str, style: TierStyle) -> dict[str, Any]:
    colour = style.colour if scheme == LOSSLESS else GREY
    return {"color": colour, "width": 2.5, "dash": DASHES[scheme], "simplify": False}


def _mark(scheme: str, style: TierStyle) -> dict[str, Any]:
    if scheme == LOSSLESS:
        return {"color": style.colour, "symbol": style.marker}
    return {"color": GREY, "symbol": "diamond-open"}


def _hover(name: str, alarms: Floats, misses: Floats, who: str) -> list[str]:
    return [
        f"{who}<b>{plain(name)}</b>: a test with {percent(a)} false alarms<br>"
        f"still misses {percent(b)}."
        for a, b in zip(alarms.tolist(), misses.tolist(), strict=True)
    ]


def _named(alarms: Floats, curves: Mapping[str, Floats]) -> list[dict[str, Any]]:
    """The name of the lossless curve above it, that of the lower one below it."""
    notes = []
    upper = {"xanchor": "left", "yanchor": "bottom", "xshift": 6, "yshift": 4}
    lower = {"xanchor": "right", "yanchor": "top", "xshift": -6, "yshift": -4}
    for scheme, misses in curves.items():
        ours = scheme == LOSSLESS
        at = int(np.argmin(np.abs(misses - alarms - (0.3 if ours else -0.1))))
        text = f"<b>{SCHEMES[scheme].name}</b>" if ours else SCHEMES[scheme].name
        notes.append(note(text, float(alarms[at]), float(misses[at]), **(upper if ours else lower)))
    return notes
