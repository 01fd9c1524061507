"""The numbers of a class in the cone below the truth, and the one number that all come to.

Left and right is the number; the higher, the sharper: y is the standard deviation of the noise, as
in `dpviz.charts.threads`. With separate noise a thread leads from the truth to every number, and
all numbers together climb towards the truth. On one path a single thread leads down from number to
number, and together they are where the sharpest is.
"""

from collections.abc import Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import note, rule, tag, ticks
from dpviz.charts.threads import MORE_NOISE, blur, number_of
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, REGION, rgba
from dpviz.scenes.classroom import COLUMNS, TRUTH, Drawn, Pool, Row
from dpviz.words import join, plain, pm
from dpviz.words.grammar import several

HEIGHT, TOP, BOTTOM = 372, 12, 50  # pixels of the figure, above and below the plot
PLOT = 215  # pixels of the plot on a phone
ROOM = 1.18  # of the cone, to its sides, at the noisiest row
SIZE, LARGE, LETTERS = 13, 24, 28  # pixels: a number, all together, and what is written there
LINE_HEIGHT, REACHES = 110, 0.35  # pixels, and how strong the line: of one number alone
RING = 36  # pixels of the ring of all together: around a number, and clear of the next row
FAINT, CLEAR = 0.28, 0.9  # how strong a thread of many is, and a number
TOGETHER = "together"
COUNTED = "people with high blood pressure"


def numbers(
    frame: pd.DataFrame,
    rows: Sequence[Row],
    pool: Pool | None,
    *,
    is_one_path: bool,
    is_told: bool,
    reach: float = 0.0,
) -> Picture:
    """Draw the numbers of a round, and what they come to.

    Args:
        frame: a row for each number; columns `COLUMNS`.
        rows: a row of the cone for each tier, the sharpest first.
        pool: the number that all come to, where there is one.
        is_one_path: whether all numbers are on one path.
        is_told: whether the truth is told, and with it the figures of the axis.
        reach: how far from the truth a number is, of this picture or of the one beside it.

    Raises:
        ParameterError: a column is missing, or the reach is negative.

    >>> rows, look = [Row(tier="audit", sd=1.118, half=2.192)], {"is_one_path": False}
    >>> numbers(pd.DataFrame(columns=list(COLUMNS)), rows, None, is_told=False, **look).alt
    'Below the truth an empty cone: nobody has drawn yet.'
    """
    if len(frame):
        require_columns(frame, *COLUMNS)
    checks.non_negative(reach=reach)
    bottom = rows[-1]
    span = max(ROOM * bottom.half, 1.04 * reach)
    across, foot = (TRUTH - span, TRUTH + span), 1.06 * bottom.sd
    down = (foot, -0.055 * foot)
    sides = {
        "x": [TRUTH, TRUTH - bottom.half * 1.06, TRUTH + bottom.half * 1.06],
        "y": [0, foot, foot],
    }
    fill: dict[str, Any] = {"fill": "toself", "fillcolor": REGION}
    traces = [go.Scatter(**sides, mode="none", name="cone", hoverinfo="skip", **fill)]
    traces += [
        blur(row.tier, row.style.colour, sd=row.sd, middle=TRUTH, ink=rows[0].sd) for row in rows
    ]
    sds = {row.tier: row.sd for row in rows}
    traces += _path(frame, sds) if is_one_path else _threads(frame, sds)
    traces += [_marks(frame, row) for row in rows if (frame["tier"] == row.tier).any()]
    traces += [*([_together(pool)] if pool else []), _truth()]
    truth = f"the truth: {TRUTH:.0f}" if is_told else "the truth: ?"
    notes = [note(f"<b>{truth}</b>", TRUTH, 0, xshift=12, font={"size": 15})]
    notes += _said(pool) if pool else []
    figures = ticks(*across, room=PLOT) if is_told else {"showticklabels": False}
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": BOTTOM, "r": 4},
        "annotations": notes,
        "shapes": [rule(row.sd) for row in rows],
        "xaxis": {"range": across, "showgrid": False, "fixedrange": True}
        | figures
        | {"title": {"text": COUNTED}},
        "yaxis": {"range": down, "fixedrange": True, "tickfont": {"size": 14}}
        | {"tickvals": [down[1], *sds.values()]}
        | {"ticktext": [MORE_NOISE, *(_label(frame, row, is_one_path) for row in rows)]},
    }
    return Picture(go.Figure(data=traces, layout=layout), _alt(frame, rows, pool, is_told=is_told))


def _label(frame: pd.DataFrame, row: Row, is_one_path: bool) -> str:
    """A tier, and before it how many numbers there are, or for how many there is one."""
    label = f"{tag(row.style, plain(row.tier, 16))} {pm(row.half)}"
    count = int((frame["tier"] == row.tier).sum())
    if not count:
        return label
    return f"1 for {count:,}: {label}" if is_one_path and count > 1 else f"{count:,} × {label}"


def _threads(frame: pd.DataFrame, sds: dict[str, float]) -> list[go.Scatter]:
    """From the truth to every number, faint: they are many."""
    x: list[float | None] = []
    y: list[float | None] = []
    for tier, value in zip(frame["tier"], frame["value"], strict=True):
        x += [TRUTH, value, None]
        y += [0.0, sds[tier], None]
    line = {"width": 1.5, "color": rgba(GREY, 2 * FAINT)}
    return [go.Scatter(x=x, y=y, mode="lines", name="threads", line=line, hoverinfo="skip")]


