"""Gaussian noise: the exact trade between epsilon and delta, and its two inverses.

Balle and Wang (2018), in the log domain (mills.py): mu = sensitivity / standard deviation, deltas
given as ln delta, so that delta = 1e-10000 is as exact as delta = 0.5. The inverses allow for the
rounding error of the curve itself, so what they return never spends more than was asked.
Symbols: dpviz/NOTATION.md.  [BW18] Balle and Wang (2018), arXiv:1805.06530.
"""

import math
from collections.abc import Callable

import numpy as np

from dpviz import checks
from dpviz.accounting import mills
from dpviz.accounting.inputs import (
    Number,
    elementwise,
    finite,
    log_probability,
    non_negative,
    positive,
    representable,
)
from dpviz.accounting.search import move_up
from dpviz.errors import ParameterError

NEWTON_STEPS = 1000  # two to eight are taken, but for deltas very near 1
LAST_BITS = 4e-16


@elementwise
def gaussian_log_delta(epsilon: Number, mu: Number) -> float:
    """Natural logarithm of the least delta of Gaussian noise at `epsilon`, exact.

        delta = Phi(mu/2 - epsilon/mu) - e^epsilon Phi(-mu/2 - epsilon/mu)
        epsilon < 0:  delta(epsilon) = 1 - e^epsilon + e^epsilon delta(-epsilon)

    Args:
        epsilon: any finite number, nats; negative where a recursion needs it.
        mu: l2 sensitivity / standard deviation of the noise; 0 means nothing is disclosed.

    Returns:
        ln delta, at most 0; -inf where delta is 0 (mu = 0 and epsilon >= 0).

    Raises:
        ParameterError: epsilon is not finite, or mu is negative or not finite.

    Source: [BW18], Theorem 8, in the log domain by MATHEMATICS 3.4.

    >>> round(math.exp(gaussian_log_delta(1.0, 1.0)), 6)
    0.126937
    >>> round(gaussian_log_delta(1.0, 1 / 214.51958754552369) / math.log(10), 9)
    -10000.0
    """
    epsilon, mu = finite(epsilon=epsilon), _mu(mu)
    if epsilon >= 0:
        return mills.log_delta(epsilon, mu)
    mirrored = mills.log_delta(-epsilon, mu)
    kept = math.exp(epsilon) * -math.expm1(mirrored)  # 1 - delta
    if kept < 0.5:
        return math.log1p(-kept)
    return float(np.logaddexp(math.log(-math.expm1(epsilon)), epsilon + mirrored))


@elementwise
def gaussian_epsilon(log_delta: Number, mu: Number) -> float:
    """Least epsilon >= 0 at which Gaussian noise has at most this delta.

    Newton's method on ln delta(epsilon), which is concave: from the zCDP bound, which is always
    private, it comes down without overshooting. The result is rounded up: `gaussian_log_delta` of
    it never exceeds `log_delta`.

    Args:
        log_delta: ln delta, below 0.
        mu: l2 sensitivity / standard deviation of the noise, at least 0.

    Returns:
        epsilon in nats.

    Raises:
        ParameterError: log_delta is not below 0, or mu is negative or not finite.

    Source: [BW18], Theorem 8, inverted; MATHEMATICS 3.4.

    >>> gaussian_epsilon(np.log([1e-6, 1e-9]), 1.0).round(6)
    array([4.886554, 6.173935])
    """
    log_delta, mu = log_probability(log_delta), _mu(mu)
    target = log_delta - _slack(log_delta)
    if mu == 0 or mills.log_delta(0.0, mu) <= target:
        return 0.0

    root = math.sqrt(2) * math.sqrt(-target)
    zcdp = representable(mu * mu / 2 + mu * root)
    if max(root, 40.0) < 1e-17 * mu:  # the rest is below the last bit of mu²/2
        return zcdp * (1 + LAST_BITS)

    def step(epsilon: float) -> float:
        value, gap = mills.curve(epsilon, mu)
        return (target - value) * gap / mills.mills(epsilon / mu + mu / 2)  # slope -M(b) / gap

    epsilon = _newton(step, zcdp)
    return move_up(lambda x: mills.log_delta(x, mu) - target, epsilon, tolerance=LAST_BITS)


@elementwise
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

    Source: the analytic Gaussian mechanism, [BW18], Algorithm 1; MATHEMATICS 3.4.

    >>> round(gaussian_sigma(1.0, math.log(1e-5), 1.0), 9)
    3.730631635
    """
    epsilon, log_delta = non_negative(epsilon=epsilon), log_probability(log_delta)
    l2_sensitivity = positive(l2_sensitivity=l2_sensitivity)
    target = log_delta - _slack(log_delta)

    def step(mu: float) -> float:
        value, gap = mills.curve(epsilon, mu)
        return (value - target) * gap

    start = _private_mu(epsilon, target)
    if not start * 1e300 > l2_sensitivity > start * 1e-290:
        raise ParameterError(
            "no noise that a float can hold meets this epsilon, log_delta and l2_sensitivity; "
            "pass a larger epsilon or log_delta"
        )
    sigma = l2_sensitivity / _newton(step, start)
    if not 0 < sigma < math.inf:  # epsilon has lost the digits that tell a from 0: zCDP is enough
        sigma = l2_sensitivity / start
    return move_up(
        lambda x: mills.log_delta(epsilon, l2_sensitivity / x) - target, sigma, tolerance=LAST_BITS
    )


def _mu(mu: Number) -> float:
    """The checked mu; its square must be a float too."""
    value = non_negative(mu=mu)
    if value > mills.HUGE:
        raise ParameterError(f"mu must be at most {mills.HUGE:g}, got {checks.told(mu)}")
    return value


def _slack(log_delta: float) -> float:
    """About twice the largest rounding error of `mills.log_delta` seen where it is `log_delta`.

    Relative to L = -ln delta: 2.5 units of 2^-52 for large L, 7 near L = 1; near delta = 1 what is
    rounded is 1 - delta, proportional to exp(-a^2/2), whose relative error grows as a^2.
    """
    big_l, kept = -log_delta, -math.expm1(log_delta)
    return 2.0**-52 * big_l * (5 + (10 - 4 * math.log(kept)) * min(1.0, 3 / big_l))


def _private_mu(epsilon: float, log_delta: float) -> float:
    """A mu that is certainly private: by zCDP, or by delta(0) <= mu / sqrt(2 pi)."""
    by_zcdp = math.sqrt(2) * epsilon / (math.sqrt(epsilon - log_delta) + math.sqrt(-log_delta))
    return max(by_zcdp, math.sqrt(2 * math.pi) * math.exp(log_delta))


def _newton(step: Callable[[float], float], x: float) -> float:
    """Newton's method for a concave function from its private side; steps shrink to rounding."""
    for _ in range(NEWTON_STEPS):
        change = step(x)
        x -= change
        if not abs(change) > LAST_BITS * abs(x):
            break
    return x
