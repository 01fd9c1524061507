"""The string between held numbers: where the next one may hang, and where it does once drawn.

Left and right is the number; the higher, the sharper: y is the standard deviation of the noise,
logarithmic where the held ones differ much. A thread that is vertical means the same number. The
exact number is never a mark. Limits: places are worked out for a
phone; rows that would touch there keep their marks without words, and the hover has these.
"""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.bridge.frame import (
    ATOMS,
    BANDS,
    BUDGET,
    CHANCE,
    GAP,
    HIGH50,
    HIGH95,
    LOW50,
    LOW95,
    NOISE,
    PINS,
    SIDE,
    SLOT,
    SYMBOL,
    TIER,
    VALUE,
)
from dpviz.charts.bridge.labels import NewTier
from dpviz.charts.bridge.rows import (
    BOTTOM,
    HEIGHT,
    PLOT,
    TOP,
    Row,
    Rows,
    across,
    around,
    is_new,
    label,
    named,
    numbers,
    said,
    side_of,
)
from dpviz.charts.labels import note, rule, ticks
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.words import percent, plain

SPIKE = 46  # pixels of a sure chance
ABOVE = 40  # pixels from the new row up to the names of the bands


def strings(
    pins: pd.DataFrame,
    bands: pd.DataFrame,
    new: NewTier,
    *,
    ways: Sequence[float],
    atoms: pd.DataFrame | None,
    path: pd.DataFrame | None,
    jumps: bool,
    accuracies: Mapping[str, str],
    remark: str,
    noun: str,
) -> go.Figure:
    """Draw the numbers that are held, and what the new tier may get, or its number.

    Args:
        pins: columns `PINS`, by rising level; at least one.
        bands: columns `BANDS`.
        new: the tier at the slider; its number is large where it is held.
        ways: numbers that it might get; nobody keeps them.
        atoms: columns `ATOMS`: how likely it is identical to a neighbour; or None.
        path: columns noise and value of one jagged path, or None.
        jumps: whether the path rests between jumps.
        accuracies: words below the name of each tier.
        remark: words in the upper left corner: which way the exact number lies.
        noun: what is counted.

    Raises:
        ParameterError: a column is missing, or a way is not a finite number.
    """
    require_columns(pins, *PINS)
    require_columns(bands, *BANDS)
    for way in ways:
        checks.finite(way=way)
    held = pins.to_dict("records")
    levels = [*pins[NOISE], new.noise]
    rows = Rows(min(levels), max(levels))
    mine = [gap for _, gap in bands.groupby(GAP) if _touches(gap, new)]
    sides = {row[TIER]: side_of(held, i) for i, row in enumerate(held)}
    ends = across(held, [rows.within(gap) for gap in mine], ways, sides, new)
    marks, texts = _marks(held, new, noun), numbers(held, sides, new, rows)
    traces = [*_bands(mine, new), *([_path(rows.within(path), jumps)] if path is not None else [])]
    traces += [*_threads(held, new), *_ways(held, ways, new)]
    if atoms is not None and len(atoms):
        spikes, chances = _spikes(pins, atoms, new, rows)
        traces, texts = [*traces, *spikes], [*texts, *chances]
    lines = named(held, new, rows)
    return go.Figure(
        data=[*traces, *marks],
        layout={
            "height": HEIGHT,
            "margin": {"t": TOP, "b": BOTTOM, "r": 4},
            "annotations": [*texts, *_shares(mine, new, rows), _remark(remark)],
            "shapes": [rule(noise) for noise, *_ in lines],
            "xaxis": {"range": ends, "showgrid": False, "fixedrange": True}
            | {"title": {"text": plain(noun), "standoff": 6}}
            | ticks(*ends, room=PLOT),
            "yaxis": {"range": rows.ends, "fixedrange": True, "tickfont": {"size": 14}}
            | {"type": "log" if rows.is_log else "linear"}
            | {"tickvals": [noise for noise, *_ in lines]}
            | {"ticktext": [label(*row, accuracies) for row in lines]},
        },
    )


def _touches(gap: pd.DataFrame, new: NewTier) -> bool:
    """Whether the new level lies in this stretch, or at its end once it is held."""
    low, high = float(gap[NOISE].min()), float(gap[NOISE].max())
    slack = 1e-9 * new.noise
    return low - slack <= new.noise <= high + slack and low < high


def _bands(mine: Sequence[pd.DataFrame], new: NewTier) -> list[go.Scatter]:
    """Where 95 % and 50 % of all draws lie, around the new level."""
    return [
        go.Scatter(
            x=[*gap[low], *gap[high][::-1]],
            y=[*gap[NOISE], *gap[NOISE][::-1]],
            mode="none",
            fill="toself",
            fillcolor=rgba(new.style.colour, alpha),
            hoverinfo="skip",
            name="band",
        )
        for gap in mine
        for low, high, alpha in ((LOW95, HIGH95, 0.16), (LOW50, HIGH50, 0.3))
    ]


def _path(path: pd.DataFrame, jumps: bool) -> go.Scatter:
    line = {"width": 1, "color": GREY, "shape": "vh" if jumps else "linear"}
    look: dict[str, Any] = {"mode": "lines", "line": line, "hoverinfo": "skip"}
    return go.Scatter(x=path[VALUE], y=path[NOISE], name="possible path", **look)


