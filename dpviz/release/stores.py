"""Where the caller keeps which suspended sessions may still go on: each of them once.

A ticket is written down when a session is suspended and taken away when it goes on. Taking away is
one atomic act, so of two that try at once one succeeds; and a ticket that was lost lets nobody go
on, which is the safe side. Limit: an old copy of a store that is put back brings its tickets back.
"""

import os
import re
import threading
from pathlib import Path
from typing import Protocol, runtime_checkable

from dpviz import checks
from dpviz.errors import ParameterError

_TICKET = re.compile(r"[0-9a-f]{64}")


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
