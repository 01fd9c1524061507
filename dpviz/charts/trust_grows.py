"""Two pictures that only Trust grows has: with a collector and without, and a crowd."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note, rule
from dpviz.charts.threads import HEIGHT, MORE_NOISE, TITLED, TOP, number_of
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, REGION, TierStyle, rgba
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.scenes.threads import HALF as WIDTH
from dpviz.scenes.threads import SD, STATE, THREADS, TRUTH, VALUE, WHO
from dpviz.scenes.trust_grows import CROWD, HALF, MEAN, MEMBER, SIZE, TRUE
from dpviz.words import decimals, fixed, percent, plain, pm

Row = dict[str, Any]

YES_NO = {0.0: "0<br>no", 1.0: "1<br>yes"}
SENDS = "what her phone sends"  # of an axis
SENT = YES_NO | {-2.0: "−2", -1.0: "−1", 2.0: "2", 3.0: "3", 4.0: "4"}
SHARES = YES_NO | {-1.0: "−1", 2.0: "2", 3.0: "3"}  # of a mean report
AVERAGE = "average of what the phones send"
HALF_OF_ALL = 0.3441  # of the half width for 95 %: holds 50 % of Gaussian noise
THICK = 0.24  # half the height of a bar; a row is 1 high
OUT, STRONG = 0.1, 0.28  # of a truth beyond its bar; of one of two layers of a bar
SQUARE = np.array([-1, -1, 1, 1])
LEFT, RIGHT = (0.0, 0.34), (0.44, 1.0)  # of the picture: with a collector, and without
# Words below a mark.
_BELOW = {"xanchor": "center", "align": "center", "yanchor": "top", "yshift": -16}
BIG = 30  # pixels of what a reader gets
BORDER = 0.6  # of the way to what is sent: there it leaves her phone, with all of its noise


def two_ways(frame: pd.DataFrame, style: TierStyle, *, true: str, revealed: bool) -> go.Figure:
    """Draw what leaves her phone: her answer as it is for a collector, or a number with noise.

    Args:
        frame: as `threads_frame` makes it: the truth, and the number of one who hears her.
        style: look of the one who hears her.
        true: her answer in a word.
        revealed: whether it is said who has her answer.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *THREADS)
    rows = frame.to_dict("records")
    (nail,) = (row for row in rows if row[STATE] == TRUTH)
    (heard,) = (row for row in rows if row[STATE] != TRUTH)
    sd, middle, half = heard[SD], nail[VALUE], heard[WIDTH]
    foot, head = 1.35 * sd, -0.16 * sd
    border = BORDER * sd
    name, says = plain(heard[WHO], 40), number_of(heard[VALUE])
    traces = [
        go.Scatter(
            x=[middle, middle - half, middle + half],
            y=[0, border, border],
            **{"mode": "none", "fill": "toself", "fillcolor": REGION},
            **{"name": "cone", "xaxis": "x2", "hoverinfo": "skip"},
        ),
        _line("as it is", "x", (0, 0), (0, sd)),
        _line("with noise", "x2", (middle, 0), (heard[VALUE], border), (heard[VALUE], sd)),
        _mark("her phone", (0, 0), f"Her answer: {true}.", {"size": 13}, "x"),
        _mark("the office", (0, sd), f"The office gets: {true}.", {"size": 22}, "x"),
        _mark("her phone, without", (middle, 0), f"Her answer: {true}.", {"size": 13}, "x2"),
        _mark(
            name,
            (heard[VALUE], sd),
            f"The {name} gets {says}.",
            {"symbol": style.marker, "size": 25, "color": style.colour},
            "x2",
        ),
    ]
    wall = {"type": "line", "xref": "paper", "x0": 0, "x1": 1, "y0": border, "y1": border}
    big, side = {"font": {"size": BIG}}, 1 if heard[VALUE] <= middle else -1
    beside = {"xref": "x2", "xanchor": "left" if side > 0 else "right", "xshift": 20 * side}
    below, spared = _BELOW, "<br><b>never sees her answer</b>"
    notes = [
        *(
            note(f"<b>{words}</b>", ends[0], 1, xref="paper", yref="paper", font={"size": 16})
            | {"yanchor": "bottom", "yshift": 6}
            for words, ends in (("the office", LEFT), ("the hospital", RIGHT))
        ),
        note(f"<b>{true}</b>", 0, 0, xshift=14, font={"size": 16}),
        note(f"<b>{true}</b>", 0, sd, xshift=18, **big),
        note("<b>has her answer</b>" * revealed, 0, sd, **below),
        note(f"<b>{true}</b>", middle, 0, xref="x2", xshift=14, font={"size": 16}),
        note(f"<b>{says}</b>", heard[VALUE], sd, **beside, **big),
        note(f"{name} {pm(half)}" + spared * revealed, heard[VALUE], sd, xref="x2", **below),
        note("on her phone ↑", 0, border, xshift=8, yanchor="bottom", yshift=2),
        note("what she sends ↓", 0, border, xshift=8, yanchor="top", yshift=-2),
        note(MORE_NOISE, 1, 1, xref="paper", yref="paper", xanchor="right", yanchor="bottom")
        | {"yshift": 6},
    ]
    bare = {"showgrid": False, "fixedrange": True, "zeroline": False}
    span = 1.38 * half
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": TITLED, "l": 0, "r": 4},
        "annotations": notes,
        "shapes": [wall | {"line": {"color": GREY, "width": 1, "dash": "dash"}, "layer": "below"}],
        "xaxis": bare | {"domain": LEFT, "range": (-1, 1.6), "visible": False},
        "xaxis2": bare
        | {"domain": RIGHT, "range": (middle - span, middle + span), "anchor": "y"}
        | {"tickvals": list(SENT), "ticktext": list(SENT.values()), "tickangle": 0}
        | {"title": {"text": SENDS}, "showline": True, "linecolor": GREY},
        "yaxis": {"visible": False, "fixedrange": True, "range": (foot, head)},
    }
    return go.Figure(data=traces, layout=layout)


