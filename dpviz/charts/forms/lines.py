"""Lines with names at their ends, bands around them, and a mark that says "you are here".

Where noise is too small to be seen in the whole, a part is enlarged below it. A figure does not
know how wide it will be drawn, so each decision about room is made for a phone.
"""

import math
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpviz import checks
from dpviz.charts.axes import log_range, log_ticks, spread
from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import PHONE, Floats, note, pixels, ticks
from dpviz.charts.tidy import completed, require_columns
from dpviz.errors import ParameterError
from dpviz.palette import GREY, SOLID, rgba, rgba_on
from dpviz.words import clean, number, plain, pm, significant

LINE, X, Y, LOW, HIGH, DETAIL = POINTS = ("line", "x", "y", "low", "high", "detail")
INK = ""  # in place of a colour: the ink of the page
PLOT, WHOLE = 300, 110  # pixels of a plot, and of the whole above its enlarged part
ROW, GAP, UNDER = 18, 17, 46  # pixels: a row of words, from name to name, below a plot
TICKS = 44  # pixels left of a plot for its ticks, on a phone
BETWEEN, NECK = 52, 24  # pixels between the whole and its enlarged part, and of its ticks
NAMES = 128  # pixels: names up to this width stand at the ends of their lines, longer ones above
MOST, MOST_OF_WHOLE = 2_000, 400  # points of a line that are drawn
CROWDED = 12  # points; more of them get smaller marks
LABELLED = 3  # ticks with names that a phone has room for
SAMPLES = {"solid": "━━", "dot": "┄┄"}  # beside a name that stands above; "╍╍" for other patterns
HOVER = 46  # letters of a line on hover


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """How a line looks.

    Attributes:
        colour: "#RRGGBB", or `INK`.
        width: pixels; 0 where only the band is drawn.
        dash: pattern, as Plotly takes it.
        band: how opaque the band is.
        symbol: of the last point, as Plotly takes it; "" for none.
        marks: whether its points are not joined, such as those of a simulation: each has its symbol
            and, where low and high are known, its interval. The line beside them has the name.
        words: at the end of the line; by default its name.
        on: the look of a wider band on which this band lies; both have a colour.
    """

    colour: str = INK
    width: float = 2.5
    dash: str = SOLID
    band: float = 0.28
    symbol: str = ""
    marks: bool = False
    words: str = ""
    on: "Look | None" = None

    def __post_init__(self) -> None:
        checks.between(0, 20, width=self.width)
        checks.between(0, 1, band=self.band)


@dataclass(frozen=True, slots=True, kw_only=True)
class Axis:
    """What an axis says.

    Attributes:
        title: with the unit.
        log: whether it is logarithmic.
        zero: whether it begins at 0.
        labels: names of the whole numbers from 1 on, if they have any.
    """

    title: str
    log: bool = False
    zero: bool = False
    labels: Sequence[str] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Here:
    """What the picture points at: a place on the x axis, or a point where `y` is given."""

    x: float
    words: str
    y: float | None = None

    def __post_init__(self) -> None:
        checks.finite(x=self.x, **({} if self.y is None else {"y": self.y}))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Panel:
    """A plot: its axes, where it stands, in pixels from the bottom, and its range."""

    number: str  # of its axes, as Plotly names them
    bottom: float
    tall: float
    across: tuple[float, float]
    up: tuple[float, float]
    points: dict[str, pd.DataFrame] = field(repr=False)
    x: Axis
    y: Axis


