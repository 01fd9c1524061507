"""How far one person can move the published numbers: a sensitivity as norms and as a picture."""

from dataclasses import replace
from typing import Any, cast

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.accounting.guarantees import guarantee_of, offered
from dpviz.charts.labels import PHONE, Floats, beyond, note, pixels, signed
from dpviz.charts.tidy import require_columns
from dpviz.noise import ADDITIVE
from dpviz.palette import GREY
from dpviz.queries import Query
from dpviz.queries.sensitivity import Norm
from dpviz.words import number, plain

INFLUENCE = ("group", "change")
NORMS: tuple[tuple[Norm, str], ...] = (("l1", "ℓ₁"), ("l2", "ℓ₂"), ("linf", "ℓ∞"))
MOST = 12  # rows; further ones are named in one last row
ROW = 30  # pixels


def influence_frame(query: Query) -> pd.DataFrame:
    """One person who moves the statistic as far as they can; columns `INFLUENCE`.

    One row per released number, in units of the statistic (of the mean: in halves of its range,
    and rows). Add or remove: the first ℓ₀ groups move one way. Replace: the first ℓ₀ groups lose
    what the next ℓ₀ gain; where the list is shorter than 2ℓ₀, the groups in the middle have both
    people, and each moves by Δ∞.
    """
    reach, k = query.bounds.groups_per_person, len(query.by.labels)
    total = len(query.labels) > k
    most = _one_group(query) / (reach if total else 1)
    moved, shared = np.zeros(k), slice(0, 0)
    moved[:reach] = most
    if query.bounds.relation == "replace":
        moved[:reach], moved[reach : 2 * reach] = -most, most
        shared = slice(reach - max(0, 2 * reach - k), reach)
        moved[shared] = most if total else query.sensitivity.linf * query.step
    change = [moved]
    if total:
        change.append(np.array([moved.sum()]))
    if query.per_value == 2:  # the number of rows of a shared group stays as it is
        rows = moved.copy()
        rows[shared] = 0.0
        change.append(rows)
    return pd.DataFrame(
        dict(zip(INFLUENCE, (list(query.entries), np.concatenate(change)), strict=True))
    )


def sensitivity_frame(query: Query) -> pd.DataFrame:
    """The three norms as formulas with their numbers, their unit, and who needs them."""
    unit = (
        query.noun_released
        if query.step == 1
        else f"{query.noun_released}, in steps of {query.step:.4g}"
    )
    rows = [(symbol, query.formula(norm), unit, _needed_by(norm)) for norm, symbol in NORMS]
    columns = ["norm", "one person changes at most", "unit", "needed by"]
    return pd.DataFrame(rows, columns=columns)


def _needed_by(norm: Norm) -> str:
    """The families whose noise is scaled to a norm, or to all norms."""
    families = (ADDITIVE[name] for name in offered())
    return ", ".join(f.label for f in families if guarantee_of(f).norm in (norm, None))


def _one_group(query: Query) -> float:
    """The most that somebody who comes or goes moves one number, in units."""
    bounds = replace(query.bounds, relation="add/remove")
    alone: Query = replace(cast(Any, query), bounds=bounds)  # every query is a dataclass
    return alone.sensitivity.linf * query.step


def influence(frame: pd.DataFrame, *, axis_title: str) -> go.Figure:
    """One row per number with a line as far as one person can move it, to the right or the left.

    Of many numbers those that move are shown before those that do not.

    Args:
        frame: columns `INFLUENCE`; a number that is not moved has change 0.
        axis_title: quantity and unit of the horizontal axis.

    Raises:
        ParameterError: if a column is missing.

    >>> frame = pd.DataFrame({"group": ["a", "b"], "change": [1.0, 0.0]})
    >>> [trace.x.tolist() for trace in influence(frame, axis_title="people").data]
    [[0.0, 1.0], [1.0], [0.0, 0.0], [0.0]]
    """
    require_columns(frame, *INFLUENCE)
    still = frame["change"].to_numpy(float) == 0
    shown = frame.iloc[np.sort(np.argsort(still, kind="stable")[:MOST])]
    names = [plain(g, 28) for g in shown["group"]]
    changes, rest = shown["change"].to_numpy(float), len(frame) - len(shown)
    fig = go.Figure(layout={"height": 64 + ROW * (len(shown) + bool(rest)), "margin": {"t": 8}})
    for row, change in enumerate(changes):
        fig.add_traces(_row(row, change))
    if rest:
        names.append(f"… and {rest:,} more")
    rows = list(range(len(names)))
    fig.update_yaxes(tickvals=rows, ticktext=names, range=[len(rows) - 0.4, -0.6])
    fig.update_layout(annotations=[_signed(row, x) for row, x in enumerate(changes) if x])
    return fig.update_xaxes(title={"text": plain(axis_title)}, **_axis(changes, names))


def _row(row: int, change: float) -> list[go.Scatter]:
    """The line from 0 and at its end an arrow: which way is seen without any colour."""
    way = "triangle-right" if change > 0 else "triangle-left" if change < 0 else "circle"
    words = "lowers" if change < 0 else "raises"
    sentence = (
        f"One person {words} this number by at most {number(abs(change))}."
        if change
        else "Such a person does not move this number."
    )
    line = go.Scatter(
        x=np.array([0.0, change]),
        y=[row, row],
        mode="lines",
        line={"color": GREY, "width": 4},
        hoverinfo="skip",
    )
    mark = go.Scatter(
        x=np.array([change]),
        y=[row],
        mode="markers",
        marker={"color": GREY, "size": 13 if change else 7, "symbol": way},
        hovertemplate=f"{sentence}<extra></extra>",
    )
    return [line, mark]


def _signed(row: int, change: float) -> dict[str, object]:
    """The change in figures, beyond its arrow."""
    anchor, shift = ("left", 10) if change > 0 else ("right", -10)
    return note(signed(change), change, row, xanchor=anchor, xshift=shift)


def _axis(changes: Floats, names: list[str]) -> dict[str, object]:
    """Room beyond the longest lines for their numbers; ticks at 0 and at the ends."""
    low, high = min(0.0, float(changes.min())), max(0.0, float(changes.max()))
    low, high = (low, high) if low < high else (0.0, 1.0)
    ends = sorted({low, 0.0, high})
    width = PHONE - 16 - max(map(pixels, names))
    return {
        "range": beyond(low, high, [signed(change) for change in changes], width),
        "tickvals": ends,
        "ticktext": [number(end) for end in ends],
    }
