"""Harm before Greek: of 1,000 guesses about one person, how many a privacy loss lets be right.

Yes and no are equally likely before; the guesser knows all else and has the best method. Gaussian
noise tells the number exactly, for a person who moves the statistic as far as the bounds allow;
of an ε, with or without a δ, the number is what it allows at most.
"""

import math
from dataclasses import dataclass

from dpviz import checks
from dpviz.accounting import JointLoss, gaussian_right_guesses, right_guesses, tradeoff
from dpviz.accounting.composition import ZCDP
from dpviz.accounting.tradeoff import promised_advantage
from dpviz.planning.budgets import Budget
from dpviz.words.claims import Claim, Kind

ALL, COIN = tradeoff.GUESSES, tradeoff.COIN
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


def right_by(loss: JointLoss) -> Right:
    """Right guesses about one person by all releases of a joint loss.

    >>> right_by(JointLoss(0.4, 0.0, ZCDP, "the largest")).said
    '673'
    """
    if loss.definition == ZCDP:
        return right_of_rho(loss.value)
    return right_of_epsilon(loss.value, loss.delta)


def right_at(budget: Budget) -> Right:
    """Right guesses about one person by one release at this budget."""
    if budget.letter == "ρ":
        return right_of_rho(budget.loss)
    return right_of_epsilon(budget.epsilon, budget.delta)


def right_of_rho(rho: float) -> Right:
    """Right guesses by Gaussian noise at this budget, exactly.

    >>> right_of_rho(0.4).said
    '673'
    """
    return Right(value=gaussian_right_guesses(rho))


def right_of_epsilon(epsilon: float, delta: float = 0.0) -> Right:
    """Right guesses that a promise of ε, and of δ, leaves at most.

    >>> right_of_epsilon(1.0).said
    'at most 732'
    """
    return Right(value=right_guesses(promised_advantage(epsilon, delta)), kind="at most")
