"""Prefix sums by a k-ary tree, with and without subtraction, as a factorization A = L·R.

The digits of t say which vertices make the running total: with t = Σ dₗ kˡ, dₗ vertices of width kˡ
are added behind those of the higher digits, or |dₗ| subtracted if dₗ < 0 [APT24, Algorithms 1 and
2, Appendix C]. R sums the input of each vertex that some total uses, L adds and subtracts them.
Column norms of R: an input lies in at most h vertices, so Δ₁ = h and Δ₂ = √h. Row t of L has the
squared norm Σ|dₗ|.
Limits: a subtracted vertex may reach beyond n; R sums what there is of it, and where that is
nothing L still takes its noise, as the streaming counter does, which cannot know that the stream
ends. O(n h) time for L, O(n) for R, at any n that fits into memory.
[APT24] Count on Your Elders, arXiv:2408.07021; MATHEMATICS 7.1 to 7.3.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from dpviz import checks
from dpviz.accounting.trees import Tree
from dpviz.errors import ParameterError
from dpviz.linear.operators import ColumnNorms, fitting
from dpviz.noise import Array

MOST_ARITY = 1000  # a table of this many digits is built per group


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
