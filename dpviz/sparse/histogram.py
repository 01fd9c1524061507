"""A thresholded Gaussian histogram over a huge domain, at a cost that does not grow with it.

The law is that of noise in every cell with the cells kept where value > threshold [LMR25,
Algorithm 3], for budgets in any order. Cells with a count live in a session of their own. Of the
others only those are drawn that show: a binomial number of cells that have never shown, chosen
uniformly, with noise from the law of a first crossing; from then on their noise is held. So work is
O(support + crossings + levels) for every domain. Printed Algorithm 6 draws another law
(MATHEMATICS 8.4); its density is in printed_law.py.

Thresholds follow from the number of phantoms: cells without a count that show by noise alone. One
release of variance t shows such a cell with probability Q(τ/σ), σ = √t, with Q the upper tail of
the standard normal law; of n such cells it shows n·Q(τ/σ) on average (MATHEMATICS 8.1). Public
numbers only: n is the size of the domain, or what is known to be empty of it. Solved in logarithms:
exact for domains up to 1e12 and beyond.
Limits: Gaussian noise in floating point, a teaching mechanism; weakly lossless, as thresholding is
not linear; it cannot be sealed.
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1, section 5.2 and Appendix C.
"""

import math
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, Never

import numpy as np
from scipy import special

from dpviz import checks, streams
from dpviz.accounting.inputs import Number, positive
from dpviz.accounting.levels import gaussian_level
from dpviz.errors import ParameterError, SealedError
from dpviz.noise.family import Array
from dpviz.release import Uncopied
from dpviz.sparse.cells import support, threshold_number
from dpviz.sparse.dense_histogram import MOST_CELLS, DenseHistogram, refuse_another
from dpviz.sparse.sampler import SparseSampler

METHODS = ("auto", "sparse", "dense")
FIXED, PER_CROSSING, PER_CELL = 1.5e-3, 6e-7, 2e-8  # seconds: sparse release, crossing, dense cell

Method = Literal["auto", "sparse", "dense"]
Release = tuple[Array, Array]


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """Normal variates drawn for one request, and the numbers to set beside all drawn so far.

    Not private: the numbers tell how many cells have a count.
    """

    rho: float
    threshold: float
    drawn: int  # for this request
    drawn_so_far: int
    lemma: int  # (k + c)·m for m requests so far and c cells crossed [LMR25, Lemma 5.7]
    dense: int  # d·m: noise in every cell
    crossed: int  # cells that crossed for the first time

    def __post_init__(self) -> None:
        checks.positive(rho=self.rho)
        checks.between(-math.inf, math.inf, threshold=self.threshold)
        checks.whole(0, drawn=self.drawn, drawn_so_far=self.drawn_so_far, lemma=self.lemma)
        checks.whole(0, dense=self.dense, crossed=self.crossed)


