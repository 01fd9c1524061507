"""What the pages keep for a visitor: under names, bounded, and no longer than the visitor."""

import streamlit as st

from dpviz.ui.kit.state import bounded


def test_of_what_is_kept_the_longest_unused_goes(monkeypatch):
    monkeypatch.setattr(st, "session_state", {})
    for key in range(3):
        bounded("worlds", 3)[key] = key
    assert bounded("worlds", 3).get(0) == 0  # used again
    bounded("worlds", 3)[3] = 3
    assert sorted(bounded("worlds", 3)) == [0, 2, 3]
    assert len(bounded("lists", 3)) == 0
