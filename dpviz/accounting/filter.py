"""A filter: budgets that are registered beforehand, each asked for once, in any order.

Who registers a set of budgets may decide by what was answered so far which of them to use next, on
which mechanism, and when to stop. Whatever happens, everything together is (total, delta)-private,
where the total is that of the registered set: the least bound of `best_epsilon` that holds for any
choice and order. An odometer (odometer.py) needs no register; so its count must hold for every
budget that might have been chosen, and for mixed noise at one δ it is larger.
Limits: a filter promises its total and nothing less, also where few of its budgets were used. A
session of several releases is one mechanism with the largest budget that it will ever hold.
Source: Cesar and Rogers (2021), Definition 3.1; MATHEMATICS 5.8.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from dpviz import checks
from dpviz.accounting.best import best_epsilon
from dpviz.accounting.bounds import Best
from dpviz.accounting.inputs import Number, positive
from dpviz.errors import OverBudgetError, ParameterError
from dpviz.parameters import exact
from dpviz.words import exactly, join

PURE, RANGE, GAUSSIAN = "pure", "bounded range", "Gaussian"
LETTERS = {PURE: "ε", RANGE: "ε", GAUSSIAN: "ρ"}


@dataclass(frozen=True, slots=True)
class Registered:
    """One budget of a filter.

    Attributes:
        kind: "pure" for an ε-DP mechanism, "bounded range" for one of bounded range such as the
            exponential mechanism, or "Gaussian" for Gaussian noise.
        budget: its ε in nats, or the ρ of Gaussian noise; above 0.

    >>> Registered("pure", 0.1).words
    'pure, ε = 0.1'
    """

    kind: str
    budget: Number

    def __post_init__(self) -> None:
        if not isinstance(self.kind, str) or self.kind not in LETTERS:
            raise ParameterError(f"kind must be one of {join(list(LETTERS))}, got {self.kind!r}")
        positive(budget=self.budget)
        object.__setattr__(self, "budget", exact(self.budget))

    @property
    def words(self) -> str:
        """The kind and the budget, as people write them."""
        return f"{self.kind}, {LETTERS[self.kind]} = {exactly(exact(self.budget), up=False)}"


class Filter:
    """A set of budgets, each of which may be asked for once, in any order.

    >>> plan = Filter([("pure", 0.1)] * 20, delta=1e-6)
    >>> round(plan.total.value, 2), len(plan.left)
    (1.79, 20)
    >>> plan.ask("pure", 0.1)
    >>> len(plan.left), round(plan.total.value, 2)
    (19, 1.79)
    """

    def __init__(self, plan: Iterable[Registered | tuple[str, Number]], *, delta: float) -> None:
        """Register budgets; later there is no way to add one.

        Args:
            plan: the budgets, equal ones as often as they may be asked for.
            delta: at which the total is an ε, above 0 and below 1.

        Raises:
            ParameterError: there is no budget, one cannot be used, or delta is out of range.
        """
        given = checks.listed(plan=plan)
        self._left = [_registered(one) for one in given]
        self._asked: list[Registered] = []
        checks.probability(delta=delta)
        self._delta = delta
        self._total = _total(self._left, self._delta)

    @property
    def total(self) -> Best:
        """The ε of everything together at `delta`, whatever is asked for in whatever order."""
        return self._total

    @property
    def delta(self) -> float:
        """The δ of the total."""
        return self._delta

    @property
    def left(self) -> tuple[Registered, ...]:
        """What nobody has asked for yet."""
        return tuple(self._left)

    @property
    def asked(self) -> tuple[Registered, ...]:
        """What was asked for, in this order."""
        return tuple(self._asked)

    def ask(self, kind: str, budget: Number) -> None:
        """Use up the smallest registered budget that covers a mechanism, before it runs.

        A pure budget covers a mechanism of bounded range of the same ε, too; no other kind covers
        another one.

        Args:
            kind: of the mechanism; see `Registered`.
            budget: its ε, or its ρ.

        Raises:
            OverBudgetError: what is left covers it not; nothing is used up then.
            ParameterError: kind or budget cannot be used.

        >>> plan = Filter([("pure", 0.5), ("Gaussian", 0.1)], delta=1e-6)
        >>> plan.ask("Gaussian", 0.2)
        Traceback (most recent call last):
        dpviz.errors.OverBudgetError: Gaussian, ρ = 0.2 is not registered, or used. Left: pure, \
ε = 0.5; Gaussian, ρ = 0.1
        """
        wanted = Registered(kind, budget)
        covers = [one for one in self._left if _covers(one, wanted)]
        if not covers:
            rest = "; ".join(one.words for one in self._left) or "nothing"
            raise OverBudgetError(f"{wanted.words} is not registered, or used. Left: {rest}")
        used = min(covers, key=lambda one: (one.kind != kind, one.budget))
        self._left.remove(used)
        self._asked.append(used)


def _registered(given: object) -> Registered:
    if isinstance(given, Registered):
        return given
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise ParameterError(
            "each of plan must be a pair of a kind and a budget, such as ('pure', 0.1)"
        )
    return Registered(*given)


def _covers(one: Registered, wanted: Registered) -> bool:
    kinds = {wanted.kind, PURE} if wanted.kind == RANGE else {wanted.kind}
    return one.kind in kinds and exact(one.budget) >= exact(wanted.budget)


def _total(plan: Sequence[Registered], delta: float) -> Best:
    """What the set costs, whatever the order in which it is used."""

    def of(kind: str) -> list[Fraction]:
        return [exact(one.budget) for one in plan if one.kind == kind]

    gaussian = [(float(rho), math.sqrt(2 * rho)) for rho in of(GAUSSIAN)]
    return best_epsilon(of(PURE), of(RANGE), gaussian, log_delta=math.log(delta))
