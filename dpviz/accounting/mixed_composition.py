"""Pure and bounded-range mechanisms of one size together, fixed in advance: the optimal trade.

With n pure mechanisms and m of bounded range, all at the same epsilon, and L(t, i, j) =
m t + (n - i - 2j) epsilon the loss of i low outcomes among the m and j among the n,

    delta(g) = max over t of  sum over i, j of P(t, i, j) (1 - e^(g - L(t, i, j)))_+

and the largest t is among t_s = (g + s epsilon)/(m + 1), s whole, with 0 <= t_s <= epsilon, and the
two ends. All s count, also those <= 0. The sum over j is a curve of the n pure ones alone; it is
read from a table of tails, by positive terms only, so that the cost is O(n + m^2) and no digit is
lost. The pure ones may be chosen as results come in, and their place in the order is irrelevant;
for bounded-range ones that are chosen so, see adaptive_composition.py.
Source: Cesar and Rogers (2021), Theorems 2 and 3; MATHEMATICS 5.9.
"""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np

from dpviz import checks
from dpviz.accounting.arrays import Floats, elementwise
from dpviz.accounting.bounded_range import log_high, log_low
from dpviz.accounting.inputs import Number, finite, log_probability, positive, representable
from dpviz.accounting.pure_composition import LARGEST_COUNT, LOST, log_masses
from dpviz.accounting.search import least
from dpviz.errors import ParameterError

LARGEST_RANGE = 1000  # mechanisms of bounded range: the time grows with their square
PER_PART = 2.0**-49  # more rounding of ln delta for each mechanism: logs of binomials
ROWS = 2**17  # entries of a table of candidates by outcomes, at once


@elementwise
def mixed_composition_log_delta(
    pure: int, bounded_range: int, epsilon: Number, epsilon_total: Number
) -> float:
    """The ln delta at `epsilon_total` of mechanisms of both kinds, fixed in advance; rounded up.

    Exact for mechanisms fixed in advance (Theorem 3), and then the pure ones may be chosen as
    results come in. Of bounded-range mechanisms that are chosen so it is a lower bound.

    Args:
        pure: number of epsilon-private mechanisms, 0 to 1,000,000.
        bounded_range: number of epsilon-BR mechanisms, 0 to LARGEST_RANGE; at least one in all.
        epsilon: budget of each mechanism, above 0, nats.
        epsilon_total: of either sign, nats.

    Returns:
        ln delta; -inf where delta is 0 (epsilon_total at least the sum).

    Raises:
        ParameterError: an argument is out of range.

    Source: Cesar and Rogers (2021), Theorem 3; MATHEMATICS 5.9.

    >>> round(math.exp(mixed_composition_log_delta(5, 5, 0.1, 0.3)), 12)
    0.016298764706
    """
    pure, bounded_range = checked_counts(pure, bounded_range)
    epsilon, total = positive(epsilon=epsilon), finite(epsilon_total=epsilon_total)
    return mixed_log_delta(pure, bounded_range, epsilon, total)


