"""Sums over intervals of n numbers: all ranges, and intervals read from a Haar wavelet.

The wavelet sums nothing but whole numbers: the total, and for every node of a binary tree its left
half minus its right half. Each input is in 1 + log₂ N of them with sign ±1, so Δ₁ = 1 + log₂ N and
Δ₂ = √Δ₁ with N the power of two at or above n; an interval cuts at most two nodes of each width
[XWG10, with the coefficients scaled to equal noise].
Limits: O(n) for the wavelet, O(m + n) for m intervals; all ranges up to n = 1,000, half a million.
[XWG10] Xiao, Wang, Gehrke, Differential privacy via wavelet transforms, ICDE 2010.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.linear.operators import ColumnNorms, LeftFactor, dense, fitting
from dpviz.noise import Array

MOST_RANGED = 1000
Which = Literal["points", "prefixes", "ranges"]


def ends(which: Which, n: int) -> tuple[Array, Array]:
    """Where the intervals begin and end, half-open, counted from 0; ranges row by row.

    Raises:
        ParameterError: n is not a whole number of at least 1, or has too many ranges to list.

    >>> ends("ranges", 2)
    (array([0, 0, 1]), array([1, 2, 2]))
    """
    n = checks.integer(1, n=n)
    if which == "points":
        return np.arange(n), np.arange(n) + 1
    if which == "prefixes":
        return np.zeros(n, dtype=np.int64), np.arange(n) + 1
    if n > MOST_RANGED:
        raise ParameterError(
            f"{n:,} numbers have {n * (n + 1) // 2:,} ranges; ask for all ranges of at most "
            f"{MOST_RANGED:,} numbers"
        )
    first, last = np.triu_indices(n)
    return first, last + 1


@dataclass(frozen=True, slots=True)
class Ranges:
    """The sums of all n(n + 1)/2 ranges, those that begin first in front: 1…1, 1…2, … n…n.

    >>> Ranges(3).apply(np.array([1, 2, 4]))
    array([1, 3, 7, 2, 6, 4])
    """

    n: int
    whole: ClassVar[bool] = True
    non_negative: ClassVar[bool] = True
    full_column_rank: ClassVar[bool | None] = True

    def __post_init__(self) -> None:
        ends("ranges", self.n)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.n * (self.n + 1) // 2, self.n

    def apply(self, vector: Array) -> Array:
        """Differences of running totals."""
        return _over(fitting(vector, self), *ends("ranges", self.n))

    def row_squares(self) -> Array:
        """Length of each range."""
        first, last = ends("ranges", self.n)
        return (last - first).astype(np.float64)

    def column_norms(self) -> ColumnNorms:
        """Input t lies in t (n − t + 1) ranges."""
        t = np.arange(1.0, self.n + 1)
        held = t * (self.n - t + 1)
        return ColumnNorms(held, np.sqrt(held), np.ones(self.n))


@dataclass(frozen=True, slots=True)
class HaarCoefficients:
    """R: the total, then for nodes from wide to narrow the left half minus the right half.

    Inputs beyond n count 0; nodes that hold none of the n inputs are left out.

    >>> HaarCoefficients(4).apply(np.array([1, 2, 3, 5]))
    array([11, -5, -1, -2])
    """

    n: int
    whole: ClassVar[bool] = True
    non_negative: ClassVar[bool] = False

    def __post_init__(self) -> None:
        checks.whole(1, n=self.n)

    @property
    def padded(self) -> int:
        """N: the power of two at or above n."""
        return 1 << (self.n - 1).bit_length()

    @property
    def widths(self) -> tuple[int, ...]:
        """Widths of the nodes, N … 2."""
        return tuple(self.padded >> i for i in range(self.padded.bit_length() - 1))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return 1 + sum(-(-self.n // width) for width in self.widths), self.n

    def apply(self, vector: Array) -> Array:
        """All coefficients, in O(n)."""
        numbers = fitting(vector, self)
        sums = np.zeros(self.padded, dtype=numbers.dtype)
        sums[: self.n] = numbers
        found = []
        for width in reversed(self.widths):
            pairs = sums.reshape(-1, 2)
            found.append((pairs[:, 0] - pairs[:, 1])[: -(-self.n // width)])
            sums = pairs[:, 0] + pairs[:, 1]
        return np.concatenate([sums, *reversed(found)])

    def column_norms(self) -> ColumnNorms:
        """Every input is in the total and in one node of each width."""
        held = np.full(self.n, 1.0 + len(self.widths))
        return ColumnNorms(held, np.sqrt(held), np.ones(self.n))


@dataclass(frozen=True, slots=True)
class HaarSums:
    """L: intervals from the coefficients.

    >>> wavelet = HaarCoefficients(3)
    >>> HaarSums(3, "prefixes").apply(wavelet.apply(np.array([1, 2, 4])))
    array([1., 3., 7.])
    """

    n: int
    which: Which
    whole: ClassVar[bool] = False

    def __post_init__(self) -> None:
        checks.whole(1, n=self.n)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return ends(self.which, self.n)[0].size, HaarCoefficients(self.n).shape[0]

    @property
    def full_column_rank(self) -> bool | None:
        """Its rank is n, so where the wavelet has n coefficients: n is a power of two."""
        return self.shape[1] == self.n

    def apply(self, vector: Array) -> Array:
        """Invert the wavelet, then sum over the intervals."""
        coefficients = fitting(vector, self).astype(np.float64)
        wavelet = HaarCoefficients(self.n)
        values, begin = coefficients[:1] / wavelet.padded, 1
        for width in wavelet.widths:
            count = -(-self.n // width)
            detail = np.zeros(values.size)
            detail[:count] = coefficients[begin : begin + count] / width
            begin += count
            values = np.column_stack([values + detail, values - detail]).ravel()
        return _over(values[: self.n], *ends(self.which, self.n))

    def row_squares(self) -> Array:
        """Σ over the nodes that an interval cuts of its weight there, squared; O(m log n).

        A prefix that ends r inputs into a node of width w has weight min(r, w − r)/w there.
        """
        first, last = ends(self.which, self.n)
        wavelet = HaarCoefficients(self.n)
        squares = ((last - first) / wavelet.padded) ** 2
        for width in wavelet.widths:
            at_first, at_last = first % width, last % width
            low = np.minimum(at_first, width - at_first) / width
            high = np.minimum(at_last, width - at_last) / width
            same = first // width == last // width
            squares += low**2 + high**2 - np.where(same, 2 * low * high, 0.0)
        return squares


@dataclass(frozen=True, slots=True)
class RangesOf:
    """L for all ranges: differences of the rows of L for prefix sums.

    >>> from dpviz.linear.operators import Identity
    >>> RangesOf(Identity(2)).apply(np.array([5, 7]))
    array([5, 7, 2])
    """

    prefixes: LeftFactor

    @property
    def n(self) -> int:
        """Numbers, and prefixes."""
        return self.prefixes.shape[0]

    @property
    def whole(self) -> bool:
        """As that of the prefix sums."""
        return self.prefixes.whole

    @property
    def shape(self) -> tuple[int, int]:
        """Ranges and inner dimension."""
        return self.n * (self.n + 1) // 2, self.prefixes.shape[1]

    @property
    def full_column_rank(self) -> bool | None:
        """As that of the prefix sums: these are ranges, and the others follow from them."""
        return self.prefixes.full_column_rank

    def apply(self, vector: Array) -> Array:
        """Differences of the prefixes."""
        return _between(self.prefixes.apply(vector), *ends("ranges", self.n))

    def row_squares(self) -> Array:
        """‖row b − row a‖² by the products of all rows, in O(n² · inner)."""
        rows = np.vstack([np.zeros(self.shape[1]), dense(self.prefixes)])
        products = rows @ rows.T
        first, last = ends("ranges", self.n)
        own = np.diag(products)
        return np.asarray(np.maximum(own[first] + own[last] - 2 * products[first, last], 0.0))


def _over(numbers: Array, first: Array, last: Array) -> Array:
    """Sums of the half-open intervals."""
    return _between(np.cumsum(numbers), first, last)


def _between(prefixes: Array, first: Array, last: Array) -> Array:
    """Differences of prefixes, the empty one put in front."""
    totals = np.concatenate([np.zeros(1, dtype=prefixes.dtype), prefixes])
    return np.asarray(totals[last] - totals[first])
