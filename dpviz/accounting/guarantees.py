"""What each noise family promises: one record per family; everything else asks here.

    Gaussian                    ρ = Δ₂²/(2t)             ρ-zCDP, of Gaussian noise: μ = √(2ρ)
    Laplace, discrete Laplace   ε = Δ₁/b                 ε-DP
    Poisson, Skellam            ε at a δ, by their laws  (ε, δ)-DP, from all sensitivities
    exponential                 nothing by itself        a building block of other mechanisms

A family of `dpviz.noise.FAMILIES` has its line here, `None` if it promises nothing: it is a legal
noise all the same, which sessions draw and pages show, but no tier can have it. A family without a
line is refused. Every level is rounded to the private side: its loss never exceeds the one asked.

A composition with releases of other kinds (privacy_loss.py) uses points of the curve of a release
(`points_of`): of a family with a δ its ε at smaller and larger deltas than that of the plan, of a
pure family the curve below its ε where the family has one. Limit: whole multiples of a step, so
that what is composed of them is a little above the least possible.
Source: MATHEMATICS 1.1, 3.1, 3.9, 3.10.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Literal

from dpviz import checks
from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.composition import APPROXIMATE, PURE, ZCDP
from dpviz.accounting.gaussian import gaussian_sigma
from dpviz.accounting.laplace import laplace_log_delta
from dpviz.accounting.levels import gaussian_level, gaussian_rho, laplace_epsilon, laplace_level
from dpviz.accounting.loss_promises import Points
from dpviz.accounting.moves import (
    MovedLosses,
    Moves,
    Sizes,
    discrete_laplace_loss,
    gaussian_loss,
    laplace_loss,
    poisson_loss,
    poisson_moved,
    skellam_loss,
    skellam_moved,
)
from dpviz.accounting.poisson_levels import THEOREM, poisson_epsilon, poisson_level, poisson_rule
from dpviz.accounting.skellam_levels import RENYI, skellam_epsilon, skellam_level, skellam_rule
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE, Family
from dpviz.noise import register as register_noise
from dpviz.queries import Norm, Sensitivity
from dpviz.queries.sensitivity import Directions, checked_directions

AROUND, FROM, UP_TO = 16, 4, 20  # ln delta is that of the plan times (k / AROUND)²
STEPS = 32  # of a pure epsilon
DEEPEST = -600.0


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
    directions: Directions | None = None  # most entries that move one way, the other; None: any

    def __post_init__(self) -> None:
        checks.probability(delta=self.delta)
        checks.whole(1, dimension=self.dimension)
        checks.positive(step=self.step)
        checked_directions(self.directions)


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
    half_width: float  # ± for one group, 95 % sure, in units of the statistic

    def __post_init__(self) -> None:
        checks.positive(level=self.level)
        checks.non_negative(loss=self.loss, epsilon=self.epsilon, half_width=self.half_width)
        checks.known(checks.non_negative, rho=self.rho, mu=self.mu)
        checks.between(0, 1, delta=self.delta)
        checks.instance(Fraction, exact=self.exact)


@dataclass(frozen=True, slots=True, kw_only=True)
class Guarantee:
    """What a family promises, and how its loss and its level belong together.

    Attributes:
        definition: one of "ρ-zCDP", "ε-DP", "(ε, δ)-DP"; "ρ-zCDP" is that of Gaussian noise.
        norm: of the sensitivity that the noise is scaled to: the level of a loss is proportional to
            it, or to its square if the level is a variance; None if all norms count.
        level: an exact loss to the least level that keeps it, at the δ of the setting.
        loss: a level to its loss, likewise.
        level_at_epsilon: an exact ε at the δ of the setting to the least level that keeps it; None
            where the loss is ε itself.
        formula: words and LaTeX of loss and level.
        log_delta: of a pure family, an upper bound of ln δ at a level and an ε below its own, for
            any way in which one person moves the statistic; None: δ = 0 at its own ε is all.
        coordinate_loss: a level and a shift in steps to the privacy loss of one coordinate.
        losses_of_moves: of a family with a δ, a level to the exact loss of each largest move of one
            person, in one order at all levels, or None if there are too many; None: not known.
        is_least: whether the level that keeps an ε at the setting's δ is the least there is.

    Raises:
        ParameterError: the definition is unknown, or a loss ρ comes without `level_at_epsilon`.
    """

    definition: str
    norm: Norm | None
    level: Callable[[Fraction, Setting], float]
    loss: Callable[[float, Setting], float]
    level_at_epsilon: Callable[[Fraction, Setting], float] | None
    formula: str
    log_delta: Callable[[float, float, Setting], float] | None
    coordinate_loss: Callable[[float, float], PrivacyLoss]
    losses_of_moves: Callable[[float, Setting], MovedLosses] | None
    is_least: Callable[[float, Setting], bool]

    def __post_init__(self) -> None:
        checks.one_of((ZCDP, PURE, APPROXIMATE), definition=self.definition)
        if (self.level_at_epsilon is not None) != (self.definition == ZCDP):
            raise ParameterError(
                f"a guarantee needs level_at_epsilon if it is {ZCDP}, and only then: pass one, or "
                "None"
            )

    @property
    def letter(self) -> Literal["ρ", "ε"]:
        """Letter of the loss."""
        return "ρ" if self.definition == ZCDP else "ε"

    @property
    def pure(self) -> bool:
        """Whether the loss is an ε without any δ."""
        return self.definition == PURE

    @property
    def with_delta(self) -> bool:
        """Whether the loss is an ε that holds at a δ only."""
        return self.definition == APPROXIMATE


def _gaussian_level(rho: Fraction, setting: Setting) -> float:
    l2 = setting.sensitivity.l2
    return _at_least(gaussian_level(rho, l2), Fraction(l2) ** 2 / (2 * rho))


def _gaussian_rho(level: float, setting: Setting) -> float:
    return gaussian_rho(level, setting.sensitivity.l2)


def _gaussian_level_at(epsilon: Fraction, setting: Setting) -> float:
    log_delta = math.log(setting.delta)
    return gaussian_sigma(float_below(epsilon), log_delta, setting.sensitivity.l2) ** 2


def _laplace_level(epsilon: Fraction, setting: Setting) -> float:
    l1 = setting.sensitivity.l1
    return _at_least(laplace_level(epsilon, l1), Fraction(l1) / epsilon)


def _laplace_epsilon(level: float, setting: Setting) -> float:
    return laplace_epsilon(level, setting.sensitivity.l1)


def _laplace_log_delta(level: float, epsilon: float, setting: Setting) -> float:
    """One coordinate that moves by all of Δ₁ is the worst case (MATHEMATICS 5.1)."""
    return laplace_log_delta(epsilon, level, setting.sensitivity.l1)


def _poisson_level(epsilon: Fraction, setting: Setting) -> float:
    sizes = _sizes(setting)
    return poisson_level(
        float_below(epsilon), setting.delta, directions=setting.directions, **sizes
    )


def _poisson_epsilon(level: float, setting: Setting) -> float:
    sizes = _sizes(setting)
    return poisson_epsilon(level, setting.delta, directions=setting.directions, **sizes)


def _skellam_level(epsilon: Fraction, setting: Setting) -> float:
    return skellam_level(float_below(epsilon), setting.delta, **_sizes(setting))


def _skellam_epsilon(level: float, setting: Setting) -> float:
    return skellam_epsilon(level, setting.delta, **_sizes(setting))


def _poisson_losses(level: float, setting: Setting) -> MovedLosses:
    return poisson_moved(level, Moves(**_sizes(setting), directions=setting.directions))


def _skellam_losses(level: float, setting: Setting) -> MovedLosses:
    return skellam_moved(level, Moves(**_sizes(setting)))


def _always(_level: float, _setting: Setting) -> bool:
    return True


def _never(_level: float, _setting: Setting) -> bool:
    """A pure ε takes no account of δ."""
    return False


def _poisson_is_least(level: float, setting: Setting) -> bool:
    return poisson_rule(level, directions=setting.directions, **_sizes(setting)) != THEOREM


def _skellam_is_least(level: float, setting: Setting) -> bool:
    return skellam_rule(level, **_sizes(setting)) != RENYI


def _sizes(setting: Setting) -> Sizes:
    s = setting.sensitivity
    return {
        "l1_sensitivity": s.l1,
        "l2_sensitivity": s.l2,
        "linf_sensitivity": s.linf,
        "dimension": setting.dimension,
        "l0_sensitivity": s.l0,
    }


def float_below(value: Fraction) -> float:
    """The largest float that is not above the exact value.

    >>> float_below(Fraction(1, 10)) < 0.1 == float_below(Fraction(0.1))
    True
    """
    nearest = float(value)
    return nearest if Fraction(nearest) <= value else math.nextafter(nearest, 0.0)


def _at_least(level: float, needed: Fraction) -> float:
    """The level, moved up by last bits until it is not below what the exact budget needs."""
    while Fraction(level) < needed:
        level = math.nextafter(level, math.inf)
    return level


_SCALED = (
    r"$\varepsilon=\dfrac{\Delta_1}{b}$, so the noise scale is $b=\dfrac{\Delta_1}{\varepsilon}$"
)


GUARANTEES: dict[str, Guarantee | None] = {
    "gaussian": Guarantee(
        definition=ZCDP,
        norm="l2",
        level=_gaussian_level,
        loss=_gaussian_rho,
        level_at_epsilon=_gaussian_level_at,
        formula=r"$\rho=\dfrac{\Delta_2^2}{2t}$, so the noise variance is "
        r"$t=\dfrac{\Delta_2^2}{2\rho}$",
        log_delta=None,
        coordinate_loss=gaussian_loss,
        losses_of_moves=None,
        is_least=_always,
    ),
    "laplace": Guarantee(
        definition=PURE,
        norm="l1",
        level=_laplace_level,
        loss=_laplace_epsilon,
        level_at_epsilon=None,
        formula=_SCALED,
        log_delta=_laplace_log_delta,
        coordinate_loss=laplace_loss,
        losses_of_moves=None,
        is_least=_never,
    ),
    "discrete_laplace": Guarantee(  # for whole-number statistics
        definition=PURE,
        norm="l1",
        level=_laplace_level,
        loss=_laplace_epsilon,
        level_at_epsilon=None,
        formula=_SCALED + r"; $P(x)=\frac{1-a}{1+a}a^{|x|}$, $a=e^{-1/b}$",
        log_delta=None,
        coordinate_loss=discrete_laplace_loss,
        losses_of_moves=None,
        is_least=_never,
    ),
    "poisson": Guarantee(
        definition=APPROXIMATE,
        norm=None,
        level=_poisson_level,
        loss=_poisson_epsilon,
        level_at_epsilon=None,
        formula=r"the least rate $\lambda$ at which the exact $(\varepsilon,\delta)$ curve of the "
        r"Poisson distribution keeps the promise for all that one person moves, or Theorem E.2 "
        r"where that is too much to compute",
        log_delta=None,
        coordinate_loss=poisson_loss,
        losses_of_moves=_poisson_losses,
        is_least=_poisson_is_least,
    ),
    "skellam": Guarantee(
        definition=APPROXIMATE,
        norm=None,
        level=_skellam_level,
        loss=_skellam_epsilon,
        level_at_epsilon=None,
        formula=r"the least rate $\lambda$ at which the exact $(\varepsilon,\delta)$ curve of the "
        r"Skellam distribution keeps the promise for all that one person moves, or its Rényi bound "
        r"where that is too much to compute",
        log_delta=None,
        coordinate_loss=skellam_loss,
        losses_of_moves=_skellam_losses,
        is_least=_skellam_is_least,
    ),
    "exponential": None,
}


def register(family: Family, guarantee: Guarantee | None) -> None:
    """Add a family with what it promises; from then on tiers, packs and pages take it.

    Args:
        family: of a name of its own.
        guarantee: `None` for a noise that promises nothing by itself.

    Raises:
        ParameterError: the name is taken, or a fact is missing, which is named.

    >>> register(ADDITIVE["laplace"], "ε-DP")
    Traceback (most recent call last):
    dpviz.errors.ParameterError: the noise family 'laplace' lacks guarantee: pass a Guarantee, or \
