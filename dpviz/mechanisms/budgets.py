"""A budget as people state it, turned into the one number that the sampler needs: the noise level.

People say ρ, ε (at the plan's δ), or "±a with 95 % confidence"; a family knows only its level
(MATH sections 1, 2, 5). Here each of the three is turned into the level, once, and the other two
are stated for that level. Typed numbers are exact decimals; they become floats here, once.
How far: a level is rounded to the private side, so what is stated never exceeds what was asked.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args

from dpviz import checks
from dpviz.accounting import (
    gaussian_epsilon,
    gaussian_sigma,
    half_width,
    level_for_half_width,
    mu_to_rho,
    rho_to_mu,
)
from dpviz.mechanisms.additive import (
    gaussian_level,
    gaussian_rho,
    laplace_epsilon,
    laplace_level,
    poisson_epsilon,
    poisson_level,
)
from dpviz.mechanisms.integer import skellam_epsilon, skellam_level
from dpviz.noise.family import Family
from dpviz.parameters import EPSILON, HALF_WIDTH, RHO, Parameter
from dpviz.queries import Sensitivity

Kind = Literal["ρ", "ε", "±a"]
KINDS: tuple[Kind, ...] = get_args(Kind)
PARAMETERS: dict[Kind, Parameter] = {"ρ": RHO, "ε": EPSILON, "±a": HALF_WIDTH}
ACCURACY_CONFIDENCE = 0.95  # of a budget typed as ±a, per group


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """What a budget refers to: the noise family, the plan's δ, and the statistic's sensitivity."""

    family: Family
    delta: float
    sensitivity: Sensitivity
    dimension: int

    def __post_init__(self) -> None:
        checks.probability(delta=self.delta)
        checks.whole(1, dimension=self.dimension)


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """One noise level and what it means, stated in every currency that the family has.

    `loss` is the budget in the family's own currency `letter` (ρ for Gaussian, ε otherwise);
    `rho` is None where the family has no ρ.
    """

    level: float
    letter: Literal["ρ", "ε"]
    loss: float
    rho: float | None
    epsilon: float
    delta: float  # of `epsilon`; 0 for a pure guarantee
    half_width: float  # ± for one group, at ACCURACY_CONFIDENCE


def resolve(kind: Kind, value: float, setting: Setting) -> Budget:
    """State the budget `value` of the given kind as a level and in every currency.

    Raises:
        ParameterError: if the family has no such budget, or no guarantee holds at it.

    >>> from dpviz.noise import FAMILIES
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["gaussian"], delta=1e-6, sensitivity=one, dimension=5)
    >>> b = resolve("ρ", 0.5, s)
    >>> b.level, b.rho, round(b.epsilon, 4), round(b.half_width, 2)
    (1.0, 0.5, 4.8866, 1.96)
    """
    checks.positive(budget=value)
    if kind == "±a":
        return at_level(level_for_half_width(setting.family, value, ACCURACY_CONFIDENCE), setting)
    stated = at_level(_LEVELS[setting.family.name](kind, value, setting), setting)
    loss = value if stated.letter == kind else stated.loss
    if kind == "ε":  # what was typed is what is stated: the level spends no more
        return replace(stated, epsilon=value, loss=loss)
    return replace(stated, rho=stated.rho and value, loss=loss)


def _gaussian(kind: str, value: float, setting: Setting) -> float:
    if kind == "ρ":
        return gaussian_level(value, setting.sensitivity.l2)
    return gaussian_sigma(value, math.log(setting.delta), setting.sensitivity.l2) ** 2


def _laplace(kind: str, value: float, setting: Setting) -> float:
    """A typed ρ means ε = √(2ρ): ε-DP implies ε²/2-zCDP."""
    epsilon = rho_to_mu(value) if kind == "ρ" else value
    return laplace_level(epsilon, setting.sensitivity.l1)


def _poisson(kind: str, value: float, setting: Setting) -> float:
    """A typed ρ means the ε that Gaussian noise of that ρ has at the plan's δ."""
    if kind == "ρ":
        value = gaussian_epsilon(math.log(setting.delta), rho_to_mu(value))
    return poisson_level(value, setting.delta, **_sizes(setting))


def _skellam(kind: str, value: float, setting: Setting) -> float:
    """A typed ρ means the ε that Gaussian noise of that ρ has at the plan's δ."""
    if kind == "ρ":
        value = gaussian_epsilon(math.log(setting.delta), rho_to_mu(value))
    return skellam_level(value, setting.delta, **_sizes(setting))


_LEVELS = {
    "gaussian": _gaussian,
    "laplace": _laplace,
    "discrete_laplace": _laplace,  # pure ε = Δ₁/b for whole-number statistics, too
    "poisson": _poisson,
    "skellam": _skellam,
}
OFFERED = tuple(_LEVELS)  # families that a tier can have
PURE = ("laplace", "discrete_laplace")


def _sizes(setting: Setting) -> dict[str, Any]:
    s = setting.sensitivity
    return {
        "l1_sensitivity": s.l1,
        "l2_sensitivity": s.l2,
        "linf_sensitivity": s.linf,
        "dimension": setting.dimension,
    }


def at_level(level: float, setting: Setting) -> Budget:
    """State a noise level in every currency.

    Raises:
        ParameterError: if no guarantee holds at this level.
    """
    accuracy = half_width(setting.family, level, ACCURACY_CONFIDENCE)
    rho: float | None = None
    delta = setting.delta
    if setting.family.name == "gaussian":
        rho = gaussian_rho(level, setting.sensitivity.l2)
        epsilon = gaussian_epsilon(math.log(delta), rho_to_mu(rho))
    elif setting.family.name in PURE:
        epsilon, delta = laplace_epsilon(level, setting.sensitivity.l1), 0.0
        rho = mu_to_rho(epsilon)
    elif setting.family.name == "skellam":
        epsilon = skellam_epsilon(level, delta, **_sizes(setting))
    else:
        epsilon = poisson_epsilon(level, delta, **_sizes(setting))
    own_rho = setting.family.name == "gaussian" and rho is not None
    return Budget(
        level=level,
        letter="ρ" if own_rho else "ε",
        loss=rho if own_rho and rho is not None else epsilon,
        rho=rho,
        epsilon=epsilon,
        delta=delta,
        half_width=accuracy,
    )