def _line(points: Sequence[tuple[float, float]], name: str, line: dict[str, Any]) -> go.Scatter:
    x, y = zip(*points, strict=True)
    return go.Scatter(x=x, y=y, mode="lines", name=name, line=line, hoverinfo="skip")


def _threads(held: Sequence[Row], new: NewTier) -> list[go.Scatter]:
    """From each number to the next sharper one; not where the new one is still to come."""
    found = []
    for top, foot in pairwise(held):
        if not new.held and top[NOISE] < new.noise < foot[NOISE]:
            continue
        mine = is_new(top, new) or is_new(foot, new)
        line = {"color": new.style.colour if mine else GREY, "width": 3 if mine else 2}
        ends = [(row[VALUE], row[NOISE]) for row in (top, foot)]
        found.append(_line(ends, "thread", line))
    return found


def _ways(held: Sequence[Row], ways: Sequence[float], new: NewTier) -> list[go.Scatter]:
    """Thin strings through numbers that might come, and these as hollow marks."""
    top, foot = around(held, new)
    found = []
    for way in ways:
        above = [(top[VALUE], top[NOISE])] if top else []
        below = [(foot[VALUE], foot[NOISE])] if foot else []
        points = [*above, (way, new.noise), *below]
        found.append(_line(points, "way", {"width": 1, "color": rgba(GREY, 0.7)}))
    if ways:
        marker = {"size": 9, "symbol": f"{new.style.marker}-open", "line": {"width": 2}}
        found.append(
            go.Scatter(
                x=list(ways),
                y=[new.noise] * len(ways),
                mode="markers",
                marker=marker | {"color": new.style.colour},
                hoverinfo="skip",
                name="numbers that might come",
            )
        )
    return found


def _shares(mine: Sequence[pd.DataFrame], new: NewTier, rows: Rows) -> list[dict[str, Any]]:
    """`95 %` and `50 %` at the right edges of the bands, just above the new row."""
    if new.held:
        return []
    found = []
    for gap in mine:
        noise = rows.above(new.noise, ABOVE)
        if not gap[NOISE].min() < noise:
            continue
        for high, share in ((HIGH95, 0.95), (HIGH50, 0.5)):
            edge = float(np.interp(noise, gap[NOISE], gap[high]))
            look = {"xanchor": "right", "xshift": -3}
            found.append(note(percent(share), edge, rows.at(noise), **look))
    return found


def _remark(words: str) -> dict[str, Any]:
    look = {"xref": "paper", "yref": "paper", "xanchor": "left", "align": "left"}
    return note(words, 0, 1, yanchor="top", **look)


def _spikes(
    pins: pd.DataFrame, atoms: pd.DataFrame, new: NewTier, rows: Rows
) -> tuple[list[go.Scatter], list[dict[str, Any]]]:
    """Upright on the new row: the chance to be identical to a neighbour, in its colour."""
    require_columns(atoms, *ATOMS)
    traces, texts = [], []
    for value, chance, side in zip(atoms[VALUE], atoms[CHANCE], atoms[SIDE], strict=True):
        slots = pins[SLOT][pins[SIDE] == side]
        colour = TierStyle(int(slots.iloc[0]), 0).colour if len(slots) else GREY
        top = rows.above(new.noise, SPIKE * chance)
        line = {"width": 7, "color": colour}
        traces.append(_line([(value, new.noise), (value, top)], "atom", line))
        out = 1 if value == atoms[VALUE].max() else -1
        look = {"xanchor": "left" if out > 0 else "right", "xshift": 9 * out, "yshift": 10}
        words = f"<b>{percent(chance)}</b>"
        texts.append(note(words, value, rows.at(new.noise), font={"size": 14}, **look))
    return traces, texts


def _marks(held: Sequence[Row], new: NewTier, noun: str) -> list[go.Scatter]:
    """Each held number in its tier's look; around the new one's neighbours a ring."""
    lit = [row for row in around(held, new) if row]
    ring = {"size": 28, "symbol": "circle-open", "color": new.style.colour, "line": {"width": 2}}
    place: dict[str, Any] = {"mode": "markers", "cliponaxis": False}
    rings = {"x": [row[VALUE] for row in lit], "y": [row[NOISE] for row in lit], "marker": ring}
    found = [go.Scatter(**rings, **place, hoverinfo="skip", name="neighbours")]
    looks = [TierStyle(int(row[SLOT]), int(row[SYMBOL])) for row in held]
    marker = {
        "size": [26 if is_new(row, new) else 15 for row in held],
        "symbol": [look.marker for look in looks],
        "color": [look.colour for look in looks],
        "opacity": 1,
        "line": {"width": 0},
    }
    told = [[plain(row[TIER]), said(row), plain(row[BUDGET])] for row in held]
    says = "%{customdata[0]} holds %{customdata[1]} " + plain(noun)
    found.append(
        go.Scatter(
            x=[row[VALUE] for row in held],
            y=[row[NOISE] for row in held],
            marker=marker,
            customdata=told,
            hovertemplate=says + ", %{customdata[2]}<extra></extra>",
            name="held",
            **place,
        )
    )
    return found
