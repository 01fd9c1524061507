"""Gaussian noise: the exact trade between epsilon and delta, in the log domain, and its inverses.

Balle and Wang (2018): with mu = sensitivity / standard deviation, a = epsilon/mu - mu/2, b = a + mu,

    delta = Phi(-a) - e^epsilon Phi(-b) = phi(a) (M(a) - M(b)),   M = Mills ratio (1 - Phi)/phi.

The difference of Mills ratios is taken without cancellation (MATH-002-003-004, section 2.7), so
delta = 1e-10000 is as exact as delta = 0.5: relative error of ln delta below 1e-14. The inverses
allow for that error, so what they return never spends more than was asked. zCDP is converted by
Canonne, Kamath and Steinke (2020). Symbols: dpviz/NOTATION.md.
"""

import math
import sys

import numpy as np
from scipy.special import erfcx

from dpviz import checks
from dpviz.accounting.inputs import Number, log_probability, non_negative, positive
from dpviz.accounting.search import least
from dpviz.errors import ParameterError

HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
SPLIT = 134217729.0  # 2^27 + 1: splits a double into two halves of 26 bits
NODES, WEIGHTS = np.polynomial.legendre.leggauss(20)
NEAR = 0.5  # Mills ratios closer than this are integrated, not subtracted
FAR = 5.0  # from here on the continued fraction takes over
DEPTH = 60  # of that continued fraction; 1e-16 is reached from FAR on
NEWTON_STEPS = 30


def gaussian_log_delta(epsilon: Number, mu: Number) -> float:
    """Natural logarithm of the least delta of Gaussian noise at `epsilon`, exact.

        ln delta = ln phi(a) + ln(M(a) - M(b)),   a = epsilon/mu - mu/2,  b = a + mu
        epsilon < 0:  delta(epsilon) = 1 - e^epsilon + e^epsilon delta(-epsilon)

    Args:
        epsilon: any finite number, nats; negative where a recursion needs it.
        mu: l2 sensitivity / standard deviation of the noise; 0 means nothing is disclosed.

    Returns:
        ln delta, below 0; -inf where delta is 0 (mu = 0 and epsilon >= 0).

    Raises:
        ParameterError: epsilon is not finite, or mu is negative or not finite.

    Source: Balle and Wang (2018), Theorem 8, in log space by MATH-002-003-004 section 2.7.

    >>> round(math.exp(gaussian_log_delta(1.0, 1.0)), 6)
    0.126937
    >>> round(gaussian_log_delta(1.0, 1 / 214.51958754552369) / math.log(10), 9)
    -10000.0
    """
    mu = non_negative(mu=mu)
    checks.non_negative(absolute_epsilon=abs(_finite(epsilon)))
    epsilon = float(epsilon)
    if epsilon >= 0:
        return _log_delta(epsilon, mu)
    mirrored = _log_delta(-epsilon, mu)
    if (kept := math.exp(epsilon) * -math.expm1(mirrored)) < 0.5:  # kept = 1 - delta
        return math.log1p(-kept)
    return float(np.logaddexp(math.log(-math.expm1(epsilon)), epsilon + mirrored))


def gaussian_epsilon(log_delta: Number, mu: Number) -> float:
    """Least epsilon >= 0 at which Gaussian noise has at most this delta.

    Newton's method on ln delta(epsilon), which is concave: from the zCDP bound it comes down
    without overshooting. The result is rounded up: `gaussian_log_delta` of it never exceeds
    `log_delta`.

    Args:
        log_delta: ln delta, below 0.
        mu: l2 sensitivity / standard deviation of the noise, at least 0.

    Returns:
        epsilon in nats.

    Raises:
        ParameterError: log_delta is not below 0, or mu is negative or not finite.

    Source: Balle and Wang (2018), inverted; MATH-002-003-004 section 2.7.

    >>> round(gaussian_epsilon(math.log(1e-6), 1.0), 6)
    4.886554
    """
    log_delta, mu = log_probability(log_delta), non_negative(mu=mu)
    target = log_delta - _slack(log_delta)
    if mu == 0 or _log_delta(0.0, mu) <= target:
        return 0.0
    epsilon = _textbook(mu * mu / 2, -target)
    for _ in range(NEWTON_STEPS):
        a, b = _arguments(epsilon, mu)
        gap = _mills_gap(a, b, mu)
        step = (target - _log_delta(epsilon, mu)) * gap / _mills(b)
        if not 0 < step < epsilon:
            break
        epsilon -= step
        if step < 1e-15 * epsilon:
            break
    return _private_side(lambda x: _log_delta(x, mu) - target, epsilon)


