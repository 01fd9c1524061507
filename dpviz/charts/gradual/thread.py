"""One value as a thread over ε: from little trust at the left to much at the right.

The thread has the ink of the page; it is level where the number stays and dotted where it jumps.
The cone holds 95 % of all numbers at each ε, and ends inside of the axis.
"""

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.axes import log_ticks
from dpviz.charts.gradual.frame import HIGH, LOW, STEPS, VALUE
from dpviz.charts.labels import Floats, note, ticks
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, rgba
from dpviz.words import number, plain, significant

HEIGHT = 430
DOT = 10  # pixels
CONE = 0.14
PALE = 0.55  # the thread, behind the numbers that readers have
TRUST = "trust (ε)"
ENDS = ("a stranger:<br>private, noisy", "your doctor:<br>sharp, less private")
ROOM = 0.05  # of the axis above and below
CLEAR = 0.05  # of the axis at its lower end: no tick there
LEVELS = 60  # of a cone
SURE = "95 of 100<br>numbers<br>fall here"  # in the cone, at its wide end
AFTER, TALL = 22, 48  # pixels from the truth, and of these words
WIDE = 0.25  # of the axis on a phone: these words
SAID = 0.45  # of the axis on a phone: what the value is
APART, NEAR = 0.15, 0.1  # of the axis: from one number that is written to another, and to an end
BELOW = 74  # pixels for ticks, title and the words at both ends of trust


def thread_chart(
    frame: pd.DataFrame,
    cone: pd.DataFrame,
    *,
    exact: float,
    epsilon: float,
    unit: str,
    step: float,
    what: str = "value",
    handed_out: Mapping[float, float] | None = None,
) -> go.Figure:
    """Draw the path of one value, with the number at one ε.

    Args:
        frame: columns `STEPS`, one coordinate.
        cone: columns high and value: at each ε half the width of 95 % of all numbers.
        exact: the value itself, made up and public.
        epsilon: where the number is read.
        unit: of the value.
        step: one unit of the last digit that is shown.
        what: what the value is.
        handed_out: numbers of the path by ε that readers have got; those beyond it are left out.

    Raises:
        ParameterError: a column is missing, or there is no step.
    """
    require_columns(frame, *STEPS)
    require_columns(cone, HIGH, VALUE)
    low, high = float(frame[LOW].min()), float(frame[HIGH].max())
    here = frame[(frame[LOW] < epsilon) & (frame[HIGH] >= epsilon)]
    value = float((here if len(here) else frame.iloc[:1])[VALUE].iloc[0])
    bottom, top = sides(frame, cone, exact=exact, step=step)
    said = f"true {plain(what)}: {number(exact, step=step)}"
    first = float(frame.sort_values(LOW)[VALUE].iloc[0])
    side = -1 if first >= exact else 1  # of the line of the truth, where no thread begins
    truth = note(said, math.log10(low), exact, xshift=6, yanchor=_over(side))
    got = {e: x for e, x in (handed_out or {}).items() if low <= e <= high}
    place = _share(epsilon, low, high)
    free = (value >= exact) != (side > 0) or place > WIDE + APART
    over = value >= exact and side < 0 and place < SAID  # words are below it
    unit_pixels = (HEIGHT - 26 - BELOW) / (top - bottom)
    reading = _reading(number(value, step=step), epsilon, value, place, 1 if value >= exact else -1)
    return go.Figure(
        data=[
            _cone(cone, exact),
            _truth(exact, low, high),
            *_thread(frame, unit, step),
            _got(got),
        ],
        layout={
            "height": HEIGHT,
            "margin": {"t": 26, "b": BELOW, "r": DOT},
            "annotations": [
                reading,
                truth,
                *(_sure(cone, exact, side, unit_pixels) if free else []),
                *_numbers(got, exact, epsilon, step, (low, high)),
                _unit(unit),
                *_ends(),
            ],
            "shapes": [_line(value, epsilon, top if over else bottom)],
            "xaxis": _trust(low, high) | {"showgrid": False},
            "yaxis": {"range": (bottom, top), "showgrid": False} | _above(bottom, top),
        },
    )


