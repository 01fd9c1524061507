"""The database of the projects: SQLite in a folder of one's own, or Postgres by its URL.

Its tables hold no row of a visitor's table, no exact answer, no seed. A release is its numbers in
NumPy's own format (NPY), or its record where it is no array, such as a list; with a digest that
finds damage. Its level is the float in hexadecimal digits, so that it is found again to the last
bit. A level is written once, but for a list, which grows. All else is a record of facts
(`dpviz.workspace.projects.plans` and `.records`).
What was committed lasts: SQLite writes with a rollback journal that is deleted at the end, and
waits until files *and* folder are on the disk (synchronous=EXTRA), so a copy of its one file is a
backup whenever nobody draws; Postgres is told to wait likewise. Connections are opened for each act
and closed after it, so none is shared by threads or goes into a child process.
Whatever goes wrong is said in one sentence, without a value, an address or a password.
"""

import contextlib
import hashlib
import io
import os
import sqlite3
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import sqlalchemy as sa
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError

from dpviz.errors import ParameterError
from dpviz.noise.family import Array

FORMAT = 1  # of the tables and of the records in them; a newer one is not read
DELETED = "\x7f"  # the name of a deleted project begins so, and nobody can type it

tables = sa.MetaData()
ABOUT = sa.Table(
    "dpviz_about",
    tables,
    sa.Column("format", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("key_mark", sa.String(64), nullable=False),  # by which the key is known again
)
PROJECTS = sa.Table(
    "dpviz_projects",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("name", sa.String(200), nullable=False, unique=True),
    sa.Column("plan", sa.Text, nullable=False),
    sa.Column("most", sa.Text),  # the limit of everything together
)
SESSIONS = sa.Table(
    "dpviz_sessions",
    tables,
    sa.Column("id", sa.Integer, primary_key=True),
    sa.Column("project", sa.ForeignKey(PROJECTS.c.id), nullable=False),
    sa.Column("number", sa.Integer, nullable=False),
    sa.Column("mark", sa.String(64), nullable=False, index=True),  # of its table
    sa.Column("asked", sa.Text, nullable=False),
    sa.Column("sealed", sa.Boolean, nullable=False),
    sa.Column("closed", sa.Boolean, nullable=False),
    sa.UniqueConstraint("project", "number"),
)
RELEASES = sa.Table(
    "dpviz_releases",
    tables,
    sa.Column("session", sa.ForeignKey(SESSIONS.c.id), primary_key=True),
    sa.Column("level", sa.String(32), primary_key=True),  # drawn once: a second row is refused
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("numbers", sa.LargeBinary, nullable=False),
)
ENTRIES = sa.Table(
    "dpviz_ledger",
    tables,
    sa.Column("project", sa.ForeignKey(PROJECTS.c.id), primary_key=True),
    sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("digest", sa.String(64), nullable=False),
    sa.Column("entry", sa.Text, nullable=False),
)


def digest_of(*parts: object) -> str:
    """A digest of what is stored, by which damage is noticed; it keeps nothing secret.

    >>> digest_of("a", "b") == digest_of("ab")
    False
    """
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()


def packed(numbers: Array) -> bytes:
    """Released numbers as bytes, with their kind and shape.

    >>> unpacked(packed(np.array([3, 5]))).tolist()
    [3, 5]
    """
    file = io.BytesIO()
    np.save(file, numbers, allow_pickle=False)
    return file.getvalue()


def unpacked(content: bytes) -> Array:
    """Released numbers from their bytes, read-only.

    Raises:
        ParameterError: if the bytes hold no array of numbers.

    >>> unpacked(b"something else")
    Traceback (most recent call last):
    dpviz.errors.ParameterError: these are no released numbers
    """
    try:
        numbers: Array = np.load(io.BytesIO(content), allow_pickle=False)
    except (OSError, ValueError, EOFError):
        numbers = np.array("")
    if numbers.dtype.kind not in "if":
        raise ParameterError("these are no released numbers")
    numbers.setflags(write=False)
    return numbers


# --- where it is ---


FILE = "projects.sqlite"
PATIENCE = 10  # seconds to wait for somebody else's act
LITE = (
    "PRAGMA journal_mode=DELETE",
    "PRAGMA synchronous=EXTRA",
    "PRAGMA foreign_keys=ON",
    "PRAGMA trusted_schema=OFF",
    "PRAGMA secure_delete=ON",  # what is deleted is overwritten
)
DAMAGED = (
    "The projects cannot be read: their database is damaged, or it is no database of dpviz. Put a "
    "backup in its place, or choose another folder"
)
BUSY = (
    f"Somebody else has been writing to the projects for {PATIENCE} seconds, so nothing was done. "
    "Try again in a moment"
)
NO_WRITING = (
    "The projects cannot be written here, so nothing was done. Check that you may write to their "
    "folder or database, or choose another one"
)
NO_ROOM = (
    "The disk of the projects is full or failing, so nothing was done. Make room on it and try "
    "again"
)
UNREACHABLE = (
    "The database server of the projects cannot be reached. Check that it runs, and the URL, user "
    "and password"
)
NO_URL = (
    "The projects need a folder, or a URL such as postgresql://user@host/name. Type one of the two"
)
NO_DRIVER = 'Projects in Postgres need its driver. Type: pip install "dpviz[postgres]"'
_SAID = {  # how codes of SQLite and of Postgres begin
    **dict.fromkeys(("SQLITE_BUSY", "SQLITE_LOCKED", "55P03", "57014", "40P01", "40001"), BUSY),
    **dict.fromkeys(("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM"), NO_WRITING),
    **dict.fromkeys(("25006", "42501"), NO_WRITING),
    **dict.fromkeys(("SQLITE_FULL", "SQLITE_IOERR", "53"), NO_ROOM),
    **dict.fromkeys(("SQLITE_CORRUPT", "SQLITE_NOTADB", "SQLITE_ERROR", "42", "XX"), DAMAGED),
    **dict.fromkeys(("08", "28", "3D", "57"), UNREACHABLE),
}


class Database:
    """A place to read from, and to write to in turns."""

    __slots__ = ("_engine", "lite")

    def __init__(self, place: Path | str) -> None:
        """Find the database; a SQLite file is made with mode 0600 if it is not there.

        Args:
            place: the folder of a SQLite file, made with mode 0700; or the URL of a database.

        Raises:
            ParameterError: if it is neither, or cannot be made.
        """
        url = _lite(place) if isinstance(place, Path) else _url(place)
        self.lite = url.get_backend_name() == "sqlite"
        waiting = {"timeout": PATIENCE} if self.lite else {"connect_timeout": PATIENCE}
        self._engine = sa.create_engine(
            url, poolclass=sa.NullPool, hide_parameters=True, connect_args=waiting
        )
        if self.lite:
            sa.event.listen(self._engine, "connect", _settle)
            sa.event.listen(self._engine, "begin", _begin)

    @contextmanager
    def reading(self) -> Iterator[sa.Connection]:
        """Look at what is committed, all of it at one moment.

        Raises:
            ParameterError: if it cannot be read.
        """
        with said(), self._engine.begin() as connection:
            if not self.lite:  # one moment for all of its questions, as in SQLite
                connection.exec_driver_sql(
                    "SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY"
                )
            yield connection

    @contextmanager
    def writing(self) -> Iterator[sa.Connection]:
        """Change something; it has lasted when the block ends, or nothing of it was done.

        In SQLite nobody else writes meanwhile; in Postgres an act that needs this locks a row.

        Raises:
            ParameterError: if it cannot be written.
        """
        engine = self._engine.execution_options(dpviz_begin="BEGIN IMMEDIATE")
        with said(), engine.begin() as connection:
            if not self.lite:
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = '{PATIENCE}s'")
                connection.exec_driver_sql("SET LOCAL synchronous_commit = on")
            yield connection

    def is_empty(self, connection: sa.Connection) -> bool:
        """Whether nobody has made tables here; those of others are no database of ours.

        Raises:
            ParameterError: if there are tables of somebody else in the SQLite file.
        """
        names = sa.inspect(connection).get_table_names()
        if self.lite and names and ABOUT.name not in names:
            raise ParameterError(DAMAGED)
        return ABOUT.name not in names

    def check(self, connection: sa.Connection) -> None:
        """Look through a SQLite file for damage.

        Raises:
            ParameterError: if there is some.
        """
        if self.lite and connection.exec_driver_sql("PRAGMA quick_check(1)").scalar() != "ok":
            raise ParameterError(DAMAGED)


@contextmanager
def said() -> Iterator[None]:
    """Say what goes wrong with the database in one sentence, and nothing of what was stored.

    Raises:
        ParameterError: that sentence.
    """
    try:
        yield
        return
    except DBAPIError as error:
        found = error.orig
        bare = "SQLITE_CORRUPT" if isinstance(found, sqlite3.Error) else "08"  # without a code
        code = getattr(found, "sqlite_errorname", None) or getattr(found, "sqlstate", None) or bare
    except SQLAlchemyError:
        code = "42"
    sentence = next((text for start, text in _SAID.items() if code.startswith(start)), None)
    raise ParameterError(
        sentence or f"The database of the projects refused ({code}), so nothing was done. Try again"
    )


def _lite(folder: Path) -> sa.URL:
    path = folder / FILE
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with contextlib.suppress(FileExistsError):
            os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        if stat.S_IMODE(path.stat().st_mode) & 0o077:  # a copy that everybody could read
            with contextlib.suppress(PermissionError):  # another user's
                path.chmod(0o600)
    except (OSError, ValueError):
        raise ParameterError(NO_WRITING) from None
    return sa.URL.create("sqlite", database=str(path))


def _url(text: str) -> sa.URL:
    try:
        url = sa.make_url(text)
    except (ArgumentError, ValueError):
        raise ParameterError(NO_URL) from None
    if url.get_backend_name() != "postgresql":
        raise ParameterError(NO_URL)
    if find_spec("psycopg") is None:
        raise ParameterError(NO_DRIVER)
    return url.set(drivername="postgresql+psycopg")


def _settle(connection: object, _record: object) -> None:
    connection.isolation_level = None  # type: ignore[attr-defined]  # begin and end are ours
    for line in LITE:
        connection.execute(line)  # type: ignore[attr-defined]


def _begin(connection: sa.Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get("dpviz_begin", "BEGIN"))
