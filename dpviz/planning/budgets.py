"""A budget as people state it, turned into the one number that the sampler needs: the noise level.

People say ρ, ε (at the plan's δ), ε with a δ of its own, μ, or "±a", for one group or for all at
once; a family knows only its level (MATHEMATICS 1.1, 3.1, 4.1). Here each of them is turned into
the level, once, and all others are stated for that level. Typed numbers are exact decimals; they
become floats here, once. How far: a level is rounded to the private side, so what is stated never
exceeds what was asked; ± is that of one released coordinate, before a mean is computed of two of
them.
"""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, Literal

from dpviz import checks
from dpviz.accounting import (
    gaussian_epsilon,
    gaussian_sigma,
    half_width,
    level_for_half_width,
    mu_to_rho,
    rho_to_mu,
)
from dpviz.errors import ParameterError
from dpviz.noise.family import Family
from dpviz.parameters import exact
from dpviz.planning.amounts import ACCURACIES, EPSILONS, KINDS, Amount, Kind, read_amount
from dpviz.planning.integer_levels import skellam_epsilon, skellam_level
from dpviz.planning.levels import (
    gaussian_level,
    gaussian_rho,
    laplace_epsilon,
    laplace_level,
    poisson_epsilon,
    poisson_level,
)
from dpviz.queries import Sensitivity

__all__ = [
    "ACCURACY_CONFIDENCE",
    "KINDS",
    "OFFERED",
    "PURE",
    "Amount",
    "Budget",
    "Kind",
    "Setting",
    "at_level",
    "read_amount",
    "resolve",
    "rounded_down",
]

