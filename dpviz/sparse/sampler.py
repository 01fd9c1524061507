"""Draws the releases of a sparse histogram: cells with a count, cells that crossed, and new ones.

The three kinds (MATHEMATICS 8.2, 8.3): cells with a count have a session; cells that have crossed
extend and bridge their noise; of the hidden rest, which all have one and the same law, a binomial
number crosses now. Mutable: one request after the other, each level once.
"""

import numpy as np

from dpviz import streams
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Array
from dpviz.release import MultipleRelease
from dpviz.sparse.cells import others, refuse_flood
from dpviz.sparse.crossed import Crossed
from dpviz.sparse.dense_histogram import DenseHistogram
from dpviz.sparse.first_passage import FirstPassage

GAUSSIAN = ADDITIVE["gaussian"]


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