def lines(
    frame: pd.DataFrame,
    *,
    what: str,
    x: Axis,
    y: Axis,
    looks: Mapping[str, Look],
    here: Here | None = None,
    enlarged: tuple[float, float] | None = None,
    part: str = "",
) -> Picture:
    """Draw lines.

    Args:
        frame: columns `POINTS`, a row per point, in order. line: its name; low and high: the band
            there, or NaN; detail: a sentence for the hover, or "". The last three may be missing.
        what: what the lines are, as a sentence, with which the alt text begins.
        x: the axis across.
        y: the axis up; its title stands above it, or beside it where names do.
        looks: of each line.
        here: what the picture points at.
        enlarged: ends of a part of the x axis that is drawn large below the whole.
        part: what that part is, such as "the last day"; stands where it opens.

    Raises:
        ParameterError: a column is missing, there is no point, or a line has no look.

    >>> rows = [("truth", 1, 5.0, 4.0, 6.0, ""), ("truth", 2, 7.0, 6.0, 8.0, "")]
    >>> made = lines(
    ...     pd.DataFrame(rows, columns=list(POINTS)), what="Visits so far.",
    ...     x=Axis(title="week"), y=Axis(title="visits"), looks={"truth": Look()},
    ... )
    >>> made.alt.replace(chr(0x202F), " ")
    'Visits so far. truth: from 5 at week 1 to 7 at week 2, ± 1 there.'
    """
    frame = completed(frame, low=math.nan, high=math.nan, detail="")
    require_columns(frame, *POINTS)
    points = {str(name): rows for name, rows in frame.groupby(LINE, sort=False)}
    if missing := [name for name in points if name not in looks]:
        raise ParameterError(f"{missing[0]} has no look: pass one for each line")
    named = [name for name in points if not looks[name].marks]
    words = {name: looks[name].words or clean(name) for name in named}
    right = max(map(pixels, words.values()), default=0.0) + 12
    beside = right <= NAMES
    tall = max(PLOT, GAP * len(points)) if beside else PLOT
    panels = _panels(points, x, y, tall, enlarged)
    large = panels[-1]
    heads = [] if beside else _heads(words, looks, points)
    ends = (TICKS, right) if beside else (TICKS + ROW, 8)
    side, said = _said_here(here, large, ends) if here else ("left", [])
    if here and here.y is not None:  # room for its words above it
        panels[-1] = large = replace(large, up=_raised(large.up, ROW * len(said) + 8, large.tall))
    top = ROW * ((len(heads) or 1) + (len(said) if here and here.y is None else 0)) + 8
    height = panels[0].bottom + panels[0].tall
    notes = [note(text, 0, 1, **_above(top - ROW * place)) for place, text in enumerate(heads)]
    if beside:
        notes.append(note(plain(y.title), 0, 1, **_above(top)))
        notes += _names(large, words, looks)
    shapes = _magnifier(panels, height) if enlarged else []
    if enlarged and part:
        notes.append(_opened(part, panels, height))
    if here:
        notes.append(_here_note(here, side, said, large))
        if here.y is None:
            shapes.append(_upright(here.x, large.number))
    traces = [trace for panel in panels for trace in _traces(panel, looks)]
    if here and here.y is not None:
        traces.append(_dot(here, large.number))
    layout: dict[str, Any] = {
        "height": round(height + top + UNDER),
        "margin": {"t": top, "b": UNDER, "r": right if beside else 8},
        "annotations": notes,
        "shapes": shapes,
    }
    for panel in panels:
        layout |= _axes(panel, height)
    if heads:
        layout[f"yaxis{large.number}"]["title"] = {"text": plain(y.title, 40), "standoff": 14}
    return Picture(go.Figure(data=traces, layout=layout), _alt(points, what, x, here))


def _panels(
    points: dict[str, pd.DataFrame],
    x: Axis,
    y: Axis,
    tall: float,
    enlarged: tuple[float, float] | None,
) -> list[_Panel]:
    """One plot; or the whole, small, with its enlarged part below."""

    def panel(held: dict[str, pd.DataFrame], number: str, bottom: float, tall: float) -> _Panel:
        every = pd.concat(held.values())
        across = _span(every[X].to_numpy(float), x, pad=0.0)
        up = _span(every[[Y, LOW, HIGH]].to_numpy(float).ravel(), y, pad=0.06)
        return _Panel(
            number=number, bottom=bottom, tall=tall, across=across, up=up, points=held, x=x, y=y
        )

    if enlarged is None:
        return [panel(points, "", 0.0, tall)]
    low, high = enlarged
    part = {name: rows[rows[X].between(low, high)] for name, rows in points.items()}
    part = {name: rows for name, rows in part.items() if len(rows)}
    if not part:
        raise ParameterError("the part to enlarge has no point: pass one that has")
    return [panel(points, "", tall + BETWEEN, WHOLE), panel(part, "2", 0.0, tall)]


