"""A secret key beside the projects, by which they know a table again and keep nothing of it.

With a plain digest of a table, or one with a salt from the same database, a thief of the database
could try guesses: knowing all rows but one, he would try the values of the last. So a project keeps
the digest under a key (HMAC-SHA-256) that lies in a file of its own. Without the key the database
tells nothing about the table, but no table is known again either; what was released is still there.

The same key makes the one that a project signs with. A workspace that has signed before it became a
project takes its own along: the database has it locked by the key (AES-256-GCM), for this project.
"""

import hashlib
import hmac
import os
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import sqlalchemy as sa

from dpviz.data import Table, rows_mark, texts_mark
from dpviz.data.samples import is_sample
from dpviz.errors import ParameterError
from dpviz.handout.signing import SigningKey
from dpviz.workspace.projects.absent import is_absent, mark_of_absent
from dpviz.workspace.projects.database import DAMAGED, PROJECTS, SESSIONS
from dpviz.workspace.projects.plans import Asked
from dpviz.workspace.workspace import Workspace

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

FILE = "table.key"
_BYTES = 32
_NONCE = 12  # bytes


@dataclass(frozen=True, slots=True)
class Key:
    """The key of a folder; `secret` is None where it is not there."""

    secret: bytes | None = field(repr=False)

    def mark(self, digest: str) -> str | None:
        """What a table of this digest is known by; None without the key.

        >>> Key(b"k" * 32).mark("0f")[:8], Key(None).mark("0f")
        ('5ee4e37a', None)
        """
        if self.secret is None:
            return None
        return hmac.new(self.secret, digest.encode(), hashlib.sha256).hexdigest()

    def signing(self, project: int, name: str, own: str) -> SigningKey | None:
        """The key by which a project signs its hand-outs, always the same; None without the key.

        Args:
            project: its row.
            name: its first name.
            own: the key that its workspace took along, as `locked` gave it; "" if it had none.

        Raises:
            ParameterError: if `own` is damaged, or that of another project.

        >>> Key(b"k" * 32).signing(1, "visits", ""), Key(None).signing(1, "visits", "")
        (SigningKey(8223 fe50…), None)
        """
        if self.secret is None:
            return None
        if not own:
            return SigningKey.from_private_bytes(self._made(f"sign for project {project} {name}"))
        from cryptography.exceptions import InvalidTag

        try:
            content = bytes.fromhex(own)
            secret = self._lock(project).decrypt(content[:_NONCE], content[_NONCE:], None)
        except (ValueError, InvalidTag):
            raise ParameterError(DAMAGED) from None
        return SigningKey.from_private_bytes(secret)

    def locked(self, project: int, own: SigningKey) -> str:
        """A key that a workspace takes along, as the database keeps it; see `signing`.

        >>> key, own = Key(b"k" * 32), SigningKey.from_private_bytes(bytes(32))
        >>> key.signing(1, "visits", key.locked(1, own))
        SigningKey(3b6a 27bc…)
        """
        nonce = secrets.token_bytes(_NONCE)
        return (nonce + self._lock(project).encrypt(nonce, own.private_bytes(), None)).hex()

    def _lock(self, project: int) -> "AESGCM":
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM

        return AESGCM(self._made(f"lock the signing key of project {project}"))

    def _made(self, purpose: str) -> bytes:
        """A key for one purpose, made from this one."""
        assert self.secret is not None
        return hmac.new(self.secret, purpose.encode(), hashlib.sha256).digest()


def key_in(folder: Path, *, make: bool) -> Key:
    """The key in a folder, made if it is missing and asked for; two that make it share one.

    Args:
        folder: where the file `FILE` lies, mode 0600.
        make: whether to make it, which only new projects do: another key knows no earlier table.

    Raises:
        ParameterError: if it can be neither read nor made.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as name:
    ...     made = key_in(Path(name), make=True)
    ...     made == key_in(Path(name), make=True) != key_in(Path(name) / "other", make=False)
    True
    """
    path = folder / FILE
    try:
        if make and not path.exists():
            _make(path)
        secret = path.read_bytes()
    except FileNotFoundError:
        return Key(None)
    except OSError:
        raise ParameterError(
            f"The key of the projects, {FILE}, can be neither read nor made; check that you may "
            "write to their folder"
        ) from None
    return Key(secret if len(secret) == _BYTES else None)


