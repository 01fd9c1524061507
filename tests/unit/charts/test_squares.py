"""A thousand guesses, square by square."""

import numpy as np
import pytest

from dpviz.charts.forms.squares import guesses_frame, squares
from dpviz.palette import TierStyle
from dpviz.workspace.guesses import COIN

AUDIT = TierStyle(11, 3)
LINES = [
    "500 you would get by tossing a coin",
    "173 more, by audit",
    "87 more, together",
    "240 wrong",
    "0 of them never",
]
PARTS = ("by audit", 173, AUDIT, False), ("together", 87, None, False), ("never", 0, None, True)


@pytest.mark.parametrize("more", [0, 151, 500])
@pytest.mark.parametrize("name", ["", "All together"])
def test_each_guess_has_a_place_of_its_own(more, name):
    made = squares(guesses_frame(("by audit", more, AUDIT, False)), name=name)
    drawn = made.figure.data
    assert [len(part.x) for part in drawn] == [COIN, more, COIN - more]
    places = {
        (x, y)
        for part in drawn
        for x, y in zip(part.x, np.round(part.base.astype(float) + part.y / 2, 9), strict=True)
    }
    assert places == {(x, y) for x in range(40) for y in range(25)}
    assert drawn[1].marker.color == AUDIT.colour
    assert f"{COIN + more:,} are right" in made.alt


@pytest.mark.parametrize(("name", "lines"), [("", LINES[:4]), ("both", LINES)])
def test_the_key_looks_as_the_squares_do(name, lines):
    """A small array names what is there; one that is compared with others names all parts."""
    without, with_key = (
        squares(guesses_frame(*PARTS), key=way, name=name).figure.data for way in (False, True)
    )
    shown = [part for part in without if len(part.x) or name]
    key = with_key[len(without) :]
    assert [line.name for line in key] == lines
    assert not any(part.showlegend for part in with_key[: len(without)])
    shown.sort(key=lambda part: part.type == "scatter")  # what is outlined is wrong as well
    for line, part in zip(key, shown, strict=True):
        assert line.marker.color == part.marker.color
        assert ("open" in line.marker.symbol) == (part.type == "scatter")


def test_a_large_array_has_its_name_and_its_number_above_it():
    made = squares(guesses_frame(*PARTS), name="<b>ours</b>", number="at most 760")
    texts = [note.text for note in made.figure.layout.annotations]
    assert any("at most 760" in text for text in texts)
    assert not any("<b>ours" in text for text in texts)
    assert "at most 760 are right" in made.alt


def test_several_together_are_in_ink_and_may_be_outlined():
    frame = guesses_frame(("by audit", 173, AUDIT, False), ("together", 87, None, True))
    assert frame["style"].tolist() == [None, AUDIT, None, None]
    together = squares(frame).figure.data[2]
    key = [part.name for part in squares(frame, key=True).figure.data[-2:]]
    assert key == ["327 wrong", "87 of them together"]
    assert together.marker.color is None
    assert together.marker.symbol == "square-open"
