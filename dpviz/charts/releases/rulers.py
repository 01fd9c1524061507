"""Releases of few groups: a ruler per group, around the sharpest number that is held there.

On one axis from 0, ± 2 people of 600 would be a dot. So each group has an axis of its own, and all
are equally long unless their intervals are of quite different lengths: then each is as long as its
own needs. Nothing but released numbers says where a ruler lies.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import (
    LETTER,
    PHONE,
    Floats,
    note,
    pixels,
    round_step,
    rule,
    tag,
    ticks,
    wrapped,
)
from dpviz.charts.releases.hover import TRUTH, exact_hover, release_hover
from dpviz.charts.releases.rows import EXACT_LINE
from dpviz.charts.tidy import RELEASE, TOO_FEW, Intervals, Tier, require_columns, tiers
from dpviz.checks import probability
from dpviz.palette import GRID
from dpviz.words import columns, number, plain

MOST, MOST_MARKS = 12, 120  # groups; groups times tiers
LINE, ABOVE, BELOW = 18.0, 8.0, 26.0  # pixels: a tier; a group's room above and below its tiers
LENGTHS = 7.5  # of the largest ±
LABEL = 14  # pixels: the name of a group
THICK = 3.0  # pixels, of an interval
GAP = "\N{EN SPACE}"  # between an interval's end and its number: some 7 pixels
FEWEST = 5  # letters of a name that is cut
NAME = 18  # letters of a name
UNLIKE = 4.0  # rulers that differ by more than this factor are not made equal


@dataclass(frozen=True)
class _Ruler:
    """One group's axis: its ends, the marks on it, and where it stands, in pixels from the top."""

    group: Any
    low: float
    high: float
    top: float
    axis: str  # "x", "x2" and so on

    def share(self, x: float) -> float:
        return (x - self.low) / (self.high - self.low)


@dataclass(frozen=True)
class _Held:
    """What one tier holds of one group, and at which height it stands, in pixels from the top."""

    tier: Tier
    marks: Intervals
    at: float

    @property
    def value(self) -> float:
        return float(self.marks.value[0])

    @property
    def low(self) -> float:
        return float(self.marks.low[0])

    @property
    def high(self) -> float:
        return float(self.marks.high[0])


def suits(frame: pd.DataFrame) -> bool:
    """Whether there are few enough groups and tiers for rulers.

    Columns: group, tier.
    """
    require_columns(frame, "group", "tier")
    groups, names = (frame[name].nunique(dropna=False) for name in ("group", "tier"))
    return bool(groups <= MOST and groups * names <= MOST_MARKS)


def alike(frame: pd.DataFrame, exact: pd.DataFrame | None = None) -> bool:
    """Whether all rulers are equally long; then the caption says so.

    Columns: those of `release_rulers`.
    """
    needed = [length for _, length in _needs(frame, exact).values()]
    return max(needed) <= UNLIKE * min(needed)


def release_rulers(
    frame: pd.DataFrame,
    *,
    noun: str,
    confidence: float,
    exact: pd.DataFrame | None = None,
    truth: str = TRUTH,
) -> go.Figure:
    """Draw what each tier received: per group a ruler, on it an interval, a mark and its number.

    Args:
        frame: one row per group and tier, in the order to draw, sharpest tier first; columns
            `RELEASE`.
        noun: what is counted, for the hover sentences, such as "people".
        confidence: of the intervals, between 0 and 1.
        exact: columns group, value; drawn as grey ticks, only while revealed.
        truth: what the intervals hold, for the hover sentences.

    Raises:
        ParameterError: a column is missing, there is no row, or `confidence` is not a probability.

    >>> from dpviz.palette import TierStyle
    >>> one = pd.DataFrame({"group": ["a"], "tier": ["public"], "value": [7.0],
    ...     "low": [5.0], "high": [9.0], "budget": ["ρ = 1"], "style": [TierStyle(2, 0)]})
    >>> fig = release_rulers(one, noun="people", confidence=0.95)
    >>> fig.layout.xaxis.range, fig.data[1].x
    ((-2.5, 12.5), (7.0,))
    """
    require_columns(frame, *RELEASE)
    probability(confidence=confidence)
    everybody = tiers(frame)
    rulers = _rulers(frame, exact, len(everybody))
    names = [wrapped(ruler.group) for ruler in rulers]
    left = 8 + max(length for _, length in names) * LABEL / 13
    width = PHONE - 8 - left
    said: dict[str, Any] = {"noun": noun, "confidence": confidence, "truth": truth}
    traces, notes, shapes = [], [], []
    for row, ruler in enumerate(rulers):
        shapes += [*_grid(ruler, len(everybody)), *([rule(ruler.top)] if row else [])]
        notes += _scale(ruler, len(everybody), width)
        on_it = _on(ruler, frame, everybody)
        traces += _marks(on_it, ruler, **said)
        traces += _texts(on_it, ruler, width, named=row == 0)
        notes += [_too_few(held, named=row == 0) for held in on_it if math.isnan(held.value)]
        if exact is not None:
            traces += _exact(exact, ruler, len(everybody), noun)
    bottom = ABOVE + len(everybody) * LINE + BELOW
    return go.Figure(
        data=traces,
        layout={
            "height": round(12 + bottom * len(rulers)),
            "margin": {"t": 4, "b": 4, "l": round(left)},
            "barmode": "overlay",
            "annotations": notes,
            "shapes": shapes,
            **{f"xaxis{r.axis[1:]}": _axis(r) for r in rulers},
            "yaxis": {
                "range": (bottom * len(rulers), 0),
                "tickvals": [r.top + (bottom - BELOW) / 2 + ABOVE / 2 for r in rulers],
                "ticktext": [text for text, _ in names],
                "tickfont": {"size": LABEL},
                "automargin": False,  # it would measure, and draw everything once more
                "fixedrange": True,
            },
        },
    )


