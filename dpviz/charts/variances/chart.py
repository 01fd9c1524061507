"""Variance against budget, both logarithmic: what each scheme's noise would be, tier by tier.

Lines are formulas, marks are measured and never joined. The lossless line is the lowest; the
alternatives are grey and dashed, the one that is compared is thicker [LMR25, Figure 2]. Limits:
lines connect tiers, and mean nothing between them.
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

import math
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.axes import line_ends, log_range, log_ticks
from dpviz.charts.labels import dotted, note, tag
from dpviz.charts.tidy import require_columns
from dpviz.charts.variances.frame import (
    BUDGET,
    FACTOR,
    HIGH,
    LOSSLESS,
    LOW,
    MEASURED,
    SCHEME,
    SCHEMES,
    TIER,
    VARIANCE,
    VARIANCES,
    of_scheme,
)
from dpviz.charts.variances.names import LINES, can_be_named, first_name, names
from dpviz.palette import GREY, GRID, TierStyle
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.words import budget, percent, plain, significant

HEIGHT, TOP, BOTTOM, RIGHT = 460, 44, 48, 100  # pixels
PLOT = HEIGHT - TOP - BOTTOM
GAP = 17.0  # pixels between the labels of two lines
DASHES = {
    LOSSLESS: "solid",
    "splitting": "8px 4px",
    "independent": "2px 3px",
    "doubling": "8px 3px 2px 3px",
}


def variance_chart(
    frame: pd.DataFrame,
    measured: pd.DataFrame | None,
    *,
    compared: str,
    marked: int,
    unit: str,
    letter: str = "ρ",
    how: str = "",
) -> go.Figure:
    """Draw the lines of all schemes, measured marks on two of them, and one tier's reading.

    Args:
        frame: columns `VARIANCES`, as `variances_frame` gives it, or `relative` of that.
        measured: columns `MEASURED`, or None while nothing is measured.
        compared: the scheme to read off beside the lossless one.
        marked: the tier that is read off, counted from 0 at the most private one.
        unit: of the vertical axis after a number, such as "people²"; "" for multiples.
        letter: of the budgets, "ρ" or "ε".
        how: how the marks were made, for the hover, such as "1,000,000 repetitions".

    Raises:
        ParameterError: a column is missing, or there is no tier.

    >>> from dpviz.charts.variances.frame import LadderTier, variances_frame
    >>> two = variances_frame([LadderTier(name=n, budget=b) for n, b in (("a", 0.1), ("b", 1))])
    >>> fig = variance_chart(two, None, compared="splitting", marked=1, unit="people²")
    >>> fig.data[-1].name, fig.data[-1].y.round(3).tolist()
    ('lossless', [5.0, 0.5])
    """
    require_columns(frame, *VARIANCES)
    if measured is not None:
        require_columns(measured, *MEASURED)
    low, high = log_range(frame[VARIANCE].to_numpy(float))
    left, right = log_range(frame[BUDGET].to_numpy(float), 0.05)
    ours = of_scheme(frame, LOSSLESS)
    if named := can_be_named(ours):  # room for the names below their marks
        left, low = left - first_name(ours) * (right - left), low - LINES / PLOT * (high - low)
    others = [scheme for scheme in SCHEMES if scheme not in (LOSSLESS, compared)]
    lines = [
        _line(of_scheme(frame, s), s, compared, unit, letter) for s in (*others, compared, LOSSLESS)
    ]
    marks = [] if measured is None else _marks(measured, unit, how)
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": BOTTOM, "r": RIGHT},
        "annotations": [
            *_ends(frame, compared, (low, high)),
            *(names(ours) if named else ()),
            _reading(frame, compared, marked, (left, right), letter),
        ],
        "shapes": [dotted(float(ours[BUDGET].iloc[marked]))],
        "xaxis": {
            "type": "log",
            "range": (left, right),
            "title": {"text": f"budget {letter} of the tier (larger = less private)"},
        }
        | log_ticks(left, right, 5),
        "yaxis": {"type": "log", "range": (low, high), "showgrid": True, "gridcolor": GRID}
        | log_ticks(low, high, 7),
    }
    return go.Figure(data=[*lines, *marks], layout=layout)


def _line(rows: pd.DataFrame, scheme: str, compared: str, unit: str, letter: str) -> go.Scatter:
    ours = scheme == LOSSLESS
    line = {
        **({} if ours else {"color": GREY}),  # without a colour it has the ink of the page
        "width": 2.5 if scheme in (LOSSLESS, compared) else 1.5,
        "dash": DASHES[scheme],
        "simplify": False,
    }
    return go.Scatter(
        x=rows[BUDGET].to_numpy(float),
        y=rows[VARIANCE].to_numpy(float),
        mode="lines",
        name=SCHEMES[scheme],
        line=line,
        hovertext=[_hover(row, unit, letter) for row in rows.to_dict("records")],
        hoverinfo="text",
    )


def _hover(row: dict[Any, Any], unit: str, letter: str) -> str:
    times = f"{significant(row[FACTOR])} times the variance of lossless release"
    size = f"variance {significant(row[VARIANCE])} {plain(unit)}" if unit else ""
    said = f"{size}, {times}" if unit else times
    if row[SCHEME] == LOSSLESS:
        said = size or "the variance of a single release"
    return (
        f"<b>{SCHEMES[row[SCHEME]]}</b>, {plain(row[TIER])} "
        f"({budget(letter, row[BUDGET])}):<br>{said}."
    )


def _marks(measured: pd.DataFrame, unit: str, how: str) -> list[go.Scatter]:
    """Measured variances with their intervals, the compared scheme below the lossless one."""
    traces = []
    for scheme in reversed(measured[SCHEME].unique().tolist()):
        rows = of_scheme(measured, scheme)
        value = rows[VARIANCE].to_numpy(float)
        traces.append(
            go.Scatter(
                x=rows[BUDGET].to_numpy(float),
                y=value,
                mode="markers",
                name=f"{SCHEMES[scheme]}, measured",
                marker=_look(rows, scheme),
                error_y={
                    "type": "data",
                    "symmetric": False,
                    "array": rows[HIGH].to_numpy(float) - value,
                    "arrayminus": value - rows[LOW].to_numpy(float),
                    "width": 0,
                    "thickness": 2,
                    **({} if scheme == LOSSLESS else {"color": GREY}),
                },
                hovertext=[_said(r, unit, how) for r in rows.to_dict("records")],
                hoverinfo="text",
            )
        )
    return traces


def _said(row: dict[Any, Any], unit: str, how: str) -> str:
    value = significant(row[VARIANCE], 4)
    return (
        f"<b>{SCHEMES[row[SCHEME]]}</b>, {plain(row[TIER])}: measured {value} "
        f"{plain(unit) if unit else 'times lossless'}"
        + (f",<br>{plain(how)}" if how else "")
        + f"; {percent(ACCURACY_CONFIDENCE)} interval {significant(row[LOW], 4)} "
        f"to {significant(row[HIGH], 4)}."
    )


def _look(rows: pd.DataFrame, scheme: str) -> dict[str, Any]:
    size = 9 if len(rows) <= 12 else 6
    if scheme != LOSSLESS:
        return {"color": GREY, "symbol": "diamond-open", "size": size}
    looks = [TierStyle(int(r.slot), int(r.symbol)) for r in rows.itertuples()]
    colours = {"color": [look.colour for look in looks]} if any(look.slot for look in looks) else {}
    return {**colours, "symbol": [look.marker for look in looks], "size": size}


def _ends(frame: pd.DataFrame, compared: str, span: tuple[float, float]) -> list[dict[str, Any]]:
    """The name of each line at its right end; the two compared in bold."""
    ends = [
        (
            f"<b>{name}</b>" if scheme in (LOSSLESS, compared) else name,
            of_scheme(frame, scheme)[VARIANCE].iloc[-1],
        )
        for scheme, name in SCHEMES.items()
    ]
    return line_ends(ends, span, PLOT, GAP)


def _reading(
    frame: pd.DataFrame, compared: str, marked: int, ends: tuple[float, float], letter: str
) -> dict[str, Any]:
    """What one tier pays, above the dotted line that points at it."""
    row = of_scheme(frame, compared).iloc[marked]
    x = math.log10(row[BUDGET])
    share = (x - ends[0]) / (ends[1] - ends[0])
    side = "left" if share < 0.35 else "right" if share > 0.65 else "center"
    look = TierStyle(int(row["slot"]), int(row["symbol"]))
    name = plain(row[TIER], 18)
    named = tag(look, name) if look.slot else f"<b>{name}</b>"
    times = f"{SCHEMES[compared]} × {significant(row[FACTOR])}"
    text = f"{named}, {budget(letter, row[BUDGET])}<br>{times}"
    place = {"yref": "y domain", "yanchor": "bottom", "yshift": 4}
    return note(text, x, 1, xanchor=side, align=side, **place)
