"""The distinguishing game of any coalition of a session, and what the coalition is promised.

A session holds 0 for each coordinate, or 0 plus what one person moves. Its levels are asked for in
the given order; the coalition holds some of the releases, in its own order, some perhaps asked for
twice. Coordinates of a session are independent, so one session of many coordinates is many runs.
The promise: the coalition learns what its least private member learns alone, whatever the others
hold, so the loss of any coalition is that of its least level [LMR25, Definition 1.1].
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.

The distinguishing game of a sparse histogram: one cell, with nobody in it or with one person.

Cells are independent given the budgets and thresholds, so a histogram of many cells is many runs.
A run shows, for each release, the value of its cell, or `HIDDEN` where the cell does not show.
The promise: all releases together cost the largest budget, as hiding what is small is done to noisy
numbers [LMR25, Lemma 5.5].
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.guarantees import guarantee_of
from dpviz.accounting.levels import gaussian_level
from dpviz.errors import ParameterError
from dpviz.experiments.audit_events import Likelihood
from dpviz.experiments.simulation import OpenReleases
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Family
from dpviz.release import MultipleRelease
from dpviz.sparse import SparseHistogram


@dataclass(frozen=True, slots=True)
class Coalition:
    """A mechanism for `dpviz.experiments.audit`: what a coalition of one session holds.

    Attributes:
        family: of the noise.
        order: levels in the order in which the session is asked.
        held: levels whose releases the coalition holds; one that stands twice is asked for again.
        shifts: what one person moves each coordinate by, in whole steps for whole-number noise.
        open_releases: what draws; another one than `MultipleRelease` is there to be caught.

    >>> from dpviz import streams
    >>> from dpviz.noise import FAMILIES
    >>> both = Coalition(FAMILIES["gaussian"], (4.0, 1.0), (1.0, 4.0))
    >>> both(True, 3, rng=streams.teaching(7)).shape
    (3, 2)
    """

    family: Family
    order: tuple[float, ...]
    held: tuple[float, ...]
    shifts: tuple[float, ...] = (1.0,)
    open_releases: OpenReleases = MultipleRelease

    def __post_init__(self) -> None:
        for level in (*self.order, *self.held):
            checks.positive(level=level)
        if not self.held or not set(self.held) <= set(self.order):
            raise ParameterError("held must name at least one level, and only levels of order")
        if not any(self.shifts):
            raise ParameterError("shifts must name what one person moves: at least one, not 0")
        for shift in self.shifts:
            checks.finite(shift=shift)
            if self.family.integer and shift != int(shift):
                raise ParameterError("shifts must be whole numbers for whole-number noise")

    def __call__(self, inside: bool, size: int, *, rng: np.random.Generator) -> NDArray[Any]:
        """What the coalition holds in this many runs, shape (size, releases times coordinates)."""
        kind = np.int64 if self.family.integer else np.float64
        exact = np.zeros((size, len(self.shifts)), dtype=kind)
        if inside:
            exact += np.array(self.shifts, dtype=kind)
        session = self.open_releases(exact.ravel(), self.family, rng=rng)
        for level in self.order:
            session.release(level)
        columns = [session.release(level).reshape(exact.shape) for level in self.held]
        return np.concatenate(columns, axis=1).astype(np.float64)

    @property
    def likelihood(self) -> Likelihood:
        """The best test of its least private release, if the noise is what it should be."""
        least, width = self.held.index(min(self.held)), len(self.shifts)
        places = tuple(range(least * width, (least + 1) * width))
        return Likelihood(self.family, min(self.held), self.shifts, places)

    @property
    def promised(self) -> PrivacyLoss:
        """The loss that it is promised: that of its least private release alone."""
        return promised_loss(self.family, min(self.held), self.shifts)

    def promised_epsilon(self, delta: float) -> float:
        """The ε that it is promised at a δ; infinite where nothing is promised."""
        found = self.promised.epsilon(delta) if delta else _pure(self)
        return float(found)


def promised_loss(family: Family, level: float, shifts: Sequence[float]) -> PrivacyLoss:
    """The loss of one release at a level, of all coordinates that one person moves.

    Raises:
        ParameterError: the family promises nothing.

    >>> from dpviz.noise import FAMILIES
    >>> round(float(promised_loss(FAMILIES["laplace"], 2.0, (1.0, -1.0)).epsilon(1e-9)), 3)
    1.0
    """
    of = guarantee_of(family).coordinate_loss
    return _composed([of(level, shift) for shift in shifts if shift])


def _composed(losses: Sequence[PrivacyLoss]) -> PrivacyLoss:
    total, *others = losses
    for other in others:
        total = total.compose(other)
    return total


def _pure(coalition: Coalition) -> float:
    """The ε at δ = 0: of pure noise only."""
    promise = guarantee_of(coalition.family)
    if not promise.pure:
        return math.inf
    return math.fsum(map(abs, coalition.shifts)) / min(coalition.held)


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
