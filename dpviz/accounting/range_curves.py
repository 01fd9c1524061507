"""Upper bounds of ln delta for mechanisms of bounded range chosen as results come in, on a grid.

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
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from dpviz.accounting.arrays import Floats
from dpviz.accounting.mixed_composition import PureCurve

FINEST, COARSEST = 400, 3  # cells per epsilon
WORK = 3e6  # cells that are searched for the maximum, in all
AT_ONCE = 2**14  # of these cells
NARROWEST, WIDEST = 1e-280, 30.0  # epsilon: beyond them a cell is too narrow or too wide
RAISED = 2.0**-44  # relative rounding of one step
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
        self._values = self._mirrored(np.exp(curve(self._points(after))), after)
        for each in reversed(order[1 : len(order) - pure_at_end]):
            after += 1
            found = self._largest(self._points(after)) if each else self._pure_step(after)
            self._values = self._mirrored(found, after)

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

    def _mirrored(self, upper: Floats, after: int) -> Floats:
        """Values on the whole grid, from those at 0 and above; two epsilons more on each side."""
        points, pad = self._points(after), 2 * self._cells + 2
        lower = -np.expm1(-points) + np.exp(-points) * upper
        outside = -np.expm1(-self._width * np.arange(len(points), len(points) + pad))
        self._middle = len(points) - 1 + pad
        return np.concatenate([outside[::-1], lower[:0:-1], upper, np.zeros(pad)])

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
        index = self._middle + start.astype(np.int64)
        cells = np.arange(self._cells + 1)
        rows = max(1, AT_ONCE // len(cells))
        best = [
            self._in_cell(
                index[k : k + rows, np.newaxis] - cells,
                into[k : k + rows, np.newaxis] + cells * self._width,
            ).max(axis=1)
            for k in range(0, len(g), rows)
        ]
        return np.asarray(np.minimum(1.0, np.concatenate(best) * (1 + RAISED) + FLOOR))

    def _in_cell(self, index: NDArray[np.int64], end: Floats) -> Floats:
        """The largest over the t of each cell, which ends at `end`; x = e^(end - t) - 1."""
        epsilon, rise, values = self._epsilon, math.expm1(self._width), self._values
        high_end, high_slope = values[index], (values[index + 1] - values[index]) / rise
        index = index + self._cells
        low_end, low_slope = values[index], (values[index + 1] - values[index]) / rise
        bend = low_slope - high_slope * math.exp(epsilon)  # times e^-epsilon, as what follows
        pull = (
            high_end - low_end - low_slope * np.expm1(-end) + high_slope * np.expm1(epsilon - end)
        )
        with np.errstate(divide="ignore", invalid="ignore"):
            best = np.expm1(0.5 * np.log1p(pull * np.exp(end) / bend))
        least, most = np.maximum(0.0, end - epsilon), np.minimum(end, self._width)
        x = np.clip(np.nan_to_num(best), np.expm1(least), np.expm1(most))
        t = end - np.log1p(x)
        q = np.expm1(t - epsilon) / math.expm1(-epsilon)
        p = np.expm1(-t) / math.expm1(-epsilon) * np.exp(t - epsilon)
        return np.asarray(q * (high_end + high_slope * x) + p * (low_end + low_slope * x))


def _cells(order: tuple[bool, ...]) -> int:
    """Cells per epsilon, as many as the work allows."""
    places = sum(k for k, each in enumerate(reversed(order)) if each)
    return max(COARSEST, min(FINEST, math.isqrt(int(WORK / max(1, places)))))
