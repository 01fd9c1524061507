"""Lessons without Streamlit: what a visitor's session keeps is in a dictionary of the test."""

from types import SimpleNamespace

import pytest

from dpviz.ui.kit import state


@pytest.fixture(autouse=True)
def _session(monkeypatch):
    monkeypatch.setattr(state, "st", SimpleNamespace(session_state={}))