def cone_frame(epsilons: Floats, halves: Floats) -> pd.DataFrame:
    """Half widths by ε; columns high and value.

    >>> cone_frame(np.array([0.5, 1.0]), np.array([6.0, 3.0])).values.tolist()
    [[0.5, 6.0], [1.0, 3.0]]
    """
    return pd.DataFrame({HIGH: epsilons, VALUE: halves})


def sides(
    frame: pd.DataFrame, cone: pd.DataFrame, *, exact: float, step: float
) -> tuple[float, float]:
    """Ends of the axis: all that the thread visits, and the whole cone, evenly."""
    off = float(np.abs(frame[VALUE].to_numpy(float) - exact).max())
    reach = max(off, float(cone[VALUE].max()), step) * (1 + ROOM)
    return exact - reach, exact + reach


def _cone(cone: pd.DataFrame, exact: float) -> go.Scatter:
    epsilons, half = cone[HIGH].to_numpy(float), cone[VALUE].to_numpy(float)
    return go.Scatter(
        x=[*epsilons, *epsilons[::-1]],
        y=[*(exact - half), *(exact + half)[::-1]],
        mode="lines",
        fill="toself",
        fillcolor=rgba(GREY, CONE),
        line={"width": 0},
        hoverinfo="skip",
        name="cone",
    )


def _thread(frame: pd.DataFrame, unit: str, step: float) -> list[go.Scatter]:
    """Level where it rests; thin and dotted where it jumps."""
    values, lows, highs = (frame[name].to_numpy(float) for name in (VALUE, LOW, HIGH))
    rests = {"x": [], "y": [], "hovertext": []}  # type: dict[str, list[Any]]
    for value, low, high in zip(values, lows, highs, strict=True):
        said = f"{number(value, step=step)} {plain(unit)} from ε = {significant(low)} to "
        said += significant(high)
        rests["x"] += [low, high, None]
        rests["y"] += [value, value, None]
        rests["hovertext"] += [said, said, ""]
    across: list[float | None] = []
    along: list[float | None] = []
    for first, second, end in zip(values[:-1], values[1:], highs[:-1], strict=True):
        across += [first, second, None]
        along += [end, end, None]
    jump = {"width": 1.2, "dash": "2px 3px"}
    look: dict[str, Any] = {"mode": "lines", "opacity": PALE}
    return [
        go.Scatter(x=along, y=across, line=jump, hoverinfo="skip", name="jumps", **look),
        go.Scatter(**rests, line={"width": 2.5}, hoverinfo="text", name="rests", **look),
    ]


def _got(numbers: Mapping[float, float]) -> go.Scatter:
    """Dots on the path: what readers have got of it."""
    return go.Scatter(
        x=list(numbers),
        y=list(numbers.values()),
        mode="markers",
        marker={"size": DOT, "opacity": 1},
        cliponaxis=False,
        hovertext=[f"handed out for trust {significant(epsilon, 6)}" for epsilon in numbers],
        hoverinfo="text",
        name="handed out",
    )


def _above(bottom: float, top: float) -> dict[str, Any]:
    """Ticks clear of the lower end, where those of trust begin."""
    found = ticks(bottom, top)
    clear = [value > bottom + CLEAR * (top - bottom) for value in found["tickvals"]]
    kept = {
        name: [each for each, ok in zip(found[name], clear, strict=True) if ok]
        for name in ("tickvals", "ticktext")
    }
    return found | kept


def _share(epsilon: float, low: float, high: float) -> float:
    """Where a trust is on the axis, from 0 to 1.

    >>> _share(1.0, 0.1, 10.0)
    0.5
    """
    return math.log(epsilon / low) / math.log(high / low)


