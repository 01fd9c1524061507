"""How far off a coalition is, by how many compare notes.

Lossless answers: a level line, as nobody adds to what the nearest member knows. Separate noise for
each: the averaging attack falls and falls, with a bend wherever people farther away begin to join,
whose numbers say less. The best estimate, simulated, is in the frame only.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.axes import log_range, log_ticks
from dpviz.charts.labels import PHONE, dotted, note, pixels, ticks
from dpviz.charts.tidy import Floats, require_columns
from dpviz.experiments.averaging import Attack, Measured
from dpviz.local.averaging import attack_errors, weighted_half_width
from dpviz.noise import Family
from dpviz.palette import GREY
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, usual_half_width
from dpviz.words import plain, pm, within

MEMBERS, OURS, AVERAGED, BEST, BEST_ERROR, OURS_HALF, AVERAGED_HALF = (
    *("members", "ours", "averaged", "best", "best error", "ours within", "averaged within"),
)
ATTACK = (MEMBERS, OURS, AVERAGED, BEST, BEST_ERROR, OURS_HALF, AVERAGED_HALF)
POINTS = 24  # sizes that are drawn
HEIGHT, HEAD = 290, 24  # pixels: of the figure, and above it for what the axis is
OVER: dict[str, Any] = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "yshift": 2}
NEAR = 0.08  # of the width: a tick that is nearer to the last one is left out
HERE, APART = "here", "separate noise"
ABOVE: dict[str, Any] = {"xanchor": "right", "yanchor": "bottom", "yshift": 5}
BELOW: dict[str, Any] = {"xanchor": "right", "yanchor": "top", "yshift": -5}
ROOM = 0.15  # of the upper line: where the lower one is higher, its name stands below it
ALONE: Attack = "independent, best"


def sizes_of(members: int) -> list[int]:
    """Sizes of the coalitions that are drawn, from one member to all.

    >>> sizes_of(3), len(sizes_of(1000)) <= POINTS
    ([1, 2, 3], True)
    """
    if members <= POINTS:
        return list(range(1, members + 1))
    return sorted({*np.geomspace(1, members, POINTS).round().astype(int).tolist()})


def attack_frame(
    family: Family,
    levels: Sequence[float],
    measured: dict[int, dict[Attack, Measured]],
) -> pd.DataFrame:
    """Root mean squared errors and 95 % half widths by size, in the unit; columns `ATTACK`.

    Args:
        family: the noise.
        levels: of the members in the order in which they join.
        measured: simulated errors by size; a size may be missing.
    """
    rows = []
    for k in sizes_of(len(levels)):
        exact = attack_errors(family, levels[:k])
        found = measured.get(k, {}).get(ALONE)
        root = np.sqrt(found.value) if found else np.nan
        error = found.error / (2 * root) if found and root else np.nan
        near = [
            usual_half_width(family, min(levels[:k])),
            weighted_half_width(family, levels[:k], ACCURACY_CONFIDENCE),
        ]
        rows.append((k, np.sqrt(exact.lossless), np.sqrt(exact.weighted), root, error, *near))
    return pd.DataFrame(rows, columns=list(ATTACK))


def attack_chart(
    frame: pd.DataFrame, *, unit: str, joining: Sequence[tuple[str, int]] = ()
) -> go.Figure:
    """Draw both worlds.

    Args:
        frame: columns `ATTACK`.
        unit: of the value.
        joining: who joins one after the other, and how many they are.

    Raises:
        ParameterError: a column is missing, or there is no row.

    >>> rows = [(1, 10.0, 10.0, np.nan, np.nan, 21.0, 21.0), (4, 10.0, 5.0, 4.5, 0.1, 21.0, 9.9)]
    >>> fig = attack_chart(pd.DataFrame(rows, columns=list(ATTACK)), unit="mmHg")
    >>> [trace.name for trace in fig.data]
    ['here', 'separate noise']
    """
    require_columns(frame, *ATTACK)
    x = frame[MEMBERS].to_numpy(float)
    ours, averaged = (frame[column].to_numpy(float) for column in (OURS_HALF, AVERAGED_HALF))
    top = 1.15 * float(np.concatenate([ours, averaged]).max())
    inside = f" ({plain(unit)})" if unit else ""
    axis = _members_axis(x)
    turns, names = _joining(joining, axis, float(ours[-1]))
    layout = {
        "height": HEIGHT,
        "margin": {"t": HEAD, "b": 48, "r": 8},
        "annotations": [
            note(f"±{inside}: lower = nearer the truth", 0, 1, **OVER),
            *_names(x, ours, averaged),
            *names,
        ],
        "shapes": turns,
        "xaxis": axis,
        "yaxis": {"range": (0, top), "showgrid": True} | ticks(0, top),
    }
    lines = [
        _line(frame, OURS_HALF, HERE, {"width": 3}, unit),
        _line(frame, AVERAGED_HALF, APART, {"width": 2.5, "color": GREY, "dash": "8px 4px"}, unit),
    ]
    return go.Figure(data=lines, layout=layout)


def _line(
    frame: pd.DataFrame, column: str, name: str, look: dict[str, Any], unit: str
) -> go.Scatter:
    """A line over the number of members; without a colour it has the ink of the mode."""
    return go.Scatter(
        x=frame[MEMBERS].to_numpy(float),
        y=frame[column].to_numpy(float),
        mode="lines",
        name=name,
        line=look | {"simplify": False},
        hovertext=[
            f"<b>{name}</b>: of {int(m):,} members 95 times in 100 {within(e, plain(unit))}."
            for m, e in zip(frame[MEMBERS], frame[column], strict=True)
        ],
        hoverinfo="text",
    )


def _names(x: Floats, ours: Floats, averaged: Floats) -> list[dict[str, Any]]:
    """The names at the right ends of the lines, with how far off all members are."""
    end = float(np.log10(x[-1]) if x[-1] > POINTS else x[-1])
    low = BELOW if averaged[-1] > ROOM * ours[-1] else ABOVE
    here, apart = float(ours[-1]), float(averaged[-1])
    return [
        note(f"<b>{HERE}: {pm(here)}</b>", end, here, **ABOVE),
        note(f"{APART}: {pm(apart)}", end, apart, **low),
    ]


def _joining(
    groups: Sequence[tuple[str, int]], axis: dict[str, Any], top: float
) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Where the next group begins to join, and below the upper line who joins, if there is room."""
    if len(groups) < 2:
        return [], []
    turns = [1, *accumulate(count for _, count in groups)]
    low, high = axis["range"]
    notes = []
    for (rank, (name, _)), ends in zip(enumerate(groups), pairwise(turns), strict=True):
        left, right = np.log10(ends) if axis["type"] == "log" else map(float, ends)
        text = f"then {plain(name)}" if rank else plain(name)
        if pixels(text) < (right - left) / (high - low) * (PHONE - 60):
            middle = {"xanchor": "center", "yanchor": "top", "yshift": -6}
            notes.append(note(text, float(left + right) / 2, top, **middle))
    return [dotted(float(turn)) for turn in turns[1:-1]], notes


def _members_axis(x: Floats) -> dict[str, Any]:
    """An axis of whole numbers of members, the last one among the ticks; many: logarithmic."""
    last, many = float(x[-1]), x[-1] > POINTS
    title = "how many compare notes" + (" (log scale)" if many else "")
    if many:
        left, right = log_range(x, 0.05)
        values = log_ticks(0.0, right, 5)["tickvals"]
        near = [v for v in values if np.log10(last / v) > 2 * NEAR * (right - left)]
    else:
        room = 0.05 * max(last - 1, 1.0)
        left, right = 1 - room, last + room
        values = [1.0, *ticks(1, last)["tickvals"]] if last > 1 else [1.0]
        near = [v for v in values if last - v > NEAR * (right - left)]
    shown = sorted({int(v) for v in near if v >= 1 and v == round(v)} | {1, int(last)})
    return {
        "type": "log" if many else "linear",
        "range": (left, right),
        "title": {"text": title},
        "tickmode": "array",
        "tickvals": shown,
        "ticktext": [f"{v:,}" for v in shown],
        "tickangle": 0,
    }
