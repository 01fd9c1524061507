"""What a sequence of private answers costs together: the total ε at a δ, by every bound.

Each bound says by which theorem it holds, whether it is exact, and what may depend on earlier
answers. All are mathematics of public budgets. Source: MATHEMATICS 5.1, 5.7 to 5.11.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache

from dpviz import checks
from dpviz.accounting import adaptive_composition as adaptive
from dpviz.accounting import privacy_loss
from dpviz.accounting.best import best_epsilon
from dpviz.accounting.bounds import ANY_ORDER, ASSUMPTIONS, EXACT, UPPER, Bound
from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.conversions import rho_to_mu, zcdp_epsilon
from dpviz.accounting.gaussian import gaussian_epsilon
from dpviz.accounting.inputs import representable
from dpviz.accounting.laplace_zcdp import laplace_rho
from dpviz.errors import ParameterError
from dpviz.workspace.composition import (
    ANY,
    CHOICE,
    CONCENTRATED,
    GAUSS,
    GAUSS_BY_SIZE,
    LAPLACE,
    WITH_DELTA,
    Part,
)

SUM, BY_RHO, IN_ORDER, OWN = "sum", "zCDP", "in this order", "own losses"
MOST_MORE = 1_000  # answers that are looked at in "how many more fit"
UP = 1 + 2.0**-46  # above the rounding of a sum
Budgets = tuple[tuple[Fraction, int], ...]  # exact budgets, ascending, with how often each occurs


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """The budgets of a sequence, counted: its order and its notes no longer count."""

    pure: Budgets = ()  # any ε-private answer, and the ε of an (ε, δ) promise
    laplace: Budgets = ()
    choices: Budgets = ()
    gauss: Fraction = Fraction(0)  # ρ of all Gaussian noise
    promised: Fraction = Fraction(0)  # ρ of all zCDP promises
    own_delta: Fraction = Fraction(0)  # δ of all (ε, δ) promises

    @classmethod
    def of(cls, parts: Iterable[Part]) -> "Spent":
        """The budgets of these parts."""
        listed = list(parts)

        def counted(*answers: object) -> Budgets:
            found = Counter[Fraction]()
            for part in listed:
                if part.answer in answers:
                    found[Fraction(part.budget)] += part.count
            return tuple(sorted(found.items()))

        promised = sum(
            (p.count * p.rho for p in listed if p.rho and p.answer is CONCENTRATED), Fraction(0)
        )
        rho = sum((p.count * p.rho for p in listed if p.rho), Fraction(0))
        return cls(
            pure=counted(ANY, WITH_DELTA),
            laplace=counted(LAPLACE),
            choices=counted(CHOICE),
            gauss=rho - promised,
            promised=promised,
            own_delta=sum((p.count * Fraction(p.delta) for p in listed), Fraction(0)),
        )

    @property
    def rho(self) -> Fraction:
        """ρ of all parts whose budget is a ρ."""
        return self.gauss + self.promised

    @property
    def epsilons(self) -> Fraction:
        """The sum of all ε, exact."""
        listed = (*self.pure, *self.laplace, *self.choices)
        return sum((budget * count for budget, count in listed), Fraction(0))


def totals(parts: Sequence[Part], delta: Fraction) -> tuple[Bound, ...]:
    """The total ε of all parts together at this δ, by every bound, the smallest first.

    Args:
        parts: the sequence, not empty.
        delta: of all together, exact; the δ of (ε, δ) promises are part of it.

    Returns:
        the bounds; `usable` says which may be used.

    Raises:
        ParameterError: the sequence is empty, or the δ of its promises use up all of `delta`.

    Source: MATHEMATICS 5.1, 5.7 to 5.11.

    >>> from dpviz.workspace.composition import EXAMPLE, read_part
    >>> found = totals([read_part(*row[:3], where="Part") for row in EXAMPLE], Fraction("1e-6"))
    >>> [(bound.name, round(bound.value, 3)) for bound in found][-1]
    ('sum', 2.0)
    """
    if not parts:
        raise ParameterError("no answer is given: add one")
    bare = tuple(replace(part, note="") for part in parts)  # a shared cache keeps no words
    return _totals(bare, delta)


@lru_cache(maxsize=256)  # mathematics of public numbers; other controls ask for the same
def _totals(parts: tuple[Part, ...], delta: Fraction) -> tuple[Bound, ...]:
    spent = Spent.of(parts)
    log_left = math.log(_left(spent, delta))
    found = [] if spent.promised else _known(spent, log_left)
    found += [_sum(spent, log_left), _by_rho(spent, log_left)]
    found += [bound for bound in (_in_order(parts, log_left), _own(parts, delta)) if bound]
    return tuple(sorted(found, key=lambda bound: bound.value))


def usable(bounds: Iterable[Bound], granted: str) -> tuple[Bound, ...]:
    """The bounds that hold, in the same order.

    Args:
        bounds: as `totals` gives them.
        granted: what may depend on earlier answers, one of `ASSUMPTIONS`.
    """
    most = ASSUMPTIONS.index(granted)
    return tuple(b for b in bounds if ASSUMPTIONS.index(b.assumes) <= most)


def _left(spent: Spent, delta: Fraction) -> Fraction:
    """What (ε, δ) promises leave of the δ of all together."""
    if spent.own_delta >= delta:
        raise ParameterError(
            f"δ of all together: {float(delta):g} is used up by the promises, whose δ add up to "
            f"{float(spent.own_delta):g}. Type a larger δ, or promise a smaller one"
        )
    return delta - spent.own_delta


def _known(spent: Spent, log_delta: float) -> list[Bound]:
    """The bounds of pure, bounded-range and concentrated mechanisms that the library compares."""
    rho = representable(spent.gauss)
    answer = best_epsilon(
        _listed((*spent.pure, *spent.laplace)),
        _listed(spent.choices),
        [(rho, rho_to_mu(rho))] if rho else [],
        log_delta=log_delta,
    )
    return [bound for bound in answer.bounds if bound.name not in (SUM, BY_RHO)]


def _listed(budgets: Budgets) -> list[Fraction]:
    return [budget for budget, count in budgets for _ in range(count)]


def _sum(spent: Spent, log_delta: float) -> Bound:
    """All ε added; what has a ρ is added as ρ and turned into ε once."""
    rho = representable(spent.rho)
    turned = 0.0
    if rho:
        to_epsilon = zcdp_epsilon if spent.promised else _gaussian_epsilon
        turned = to_epsilon(rho, log_delta)
    value = representable((spent.epsilons + Fraction(turned)) * Fraction(UP if rho else 1))
    return Bound(SUM, value, "[DMNS06]; MATHEMATICS 5.1", UPPER, ANY_ORDER)


def _gaussian_epsilon(rho: float, log_delta: float) -> float:
    return gaussian_epsilon(log_delta, rho_to_mu(rho))


def _by_rho(spent: Spent, log_delta: float) -> Bound:
    """All ρ added: half of ε² for any private answer, an eighth for a choice."""
    value = zcdp_epsilon(_whole_rho(spent), log_delta)
    return Bound(BY_RHO, value, "[CKS20] Proposition 12; MATHEMATICS 3.2", UPPER, ANY_ORDER)


def _whole_rho(spent: Spent) -> float:
    halves = sum((count * budget**2 for budget, count in spent.pure), Fraction(0)) / 2
    eighths = sum((count * budget**2 for budget, count in spent.choices), Fraction(0)) / 8
    laplace = math.fsum(count * laplace_rho(budget) for budget, count in spent.laplace)
    return representable(spent.rho + halves + eighths + Fraction(laplace)) * UP


def _in_order(parts: Sequence[Part], log_delta: float) -> Bound | None:
    """The bound for this order of kinds, where all have one ε and it is not the worst one."""
    budgets = {part.budget for part in parts}
    kinds = {ANY.name: adaptive.PURE, LAPLACE.name: adaptive.PURE}
    kinds |= {WITH_DELTA.name: adaptive.PURE, CHOICE.name: adaptive.BOUNDED_RANGE}
    count = sum(part.count for part in parts)
    if len(budgets) > 1 or count > adaptive.LONGEST:
        return None
    if any(part.answer.name not in kinds for part in parts):
        return None
    order = tuple(kinds[part.answer.name] for part in parts for _ in range(part.count))
    found = adaptive.adaptive_composition_epsilon(order, budgets.pop(), log_delta)
    return None if found.assumes == ANY_ORDER else replace(found, name=IN_ORDER)


def _own(parts: Sequence[Part], delta: Fraction) -> Bound | None:
    """The losses of each answer as they are, convolved; where the library knows them."""
    kinds = {part.answer.name for part in parts}
    if kinds <= {ANY.name, CHOICE.name}:  # their worst losses are all that is known
        return None
    try:
        loss = loss_of(parts)
        value = float(loss.epsilon(float(delta))) if loss else math.inf
    except ParameterError:  # too small, too large or too many to convolve
        return None
    if not math.isfinite(value):
        return None
    exact = kinds <= {GAUSS.name, GAUSS_BY_SIZE.name}
    return Bound(OWN, value, "[ZDW22], convolved; MATHEMATICS 5.7", EXACT if exact else UPPER, ANY_ORDER)


def loss_of(parts: Iterable[Part]) -> PrivacyLoss | None:
    """The privacy loss of all parts together, an upper bound; None where a promise has no law.

    Raises:
        ParameterError: there are too many answers, or one is too large to be convolved.

    >>> from dpviz.workspace.composition import GAUSS
    >>> loss = loss_of([Part(answer=GAUSS, budget=0.5), Part(answer=ANY, budget=1)])
    >>> round(loss.delta(1.0), 6)
    0.250703
    """
    whole = PrivacyLoss()
    for part in parts:
        if part.answer is CONCENTRATED:
            return None
        whole = whole.compose(_one(part), times=part.count)
    return whole


def _one(part: Part) -> PrivacyLoss:
    """The loss of one answer."""
    if part.rho is not None:
        return privacy_loss.gaussian(rho_to_mu(representable(part.rho)) * UP)
    epsilon = representable(part.budget) * UP
    if part.answer is LAPLACE:
        return privacy_loss.laplace(1.0, epsilon)
    if part.answer is CHOICE:
        return privacy_loss.bounded_range(epsilon)
    return privacy_loss.promised(epsilon, float(part.delta) * UP)


@dataclass(frozen=True, slots=True)
class Guesses:
    """How often an attacker guesses right, of 1,000 times, and why; a coin: 500."""

    right: float
    method: str

    def __post_init__(self) -> None:
        checks.between(500, 1000, right=self.right)


@lru_cache(maxsize=256)  # mathematics of public numbers
def _guesses(parts: tuple[Part, ...]) -> Guesses:
    try:
        if loss := loss_of(parts):
            return Guesses(500 * (1 + float(loss.delta(0.0))), "losses convolved (MATHEMATICS 5.7)")
    except ParameterError:
        pass
    spent = Spent.of(parts)
    away = math.sqrt(-math.expm1(-_whole_rho(spent))) * UP  # Bretagnolle and Huber
    right = 500 * (1 + min(1.0, away + float(spent.own_delta)))
    return Guesses(right, "KL divergence at most ρ, then Bretagnolle and Huber’s inequality")
