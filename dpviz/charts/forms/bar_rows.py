"""Rows of bars: words above, one or several segments, and a number at the end.

A figure does not know how wide it will be drawn, so each decision about room is made for a phone
and holds on anything wider. Places from top to bottom are pixels.
"""

import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import PHONE, note, pixels
from dpviz.charts.tidy import completed, require_columns
from dpviz.errors import ParameterError
from dpviz.palette import GREY, ON_GREY, TierStyle, rgba
from dpviz.words import clean, plain, shorten

GROUP, ROW, LENGTH, COLOUR, END, UNIT, DETAIL = BAR_ROWS = (
    *("group", "row", "length", "colour", "end", "unit", "detail"),
)
AGAINST, FROM, TO, ASIDE = "against", "from", "to", "aside"  # columns that a frame may have
INK = ""  # in place of a colour: the ink of the page
BESIDE = 96  # pixels: names up to this width stand left of their bars, longer ones above
LEAST, SCALED = 60, 170  # pixels of the bars themselves on a phone, and of those on a scale
SIZES = (22, 18, 15, 13)  # of the numbers at large bars: the largest that leaves room for the bars
TEXT, SMALL = 13, 12  # pixels: words, numbers at small bars
SYMBOL = 18  # pixels: a tier’s symbol before its name
LINE, THICK, THIN = 18, 26, 9  # pixels: a line of words, a large bar, a small one
PITCH, GAP, APART = 16, 8, 14  # pixels: from small bar to small bar, below a large one, of groups
SPARE = 6  # pixels between the names of groups and a scale
TICK, STEM = 7, 8  # pixels: half a tick of a scale, and from its upper end to its words
TRACK = rgba(GREY, 0.18)  # of the rest of a bar, to the end of its scale
HOVER = 46  # letters of a line on hover


