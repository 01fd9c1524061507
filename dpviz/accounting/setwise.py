"""Any mixture of pure, bounded-range and concentrated mechanisms, chosen as results come in.

The classes, the order and the mechanisms may all depend on earlier results; only the lists of
parameters are fixed in advance, and each is used at most once. With L = ln(1/delta),

    epsilon_g = sum over pure of epsilon tanh(epsilon/2) + sum over bounded range of mu_BR(epsilon)
                + sum over concentrated of mu
                + sqrt(2 L (sum over pure of epsilon^2 + sum over bounded range of epsilon^2 / 4
                            + sum over concentrated of tau^2))

A mechanism is (mu, tau)-concentrated if its loss has mean at most mu and, less its mean, the
moments of a normal law of standard deviation tau: E e^(x (loss - mean)) <= e^(x^2 tau^2 / 2).
Source: Cesar and Rogers (2021), equation 3; MATHEMATICS 5.8.

Approximate zCDP: mechanisms that are concentrated but for an event of probability delta_i.

A mechanism is delta_i-approximately (xi_i, rho_i)-zCDP if, on events of probability 1 - delta_i on
both sides, D_alpha <= xi_i + rho_i alpha for every alpha > 1. The xi and rho add, and the events
that keep all promises at once have probability product of (1 - delta_i), for any adaptive choice of
mechanisms and order. So at total delta' the concentrated part has the delta with

    1 - delta' = (1 - delta) product of (1 - delta_i)

which is larger, and better, than the delta' - sum of delta_i of the paper.
Source: Cesar and Rogers (2021), Lemma 3.4; the product is ours; MATHEMATICS 5.8.
"""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpviz import checks
from dpviz.accounting.bounded_range import bounded_range_mean_loss, pure_mean_loss
from dpviz.accounting.conversions import zcdp_epsilon, zcdp_epsilon_textbook
from dpviz.accounting.inputs import (
    Number,
    elementwise,
    log_probability,
    non_negative,
    representable,
)
from dpviz.accounting.schemes import budgets, total
from dpviz.errors import ParameterError
from dpviz.parameters import exact

MOST_MECHANISMS = 100_000  # of one kind
UP = 1 + 2.0**-46  # more than the rounding of the sums
Counted = tuple[tuple[float, int], ...]  # budgets, each with how often it occurs


@dataclass(frozen=True, slots=True)
class Mechanisms:
    """The parameters of all mechanisms, checked; equal budgets are counted.

    >>> Mechanisms.of([0.1, 0.1], [], [(0.5, 1.0)]).pure
    ((0.1, 2),)
    """

    pure: Counted
    bounded_range: Counted
    concentrated: tuple[tuple[float, float], ...]

    def __post_init__(self) -> None:
        for epsilon, count in (*self.pure, *self.bounded_range):
            checks.positive(epsilon=epsilon)
            checks.whole(1, count=count)
        for mu, tau in self.concentrated:
            checks.non_negative(mu=mu, tau=tau)

    @staticmethod
    def of(
        pure: Iterable[Number],
        bounded_range: Iterable[Number],
        concentrated: Iterable[tuple[Number, Number]],
    ) -> "Mechanisms":
        """The three lists, refused if all are empty or one holds what is no budget.

        >>> Mechanisms.of([], [], [])
        Traceback (most recent call last):
        dpviz.errors.ParameterError: pure, bounded_range and concentrated are all empty; pass at \
least one mechanism
        """
        found = Mechanisms(
            _counted(pure, "pure"), _counted(bounded_range, "bounded_range"), _pairs(concentrated)
        )
        if not (found.pure or found.bounded_range or found.concentrated):
            raise ParameterError(
                "pure, bounded_range and concentrated are all empty; pass at least one mechanism"
            )
        return found

    def zcdp(self) -> tuple[float, float]:
        """The xi and rho of all together: D_alpha <= xi + rho alpha.

        >>> Mechanisms.of([0.2], [0.4], [(0.5, 1.0)]).zcdp()
        (0.0, 0.54)
        """
        xi = _sum(max(0.0, mu - tau * tau / 2) for mu, tau in self.concentrated)
        return xi, self._squares() / 2

    def whole(self) -> float:
        """The sum of all budgets, exact in their decimals; concentrated ones have none.

        >>> Mechanisms.of([0.1] * 3, [], []).whole()
        0.3
        """
        both = (*self.pure, *self.bounded_range)
        return representable(total(exact(epsilon) * count for epsilon, count in both))

    def equation(self, log_delta: float) -> float:
        """The epsilon of equation 3, rounded up.

        >>> round(Mechanisms.of([0.1] * 10, [0.1] * 10, []).equation(math.log(1e-6)), 9)
        1.920917734
        """
        means = (
            *(n * pure_mean_loss(e) for e, n in self.pure),
            *(n * bounded_range_mean_loss(e) for e, n in self.bounded_range),
            *(mu for mu, _ in self.concentrated),
        )
        spread = math.sqrt(2) * math.sqrt(-log_delta) * math.sqrt(self._squares())
        return representable((_sum(means) + spread) * UP)

    def _squares(self) -> float:
        return _sum(
            (
                *(n * e * e for e, n in self.pure),
                *(n * e * e / 4 for e, n in self.bounded_range),
                *(tau * tau for _, tau in self.concentrated),
            )
        )


