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

from dpviz.accounting.schemes import DOUBLING, INDEPENDENT, LOSSLESS, SCHEMES, SPLITTING
from dpviz.charts.axes import line_ends, log_range, log_ticks
from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import dotted, note
from dpviz.charts.tidy import require_columns
from dpviz.palette import DASHED, DOTTED, GREY, GRID, MIXED, SOLID
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.scenes.variances import COLUMNS, LINES, MEASURED, at
from dpviz.words import budget, percent, significant

HEIGHT, TOP, BOTTOM, RIGHT = 460, 44, 48, 116  # pixels
PLOT = HEIGHT - TOP - BOTTOM
GAP = 17.0  # pixels between the labels of two lines
DASHES = {
    LOSSLESS: SOLID,
    SPLITTING: DOTTED,
    INDEPENDENT: DASHED,
    DOUBLING: MIXED,
}


def figure_2(
    frame: pd.DataFrame,
    measured: pd.DataFrame | None,
    *,
    compared: str,
    marked: int,
    letter: str = "ρ",
    how: str = "",
) -> Picture:
    """Draw the lines of all schemes, measured marks on two of them, and one tier's reading.

    Args:
        frame: as `dpviz.scenes.variances.variances` gives it, of all schemes.
        measured: columns `MEASURED`, or None while nothing is measured.
        compared: the scheme to read off beside the lossless one.
        marked: the tier that is read off, from 0 at the most private one.
        letter: of the budgets, "ρ" or "ε".
        how: how the marks were made, for the hover, such as "1,000,000 repetitions".

    Raises:
        ParameterError: a column is missing, or there is no tier.

    >>> from dpviz.scenes.variances import variances
    >>> from dpviz.accounting.scheme_variances import ONE_NUMBER
    >>> two = variances([0.1, 1.0], ONE_NUMBER)
    >>> line = figure_2(two, None, compared="splitting", marked=1).figure.data[-1]
    >>> line.name, line.y.round(3).tolist()
    ('lossless', [5.0, 0.5])
    """
    require_columns(frame, *COLUMNS)
    if measured is not None:
        require_columns(measured, *MEASURED)
    low, high = log_range(frame["variance"].to_numpy(float))
    left, right = log_range(frame["budget"].to_numpy(float), 0.05)
    others = [scheme for scheme in LINES if scheme not in (LOSSLESS, compared)]
    lines = [_line(frame, scheme, compared, letter) for scheme in (*others, compared, LOSSLESS)]
    marks = [] if measured is None else _marks(measured, how)
    ours, theirs = (at(frame, scheme, marked) for scheme in (LOSSLESS, compared))
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": BOTTOM, "r": RIGHT},
        "annotations": [
            *_ends(frame, compared, (low, high)),
            _reading(theirs, frame, compared, (left, right), letter),
        ],
        "shapes": [dotted(float(ours["budget"]))],
        "xaxis": {
            "type": "log",
            "range": (left, right),
            "title": {"text": f"budget {letter} of the tier (larger = less private)"},
        }
        | log_ticks(left, right, 5),
        "yaxis": {"type": "log", "range": (low, high), "showgrid": True, "gridcolor": GRID}
        | log_ticks(low, high, 7),
    }
    alt = (
        f"Four falling lines of noise variance against budget, lossless lowest. At "
        f"{_tier(marked, frame)} it has {significant(ours['variance'])}, {SCHEMES[compared].name} "
        f"{significant(theirs['variance'])}, {_times(theirs['factor'])} lossless release."
    )
    return Picture(go.Figure(data=[*lines, *marks], layout=layout), alt)


def _of(frame: pd.DataFrame, scheme: str) -> pd.DataFrame:
    return frame[frame["scheme"] == scheme]


def _tier(place: int, frame: pd.DataFrame) -> str:
    return f"tier {place + 1} of {frame['place'].max() + 1}"


def _times(factor: float) -> str:
    """Say how a variance compares with another one, to stand before its name."""
    shown = significant(factor)
    return "the same as that of" if shown == "1" else f"{shown} times that of"


