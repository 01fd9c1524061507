"""What every noise family needs for the same (ε, δ): standard deviations, exact where known.

    Gauss                       its exact curve
    Laplace, discrete Laplace   exact curves that use δ, where one person moves entries alike
    Poisson, Skellam            exact sums for what one person moves, where they reach
    all others                  the least level that the family's guarantee is proved for

A number that is not exact is an upper bound: no more noise than that is needed. Sources:
MATHEMATICS 3.3, 3.5, 3.8 to 3.13, 5.3.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from dpviz import checks
from dpviz.accounting.guarantees import Setting, guarantee_of
from dpviz.errors import ParameterError
from dpviz.noise import Family
from dpviz.queries import Sensitivity


@dataclass(frozen=True, slots=True, kw_only=True)
class Need:
    """The least noise of one family that is known to keep an ε at a δ.

    Attributes:
        family: which noise.
        deviation: standard deviation, in units of the statistic, 0 below the least float; None
            where none is known to do.
        exact: whether it is the least; an upper bound of it, if not.
    """

    family: Family
    deviation: float | None
    exact: bool

    def __post_init__(self) -> None:
        checks.known(checks.non_negative, deviation=self.deviation)
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

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> one = Setting(family=FAMILIES["gaussian"], delta=1e-6, dimension=5,
    ...     sensitivity=Sensitivity.bounded(1))
    >>> found = needs(tuple(FAMILIES[n] for n in ("gaussian", "laplace")), 1.0, math.log(0.01), one)
    >>> [(need.family.label, round(need.deviation, 4), need.exact) for need in found]
    [('Gaussian', 1.8779, True), ('Laplace', 1.3863, True)]
    """
    return tuple(_need(family, epsilon, log_delta, setting) for family in families)


def _need(family: Family, epsilon: float, log_delta: float, setting: Setting) -> Need:
    own = replace(setting, family=family, delta=math.exp(log_delta))
    promise = guarantee_of(family)
    try:
        if promise.level_using_delta is not None and moved_alike(own.sensitivity):
            level, exact = promise.level_using_delta(epsilon, log_delta, own.sensitivity), True
        else:
            level = (promise.level_at_epsilon or promise.level)(Fraction(epsilon), own)
            exact = promise.is_least(level, own)
        deviation = math.sqrt(family.variance(level)) * setting.step  # refuses too high a level
    except ParameterError:
        return Need(family=family, deviation=None, exact=False)
    return Need(family=family, deviation=deviation, exact=exact)
