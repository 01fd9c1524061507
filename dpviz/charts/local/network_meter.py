"""The meter "max, not sum": what a coalition has learned, and what it would have learned.

Numbers of one path are nested bars, the larger the thicker: the largest counts. With noise of their
own they would stand end to end.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.labels import note, pixels
from dpviz.charts.tidy import require_columns
from dpviz.errors import ParameterError
from dpviz.palette import MOST, TierStyle
from dpviz.words import aligned, plain, significant

METER = ("row", "tier", "start", "stop", "slot", "symbol", "label", "total", "letter")
HEIGHT, NARROWEST = 150, 240  # pixels: of the figure; the least width it is drawn at
TOTAL = 22  # size of the type of the totals
THICK = 0.44  # of the distance between the two rows


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """One number of several that are compared, and what it may tell."""

    name: str
    loss: float
    slot: int
    symbol: int

    def __post_init__(self) -> None:
        checks.non_negative(loss=self.loss)
        checks.whole(0, slot=self.slot, symbol=self.symbol)


def meter_frame(
    spent: Sequence[Spent], *, letter: str, total: float, independent: Sequence[float]
) -> pd.DataFrame:
    """Segments of the meter "max, not sum"; columns `METER`.

    Args:
        spent: the numbers, ascending, in the currency of the totals.
        letter: that currency, ρ or ε.
        total: loss of all taken together.
        independent: where each number would end if all had noise of their own, one after another.
    """
    starts = (0.0, *independent[:-1])
    rows = [
        (row, s.name, start, stop, s.slot, s.symbol, s.name, end, letter)
        for row, segments, end in (
            ("lossless", [(s, 0.0, s.loss) for s in spent], total),
            ("independent", zip(spent, starts, independent, strict=True), independent[-1]),
        )
        for s, start, stop in segments
    ]
    return pd.DataFrame(rows, columns=list(METER))


def meter(frame: pd.DataFrame) -> go.Figure:
    """Draw the two rows "lossless" and "independent", with their totals at their ends.

    Args:
        frame: one row per segment. Columns: row ("lossless" or "independent"), tier, start, stop
            (on the axis of the privacy loss), slot, symbol, label (the name on hover), total (of
            its row; not finite: no guarantee), letter ("ρ" or "ε").

    Raises:
        ParameterError: a column or one of the two rows is missing.

    >>> alone = {"tier": "audit", "start": 0.0, "stop": 1.0, "slot": 2, "symbol": 0,
    ...     "label": "audit", "total": 1.0, "letter": "ρ"}
    >>> fig = meter(pd.DataFrame([{"row": r, **alone} for r in ("lossless", "independent")]))
    >>> [note.text for note in fig.layout.annotations][::2], fig.data[0].width[0]
    (['here: only the largest matters', 'separate noise for each: they add up'], np.float64(0.44))
    """
    require_columns(frame, *METER)
    parts = [frame[frame["row"] == row] for row in ("lossless", "independent")]
    if any(part.empty for part in parts):
        raise ParameterError('the frame lacks a row: pass both "lossless" and "independent"')
    letter = plain(frame["letter"].iloc[0])
    totals = [float(part["total"].iloc[0]) for part in parts]
    texts = [_total(text, letter) for text in aligned(totals)]
    reserve = min((max(pixels(text, TOTAL, bold=True) for text in texts) + 18) / NARROWEST, 0.6)
    ends = [_reach(part) for part in parts]
    layout: dict[str, Any] = {
        "barmode": "overlay",
        "height": HEIGHT,
        "margin": {"t": 4, "b": 4, "l": 0},
        "annotations": _texts(texts, ends),
        "xaxis": {
            "range": (0, _reach(frame) / (1 - reserve)),
            "visible": False,
            "fixedrange": True,
        },
        "yaxis": {"visible": False, "range": (-1.4, 0.64), "fixedrange": True},
    }
    bars = [_nested(parts[0], letter, texts[0]), _end_to_end(parts[1], letter, texts[1])]
    return go.Figure(data=bars, layout=layout)


def _total(text: str, letter: str) -> str:
    return f"{letter}\u00a0=\u00a0{text}" if text[:1].isdigit() else "no guarantee"


def _reach(frame: pd.DataFrame) -> float:
    """The right end of the longest bar."""
    stops = frame["stop"].to_numpy(float)
    return float(stops[np.isfinite(stops)].max(initial=0.0)) or 1.0


def _nested(part: pd.DataFrame, letter: str, total: str) -> go.Bar:
    """Largest first, so that it lies behind."""
    part = part.sort_values("stop", ascending=False, kind="stable")
    thickness = THICK * (1 - np.arange(len(part)) / len(part))
    sentences = [
        f"<b>{plain(name)}</b>: {letter} = {significant(loss)}.<br>"
        f"All together: a privacy loss of at most {total}."
        for name, loss in zip(part["label"], part["stop"] - part["start"], strict=True)
    ]
    return _bar(part, 0.0, thickness, sentences)


def _end_to_end(part: pd.DataFrame, letter: str, total: str) -> go.Bar:
    sentences = [
        f"<b>{plain(name)}</b> would add {letter} = {significant(loss)}.<br>"
        f"All together would have cost at most {total}."
        for name, loss in zip(part["label"], part["stop"] - part["start"], strict=True)
    ]
    return _bar(part, -1.0, np.full(len(part), THICK), sentences).update(opacity=0.7)


def _bar(part: pd.DataFrame, y: float, thickness: Any, sentences: list[str]) -> go.Bar:
    styles = zip(part["slot"], part["symbol"], strict=True)
    crowded = len(part) > MOST  # neighbours share a colour
    start, stop = (part[name].to_numpy(float) for name in ("start", "stop"))
    return go.Bar(
        base=start,
        x=np.where(np.isfinite(stop - start), stop - start, 0.0),
        y=np.full(len(part), y),
        width=thickness,
        orientation="h",
        marker={
            "color": [TierStyle(int(slot), int(symbol)).colour for slot, symbol in styles],
            "line": {"width": 0.75 if crowded else 0},
        },
        name=plain(part["row"].iloc[0]),
        hovertext=sentences,
        hoverinfo="text",
    )


def _texts(totals: list[str], ends: list[float]) -> list[dict[str, Any]]:
    """What each row is, above its bar, and what it comes to where the bar ends."""
    heads = ("here: only the largest matters", "separate noise for each: they add up")
    notes = []
    for row, (head, total) in enumerate(zip(heads, totals, strict=True)):
        notes.append(note(head, 0, 0.25 - row, xref="paper", yanchor="bottom"))
        notes.append(note(f"<b>{total}</b>", ends[row], -row, xshift=8, font={"size": TOTAL}))
    return notes
