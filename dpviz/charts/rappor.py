"""A hundred bits, some of them random, and what such answers say; one report, bit by bit.

What is true has the ink of the page and a thin line. Marks of what happened are in ink, of what
would be otherwise in grey: none has the colour of a tier.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import PHONE, note, ticks
from dpviz.charts.tidy import require_columns
from dpviz.noise.family import Array
from dpviz.palette import GREY, rgba
from dpviz.words import number, plain, pm

WHO, ESTIMATE, HALF, FOUND, NEEDED, OTHERWISE = ANSWERS = (
    *("who", "estimate", "half", "found", "needed", "otherwise"),
)
FOUND_FROM = "found from here on"
BITS_SHOWN, COLUMNS = 100, 25
LINE, TITLE = 20, 17  # pixels: of text, of a title
STEP, ROW = 13, 52  # pixels: from bit to bit, of an interval
FOOT = 12  # pixels: from the middle of an interval to where lines across it end
FAINT = rgba(GREY, 0.16)


def random_bits(random: int) -> list[bool]:
    """Which of a hundred bits are random: spread evenly, and of fewer each is among more.

    >>> sum(random_bits(75)), all(a <= b for a, b in zip(random_bits(50), random_bits(75)))
    (75, True)
    """
    return [(37 * n) % BITS_SHOWN < random for n in range(BITS_SHOWN)]


def bits_and_estimates(
    frame: pd.DataFrame,
    *,
    title: str,
    random: int,
    noun: str,
    true: float | None,
    ends: tuple[float, float],
) -> Picture:
    """Draw a hundred bits of answers of one kind, and below them what these answers say.

    Args:
        frame: columns `ANSWERS`, a row for an interval. who: words above it; half: its half width;
            needed: from which estimate on a text is found; otherwise: whether it did not happen,
            but could have.
        title: when people answer like this.
        random: how many of a hundred bits are random.
        noun: who is counted, such as "people".
        true: how many there are; None: it stays hidden.
        ends: of the axis, as `interval_ends` gives them for all kinds.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *ANSWERS)
    honest = BITS_SHOWN - random
    words = f"□ <b>{random}</b> of {BITS_SHOWN} answers are random, ■ <b>{honest}</b> honest"
    heading = f'<b style="font-size:{TITLE}px">{plain(title)}</b>'
    notes = [_left(heading, 0), _left(words, 1.4 * LINE)]
    bits = _bits(random, 3 * LINE)
    top = 3.5 * LINE + STEP * BITS_SHOWN / COLUMNS
    first = top + 2.2 * LINE
    intervals, bars = [], []  # the height of each interval, and whether the truth is true of it
    for place, row in enumerate(frame.to_dict("records")):
        y = first + ROW * place
        label = f"{plain(row[WHO])}: {_about(row)}"
        notes.append(_left(label, y if place else top))  # the first above the words of the lines
        bars.append((y + LINE + 11, not row[OTHERWISE]))
        intervals.append(_interval(row, bars[-1][0], noun))
    lines, marked = _lines(true, top + 1.2 * LINE, bars)
    bottom = first + ROW * len(frame) + 0.7 * LINE
    needed = frame[NEEDED].tolist()
    lines.append(_thresholds(needed, [y for y, _ in bars]))
    marked.append(_named(FOUND_FROM, needed[-1], bars[-1][0] + FOOT, ends))
    axis = {"range": ends, "title": {"text": plain(noun)}, "showgrid": False}
    axis |= {"showline": True, "linecolor": GREY, "ticks": "outside", "tickcolor": GREY}
    hidden = {"visible": False, "fixedrange": True}
    layout = {
        "height": round(bottom) + 52,
        "margin": {"t": 4, "b": 48, "l": 0, "r": 8},
        "annotations": notes + marked,
        "xaxis": axis | ticks(*ends, most=4),
        "xaxis2": hidden | {"range": (-0.5, COLUMNS - 0.5), "anchor": "y"},
        "yaxis": hidden | {"range": (bottom, 0)},
    }
    said = [f"{plain(row[WHO])}: {_about(row)}." for row in frame.to_dict("records")]
    truth = [] if true is None else [f"In truth: {number(true)}."]
    said.append(f"Found from {number(needed[0])} on.")
    opening = f"{plain(title)}. Of {BITS_SHOWN} answers chance gives {random}."
    figure = go.Figure(data=[*lines, *bits, *intervals], layout=layout)
    return Picture(figure, " ".join([opening, *said, *truth]))


def _left(words: str, y: float) -> dict[str, Any]:
    """Words at the left edge."""
    return note(words, 0, y, xref="paper", yanchor="top")


def _named(words: str, x: float, y: float, ends: tuple[float, float]) -> dict[str, Any]:
    """Words below a place on the axis, on the side with more room."""
    side = "right" if x - ends[0] > ends[1] - x else "left"
    return note(words, x, y, xanchor=side, yanchor="top", borderpad=0)


def _thresholds(needed: Sequence[float], bars: Sequence[float]) -> go.Scatter:
    """A dashed line across each interval: from which estimate on it says "found"."""
    return go.Scatter(
        x=[x for x in needed for _ in range(3)],
        y=[at for y in bars for at in (y - 7, y + FOOT, None)],
        mode="lines",
        line={"width": 2, "dash": "4px,2px"},
        name=FOUND_FROM,
        hoverinfo="skip",
    )


