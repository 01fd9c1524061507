"""Continual counting of a live stream, for several tiers at once from the same tree.

Every step takes the number of new events and gives one noisy running count per tier. One event
changes one count by 1, so at most h vertices of the tree: noise of scale h·c/ε on each is
ε-private for everything ever published to a tier, where c is what one person can move the counts by
altogether. The tiers share one noise path per vertex, so a coalition learns what its least private
member learns alone. Adaptive streams are fine: the noise never depends on the counts.
Limits: a tier may join at any time, for the steps to come; tiers for past steps need all vertices,
which `CountedStream` keeps. A live counter has to go on counting, so it cannot be sealed.
Source: MATHEMATICS 7.2, 7.3.  [APT24] Count on Your Elders, Theorem 1.1.
"""

import threading
from collections.abc import Sequence

import numpy as np

from dpviz import checks, streams
from dpviz.accounting.inputs import Number, positive
from dpviz.accounting.levels import laplace_level
from dpviz.accounting.trees import LAPLACE, Tree, counting_family
from dpviz.counting.steps import advance, begin, kept_tree, with_level
from dpviz.errors import ParameterError
from dpviz.noise.family import Array, Family
from dpviz.release import Uncopied


class ContinualCounter(Uncopied):
    """Noisy running counts of a stream that is still coming, one per tier.

    >>> from dpviz.noise import FAMILIES
    >>> counter = ContinualCounter(
    ...     365, [0.5, 2.0], family=FAMILIES["discrete_laplace"], rng=streams.teaching(7)
    ... )
    >>> counter.push(120), counter.push(80)
    (array([132, 121]), array([216, 200]))
    >>> counter.add_tier(1.0)
    2
    >>> counter.push(100)
    array([315, 299, 298])
    >>> counter
    ContinualCounter(steps=365, taken=3, tiers=3, arity=28, height=2, mode='teaching')
    """

    __slots__ = ("_dtype", "_epsilons", "_levels", "_lock", "_moved", "_places", "_rng", "_state")

    def __init__(
        self,
        steps: int,
        epsilons: Sequence[Number],
        arity: int | None = None,
        subtraction: bool = True,
        *,
        sensitivity: Number = 1,
        family: Family = LAPLACE,
        rng: np.random.Generator,
    ) -> None:
        """Open a counter.

        Args:
            steps: T, how many counts will come at most.
            epsilons: budget of each tier for the whole stream, nats, in any order.
            arity: k of the tree, at most 100,000; the best one for `steps` if left out.
            subtraction: whether vertices may be subtracted.
            sensitivity: c, what one person can move the counts by altogether: the number of steps
                that they are counted at, times the most that they add to one count.
            family: Laplace, or discrete Laplace, whose releases are whole and exact.
            rng: generator that the noise is drawn from; hardened for discrete Laplace only.

        Raises:
            ParameterError: an argument is out of range, or there is no tier.
            HardenedModeError: Laplace with a hardened generator.
        """
        tree = kept_tree(steps, arity, subtraction)
        counting_family(family)
        self._moved = positive(sensitivity=sensitivity)
        self._epsilons = _budgets(epsilons)
        self._levels = [laplace_level(e, tree.height * self._moved) for e in self._epsilons]
        self._rng = rng
        self._dtype: type[np.generic] = np.int64 if family.integer else np.float64
        self._state = begin(tree, int(steps), family, tuple(sorted(set(self._levels))), rng=rng)
        self._places = _places(self._levels, self._state.plan.levels)
        self._lock = threading.Lock()

    @property
    def tree(self) -> Tree:
        """The tree: arity, height, digits and vertices of every step."""
        return self._state.plan.tree

    @property
    def steps(self) -> int:
        """T: how many counts will come at most."""
        return self._state.plan.steps

    @property
    def taken(self) -> int:
        """t: how many counts have come."""
        return self._state.step

    @property
    def epsilons(self) -> tuple[Number, ...]:
        """Budgets of the tiers, in the order of the results of `push`."""
        return tuple(self._epsilons)

    @property
    def levels(self) -> tuple[float, ...]:
        """Noise scale of a vertex for each tier, in the same order."""
        return tuple(self._levels)

    @property
    def family(self) -> Family:
        """The noise family."""
        return self._state.plan.family

    @property
    def mode(self) -> streams.Mode:
        """Mode of the generator."""
        return streams.mode_of(self._rng)

    @property
    def numbers_kept(self) -> int:
        """How many noise values the counter keeps now; O(k log T), whatever has been counted."""
        return self._state.numbers

    def push(self, count: int) -> Array:
        """Take the count of the next step and publish the noisy running count.

        Args:
            count: new events of this step, a whole number of at least 0.

        Returns:
            Shape (tiers,), in the order of `epsilons`: float64, or int64 for discrete Laplace.

        Raises:
            DataError: the count is not a whole number of at least 0; nothing has changed.
            ParameterError: all steps have been taken.
        """
        with self._lock:  # two threads must not publish two counts with the same noise
            self._refuse_in_child()
            noisy, state = advance(self._state, count, rng=self._rng)
            if self._places is not None:
                noisy = [noisy[place] for place in self._places]
            self._state = state
            return np.array(noisy, self._dtype)

    def add_tier(self, epsilon: Number) -> int:
        """Let one more tier read along, from the next step on.

        Args:
            epsilon: its budget, nats, above or below those held.

        Returns:
            Its place in the results of `push`.

        Raises:
            ParameterError: the budget is out of range.
        """
        with self._lock:
            self._refuse_in_child()
            checks.number(epsilon=epsilon)
            level = laplace_level(epsilon, self.tree.height * self._moved)
            self._state = with_level(self._state, level, rng=self._rng)
            self._epsilons.append(epsilon)
            self._levels.append(level)
            self._places = _places(self._levels, self._state.plan.levels)
            return len(self._levels) - 1

    def __repr__(self) -> str:
        """Sizes and mode; never a count."""
        return (
            f"ContinualCounter(steps={self.steps}, taken={self.taken}, "
            f"tiers={len(self._levels)}, arity={self.tree.arity}, height={self.tree.height}, "
            f"mode={self.mode!r})"
        )


def _budgets(epsilons: Sequence[Number]) -> list[Number]:
    """The budgets as a list, refused if it is empty."""
    try:
        budgets = list(epsilons)
    except TypeError:
        budgets = []
    if not budgets or isinstance(epsilons, str | bytes):
        raise ParameterError("epsilons must be a list of one budget per tier, for example [0.5, 1]")
    for each in budgets:
        checks.number(epsilon=each)
    return budgets


def _places(levels: list[float], held: tuple[float, ...]) -> tuple[int, ...] | None:
    """Where the level of each tier stands among those held; None if they stand as they are."""
    places = tuple(held.index(level) for level in levels)
    return None if places == tuple(range(len(held))) else places
