"""One event on two tables: how often it happened, and how often it may happen at most."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.labels import beyond, note, upright
from dpviz.charts.tidy import require_columns
from dpviz.experiments.audit import Counted
from dpviz.palette import BEYOND, GREY, rgba
from dpviz.words import percent

TABLE, SHARE, PROVED, ALLOWED = "table", "share", "proved", "allowed"
EVENT = (TABLE, SHARE, PROVED, ALLOWED)
WITHOUT, WITH = "without Maria", "with Maria"
HEIGHT, PHONE_PLOT, LIGHT = 210, 200.0, 0.55
ZONE, RISE = (0.0, 0.47), 0.57  # of the height: around the lower bar; the line rises above it,
# beside its words, or it would be missed where it runs over the bar
TOO_MUCH = "too much"
LEFT_OF_IT = {"xanchor": "right", "align": "right", "xshift": -6}
UNSEEN, RARE = 0.005, 0.001  # of the axis: shorter bars are not seen; of the runs: almost never
WIDE = 0.18  # of the axis: what a number beside a bar takes on a phone


def event_frame(counted: Counted, allowed: float) -> pd.DataFrame:
    """An event on the table where it should be rare, then on the other one.

    Columns: table, share (counted), proved (the end of the interval that the proof uses), allowed
    (the most that the promise lets the second one have).

    Args:
        counted: the event and its counts.
        allowed: the most for the second table, at the end of the interval of the first.

    Raises:
        ParameterError: `allowed` is not between 0 and 1.

    >>> from dpviz.experiments.audit_events import Event, Seen
    >>> seen = Counted(Event(Seen("number", (0,)), 0.0, True, True), 900, 100, 1000, 0.001)
    >>> event_frame(seen, 0.36).round(2)[["table", "share", "allowed"]].values.tolist()
    [['without Maria', 0.1, 0.36], ['with Maria', 0.9, 0.36]]
    """
    checks.between(0, 1, allowed=allowed)
    tables = (WITHOUT, WITH) if counted.event.inside else (WITH, WITHOUT)
    shares = (counted.other / counted.runs, counted.likelier / counted.runs)
    proved = (counted.at_most, counted.at_least)
    rows = zip(tables, shares, proved, strict=True)
    return pd.DataFrame([(*row, allowed) for row in rows], columns=list(EVENT))


def event_bars(frame: pd.DataFrame) -> go.Figure:
    """Draw both shares, and the line that the second one must not reach.

    Args:
        frame: as `event_frame` makes it.

    Raises:
        ParameterError: a column is missing.

    >>> rows = [("without Maria", 0.1, 0.12, 0.3), ("with Maria", 0.5, 0.48, 0.3)]
    >>> fig = event_bars(pd.DataFrame(rows, columns=list(EVENT)))
    >>> [bar.name for bar in fig.data], fig.layout.shapes[0].x0
    (['without Maria', 'with Maria'], 0.3)
    """
    require_columns(frame, *EVENT)
    allowed = float(frame[ALLOWED].iloc[0])
    furthest = max(allowed, float(frame[[SHARE, PROVED]].to_numpy().max()))
    rows = frame.to_dict("records")
    texts = [percent(share) for share in frame[SHARE]]
    bars = [_bar(place, row, texts[place]) for place, row in enumerate(rows)]
    after = (_rarely(rows[0], furthest), _verdict(rows[-1]))
    beside = [  # beyond bar, whisker and line, so that it stands on nothing
        note(
            f"<b>{text}</b>{more}",
            _clear(max(row[SHARE], row[PROVED]), allowed, furthest),
            row[TABLE],
            xshift=5,
        )
        for row, text, more in zip(rows, texts, after, strict=True)
    ]
    low, high = beyond(0.0, furthest, [*texts, TOO_MUCH], PHONE_PLOT)
    dashed = upright(allowed, {"width": 2, "dash": "6px 3px", "color": GREY}, layer="above")
    zone = {"type": "rect", "x0": allowed, "x1": high, "yref": "y domain", "layer": "below"}
    zone |= {"fillcolor": rgba(BEYOND, 0.22), "line": {"width": 0}}
    low_edge, high_edge = ZONE
    layout: dict[str, Any] = {
        "height": HEIGHT,
        "margin": {"t": 8, "b": 40, "r": 8},
        "bargap": 0.35,
        "shapes": [
            dashed | {"y0": low_edge, "y1": RISE},
            zone | {"y0": low_edge, "y1": high_edge},
        ],
        "annotations": [*beside, *_sides(allowed, furthest)],
        "xaxis": {
            "range": (low, high),
            "tickformat": ".3~%",
            "nticks": 5,
            "title": {"text": "share of runs in which the clue is seen"},
            "fixedrange": True,
        },
        "yaxis": {"autorange": "reversed", "fixedrange": True, "type": "category"},
    }
    return go.Figure(data=bars, layout=layout)


def _verdict(row: dict[str, Any]) -> str:
    """Words below a second share beyond the line; it is too much where that is proved."""
    if row[PROVED] > row[ALLOWED]:
        return f"<br>{TOO_MUCH}"
    return "" if row[SHARE] <= row[ALLOWED] else "<br>not proved yet"


def _rarely(row: dict[str, Any], furthest: float) -> str:
    """Words in place of a bar that nobody sees."""
    if row[SHARE] > UNSEEN * furthest or row[SHARE] > RARE:
        return ""
    return " (almost never)" if row[SHARE] else " (never)"


def _sides(allowed: float, furthest: float) -> list[dict[str, Any]]:
    """What either side of the line is called; both words, or one where there is room for one."""
    over: dict[str, Any] = {"yref": "y domain", "yanchor": "bottom", "yshift": 2}
    if allowed >= 1:
        return [note("all is allowed", 1, ZONE[1], **over | LEFT_OF_IT)]
    if allowed <= 0.5 * furthest:
        return [note(f"{TOO_MUCH}: above {percent(allowed)}", allowed, ZONE[1], **over, xshift=6)]
    return [
        note(f"allowed: up to {percent(allowed)}", allowed, ZONE[1], **over | LEFT_OF_IT),
        note(TOO_MUCH, allowed, ZONE[1], **over, xshift=6),
    ]


def _clear(end: float, allowed: float, furthest: float) -> float:
    """Where a number beside a bar begins: behind the line, if the line would run through it."""
    return allowed if 0 <= allowed - end < WIDE * furthest else end


def _bar(place: int, row: dict[str, Any], text: str) -> go.Bar:
    more = place == 0  # the proof needs an upper end here, and a lower one there
    marker: dict[str, Any] = {"color": rgba(GREY, LIGHT)} if more else {}
    reach = abs(row[PROVED] - row[SHARE])
    whisker = {
        "type": "data",
        "symmetric": False,
        "array": [reach if more else 0.0],
        "arrayminus": [0.0 if more else reach],
        "thickness": 2,
        "width": 6,
        "color": GREY,
    }
    side = "at most" if more else "at least"
    return go.Bar(
        x=[row[SHARE]],
        y=[row[TABLE]],
        orientation="h",
        name=row[TABLE],
        marker=marker,
        error_x=whisker,
        hovertemplate=f"The clue was there in {text} of the runs {row[TABLE]}; proved: {side} "
        f"{percent(row[PROVED])}.<extra></extra>",
    )
