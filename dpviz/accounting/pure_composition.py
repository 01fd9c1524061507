"""Several independent pure guarantees of one size together: the optimal trade, and its inverse.

    delta(g) = sum over (2l - k) eps > g of Bin(l; k, 1/(1 + e^-eps)) (1 - e^(g - (2l - k) eps))

No mechanism of k eps-private parts costs more, and k-fold randomised response costs exactly this;
so does any adaptive choice of the parts. For Laplace noise it is an upper bound, not tight:
laplace_composition.py. The masses come from their ratios, so they keep their digits for any k, and
ln delta is raised by LOST (1 + |ln delta|), above its rounding error.
Source: Kairouz, Oh and Viswanath (2015), Theorem 3.3; MATHEMATICS 5.2.
"""

import math
from functools import lru_cache

import numpy as np

from dpviz import checks
from dpviz.accounting.arrays import elementwise
from dpviz.accounting.inputs import Number, finite, log_probability, positive, representable
from dpviz.accounting.search import least
from dpviz.errors import ParameterError

LARGEST_COUNT = 1_000_000
LOST = 2e-13


@elementwise
def pure_composition_log_delta(count: int, epsilon: Number, epsilon_total: Number) -> float:
    """The ln delta of `count` independent epsilon-private parts at `epsilon_total`, rounded up.

    Args:
        count: number of parts, 1 to LARGEST_COUNT.
        epsilon: pure budget of each part, above 0, nats.
        epsilon_total: of either sign, nats.

    Returns:
        ln delta; -inf where delta is 0 (epsilon_total at least count * epsilon).

    Raises:
        ParameterError: an argument is out of range.

    Source: Kairouz, Oh and Viswanath (2015); MATHEMATICS 5.2.

    >>> round(math.exp(pure_composition_log_delta(10, 0.1, 0.3)), 9)
    0.035097126
    """
    count = _check_count(count)
    epsilon, total = positive(epsilon=epsilon), finite(epsilon_total=epsilon_total)
    return _log_delta(count, epsilon, total)


@elementwise
def pure_composition_epsilon(count: int, epsilon: Number, log_delta: Number) -> float:
    """Least total epsilon at this delta of `count` independent epsilon-private parts, rounded up.

    Args:
        count: number of parts, 1 to LARGEST_COUNT.
        epsilon: pure budget of each part, above 0, nats.
        log_delta: ln delta, below 0.

    Returns:
        epsilon in nats, at most count * epsilon; `pure_composition_log_delta` of it never exceeds
        `log_delta`.

    Raises:
        ParameterError: an argument is out of range.

    Source: as `pure_composition_log_delta`, inverted.

    >>> pure_composition_epsilon(200, math.sqrt(2) / 100, np.log([1e-6, 1e-9])).round(9)
    array([0.82807743, 1.09058169])
    """
    count = _check_count(count)
    epsilon, log_delta = positive(epsilon=epsilon), log_probability(log_delta)
    if _log_delta(count, epsilon, 0.0) <= log_delta:
        return 0.0
    most = representable(count * epsilon * (1 + 2.0**-50))
    guess = min(most / 2, epsilon * math.sqrt(-2 * log_delta * count))
    found = least(
        lambda total: _log_delta(count, epsilon, total) - log_delta,
        guess,
        lowest=most * 1e-16,
        highest=most,
    )
    return most if found is None else found


def _log_delta(count: int, epsilon: float, total: float) -> float:
    """The sum, by masses relative to the largest one kept."""
    if not representable(count * epsilon) > total:
        return -math.inf
    first = (
        count + max(total / epsilon, -count)
    ) / 2  # losses (2l - count) epsilon above the total begin here
    start = max(0, math.floor(first) - 1)
    wins = np.arange(start, count + 1, dtype=np.float64)
    worth = (2 * wins - count) * epsilon - total
    masses = log_masses(count, epsilon)[start:]
    kept = worth > 0
    masses, worth = masses[kept], worth[kept] * (1 + 2.0**-50) + abs(total) * 2.0**-52
    peak = float(masses.max())
    value = peak + math.log(float(np.sum(np.exp(masses - peak) * -np.expm1(-worth))))
    return min(0.0, value + LOST * (1 - value))


@lru_cache(maxsize=1)  # a search asks for the same masses forty times
def log_masses(count: int, epsilon: float) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """The ln of the binomial masses, from their ratios outwards of the mode, normalised.

    >>> np.exp(log_masses(2, math.log(3))).round(4)
    array([0.0625, 0.375 , 0.5625])
    """
    steps = np.arange(count, dtype=np.float64)
    ratios = np.log((count - steps) / (steps + 1)) + epsilon
    mode = int(np.searchsorted(-ratios, 0.0))
    down = -np.cumsum(ratios[:mode][::-1])[::-1]
    logs = np.concatenate([down, [0.0], np.cumsum(ratios[mode:])])
    logs -= math.log(float(np.sum(np.exp(logs))))
    logs.setflags(write=False)
    return logs


def _check_count(count: int) -> int:
    """The count, refused if it is not a whole number from 1 to LARGEST_COUNT."""
    count = checks.integer(1, count=count)
    if count > LARGEST_COUNT:
        raise ParameterError(f"count must be at most {LARGEST_COUNT}, got {checks.told(count)}")
    return count
