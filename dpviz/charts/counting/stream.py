"""Running counts as they come: a strip per tier, the sharpest on top, all on one scale.

A tier that reads from a later step on has an empty strip that says so. Each other strip has a
tier's line and band up to the step that has come; the window moves with it. At most 2,000 points
of a strip are drawn, of each run the least and the largest.

Series are plain until the figure is made: Plotly takes each apart again that is made by itself, and
twenty strips have a hundred.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpviz.charts.counting.frame import FRESH, STREAM
from dpviz.charts.labels import note, tag, ticks
from dpviz.charts.strips import points_per_strip, strip_domains, thin
from dpviz.charts.tidy import Tier, extent, require_columns, tiers
from dpviz.palette import GREY, rgba
from dpviz.words import d3, number, percent, plain, pm, within

Series = dict[str, Any]
ROOM = 360.0  # pixels that the strips share
WORDS = 0.8  # of the axis, for words on a phone
LINE = 18.0  # pixels of these words
NAMED = 4  # strips that have room to say what their dotted lines are
NAMED_TICKS = 3  # with names such as 2025-01-31 13:00 as many fit a phone


def counting_chart(
    frame: pd.DataFrame,
    exact: pd.DataFrame | None,
    *,
    window: tuple[int, int],
    labels: Sequence[str] | None,
    noun: str,
    every: str,
    confidence: float,
) -> go.Figure:
    """Draw the running counts of a window.

    Args:
        frame: columns `STREAM`; most private tier first; a tier that still waits has one row whose
            value is NaN.
        exact: columns step, value: the exact running count, where it is public or revealed.
        window: first and last step of the axis.
        labels: name of each step from 1 on, or None for its number.
        noun: what is counted.
        every: what a step is, e.g. "hour".
        confidence: of each interval by itself.

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *STREAM)
    everybody = tiers(frame)[::-1]
    total, domains = strip_domains([1] * len(everybody), room=ROOM)
    limits = _around(*extent(_widest(frame), exact))
    named = [_under(tier, window) for tier in everybody[:NAMED]]
    limits = _with_words(limits, named, total * (domains[0][1] - domains[0][0]))
    numbered = next((tier.key for tier in everybody if not _waits(tier)), None)
    scale = {"range": limits, "showgrid": True} | ticks(*limits, most=4)
    most = points_per_strip(len(everybody))
    traces, axes, shapes = [], {}, []
    notes = [] if exact is None else [_truth(exact, domains[0][1])]
    for rank, (tier, domain) in enumerate(zip(everybody, domains, strict=True)):
        key = str(rank + 1) if rank else ""
        # The same numbers stand at each strip: to measure one is enough, and twenty take long.
        axes[f"yaxis{key}"] = scale | {"domain": domain, "automargin": tier.key == numbered}
        if _waits(tier):
            strip = [_nothing_yet(window)]
            axes[f"yaxis{key}"] |= {"showgrid": False, "showticklabels": False}
            shapes.append(_waiting(tier, window, key))
            notes.append(_from_then_on(tier, window, labels, every, sum(domain) / 2))
        else:
            strip = _strip(tier, most, labels, noun=noun, every=every, confidence=confidence)
            if exact is not None:  # over the tier's line, which would hide it, below its last mark
                strip.insert(-1, _exact_line(exact, most))
            notes += _usual(tier, window, key, every) if rank < NAMED else []
        traces += [{"type": "scatter", "yaxis": f"y{key}"} | each for each in strip]
        notes.append(_name(tier, domain[1]))
    layout = {
        "height": round(48 + total),
        "margin": {"t": 4, "r": 14},
        "annotations": notes,
        "shapes": shapes,
        "xaxis": _axis(window, labels, every)
        | {"anchor": f"y{len(everybody)}" if len(everybody) > 1 else "y"},
    }
    return go.Figure(data=traces, layout=layout | axes)


def _widest(frame: pd.DataFrame) -> pd.DataFrame:
    """The same with intervals as wide as what is drawn of them."""
    half = np.fmax((frame["high"] - frame["low"]) / 2, frame[FRESH])
    return frame.assign(low=frame["value"] - half, high=frame["value"] + half)


def _around(low: float, high: float) -> tuple[float, float]:
    """Ends of the axis: as near as the counts of the window allow, or noise would not be seen."""
    room = 0.06 * (high - low) or 1.0
    return low - room, high + room


