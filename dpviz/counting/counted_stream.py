"""Continual counting of a whole stream: any tier, in any order, for all steps so far.

The statistic of the session are the sums of all vertices of the tree, so it can be sealed, and the
noisy prefix sums are a linear map of its releases: lossless, like these.

Between counts, vertices and prefix sums there are three passes, in O(T) and without index arrays.
On every level the k-1 vertices below one node lie side by side. An exact vertex is a difference of
two running sums; the prefix sums at the k digits of a node are the sums of its vertices, up and
down from the digit 0, on top of the prefix sum of the node itself. Whole numbers stay exact.
Limits: memory is O(T) for the exact vertices and for each tier, until sealed and after. One event
moves at most h vertices by 1; the map to prefix sums is exact for whole noise, and for floats right
to rounding. Source: MATHEMATICS 1.4, 7.1, 7.2.
[APT24] Andersson, Pagh, Torkamani, Count on Your Elders.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from dpviz import checks, streams
from dpviz.accounting.inputs import Number, positive
from dpviz.accounting.levels import laplace_level
from dpviz.accounting.trees import LAPLACE, Tree, counting_family
from dpviz.counting.steps import LARGEST, kept_tree
from dpviz.errors import DataError
from dpviz.noise.family import Array, Family
from dpviz.release import MultipleRelease

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


class CountedStream:
    """Noisy running counts of a stream that is known, at any budget, in any order.

    >>> from dpviz.noise import FAMILIES
    >>> stream = CountedStream(
    ...     [120, 80, 100], family=FAMILIES["discrete_laplace"], rng=streams.teaching(7)
    ... )
    >>> stream.release(0.5)
    array([119, 200, 300])
    >>> stream.release(2.0)  # less noise, drawn later, from the same paths
    array([120, 200, 300])
    >>> stream
    CountedStream(steps=3, arity=6, height=1, tiers=2, mode='teaching')
    """

    __slots__ = ("_moved", "_published", "_rows", "_session", "_steps", "_tree")

    def __init__(
        self,
        counts: Any,
        arity: int | None = None,
        subtraction: bool = True,
        *,
        sensitivity: Number = 1,
        family: Family = LAPLACE,
        rng: np.random.Generator,
        any_order: bool = False,
    ) -> None:
        """Open on the counts of all steps.

        Args:
            counts: new events of each step, shape (T,), whole numbers of at least 0.
            arity: k of the tree, at most 100,000; the best one for T if left out.
            subtraction: whether vertices may be subtracted.
            sensitivity: c, what one person can move the counts by altogether: the number of steps
                that they are counted at, times the most that they add to one count.
            family: Laplace, or discrete Laplace, whose releases are whole and exact.
            rng: generator that the noise is drawn from; hardened for discrete Laplace only.
            any_order: as for `MultipleRelease`.

        Raises:
            DataError: the counts are not whole numbers of at least 0 in one dimension.
            ParameterError: another argument is out of range.
            HardenedModeError: Laplace with a hardened generator.
        """
        sums = prefix_sums(counts)
        tree = kept_tree(sums.size - 1, arity, subtraction)
        vertices = _vertices(tree, sums)
        session = MultipleRelease(vertices, counting_family(family), rng=rng, any_order=any_order)
        self._begin(session, sums.size - 1, tree, sensitivity)

    @classmethod
    def around(
        cls,
        session: MultipleRelease,
        steps: int,
        arity: int | None = None,
        subtraction: bool = True,
        *,
        sensitivity: Number = 1,
    ) -> Self:
        """The running counts that are made of a session on the vertices of the tree.

        Args:
            session: a session on `exact_vertices`, or what it has released.
            steps: T: how many counts there are.
            arity: k of the tree, as it was opened with.
            subtraction: likewise.
            sensitivity: likewise.

        Raises:
            ParameterError: an argument is out of range.

        >>> from dpviz.noise import FAMILIES
        >>> vertices = exact_vertices([120, 80, 100])
        >>> session = MultipleRelease(
        ...     vertices, FAMILIES["discrete_laplace"], rng=streams.teaching(7)
        ... )
        >>> CountedStream.around(session, 3).release(0.5)
        array([119, 200, 300])
        """
        stream = cls.__new__(cls)
        stream._begin(session, steps, kept_tree(steps, arity, subtraction), sensitivity)
        return stream

    def _begin(self, session: MultipleRelease, steps: int, tree: Tree, sensitivity: Number) -> None:
        """Take over a session on the vertices of the tree."""
        self._session, self._steps, self._tree = session, steps, tree
        self._moved = positive(sensitivity=sensitivity)
        self._rows = rows_of(tree, steps)
        self._published: dict[float, Array] = {}

    @property
    def inner(self) -> MultipleRelease:
        """The session on the vertices, and the noisy vertices themselves."""
        return self._session

    @property
    def tree(self) -> Tree:
        """The tree: arity, height, digits and vertices of every step."""
        return self._tree

    @property
    def steps(self) -> int:
        """T: how many counts there are."""
        return self._steps

    @property
    def levels(self) -> tuple[float, ...]:
        """Noise scales of a vertex that are held, ascending."""
        return self._session.levels

    @property
    def held(self) -> Mapping[float, Array]:
        """The noisy running counts at every noise scale held; draws nothing."""
        return {level: self._running(level) for level in self.levels}

    @property
    def mode(self) -> streams.Mode:
        """Mode of the generator that the stream was opened with."""
        return self._session.mode

    def level(self, epsilon: Number) -> float:
        """Noise scale of a vertex at a budget: h·c/ε.

        Raises:
            ParameterError: the budget is out of range.
        """
        checks.number(epsilon=epsilon)
        return laplace_level(epsilon, self._tree.height * self._moved)

    def release(self, epsilon: Number) -> Array:
        """The noisy running counts at a budget, drawn if they are not held.

        Args:
            epsilon: budget for the whole stream, nats.

        Returns:
            Shape (T,): float64, or int64 for discrete Laplace. Read-only, and the same array
            whenever the same budget is asked for.

        Raises:
            ParameterError: the budget is out of range.
            SealedError: the stream is sealed at a smaller budget.
        """
        level = self.level(epsilon)
        self._session.release(level)
        return self._running(level)

    def _running(self, level: float) -> Array:
        """The running counts made of the vertices held at a level; made once."""
        if level not in self._published:
            noisy = self._session.held[level]
            made = noisy_sums(self._tree, self._rows, noisy, self._steps)
            return self._published.setdefault(level, made)
        return self._published[level]

    def seal(self, epsilon: Number) -> None:
        """Release at a budget and erase the exact counts: smaller budgets remain.

        Args:
            epsilon: the largest budget that will ever be served.

        Raises:
            ParameterError: a larger budget is held already, or the stream is sealed at another.
        """
        self._session.seal(self.level(epsilon))

    def __repr__(self) -> str:
        """Sizes and mode; never a count."""
        return (
            f"CountedStream(steps={self._steps}, arity={self._tree.arity}, "
            f"height={self._tree.height}, tiers={len(self.levels)}, mode={self.mode!r})"
        )


def exact_vertices(counts: Any, arity: int | None = None, subtraction: bool = True) -> Array:
    """The sums of all vertices of the tree, which noise is added to; not private.

    Args:
        counts: new events of each step, shape (T,).
        arity: k of the tree; the best one for T if left out.
        subtraction: whether vertices may be subtracted.

    Raises:
        DataError: the counts are not whole numbers of at least 0 in one dimension.
        ParameterError: the arity is out of range.

    >>> exact_vertices([3, 0, 2], 2)
    array([3, 2, 3])
    """
    sums = prefix_sums(counts)
    return _vertices(kept_tree(sums.size - 1, arity, subtraction), sums)


def _vertices(tree: Tree, sums: Array) -> Array:
    return vertex_sums(tree, rows_of(tree, sums.size - 1), sums)
