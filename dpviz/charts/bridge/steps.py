"""An order of asking, step by step, inside one figure: a slider, a replay, and where it opens.

The likelihood of an answer is its chance where the law has one (whole numbers, or exactly that
of a neighbour), else the density per step of the statistic. Multiplied over all answers it is the
same in every order: that is what makes the release lossless [LMR25, Lemma 3.2]. Limits: while the
exact value is hidden, the likelihood of an answer that used it is unknown (NaN). Up to `NAMED`
tiers have their names at the marks; of more, only the newest.
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.bridge.frame import (
    BANDS,
    GAP,
    HIGH50,
    HIGH95,
    LEVEL,
    LOW50,
    LOW95,
    NOISE,
    PINS,
    SLOT,
    SYMBOL,
    TIER,
    VALUE,
    Ends,
    Held,
    Pin,
    Row,
    bands_frame,
    pins_frame,
)
from dpviz.charts.labels import ticks
from dpviz.charts.tidy import require_columns
from dpviz.charts.watch import play_button
from dpviz.errors import ParameterError
from dpviz.noise.bridge_law import ReleaseLaw
from dpviz.palette import GREY, GRID, TierStyle, rgba
from dpviz.words import plain, significant

POINTS = 100  # levels of the bands of a step
HEIGHT = 450
EACH = 1200  # milliseconds of a step, replayed
NAMED = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What is held after one answer."""

    newest: Pin
    pins: pd.DataFrame  # columns `bridge.PINS`
    bands: pd.DataFrame  # columns `bridge.BANDS`
    likelihood: float  # of this answer, given those before it; NaN where that is hidden

    def __post_init__(self) -> None:
        checks.stated(likelihood=self.likelihood)


