"""Which groups are still readable at which tier: a row per group, a column per tier.

A readable number has the tier's full symbol and its relative error below it; one that drowns in
noise has the hollow symbol and its error in brackets. So the two differ without any colour. Names
too long to stand beside one another stand by turns on two lines; where the columns are too narrow
for any, each has its tier's place in the plan as a number, and the page says who that is.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import LETTER, PHONE, note, pixels, rule, tag, wrapped
from dpviz.charts.tidy import Tier, require_columns, tiers
from dpviz.scenes.tiers import READABLE
from dpviz.words import NARROW, number, percent, plain, pm, rounded_up

MOST = 30  # groups; of more the smallest are shown
MOST_TIERS = 16  # columns; of more every few are shown, the first and the last among them
TEXTS_FROM = 52.0  # pixels between two tiers, below which only the symbols fit
MARGIN = 24.0  # pixels: half a long name of the last tier goes over the edge
TALL, LOW, HEAD = 46.0, 26.0, 44.0  # pixels: a row with texts, one without, the names on top
TWO_LINES = 40.0  # pixels: a row without texts whose group's name is broken in two


def readable_chart(frame: pd.DataFrame) -> go.Figure:
    """Draw a symbol per group and tier, full where the group is readable.

    Args:
        frame: one row per group and tier, most private tier first; columns `READABLE`.

    Raises:
        ParameterError: a column is missing or there is no row.

    >>> from dpviz.palette import TierStyle
    >>> frame = pd.DataFrame({"group": ["a", "b"], "tier": "audit", "size": [100.0, 10.0],
    ...     "relative": [0.05, 0.5], "readable": [True, False], "style": TierStyle(2, 0)})
    >>> list(readable_chart(frame).data[0].marker.symbol)
    ['circle', 'circle-open']
    """
    require_columns(frame, *READABLE)
    groups = shown_groups(frame)
    shown = frame[frame["group"].isin(groups)]
    found = tiers(shown)
    places = shown_places(len(found))
    everybody = [found[place] for place in places]
    names = [wrapped(group) for group in groups]
    pitch = _pitch(groups, len(everybody))
    wordy = pitch >= TEXTS_FROM
    broken = any("<br>" in text for text, _ in names)
    row = TALL if wordy else TWO_LINES if broken else LOW
    rows = {group: HEAD + row * (rank + 0.5) for rank, group in enumerate(groups)}
    bottom = HEAD + row * len(groups)
    notes = _names(everybody, pitch) if wordy else _numbers(everybody, places)
    traces = []
    for rank, tier in enumerate(everybody):
        traces.append(_column(tier, rank, rows, shift=8 if wordy else 0))
        notes += _errors(tier, rank, rows) if wordy else []
    layout = {
        "height": round(8 + bottom),
        "margin": {"t": 4, "b": 4, "r": MARGIN - 8},
        "annotations": notes,
        "shapes": [rule(height - row / 2) for height in rows.values()],
        "xaxis": {"visible": False, "range": (-0.5, len(everybody) - 0.5)},
        "yaxis": {
            "range": (bottom, 0),
            "tickvals": list(rows.values()),
            "ticktext": [text for text, _ in names],
            "tickfont": {"size": 13},
        },
    }
    return go.Figure(data=traces, layout=layout)


def shown_groups(frame: pd.DataFrame) -> list[Any]:
    """All groups as listed; of more than 30 the smallest, as listed.

    Columns: group, size.

    >>> many = pd.DataFrame({"group": range(31), "size": range(31)})
    >>> shown_groups(many)[-1]
    29
    """
    each = frame.drop_duplicates("group")
    smallest = np.argsort(each["size"].to_numpy(float), kind="stable")[:MOST]
    return list(each["group"].iloc[np.sort(smallest)])


def shown_places(count: int) -> list[int]:
    """Which of `count` tiers have a column, from 0: all up to 16; of more, every few and both ends.

    >>> shown_places(3), shown_places(31)[:4]
    ([0, 1, 2], [0, 2, 4, 6])
    """
    shown = min(count, MOST_TIERS)
    return [round(i * (count - 1) / max(shown - 1, 1)) for i in range(shown)]


def has_names(groups: Sequence[object], count: int) -> bool:
    """Whether the columns of this many tiers are wide enough for their names.

    >>> has_names(["a", "b"], 4), has_names(["a", "b"], 30)
    (True, False)
    """
    return _pitch(groups, count) >= TEXTS_FROM


def _pitch(groups: Sequence[object], count: int) -> float:
    """Pixels from one tier's column to the next, on a phone."""
    longest = max(wrapped(group)[1] for group in groups)
    return (PHONE - MARGIN - longest) / min(count, MOST_TIERS)


