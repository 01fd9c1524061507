"""Pictures of the page Data: how far one person moves each number, and what the bounds cost."""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpviz.charts.forms.bar_rows import BAR_ROWS, bar_rows
from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import note, signed, wrapped
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, rgba
from dpviz.queries import KeptRows
from dpviz.scenes.data import COST, INFLUENCE, STAGES
from dpviz.words import clean, number, percent, plain, pm
from dpviz.workspace.takeaways import counted

MOST = 12  # rows; further ones are named in one last row
FEW, SOME = 3, 6  # rows that are high, or half as high
NAMED = 4  # rows of groups that do not move; more share one
HIGH, TALL, ROW = 110.0, 66.0, 40.0  # pixels
BAND = 0.36  # of a row
HEAD_OF_ARROW = 11.0  # pixels
HEAD = 53.0  # above the first row it says what the line is, in pixels
REACH, GAP = 2, 0.06  # of a ruler to either side, and from the line to words, in largest moves
MOST_GROUPS = 30  # whose number the bounds move; of more those that move most are shown


def rulers(
    frame: pd.DataFrame,
    *,
    axis_title: str,
    hidden: str,
    noise: tuple[str, float] | None = None,
    one: str = "person",
) -> Picture:
    """A ruler per number, a line at the exact one, and an arrow as far as one person moves it.

    Where many do not move, they share one last ruler. No number of the table is in the picture.

    Args:
        frame: columns `INFLUENCE`; a number that is not moved has change 0.
        axis_title: quantity and unit of the horizontal axis.
        hidden: what is said of the exact number.
        noise: whose noise is a pale band around the line, and how far it reaches to either side,
            in units of the axis; None: no band.
        one: what is protected.

    Raises:
        ParameterError: if a column is missing.

    >>> frame = pd.DataFrame({"group": ["a", "b"], "change": [1.0, 0.0]})
    >>> rulers(frame, axis_title="people", hidden="count").alt
    'How far one person moves each number at most. a: +1; b: 0.'
    """
    require_columns(frame, *INFLUENCE)
    names, changes, rest = _shown(frame)
    unit = float(np.abs(changes).max()) or 1.0
    rows = np.arange(len(names))
    marks = [mark for row, change in enumerate(changes) for mark in _moved(row, change, one)]
    words = _changes(changes, one)
    band = _band(rows, *noise) if noise else []
    words += [_reach(*noise, changes, unit)] if noise else []
    high = HIGH if len(names) <= FEW else TALL if len(names) <= SOME else ROW
    look = {"xanchor": "center", "font": {"size": 13}}
    words.append(note(plain(hidden), 0, -HEAD / high, **look))
    exact = _exact(-(HEAD - 10) / high, len(names) - 0.5)
    end = len(names) - 0.4
    if rest:
        names.append(f"… and {rest:,} more")
    layout = {
        "height": round(80 + high * len(names)),
        "margin": {"t": 4},
        "annotations": words,
        "xaxis": {"title": {"text": plain(axis_title)}, **_axis(unit)},
        "yaxis": {
            "range": (end + bool(rest), -(HEAD + 10) / high),
            "tickvals": list(range(len(names))),
            "ticktext": names,
            "tickfont": {"size": 14},
        },
    }
    figure = go.Figure(data=[*band, *_rulers(rows, unit), exact, *marks], layout=layout)
    return Picture(figure, _told(frame, noise, one))


def _shown(frame: pd.DataFrame) -> tuple[list[str], NDArray[np.float64], int]:
    """Names and changes of the rows, many still ones as one; how many moved ones are left out.

    >>> frame = pd.DataFrame({"group": list("abcdef"), "change": [1.0] + 5 * [0.0]})
    >>> _shown(frame)[0], _shown(frame[:3])[0]
    (['a', 'each of the<br>other five'], ['a', 'b', 'c'])
    """
    moved = frame[frame["change"] != 0]
    kept, still = moved.iloc[:MOST], frame[frame["change"] == 0]["group"].tolist()
    names = [wrapped(group, 18)[0] for group in kept["group"]]
    if len(still) > NAMED:
        count = counted(len(still))
        names.append(f"each of the<br>other {count}" if names else f"each of {count}")
    else:
        names += [wrapped(group, 18)[0] for group in still]
    changes = np.append(kept["change"].to_numpy(float), np.zeros(len(names) - len(kept)))
    return names, changes, len(moved) - len(kept)


