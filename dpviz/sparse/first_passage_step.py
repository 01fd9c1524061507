"""One kernel of the messages: the chance of staying below barriers, seen one level further on.

A message is g(u), the probability that a path which is at u on one level stays at or below the
barriers of all levels on one side of it, cut at the barrier of its own level. Seen from another
level, where the path is at y, it is

    g'(y) = E[g(U) 1{U <= barrier}],   U ~ Normal(share·y, sd²)

with share 1 towards more noise (a plain step) and level/level' towards less (a Brownian bridge from
the exact value). Far below its barrier g is 1 to the last bit, and only what lies above is held, as
panels of ln g; so close levels cost no more than distant ones. All positions are offsets from the
barrier of their level: two close levels differ in digits that u and y themselves do not have.
Limits: ln g down to -800, relative accuracy of g about 1e-13. Source: MATHEMATICS 8.3.
"""

import math
from dataclasses import dataclass

import numpy as np
from scipy import special

from dpviz import checks
from dpviz.noise.family import Array
from dpviz.sparse.first_passage_panels import Panels, build, nodes

REACH = 9.0  # standard deviations around the peak of an integrand that are summed
SURE = 8.0  # this far below the barrier, staying below it is certain to 1e-15
DEEP = -800.0  # ln g below which nothing matters
LOWEST = -600.0  # from here on exp keeps all digits of what matters beside it
SPREAD = 42.0  # standard deviations of the path beyond which nothing matters
WIDTH = 3.0  # of a panel of the sum, in units in which the integrand bends by 1
WIDER = 2.0  # and at most this many times as wide as any panel of ln g that it touches
NOTHING = 4e-15  # |ln g| that counts as 0
_GRADES = np.array([4.2, 1.8, 0.8, 0.3])  # of an sd below the barrier
_LAYOUT = np.cumsum([0.0, 0.95, 0.95, 1.1, 1.2, 1.5, 1.8, 2.2, *(2.9 * 1.4 ** np.arange(60))])
_ROOT_HALF = math.sqrt(0.5)
_LOG_ROOT_2PI = 0.5 * math.log(2 * math.pi)
_AROUND, _AROUND_WEIGHTS = (
    part.ravel() for part in nodes(np.linspace(-REACH, REACH, 7))
)  # a rule around a peak, for kernels much narrower than the panels there


@dataclass(frozen=True, slots=True)
class Message:
    """ln g as a function of the offset from `barrier`; None where g is 1 up to the barrier."""

    barrier: float
    panels: Panels | None

    def __post_init__(self) -> None:
        checks.finite(barrier=self.barrier)

    @property
    def bottom(self) -> float:
        """Offset below which g is 1."""
        return 0.0 if self.panels is None else float(self.panels.edges[0])

    @property
    def top(self) -> float:
        """Offset above which g is 0: the barrier, or less where g has fallen below e^-800."""
        return 0.0 if self.panels is None else float(self.panels.edges[-1])

    def log_at(self, offset: Array) -> Array:
        """The ln g at offsets of at most 0, any shape.

        >>> Message(5.0, None).log_at(np.array([-1.0, 0.0]))
        array([0., 0.])
        """
        result = np.zeros_like(offset)
        if self.panels is None:
            return result
        held = offset >= self.bottom
        result[held] = self.panels.at(offset[held])
        result[offset > self.top] = -math.inf
        return result

    def slope_at(self, offset: Array) -> Array:
        """Derivative of ln g at offsets between minus infinity and `top`."""
        result = np.zeros_like(offset)
        if self.panels is not None:
            held = offset >= self.bottom
            result[held] = self.panels.slope(offset[held])
        return result


