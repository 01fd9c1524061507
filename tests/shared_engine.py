"""One engine for all tables of a test process, which else take longer to open than to question.

Each table gets a connection and a database of its own in it, and goes with them. The engine is
never shut, so that tests of what a table's own engine does ask for `own_engine`.
And what depends on the bytes of a file alone is computed once: the types of its columns, the marks
of its rows, what is counted in a sample of the package, and the answers of an upload.
"""

import atexit
import functools
import hashlib
import itertools
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any

import pytest
from cachetools import LRUCache

from dpviz.data import engine, same_rows
from dpviz.data.engines.duck import Embedded, Waiting
from dpviz.data.layout import Layout

_FOR_GOOD = {*engine._SHUT[1:], "SET lock_configuration = true"}
_NUMBERS = itertools.count()
_COUNTS: dict[tuple[Any, ...], Any] = {}
_MARKS: dict[tuple[str, str], str] = {}
_TYPES: dict[tuple[bytes, Layout, bool], tuple[str, ...]] = {}
_ANSWERS = LRUCache[tuple[Any, ...], Any](500)  # by the file, the lent list, and the question
_STATEMENTS = LRUCache[Any, str](200)  # by the question alone, which tables share
_ONE_AT_A_TIME = threading.RLock()  # what is forgotten meanwhile leaves, too


class Part:
    """A connection that looks like the only one of its engine, until it is closed or forgotten.

    Attributes:
        content: what was loaded: a file and how it was read; None if that is not known.
    """

    content: tuple[Any, ...] | None = None

    def __init__(self) -> None:
        name = f"part{next(_NUMBERS)}"
        self.cursor = _whole().cursor()
        for statement in engine._OPEN:
            self.cursor.execute(statement.replace(engine._KEPT, name))
        self._end = weakref.finalize(self, _leave, self.cursor, name)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.cursor, name)

    def execute(self, statement: str, *values: Any) -> Any:
        """Run a statement, but for those that shut an engine."""
        return self.cursor if statement in _FOR_GOOD else self.cursor.execute(statement, *values)

    def close(self) -> None:
        """Drop the rows; nothing can be asked from then on."""
        self._end()


@functools.cache
def _whole() -> Any:
    import duckdb  # by the first test that opens a table

    for forget in (_whole.cache_clear, _ANSWERS.clear, _STATEMENTS.clear):
        atexit.register(forget)  # else the engine reports all of it as leaked
    return duckdb.connect(":memory:", config={**engine._CONFIG, "threads": 1})


def _leave(cursor: Any, name: str) -> None:
    import duckdb

    cursor.close()
    with _ONE_AT_A_TIME, suppress(duckdb.Error):
        _whole().execute(f"DETACH {name}")


def _counted(table: Any, *asked: Any) -> Any:
    """Count; in a sample of the package, whose rows are always the same, once."""
    from dpviz.queries import rows

    if not isinstance(table.engine, Waiting):
        return rows.counted(table, *asked)
    key = (table.digest, table.readings, *asked)
    if key not in _COUNTS:
        _COUNTS[key] = rows.counted(table, *asked)
    return _COUNTS[key].copy()


def _marked(
    table: Any, mark: Callable[..., str], real: Callable[..., str] = same_rows._marked
) -> str:
    """The mark of a file's rows, computed once for all tests that load the same bytes."""
    key = mark.__name__, (table.loaded or table).digest
    if key in _MARKS:
        table.engine.marks.setdefault(mark.__name__, _MARKS[key])
    _MARKS[key] = real(table, mark)
    return _MARKS[key]


def _load_csv(
    text: bytes,
    layout: Layout,
    types: tuple[str, ...] | None = None,
    *,
    keep_empty: bool = False,
    real: Callable[..., Any] = engine.load_csv,
) -> Any:
    """The rows of a file, whose types are found once for all tests that load the same bytes."""
    key = hashlib.sha256(text).digest(), layout, keep_empty
    known = types or _TYPES.get(key)
    connection, _TYPES[key], emptied = real(text, layout, known, keep_empty=keep_empty)
    connection.content = key
    return connection, _TYPES[key], emptied


@contextmanager
def _lend(
    upload: Embedded, values: Sequence[str], real: Callable[..., Any] = Embedded.lend
) -> Iterator[Any]:
    """Lend a list, and know it."""
    with real(upload, values) as listed:
        upload.__dict__["lent"] = tuple(values)
        yield listed


def _run(
    upload: Embedded, expression: Any, *, keep: bool, real: Callable[..., Any] = Embedded.run
) -> Any:
    """Answer; the same question on the same bytes once, as it takes longer to write in SQL."""
    content = getattr(upload.connection, "content", None)
    if content is None:
        return real(upload, expression, keep=keep)
    key = content, upload.__dict__.get("lent"), expression.op()
    if key not in _ANSWERS:
        _ANSWERS[key] = real(upload, expression, keep=keep)
    return _ANSWERS[key]


def _backend_on(connection: Any, real: Callable[..., Any] = engine.backend_on) -> Any:
    """A backend that writes the same question in SQL once, whatever the table holds."""
    backend = real(connection)
    write = backend.compile

    def compile_once(expression: Any, **how: Any) -> str:
        if any(value is not None for value in how.values()):
            return str(write(expression, **how))
        key = expression.op()
        if key not in _STATEMENTS:
            _STATEMENTS[key] = write(expression)
        return _STATEMENTS[key]

    backend.compile = compile_once
    return backend


def share(patch: pytest.MonkeyPatch) -> None:
    """Open tables in the one engine, for the time of a test."""
    if asking := sys.modules.get("dpviz.queries.count"):
        patch.setattr(asking, "counted", _counted)
    patch.setattr(engine, "connect", Part)
    patch.setattr(engine, "pack", lambda _: None)
    patch.setattr(engine, "backend_on", _backend_on)
    patch.setattr(engine, "load_csv", _load_csv)
    patch.setattr(Embedded, "lend", _lend)
    patch.setattr(Embedded, "run", _run)
    patch.setattr(same_rows, "_marked", _marked)
