"""Sums of independent Laplace noise: their tails and intervals, exact to rounding.

Continual counting adds |digits of t| terms of one scale. The sum of n has the tail of a mixture:

    Laplace, scale b      P(|S| > x)  = Σ_{j<n} w_j Q(n-j, x/b),   w_j = C(n-1+j, j) 2^-(n-1+j)
    discrete Laplace      P(|S| >= m) = Σ_{j<n} w_j I_a(m, n-j),   a = e^(-1/b)
                          w_j = 2 (1+a)^-j [v^j] (1 - a + a²/((1+a)(1-v)))^n

Q is the upper incomplete gamma ratio, I the incomplete beta ratio (a negative binomial tail). Both
are partial fractions of the characteristic function at one of its two poles; all weights are
positive, so nothing cancels. Of many terms only the last weights count: those left out are below
1e-20 together. Limits: up to a million terms, 2,000 of whole noise. Source: MATHEMATICS 4.2; ours,
tested against numerical inversion.
"""

import math
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, gammaincc, gammaln

from dpviz import checks
from dpviz.accounting.inputs import Number, positive, probability
from dpviz.accounting.tree_errors import LAPLACE, counting_family
from dpviz.errors import ParameterError
from dpviz.noise.family import Family

MOST_NOISES, MOST_WHOLE = 1_000_000, 2000
REACH = 16  # weights that count, in √n: ten standard deviations of a negative binomial law
STEPS = 80  # halvings of an interval: down to the last bit


def laplace_sum_half_width(
    count: int, level: Number, confidence: Number, *, family: Family = LAPLACE
) -> float:
    """±a that a sum of noise terms keeps with a confidence.

    Args:
        count: n, how many noise terms are added, from 0 to `most_noises`.
        level: scale b of each, above 0.
        confidence: strictly between 0 and 1.
        family: Laplace or discrete Laplace.

    Returns:
        The a with P(|S| <= a) = confidence; for whole noise the least whole a that has at least it.

    Raises:
        ParameterError: an argument is out of range.

    >>> round(laplace_sum_half_width(1, 2.0, 0.95), 6), round(-2 * math.log(0.05), 6)
    (5.991465, 5.991465)
    >>> from dpviz.noise import FAMILIES
    >>> laplace_sum_half_width(9, 3.0, 0.95, family=FAMILIES["discrete_laplace"])
    25.0
    """
    count = checks.integer(0, count=count)
    if count > (most := most_noises(family)):
        raise ParameterError(
            f"intervals are known for sums of up to {most:,} terms; use a smaller arity"
        )
    level, miss = positive(level=level), 1 - probability(confidence=confidence)
    whole = counting_family(family).integer
    if not count:
        return 0.0
    return _whole(int(count), level, miss) if whole else level * _unit(int(count), miss)


def most_noises(family: Family = LAPLACE) -> int:
    """How many noise terms of a family `laplace_sum_half_width` adds up at most.

    >>> most_noises()
    1000000
    """
    return MOST_WHOLE if counting_family(family).integer else MOST_NOISES


def _weights(count: int) -> NDArray[np.float64]:
    """w_j, j up to n-1, of the Laplace mixture; they add up to 1."""
    j = np.arange(max(0, count - REACH * math.isqrt(count)), count)
    logs = gammaln(count + j) - gammaln(count) - gammaln(j + 1) - (count - 1 + j) * math.log(2)
    found: NDArray[np.float64] = np.exp(logs)
    return found if len(found) == count else found / found.sum()  # large logs have lost digits


def _tail(weights: NDArray[np.float64], beyond: float) -> float:
    return float(weights @ gammaincc(np.arange(len(weights), 0, -1), beyond))


@lru_cache(maxsize=4096)  # pure mathematics of public numbers
def _unit(count: int, miss: float) -> float:
    """Half width at scale 1, by bisection."""
    weights, low, high = _weights(count), 0.0, 1.0
    while _tail(weights, high) > miss:
        low, high = high, 2 * high
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if _tail(weights, middle) > miss else (low, middle)
    return high


def _whole_weights(count: int, a: float) -> NDArray[np.float64]:
    """w_j, j = 0…n-1, of the mixture for whole noise; they add up to P(S ≠ 0) at m = 1."""
    base = np.full(count, a * a / (1 + a))
    base[0] += 1 - a
    power = np.zeros(count)
    power[0] = 1.0
    rest = count
    while rest:  # the n-th power of a series, cut after n terms
        if rest % 2:
            power = np.convolve(power, base)[:count]
        base, rest = np.convolve(base, base)[:count], rest // 2
    found: NDArray[np.float64] = 2 * power * (1 + a) ** -np.arange(count, dtype=float)
    return found


def _whole_tail(weights: NDArray[np.float64], a: float, least: int) -> float:
    """P(|S| >= least)."""
    if least < 1:
        return 1.0
    return float(weights @ betainc(least, np.arange(len(weights), 0, -1), a))


@lru_cache(maxsize=4096)  # pure mathematics of public numbers
def _whole(count: int, level: float, miss: float) -> float:
    """The least whole half width."""
    a = math.exp(-1 / level)
    weights, low, high = _whole_weights(count, a), -1, 1
    while _whole_tail(weights, a, high + 1) > miss:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        fits = _whole_tail(weights, a, middle + 1) <= miss
        low, high = (low, middle) if fits else (middle, high)
    return float(high)
