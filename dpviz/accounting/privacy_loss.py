"""Privacy losses as objects: what releases with fresh noise cost together, at any delta.

A loss knows how likely every ln P(y)/Q(y) is, with the person away (P) and, where the noise is
not symmetric, with the person there. Independent releases, also ones chosen after looking at those
before, add their losses, whatever the families:

    loss = gaussian(1.0).compose(laplace(2.0, 3.0))        loss.delta(1.0)        loss.epsilon(1e-6)

Gaussian noise alone (any number of times) and one Laplace release are closed forms, one release of
counts is a sum of all its outcomes; everything else is put on a grid (loss_terms.py) and added by a
tilted Fourier transform (loss_sums.py). What is returned is rounded up, to the private side;
`bounds` returns the other side, too, proved in the same way. Any object with the three members of
`Loss` may stand in the place of these, such as `Accounted`, which holds a loss of another library.
Limits: deltas from 1e-260; LARGEST_COUNT releases. Source: MATHEMATICS 5.7.
"""

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any, Protocol

from dpviz import checks
from dpviz.accounting.arrays import elementwise
from dpviz.accounting.inputs import (
    Number,
    log_probability,
    non_negative,
    positive,
    probability,
    representable,
    summed_level,
    summed_shift,
)
from dpviz.accounting.laplace_composition import DEEPEST, LARGEST_COUNT
from dpviz.accounting.loss_curves import AWAY, THERE, Terms, curve, curve_from_below, inverse, ways
from dpviz.accounting.loss_terms import (
    DoubleExponentialTerm,
    GeometricTerm,
    NormalTerm,
    PoissonTerm,
    PromiseTerm,
    SkellamTerm,
)
from dpviz.accounting.mills import HUGE
from dpviz.errors import ParameterError

UP = 1 + 2.0**-50  # above the rounding of an exponential


class Loss(Protocol):
    """What stands for a privacy loss: every object with these three members does."""

    def delta(self, epsilon: Any) -> Any:
        """Least delta at `epsilon`, elementwise, or an upper bound of it."""

    def epsilon(self, delta: Any) -> Any:
        """Least epsilon at `delta`, elementwise, or an upper bound; infinite if there is none."""

    def compose(self, other: Any, *, times: int = 1) -> "Loss":
        """This loss and `times` independent ones like `other`, together."""


@dataclass(frozen=True, slots=True)
class PrivacyLoss:
    """The loss of independent releases: how often each law of a moved coordinate occurs.

    >>> loss = gaussian(1.0).compose(laplace(2.0, 3.0))
    >>> round(loss.delta(1.0), 6), round(loss.epsilon(1e-6), 4)
    (0.366708, 6.2582)
    """

    terms: Terms = ()

    def compose(self, other: "PrivacyLoss", *, times: int = 1) -> "PrivacyLoss":
        """This loss and `times` independent ones like `other`, together.

        Args:
            other: another privacy loss of this library.
            times: how often it is added, at least 1.

        Raises:
            ParameterError: `other` is no such loss, or there are more than LARGEST_COUNT parts.

        >>> gaussian(3.0).compose(gaussian(2.0), times=4) == gaussian(5.0)
        True
        """
        checks.instance(PrivacyLoss, other=other)
        times = checks.integer(1, times=times)
        counts = Counter(dict(self.terms))
        for term, count in other.terms:
            counts[term] += times * count
        normal = {term: counts.pop(term) for term in list(counts) if isinstance(term, NormalTerm)}
        if normal:  # normal losses add up to a normal one
            mu = math.hypot(*(term.mu * math.sqrt(count) for term, count in normal.items()))
            counts[NormalTerm(mu)] = 1
        if counts.total() > LARGEST_COUNT:
            raise ParameterError(
                f"at most {LARGEST_COUNT:,} moved coordinates can be composed; pass fewer times"
            )
        return PrivacyLoss(tuple(sorted(counts.items(), key=repr)))

    def delta(self, epsilon: Any) -> Any:
        """Least delta at `epsilon`, the worse of both directions of the test, rounded up.

        Args:
            epsilon: at least 0, nats; a number or an array.

        Raises:
            ParameterError: an epsilon is negative or no number.

        >>> gaussian(1.0).delta([0.0, 1.0]).round(6)
        array([0.382925, 0.126937])
        """
        return _delta(epsilon, self, None)

    def log_delta(self, epsilon: Any) -> Any:
        """The ln of `delta`, which also holds deltas that no float can.

        Args:
            epsilon: at least 0, nats; a number or an array.

        Raises:
            ParameterError: an epsilon is negative or no number.

        >>> laplace(1.0, 1.0).log_delta(1.0)
        -inf
        """
        return _log_delta(epsilon, self, None)

    def epsilon(self, delta: Any) -> Any:
        """Least epsilon at `delta`, rounded up; infinite where no epsilon keeps this delta.

        Args:
            delta: from 1e-260 to below 1; a number or an array.

        Raises:
            ParameterError: a delta is out of range.

        >>> poisson(40.0).epsilon([1e-6, 1e-30]).round(4)
        array([0.8809,    inf])
        """
        return _epsilon(delta, self)

    def directions(self, epsilon: Any) -> tuple[Any, Any]:
        """The delta of both tests, rounded up: away against there, and there against away.

        Args:
            epsilon: at least 0, nats; a number or an array.

        >>> [round(delta, 6) for delta in poisson(4.0).directions(1.0)]
        [0.041791, 0.000413]
        """
        return _delta(epsilon, self, AWAY), _delta(epsilon, self, THERE)

    def bounds(self, epsilon: Any) -> tuple[Any, Any]:
        """Two numbers that the least delta lies between; equal to rounding for a closed form.

        Args:
            epsilon: at least 0, nats; a number or an array.

        Raises:
            ParameterError: an epsilon is negative or no number.

        >>> low, high = gaussian(1.0).compose(laplace(2.0, 3.0)).bounds(1.0)
        >>> 0 < high - low < 1e-6
        True
        """
        return _least_delta(epsilon, self), self.delta(epsilon)


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


@elementwise
def _log_delta(epsilon: Number, loss: PrivacyLoss, way: int | None) -> float:
    number = non_negative(epsilon=epsilon)
    sides = ways(loss.terms) if way is None else (way,)
    return max(curve(loss.terms, side, number) for side in sides)


@elementwise
def _delta(epsilon: Number, loss: PrivacyLoss, way: int | None) -> float:
    return min(1.0, math.exp(_log_delta(epsilon, loss, way)) * UP)


@elementwise
def _least_delta(epsilon: Number, loss: PrivacyLoss) -> float:
    number = non_negative(epsilon=epsilon)
    return math.exp(max(curve_from_below(loss.terms, way, number) for way in ways(loss.terms))) / UP


@elementwise
def _epsilon(delta: Number, loss: PrivacyLoss) -> float:
    log_delta = log_probability(math.log(probability(delta=delta)))
    if log_delta < -DEEPEST:
        raise ParameterError("delta is too small for the composition; pass at least 1e-260")
    return inverse(loss.terms, log_delta)


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
    term = PoissonTerm(summed_level(level), summed_shift(shift), bool(lowered))
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
    return PrivacyLoss(((PromiseTerm(representable(positive(epsilon=epsilon)), delta), 1),))
