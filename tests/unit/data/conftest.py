"""Fixtures for tests of what is read."""

import io
import subprocess
from types import SimpleNamespace
from typing import Any

import pytest

from dpviz.data import limited_process


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
