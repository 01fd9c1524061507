"""Samplers on trial: four side by side, and a noise of the visitor's own."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note, span, ticks
from dpviz.charts.tidy import Floats, require_columns
from dpviz.errors import ParameterError
from dpviz.lossless import LatticeLaw, SeriesLaw
from dpviz.lossless.convolution import Bet
from dpviz.palette import BEYOND, GREY, rgba
from dpviz.words import percent, plain

DOOR, ACROSS, UP = DOORS = ("door", "across", "up")
TALL, DOT, BESIDE, GAP = 460, 4, 2, 0.09
LOOKED_AT = 0.98  # of all dots, that are surely within the picture
AROUND = 0.06  # of the picture, around them
NUMBER, CHANCE = ADDED = ("number", "chance")
NOISIER, SHARPER, PAID = "noisier", "sharper", "paid"
BET = (NUMBER, NOISIER, SHARPER, PAID)
HEIGHT, ROOM, SHADE = 300, 0.22, 0.28
THIN = 0.38  # of two bars beside each other
SMALL = 1e-3  # of the largest bar: tails are drawn as far as that
MOST_BARS = 121
MOST_SHIFTS = 400  # of the sharper noise, that are looked at


# --- the game: two numbers of each run, one dot a run ---


def doors_frame(drawn: Sequence[tuple[str, Floats]]) -> pd.DataFrame:
    """What each sampler drew.

    Columns: door, across, up (two numbers of one run).

    Args:
        drawn: the name of each door, and its draws, shape (runs, 2).

    Raises:
        ParameterError: the draws are not two for each run.

    >>> doors_frame([("A", np.zeros((2, 2)))]).values.tolist()
    [['A', 0.0, 0.0], ['A', 0.0, 0.0]]
    """
    if any(draws.ndim != 2 or draws.shape[1] != 2 for _, draws in drawn):
        raise ParameterError("pass draws of shape (runs, 2) for each door")
    return pd.concat(
        [pd.DataFrame({DOOR: name, ACROSS: draws[:, 0], UP: draws[:, 1]}) for name, draws in drawn],
        ignore_index=True,
    )


def four_doors(frame: pd.DataFrame, *, across: str, up: str) -> go.Figure:
    """Draw the dots of each door on the same axes, with its name.

    Args:
        frame: as `doors_frame` makes it, with at most four doors.
        across: what the first number is.
        up: what the second number is.

    Raises:
        ParameterError: a column is missing.

    >>> names = [(name, np.zeros((3, 2))) for name in "ABCD"]
    >>> [trace.name for trace in four_doors(doors_frame(names), across="x", up="y").data]
    ['A', 'B', 'C', 'D']
    """
    require_columns(frame, *DOORS)
    ends = [_ends(frame[name].to_numpy(float)) for name in (ACROSS, UP)]
    dots, notes = [], []
    layout: dict[str, Any] = {"height": TALL, "margin": {"t": 22, "b": 44, "l": 0, "r": 8}}
    for place, (name, part) in enumerate(frame.groupby(DOOR, sort=True)):
        row, column = divmod(place, BESIDE)
        number = "" if place == 0 else str(place + 1)
        dots.append(
            go.Scatter(
                x=part[ACROSS],
                y=part[UP],
                mode="markers",
                name=str(name),
                marker={"size": DOT, "opacity": 0.55, "line": {"width": 0}},
                xaxis=f"x{number}",
                yaxis=f"y{number}",
                hoverinfo="skip",
            )
        )
        wide, high = _domain(column), _domain(1 - row)
        layout[f"xaxis{number}"] = _axis(wide, ends[0], f"y{number}", across if row else "")
        layout[f"yaxis{number}"] = _axis(high, ends[1], f"x{number}", "" if column else up)
        look = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "font": {"size": 16}}
        notes.append(note(f"<b>{name}</b>", wide[0], high[1], **look))
    return go.Figure(data=dots, layout=layout | {"annotations": notes})


def _domain(place: int) -> tuple[float, float]:
    width = (1 - GAP) / BESIDE
    return place * (width + GAP), place * (width + GAP) + width


def _axis(
    domain: tuple[float, float], ends: tuple[float, float], anchor: str, title: str
) -> dict[str, Any]:
    return {
        "title": {"text": title and plain(title, 40)},
        "domain": domain,
        "anchor": anchor,
        "range": ends,
        "nticks": 5,
        "fixedrange": True,
        "showgrid": True,
        "zeroline": True,
    }


def _ends(numbers: Floats) -> tuple[float, float]:
    """Where nearly all dots lie, and some room around them."""
    beyond = (1 - LOOKED_AT) / 2
    low, high = (float(each) for each in np.quantile(numbers, (beyond, 1 - beyond)))
    room = AROUND * (high - low) or 1.0
    return low - room, high + room


# --- a noise of the visitor's own: what would have to be added, or the bet that nothing can be ---


def added_frame(law: LatticeLaw | SeriesLaw) -> pd.DataFrame:
    """What is added, with its tails as far as they are seen.

    Columns: number, chance.

    Args:
        law: of what is added.

    >>> added_frame(LatticeLaw.of({0: 1, 1: 1})).values.tolist()
    [[0.0, 0.5], [1.0, 0.5]]
    """
    least = SMALL * float(max(law.masses))
    low, high = law.first, law.last
    while law.left and float(law.mass(low - 1)) >= least and high - low < MOST_BARS:
        low -= 1
    while law.right and float(law.mass(high + 1)) >= least and high - low < MOST_BARS:
        high += 1
    return would_be_frame({x: float(law.mass(x)) for x in range(low, high + 1)})


def would_be_frame(chances: Mapping[int, float]) -> pd.DataFrame:
    """What would have to be added, number by number; chances may be below 0.

    Columns: number, chance. Small ones at both ends are left out, but for the lowest of all.

    >>> would_be_frame({1: -0.5, 0: 1.5, 2: 1e-9}).values.tolist()
    [[0.0, 1.5], [1.0, -0.5]]
    """
    least, lowest = SMALL * max(map(abs, chances.values())), min(chances.values())
    kept = [x for x, chance in chances.items() if abs(chance) >= least or chance == lowest < 0]
    rows = [(x, chances.get(x, 0.0)) for x in range(min(kept), max(kept) + 1)]
    return pd.DataFrame(rows, columns=list(ADDED))


def added_bars(frame: pd.DataFrame) -> go.Figure:
    """Draw a bar for each number; those below 0 in another colour, the lowest with its chance.

    Args:
        frame: as `added_frame` or `would_be_frame` makes it.

    Raises:
        ParameterError: a column is missing.

    >>> fig = added_bars(would_be_frame({0: 1.5, 1: -0.5}))
    >>> fig.layout.annotations[0].text
    '<b>−50\u202f%</b>'
    """
    require_columns(frame, *ADDED)
    numbers, chances = frame[NUMBER].to_numpy(int), frame[CHANCE].to_numpy(float)
    low, high = span(min(0.0, float(chances.min())), float(chances.max()), pad=ROOM)
    marked = int(chances.argmin() if chances.min() < 0 else chances.argmax())
    never = chances.min() < 0
    said = note(
        f"<b>{percent(float(chances[marked]))}</b>",
        int(numbers[marked]),
        float(chances[marked]),
        xanchor="center",
        yanchor="top" if never else "bottom",
        **({"font": {"color": BEYOND}} if never else {}),
    )
    bars = [
        _bars(numbers, np.where(chances >= 0, chances, 0.0), "what is added"),
        _bars(numbers, np.where(chances < 0, chances, 0.0), "no chance is below 0", colour=BEYOND),
    ]
    return _drawn(bars, [said], numbers, "added to the sharper number", (low, high))


def bet_frame(sharper: LatticeLaw, noisier: LatticeLaw, bet: Bet | None) -> pd.DataFrame:
    """Both kinds of noise, the sharper one moved to where the bet pays it most, and the payoffs.

    Columns: number, noisier, sharper (chances), paid (from 0 to 1; 0 without a bet).

    >>> two, three = (LatticeLaw.of(dict.fromkeys(range(n), 1)) for n in (1, 2))
    >>> bet_frame(two, three, None).values.tolist()
    [[0.0, 0.5, 1.0, 0.0], [1.0, 0.5, 0.0, 0.0]]
    """
    pays = {} if bet is None else {bet.first + i: float(v) for i, v in enumerate(bet.payoffs)}
    low, high = _seen(noisier)
    low, high = min([low, *pays]), max([high, *pays])
    table = range(sharper.first, sharper.last + 1)
    shifts = range(low - sharper.last, high - sharper.first + 1)[:MOST_SHIFTS]
    moved = max(
        shifts if pays else [0],
        key=lambda c: (
            round(sum(float(sharper.mass(x)) * pays.get(x + c, 0.0) for x in table), 9),
            -abs(c),
        ),
    )
    ends = _seen(sharper)
    span_ = range(min(low, ends[0] + moved), max(high, ends[1] + moved) + 1)
    rows = [
        (x, float(noisier.mass(x)), float(sharper.mass(x - moved)), pays.get(x, 0.0)) for x in span_
    ]
    return pd.DataFrame(rows, columns=list(BET))


def bet_bars(frame: pd.DataFrame) -> go.Figure:
    """Draw both kinds of noise beside each other; shaded where the bet pays, as much as it pays.

    Args:
        frame: as `bet_frame` makes it.

    Raises:
        ParameterError: a column is missing.

    >>> one = LatticeLaw.of({0: 1})
    >>> [trace.name for trace in bet_bars(bet_frame(one, one, None)).data]
    ['the bet pays', 'sharper', 'noisier']
    """
    require_columns(frame, *BET)
    numbers = frame[NUMBER].to_numpy(int)
    top = (1 + ROOM) * float(frame[[NOISIER, SHARPER]].to_numpy().max())
    paid = frame[PAID].to_numpy(float)
    shades = go.Bar(
        x=numbers,
        y=np.where(paid > 0, top, 0.0),
        width=1.0,
        name="the bet pays",
        marker={"color": [rgba(GREY, round(SHADE * v, 3)) for v in paid], "line": {"width": 0}},
        hoverinfo="skip",
    )
    bars = [
        shades,
        _bars(numbers, frame[SHARPER].to_numpy(float), SHARPER, colour=GREY, aside=-0.2),
        _bars(numbers, frame[NOISIER].to_numpy(float), NOISIER, aside=0.2),
    ]
    notes = [_named(frame, name, aside) for name, aside in ((SHARPER, -0.2), (NOISIER, 0.2))]
    if paid.max() > 0:
        first = float(numbers[int(np.flatnonzero(paid)[0])])
        notes.append(note("the bet pays here", first - 0.5, top, yanchor="top", xshift=4))
    return _drawn(bars, notes, numbers, "noise", (0.0, top))


def _named(frame: pd.DataFrame, name: str, aside: float) -> dict[str, Any]:
    """The name of a kind of noise above a highest bar, away from that of the other.

    Near an edge it stands inside, so that a phone does not cut it off.
    """
    heights = frame[name].to_numpy(float)
    places = np.flatnonzero(heights == heights.max())
    place = int(places[0] if aside < 0 else places[-1])
    third = 3 * place // len(frame)
    side = ("left", "right" if aside < 0 else "left", "right")[third]
    edge = aside + (-THIN / 2 if side == "left" else THIN / 2)
    return note(
        f"<b>{name}</b>",
        int(frame[NUMBER].iloc[place]) + edge,
        float(heights[place]),
        xanchor=side,
        yanchor="bottom",
    )


def _seen(law: LatticeLaw) -> tuple[int, int]:
    """The numbers within which all but small chances lie."""
    frame = added_frame(law)
    return int(frame[NUMBER].min()), int(frame[NUMBER].max())


def _bars(numbers: Any, chances: Any, name: str, *, colour: str = "", aside: float = 0.0) -> go.Bar:
    marker: dict[str, Any] = {"line": {"width": 0}} | ({"color": colour} if colour else {})
    return go.Bar(
        x=numbers,
        y=chances,
        width=THIN if aside else 0.7,
        offset=aside - THIN / 2 if aside else None,
        name=name,
        marker=marker,
        hovertext=[f"{x}: {percent(float(y))}" for x, y in zip(numbers, chances, strict=True)],
        hoverinfo="text",
    )


def _drawn(
    bars: list[go.Bar], notes: list[Any], numbers: Any, title: str, ends: tuple[float, float]
) -> go.Figure:
    """Bars over numbers, with the chance upwards."""
    low, high = float(numbers.min()), float(numbers.max())
    fixed: dict[str, Any] = {"fixedrange": True}
    across = {"title": {"text": title}, "range": (low - 0.8, high + 0.8), "showgrid": False}
    up = {"title": {"text": "chance"}, "range": ends, "tickformat": ".3~%", "nticks": 5}
    layout = {
        "height": HEIGHT,
        "margin": {"t": 12, "b": 44},
        "barmode": "overlay",
        "annotations": notes,
        "xaxis": fixed | across | ({"dtick": 1} if high - low < 12 else ticks(low, high)),
        "yaxis": fixed | up | {"showgrid": True, "zeroline": True},
    }
    return go.Figure(data=bars, layout=layout)
