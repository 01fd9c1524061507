"""Convert between the privacy currencies: rho (zCDP), mu (Gaussian), and (epsilon, delta).

Gaussian noise of standard deviation sigma on a statistic of l2 sensitivity D has mu = D/sigma and
rho = mu^2/2, exactly; its (epsilon, delta) curve is in gaussian.py. Any rho-zCDP mechanism has the
epsilon of Canonne, Kamath and Steinke [CKS20], which is looser, and that of Bun and Steinke [BS16],
looser still; every conversion therefore names its method. Symbols: dpviz/NOTATION.md.
[CKS20] arXiv:2004.00010, Proposition 12.  [BS16] arXiv:1605.02065, Propositions 1.3 and 1.4.
"""

import math
from typing import SupportsIndex

from dpviz import checks
from dpviz.accounting.gaussian import gaussian_epsilon, gaussian_sigma
from dpviz.accounting.inputs import (
    Number,
    elementwise,
    log_probability,
    non_negative,
    representable,
)

NEWTON_STEPS = 50
FAR = 1e290  # an epsilon from here on is the textbook bound to the last bit
LARGEST_LOG = 300.0  # of alpha - 1, whose square must be a float


@elementwise
def rho_to_mu(rho: Number) -> float:
    """Gaussian mu of a zCDP budget: sqrt(2 rho).

    Raises:
        ParameterError: rho is negative or not finite.

    >>> rho_to_mu(0.5)
    1.0
    """
    value = non_negative(rho=rho)
    return math.sqrt(2 * value) if value < 1 else 2 * math.sqrt(value / 2)  # 2 rho may overflow


@elementwise
def mu_to_rho(mu: Number) -> float:
    """Zero-concentrated budget of Gaussian noise: mu^2 / 2.

    Raises:
        ParameterError: mu is negative, not finite, or above 1e154, where no float holds its square.

    >>> mu_to_rho(1.0)
    0.5
    """
    value = non_negative(mu=mu)
    return representable(value * value / 2)


@elementwise
def gaussian_rho_for(epsilon: Number, log_delta: Number) -> float:
    """Largest rho whose Gaussian noise is (epsilon, delta)-private, by the exact curve.

    Args:
        epsilon: at least 0, nats.
        log_delta: ln delta, below 0.

    Returns:
        rho, rounded down: `gaussian_epsilon(log_delta, rho_to_mu(rho))` never exceeds `epsilon`.

    Raises:
        ParameterError: an argument is out of range.

    >>> round(gaussian_rho_for(4.886554, math.log(1e-6)), 6)
    0.5
    """
    rho = mu_to_rho(1 / gaussian_sigma(epsilon, log_delta, 1.0))
    shrink = 4e-16
    while gaussian_epsilon(log_delta, rho_to_mu(rho)) > non_negative(epsilon=epsilon):
        rho, shrink = rho * (1 - shrink), 2 * shrink
    return rho


@elementwise
def zcdp_epsilon(rho: Number, log_delta: Number) -> float:
    """Epsilon of any rho-zCDP mechanism at this delta, by the tightest Rényi conversion.

        inf over x = alpha - 1 > 0 of  (1+x) rho + (L - ln(1+x))/x - ln(1 + 1/x),   L = -ln delta

    The infimum is where rho x^2 + ln(1+x) = L. Every alpha > 1 gives a valid bound, so an inexact
    minimiser costs nothing but tightness; the last bits are rounded up.

    Args:
        rho: zCDP budget, at least 0.
        log_delta: ln delta, below 0.

    Returns:
        epsilon in nats, at least 0.

    Raises:
        ParameterError: rho is negative or not finite, or log_delta is not below 0.

    Source: [CKS20]; MATHEMATICS 3.2.

    >>> round(zcdp_epsilon(0.1, -13.815510557964274), 9)
    2.141938928
    """
    rho, big_l = non_negative(rho=rho), -log_probability(log_delta)
    if rho == 0:
        return 0.0
    textbook = zcdp_epsilon_textbook(rho, -big_l)
    if textbook > FAR:  # what the optimal conversion saves is below the last bit
        return textbook
    x = _minimiser(rho, big_l)
    terms = (rho, rho * x, big_l / x, -math.log1p(x) / x, -math.log1p(1 / x))
    rounding = 2.0**-50 * math.fsum(map(abs, terms))
    return max(0.0, min(math.fsum(terms) + rounding, textbook))


@elementwise
def zcdp_epsilon_textbook(rho: Number, log_delta: Number) -> float:
    """Epsilon of any rho-zCDP mechanism by the textbook bound rho + 2 sqrt(rho ln(1/delta)).

    Args:
        rho: zCDP budget, at least 0.
        log_delta: ln delta, below 0.

    Returns:
        epsilon in nats; `zcdp_epsilon` is never larger.

    Raises:
        ParameterError: rho is negative or not finite, or log_delta is not below 0.

    Source: [BS16], Proposition 1.3.

    >>> round(zcdp_epsilon_textbook(0.5, math.log(1e-6)), 4)
    5.7565
    """
    rho, log_delta = non_negative(rho=rho), log_probability(log_delta)
    bound = (rho + 2 * math.sqrt(rho) * math.sqrt(-log_delta)) * (1 + 2.0**-51)
    return representable(bound)


@elementwise
def group_rho(rho: Number, people: SupportsIndex) -> float:
    """Concentrated budget for a group of k people, if each of them has `rho`: k² rho.

    A number that each of them moves by 1 in one direction is moved by k, so for Gaussian noise
    this is exact.

    Args:
        rho: zCDP budget for one person, at least 0.
        people: k, a whole number of at least 1.

    Returns:
        rho of the group.

    Raises:
        ParameterError: an argument is out of range, or the result is beyond any float.

    Source: [BS16], group privacy; MATHEMATICS 5.12.

    >>> group_rho([0.1, 0.2], 4).round(6)
    array([1.6, 3.2])
    """
    k = checks.integer(1, people=people)
    return representable(non_negative(rho=rho) * k * k)


def _minimiser(rho: float, big_l: float) -> float:
    """Root x > 0 of rho x^2 + ln(1+x) = L, by Newton's method in ln x from above."""
    u = 0.5 * (math.log(big_l) - math.log(rho))
    for _ in range(NEWTON_STEPS):
        x = math.exp(min(u, LARGEST_LOG))
        change = (rho * x * x + math.log1p(x) - big_l) / (2 * rho * x * x + x / (1 + x))
        u -= change
        if abs(change) < 1e-9:
            break
    return math.exp(min(u, LARGEST_LOG))