class SparseHistogram(Uncopied):
    """Thresholded histogram, lossless multiple release: ask for budgets in any order.

    >>> histogram = SparseHistogram(
    ...     [5, 900_000_000_000], [30, 50], 10**12, l2_sensitivity=1.0, rng=streams.teaching(7)
    ... )
    >>> cells, values = histogram.release(0.05, threshold=24.0)
    >>> cells, np.round(values, 1)
    (array([           5, 900000000000]), array([30. , 50.9]))
    >>> histogram.release(0.05, 24.0)[1] is values  # asked again: the same numbers
    True
    """

    __slots__ = (
        "_answers",
        "_dense",
        "_domain_size",
        "_l2",
        "_lock",
        "_method",
        "_sparse",
        "_work",
    )

    def __init__(
        self,
        indices: Any,
        counts: Any,
        domain_size: int,
        *,
        l2_sensitivity: Number,
        rng: np.random.Generator,
        method: Method = "auto",
    ) -> None:
        """Open a histogram.

        Args:
            indices: cells with a count, whole numbers in 0 … domain_size - 1, shape (n,). A cell
                given with count 0 is treated like every cell that was not given.
            counts: their counts, whole numbers of at least 0, shape (n,).
            domain_size: number d of cells, at most 1e12.
            l2_sensitivity: largest Euclidean change of the counts by one person, above 0.
            rng: the generator that all noise is drawn from.
            method: "sparse", "dense" (d at most 1e7), or "auto": the quicker one, settled at the
                first release from the size of the domain and the threshold, never from the counts.

        Raises:
            ParameterError: if an argument is out of range.
            DataError: if indices or counts are not whole numbers, or a cell is given twice.
            HardenedModeError: if the generator is a hardened one.
        """
        checks.one_of(METHODS, method=method)
        cells, numbers = support(indices, counts, domain_size)
        if method == "dense" and domain_size > MOST_CELLS:
            raise ParameterError(
                f'domain_size must be at most {MOST_CELLS:.0e} for method "dense", '
                f'got {domain_size}; pass method "sparse"'
            )
        checks.number(l2_sensitivity=l2_sensitivity)
        gaussian_level(1.0, l2_sensitivity)  # refuses a sensitivity that no noise belongs to
        self._domain_size, self._l2 = int(domain_size), float(l2_sensitivity)
        self._method: Method = method
        self._sparse = SparseSampler(cells, numbers, self._domain_size, rng=rng)
        self._dense: DenseHistogram | None = None
        if method == "dense":
            self._open_dense()
        self._answers: dict[float, tuple[float, Release]] = {}
        self._work: list[Work] = []
        self._lock = threading.RLock()

    @property
    def method(self) -> Method:
        """How it draws: "sparse" or "dense"; "auto" until the first release has settled it."""
        return self._method

    @property
    def mode(self) -> streams.Mode:
        """Mode of the generator that the histogram was opened with."""
        return self._sparse.mode

    @property
    def domain_size(self) -> int:
        """Number d of cells."""
        return self._domain_size

    @property
    def releases(self) -> tuple[tuple[float, float], ...]:
        """All (rho, threshold) released so far, in the order of asking."""
        return tuple((work.rho, work.threshold) for work in self._work)

    @property
    def work(self) -> tuple[Work, ...]:
        """What each release cost in normal variates, in the order of asking. Not private."""
        return tuple(self._work)

    def release(self, rho: Number, threshold: float) -> Release:
        """The cells whose noisy count lies above the threshold, and these noisy counts.

            value = count + N(ℓ),  ℓ = Δ₂²/(2ρ),  kept where value > threshold

        Args:
            rho: zCDP budget, above 0; any order.
            threshold: any number but minus infinity; infinity releases nothing.

        Returns:
            Indices, int64 and ascending, and values, float64; read-only, and the same arrays
            whenever the same budget and threshold are asked for.

        Raises:
            ParameterError: if a number is out of range, the budget is held with another threshold,
                or the threshold would let more than 1e6 cells through by noise alone.

        Source: MATHEMATICS 8.1 to 8.3; [LMR25, Algorithm 3] draws the same law.
        """
        checks.number(rho=rho)
        level, threshold = gaussian_level(rho, self._l2), threshold_number(threshold)
        with self._lock:  # two threads that ask at once must not both draw
            if level in self._answers:
                held, answer = self._answers[level]
                refuse_another(held, threshold, f"rho {float(rho)!r}")
                return answer
            self._refuse_in_child()
            if self._method == "auto":
                self._settle(level, threshold)
            answer = (
                self._sparse.release(level, threshold)
                if self._dense is None
                else self._dense.release(level, threshold)
            )
            for array in answer:
                array.setflags(write=False)
            self._answers[level] = (threshold, answer)
            self._note(float(rho), threshold)
            return answer

    @property
    def held(self) -> Mapping[float, Release]:
        """Indices and values of every release held, by its level; draws nothing."""
        return {level: answer for level, (_, answer) in tuple(self._answers.items())}

    def seal(self, *_: Any) -> Never:
        """Refuse: a sparse histogram cannot forget its exact counts.

        Raises:
            SealedError: always.
        """
        raise SealedError(
            "a sparse histogram cannot be sealed: whether a hidden cell shows at a noisier level "
            "depends on its exact count; make all releases now, then discard the histogram"
        )

    def __repr__(self) -> str:
        """Size and state; never a value, nor how many cells have a count."""
        return (
            f"SparseHistogram(domain_size={self._domain_size}, releases={len(self._answers)}, "
            f"method={self._method!r}, mode={self.mode!r})"
        )

    def _settle(self, level: float, threshold: float) -> None:
        """Choose the quicker method from public numbers, as if all releases were like this one."""
        by_noise = self._domain_size * float(special.ndtr(-threshold / math.sqrt(level)))
        slow = self._domain_size > MOST_CELLS
        if slow or FIXED + PER_CROSSING * by_noise < PER_CELL * self._domain_size:
            self._method = "sparse"
        else:
            self._open_dense()

    def _open_dense(self) -> None:
        """Hand the counts over to a session on the whole domain."""
        self._dense = self._sparse.spread()
        self._method = "dense"

    def _note(self, rho: float, threshold: float) -> None:
        """Write down what the request has cost."""
        sparse, requests = self._sparse, len(self._work) + 1
        dense = self._domain_size * requests
        before = self._work[-1].drawn_so_far if self._work else 0
        crossed_before = sum(work.crossed for work in self._work)
        so_far = (
            sparse.drawn if self._dense is None else self._domain_size * len(self._dense.levels)
        )
        self._work.append(
            Work(
                rho=rho,
                threshold=threshold,
                drawn=so_far - before,
                drawn_so_far=so_far,
                lemma=(sparse.support_size + sparse.crossed) * requests,
                dense=dense,
                crossed=sparse.crossed - crossed_before,
            )
        )


