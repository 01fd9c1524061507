"""Harm before Greek: of 1,000 guesses about one person, how many a privacy loss lets be right.

Yes and no are equally likely before; the guesser knows all else and has the best method. Gaussian
noise tells the number exactly, for a person who moves the statistic as far as the bounds allow;
of an ε, with or without a δ, the number is what it allows at most.
"""

import math
from dataclasses import dataclass

from dpviz import checks
from dpviz.accounting import JointLoss, gaussian_advantage, rho_to_mu, right_guesses
from dpviz.accounting.composition import ZCDP
from dpviz.accounting.tradeoff import promised_advantage
from dpviz.planning.budgets import Budget
from dpviz.words.claims import Claim, Kind

ALL, COIN = 1000, 500
EXACT = "500 (1 + advantage of the best test) (MATHEMATICS 5.6)"
BOUND = "500 (1 + what ε and δ allow a test) (MATHEMATICS 5.6)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Right:
    """Guesses right of 1,000, and how true that is."""

    value: float
    kind: Kind = "exact"

    def __post_init__(self) -> None:
        checks.between(0, ALL, value=self.value)

    @property
    def count(self) -> int:
        """As a whole number, a bound rounded to its own side.

        >>> Right(value=673.4).count, Right(value=731.1, kind="at most").count
        (673, 732)
        """
        if self.kind == "exact":
            return round(self.value)
        return math.ceil(self.value) if self.kind == "at most" else math.floor(self.value)

    @property
    def said(self) -> str:
        """The number as a text.

        >>> Right(value=731.1, kind="at most").said
        'at most 732'
        """
        return f"{self.count:,}" if self.kind == "exact" else f"{self.kind} {self.count:,}"

    def claim(self, what: str, fixed: str) -> Claim:
        """Why the number is what it is; `what` says whose guesses these are."""
        return Claim(
            what=what,
            value=self.value,
            unit=f"of {ALL:,}",
            fixed=f"{fixed}; yes and no equally likely before",
            method=EXACT if self.kind == "exact" else BOUND,
            assumes="one person counts no further than the bounds say",
            kind=self.kind,
        )


def right_of_thousand(rho: float) -> float:
    """Guesses right of 1,000 by Gaussian noise of a budget.

    Args:
        rho: for one person, of all that the guesser knows.

    >>> [round(right_of_thousand(rho)) for rho in (0.1, 0.4, 1.0)]
    [588, 673, 760]
    """
    return right_guesses(gaussian_advantage(rho_to_mu(rho)))


def right_by(loss: JointLoss) -> Right:
    """Right guesses about one person by all releases of a joint loss.

    >>> right_by(JointLoss(0.4, 0.0, ZCDP, "the largest")).said
    '673'
    """
    return _right(loss.value if loss.definition == ZCDP else None, loss.value, loss.delta)


def right_at(budget: Budget) -> Right:
    """Right guesses about one person by one release at this budget."""
    rho = budget.loss if budget.letter == "ρ" else None
    return _right(rho, budget.epsilon, budget.delta)


def _right(rho: float | None, epsilon: float, delta: float) -> Right:
    if rho is not None:
        return Right(value=right_of_thousand(rho))
    return Right(value=right_guesses(promised_advantage(epsilon, delta)), kind="at most")
