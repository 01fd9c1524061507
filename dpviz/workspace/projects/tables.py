"""How a project knows a table again: by its bytes, by its texts in their order, by its rows.

A session goes on with a file of the same bytes, and with any other of the same texts in the same
order, as every question has the same exact answer there. The same rows in another order, or written
otherwise, are the same people: their ledger is here, and a session on them is another one.
All marks are made with the secret key of the place. Limits: sessions that an earlier version opened
are known by the bytes alone; ready samples need no more.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import sqlalchemy as sa

from dpviz.data import Table, rows_mark, texts_mark
from dpviz.data.samples import is_sample
from dpviz.workspace.projects.absent import is_absent, mark_of_absent
from dpviz.workspace.projects.database import PROJECTS, SESSIONS
from dpviz.workspace.projects.key import Key
from dpviz.workspace.projects.plans import Asked
from dpviz.workspace.workspace import Workspace


class Tables:
    """The tables of the sessions of one project."""

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