def _names(everybody: list[Tier], pitch: float) -> list[dict[str, Any]]:
    """Symbol above name; where names are too long for that, symbol and name on two lines by turns.

    By turns a name has the room of two columns, at the right end only that up to the edge.
    """
    if all(pixels(str(tier.key), bold=True) <= pitch for tier in everybody):
        texts = [tag(t.style, t.name).replace("</span> ", "</span><br>") for t in everybody]
        return [_head(text, rank, HEAD / 2) for rank, text in enumerate(texts)]
    notes = []
    for rank, tier in enumerate(everybody):
        room = min(2 * pitch, pitch + 2 * MARGIN) if rank == len(everybody) - 1 else 2 * pitch
        name = tier.short(max(3, int(room / (1.1 * LETTER)) - 3))  # the symbol takes two
        notes.append(_head(tag(tier.style, name), rank, HEAD * (0.25 + 0.5 * (rank % 2))))
    return notes


def _numbers(everybody: list[Tier], places: list[int]) -> list[dict[str, Any]]:
    """The symbol, and below it the tier's place in the plan, from 1: symbols may repeat."""
    marks = [tag(t.style, str(p + 1)) for t, p in zip(everybody, places, strict=True)]
    texts = [mark.replace("</span> ", "</span><br>") for mark in marks]
    return [_head(text, rank, HEAD / 2, size=11) for rank, text in enumerate(texts)]


def _head(text: str, rank: int, y: float, *, size: int = 13) -> dict[str, Any]:
    return note(text, rank, y, xanchor="center", align="center", font={"size": size})


def _column(tier: Tier, rank: int, rows: dict[Any, float], *, shift: float) -> go.Scatter:
    own, style = tier.rows, tier.style
    full = own["readable"].to_numpy(bool)
    sentences = [
        f"<b>{tier.name}</b> sees {plain(group, 40)}, expected size {number(size)},<br>"
        f"{'to within ' * (relative > 0)}{error(relative)}: {'' if good else 'not '}readable."
        for group, size, relative, good in zip(
            own["group"], own["size"], own["relative"], full, strict=True
        )
    ]
    return go.Scatter(
        x=np.full(len(own), rank),
        y=[rows[group] - shift for group in own["group"]],
        mode="markers",
        name=tier.name,
        marker={
            "color": style.colour,
            "symbol": np.where(full, style.marker, f"{style.marker}-open"),
            "size": 13,
            "line": {"width": np.where(full, 0, 2)},
        },
        hovertext=sentences,
        hoverinfo="text",
    )


def _errors(tier: Tier, rank: int, rows: dict[Any, float]) -> list[dict[str, Any]]:
    own = tier.rows
    cells = zip(own["group"], own["relative"], own["readable"], strict=True)
    return [
        note(
            error(relative) if good else f"({error(relative)})",
            rank,
            rows[group] + 11,
            xanchor="center",
            font={"size": 12},
        )
        for group, relative, good in cells
    ]


def error(relative: float) -> str:
    """A relative error as per cent, at most "over 999 %".

    >>> error(0.1234).replace(NARROW, " "), error(14.0).replace(NARROW, " "), error(0.0)
    ('±13 %', '> 999 %', 'usually exact')
    """
    if relative == 0:
        return pm(relative)
    if relative >= 10:
        return f">{NARROW}999{NARROW}%"
    return f"±{percent(rounded_up(relative))}"