ACCURACY_CONFIDENCE = 0.95  # of `Budget.half_width`


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a budget refers to: the noise family, the plan's δ, and the statistic it is added to.

    Sensitivities and levels are in whole steps of the statistic; `step` is one step in its units.
    """

    family: Family
    delta: float
    sensitivity: Sensitivity
    dimension: int
    step: float = 1.0
    same_direction: bool = True  # one person moves all coordinates up, or all down

    def __post_init__(self) -> None:
        checks.probability(delta=self.delta)
        checks.whole(1, dimension=self.dimension)
        checks.positive(step=self.step)
        checks.instance(bool, same_direction=self.same_direction)


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """One noise level and what it means, stated in every currency that the family has.

    `loss` is the budget in the family's own currency `letter` (ρ for Gaussian, ε otherwise);
    `rho` and `mu` are None where the family has none.
    """

    level: float
    letter: Literal["ρ", "ε"]
    loss: float
    exact: Fraction  # the loss as it was typed, for sums
    rho: float | None
    mu: float | None
    epsilon: float
    delta: float  # of `epsilon`; 0 for a pure guarantee
    half_width: float  # ± for one group at ACCURACY_CONFIDENCE, in units of the statistic

    def __post_init__(self) -> None:
        checks.positive(level=self.level)
        checks.non_negative(loss=self.loss, epsilon=self.epsilon, half_width=self.half_width)
        checks.known(checks.non_negative, rho=self.rho, mu=self.mu)
        checks.between(0, 1, delta=self.delta)
        checks.instance(Fraction, exact=self.exact)


@lru_cache(maxsize=1024)  # pure mathematics of public numbers; a page asks for every tier again
def resolve(kind: Kind, amount: Amount, setting: Setting) -> Budget:
    """State the budget `amount` of the given kind as a level and in every currency.

    Raises:
        ParameterError: if the family has no such budget, or no guarantee holds at it.

    >>> from dpviz.noise import FAMILIES
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["gaussian"], delta=1e-6, sensitivity=one, dimension=5)
    >>> b = resolve("ρ", Amount(0.5), s)
    >>> b.level, b.rho, b.mu, round(b.epsilon, 4), round(b.half_width, 2)
    (1.0, 0.5, 1.0, 4.8866, 1.96)
    """
    _refuse_unknown(setting.family)
    setting, value = _own_delta(amount, setting), exact(amount.value)
    if kind in ACCURACIES:
        confidence, every = ACCURACIES[kind]
        steps = rounded_down(value / Fraction(setting.step))
        return at_level(
            level_for_half_width(
                setting.family,
                steps,
                confidence,
                coordinates=setting.dimension if every else 1,
            ),
            setting,
        )
    stated = at_level(_LEVELS[setting.family.name](kind, value, setting), setting)
    return _as_typed(stated, kind, value, setting.family.name)


def _own_delta(amount: Amount, setting: Setting) -> Setting:
    """The setting with the δ that was typed with the budget, if one was."""
    return setting if amount.delta is None else replace(setting, delta=float(amount.delta))


def _as_typed(stated: Budget, kind: Kind, value: Fraction, family: str) -> Budget:
    """What was typed is what is stated: the level spends no more."""
    plain = float(value)
    if kind in EPSILONS:
        if stated.letter == "ε":
            return replace(stated, epsilon=plain, loss=plain, exact=value)
        return replace(stated, epsilon=plain)
    if family == "gaussian":
        rho = value if kind == "ρ" else value * value / 2
        mu = rho_to_mu(value) if kind == "ρ" else plain
        return replace(stated, rho=float(rho), mu=mu, loss=float(rho), exact=rho)
    if family in PURE and kind == "μ":  # ε = √(2 μ²/2)
        return replace(stated, rho=mu_to_rho(value), epsilon=plain, loss=plain, exact=value)
    return replace(stated, rho=stated.rho and plain)


def _gaussian(kind: str, value: Fraction, setting: Setting) -> float:
    l2 = setting.sensitivity.l2
    if kind in EPSILONS:
        return gaussian_sigma(rounded_down(value), math.log(setting.delta), l2) ** 2
    rho = value if kind == "ρ" else value * value / 2
    return _at_least(gaussian_level(rho, l2), Fraction(l2) ** 2 / (2 * rho))


def _laplace(kind: str, value: Fraction, setting: Setting) -> float:
    """A typed ρ means ε = √(2ρ): ε-DP implies ε²/2-zCDP; so a typed μ means ε = μ."""
    l1 = setting.sensitivity.l1
    epsilon = exact(rho_to_mu(value)) if kind == "ρ" else value
    return _at_least(laplace_level(epsilon, l1), Fraction(l1) / epsilon)


def _poisson(kind: str, value: Fraction, setting: Setting) -> float:
    return poisson_level(
        _epsilon(kind, value, setting),
        setting.delta,
        same_direction=setting.same_direction,
        **_sizes(setting),
    )


def _skellam(kind: str, value: Fraction, setting: Setting) -> float:
    return skellam_level(_epsilon(kind, value, setting), setting.delta, **_sizes(setting))


def _epsilon(kind: str, value: Fraction, setting: Setting) -> float:
    """A typed ρ or μ means the ε that Gaussian noise of that ρ has at the δ of the budget."""
    if kind in EPSILONS:
        return rounded_down(value)
    return gaussian_epsilon(
        math.log(setting.delta), rho_to_mu(value) if kind == "ρ" else float(value)
    )


_LEVELS = {
    "gaussian": _gaussian,
    "laplace": _laplace,
    "discrete_laplace": _laplace,  # pure ε = Δ₁/b for whole-number statistics, too
    "poisson": _poisson,
    "skellam": _skellam,
}
OFFERED = tuple(_LEVELS)  # families that a tier can have
PURE = ("laplace", "discrete_laplace")


def _refuse_unknown(family: Family) -> None:
    """Refuse a family that has no price here."""
    if family.name not in OFFERED:
        raise ParameterError(
            f"{family.label} noise is not offered for tiers; choose one of {', '.join(OFFERED)}."
        )


def rounded_down(value: Fraction) -> float:
    """The largest float that is not above the exact value.

    >>> rounded_down(Fraction(1, 10)) < 0.1 == rounded_down(Fraction(0.1))
    True
    """
    nearest = float(value)
    return nearest if Fraction(nearest) <= value else math.nextafter(nearest, 0.0)


def _at_least(level: float, needed: Fraction) -> float:
    """The level, moved up by last bits until it is not below what the exact budget needs."""
    while Fraction(level) < needed:
        level = math.nextafter(level, math.inf)
    return level


def _sizes(setting: Setting) -> dict[str, Any]:
    s = setting.sensitivity
    return {
        "l1_sensitivity": s.l1,
        "l2_sensitivity": s.l2,
        "linf_sensitivity": s.linf,
        "dimension": setting.dimension,
    }


@lru_cache(maxsize=1024)
def at_level(level: float, setting: Setting) -> Budget:
    """State a noise level in every currency, ε at the δ of the setting.

    Raises:
        ParameterError: if no guarantee holds at this level.
    """
    _refuse_unknown(setting.family)
    accuracy = half_width(setting.family, level, ACCURACY_CONFIDENCE) * setting.step
    rho: float | None = None
    delta, name = setting.delta, setting.family.name
    if name == "gaussian":
        rho = gaussian_rho(level, setting.sensitivity.l2)
        epsilon = gaussian_epsilon(math.log(delta), rho_to_mu(rho))
    elif name in PURE:
        epsilon, delta = laplace_epsilon(level, setting.sensitivity.l1), 0.0
        rho = mu_to_rho(epsilon)
    elif name == "skellam":
        epsilon = skellam_epsilon(level, delta, **_sizes(setting))
    else:
        moves = {"same_direction": setting.same_direction, **_sizes(setting)}
        epsilon = poisson_epsilon(level, delta, **moves)
    loss = rho if name == "gaussian" and rho is not None else epsilon
    return Budget(
        level=level,
        letter="ρ" if name == "gaussian" else "ε",
        loss=loss,
        exact=exact(loss),
        rho=rho,
        mu=rho_to_mu(rho) if name == "gaussian" and rho is not None else None,
        epsilon=epsilon,
        delta=delta,
        half_width=accuracy,
    )
