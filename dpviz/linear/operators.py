"""Matrices that are applied, never formed: what a factorization A = L·R needs of L and R.

An operator says its shape and applies itself to a vector. One that comes before the noise knows the
norms of its columns (how far one person moves), what stands behind it those of its rows (how noisy
the answers are). Here: any typed matrix, the identity and prefix sums; Toeplitz, tree, interval and
marginal operators have files of their own.
Limits: a typed matrix holds at most `MOST_ENTRIES` numbers; structured ones take n = 1,000,000.
Symbols: dpviz/NOTATION.md.
"""

from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.noise import Array

MOST_ENTRIES = 4_000_000  # of a dense matrix: 32 MB
LARGEST_ENTRY = 1e100  # squares and their sums stay finite


@dataclass(frozen=True, slots=True)
class ColumnNorms:
    """Norms of every column, each of shape (n,): Σ|rᵢ|, √Σrᵢ² and max|rᵢ|."""

    l1: Array
    l2: Array
    linf: Array

    def __post_init__(self) -> None:
        checks.arrays(1, least=0, l1=self.l1, l2=self.l2, linf=self.linf)


class Operator(Protocol):
    """A matrix of m rows and n columns that knows how to apply itself."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns, (m, n)."""

    @property
    def whole(self) -> bool:
        """Whether every entry is a whole number, so that counts stay counts."""

    def apply(self, vector: Array) -> Array:
        """The product with a vector, shape (n,) to (m,); whole operators keep int64 exactly."""


class RightFactor(Operator, Protocol):
    """An operator before the noise: its columns say how far one person moves."""

    @property
    def non_negative(self) -> bool:
        """Whether no entry is below 0."""

    def column_norms(self) -> ColumnNorms:
        """Norms of every column."""


class LeftFactor(Operator, Protocol):
    """What stands behind the noise: its rows say how much of it each answer gets."""

    @property
    def full_column_rank(self) -> bool | None:
        """Whether a left inverse exists; None if only the numbers can tell."""

    def row_squares(self) -> Array:
        """Squared ℓ₂ norm of every row, shape (m,)."""


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """A matrix given by its entries.

    Args:
        entries: anything numpy makes an array of shape (m, n) of; copied. Whole numbers that are
            written as floats count as whole.

    Raises:
        ParameterError: if it is empty, too large, not numeric, ragged or not finite.

    >>> Matrix([[1, 1], [0, 1]]).apply(np.array([3, 4]))
    array([7, 4])
    """

    entries: Array
    whole: bool
    non_negative: bool

    def __init__(self, entries: Any) -> None:
        array = _numbers(entries)
        whole = bool(np.all(np.abs(array) < 2**53) and np.all(array == np.rint(array)))
        array = array.astype(np.int64 if whole else np.float64)
        array.setflags(write=False)
        object.__setattr__(self, "entries", array)
        object.__setattr__(self, "whole", whole)
        object.__setattr__(self, "non_negative", bool(array.min() >= 0))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.entries.shape[0], self.entries.shape[1]

    @property
    def full_column_rank(self) -> bool | None:
        """Known only where there are more columns than rows."""
        return False if self.shape[1] > self.shape[0] else None

    def apply(self, vector: Array) -> Array:
        """The product with a vector."""
        return np.asarray(self.entries @ fitting(vector, self))

    def row_squares(self) -> Array:
        """Squared norms of the rows."""
        return np.asarray((self.entries.astype(np.float64) ** 2).sum(axis=1))

    def column_norms(self) -> ColumnNorms:
        """Norms of the columns."""
        sizes = np.abs(self.entries.astype(np.float64))
        return ColumnNorms(sizes.sum(axis=0), np.sqrt((sizes**2).sum(axis=0)), sizes.max(axis=0))


class Square:
    """What operators of n rows and n columns share; each is a record of its n."""

    __slots__ = ()
    n: int

    def __post_init__(self) -> None:
        checks.whole(1, n=self.n)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.n, self.n


