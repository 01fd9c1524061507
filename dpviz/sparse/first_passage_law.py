"""A density on one side of a barrier, given by its logarithm: its integral, and exact draws.

The density is log-concave (a normal one times probabilities of staying below barriers), so it has
one peak and lies below each of its tangents: draws come from the tangent exponential of a panel and
are accepted with the ratio. Their law is that of the panels, 1e-13 from the density's.
Source: MATHEMATICS 8.3.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from dpviz import checks
from dpviz.noise.family import Array
from dpviz.sparse.first_passage_panels import WEIGHTS, Function, Panels, build

FALL = 45.0  # how far the logarithm of a density falls before the rest is left out: e^-45
_DROP = 4.0  # fall over the unit length that panels are laid out with
_BEND = 3.0  # most (second derivative) x width² in a panel: three draws of four are accepted
_LAYOUT = np.array([0.0, 1.0, 2.0, 3.5, 6.0, 9.0, 13.0, 25.0])  # of such units: 45 by twice 12
_AROUND = np.array([-9.0, -4.5, -2.0, 0.0, 2.0, 4.5, 9.0])  # widths from a narrow break
_HALVINGS = np.append(0.5 ** np.arange(13), 0.0)  # and the peak itself


@dataclass(frozen=True, slots=True)
class OneSided:
    """A log-density on offsets above 0 (`sign` +1) or below 0 (`sign` -1) of a barrier.

    `log_mass` is the logarithm of its integral; it need not be a probability.
    """

    sign: int
    panels: Panels
    masses: Array  # of the panels, relative to `log_mass`
    log_mass: float

    def __post_init__(self) -> None:
        checks.side(sign=self.sign)
        checks.arrays(1, least=0, masses=self.masses, bends=self.panels.bends)
        checks.between(-math.inf, checks.LARGEST, log_mass=self.log_mass)

    def log_density(self, offset: Array) -> Array:
        """The ln of the density per unit at offsets on its side; -inf on the other."""
        distance = self.sign * offset
        inside = (distance >= self.panels.edges[0]) & (distance <= self.panels.edges[-1])
        result = np.full_like(distance, -math.inf)
        result[inside] = self.panels.at(distance[inside])
        return result

    def below(self, offset: Array) -> Array:
        """Share of the mass between the barrier and each offset: a cumulative distribution."""
        edges = self.panels.edges
        distance = np.clip(self.sign * offset, edges[0], edges[-1])
        place = np.clip(np.searchsorted(edges, distance, side="right") - 1, 0, self.masses.size - 1)
        start, points = edges[place], np.polynomial.legendre.leggauss(16)
        half = (distance - start)[:, None] / 2
        inner = np.exp(self.panels.at(start[:, None] + half * (1 + points[0])) - self.log_mass)
        whole = np.concatenate([[0.0], np.cumsum(self.masses)])[place]
        return np.asarray(whole + (half * inner) @ points[1])

    def draw(self, size: int, *, rng: np.random.Generator) -> Array:
        """Independent draws: offsets from the barrier, shape (size,)."""
        middles, halves = self._pieces()
        heights = self.panels.at(middles)
        tilts = self.panels.slope(middles) * halves  # of the tangent over half a piece
        ends = np.cumsum(np.exp(heights - heights.max()) * halves * _sinhc(tilts))
        result = np.empty(size)
        left = np.arange(size)
        while left.size:
            place = np.searchsorted(ends, rng.random(left.size) * ends[-1], side="right")
            place = np.minimum(place, ends.size - 1)
            local = _tilted(rng.random(left.size), tilts[place])
            drawn = middles[place] + local * halves[place]
            hull = heights[place] + tilts[place] * local
            kept = np.log1p(-rng.random(left.size)) <= self.panels.at(drawn) - hull
            result[left[kept]] = drawn[kept]
            left = left[~kept]
        return self.sign * result

    def _pieces(self) -> tuple[Array, Array]:
        """Middles and half widths of pieces of the panels, so short that tangents lie close."""
        widths = self.panels.widths
        parts = np.ceil(widths * np.sqrt(self.panels.bends / _BEND)).clip(1).astype(int)
        halves = np.repeat(widths / parts / 2, parts)
        within = np.arange(parts.sum()) - np.repeat(np.cumsum(parts) - parts, parts)
        return np.repeat(self.panels.edges[:-1], parts) + (2 * within + 1) * halves, halves


def one_sided(
    log_density: Function,
    sign: int,
    *,
    scale: float,
    reach: float,
    marks: Sequence[tuple[float, float]] = (),
) -> OneSided:
    """Lay out panels around the peak of a log-concave density on one side of offset 0.

    Args:
        log_density: its logarithm at offsets of shape (K,).
        sign: +1 for offsets above 0, -1 for offsets below.
        scale: a length on which it certainly bends by 1: its curvature is at least 1/scale².
        reach: distance beyond which the peak cannot lie.
        marks: offsets where the density may break off, each with the width over which it does;
            without them a panel could end just before a narrow break, and never see it.

    >>> tail = one_sided(lambda x: -0.5 * (x + 1) ** 2, 1, scale=1.0, reach=0.0)
    >>> round(math.exp(tail.log_mass) / math.sqrt(2 * math.pi), 12)  # Q(1)
    0.158655253931
    """

    def seen(distance: Array) -> Array:
        return log_density(sign * distance)

    peak = _peak(seen, reach, scale)
    edges = peak + _one_way(seen, peak, 1, 8 * scale)
    if peak > 0:
        left = peak - _one_way(seen, peak, -1, peak)[::-1]
        left[0] = max(left[0], 0.0)
        edges = np.concatenate([left, edges[1:]])
    for offset, width in marks:
        edges = _marked(edges, sign * offset, width)
    panels = build(seen, edges)
    logs = panels.at_nodes()
    most = float(logs.max())
    masses = (np.exp(logs - most) @ WEIGHTS) * (panels.widths / 2)
    total = float(masses.sum())
    return OneSided(sign, panels, masses / total, most + math.log(total))


def _peak(seen: Function, reach: float, scale: float) -> float:
    """The peak at a distance of at most `reach`, to a small part of its width."""
    low, high = 0.0, reach
    while high > low:
        grid = np.linspace(low, high, 25)
        values = seen(grid)
        best = int(values.argmax())
        low, high = float(grid[max(best - 1, 0)]), float(grid[min(best + 1, 24)])
        if (
            high - low < 1e-3 * scale
            or values[best] - min(values[max(best - 1, 0)], values[min(best + 1, 24)]) < 0.1
        ):
            return float(grid[best])
    return low


def _one_way(seen: Function, peak: float, side: int, most: float) -> Array:
    """Distances from the peak, at most `most`, between which the logarithm falls by some 8.

    The fall is convex: once it is 4 over two units, it is 45 within 24 units.
    """
    for finer in (1.0, 2.0**-12, 2.0**-24, 2.0**-36):
        lengths = most * finer * _HALVINGS
        values = seen(peak + side * lengths)
        fallen = values[-1] - values[:-1]
        if fallen[-1] <= _DROP:
            break
    unit = lengths[min(int((fallen > _DROP).sum()), fallen.size - 1)]
    edges = np.minimum(unit * _LAYOUT, most)
    end = lengths[int((fallen > FALL).sum()) - 1] if fallen[0] > FALL else most
    last = int(edges.searchsorted(end))  # the first edge that lies as far out, or is the farthest
    return np.asarray(edges[: last + 1])


def _marked(edges: Array, place: float, width: float) -> Array:
    """The edges with more of them around a narrow break at `place`."""
    after = int(edges.searchsorted(place))
    around = edges[max(after - 1, 0) : after + 1]
    if not edges[0] - width < place < edges[-1] or around[-1] - around[0] < 3 * width:
        return edges
    more = place + width * _AROUND
    return np.unique(np.concatenate([edges, more[(more > edges[0]) & (more < edges[-1])]]))


def _sinhc(x: Array) -> Array:
    """sinh(x)/x."""
    small = np.abs(x) < 1e-4
    safe = np.where(small, 1.0, x)
    return np.where(small, 1 + x * x / 6, np.sinh(safe) / safe)


def _tilted(uniform: Array, tilt: Array) -> Array:
    """A point in -1…1 of density proportional to exp(tilt·point)."""
    size = np.abs(tilt)
    steep = size > 1e-12
    safe = np.where(steep, size, 1.0)
    fallen = -np.log1p(uniform * np.expm1(-2 * safe)) / safe  # from the higher end
    point = np.where(steep, 1 - fallen, 2 * uniform - 1)
    return np.where(tilt < 0, -point, point)
