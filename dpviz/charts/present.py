"""One tier's view, in large type: what this tier sees, for a screen that a room looks at.

Rows of groups with the released number written out. It knows the release of one tier and nothing
else. Many groups are this figure several times on one `span`.
"""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts import labels
from dpviz.charts.forms.rulers import release_hover
from dpviz.charts.labels import grounded, pixels, rule, ticks, wrapped
from dpviz.charts.tidy import Intervals, Tier, extent, require_columns, tiers
from dpviz.checks import probability
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.palette import TierStyle, rgba
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, usual_half_width
from dpviz.planning.cast import ILL, PUBLIC, amounts
from dpviz.scenes.releases import RELEASE, TOO_FEW
from dpviz.words import between, number, plain, pm

AT_ONCE = 5  # groups that a room can read at once; a page shows as many and turns over
LINE, BAR, GAP = 32.0, 22.0, 14.0  # pixels: a line of a name, the bar below it, and between rows
TEXT, NUMBER, MARK = 20, 24, 21  # sizes of the type, and of a mark, which stays below its number
NARROW = 200.0  # pixels that the plot has at least: on a phone
PLOT = 260.0  # pixels between the margins on a phone, in large type
WIDTH = 17  # letters of a name beside its number, on a phone; longer ones go on a second line


def one_tier_chart(
    frame: pd.DataFrame,
    *,
    axis_title: str,
    confidence: float = ACCURACY_CONFIDENCE,
    span: tuple[float, float] | None = None,
) -> go.Figure:
    """Draw one tier's release: per group its name and number, and the interval as a broad bar.

    Args:
        frame: rows of one tier, columns `RELEASE`; all of them are drawn, so the caller passes
            those that are shown at once.
        axis_title: quantity and unit, for the hover sentences, too.
        confidence: of the intervals, between 0 and 1.
        span: ends of the axis, such as `span_of` gives; None: those of this frame.

    Raises:
        ParameterError: a column is missing, there is no row, or there are rows of several tiers.

    >>> one = pd.DataFrame({"group": ["a"], "tier": ["public"], "value": [7.0],
    ...     "low": [5.0], "high": [9.0], "budget": ["ρ = 1"], "style": [TierStyle(2, 0)]})
    >>> fig = one_tier_chart(one, axis_title="people")
    >>> [note.text.replace(chr(0x202F), "") for note in fig.layout.annotations]
    ['a', '<b>7</b> ±2']
    """
    require_columns(frame, *RELEASE)
    probability(confidence=confidence)
    if frame["tier"].nunique(dropna=False) > 1:
        raise ParameterError("there are rows of several tiers: pass those of one")
    (tier,) = tiers(frame)
    marks = Intervals.of(tier.rows)
    names = [wrapped(group, WIDTH)[0] for group in tier.rows["group"]]
    words = LINE * np.array([1 + name.count("<br>") for name in names])
    ends = np.cumsum(words + BAR + GAP)
    top = ends - words - BAR - GAP
    at = top + words + BAR / 2
    low, high = span or span_of(tier.rows)
    told = [plain(group, 40) for group in tier.rows["group"]]
    hover = release_hover(tier, told, marks, noun=axis_title, confidence=confidence, axis="x")
    layout = {
        "height": round(96 + ends[-1]),
        "margin": {"t": 4, "b": 80, "l": 12, "r": 12},
        "annotations": _words(names, marks, top + words / 2, (low, high)),
        "shapes": [
            *(rule(y - GAP / 2) for y in top[1:]),
            *(_length(tier, float(x), y) for x, y in zip(marks.value, at, strict=True) if low <= 0),
        ],
        "xaxis": {
            "title": {"text": plain(axis_title), "font": {"size": TEXT}},
            "tickfont": {"size": TEXT},
            "range": (low, high),
        }
        | ticks(low, high, most=5, room=NARROW * 12 / TEXT),
        "yaxis": {"range": (ends[-1], 0), "visible": False},
        "hoverlabel": {"font": {"size": TEXT}},
    }
    return go.Figure(data=_traces(tier, marks, at, hover), layout=layout)


