"""A number by how far its reader is trusted: the cone on its side, and what may come next.

The path is coloured; it is level where the number stays and dotted where it jumps. The
cone holds 95 % of all numbers at each ε.
"""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.axes import log_ticks
from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import note, ticks
from dpviz.charts.tidy import require_columns
from dpviz.palette import DOTTED, GREY, REGION, TEAL, rgba
from dpviz.words import number, percent, plain, pm, significant

STEPS, CONE, LAW = ("low", "high", "value"), ("epsilon", "half_width"), ("value", "chance")
HEIGHT, DOT = 430, 10  # pixels
BROAD = 5  # pixels of the path, behind the numbers that readers have
KEY = "thick: the number at this much trust"
ENDS = ("low trust:<br>private, noisy", "high trust:<br>sharp, less private")
HEAD, FOOT = 26, 74  # pixels above and below the axes
CLEAR = 12  # pixels: words from the left end, whose ticks have words, too
SAID = 0.45  # of the axis on a phone: what the value is
APART, NEAR = 0.15, 0.1  # of the axis: from number to number, and to an end
LAW_HEIGHT, FLANK = 300, 0.35  # pixels; how high up at the hill its name stands
LIKELY = "likely numbers"
Notes = list[dict[str, Any]]


def cone_on_its_side(
    steps: pd.DataFrame,
    cone: pd.DataFrame,
    told: Mapping[float, float],
    half: Mapping[float, float],
    *,
    exact: float,
    at: float,
    unit: str,
    what: str,
    step: float,
) -> Picture:
    """Draw one path from low trust to high, what readers have of it, and the number at one ε.

    Args:
        steps: columns `STEPS`: from which ε to which the path stays at a value.
        cone: columns `CONE`, ascending: how far off 95 % of all numbers are.
        told: numbers that readers have, by ε; those beyond the axis are left out.
        half: how far off 95 % of the numbers of each of these readers are, by ε.
        exact: the value itself, made up and public.
        at: where the path is read.
        unit: of the value.
        what: what the value is.
        step: one unit of the last digit that is shown.

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(steps, *STEPS)
    require_columns(cone, *CONE)
    epsilons = cone["epsilon"].to_numpy(float)
    low, high = float(epsilons[0]), float(epsilons[-1])
    off = max(float((steps["value"] - exact).abs().max()), float(cone["half_width"].max()), step)
    bottom, top = exact - 1.05 * off, exact + 1.05 * off
    read = float(steps[steps["high"] >= at]["value"].iloc[0])
    got = {e: x for e, x in told.items() if low <= e <= high}
    side = -1 if steps["value"].iloc[0] >= exact else 1  # of the truth, where no path begins
    place, above = _share(at, low, high), read >= exact
    here = _who(half, at) if got.get(at) == read else ""
    said = f"<b>{number(read, step=step)}</b>"
    true = f"true {plain(what)}: {number(exact, step=step)}"
    notes = [
        _at_slider(_of_reader(said, here), at, read, place, 1 if above else -1),
        note(true, math.log10(low), exact, xshift=CLEAR) | {"yanchor": _edge(side)},
        *_numbers(told, half, exact, at, step, (low, high)),
        note(plain(unit), 0, 1, **_paper("bottom", 6)),
        note(KEY, 1, 1, xanchor="right", **_paper("bottom", 6)),
        *(
            note(text, x, 0, xanchor=anchor, **_paper("top", -24)) | {"align": anchor}
            for text, x, anchor in zip(ENDS, (0, 1), ("left", "right"), strict=True)
        ),
    ]
    edge = top if above and side < 0 and place < SAID else bottom  # clear of the words
    upright = {"x0": at, "x1": at, "y0": read, "y1": edge, "type": "line", "layer": "below"}
    trust = {"type": "log", "range": (math.log10(low), math.log10(high)), "showgrid": False}
    layout = {
        "height": HEIGHT,
        "margin": {"t": HEAD, "b": FOOT, "r": DOT},
        "annotations": notes,
        "shapes": [upright | {"line": {"color": GREY, "width": 1}}],
        "xaxis": trust
        | {"title": {"text": "trust, ε", "standoff": 12}}
        | log_ticks(math.log10(low), math.log10(high), 6),
        "yaxis": {"range": (bottom, top), "showgrid": False} | _clear_ticks(bottom, top),
    }
    traces = [_cone(cone, exact), _truth([low, high], exact), *_path(steps, unit, step), _dots(got)]
    alt = (
        f"One path over ε from {low:g} at the left to {high:g} at the right. It stays at "
        f"{len(steps)} numbers in turn; at ε = {significant(at)} it is at "
        f"{number(read, step=step)} {unit}. A grey area around the value, "
        f"{number(exact, step=step)}, narrows to the right."
    )
    return Picture(go.Figure(data=traces, layout=layout), alt)


def _cone(cone: pd.DataFrame, exact: float) -> go.Scatter:
    epsilons, half = cone["epsilon"].to_numpy(float), cone["half_width"].to_numpy(float)
    return go.Scatter(
        x=[*epsilons, *epsilons[::-1]],
        y=[*(exact - half), *(exact + half)[::-1]],
        mode="lines",
        fill="toself",
        fillcolor=REGION,
        line={"width": 0},
        hoverinfo="skip",
        name="cone",
    )


def _truth(ends: list[float], exact: float) -> go.Scatter:
    """The value itself: a thin line in the ink of the page."""
    line = {"width": 1}
    return go.Scatter(x=ends, y=[exact] * 2, mode="lines", line=line, hoverinfo="skip", name="true")


def _path(steps: pd.DataFrame, unit: str, step: float) -> list[go.Scatter]:
    """Level where it rests; thin and dotted where it jumps."""
    rests: dict[str, list[Any]] = {"x": [], "y": [], "hovertext": []}
    jumps: dict[str, list[Any]] = {"x": [], "y": []}
    before = None
    for row in steps[list(STEPS)].itertuples(index=False):
        low, high, value = map(float, row)
        said = f"{number(value, step=step)} {plain(unit)} from ε = {significant(low)} to "
        said += significant(high)
        rests["x"] += [low, high, None]
        rests["y"] += [value, value, None]
        rests["hovertext"] += [said, said, ""]
        if before is not None:
            jumps["x"] += [low, low, None]
            jumps["y"] += [before, value, None]
        before = value
    thin, broad = ({"width": width, "color": TEAL} for width in (1.2, BROAD))
    thin |= {"dash": DOTTED}
    return [
        go.Scatter(**jumps, mode="lines", line=thin, hoverinfo="skip", name="jumps"),
        go.Scatter(**rests, mode="lines", line=broad, hoverinfo="text", name="rests"),
    ]


def _dots(told: Mapping[float, float]) -> go.Scatter:
    return go.Scatter(
        x=list(told),
        y=list(told.values()),
        mode="markers",
        marker={"size": DOT, "opacity": 1},
        cliponaxis=False,
        hovertext=[f"handed out for trust {significant(epsilon, 6)}" for epsilon in told],
        hoverinfo="text",
        name="handed out",
    )


def _clear_ticks(bottom: float, top: float) -> dict[str, Any]:
    """Ticks clear of the lower end, where those of trust begin."""
    found = ticks(bottom, top)
    kept = [
        (value, text)
        for value, text in zip(found["tickvals"], found["ticktext"], strict=True)
        if value > bottom + 0.05 * (top - bottom)
    ]
    return found | {"tickvals": [v for v, _ in kept], "ticktext": [t for _, t in kept]}


def _share(epsilon: float, low: float, high: float) -> float:
    """Where a trust is on the axis, from 0 to 1.

    >>> _share(1.0, 0.1, 10.0)
    0.5
    """
    return math.log(epsilon / low) / math.log(high / low)


def _edge(side: int) -> str:
    """Which edge of words is anchored that stand above (1) or below (-1) a point."""
    return "bottom" if side > 0 else "top"


def _paper(anchor: str, shift: float) -> dict[str, Any]:
    return {"xref": "paper", "yref": "paper", "yanchor": anchor, "yshift": shift}


def _at_slider(said: str, at: float, value: float, place: float, side: int) -> dict[str, Any]:
    """The number at the slider, beside its line and inside of the axis."""
    beside = {"xanchor": "right", "xshift": -6} if place > 1 - NEAR else {"xshift": 6}
    look = beside | {"yanchor": _edge(side), "yshift": 8 * side}
    return note(said, math.log10(at), value, **look)


def _who(half: Mapping[float, float], epsilon: float) -> str:
    """Who has the number of a trust, and how near it is.

    >>> found = [_who({0.1: 29.96, 0.5: 5.992, 1.0: 2.996}, trust) for trust in (0.1, 0.5, 1.0)]
    >>> [said.replace("\u202f", "") for said in found]
    ['stranger ±30', 'friend ±6', 'doctor ±3']
    """
    who = {min(half): "stranger", max(half): "doctor"}.get(epsilon, "friend")
    return f"{who} {pm(half[epsilon])}"


def _of_reader(said: str, who: str) -> str:
    """A number below its reader."""
    return f"{who}<br>{said}" if who else said


def _numbers(
    told: Mapping[float, float],
    half: Mapping[float, float],
    exact: float,
    at: float,
    step: float,
    ends: tuple[float, float],
) -> Notes:
    """Who has which number, written where there is room, those of most trust first.

    Beside the dot and away from the value: a path comes nearer to the value with trust.
    """
    written, notes = [_share(at, *ends)], []
    for epsilon in sorted(told, reverse=True):
        place = _share(epsilon, *ends)
        if not 0 <= place <= 1 or any(abs(place - other) < APART for other in written):
            continue
        written.append(place)
        side = 1 if told[epsilon] >= exact else -1
        beside = {"xanchor": "right"} if place > 1 - NEAR else {"xshift": CLEAR}
        look = beside | {"yanchor": _edge(side), "yshift": (DOT // 2 + 1) * side}
        said = f"<b>{number(told[epsilon], step=step)}</b>"
        said = _of_reader(said, _who(half, epsilon))
        notes.append(note(said, math.log10(epsilon), told[epsilon], **look))
    return notes


def next_number(
    curve: pd.DataFrame,
    atoms: pd.DataFrame,
    *,
    exact: float,
    whole: bool,
    unit: str,
    step: float,
) -> go.Figure:
    """Draw the law of a number before it is drawn: a hill, and a spike where it may stay.

    Args:
        curve: columns `LAW`: densities, or masses of whole numbers.
        atoms: columns `LAW`; of whole numbers their masses are in the curve, too.
        exact: the value itself, made up and public.
        whole: whether the values are whole numbers, each with a bar.
        unit: of the value.
        step: one unit of the last digit that is shown.

    Raises:
        ParameterError: a column is missing, or there is no point.
    """
    require_columns(curve, *LAW)
    at, height = curve["value"].to_numpy(float), curve["chance"].to_numpy(float)
    spikes = atoms["chance"].to_numpy(float)
    if not whole:  # a density and a chance have no common scale: the tallest of each is drawn
        height, spikes = height / (height.max() or 1.0), 1.15 * spikes / spikes.max(initial=1e-300)
    seen = [*at[height > 0.01 * height.max()], exact, *atoms["value"]]
    room = 0.06 * (max(seen) - min(seen)) or 1.0
    left, right = min(seen) - room, max(seen) + room
    top = max(float(height.max()), float(spikes.max(initial=0.0))) or 1.0
    notes = [note("value", exact, 1, yref="y domain", xanchor="center", yanchor="bottom")]
    notes += _again(atoms, spikes, exact, (left, right), step)
    if height.max():
        foot, end = at[height >= FLANK * height.max()][[0, -1]]
        side = {"xshift": 10} if right - end >= foot - left else {"xanchor": "right", "xshift": -10}
        place = end if right - end >= foot - left else foot
        notes.append(note(LIKELY, place, FLANK * height.max(), **side))
    layout = {
        "height": LAW_HEIGHT,
        "margin": {"t": HEAD},
        "annotations": notes,
        "bargap": 0.15,
        "xaxis": {"range": (left, right), "showgrid": False, "title": {"text": plain(unit)}}
        | ticks(left, right),
        "yaxis": {"visible": False, "range": (0, 1.2 * top)},
    }
    ends: dict[str, Any] = {"x": [exact] * 2, "y": [0, 1.2 * top], "line": {"width": 1}}
    true = go.Scatter(mode="lines", hoverinfo="skip", name="true", **ends)
    marks = [
        go.Scatter(
            x=[value] * 2,
            y=[0, spike],
            mode="lines+markers",
            line={"width": 3 if whole else 5},
            marker={"size": [0, DOT], "opacity": 1},
            hoverinfo="skip",
            name="stays",
        )
        for value, spike in zip(atoms["value"], spikes.tolist(), strict=True)
    ]
    hill = {"x": at, "y": height, "hoverinfo": "skip"}
    if whole:
        first = go.Bar(**hill, marker={"color": rgba(GREY, 0.55)}, name="bars")
    else:
        look = {"fillcolor": rgba(GREY, 0.3), "line": {"color": GREY, "width": 2}}
        first = go.Scatter(**hill, **look, mode="lines", fill="tozeroy", name="hill")
    return go.Figure(data=[first, true, *marks], layout=layout)


def _again(
    atoms: pd.DataFrame, heights: Any, exact: float, ends: tuple[float, float], step: float
) -> Notes:
    """How likely each number comes again: beside its spike, away from another and the value."""
    values, notes = atoms["value"].to_numpy(float), []
    for value, share, height in zip(values, atoms["chance"], heights, strict=True):
        place = (value - ends[0]) / (ends[1] - ends[0])
        right = place < 0.35 or (value >= exact and place < 0.6)
        if len(values) > 1:
            right = value > values.min()
        side: dict[str, Any] = {"xshift": 8}
        if not right:
            side = {"xanchor": "right", "xshift": -8, "align": "right"}
        said = f"<b>{percent(share)}</b>: {number(value, step=step)} again"
        notes.append(note(said, value, height, yanchor="top", **side))
    return notes