def _with_words(
    limits: tuple[float, float], lowest: Sequence[float | None], tall: float
) -> tuple[float, float]:
    """Ends of the axis with room for the words below the dotted lines, above the ticks.

    Args:
        limits: ends without them.
        lowest: the place of the dotted lines of each strip, where it has any.
        tall: pixels of a strip.

    >>> _with_words((0.0, 100.0), [5.0, None, 50.0], 90.0)
    (-15.0, 100.0)
    """
    low, high = limits
    deep = LINE / tall * (high - low)
    return min([low, *(at - deep for at in lowest if at is not None)]), high


def _strip(
    tier: Tier,
    most: int,
    labels: Sequence[str] | None,
    *,
    noun: str,
    every: str,
    confidence: float,
) -> list[Series]:
    """Band, line and the last point of one tier.

    Twenty tiers have 10,000 points each time the stream moves on, so what is only seen is sent in
    single precision, and a sentence as a template and what differs from point to point.
    """
    rows = tier.rows.iloc[thin(tier.rows["value"].to_numpy(float), most)]
    x, (y, low, high) = rows["step"].to_numpy(np.int32), rows[["value", "low", "high"]].to_numpy().T
    fresh = rows[FRESH].to_numpy(float)
    seen: Series = {"mode": "lines", "hoverinfo": "skip"}
    grey = {"color": GREY, "width": 1.5, "dash": "dot", "simplify": False}
    line = {"color": tier.style.colour, "width": 3, "simplify": False}
    marker = {"color": tier.style.colour, "symbol": tier.style.marker, "size": 11}
    sure = percent(confidence)
    hover = _hover(tier.name, rows, labels, noun=noun, every=every, sure=sure)
    last = hover | {"customdata": hover["customdata"][-1:]}
    return [
        seen
        | {
            "x": np.concatenate([x, x[-1:], x]),
            "y": np.concatenate([y - fresh, [np.nan], y + fresh]).astype(np.float32),
            "line": grey,
        },
        seen
        | {
            "x": np.concatenate([x, x[::-1]]),
            "y": np.concatenate([low, high[::-1]]).astype(np.float32),
            "line": {"width": 0},
            "fill": "toself",
            "fillcolor": rgba(tier.style.colour, 0.28),
        },
        {"x": x, "y": y, "mode": "lines", "name": tier.name, "line": line} | hover,
        {
            "x": x[-1:],
            "y": y[-1:],
            "mode": "markers",
            "name": f"{tier.name} now",
            "marker": marker,
            "cliponaxis": False,
        }
        | last,
    ]


def _hover(
    name: str,
    rows: pd.DataFrame,
    labels: Sequence[str] | None,
    *,
    noun: str,
    every: str,
    sure: str,
) -> dict[str, Any]:
    """One sentence for each point."""
    half = (rows["high"] - rows["low"]).to_numpy(float) / 2
    near = {h: within(h, f"with {sure} confidence") for h in np.unique(half)}
    told = np.array([near[h] for h in half], dtype=object)
    at, known = f"{plain(every)} %{{x:,}}", "%{customdata}"
    if labels is not None:
        names = [plain(labels[step - 1]) for step in rows["step"]]
        told = np.column_stack([told, np.array(names, dtype=object)])
        at, known = "%{customdata[1]}", "%{customdata[0]}"
    count = f"%{{y:{d3(float(half.min()))}}} {plain(noun)}"
    sentence = f"<b>{name}</b> at {at}:<br>{count} so far, {known}.<extra></extra>"
    return {"customdata": told, "hovertemplate": sentence}


def step_name(step: int, labels: Sequence[str] | None, every: str) -> str:
    """What a step is called: its label, or its number.

    >>> step_name(3, None, "hour"), step_name(1, ["2025-01-01"], "day")
    ('hour 3', '2025-01-01')
    """
    return f"{every} {step:,}" if labels is None else plain(labels[step - 1])


def _exact_line(exact: pd.DataFrame, most: int) -> Series:
    keep = thin(exact["value"].to_numpy(float), most)
    return {
        "x": exact["step"].to_numpy()[keep],
        "y": exact["value"].to_numpy()[keep],
        "mode": "lines",
        "name": "exact",
        "line": {"color": GREY, "width": 1.5, "simplify": False},
        "hovertemplate": "Exact, <b>not private</b>: %{y:,.6~g}<extra></extra>",
    }


