"""A budget as people state it: the noise level that it asks for, and a warning if it is very large.

People say ρ, ε (at the plan's δ), ε with a δ of its own, μ, or "±a", for one group or for all at
once; a family knows only its level (MATHEMATICS 1.1, 3.1, 4.1). Here each of them is turned into
the level, once, and all others are stated for that level. Typed numbers are exact decimals; they
become floats here, once.

ε bounds what a release can do to anybody's odds about a person: they change by a factor of at most
e^ε (Dwork and Roth 2014, section 2.3). With (ε, δ) no probability changes by more than that factor
plus δ. So a budget that promises next to nothing gets words of warning, and no other one.
Limits: a level is rounded to the private side, so what is stated never exceeds what was asked; ± is
that of one released coordinate, before a mean is computed of two of them. Warnings follow a rule of
thumb about one budget; they are no verdict on a plan.
"""

import math
from dataclasses import replace
from fractions import Fraction
from functools import lru_cache

from dpviz.accounting import (
    gaussian_epsilon,
    half_width,
    level_for_half_width,
    mu_to_rho,
    rho_to_mu,
)
from dpviz.accounting.guarantees import Budget, Guarantee, Setting, float_below, guarantee_of
from dpviz.errors import NoLossError, ParameterError, UnsureError
from dpviz.noise.family import Family
from dpviz.parameters import exact, power_of_ten
from dpviz.planning.amounts import ACCURACIES, EPSILONS, KINDS, Amount, Kind, read_amount

__all__ = [
    "ACCURACY_CONFIDENCE",
    "KINDS",
    "Amount",
    "Budget",
    "Kind",
    "Setting",
    "at_level",
    "read_amount",
    "resolve",
    "usual_half_width",
]

ACCURACY_CONFIDENCE = 0.95  # of `usual_half_width`, which is what ± means on every page
# e^10 = 22,026: a guess of one in a thousand may become a certainty of 96 in a hundred, so the
# promise alone protects nobody whom an attacker looks at; published practice is rarely above it.
LARGE_EPSILON = 10.0
# Publishing the whole row of each person with probability δ is (0, δ)-DP: of a thousand people, a δ
# of one in a thousand lets one be exposed. A δ below 1 / number of people is a rule of
# thumb: publishing one person at random passes it.
LARGE_DELTA = 1e-3


def usual_half_width(family: Family, level: float, step: float = 1.0) -> float:
    """How far off 95 % of the numbers with this noise are at most, in units.

    Args:
        family: the noise family.
        level: its noise level.
        step: one whole step in units of the statistic.

    Raises:
        ParameterError: if the family has no such level.

    >>> from dpviz.noise import FAMILIES
    >>> round(usual_half_width(FAMILIES["gaussian"], 1.0, step=10), 2)
    19.6
    """
    return half_width(family, level, ACCURACY_CONFIDENCE) * step


@lru_cache(maxsize=1024)  # pure mathematics of public numbers; a page asks for every tier again
def resolve(kind: Kind, amount: Amount, setting: Setting) -> Budget:
    """State the budget `amount` of the given kind as a level and in every currency.

    Raises:
        ParameterError: if the family has no such budget, or no guarantee holds at it.
        NoLossError: if the δ alone covers this noise, so that its ε would be 0.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["gaussian"], delta=1e-6, sensitivity=one, dimension=5)
    >>> b = resolve("ρ", Amount(0.5), s)
    >>> b.level, b.rho, b.mu, round(b.epsilon, 4), round(b.half_width, 2)
    (1.0, 0.5, 1.0, 4.8866, 1.96)
    """
    promise = guarantee_of(setting.family)
    setting, value = _own_delta(amount, setting), exact(amount.value)
    if kind in ACCURACIES:
        confidence, every = ACCURACIES[kind]
        steps = float_below(value / Fraction(setting.step))
        level = level_for_half_width(
            setting.family, steps, confidence, coordinates=setting.dimension if every else 1
        )
        found = at_level(level, setting)
    else:
        stated = at_level(_level(kind, value, setting), setting)
        found = _as_typed(stated, kind, value, promise)
    if not found.exact:
        raise NoLossError(
            f"this noise keeps ε = 0 at δ = {float(found.delta):g}, which alone counts; type a "
            "smaller ±a, an ε, or a smaller δ"
        )
    return found


def _own_delta(amount: Amount, setting: Setting) -> Setting:
    """The setting with the δ that was typed with the budget, if one was."""
    return setting if amount.delta is None else replace(setting, delta=float(amount.delta))


def _as_typed(stated: Budget, kind: Kind, value: Fraction, promise: Guarantee) -> Budget:
    """What was typed is what is stated: the level spends no more."""
    plain = float(value)
    if kind in EPSILONS:
        if stated.letter == "ε":
            return replace(stated, epsilon=plain, loss=plain, exact=value)
        return replace(stated, epsilon=plain)
    if promise.letter == "ρ":
        rho = value if kind == "ρ" else value * value / 2
        mu = rho_to_mu(value) if kind == "ρ" else plain
        return replace(stated, rho=float(rho), mu=mu, loss=float(rho), exact=rho)
    if promise.pure and kind == "μ":  # ε = √(2 μ²/2)
        return replace(stated, rho=mu_to_rho(value), epsilon=plain, loss=plain, exact=value)
    return replace(stated, rho=stated.rho and plain)


