"""Laplace noise under (epsilon, delta): the exact curve, and noise scaled to the l2 sensitivity.

One coordinate moved by l1, scale b, own budget e = l1 / b:

    delta(epsilon) = 1 - e^((epsilon - e)/2)   for |epsilon| <= e, and 0 beyond      (exact)
    b = l1 / (epsilon - 2 ln(1 - delta))                                             (inverted)

Many coordinates, only the l2 sensitivity known (Lemma 5.4 of [APT24]): u = l2 / b obeys
u²/2 + u sqrt(2 L) = epsilon with L = ln(1/delta), so b = l2 (sqrt(epsilon + L) + sqrt(L)) /
(sqrt(2) epsilon). That is the sigma of Gaussian noise by the textbook zCDP bound: at equal
(epsilon, delta) its variance 2 b² is exactly twice that one's. Safe, not tight.
Under zCDP one coordinate has rho = e + exp(-e) - 1, exactly, where any epsilon-DP mechanism has at
most epsilon²/2: the Rényi divergence over its order, D_alpha / alpha, falls with alpha, so its
supremum is the Kullback-Leibler divergence, alpha -> 1. All coordinates have theirs there, so the
rho of several is the sum, exactly, too.
Everything is rounded to the private side. Source: MATHEMATICS 3.2, 3.5, 3.6.
[HM25] Harrison, Manurangsi, Exact zCDP Characterizations, arXiv:2510.25746.
[APT24] Andersson, Pagh and Torkamani, Count on Your Elders; Kairouz, Oh and Viswanath (2015).

Sums of independent Laplace noise: their tails and intervals, exact to rounding.

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
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import betainc, gammaincc, gammaln

from dpviz import checks
from dpviz.accounting.inputs import (
    Number,
    elementwise,
    finite,
    log_probability,
    non_negative,
    positive,
    probability,
    representable,
)
from dpviz.accounting.search import least
from dpviz.accounting.trees import LAPLACE, counting_family
from dpviz.errors import ParameterError
from dpviz.noise.family import Family

UP = 1 + 2.0**-49  # above the rounding errors of a scale: seven operations at most
SERIES = 0.1  # below, e + exp(-e) - 1 loses digits and its series is taken
TERMS = 12


@elementwise
def laplace_log_delta(epsilon: Number, level: Number, l1_sensitivity: Number) -> float:
    """Natural logarithm of the least delta of Laplace noise on one coordinate at `epsilon`.

    Args:
        epsilon: any finite number, nats.
        level: scale b of the noise, above 0, in units of the statistic.
        l1_sensitivity: by how much one person moves the coordinate, above 0.

    Returns:
        ln delta, rounded up; -inf where delta is 0 (epsilon at least l1 / b).

    Raises:
        ParameterError: an argument is out of range.

    Source: MATHEMATICS 3.5, from the two densities.

    >>> round(math.exp(laplace_log_delta(0.5, 1.0, 1.0)), 6)
    0.221199
    >>> laplace_log_delta([1.0, 1.5], 1.0, 1.0)
    array([-inf, -inf])
    """
    epsilon, level = finite(epsilon=epsilon), positive(level=level)
    own = Fraction(positive(l1_sensitivity=l1_sensitivity)) / Fraction(level)
    half = _float((own - Fraction(epsilon)) / 2)  # exact, so nothing cancels
    if own + Fraction(epsilon) < 0:  # no outcome speaks against: delta = 1 - e^epsilon
        half = -epsilon
    if half <= 0:
        return -math.inf
    rest = math.exp(-half)
    value = math.log1p(-rest) if rest < 0.5 else math.log(-math.expm1(-half))
    if value > -1e-300:  # a subnormal number has lost the digits that could be rounded up
        return 0.0
    return value * (1 - 2.0**-52 * (6 + half))


@elementwise
def laplace_scale(epsilon: Number, log_delta: Number, l1_sensitivity: Number) -> float:
    """Least scale of Laplace noise on one coordinate that is (epsilon, delta)-private.

    Args:
        epsilon: at least 0, nats.
        log_delta: ln delta, below 0.
        l1_sensitivity: by how much one person moves the coordinate, above 0.

    Returns:
        b = l1 / (epsilon - 2 ln(1 - delta)) in units of the statistic, rounded up.

    Raises:
        ParameterError: an argument is out of range, or the scale is beyond any float.

    Source: MATHEMATICS 3.5. For several coordinates this is no guarantee.

    >>> round(laplace_scale(1.0, math.log(0.01), 1.0), 6)
    0.980295
    """
    epsilon = finite(epsilon=epsilon)
    if epsilon < 0:
        raise ParameterError(
            f"epsilon must be a finite number of at least 0, got {checks.told(epsilon)}"
        )
    log_delta = log_probability(log_delta)
    kept = -math.expm1(log_delta)  # 1 - delta; near delta = 1 expm1 keeps its digits
    delta = math.exp(log_delta) if log_delta > -700 else 0.0  # a smaller one has lost digits
    budget = epsilon - 2 * (math.log1p(-delta) if kept > 0.5 else math.log(kept))
    scale = positive(l1_sensitivity=l1_sensitivity) / budget * UP if budget > 0 else math.inf
    return _held(scale)


@elementwise
def laplace_l2_scale(epsilon: Number, log_delta: Number, l2_sensitivity: Number) -> float:
    """Scale of Laplace noise on any vector whose l2 sensitivity is known, (epsilon, delta)-private.

        b = l2 (sqrt(epsilon + L) + sqrt(L)) / (sqrt(2) epsilon),   L = ln(1/delta)

    Args:
        epsilon: above 0, nats.
        log_delta: ln delta, below 0.
        l2_sensitivity: above 0, in units of the statistic.

    Returns:
        b in units of the statistic, rounded up.

    Raises:
        ParameterError: an argument is out of range, or the scale is beyond any float.

    Source: [APT24] Lemma 5.4; MATHEMATICS 3.6.

    >>> round(laplace_l2_scale(1.0, math.log(1e-6), 1.0), 6)
    5.34998
    """
    epsilon, big_l = positive(epsilon=epsilon), -log_probability(log_delta)
    both = math.sqrt(epsilon + big_l) + math.sqrt(big_l)
    scale = positive(l2_sensitivity=l2_sensitivity) / epsilon * both / math.sqrt(2)
    return _held(scale * UP)


@dataclass(frozen=True, slots=True)
class L2Choice:
    """Which Laplace noise Theorem 1.3 takes, with its scale and variance, and where it switches."""

    which: str  # "pure": scale l1/epsilon; "l2": Lemma 5.4
    scale: float
    variance: float  # 2 scale², squared units of the statistic
    log_delta_switch: float  # "pure" exactly for ln delta up to here; 0: for every delta

    def __post_init__(self) -> None:
        checks.positive(scale=self.scale, variance=self.variance)
        checks.between(-checks.LARGEST, 0, log_delta_switch=self.log_delta_switch)


def l2_mechanism(
    epsilon: Number, log_delta: Number, l2_sensitivity: Number, *, l1_sensitivity: Number
) -> L2Choice:
    """The less noisy of pure Laplace and l2 Laplace noise, scale min(l1/epsilon, b of Lemma 5.4).

        pure iff 2R² <= epsilon, or ln delta <= -(2R² - epsilon)² / (8R²),   R = l1/l2

    Args:
        epsilon: above 0, nats.
        log_delta: ln delta, below 0.
        l2_sensitivity: above 0, in units of the statistic.
        l1_sensitivity: at least l2_sensitivity, as it is for every vector.

    Returns:
        The choice, its scale (rounded up) and variance, and the ln delta at which it switches.

    Raises:
        ParameterError: an argument is out of range, or l1_sensitivity is below l2_sensitivity.

    Source: [APT24] Theorem 1.3; the switch: MATHEMATICS 3.6.

    >>> l2_mechanism(1.0, math.log(1e-6), 1.0, l1_sensitivity=10.0).which
    'l2'
    >>> round(l2_mechanism(1.0, math.log(1e-6), 1.0, l1_sensitivity=10**0.5).log_delta_switch, 4)
    -4.5125
    """
    ratio = sensitivity_ratio(l1_sensitivity, l2_sensitivity)
    epsilon, log_delta = positive(epsilon=epsilon), log_probability(log_delta)
    above = max(0.0, 2 * ratio - epsilon / ratio)  # (2R² - epsilon)/R
    switch = -representable(above * above) / 8
    pure = log_delta <= switch
    scale = laplace_l2_scale(epsilon, log_delta, l2_sensitivity)
    if pure:
        scale = _held(positive(l1_sensitivity=l1_sensitivity) / epsilon * UP)
    variance = 2 * scale * scale
    return L2Choice("pure" if pure else "l2", scale, _held(variance), switch)


def sensitivity_ratio(l1_sensitivity: Number, l2_sensitivity: Number) -> float:
    """R = l1/l2, at least 1 (up to rounding, which is forgiven).

    Raises:
        ParameterError: one of them is not above 0, or l1 is less than l2.

    >>> sensitivity_ratio(3.0, 1.5)
    2.0
    """
    l1, l2 = positive(l1_sensitivity=l1_sensitivity), positive(l2_sensitivity=l2_sensitivity)
    if not l1 >= l2 * (1 - 1e-12):
        raise ParameterError(
            f"l1_sensitivity must be at least l2_sensitivity, got {checks.told(l1_sensitivity)} "
            f"and {checks.told(l2_sensitivity)}"
        )
    return _held(max(1.0, l1 / l2))


def laplace_rho(epsilon: Number) -> float:
    """Exact zCDP budget of Laplace noise on one coordinate, rounded up.

    Args:
        epsilon: pure budget of the coordinate, at least 0, nats.

    Returns:
        rho = e + exp(-e) - 1; less than epsilon²/2, what any epsilon-DP mechanism has at most.

    Raises:
        ParameterError: epsilon is negative or not finite.

    Source: [HM25]; MATHEMATICS 3.2.

    >>> round(laplace_rho(1.0), 9), round(laplace_rho(0.01), 12)
    (0.367879441, 4.9833749e-05)
    """
    e = non_negative(epsilon=epsilon)
    if e < SERIES:
        return math.fsum((-e) ** k / math.factorial(k) for k in range(2, TERMS)) * UP
    return representable((e + math.expm1(-e)) * UP)


def laplace_epsilon_at_rho(rho: Number) -> float:
    """Largest pure budget of Laplace noise on one coordinate that is rho-zCDP, rounded down.

    Args:
        rho: above 0.

    Returns:
        epsilon in nats; `laplace_rho` of it never exceeds `rho`.

    Raises:
        ParameterError: rho is out of range.

    Source: as `laplace_rho`, inverted.

    >>> round(laplace_epsilon_at_rho(0.5), 6)
    1.19829
    """
    rho = positive(rho=rho)
    found = least(lambda x: laplace_rho(1 / x) - rho, 1 / (math.sqrt(2 * rho) + rho))
    return 1 / found if found is not None and laplace_rho(1 / found) <= rho else math.sqrt(2 * rho)


def _held(number: float) -> float:
    """The number, refused if it is not an ordinary float."""
    if not 1e-300 < number < 1e300:
        raise ParameterError(
            "no noise that a float can hold meets these arguments; pass ones of ordinary size"
        )
    return number


def _float(number: Fraction) -> float:
    """The nearest float, infinite where the number is too large for one."""
    try:
        return float(number)
    except OverflowError:
        return math.inf if number > 0 else -math.inf


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