def _line(frame: pd.DataFrame, scheme: str, compared: str, letter: str) -> go.Scatter:
    rows, ours = _of(frame, scheme), scheme == LOSSLESS
    line = {
        **({} if ours else {"color": GREY}),  # without a colour it has the ink of the page
        "width": 2.5 if scheme in (LOSSLESS, compared) else 1.5,
        "dash": DASHES[scheme],
        "simplify": False,
    }
    said = []
    for row in rows.to_dict("records"):
        times = "" if ours else f", {_times(row['factor'])} lossless release"
        said.append(
            f"<b>{SCHEMES[scheme].name}</b>, {_tier(row['place'], frame)} "
            f"({budget(letter, row['budget'])}):<br>variance {significant(row['variance'])}{times}."
        )
    return go.Scatter(
        x=rows["budget"].to_numpy(float),
        y=rows["variance"].to_numpy(float),
        mode="lines",
        name=SCHEMES[scheme].name,
        line=line,
        hovertext=said,
        hoverinfo="text",
    )


def _marks(measured: pd.DataFrame, how: str) -> list[go.Scatter]:
    """Measured variances with their intervals, the compared scheme below the lossless one."""
    traces = []
    for scheme in reversed(measured["scheme"].unique().tolist()):
        rows, grey = _of(measured, scheme), {} if scheme == LOSSLESS else {"color": GREY}
        value = rows["variance"].to_numpy(float)
        symbol = {} if scheme == LOSSLESS else {"symbol": "diamond-open"}
        traces.append(
            go.Scatter(
                x=rows["budget"].to_numpy(float),
                y=value,
                mode="markers",
                name=f"{SCHEMES[scheme].name}, measured",
                marker=grey | symbol | {"size": 9 if len(rows) <= 12 else 6},
                error_y={
                    "type": "data",
                    "symmetric": False,
                    "array": rows["high"].to_numpy(float) - value,
                    "arrayminus": value - rows["low"].to_numpy(float),
                    "width": 0,
                    "thickness": 2,
                    **grey,
                },
                hovertext=[_measured(row, measured, how) for row in rows.to_dict("records")],
                hoverinfo="text",
            )
        )
    return traces


def _measured(row: dict[Any, Any], frame: pd.DataFrame, how: str) -> str:
    value, low, high = (significant(row[name], 4) for name in ("variance", "low", "high"))
    made = f",<br>{how}" if how else ""
    return (
        f"<b>{SCHEMES[row['scheme']].name}</b>, {_tier(row['place'], frame)}: "
        f"measured {value}{made}; {percent(ACCURACY_CONFIDENCE)} interval {low} to {high}."
    )


def _ends(frame: pd.DataFrame, compared: str, span: tuple[float, float]) -> list[dict[str, Any]]:
    """The name of each line at its right end; the two compared in bold."""
    ends = [
        (
            f"<b>{name}</b>" if scheme in (LOSSLESS, compared) else name,
            _of(frame, scheme)["variance"].iloc[-1],
        )
        for scheme, name in ((scheme, SCHEMES[scheme].name) for scheme in LINES)
    ]
    return line_ends(ends, span, PLOT, GAP)


def _reading(
    row: "pd.Series[Any]",
    frame: pd.DataFrame,
    compared: str,
    ends: tuple[float, float],
    letter: str,
) -> dict[str, Any]:
    """What one tier pays, above the dotted line that points at it."""
    x = math.log10(row["budget"])
    share = (x - ends[0]) / (ends[1] - ends[0])
    side = "left" if share < 0.35 else "right" if share > 0.65 else "center"
    text = (
        f"<b>{_tier(int(row['place']), frame)}</b>, {budget(letter, row['budget'])}<br>"
        f"{SCHEMES[compared].name} × {significant(row['factor'])}"
    )
    place = {"yref": "y domain", "yanchor": "bottom", "yshift": 4}
    return note(text, x, 1, xanchor=side, align=side, **place)