def gaussian_sigma(epsilon: Number, log_delta: Number, l2_sensitivity: Number) -> float:
    """Least standard deviation of Gaussian noise that is (epsilon, delta)-private.

    Newton's method on ln delta(mu), which is concave and rises with slope 1/(M(a) - M(b)): from the
    zCDP calibration, which is always private, it approaches without overshooting. The result is
    rounded up: `gaussian_log_delta(epsilon, l2_sensitivity / sigma)` never exceeds `log_delta`.

    Args:
        epsilon: at least 0, nats.
        log_delta: ln delta, below 0.
        l2_sensitivity: above 0, in units of the statistic.

    Returns:
        sigma in units of the statistic.

    Raises:
        ParameterError: an argument is out of range, or the noise needed is beyond any float.

    Source: the analytic Gaussian mechanism, Balle and Wang (2018), Algorithm 1.

    >>> round(gaussian_sigma(1.0, math.log(1e-5), 1.0), 9)
    3.730631635
    """
    epsilon, log_delta = non_negative(epsilon=epsilon), log_probability(log_delta)
    l2_sensitivity = positive(l2_sensitivity=l2_sensitivity)
    target = log_delta - _slack(log_delta)
    mu = _smallest_mu(epsilon, target)
    for _ in range(NEWTON_STEPS if mu > 0 else 0):
        step = (target - _log_delta(epsilon, mu)) * _mills_gap(*_arguments(epsilon, mu), mu)
        if not step > 0:
            break
        mu += step
        if step < 1e-15 * mu:
            break
    if not 0 < l2_sensitivity / max(mu, 1e-300) < 1e300:
        raise ParameterError(
            "epsilon and delta are both so small that no finite noise reaches them; "
            "pass a larger epsilon or a larger delta"
        )
    return _private_side(
        lambda sigma: _log_delta(epsilon, l2_sensitivity / sigma) - target, l2_sensitivity / mu
    )


def zcdp_epsilon(rho: Number, log_delta: Number) -> float:
    """Epsilon of any rho-zCDP mechanism at this delta, by the tightest Renyi conversion.

        epsilon = inf over x = alpha - 1 > 0 of  (1+x) rho + (L - ln(1+x))/x - ln(1 + 1/x),  L = -ln delta

    The infimum is where rho x^2 + ln(1+x) = L. Every alpha > 1 gives a valid bound, so an inexact
    minimiser costs nothing but tightness; the last bits are rounded up.

    Args:
        rho: zCDP budget, at least 0.
        log_delta: ln delta, below 0.

    Returns:
        epsilon in nats, at least 0.

    Raises:
        ParameterError: rho is negative or not finite, or log_delta is not below 0.

    Source: Canonne, Kamath and Steinke (2020), Proposition 12; MATH-002-003-004 section 3.1.

    >>> round(zcdp_epsilon(0.5, math.log(1e-6)), 4)
    5.2215
    """
    rho, big_l = non_negative(rho=rho), -log_probability(log_delta)
    if rho == 0:
        return 0.0
    x = math.sqrt(big_l / rho) if big_l > rho else big_l / (0.5 + math.sqrt(0.25 + rho * big_l))
    for _ in range(NEWTON_STEPS):
        error = rho * x * x + math.log1p(x) - big_l
        new = max(x - error / (2 * rho * x + 1 / (1 + x)), x / 16)
        done, x = abs(new - x) <= 1e-12 * x, new
        if done:
            break
    terms = (rho, rho * x, big_l / x, -math.log1p(x) / x, -math.log1p(1 / x))
    rounding = 4 * sys.float_info.epsilon * math.fsum(map(abs, terms))
    return max(0.0, math.fsum(terms) + rounding)


def zcdp_epsilon_textbook(rho: Number, log_delta: Number) -> float:
    """Epsilon of any rho-zCDP mechanism at this delta, by the bound that textbooks print.

        epsilon = rho + 2 sqrt(rho ln(1/delta))

    Args:
        rho: zCDP budget, at least 0.
        log_delta: ln delta, below 0.

    Returns:
        epsilon in nats; `zcdp_epsilon` is never larger.

    Raises:
        ParameterError: rho is negative or not finite, or log_delta is not below 0.

    Source: Bun and Steinke (2016), Proposition 1.3.

    >>> round(zcdp_epsilon_textbook(0.5, math.log(1e-6)), 4)
    5.7565
    """
    return _textbook(non_negative(rho=rho), -log_probability(log_delta))
