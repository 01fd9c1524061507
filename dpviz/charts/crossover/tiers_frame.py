"""Laplace or Gauss for each tier of the plan, and over several rounds of a histogram, as frames."""

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np
import pandas as pd

from dpviz.accounting.histogram_rounds import (
    histogram_gaussian_epsilon,
    histogram_laplace_epsilon,
    histogram_loose_epsilon,
)
from dpviz.charts.crossover.axes_frame import LN_10
from dpviz.charts.crossover.frame import HEIGHT, LOG10_DELTA
from dpviz.errors import ParameterError
from dpviz.planning.choice import LAPLACE, Question, TierChoice

TIER, SLOT, SYMBOL, EPSILON, BETTER, TIMES = "tier", "slot", "symbol", "ε", "use", "other variance"
LAPLACE_DEVIATION, GAUSS_DEVIATION = "Laplace needs", "Gauss needs"
L2_DEVIATION, CROSSOVER = "ℓ2 Laplace needs", "δ*"
CROSSOVER_POINTS = (TIER, LOG10_DELTA, HEIGHT, SLOT, SYMBOL)
CROSSOVER_TIERS = (
    TIER,
    BETTER,
    TIMES,
    EPSILON,
    LAPLACE_DEVIATION,
    GAUSS_DEVIATION,
    L2_DEVIATION,
    CROSSOVER,
)
METHOD, ROUNDS, TOTAL = "method", "rounds", "epsilon"
CROSSOVER_ROUNDS = (METHOD, ROUNDS, TOTAL)
ROUNDS_LAPLACE, ROUNDS_GAUSS, ROUNDS_LOOSE = "laplace_bound", "gauss", "gauss_loose"
MOST_ROUNDS, MOST_COORDINATES, ROUND_POINTS = 100, 20_000, 9
_COSTS = {
    ROUNDS_LAPLACE: histogram_laplace_epsilon,
    ROUNDS_GAUSS: histogram_gaussian_epsilon,
    ROUNDS_LOOSE: histogram_loose_epsilon,
}


def crossover_points(
    chosen: Sequence[TierChoice], style: Callable[[str], tuple[int, int]]
) -> pd.DataFrame:
    """Where each tier lies in the map of δ and ε; columns `CROSSOVER_POINTS`.

    Args:
        chosen: the tiers.
        style: slot and symbol of a tier.
    """
    rows = []
    for c in chosen:
        asked, name = c.choice.question, c.planned.name
        rows.append((name, asked.log_delta / LN_10, asked.epsilon, *style(name)))
    return pd.DataFrame(rows, columns=list(CROSSOVER_POINTS))


def crossover_tiers(chosen: Sequence[TierChoice]) -> pd.DataFrame:
    """What each noise would need for each tier; columns `CROSSOVER_TIERS`.

    Standard deviations in units of the statistic; `TIMES` is the variance of the worse noise over
    that of the better; `CROSSOVER` is ln δ*.
    """
    rows = [
        (
            c.planned.name,
            "Laplace" if c.choice.better == LAPLACE else "Gauss",
            c.choice.factor,
            c.choice.question.epsilon,
            c.choice.laplace,
            c.choice.gaussian,
            c.choice.laplace_l2,
            c.choice.crossover,
        )
        for c in chosen
    ]
    return pd.DataFrame(rows, columns=list(CROSSOVER_TIERS))


def groups_moved(question: Question) -> int | None:
    """ℓ₀, if one person moves ℓ₀ groups by the same amount; None if R² is not a whole number.

    >>> groups_moved(Question(epsilon=1.0, log_delta=-14.0, l1=3.0, l2=3**0.5))
    3
    """
    nearest = round(question.moved)
    return nearest if abs(question.moved - nearest) <= 1e-9 * nearest else None


def crossover_rounds(question: Question) -> pd.DataFrame:
    """What k rounds of a histogram cost at the question's δ, with noise of equal variance.

    Every round has fresh noise, of the standard deviation that Laplace noise needs to keep the
    question's ε in one round.

    Args:
        question: R² a whole number ℓ₀: one person moves ℓ₀ groups by Δ₁/ℓ₀ each.

    Returns:
        `CROSSOVER_ROUNDS`: ε of all rounds together, by the optimal composition for Laplace, by the
        exact one for Gauss, and by the loose one of [BCT20, Figure 5].

    Raises:
        ParameterError: R² is not a whole number, or too large.

    Source: [BCT20] section 6.1; MATHEMATICS 9.2.
    """
    moved = groups_moved(question)
    if moved is None or moved > MOST_COORDINATES:
        raise ParameterError("rounds are compared where one person moves a whole number of groups")
    most = most_rounds(question)
    shown = np.unique(np.geomspace(1, most, ROUND_POINTS).round().astype(int)).tolist()
    rows = [(name, k, rounds_epsilon(question, name, k)) for name in _COSTS for k in shown]
    return pd.DataFrame(rows, columns=list(CROSSOVER_ROUNDS))


def most_rounds(question: Question) -> int:
    """How many rounds are compared: fewer where one person moves many groups."""
    return max(1, min(MOST_ROUNDS, MOST_COORDINATES // (groups_moved(question) or 1)))


@lru_cache(maxsize=4096)  # pure mathematics of public numbers; other controls ask for it again
def rounds_epsilon(question: Question, method: str, rounds: int) -> float:
    """Total ε of this many rounds by one method; see `crossover_rounds`.

    >>> q = Question(epsilon=2**0.5 / 10, log_delta=math.log(1e-6), l1=10.0, l2=10**0.5)
    >>> methods = ("laplace_bound", "gauss", "gauss_loose")
    >>> [round(rounds_epsilon(q, method, 20), 6) for method in methods]
    [0.828077, 0.575055, 2.695253]
    """
    moved = groups_moved(question)
    if moved is None:
        raise ParameterError("rounds are compared where one person moves a whole number of groups")
    scale = question.l1 / question.epsilon
    size = scale if method == ROUNDS_LAPLACE else math.sqrt(2) * scale
    cost = _COSTS[method](
        question.log_delta,
        size,
        l0_sensitivity=moved,
        linf_sensitivity=question.l1 / moved,
        rounds=rounds,
    )
    return float(cost)


def gauss_from(question: Question, frame: pd.DataFrame, method: str = ROUNDS_GAUSS) -> int | None:
    """The least number of rounds from which on Gauss lies below Laplace’s bound; None: not here.

    Args:
        question: what the frame was made for.
        frame: as `crossover_rounds` gives it; between two of its numbers of rounds the change of
            the cheaper noise is found by halving.
        method: which way of counting Gaussian noise.
    """
    by = frame.pivot(index=ROUNDS, columns=METHOD, values=TOTAL)
    dearer = by.index[~(by[method] < by[ROUNDS_LAPLACE])]
    cheaper = by.index if dearer.empty else by.index[by.index > dearer.max()]
    if not len(cheaper):
        return None
    low, high = int(dearer.max()) if len(dearer) else 0, int(cheaper.min())
    while high - low > 1:
        middle = (low + high) // 2
        costs = (rounds_epsilon(question, name, middle) for name in (method, ROUNDS_LAPLACE))
        low, high = (low, middle) if next(costs) < next(costs) else (middle, high)
    return high
