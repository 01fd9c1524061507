"""A noise of the visitor's own: what would have to be added, and the bet that nothing can be."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note, span, ticks
from dpviz.charts.tidy import require_columns
from dpviz.lossless import LatticeLaw, SeriesLaw
from dpviz.lossless.convolution import Bet
from dpviz.palette import BEYOND, GREY, rgba
from dpviz.words import percent

NUMBER, CHANCE = ADDED = ("number", "chance")
NOISIER, SHARPER, PAID = "noisier", "sharper", "paid"
BET = (NUMBER, NOISIER, SHARPER, PAID)
HEIGHT, ROOM, SHADE = 300, 0.22, 0.28
THIN = 0.38  # of two bars beside each other
SMALL = 1e-3  # of the largest bar: tails are drawn as far as that
MOST_BARS = 121
MOST_SHIFTS = 400  # of the sharper noise, that are looked at


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
    layout = {
        "height": HEIGHT,
        "margin": {"t": 12, "b": 44},
        "barmode": "overlay",
        "annotations": [said],
        "xaxis": _numbers(numbers, "added to the sharper number"),
        "yaxis": _chances("chance", (low, high)),
    }
    return go.Figure(data=bars, layout=layout)


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
    layout = {
        "height": HEIGHT,
        "margin": {"t": 12, "b": 44},
        "barmode": "overlay",
        "annotations": notes,
        "xaxis": _numbers(numbers, "noise"),
        "yaxis": _chances("chance", (0.0, top)),
    }
    return go.Figure(data=bars, layout=layout)


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


def _numbers(numbers: Any, title: str) -> dict[str, Any]:
    low, high = float(numbers.min()), float(numbers.max())
    marks = {"dtick": 1} if high - low < 12 else ticks(low, high)
    return {
        "title": {"text": title},
        "range": (low - 0.8, high + 0.8),
        "fixedrange": True,
        "showgrid": False,
        **marks,
    }


def _chances(title: str, ends: tuple[float, float]) -> dict[str, Any]:
    return {
        "title": {"text": title},
        "range": ends,
        "tickformat": ".3~%",
        "nticks": 5,
        "fixedrange": True,
        "showgrid": True,
        "zeroline": True,
    }
