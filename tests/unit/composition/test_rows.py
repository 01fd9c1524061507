"""The rows of the sequence: what presses do to them that come in any order."""

import pytest

from dpviz.ui import composition as rows


@pytest.mark.usefixtures("visit")
def test_a_press_that_comes_after_its_row_was_taken_away_changes_nothing():
    """Two presses may be heard at once: the second is of a page that is no longer true."""
    rows.move(1, -1)
    assert rows.ROWS.get().order == (1, 0)
    rows.remove(1)
    left = rows.ROWS.get()
    assert left.order == (0,)
    for late in (lambda: rows.move(1, 1), lambda: rows.remove(1), lambda: rows.move(9, 1)):
        late()
        assert rows.ROWS.get() == left
    rows.undo()
    assert rows.ROWS.get().order == (1, 0)