def interval_ends(frame: pd.DataFrame, true: float | None) -> tuple[float, float]:
    """The ends of an axis with zero, all intervals, the truth and what is found, with some room.

    >>> frame = pd.DataFrame({"estimate": [90.0], "half": [10.0], "needed": [15.0]})
    >>> interval_ends(frame, None)
    (-4.0, 104.0)
    """
    low = min(0.0, float((frame[ESTIMATE] - frame[HALF]).min()))
    high = float((frame[ESTIMATE] + frame[HALF]).max())
    high = max(1.0, high, float(frame[NEEDED].max()), true or 0.0)
    room = 0.04 * (high - low)
    return low - room, high + room


def _bits(random: int, top: float) -> list[go.Scatter]:
    """A hundred bits: those that are random are hollow and grey."""
    flips = random_bits(random)
    made = []
    for coin in (True, False):
        places = [n for n in range(BITS_SHOWN) if flips[n] == coin]
        look: dict[str, Any] = {"symbol": "square-open" if coin else "square", "size": 7}
        made.append(
            go.Scatter(
                x=[n % COLUMNS for n in places],
                y=[top + STEP * (n // COLUMNS) for n in places],
                xaxis="x2",
                mode="markers",
                marker=look | ({"color": GREY} if coin else {}),
                name="random" if coin else "honest",
                hovertext="chance gives this answer" if coin else "this answer is honest",
                hoverinfo="text",
            )
        )
    return made


def _lines(
    true: float | None, top: float, bars: Sequence[tuple[float, bool]]
) -> tuple[list[go.Scatter], list[dict[str, Any]]]:
    """Thin lines at none and the truth, across the bars that each holds for; their words."""
    ends: list[tuple[float, str, float]] = [(0.0, "none", top + LINE)]
    if true:
        ends.append((true, f"truth: {number(true)}", top))
    lines = [
        go.Scatter(
            x=[x] * (3 * len(held)),
            y=[
                at
                for bar in held
                for at in (y + LINE - 3 if bar == held[0] else bar - 9, bar + FOOT, None)
            ],
            mode="lines",
            line={"width": 1} | ({} if x else {"color": GREY}),
            name=words,
            hoverinfo="skip",
        )
        for x, words, y in ends
        for held in ([bar for bar, holds in bars if holds or not x],)
    ]
    place = {"xanchor": "center", "yanchor": "top"}
    return lines, [note(words, x, y, **place) for x, words, y in ends]


def _interval(row: dict[Any, Any], y: float, noun: str) -> go.Scatter:
    """An estimate with its interval; its mark is hollow where chance would explain it."""
    ink = {"color": GREY} if row[OTHERWISE] else {}
    told = f"{plain(row[WHO])}: {_about(row)} {plain(noun)} (95 %)"
    return go.Scatter(
        x=[row[ESTIMATE] - row[HALF], row[ESTIMATE], row[ESTIMATE] + row[HALF]],
        y=[y] * 3,
        mode="lines+markers",
        name=plain(row[WHO]),
        line={"width": 4, **ink},
        marker={
            "symbol": "diamond" if row[FOUND] else "diamond-open",
            "size": [0, 13, 0],
            "opacity": 1,
            "line": {"width": 0 if row[FOUND] else 2},
            **ink,
        },
        hovertext=[told] * 3,
        hoverinfo="text",
    )


def _about(row: dict[Any, Any]) -> str:
    verdict = "<b>found</b>" if row[FOUND] else "not found"
    return f"{number(row[ESTIMATE], step=row[HALF])} {pm(row[HALF])}, {verdict}"


def bit_rows(stages: Mapping[str, Array], own: Array) -> Picture:
    """Draw one client's bits, a row of squares for each stage: a one is filled.

    Args:
        stages: name of the stage to its bits, from the filter to the last report.
        own: the filter: which bits the text sets, which are in ink.
    """
    size = min(16.0, max(2.0, 0.75 * PHONE / own.size))
    notes = [
        note(f"<b>{plain(stage)}</b>", 0, ROW * place, xref="paper", yanchor="top")
        for place, stage in enumerate(stages)
    ]
    data = []
    for value, mine in ((0, False), (1, False), (0, True), (1, True)):
        held = [
            (int(bit), ROW * place + LINE + 8)
            for place, bits in enumerate(stages.values())
            for bit in np.flatnonzero((bits == value) & (own.astype(bool) == mine))
        ]
        colour = {} if mine else {"color": GREY if value else FAINT}
        data.append(
            go.Scatter(
                x=[bit for bit, _ in held],
                y=[y for _, y in held],
                mode="markers",
                marker={"symbol": "square-open" if mine and not value else "square", "size": size}
                | colour,
                hovertext=[
                    f"bit {bit + 1}: {value}" + ", set by the text" * mine for bit, _ in held
                ],
                hoverinfo="text",
            )
        )
    bottom = ROW * len(stages)
    layout = {
        "height": bottom + 44,
        "margin": {"t": 4, "b": 40},
        "annotations": notes,
        "xaxis": {
            "range": (-0.6, own.size - 0.4),
            "showgrid": False,
            "title": {"text": f"{own.size} bits of the report"},
            "tickvals": [0, own.size - 1],
            "ticktext": ["1", f"{own.size:,}"],
        },
        "yaxis": {"visible": False, "range": (bottom, 0)},
    }
    ones = "; ".join(f"{name}: {int(bits.sum())} ones" for name, bits in stages.items())
    alt = f"Rows of {own.size} bits, of which the text sets {int(own.sum())}. {ones}."
    return Picture(go.Figure(data=data, layout=layout), alt)