None for a noise that promises nothing by itself
    """
    if not (guarantee is None or isinstance(guarantee, Guarantee)):
        raise ParameterError(_lacks_guarantee(family))
    register_noise(family)
    GUARANTEES[family.name] = guarantee


def _lacks_guarantee(family: Family) -> str:
    name = checks.told(getattr(family, "name", family))
    return (
        f"the noise family {name} lacks guarantee: pass a Guarantee, or None for a noise that "
        "promises nothing by itself"
    )


def offered() -> tuple[str, ...]:
    """Names of the families that a tier can have.

    >>> "gaussian" in offered(), "exponential" in offered()
    (True, False)
    """
    return tuple(name for name in ADDITIVE if GUARANTEES[name] is not None)


def guarantee_of(family: Family) -> Guarantee:
    """What a family promises.

    Raises:
        ParameterError: it promises nothing, or nobody has written down what.

    >>> guarantee_of(ADDITIVE["laplace"]).definition
    'ε-DP'
    """
    found = GUARANTEES.get(family.name)
    if found is None:
        raise ParameterError(
            f"{family.label} noise is not offered for tiers; choose one of {', '.join(offered())}."
        )
    return found


for _family in ADDITIVE.values():
    if _family.name not in GUARANTEES:
        raise ParameterError(
            f"{_lacks_guarantee(_family)}, in GUARANTEES of dpviz/accounting/guarantees.py"
        )


def points_of(budget: Budget, setting: Setting) -> Points:
    """Points (epsilon, ln delta) that a release at this budget keeps; none for zCDP.

    Args:
        budget: the level, and its epsilon and delta.
        setting: the statistic and the noise that it was stated for.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> from dpviz.planning.budgets import Amount, resolve
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["laplace"], delta=1e-6, sensitivity=one, dimension=5)
    >>> [(e, round(d, 4)) for e, d in points_of(resolve("ε", Amount(2), s), s)[:2]]
    [(0.0, -0.4587), (0.0625, -0.4773)]
    """
    promise = guarantee_of(setting.family)
    if promise.with_delta:
        return _around(budget, setting)
    if promise.log_delta is None:
        return ()
    loss = float(budget.exact)
    epsilons = [loss * k / STEPS for k in range(STEPS)]
    return tuple((e, promise.log_delta(budget.level, e, setting)) for e in epsilons)


def _around(budget: Budget, setting: Setting) -> Points:
    """The epsilons at deltas around that of the budget; without an epsilon, no point."""
    found = []
    for k in range(FROM, UP_TO + 1):
        log_delta = max(math.log(budget.delta) * (k / AROUND) ** 2, DEEPEST)
        try:
            loss = guarantee_of(setting.family).loss(
                budget.level, replace(setting, delta=math.exp(log_delta))
            )
        except ParameterError:  # no epsilon holds there
            continue
        found.append((loss, log_delta))
    return tuple(found)
