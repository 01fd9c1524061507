"""The tables of a database of projects: no row of a visitor's table, no exact answer, no seed.

A release is its numbers in NumPy's own format (NPY), or its record where it is no array, such as a
list; with a digest that finds damage. Its level is the float in hexadecimal digits, so that it is
found again to the last bit. A level is written once, but for a list, which grows. All else is a
record of facts (`dpviz.workspace.projects.plans` and `.records`).
"""

import hashlib
import io

import numpy as np
import sqlalchemy as sa

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
