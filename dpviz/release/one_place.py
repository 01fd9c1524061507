"""A session goes on in one place only: its state, and the ways to keep it or to fork it.

It is neither copied nor pickled, and draws nothing in a child process, since both would draw noise
of their own (MATHEMATICS 1.2). `suspend` makes bytes of it that `resume` takes once, as the
caller's store sees to. Limit: it cannot reach copies of the memory, of a virtual machine say, nor
an old copy of a store that is put back.
"""

import threading
from typing import Self

from dpviz import checks, streams
from dpviz.errors import ParameterError
from dpviz.noise.family import Array
from dpviz.release.commitment import CommittedPath
from dpviz.release.stores import Store
from dpviz.release.suspended import Suspended, read, ticket_of, written
from dpviz.release.uncopied import Uncopied


class OnePlace(Uncopied):
    """State of a session, and what keeps it from going on twice."""

    __slots__ = (
        "_any_order",
        "_exact",
        "_family",
        "_forked",
        "_held",
        "_lock",
        "_mode",
        "_path",
        "_rng",
        "_suspended",
    )
    _instead = (
        "to keep the one session use suspend(store) and later MultipleRelease.resume(data, store)"
    )
    _here = ", or suspend it there and resume it here"

    def _begin(self, kept: Suspended) -> None:
        """Take over a state, in this process."""
        self._family, self._mode, self._forked, self._rng = kept[:4]
        self._exact: Array | None = kept.exact
        self._held: list[tuple[float, Array]] = kept.held
        self._any_order = kept.any_order
        self._path: CommittedPath | None = None
        self._lock = threading.RLock()
        self._suspended = False

    def suspend(self, store: Store) -> bytes:
        """Close the session and return it as bytes, which `resume` takes once.

        Args:
            store: where the caller keeps tickets: a `FileStore`, a `MemoryStore`, or one's own.

        Returns:
            The session, with the exact values unless it is sealed: keep them as the data. What
            was released stays in `held`; nothing more is drawn here.

        Raises:
            ParameterError: if it cannot be written down, such as one on a committed path, or was
                suspended already.

        >>> from dpviz.noise import FAMILIES
        >>> from dpviz.release import MemoryStore, MultipleRelease
        >>> session = MultipleRelease([3], FAMILIES["poisson"], rng=streams.teaching(7))
        >>> store = MemoryStore()
        >>> data = session.suspend(store)
        >>> MultipleRelease.resume(data, store).release(40.0)
        array([39])
        """
        checks.instance(Store, store=store)
        with self._lock:
            self._refuse_elsewhere()
            self._refuse_committed()
            data = written(self._state())
            store.issue(ticket_of(data))
            self._suspended, self._rng = True, streams.hardened()
            if self._exact is not None:
                self._exact.fill(0)
            return data

    @classmethod
    def resume(cls, data: bytes, store: Store) -> Self:
        """Go on with a suspended session, the first time that these bytes are passed.

        Hardened and sealed sessions go on with a fresh key, teaching sessions with their stream.

        Args:
            data: what `suspend` returned.
            store: the store that it was suspended with.

        Raises:
            ParameterError: if the store has no ticket for these bytes (any more).
        """
        checks.instance(bytes, data=data)
        checks.instance(Store, store=store)
        if not store.claim(ticket_of(data)):
            raise ParameterError(
                "data cannot be resumed with this store: these bytes were resumed before, or are "
                "not those of a session that was suspended with it; pass the latest ones"
            )
        try:
            kept = read(data)
        except ParameterError:  # nothing was resumed, so the ticket stays good
            store.issue(ticket_of(data))
            raise
        session = cls.__new__(cls)
        session._begin(kept)
        return session

    def fork(self, *, independent_noise: bool = False) -> Self:
        """Make a second session that goes on by itself: only on purpose, for simulations.

        Levels held now are the same in both. At every other level each draws noise of its own, so
        the losses of the two add, and the mean of many forks tells the exact values. The fork
        draws in the order of asking, also where this session repeats itself in any order.

        Args:
            independent_noise: pass True to say that this is what you want.

        Raises:
            ParameterError: if it is not passed, or the session was suspended or is on a committed
                path.
        """
        if independent_noise is not True:
            raise ParameterError(
                "a fork draws noise of its own, so the mean of many forks has less noise than any "
                "release; pass independent_noise=True if you want that, else suspend and resume"
            )
        with self._lock:
            self._refuse_elsewhere()
            self._refuse_committed()
            exact = None if self._exact is None else self._exact.copy()
            (rng,) = self._rng.spawn(1)
            state = Suspended(self._family, self._mode, True, rng, exact, [*self._held])
        twin = type(self).__new__(type(self))
        twin._begin(state)
        return twin

    def _state(self) -> Suspended:
        """All of it, shared and not copied."""
        return Suspended(
            family=self._family,
            mode=self._mode,
            forked=self._forked,
            rng=self._rng,
            exact=self._exact,
            held=self._held,
            any_order=self._any_order,
        )

    def _refuse_committed(self) -> None:
        """A session on a committed path draws nothing of its own that could go on elsewhere."""
        if self._path is not None:
            raise ParameterError(
                "this session reads its releases off a committed path and is neither suspended nor "
                "forked: keep the seed, and commit to the same path with it again"
            )

    def _refuse_elsewhere(self) -> None:
        """A session goes on in one place: not after it was suspended, nor in a child process."""
        if self._suspended:
            raise ParameterError(
                "this session was suspended and is closed; go on with "
                "MultipleRelease.resume(data, store)"
            )
        self._refuse_in_child()