@elementwise
def setwise_epsilon(
    pure: Iterable[Number] = (),
    bounded_range: Iterable[Number] = (),
    concentrated: Iterable[tuple[Number, Number]] = (),
    *,
    log_delta: Number,
) -> float:
    """The epsilon of equation 3 at this delta: an upper bound for any adaptive choice and order.

    It is this one bound and no other; `best_epsilon` compares it with what is often smaller.

    Args:
        pure: epsilon of each pure mechanism, above 0, nats.
        bounded_range: epsilon of each bounded-range mechanism, above 0, nats.
        concentrated: (mu, tau) of each concentrated mechanism, at least 0 each; Gaussian noise of
            standard deviation sigma has (tau^2 / 2, tau) with tau = l2_sensitivity / sigma.
        log_delta: ln delta, below 0.

    Returns:
        epsilon in nats, rounded up.

    Raises:
        ParameterError: there is no mechanism, or an argument is out of range.

    Source: Cesar and Rogers (2021), equation 3; MATHEMATICS 5.8.

    >>> round(setwise_epsilon([0.1] * 10, [0.1] * 10, log_delta=math.log(1e-6)), 9)
    1.920917734
    """
    mechanisms = Mechanisms.of(pure, bounded_range, concentrated)
    return mechanisms.equation(log_probability(log_delta))


def _sum(terms: Iterable[float]) -> float:
    """The sum of terms of at least 0, refused where no float holds it."""
    try:
        return representable(math.fsum(terms))
    except OverflowError:
        return representable(math.inf)


def _counted(values: Iterable[Number], name: str) -> Counted:
    """The budgets, ascending, each with how often it occurs; none is allowed."""
    listed = checks.listed(**{name: values})
    if len(listed) > MOST_MECHANISMS:
        raise ParameterError(f"{name} must be at most {MOST_MECHANISMS} budgets; pass fewer")
    counted = Counter(budgets(listed, name)) if listed else Counter[Fraction]()
    return tuple((float(each), count) for each, count in sorted(counted.items()))


def _pairs(values: Iterable[tuple[Number, Number]]) -> tuple[tuple[float, float], ...]:
    """The concentrated parameters, each a pair of numbers of at least 0."""
    found = []
    listed = checks.listed(concentrated=values)
    if len(listed) > MOST_MECHANISMS:
        raise ParameterError(f"concentrated must be at most {MOST_MECHANISMS} pairs; pass fewer")
    for each in listed:
        pair = checks.listed(concentrated=each)
        if len(pair) != 2:
            raise ParameterError("each of concentrated must be a pair (mu, tau), such as (0.5, 1)")
        found.append((non_negative(mu=pair[0]), non_negative(tau=pair[1])))
    return tuple(found)


