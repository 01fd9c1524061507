"""What the page says: its claims computed again by another way; every case has a sentence."""

import itertools
import math
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq

from dpviz.accounting.bounds import ANY_ORDER, ASSUMPTIONS, FIXED_ORDER, IN_ADVANCE
from dpviz.ui.composition import sample, words
from dpviz.ui.composition.controls import View
from dpviz.workspace.composition import ANY, CHOICE, GAUSS, LAPLACE, Part
from dpviz.workspace.composition_totals import totals
from tests.visiting import plain


def view(*sequence, delta="1e-6", granted=FIXED_ORDER, limit="2"):
    exact = Fraction(delta)
    return View(
        sequence=sequence,
        delta=exact,
        granted=granted,
        totals=totals(sequence, exact),
        limit=Fraction(limit) if limit else None,
        more=sequence[-1],
        notes=("",) * len(sequence),
    )


def claimed(shown):
    return {claim.what: claim.value for claim in words.claims(shown)}


def response(epsilon):
    """Losses and probabilities of randomised response."""
    high = 1 / (1 + math.exp(-epsilon))
    return (epsilon, high), (-epsilon, 1 - high)


def delta_of(laws, total):
    """δ of independent answers, outcome by outcome."""
    found = 0.0
    for outcome in itertools.product(*laws):
        loss, mass = sum(x for x, _ in outcome), math.prod(p for _, p in outcome)
        found += mass * max(0.0, -math.expm1(total - loss))
    return found


def in_advance(epsilon, choices, others, total):
    """δ of choices fixed in advance: the worst t of one for all, on a fine grid."""
    found = 0.0
    for t in np.linspace(0, epsilon, 2001)[1:-1]:
        q = math.expm1(t - epsilon) / math.expm1(-epsilon)
        laws = [((t, q), (t - epsilon, 1 - q))] * choices + [response(epsilon)] * others
        found = max(found, delta_of(laws, total))
    return found


@pytest.mark.parametrize(("epsilon", "count"), [(0.5, 6), (0.3, 8)])
def test_claims_of_any_private_answers(epsilon, count):
    shown = view(Part(answer=ANY, budget=epsilon, count=count), delta="0.001")
    laws = [response(epsilon)] * count
    found = claimed(shown)
    assert shown.guesses.value == pytest.approx(500 * (1 + delta_of(laws, 0.0)))
    wanted = brentq(lambda g: delta_of(laws, g) - 0.001, 0, count * epsilon)
    assert found["total ε"] == pytest.approx(wanted, rel=1e-8)
    assert found["the sum"] == count * epsilon


def test_as_many_more_answers_fit_as_are_said_to():
    shown = view(Part(answer=ANY, budget=0.3, count=8), delta="0.001", limit="3")
    more = claimed(shown)["more answers that fit"]
    assert more > shown.room.added
    assert delta_of([response(0.3)] * (8 + more), 3.0) <= 0.001
    assert f" That leaves room for at least {more} more answers." in plain(words.take_away(shown))


def test_claims_of_choices_fixed_in_advance():
    shown = view(
        Part(answer=ANY, budget=0.5),
        Part(answer=CHOICE, budget=0.5, count=2),
        delta="0.01",
        granted=IN_ADVANCE,
    )
    assert in_advance(0.5, 2, 1, claimed(shown)["total ε"]) == pytest.approx(0.01, rel=1e-4)
    assert shown.guesses.value >= 500 * (1 + in_advance(0.5, 2, 1, 0.0))


def test_claims_of_gaussian_noise():
    shown = view(Part(answer=GAUSS, budget=0.1, count=5))  # μ = 1
    found = claimed(shown)
    assert shown.guesses.value == pytest.approx(1000 * stats.norm.cdf(0.5))
    total = found["total ε"]
    delta = stats.norm.cdf(0.5 - total) - math.exp(total) * stats.norm.cdf(-0.5 - total)
    assert delta == pytest.approx(1e-6, rel=1e-6)


