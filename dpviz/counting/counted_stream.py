"""Continual counting of a whole stream: any tier, in any order, for all steps so far.

The statistic of the session are the sums of all vertices of the tree, so it can be sealed, and the
noisy prefix sums are a linear map of its releases: lossless, like these. On every level the k-1
vertices below one node lie side by side, and the prefix sums at its k digits are their running sums
up and down from the digit 0; so one pass over each level makes all T prefix sums, in O(T).
Limits: memory is O(T) for the exact vertices and for each tier, until sealed and after. One event
moves at most h vertices by 1; the map to prefix sums is exact for whole noise, and for floats right
to rounding. Source: MATHEMATICS 1.4, 7.1, 7.2.
[APT24] Andersson, Pagh, Torkamani, Count on Your Elders.
"""

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from dpviz import checks, streams
from dpviz.accounting.inputs import Number, positive
from dpviz.accounting.levels import laplace_level
from dpviz.accounting.trees import LAPLACE, Tree, counting_family
from dpviz.counting.maps import noisy_sums, prefix_sums, rows_of, vertex_sums
from dpviz.counting.steps import kept_tree
from dpviz.noise.family import Array, Family
from dpviz.release import MultipleRelease


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
