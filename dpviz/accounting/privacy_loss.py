"""Privacy losses as objects: what releases with separate noise cost together, at any delta.

A loss knows how likely every ln P(y)/Q(y) is, with the person away (P) and, where the noise is
not symmetric, with the person there. Independent releases, also ones chosen after looking at those
before, add their losses, whatever they are:

    loss = gaussian(1.0).compose(laplace(2.0, 3.0))        loss.delta(1.0)        loss.epsilon(1e-6)

Here are the losses of each noise, of randomised response, and of promises; composed_loss.py is
what they have in common. Any object with the three members of `Loss` may stand in the place of
these, such as `Accounted`, which holds a loss of another library. Source: MATHEMATICS 5.7.
"""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from dpviz import checks
from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.inputs import (
    Number,
    elementwise,
    non_negative,
    positive,
    representable,
    summed_level,
    summed_shift,
)
from dpviz.accounting.laplace_composition import LARGEST_COUNT
from dpviz.accounting.loss_classes import BoundedRangeTerm, ConcentratedTerm
from dpviz.accounting.loss_noise import (
    DoubleExponentialTerm,
    GeometricTerm,
    NormalTerm,
    PoissonTerm,
    SkellamTerm,
)
from dpviz.accounting.loss_promises import GeneralisedResponseTerm, Points, PointsTerm, ResponseTerm
from dpviz.accounting.mills import HUGE
from dpviz.errors import ParameterError

LARGEST_CATEGORIES = 10**9


class Loss(Protocol):
    """What stands for a privacy loss: every object with these three members does."""

    def delta(self, epsilon: Any) -> Any:
        """Least delta at `epsilon`, elementwise, or an upper bound of it."""

    def epsilon(self, delta: Any) -> Any:
        """Least epsilon at `delta`, elementwise, or an upper bound; infinite if no epsilon does."""

    def compose(self, other: Any, *, times: int = 1) -> "Loss":
        """This loss and `times` independent ones like `other`, together."""


@dataclass(frozen=True, slots=True)
class Accounted:
    """A loss of another library in the place of ours: dp-accounting's PrivacyLossDistribution.

    Whether it rounds up is then the choice of that library (`pessimistic_estimate` there).

    >>> class Nothing:
    ...     def get_delta_for_epsilon(self, epsilon):
    ...         return 0.0
    >>> Accounted(Nothing()).delta([1.0, 2.0])
    array([0., 0.])
    """

    distribution: Any  # with get_delta_for_epsilon, get_epsilon_for_delta and compose

    def delta(self, epsilon: Any) -> Any:
        """Its delta at `epsilon`, elementwise."""
        return elementwise(lambda x: float(self.distribution.get_delta_for_epsilon(float(x))))(
            epsilon
        )

    def epsilon(self, delta: Any) -> Any:
        """Its epsilon at `delta`, elementwise."""
        return elementwise(lambda x: float(self.distribution.get_epsilon_for_delta(float(x))))(
            delta
        )

    def compose(self, other: "Accounted", *, times: int = 1) -> "Accounted":
        """This loss and `times` independent ones like `other`, together, as that library adds them.

        Raises:
            ParameterError: `other` is no such loss.
        """
        checks.instance(Accounted, other=other)
        total, power, rest = self.distribution, other.distribution, checks.integer(1, times=times)
        while rest:
            total = total.compose(power) if rest % 2 else total
            rest //= 2
            power = power.compose(power) if rest else power
        return Accounted(total)


def gaussian(mu: Number) -> PrivacyLoss:
    """Loss of Gaussian noise, exact.

    Args:
        mu: l2 sensitivity / standard deviation of the noise, at least 0.

    Raises:
        ParameterError: mu is negative or not finite.

    >>> round(gaussian(1.0).epsilon(1e-6), 6)
    4.886554
    """
    mu = non_negative(mu=mu)
    checks.between(0, HUGE, mu=mu)
    return PrivacyLoss(((NormalTerm(mu), 1),) if mu else ())


