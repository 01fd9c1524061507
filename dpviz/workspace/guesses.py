"""Harm before Greek: of 1,000 guesses about one person, how many a privacy loss lets be right.

Yes and no are equally likely before; the guesser knows all else and has the best method. Gaussian
noise tells the number exactly, for a person who moves the statistic as far as the bounds allow;
of an ε, with or without a δ, the number is what it allows at most.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from dpviz import checks
from dpviz.accounting import JointLoss, gaussian_advantage, right_guesses
from dpviz.accounting.composition import ZCDP
from dpviz.accounting.tradeoff import promised_advantage
from dpviz.errors import ParameterError
from dpviz.planning.budgets import Budget
from dpviz.words.claims import Claim, Kind
from dpviz.workspace.composition import Part
from dpviz.workspace.composition_totals import UP, loss_of, whole_rho

ALL, COIN = 1000, 500
EXACT = "500 (1 + advantage of the best test) (MATHEMATICS 5.6)"
BOUND = "500 (1 + what ε and δ allow a test) (MATHEMATICS 5.6)"
CONVOLVED = "500 (1 + δ at ε = 0), the best guess (MATHEMATICS 5.6): all losses convolved (5.7)"
BY_MEAN = "the mean loss is at most ρ, then the inequality of Bretagnolle and Huber"


@dataclass(frozen=True, slots=True, kw_only=True)
class Right:
    """Guesses right of 1,000, how true that is, and by which method if it is a special one."""

    value: float
    kind: Kind = "exact"
    method: str = ""

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
            method=self.method or (EXACT if self.kind == "exact" else BOUND),
            assumes="one person counts no further than the bounds say",
            kind=self.kind,
        )


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


def right_of(parts: Sequence[Part]) -> Right:
    """Right guesses about one person by all answers of a sequence together, at most.

    Source: MATHEMATICS 5.6, 5.7.

    >>> from dpviz.workspace.composition import ANY
    >>> round(right_of([Part(answer=ANY, budget=math.log(3))]).value, 6)
    750.0
    """
    return _right_of(tuple(replace(part, note="") for part in parts))


@lru_cache(maxsize=256)  # mathematics of public numbers
def _right_of(parts: tuple[Part, ...]) -> Right:
    try:
        most, method = float(loss_of(parts).delta(0.0)), CONVOLVED
    except ParameterError:  # too small, too large or too many to convolve
        own = math.fsum(part.count * float(part.delta) for part in parts)
        most, method = math.sqrt(-math.expm1(-whole_rho(parts))) * UP + own, BY_MEAN
    return Right(value=right_guesses(min(1.0, most)), kind="at most", method=method)


def _right(rho: float | None, epsilon: float, delta: float) -> Right:
    if rho is not None:
        return Right(value=right_guesses(gaussian_advantage(math.sqrt(2 * rho))))
    return Right(value=right_guesses(promised_advantage(epsilon, delta)), kind="at most")