def _axis(ruler: _Ruler) -> dict[str, Any]:
    over = {} if ruler.axis == "x" else {"overlaying": "x", "anchor": "y"}
    return {"range": (ruler.low, ruler.high), "visible": False, "fixedrange": True} | over


def _needs(
    frame: pd.DataFrame, exact: pd.DataFrame | None = None
) -> dict[Any, tuple[float, float]]:
    """Of each group, where its sharpest number is, and how long its ruler has to be."""
    found = {}
    for group, rows in frame.groupby("group", sort=False, dropna=False, observed=True):
        marks = Intervals.of(rows)
        seen = np.concatenate([marks.value, marks.low, marks.high])
        if exact is not None:
            seen = np.append(seen, exact["value"][exact["group"] == group].to_numpy(float))
        seen = seen[np.isfinite(seen)]
        known = marks.value[np.isfinite(marks.value)]
        centre = float(known[0]) if len(known) else 0.0
        half = np.nanmax(marks.half, initial=0.0)
        usual = LENGTHS * float(half)
        reach = 2.04 * float(np.abs(seen - centre).max(initial=0.0)) + usual / 5
        found[group] = (centre, max(usual, reach) or 1.0)
    return found


def _rulers(frame: pd.DataFrame, exact: pd.DataFrame | None, count: int) -> list[_Ruler]:
    needed = _needs(frame, exact)
    longest = max(length for _, length in needed.values())
    equal = alike(frame, exact)
    rulers = []
    for row, (group, (centre, own)) in enumerate(needed.items()):
        length = longest if equal else own
        step = round_step(length / 5)
        middle = step * round(centre / step)
        ends = (middle - length / 2, middle + length / 2)
        top = row * (ABOVE + count * LINE + BELOW)
        rulers.append(_Ruler(group, *ends, top, f"x{row + 1 if row else ''}"))
    return rulers


def _grid(ruler: _Ruler, count: int) -> list[dict[str, Any]]:
    """Upright lines at the ticks of one ruler."""
    foot = ruler.top + ABOVE + count * LINE + 4
    ends = {"xref": "x domain", "yref": "y", "y0": ruler.top + 2, "y1": foot, "layer": "below"}
    look = {"type": "line", "line": {"color": GRID, "width": 1}}
    shares = [ruler.share(x) for x in _ticks(ruler, 999.0)["tickvals"]]
    return [look | ends | {"x0": x, "x1": x} for x in shares]


def _ticks(ruler: _Ruler, width: float) -> dict[str, Any]:
    return ticks(ruler.low, ruler.high, most=5, room=width)


def _scale(ruler: _Ruler, count: int, width: float) -> list[dict[str, Any]]:
    """The numbers below one ruler.

    Placed by their share of the ruler, so that a figure holds no number that is not a release's:
    a round number may be the exact one.
    """
    scale = _ticks(ruler, width)
    place = {"xref": "x domain", "xanchor": "center", "font": {"size": 12}}
    y = ruler.top + ABOVE + count * LINE + 12
    return [
        note(text, ruler.share(x), y, **place)
        for x, text in zip(scale["tickvals"], scale["ticktext"], strict=True)
        if 0.03 < ruler.share(x) < 0.97
    ]


def _on(ruler: _Ruler, frame: pd.DataFrame, everybody: list[Tier]) -> list[_Held]:
    """What every tier holds of one group, in the order of the tiers."""
    rows = frame[frame["group"] == ruler.group]
    marks = Intervals.of(rows)
    place = {name: nth for nth, name in enumerate(rows["tier"])}
    return [
        _Held(tier, marks.at(np.array([place[tier.key]])), ruler.top + ABOVE + LINE * (rank + 0.5))
        for rank, tier in enumerate(everybody)
        if tier.key in place
    ]