def laplace(level: Number, l1_sensitivity: Number) -> PrivacyLoss:
    """Loss of Laplace noise on one coordinate, exact; on several at once an upper bound.

    Args:
        level: scale b of the noise, above 0, in units of the statistic.
        l1_sensitivity: by how much one person moves the coordinate, above 0.

    Raises:
        ParameterError: an argument is out of range.

    >>> round(laplace(1.0, 1.0).delta(0.5), 6)
    0.221199
    """
    budget = positive(l1_sensitivity=l1_sensitivity) / positive(level=level)
    return PrivacyLoss(((DoubleExponentialTerm(representable(budget)), 1),))


def discrete_laplace(level: Number, *, shift: int = 1) -> PrivacyLoss:
    """Loss of discrete Laplace noise on one coordinate, exact.

    Args:
        level: scale b of the noise, above 0.
        shift: whole units by which one person moves the coordinate.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.8.

    >>> round(discrete_laplace(2.0, shift=3).delta(0.5), 6)
    0.393469
    """
    level, shift = positive(level=level), summed_shift(shift)
    representable(shift / level)
    return PrivacyLoss(((GeometricTerm(level, shift), 1),))


def poisson(level: Number, *, shift: int = 1, lowered: bool = False) -> PrivacyLoss:
    """Loss of Poisson noise on one coordinate, exact.

    Args:
        level: rate of the noise, from 1e-300 to LARGEST_LEVEL.
        shift: whole units by which one person moves the coordinate.
        lowered: whether the person lowers it, and does not raise it; in a composition this counts.

    Raises:
        ParameterError: an argument is out of range.

    >>> swapped = poisson(40.0).compose(poisson(40.0, lowered=True))
    >>> swapped.delta(1.0) < poisson(40.0).compose(poisson(40.0)).delta(1.0)
    True
    """
    checks.instance(bool, lowered=lowered)
    term = PoissonTerm(summed_level(level), summed_shift(shift), lowered)
    return PrivacyLoss(((term, 1),))


def skellam(level: Number, *, shift: int = 1) -> PrivacyLoss:
    """Loss of Skellam noise on one coordinate, exact.

    Args:
        level: rate of each of the two counts, from 1e-300 to LARGEST_LEVEL.
        shift: whole units by which one person moves the coordinate.

    Raises:
        ParameterError: an argument is out of range.

    >>> round(skellam(20.0).epsilon(1e-6), 4)
    0.6187
    """
    return PrivacyLoss(((SkellamTerm(summed_level(level), summed_shift(shift)), 1),))


def randomised_response(epsilon: Number, *, categories: int = 2) -> PrivacyLoss:
    """Loss of randomised response, exact: the true category, or any other one, all alike.

    The true one of K is told with probability e^epsilon / (e^epsilon + K - 1).

    Args:
        epsilon: above 0, nats.
        categories: K, from 2 to LARGEST_CATEGORIES.

    Raises:
        ParameterError: an argument is out of range.

    >>> import math
    >>> round(randomised_response(math.log(3)).delta(0.0), 9)
    0.5
    >>> round(randomised_response(math.log(3), categories=4).delta(0.0), 9)
    0.333333333
    """
    if checks.integer(2, categories=categories) > LARGEST_CATEGORIES:
        raise ParameterError(f"categories must be at most {LARGEST_CATEGORIES:,}; pass fewer")
    budget = representable(positive(epsilon=epsilon))
    return PrivacyLoss(((ResponseTerm(budget, categories=int(categories)), 1),))


def generalised_response(epsilon: Number, top: Number) -> PrivacyLoss:
    """Loss of generalised randomised response, exact: it is top, or else top - epsilon.

    No release whose losses all lie between these two costs more. Those of an exponential mechanism
    lie so for some top, and of several chosen beforehand one top for all is the worst.

    Args:
        epsilon: range of the losses, above 0, nats.
        top: the largest loss, from 0 to epsilon.

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 5.7, from [DDR20].

    >>> round(generalised_response(1.0, 0.65).delta(0.3), 9)
    0.137962803
    >>> generalised_response(2.0, 1.0).delta(0.5) == randomised_response(1.0).delta(0.5)
    True
    """
    budget, top = representable(positive(epsilon=epsilon)), non_negative(top=top)
    checks.between(0, budget, top=top)
    trivial = not 0 < top < budget
    return PrivacyLoss(() if trivial else ((GeneralisedResponseTerm(budget, top), 1),))


