"""The privacy loss of releases with separate noise together: an object that composes.

What it is made of is in privacy_loss.py; how its numbers are computed in loss_curves.py. Gaussian
noise alone (any number of times) and one Laplace release are closed forms, one release of counts is
a sum of all its outcomes, and losses on one lattice are added on it, exactly to rounding. All else
is put on a grid and added by a tilted Fourier transform (loss_sums.py), rounded up; `bounds`
returns the other side, too, proved in the same way. Source: MATHEMATICS 5.7.
Limits: deltas from 1e-260; LARGEST_COUNT releases.
"""

import math
from collections import Counter
from dataclasses import dataclass
from typing import Any

from dpviz import checks
from dpviz.accounting.bounds import ANY_ORDER, EXACT, UPPER, Bound
from dpviz.accounting.inputs import Number, elementwise, log_probability, non_negative, probability
from dpviz.accounting.laplace_composition import DEEPEST, LARGEST_COUNT
from dpviz.accounting.loss_classes import ConcentratedTerm, attained, readings
from dpviz.accounting.loss_curves import (
    AWAY,
    THERE,
    LossDistribution,
    Terms,
    curve,
    curve_from_below,
    inverse,
    loss_distribution,
    method,
    ways,
)
from dpviz.accounting.loss_noise import NormalTerm
from dpviz.accounting.loss_terms import LossTerm
from dpviz.errors import ParameterError

NAME = "privacy losses"
LARGEST_POINTS = 100_000
UP = 1 + 2.0**-50  # above the rounding of an exponential


@dataclass(frozen=True, slots=True)
class PrivacyLoss:
    """The loss of independent releases: how often each law of a moved coordinate occurs.

    >>> from dpviz.accounting.privacy_loss import gaussian, laplace
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

        >>> from dpviz.accounting.privacy_loss import gaussian
        >>> gaussian(3.0).compose(gaussian(2.0), times=4) == gaussian(5.0)
        True
        """
        checks.instance(PrivacyLoss, other=other)
        times = checks.integer(1, times=times)
        counts = Counter(dict(self.terms))
        for term, count in other.terms:
            counts[term] += times * count
        _join(counts)
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

        >>> from dpviz.accounting.privacy_loss import gaussian
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

        >>> from dpviz.accounting.privacy_loss import laplace
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

        >>> from dpviz.accounting.privacy_loss import poisson
        >>> poisson(40.0).epsilon([1e-6, 1e-30]).round(4)
        array([0.8809,    inf])
        """
        return _epsilon(delta, self)

    def stated(self, delta: Number) -> Bound:
        """`epsilon` at one delta with where it is proved, and whether it is exact or a bound.

        Args:
            delta: from 1e-260 to below 1.

        Raises:
            ParameterError: delta is out of range.

        >>> from dpviz.accounting.privacy_loss import gaussian, top_k
        >>> found = top_k(0.1, 10).compose(gaussian(0.5)).stated(1e-6)
        >>> round(found.value, 2), found.kind, found.theorem
        (2.38, 'upper bound', '[BCT20] Lemma 5.1, chords; MATHEMATICS 5.10')
        """
        log_delta = _log_of(delta)
        value, terms = min(
            ((inverse(terms, log_delta), terms) for terms in readings(self.terms)),
            key=lambda each: each[0],
        )
        theorem, exact = method(terms)
        return Bound(NAME, value, theorem, EXACT if exact else UPPER, ANY_ORDER)

    def directions(self, epsilon: Any) -> tuple[Any, Any]:
        """The delta of both tests, rounded up: away against there, and there against away.

        Args:
            epsilon: at least 0, nats; a number or an array.

        >>> from dpviz.accounting.privacy_loss import poisson
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

        >>> from dpviz.accounting.privacy_loss import gaussian, laplace
        >>> low, high = gaussian(1.0).compose(laplace(2.0, 3.0)).bounds(1.0)
        >>> 0 < high - low < 1e-6
        True
        """
        return _least_delta(epsilon, self), self.delta(epsilon)

    def distributions(self, points: int = 1001) -> tuple[LossDistribution, LossDistribution]:
        """How likely each loss is, with the person away and there: for a picture, not for a bound.

        Args:
            points: at most this many even cells, from 1 to LARGEST_POINTS.

        Raises:
            ParameterError: points is out of range, or the losses are too small or too large to be
                composed.

        >>> from dpviz.accounting.privacy_loss import poisson
        >>> away, there = poisson(4.0).distributions()
        >>> round(away.infinite, 6), there.infinite  # nothing counted: they are away
        (0.018316, 0.0)
        >>> round(float((there.mass * there.loss).sum()), 2)
        0.13
        """
        if checks.integer(1, points=points) > LARGEST_POINTS:
            raise ParameterError(f"points must be at most {LARGEST_POINTS:,}; pass fewer")
        terms = readings(self.terms)[0]
        away = loss_distribution(terms, AWAY, points)
        alike = ways(terms) == (AWAY,)
        return away, away if alike else loss_distribution(terms, THERE, points)


def _join(counts: Counter[LossTerm]) -> None:
    """Normal losses add up to a normal one, and concentrated ones to one."""
    normal = {term: counts.pop(term) for term in list(counts) if isinstance(term, NormalTerm)}
    if normal:
        mu = math.hypot(*(term.mu * math.sqrt(count) for term, count in normal.items()))
        counts[NormalTerm(mu)] = 1
    rhos = {term: counts.pop(term) for term in list(counts) if isinstance(term, ConcentratedTerm)}
    if rhos:
        rho = math.fsum(term.rho * count for term, count in rhos.items())
        counts[ConcentratedTerm(rho)] = 1


@elementwise
def _log_delta(epsilon: Number, loss: PrivacyLoss, way: int | None) -> float:
    number = non_negative(epsilon=epsilon)
    found = 0.0
    for terms in readings(loss.terms):
        sides = ways(terms) if way is None else (way,)
        found = min(found, max(curve(terms, side, number) for side in sides))
    return found


@elementwise
def _delta(epsilon: Number, loss: PrivacyLoss, way: int | None) -> float:
    return min(1.0, math.exp(_log_delta(epsilon, loss, way)) * UP)


@elementwise
def _least_delta(epsilon: Number, loss: PrivacyLoss) -> float:
    number = non_negative(epsilon=epsilon)
    return max(
        math.exp(curve_from_below(terms, way, number)) / UP
        for terms in attained(loss.terms, number)
        for way in ways(terms)
    )


@elementwise
def _epsilon(delta: Number, loss: PrivacyLoss) -> float:
    return loss.stated(delta).value


def _log_of(delta: Number) -> float:
    """The ln of delta, which must be within the limits."""
    log_delta = log_probability(math.log(probability(delta=delta)))
    if log_delta < -DEEPEST:
        raise ParameterError("delta is too small for the composition; pass at least 1e-260")
    return log_delta
