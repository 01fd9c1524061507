"""Between counts, vertices and prefix sums of a whole stream: three passes, no index arrays.

On every level the k-1 vertices below one node lie side by side. An exact vertex is a difference of
two running sums; the prefix sums at the k digits of a node are the sums of its vertices, up and
down from the digit 0, on top of the prefix sum of the node itself. Whole numbers stay exact.
Source: MATHEMATICS 7.1.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz import checks
from dpviz.accounting.trees import Tree
from dpviz.counting.steps import LARGEST
from dpviz.errors import DataError
from dpviz.noise.family import Array

BLOCK = 65536  # prefix sums worked on at a time


@dataclass(frozen=True, slots=True)
class Row:
    """The vertices of one level: `nodes` times k-1 of them, from `place` in the statistic on.

    The first prefix sum of a node is at its lowest digits; `first` is that of the first node.
    """

    width: int
    nodes: int
    first_node: int
    first: int
    place: int

    def __post_init__(self) -> None:
        checks.whole(1, width=self.width, nodes=self.nodes)
        checks.whole(0, first_node=self.first_node, place=self.place)
        checks.whole(-LARGEST, first=self.first)


def rows_of(tree: Tree, steps: int) -> tuple[Row, ...]:
    """The levels of the tree that the prefix sums 1…T need, narrowest first.

    >>> [(row.width, row.nodes, row.place) for row in rows_of(Tree(3, 3, True), 5)]
    [(1, 3, 0), (3, 2, 6), (9, 1, 10)]
    """
    found, place = [], 0
    for level in range(tree.height):
        width = tree.arity**level
        first_node = tree.offset // width // tree.arity
        nodes = (tree.offset + steps) // width // tree.arity - first_node + 1
        below = Tree(tree.arity, level, tree.subtraction).offset if level else 0
        first = first_node * tree.arity * width - tree.offset + below
        found.append(Row(width, nodes, first_node, first, place))
        place += nodes * (tree.arity - 1)
    return tuple(found)


def prefix_sums(counts: Any) -> Array:
    """0 and the running sums of the counts, shape (T+1,), int64; refused unless whole and >= 0.

    >>> prefix_sums([3, 0, 2])
    array([0, 3, 3, 5])
    """
    try:
        array = np.asarray(counts)
    except (TypeError, ValueError):
        raise DataError("counts must be one list of whole numbers, one for each step") from None
    if array.ndim != 1 or not array.size:
        raise DataError("counts must be one list of whole numbers, one for each step, not empty")
    if array.dtype.kind not in "iu":
        raise DataError("counts must be whole numbers such as 3; round or clean them first")
    if array.min() < 0:
        raise DataError("counts must be at least 0; clean them first, for example set them to 0")
    rough = array.sum(dtype=np.float64)  # which never wraps around
    if rough > 2 * LARGEST or int(array.sum()) > LARGEST:
        raise DataError("counts must add up to at most 2**53; count in larger units")
    sums = np.empty(array.size + 1, np.int64)
    sums[0] = 0
    np.cumsum(array, out=sums[1:])
    return sums


def vertex_sums(tree: Tree, rows: tuple[Row, ...], sums: Array) -> Array:
    """Exact sum of every vertex, shape (vertices,), int64; inputs before and after count as 0.

    >>> tree, sums = Tree(3, 2, True), prefix_sums([1, 2, 3])
    >>> vertex_sums(tree, rows_of(tree, 3), sums)
    array([0, 1, 3, 0, 0, 6])
    """
    arity = tree.arity
    vertices = np.empty(rows[-1].place + rows[-1].nodes * (arity - 1), np.int64)
    for row in rows:
        out = vertices[row.place :][: row.nodes * (arity - 1)].reshape(row.nodes, arity - 1)
        for part in _parts(row.nodes, arity):
            nodes = out[part]
            start = row.first + part.start * arity * row.width
            ends = _at(sums, start, row.width, len(nodes) * arity).reshape(-1, arity)
            np.subtract(ends[:, 1:], ends[:, :-1], out=nodes)
    return vertices


def _at(sums: Array, start: int, width: int, number: int) -> Array:
    """Running sums at start, start + width, …; constant before and after the stream."""
    found = np.empty(number, np.int64)
    early = min(max(-(start // width), 0), number)
    inside = sums[start + early * width :: width][: number - early]
    found[:early] = 0
    found[early : early + inside.size] = inside
    found[early + inside.size :] = sums[-1]
    return found


def noisy_sums(tree: Tree, rows: tuple[Row, ...], vertices: Array, steps: int) -> Array:
    """The prefix sums 1…T from the values of all vertices, one pass over each level.

    Args:
        tree: the tree.
        rows: as of `rows_of`.
        vertices: their values, exact or noisy, shape (vertices,).
        steps: T.

    Returns:
        Shape (T,), the dtype of the vertices, read-only.

    >>> tree, sums = Tree(3, 2, True), prefix_sums([1, 2, 3])
    >>> rows = rows_of(tree, 3)
    >>> noisy_sums(tree, rows, vertex_sums(tree, rows, sums), 3)  # no noise
    array([1, 3, 6])
    """
    arity, above = tree.arity, np.zeros(1, vertices.dtype)  # the sum at digits that are all 0
    first_above = 0
    for row in reversed(rows):
        base = above[row.first_node - first_above :][: row.nodes]
        values = vertices[row.place :][: row.nodes * (arity - 1)].reshape(row.nodes, arity - 1)
        above = np.empty(row.nodes * arity, vertices.dtype)
        for part in _parts(row.nodes, arity):
            _fan(tree.most_negative, base[part], values[part], above.reshape(-1, arity)[part])
        first_above = row.first_node * arity
    above.setflags(write=False)
    return above[tree.offset - first_above + 1 :][:steps]


def _fan(middle: int, base: Array, values: Array, out: Array) -> None:
    """Prefix sums at every digit of some nodes: up and down from the digit 0, in place `middle`."""
    out[:, middle] = base
    for digit in range(middle, values.shape[1]):
        np.add(out[:, digit], values[:, digit], out=out[:, digit + 1])
    for digit in range(middle, 0, -1):
        np.subtract(out[:, digit], values[:, digit - 1], out=out[:, digit - 1])


def _parts(nodes: int, arity: int) -> Iterator[slice]:
    """Slices of nodes, a block of prefix sums at a time."""
    step = max(1, BLOCK // arity)
    yield from (slice(start, start + step) for start in range(0, nodes, step))
