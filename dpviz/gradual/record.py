"""What a path holds: the steps of all coordinates, one after the other in flat arrays.

The steps of coordinate i are entries offsets[i] to offsets[i + 1]. Step k has the value that the
path has from just above the budget of step k - 1 up to, and including, its own; the last one ends
at the largest budget. So a jump is what lies between two steps, and the value at any ε is that
of the first step whose budget is at least ε.
"""

from typing import NamedTuple

import numpy as np

from dpviz.noise.family import Array


class Steps(NamedTuple):
    """Flat arrays, never changed once they are made."""

    offsets: Array  # shape (d + 1,)
    epsilons: Array  # ascending within a coordinate
    values: Array

    @classmethod
    def of(cls, size: int, owner: Array, epsilons: Array, values: Array) -> "Steps":
        """Put steps in order.

        Args:
            size: number of coordinates.
            owner: coordinate of each step.
            epsilons: budget at which it ends.
            values: its value.

        >>> Steps.of(1, np.array([0, 0]), np.array([2.0, 1.0]), np.array([5.0, 9.0])).at(1.5)
        array([5.])
        """
        order = np.lexsort((epsilons, owner))
        offsets = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=size))])
        return cls(offsets, epsilons[order], values[order])

    @property
    def owner(self) -> Array:
        """Coordinate of each step."""
        return np.repeat(np.arange(self.offsets.size - 1), np.diff(self.offsets))

    def at(self, epsilon: float) -> Array:
        """The value of each coordinate at a budget that is served."""
        if self.offsets.size == 2:
            return np.array([self.values[np.searchsorted(self.epsilons, epsilon)]])
        ended = self.offsets[:-1] + self._ended(self.epsilons < epsilon)
        return np.asarray(self.values[ended])

    def jumps(self, least: float, most: float) -> Array:
        """How many jumps each coordinate makes from one budget to another, both included."""
        inside = (self.epsilons >= least) & (self.epsilons <= most)
        inside[self.offsets[1:] - 1] = False  # the last step ends where the path does
        return self._ended(inside)

    def _ended(self, marked: Array) -> Array:
        """How many steps of each coordinate are marked."""
        if self.offsets.size == 1:
            return np.zeros(0, dtype=np.int64)
        return np.add.reduceat(marked.astype(np.int64), self.offsets[:-1])