def _level(kind: Kind, value: Fraction, setting: Setting) -> float:
    """The least level that keeps what was typed; each definition reads ρ and μ in its way."""
    promise = guarantee_of(setting.family)
    if kind in EPSILONS:
        return (promise.level_at_epsilon or promise.level)(value, setting)
    if promise.letter == "ρ":
        return promise.level(value if kind == "ρ" else value * value / 2, setting)
    if promise.pure:  # ε-DP implies ε²/2-zCDP, so ρ means ε = √(2ρ), and μ means ε = μ
        return promise.level(exact(rho_to_mu(value)) if kind == "ρ" else value, setting)
    return promise.level(Fraction(_gaussian(kind, value, setting)), setting)


def meant_epsilon(kind: Kind, text: str, setting: Setting) -> float | None:
    """The ε that a typed ρ or μ means under noise that has no ρ; None where it means no such thing.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["skellam"], delta=1e-6, sensitivity=one, dimension=5)
    >>> round(meant_epsilon("ρ", "0.5", s), 4), meant_epsilon("ε", "0.5", s)
    (4.8866, None)
    """
    if kind not in ("ρ", "μ") or not guarantee_of(setting.family).with_delta:
        return None
    return _gaussian(kind, exact(read_amount(kind, text, where="budget").value), setting)


def _gaussian(kind: Kind, value: Fraction, setting: Setting) -> float:
    """The ε that Gaussian noise of this ρ or μ has at the δ of the setting."""
    mu = rho_to_mu(value) if kind == "ρ" else float(value)
    return gaussian_epsilon(math.log(setting.delta), mu)


@lru_cache(maxsize=1024)
def at_level(level: float, setting: Setting) -> Budget:
    """State a noise level in every currency, ε at the δ of the setting.

    Raises:
        ParameterError: if no guarantee holds at this level, or it is hardly any noise.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["gaussian"], delta=1e-6, sensitivity=one, dimension=5)
    >>> at_level(1.0, s).rho, at_level(1.0, s) == resolve("ρ", Amount(0.5), s)
    (0.5, True)
    """
    promise = guarantee_of(setting.family)
    if not setting.family.variance(level) > 0:  # of whole numbers: below the least float
        raise ParameterError("there is no noise at so small a level; type a smaller budget")
    accuracy = usual_half_width(setting.family, level, setting.step)
    loss, delta = promise.loss(level, setting), 0.0 if promise.pure else setting.delta
    rho: float | None = None
    mu: float | None = None
    epsilon = loss
    if promise.letter == "ρ":
        rho, mu = loss, rho_to_mu(loss)
        epsilon = gaussian_epsilon(math.log(delta), mu)
    elif promise.pure:
        rho = mu_to_rho(epsilon)
    return Budget(
        level=level,
        letter=promise.letter,
        loss=loss,
        exact=exact(loss),
        rho=rho,
        mu=mu,
        epsilon=epsilon,
        delta=delta,
        half_width=accuracy,
    )


def warning(budget: Budget) -> str | None:
    """One sentence if this budget promises little, else None; to follow the tier's name.

    >>> from dpviz.planning.budgets import Amount, Setting, resolve
    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["laplace"], delta=1e-6, sensitivity=one, dimension=5)
    >>> print(warning(resolve("ε", Amount(10.5), s)))
    a privacy loss this large promises little: it lets the odds of a guess change by a factor of \
about 36,000.
    >>> warning(resolve("ε", Amount(1), s)) is None
    True
    """
    if budget.epsilon > LARGE_EPSILON:
        return (
            "a privacy loss this large promises little: it lets the odds of a guess change by a "
            f"factor of {_factor(budget.epsilon)}."
        )
    if budget.delta > LARGE_DELTA:
        return (
            "a δ this large promises little: publishing everything about one in "
            f"{1 / budget.delta:,.0f} would keep it, too."
        )
    return None


def check_meant(name: str, wanted: Budget, sure: bool) -> None:
    """Let a budget that promises next to nothing pass only where it is meant.

    Raises:
        UnsureError: if it is not.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> from dpviz.planning.budgets import Setting
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["laplace"], delta=1e-6, sensitivity=one, dimension=5)
    >>> from dpviz.planning.budgets import Amount, resolve
    >>> check_meant("Tier audit", resolve("ε", Amount(10.5), s), sure=True)
    """
    caution = warning(wanted)
    if caution is not None and not sure:
        raise UnsureError(f"{name}: {caution}")


def _factor(epsilon: float) -> str:
    """e^ε with two digits, or its power of ten."""
    power = epsilon / math.log(10)
    if power < 6:
        return f"about {round(math.exp(epsilon), 1 - math.floor(power)):,.0f}"
    return f"more than {power_of_ten(math.floor(power))}"
