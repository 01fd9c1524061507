"""What k rounds of a histogram cost: noise equally large, Laplace or Gaussian, exact and bounds.

Rounds run to the right and the total ε upwards, both by equal ratios and drawn on log₁₀ values.
Solid lines are exact. The others are those of [BCT20, Figure 5]: Laplace noise composed as any
noise that keeps ε alone, Gaussian noise by zCDP, and composed as if each round were any private
mechanism.
"""

import math
from collections.abc import Callable, Mapping
from functools import lru_cache

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.accounting.histogram_rounds import (
    histogram_gaussian_epsilon,
    histogram_laplace_epsilon,
    histogram_loose_epsilon,
    histogram_tight_epsilon,
    histogram_zcdp_epsilon,
)
from dpviz.accounting.laplace_composition import DEEPEST, LARGEST_SUM
from dpviz.charts.axes import end_names, ratio_axis
from dpviz.charts.labels import pixels
from dpviz.charts.tidy import require_columns
from dpviz.errors import ParameterError
from dpviz.palette import COLOURS, GAUSS_SLOT, LAPLACE_SLOT
from dpviz.planning.choice import Question
from dpviz.words import significant

METHOD, ROUNDS, TOTAL = "method", "rounds", "epsilon"
CROSSOVER_ROUNDS = (METHOD, ROUNDS, TOTAL)
ROUNDS_LAPLACE, ROUNDS_BOUND = "laplace_exact", "laplace_bound"
ROUNDS_GAUSS, ROUNDS_ZCDP, ROUNDS_LOOSE = "gauss", "gauss_zcdp", "gauss_loose"
MOST_ROUNDS, MOST_COORDINATES, ROUND_POINTS = 100, 20_000, 9
_COSTS: Mapping[str, Callable[..., float]] = {
    ROUNDS_LAPLACE: histogram_tight_epsilon,
    ROUNDS_BOUND: histogram_laplace_epsilon,
    ROUNDS_GAUSS: histogram_gaussian_epsilon,
    ROUNDS_ZCDP: histogram_zcdp_epsilon,
    ROUNDS_LOOSE: histogram_loose_epsilon,
}
HEIGHT = 320
PLOT = HEIGHT - 52
LOOK = {
    ROUNDS_LAPLACE: ("Laplace, exact", LAPLACE_SLOT, "solid"),
    ROUNDS_BOUND: ("Laplace, bound", LAPLACE_SLOT, "8px 4px"),
    ROUNDS_GAUSS: ("Gaussian, exact", GAUSS_SLOT, "solid"),
    ROUNDS_ZCDP: ("Gaussian, zCDP", GAUSS_SLOT, "2px 3px"),
    ROUNDS_LOOSE: ("Gaussian, loose", GAUSS_SLOT, "8px 4px"),
}


def crossover_rounds(question: Question) -> pd.DataFrame:
    """What k rounds of a histogram cost at the question's δ, with noise of equal variance.

    Every round has fresh noise, of the standard deviation that Laplace noise needs to keep the
    question's ε in one round.

    Args:
        question: R² a whole number ℓ₀: one person moves ℓ₀ groups by Δ₁/ℓ₀ each.

    Returns:
        `CROSSOVER_ROUNDS`: ε of all rounds together, exact for both, and by the three bounds of
        [BCT20, Figure 5].

    Raises:
        ParameterError: R² is not a whole number, or too large.

    Source: [BCT20] section 6.1; MATHEMATICS 9.2.
    """
    moved = question.count
    if moved is None or moved > MOST_COORDINATES:
        raise ParameterError("rounds are compared where one person moves a whole number of groups")
    most = most_rounds(question)
    shown = np.unique(np.geomspace(1, most, ROUND_POINTS).round().astype(int)).tolist()
    names = [n for n in _COSTS if n != ROUNDS_LAPLACE or n == laplace_line(question)]
    rows = [(name, k, rounds_epsilon(question, name, k)) for name in names for k in shown]
    return pd.DataFrame(rows, columns=list(CROSSOVER_ROUNDS))