def _marks(held: list[_Held], ruler: _Ruler, **said: Any) -> list[dict[str, Any]]:
    """All intervals and all marks of one ruler, each one series: 200 take a second to draw.

    Plain until the figure is made: Plotly takes a series apart again that is made by itself.
    """
    place = {"xaxis": ruler.axis, "yaxis": "y"}
    told = [plain(ruler.group, 40)]
    hovers = [release_hover(h.tier, told, h.marks, axis="x", **said) for h in held]
    sure = [h for h in held if not math.isnan(h.low)]
    intervals = place | {
        "type": "bar",
        "base": [h.low for h in sure],
        "x": [h.high - h.low for h in sure],
        "y": [h.at for h in sure],
        "width": THICK,
        "orientation": "h",
        "marker": {"color": [h.tier.style.colour for h in sure], "line": {"width": 0}},
        "hoverinfo": "skip",
    }
    marks = place | {
        "type": "scatter",
        "x": [h.value for h in held],
        "y": [h.at for h in held],
        "ids": [h.tier.name for h in held],
        "mode": "markers",
        "marker": {
            "color": [h.tier.style.colour for h in held],
            "symbol": [h.tier.style.marker for h in held],
            "size": 12,
            "line": {"width": 1},
        },
        "cliponaxis": False,
        "customdata": [hover["customdata"][0] for hover in hovers],
        "hovertemplate": [hover["hovertemplate"] for hover in hovers],
    }
    return [intervals, marks] if sure else [marks]


def _texts(
    everybody: list[_Held], ruler: _Ruler, width: float, *, named: bool
) -> list[dict[str, Any]]:
    """All words of one ruler as one series: as notes they take half of the time to draw it."""
    said = [
        text
        for held in everybody
        if not math.isnan(held.value)
        for text in _texts_of(held, ruler, width, named=named)
    ]
    if not said:
        return []
    words, xs, ys, sides = zip(*said, strict=True)
    place = {"xaxis": ruler.axis, "yaxis": "y", "cliponaxis": False, "hoverinfo": "skip"}
    look = {"type": "scatter", "mode": "text", "text": words, "textposition": sides}
    return [place | look | {"x": xs, "y": ys}]


def _texts_of(
    held: _Held, ruler: _Ruler, width: float, *, named: bool
) -> list[tuple[str, float, float, str]]:
    """The number at the right end of its interval; on the first ruler the name where room is."""
    value, low, high = held.value, held.low, held.high
    low, high = (value, value) if math.isnan(low) else (min(low, value), max(high, value))
    text = number(value, step=float(held.marks.half[0]))
    told, end = f"<b>{text}</b>", ruler.share(high) * width + pixels(text, bold=True) + 8
    fits = end <= width
    left, right = (
        int((room - 24) / (1.1 * LETTER)) for room in (ruler.share(low) * width, width - end)
    )
    if named and right >= FEWEST and left < min(columns(held.tier.short(NAME)), right):
        name = tag(held.tier.style, held.tier.short(min(NAME, right)))
        return [_beside(f"{told}  {name}", high, held.at, right=True)]
    texts = [_beside(told, high if fits else low, held.at, right=fits)]
    if named and fits and left >= FEWEST:
        name = tag(held.tier.style, held.tier.short(min(NAME, left)))
        texts.append(_beside(name, low, held.at, right=False))
    return texts


def _beside(text: str, x: float, y: float, *, right: bool) -> tuple[str, float, float, str]:
    """A text, where it stands, and on which side of that, a gap away from it."""
    return (GAP + text, x, y, "middle right") if right else (text + GAP, x, y, "middle left")


def _too_few(held: _Held, *, named: bool) -> dict[str, Any]:
    name = tag(held.tier.style, held.tier.short(NAME)) if named else ""
    return note(f"{name} {TOO_FEW}".strip(), 0, held.at, xref="paper", xshift=2)


def _exact(exact: pd.DataFrame, ruler: _Ruler, count: int, noun: str) -> list[dict[str, Any]]:
    """The exact number as a grey tick through all tiers of a group; not private."""
    values: Floats = exact["value"][exact["group"] == ruler.group].to_numpy(float)
    top, foot = ruler.top + 4, ruler.top + ABOVE + count * LINE + 2
    return [
        {
            "type": "scatter",
            "x": [value, value, value],
            "y": [top, (top + foot) / 2, foot],
            "mode": "lines",
            "name": "exact",
            "line": EXACT_LINE,
            "xaxis": ruler.axis,
            "yaxis": "y",
            "hovertext": [exact_hover(float(value), plain(ruler.group), noun)] * 3,
            "hoverinfo": "text",
        }
        for value in values
        if math.isfinite(value)
    ]
