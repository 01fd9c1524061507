"""What every noise family needs for the same (ε, δ): standard deviations, exact where known.

    Gauss                       its exact curve
    Laplace, discrete Laplace   exact curves that use δ, where one person moves entries alike
    Poisson, Skellam            exact sums for what one person moves, where they reach
    all others                  the least level that the family's guarantee is proved for

A number that is not exact is an upper bound: no more noise than that is needed. Sources:
MATHEMATICS 3.3, 3.5, 3.8 to 3.13, 5.3.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any

from dpviz import checks
from dpviz.accounting.discrete_laplace import discrete_laplace_level_at
from dpviz.accounting.guarantees import Setting, guarantee_of
from dpviz.accounting.integer_levels import RENYI, skellam_rule
from dpviz.accounting.laplace_alike import laplace_alike_scale
from dpviz.accounting.poisson_levels import THEOREM, poisson_rule
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES, Family
from dpviz.queries import Sensitivity


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """The least noise of one family that is known to keep an ε at a δ.

    Attributes:
        family: which noise.
        deviation: standard deviation, in units of the statistic; None where none is known to do.
        exact: whether it is the least; an upper bound of it, if not.
    """

    family: Family
    deviation: float | None
    exact: bool

    def __post_init__(self) -> None:
        checks.known(checks.positive, deviation=self.deviation)
        checks.instance(bool, exact=self.exact)


def moved_alike(sensitivity: Sensitivity) -> bool:
    """Whether who moves the statistic furthest moves ℓ₀ entries by Δ∞ each, in every norm.

    >>> moved_alike(Sensitivity.bounded(3)), moved_alike(Sensitivity(4, 6.0, 12**0.5, 3.0))
    (True, False)
    """
    s = sensitivity
    return math.isclose(s.l1, s.l0 * s.linf) and math.isclose(s.l2, math.sqrt(s.l0) * s.linf)


@lru_cache(maxsize=1024)  # pure mathematics of public numbers; a page asks for every tier again
def needs(
    families: Sequence[Family], epsilon: float, log_delta: float, setting: Setting
) -> tuple[Need, ...]:
    """What each family needs for one ε at one δ.

    Args:
        families: offered ones, as a tuple.
        epsilon: above 0, nats.
        log_delta: ln δ, below 0.
        setting: what the statistic is; its family and δ are not used.

    >>> one = Setting(family=FAMILIES["gaussian"], delta=1e-6, dimension=5,
    ...     sensitivity=Sensitivity.bounded(1))
    >>> found = needs(tuple(FAMILIES[n] for n in ("gaussian", "laplace")), 1.0, math.log(0.01), one)
    >>> [(need.family.label, round(need.deviation, 4), need.exact) for need in found]
    [('Gaussian', 1.8779, True), ('Laplace', 1.3863, True)]
    """
    return tuple(_need(family, epsilon, log_delta, setting) for family in families)


def _need(family: Family, epsilon: float, log_delta: float, setting: Setting) -> Need:
    own = replace(setting, family=family, delta=math.exp(log_delta))
    curve = _CURVES.get(family)
    exact = guarantee_of(family).level_at_epsilon is not None
    try:
        if curve is not None and moved_alike(own.sensitivity):
            level, exact = curve(epsilon, log_delta, own.sensitivity), True
        else:
            promise = guarantee_of(family)
            level = (promise.level_at_epsilon or promise.level)(Fraction(epsilon), own)
            exact = exact or (family in _RULES and _RULES[family](level, own) != _LOOSE[family])
        deviation = math.sqrt(family.variance(level)) * setting.step  # refuses too high a level
    except ParameterError:
        return Need(family=family, deviation=None, exact=False)
    return Need(family=family, deviation=deviation, exact=exact)


def _laplace(epsilon: float, log_delta: float, s: Sensitivity) -> float:
    return laplace_alike_scale(epsilon, log_delta, s.l1, moved=s.l0)


def _discrete_laplace(epsilon: float, log_delta: float, s: Sensitivity) -> float:
    shift = int(s.linf)
    if shift != s.linf:
        raise ParameterError("whole noise needs a statistic of whole steps; choose other noise")
    return discrete_laplace_level_at(epsilon, log_delta, shift=shift, moved=s.l0)


def _sizes(setting: Setting) -> dict[str, Any]:
    s = setting.sensitivity
    return {
        "l1_sensitivity": s.l1,
        "l2_sensitivity": s.l2,
        "linf_sensitivity": s.linf,
        "dimension": setting.dimension,
        "l0_sensitivity": s.l0,
    }


def _poisson_rule(level: float, setting: Setting) -> str:
    return poisson_rule(level, directions=setting.directions, **_sizes(setting))


def _skellam_rule(level: float, setting: Setting) -> str:
    return skellam_rule(level, **_sizes(setting))


_RULES: dict[Family, Callable[[float, Setting], str]] = {
    FAMILIES["poisson"]: _poisson_rule,
    FAMILIES["skellam"]: _skellam_rule,
}
_LOOSE = {FAMILIES["poisson"]: THEOREM, FAMILIES["skellam"]: RENYI}
_CURVES: dict[Family, Callable[[float, float, Sensitivity], float]] = {
    FAMILIES["laplace"]: _laplace,
    FAMILIES["discrete_laplace"]: _discrete_laplace,
}
