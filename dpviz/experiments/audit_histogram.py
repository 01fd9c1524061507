"""The distinguishing game of a sparse histogram: one cell, with nobody in it or with one person.

Cells are independent given the budgets and thresholds, so a histogram of many cells is many runs.
A run shows, for each release, the value of its cell, or `HIDDEN` where the cell does not show.
The promise: all releases together cost the largest budget, as hiding what is small is done to noisy
numbers [LMR25, Lemma 5.5].
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.levels import gaussian_level
from dpviz.errors import ParameterError
from dpviz.experiments.audit_sessions import promised_loss
from dpviz.noise import ADDITIVE
from dpviz.sparse import SparseHistogram

HIDDEN = -1e6  # in place of a value, far below all of them


class OpenHistogram(Protocol):
    """Opens a histogram as the class `SparseHistogram` does."""

    def __call__(
        self,
        indices: Any,
        counts: Any,
        domain_size: int,
        *,
        l2_sensitivity: float,
        rng: np.random.Generator,
        method: Any,
    ) -> SparseHistogram:
        """Open with these cells and counts."""


@dataclass(frozen=True, slots=True)
class HistogramCells:
    """A mechanism for `dpviz.experiments.audit`: what one cell of a sparse histogram shows.

    Attributes:
        rhos: budgets in the order in which they are asked for.
        thresholds: of the same releases.
        open_histogram: what draws; another one than `SparseHistogram` is there to be caught.

    >>> from dpviz import streams
    >>> HistogramCells((0.1, 0.2), (3.0, 2.0))(True, 5, rng=streams.teaching(7)).shape
    (5, 2)
    """

    rhos: tuple[float, ...]
    thresholds: tuple[float, ...]
    open_histogram: OpenHistogram = SparseHistogram

    def __post_init__(self) -> None:
        for rho in self.rhos:
            checks.positive(rho=rho)
        for threshold in self.thresholds:
            checks.finite(threshold=threshold)
        if not self.rhos or len(self.rhos) != len(self.thresholds):
            raise ParameterError("rhos and thresholds must have the same length, at least 1")

    def __call__(self, inside: bool, size: int, *, rng: np.random.Generator) -> NDArray[Any]:
        """What shows in this many cells, shape (size, releases)."""
        cells = np.arange(size if inside else 0)
        counts = np.ones(cells.size, dtype=np.int64)
        histogram = self.open_histogram(
            cells, counts, size, l2_sensitivity=1.0, rng=rng, method="sparse"
        )
        found = np.full((size, len(self.rhos)), HIDDEN)
        for place, (rho, threshold) in enumerate(zip(self.rhos, self.thresholds, strict=True)):
            shown, values = histogram.release(rho, threshold)
            found[shown, place] = values
        return found

    @property
    def promised(self) -> PrivacyLoss:
        """The loss of Gaussian noise at the largest budget."""
        return promised_loss(ADDITIVE["gaussian"], gaussian_level(max(self.rhos), 1.0), (1.0,))

    def promised_epsilon(self, delta: float) -> float:
        """The ε that is promised at a δ; infinite at δ = 0."""
        return float(self.promised.epsilon(delta)) if delta else float("inf")
