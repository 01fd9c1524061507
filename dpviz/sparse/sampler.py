"""Draws the releases of a sparse histogram: cells with a count, cells that crossed, and new ones.

The three kinds (MATHEMATICS 8.2, 8.3): cells with a count have a session; cells that have crossed
extend and bridge their noise; of the hidden rest, which all have one and the same law, a binomial
number crosses now. Mutable: one request after the other, each level once.

A cell that noise alone has lifted above a threshold has its noise held from then on. At levels
served before the crossing it was hidden: its noise there is known to lie at or below the
thresholds, and is drawn under that condition when it is first needed, nearest first:

    towards less noise    u ∝ a_i(u)·φ(u; v·ℓ_i/ℓ, ℓ_i(ℓ-ℓ_i)/ℓ)·1{u <= τ_i}    v held at ℓ > ℓ_i
    towards more noise    u ∝ β_j(u)·φ(u; v, ℓ_j-ℓ)·1{u <= τ_j}                v held at ℓ < ℓ_j

Where budgets only rise it is never needed: one draw per crossing.
"""

from bisect import bisect_left
from dataclasses import dataclass
from operator import itemgetter

import numpy as np
from scipy import special

from dpviz import checks, streams
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Array, Family
from dpviz.release import MultipleRelease
from dpviz.sparse.cells import others, refuse_flood
from dpviz.sparse.dense_histogram import DenseHistogram
from dpviz.sparse.first_passage import FirstPassage, bridge_step, onward_step
from dpviz.sparse.first_passage_step import Step

_level_of = itemgetter(0)
GAUSSIAN = ADDITIVE["gaussian"]


@dataclass(slots=True)
class Crossed:
    """Cells that crossed at one request, and their noise at levels served since or drawn since.

    `held` is ascending, and without gaps among the levels of the histogram.
    """

    cells: Array
    held: list[tuple[float, Array]]

    def __post_init__(self) -> None:
        checks.arrays(1, least=0, cells=self.cells)
        for level, values in self.held:
            checks.positive(level=level)
            checks.arrays(1, cells=self.cells, values=values)

    def noise_at(
        self, level: float, hidden: FirstPassage, family: Family, *, rng: np.random.Generator
    ) -> tuple[Array, int]:
        """Noise at a level that is not held yet, and how many arrays were drawn for it.

        Args:
            level: the level wanted.
            hidden: all levels served so far with their thresholds, `level` not yet among them.
            family: the Gaussian one.
            rng: generator of the noise.
        """
        before = len(self.held)
        while level > self.held[-1][0] and hidden.levels[-1] > self.held[-1][0]:
            self.held.append(_noisier(self.held[-1], hidden, rng))
        while level < self.held[0][0] and hidden.levels[0] < self.held[0][0]:
            self.held.insert(0, _less_noisy(self.held[0], hidden, rng))
        place = bisect_left(self.held, level, key=_level_of)
        low, below = self.held[place - 1] if place else (0.0, np.zeros(self.cells.size))
        if place == len(self.held):
            drawn = family.extend(below, low, level, rng=rng)
        else:
            high, above = self.held[place]
            drawn = family.bridge(below, above, low, level, high, rng=rng)
        self.held.insert(place, (level, drawn))
        return drawn, len(self.held) - before


def _noisier(
    held: tuple[float, Array], hidden: FirstPassage, rng: np.random.Generator
) -> tuple[float, Array]:
    """The noise at the next noisier level, where the cells were hidden."""
    level, values = held
    place = bisect_left(hidden.levels, level) + 1
    message, high = hidden.above(place), hidden.levels[place]
    step = onward_step(message, level, high, message.barrier)
    return high, message.barrier + stayed(step, values - message.barrier, rng=rng)


def _less_noisy(
    held: tuple[float, Array], hidden: FirstPassage, rng: np.random.Generator
) -> tuple[float, Array]:
    """The noise at the next less noisy level, where the cells were hidden."""
    level, values = held
    place = bisect_left(hidden.levels, level) - 1
    message, low = hidden.below(place), hidden.levels[place]
    step = bridge_step(message, low, level, message.barrier)
    return low, message.barrier + stayed(step, values - message.barrier, rng=rng)