def exponential_mechanism(epsilon: Number) -> PrivacyLoss:
    """Largest loss of an exponential mechanism, or of any other one of this bounded range.

    One alone is exact. Several, each chosen as results come in, cost at most what is returned; what
    they cost if all were fixed beforehand is less, from two on (`mixed_composition_log_delta`).

    Args:
        epsilon: range of the loss, above 0, nats: the choice y has a chance that grows as
            e^(epsilon score(y)), and one person moves the scores of any two choices apart by at
            most 1.

    Raises:
        ParameterError: epsilon is out of range.

    Source: [DDR20], [BCT20] Lemma 5.1; MATHEMATICS 5.7 and 5.10.

    >>> round(exponential_mechanism(1.0).delta(0.3), 9)
    0.137962803
    >>> three = exponential_mechanism(0.1).compose(exponential_mechanism(0.1), times=2)
    >>> three.compose(gaussian(0.5)).epsilon(1e-6) < three.compose(gaussian(0.5)).epsilon(1e-7)
    True
    """
    return top_k(epsilon, 1)


def top_k(epsilon: Number, count: int) -> PrivacyLoss:
    """Largest loss of the best items, this many and in order, by Gumbel noise or by peeling.

    Each place is an exponential mechanism that looks at those before: an upper bound from two
    places on.

    Args:
        epsilon: of each place, above 0, nats: what one person moves a score by at most, or twice
            that if they can raise some and lower others, over the scale of the Gumbel noise.
        count: number of places, from 1 to LARGEST_COUNT.

    Raises:
        ParameterError: an argument is out of range.

    Source: [DR19], [BCT20] Lemma 5.1; MATHEMATICS 5.7 and 5.10.

    >>> round(top_k(1.0, 2).delta(0.1), 6)  # exactly 0.269178
    0.269178
    """
    if checks.integer(1, count=count) > LARGEST_COUNT:
        raise ParameterError(f"count must be at most {LARGEST_COUNT:,}; pass fewer")
    budget = representable(positive(epsilon=epsilon))
    return PrivacyLoss(((BoundedRangeTerm(budget, int(count)), 1),))


def concentrated(rho: Number) -> PrivacyLoss:
    """Largest loss of anything that is rho-zCDP, by the tightest conversion known: an upper bound.

    Args:
        rho: above 0.

    Raises:
        ParameterError: rho is out of range.

    Source: [CKS20]; MATHEMATICS 3.2.

    >>> half = concentrated(0.05)
    >>> round(half.compose(half).epsilon(1e-6), 4)  # as one of 0.1
    2.1419
    """
    return PrivacyLoss(((ConcentratedTerm(positive(rho=rho)), 1),))


def promised(epsilon: Number, delta: Number = 0.0) -> PrivacyLoss:
    """Largest loss of anything that is (epsilon, delta)-private, whatever it is.

    Args:
        epsilon: above 0, nats.
        delta: at least 0, at most 1.

    Raises:
        ParameterError: an argument is out of range.

    >>> round(promised(1.0).compose(promised(1.0)).delta(1.0), 6)
    0.337835
    """
    delta = non_negative(delta=delta)
    checks.between(0, 1, delta=delta)
    return PrivacyLoss(((ResponseTerm(representable(positive(epsilon=epsilon)), delta), 1),))


def kept_together(curves: Iterable[Points]) -> PrivacyLoss:
    """Largest loss of releases of which each is known by points (epsilon, ln delta) that it keeps.

    Args:
        curves: of each release its points, for neighbours in either order; (epsilon, -inf) is a
            pure guarantee. Epsilons are at most 100.

    Raises:
        ParameterError: a point is no epsilon with a ln delta, or too large.

    Source: MATHEMATICS 5.7, with [DGK22].

    >>> import math
    >>> pure = [(1.0, -math.inf)]
    >>> round(kept_together([pure, pure]).delta(1.0), 6)  # as twice promised(1.0)
    0.337835
    """
    counted = Counter(PointsTerm(curve) for curve in checks.listed(curves=curves))
    return PrivacyLoss(tuple(sorted(counted.items(), key=repr)))
