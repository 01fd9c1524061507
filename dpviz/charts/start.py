"""Two pictures that only Start has: blurred bars, and a number drawn between two others."""

from collections.abc import Mapping, Sequence

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note
from dpviz.charts.threads import blur, threads
from dpviz.palette import TierStyle
from dpviz.scenes.threads import SD, STATE, STYLE, TO_COME, TRUTH, VALUE, WHO
from dpviz.words import plain

BESIDE = 0.25  # people: of the axis beside the truth
UNKNOWN = "<b>?</b>"  # in place of a name


def blurs(frame: pd.DataFrame, *, ticks: Mapping[float, str]) -> go.Figure:
    """Draw numbers below their truth, each on the bar where such numbers fall.

    The row of a number that is to come does not say whose it is.

    Args:
        frame: as `threads_frame` makes it, with a truth.
        ticks: words at places of the horizontal axis.

    Raises:
        ParameterError: a column is missing.

    >>> from dpviz.scenes.threads import Mark, threads_frame
    >>> mark = Mark(who="audit", rho=0.4, style=TierStyle(11, 3), value=310.6)
    >>> fig = blurs(threads_frame([mark], ("the truth", 312.0)), ticks={312.0: "312"})
    >>> [trace.name for trace in fig.data]
    ['cone', 'blur of audit', 'audit', 'the truth']
    """
    fig = threads(frame, ticks=ticks, guesses=False)
    middle = float(frame.loc[frame[STATE] == TRUTH, VALUE].iloc[0])
    rows = frame[frame[STATE] != TRUTH].to_dict("records")
    drawn = [row for row in rows if row[STATE] != TO_COME]
    sharpest = min(row[SD] for row in rows)
    cone, *marks = fig.data
    bars = [
        blur(row[WHO], row[STYLE].colour, sd=row[SD], middle=middle, ink=sharpest) for row in drawn
    ]
    layout = fig.layout
    layout.yaxis.ticktext = [
        UNKNOWN if sd in {row[SD] for row in rows if row not in drawn} else words
        for sd, words in zip(layout.yaxis.tickvals, layout.yaxis.ticktext, strict=True)
    ]
    return go.Figure(data=[cone, *bars, *marks], layout=layout)


def plucked(
    frame: pd.DataFrame,
    string: pd.DataFrame | None,
    style: TierStyle,
    *,
    pins: Sequence[str],
    truth: tuple[str, float],
    ticks: Mapping[float, str],
    holds: Sequence[float],
) -> go.Figure:
    """Draw numbers on their path below a thin line at the truth, which is higher up.

    Args:
        frame: as `threads_frame` makes it, without a truth.
        string: bands between two of the numbers, as `string_frame` makes them; None before
            anything is drawn there.
        style: look of the tier whose number is drawn there.
        pins: who holds the numbers around it, which are ringed.
        truth: what it is called, and the true number.
        ticks: words at places of the horizontal axis.
        holds: places that the axis holds from the start, so that it stays as it is.

    Raises:
        ParameterError: a column is missing.
    """
    name, middle = truth
    fig = threads(
        frame,
        ticks=ticks,
        string=string,
        pinned=style,
        guesses=False,
        holds=(middle - BESIDE, middle + BESIDE, *holds),
        rings=pins,
    )
    side = "right" if middle > sum(fig.layout.xaxis.range) / 2 else "left"  # its words are inside
    words = {"yref": "paper", "yanchor": "bottom", "xanchor": side, "font": {"size": 15}}
    fig.add_annotation(note(f"<b>{plain(name, 40)}</b>", middle, 1, **words))
    line = {"x": [middle, middle], "y": list(fig.layout.yaxis.range), "line": {"width": 1}}
    true = go.Scatter(**line, mode="lines", name=plain(name, 40), hoverinfo="skip")
    return go.Figure(data=[true, *fig.data], layout=fig.layout)