def _span(values: Floats, axis: Axis, *, pad: float) -> tuple[float, float]:
    """Ends of an axis around its values; of a logarithmic one, as powers of ten."""
    known = values[np.isfinite(values)]
    if axis.log:
        return log_range(known[known > 0], pad or 0.02)
    low, high = 0.0 if axis.zero else float(known.min()), float(known.max())
    if low == high:
        return low - 0.5, high + 0.5
    room = pad * (high - low)
    return low - room * (not axis.zero), high + room


def _axes(panel: _Panel, height: float) -> dict[str, Any]:
    """The axes of a plot."""
    ends = (panel.bottom / height, (panel.bottom + panel.tall) / height)
    small = panel.tall < PLOT
    up = {"range": panel.up, "domain": ends, "anchor": f"x{panel.number}", "showgrid": True}
    up |= {"type": "log"} if panel.y.log else {}
    up |= log_ticks(*panel.up, 6) if panel.y.log else ticks(*panel.up, most=2 if small else 4)
    across = {"range": panel.across, "anchor": f"y{panel.number}", "showgrid": False}
    across |= {} if small else {"title": {"text": plain(panel.x.title, 80)}}  # below the large one
    if panel.x.log:
        across |= {"type": "log"} | log_ticks(*panel.across, 5)
    elif panel.x.labels is None:
        found = _whole(ticks(*panel.across, most=5), panel)
        if small and found["ticktext"]:  # it has no title
            found["ticktext"][0] = f"{plain(panel.x.title, 12)} {found['ticktext'][0]}"
        across |= found
    else:
        across |= _labelled(panel.across, panel.x.labels)
    return {f"xaxis{panel.number}": across, f"yaxis{panel.number}": up}


def _whole(found: dict[str, Any], panel: _Panel) -> dict[str, Any]:
    """The same ticks, but at whole numbers only where all points are."""
    if any((rows[X] % 1 != 0).any() for rows in panel.points.values()):
        return found
    kept = [i for i, at in enumerate(found["tickvals"]) if at % 1 == 0]
    return found | {name: [found[name][i] for i in kept] for name in ("tickvals", "ticktext")}


def _labelled(span: tuple[float, float], labels: Sequence[str]) -> dict[str, Any]:
    """A few ticks with the names of their places."""
    shares = (2 * np.arange(LABELLED) + 1) / (2 * LABELLED)
    at = np.unique(np.rint(span[0] + shares * (span[1] - span[0])).astype(int))
    at = at[(at >= 1) & (at <= len(labels))]
    texts = [plain(labels[place - 1], 20).replace(" ", "<br>") for place in at.tolist()]
    return {"tickvals": at, "ticktext": texts, "tickangle": 0}


def _traces(panel: _Panel, looks: Mapping[str, Look]) -> list[go.Scatter]:
    """Bands, and lines above them, each with the mark at its end."""
    axes = {"xaxis": f"x{panel.number}", "yaxis": f"y{panel.number}"}
    most = MOST_OF_WHOLE if panel.tall < PLOT else MOST
    bands, drawn = [], []
    for name, every in panel.points.items():
        look = looks[name]
        middle = every[Y].where(every[Y].notna(), every[HIGH]).to_numpy(float)
        rows = every.iloc[thin(middle, most)]
        colour: dict[str, Any] = {"color": look.colour} if look.colour else {}
        said: dict[str, Any] = {"hovertext": [_hover(name, row) for row in rows.to_dict("records")]}
        said |= {"hoverinfo": "text", "name": plain(name, 200)}
        if look.marks:
            drawn.append(_marks(rows, look, said, axes))
            continue
        if rows[LOW].notna().any():
            bands.append(_band(rows, look, said, axes))
        if look.width:
            line = {"width": look.width, "dash": look.dash, "simplify": False} | colour
            place = {"x": rows[X].to_numpy(), "y": rows[Y].to_numpy(float)}
            drawn.append(go.Scatter(mode="lines", line=line, **place, **said, **axes))
        if look.symbol:
            end = {"x": rows[X].to_numpy()[-1:], "y": rows[Y].to_numpy(float)[-1:]}
            mark = {"symbol": look.symbol, "size": 11} | colour
            last = said | {"hovertext": said["hovertext"][-1:]}
            looked = {"marker": mark, "cliponaxis": False, **end, **last, **axes}
            drawn.append(go.Scatter(mode="markers", **looked))
    return [*bands, *drawn]


