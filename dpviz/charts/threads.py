"""Threads: numbers about one truth, each hanging from the one that it was drawn from; a replay.

Left and right is the number; the higher, the sharper: y is the standard deviation of the noise.
95 % of all numbers lie in the grey cone under the truth. Where the truth is not shown there is
neither nail nor cone.

On a press the picture shows how its marks came to where they are: decoration, never news. The still
picture tells everything, before and after. While it plays, copies of the marks climb along their
threads, and are gone at the end. Limits: the button is within the figure, where no keyboard reaches
it; the page hides it from those who prefer that nothing moves.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray
from scipy.stats import norm

from dpviz.charts.forms.squares import guesses_head
from dpviz.charts.labels import grounded, note, pixels, rule, tag
from dpviz.charts.tidy import require_columns
from dpviz.errors import ParameterError
from dpviz.palette import FINE, GREY, REGION, SOLID, TierStyle, rgba
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.scenes.threads import (
    ABOVE,
    COMPARED,
    GAUSSIAN,
    HALF,
    LARGE,
    NO_STYLE,
    RIGHT,
    SD,
    STATE,
    STRING,
    STYLE,
    THREADS,
    TO_COME,
    TRUTH,
    VALUE,
    WHO,
)
from dpviz.words import fixed, number, percent, plain, pm

HEIGHT, TOP, BOTTOM = 390, 30, 34  # pixels of the figure, above and below the plot
BARE = 12  # pixels above a plot without words at its right edge
TITLED = 62  # pixels below a plot whose axis has ticks of two lines and a title
RING = 24  # pixels of the ring around a mark, clear of its number
CLEAR = 1.5  # times as far from a ring as from a mark: where a number begins
MORE_NOISE = "more noise ↓"  # what the axis of a cone says, above the names of its rows
STUB = 46  # pixels above the numbers for words about a truth that is not shown
REACH = float(norm.ppf((1 + ACCURACY_CONFIDENCE) / 2))  # standard deviations: the end of a bar
POINTS = 161  # cells of a bar
THICK = 0.034  # half the height of a bar, in standard deviations
DARKEST = 0.75  # of the middle of the sharpest bar; the others have as much ink in all
MARK = 15  # pixels of a mark
PLOT, COLUMN = 215, 40  # pixels of the plot on a phone, and of the guesses at its right edge
WIDE = 620  # pixels of the plot on a desk
FRAMES, EACH = 24, 45  # pictures, and milliseconds for each
WATCH = "▶ replay"
Corners = Sequence[tuple[float, float]]
Watch = tuple[list[go.Scatter], list[dict[str, Any]], list[dict[str, Any]]]


def threads(
    frame: pd.DataFrame,
    *,
    ticks: Mapping[float, str],
    string: pd.DataFrame | None = None,
    pinned: TierStyle = NO_STYLE,
    guesses: bool = True,
    holds: Sequence[float] = (),
    across: str = "",
    rings: Sequence[str] = (),
) -> go.Figure:
    """Draw numbers, and the threads between them.

    Args:
        frame: as `threads_frame` makes it.
        ticks: words at places of the horizontal axis.
        string: bands, as `string_frame` makes them.
        pinned: look of the tier whose number is drawn there.
        guesses: whether the guesses right of 1,000 stand at the right edge.
        holds: places that the horizontal axis holds, too, where no truth is shown.
        across: title of the horizontal axis.
        rings: rows whose marks are ringed.

    Raises:
        ParameterError: a column is missing.

    >>> from dpviz.scenes.threads import Mark, threads_frame
    >>> mark = Mark(who="audit", rho=0.4, style=TierStyle(11, 3), value=310.6, above="the truth")
    >>> frame = threads_frame([mark], ("the truth", 312.0))
    >>> [trace.name for trace in threads(frame, ticks={312.0: "312"}).data]
    ['cone', 'thread of audit', 'audit', 'the truth']
    """
    require_columns(frame, *THREADS)
    rows = frame.to_dict("records")
    scene = _Scene.of(rows, string, holds, guesses=guesses)
    lines = scene.lines()
    traces = [
        *scene.cone(),
        *([] if string is None else bands(string, pinned)),
        *(_thread(row, *ends) for row, ends in lines),
        *(ring(row) for row in rows if row[WHO] in rings),
        *(_mark(row) for row in reversed(rows) if row[STATE] != TO_COME),
    ]
    notes = [words for row in rows for words in scene.texts(row, [ends for _, ends in lines])]
    ringed = {row[SD] for row in rows if row[WHO] in rings}
    for words in notes:
        if words["y"] in ringed:
            words["xshift"] = CLEAR * words.get("xshift", 0)
    notes += scene.right() if guesses else []
    shapes = [rule(row[SD]) for row in scene.below]
    movers, frames, menus = watch(scene.climbs())
    top = TOP if guesses else BARE
    layout = {
        "height": HEIGHT - TOP + top,
        "margin": {"t": top, "b": TITLED if across else BOTTOM, "r": 4},
        "annotations": notes,
        "updatemenus": menus,
        "shapes": shapes,
        "xaxis": {"range": scene.across, "showgrid": False, "fixedrange": True, "tickangle": 0}
        | {"tickvals": list(ticks), "ticktext": list(ticks.values())}
        | ({"title": {"text": across}} if across else {}),
        "yaxis": {"range": scene.down, "fixedrange": True, "tickfont": {"size": 14}}
        | {"tickvals": [scene.down[1], *(row[SD] for row in scene.below)]}
        | {"ticktext": [MORE_NOISE, *map(_label, scene.below)]},
    }
    return go.Figure(data=[*movers, *traces], layout=layout, frames=frames)


Row = dict[str, Any]
Ends = tuple[tuple[float, float], tuple[float, float]]


@dataclass(frozen=True)
class _Scene:
    """The rows, and what of the plot they take: ranges of both axes."""

    below: list[Row]  # all but the truth, the sharpest first
    truth: Row | None
    across: tuple[float, float]
    down: tuple[float, float]

    @classmethod
    def of(
        cls, rows: list[Row], string: pd.DataFrame | None, holds: Sequence[float], *, guesses: bool
    ) -> "_Scene":
        below = sorted((r for r in rows if r[STATE] != TRUTH), key=lambda row: float(row[SD]))
        truth = next((r for r in rows if r[STATE] == TRUTH), None)
        sharp, blurred = below[0][SD], below[-1][SD]
        shown = [r for r in rows if not math.isnan(r[VALUE])]
        if truth:
            span = 1.18 * below[-1][HALF]
            across, down = (truth[VALUE] - span, truth[VALUE] + span), (1.06 * blurred, -0.14)
            return cls(below, truth, across, (down[0], -0.055 * down[0]))
        ends = min(r[VALUE] for r in shown), max(r[VALUE] for r in shown)
        spread = max(ends[1] - ends[0], sharp)
        across = (ends[0] - 0.35 * spread, ends[1] + (0.8 if guesses else 0.5) * spread)
        across = min((across[0], *holds)), max((across[1], *holds))
        if string is not None:
            across = min(across[0], string["low"].min()), max(across[1], string["high"].max())
        gap = blurred - sharp or sharp  # one number alone stands in the middle
        edge = sharp - 1.1 * gap * STUB / (HEIGHT - TOP - BOTTOM - STUB)
        return cls(below, None, across, (blurred + 0.09 * gap, edge))

    def lines(self) -> list[tuple[Row, Ends]]:
        """The threads: of whom, from where, to where."""
        rows = [*self.below, *([self.truth] if self.truth else [])]
        at = {row[WHO]: (row[VALUE], row[SD]) for row in rows}
        hanging = [r for r in self.below if r[ABOVE] and r[STATE] != TO_COME]
        return [(row, (at[row[ABOVE]], at[row[WHO]])) for row in hanging]

    def climbs(self) -> dict[str, tuple[Corners, dict[str, Any]]]:
        """How those who compare notes come to the large number: along their threads."""
        at = {row[WHO]: row for row in self.below}
        found: dict[str, tuple[Corners, dict[str, Any]]] = {}
        for row in self.below:
            way = [row]
            while way[-1][STATE] == COMPARED and way[-1][ABOVE] in at:
                way.append(at[way[-1][ABOVE]])
            if len(way) > 1:
                corners = [(step[VALUE], step[SD]) for step in way]
                look = {"symbol": row[STYLE].marker, "color": row[STYLE].colour}
                found[plain(row[WHO], 40)] = (corners, look)
        return found

    def cone(self) -> list[go.Scatter]:
        if not self.truth:
            return []
        middle, foot, widest = self.truth[VALUE], self.down[0], self.below[-1]
        reach = widest[HALF] / widest[SD] * foot
        x, y = [middle, middle - reach, middle + reach], [0, foot, foot]
        fill = {"fill": "toself", "fillcolor": REGION}
        return [go.Scatter(x=x, y=y, mode="none", name="cone", hoverinfo="skip", **fill)]

    def right(self) -> list[dict[str, Any]]:
        edge = {"xref": "paper", "xanchor": "right"}
        return [guesses_head()] + [
            note(f"<b>{row[RIGHT]:.0f}</b>", 1, row[SD], **edge)
            | {"font": {"size": 21 if row[STATE] == LARGE else 15}}
            for row in self.below
            if row[STATE] != TO_COME
        ]

    def texts(self, row: Row, threads: list[Ends]) -> list[dict[str, Any]]:
        """The number beside its mark, and what the truth is called."""
        x, y, state = row[VALUE], row[SD], row[STATE]
        if state == TRUTH:
            return [note(f"<b>{plain(row[WHO], 40)}</b>", x, y, xshift=12, font={"size": 15})]
        if state == TO_COME or (state == COMPARED and row[ABOVE]):
            return []
        size, said = 28 if state == LARGE else 16, _said(row)
        if not row[ABOVE] and any(other[ABOVE] == row[WHO] for other in self.below):
            look = {"xanchor": "center", "yanchor": "bottom", "font": {"size": size}}
            return [note(f"<b>{said}</b>", x, y, yshift=0.5 * size, **look)]  # no thread above it
        shift = size * 0.8 + 1
        long = shift + pixels(said, size, bold=True)
        free, up = self._side((x, y), threads, long, size), 0.0
        side = free or (1 if x > sum(self.across) / 2 else -1)
        if state == LARGE and not free:  # above the mark, away from the thread that comes to it
            above = next((a for (a, _), foot in threads if foot == (x, y)), x)
            side, up = 1 if above <= x else -1, 0.8 * size
        look = {"xanchor": "left" if side > 0 else "right", "font": {"size": size}}
        write = note if free or up else grounded  # a thread that runs there goes on behind it
        return [write(f"<b>{said}</b>", x, y, xshift=shift * side, yshift=up, **look)]

    def _side(self, at: tuple[float, float], threads: list[Ends], long: float, size: int) -> int:
        """Outwards, unless a thread or mark is there or a phone's plot ends; 0: on both sides."""
        x, y = at
        pixel = (self.across[1] - self.across[0]) / PLOT
        near = 0.5 * size  # where the number begins, beside its mark: for other threads, on a desk
        line = (self.down[0] - self.down[1]) / (HEIGHT - TOP - BOTTOM)
        tall, clear = 0.5 * size * line, 0.5 * (size + MARK) * line
        marks = [
            row[VALUE]
            for row in self.below
            if row[STATE] != TO_COME and 0 < abs(row[SD] - y) < clear
        ]

        def room(side: int) -> bool:
            runs = [
                (
                    a + (b - a) * (level - top) / (foot - top),
                    near * (1 if at in ends else PLOT / WIDE),
                )
                for ends in threads
                for (a, top), (b, foot) in [ends]
                for level in (y - tall, y, y + tall)
                if top < level < foot
            ]
            low, high = sorted((x + near * side * pixel, x + side * long * pixel))
            inside = self.across[0] < low and high < self.across[1] - COLUMN * pixel
            taken = any(low < place < high for place in marks) or any(
                begins * pixel < side * (place - x) < long * pixel for place, begins in runs
            )
            return inside and not taken

        out = 1 if x > sum(self.across) / 2 else -1
        return next((side for side in (out, -out) if room(side)), 0)