def _path(frame: pd.DataFrame, sds: dict[str, float]) -> list[go.Scatter]:
    """From the truth to the sharpest number, and on from each to the next; in the ink."""
    held = dict(zip(frame["tier"], frame["value"], strict=True))
    stops = [(TRUTH, 0.0), *((held[tier], sd) for tier, sd in sds.items() if tier in held)]
    x, y = zip(*stops, strict=True)
    line = {"width": 2}
    return [go.Scatter(x=x, y=y, mode="lines", name="path", line=line, hoverinfo="skip")]


def _marks(frame: pd.DataFrame, row: Row) -> go.Scatter:
    own = frame[frame["tier"] == row.tier]
    marker = {"size": SIZE, "symbol": row.style.marker, "color": row.style.colour}
    marker |= {"opacity": CLEAR, "line": {"width": 0}}
    told = [
        f"<b>{plain(who, 40)}</b>, {plain(row.tier, 40)}: {number_of(value)}<extra></extra>"
        for who, value in zip(own["who"], own["value"], strict=True)
    ]
    at = {"x": own["value"].tolist(), "y": [row.sd] * len(own), "cliponaxis": False}
    return go.Scatter(**at, mode="markers", name=row.tier, marker=marker, hovertemplate=told)


def _together(pool: Pool) -> go.Scatter:
    """All together: without a colour, so in the ink of the page."""
    far = f"95 times in 100 within {pm(pool.half)} of the truth"
    told = f"<b>{TOGETHER}</b>: {number_of(pool.value)}; {far}<extra></extra>"
    look: dict[str, Any] = {"marker": {"size": RING, "symbol": "circle-open", "line": {"width": 2}}}
    place = {"x": [pool.value], "y": [pool.sd], "cliponaxis": False}
    return go.Scatter(**place, mode="markers", name=TOGETHER, hovertemplate=told, **look)


def _truth() -> go.Scatter:
    look: dict[str, Any] = {"marker": {"size": SIZE}, "hoverinfo": "skip", "cliponaxis": False}
    return go.Scatter(x=[TRUTH], y=[0.0], mode="markers", name="the truth", **look)


def _said(pool: Pool) -> list[dict[str, Any]]:
    """The number of all, large, in the upper left corner, where no number ever is."""
    corner = {"xref": "paper", "yref": "paper", "yanchor": "top", "xshift": 14}
    words = f"○ {TOGETHER}, {pm(pool.half)}"
    value = f"<b>{number_of(pool.value)}</b>"
    return [
        note(words, 0, 1, font={"size": 15}, **corner),
        note(value, 0, 1, font={"size": LETTERS}, yshift=-20, **corner),
    ]


def _alt(frame: pd.DataFrame, rows: Sequence[Row], pool: Pool | None, *, is_told: bool) -> str:
    """The same as a text."""
    truth = f"the truth, {TRUTH:.0f}," if is_told else "the truth"
    if pool is None:
        return f"Below {truth} an empty cone: nobody has drawn yet."
    told = []
    for row in rows:
        held = frame.loc[frame["tier"] == row.tier, "value"].tolist()
        if held:
            ends = dict.fromkeys(number_of(x) for x in (min(held), max(held)))
            told.append(
                f"{row.tier} {several(len(held), 'number', 'numbers')}, {' to '.join(ends)}"
            )
    return (
        f"Below {truth} a cone with {join(told)}. Together they come to "
        f"{number_of(pool.value)}, {pm(pool.half)}."
    )


def own(drawn: Drawn) -> Picture:
    """Draw the number of one student on a line, within the reach of its noise.

    >>> own(Drawn(who="Wise Owl", tier="audit", value=311.2)).alt
    'A dot at 311.2 on a line from 309.0 to 313.4.'
    """
    low, high = drawn.value - drawn.half, drawn.value + drawn.half
    across, colour = (low - 0.35 * drawn.half, high + 0.35 * drawn.half), drawn.style.colour
    marker = {"size": LARGE, "symbol": drawn.style.marker, "color": colour}
    look = {"hoverinfo": "skip", "cliponaxis": False}
    line = {"width": 6, "color": rgba(colour, REACHES)}
    figure = go.Figure(
        data=[
            go.Scatter(x=[low, high], y=[0, 0], mode="lines", name="reach", line=line, **look),
            go.Scatter(x=[drawn.value], y=[0], mode="markers", name="own", marker=marker, **look),
        ],
        layout={
            "height": LINE_HEIGHT,
            "margin": {"t": 0, "b": BOTTOM, "l": 0, "r": 4},
            "xaxis": {"range": across, "showgrid": False, "fixedrange": True}
            | ticks(*across)
            | {"title": {"text": COUNTED}},
            "yaxis": {"visible": False, "fixedrange": True, "range": (-1, 1)},
        },
    )
    ends = " to ".join(map(number_of, (low, high)))
    return Picture(figure, f"A dot at {number_of(drawn.value)} on a line from {ends}.")