class Step:
    """The kernel from a message to positions that are offsets from `reference` on another level.

    >>> step = Step(Message(1.0, None), share=1.0, missing=0.0, sd=2.0, reference=1.0)
    >>> np.exp(step.log_at(np.array([0.0])))  # at the barrier, half of the paths stay below
    array([0.5])
    """

    __slots__ = (
        "_edge",
        "_log_weights",
        "_nodes",
        "_peaks",
        "_scaled",
        "message",
        "sd",
        "share",
        "shift",
    )

    def __init__(
        self, message: Message, *, share: float, missing: float, sd: float, reference: float
    ) -> None:
        """Prepare the sum over the message.

        Args:
            message: what is known on the other level.
            share: factor of the mean, above 0 and at most 1.
            missing: 1 - share, with all its digits.
            sd: standard deviation of the kernel.
            reference: barrier that the positions asked for are offsets from.
        """
        self.message, self.share, self.sd = message, share, sd
        self.shift = (reference - message.barrier) - missing * reference
        self._edge = message.bottom
        self._nodes = self._scaled = self._peaks = self._log_weights = np.empty(0)
        if message.panels is not None and message.top > message.bottom:
            self._prepare(message.panels)

    @property
    def break_off(self) -> tuple[float, float]:
        """Offset where the barrier of the message is met, and over which width g' falls there."""
        return (self.message.top - self.shift) / self.share, self.sd / self.share

    def means(self, offset: Array) -> Array:
        """Where the kernel is centred, as an offset from the barrier of the message."""
        return self.shift + self.share * offset

    def log_at(self, offset: Array) -> Array:
        """The ln g' at offsets from the reference, shape (K,)."""
        means = self.means(offset)
        below = special.log_ndtr((self.message.bottom - means) / self.sd)
        if not self._nodes.size:
            return np.asarray(below)
        peaks = self.peaks(means)
        if self._edge <= self.message.bottom:
            return self._summed(means, peaks, below)
        near = peaks - REACH * self.sd >= self._edge
        result = np.empty_like(means)
        if near.any():
            result[near] = self._summed(means[near], peaks[near], below[near])
        if not near.all():
            result[~near] = self._around(means[~near], peaks[~near])
        return result

    def peaks(self, means: Array) -> Array:
        """Where g(u) times the kernel around each mean is largest: u - sd²·(ln g)'(u) = mean."""
        if not self._nodes.size:
            return np.minimum(means, self.message.top)
        found = np.interp(means, self._peaks, self._nodes)
        return np.where(means < self._nodes[0], means, np.minimum(found, self.message.top))

    def _prepare(self, panels: Panels) -> None:
        """Nodes that resolve both ln g and the kernel, down to where targets get their own."""
        edges, widths = panels.edges, panels.widths
        if edges[-1] - edges[0] > 150 * self.sd:
            fine = np.flatnonzero(widths < 3 * self.sd)
            lowest = edges[fine[0]] if fine.size else edges[-1]
            self._edge = max(edges[0], min(edges[-1] - 30 * self.sd, lowest - 20 * self.sd))
        first = int(edges.searchsorted(self._edge, side="right")) - 1
        bent = WIDTH / np.sqrt(1 / self.sd**2 + panels.bends[first:])
        limits = np.minimum(bent, WIDER * widths[first:])
        grid = _laid_out(np.maximum(edges[first:], self._edge), limits)
        top = grid[-1] - self.sd * _GRADES  # a kernel may be cut steeply
        grid = np.concatenate([grid[:-1], top[top > grid[-2]], grid[-1:]])
        points, weights = nodes(grid)
        self._nodes = points.ravel()
        self._scaled = self._nodes * (_ROOT_HALF / self.sd)
        log_g, slope = panels.at_with_slope(self._nodes)
        self._log_weights = np.log(weights.ravel() / self.sd) - _LOG_ROOT_2PI + log_g
        rise = np.maximum(self._nodes - self.sd**2 * slope, self._nodes)
        self._peaks = np.maximum.accumulate(rise)

    def _summed(self, means: Array, peaks: Array, below: Array) -> Array:
        """Sums over the prepared nodes within reach of each peak."""
        first = self._nodes.searchsorted(peaks - REACH * self.sd)
        last = self._nodes.searchsorted(peaks + REACH * self.sd)
        many = max(1, int((last - first).max()))
        scaled = means * (_ROOT_HALF / self.sd)
        if many > 0.6 * self._nodes.size:
            terms = np.subtract.outer(scaled, self._scaled)
            log_weights = self._log_weights
        else:
            start = np.minimum(first, self._nodes.size - many)
            terms = _windows(self._scaled, many)[start]
            terms -= scaled[:, None]
            log_weights = _windows(self._log_weights, many)[start]
        np.multiply(terms, terms, out=terms)
        np.subtract(log_weights, terms, out=terms)
        most = np.zeros(1)
        least = int(means.argmax())  # where g' is, as it falls
        if max(below[least], terms[least].max()) < LOWEST:  # else nothing underflows
            most = np.maximum(terms.max(axis=1), below)
            terms -= most[:, None]
        total = np.exp(terms, out=terms).sum(axis=1) + np.exp(below - most)
        return np.asarray(most + np.log(total))

    def _around(self, means: Array, peaks: Array) -> Array:
        """Sums over nodes of each target's own, where ln g bends little within the kernel."""
        points = peaks[:, None] + self.sd * _AROUND
        away = (points - means[:, None]) / self.sd
        terms = self.message.log_at(points) - 0.5 * away * away - _LOG_ROOT_2PI
        most = terms.max(axis=1)
        total = np.exp(terms - most[:, None]) @ _AROUND_WEIGHTS
        return np.asarray(most + np.log(total))

    def cut(self, barrier: float, deviation: float) -> Message:
        """The message of the level arrived at: g' held up to its barrier.

        Args:
            barrier: threshold of that level, the reference that this step was made with.
            deviation: standard deviation of the path there.
        """
        scale = self.sd / self.share
        bottom = (self.message.bottom - self.shift) / self.share - SURE * scale
        bottom = max(bottom, -SPREAD * deviation - barrier)
        if bottom >= 0:
            return Message(barrier, None)
        top = self._deepest(bottom)
        centre = min(top, max(bottom, -self.shift / self.share))
        panels = build(self.log_at, _spread(bottom, centre, top, scale))
        return Message(barrier, panels.without_nothing(NOTHING))

    def _deepest(self, bottom: float) -> float:
        """Largest offset of at most 0 where ln g' is above -800, to a tenth of its distance."""
        if self.message.bottom - self.shift > -math.sqrt(-1.9 * DEEP) * self.sd:
            return 0.0  # the kernel's own share below the bottom of g is more
        low, high = bottom, 0.0
        for _ in range(3):
            grid = np.linspace(low, high, 12)
            if (values := self.log_at(grid))[-1] > DEEP:
                return high
            last = int(np.flatnonzero(values > DEEP)[-1]) if values[0] > DEEP else 0
            low, high = float(grid[last]), float(grid[last + 1])
        return high