def _make(path: Path) -> None:
    """Write a new key beside the place and link it there; of two at once the first stays."""
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)  # beside a remote database, too
    draft = path.with_name(f"{FILE}.{os.getpid()}.{secrets.token_hex(4)}")
    handle = os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(secrets.token_bytes(_BYTES))
            file.flush()
            os.fsync(file.fileno())
        os.link(draft, path)
    except FileExistsError:
        pass
    finally:
        os.unlink(draft)


class Tables:
    """The tables of the sessions of one project: by bytes, by texts in their order, by rows.

    A session goes on with a file of the same bytes, and with any other of the same texts in the
    same order, as every question has the same exact answer there. The same rows in another order,
    or written otherwise, are the same people: their ledger is here, and a session on them is
    another one. Limits: sessions that an earlier version opened are known by the bytes alone; ready
    samples need no more.
    """

    __slots__ = ("_bytes", "_key", "_rows", "_texts")

    def __init__(self, key: Key) -> None:
        """No session is known yet."""
        self._key = key
        self._bytes: set[str] = set()
        self._texts: dict[str, str] = {}  # the mark that a session has, by that of its texts
        self._rows: set[str] = set()

    def learn(self, sessions: Iterable[Asked]) -> None:
        """Know the tables of sessions."""
        for one in sessions:
            self._bytes.add(one.mark)
            if one.texts:
                self._texts.setdefault(one.texts, one.mark)
                self._rows.add(one.rows)

    def mark(self, table: Table) -> str | None:
        """What a table is known by: that of the session that goes on with it; None without the key.

        Args:
            table: loaded or not.
        """
        if is_absent(table):
            return mark_of_absent(table)
        mine = self._key.mark(table.digest)
        if mine is None or mine in self._bytes or not self._texts or is_sample(table):
            return mine
        return self._texts.get(self._key.mark(texts_mark(table)) or "", mine)

    def has_rows(self, table: Table) -> bool:
        """Whether a session is about the same rows, in whatever order and file."""
        return bool(self._rows) and self._rows_mark(table) in self._rows

    def marked(self, asked: Asked, table: Table | None) -> Asked:
        """What a session is asked for, with the marks of the texts and rows of its table.

        Args:
            asked: without them, or with them already.
            table: of the session; None for typed numbers.
        """
        if asked.rows or table is None or not (rows := self._rows_mark(table)):
            return asked
        return replace(asked, rows=rows, texts=self._key.mark(texts_mark(table)) or "")

    def compute(self, ws: Workspace) -> None:
        """Compute what loaded tables are known by, which takes a while, before others must wait."""
        for table in (ws.statistic.table, ws.table, *(one.asking.table for one in ws.sessions)):
            if table is not None and self._rows_mark(table):
                texts_mark(table)

    def holding(self, connection: sa.Connection, table: Table) -> Sequence[Any]:
        """Where there is a session on the rows of a table, in whatever order and file.

        Args:
            connection: to the database of the place.
            table: loaded.

        Returns:
            For each the row and the name of its project, and its number.
        """
        of = SESSIONS.c.mark == self.mark(table)
        if rows := self._rows_mark(table):
            of |= SESSIONS.c.asked.contains(rows)
        wanted = sa.select(PROJECTS.c.id.label("project"), PROJECTS.c.name, SESSIONS.c.number)
        return connection.execute(wanted.join(SESSIONS).where(of).order_by(SESSIONS.c.id)).all()

    def _rows_mark(self, table: Table) -> str:
        """What the rows are known by; nothing without the key, or where the bytes are enough."""
        if is_absent(table) or is_sample(table):
            return ""
        return self._key.mark(f"rows {rows_mark(table)}") or ""