def order_steps(held: Held, order: Sequence[float]) -> list[Step]:
    """The pins of `held` in an order of asking, one after the other.

    Args:
        held: all pins.
        order: levels of the pins, first asked first.
    """
    steps, pins = [], {p.level: p for p in held.pins}
    made: dict[Ends, list[Row]] = {}
    count = max(9, min(41, POINTS // max(1, len(order))))
    before = replace(held, pins=())
    for number, level in enumerate(order, start=1):
        law = before.law(level)
        then = replace(held, pins=tuple(sorted((pins[at] for at in order[:number]), key=_level)))
        steps.append(
            Step(
                newest=pins[level],
                pins=pins_frame(then, level),
                bands=bands_frame(then, count=count, made=made),
                likelihood=math.nan if law is None else likelihood(law, pins[level].value),
            )
        )
        before = then
    return steps


def likelihood(law: ReleaseLaw, value: float) -> float:
    """Chance of a value where it has one, else its density.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.noise.bridge_law import release_law
    >>> law = release_law(FAMILIES["laplace"], 10.0, 13.0, 1.0, 2.0, 4.0)
    >>> round(likelihood(law, 10.0), 3), round(likelihood(law, 12.0), 3)
    (0.2, 0.091)
    """
    for place, chance in law.atoms:
        if math.isclose(place, value, rel_tol=1e-12):
            return chance
    return float(law.density(np.array([value]))[0])


def _level(pin: Pin) -> float:
    return pin.level


def order_chart(steps: Sequence[Step], at: int, *, noun: str) -> go.Figure:
    """Draw what is held after step `at` (1 is the first); the figure itself has all of them.

    Args:
        steps: what is held after each answer.
        at: the step the figure opens with.
        noun: unit of both axes.

    Raises:
        ParameterError: there is no such step, or a column is missing.
    """
    if not 1 <= at <= len(steps):
        raise ParameterError(f"there is no step {at}: pass one from 1 to {len(steps)}")
    for step in steps:
        require_columns(step.pins, *PINS)
        require_columns(step.bands, *BANDS)
    frames = [go.Frame(data=_state(step, len(steps)), name=str(i)) for i, step in enumerate(steps)]
    fig = go.Figure(data=frames[at - 1].data, frames=frames)
    bands = pd.concat([step.bands for step in steps])
    ends = _heights(steps[-1])  # of the end: the same in every order
    return fig.update_layout(
        height=HEIGHT,
        margin={"b": 150},
        xaxis=_levels_axis(bands[NOISE], noun),
        yaxis={"range": ends, "showgrid": True, "gridcolor": GRID} | ticks(*ends),
        sliders=[_slider(steps, at)],
        updatemenus=[play_button("▶ Replay", EACH, y=-0.28, yanchor="top")],
    )


def _heights(step: Step) -> tuple[float, float]:
    """Ends of the vertical axis: pins and inner bands, not the cones outside."""
    pins, bands = step.pins, step.bands
    inner = bands[bands[NOISE] <= pins[NOISE].max()]
    inner = inner if len(inner) else bands
    values = np.concatenate([pins[VALUE], inner[LOW95], inner[HIGH95]])
    low, high = float(values.min()), float(values.max())
    room = 0.06 * (high - low) or 1.0
    return low - room, high + room


def _levels_axis(noise: pd.Series, noun: str) -> dict[str, Any]:
    """A logarithmic axis of noise with few round ticks."""
    low, high = math.log10(float(noise.min())), math.log10(float(noise.max()))
    whole = [10.0**k for k in range(math.ceil(low), math.floor(high) + 1)]
    values = whole if len(whole) > 1 else [10**low, 10 ** ((low + high) / 2), 10**high]
    return {
        "type": "log",
        "range": (low, high),
        "tickmode": "array",
        "tickvals": values,
        "ticktext": [significant(v, 2) for v in values],
        "tickangle": 0,
        "title": {"text": f"noise (standard deviation, {plain(noun)}) → more private"},
    }


def _slider(steps: Sequence[Step], at: int) -> dict[str, Any]:
    now = {"frame": {"duration": 0, "redraw": False}, "mode": "immediate"}
    now["transition"] = {"duration": 0}
    few = len(steps) <= NAMED
    return {
        "active": at - 1,
        "x": 0.36,
        "len": 0.56,  # names at both ends need room
        "y": -0.2,
        "pad": {"t": 10},
        "currentvalue": {"prefix": "after " if few else "after answer ", "xanchor": "left"},
        "steps": [
            {
                "args": [[str(i)], now],
                "label": plain(step.newest.tier, 12) if few else str(i + 1),
                "method": "animate",
            }
            for i, step in enumerate(steps)
        ],
    }


def _state(step: Step, of: int) -> list[go.Scatter]:
    """Bands, pins and a ring around the newest: always four traces."""
    traces, pins = [], step.pins
    for low, high, alpha in ((LOW95, HIGH95, 0.15), (LOW50, HIGH50, 0.22)):
        x, y = [], []
        for _, rows in step.bands.groupby(GAP):
            noise = rows[NOISE].tolist()
            x += [*noise, *noise[::-1], None]
            y += [*rows[low], *rows[high][::-1], None]
        fill = {"fill": "toself", "fillcolor": rgba(GREY, alpha), "line": {"width": 0}}
        traces.append(go.Scatter(x=x, y=y, mode="lines", hoverinfo="skip", name="band", **fill))
    looks = [TierStyle(int(s), int(m)) for s, m in zip(pins[SLOT], pins[SYMBOL], strict=True)]
    newest = pins[LEVEL] == step.newest.level
    traces.append(
        go.Scatter(
            x=pins[NOISE][newest],
            y=pins[VALUE][newest],
            mode="markers",
            marker={
                "size": 27,
                "symbol": "circle-open",
                "color": TierStyle(step.newest.slot, 0).colour,
                "line": {"width": 2},
            },
            hoverinfo="skip",
            name="newest",
        )
    )
    named = newest | (of <= NAMED)
    traces.append(
        go.Scatter(
            x=pins[NOISE],
            y=pins[VALUE],
            mode="markers+text",
            text=[
                plain(name, 12) if shown else ""
                for name, shown in zip(pins[TIER], named, strict=True)
            ],
            textposition=_sides(pins),
            cliponaxis=False,
            marker={
                "size": 13,
                "symbol": [s.marker for s in looks],
                "color": [s.colour for s in looks],
            },
            hoverinfo="skip",
            name="held",
        )
    )
    return traces


def _sides(pins: pd.DataFrame) -> list[str]:
    """Names above their marks; those at the ends of the axis turned inwards."""
    return ["top right", *["top center"] * max(0, len(pins) - 2), "top left"][: len(pins)]