def _marks(
    rows: pd.DataFrame, look: Look, said: Mapping[str, Any], axes: Mapping[str, str]
) -> go.Scatter:
    """Points that are not joined, with their intervals."""
    colour: dict[str, Any] = {"color": look.colour} if look.colour else {}
    value, low, high = (rows[name].to_numpy(float) for name in (Y, LOW, HIGH))
    sure: dict[str, Any] = {"type": "data", "symmetric": False, "width": 0, "thickness": 2}
    if np.isfinite(low).any():
        sure |= {"array": high - value, "arrayminus": value - low} | colour
    marker = {"symbol": look.symbol or "circle", "size": 9 if len(rows) <= CROWDED else 6} | colour
    place = {"x": rows[X].to_numpy(), "y": value}
    drawn: dict[str, Any] = {"mode": "markers", "marker": marker, "cliponaxis": False}
    return go.Scatter(error_y=sure, **drawn, **place, **said, **axes)


def _band(
    rows: pd.DataFrame, look: Look, said: Mapping[str, Any], axes: Mapping[str, str]
) -> go.Scatter:
    """A band, along its lower edge and back; in the ink of the page where it has no colour."""
    at, low, high = (rows[name].to_numpy(float) for name in (X, LOW, HIGH))
    around = {"x": np.concatenate([at, at[::-1]]), "y": np.concatenate([low, high[::-1]])}
    filled: dict[str, Any] = {"opacity": look.band}
    if look.colour:
        filled = {"fillcolor": rgba(look.colour, look.band)}
    # the words of a band whose line is not drawn are at its edges
    words = [*said["hovertext"], *said["hovertext"][::-1]]
    told = {"hoverinfo": "skip"} if look.width else {**said, "hovertext": words}
    told |= {"name": said["name"]}
    return go.Scatter(
        mode="lines", line={"width": 0}, fill="toself", **filled, **around, **told, **axes
    )


def _hover(name: str, row: Mapping[Any, Any]) -> str:
    """A point as a sentence."""
    detail = clean(row[DETAIL]) if row[DETAIL] else f"{significant(row[Y], 4)}."
    sentence = f"{clean(name)}: {detail}"
    short = len(sentence) <= HOVER  # as most are; there are thousands of points
    wrapped = [sentence] if short else textwrap.wrap(sentence, HOVER)
    return "<br>".join(plain(line, 2 * HOVER) for line in wrapped)


def _names(
    panel: _Panel, words: Mapping[str, str], looks: Mapping[str, Look]
) -> list[dict[str, Any]]:
    """The name of each line at its end, moved apart where they would touch."""
    low, high = panel.up
    ends = {name: _end(panel.points[name], looks[name]) for name in words if name in panel.points}
    wanted = [_share(value, panel.y, low, high) * panel.tall for value in ends.values()]
    places = spread(wanted, GAP, 0.0, panel.tall)
    look = {"xref": f"x{panel.number} domain", "yref": f"y{panel.number} domain", "xshift": 8}
    return [
        note(_coloured(words[name], looks[name]), 1, place / panel.tall, **look, yanchor="middle")
        for name, place in zip(ends, places, strict=True)
    ]


def _end(rows: pd.DataFrame, look: Look) -> float:
    """Where a name stands: at the last point of the line, or of the upper edge of its band."""
    known = rows[HIGH if not look.width else Y].dropna()
    return float(known.iloc[-1]) if len(known) else 0.0


