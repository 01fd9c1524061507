"""Prefix sums by a k-ary tree, with and without subtraction, as a factorization A = L·R.

The digits of t say which vertices make the running total: with t = Σ dₗ kˡ, dₗ vertices of width kˡ
are added behind those of the higher digits, or |dₗ| subtracted if dₗ < 0 [APT24, Algorithms 1 and
2, Appendix C]. R sums the input of each vertex that some total uses, L adds and subtracts them.
Column norms of R: an input lies in at most h vertices, so Δ₁ = h and Δ₂ = √h. Row t of L has the
squared norm Σ|dₗ|.
How far: a subtracted vertex may reach beyond n; R sums what there is of it, and where that is
nothing L still takes its noise, as the streaming counter does, which cannot know that the stream
ends. O(n h) time for L, O(n) for R, at any n that fits into memory.
[APT24] Count on Your Elders, arXiv:2408.07021; MATH-002-003-004 sections 2.1 to 2.3.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.mechanisms.operators import ColumnNorms, fitting
from dpviz.noise import Array

MOST_ARITY = 1000


@dataclass(frozen=True, slots=True)
class Tree:
    """Which vertices the totals of n numbers use.

    Attributes:
        n: numbers, and totals.
        arity: k, children of a vertex.
        subtraction: digits from −(k−1)/2 to (k−1)/2 (for even k one more above 0), else 0 to k−1.

    Raises:
        ParameterError: if a number is out of range, or there is nothing to subtract (k = 2 has
            the digits 0 and 1 either way).

    >>> Tree(40, 3, subtraction=True).height
    4
    """

    n: int
    arity: int
    subtraction: bool

    def __post_init__(self) -> None:
        checks.whole(1, n=self.n)
        checks.whole(2, arity=self.arity)
        if self.arity > MOST_ARITY:
            raise ParameterError(f"arity must be at most {MOST_ARITY}, got {self.arity}")

    @property
    def negative(self) -> int:
        """m: digits below 0."""
        return (self.arity - 1) // 2 if self.subtraction else 0

    @property
    def height(self) -> int:
        """h: the least number of digits that reaches n, by whole numbers alone."""
        h, reach, width = 0, 0, 1
        while reach < self.n:
            reach += (self.arity - 1 - self.negative) * width
            width *= self.arity
            h += 1
        return h

    def shift(self, level: int) -> int:
        """What turns the offset digits up to `level` into plain ones: m (k^{l+1} − 1)/(k − 1)."""
        return self.negative * sum(int(self.arity**i) for i in range(level + 1))

    def digit_total(self, level: int) -> int:
        """Σ over t = 1…n of |dₗ(t)|, in O(1).

        >>> sum(Tree(62, 5, subtraction=True).digit_total(l) for l in range(3))
        225
        """
        start = self.shift(level) + 1
        return self._below(level, start + self.n) - self._below(level, start)

    def square_total(self) -> int:
        """‖L‖²: the sum of all squared row norms, in O(h)."""
        return sum(self.digit_total(level) for level in range(self.height))

    def _below(self, level: int, number: int) -> int:
        """Σ|digit − m| at `level` over the plain numbers below `number`."""
        k, m = self.arity, self.negative
        width: int = k**level
        whole, rest = divmod(number, k * width)
        digit, part = divmod(rest, width)
        full = sum(abs(d - m) for d in range(k))
        before = sum(abs(d - m) for d in range(digit))
        return (whole * full + before) * width + part * abs(digit - m)

    def levels(self) -> Iterator[tuple[int, int, Array]]:
        """For every level its width kˡ, its last number of widths, and the used positions, sorted.

        The vertex at position p sums the inputs p·w + 1 … (p + 1)·w.
        """
        k, m = self.arity, self.negative
        for level in range(self.height):
            width = k**level
            last = (self.n + self.shift(level)) // width
            group, digit = divmod(last, k)
            positions = np.arange(group * k + max(digit - m, 0))
            yield width, last, positions[(positions + m) % k != k - 1]


@dataclass(frozen=True, slots=True)
class TreeVertices:
    """R: the sum in every vertex that some total uses, shape (vertices, n).

    >>> TreeVertices(Tree(4, 2, subtraction=False)).apply(np.array([1, 2, 3, 4]))
    array([ 1,  3,  3, 10])
    """

    tree: Tree
    whole: bool = True
    non_negative: bool = True

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return sum(used.size for _, _, used in self.tree.levels()), self.tree.n

    def apply(self, vector: Array) -> Array:
        """Sums of the vertices, level by level, each of them ascending."""
        totals = np.concatenate([[0], np.cumsum(fitting(vector, self))])
        n = self.tree.n
        return np.concatenate(
            [
                totals[np.minimum((used + 1) * width, n)] - totals[np.minimum(used * width, n)]
                for width, _, used in self.tree.levels()
            ]
        )

    def column_norms(self) -> ColumnNorms:
        """Vertices that hold each input."""
        held = np.zeros(self.tree.n)
        inputs = np.arange(self.tree.n)
        for width, last, used in self.tree.levels():
            is_used = np.zeros(last + 1, dtype=bool)
            is_used[used] = True
            position = np.minimum(inputs // width, last)
            held += is_used[position]
        return ColumnNorms(held, np.sqrt(held), np.minimum(held, 1.0))


@dataclass(frozen=True, slots=True)
class TreeSums:
    """L: running totals from the vertices, shape (n, vertices).

    >>> tree = Tree(4, 3, subtraction=True)
    >>> TreeSums(tree).apply(TreeVertices(tree).apply(np.array([1, 2, 3, 4])))
    array([ 1,  3,  6, 10])
    """

    tree: Tree
    whole: bool = True

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        vertices, n = TreeVertices(self.tree).shape
        return n, vertices

    @property
    def full_column_rank(self) -> bool | None:
        """Its rank is n, since its totals take all values: so where it has n columns."""
        n, vertices = self.shape
        return n == vertices

    def apply(self, vector: Array) -> Array:
        """Running totals: at each level a table by (higher digits, digit), read off for every t."""
        vertices = fitting(vector, self)
        k, m, t = self.tree.arity, self.tree.negative, np.arange(1, self.tree.n + 1)
        totals = np.zeros(self.tree.n, dtype=vertices.dtype)
        begin = 0
        for level, (width, last, used) in enumerate(self.tree.levels()):
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
        k, m, t = self.tree.arity, self.tree.negative, np.arange(1, self.tree.n + 1)
        digits = np.zeros(self.tree.n)
        for level in range(self.tree.height):
            digits += np.abs((t + self.tree.shift(level)) // k**level % k - m)
        return digits
