"""The walk of the noise: its cone, the stops on it, and a new stop between two old ones.

Left and right is the number; downwards goes the noise, by its standard deviation, logarithmic where
stops differ much. 95 % of all walks through the stops stay in the grey region, which is pinched at
each of them. The new stop has a bar where its number falls 95 times in 100, or, once it is drawn, a
large number on threads to the stops that it was drawn from. Limits: places are worked out for a
phone; rows that would touch there keep their marks without words, and the hover has these.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import note, pixels, rule, tag, ticks
from dpviz.charts.tidy import require_columns
from dpviz.palette import REGION, TierStyle
from dpviz.words import between, clean, number, outwards, percent, plain

NAME, NOISE, VALUE, STYLE, STATE, BELOW, DETAIL = STOPS = (
    *("name", "noise", "value", "style", "state", "below", "detail"),
)
HELD, NEEDED, IDLE, NEW, WAITING = ("held", "needed", "idle", "new", "waiting")
WALK = ("gap", "noise", "low95", "high95")
HEIGHT, TOP, BOTTOM = 440, 8, 50  # pixels of the figure, above and below the plot
WORDS, FOOT, APART = 34, 40, 34  # pixels above the first row, below the last, and between names
PLOT = 235  # pixels of the plot on a phone
TURNS = 60  # until the room for words is found
WIDEST = 0.45  # of the plot: a number on either side of its mark
MANY = 6.0  # times as much noise: then the axis is logarithmic
LARGE, USUAL = 18, 16  # of the number that was just drawn, and of others
BAR, CAP, SPIKE = 5, 11, 46  # pixels of the bar, of its ends, and of a sure chance
PALE = 0.4  # how strong the mark of a stop is that takes no part
Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewStop:
    """A stop that is not drawn yet.

    Attributes:
        name: whose it is.
        style: how it will look.
        noise: its standard deviation.
        below: words below its name.
        ends: between which numbers it falls 95 times in 100; None where that is hidden.
        chances: how likely it is identical to another number: number, chance, colour.
    """

    name: str
    style: TierStyle
    noise: float
    below: str
    ends: tuple[float, float] | None
    chances: tuple[tuple[float, float, str], ...] = ()

    def __post_init__(self) -> None:
        checks.positive(noise=self.noise)


@dataclass(frozen=True, slots=True, kw_only=True)
class Room:
    """For what an axis has room besides what it shows: then it stays as it is, step after step.

    Attributes:
        walk: columns `WALK`, of another step.
        ends: between which numbers one falls, or fell, 95 times in 100.
        alone: whether it has room for this walk, and not for the one that is shown.
    """

    walk: pd.DataFrame
    ends: tuple[float, float] | None = None
    alone: bool = False

    def __post_init__(self) -> None:
        if self.ends is not None:
            low, high = self.ends
            checks.finite(low=low, high=high)


@dataclass(frozen=True, slots=True)
class _Down:
    """The vertical axis: its sharpest and its noisiest row, and pixels between them."""

    sharp: float
    noisy: float

    @property
    def is_log(self) -> bool:
        return self.noisy > MANY * self.sharp

    def at(self, noise: float) -> float:
        """Where a row is on the axis of Plotly's ranges."""
        return math.log10(noise) if self.is_log else noise

    @property
    def unit(self) -> float:
        """Of that axis, for each pixel."""
        gap = self.at(self.noisy) - self.at(self.sharp) or abs(self.at(self.sharp)) or 1.0
        return gap / (HEIGHT - TOP - BOTTOM - WORDS - FOOT)

    def above(self, noise: float, more: float) -> float:
        """The noise that lies this number of pixels above a row."""
        place = self.at(noise) - more * self.unit
        return float(10**place) if self.is_log else place

    @property
    def ends(self) -> tuple[float, float]:
        """The range of the axis: the sharpest on top."""
        return self.at(self.noisy) + FOOT * self.unit, self.at(self.sharp) - WORDS * self.unit