def number_of(x: float) -> str:
    """A number as lessons write it: with one decimal.

    >>> number_of(-0.42)
    '−0.4'
    """
    return fixed(x, 1)


def _said(row: Row) -> str:
    """The number of a row; without decimals where its ± has none, with more where it needs them."""
    half = row[HALF]
    known = math.isfinite(half) and (half >= 10 or 0 < half < 0.1)
    return number(row[VALUE], step=half) if known else number_of(row[VALUE])


def _label(row: Row) -> str:
    name, style = plain(row[WHO], 16), row[STYLE]
    shown = tag(style, name) if style.slot else f"<b>{name}</b>"
    return f"{shown} {pm(row[HALF])}"


def _thread(row: Row, top: tuple[float, float], foot: tuple[float, float]) -> go.Scatter:
    compared = row[STATE] == COMPARED
    line: dict[str, Any] = {"width": 2, "dash": FINE if compared else SOLID}
    if row[STYLE].slot and (compared or top[1] > 0):  # to the truth: in ink
        line["color"] = row[STYLE].colour
    x, y = zip(top, foot, strict=True)
    name = f"thread of {plain(row[WHO], 40)}"
    return go.Scatter(x=x, y=y, mode="lines", name=name, line=line, hoverinfo="skip")


def _mark(row: Row) -> go.Scatter:
    style, hollow = row[STYLE], row[STATE] == COMPARED
    size = {TRUTH: 13, LARGE: 25}.get(row[STATE], MARK)
    marker: dict[str, Any] = {"size": size, "symbol": style.marker + "-open" * hollow}
    if style.slot:
        marker["color"] = style.colour
    if hollow:
        marker["line"] = {"width": 2}
    name = plain(row[WHO], 40)
    sure, half = percent(ACCURACY_CONFIDENCE), pm(row[HALF])
    near = f"{sure} of such numbers are within {half} of the truth."
    says = f"<b>{name}</b>: {_said(row)}.<br>{near}<extra></extra>"
    look = {"hoverinfo": "skip"} if row[STATE] == TRUTH else {"hovertemplate": says}
    place = {"x": [row[VALUE]], "y": [row[SD]], "cliponaxis": False}
    return go.Scatter(**place, mode="markers", name=name, marker=marker, **look)


