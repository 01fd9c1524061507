"""What a sequence of private answers costs together: the total ε at a δ, by every bound.

Each bound says by which theorem it holds, whether it is exact, and whether it still holds where
later questions are chosen after seeing earlier answers. All are mathematics of public budgets.
"""

import math
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import lru_cache

from dpviz import checks
from dpviz.accounting import privacy_loss
from dpviz.accounting.conversions import rho_to_mu, zcdp_epsilon
from dpviz.accounting.gaussian import gaussian_epsilon
from dpviz.accounting.inputs import representable
from dpviz.accounting.laplace_zcdp import laplace_rho
from dpviz.errors import ParameterError
from dpviz.workspace.composition import ANY, CHOICE, CONCENTRATED, LAPLACE, WITH_DELTA, Part

MOST_MORE = 1_000  # answers that are looked at in "how many more fit"
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
    def same(self) -> Fraction | None:
        """The ε of every answer, where all have one and the same."""
        found = {budget for budget, _ in (*self.pure, *self.laplace, *self.choices)}
        return found.pop() if len(found) == 1 and not self.rho else None

    @property
    def epsilons(self) -> Fraction:
        """The sum of all ε, exact."""
        listed = (*self.pure, *self.laplace, *self.choices)
        return sum((budget * count for budget, count in listed), Fraction(0))


def number(budgets: Budgets) -> int:
    """How many answers there are.

    >>> number(((Fraction(1, 10), 3),))
    3
    """
    return sum(count for _, count in budgets)


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """One way of adding up losses.

    Attributes:
        name: in words, the same on bars, lines and tables.
        method: the theorem, with its source.
        epsilon: budgets and ln δ to the total ε, rounded up; None where the theorem says nothing.
        log_delta: budgets and a total ε to ln δ, likewise.
        exact: whether no smaller ε is true of all such answers.
        in_advance: whether it holds only for questions that are fixed in advance.
    """

    name: str
    method: str
    epsilon: Callable[[Spent, float], float | None]
    log_delta: Callable[[Spent, float], float | None] = lambda _spent, _total: None
    exact: Callable[[Spent], bool] = lambda _spent: False
    in_advance: Callable[[Spent], bool] = lambda _spent: False


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """The total ε of a sequence by one bound."""

    name: str
    epsilon: float
    exact: bool
    in_advance: bool
    method: str

    def __post_init__(self) -> None:
        checks.non_negative(epsilon=self.epsilon)

    def holds(self, *, seen: bool) -> bool:
        """Whether it holds, if later questions may depend on earlier answers or not."""
        return not (seen and self.in_advance)


def _added(spent: Spent, log_delta: float) -> float | None:
    rho = representable(spent.rho)
    rest = (zcdp_epsilon if spent.promised else _gaussian)(rho, log_delta) if rho else 0.0
    return representable(spent.epsilons + Fraction(rest)) * UP


def _gaussian(rho: float, log_delta: float) -> float:
    return gaussian_epsilon(log_delta, rho_to_mu(rho))


def _by_rho(spent: Spent, log_delta: float) -> float | None:
    halves = sum((count * budget**2 for budget, count in spent.pure), Fraction(0)) / 2
    eighths = sum((count * budget**2 for budget, count in spent.choices), Fraction(0)) / 8
    laplace = math.fsum(count * laplace_rho(budget) for budget, count in spent.laplace)
    rho = representable(spent.rho + halves + eighths + Fraction(laplace)) * UP
    return zcdp_epsilon(rho, log_delta)
