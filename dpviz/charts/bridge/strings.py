"""A row for each number that is held: in the new row where its number may fall, or fell.

Left and right is the number; the higher, the sharper: y is the standard deviation of the noise,
logarithmic where the held ones differ much. Threads lead from a number that was just drawn to those
it was drawn from; a vertical one means the same number. The exact number is never a mark; that of
made-up people is an upright line. Limits: places are worked out for a phone; rows that would touch
there keep their marks without words, and the hover has these.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.bridge.frame import (
    ATOMS,
    BUDGET,
    CHANCE,
    HIGH95,
    LOW95,
    NOISE,
    PINS,
    QUANTILES,
    SIDE,
    SLOT,
    SYMBOL,
    TIER,
    VALUE,
)
from dpviz.charts.bridge.rows import (
    BOTTOM,
    HEIGHT,
    PLOT,
    TOP,
    NewTier,
    Row,
    Rows,
    across,
    around,
    bar_words,
    idle,
    is_new,
    label,
    named,
    numbers,
    said,
    side_of,
)
from dpviz.charts.labels import grounded, note, pixels, rule, ticks, upright
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.words import number, percent, plain

TRUTH = {"color": rgba(GREY, 0.6), "width": 1.2}  # the line of the exact number
LED = 60  # pixels between two rows that leave room for words between them
SPIKE = 46  # pixels of a sure chance
ARROW, BESIDE = 10, 9  # pixels of the head of an arrow, and from its line to its words
SHORT = 12  # pixels that an arrow ends before the bar, so that it looks like no end of it
LEADS, LEAD = "made from", "made from<br>these two"
BAR, CAP = 5, 11  # pixels of the bar, which has 95 of 100 draws, and of its ends
PALE = 0.4  # how strong the mark of a number is that takes no part


def strings(
    pins: pd.DataFrame,
    reach: pd.DataFrame,
    new: NewTier,
    *,
    atoms: pd.DataFrame | None,
    path: pd.DataFrame | None,
    jumps: bool,
    accuracies: Mapping[str, str],
    remark: str,
    noun: str,
    truth: float | None = None,
) -> go.Figure:
    """Draw the numbers that are held, and where the new tier's may fall, or its number.

    Args:
        pins: columns `PINS`, by rising level; at least one.
        reach: columns `QUANTILES`: one row, or none where the new number is held or hidden.
        new: the tier at the slider; its number is large where it is held.
        atoms: columns `ATOMS`: how likely it is identical to a neighbour; or None.
        path: columns noise and value of one jagged path, or None.
        jumps: whether the path rests between jumps.
        accuracies: words below the name of each tier.
        remark: words in the upper left corner: which way the exact number lies.
        noun: what is counted.
        truth: the exact number, where people are made up and it is public.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(pins, *PINS)
    if len(reach):
        require_columns(reach, *QUANTILES)
    held = pins.to_dict("records")
    levels = [*pins[NOISE], new.noise]
    rows = Rows(min(levels), max(levels))
    sides = {row[TIER]: side_of(held, i, new, truth) for i, row in enumerate(held)}
    ends = across(held, reach, sides, new, truth)
    marks, texts = _marks(held, new, noun), numbers(held, sides, new, rows)
    traces = [_path(rows.within(path), jumps)] if path is not None else []
    traces += [*_threads(held, new), *_between(held, reach, new, rows), *_bar(reach, new)]
    if atoms is not None and len(atoms):
        spikes, chances = _spikes(pins, atoms, new, rows)
        traces, texts = [*traces, *spikes], [*texts, *chances]
    texts += bar_words(held, reach, atoms, new, rows)
    lines = named(held, new, rows)
    return go.Figure(
        data=[*traces, *marks],
        layout={
            "height": HEIGHT,
            "margin": {"t": TOP, "b": BOTTOM, "r": 4},
            "annotations": [
                *texts,
                *_lead(held, reach, new, rows, (*ends, truth)),
                *_top(remark, truth, ends, used=around(held, new)[0] is None),
            ],
            "shapes": [*(rule(noise) for noise, *_ in lines), *_true(truth)],
            "xaxis": {"range": ends, "showgrid": False, "fixedrange": True}
            | {"title": {"text": plain(noun), "standoff": 6}}
            | ticks(*ends, room=PLOT),
            "yaxis": {"range": rows.ends, "fixedrange": True, "tickfont": {"size": 14}}
            | {"type": "log" if rows.is_log else "linear"}
            | {"tickvals": [noise for noise, *_ in lines]}
            | {"ticktext": [label(*row, accuracies) for row in lines]},
        },
    )


def _bar(reach: pd.DataFrame, new: NewTier) -> list[go.Scatter]:
    """On the new row: a line with ends for 95 of 100 draws."""
    found = []
    for _, row in reach.iterrows():
        line = {"width": BAR, "color": new.style.colour}
        found.append(_line([(row[LOW95], new.noise), (row[HIGH95], new.noise)], "reach", line))
        marker = {"symbol": "line-ns", "size": CAP}
        marker["line"] = {"width": BAR - 2, "color": new.style.colour}
        ends = {"x": [row[LOW95], row[HIGH95]], "y": [new.noise] * 2, "marker": marker}
        found.append(go.Scatter(**ends, mode="markers", hoverinfo="skip", name="ends"))
    return found


