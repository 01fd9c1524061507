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

Upper bounds of ln delta for mechanisms of bounded range chosen as results come in, on a grid.

With delta' the curve of what comes after, the first mechanism makes of it

    pure:           Q delta'(g - epsilon) + (1 - Q) delta'(g + epsilon),    Q = 1/(1 + e^-epsilon)
    bounded range:  max over 0 <= t <= epsilon of  q delta'(g - t) + (1 - q) delta'(g - t + epsilon)

Every such curve is convex in y = e^g, so the chords between its values on a grid lie above it. On
the chords the maximum over t is found exactly: in each cell of the grid the sum is of the form
a - b/w - c w with w = e^-t and b, c >= 0, largest at w = sqrt(b/c) or at an end. What is returned
is therefore never below the true curve, but for rounding, which is added; the chords cost an excess
of second order in the width of the grid. Below 0 the curve is its mirror image,
delta(-g) = 1 - e^-g + e^-g delta(g), because both classes are closed under exchanging neighbours.
Source: Cesar and Rogers (2021), Lemma 5.1; the exact maximum is ours; MATHEMATICS 5.10.
"""

import math
from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from dpviz import checks
from dpviz.accounting.bounded_range import log_high, log_low
from dpviz.accounting.inputs import (
    Floats,
    Number,
    elementwise,
    finite,
    log_probability,
    positive,
    representable,
)
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


FINEST, COARSEST = 400, 3  # cells per epsilon
WORK = 3e6  # cells that are searched for the maximum, in all
AT_ONCE = 2**13  # of these cells
NARROWEST, WIDEST = 1e-280, 30.0  # epsilon: beyond them a cell is too narrow or too wide
RAISED = 2.0**-44  # relative rounding of one step
LARGEST = 1e300  # instead of an infinite x, which is cut in any case
FLOOR = 1e-300  # a delta that is above 0 and smaller than this is taken as this


class RangeCurve:
    """The ln delta of a fixed order of kinds that begins with bounded range, from above."""

    def __init__(self, order: tuple[bool, ...], epsilon: float) -> None:
        """Make the values on the grid of what comes after the first mechanism.

        Args:
            order: for each mechanism in turn, whether it is of bounded range; the first is.
            epsilon: budget of each, from NARROWEST to WIDEST, nats.
        """
        self._epsilon = epsilon
        self._cells = _cells(order)
        self._width = epsilon / self._cells
        pure_at_end = len(order) - 1 - max(k for k, each in enumerate(order) if each)
        after = pure_at_end
        curve = PureCurve.of(pure_at_end, epsilon)
        self._mirror(np.exp(curve(self._points(after))), after)
        for each in reversed(order[1 : len(order) - pure_at_end]):
            after += 1
            found = self._largest(self._points(after)) if each else self._pure_step(after)
            self._mirror(found, after)

    @staticmethod
    @lru_cache(maxsize=8)  # a search asks for the same grid forty times
    def of(order: tuple[bool, ...], epsilon: float) -> "RangeCurve":
        """The curve of this order, kept for the next call.

        >>> curve = RangeCurve.of((True, True), 1.0)
        >>> np.exp(curve(np.array([0.1, 0.7]))).round(6)  # 0.269178, 0.108831
        array([0.269178, 0.108831])
        """
        return RangeCurve(order, epsilon)

    def __call__(self, g: Floats) -> Floats:
        """The ln delta at each epsilon between minus and plus the sum of all."""
        return np.asarray(np.log(self._largest(g)))

    def _points(self, after: int) -> Floats:
        """Grid points from 0 to the sum of the epsilons of that many mechanisms."""
        return self._width * np.arange(after * self._cells + 1, dtype=np.float64)

    def _mirror(self, upper: Floats, after: int) -> None:
        """Keep the values on the whole grid, from those at 0 and above, and two epsilons beyond."""
        points, pad = self._points(after), 2 * self._cells + 2
        lower = -np.expm1(-points) + np.exp(-points) * upper
        outside = -np.expm1(-self._width * np.arange(len(points), len(points) + pad))
        self._middle = len(points) - 1 + pad
        values = np.concatenate([outside[::-1], lower[:0:-1], upper, np.zeros(pad)])
        slopes = np.diff(values) / math.expm1(self._width)  # in e^g, from each point on
        self._values = values
        self._ends = sliding_window_view(values, self._cells + 1)
        self._slopes = sliding_window_view(slopes, self._cells + 1)

    def _pure_step(self, after: int) -> Floats:
        """A pure mechanism before the others: the shifts lie on the grid."""
        index = self._middle + np.arange(after * self._cells + 1)
        high, low = self._values[index - self._cells], self._values[index + self._cells]
        odds = math.exp(-self._epsilon)
        return np.asarray((high + odds * low) / (1 + odds) * (1 + RAISED))

    def _largest(self, g: Floats) -> Floats:
        """The largest over t of a mechanism of bounded range before the others, raised."""
        start = np.floor(g / self._width)
        into = g - start * self._width  # the first cell is cut here
        first = self._middle + start.astype(np.int64)
        back = np.arange(self._cells, -1, -1)  # as the windows run, from the last cell on
        end, below = np.expm1(back * self._width), np.expm1((back - self._cells) * self._width)
        rising, rows = np.expm1(into)[:, np.newaxis], max(1, AT_ONCE // len(back))
        best = [
            self._in_cell(first[k : k + rows], _joined(cut, end), _joined(cut, below)).max(axis=1)
            for k in range(0, len(g), rows)
            for cut in [rising[k : k + rows]]
        ]
        return np.asarray(np.minimum(1.0, np.concatenate(best) * (1 + RAISED) + FLOOR))

    def _in_cell(self, first: NDArray[np.int64], end: Floats, below: Floats) -> Floats:
        """The largest over the t of each cell, which ends at T; x = e^(T - t) - 1.

        Args:
            first: the place of each g on the grid, which is where its first cell ends.
            end: e^T - 1.
            below: e^(T - epsilon) - 1.
        """
        epsilon, rise = self._epsilon, math.expm1(self._width)
        high_end, low_end = self._ends[first - self._cells], self._ends[first]
        high_slope, low_slope = self._slopes[first - self._cells], self._slopes[first]
        bend = low_slope - high_slope * math.exp(epsilon)  # times e^-epsilon, as what follows
        pull = high_end - low_end + low_slope * end / (1 + end) - high_slope * below / (1 + below)
        with np.errstate(divide="ignore", invalid="ignore"):
            more = np.minimum(pull * (1 + end) / bend, LARGEST)
            best = more / (1 + np.sqrt(1 + more))
        x = np.clip(np.nan_to_num(best), np.maximum(0.0, below), np.minimum(end, rise))
        share = math.expm1(-epsilon) * (1 + x)
        q = (below - x) / share
        p = (x - end) / (1 + end) * (1 + below) / share
        return np.asarray(q * (high_end + high_slope * x) + p * (low_end + low_slope * x))


def _joined(one: Floats, other: Floats) -> Floats:
    """The e^(a + b) - 1 of e^a - 1 and e^b - 1."""
    return np.asarray(one + other + one * other)


def _cells(order: tuple[bool, ...]) -> int:
    """Cells per epsilon, as many as the work allows."""
    places = sum(k for k, each in enumerate(reversed(order)) if each)
    return max(COARSEST, min(FINEST, math.isqrt(int(WORK / max(1, places)))))
