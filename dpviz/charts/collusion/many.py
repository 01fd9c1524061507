"""All coalitions of up to ten tiers as dots, and k members of one tier as a curve.

Each dot of the first picture is a coalition in the row of its least private member: under lossless
release every dot would lie on the row's own mark. Both axes of budgets are logarithmic.
"""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.axes import line_ends, log_range, log_ticks
from dpviz.charts.collusion.frame import (
    COALITIONS,
    COUNT,
    CURVE,
    GLOBAL,
    INDEPENDENT,
    LEAST,
    LOSSLESS,
    SCHEMES,
    SIZE,
    SLOT,
    SYMBOL,
    WHO,
)
from dpviz.charts.labels import dotted, note, tag
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, GRID, TierStyle, rgba
from dpviz.words import capitalised, plain, significant

ROW = 54  # pixels per tier
NAMED = 0.36  # of the range of the axis
HEIGHT, TOP, BOTTOM, RIGHT = 360, 12, 48, 132
DASHES = {LOSSLESS: "solid", INDEPENDENT: "2px 3px", GLOBAL: "8px 4px"}
NAMES = {LOSSLESS: "lossless", INDEPENDENT: "separate", GLOBAL: "global + separate"}


def coalition_dots(
    frame: pd.DataFrame, *, compared: str, letter: str, ringed: str = ""
) -> go.Figure:
    """Draw every coalition under one scheme, in the row of its least private member.

    Args:
        frame: columns `COALITIONS`, "lossless" and `compared`, as `coalitions_frame` gives it.
        compared: the scheme of the dots.
        letter: currency of the axis, ρ or ε.
        ringed: the coalition, as in column WHO, that gets a ring.

    Raises:
        ParameterError: a column is missing.

    >>> row = {WHO: "audit", SIZE: 1, LEAST: "audit", SLOT: 2, SYMBOL: 0}
    >>> fig = coalition_dots(pd.DataFrame([row | dict.fromkeys(SCHEMES, 1.0)]),
    ...     compared="independent", letter="ρ")
    >>> fig.data[0].x.tolist(), fig.data[1].x.tolist()
    ([1.0], [])
    """
    require_columns(frame, *COALITIONS, LOSSLESS, compared)
    rows = {name: place for place, name in enumerate([*dict.fromkeys(frame[LEAST])][::-1])}
    most = int(frame[SIZE].max())
    at = frame[LEAST].map(rows).to_numpy(float)
    lift = -0.22 + 0.62 * (frame[SIZE].to_numpy(float) - 1) / max(most - 1, 1)
    x, y = frame[compared].to_numpy(float), -(at - lift)
    both = np.concatenate([x, frame[LOSSLESS].to_numpy(float)])
    low, high = log_range(both, 0.06)
    low -= NAMED * (high - low)  # room for the names of the tiers
    alone = frame[frame[SIZE] == 1]
    looks = {r[LEAST]: TierStyle(int(r[SLOT]), int(r[SYMBOL])) for r in alone.to_dict("records")}
    colours = {name: rgba(look.colour, 0.55) for name, look in looks.items()}
    symbols = {name: look.marker for name, look in looks.items()}
    hover = [_said(row, compared, letter) for row in frame.to_dict("records")]
    marked = (frame[WHO] == ringed).to_numpy()
    ring = {"symbol": "circle-open", "size": 15, "color": GREY, "line": {"width": 2.5}}
    traces = [
        go.Scatter(
            x=x,
            y=y,
            mode="markers",
            name=SCHEMES[compared],
            marker={
                "color": frame[LEAST].map(colours).tolist(),
                "symbol": frame[LEAST].map(symbols).tolist(),
                "size": 9 if len(frame) <= 64 else 6,
            },
            hovertext=hover,
            hoverinfo="text",
        ),
        go.Scatter(x=x[marked], y=y[marked], mode="markers", marker=ring, hoverinfo="skip"),
    ]
    layout = {
        "height": ROW * len(rows) + 62,
        "margin": {"t": 14},
        "annotations": [_name(row, rows) for row in alone.to_dict("records")],
        "shapes": [_line(row, rows) for row in alone.to_dict("records")],
        "xaxis": {
            "type": "log",
            "range": (low, high),
            "title": {"text": f"bound {letter} on joint privacy loss (larger = less private)"},
        }
        | log_ticks(low, high, 5),
        "yaxis": {"visible": False, "range": (-len(rows) + 0.65, 0.72)},
    }
    return go.Figure(data=traces, layout=layout)


def _said(row: dict[Any, Any], compared: str, letter: str) -> str:
    who = plain(row[WHO], 70)
    return (
        f"<b>{who}</b><br>{SCHEMES[compared]}: {letter} = {significant(row[compared])}; "
        f"lossless: {significant(row[LOSSLESS])}."
    )


