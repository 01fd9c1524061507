"""A thresholded histogram with noise in every cell of the domain: the reference, for any family.

Algorithm 3 of [LMR25], in any order: one session over the whole domain, and of each release the
cells where value > threshold. Thresholding is not linear: weakly lossless (MATHEMATICS 1.4).
Limits: the domain is held in memory, 8 bytes per cell and release, so at most 1e7 cells.
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

from typing import Any

import numpy as np

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.noise.arguments import additive_family
from dpviz.noise.family import Array, Family
from dpviz.release import MultipleRelease
from dpviz.sparse.cells import support, threshold_number

MOST_CELLS = 10**7


class DenseHistogram:
    """Sparse releases of a histogram, drawn by adding noise to every cell.

    >>> from dpviz.noise import FAMILIES
    >>> rng = streams.teaching(7)
    >>> histogram = DenseHistogram([3, 5], [40, 9], 8, FAMILIES["discrete_laplace"], rng=rng)
    >>> histogram.release(2.0, threshold=12)
    (array([3]), array([41]))
    """

    __slots__ = ("_session", "_thresholds")

    def __init__(
        self,
        indices: Any,
        counts: Any,
        domain_size: int,
        family: Family,
        *,
        rng: np.random.Generator,
    ) -> None:
        """Open a histogram.

        Args:
            indices: cells with a count, whole numbers in 0 … domain_size - 1, shape (n,).
            counts: their counts, whole numbers of at least 0; all other cells have 0.
            domain_size: number d of cells, at most 1e7.
            family: a noise family, as in `dpviz.noise.FAMILIES`.
            rng: the generator that all noise is drawn from.

        Raises:
            ParameterError: if an argument is out of range.
            DataError: if indices or counts are not whole numbers, or a cell is given twice.
            HardenedModeError: if a float family is given a hardened generator.
        """
        cells, numbers = support(indices, counts, domain_size)
        if domain_size > MOST_CELLS:
            raise ParameterError(
                f"domain_size {domain_size} is too large to add noise to every cell, at most "
                f"{MOST_CELLS:.0e} are; use SparseHistogram"
            )
        values = np.zeros(
            domain_size, dtype=np.int64 if additive_family(family).integer else np.float64
        )
        values[cells] = numbers
        self._session = MultipleRelease(values, family, rng=rng)
        self._thresholds: dict[float, float] = {}

    @property
    def mode(self) -> streams.Mode:
        """Mode of the generator that the histogram was opened with."""
        return self._session.mode

    @property
    def levels(self) -> tuple[float, ...]:
        """All levels held, ascending."""
        return self._session.levels

    def release(self, level: float, threshold: float) -> tuple[Array, Array]:
        """The cells above the threshold at a noise level of the family.

        Args:
            level: noise level of the family, above 0.
            threshold: cells are released where value > threshold; infinity releases none.

        Returns:
            Indices (int64, ascending) and values (float64, or int64 for an integer family).

        Raises:
            ParameterError: if the level or the threshold is out of range, or the level is held
                with another threshold.
        """
        threshold = threshold_number(threshold)
        values = self._session.release(level)
        held = self._thresholds.setdefault(float(level), threshold)
        refuse_another(held, threshold, f"level {float(level)!r}")
        cells = np.flatnonzero(values > threshold).astype(np.int64)
        return cells, values[cells]


def refuse_another(held: float, threshold: float, where: str) -> None:
    """Pass only the threshold that is held: a second one would release more at the same budget.

    >>> refuse_another(5.0, 5.0, "ρ = 0.5")
    """
    if held != threshold:
        raise ParameterError(
            f"{where} is already released with threshold {held!r}; ask for that one, "
            f"or for {threshold!r} at another budget"
        )