def cone(
    stops: pd.DataFrame,
    walk: pd.DataFrame,
    *,
    what: str,
    noun: str,
    new: NewStop | None = None,
    threads: Sequence[tuple[str, str]] = (),
    room: Room | None = None,
) -> Picture:
    """Draw the walk and its stops.

    Args:
        stops: columns `STOPS`, by rising noise. name; noise: a standard deviation; style: a
            `TierStyle`; state: "needed" is tied to the new one, "idle" is pale, "new" is large,
            "waiting" has a row and no mark yet; below: words below the name; detail: for the hover.
        walk: columns `WALK`, by rising noise in each gap; may be empty.
        what: what is seen, as a sentence, with which the alt text begins.
        noun: what is counted, at the horizontal axis.
        new: the stop that is not drawn yet.
        threads: names of two stops each: whose number was drawn from whose.
        room: for what the horizontal axis has room, too.

    Raises:
        ParameterError: a column is missing.

    >>> row = ("audit", 1.1, 311.6, TierStyle(11, 3), "held", "±2.2", "")
    >>> made = cone(pd.DataFrame([row], columns=list(STOPS)), pd.DataFrame(columns=list(WALK)),
    ...     what="One stop.", noun="people")
    >>> made.alt
    'One stop. audit: 311.6, ±2.2.'
    """
    require_columns(stops, *STOPS)
    if len(walk):
        require_columns(walk, *WALK)
    rows = stops.to_dict("records")
    levels = [*stops[NOISE], *([new.noise] if new else [])]
    down = _Down(min(levels), max(levels))
    ends = {row[NAME]: (row[VALUE], row[NOISE]) for row in rows}
    strings = [(name, ends[name], ends[other]) for name, other in threads]
    sides = {row[NAME]: _side(row, rows, strings) for row in rows}
    room = room or Room(walk=walk)
    whole = room.walk if room.alone else pd.concat([walk, room.walk])
    across = _across(rows, whole[whole[NOISE] <= down.noisy], room.ends, new)
    styles = {row[NAME]: row[STYLE] for row in rows}
    named = _named(rows, new, down)
    traces = _region(walk)
    traces += [_string(foot, top, styles[name]) for name, foot, top in strings]
    if new is not None and new.ends is not None:  # what it will be made from
        middle = (sum(new.ends) / 2, new.noise)
        needed = [ends[row[NAME]] for row in rows if row[STATE] == NEEDED]
        traces += [_string(end, middle, new.style, "source") for end in needed]
    corner = {"xref": "paper", "yref": "paper", "yanchor": "top"}
    notes = [note("more noise ↓", 0, 1, **corner)]
    there = [row for row in rows if row[STATE] != WAITING]
    notes += [_number(row, sides[row[NAME]], down) for row in there if row[NAME] in named]
    if new is not None:
        traces += [*_bar(new), *_spikes(new, down)]
        notes += _bar_words(new, rows, down)
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": BOTTOM, "r": 4},
        "annotations": notes,
        "shapes": [rule(noise) for noise, _ in named.values()],
        "xaxis": {"range": across, "showgrid": False, "fixedrange": True}
        | {"title": {"text": plain(noun), "standoff": 6}}
        | ticks(*across, room=PLOT),
        "yaxis": {"range": down.ends, "fixedrange": True, "tickfont": {"size": 14}}
        | {"type": "log" if down.is_log else "linear"}
        | {"tickvals": [noise for noise, _ in named.values()]}
        | {"ticktext": [label for _, label in named.values()]},
    }
    figure = go.Figure(data=[*traces, _marks(there)], layout=layout)
    return Picture(figure, _alt(rows, new, what))


def said(row: Row) -> str:
    """A number as exact as 95 % of its noise deserves.

    >>> said({"value": 312.534, "noise": 1.29}), said({"value": 315.0, "noise": 2.8})
    ('312.5', '315')
    """
    return number(row[VALUE], step=max(2 * row[NOISE], float(float(row[VALUE]).is_integer())))


def _side(row: Row, rows: list[Row], strings: Sequence[Any]) -> int:
    """On which side of a mark its number stands: where its threads do not run, or outwards."""
    here = (row[VALUE], row[NOISE])
    others = [end for _, foot, top in strings for end in (foot, top) if here in (foot, top)]
    pull = sum((x - here[0]) / abs(y - here[1]) for x, y in others if y != here[1])
    if pull:
        return -1 if pull > 0 else 1
    return 1 if here[0] >= sum(r[VALUE] for r in rows) / len(rows) else -1