def most_rounds(question: Question) -> int:
    """How many rounds are compared: fewer where one person moves many groups."""
    return max(1, min(MOST_ROUNDS, MOST_COORDINATES // (question.count or 1)))


def laplace_line(question: Question) -> str:
    """The line of Laplace noise to compare with: the exact one within its reach, or the bound.

    >>> laplace_line(Question(epsilon=1.0, log_delta=-14.0, l1=1.0, l2=1.0))
    'laplace_exact'
    """
    largest = question.epsilon * most_rounds(question)
    within = question.log_delta >= -DEEPEST and largest < LARGEST_SUM
    return ROUNDS_LAPLACE if within else ROUNDS_BOUND


@lru_cache(maxsize=4096)  # pure mathematics of public numbers; other controls ask for it again
def rounds_epsilon(question: Question, method: str, rounds: int) -> float:
    """Total ε of this many rounds by one method; see `crossover_rounds`.

    Raises:
        ParameterError: one person moves no whole number of groups.

    >>> q = Question(epsilon=2**0.5 / 10, log_delta=math.log(1e-6), l1=10.0, l2=10**0.5)
    >>> methods = ("laplace_exact", "laplace_bound", "gauss", "gauss_zcdp", "gauss_loose")
    >>> [round(rounds_epsilon(q, method, 20), 6) for method in methods]
    [0.825832, 0.828077, 0.575055, 0.753384, 2.695253]
    """
    moved = question.count
    if moved is None:
        raise ParameterError("rounds are compared where one person moves a whole number of groups")
    scale = question.l1 / question.epsilon
    size = scale if method in (ROUNDS_LAPLACE, ROUNDS_BOUND) else math.sqrt(2) * scale
    return _COSTS[method](
        question.log_delta,
        size,
        l0_sensitivity=moved,
        linf_sensitivity=question.l1 / moved,
        rounds=rounds,
    )


def gauss_from(question: Question, frame: pd.DataFrame, method: str = ROUNDS_GAUSS) -> int | None:
    """The least number of rounds from which on Gaussian noise costs less; None: not here.

    Args:
        question: what the frame was made for.
        frame: as `crossover_rounds` gives it; between two of its numbers of rounds the change of
            the cheaper noise is found by halving.
        method: which way of counting Gaussian noise.
    """
    by, laplace = frame.pivot(index=ROUNDS, columns=METHOD, values=TOTAL), laplace_line(question)
    dearer = by.index[~(by[method] < by[laplace])]
    cheaper = by.index if dearer.empty else by.index[by.index > dearer.max()]
    if not len(cheaper):
        return None
    low, high = int(dearer.max()) if len(dearer) else 0, int(cheaper.min())
    while high - low > 1:
        middle = (low + high) // 2
        costs = (rounds_epsilon(question, name, middle) for name in (method, laplace))
        low, high = (low, middle) if next(costs) < next(costs) else (middle, high)
    return high


def rounds_chart(frame: pd.DataFrame) -> go.Figure:
    """Draw the total ε over the number of rounds, a line for each way to count.

    Args:
        frame: columns method (a key of `LOOK`), rounds (at least 1), epsilon (above 0).

    Raises:
        ParameterError: a column is missing.

    >>> frame = pd.DataFrame({"method": ["laplace_exact", "laplace_exact", "gauss", "gauss"],
    ...     "rounds": [1, 10, 1, 10], "epsilon": [1.0, 9.0, 3.0, 8.0]})
    >>> [line.name for line in rounds_chart(frame).data]
    ['Laplace, exact', 'Gaussian, exact']
    """
    require_columns(frame, *CROSSOVER_ROUNDS)
    shown = frame[frame["epsilon"] > 0]
    least, most = float(shown["epsilon"].min()), float(shown["epsilon"].max())
    bottom, top = least / 1.3, most * 1.3
    last = max(2, int(shown["rounds"].max()))
    parts = dict(iter(shown.groupby("method", sort=False)))
    drawn = [(LOOK[key], parts[key]) for key in LOOK if key in parts]
    ends = [(look[0], float(part["epsilon"].iloc[-1])) for look, part in drawn]
    layout = {
        "height": HEIGHT,
        "margin": {"t": 8, "r": round(max(pixels(name) for name, _ in ends)) + 10},
        "annotations": end_names(ends, (bottom, top), PLOT),
        "xaxis": {"title": {"text": "rounds, each with fresh noise"}, "showgrid": False}
        | ratio_axis(1.0, float(last), whole=True),
        "yaxis": {"showgrid": True} | ratio_axis(bottom, top, whole=False),
    }
    return go.Figure(data=[_line(*look, part) for look, part in drawn], layout=layout)


def _line(name: str, slot: int, dash: str, part: pd.DataFrame) -> go.Scatter:
    k, epsilon = part["rounds"].to_numpy(float), part["epsilon"].to_numpy(float)
    solid = dash == "solid"
    return go.Scatter(
        x=np.log10(k),
        y=np.log10(epsilon),
        mode="lines",
        name=name,
        line={"color": COLOURS[slot - 1], "width": 2.5 if solid else 2, "dash": dash},
        hovertext=[
            f"<b>{name}</b>: {round(n)} round{'s' if n > 1 else ''} cost ε = {significant(e)}."
            for n, e in zip(k, epsilon, strict=True)
        ],
        hoverinfo="text",
    )