def ring(row: Row) -> go.Scatter:
    """Around a mark; slot 0 and no colour of a tier: in the ink of the page."""
    look = {"size": RING, "symbol": "circle-open", "line": {"width": 2}}
    place = {"x": [row[VALUE]], "y": [row[SD]], "mode": "markers", "cliponaxis": False}
    return go.Scatter(**place, name="ring", marker=look, hoverinfo="skip")


def blur(who: str, colour: str, *, sd: float, middle: float, ink: float) -> go.Heatmap:
    """A bar below the truth: the stronger its colour, the more often a number falls there.

    It ends where the cone does.

    Args:
        who: whose numbers.
        colour: of their tier.
        sd: standard deviation of their noise.
        middle: the truth.
        ink: standard deviation of the sharpest bar of the picture: all have as much ink.
    """
    steps = np.linspace(-REACH, REACH, POINTS) * sd
    density = GAUSSIAN.density(steps, sd**2) * sd * math.sqrt(2 * math.pi)  # 1 in the middle
    return go.Heatmap(
        x=middle + steps,
        y=[sd - THICK, sd + THICK],
        z=[density, density],
        zmin=0,
        zmax=1,
        zsmooth="fast",
        colorscale=[[0, rgba(colour, 0)], [1, rgba(colour, DARKEST * ink / sd)]],
        showscale=False,
        name=f"blur of {plain(who, 40)}",
        hoverinfo="skip",
    )