def _path(path: pd.DataFrame, jumps: bool) -> go.Scatter:
    line = {"width": 1, "color": GREY, "shape": "vh" if jumps else "linear"}
    look: dict[str, Any] = {"mode": "lines", "line": line, "hoverinfo": "skip"}
    return go.Scatter(x=path[VALUE], y=path[NOISE], name="possible path", **look)


def _line(points: Sequence[tuple[float, float]], name: str, line: dict[str, Any]) -> go.Scatter:
    x, y = zip(*points, strict=True)
    return go.Scatter(x=x, y=y, mode="lines", name=name, line=line, hoverinfo="skip")


def _threads(held: Sequence[Row], new: NewTier) -> list[go.Scatter]:
    """From the number that was just drawn to the two it was drawn from."""
    mine = [row for row in held if is_new(row, new)]
    line = {"color": new.style.colour, "width": 3}
    return [
        _line([(end[VALUE], end[NOISE]) for end in (row, other)], "thread", line)
        for row in mine
        for other in around(held, new)
        if other
    ]


def _between(
    held: Sequence[Row], reach: pd.DataFrame, new: NewTier, rows: Rows
) -> list[go.Scatter]:
    """Arrows to the bar from the numbers that the new one will be made from.

    They stand upright where they can: lines that meet would look like a trend.
    """
    look: dict[str, Any] = {"symbol": "arrow", "size": [0, ARROW], "angleref": "previous"}
    marker = look | {"color": new.style.colour, "opacity": 1, "line": {"width": 0}}
    found = []
    for _, row in reach.iterrows():
        for other in filter(None, around(held, new)):
            at = float(np.clip(other[VALUE], row[LOW95], row[HIGH95]))
            line = {"color": new.style.colour, "width": 1.5}
            away = (rows.at(new.noise) - rows.at(other[NOISE])) / rows.unit
            head = rows.above(new.noise, float(np.clip(away / 3, -SHORT, SHORT)))
            trace = _line([(other[VALUE], other[NOISE]), (at, head)], LEADS, line)
            found.append(trace.update(mode="lines+markers", marker=marker))
    return found


def _lead(
    held: Sequence[Row],
    reach: pd.DataFrame,
    new: NewTier,
    rows: Rows,
    clear: tuple[float, float, float | None],
) -> list[dict[str, Any]]:
    """What the two arrows are, beside one of them: where there is room, clear of the true line.

    Args:
        held: the numbers that are held.
        reach: of the new one.
        new: the new tier.
        rows: where rows are.
        clear: the ends of the axis, and where the line of the exact number is, if it is.
    """
    others = [other for other in around(held, new) if other]
    if len(others) < 2 or reach.empty:
        return []
    low, high, truth = clear
    unit = (high - low) / PLOT
    wide = max(pixels(line) for line in LEAD.split("<br>")) + BESIDE
    row = reach.iloc[0]
    for other in others[::-1]:  # below the bar nothing else is written
        foot, levels = other[VALUE], [rows.at(new.noise), rows.at(other[NOISE])]
        head = min(max(foot, row[LOW95]), row[HIGH95])
        for side in (1, -1):
            edge = max(foot, head) if side > 0 else min(foot, head)
            found = sorted((edge, edge + side * wide * unit))
            over = truth is not None and found[0] < truth < found[1]
            if abs(levels[1] - levels[0]) < LED * rows.unit or over:
                continue
            if low <= found[0] and found[1] <= high:
                look = {"xanchor": "left" if side > 0 else "right", "xshift": BESIDE * side}
                return [grounded(LEAD, edge, sum(levels) / 2, **look)]
    return []


def _true(truth: float | None) -> list[dict[str, Any]]:
    """The line of the exact number of made-up people."""
    return [] if truth is None else [upright(truth, TRUTH)]


def _top(
    remark: str, truth: float | None, ends: tuple[float, float], *, used: bool
) -> list[dict[str, Any]]:
    """On top: which way the exact number lies, or it, beside its line where there is room.

    Args:
        remark: words in the upper left corner.
        truth: the exact number, or None.
        ends: of the axis.
        used: whether the new number is made from it.
    """
    place = {"yref": "paper", "yanchor": "top"}
    notes = [note(remark, 0, 1, xref="paper", **place)]
    if truth is not None:
        left = truth < sum(ends) / 2
        look = {"xanchor": "left", "xshift": 5} if left else {"xanchor": "right", "xshift": -5}
        look["align"] = look["xanchor"]
        words = f"exact: <b>{number(truth)}</b>" + ("" if used else "<br>not used")
        notes.append(grounded(words, truth, 1, **place, **look))
    return notes


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
    """Each held number in its tier's look; around the new one's neighbours a ring.

    What takes no part is paler: the new number is made without it.
    """
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
        "opacity": [PALE if idle(row, held, new) else 1 for row in held],
        "line": {"width": 0},
    }
    told = [[plain(row[TIER]), said(row), plain(row[BUDGET])] for row in held]
    says = "%{customdata[0]} has %{customdata[1]} " + plain(noun)
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
