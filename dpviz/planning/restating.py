"""The same tier typed in another kind of budget, so that people switch freely and lose nothing.

A noise level is stated as the text that somebody would type: a decimal of `DIGITS` digits, rounded
so that the level it gives is never less private than the one it restates. Limits: whole-number
noise has only some accuracies, so "±a" may give a noisier level there; what was typed before the
switch is remembered by the caller and comes back word for word when its kind comes back.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal

from dpviz.accounting import gaussian_rho_for, half_width, rho_to_mu
from dpviz.errors import ParameterError
from dpviz.planning.amounts import ACCURACIES, EPSILONS, PAIR, Kind, read_amount
from dpviz.planning.budgets import Setting, at_level, resolve
from dpviz.planning.tiers import Tier

DIGITS = 7  # some switches in a row then stay within SAME of the level
SAME = 1e-5  # levels nearer than this, relatively, are the same to people
TRIES = 40


def restate(level: float, kind: Kind, setting: Setting, *, digits: int = DIGITS) -> str:
    """The text to type so that a budget of this kind gives this level, or hardly more noise.

    Args:
        level: noise level, above 0.
        kind: the kind of budget to type.
        setting: what the budget refers to; its δ is the one in "(ε, δ)".
        digits: of the decimal.

    Returns:
        A text that `read_amount` reads; the level that it resolves to is at least `level`.

    Raises:
        ParameterError: if no guarantee holds at this level, or no such budget is so small.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["gaussian"], delta=1e-6, sensitivity=one, dimension=5)
    >>> restate(1.0, "ρ", s), restate(1.0, "ε", s), restate(1.0, "±a 95 %", s)
    ('0.5', '4.886554', '1.959964')
    """
    value = _value(level, kind, setting)
    if not value > 0:
        raise ParameterError(f"this noise has no {kind} above 0: choose another kind.")
    up = kind in ACCURACIES  # a larger ±a is more private, a larger budget less
    tail = f", {written(Decimal(repr(setting.delta)))}" if kind == PAIR else ""
    unit = Decimal(1).scaleb(Decimal(value).adjusted() - digits + 1)
    nearest = Decimal(value).quantize(unit, rounding=ROUND_HALF_EVEN)
    private = Decimal(value).quantize(unit, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    away = [private + (2**n - 1) * (unit if up else -unit) for n in range(TRIES)]
    for typed in (nearest, *away):
        text = written(typed) + tail
        if typed > 0 and _level(kind, text, setting) >= level:
            return text
    raise ParameterError(f"this noise cannot be stated as {kind}: choose another kind.")


def restate_tiers(
    tiers: Sequence[Tier], kind: Kind, setting: Setting, remembered: Mapping[tuple[str, Kind], str]
) -> tuple[Tier, ...]:
    """The same tiers with their budgets typed as this kind.

    Args:
        tiers: the plan; a tier that cannot be restated comes back as it is.
        kind: the kind of budget to switch to.
        setting: what the budgets refer to.
        remembered: what was typed earlier for a tier (its name) and a kind. It comes back if what
            is typed now is but a restatement of it, directly or by way of other remembered texts.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> from dpviz.planning.budgets import Setting
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["gaussian"], delta=1e-6, sensitivity=one, dimension=5)
    >>> restate_tiers([Tier(name="a", amount="0.5", kind="ρ")], "μ", s, {})[0].amount
    '1'
    """
    return tuple(_switched(tier, kind, setting, remembered) for tier in tiers)


def _switched(
    tier: Tier, kind: Kind, setting: Setting, remembered: Mapping[tuple[str, Kind], str]
) -> Tier:
    if tier.kind == kind:
        return tier
    own = {k: text for (name, k), text in remembered.items() if name == tier.name}
    try:
        level = _level(tier.kind, tier.amount, setting)
        if kind in own and _linked(tier, kind, own, setting):
            return replace(tier, kind=kind, amount=own[kind])
        return replace(tier, kind=kind, amount=restate(level, kind, setting))
    except ParameterError:
        return tier


def _linked(tier: Tier, kind: Kind, own: Mapping[Kind, str], setting: Setting) -> bool:
    """Whether the remembered text of this kind says the same, directly or by way of others."""
    waiting = [kind, *(k for k in own if k not in (kind, tier.kind))]
    reached = [tier]
    for now in reached:  # grows as texts are found that say the same
        for other in tuple(waiting):
            earlier = replace(tier, kind=other, amount=own[other])
            if _same(now, earlier, setting):
                if other == kind:
                    return True
                waiting.remove(other)
                reached.append(earlier)
    return False


def _same(now: Tier, earlier: Tier, setting: Setting) -> bool:
    """Whether both texts give nearly one level, or the one now is the earlier one restated."""
    try:
        level = _level(earlier.kind, earlier.amount, setting)
        near = math.isclose(level, _level(now.kind, now.amount, setting), rel_tol=SAME)
        return near or restate(level, now.kind, setting) == now.amount
    except ParameterError:  # remembered from another plan, in which it made sense
        return False


def _level(kind: Kind, text: str, setting: Setting) -> float:
    return resolve(kind, read_amount(kind, text, where="Budget"), setting).level


def _value(level: float, kind: Kind, setting: Setting) -> float:
    """The budget or the accuracy of this level, not rounded yet."""
    if kind in ACCURACIES:
        confidence, every = ACCURACIES[kind]
        coordinates = setting.dimension if every else 1
        return half_width(setting.family, level, confidence, coordinates=coordinates) * setting.step
    stated = at_level(level, setting)
    if kind in EPSILONS:
        return stated.epsilon
    rho = stated.rho  # where a family has none, a typed ρ means the ε of Gaussian noise
    if rho is None:
        rho = gaussian_rho_for(stated.epsilon, math.log(setting.delta))
    return rho if kind == "ρ" else rho_to_mu(rho)


def written(number: Decimal) -> str:
    """A number as people type it: no trailing zeros, no exponent at ordinary sizes."""
    short = number.normalize()
    return f"{short:f}" if -5 < number.adjusted() < 12 else f"{short:e}"