def bands(string: pd.DataFrame, style: TierStyle) -> list[go.Scatter]:
    """Where 95 % and half of what hangs there falls, one over the other.

    Args:
        string: as `string_frame` or `hanging_frame` makes it.
        style: look of the tier whose number is drawn there.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(string, *STRING)
    y = np.r_[string[SD], string[SD][::-1]]
    return [
        go.Scatter(
            x=np.r_[string[low], string[high][::-1]],
            y=y,
            mode="none",
            name=f"string, {low} to {high}",
            fill="toself",
            fillcolor=rgba(style.colour, alpha),
            hoverinfo="skip",
        )
        for low, high, alpha in (("low", "high", 0.15), ("lower", "upper", 0.22))
    ]


def watch(climbs: Mapping[str, tuple[Corners, Mapping[str, Any]]]) -> Watch:
    """Marks that climb on a press: first of all traces, frames of them, and the button.

    Without climbs there is none of these.

    Args:
        climbs: by name the corners of the way of each mark, from where it is, and its look.

    Raises:
        ParameterError: a way has fewer than two corners.

    >>> way = [(312.0, 2.0), (310.0, 1.0)]
    >>> movers, frames, menus = watch({"public": (way, {"symbol": "circle"})})
    >>> len(frames), frames[0]["data"][0].x, movers[0].marker.opacity, len(menus)
    (24, (312.0,), 0, 1)
    """
    if not climbs:
        return [], [], []
    if any(len(way) < 2 for way, _ in climbs.values()):
        raise ParameterError("a way has one corner: pass where it begins and where it ends")
    shares = np.linspace(0.0, 1.0, FRAMES)
    ways = {name: _along(way, shares) for name, (way, _) in climbs.items()}

    def movers(n: int, *, seen: bool) -> list[go.Scatter]:
        return [
            _mover(name, ways[name][n], {**look, "opacity": int(seen)})
            for name, (_, look) in climbs.items()
        ]

    traces = list(range(len(climbs)))
    frames = [
        {"name": f"{n}", "traces": traces, "data": movers(n, seen=n < FRAMES - 1)}
        for n in range(FRAMES)
    ]
    button = play_button(WATCH, EACH, y=1, yanchor="top", pad={"t": 0, "l": 6})
    return movers(0, seen=False), frames, [button]


def _along(way: Corners, shares: NDArray[np.float64]) -> list[tuple[float, float]]:
    """Places on a way, evenly from corner to corner."""
    at = np.linspace(0.0, 1.0, len(way))
    x, y = (np.interp(shares, at, [corner[k] for corner in way]) for k in (0, 1))
    return list(zip(x.tolist(), y.tolist(), strict=True))


def _mover(name: str, place: tuple[float, float], look: Mapping[str, Any]) -> go.Scatter:
    return go.Scatter(
        x=[place[0]],
        y=[place[1]],
        mode="markers",
        name=f"{name} climbs",
        marker={"size": MARK, **look},
        cliponaxis=False,
        hoverinfo="skip",
    )


def play_button(label: str, each: int, **place: Any) -> dict[str, Any]:
    """A button within a figure that plays its frames from the first one, ready for `updatemenus`.

    Args:
        label: what it says.
        each: milliseconds for each frame.
        place: where it is, beside the left edge.
    """
    steps = {"frame": {"duration": each, "redraw": False}, "transition": {"duration": 0}}
    play = {"label": label, "method": "animate", "args": [None, {**steps, "mode": "immediate"}]}
    look = {"bgcolor": "rgba(0,0,0,0)", "bordercolor": GREY, "showactive": False}
    return {"type": "buttons", "buttons": [play], "x": 0, "xanchor": "left", **look, **place}