def _band(rows: NDArray[np.int_], whose: str, half: float) -> list[go.Bar]:
    """How far noise carries each number, on either side of the exact one."""
    return [
        go.Bar(
            x=np.full(len(rows), 2 * half),
            base=-half,
            y=rows,
            width=BAND,
            orientation="h",
            name="noise",
            marker={"color": rgba(GREY, 0.3), "line": {"width": 0}},
            hovertext=[f"{plain(whose)} will see a number within {pm(half)}, 95 times in 100."]
            * len(rows),
            hoverinfo="text",
        )
    ]


def _reach(whose: str, half: float, changes: NDArray[np.float64], unit: float) -> dict[str, Any]:
    """How far a tier’s noise reaches, above the first band, on the side where no arrow points."""
    left = changes[0] >= 0
    look = {"xanchor": "right" if left else "left", "yanchor": "bottom", "font": {"size": 15}}
    return note(
        f"{plain(whose, 10)}’s noise: <b>{pm(half)}</b>",
        -GAP * unit if left else GAP * unit,
        -BAND / 2,
        **look,
    )


def _rulers(rows: NDArray[np.int_], unit: float) -> list[go.Scatter]:
    """A line per row, and its ticks."""
    ends, places = REACH + 0.6, np.array([k for k in range(-REACH, REACH + 1) if k]) * unit
    line = [x * unit for x in (-ends, ends, np.nan)]
    return [
        go.Scatter(
            x=np.tile(line, len(rows)),
            y=np.repeat(rows, len(line)),
            mode="lines",
            name="ruler",
            line={"color": GREY, "width": 1.4},
            hoverinfo="skip",
        ),
        go.Scatter(
            x=np.tile(places, len(rows)),
            y=np.repeat(rows, len(places)),
            mode="markers",
            name="ticks",
            marker={
                "symbol": "line-ns",
                "size": 7,
                "color": GREY,
                "line": {"color": GREY, "width": 1.4},
            },
            hoverinfo="skip",
        ),
    ]


def _exact(top: float, bottom: float) -> go.Scatter:
    """The exact number: a thin line in ink, as everywhere; its value is not in the picture."""
    return go.Scatter(
        x=[0, 0], y=[top, bottom], mode="lines", name="exact", line={"width": 1.4}, hoverinfo="skip"
    )


def _moved(row: int, change: float, one: str) -> list[go.Scatter]:
    """The arrow from the line: its way is seen without any colour. Else only words to point at."""
    words = "lowers" if change < 0 else "raises"
    sentence = (
        f"One {plain(one)} {words} this number by at most {number(abs(change))}."
        if change
        else f"This {plain(one)} does not move it."
    )
    mark = go.Scatter(
        x=np.array([change]),
        y=[row],
        mode="markers",
        name="end" if change else "still",
        marker={
            "size": 15,
            "symbol": "arrow-wide",  # its tip is the point
            "angle": -90 if change < 0 else 90,
            "opacity": 1.0 if change else 0.0,
        },
        hovertemplate=f"{sentence}<extra></extra>",
    )
    if not change:
        return [mark]
    arrow = go.Scatter(
        x=np.array([0.0, change]),
        y=[row, row],
        mode="lines",
        name="arrow",
        line={"width": 4, "backoff": HEAD_OF_ARROW},
        hoverinfo="skip",
    )
    return [arrow, mark]


