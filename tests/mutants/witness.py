"""A plugin of pytest that writes down which tests failed, and by which error."""

import json
import os
from pathlib import Path

import pytest

import dpviz
from tests.mutants.copies import FIRST, WITNESS, Failure

_seen: list[Failure] = []


def pytest_exception_interact(
    node: pytest.Item | pytest.Collector, call: pytest.CallInfo[object], report: object
) -> None:
    """Note a failure; not what a test expects to be raised."""
    assert call.excinfo is not None
    phase = getattr(report, "when", "collect")
    _seen.append(Failure(node.nodeid, phase, call.excinfo.type.__name__))
    if os.environ[FIRST] == "1" and _seen[-1].asserted:
        node.session.shouldstop = "an assertion failed, which is all that is asked"


def pytest_sessionfinish() -> None:
    """Write the failures down; of the library in this folder, and of no other."""
    assert Path(dpviz.__file__).is_relative_to(Path.cwd()), "another library was tested"
    told = [(each.test, each.phase, each.error) for each in _seen]
    Path(os.environ[WITNESS]).write_text(json.dumps(told), encoding="utf-8")
