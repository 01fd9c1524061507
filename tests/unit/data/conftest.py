"""What tests of what is read share: places, and how a file is refused."""

import io
import re
import subprocess
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from dpviz.data import Table, engine, limited_process
from dpviz.errors import DataError

CANARY = "Zanzibar7"  # in rows only: must be in no message


def zipped(*names: str) -> bytes:
    """A zip of files with a value in each."""
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        for name in names:
            archive.writestr(name, CANARY)
    return memory.getvalue()


def rows(table: Table) -> list[tuple[object, ...]]:
    """All that stands in a table, as text."""
    return list(table.connection.execute(f"SELECT * FROM {engine.TABLE}").fetchall())


def refusal(says: str, read: Callable[..., object], data: Any, **how: Any) -> str:
    """The sentence with which a file is refused, of which nothing leads back to a value."""
    with pytest.raises(DataError) as caught:
        read(data, **how)
    message = str(caught.value)
    assert re.search(says, message), message
    assert "\n" not in message
    assert len(message) < 220
    assert CANARY not in message
    assert CANARY not in repr(caught.value.__cause__)
    assert caught.value.__context__ is None  # the engine's error, which quotes the line
    return message


@pytest.fixture
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A temporary folder of its own, empty again when the test is over."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    yield tmp_path
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def in_this_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """The process that reads files, without its start and its limits; others test these."""

    def run(_: object, *, input: bytes, **__: Any) -> SimpleNamespace:
        taken, code = io.BytesIO(), 0
        try:
            limited_process.main(io.BytesIO(input), taken)
        except SystemExit as ended:
            code = int(str(ended.code))
        except Exception:
            code = 1
        return SimpleNamespace(returncode=code, stdout=taken.getvalue())

    monkeypatch.setattr(limited_process, "limit", lambda *_: None)
    monkeypatch.setattr(subprocess, "run", run)
