"""The page Composition: its headline, room for more, rows, bars that are never too short."""

import math

import pytest

from dpviz.ui import composition as page
from dpviz.workspace.composition import ANY, CHOICE, GAUSS, Part
from tests.unit.scenes.test_composition import scene
from tests.visiting import plain

ONE = Part(answer=GAUSS, budget=0.1)
TEN = Part(answer=ANY, budget=0.1, count=10)


def worst(epsilon):
    """Right guesses of 1,000 that ε and δ = 10⁻⁶ allow, by the formula."""
    return math.ceil(1000 * (math.exp(epsilon) + 1e-6) / (1 + math.exp(epsilon)))


@pytest.mark.parametrize(
    ("parts", "limit", "then"),
    [
        ([TEN, Part(answer=CHOICE, budget=0.1, count=2)], "2", "You can give {room} more like"),
        ([TEN], "1", "You can give no more like those of question 1 before you reach your limit."),
        ([ONE, TEN], "0.5", "That may cost more than your limit: ask less, or raise it."),
        ([ONE], "", "Together they cost ε ≤ {cost}."),
    ],
)
def test_the_headline_says_how_many_more_answers_fit(parts, limit, then):
    made = scene(*parts, limit=limit)
    said = page.headline(made)
    room = made.room.best if made.room else None
    assert said.values[0] == made.count == sum(part.count for part in parts)
    told = then.format(room=room, cost=f"{math.ceil(100 * made.best['epsilon']) / 100:g}")
    assert f"about the same people. {told}" in plain(said.text)


def test_beside_it_stands_what_the_cost_means_for_one_person():
    made = scene(TEN, Part(answer=CHOICE, budget=0.1, count=2))
    (meaning,) = page.beside(made)
    best, right, coin, most = meaning.values
    assert (best, coin) == (made.best["epsilon"], 500)
    assert (math.ceil(right), math.ceil(most)) == (worst(best), worst(2))
    said = f"at most {worst(best)} times in 1,000 (a coin: 500); at your limit, at most {worst(2)}."
    assert said in plain(meaning.text)
    assert "limit" not in page.beside(scene(TEN, limit=""))[0].text
    assert "next to nothing" in page.beside(scene(Part(answer=ANY, budget=30)))[0].text


def test_what_the_noise_allows_and_what_the_promise_alone_does_is_in_the_drawer():
    many = scene(Part(answer=ANY, budget=0.1, count=20))
    epsilon, told = many.best["epsilon"], plain(page.formula(many))
    assert f"no more is known, would allow at most {worst(epsilon)}." in told
    assert f"= {math.exp(epsilon):.5g} times as likely" in told
    assert f"= {many.right.value:.6g} of 1,000" in told


def test_the_bar_fills_with_every_question_and_no_cost_is_written_smaller():
    made = scene(TEN, Part(answer=GAUSS, budget=0.1, count=2), limit="9")
    alt = plain(page.picture(made).alt)
    (first,) = made.filled
    for words, row in (
        (f"Question 1, anything that promises ε: ten answers of {TEN.words}, ε", first),
        (f"With question 2, {GAUSS.name}: all 12 answers, ε", made.best),
        ("all costs simply added: ε", made.added),
    ):
        written = float(alt.split(words)[1].split()[1].rstrip(";."))
        assert row["epsilon"] <= written < row["epsilon"] * 1.01
    assert "to your limit: ε = 9" in alt
    assert "your limit: ε = 0.5" in plain(page.picture(scene(TEN, limit="0.5")).alt)
    assert "All 90 answers together" in page.picture(scene(*[TEN] * 9, limit=None)).alt


def test_every_total_is_in_the_formula():
    made = scene(TEN, Part(answer=GAUSS, budget=0.1))
    told = page.formula(made)
    for name in made.bounds["bound"]:
        assert name in told or name in told.casefold()
    assert "10 × 0.1 = 1, exactly" in page.formula(scene(TEN))


@pytest.mark.usefixtures("visit")
def test_a_press_that_comes_after_its_row_was_taken_away_changes_nothing():
    """Two presses may be heard at once: the second is of a page that is no longer true."""
    page.remove(1)
    left = page.ROWS.get()
    assert left.order == (0,)
    page.remove(1)
    assert page.ROWS.get() == left