ROUNDED = 2.0**-48  # more than the rounding of the sums
LOST = 1e-13
SMALL = -40.0  # ln of a probability p that is -ln(1 - p) to the last bit
Parts = Iterable[tuple[Number, Number, Number]]  # (ln delta_i, xi_i, rho_i)


@elementwise
def approximate_zcdp_epsilon(parts: Parts, log_delta: Number) -> float:
    """Epsilon at a total delta of approximately zCDP mechanisms, by the tightest conversion.

    Args:
        parts: (ln delta_i, xi_i, rho_i) of each; ln delta_i is -inf for a delta of 0.
        log_delta: ln of the total delta, of which each mechanism uses its own.

    Returns:
        epsilon in nats, rounded up.

    Raises:
        ParameterError: there is no part, one is out of range, or their own deltas use up the total.

    Source: Cesar and Rogers (2021), Lemma 3.4; [CKS20]; MATHEMATICS 5.8.

    >>> round(approximate_zcdp_epsilon([(-math.inf, 0, 0.1)], math.log(1e-6)), 9)
    2.141938928
    >>> round(approximate_zcdp_epsilon([(math.log(1e-7), 0, 0.05)] * 2, math.log(1e-6)), 9)
    2.162777491
    """
    xi, rho, left = _together(parts, log_probability(log_delta))
    return representable((xi + zcdp_epsilon(rho, left)) * (1 + ROUNDED))


@elementwise
def approximate_zcdp_epsilon_textbook(parts: Parts, log_delta: Number) -> float:
    """The same by xi + rho + 2 sqrt(rho ln(1/delta)), as the paper has it.

    Args:
        parts: as of `approximate_zcdp_epsilon`.
        log_delta: as there.

    Returns:
        epsilon in nats; `approximate_zcdp_epsilon` is never larger.

    Raises:
        ParameterError: as there.

    Source: Cesar and Rogers (2021), Lemma 3.4; MATHEMATICS 5.8.

    >>> round(approximate_zcdp_epsilon_textbook([(-math.inf, 0.05, 0.5)], -11.512925464970229), 9)
    5.348525912
    """
    xi, rho, left = _together(parts, log_probability(log_delta))
    return representable((xi + zcdp_epsilon_textbook(rho, left)) * (1 + ROUNDED))


def _together(parts: Parts, log_delta: float) -> tuple[float, float, float]:
    """The sums of xi and of rho, and the ln of the delta that is left to the concentrated part."""
    found = [_checked(part) for part in checks.listed(parts=parts)]
    if not found:
        raise ParameterError("parts must hold at least one (log_delta, xi, rho)")
    xi = representable(math.fsum(each for _, each, _ in found)) * (1 + ROUNDED)
    rho = representable(math.fsum(each for _, _, each in found)) * (1 + ROUNDED)
    used = float(np.logaddexp.reduce([_log_needed(each) for each, _, _ in found]))
    needed = _log_needed(log_delta)
    if used == -math.inf:
        return xi, rho, log_delta
    if needed <= used + LOST:
        raise ParameterError(
            "the deltas of the parts use up the total delta; pass a larger log_delta"
        )
    left = needed + math.log(-math.expm1(used + LOST - needed))
    log_delta = left if left < SMALL else math.log(-math.expm1(-math.exp(left)))
    return xi, rho, log_delta - LOST * (1 - log_delta)


def _log_needed(log_delta: float) -> float:
    """The ln of -ln(1 - delta), which adds where probabilities multiply."""
    if log_delta < SMALL:
        return log_delta
    if log_delta < -1:
        return math.log(-math.log1p(-math.exp(log_delta)))
    return math.log(-math.log(-math.expm1(log_delta)))


def _checked(part: tuple[Number, Number, Number]) -> tuple[float, float, float]:
    """One part as plain numbers."""
    three = checks.listed(parts=part)
    if len(three) != 3:
        raise ParameterError("each of parts must be three numbers (log_delta, xi, rho)")
    log_delta = checks.number(log_delta=three[0])
    if log_delta != -math.inf:
        log_delta = log_probability(log_delta)
    return log_delta, non_negative(xi=three[1]), non_negative(rho=three[2])