@dataclass(frozen=True, slots=True, kw_only=True)
class Tick:
    """A mark on a scale, such as what others have done.

    Attributes:
        at: where.
        words: what it is called.
        end: its number, as it is written.
        detail: a sentence for the hover.
    """

    at: float
    words: str
    end: str
    detail: str

    def __post_init__(self) -> None:
        checks.finite(at=self.at)

    @property
    def said(self) -> str:
        """The tick in words."""
        return f"{clean(self.words)}: {clean(self.end)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Where all bars begin and where the scale ends, and what stands at both ends.

    Attributes:
        low: where all bars begin.
        high: where the scale ends.
        title: what is counted, above the scale.
        low_words: at the low end.
        high_words: at the high end.
        ticks: the yardstick: marks on the scale, with their names.
        line: a length that all bars are compared with, such as what was promised.
        name: whose the ticks are, left of them where groups have their names.
    """

    low: float
    high: float
    low_words: str
    high_words: str
    ticks: tuple[Tick, ...] = ()
    line: float | None = None
    name: str = ""
    title: str = ""

    def __post_init__(self) -> None:
        checks.finite(low=self.low, high=self.high)
        checks.known(checks.finite, line=self.line)
        if not self.low < self.high:
            raise ParameterError("a scale ascends: pass a low end below the high one")
        for place in (*(tick.at for tick in self.ticks), self.line):
            if place is not None and not self.low <= place <= self.high:
                raise ParameterError(f"{place} is off the scale: pass what lies between its ends")

    def share(self, at: float) -> float:
        """Where something is, from 0 at the low end to 1 at the high one."""
        return (at - self.low) / (self.high - self.low)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    """A bar with its place: the middle of the bar, and the top of its words."""

    cells: list[dict[Any, Any]]  # its segments
    large: bool
    lines: list[str]
    top: float
    middle: float

    @property
    def half(self) -> float:
        """Half of how thick the bar is, in pixels."""
        return (THICK if self.large else THIN) / 2

    @property
    def length(self) -> float:
        """Of all segments together."""
        return sum(float(cell[LENGTH]) for cell in self.cells)

    def end(self, size: int) -> tuple[str, float]:
        """The number after the bar with its unit, and their width."""
        number, unit = plain(self.cells[-1][END]), plain(self.cells[-1][UNIT] or "", 14)
        size, small = (size, TEXT) if self.large else (SMALL, SMALL)
        text = f'<span style="font-size:{size}px"><b>{number}</b></span>'
        wide = pixels(clean(self.cells[-1][END]), size, bold=True)
        if self.cells[-1][UNIT]:
            text = f'{text} <span style="font-size:{small}px">{unit}</span>'
            wide += pixels(" " + shorten(self.cells[-1][UNIT], 14), small)
        return text, wide


def bar_rows(
    frame: pd.DataFrame,
    *,
    what: str,
    large: str | None = None,
    scale: Scale | None = None,
    styles: Mapping[str, TierStyle] | None = None,
) -> Picture:
    """Draw rows of bars, in groups, from top to bottom.

    Args:
        frame: columns `BAR_ROWS`, a line per segment of a bar. group: the name of several rows, ""
            for none; row: the words above a bar; colour: "#RRGGBB" or rgba, "" for the ink of the
            page; end and unit: what stands after the bar; detail: a sentence for the hover, or "".
            Columns group, unit and detail may be missing. Perhaps also `AGAINST`: a place on the
            scale that this bar is compared with; `FROM`, `TO`: an interval of its end; `ASIDE`:
            what stands below the name of a large group, or above its bar if the name does.
        what: what the bars are, as a sentence, with which the alt text begins.
        large: the group that is drawn large, with words above its bars; by default all are.
        scale: of the lengths; by default they begin at 0 and the longest takes all the room.
        styles: of groups that are tiers, whose symbol stands before their name.

    Raises:
        ParameterError: a column is missing, or there is no row.

    >>> rows = [("audit", "shared", 2.2, "#C7821B", "±2.2", "people", "")]
    >>> bar_rows(pd.DataFrame(rows, columns=list(BAR_ROWS)), what="How far off each is.").alt
    'How far off each is. audit: shared, ±2.2 people.'
    """
    frame = completed(frame, **dict.fromkeys((GROUP, UNIT, DETAIL, ASIDE), ""))
    require_columns(frame, *BAR_ROWS)
    start = scale.low if scale else 0.0
    looks = {} if styles is None else styles
    left, room = _names_room(frame, large, looks)
    rows, names, bottom = _placed(frame, large, room, looks, above=left == 0)
    longest = max((row.length for row in rows), default=0.0)
    span = (scale.high - start if scale else longest) or 1.0
    size, right = _room_at_right(rows, span, room, beyond=scale is not None)
    notes = [*names] if left == 0 else _beside(rows, large, looks)
    for row in rows:
        text, _ = row.end(size)
        at = scale.high if scale else start + row.length
        notes.append(note(text, at, row.middle, xshift=8, yanchor="middle"))
        notes += [
            note(plain(line, 200), start, row.top + LINE * i, yanchor="top", borderpad=0)
            for i, line in enumerate(row.lines)
        ]
    data: list[Any] = [*_bars(rows, start), *_against(rows), *_brackets(rows)]
    shapes: list[dict[str, Any]] = []
    top = 0.0
    if scale:
        ends, stems, top = _ends(scale, room - right)
        notes += ends
        shapes = [*stems, *_tracks(rows, scale)]
    if scale and scale.ticks:
        above, (names, stems, bottom) = (
            bottom,
            _ticks(scale, bottom, room - right, (SPARE if left else 0.0, right)),
        )
        if scale.name and left:
            whose = plain(scale.name)
            notes.append(note(whose, 0, (above + bottom) / 2, **_at_left()))
        notes += names
        shapes += [*stems, _across(scale.low, scale.high, bottom)]
        data += _yardstick(scale, bottom)
        bottom += GAP
    hidden = {"visible": False, "fixedrange": True}
    layout = {
        "height": round(bottom - top),
        "margin": {"t": 0, "b": 0, "l": left, "r": right},
        "barmode": "overlay",
        "annotations": notes,
        "shapes": shapes,
        "xaxis": hidden | {"range": (start, start + span)},
        "yaxis": hidden | {"range": (bottom, top)},
    }
    return Picture(go.Figure(data=data, layout=layout), _alt(rows, what, scale))


def _names_room(
    frame: pd.DataFrame, large: str | None, styles: Mapping[str, TierStyle]
) -> tuple[float, float]:
    """Pixels left of the bars for the names of groups, 0 if these stand above; and what is left."""
    names = [name for name in frame[GROUP].unique() if name]
    wide = max((_name_wide(name, large) + SYMBOL * (name in styles) for name in names), default=0.0)
    asides = frame[frame[GROUP].isin(names if large is None else [large])][ASIDE].unique()
    wide = max([wide, *(pixels(clean(aside), SMALL) for aside in asides)])
    left = wide + 14 if 0 < wide <= BESIDE else 0.0
    return left, PHONE - left


def _name_wide(name: str, large: str | None) -> float:
    return pixels(clean(name), TEXT, bold=large in (None, name))


def _named(name: str, text: str, large: str | None, styles: Mapping[str, TierStyle]) -> str:
    """The name of a group, already escaped, behind its symbol if it is a tier."""
    bold = f"<b>{text}</b>" if large in (None, name) else text
    if name not in styles:
        return bold
    return f'<span style="color:{styles[name].colour}">{styles[name].glyph}</span> {bold}'


def _placed(
    frame: pd.DataFrame,
    large: str | None,
    room: float,
    styles: Mapping[str, TierStyle],
    *,
    above: bool,
) -> tuple[list[_Row], list[dict[str, Any]], float]:
    """The rows from top to bottom, names of groups that stand above them, and where all ends."""
    rows, names, y = [], [], 2.0
    for group, held in frame.groupby(GROUP, sort=False):
        big = large in (None, group)
        if above and group:
            text = _fitted(group, PHONE - SYMBOL * (group in styles), bold=big)
            names.append(note(_named(group, text, large, styles), 0, y, **_top_left()))
            y += LINE + 2
        for words, cells in held.groupby(ROW, sort=False):
            cut = cells.to_dict("records")
            words = words or (cut[0][ASIDE] if above else "")
            lines = _wrapped(str(words), room) if big and words else []
            thick = THICK if big else PITCH
            middle = y + LINE * len(lines) + 2 * bool(lines) + thick / 2
            rows.append(_Row(cells=cut, large=big, lines=lines, top=y, middle=middle))
            y = middle + thick / 2 + GAP * big
        y += APART
    return rows, names, y - APART + 2


def _room_at_right(
    rows: list[_Row], span: float, wide: float, *, beyond: bool
) -> tuple[int, float]:
    """The size of large numbers, and pixels right of the bars, so that each number has its room.

    With a scale all numbers stand beyond its end. Else a bar of the share f of the plot p leaves
    (1 - f) p to its number, beside the margin r, where p + r = wide on a phone; so
    r >= (number - (1 - f) wide) / f for each of them.
    """
    for size in SIZES:
        right = 2.0
        for row in rows:
            share, number = 1.0 if beyond else row.length / span, row.end(size)[1] + 12
            if share > 0:
                right = max(right, (number - (1 - share) * wide) / share)
        if wide - right >= (SCALED if beyond else LEAST):
            break
    return size, right


def _beside(
    rows: list[_Row], large: str | None, styles: Mapping[str, TierStyle]
) -> list[dict[str, Any]]:
    """The name of each group, and what stands below it, left of the middle of its bars."""
    groups: dict[str, list[_Row]] = {}
    for row in rows:
        groups.setdefault(row.cells[0][GROUP], []).append(row)
    notes = []
    for name, held in groups.items():
        text, aside = _named(name, plain(name), large, styles), held[0].cells[0][ASIDE]
        if aside and held[0].large:
            text += f'<br><span style="font-size:{SMALL}px">{plain(aside)}</span>'
        middle = (held[0].middle + held[-1].middle) / 2
        notes += [note(text, 0, middle, **_at_left())] if name else []
    return notes


def _ends(scale: Scale, wide: float) -> tuple[list[dict[str, Any]], list[dict[str, Any]], float]:
    """The scale above the first bar, with a tick and words at each end; and where the picture tops.

    The words stand on two lines where one has no room for both.
    """
    low, high = clean(scale.low_words), clean(scale.high_words)
    fits, foot = pixels(low) + pixels(high) + 12 <= wide, -float(GAP) / 2
    y = foot - TICK - 1
    right = {"xanchor": "right", "align": "right", "yanchor": "bottom"}
    words = [
        note(plain(low), scale.low, y, yanchor="bottom", borderpad=0),
        note(plain(high), scale.high, y - LINE * (not fits), borderpad=0, **right),
    ]
    ticks = [_stem(end, foot - TICK, foot, 1) for end in (scale.low, scale.high)]
    top = y - LINE * (2 - fits) - 2
    if scale.title:
        look = {"yanchor": "bottom", "borderpad": 0}
        words.append(note(f"<b>{plain(scale.title)}</b>", scale.low, top + 2, **look))
        top -= LINE
    return words, [_across(scale.low, scale.high, foot), *ticks], top


def _across(low: float, high: float, y: float) -> dict[str, Any]:
    """The line of a scale."""
    return {
        "type": "line",
        **{"x0": low, "x1": high, "y0": y, "y1": y},
        "line": {"color": GREY, "width": 1},
    }


def _stem(x: float, top: float, foot: float, width: float, colour: str = GREY) -> dict[str, Any]:
    """An upright line."""
    ends = {"x0": x, "x1": x, "y0": top, "y1": foot}
    return {"type": "line", **ends, "line": {"color": colour, "width": width}}


def _tracks(rows: list[_Row], scale: Scale) -> list[dict[str, Any]]:
    """What is left of the scale behind each bar, and across each the length to compare with."""
    made: list[dict[str, Any]] = []
    for row in rows:
        half = row.half
        ends = {"x0": scale.low, "x1": scale.high, "y0": row.middle - half, "y1": row.middle + half}
        look = {"fillcolor": TRACK, "line": {"width": 0}, "layer": "below"}
        made.append({"type": "rect", **ends, **look})
        if scale.line is not None:
            grey = row.cells[-1][COLOUR] == GREY and scale.low + row.length > scale.line
            ends_at = (row.middle - half - 1, row.middle + half + 3)
            made.append(_stem(scale.line, *ends_at, 2, ON_GREY if grey else GREY))
    return made


def _against(rows: list[_Row]) -> list[go.Scatter]:
    """Across each bar the place of its own that it is compared with, in the ink of the page."""
    return [
        _inked([x, x], [row.middle - row.half - 1, row.middle + row.half + 2], AGAINST)
        for row in rows
        if (x := row.cells[-1].get(AGAINST)) is not None
    ]


def _brackets(rows: list[_Row]) -> list[go.Scatter]:
    """Below each bar the interval of its end."""
    made = []
    for row in rows:
        if FROM in row.cells[-1]:
            low, high = (float(row.cells[-1][name]) for name in (FROM, TO))
            top, foot = row.middle + row.half + 3, row.middle + row.half + 8
            made.append(_inked([low, low, high, high], [top, foot, foot, top], FROM))
    return made


def _inked(x: list[float], y: list[float], name: str) -> go.Scatter:
    look = {"mode": "lines", "line": {"width": 2}, "cliponaxis": False, "hoverinfo": "skip"}
    return go.Scatter(x=x, y=y, name=name, **look)


def _ticks(
    scale: Scale, y: float, wide: float, beyond: tuple[float, float]
) -> tuple[list[dict[str, Any]], list[dict[str, Any]], float]:
    """The names of the ticks, above each other and outermost on top; their stems; the scale’s y.

    A name begins at its tick if that is in the left half, else it ends there. So no stem crosses
    the name of another tick. It may go on beyond both ends of the scale, by this many pixels.
    """
    y += GAP
    ordered = sorted(scale.ticks, key=lambda tick: -abs(scale.share(tick.at) - 0.5))
    foot, names, stems = y + LINE * len(ordered) + STEM + TICK, [], []
    for rank, tick in enumerate(ordered):
        share, top = scale.share(tick.at), y + LINE * rank
        side = "left" if share < 0.5 else "right"
        end = plain(tick.end)
        held = share * wide + beyond[0] if side == "right" else (1 - share) * wide + beyond[1]
        room = held - pixels(f": {clean(tick.end)}", bold=True) - 8
        text = f"{_fitted(tick.words, room, bold=False)}: <b>{end}</b>"
        shift = 5 if side == "left" else -5
        look = {"xanchor": side, "align": side, "xshift": shift, "yanchor": "top"}
        names.append(note(text, tick.at, top, **look))
        stems.append(_stem(tick.at, top + 3, foot, 1))
    return names, stems, foot


def _yardstick(scale: Scale, y: float) -> list[go.Scatter]:
    """What is said when one points at a tick, which ends on the scale."""
    said = [_lines_of(f"{tick.said}. {clean(tick.detail)}") for tick in scale.ticks]
    return [
        go.Scatter(
            x=[tick.at for tick in scale.ticks],
            y=[y - TICK] * len(said),
            mode="markers",
            name="yardstick",
            marker={"symbol": "line-ns", "size": 2 * TICK, "line": {"width": 2, "color": GREY}},
            cliponaxis=False,
            hovertext=said,
            hoverinfo="text",
        )
    ]


def _bars(rows: list[_Row], start: float) -> list[go.Bar]:
    """All segments; those without a colour get the ink of the page from the theme."""
    made = []
    for inked in (True, False):
        cells = [
            (row, before, cell)
            for row in rows
            for i, cell in enumerate(row.cells)
            for before in (start + sum(float(c[LENGTH]) for c in row.cells[:i]),)
            if (cell[COLOUR] == INK) == inked
        ]
        if cells:
            made.append(
                go.Bar(
                    orientation="h",
                    x=[float(cell[LENGTH]) for _, _, cell in cells],
                    base=[before for _, before, _ in cells],
                    y=[row.middle for row, _, _ in cells],
                    width=[2 * row.half for row, _, _ in cells],
                    marker={} if inked else {"color": [cell[COLOUR] for _, _, cell in cells]},
                    hovertext=[_hover(cell) for _, _, cell in cells],
                    hoverinfo="text",
                )
            )
    return made


def _said(cell: dict[Any, Any]) -> str:
    """A bar in words, such as “shared noise, ±2.2 people”."""
    words = ", ".join(clean(part) for part in (cell[ASIDE], cell[ROW], cell[END]) if part)
    return f"{words} {clean(cell[UNIT])}" if cell[UNIT] else words


def _hover(cell: dict[Any, Any]) -> str:
    named = f"{clean(cell[GROUP])}: " if cell[GROUP] else ""
    sentence = f"{named}{_said(cell)}." + (f" {clean(cell[DETAIL])}" if cell[DETAIL] else "")
    return _lines_of(sentence)


def _lines_of(sentence: str) -> str:
    """A sentence for the hover, escaped."""
    return "<br>".join(plain(line, 2 * HOVER) for line in textwrap.wrap(sentence, HOVER))


def _alt(rows: list[_Row], what: str, scale: Scale | None) -> str:
    """The same numbers as a text."""
    groups: dict[str, list[str]] = {}
    for row in rows:
        groups.setdefault(row.cells[-1][GROUP], []).append(_said(row.cells[-1]))
    told = [
        (f"{clean(name)}: " if name else "") + "; ".join(each) + "."
        for name, each in groups.items()
    ]
    if scale:
        of = f", {clean(scale.title)}," if scale.title else ""
        told.append(f"The scale{of} goes from {scale.low_words} to {scale.high_words}.")
        told += [f"On it {tick.said}." for tick in scale.ticks]
    return " ".join([clean(what), *told])


def _top_left() -> dict[str, Any]:
    return {"xref": "paper", "yanchor": "top"}


def _at_left() -> dict[str, Any]:
    ends = {"xanchor": "right", "yanchor": "middle", "align": "right"}
    return ends | {"xref": "paper", "xshift": -12}


def _fitted(text: object, room: float, *, bold: bool) -> str:
    """A text cut to this width, escaped."""
    line = clean(text)
    limit = len(line) * 2
    while limit > 2 and pixels(shorten(line, limit), bold=bold) > room:
        limit -= 1
    return plain(line, limit)


def _wrapped(text: str, room: float) -> list[str]:
    """Lines of at most this width, of all words."""
    line = clean(text)
    lines = [line]
    for width in range(len(line), 1, -1):
        lines = textwrap.wrap(line, width)
        if max(map(pixels, lines)) <= room:
            break
    return lines
