"""The page Composition: its headline, room for more, rows, bars that are never too short."""

import math

import pytest

from dpviz.ui import composition as page
from dpviz.workspace.composition import ANY, CHOICE, GAUSS, LAPLACE, Part
from tests.unit.scenes.test_composition import scene
from tests.visiting import plain

ONE = Part(answer=GAUSS, budget=0.1)
TEN = Part(answer=ANY, budget=0.1, count=10)


def test_the_headline_says_the_total_and_the_sum_and_beside_it_stands_the_room():
    made = scene(TEN, Part(answer=CHOICE, budget=0.1, count=2))
    said = page.headline(made)
    count, right, coin, feared = said.values
    assert (count, right, coin) == (12, made.right.value, 500)
    assert feared == pytest.approx(1000 * (math.exp(1.2) + 1e-6) / (1 + math.exp(1.2)), rel=1e-9)
    assert plain(said.text) == (
        "Take 12 answers from the same data, and a guess about one person is right at most "
        f"{made.right.count} times in 1,000 (a coin: 500). The sum of their costs "
        f"alone would allow {math.ceil(feared)}."
    )
    cost, room = page.beside(made)
    best, added, allowed = cost.values
    assert (best, added) == (made.best["epsilon"], made.added["epsilon"])
    assert allowed == pytest.approx(1000 * (math.exp(best) + 1e-6) / (1 + math.exp(best)), rel=1e-6)
    up = math.ceil(100 * best) / 100
    assert plain(cost.text) == (
        f"In all they cost ε ≤ {up:g}, not the sum, 1.2. Of noise that nobody knows, that ε would "
        f"allow {math.ceil(allowed)} right guesses; this noise is known, and allows fewer."
    )
    assert room.values == (made.room.best,)
    assert plain(room.text) == (
        f"**Can you answer more?** {made.room.best} more like those of question 2 stay below ε = "
        "2; then stop, or raise your limit."
    )


@pytest.mark.parametrize(
    ("parts", "limit", "sentence"),
    [
        ([Part(answer=GAUSS, budget=0.1)], "2", "Take one answer from the same data, and"),
        ([TEN, Part(answer=LAPLACE, budget=0.5)], "", "Take 11 answers from the same data, and"),
    ],
)
def test_other_headlines(parts, limit, sentence):
    assert sentence in plain(page.headline(scene(*parts, limit=limit)).text)


@pytest.mark.parametrize(
    ("limit", "sentence"),
    [
        ("0.5", "**Too many?** That may be more than your limit: ask less, or raise it."),
        (
            "1",
            "**Can you answer more?** None like those of question 1 stay below ε = 1; then "
            "stop, or raise your limit.",
        ),
    ],
)
def test_without_room_that_is_said(limit, sentence):
    assert plain(page.beside(scene(TEN, limit=limit))[1].text) == sentence


def test_what_the_promise_alone_allows_is_in_the_drawer():
    many = scene(Part(answer=ANY, budget=0.1, count=20))
    epsilon, told = many.best["epsilon"], plain(page.formula(many))
    worst = math.ceil(1000 * (math.exp(epsilon) + 1e-6) / (1 + math.exp(epsilon)))
    assert f"no more is known, would allow at most {worst}." in told
    assert f"= {math.exp(epsilon):.5g} times as likely" in told
    assert "next to nothing" in page.beside(scene(Part(answer=ANY, budget=30)))[-1].text


def test_bounds_are_never_written_smaller():
    made = scene(TEN, Part(answer=GAUSS, budget=0.1, count=2), limit="9")
    alt = plain(page.picture(made).alt)
    alone, both = made.rights
    assert f"All 12 answers together, ≤ {math.ceil(made.right.value)} of 1,000" in alt
    assert f"By the sum of their costs alone, ≤ {math.ceil(made.feared.value)} of 1,000" in alt
    assert f"1. Anything that promises ε: ten answers, ≤ {math.ceil(alone.value)} of 1,000;" in alt
    assert max(alone.value, both.value) < made.right.value < made.feared.value
    assert "… and 3 more" in page.picture(scene(*[TEN] * 9, limit=None)).alt


def test_every_total_is_in_the_formula_and_the_table():
    made = scene(TEN, Part(answer=GAUSS, budget=0.1))
    told = page.formula(made)
    for name in made.bounds["bound"]:
        assert name in told or name in told.casefold()
    assert "10 × 0.1 = 1, exactly" in page.formula(scene(TEN))
    for text, value in zip(page.bounds_table(made)["total ε"], made.bounds["epsilon"], strict=True):
        assert float(text) >= value


@pytest.mark.usefixtures("visit")
def test_a_press_that_comes_after_its_row_was_taken_away_changes_nothing():
    """Two presses may be heard at once: the second is of a page that is no longer true."""
    page.move(1, -1)
    assert page.ROWS.get().order == (1, 0)
    page.remove(1)
    left = page.ROWS.get()
    assert left.order == (0,)
    for late in (lambda: page.move(1, 1), lambda: page.remove(1), lambda: page.move(9, 1)):
        late()
        assert page.ROWS.get() == left
    page.undo()
    assert page.ROWS.get().order == (1, 0)
