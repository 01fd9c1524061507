"""Slow, literal computations of what several mechanisms cost together: every outcome, every t."""

import itertools
import math
from collections.abc import Callable, Sequence
from functools import cache

import mpmath as mp
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
PURE = "pure"


def outcome_sum(pure: int, bounded_range: int, epsilon: float, total: float, t: mp.mpf) -> mp.mpf:
    """Sum of (P - e^total Q)_+ over all 2^k outcomes, as the definition has it."""
    whole, one = mp.exp(mp.mpf(total)), mp.mpf(1)
    truth = one / (1 + mp.exp(-mp.mpf(epsilon)))
    q = (one - mp.exp(t - epsilon)) / (one - mp.exp(-mp.mpf(epsilon)))
    p = mp.exp(-t) * q
    pairs = [((truth, one - truth), (one - truth, truth))] * pure
    pairs += [((q, p), (one - q, one - p))] * bounded_range
    found = mp.mpf(0)
    for outcome in itertools.product((0, 1), repeat=pure + bounded_range):
        left, right = one, one
        for each, laws in zip(outcome, pairs, strict=True):
            left, right = left * laws[each][0], right * laws[each][1]
        found += max(mp.mpf(0), left - whole * right)
    return found


def mixed_delta(pure: int, bounded_range: int, epsilon: float, total: float) -> mp.mpf:
    """The largest of these sums over t, by a grid and golden section around its best points."""
    with mp.workdps(30):
        if not bounded_range:
            return outcome_sum(pure, 0, epsilon, total, mp.mpf(0))

        def at(t: float) -> mp.mpf:
            return outcome_sum(pure, bounded_range, epsilon, total, mp.mpf(t))

        grid = [epsilon * k / 40 for k in range(41)]
        values = [at(t) for t in grid]
        tops = [k for k in range(41) if values[k] == max(values[max(0, k - 1) : min(41, k + 2)])]
        best = sorted(tops, key=lambda k: values[k])[-3:]
        return max(golden(at, grid[max(0, k - 1)], grid[min(40, k + 1)]) for k in best)


def golden(
    function: Callable[[float], mp.mpf], low: float, high: float, near: float = 1e-8
) -> mp.mpf:
    """The largest value between two points around one maximum, which is found this nearly."""
    ratio = (math.sqrt(5) - 1) / 2
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = function(left), function(right)
    while high - low > near:
        if at_left > at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = function(right)
    return max(at_left, at_right)


def mixed_log_delta(pure: int, bounded_range: int, epsilon: float, total: float) -> mp.mpf:
    """Theorem 3 as printed, with every s, at 50 digits; quick for many mechanisms."""
    with mp.workdps(50):
        e, g = mp.mpf(epsilon), mp.mpf(total)
        steps = range(
            math.floor(-total / epsilon) - 1, math.ceil(bounded_range + 2 - total / epsilon)
        )
        places = {max(mp.mpf(0), min(e, (g + s * e) / (bounded_range + 1))) for s in steps}
        return mp.log(max(_double_sum(pure, bounded_range, e, g, t) for t in places))


def _double_sum(n: int, m: int, e: mp.mpf, g: mp.mpf, t: mp.mpf) -> mp.mpf:
    q = (1 - mp.exp(t - e)) / (1 - mp.exp(-e))
    found = mp.mpf(0)
    for i in range(m + 1):
        for j in range(n + 1):
            loss = m * t + (n - i - 2 * j) * e
            if loss > g:
                mass = mp.binomial(m, i) * q ** (m - i) * (1 - q) ** i * mp.binomial(n, j)
                found += mass * mp.exp((n - j) * e) / (1 + mp.exp(e)) ** n * (1 - mp.exp(g - loss))
    return found


def pure_delta(epsilons: Sequence[float], total: float) -> mp.mpf:
    """Randomised responses of different sizes: every vector of answers, at 50 digits."""
    with mp.workdps(50):
        found = mp.mpf(0)
        for signs in itertools.product((1, -1), repeat=len(epsilons)):
            mass = mp.fprod(
                1 / (1 + mp.exp(-s * mp.mpf(e))) for s, e in zip(signs, epsilons, strict=True)
            )
            loss = mp.fsum(s * mp.mpf(e) for s, e in zip(signs, epsilons, strict=True))
            if loss > total:
                found += mass * (1 - mp.exp(total - loss))
        return found