def sample_frame() -> pd.DataFrame:
    """An invented number of the cast's town, as near as its public tier would come; grey.

    >>> sample_frame()[["tier", "value"]].to_numpy().tolist()
    [['example', 312.0]]
    """
    level = 1 / (2 * float(amounts("ρ")[PUBLIC]))  # one person counts once
    half, value = usual_half_width(ADDITIVE["gaussian"], level), float(ILL)
    row = ("example", "example", value, value - half, value + half, "invented", TierStyle(0, 0))
    return pd.DataFrame([row], columns=list(RELEASE))


def span_of(frame: pd.DataFrame) -> tuple[float, float]:
    """Ends of one axis for all groups of a frame, so that its pages can be compared."""
    return labels.span(*extent(frame), pad=0.08)  # room for half a mark


def _words(
    names: list[str], marks: Intervals, at: Any, span: tuple[float, float]
) -> list[dict[str, Any]]:
    """A name on the left and its number on the right, in a line above each bar.

    One number alone stands over its mark, where a phone has room for it between the name and the
    edge.
    """
    written: list[dict[str, Any]] = []
    right = {"xref": "paper", "xanchor": "right", "align": "right", "font": {"size": NUMBER}}
    for place, name in enumerate(names):
        text = _number(marks, place)
        written.append(grounded(name, 0, at[place], xref="paper", font={"size": TEXT}))
        if len(names) == 1 and _fits(name, text, float(marks.value[0]), span):
            over = right | {"xref": "x", "xanchor": "center", "align": "center"}
            written.append(grounded(text, float(marks.value[0]), at[place], **over))
        else:
            written.append(grounded(text, 1, at[place], **right))
    return written


def _fits(name: str, text: str, value: float, span: tuple[float, float]) -> bool:
    """Whether a number has room over its mark, even on a narrow plot."""
    seen = text.replace("<b>", "").replace("</b>", "")
    middle = PLOT * (value - span[0]) / (span[1] - span[0])
    half = pixels(seen, NUMBER) / 2
    left = max(pixels(line, TEXT) for line in name.split("<br>"))
    return bool(left + GAP / 3 < middle - half and middle + half < PLOT)


def _traces(tier: Tier, marks: Intervals, at: Any, hover: dict[str, object]) -> list[go.Scatter]:
    style, gap = tier.style, np.full(len(at), np.nan)
    bar = go.Scatter(
        x=np.stack([marks.low, marks.high, gap], axis=1).ravel(),
        y=np.stack([at, at, gap], axis=1).ravel(),
        mode="lines",
        name=tier.name,
        line={"color": rgba(style.colour, 0.45), "width": 14},
        hoverinfo="skip",
    )
    symbol = go.Scatter(
        x=marks.value,
        y=at,
        mode="markers",
        name=tier.name,
        marker={"color": style.colour, "symbol": style.marker, "size": MARK},
        **hover,
    )
    return [bar, symbol]


def _length(tier: Tier, value: float, at: float) -> dict[str, Any]:
    """A pale bar from 0, where the axis has it: such numbers are compared by length."""
    end = value if np.isfinite(value) else 0.0
    ends = {"x0": 0.0, "x1": end, "y0": at - BAR / 2, "y1": at + BAR / 2}
    look = {"fillcolor": rgba(tier.style.colour, 0.22), "line": {"width": 0}, "layer": "below"}
    return {"type": "rect", **ends, **look}


def _number(marks: Intervals, row: int) -> str:
    """The number with its ±, or with the ends of an interval that it is not the middle of."""
    value, low, high = (float(x[row]) for x in (marks.value, marks.low, marks.high))
    if np.isnan(value):
        return TOO_FEW
    half = (high - low) / 2
    text = f"<b>{number(value, step=half)}</b>"
    if np.isfinite(half) and half > 0:  # the sentence over it says "usually exact"
        text += f" {pm(half)}" if marks.centred[row] else f" ({between(low, high)})"
    return text
