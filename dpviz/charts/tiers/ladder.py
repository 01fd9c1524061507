"""The ladder of accuracy: how far from the exact number each tier may be, one row per tier.

Pale bars run to both sides of 0, the exact number's place; nothing is marked on them, as nothing is
released yet. Where the widest is many times the narrowest
the axis is x → arsinh(x / narrowest): even near 0, logarithmic further out, so that every bar is
seen and 0 stays in the middle. Beside it, the plan as a table: budgets in every currency.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.accounting import half_width
from dpviz.charts.labels import grounded, rule, tag, ticks
from dpviz.charts.tidy import Tier, half_widths, require_columns, tiers
from dpviz.checks import probability
from dpviz.handout.report.bars import narrowest, place
from dpviz.noise.family import Family
from dpviz.palette import GREY, rgba
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.tiers import PlannedTier
from dpviz.words import number, percent, plain, pm, within
from dpviz.workspace.held import HeldTier

LADDER = ("tier", "half_width", "budget", "slot", "symbol")
DELTA_OF = "δ of ε"
LOSSES = ("ρ", "μ", "ε")
PLAN = ("tier", *LOSSES, DELTA_OF, "± one group", "± all groups at once", "noise level")
TALL_UP_TO = 12  # tiers; more of them get lower rows


def ladder_frame(
    tiers: Sequence[HeldTier], family: Family, confidence: float, step: float = 1.0
) -> pd.DataFrame:
    """Accuracy of every tier, columns `LADDER`; nothing is drawn for it.

    The half width is of one released number, in units of the statistic: `step` is one whole step.
    """
    rows = [
        (t.name, step * half_width(family, t.level, confidence), t.budget, t.slot, t.symbol)
        for t in tiers
    ]
    return pd.DataFrame(rows, columns=list(LADDER))


def plan_frame(
    planned: Sequence[PlannedTier], family: Family, dimension: int, step: float = 1.0
) -> pd.DataFrame:
    """Every tier's budget in every currency, columns `PLAN`; ± at 95 % confidence, in units.

    Args:
        planned: tiers with their budgets.
        family: the noise family.
        dimension: how many numbers are released, for "all groups at once".
        step: one whole step in units of the statistic.
    """
    rows = [
        (
            p.name,
            p.budget.rho,
            p.budget.mu,
            p.budget.epsilon,
            p.budget.delta,
            p.budget.half_width,
            step * half_width(family, p.budget.level, ACCURACY_CONFIDENCE, coordinates=dimension),
            p.budget.level,
        )
        for p in planned
    ]
    frame = pd.DataFrame(rows, columns=list(PLAN))
    return frame.astype(dict.fromkeys(PLAN[1:], "float64"))


def accuracy_ladder(
    frame: pd.DataFrame, *, noun: str, axis_title: str, confidence: float = ACCURACY_CONFIDENCE
) -> go.Figure:
    """Draw ± half width around 0 for every tier.

    Args:
        frame: one row per tier, most private first. Columns: tier, half_width (NaN: no guarantee),
            budget (text such as "ρ = 0.02"), slot, symbol.
        noun: what is counted, for the hover sentences.
        axis_title: such as "distance from the exact number, people".
        confidence: of the intervals, between 0 and 1.

    Raises:
        ParameterError: a column is missing, there is no row, or `confidence` is not a probability.

    >>> one = pd.DataFrame({"tier": ["audit"], "half_width": [42.0], "budget": ["ρ = 1"],
    ...     "slot": [2], "symbol": [0]})
    >>> (bar,) = accuracy_ladder(one, noun="people", axis_title="people").data
    >>> bar.x.tolist()
    [-42.0, 42.0]
    """
    require_columns(frame, *LADDER)
    probability(confidence=confidence)
    everybody, half = tiers(frame), half_widths(frame)
    row = 52.0 if len(everybody) <= TALL_UP_TO else 40.0
    seen = half[half > 0]  # a ± of 0 has no length, and NaN no guarantee
    unit = narrowest(half)
    reach = float(seen.max()) if seen.size else 1.0  # if every ± is 0: one step to either side
    end = 1.04 * float(place(np.array([reach]), unit)[0])
    traces, notes = [], []
    for rank, tier in enumerate(everybody):
        sentence = _hover(tier, plain(noun), confidence)
        traces += _bar(tier, row * rank + 34, unit, sentence)
        words = f"{tag(tier.style, tier.short())} {plain(_words(tier))}"
        notes.append(grounded(words, 0, row * rank + 13, xref="paper", xshift=2))
    layout = {
        "height": round(48 + row * len(everybody)),
        "margin": {"t": 4},
        "annotations": notes,
        "shapes": [rule(row * rank) for rank in range(len(everybody))],
        "xaxis": {"title": {"text": plain(axis_title)}, "range": (-end, end)}
        | {"zeroline": True, "zerolinecolor": GREY, "zerolinewidth": 1.5}
        | _ticks(reach, unit, end),
        "yaxis": {"visible": False, "range": (row * len(everybody), 0)},
    }
    return go.Figure(data=traces, layout=layout)


def is_logarithmic(frame: pd.DataFrame) -> bool:
    """Whether the axis of the ladder widens outwards; then the caption says so.

    >>> is_logarithmic(pd.DataFrame({"half_width": [1.0, 29.0]}))
    False
    >>> is_logarithmic(pd.DataFrame({"half_width": [1.0, 31.0]}))
    True
    """
    require_columns(frame, "half_width")
    return narrowest(half_widths(frame)) is not None


def _words(tier: Tier) -> str:
    half, budget = half_widths(tier.rows)[0], str(tier.rows["budget"].iloc[0])
    return f"{pm(half)}, {budget}" if np.isfinite(half) else f"{budget}, no guarantee"


def _hover(tier: Tier, noun: str, confidence: float) -> str:
    half = float(half_widths(tier.rows)[0])
    if not np.isfinite(half):
        return f"No guarantee stands behind the accuracy of <b>{tier.name}</b>."
    return f"<b>{tier.name}</b> will see each number {within(half, noun)}<br>" + (
        f"of the exact one, with {percent(confidence)} confidence." if half else ""
    )


def _bar(tier: Tier, y: float, unit: float | None, sentence: str) -> list[go.Scatter]:
    """A pale bar; an open symbol where it would have no length or no guarantee."""
    style, half = tier.style, half_widths(tier.rows)[:1]
    look: dict[str, Any] = {"name": tier.name, "hoverinfo": "text"}
    if not (np.isfinite(half) & (half > 0)).all():
        marker = {"color": style.colour, "symbol": f"{style.marker}-open", "size": 12}
        return [
            go.Scatter(x=[0.0], y=[y], mode="markers", marker=marker, hovertext=[sentence], **look)
        ]
    ends = np.concatenate([-place(half, unit), place(half, unit)])
    line = {"color": rgba(style.colour, 0.7), "width": 14}
    return [go.Scatter(x=ends, y=[y, y], mode="lines", line=line, hovertext=[sentence] * 2, **look)]


def _ticks(reach: float, unit: float | None, end: float) -> dict[str, Any]:
    if unit is None:
        return ticks(-0.93 * end, 0.93 * end, most=7, room=300)
    first, last = math.ceil(math.log10(unit)), math.floor(math.log10(reach))
    step = max(1, -(-(last - first + 1) // 3))  # at most three on each side
    far = 10.0 ** np.arange(last, first - 1, -step)[::-1]
    values = np.concatenate([-far[::-1], [0.0], far])
    texts = [number(value) for value in values]
    return {"tickvals": place(values, unit), "ticktext": texts, "tickangle": 0}
