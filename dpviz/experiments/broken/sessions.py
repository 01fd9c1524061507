"""Broken sessions: the family is the right one, and what goes on with it is not."""

import copy
from functools import partial
from typing import Any, Protocol

import numpy as np

from dpviz.experiments.simulation import OpenReleases, Releases
from dpviz.noise.family import Array, Family
from dpviz.release import MultipleRelease

VARIANCE_TOO_SMALL = 10.0


class _Breaks(Protocol):
    """Makes a broken family of the right one."""

    def __call__(self, right: Family) -> Any:
        """The broken copy."""


def broken_family(breaks: _Breaks) -> OpenReleases:
    """Sessions of a broken copy of whatever family they are asked for.

    >>> from dpviz import streams
    >>> from dpviz.experiments.broken.bridges import BrokenCopyingBridge
    >>> from dpviz.noise import FAMILIES
    >>> opened = broken_family(BrokenCopyingBridge)
    >>> wrong = opened([0.0, 0.0], FAMILIES["laplace"], rng=streams.teaching(7))
    >>> first, last = wrong.release(1.0), wrong.release(4.0)
    >>> bool((wrong.release(2.0) == first).all())
    True
    """
    return partial(_open_broken, breaks)


def _open_broken(
    breaks: _Breaks, values: Any, family: Family, *, rng: np.random.Generator
) -> Releases:
    return MultipleRelease(values, breaks(family), rng=rng)


class BrokenSmallNoise:
    """The variance of the noise is ten times too small."""

    def __init__(self, values: Any, family: Family, *, rng: np.random.Generator) -> None:
        """Open on exact values of shape (d,)."""
        squared = family.level_unit != "scale"
        self._factor = 1 / VARIANCE_TOO_SMALL if squared else VARIANCE_TOO_SMALL**-0.5
        self._session = MultipleRelease(values, family, rng=rng)

    def release(self, level: float) -> Array:
        """The release at a level that is too low."""
        return self._session.release(level * self._factor)


class BrokenRedraw:
    """What was released is drawn again whenever it is asked for, as by a page that runs again."""

    def __init__(self, values: Any, family: Family, *, rng: np.random.Generator) -> None:
        """Open on exact values of shape (d,)."""
        self._values, self._family, self._rng = values, family, rng
        self._held: dict[float, Array] = {}

    def release(self, level: float) -> Array:
        """A new draw, from the same neighbours."""
        others = {each: values for each, values in self._held.items() if each != level}
        session = MultipleRelease.continued(self._values, self._family, others, rng=self._rng)
        self._held[level] = session.release(level)
        return self._held[level]


class BrokenCopiedSession(MultipleRelease):
    """A session that can be copied: each copy goes on with noise of its own."""

    __slots__ = ()

    def __reduce_ex__(self, _protocol: Any) -> Any:
        """Copy it, as a pickle would."""
        return _fork, (self,)


def _fork(session: MultipleRelease) -> MultipleRelease:
    return session.fork(independent_noise=True)


class BrokenCopies:
    """Everybody who asks holds a copy of the session that was made before anything was drawn."""

    def __init__(self, values: Any, family: Family, *, rng: np.random.Generator) -> None:
        """Open on exact values of shape (d,)."""
        self._first = BrokenCopiedSession(values, family, rng=rng)
        self._asked: set[float] = set()
        self._untouched = copy.copy(self._first)

    def release(self, level: float) -> Array:
        """The number of the first session for who asks first, and of a copy for all others."""
        if level not in self._asked:
            self._asked.add(level)
            return self._first.release(level)
        return copy.copy(self._untouched).release(level)
