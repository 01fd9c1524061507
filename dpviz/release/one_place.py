"""A session goes on in one place only: it is not copied, and what is kept of it goes on once.

Thirty copies that are asked for the same level give thirty releases, whose mean has less noise than
any of them (MATHEMATICS 1.2), and a child process has a copy of all that its parent holds. So what
draws is neither copied nor pickled, and draws nothing in a child process (`Uncopied`). The refusal
is a guard rail: it cannot hold those who mean to copy.

`suspend` makes bytes of a session that `resume` takes once, as the caller's store sees to. A ticket
is written down when a session is suspended and taken away when it goes on. Taking away is one
atomic act, so of two that try at once one succeeds; and a ticket that was lost lets nobody go on,
which is the safe side.
Limits: it cannot reach copies of the memory, of a virtual machine say; and an old copy of a store
that is put back brings its tickets back.
"""

import os
import re
import threading
from pathlib import Path
from typing import Any, NoReturn, Protocol, Self, SupportsIndex, runtime_checkable

from dpviz import checks, streams
from dpviz.errors import ParameterError
from dpviz.noise.family import Array
from dpviz.release.commitment import CommittedPath
from dpviz.release.suspended import Suspended, read, ticket_of, written

_TICKET = re.compile(r"[0-9a-f]{64}")


class Uncopied:
    """Base of what draws; `copy.copy`, `copy.deepcopy` and `pickle` are refused."""

    __slots__ = ("_process",)

    _process: int  # in which it was opened
    _instead = "use the one there is, in the process that opened it"
    _here = ""  # what else one can do in a child process

    def __new__(cls, *_: Any, **__: Any) -> Self:
        """Note the process, in which alone it draws."""
        made = super().__new__(cls)
        made._process = os.getpid()
        return made

    def __reduce_ex__(self, _protocol: SupportsIndex) -> NoReturn:
        """Refuse.

        Raises:
            ParameterError: always.
        """
        raise ParameterError(
            f"a {type(self).__name__} is neither copied nor pickled, because every copy would draw "
            "separate noise, and the mean of their releases would have less noise than each; "
            f"{self._instead}"
        )

    def _refuse_in_child(self) -> None:
        """Refuse to draw, or to spend, in a child process; what is held already may be read there.

        Raises:
            ParameterError: this process is a fork of the one that opened the object.
        """
        if self._process != os.getpid():
            raise ParameterError(
                f"this {type(self).__name__} was opened by another process, of which this one is "
                f"a fork, and both would draw; go on there{self._here}"
            )


@runtime_checkable
class Store(Protocol):
    """What `MultipleRelease.suspend` and `resume` ask of the caller's store.

    A ticket is 64 hexadecimal digits, and never comes twice. Both must have lasted when they
    return: a store that keeps its tickets in a database commits first.
    """

    def issue(self, ticket: str) -> None:
        """Write the ticket down."""
        ...

    def claim(self, ticket: str) -> bool:
        """Take the ticket away, atomically; False if it is not there (any more)."""
        ...


class MemoryStore:
    """Tickets in the memory of this process: they end with it, and so do the sessions kept.

    >>> store, ticket = MemoryStore(), "0f" * 32
    >>> store.issue(ticket)
    >>> store.claim(ticket), store.claim(ticket)
    (True, False)
    """

    __slots__ = ("_lock", "_tickets")

    def __init__(self) -> None:
        self._tickets: set[str] = set()
        self._lock = threading.Lock()

    def issue(self, ticket: str) -> None:
        """Write the ticket down.

        Raises:
            ParameterError: if it is no ticket, or is there already.
        """
        ticket = _checked(ticket)
        with self._lock:
            if ticket in self._tickets:
                raise ParameterError(_TWICE)
            self._tickets.add(ticket)

    def claim(self, ticket: str) -> bool:
        """Take the ticket away; False if it is not there.

        Raises:
            ParameterError: if it is no ticket.
        """
        ticket = _checked(ticket)
        with self._lock:
            found = ticket in self._tickets
            self._tickets.discard(ticket)
            return found


class FileStore:
    """Tickets as empty files of a folder that only its owner can open, for several processes.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     store, ticket = FileStore(f"{folder}/tickets"), "0f" * 32
    ...     store.issue(ticket)
    ...     store.claim(ticket), FileStore(f"{folder}/tickets").claim(ticket)
    (True, False)
    """

    __slots__ = ("_folder",)

    def __init__(self, folder: str | Path) -> None:
        """Keep tickets in this folder, made with mode 0700 if it is not there.

        Raises:
            ParameterError: if it is no path of a folder that can be made.
        """
        checks.instance(str | Path, folder=folder)  # type: ignore[arg-type]
        try:
            self._folder = Path(folder)
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except (OSError, ValueError):
            raise ParameterError(
                "folder must be a folder for tickets, and it can be neither found nor made; "
                "pass a path that this process may write to"
            ) from None

    def issue(self, ticket: str) -> None:
        """Write the ticket down, as a new file of mode 0600.

        Raises:
            ParameterError: if it is no ticket, or is there already.
            OSError: if the folder cannot be written to.
        """
        path = self._folder / _checked(ticket)
        try:
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        except FileExistsError:
            raise ParameterError(_TWICE) from None
        self._make_it_last()

    def claim(self, ticket: str) -> bool:
        """Take the ticket away: of all who remove the one file, the system lets one succeed.

        Raises:
            ParameterError: if it is no ticket.
            OSError: if the folder cannot be written to.
        """
        try:
            os.unlink(self._folder / _checked(ticket))
        except FileNotFoundError:
            return False
        self._make_it_last()
        return True

    def _make_it_last(self) -> None:
        """A power cut must not bring a claimed ticket back."""
        if not hasattr(os, "O_DIRECTORY"):  # Windows opens no folders
            return
        folder = os.open(self._folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


_TWICE = "ticket is in this store already: issue every ticket once"


def _checked(ticket: str) -> str:
    if not isinstance(ticket, str) or not _TICKET.fullmatch(ticket):
        raise ParameterError(
            "ticket must be the 64 hexadecimal digits that a session passes to its store; "
            "do not make one up"
        )
    return ticket


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