@dataclass(frozen=True, slots=True)
class Identity(Square):
    """Leaves a vector of n numbers as it is."""

    n: int
    whole: ClassVar[bool] = True
    non_negative: ClassVar[bool] = True
    full_column_rank: ClassVar[bool | None] = True

    def apply(self, vector: Array) -> Array:
        """A copy of the vector."""
        return fitting(vector, self).copy()

    def row_squares(self) -> Array:
        """All 1."""
        return np.ones(self.n)

    def column_norms(self) -> ColumnNorms:
        """All 1."""
        return ColumnNorms(np.ones(self.n), np.ones(self.n), np.ones(self.n))


@dataclass(frozen=True, slots=True)
class PrefixSums(Square):
    """Running totals x₁ + … + x_t for t = 1…n, in O(n).

    >>> PrefixSums(3).apply(np.array([1, 2, 3]))
    array([1, 3, 6])
    """

    n: int
    whole: ClassVar[bool] = True
    non_negative: ClassVar[bool] = True
    full_column_rank: ClassVar[bool | None] = True

    def apply(self, vector: Array) -> Array:
        """Running totals."""
        return np.cumsum(fitting(vector, self))

    def row_squares(self) -> Array:
        """Row t holds t ones."""
        return np.arange(1.0, self.n + 1)

    def column_norms(self) -> ColumnNorms:
        """Column t holds n − t + 1 ones."""
        ones = np.arange(float(self.n), 0, -1)
        return ColumnNorms(ones, np.sqrt(ones), np.ones(self.n))


def as_operator(given: Any) -> Any:
    """An operator as it is, anything else as a `Matrix`.

    >>> as_operator([[1.0, 2.0]]).shape
    (1, 2)
    """
    return given if callable(getattr(given, "apply", None)) else Matrix(given)


def dense(operator: Operator) -> Array:
    """All entries, float64 of shape (m, n): for small operators and for tests.

    Raises:
        ParameterError: if there would be more than `MOST_ENTRIES`.

    >>> dense(PrefixSums(2))
    array([[1., 0.],
           [1., 1.]])
    """
    m, n = operator.shape
    if m * n > MOST_ENTRIES:
        raise ParameterError(
            f"a matrix of {m:,} × {n:,} numbers is too large to be written out; "
            f"keep rows × columns at {MOST_ENTRIES:,} or below"
        )
    if isinstance(operator, Matrix):
        return operator.entries.astype(np.float64)
    columns = np.empty((m, n))
    unit = np.zeros(n)
    for i in range(n):
        unit[i] = 1
        columns[:, i] = operator.apply(unit)
        unit[i] = 0
    return columns


def fitting(vector: Array, operator: Operator) -> Array:
    """The vector as int64 or float64, refused unless it has one number for each column.

    >>> fitting(np.array([1.5]), Identity(1))
    array([1.5])
    """
    array = np.asarray(vector)
    n = operator.shape[1]
    if array.shape != (n,) or array.dtype.kind not in "iuf":
        raise ParameterError(f"the vector must hold {n:,} numbers, one for each column")
    return array.astype(np.int64 if array.dtype.kind in "iu" else np.float64, copy=False)


def _numbers(entries: Any) -> Array:
    """A fresh array of shape (m, n), refused with a sentence."""
    try:
        array = np.asarray(entries)
    except (TypeError, ValueError):
        raise ParameterError(
            "the rows of the matrix differ in length; give every row as many numbers"
        ) from None
    if array.dtype.kind not in "biuf":
        raise ParameterError("the matrix holds something that is not a number; pass numbers only")
    if array.ndim != 2 or 0 in array.shape:
        raise ParameterError(
            f"the matrix must have rows and columns, shape (m, n), got shape {array.shape}"
        )
    if array.size > MOST_ENTRIES:
        raise ParameterError(
            f"the matrix has {array.size:,} entries; pass at most {MOST_ENTRIES:,}, "
            "or a structured operator"
        )
    array = np.array(array, dtype=np.float64)
    if not np.all(np.abs(array) <= LARGEST_ENTRY):  # NaN fails
        raise ParameterError(f"the matrix must hold finite numbers within ±{LARGEST_ENTRY:g}")
    return array