def _changes(changes: NDArray[np.float64], one: str) -> list[dict[str, Any]]:
    """Each change in figures, above its arrow from where it begins, also of those that stay.

    The first that moves says whose it is, and so does the first that stays.
    """
    words: list[dict[str, Any]] = []
    largest = changes[np.argmax(np.abs(changes))]
    for row, change in enumerate(changes):
        first = not np.any(changes[:row].astype(bool) == bool(change))
        whose = f"{'one' if change else 'the same'} {plain(one)}: " * first
        side = "right" if largest < 0 else "left"
        look = {"xanchor": side, "yanchor": "bottom", "font": {"size": 15}}
        text = f"{whose}<b>{signed(change)}</b>"
        words.append(note(text, GAP * (change or largest), row - BAND / 2, **look))
    return words if largest else []


def _axis(unit: float) -> dict[str, object]:
    """Ticks as far from the line as one person moves a number, and further."""
    values = np.arange(-REACH, REACH + 1) * unit
    return {
        "range": (-(REACH + 0.7) * unit, (REACH + 0.7) * unit),
        "tickvals": values,
        "ticktext": [signed(value) if value else "0" for value in values],
        "showgrid": False,
    }


def _told(frame: pd.DataFrame, noise: tuple[str, float] | None, one: str) -> str:
    """The same in words."""
    rows = frame.iloc[:MOST]
    told = [
        f"{clean(group)}: {signed(change)}"
        for group, change in zip(rows["group"], rows["change"], strict=True)
    ]
    told += [f"{len(frame) - MOST:,} more"] if len(frame) > MOST else []
    said = f"How far one {clean(one)} moves each number at most. {'; '.join(told)}."
    return said + (f" Noise for {clean(noise[0])}: {clean(pm(noise[1]))}." if noise else "")


def bounds_moved(frame: pd.DataFrame, *, unit: str) -> Picture:
    """A bar per group, as long as the bounds move its number, which stands behind it with its sign.

    Exact numbers, not private, so everything is grey.

    Args:
        frame: columns `COST`; a difference that is NaN (a mean without rows) has no bar.
        unit: of the numbers.

    Raises:
        ParameterError: a column is missing or there is no row.

    >>> frame = pd.DataFrame([("a", 90.0, 100.0, -10.0)], columns=list(COST))
    >>> bounds_moved(frame, unit="rows").figure.data[0].x
    (10.0,)
    """
    require_columns(frame, *COST)
    size = np.nan_to_num(np.abs(frame["difference"].to_numpy(float)), nan=-1.0)
    shown = frame.iloc[np.sort(np.argsort(-size, kind="stable")[:MOST_GROUPS])]
    rows = [
        ("", group, 0.0, GREY, "no rows", "", "")
        if np.isnan(moved)
        else (
            *("", group, abs(moved), GREY, signed(moved), unit),
            f"Exact, not private: {number(before)}, and {number(after)} after the bounds.",
        )
        for group, after, before, moved in shown[list(COST)].itertuples(index=False)
    ]
    what = f"How far the bounds move the number of each group; {len(frame):,} groups."
    return bar_rows(pd.DataFrame(rows, columns=list(BAR_ROWS)), what=what)


def rows_kept(kept: KeptRows, *, rows_are: str = "rows", clipped: bool = True) -> Picture:
    """A bar per bound, as long as the share of rows that is left after it; exact, not private.

    Args:
        kept: how many rows each bound leaves.
        rows_are: what several rows are called.
        clipped: whether values are clipped at all.

    >>> rows_kept(KeptRows(10, 4, 4, 4, 0)).figure.data[0].x[:2]
    (1.0, 0.4)
    """
    rows = []
    for stage, name in STAGES if clipped else STAGES[:-1]:
        count = getattr(kept, name)
        share = count / max(kept.rows, 1)
        end = f"{count:,}, {percent(share)}"
        detail = "An exact number of rows, not private."
        rows.append(("", stage, share, GREY, end, "", detail))
    what = f"How many {rows_are} each bound leaves, not private."
    return bar_rows(pd.DataFrame(rows, columns=list(BAR_ROWS)), what=what)