def _share(value: float, axis: Axis, low: float, high: float) -> float:
    """How far up a value is, from 0 at the lower end to 1."""
    at = math.log10(value) if axis.log else value
    return min(max((at - low) / (high - low), 0.0), 1.0)


def _coloured(words: str, look: Look) -> str:
    """A name in the colour of its line."""
    text = plain(words, 200)
    return f'<span style="color:{look.colour}">{text}</span>' if look.colour else text


def _heads(
    words: Mapping[str, str], looks: Mapping[str, Look], points: Mapping[str, pd.DataFrame]
) -> list[str]:
    """Names too long for the ends of their lines, a row or more each.

    Before each stands a sample of its line, of its band, or of both.
    """
    rows = []
    for name, said in words.items():
        look, shown, room = looks[name], "", PHONE - 34
        if look.width:
            shown = _coloured(SAMPLES.get(look.dash, "╍╍"), look)
        if points[name][LOW].notna().any():
            pale = rgba(look.colour, look.band) if look.colour else look.colour
            if look.on:
                pale = rgba_on(look.colour, look.band, look.on.colour, look.on.band)
            shown += _coloured("▇", replace(look, colour=pale))
            room -= ROW * bool(look.width)
        first, *rest = _wrapped(said, room)
        rows.append(f"{shown} {plain(first, 200)}")
        rows += [f"&nbsp; {plain(line, 200)}" for line in rest]
    return rows


def _wrapped(text: str, room: float) -> list[str]:
    """Lines of at most this width, of all words."""
    line = clean(text)
    for width in range(max(len(line), 1), 0, -1):
        found = textwrap.wrap(line, width) or [""]
        if max(map(pixels, found)) <= room:
            break
    return found


def _above(up: float) -> dict[str, Any]:
    """How words stand in a row above all plots; `up`: pixels from there to their upper edge."""
    return {"xref": "paper", "yref": "paper", "yanchor": "top", "yshift": up}


def _magnifier(panels: list[_Panel], height: float) -> list[dict[str, Any]]:
    """A pale funnel from a part of the whole, past its ticks, to where it is drawn large."""
    whole, large = panels
    (left, right), (first, last) = whole.across, large.across
    top, bottom = whole.bottom / height, (large.bottom + large.tall) / height
    neck = (whole.bottom - NECK) / height
    way = f"M {first} {top} L {last} {top} L {last} {neck} L {right} {bottom}"
    way += f" L {left} {bottom} L {first} {neck} Z"
    look = {"fillcolor": rgba(GREY, 0.14), "line": {"width": 0}, "layer": "below"}
    ends = {"x0": first, "x1": last, "y0": 0, "y1": 1}
    return [
        {"type": "path", "path": way, "xref": "x", "yref": "paper", **look},
        {"type": "rect", **ends, "xref": "x", "yref": "y domain", **look},
    ]


def _opened(part: str, panels: Sequence[_Panel], height: float) -> dict[str, Any]:
    """What is drawn large, at the widest place of the funnel, where both of its sides end."""
    whole, large = panels
    left = sum(large.across) < sum(whole.across)
    side = "left" if left else "right"
    look = {"xref": "paper", "yref": "paper", "xanchor": side, "yanchor": "bottom"}
    at = (large.bottom + large.tall) / height
    return note(
        f"↓ {plain(part, 60)}, enlarged", 0 if left else 1, at, **look, xshift=4 if left else -4
    )


def _upright(at: float, number: str) -> dict[str, Any]:
    ends = {"x0": at, "x1": at, "xref": f"x{number}", "yref": f"y{number} domain"}
    return {"type": "line", **ends, "y0": 0, "y1": 1, "line": {"color": GREY, "dash": "dot"}}


