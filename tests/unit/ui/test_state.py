"""What the pages keep for a visitor: under names, bounded, and no longer than the visitor."""

import ast
import itertools
from pathlib import Path

import pytest
import streamlit as st

from dpviz.ui.kit import state
from dpviz.ui.kit.state import KEPT, MOST, SHELVED, Shelf, Slot, nothing
from tests.sources import nodes

UI = Path(state.__file__).parents[1]


@pytest.fixture(autouse=True)
def _session(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})


def test_of_what_is_kept_the_longest_unused_goes():
    worlds, lists = Shelf("worlds"), Shelf("lists")
    for key in range(MOST):
        worlds.put(key, key)
    assert worlds.get(0) == 0  # used again
    assert lists.take(0, lambda: "a list") == "a list"
    assert worlds.get(0) == 0
    assert worlds.get(1) is None
    assert worlds.get(2) == 2
    assert len(st.session_state["shelves"]) == MOST


def test_what_is_on_a_shelf_is_made_once():
    shelf, made = Shelf("worlds"), itertools.count()
    assert shelf.take("key", lambda: next(made)) == shelf.take("key", lambda: next(made)) == 0
    assert shelf.take("other", lambda: next(made)) == 1
    shelf.drop("key")
    shelf.drop("never kept")
    assert shelf.take("key", lambda: next(made)) == 2


def test_a_slot_keeps_what_it_is_at_first_but_not_nothing():
    notes, job = Slot("notes", list), Slot("job", nothing)
    notes.get().append(1)
    assert notes.get() == [1]
    assert notes.pop() == [1]
    assert notes.pop() == notes.get() == []
    assert job.get() is job.pop() is None
    assert "job" not in st.session_state
    job.set("runs")
    assert job.pop() == "runs"
    assert job.get() is None


def names(kind):
    """Names of all slots, or of all shelves, as the code makes them."""
    found = []
    for file in UI.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        for call in nodes(text) if kind in text else ():
            if isinstance(call, ast.Call) and ast.unparse(call.func).split("[")[0].endswith(kind):
                found.append(call.args[0].value)
    return sorted(found)


def test_all_that_a_session_keeps_is_listed_once():
    for kind, listed in (("Slot", KEPT), ("Shelf", SHELVED)):
        made = names(kind)
        assert len(made) == len(set(made)), f"two of these {kind} have one name"
        assert set(made) == set(listed), f"list each {kind} in dpviz/ui/kit/state.py, and no other"