def _laid_out(edges: Array, limits: Array) -> Array:
    """Edges of new panels, each as wide as the limits of all the old ones that it touches allow."""
    ends, most = edges.tolist(), limits.tolist()  # few, so plain numbers are quicker than arrays
    place, found = len(most) - 1, ends[-1:]  # from the last one down
    while place >= 0:
        right, width = found[-1], most[place]
        while place and right - width < ends[place]:
            place -= 1
            width = min(width, max(most[place], right - ends[place + 1]))
        left = right - width
        if not ends[place] < left < right:  # here the old panel ends, or the digits of a float
            left = ends[place]
            place -= 1
        found.append(left)
    return np.array(found[::-1])


def _windows(values: Array, width: int) -> Array:
    """All runs of adjoining values, row k from value k on: a view."""
    return np.ndarray((values.size - width + 1, width), buffer=values, strides=values.strides * 2)


def _spread(bottom: float, centre: float, top: float, width: float) -> Array:
    """Edges whose panels grow away from the centre, where the last barrier is felt."""
    below, above = centre - width * _LAYOUT, centre + width * _LAYOUT[1:]
    near = below[below > bottom + 1e-9 * (centre - bottom)][::-1]
    far = above[above < top - 1e-9 * (top - centre)]
    return np.concatenate([[bottom], near, far, [top] if top > centre else []])
