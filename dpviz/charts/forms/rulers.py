"""Rulers: a row for each group, in it an interval, a mark and its number for each tier.

On one axis from 0, ± 2 people of 600 would be a dot. So few groups have an axis each, around the
sharpest number that is held there; all are equally long unless their intervals are of quite
different lengths. Many groups, or those that a page compares, share one axis; with many marks the
rows are lower, without numbers, and of many tiers only the first and the last are named.

A figure does not know how wide it will be drawn, so each decision about room is made for a phone
and holds on anything wider. Nothing but released numbers says where a ruler lies. Places from top
to bottom are pixels.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import (
    LETTER,
    PHONE,
    note,
    pixels,
    round_step,
    rule,
    span,
    tag,
    ticks,
    wrapped,
)
from dpviz.charts.tidy import Intervals, Tier, extent, require_columns, tiers
from dpviz.palette import GRID
from dpviz.scenes.releases import RELEASE, TOO_FEW
from dpviz.words import between, clean, columns, d3, number, percent, plain, pm

MOST, MOST_MARKS = 12, 120  # groups; groups times tiers: of more the rows are low
LINE, ABOVE, BELOW, APART = 18.0, 8.0, 26.0, 10.0  # pixels: a tier; a row's room above its tiers,
# below them with a scale, and without one
CLOSE, CLOSEST, TALLEST = 10.0, 3.0, 3600.0  # pixels: a tier of a low row; and the whole figure
NAMED_UP_TO = 6  # tiers of a low row
LENGTHS = 7.5  # of the largest ±
LABEL, MARK = 14, 12  # pixels: the name of a group, a mark
GAP = "\N{EN SPACE}"  # between an interval's end and its number: some 7 pixels
FEWEST = 5  # letters of a name that is cut
NAME = 18  # letters of a name
UNLIKE = 4.0  # rulers that differ by more than this factor are not made equal
TOLD = 40  # marks that the alt text says
INK = {"width": 1.5}  # without a colour: the ink of the page, for the truth

TRUTH = "true bounded number"  # what an interval holds
NO_GUARANTEE = "No guarantee stands behind its accuracy"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Ruler:
    """The row of one group: the ends of its axis, and where it and its tiers stand."""

    group: Any
    low: float
    high: float
    axis: str  # "x", "x2" and so on; several rows may share one
    top: float
    pitch: float  # pixels from one tier to the next
    count: int  # of tiers

    def __post_init__(self) -> None:
        checks.finite(low=self.low, high=self.high, top=self.top)
        checks.positive(pitch=self.pitch)
        checks.whole(1, count=self.count)

    @property
    def tall(self) -> float:
        """Of all tiers together; a name may have two lines."""
        return max(self.count * self.pitch, LINE)

    @property
    def foot(self) -> float:
        """Where its tiers end."""
        return self.top + ABOVE + self.tall

    def at(self, rank: int) -> float:
        """Where a tier stands."""
        return self.top + ABOVE + self.tall / 2 + (rank - (self.count - 1) / 2) * self.pitch

    def share(self, x: float) -> float:
        """Where a number is on the axis, from 0 to 1."""
        return (x - self.low) / (self.high - self.low)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Held:
    """What one tier holds of one group, and at which height it stands."""

    tier: Tier
    marks: Intervals
    at: float
    ruler: _Ruler

    def __post_init__(self) -> None:
        checks.finite(at=self.at)

    @property
    def value(self) -> float:
        """The released number; NaN where it is too little to tell."""
        return float(self.marks.value[0])

    @property
    def ends(self) -> tuple[float, float]:
        """Of the interval; NaN where there is no guarantee."""
        return float(self.marks.low[0]), float(self.marks.high[0])


def suits(frame: pd.DataFrame) -> bool:
    """Whether there are few enough groups and tiers for an axis each, and for all numbers.

    Columns: group, tier.
    """
    require_columns(frame, "group", "tier")
    groups, names = (frame[name].nunique(dropna=False) for name in ("group", "tier"))
    return bool(groups <= MOST and groups * names <= MOST_MARKS)


def alike(frame: pd.DataFrame, exact: pd.DataFrame | None = None) -> bool:
    """Whether the axes of all groups are equally long; then the caption says so.

    Columns: those of `rulers`.
    """
    needed = [length for _, length in _needs(frame, exact).values()]
    return max(needed) <= UNLIKE * min(needed)


def rulers(
    frame: pd.DataFrame,
    *,
    what: str,
    noun: str,
    confidence: float,
    exact: pd.DataFrame | None = None,
    truth: str = TRUTH,
    absent: str = TOO_FEW,
    shared: str = "",
) -> Picture:
    """Draw what each tier received: per group an interval, a mark and its number.

    Args:
        frame: one row per group and tier, in the order to draw, such as sharpest tier first.
            Columns: group, tier, value (NaN: none), low, high (NaN: no guarantee), budget (text
            such as "ρ = 0.02"), style (of the tier).
        what: what the numbers are, as a sentence, with which the alt text begins.
        noun: what is counted, for the hover sentences, such as "people".
        confidence: of the intervals, between 0 and 1.
        exact: columns group, value; drawn as thin lines, only while revealed.
        truth: what the intervals hold, for the hover sentences.
        absent: what stands in place of a number that a tier does not have.
        shared: title of one axis for all groups; "": each has its own, if they are few.

    Raises:
        ParameterError: a column is missing, there is no row, or `confidence` is not a probability.

    >>> from dpviz.palette import TierStyle
    >>> one = pd.DataFrame({"group": ["a"], "tier": ["public"], "value": [7.0],
    ...     "low": [5.0], "high": [9.0], "budget": ["ρ = 1"], "style": [TierStyle(2, 0)]})
    >>> made = rulers(one, what="People per ward.", noun="people", confidence=0.95)
    >>> made.figure.layout.xaxis.range, made.figure.data[1].x, made.alt
    ((-2.5, 12.5), (7.0,), 'People per ward. a: public 7.')
    """
    require_columns(frame, *RELEASE)
    checks.probability(confidence=confidence)
    if exact is not None:
        require_columns(exact, "group", "value")
    everybody, few = tiers(frame), suits(frame)
    one_axis = bool(shared) or not few
    rows = _rows(frame, exact, len(everybody), few=few, one_axis=one_axis)
    names = [wrapped(ruler.group) for ruler in rows]
    left = 8 + max(length for _, length in names) * LABEL / 13
    width = PHONE - 8 - left
    held = [_on(ruler, frame, everybody) for ruler in rows]
    traces, notes = [], []
    for axis in dict.fromkeys(ruler.axis for ruler in rows):
        on_it = [each for each in held if each[0].ruler.axis == axis]
        told = [h for each in on_it for h in each]
        traces += _marks(told, noun=noun, confidence=confidence, truth=truth)
        traces += _texts([h for each in on_it for h in _worded(each, few)], rows[0], width)
        traces += _exact(exact, [r for r in rows if r.axis == axis], noun)
    notes += [text for row in held for text in _absents(row, absent, named=row is held[0])]
    scaled = rows[-1:] if one_axis else rows
    notes += [text for ruler in scaled for text in _scale(ruler, width)]
    end = rows[-1].foot + BELOW
    place = {"xref": "x domain", "xanchor": "center"}
    notes.append(note(plain(shared or noun), 0.5, end + LINE / 2, **place))
    end += LINE
    layout = {
        "height": round(12 + end),
        "margin": {"t": 4, "b": 4, "l": round(left)},
        "barmode": "overlay",
        "annotations": notes,
        "shapes": [
            *(line for r in rows for line in _grid(r, r.foot + (APART if one_axis else 4))),
            *(rule(ruler.top) for ruler in rows[1:]),
        ],
        **{f"xaxis{r.axis[1:]}": _axis(r) for r in rows},
        "yaxis": {
            "range": (end, 0),
            "tickvals": [r.at(0) / 2 + r.at(r.count - 1) / 2 for r in rows],
            "ticktext": [text for text, _ in names],
            "tickfont": {"size": LABEL},
            "automargin": False,  # it would measure, and draw everything once more
            "fixedrange": True,
        },
    }
    return Picture(go.Figure(data=traces, layout=layout), _alt(held, what, absent))


# --- where everything stands ---


def _needs(
    frame: pd.DataFrame, exact: pd.DataFrame | None = None
) -> dict[Any, tuple[float, float]]:
    """Of each group, where its first tier’s number is, and how long its own axis has to be."""
    found = {}
    for group, rows in frame.groupby("group", sort=False, dropna=False, observed=True):
        marks = Intervals.of(rows)
        seen = np.concatenate([marks.value, marks.low, marks.high])
        if exact is not None:
            seen = np.append(seen, exact["value"][exact["group"] == group].to_numpy(float))
        seen = seen[np.isfinite(seen)]
        known = marks.value[np.isfinite(marks.value)]
        centre = float(known[0]) if len(known) else 0.0
        usual = LENGTHS * float(np.nanmax(marks.half, initial=0.0))
        reach = 2.04 * float(np.abs(seen - centre).max(initial=0.0)) + usual / 5
        found[group] = (centre, max(usual, reach) or 1.0)
    return found


def _rows(
    frame: pd.DataFrame, exact: pd.DataFrame | None, count: int, *, few: bool, one_axis: bool
) -> list[_Ruler]:
    """A ruler for each group, from the top down."""
    needed = _needs(frame, exact)
    longest = max(length for _, length in needed.values())
    equal = longest <= UNLIKE * min(length for _, length in needed.values())
    room = (TALLEST / len(needed) - ABOVE - APART) / count
    pitch = LINE if few else max(CLOSEST, min(CLOSE, room))
    rows: list[_Ruler] = []
    top = 0.0
    for row, (group, (centre, own)) in enumerate(needed.items()):
        if one_axis:
            low, high = span(*extent(frame, exact))
        else:
            length = longest if equal else own
            step = round_step(length / 5)
            middle = step * round(centre / step)
            low, high = middle - length / 2, middle + length / 2
        ruler = _Ruler(
            group=group,
            low=low,
            high=high,
            axis="x" if one_axis or not row else f"x{row + 1}",
            top=top,
            pitch=LINE if not row and count <= NAMED_UP_TO else pitch,  # the first has the names
            count=count,
        )
        rows.append(ruler)
        top = ruler.foot + (APART if one_axis else BELOW)
    return rows


def _axis(ruler: _Ruler) -> dict[str, Any]:
    over = {} if ruler.axis == "x" else {"overlaying": "x", "anchor": "y"}
    return {"range": (ruler.low, ruler.high), "visible": False, "fixedrange": True} | over


def _grid(ruler: _Ruler, foot: float) -> list[dict[str, Any]]:
    """Upright lines at the ticks of one row."""
    ends = {"xref": "x domain", "yref": "y", "y0": ruler.top + 2, "y1": foot, "layer": "below"}
    look = {"type": "line", "line": {"color": GRID, "width": 1}}
    shares = [ruler.share(x) for x in _ticks(ruler, 999.0)["tickvals"]]
    return [look | ends | {"x0": x, "x1": x} for x in shares]


def _ticks(ruler: _Ruler, width: float) -> dict[str, Any]:
    return ticks(ruler.low, ruler.high, most=5, room=width)


def _scale(ruler: _Ruler, width: float) -> list[dict[str, Any]]:
    """The numbers below a row.

    Placed by their share of the axis, so that a figure holds no number that is not a release's: a
    round number may be the exact one.
    """
    scale = _ticks(ruler, width)
    place = {"xref": "x domain", "xanchor": "center", "font": {"size": 12}}
    return [
        note(text, ruler.share(x), ruler.foot + 12, **place)
        for x, text in zip(scale["tickvals"], scale["ticktext"], strict=True)
        if -0.01 < ruler.share(x) < 0.97
    ]


def _on(ruler: _Ruler, frame: pd.DataFrame, everybody: list[Tier]) -> list[_Held]:
    """What every tier holds of one group, in the order of the tiers."""
    rows = frame[frame["group"] == ruler.group]
    marks = Intervals.of(rows)
    place = {name: nth for nth, name in enumerate(rows["tier"])}
    return [
        _Held(
            tier=tier, marks=marks.at(np.array([place[tier.key]])), at=ruler.at(rank), ruler=ruler
        )
        for rank, tier in enumerate(everybody)
        if tier.key in place
    ]


# --- marks, numbers and names ---


def _marks(held: Sequence[_Held], **said: Any) -> list[dict[str, Any]]:
    """All intervals and all marks of one axis, each one series: 200 take a second to draw.

    Plain until the figure is made: Plotly takes a series apart again that is made by itself.
    """
    low = held[0].ruler.pitch < LINE or held[-1].ruler.pitch < LINE
    place = {"xaxis": held[0].ruler.axis, "yaxis": "y"}
    hovers = [
        release_hover(h.tier, [plain(h.ruler.group, 40)], h.marks, axis="x", **said) for h in held
    ]
    sure = [h for h in held if not math.isnan(h.ends[0])]
    intervals = place | {
        "type": "bar",
        "base": [h.ends[0] for h in sure],
        "x": [h.ends[1] - h.ends[0] for h in sure],
        "y": [h.at for h in sure],
        "width": 2.0 if low else 3.0,
        "orientation": "h",
        "marker": {"color": [h.tier.style.colour for h in sure], "line": {"width": 0}},
        "hoverinfo": "skip",
    }
    marks = place | {
        "type": "scatter",
        "x": [h.value for h in held],
        "y": [h.at for h in held],
        "meta": [h.tier.name for h in held],  # whose each is; as `ids` only the first would show
        "mode": "markers",
        "marker": {
            "color": [h.tier.style.colour for h in held],
            "symbol": [h.tier.style.marker for h in held],
            "size": min(9.0, held[-1].ruler.pitch + 1) if low else MARK,
            "line": {"width": 1},
        },
        "cliponaxis": False,  # near an end of the axis, too, the mark is whole
        "customdata": [hover["customdata"][0] for hover in hovers],
        "hovertemplate": [hover["hovertemplate"] for hover in hovers],
    }
    return [intervals, marks] if sure else [marks]


def _worded(row: list[_Held], few: bool) -> list[_Held]:
    """Whose numbers are written: all; of low rows those of the first, or of its two ends."""
    known = [held for held in row if not math.isnan(held.value)]
    if few:
        return known
    if row[0].ruler.top:
        return []
    return known if row[0].ruler.count <= NAMED_UP_TO else [*known[:1], *known[1:][-1:]]


def _texts(held: list[_Held], first: _Ruler, width: float) -> list[dict[str, Any]]:
    """All words of one axis as one series: as notes they take half of the time to draw it."""
    said = [text for h in held for text in _texts_of(h, width, named=h.ruler is first)]
    if not said:
        return []
    words, xs, ys, sides = zip(*said, strict=True)
    place = {"xaxis": held[0].ruler.axis, "yaxis": "y", "cliponaxis": False, "hoverinfo": "skip"}
    look = {"type": "scatter", "mode": "text", "text": words, "textposition": sides}
    return [place | look | {"x": xs, "y": ys}]


def _texts_of(held: _Held, width: float, *, named: bool) -> list[tuple[str, float, float, str]]:
    """The number at the right end of its interval; on the first row the name where room is."""
    ruler, value, (low, high) = held.ruler, held.value, held.ends
    low, high = (value, value) if math.isnan(low) else (min(low, value), max(high, value))
    text = number(value, step=float(held.marks.half[0]))
    long = pixels(text, bold=True) + 8
    told, end = f"<b>{text}</b>", ruler.share(high) * width + long
    fits = end <= width
    if not fits and ruler.share(low) * width < long:  # it would run over the name of its group
        return []
    left, right = (
        int((room - 24) / (1.1 * LETTER)) for room in (ruler.share(low) * width, width - end)
    )
    short = min(high - value, value - low) < MARK / 2 / width * (ruler.high - ruler.low)
    gap = GAP * (2 if short else 1)  # from the interval, or from a mark that is wider than it
    if named and right >= FEWEST and left < min(columns(held.tier.short(NAME)), right):
        name = tag(held.tier.style, held.tier.short(min(NAME, right)))
        return [(f"{gap}{told}  {name}", high, held.at, "middle right")]
    if not fits:
        return [(told + gap, low, held.at, "middle left")]
    texts = [(gap + told, high, held.at, "middle right")]
    if named and left >= FEWEST:
        name = tag(held.tier.style, held.tier.short(min(NAME, left)))
        texts.append((name + gap, low, held.at, "middle left"))
    return texts


def _absents(row: list[_Held], absent: str, *, named: bool) -> list[dict[str, Any]]:
    """What stands in a row where tiers have no number: of each, in a low row of all together."""
    missing = [h for h in row if math.isnan(h.value)]
    if not missing:
        return []
    each = [[h] for h in missing] if row[0].ruler.pitch >= LINE else [missing]
    notes = []
    for several in each:
        styles = [h.tier.style for h in several[:NAMED_UP_TO]]
        whose = "".join(f'<span style="color:{s.colour}">{s.glyph}</span>' for s in styles)
        if named and len(several) == 1:
            whose = tag(styles[0], several[0].tier.short(NAME))
        at = float(np.mean([h.at for h in several]))
        notes.append(note(f"{whose} {plain(absent)}", 0, at, xref="paper", xshift=2))
    return notes


def _exact(exact: pd.DataFrame | None, rows: Sequence[_Ruler], noun: str) -> list[dict[str, Any]]:
    """The exact number as a thin line through all tiers of each group; not private."""
    if exact is None:
        return []
    x: list[float | None] = []
    y: list[float | None] = []
    said: list[str] = []
    for ruler in rows:
        for value in exact["value"][exact["group"] == ruler.group].to_numpy(float):
            if math.isfinite(value):
                top, foot = ruler.top + 4, ruler.foot + 2
                x += [float(value)] * 3 + [None]
                y += [top, (top + foot) / 2, foot, None]
                said += [exact_hover(float(value), plain(ruler.group), noun)] * 3 + [""]
    look = {"type": "scatter", "mode": "lines", "name": "exact", "line": INK}
    place = {"xaxis": rows[0].axis, "yaxis": "y", "hovertext": said, "hoverinfo": "text"}
    return [look | place | {"x": x, "y": y}] if x else []


# --- what is said ---


def release_hover(
    tier: Tier,
    groups: list[str],
    marks: Intervals,
    *,
    noun: str,
    confidence: float,
    axis: str,
    truth: str = TRUTH,
) -> dict[str, Any]:
    """Return `customdata` and `hovertemplate` of one tier's marks.

    Args:
        tier: whose marks they are.
        groups: name of the group of each mark, escaped.
        marks: the released values and their intervals.
        noun: what is counted.
        confidence: of the intervals.
        axis: "x" or "y", where the value is.
        truth: what the intervals hold.
    """
    half, centred, common = marks.half, marks.centred, marks.common_half
    known, sure = half[np.isfinite(half)], f"{percent(confidence)} confidence"
    budget, held = plain(tier.rows["budget"].iloc[0]), f"With {sure} the<br>{plain(truth)} is "
    if not len(known) or (np.isfinite(common) and centred[np.isfinite(marks.value)].all()):
        data = np.array(groups, dtype=object)
        sentence = f"{held}{_near(common)}" if len(known) else NO_GUARANTEE
        group = "%{customdata}"
    else:
        ends = zip(half, marks.low, marks.high, centred, strict=True)
        sentences = [_sentence(held, *mark) for mark in ends]
        data = np.array([groups, sentences], dtype=object).T
        group, sentence = "%{customdata[0]}", "%{customdata[1]}"
    step = float(known.min()) if len(known) else 1.0
    long = max(map(len, groups)) + len(tier.name) + len(noun) > 36
    gap = "<br>" if long else " "
    head = f"<b>{tier.name}</b> sees %{{{axis}:{d3(step)}}} {plain(noun)}{gap}for {group}.<br>"
    return {"customdata": data, "hovertemplate": f"{head}{sentence} ({budget}).<extra></extra>"}


def _sentence(held: str, half: float, low: float, high: float, centred: bool) -> str:
    """Of one mark: ± if the released number is the middle of its interval, else both ends."""
    if not np.isfinite(half):
        return NO_GUARANTEE
    return held + (_near(half) if centred else f"between {between(low, high, 'and')}")


def _near(half: float) -> str:
    return f"within {pm(half)} of that" if half else "exactly that, but never surely"


def exact_hover(value: float, group: str, noun: str) -> str:
    """Return the sentence of an exact number on screen."""
    return f"Exact, <b>not private</b>: {number(value)} {plain(noun)} for {group}."


def _alt(held: list[list[_Held]], what: str, absent: str) -> str:
    """What the figure shows; of many marks those of the first groups."""
    shown = held[: max(1, TOLD // len(held[0]))]
    said = "; ".join(
        f"{clean(row[0].ruler.group)}: "
        + ", ".join(
            f"{clean(h.tier.key)} "
            + (absent if math.isnan(h.value) else number(h.value, step=float(h.marks.half[0])))
            for h in row
        )
        for row in shown
    )
    more = f"; and {len(held) - len(shown)} more groups" if len(shown) < len(held) else ""
    return f"{what} {said}{more}."