def expected_phantoms(
    rho: Number, threshold: float, *, cells: int, l2_sensitivity: Number
) -> float:
    """Expected number of cells without a count that one release shows: n·Q(τ/σ).

    Args:
        rho: zCDP budget of the release, above 0.
        threshold: τ, in units of the count; not NaN, not minus infinity.
        cells: number n of cells without a count.
        l2_sensitivity: above 0, in units of the count.

    Returns:
        The expected number, at least 0 and at most `cells`.

    Raises:
        ParameterError: an argument is out of range.

    >>> round(expected_phantoms(0.5, 5.0, cells=10**9, l2_sensitivity=1.0), 3)
    286.652
    """
    cells = checks.integer(0, cells=cells)
    checks.number(cells=cells)  # refuses more of them than a float can hold
    checks.number(rho=rho)
    checks.number(l2_sensitivity=l2_sensitivity)
    deviation = math.sqrt(gaussian_level(rho, l2_sensitivity))
    return cells * float(special.ndtr(-threshold_number(threshold) / deviation))


def threshold_for(rho: Number, phantoms: Number, *, cells: int, l2_sensitivity: Number) -> float:
    """Least threshold with at most m phantom cells expected: n·Q(τ/σ) <= m.

    Args:
        rho: zCDP budget of the release, above 0.
        phantoms: m, above 0 and below `cells`.
        cells: number n of cells without a count, at least 1.
        l2_sensitivity: above 0, in units of the count.

    Returns:
        τ in units of the count; `expected_phantoms` of it never exceeds `phantoms`.

    Raises:
        ParameterError: an argument is out of range.

    >>> round(threshold_for(0.5, 1, cells=10**12, l2_sensitivity=1.0), 6)
    7.034484
    """
    cells = checks.integer(1, cells=cells)
    checks.number(cells=cells)  # refuses more of them than a float can hold
    most = positive(phantoms=phantoms)
    if most >= cells:
        raise ParameterError(
            f"phantoms must be fewer than the {cells} cells without a count, got {phantoms!r}; "
            "with that many allowed no threshold is needed"
        )
    checks.number(rho=rho)
    checks.number(l2_sensitivity=l2_sensitivity)
    deviation = math.sqrt(gaussian_level(rho, l2_sensitivity))
    threshold = -deviation * float(special.ndtri_exp(math.log(most) - math.log(cells)))
    step = 2.0**-52 * max(abs(threshold), deviation)
    while cells * float(special.ndtr(-threshold / deviation)) > most:
        threshold, step = threshold + step, 2 * step
    return threshold
