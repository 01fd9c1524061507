"""Laplace or Gauss for each tier of the plan: a point in the map, and rows of tables."""

from collections.abc import Callable, Mapping, Sequence

import pandas as pd

from dpviz.charts.axes import LN_10
from dpviz.charts.crossover.frame import HEIGHT, LOG10_DELTA
from dpviz.planning.choice import Choice
from dpviz.planning.needs import Need
from dpviz.planning.same_rho import SameRho
from dpviz.planning.tier_choice import TierChoice

TIER, SLOT, SYMBOL, EPSILON, RHO = "tier", "slot", "symbol", "ε", "ρ"
BETTER, TIMES = "at equal ε, δ: use", "other variance (ε, δ)"
LAPLACE_DEVIATION, PURE_DEVIATION = "Laplace needs", "pure ε Laplace needs"
GAUSS_DEVIATION, CROSSOVER = "Gaussian needs", "δ*"
RHO_BETTER, RHO_TIMES = "at equal ρ: use", "other variance (ρ)"
CROSSOVER_POINTS = (TIER, LOG10_DELTA, HEIGHT, SLOT, SYMBOL)
CROSSOVER_TIERS = (
    TIER,
    EPSILON,
    BETTER,
    TIMES,
    LAPLACE_DEVIATION,
    PURE_DEVIATION,
    GAUSS_DEVIATION,
    CROSSOVER,
    RHO,
    RHO_BETTER,
    RHO_TIMES,
)
HELD, LAPLACE_COLUMN, GAUSS_COLUMN, SMALLER, OTHER = (
    "held fixed",
    "Laplace",
    "Gaussian",
    "smaller",
    "variance of the other",
)
CROSSOVER_HELD = (HELD, LAPLACE_COLUMN, GAUSS_COLUMN, SMALLER, OTHER)
SAME_POINT = "ε and δ: one release, exact curves"
PURE_POINT = "ε and δ: one release, Laplace by its pure ε"
SAME_RHO = "ρ: many releases, exact"
READ_RHO = "ρ read as ε²/2, as on Tiers: an upper bound"


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

    Standard deviations in units of the statistic; `TIMES` and `RHO_TIMES` are the variance of the
    worse noise over that of the better; `CROSSOVER` is a pair of ln δ, or None.
    """
    rows = [
        (
            c.planned.name,
            c.choice.question.epsilon,
            _better(c.choice.laplace, c.choice.gaussian),
            c.choice.factor,
            c.choice.laplace,
            c.choice.laplace_pure,
            c.choice.gaussian,
            c.choice.gauss_between,
            c.same_rho.rho,
            _better_at(c.same_rho),
            max(c.same_rho.ratio, 1 / c.same_rho.ratio),
        )
        for c in chosen
    ]
    return pd.DataFrame(rows, columns=list(CROSSOVER_TIERS))


def crossover_held(choice: Choice, held: SameRho) -> pd.DataFrame:
    """Laplace and Gaussian side by side for each thing that can be held fixed; `CROSSOVER_HELD`.

    Args:
        choice: at equal ε and δ.
        held: at equal ρ.
    """
    pairs = [(SAME_POINT if choice.exact else PURE_POINT, choice.laplace, choice.gaussian)]
    if held.laplace is not None:
        pairs.append((SAME_RHO, held.laplace, held.gaussian))
    pairs.append((READ_RHO, held.laplace_bound, held.gaussian))
    rows = [
        (what, laplace, gauss, _better(laplace, gauss), max(laplace / gauss, gauss / laplace) ** 2)
        for what, laplace, gauss in pairs
    ]
    return pd.DataFrame(rows, columns=list(CROSSOVER_HELD))


def family_needs(named: Mapping[str, Sequence[Need]]) -> pd.DataFrame:
    """Standard deviations by tier; a column for each family, of pairs (deviation, exact).

    Args:
        named: what each family needs, by tier.
    """
    rows = [
        {TIER: tier} | {need.family.label: (need.deviation, need.exact) for need in found}
        for tier, found in named.items()
    ]
    return pd.DataFrame(rows)


def _better(laplace: float, gauss: float) -> str:
    return LAPLACE_COLUMN if laplace <= gauss else GAUSS_COLUMN


def _better_at(held: SameRho) -> str:
    return LAPLACE_COLUMN if held.ratio <= 1 else GAUSS_COLUMN
