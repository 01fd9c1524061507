"""Privacy losses of promises: the costliest release there is that keeps each.

    randomised response    epsilon with e^epsilon / (e^epsilon + K - 1), -epsilon with one K-th of
                           the rest, 0 with what is left; with K = 2 that of any epsilon-DP release
    bounded range          t with q = (1 - e^(t - epsilon)) / (1 - e^-epsilon), else t - epsilon
    the worst over t       density e^((x - epsilon)/2) / (2 (1 - e^-epsilon)), |x| <= epsilon

The last is what bounded range costs where t may depend on earlier releases, or differ.

Source: MATHEMATICS 5.7.
"""

import math
from dataclasses import dataclass

import numpy as np

from dpviz import checks
from dpviz.accounting.loss_terms import LossPoints, LossTerm, panels
from dpviz.errors import ParameterError


@dataclass(frozen=True, slots=True)
class ResponseTerm(LossTerm):
    """Randomised response: the true one of K categories, or another; with delta it tells which.

    >>> away, _ = ResponseTerm(math.log(3)).points(40.0, 0.5, 0.0)
    >>> away.mass.round(9)
    array([0.25, 0.75])
    """

    budget: float
    delta: float = 0.0
    categories: int = 2

    def __post_init__(self) -> None:
        checks.positive(budget=self.budget)
        checks.between(0, 1, delta=self.delta)
        checks.whole(2, categories=self.categories)

    @property
    def proof(self) -> bool:
        """With probability delta."""
        return self.delta > 0

    @property
    def unit(self) -> float:
        """The atoms lie at 0 and at the budget on either side."""
        return self.budget

    @property
    def lattice(self) -> bool:
        """All atoms."""
        return True

    @property
    def most(self) -> float:
        """The budget."""
        return self.budget

    def points(self, _cut: float, _width: float, _begin: float) -> tuple[LossPoints, LossPoints]:
        """Both directions alike, nothing cut."""
        less, others = math.exp(-self.budget), self.categories - 2
        loss, mass = [-self.budget, self.budget], [less, 1.0]
        if others:
            loss, mass = [*loss, 0.0], [*mass, others * less]
        share = (1 - self.delta) / (1 + (1 + others) * less)
        log_infinite = math.log(self.delta) if self.delta else -math.inf
        found = LossPoints(np.array(loss), np.array(mass) * share, log_infinite)
        return found, found


@dataclass(frozen=True, slots=True)
class GeneralisedResponseTerm(LossTerm):
    """The costliest release whose losses all lie between top - budget and top.

    >>> away, there = GeneralisedResponseTerm(1.0, 0.25).points(40.0, 0.5, 0.0)
    >>> round(float((away.mass * np.exp(-away.loss - away.offset)).sum()), 9)
    1.0
    """

    budget: float
    top: float

    def __post_init__(self) -> None:
        checks.positive(budget=self.budget, top=self.top)
        if not self.top < self.budget:
            raise ParameterError("top must be below the budget: pass a smaller one")

    @property
    def symmetric(self) -> bool:
        """Only with top in the middle."""
        return 2 * self.top == self.budget

    @property
    def unit(self) -> float:
        """The atoms are one budget apart."""
        return self.budget

    @property
    def lattice(self) -> bool:
        """Both atoms, from the offset on."""
        return True

    @property
    def most(self) -> float:
        """The larger of both directions."""
        return max(self.top, self.budget - self.top)

    def points(self, _cut: float, _width: float, _begin: float) -> tuple[LossPoints, LossPoints]:
        """Away, and there, which is the same with top and budget - top exchanged."""
        return self._one(self.top), self._one(self.budget - self.top)

    def _one(self, top: float) -> LossPoints:
        whole, high = math.expm1(-self.budget), math.expm1(top - self.budget)
        low = math.exp(top - self.budget) * math.expm1(-top)
        return LossPoints(np.array([-self.budget, 0.0]), np.array([low, high]) / whole, offset=top)


@dataclass(frozen=True, slots=True)
class WorstRangeTerm(LossTerm):
    """At least as costly at every epsilon as all releases whose losses span one budget at most.

    >>> away, _ = WorstRangeTerm(1.0).points(40.0, 0.5, 0.0)
    >>> round(float(away.mass.sum()), 9), round(float((away.mass * np.exp(-away.loss)).sum()), 9)
    (1.0, 1.0)
    """

    budget: float

    def __post_init__(self) -> None:
        checks.positive(budget=self.budget)

    @property
    def most(self) -> float:
        """The budget."""
        return self.budget

    def points(self, cut: float, width: float, begin: float) -> tuple[LossPoints, LossPoints]:
        """Both directions alike; nothing is cut but what is smaller than any float."""
        e, whole = self.budget, -math.expm1(-self.budget)
        low = max(-e, e - 2 * cut)
        loss, weights = panels(low, e, 1.0, width, begin)
        cut_low = math.exp(-cut) / whole if low > -e else 0.0
        found = LossPoints(loss, weights * np.exp((loss - e) / 2) / (2 * whole), cut_low=cut_low)
        return found, found
