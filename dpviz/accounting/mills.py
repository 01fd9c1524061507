"""The exact curve of Gaussian noise in the log domain, by differences of Mills ratios.

With a = epsilon/mu - mu/2, b = a + mu and the Mills ratio M = (1 - Phi)/phi,

    delta = Phi(-a) - e^epsilon Phi(-b) = phi(a) (M(a) - M(b))    since e^epsilon phi(b) = phi(a).

Four regimes keep every digit (MATHEMATICS 3.4): delta near 1 through 1 - delta; far
arguments through a continued fraction of the difference; near ones by integrating -M'; the rest by
subtraction. Relative error of ln delta below 1e-14 from delta = 1/2 to 1e-(1e100). Inner functions:
arguments are trusted, epsilon >= 0.
"""

import math
import sys

import numpy as np
from scipy.special import erfcx

ROOT_HALF_PI = math.sqrt(math.pi / 2)
ROOT_HALF = math.sqrt(0.5)
HALF_LOG_2PI = 0.5 * math.log(2 * math.pi)
SPLIT = 134217729.0  # 2^27 + 1 splits a double into two halves of 26 bits [Dekker 1971]
NODES, WEIGHTS = np.polynomial.legendre.leggauss(20)
NEAR = 1.0  # arguments closer than this are integrated between, not subtracted
FAR = 5.0  # the continued fraction is used from here on ...
DEPTH = 40  # ... where this many of its terms reach the last bit
TINY, SCALE = 1e-200, 2.0**300  # a mu below TINY times SCALE is still small
HUGE = 1e150  # squares of anything below this are finite


def log_delta(epsilon: float, mu: float) -> float:
    """The ln delta of Gaussian noise at epsilon >= 0 and mu >= 0; -inf for mu = 0.

    >>> round(math.exp(log_delta(0.0, 1.0)), 6)  # 2 Phi(1/2) - 1
    0.382925
    """
    return curve(epsilon, mu)[0] if mu > 0 else -math.inf


def curve(epsilon: float, mu: float) -> tuple[float, float]:
    """The ln delta and the gap M(a) - M(b), whose inverse is d(ln delta)/d(mu); mu > 0.

    >>> round(curve(0.0, 1.0)[1], 6) == round(mills(-0.5) - mills(0.5), 6)
    True
    """
    a, b = arguments(epsilon, mu)
    if a > HUGE:  # delta <= exp(-a^2/2), and a number that is not -inf
        return max(-a * a / 2, -sys.float_info.max), 0.0
    if mu < TINY:  # the gap is linear in mu there; scaled up, it keeps its digits
        gap = mills_gap(a, b, mu * SCALE)
        log_gap = math.log(gap) if gap > 0 else math.log(mu * SCALE) - 2 * math.log(a)
        return -a * a / 2 - HALF_LOG_2PI + log_gap - math.log(SCALE), gap / SCALE
    gap = mills_gap(a, b, mu)
    if a < 0:
        rest = math.exp(-a * a / 2 - HALF_LOG_2PI) * (mills(-a) + mills(b))  # 1 - delta
        if rest < 0.5:
            return math.log1p(-rest), gap
    log_gap = (
        math.log(gap) if gap > 0 else math.log(mu) - 2 * math.log(a)
    )  # far out mu/a², no float
    return -a * a / 2 - HALF_LOG_2PI + log_gap, gap


def arguments(epsilon: float, mu: float) -> tuple[float, float]:
    """The pair a = epsilon/mu - mu/2, b = a + mu, with all digits where the two terms of a cancel.

    >>> arguments(1.0, 1.0)
    (0.5, 1.5)
    """
    b = epsilon / mu + mu / 2
    half = mu * mu / 2
    if not half / 4 < epsilon < 4 * half:
        return epsilon / mu - mu / 2, b
    top = SPLIT * mu
    top -= top - mu
    bottom = mu - top
    lost = ((top * top - 2 * half) + 2 * top * bottom) + bottom * bottom  # mu^2 = 2 half + lost
    return ((epsilon - half) - lost / 2) / mu, b


def mills(x: float) -> float:
    """Mills ratio (1 - Phi(x)) / phi(x) = sqrt(pi/2) erfcx(x / sqrt 2).

    >>> round(mills(0.0), 12)
    1.253314137316
    """
    return float(ROOT_HALF_PI * erfcx(x * ROOT_HALF))


def mills_gap(a: float, b: float, mu: float) -> float:
    """M(a) - M(b) for b = a + mu, without cancellation; b >= 0.

    >>> round(mills_gap(0.5, 1.5, 1.0), 12) == round(mills(0.5) - mills(1.5), 12)
    True
    """
    if a >= FAR:
        return _far_gap(a, b, mu)
    if mu >= NEAR:
        return mills(max(a, -37.0)) - mills(b)  # below -37 only a slope is asked for: any does
    x = a + (0.5 * mu) * (1 + NODES)
    slope = 1 - x * (ROOT_HALF_PI * erfcx(x * ROOT_HALF))  # -M'(x) = 1 - x M(x)
    return float(0.5 * mu * (WEIGHTS @ slope))


def _far_gap(a: float, b: float, mu: float) -> float:
    """The same by M(x) = 1/(x + f_1), f_n = n/(x + f_{n+1}), carrying D_n = f_n(a) - f_n(b).

    D_n = f_n(a) f_n(b) (mu - D_{n+1}) / n  and  M(a) - M(b) = (mu - D_1) M(a) M(b).
    """
    f_a, f_b = (0.5 * (math.sqrt(x * x + 4 * DEPTH) - x) for x in (a, b))  # f_n = f_{n+1} there
    difference = f_a * f_b * mu / (DEPTH + f_a * f_b)
    for n in range(DEPTH - 1, 0, -1):
        f_a, f_b = n / (a + f_a), n / (b + f_b)
        difference = f_a * f_b / n * (mu - difference)
    return (mu - difference) / ((a + f_a) * (b + f_b))
