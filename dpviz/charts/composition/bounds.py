"""The total ε of a sequence by every bound, one bar each, the tightest first.

The bar that counts has the ink of the page; a bound that holds for questions fixed in advance only
is hollow while they are not. A dotted line is the total that may be spent. The main picture has two
of the bars: the best one against the sum.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.accounting.adaptive_composition import ADAPTIVE
from dpviz.accounting.bounds import ASSUMPTIONS, EXACT, Bound
from dpviz.accounting.composed_loss import NAME
from dpviz.accounting.composed_pure import NAME as WORST
from dpviz.charts.labels import dotted, note, pixels, ticks
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, rgba
from dpviz.words import NARROW, capitalised, fixed, plain, rounded_up, significant
from dpviz.workspace.composition_totals import (
    ANY_CHOICE,
    BY_RHO,
    FIXED,
    IN_ORDER,
    SUM,
)

BOUND, EPSILON, KIND, HOLDS, ASSUMES, REASON = (
    "bound",
    "epsilon",
    "kind",
    "holds",
    "assumes",
    "reason",
)
BOUNDS = (BOUND, EPSILON, KIND, HOLDS, ASSUMES, REASON)
MEANINGS = {  # beside the name of a bound
    SUM: "every ε added",
    BY_RHO: "every ρ added, then turned into ε",
    ANY_CHOICE: "by means and spreads",
    WORST: "each at its worst, added up",
    NAME: "each as it is known, added up",
    ADAPTIVE: "in the worst order",
    IN_ORDER: "of kinds as above",
    FIXED: "no question depends on an answer",
}
FEW, MANY = 3, 4  # digits
FAR = 3.0  # times the longest bar
ROW, HIGH = 54, 110  # pixels of a row, and of a row of few
ZERO = 6  # pixels: half of the 0 at the left end, which would be left out without them
THICK, NARROWEST = 0.36, 250  # share of a row; the least width of the plot


def bounds_frame(bounds: Sequence[Bound], *, granted: str) -> pd.DataFrame:
    """A row for each bound, the tightest first, those that do not hold last; columns `BOUNDS`.

    Args:
        bounds: what all answers cost together, by every bound.
        granted: what may depend on earlier answers, one of `ASSUMPTIONS`.
    """
    most = ASSUMPTIONS.index(granted)
    rows = [
        (b.name, b.value, b.kind, ASSUMPTIONS.index(b.assumes) <= most, b.assumes, b.theorem)
        for b in bounds
    ]
    rows.sort(key=lambda row: (not row[3], row[1]))
    return pd.DataFrame(rows, columns=list(BOUNDS))


def best_and_sum(frame: pd.DataFrame) -> pd.DataFrame:
    """The best bound and the sum, one row where they are the same; columns `BOUNDS`.

    >>> added = Bound("sum", 2.0, "MATHEMATICS 5.1", "upper bound", ASSUMPTIONS[0])
    >>> len(best_and_sum(bounds_frame([added], granted=ASSUMPTIONS[0])))
    1
    """
    best, added = frame.iloc[:1], frame[frame[BOUND] == SUM]
    least, most = (rounded_up(float(row[EPSILON].min()), FEW) for row in (best, added))
    return pd.concat([best, added], ignore_index=True) if least < most else added


def bound_bars(
    frame: pd.DataFrame, *, limit: float | None = None, named: Mapping[str, str] | None = None
) -> go.Figure:
    """Draw a bar for each bound, with its ε at the right; of few, where the bar ends.

    Args:
        frame: columns `BOUNDS`, as `bounds_frame` gives it.
        limit: the total that may be spent, drawn if it is not far beyond all bars; or None.
        named: what bars are called, with fewer digits, where not by the name of their bound.

    Raises:
        ParameterError: a column is missing, or there is no bound.

    >>> added = Bound("simple sum", 2.0, "MATHEMATICS 5.1", "upper bound", ASSUMPTIONS[0])
    >>> [bar.name for bar in bound_bars(bounds_frame([added], granted=ASSUMPTIONS[0])).data]
    ['simple sum']
    """
    require_columns(frame, *BOUNDS)
    rows = frame.to_dict("records")
    texts = _texts(frame, FEW if named else MANY)
    high = HIGH if named else ROW
    most = max(float(frame[EPSILON].max()), 1e-300)
    if limit is not None and limit > FAR * most:  # it would leave no room for the bars
        limit = None
    most = max(most, limit or 0.0)
    reserve = (max(pixels(text, 15, bold=True) for text in texts) + 18) / NARROWEST
    best = next((place for place, row in enumerate(rows) if row[HOLDS]), None)
    notes = [_name(row, -place, named or {}) for place, row in enumerate(rows)]
    ends = frame[EPSILON].tolist() if named else [None] * len(rows)
    notes += [_number(text, -n, end) for n, (text, end) in enumerate(zip(texts, ends, strict=True))]
    shapes = []
    if limit is not None:
        shapes.append(dotted(limit, layer="above"))
        side = "right" if limit > 0.5 * most else "left"
        look = {"yref": "paper", "yanchor": "bottom", "xanchor": side}
        notes.append(note(f"may be spent: {significant(limit)}", limit, 1, **look))
    layout = {
        "barmode": "overlay",
        "height": high * len(rows) + 82,
        "margin": {"t": 24, "l": ZERO},
        "annotations": notes,
        "shapes": shapes,
        "xaxis": {
            "range": (0, most / (1 - min(reserve, 0.6))),
            "title": {"text": "total ε (larger = less private)"},
        }
        | ticks(0, most * 1.04, most=5, room=(1 - min(reserve, 0.6)) * NARROWEST),
        "yaxis": {"visible": False, "range": (-len(rows) + 0.6, 0.7)},
    }
    bars = [
        _bar(row, text, -place, place == best)
        for place, (row, text) in enumerate(zip(rows, texts, strict=True))
    ]
    return go.Figure(data=bars, layout=layout)


def _texts(frame: pd.DataFrame, digits: int) -> list[str]:
    """The ε of each row, below one another; a bound is not made smaller by being written."""
    exact = (frame[KIND] == EXACT).tolist()
    values = [
        e if ok else rounded_up(e, digits) for e, ok in zip(frame[EPSILON], exact, strict=True)
    ]
    wide = all(1e-3 <= value < 1e3 for value in values)
    even = wide and digits == MANY  # with as many decimals each, below one another
    texts = [fixed(v, digits - 1) if even else significant(v, digits) for v in values]
    return [text if ok else f"≤{NARROW}{text}" for text, ok in zip(texts, exact, strict=True)]


def _bar(row: dict[Any, Any], text: str, y: float, best: bool) -> go.Bar:
    holds = bool(row[HOLDS])
    said = "" if holds else "<br>Only if all questions are fixed in advance."
    return go.Bar(
        x=[row[EPSILON]],
        y=[y],
        width=THICK,
        orientation="h",
        name=row[BOUND],
        marker={
            "line": {"width": 0 if holds else 1.5, "color": GREY},
        }
        | ({} if best else {"color": rgba(GREY, 0.55) if holds else "rgba(0,0,0,0)"}),
        hovertext=[f"<b>{titled(row[BOUND])}</b>: ε {text}.<br>{plain(row[REASON], 90)}{said}"],
        hoverinfo="text",
    )


def _name(row: dict[Any, Any], y: float, named: Mapping[str, str]) -> dict[str, Any]:
    """The bound above its bar, with what it does."""
    name = named.get(row[BOUND]) or titled(row[BOUND])
    shown = f"<b>{name}</b>" if row[HOLDS] else name
    if row[BOUND] in MEANINGS and row[BOUND] not in named:
        shown += f": {MEANINGS[row[BOUND]]}"
    return note(shown, 0, y + 0.2, xref="paper", yanchor="bottom")


def titled(name: str) -> str:
    """The name of a bound at the beginning of a line; zCDP stays as it is.

    >>> titled("worst losses"), titled("zCDP")
    ('Worst losses', 'zCDP')
    """
    return capitalised(name) if name.islower() else name


def _number(text: str, y: float, end: float | None) -> dict[str, Any]:
    """The ε of a bar: where the bar ends, or else at the right, below one another."""
    if end is not None:
        return note(f"<b>{text}</b>", end, y, xshift=8, font={"size": 15})
    right = {"xref": "paper", "xanchor": "right", "align": "right", "font": {"size": 15}}
    return note(f"<b>{text}</b>", 1, y, **right)