def stayed(step: Step, offset: Array, *, rng: np.random.Generator) -> Array:
    """Draw offsets of at most 0 from the barrier of a message, one for each position seen from.

    The density is g(u) times the kernel. As ln g is concave, g lies below e to its tangent at the
    peak, and the kernel times that is a normal law moved to the peak: draw from it, cut at the
    barrier, and accept with the ratio.

    Args:
        step: the kernel to the message.
        offset: positions on the other level, as offsets from the reference of the step.
        rng: generator of the noise.
    """
    means = step.means(offset)
    touch = step.peaks(means)
    heights = step.message.log_at(touch)
    tilts = step.message.slope_at(touch)
    centres = means + step.sd**2 * tilts
    inside = special.log_ndtr((step.message.top - centres) / step.sd)
    result = np.empty_like(means)
    left = np.arange(means.size)
    while left.size:
        chance = np.log1p(-rng.random(left.size))  # ln of a uniform number in (0, 1]
        drawn = centres[left] + step.sd * special.ndtri_exp(inside[left] + chance)
        drawn = np.minimum(drawn, step.message.top)
        tangent = heights[left] + tilts[left] * (drawn - touch[left])
        kept = np.log1p(-rng.random(left.size)) <= step.message.log_at(drawn) - tangent
        result[left[kept]] = drawn[kept]
        left = left[~kept]
    return result


class SparseSampler:
    """State of a sparse histogram; `drawn` counts normal variates, `crossed` cells.

    >>> rng = streams.teaching(7)
    >>> sampler = SparseSampler(np.array([5]), np.array([30.0]), 1000, rng=rng)
    >>> cells, values = sampler.release(1.0, 3.0)
    >>> cells, np.round(values, 1), sampler.drawn
    (array([  5, 578, 775, 833]), array([30. ,  3.1,  3.1,  3.2]), 4)
    """

    __slots__ = (
        "_cells",
        "_domain_size",
        "_groups",
        "_hidden",
        "_numbers",
        "_rng",
        "_session",
        "_tracked",
        "drawn",
    )

    def __init__(
        self, cells: Array, numbers: Array, domain_size: int, *, rng: np.random.Generator
    ) -> None:
        """Open with the cells that have a count, ascending, and these counts, all above 0."""
        self._session = MultipleRelease(numbers, GAUSSIAN, rng=rng)
        self._cells, self._numbers, self._domain_size = cells, numbers, domain_size
        self._rng = rng
        self._hidden = FirstPassage()
        self._groups: list[Crossed] = []
        self._tracked = cells  # ascending: cells with a count, and those that have crossed
        self.drawn = 0

    @property
    def mode(self) -> streams.Mode:
        """Mode of the generator."""
        return self._session.mode

    @property
    def support_size(self) -> int:
        """Number k of cells with a count."""
        return self._cells.size

    @property
    def crossed(self) -> int:
        """Number c of cells without a count that have shown so far."""
        return self._tracked.size - self._cells.size

    def spread(self) -> DenseHistogram:
        """The same histogram with noise in every cell; before the first release."""
        return DenseHistogram(
            self._cells, self._numbers, self._domain_size, GAUSSIAN, rng=self._rng
        )

    def release(self, level: float, threshold: float) -> tuple[Array, Array]:
        """Cells above the threshold at a level not served yet: indices ascending, and values.

        Raises:
            ParameterError: if noise alone is expected to show more than 1e6 cells.
        """
        if threshold == np.inf:  # nothing shows, whatever the noise, so none is drawn
            return np.empty(0, dtype=np.int64), np.empty(0)
        free = self._domain_size - self._tracked.size
        crossing = self._hidden.crossing(level, threshold)
        refuse_flood(self._domain_size, crossing.probability, threshold)
        shown = [_above(self._cells, self._session.release(level), threshold)]
        self.drawn += self._cells.size
        for group in self._groups:
            noise, arrays = group.noise_at(level, self._hidden, GAUSSIAN, rng=self._rng)
            self.drawn += arrays * noise.size
            shown.append(_above(group.cells, noise, threshold))
        size = int(self._rng.binomial(free, crossing.probability))
        if size:
            cells = others(self._tracked, self._domain_size, size, rng=self._rng)
            values = crossing.draw(size, rng=self._rng)
            shown.append((cells, values))
            self.drawn += size
            self._groups.append(Crossed(cells, [(level, values)]))
            self._tracked = np.sort(np.concatenate([self._tracked, cells]))
        self._hidden.add(crossing)
        cells, values = (np.concatenate(part) for part in zip(*shown, strict=True))
        order = np.argsort(cells)
        return cells[order], values[order]


def _above(cells: Array, values: Array, threshold: float) -> tuple[Array, Array]:
    """The cells whose value lies above the threshold, with the value."""
    kept = values > threshold
    return cells[kept], values[kept]
