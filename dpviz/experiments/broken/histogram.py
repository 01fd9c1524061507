"""Algorithm 6 [LMR25] as printed, with the missing factor 1/ρ_r put back: only its law is wrong.

Hidden increments are drawn given the past alone, and the last one is forced over the barrier
(MATHEMATICS 8.4).
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy import special

from dpviz.noise.family import Array
from dpviz.sparse import SparseHistogram
from dpviz.sparse import sampler as sparse_sampler


class BrokenPrintedHistogram(SparseHistogram):
    """Algorithm 6 as printed: hidden increments see only the past, and not the crossing."""

    __slots__ = ()

    def __init__(self, *args: Any, **options: Any) -> None:
        """Open as the right one is opened."""
        super().__init__(*args, **options)
        self._sparse.__class__ = _PrintedSampler


class _PrintedSampler(sparse_sampler.SparseSampler):
    __slots__ = ()

    def release(self, level: float, threshold: float) -> tuple[Array, Array]:
        """Cells above the threshold, ascending, and values."""
        right = self._hidden.crossing
        hidden = self._hidden

        class Wrong:
            levels = hidden.levels
            above, below, add = hidden.above, hidden.below, hidden.add

            def crossing(self, level: float, threshold: float) -> Any:
                return _PrintedCrossing(right(level, threshold), hidden)

        wrong: Any = Wrong()
        self._hidden = wrong
        try:
            return super().release(level, threshold)
        finally:
            self._hidden = hidden


class _PrintedCrossing:
    """The right probability with the printed values (lines 16-24)."""

    def __init__(self, right: Any, hidden: Any) -> None:
        self.probability, self.level, self.threshold = (
            right.probability,
            right.level,
            right.threshold,
        )
        self.log_staying = right.log_staying
        self._rounds = [*zip(hidden.levels, hidden.thresholds, strict=True)][::-1]

    def draw(self, size: int, *, rng: np.random.Generator) -> Array:
        return printed_draws([*self._rounds, (self.level, self.threshold)], size, rng=rng)


def printed_draws(
    rounds: Sequence[tuple[float, float]], size: int, *, rng: np.random.Generator
) -> Array:
    """Noise of cells that cross in the last of several rounds, budgets rising, as printed.

    Works on S = N/ℓ, the sum of new noise up to a factor: variance 1/ℓ, barrier τ/ℓ.
    """
    total, variance = np.zeros(size), 0.0
    for number, (level, threshold) in enumerate(rounds):
        sd = math.sqrt(1 / level - variance)
        variance = 1 / level
        edge = (threshold / level - total) / sd
        uniform = np.log1p(-rng.random(size))
        if number < len(rounds) - 1:  # below its barrier, the past given
            total = total + sd * special.ndtri_exp(special.log_ndtr(edge) + uniform)
        else:
            total = total - sd * special.ndtri_exp(special.log_ndtr(-edge) + uniform)
    lowest = np.nextafter(rounds[-1][1], np.inf)
    return np.asarray(np.maximum(total * rounds[-1][0], lowest))