def _waits(tier: Tier) -> bool:
    """Whether the tier has no number yet."""
    return bool(tier.rows["value"].isna().all())


def _nothing_yet(window: tuple[int, int]) -> Series:
    """Keeps the axes of a strip in which nothing is drawn."""
    return {"x": list(window), "y": [None, None], "mode": "lines", "hoverinfo": "skip"}


def _waiting(tier: Tier, window: tuple[int, int], key: str) -> dict[str, Any]:
    """The steps of the window that the tier is going to read, in its colour."""
    first, last = int(tier.rows["step"].iloc[0]), window[1] + 0.5
    ends = {"x0": min(first - 0.5, last), "x1": last, "yref": f"y{key} domain", "y0": 0, "y1": 1}
    look = {"fillcolor": rgba(tier.style.colour, 0.12), "line": {"width": 0}, "layer": "below"}
    return {"type": "rect", **ends, **look}


def _truth(exact: pd.DataFrame, top: float) -> dict[str, Any]:
    """What the grey line is, above the topmost strip."""
    text = f'<span style="color:{GREY}">━</span> grey: true {int(exact["value"].iloc[-1]):,}'
    place = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "xanchor": "right"}
    return note(text, 1, top, **place, yshift=1)


def _from_then_on(
    tier: Tier,
    window: tuple[int, int],
    labels: Sequence[str] | None,
    every: str,
    middle: float,
) -> dict[str, Any]:
    """In an empty strip: from when on the tier reads, there or, where space ends, before it."""
    first = int(tier.rows["step"].iloc[0])
    early = first <= sum(window) / 2 + 1
    text = f"reads from <b>{step_name(first, labels, every)}</b> on"
    side, away = ("left", 4) if early else ("right", -4)
    place = {"yref": "paper", "yanchor": "middle", "xanchor": side, "xshift": away}
    return note(text, min(first, window[1]), middle, **place)


def _name(tier: Tier, top: float) -> dict[str, Any]:
    text = tag(tier.style, tier.short())
    if not _waits(tier):
        last = tier.rows.iloc[-1]
        half = float(last["high"] - last["low"]) / 2
        text += f" {number(float(last['value']), step=half)} {pm(half)} (band)"
    place = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "xshift": 2, "yshift": 1}
    return note(text, 0, top, **place)


def _under(tier: Tier, window: tuple[int, int]) -> float | None:
    """The lowest place of the dotted lines on the right; None where there are none."""
    rows = tier.rows
    if _waits(tier) or math.isnan(float(rows[FRESH].iloc[-1])):
        return None
    late = rows[rows["step"] >= window[1] - WORDS * (window[1] - window[0])]
    return float((late if len(late) else rows.tail(1)).eval(f"value - {FRESH}").min())


def _usual(tier: Tier, window: tuple[int, int], key: str, every: str) -> list[dict[str, Any]]:
    """Below the dotted lines, on the right, where counts have grown away: what they are."""
    lowest = _under(tier, window)
    if lowest is None:
        return []
    text = f"dotted: separate noise every {plain(every)}, {pm(float(tier.rows[FRESH].iloc[-1]))}"
    place = {"xref": "paper", "yref": f"y{key}", "xanchor": "right", "yanchor": "top"}
    return [note(text, 1, lowest, **place, yshift=-1)]


def _axis(window: tuple[int, int], labels: Sequence[str] | None, every: str) -> dict[str, Any]:
    """Steps by number, or a few by name."""
    first, last = window
    common = {"range": (first - 0.5, last + 0.5), "showgrid": False, "tickangle": 0}
    title = every if first == 1 else f"{every} (the last {last - first + 1:,})"
    if labels is None:
        return common | ticks(first, last, most=5) | {"title": {"text": title}}
    shares = (2 * np.arange(NAMED_TICKS) + 1) / (2 * NAMED_TICKS)
    at: NDArray[np.int64] = np.unique(np.rint(first + shares * (last - first)).astype(np.int64))
    return common | {
        "tickvals": at,
        "ticktext": [plain(labels[step - 1], 20).replace(" ", "<br>") for step in at.tolist()],
        "title": {"text": title},
    }