def _dot(here: Here, number: str) -> go.Scatter:
    axes = {"xaxis": f"x{number}", "yaxis": f"y{number}"}
    said = {"hovertext": [plain(here.words, 200)], "hoverinfo": "text", "name": "here"}
    place = {"x": [here.x], "y": [here.y]}
    return go.Scatter(mode="markers", marker={"size": 9}, cliponaxis=False, **place, **said, **axes)


def _said_here(here: Here, panel: _Panel, ends: tuple[float, float]) -> tuple[str, list[str]]:
    """On which side of their mark its words begin or end, and their lines, which fit a phone."""
    at = math.log10(here.x) if panel.x.log else here.x
    share = min(max((at - panel.across[0]) / (panel.across[1] - panel.across[0]), 0.0), 1.0)
    left, right = ends  # pixels beside the plot
    plot = PHONE - left - right
    if share < 0.5:
        return "left", _wrapped(here.words, (1 - share) * plot + right - 10)
    return "right", _wrapped(here.words, share * plot + left - 10)


def _raised(up: tuple[float, float], pixels_more: float, tall: float) -> tuple[float, float]:
    """A range with so much more room at its upper end."""
    low, high = up
    return low, high + (high - low) * pixels_more / tall


def _here_note(here: Here, side: str, said: list[str], panel: _Panel) -> dict[str, Any]:
    """The words of the mark: above its upright line, or beside its point."""
    text = "<b>" + "<br>".join(plain(line, 200) for line in said) + "</b>"
    at = math.log10(here.x) if panel.x.log else here.x
    look = {"xref": f"x{panel.number}", "xanchor": side, "align": side, "yanchor": "bottom"}
    if here.y is None:
        return note(text, at, 1, **look, yref=f"y{panel.number} domain")
    up = math.log10(here.y) if panel.y.log else here.y
    shift = 8 if side == "left" else -8
    return note(text, at, up, **look, yref=f"y{panel.number}", xshift=shift)


def _alt(points: Mapping[str, pd.DataFrame], what: str, x: Axis, here: Here | None) -> str:
    """Where each line begins and ends, and how wide its band is there."""
    told = []
    for name, rows in points.items():
        known = rows[rows[Y].notna()]
        if not len(known):
            told.append(f"{clean(name)}: no number yet.")
            continue
        first, last = known.iloc[0], known.iloc[-1]
        half = (last[HIGH] - last[LOW]) / 2
        step = half if half > 0 else None
        ends = [f"{number(each[Y], step=step)} at {_place(each[X], x)}" for each in (first, last)]
        sure = f", {pm(half)} there" if half > 0 else ""
        told.append(f"{clean(name)}: from {ends[0]} to {ends[1]}{sure}.")
    marked = f" Marked: {clean(here.words)}." if here else ""
    across = f" Across: {clean(x.title)}." if " " in x.title else ""
    return " ".join([clean(what), *told]) + across + marked


def _place(at: float, axis: Axis) -> str:
    """A place on the x axis in words, such as “week 3”; after a longer title, the number alone."""
    if axis.labels is not None and 1 <= at <= len(axis.labels):
        return clean(axis.labels[int(at) - 1])
    return f"{axis.title} {number(at)}" if " " not in axis.title else number(at)


def thin(values: Floats, most: int) -> NDArray[np.intp]:
    """Indices of at most `most` values, ascending: least and largest of each run, first and last.

    Args:
        values: shape (n,); NaN is neither least nor largest.
        most: at least 4.

    >>> thin(np.array([0.0, 5, 1, 1, 1, 1, -3, 0]), 4).tolist()
    [0, 1, 6, 7]
    """
    count = len(values)
    if count <= most:
        return np.arange(count)
    runs = most // 2 - 1
    size = -(-count // runs)
    padded = np.pad(values, (0, runs * size - count), mode="edge").reshape(runs, size)
    starts, unknown = size * np.arange(runs), np.isnan(padded)
    least = np.where(unknown, np.inf, padded).argmin(axis=1)
    largest = np.where(unknown, -np.inf, padded).argmax(axis=1)
    picked = [starts + least, starts + largest, [0, count - 1]]
    return np.unique(np.minimum(np.concatenate(picked), count - 1))
