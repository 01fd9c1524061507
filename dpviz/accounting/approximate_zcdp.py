"""Approximate zCDP: mechanisms that are concentrated but for an event of probability delta_i.

A mechanism is delta_i-approximately (xi_i, rho_i)-zCDP if, on events of probability 1 - delta_i on
both sides, D_alpha <= xi_i + rho_i alpha for every alpha > 1. The xi and rho add, and the events
that keep all promises at once have probability product of (1 - delta_i), for any adaptive choice of
mechanisms and order. So at total delta' the concentrated part has the delta with

    1 - delta' = (1 - delta) product of (1 - delta_i)

which is larger, and better, than the delta' - sum of delta_i of the paper.
Source: Cesar and Rogers (2021), Lemma 3.4; the product is ours; MATHEMATICS 5.8.
"""

import math
from collections.abc import Iterable

import numpy as np

from dpviz import checks
from dpviz.accounting.arrays import elementwise
from dpviz.accounting.conversions import zcdp_epsilon, zcdp_epsilon_textbook
from dpviz.accounting.inputs import Number, log_probability, non_negative, representable
from dpviz.errors import ParameterError

UP = 2.0**-48  # more than the rounding of the sums
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
    return representable((xi + zcdp_epsilon(rho, left)) * (1 + UP))


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
    return representable((xi + zcdp_epsilon_textbook(rho, left)) * (1 + UP))


def _together(parts: Parts, log_delta: float) -> tuple[float, float, float]:
    """The sums of xi and of rho, and the ln of the delta that is left to the concentrated part."""
    found = [_checked(part) for part in checks.listed(parts=parts)]
    if not found:
        raise ParameterError("parts must hold at least one (log_delta, xi, rho)")
    xi = representable(math.fsum(each for _, each, _ in found)) * (1 + UP)
    rho = representable(math.fsum(each for _, _, each in found)) * (1 + UP)
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