def mean_loss(epsilon: float) -> mp.mpf:
    """The largest over t of the mean loss of generalised randomised response."""
    with mp.workdps(50):
        e = mp.mpf(epsilon)
        t = mp.log(mp.expm1(e) / e)

        def mean(place: mp.mpf) -> mp.mpf:
            q = mp.expm1(place - e) / mp.expm1(-e)
            return q * place + (1 - q) * (place - e)

        for other in (mp.mpf("0.999"), mp.mpf("1.001")):
            assert mean(t) >= mean(t * other)
        return mean(t)


def two_delta(epsilon: float, total: float) -> mp.mpf:
    """Two of bounded range, the second chosen after the first: the pieces as they are derived."""
    with mp.workdps(60):
        e, g = mp.mpf(epsilon), mp.mpf(total)
        s = mp.exp(-e / 2)
        c = 1 / (1 - s * s)
        if g >= 2 * e:
            return mp.mpf(0)
        if g > e / 2:
            return c**2 * (1 - mp.exp((g - 2 * e) / 3)) ** 3
        if g >= -e / 2:
            return c**2 * (
                (1 - s * s) * (1 + s * s * mp.exp(g))
                - 4 * s ** mp.mpf("1.5") * mp.exp(g / 2) * (1 - s)
            )
        return 1 - mp.exp(g) + mp.exp(g) * two_delta(epsilon, -total)


class Plain:
    """The adaptive recursion on a grid of g and t, with nothing between its points: from below."""

    def __init__(self, epsilon: float, cells: int, mechanisms: int) -> None:
        self.cells, self.width = cells, epsilon / cells
        self.middle = (mechanisms + 1) * cells
        self.g = self.width * np.arange(-self.middle, self.middle + 1)
        t = self.width * np.arange(cells + 1)
        self.high = np.expm1(t - epsilon) / math.expm1(-epsilon)
        self.truth = 1 / (1 + math.exp(-epsilon))
        self.nothing = np.maximum(0.0, -np.expm1(self.g))

    def at(self, values: Floats, steps: int) -> Floats:
        """The curve at g + steps on the grid; beyond its ends, that of nothing."""
        index = np.arange(len(self.g)) + steps
        inside = np.clip(index, 0, len(self.g) - 1)
        g = self.width * (index - self.middle)
        return np.where(
            index == inside, values[inside], np.maximum(0.0, -np.expm1(np.minimum(g, 0)))
        )

    def pure(self, after: Floats) -> Floats:
        """A pure mechanism before what comes after."""
        return self.truth * self.at(after, -self.cells) + (1 - self.truth) * self.at(
            after, self.cells
        )

    def bounded_range(self, after: Floats) -> Floats:
        """One of bounded range, at the best of the t on the grid."""
        best = np.zeros_like(after)
        for k, q in enumerate(self.high):
            found = q * self.at(after, -k) + (1 - q) * self.at(after, self.cells - k)
            np.maximum(best, found, out=best)
        return best

    def order(self, kinds: Sequence[str]) -> Floats:
        """The curve of an order of kinds."""
        found = self.nothing
        for each in reversed(kinds):
            found = self.pure(found) if each == PURE else self.bounded_range(found)
        return found

    def any_order(self, pure: int, bounded_range: int) -> Floats:
        """The curve where the kind of each mechanism is chosen as results come in, too."""

        @cache
        def value(n: int, m: int) -> Floats:
            choices = [self.pure(value(n - 1, m))] if n else []
            choices += [self.bounded_range(value(n, m - 1))] if m else []
            return np.maximum.reduce(choices) if choices else self.nothing

        return value(pure, bounded_range)

    def read(self, values: Floats, total: float) -> float:
        """The value at an epsilon that lies on the grid."""
        return float(values[round(total / self.width) + self.middle])
