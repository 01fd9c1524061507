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
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from dpviz.accounting.arrays import Floats
from dpviz.accounting.mixed_composition import PureCurve

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