def _name(row: dict[Any, Any], rows: dict[str, int]) -> dict[str, Any]:
    """The tier at the left of its row, which is empty there."""
    look, y = TierStyle(int(row[SLOT]), int(row[SYMBOL])), 0.08 - rows[row[LEAST]]
    place = {"xref": "paper", "yanchor": "middle"}
    return note(tag(look, plain(row[LEAST], 12)), 0, y, **place)


def _line(row: dict[Any, Any], rows: dict[str, int]) -> dict[str, Any]:
    y, x = -rows[row[LEAST]], row[LOSSLESS]
    ends = {"x0": x, "x1": x, "y0": y - 0.34, "y1": y + 0.5}
    look = TierStyle(int(row[SLOT]), int(row[SYMBOL]))
    return {"type": "line", **ends, "line": {"color": look.colour, "width": 3}, "layer": "below"}


def member_curves(frame: pd.DataFrame, *, style: TierStyle, letter: str, marked: int) -> go.Figure:
    """Draw joint budget against the number of members of one tier, both logarithmic.

    Args:
        frame: columns `CURVE`, as `members_frame` gives it, ascending.
        style: look of the tier.
        letter: currency of the axis.
        marked: the number of members that is read off; one of the frame's.

    Raises:
        ParameterError: a column is missing.

    >>> two = pd.DataFrame([(1, 0.1, 0.1, 0.1), (2, 0.1, 0.2, 0.18)], columns=list(CURVE))
    >>> fig = member_curves(two, style=TierStyle(2, 0), letter="ρ", marked=2)
    >>> [line.name for line in fig.data[:3]]
    ['separate noise', 'global release + separate noise', 'lossless']
    """
    require_columns(frame, *CURVE)
    order, k = (INDEPENDENT, GLOBAL, LOSSLESS), frame[COUNT].to_numpy(float)
    every = frame[list(order)].to_numpy(float)
    low, high = log_range(every.ravel(), 0.08)
    left, right = log_range(k, 0.02)
    traces = [_curve(scheme, frame, style, letter) for scheme in order]
    read = frame[frame[COUNT] == marked].iloc[0]
    points = go.Scatter(
        x=[marked] * 3,
        y=[float(read[s]) for s in order],
        mode="markers",
        marker={
            "color": [GREY, GREY, style.colour],
            "size": 9,
            "symbol": ["diamond-open", "diamond-open", style.marker],
        },
        hoverinfo="skip",
    )
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": BOTTOM, "r": RIGHT},
        "annotations": [*_ends(frame, order, (low, high)), *_read_off(read)],
        "shapes": [dotted(marked, layer="above")],
        "xaxis": {
            "type": "log",
            "range": (left, right),
            "title": {"text": "members of the tier who collude"},
        }
        | log_ticks(left, right, 4),
        "yaxis": {"type": "log", "range": (low, high), "showgrid": True, "gridcolor": GRID}
        | log_ticks(low, high, 6),
    }
    return go.Figure(data=[*traces, points], layout=layout)


def _curve(scheme: str, frame: pd.DataFrame, style: TierStyle, letter: str) -> go.Scatter:
    colour = style.colour if scheme == LOSSLESS else GREY
    return go.Scatter(
        x=frame[COUNT].to_numpy(float),
        y=frame[scheme].to_numpy(float),
        mode="lines",
        name=SCHEMES[scheme],
        line={"color": colour, "width": 2.5, "dash": DASHES[scheme], "simplify": False},
        hovertext=[
            f"<b>{SCHEMES[scheme]}</b>: {int(n):,} together learn {letter} = {significant(v)}."
            for n, v in zip(frame[COUNT], frame[scheme], strict=True)
        ],
        hoverinfo="text",
    )


def _ends(
    frame: pd.DataFrame, order: tuple[str, ...], span: tuple[float, float]
) -> list[dict[str, Any]]:
    """The name of each line at its right end; ours in bold."""
    names = {s: capitalised(NAMES[s]) for s in order} | {
        LOSSLESS: f"<b>{capitalised(NAMES[LOSSLESS])}</b>"
    }
    return line_ends(
        [(names[s], frame.iloc[-1][s]) for s in order], span, HEIGHT - TOP - BOTTOM, 18.0
    )


def _read_off(row: "pd.Series[Any]") -> list[dict[str, Any]]:
    """The three values at the marked number of members, kept apart where the lines are close."""
    places = {
        INDEPENDENT: {"xanchor": "right", "yanchor": "bottom", "xshift": -5, "yshift": 3},
        GLOBAL: {"xanchor": "left", "yanchor": "top", "xshift": 7, "yshift": -1},
        LOSSLESS: {"xanchor": "left", "yanchor": "top", "xshift": 7, "yshift": -1},
    }
    shown = places if row[COUNT] > 1 else {LOSSLESS: places[LOSSLESS]}  # of one all are the same
    x = math.log10(row[COUNT])
    return [
        note(f"<b>{significant(row[s], 2)}</b>", x, math.log10(row[s]), **place)
        for s, place in shown.items()
    ]
