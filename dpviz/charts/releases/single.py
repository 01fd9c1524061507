"""One tier's view, in large type: what this tier sees, for a screen that a room looks at.

Rows of groups with the released number written out. It knows the release of one tier and nothing
else. Two tiers side by side are this figure twice on one `span`.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts import labels
from dpviz.charts.labels import note, rule, ticks, wrapped
from dpviz.charts.releases.hover import release_hover
from dpviz.charts.tidy import RELEASE, TOO_FEW, Intervals, Tier, extent, require_columns, tiers
from dpviz.checks import probability
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.palette import rgba
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, usual_half_width
from dpviz.planning.cast import ILL, PUBLIC, amounts
from dpviz.words import between, number, plain, pm

MOST = 12  # groups; the rest is named in one last line
ROW, BAR = 84.0, 22.0  # pixels: a row, and the bar in it
TEXT, NUMBER = 20, 24  # sizes of the type
NARROW = 200.0  # pixels that the plot has at least: on a phone, beside the names of the groups


def one_tier_chart(
    frame: pd.DataFrame,
    *,
    axis_title: str,
    confidence: float = ACCURACY_CONFIDENCE,
    span: tuple[float, float] | None = None,
) -> go.Figure:
    """Draw one tier's release: a row per group, its number, and the interval as a broad bar.

    Args:
        frame: rows of one tier, columns `RELEASE`; the first 12 groups are drawn, so the caller
            orders them (`dpviz.charts.releases.choice.pick_groups`).
        axis_title: quantity and unit, for the hover sentences, too.
        confidence: of the intervals, between 0 and 1.
        span: ends of the axis, such as `span_of` gives; None: those of this frame.

    Raises:
        ParameterError: a column is missing, there is no row, or there are rows of several tiers.

    >>> one = pd.DataFrame({"group": ["a"], "tier": ["public"], "value": [7.0],
    ...     "low": [5.0], "high": [9.0], "budget": ["ρ = 1"], "slot": [2], "symbol": [0]})
    >>> fig = one_tier_chart(one, axis_title="people")
    >>> fig.layout.annotations[0].text.replace(chr(0x202F), "")
    '<b>7</b> ±2'
    """
    require_columns(frame, *RELEASE)
    probability(confidence=confidence)
    if len(everybody := tiers(frame.head(MOST))) > 1 or frame["tier"].nunique(dropna=False) > 1:
        raise ParameterError("there are rows of several tiers: pass those of one")
    tier, rest = everybody[0], max(0, len(frame) - MOST)
    marks = Intervals.of(tier.rows)
    at = ROW * (np.arange(len(tier.rows)) + 0.5) + 14
    low, high = span or span_of([tier.rows])
    told = [plain(group, 40) for group in tier.rows["group"]]
    hover = release_hover(tier, told, marks, noun=axis_title, confidence=confidence, axis="x")
    bottom = ROW * len(at) + (36 if rest else 0)
    notes = [_number(marks, row, at[row], (low, high)) for row in range(len(at))]
    if rest:
        words = f"… and {rest:,} more groups"
        notes.append(note(words, 0, bottom - 18, xref="paper", font={"size": TEXT}))
    scale = ticks(low, high, most=5, room=NARROW * 12 / TEXT)
    layout = {
        "height": round(96 + bottom),
        "margin": {"t": 4, "b": 80},
        "annotations": notes,
        "shapes": [
            *(rule(ROW * row) for row in range(1, len(at))),
            *(_length(tier, float(x), y) for x, y in zip(marks.value, at, strict=True) if low <= 0),
        ],
        "xaxis": {
            "title": {"text": plain(axis_title), "font": {"size": TEXT}},
            "tickfont": {"size": TEXT},
            "range": (low, high),
        }
        | scale,
        "yaxis": {
            "range": (bottom, 0),
            "tickvals": at,
            "ticktext": [wrapped(group, 18)[0] for group in tier.rows["group"]],
            "tickfont": {"size": TEXT},
        },
        "hoverlabel": {"font": {"size": TEXT}},
    }
    return go.Figure(data=_traces(tier, marks, at, hover), layout=layout)


def sample_frame() -> pd.DataFrame:
    """An invented number of the cast's town, as near as its public tier would come; grey.

    >>> sample_frame()[["tier", "value", "slot"]].to_numpy().tolist()
    [['example', 312.0, 0]]
    """
    level = 1 / (2 * float(amounts("ρ")[PUBLIC]))  # one person counts once
    half, value = usual_half_width(ADDITIVE["gaussian"], level), float(ILL)
    row = ("example", "example", value, value - half, value + half, "invented", 0, 0)
    return pd.DataFrame([row], columns=list(RELEASE))


def span_of(frames: Sequence[pd.DataFrame]) -> tuple[float, float]:
    """Ends of one axis for the first 12 groups of every frame, so that pictures can be compared."""
    ends = np.array([extent(frame.head(MOST)) for frame in frames])
    return labels.span(float(ends.min()), float(ends.max()), pad=0.08)  # room for half a mark


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
        marker={"color": style.colour, "symbol": style.marker, "size": 24},
        **hover,
    )
    return [bar, symbol]


def _length(tier: Tier, value: float, at: float) -> dict[str, Any]:
    """A pale bar from 0, where the axis has it: such numbers are compared by length."""
    end = value if np.isfinite(value) else 0.0
    ends = {"x0": 0.0, "x1": end, "y0": at - BAR / 2, "y1": at + BAR / 2}
    look = {"fillcolor": rgba(tier.style.colour, 0.22), "line": {"width": 0}, "layer": "below"}
    return {"type": "rect", **ends, **look}


def _number(marks: Intervals, row: int, at: float, span: tuple[float, float]) -> dict[str, Any]:
    """The number above its bar; near an edge it runs inwards, so that nothing is cut."""
    value, low, high = (float(x[row]) for x in (marks.value, marks.low, marks.high))
    if np.isnan(value):
        return note(TOO_FEW, 0, at, xref="paper", xshift=4, font={"size": NUMBER})
    half = (high - low) / 2
    text = f"<b>{number(value, step=half)}</b>"
    if np.isfinite(half) and half > 0:  # the sentence over it says "usually exact"
        text += f" {pm(half)}" if marks.centred[row] else f" ({between(low, high)})"
    share = (value - span[0]) / (span[1] - span[0])
    side = "left" if share < 0.3 else "right" if share > 0.7 else "center"
    return note(text, value, at - 38, xanchor=side, align=side, font={"size": NUMBER})