@pytest.mark.parametrize("granted", ASSUMPTIONS)
def test_the_sentence_has_the_numbers_of_its_claims(granted):
    shown = view(
        Part(answer=ANY, budget=0.1, count=10),
        Part(answer=CHOICE, budget=0.1, count=2),
        granted=granted,
    )
    said = plain(words.take_away(shown))
    right = f"{math.ceil(shown.guesses.value)} of 1,000 guesses about one person are right (a coin"
    assert right in plain(words.two_reading(shown))
    assert said.startswith("All 12 answers together cost less privacy than their sum")
    assert said.endswith(f" That leaves room for at least {shown.room.best} more answers.")
    assert "room for" not in words.take_away(replace(shown, limit=None))
    kinds = {claim.what: claim.kind for claim in words.claims(shown)}
    assert ("ε of at most" in said) == (kinds["total ε"] == "at most")
    assert all(words.GRANTED[granted] in c.reason for c in words.claims(shown)[:1])


def test_one_answer_has_no_sum():
    said = words.take_away(view(Part(answer=GAUSS, budget=0.1)))
    assert plain(said) == "One answer costs ε = 2."
    laplace = words.take_away(view(Part(answer=LAPLACE, budget=0.5)))
    assert plain(laplace) == "One answer costs ε = 0.5."
    assert "sum" not in said


def test_room_in_words():
    ten = Part(answer=ANY, budget=0.1, count=10)
    said = plain(words.room(view(ten)))
    shown = view(ten)
    left = math.ceil(1000 * (2 - shown.best.value) / 14) / 1000  # 14 of them fit into what is left
    assert "**At least 14 more answers** like those to question 1 fit under ε = 2: " in said
    assert f"on average, each adds at most {left:g}. Simply added, 10 would." in said
    assert "may cost more than the" in words.room(view(ten, limit="0.5"))
    assert words.room(view(ten, limit="")).startswith("Type how much ε")
    assert "at least 1,000 would." in words.room(view(ten, limit="1e6"))


def test_every_shown_total_is_in_the_formula_and_the_table():
    shown = view(Part(answer=ANY, budget=0.1, count=2), Part(answer=GAUSS, budget=0.1))
    told = sample.formula(shown)
    for bound in shown.totals:
        assert bound.name in told.casefold() or bound.name in told
    assert "Right guesses" in told
    pure = sample.formula(view(Part(answer=ANY, budget=0.1, count=3)))
    assert "3 × 0.1 = 0.3, exactly" in pure


def test_nothing_and_wrong_have_sentences():
    assert words.take_away(None, empty=True) == words.NOTHING
    assert words.take_away(None) == words.WRONG
    assert words.claims(None) == ()
    assert sample.formula(None) == sample.FORMULA
    assert words.bounds_reading(view(Part(answer=CHOICE, budget=0.1, count=3), granted=ANY_ORDER))


def test_questions_are_named_before_the_form_and_the_first_few_only():
    ten = Part(answer=ANY, budget=0.1, count=10)
    one = Part(answer=GAUSS, budget=0.1)
    said = plain(words.questions([ten, one], ["A yes or no.", ""]))
    assert "**1** A yes or no: ten answers (ε = 0.1 each)." in said
    assert "**2** Number with Gaussian noise: one answer (ρ = 0.1)." in said
    assert words.questions([one] * 9, [""] * 9).endswith("… and 3 more")


def test_many_answers_allow_fewer_guesses_than_one_with_their_total():
    many = view(Part(answer=ANY, budget=0.1, count=20))
    alone = math.ceil(1000 / (1 + math.exp(-many.best.value)))  # of an ε-DP answer
    assert f"at most {math.ceil(many.guesses.value)} of 1,000 guesses" in words.two_reading(many)
    assert math.ceil(many.guesses.value) < alone
    assert words.two_reading(many).endswith(
        f"fewer than the {alone} that a single answer of ε = {many.best.value:.3g} could allow."
    )
    assert "single" not in words.two_reading(view(Part(answer=ANY, budget=0.1)))