def _across(
    rows: list[Row],
    walk: pd.DataFrame,
    reach: tuple[float, float] | None,
    new: NewStop | None,
) -> tuple[float, float]:
    """Ends of the horizontal axis: all that is shown, with room for large numbers on a phone.

    A number has its room on either side, and at the ends of where it may fall: so the axis does not
    change where a number is drawn.
    """
    reaches = [(float(x), 0.0) for x in [*walk["low95"], *walk["high95"]]]
    for row in rows:
        reaches += [(row[VALUE], side * _wide(said(row))) for side in (-1, 0, 1)]
    ends = reach or (None if new is None else new.ends)
    for end, text, side in _bar_ends(ends):
        reaches += [(end, 0.0), (end, side * _wide(text))]
    low, high = min(x for x, _ in reaches), max(x for x, _ in reaches)
    span = high - low or max(1.0, abs(high) * 1e-3)
    for _ in range(TURNS):  # words need more of a longer axis
        unit = (high - low or span) / PLOT
        low = min(x + min(out, 0.0) * unit for x, out in reaches)
        high = max(x + max(out, 0.0) * unit for x, out in reaches)
    edge = 0.03 * (high - low or span)
    return low - edge, high + edge


def _named(rows: list[Row], new: NewStop | None, down: _Down) -> dict[str, tuple[float, str]]:
    """Rows that have words: the new one, those that it needs, then others that leave room."""
    wanted = sorted(rows, key=lambda row: (row[STATE] != NEW, row[STATE] != NEEDED))
    ranked = [(new.name, new.noise, new.style, new.below)] if new else []
    ranked += [(row[NAME], row[NOISE], row[STYLE], row[BELOW]) for row in wanted]
    found: dict[str, tuple[float, str]] = {}
    for name, noise, style, below in ranked:
        place = down.at(noise)
        if all(abs(place - down.at(other)) >= APART * down.unit for other, _ in found.values()):
            label = f"{tag(style, plain(name, 14))}<br>{plain(below, 16)}"
            found[name] = (noise, label)
    return found


def _region(walk: pd.DataFrame) -> list[go.Scatter]:
    """Where 95 % of all walks through the stops are."""
    x: list[float | None] = []
    y: list[float | None] = []
    for _, part in walk.groupby("gap"):
        noise = part[NOISE].tolist()
        x += [*part["low95"], *part["high95"][::-1], None]
        y += [*noise, *noise[::-1], None]
    fill = {"fill": "toself", "fillcolor": REGION, "line": {"width": 0}}
    region = go.Scatter(x=x, y=y, mode="lines", hoverinfo="skip", name="walk", **fill)
    return [region] if len(walk) else []


def _string(
    foot: tuple[float, float], top: tuple[float, float], style: TierStyle, name: str = "thread"
) -> go.Scatter:
    x, y = zip(foot, top, strict=True)
    line: dict[str, Any] = {"color": style.colour, "width": 3}
    line |= {"width": 1.5, "dash": "dot"} if name == "source" else {}
    return go.Scatter(x=x, y=y, mode="lines", name=name, line=line, hoverinfo="skip")


def _bar(new: NewStop) -> list[go.Scatter]:
    """On the new row: a line with ends for 95 of 100 draws."""
    if new.ends is None:
        return []
    x, y, colour = list(new.ends), [new.noise, new.noise], new.style.colour
    line = {"width": BAR, "color": colour}
    caps = {"symbol": "line-ns", "size": CAP, "line": {"width": BAR - 2, "color": colour}}
    told = f"95 of 100 times {plain(new.name)}’s number falls here: {between(*new.ends)}."
    return [
        go.Scatter(x=x, y=y, mode="lines", line=line, name="new", hovertext=told, hoverinfo="text"),
        go.Scatter(x=x, y=y, mode="markers", marker=caps, name="ends", hoverinfo="skip"),
    ]


def _wide(text: str) -> float:
    """Pixels of a large number and its distance from its mark, as far as a phone has them."""
    return min(LARGE + pixels(text, LARGE, bold=True), WIDEST * PLOT)