@elementwise
def mixed_composition_epsilon(
    pure: int, bounded_range: int, epsilon: Number, log_delta: Number
) -> float:
    """Least total epsilon at this delta of mechanisms fixed in advance, rounded up.

    Args:
        pure: number of epsilon-private mechanisms, 0 to 1,000,000.
        bounded_range: number of epsilon-BR mechanisms, 0 to LARGEST_RANGE; at least one in all.
        epsilon: budget of each mechanism, above 0, nats.
        log_delta: ln delta, below 0.

    Returns:
        epsilon in nats, at least 0 and at most the sum; `mixed_composition_log_delta` of it never
        exceeds `log_delta`.

    Raises:
        ParameterError: an argument is out of range.

    Source: as `mixed_composition_log_delta`, inverted.

    >>> round(mixed_composition_epsilon(5, 5, 0.1, math.log(1e-6)), 9)
    0.853656442
    """
    pure, bounded_range = checked_counts(pure, bounded_range)
    epsilon, log_delta = positive(epsilon=epsilon), log_probability(log_delta)
    counts = pure, bounded_range
    if _largest(counts, epsilon, 0.0)[0] <= log_delta:
        return 0.0
    most = representable((pure + bounded_range) * epsilon * (1 + 2.0**-50))
    every = max(1, math.isqrt(bounded_range) // 2)

    def some(total: float) -> Floats:
        return candidates(bounded_range, epsilon, total)[::every]

    guess = min(most / 2, epsilon * math.sqrt(-2 * log_delta * (pure + bounded_range / 4)))
    guess = _least(counts, epsilon, log_delta, guess, some, 1e-3)
    places: list[float] = []  # candidates of which one was the largest
    while True:
        value, place = _largest(counts, epsilon, guess)
        if place in places or (places and value <= log_delta):
            return guess
        places.append(place)
        guess = _least(counts, epsilon, log_delta, guess, lambda _: np.array(places), 1e-12)


def checked_counts(pure: int, bounded_range: int) -> tuple[int, int]:
    """Both numbers of mechanisms.

    Raises:
        ParameterError: one is no whole number or beyond its limit, or both are 0.

    >>> checked_counts(0, 3)
    (0, 3)
    >>> checked_counts(0, 0)
    Traceback (most recent call last):
    dpviz.errors.ParameterError: pure and bounded_range are both 0; pass at least one mechanism
    """
    pure = checks.integer(0, pure=pure)
    bounded_range = checks.integer(0, bounded_range=bounded_range)
    if pure + bounded_range == 0:
        raise ParameterError("pure and bounded_range are both 0; pass at least one mechanism")
    for name, value, most in (
        ("pure", pure, LARGEST_COUNT),
        ("bounded_range", bounded_range, LARGEST_RANGE),
    ):
        if value > most:
            raise ParameterError(f"{name} must be at most {most}, got {checks.told(value)}")
    return pure, bounded_range


def mixed_log_delta(pure: int, bounded_range: int, epsilon: float, total: float) -> float:
    """The largest sum over the candidates, raised by its rounding; of checked arguments.

    >>> round(math.exp(mixed_log_delta(0, 1, 1.0, 0.3)), 9)
    0.137962803
    """
    return _largest((pure, bounded_range), epsilon, total)[0]


def _largest(
    counts: tuple[int, int], epsilon: float, total: float, steps: Floats | None = None
) -> tuple[float, float]:
    """The largest sum over all candidates, or over some s, raised by its rounding; and its s."""
    most = representable(sum(counts) * epsilon)
    if total >= most:
        return -math.inf, 0.0
    if total <= -most:
        return min(0.0, math.log(-math.expm1(total)) * (1 - LOST)), 0.0
    if steps is None:
        steps = candidates(counts[1], epsilon, total)
    places = np.clip((total + steps * epsilon) / (counts[1] + 1), 0.0, epsilon)
    rows = max(1, ROWS // (counts[1] + 1))
    sums = [
        _sums(places[k : k + rows], counts, epsilon, total) for k in range(0, len(places), rows)
    ]
    together = np.concatenate(sums)
    best = int(np.argmax(together))
    value = float(together[best])
    if value == -math.inf:  # no outcome of these candidates has a larger loss
        return value, float(steps[best])
    return min(0.0, value + LOST * (1 - value) + PER_PART * sum(counts)), float(steps[best])


def _least(
    counts: tuple[int, int],
    epsilon: float,
    log_delta: float,
    guess: float,
    some: Callable[[float], Floats],
    tolerance: float,
) -> float:
    """The least total at which some of the candidates keep ln delta."""
    most = representable(sum(counts) * epsilon * (1 + 2.0**-50))
    found = least(
        lambda total: _largest(counts, epsilon, total, some(total))[0] - log_delta,
        guess,
        lowest=most * 1e-16,
        highest=most,
        tolerance=tolerance,
    )
    return most if found is None else found


def candidates(bounded_range: int, epsilon: float, total: float) -> Floats:
    """Every s whose t lies between 0 and epsilon, and the next one on either side, for the ends.

    >>> candidates(2, 1.0, 0.3)
    array([-1.,  0.,  1.,  2.,  3.])
    """
    if not bounded_range:
        return np.zeros(1)
    return math.floor(-total / epsilon) + np.arange(bounded_range + 3, dtype=np.float64)


def _sums(t: Floats, counts: tuple[int, int], epsilon: float, total: float) -> Floats:
    """The ln of the sum over all outcomes, for each t."""
    pure, bounded_range = counts
    low = np.arange(bounded_range + 1, dtype=np.float64)
    place = t[:, np.newaxis]
    with np.errstate(invalid="ignore"):  # 0 times the ln of 0
        highs = np.where(low < bounded_range, (bounded_range - low) * log_high(place, epsilon), 0.0)
        lows = np.where(low > 0, low * log_low(place, epsilon), 0.0)
    slack = (abs(total) + (pure + bounded_range) * epsilon) * 2.0**-50
    needed = total - bounded_range * place + low * epsilon - slack
    logs = _log_binomials(bounded_range) + highs + lows + PureCurve.of(pure, epsilon)(needed)
    return np.asarray(np.logaddexp.reduce(logs, axis=1))


@lru_cache(maxsize=4)
def _log_binomials(count: int) -> Floats:
    """The ln of the binomial coefficients of this count."""
    steps = np.arange(count, dtype=np.float64)
    logs = np.cumsum(np.log((count - steps) / (steps + 1)))
    return np.append(0.0, logs)


class PureCurve:
    """The ln delta of equal pure mechanisms together at many epsilons, from a table of tails.

    Between two losses delta is a straight line in e^g. With T the probability of a loss of at least
    the next one above g, r its distance from g, and U the delta at that loss,

        delta(g) = (1 - e^-r) T + e^-r U
    """

    def __init__(self, count: int, epsilon: float) -> None:
        """Make the tables.

        Args:
            count: number of pure mechanisms, at least 0.
            epsilon: budget of each, above 0, nats.
        """
        self._count, self._epsilon = count, epsilon
        masses = log_masses(count, epsilon)
        tails = np.logaddexp.accumulate(masses[::-1])[::-1]
        kept = np.exp(np.minimum(0.0, np.diff(tails))).tolist()
        stay, lose, share, shares = math.exp(-2 * epsilon), -math.expm1(-2 * epsilon), 0.0, [0.0]
        for each in reversed(kept):
            share = each * (lose + stay * share)
            shares.append(share)
        with np.errstate(divide="ignore"):
            deltas = tails + np.log(np.array(shares[::-1]))
        self._tails, self._deltas = np.append(tails, -math.inf), np.append(deltas, -math.inf)

    @staticmethod
    @lru_cache(maxsize=4)  # a search asks for the same tables forty times
    def of(count: int, epsilon: float) -> "PureCurve":
        """The curve of this many, kept for the next call.

        >>> np.exp(PureCurve.of(10, 0.1)(np.array([0.3]))).round(9)
        array([0.03509713])
        """
        return PureCurve(count, epsilon)

    def __call__(self, g: Floats) -> Floats:
        """The ln delta at each epsilon, of either sign."""
        place = np.floor((g / self._epsilon + self._count) / 2) + 1
        place = np.clip(place, 0, self._count + 1)
        distance = np.maximum(0.0, (2 * place - self._count) * self._epsilon - g)
        index = place.astype(np.int64)
        with np.errstate(divide="ignore"):
            straight = np.log(-np.expm1(-distance)) + self._tails[index]
        return np.asarray(np.logaddexp(straight, self._deltas[index] - distance))
