"""Many sessions at once, in two orders of asking: the noise at every level, beside its law.

Errors only (release minus exact): no statistic enters. Each world is one coordinate of a session,
drawn by `MultipleRelease`, so by the family's own extend and bridge.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpviz.charts.bridge.frame import ENDS, HIGH95, LOW95, NOISE, Held, levels_between
from dpviz.charts.labels import ticks
from dpviz.charts.tidy import require_columns
from dpviz.noise.bridge_law import release_law
from dpviz.noise.family import Family
from dpviz.palette import GREY, GRID, TierStyle, rgba
from dpviz.release import MultipleRelease
from dpviz.words import plain, significant

WORLD, ERROR = "world", "error"
WORLDS = (WORLD, NOISE, ERROR)
MARGINAL = (NOISE, LOW95, HIGH95)
SESSIONS = 200
LEVELS = 17
UP, DOWN, MIXED = "most private last", "most private first", "in a jumble"
ORDERS = (UP, DOWN, MIXED)
HEIGHT = 320


def order_of(levels: Sequence[float], order: str) -> list[float]:
    """Levels in the order in which they are asked for.

    >>> order_of([1.0, 2.0, 3.0, 4.0, 5.0], "in a jumble")
    [2.0, 5.0, 3.0, 1.0, 4.0]
    """
    rising = sorted(levels)
    if order == UP:
        return rising
    if order == DOWN:
        return rising[::-1]
    return [*rising[1::3], *rising[2::3][::-1], *rising[0::3]]


def world_levels(held: Held) -> list[float]:
    """The levels that every world is drawn at: equal factors over the axis."""
    low, high = np.log(held.bottom), np.log(held.top)
    return [held.bottom, *np.exp(np.linspace(low, high, LEVELS))[1:-1].tolist(), held.top]


def world_errors(
    family: Family, levels: Sequence[float], order: str, count: int, *, rng: np.random.Generator
) -> NDArray[np.float64]:
    """Noise without its mean at rising levels, shape (number of levels, count)."""
    zeros = np.zeros(count, dtype=np.int64 if family.integer else np.float64)
    session = MultipleRelease(zeros, family, rng=rng)
    for level in order_of(levels, order):
        session.release(level)
    return np.array([session.release(level) - family.mean(level) for level in sorted(levels)])


def worlds_frame(held: Held, errors: NDArray[np.float64]) -> pd.DataFrame:
    """One row per world and level; columns `WORLDS`, in units of the statistic."""
    noise = [held.noise(level) for level in world_levels(held)]
    count = errors.shape[1]
    return pd.DataFrame(
        {
            WORLD: np.repeat(np.arange(count), len(noise)),
            NOISE: np.tile(noise, count),
            ERROR: errors.T.ravel() * held.step,
        }
    )


def marginal_frame(held: Held) -> pd.DataFrame:
    """Where 95 % of single releases fall at each level; columns `MARGINAL`, from the law alone."""
    rows = []
    for level in levels_between(held.bottom, held.top, 41):
        law = release_law(held.family, 0.0, None, 0.0, level, None)
        ends = law.quantile(np.array(ENDS)) - held.family.mean(level)
        rows.append((held.noise(level), *(ends * held.step)))
    return pd.DataFrame(rows, columns=list(MARGINAL))


def share_inside(held: Held, errors: NDArray[np.float64]) -> tuple[float, float]:
    """Share of worlds within the 95 % range of a single release, over all levels: drawn, theory.

    Whole numbers cannot meet 95 % exactly, so theory is said beside it.
    """
    drawn, theory = [], []
    for level, row in zip(world_levels(held), errors, strict=True):
        law = release_law(held.family, 0.0, None, 0.0, level, None)
        low, high = law.quantile(np.array(ENDS))
        mean = held.family.mean(level)
        drawn.append(np.mean((row + mean >= low - 1e-9) & (row + mean <= high + 1e-9)))
        edge = 1.0 if held.family.integer else 0.0
        theory.append(float(law.cdf(np.array(high)) - law.cdf(np.array(low - edge))))
    return float(np.mean(drawn)), float(np.mean(theory))


def worlds_chart(
    worlds: pd.DataFrame, marginal: pd.DataFrame, *, noun: str, steps: bool
) -> go.Figure:
    """Draw every session as a thin line, and the 95 % range of a single release.

    Args:
        worlds: columns `WORLDS`.
        marginal: columns `MARGINAL`.
        noun: unit of both axes.
        steps: whether paths jump.
    """
    require_columns(worlds, *WORLDS)
    require_columns(marginal, *MARGINAL)
    fig, x, y = go.Figure(), [], []
    for _, rows in worlds.groupby(WORLD):
        x += [*rows[NOISE], None]
        y += [*rows[ERROR], None]
    shape = "hv" if steps else "linear"
    fig.add_scatter(
        x=x,
        y=y,
        mode="lines",
        line={"color": rgba(GREY, 0.3), "width": 0.8, "shape": shape},
        hoverinfo="skip",
        name="worlds",
    )
    for end in (LOW95, HIGH95):
        fig.add_scatter(
            x=marginal[NOISE],
            y=marginal[end],
            mode="lines",
            line={"color": TierStyle(2, 0).colour, "width": 2.5},
            hoverinfo="skip",
            name=end,
        )
    size = 1.35 * float(np.abs(marginal[[LOW95, HIGH95]].to_numpy(float)).max())
    return fig.update_layout(
        height=HEIGHT,
        margin={"b": 48},
        xaxis=levels_axis(marginal[NOISE], noun),
        yaxis={
            "range": (-size, size),
            "showgrid": True,
            "gridcolor": GRID,
            "title": {"text": "release − exact"},
        }
        | ticks(-size, size),
    )


def levels_axis(noise: pd.Series, noun: str) -> dict[str, Any]:
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