def _bar_ends(ends: tuple[float, float] | None) -> list[tuple[float, str, int]]:
    """Where the bar ends, the number written there, rounded outwards, and on which side."""
    return [] if ends is None else list(zip(ends, outwards(*ends), (-1, 1), strict=True))


def _bar_words(new: NewStop, rows: list[Row], down: _Down) -> list[dict[str, Any]]:
    """Both ends of the bar, and how often it is right: right of the line through it, if free."""
    found = []
    for end, text, side in _bar_ends(new.ends):
        look = {"xanchor": "left" if side > 0 else "right", "xshift": 8 * side}
        found.append(note(text, end, down.at(new.noise), **look))
    if new.ends is not None and not new.chances:
        middle = sum(new.ends) / 2
        sharper = [row[VALUE] for row in rows if row[STATE] == NEEDED and row[NOISE] < new.noise]
        up = not sharper or sharper[-1] <= middle  # then the line comes from the left
        gaps = [(down.at(new.noise) - down.at(row[NOISE])) * (1 if up else -1) for row in rows]
        if all(not 0 < gap < 1.5 * APART * down.unit for gap in gaps):
            anchor, out = ("left", 6) if sharper else ("center", 0)
            place = {"yanchor": "bottom", "yshift": 11} if up else {"yanchor": "top", "yshift": -11}
            place |= {"xanchor": anchor, "xshift": out}
            found.append(note("95 of 100 times here", middle, down.at(new.noise), **place))
    for value, chance, _ in new.chances:
        out = 1 if value == max(each for each, *_ in new.chances) else -1
        look = {"xanchor": "left" if out > 0 else "right", "xshift": 9 * out, "yshift": 20}
        words = f"<b>{percent(chance)}</b>"
        found.append(note(words, value, down.at(new.noise), font={"size": 14}, **look))
    return found


def _spikes(new: NewStop, down: _Down) -> list[go.Scatter]:
    """Upright on the new row: the chance to be identical to another number, in its colour."""
    return [
        go.Scatter(
            x=[value, value],
            y=[new.noise, down.above(new.noise, SPIKE * chance)],
            mode="lines",
            name="chance",
            line={"width": 7, "color": colour},
            hovertext=f"With {percent(chance)} chance it is exactly {number(value)}.",
            hoverinfo="text",
        )
        for value, chance, colour in new.chances
    ]


def _number(row: Row, side: int, down: _Down) -> dict[str, Any]:
    """The number beside a mark; large where it was just drawn."""
    size = LARGE if row[STATE] == NEW else USUAL
    words = said(row) if row[STATE] == IDLE else f"<b>{said(row)}</b>"
    look = {"xanchor": "left" if side > 0 else "right", "xshift": 18 * side}
    return note(words, row[VALUE], down.at(row[NOISE]), font={"size": size}, **look)


def _marks(rows: list[Row]) -> go.Scatter:
    """Each stop in its look."""
    marker = {
        "size": [26 if row[STATE] == NEW else 15 for row in rows],
        "symbol": [row[STYLE].marker for row in rows],
        "color": [row[STYLE].colour for row in rows],
        "opacity": [PALE if row[STATE] == IDLE else 1 for row in rows],
        "line": {"width": 0},
    }
    return go.Scatter(
        x=[row[VALUE] for row in rows],
        y=[row[NOISE] for row in rows],
        mode="markers",
        marker=marker,
        cliponaxis=False,
        name="held",
        hoverinfo="text",
        hovertext=[f"<b>{plain(row[NAME])}</b>: {said(row)}. {plain(row[DETAIL])}" for row in rows],
    )


def _alt(rows: list[Row], new: NewStop | None, what: str) -> str:
    """The same as a text."""
    told = [
        f"{clean(row[NAME])}: {said(row)}, {clean(row[BELOW])}."
        if row[STATE] != WAITING
        else f"{clean(row[NAME])}: not there yet."
        for row in rows
    ]
    if new is not None and new.ends is not None:
        told.append(f"{clean(new.name)}: 95 of 100 times {between(*new.ends)}.")
    return " ".join([clean(what), *told])
