"""The page Composition: every number by another way, its headline, rows, and bars never too short.

Other ways are outcome by outcome, on grids, and by scipy.
"""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy.optimize import brentq

from dpviz import Filter
from dpviz.accounting import zcdp_epsilon
from dpviz.accounting.bounds import ANY_ORDER, ASSUMPTIONS, EXACT, FIXED_ORDER, IN_ADVANCE, UPPER
from dpviz.accounting.bounds import Bound as One
from dpviz.errors import ParameterError
from dpviz.scenes import composition as scenes
from dpviz.scenes.composition import Questions, shown
from dpviz.ui import composition as page
from dpviz.ui.composition import register
from dpviz.ui.kit.code import recipe_code
from dpviz.workspace.composition import ANY, CHOICE, GAUSS, WITH_DELTA, Part
from tests.visiting import numbers_of, plain

ONE = Part(answer=GAUSS, budget=0.1)
TEN = Part(answer=ANY, budget=0.1, count=10)


def scene(*sequence, delta="1e-6", granted=FIXED_ORDER, limit="2"):
    return scenes.scene(
        Questions(
            sequence=sequence,
            notes=("",) * len(sequence),
            delta=Fraction(delta),
            granted=granted,
            limit=Fraction(limit) if limit else None,
        )
    )


def response(epsilon):
    """Losses and probabilities of randomised response."""
    high = 1 / (1 + math.exp(-epsilon))
    return (epsilon, high), (-epsilon, 1 - high)


def delta_of(laws, total):
    """δ of independent answers, outcome by outcome."""
    found = 0.0
    for outcome in itertools.product(*laws):
        loss, mass = sum(x for x, _ in outcome), math.prod(p for _, p in outcome)
        found += mass * np.maximum(0.0, -np.expm1(total - loss))
    return found


def in_advance(epsilon, choices, others, total):
    """δ of choices fixed in advance: the worst t of one for all, on a fine grid."""
    t = np.linspace(0, epsilon, 2001)[1:-1]
    q = np.expm1(t - epsilon) / math.expm1(-epsilon)
    laws = [((t, q), (t - epsilon, 1 - q))] * choices + [response(epsilon)] * others
    return delta_of(laws, total).max()


@pytest.mark.parametrize(("epsilon", "count"), [(0.5, 6), (0.3, 8)])
def test_any_private_answers(epsilon, count):
    made, laws = scene(Part(answer=ANY, budget=epsilon, count=count), delta="0.001"), []
    laws = [response(epsilon)] * count
    assert made.right.value == pytest.approx(500 * (1 + delta_of(laws, 0.0)))
    wanted = brentq(lambda g: delta_of(laws, g) - 0.001, 0, count * epsilon)
    assert made.best["epsilon"] == pytest.approx(wanted, rel=1e-8)
    assert made.added["epsilon"] == count * epsilon
    assert made.filled == ()


def test_choices_fixed_in_advance():
    made = scene(
        Part(answer=ANY, budget=0.5),
        Part(answer=CHOICE, budget=0.5, count=2),
        delta="0.01",
        granted=IN_ADVANCE,
    )
    assert in_advance(0.5, 2, 1, made.best["epsilon"]) == pytest.approx(0.01, rel=1e-4)
    assert made.right.value >= 500 * (1 + in_advance(0.5, 2, 1, 0.0))


def test_the_bar_fills_by_what_each_question_costs_with_all_before_it():
    many = [Part(answer=ANY, budget=0.1 * (n + 1)) for n in range(8)]
    made = scene(*many, delta="0.001", limit=None)
    assert len(made.filled) == scenes.MOST_LISTED
    for place, row in enumerate(made.filled, 1):
        laws = [response(0.1 * (n + 1)) for n in range(place)]
        assert delta_of(laws, row["epsilon"]) <= 0.001 * (1 + 1e-9)
        assert row["epsilon"] <= sum(0.1 * (n + 1) for n in range(place)) + 1e-12
    assert made.filled[-1]["epsilon"] < made.best["epsilon"]


def test_the_tightest_that_holds_is_first():
    bounds = (
        One("fixed in advance", 1.3761, "Theorem 3", EXACT, IN_ADVANCE),
        One("zCDP", 1.66001, "", UPPER, ANY_ORDER),
        One("sum", 2.0, "", UPPER, ANY_ORDER),
    )
    late = scenes.table(bounds, ANY_ORDER)
    assert late["bound"].tolist() == ["zCDP", "sum", "fixed in advance"]
    assert late["holds"].tolist() == [True, True, False]
    assert scenes.table(bounds, IN_ADVANCE)["bound"][0] == "fixed in advance"


def test_without_an_answer_there_is_no_scene():
    with pytest.raises(ParameterError, match="no answer"):
        scene()


@pytest.mark.parametrize("granted", ASSUMPTIONS)
def test_the_sample_shown_is_what_made_the_numbers(granted):
    made = scene(
        Part(answer=ANY, budget=0.1, count=10),
        Part(answer=WITH_DELTA, budget=0.25, delta=1e-8),
        granted=granted,
    )
    assert numbers_of(recipe_code(scenes.costs, **made.questions.typed)).equals(made.bounds)


def test_registered_budgets_cost_what_a_filter_says_and_those_chosen_on_the_way_more():
    made = scene(Part(answer=ANY, budget=0.1, count=10), Part(answer=CHOICE, budget=0.1, count=10))
    plan = [("pure", 0.1)] * 10 + [("bounded range", 0.1)] * 10
    assert made.registered == pytest.approx(Filter(plan, delta=1e-6).total.value)
    rho = 10 * 0.1**2 / 2 + 10 * 0.1**2 / 8
    assert made.on_the_way == pytest.approx(min(2.0, zcdp_epsilon(rho, math.log(1e-6))))
    assert "ε = 1.39 in all. If you also" in register(made).text
    alike = scene(Part(answer=GAUSS, budget=0.1))
    assert "either way" in register(alike).text


def worst(epsilon):
    """Right guesses of 1,000 that ε and δ = 10⁻⁶ allow, by the formula."""
    return math.ceil(1000 * (math.exp(epsilon) + 1e-6) / (1 + math.exp(epsilon)))


@pytest.mark.parametrize(
    ("parts", "limit", "then"),
    [
        (
            [TEN, Part(answer=CHOICE, budget=0.1, count=2)],
            "2",
            "Together they cost less than their sum: your limit has room for {room} more like "
            "question 2, best of a list.",
        ),
        ([TEN], "1", "Your limit has no room for more like these."),
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


def test_of_few_answers_the_sum_is_said_to_be_the_best_bound():
    few, many = (Part(answer=ANY, budget=0.1, count=count) for count in (10, 200))
    choice = Part(answer=CHOICE, budget=0.1, count=10)
    for parts, told in (((few, choice), True), ((many, choice), False), ((few,), False)):
        assert scene(*parts).begins_as_a_sum == told
        assert ("For few answers, the sum is the best bound" in page.reading(scene(*parts))) == told


def test_beside_it_stands_what_the_cost_means_for_one_person():
    made = scene(TEN, Part(answer=CHOICE, budget=0.1, count=2))
    (meaning,) = page.beside(made)
    best, right, coin, most = meaning.values
    assert (best, coin) == (made.best["epsilon"], 500)
    now, at_limit = worst(float(shown(best))), worst(2)  # from the ε that is written
    assert (math.ceil(right), math.ceil(most)) == (now, at_limit)
    said = f"at most {now} times in 1,000 (a coin: 500); at your limit, at most {at_limit}."
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
        (f"ρ = 0.1, 12 in all; teal: room for {made.room.best} more, ε", made.best),
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
