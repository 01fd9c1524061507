"""Matrices that are applied, never formed: what a factorization A = L·R needs of L and R.

An operator says its shape and applies itself to a vector. One that comes before the noise knows the
norms of its columns (how far one person moves), what stands behind it those of its rows (how noisy
the answers are). Here: any typed matrix, the identity, prefix sums and their two factorizations
below, and the marginals of a two-way table; operators_intervals.py has those of intervals.

Square roots. Prefix sums are A = S·S with S lower-triangular Toeplitz, entries fⱼ = C(2j, j)/4ʲ
below the diagonal: f₀ = 1, fⱼ = fⱼ₋₁(1 − 1/(2j)) [HUU23]. Both factors have column norms √Σfⱼ²,
which grows like √(ln n / π): the least noise that is known for running totals in closed form. They
are applied by fast Fourier transform, so only for families that take real numbers. Rounding in the
transform is spread evenly: both factors together err by less than 1e-12 of the largest total at
n = 1,000,000.

Trees, k-ary, with and without subtraction. The digits of t say which vertices make the running
total: with t = Σ dₗ kˡ, dₗ vertices of width kˡ are added behind those of the higher digits, or
|dₗ| subtracted if dₗ < 0 [APT24, Algorithms 1 and 2, Appendix C]. R sums the input of each vertex
that some total uses, L adds and subtracts them. Column norms of R: an input lies in at most h
vertices, so Δ₁ = h and Δ₂ = √h. Row t of L has the squared norm Σ|dₗ|. A subtracted vertex may
reach beyond n; R sums what there is of it, and where that is nothing L still takes its noise, as
the streaming counter does, which cannot know that the stream ends. O(n h) time for L, O(n) for R,
at any n that fits into memory.

Limits: a typed matrix holds at most `MOST_ENTRIES` numbers; structured ones take n = 1,000,000.
Symbols: dpviz/NOTATION.md.  Source: MATHEMATICS 7.1 to 7.4.
[HUU23] Henzinger, Upadhyay, Upadhyay, Almost tight error bounds on differentially private continual
counting, SODA 2023.  [APT24] Count on Your Elders, arXiv:2408.07021.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np
from scipy.fft import irfft, next_fast_len, rfft

from dpviz import checks
from dpviz.accounting.prefix_sums import square_root_coefficients
from dpviz.accounting.trees import Tree
from dpviz.errors import ParameterError
from dpviz.noise import Array

MOST_ENTRIES = 4_000_000  # of a dense matrix: 32 MB
LARGEST_ENTRY = 1e100  # squares and their sums stay finite
MOST_ARITY = 1000  # a table of this many digits is built per group


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


@dataclass(frozen=True, slots=True)
class Marginals:
    """Row sums and column sums of a table whose cells are given row by row.

    Both sets add up to the same total, so the rank is rows + columns − 1: no left inverse as L
    where there are more cells than that.

    >>> Marginals(2, 3).apply(np.array([1, 2, 3, 10, 20, 30]))
    array([ 6, 60, 11, 22, 33])
    """

    rows: int
    columns: int
    whole: ClassVar[bool] = True
    non_negative: ClassVar[bool] = True

    def __post_init__(self) -> None:
        checks.whole(1, rows=self.rows, columns=self.columns)

    @property
    def shape(self) -> tuple[int, int]:
        """Sums and cells."""
        return self.rows + self.columns, self.rows * self.columns

    @property
    def full_column_rank(self) -> bool | None:
        """Only where a table has a single row or column."""
        return min(self.rows, self.columns) == 1

    def apply(self, vector: Array) -> Array:
        """Row sums, then column sums."""
        table = fitting(vector, self).reshape(self.rows, self.columns)
        return np.concatenate([table.sum(axis=1), table.sum(axis=0)])

    def row_squares(self) -> Array:
        """Cells in each sum."""
        return np.concatenate(
            [
                np.full(self.rows, float(self.columns)),
                np.full(self.columns, float(self.rows)),
            ]
        )

    def column_norms(self) -> ColumnNorms:
        """Every cell is in one row and one column."""
        cells = np.ones(self.rows * self.columns)
        return ColumnNorms(2 * cells, np.sqrt(2) * cells, cells)


@dataclass(frozen=True, slots=True)
class SquareRoot(Square):
    """S with S·S = prefix sums of n numbers, in O(n log n).

    >>> root = SquareRoot(3)
    >>> root.apply(root.apply(np.array([1.0, 2.0, 3.0]))).round(12)
    array([1., 3., 6.])
    """

    n: int
    whole: ClassVar[bool] = False
    non_negative: ClassVar[bool] = True
    full_column_rank: ClassVar[bool | None] = True

    def apply(self, vector: Array) -> Array:
        """The product, float64."""
        numbers = fitting(vector, self).astype(np.float64)
        size = next_fast_len(2 * self.n - 1, real=True)  # room for all of the product: no wrapping
        both = rfft(square_root_coefficients(self.n), size) * rfft(numbers, size)
        return np.asarray(irfft(both, size)[: self.n])

    def row_squares(self) -> Array:
        """Row t holds f₀ … f_{t−1}."""
        return np.cumsum(square_root_coefficients(self.n) ** 2)

    def column_norms(self) -> ColumnNorms:
        """Column t holds f₀ … f_{n−t}."""
        f = square_root_coefficients(self.n)
        return ColumnNorms(
            np.cumsum(f)[::-1].copy(), np.sqrt(np.cumsum(f**2))[::-1].copy(), np.ones(self.n)
        )


def used_vertices(tree: Tree, n: int) -> Iterator[tuple[int, int, Array]]:
    """For every level its width kˡ, its last number of widths, and the used positions, sorted.

    The vertex at position p sums the inputs p·w + 1 … (p + 1)·w; those of level 0 come first.

    >>> from dpviz.accounting.trees import smallest_tree
    >>> tree = smallest_tree(4, 2, subtraction=False)
    >>> [(width, last, at.tolist()) for width, last, at in used_vertices(tree, 4)]
    [(1, 4, [0, 2]), (2, 2, [0]), (4, 1, [0])]
    """
    k, m = tree.arity, tree.most_negative
    for level in range(tree.height):
        width = k**level
        last = (n + tree.shift(level)) // width
        group, digit = divmod(last, k)
        positions = np.arange(group * k + max(digit - m, 0))
        yield width, last, positions[(positions + m) % k != k - 1]


def _check(tree: Tree, n: int) -> None:
    """Refuse more totals than the tree gives, and arities that would fill the memory."""
    n = checks.integer(1, n=n)
    if tree.arity > MOST_ARITY:
        raise ParameterError(f"arity must be at most {MOST_ARITY:,}, got {tree.arity:,}")
    if n > tree.most_steps:
        raise ParameterError(
            f"this tree gives {tree.most_steps:,} totals, got n = {n:,}; "
            "take the tree that smallest_tree(n, arity) makes"
        )


@dataclass(frozen=True, slots=True)
class TreeVertices:
    """R: the sum in every vertex that some total uses, shape (vertices, n).

    Raises:
        ParameterError: if the tree gives fewer than n totals.

    >>> from dpviz.accounting.trees import smallest_tree
    >>> tree = smallest_tree(4, 2, subtraction=False)
    >>> TreeVertices(tree, 4).apply(np.array([1, 2, 3, 4]))
    array([ 1,  3,  3, 10])
    """

    tree: Tree
    n: int
    whole: ClassVar[bool] = True
    non_negative: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _check(self.tree, self.n)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return sum(used.size for _, _, used in used_vertices(self.tree, self.n)), self.n

    def apply(self, vector: Array) -> Array:
        """Sums of the vertices, level by level, each of them ascending."""
        totals = np.concatenate([[0], np.cumsum(fitting(vector, self))])
        n = self.n
        return np.concatenate(
            [
                totals[np.minimum((used + 1) * width, n)] - totals[np.minimum(used * width, n)]
                for width, _, used in used_vertices(self.tree, self.n)
            ]
        )

    def column_norms(self) -> ColumnNorms:
        """Vertices that hold each input."""
        held = np.zeros(self.n)
        inputs = np.arange(self.n)
        for width, last, used in used_vertices(self.tree, self.n):
            is_used = np.zeros(last + 1, dtype=bool)
            is_used[used] = True
            position = np.minimum(inputs // width, last)
            held += is_used[position]
        return ColumnNorms(held, np.sqrt(held), np.minimum(held, 1.0))


@dataclass(frozen=True, slots=True)
class TreeSums:
    """L: running totals from the vertices, shape (n, vertices).

    Raises:
        ParameterError: if the tree gives fewer than n totals.

    >>> from dpviz.accounting.trees import smallest_tree
    >>> tree = smallest_tree(4, 3, subtraction=True)
    >>> TreeSums(tree, 4).apply(TreeVertices(tree, 4).apply(np.array([1, 2, 3, 4])))
    array([ 1,  3,  6, 10])
    """

    tree: Tree
    n: int
    whole: ClassVar[bool] = True

    def __post_init__(self) -> None:
        _check(self.tree, self.n)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        vertices, n = TreeVertices(self.tree, self.n).shape
        return n, vertices

    @property
    def full_column_rank(self) -> bool | None:
        """Its rank is n, since its totals take all values: so where it has n columns."""
        n, vertices = self.shape
        return n == vertices

    def apply(self, vector: Array) -> Array:
        """Running totals: at each level a table by (higher digits, digit), read off for every t."""
        vertices = fitting(vector, self)
        k, m, t = self.tree.arity, self.tree.most_negative, np.arange(1, self.n + 1)
        totals = np.zeros(self.n, dtype=vertices.dtype)
        begin = 0
        for level, (width, last, used) in enumerate(used_vertices(self.tree, self.n)):
            groups = last // k + 1
            table = np.zeros((groups, k), dtype=vertices.dtype)
            group, place = divmod(used + m, k)
            table[group, place] = vertices[begin : begin + used.size]
            begin += used.size
            signed = np.zeros((groups, k), dtype=vertices.dtype)  # by digit + m; 0 at digit 0
            signed[:, m + 1 :] = np.cumsum(table[:, m : k - 1], axis=1)
            signed[:, :m] = -np.cumsum(table[:, :m][:, ::-1], axis=1)[:, ::-1]
            totals += signed.ravel()[(t + self.tree.shift(level)) // width]
        return totals

    def row_squares(self) -> Array:
        """Σ|dₗ(t)| for t = 1…n."""
        k, m, t = self.tree.arity, self.tree.most_negative, np.arange(1, self.n + 1)
        digits = np.zeros(self.n)
        for level in range(self.tree.height):
            digits += np.abs((t + self.tree.shift(level)) // k**level % k - m)
        return digits
