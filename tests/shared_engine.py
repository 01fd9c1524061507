"""One engine for all tables of a test process, which else take longer to open than to question.

Each table gets a connection and a database of its own in it, and goes with them. The engine is
never shut, so that tests of what a table's own engine refuses must not use it: `tests/unit/data`.
"""

import functools
import itertools
import sys
import threading
import weakref
from contextlib import suppress
from typing import Any

import pytest

from dpviz.data import engine
from dpviz.data.engines.duck import Waiting

_NUMBERS = itertools.count()
_COUNTS: dict[tuple[Any, ...], Any] = {}
_ONE_AT_A_TIME = threading.RLock()  # what is forgotten meanwhile leaves, too


class Part:
    """A connection that looks like the only one of its engine, until it is closed or forgotten."""

    def __init__(self) -> None:
        name = f"part{next(_NUMBERS)}"
        self.cursor = _whole().cursor()
        for statement in engine._OPEN:
            self.cursor.execute(statement.replace(engine._KEPT, name))
        self._end = weakref.finalize(self, _leave, self.cursor, name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.cursor, name)

    def close(self) -> None:
        """Drop the rows; nothing can be asked from then on."""
        self._end()


@functools.cache
def _whole() -> Any:
    import duckdb  # by the first test that opens a table

    return duckdb.connect(":memory:", config=engine._CONFIG)


def _leave(cursor: Any, name: str) -> None:
    import duckdb

    cursor.close()
    with _ONE_AT_A_TIME, suppress(duckdb.Error):
        _whole().execute(f"DETACH {name}")


def _shut(connection: Part) -> None:
    connection.execute("PRAGMA enable_optimizer")


def _backend_on(connection: Part) -> Any:
    import ibis

    return ibis.duckdb.from_connection(connection)


def _counted(table: Any, *asked: Any) -> Any:
    """Count; in a sample of the package, whose rows are always the same, once."""
    from dpviz.queries import rows

    if not isinstance(table.engine, Waiting):
        return rows.counted(table, *asked)
    key = (table.digest, table.readings, *asked)
    if key not in _COUNTS:
        _COUNTS[key] = rows.counted(table, *asked)
    return _COUNTS[key].copy()


def share(patch: pytest.MonkeyPatch) -> None:
    """Open tables in the one engine, for the time of a test."""
    if asking := sys.modules.get("dpviz.queries.count"):
        patch.setattr(asking, "counted", _counted)
    patch.setattr(engine, "connect", Part)
    patch.setattr(engine, "shut", _shut)
    patch.setattr(engine, "backend_on", _backend_on)
    patch.setattr(engine, "pack", lambda _: None)
