"""The page Composition: its headline, room for more, rows, bars that are never too short."""

import math

import pytest

from dpviz.ui import composition as page
from dpviz.ui import composition as rows
from dpviz.workspace.composition import ANY, CHOICE, GAUSS, LAPLACE, Part
from tests.unit.scenes.test_composition import scene
from tests.visiting import plain

# --- What the page Composition says: its headline, room for more, bars that are never too short ---

TEN = Part(answer=ANY, budget=0.1, count=10)


def test_the_headline_says_the_total_the_sum_and_the_room():
    made = scene(TEN, Part(answer=CHOICE, budget=0.1, count=2))
    said = page.headline(made)
    count, best, added, more = said.values
    assert (count, best, added) == (12, made.best["epsilon"], made.added["epsilon"])
    assert more == made.room.best
    up = math.ceil(100 * best) / 100
    assert plain(said.text) == (
        f"12 answers at ε = 0.1 cost ε = {up:g}, not 1.2: there is room for {more} more."
    )
    assert "room" not in page.headline(scene(TEN, limit=None)).text


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        (Part(answer=GAUSS, budget=0.1), "One answer costs ε = 2."),
        (Part(answer=LAPLACE, budget=0.5), "One answer costs ε = 0.5."),
    ],
)
def test_one_answer_has_no_sum(part, sentence):
    assert plain(page.headline(scene(part)).text) == sentence


def test_room_in_words():
    twenty = Part(answer=ANY, budget=0.1, count=20)
    ((room, _), (over, _)) = (page.beside(scene(twenty, limit=limit)) for limit in ("3", "0.5"))
    assert "Simply added, 10 would fit." in plain(room.text)
    assert "may cost more than the" in over.text
    assert len(page.beside(scene(twenty, limit=None))) == 1
    assert "at least 1,000 would fit." in page.beside(scene(twenty, limit="1e6"))[0].text


def test_many_answers_allow_fewer_guesses_than_one_with_their_total():
    many = scene(Part(answer=ANY, budget=0.1, count=20))
    said = page.beside(many)[-1]
    assert many.right.count < many.alone.count
    assert f"at most {many.right.count} times in 1,000 (a coin: 500); " in plain(said.text)
    assert said.text.endswith(f" could allow {many.alone.count}.")
    assert "could" not in page.beside(scene(Part(answer=ANY, budget=0.1)))[-1].text


def test_bounds_are_never_written_smaller():
    made = scene(TEN, Part(answer=GAUSS, budget=0.1, count=2))
    alt = plain(page.picture(made).alt)
    total = math.ceil(100 * made.best["epsilon"]) / 100
    assert f"All 12 answers together, ≤ {total:g}" in alt
    assert "1. Anything that promises ε: ten answers, ε = 0.1 each, 1;" in alt
    assert "… and 3 more" in page.picture(scene(*[TEN] * 9, limit=None)).alt


def test_every_total_is_in_the_formula_and_the_table():
    made = scene(TEN, Part(answer=GAUSS, budget=0.1))
    told = page.formula(made)
    for name in made.bounds["bound"]:
        assert name in told or name in told.casefold()
    assert "10 × 0.1 = 1, exactly" in page.formula(scene(TEN))
    for text, value in zip(page.bounds_table(made)["total ε"], made.bounds["epsilon"], strict=True):
        assert float(text) >= value


# --- The rows of the sequence: what presses do to them that come in any order --------------------


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
