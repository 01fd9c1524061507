"""The least error of Gaussian noise on any factorization of running totals, with its certificate.

With noise σ for ℓ2 sensitivity 1, a factorization A = L·R of the n running totals whose columns of
R have norm at most 1 has the mean squared error σ²·F, F = ‖L‖²/n. For all weights w ≥ 0 of the
inputs with Σwᵢ = 1, N the sum of the singular values of A√W, and d the diagonal of (√W AᵀA √W)^½,

    N²/n  ≤  F of every factorization,          some factorization has  F = N²/n · max dᵢ/(wᵢ N)

so weights where both are near are a certificate. The weights are found by w ← w·(d/w)², scaled to
sum 1. AᵀA has a tridiagonal inverse, so T = (√W AᵀA √W)⁻¹ has, too, and d is read off

    T^(-½) = (2/π) ∫ eᵗ (T + e²ᵗ)⁻¹ dt

by the trapezoidal rule: O(n) for each of its points. Its relative error is the same for all
eigenvalues and below `SLACK`, by which both sides are moved outwards. Equal weights need no search:
the singular values are 1/(2 sin((2j−1)π/(4n+2))), and their bound is `prefix_sums_bound`.
Limits: searched for up to `MOST_SEARCHED` steps. The error is the mean over the steps, not the
largest. Source: MATHEMATICS 6.2, 7.4.
[LM13] Li and Miklau, Optimal error of query sets under the differentially-private matrix mechanism.
[DMR22] Denisov, McMahan, Rush, Smith, Thakurta, arXiv:2202.08312.
"""

import math
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpviz import checks

Weights = NDArray[np.float64]
MOST_SEARCHED = 1024  # a fifth of a second
ROUNDS = 100
CLOSE = 1e-3  # the search ends when error and bound are this near
MARGIN, WIDTH = 20.0, 0.5  # of the integral: tails of e^-20, steps with errors of 4 e^(-π²/½)
SLACK = 3e-8  # of the integral, relative; the rounding of sums is far smaller
ROUNDING = 1e-12
TERMS = 100_000  # singular values that are added up; beyond, an integral below their sum


@dataclass(frozen=True, slots=True)
class LeastFactor:
    """F of the best factorization: no factorization is below, and one reaches `reached`.

    Attributes:
        bound: at most F of any factorization.
        reached: F of a factorization that exists, within `CLOSE` of the bound.
    """

    bound: float
    reached: float

    def __post_init__(self) -> None:
        checks.positive(bound=self.bound, reached=self.reached)


def prefix_sums_bound(n: int) -> float:
    """(Σσ)²/n for running totals of n numbers: no factorization has less total squared error.

    Beyond `TERMS` numbers the sum is replaced by what is below it. With x_j = (2j−1)h/2 and
    h = π/(2n+1), 1/sin x = 1/x + g(x): the sum of 1/(2j−1) is above (ln n + γ)/2 + ln 2, and as g
    is above 0 and rises, the sum of g is above its integral up to x_n, divided by h.

    Raises:
        ParameterError: n is not a whole number of at least 1.

    >>> round(prefix_sums_bound(2), 6)
    2.5
    """
    n = checks.integer(1, n=n)
    if n > TERMS:
        width = math.pi / (2 * n + 1)
        last = (n - 0.5) * width
        odd = math.log(n) + np.euler_gamma + 2 * math.log(2)  # twice the sum of 1/(2j-1)
        nuclear = (odd + math.log(2 * math.tan(last / 2) / last)) / (2 * width)
    else:
        odds = (2 * np.arange(1, n + 1) - 1) * np.pi
        nuclear = float((0.5 / np.sin(odds / (4 * n + 2))).sum())
    return (nuclear * (1 - ROUNDING)) ** 2 / n


def square_root_coefficients(n: int) -> Weights:
    """The first n numbers fⱼ = C(2j, j)/4ʲ of the square root of running totals, shape (n,).

    Raises:
        ParameterError: n is not a whole number of at least 1.

    >>> square_root_coefficients(4)
    array([1.    , 0.5   , 0.375 , 0.3125])
    """
    n = checks.integer(1, n=n)
    steps = np.ones(n)
    steps[1:] -= 0.5 / np.arange(1, n)
    return np.asarray(np.cumprod(steps), dtype=np.float64)


@lru_cache(maxsize=64)  # pure mathematics of a public number
def least_factor(n: int) -> LeastFactor | None:
    """F of the best factorization of n running totals; None beyond `MOST_SEARCHED`.

    Raises:
        ParameterError: n is not a whole number of at least 1.

    >>> found = least_factor(2)  # (3 + √5)/4 = 1.309017
    >>> round(found.bound, 3), round(found.reached, 3)
    (1.309, 1.31)
    """
    n = checks.integer(1, n=n)
    if n > MOST_SEARCHED:
        return None
    weights = np.full(n, 1 / n)
    bound, reached = prefix_sums_bound(n) / n, math.inf
    for _ in range(ROUNDS):
        diagonal = _root_diagonal(weights)
        total = float(diagonal.sum())
        ratios = diagonal / (weights * total)
        bound = max(bound, total**2 / n * (1 - SLACK) ** 2)
        reached = min(reached, total**2 / n * float(ratios.max()) * (1 + SLACK) ** 2)
        if reached <= bound * (1 + CLOSE):
            break
        weights = weights * ratios**2
        weights /= weights.sum()
    return LeastFactor(bound, reached)


def _root_diagonal(weights: Weights) -> Weights:
    """The diagonal of (√W AᵀA √W)^½, each entry within `SLACK` of itself.

    (AᵀA)⁻¹ has 1, 2, 2, … on its diagonal and −1 beside it, and eigenvalues of at most 4. The
    diagonal of the inverse of a tridiagonal matrix is 1/(f + g − its own), f and g the pivots of
    the elimination from above and from below.
    """
    n = weights.size
    middle = np.full(n, 2.0)
    middle[0] = 1.0
    middle /= weights
    beside = 1 / (weights[:-1] * weights[1:])  # squared
    least, most = 2 / (n * (n + 1) * weights.max()), 4 / weights.min()
    ends = math.log(least) / 2 - MARGIN, math.log(most) / 2 + MARGIN
    points = np.exp(np.linspace(*ends, math.ceil((ends[1] - ends[0]) / WIDTH) + 1))
    step = math.log(points[1] / points[0])
    shifted = middle[:, None] + points**2
    down, up = shifted.copy(), shifted.copy()
    for i in range(1, n):
        down[i] -= beside[i - 1] / down[i - 1]
        up[n - 1 - i] -= beside[n - 1 - i] / up[n - i]
    found: Weights = (1 / (down + up - shifted)) @ points
    return found * (2 / math.pi * step)