def _line(name: str, axis: str, *stops: tuple[float, float]) -> go.Scatter:
    """What leaves her phone; in the ink of the page."""
    x, y = zip(*stops, strict=True)
    return go.Scatter(x=x, y=y, mode="lines", name=name, xaxis=axis, hoverinfo="skip")


def _mark(name: str, at: tuple[float, float], says: str, marker: Row, axis: str) -> go.Scatter:
    place = {"x": [at[0]], "y": [at[1]], "xaxis": axis, "cliponaxis": False}
    hover = {"hovertemplate": f"{says}<extra></extra>"}
    return go.Scatter(**place, **hover, mode="markers", name=name, marker=marker)


def crowd(frame: pd.DataFrame, style: TierStyle, *, revealed: bool) -> go.Figure:
    """Draw the mean report of ever more people, the more the higher, and the truth in each row.

    Args:
        frame: as `crowd_frame` makes it, from one person to all.
        style: look of the tier that hears them.
        revealed: whether they have reported; before that only the first has.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *CROWD)
    y = np.log10(frame[SIZE].to_numpy(float))
    rows = list(zip(y.tolist(), frame.to_dict("records"), strict=True))
    heard = rows if revealed else rows[:1]
    low = float((frame[TRUE] - frame[HALF]).min())
    high = float((frame[TRUE] + frame[HALF]).max())
    room = 0.04 * (high - low)  # at the left; at the right there is a number, too
    traces = [_bar(at, row, style, part) for at, row in heard for part in (1.0, HALF_OF_ALL)]
    traces += [_heard(at, row, style, last=at == y[-1]) for at, row in heard]
    traces += [_truth(rows)] if revealed else []  # above the marks
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": TITLED, "r": 4},
        "annotations": [
            words for at, row in heard for words in _numbers(at, row, last=at == y[-1])
        ],
        "shapes": [rule(at) for at, _ in rows],
        "xaxis": {"range": (low - room, high + 4 * room), "showgrid": False, "tickangle": 0}
        | {"fixedrange": True, "tickvals": list(SHARES), "ticktext": list(SHARES.values())}
        | {"title": {"text": AVERAGE}},
        "yaxis": {"range": (y[0] - 0.5, y[-1] + 0.5), "fixedrange": True, "tickvals": y}
        | {"ticktext": [_label(row, revealed=(at, row) in heard) for at, row in rows]}
        | {"tickfont": {"size": 14}},
    }
    return go.Figure(data=traces, layout=layout)


def _label(row: Row, *, revealed: bool) -> str:
    near = pm(row[HALF]) if revealed else "<b>?</b>"
    return f"<b>{plain(row[MEMBER], 20)}</b> {row[SIZE]:,}<br>{near}"


def _as_exact(row: Row, name: str) -> str:
    """A mean with as many decimals as its ± has."""
    return fixed(row[name], decimals(row[HALF]))


def _bar(at: float, row: Row, style: TierStyle, part: float) -> go.Scatter:
    """Where this part of the noise of the mean falls, around the true mean."""
    x, y = np.array([-1, 1, 1, -1]) * part * row[HALF] + row[TRUE], at + THICK * SQUARE
    fill = {"fill": "toself", "fillcolor": rgba(style.colour, STRONG)}
    return go.Scatter(x=x, y=y, mode="none", name="noise", hoverinfo="skip", **fill)


def _truth(rows: list[tuple[float, Row]]) -> go.Scatter:
    """A tick per row at the true mean."""
    x = [place for _, row in rows for place in (row[TRUE], row[TRUE], None)]
    y = [place for at, _ in rows for place in (at - THICK - OUT, at + THICK + OUT, None)]
    return go.Scatter(x=x, y=y, mode="lines", name="truth", line={"width": 2}, hoverinfo="skip")


def _heard(at: float, row: Row, style: TierStyle, *, last: bool) -> go.Scatter:
    marker = {"size": 10 if last else 13, "symbol": style.marker, "color": style.colour}
    sure, name = percent(ACCURACY_CONFIDENCE), plain(row[MEMBER], 40)
    says = (
        f"<b>{name}</b>: the reports average {_as_exact(row, MEAN)}, the answers "
        f"{_as_exact(row, TRUE)}.<br>{sure} of such averages are within {pm(row[HALF])}."
        "<extra></extra>"
    )
    place = {"x": [row[MEAN]], "y": [at], "name": name, "cliponaxis": False}
    return go.Scatter(**place, mode="markers", marker=marker, hovertemplate=says)


def _numbers(at: float, row: Row, *, last: bool) -> list[dict[str, Any]]:
    """The mean above its mark; in the last row at the end of the bar, with the true one above."""
    said = f"<b>{_as_exact(row, MEAN)}</b>"
    above = {"yanchor": "bottom", "yshift": 2, "align": "center", "xanchor": "center"}
    if not last:
        return [note(said, row[MEAN], at + THICK, font={"size": 16}, **above)]
    words = f"the truth: {_as_exact(row, TRUE)}"
    end = max(row[TRUE] + row[HALF], row[MEAN])
    return [
        note(said, end, at, xshift=10, font={"size": 26}),
        note(words, row[TRUE], at + THICK + OUT, font={"size": 15}, **above),
    ]