def _over(side: int) -> str:
    """Which edge of words is anchored that stand above (1) or below (-1) a point."""
    return "bottom" if side > 0 else "top"


def _reading(said: str, epsilon: float, value: float, place: float, side: int) -> dict[str, Any]:
    """The number at the slider, large, beside its line and inside of the axis."""
    beside = {"xanchor": "right", "xshift": -6} if place > 1 - NEAR else {"xshift": 6}
    look = beside | {"yanchor": _over(side), "yshift": 8 * side, "font": {"size": 20}}
    return note(f"<b>{said}</b>", math.log10(epsilon), value, **look)


def _sure(cone: pd.DataFrame, exact: float, side: int, unit: float) -> list[dict[str, Any]]:
    """What the grey area is, in it, where it is wide enough.

    Args:
        cone: columns high and value.
        exact: the value itself.
        side: 1 above the line of the truth, -1 below it.
        unit: pixels of one unit of the value.
    """
    wide = np.log(cone[HIGH].to_numpy(float))
    there = float(np.interp(wide[0] + WIDE * (wide[-1] - wide[0]), wide, cone[VALUE]))
    if there * unit < AFTER + TALL:
        return []
    look = {"xshift": 14, "yshift": AFTER * side, "yanchor": _over(side)}
    return [note(SURE, float(wide[0]) / math.log(10), exact, **look)]


def _numbers(
    got: Mapping[float, float], exact: float, epsilon: float, step: float, ends: tuple[float, float]
) -> list[dict[str, Any]]:
    """What readers have, written where there is room, those of most trust first.

    Beside the dot and away from the value: a thread comes nearer to the value with trust.
    """
    written, notes = [_share(epsilon, *ends)], []
    for each in sorted(got, reverse=True):
        place = _share(each, *ends)
        if any(abs(place - other) < APART for other in written):
            continue
        written.append(place)
        side, last = 1 if got[each] >= exact else -1, place > 1 - NEAR
        look = {"xanchor": "right"} if last else {"xanchor": "left", "xshift": 4}
        look |= {"yanchor": _over(side), "yshift": (DOT // 2 + 1) * side}
        said = f"<b>{number(got[each], step=step)}</b>"
        notes.append(note(said, math.log10(each), got[each], **look))
    return notes


def _line(value: float, epsilon: float, edge: float) -> dict[str, Any]:
    """From the number at the slider to its trust on the axis, or up where words are below it."""
    ends = {"x0": epsilon, "x1": epsilon, "y0": value, "y1": edge}
    return {"type": "line", **ends, "line": {"color": GREY, "width": 1}, "layer": "below"}


def _truth(exact: float, low: float, high: float) -> go.Scatter:
    """The value itself: a thin line in the ink of the page."""
    line, ends = {"width": 1}, [exact, exact]
    return go.Scatter(x=[low, high], y=ends, mode="lines", line=line, hoverinfo="skip", name="true")


def _unit(words: str) -> dict[str, Any]:
    """What the numbers are, above their axis."""
    look = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "yshift": 6}
    return note(plain(words), 0, 1, **look)


def _ends() -> list[dict[str, Any]]:
    """What both ends of trust mean, below the axis."""
    look = {"xref": "paper", "yref": "paper", "yanchor": "top", "yshift": -24}
    return [
        note(words, place, 0, **look, xanchor=side) | {"align": side}
        for words, place, side in zip(ENDS, (0, 1), ("left", "right"), strict=True)
    ]


def _trust(low: float, high: float) -> dict[str, Any]:
    """The axis of trust, from little to much."""
    ends = (math.log10(low), math.log10(high))
    title = {"text": TRUST, "standoff": 12}
    return {"type": "log", "range": ends, "title": title} | _log_ticks(low, high)


def _log_ticks(low: float, high: float) -> dict[str, Any]:
    return log_ticks(math.log10(low), math.log10(high), 6)
