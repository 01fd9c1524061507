"""What the page Laplace or Gauss says: verdicts that turn with the numbers, nothing unsaid."""

import math

import numpy as np
import pytest

from dpviz.accounting import composed_laplace_epsilon
from dpviz.charts.crossover.rounds import crossover_rounds, gauss_from, rounds_epsilon
from dpviz.noise import FAMILIES
from dpviz.planning.budgets import Setting
from dpviz.planning.choice import Question, choose
from dpviz.planning.same_rho import at_rho
from dpviz.planning.tiers import DEFAULT_TIERS, as_rows, read_tiers
from dpviz.queries import Sensitivity
from dpviz.ui.kit import noise_words
from dpviz.ui.laplace_or_gauss import rounds_words, verdict, words
from dpviz.ui.laplace_or_gauss import sample as folds
from dpviz.ui.laplace_or_gauss.controls import View
from tests.visiting import plain


def view(epsilon=1.0, delta=1e-6, moved=1.0, *, own=True, axis="epsilon"):
    q = Question(epsilon=epsilon, log_delta=math.log(delta), l1=math.sqrt(moved), l2=1.0)
    return View(
        choice=choose(q), dimension=30, noun="people", unit="people", own=own, axis=axis, low=-15.0
    )


@pytest.mark.parametrize(
    ("at", "sentence"),
    [
        ({}, "At ε = 1: only above δ* = 0.063 is Gaussian noise smaller."),
        ({"delta": 0.1}, "At ε = 1: only below δ* = 0.063 is Laplace noise smaller."),
        ({"epsilon": 4.1, "moved": 2},
         "only between δ* = 0.31 and 0.46 is Gaussian noise smaller."),
        ({"epsilon": 4.1, "moved": 2, "delta": 0.4},
         "only below δ* = 0.31 and above 0.46 is Laplace noise smaller."),
        ({"epsilon": 4.886554}, "Laplace noise is smaller at every δ up to 0.5."),
        ({"moved": 683}, "only below δ* = 3.1×10⁻³⁰² is Laplace noise smaller."),
        ({"epsilon": 10.0}, "At ε = 10: Laplace noise is smaller at every δ up to 0.5."),
    ],
)  # fmt: skip
def test_the_takeaway_turns_with_the_numbers(at, sentence):
    assert sentence in plain(words.takeaway(view(**at)))


def test_without_a_query_the_formulas_stay():
    assert "Δ" in folds.formula(None) or "Delta" in folds.formula(None)


def test_the_classical_line_is_explained_only_where_it_is_drawn():
    assert "Dashed" in words.map_lines(view())
    assert "Dashed" not in words.map_lines(view(2.0, axis="moved"))
    assert "classical" in words.noise_reading(view())
    assert "classical" not in words.noise_reading(view(2.0))
    assert "Classical formula" not in folds.formula(view(2.0)).split("Standard deviations")[1]


def test_the_switch_of_the_l2_mechanism_is_said_where_it_is():
    assert "needs more at every δ up to 0.5" in words.noise_reading(view())
    assert "falls below it at δ = 0.011" in words.noise_reading(view(moved=10))
    assert "Dotted" in words.map_lines(view(moved=10))
    assert "Dotted" not in words.map_lines(view())


def test_groups_up_to_which_laplace_wins():
    assert "up to 8 groups per person" in words.map_reading(view())
    assert "even for one group per person" in words.map_reading(view(delta=0.1))


def test_wider_tails_may_turn_the_verdict_round():
    near = view(delta=0.06)
    assert near.choice.better.name == "laplace"
    laplace, gauss = verdict.halves(near)
    assert laplace > gauss
    assert "reverses the verdict" in verdict.hills_reading(near)
    assert "(typical error " in verdict.sentence(near)
    assert "reverses the verdict" not in verdict.hills_reading(view())


@pytest.mark.parametrize(
    ("at", "said"),
    [
        ({"moved": 5}, "If one person can change 5 numbers, Laplace noise is smaller "
                       "(± 6.70 people, Gaussian ± 8.29); from 9 numbers on, Gaussian noise is "
                       "smaller."),
        ({"moved": 10}, "Gaussian noise is smaller (± 8.29 people, Laplace ± 9.47); below 9 "
                        "numbers, Laplace noise is smaller."),
        ({"moved": 8}, "Laplace noise is smaller (typical error 4 people, Gaussian 4.23)"),
        ({"delta": 0.1}, ", even for one number."),
        ({"moved": 2.5}, "Here Laplace noise is smaller (±"),
    ],
)  # fmt: skip
def test_the_verdict_turns_with_how_much_one_person_can_change(at, said):
    assert said in plain(verdict.sentence(view(**at)))


def test_without_a_query_there_is_no_verdict():
    assert verdict.sentence(None) == words.NOTHING
    assert verdict.claims(None) == ()


@pytest.mark.parametrize(
    ("exact", "loose", "said"),
    [
        (
            20,
            None,
            ("From 20 rounds on Gaussian noise costs less", "Laplace noise would cost less in 100"),
        ),
        (1, 1, ("at any number of rounds", "Gaussian noise would cost less from one round on")),
        (None, None, ("In 100 rounds Laplace noise costs less", "Laplace noise would cost less")),
        (2, 7, ("From two rounds on", "Gaussian noise would cost less from seven rounds on")),
    ],
)
def test_rounds_are_read_off_in_words(exact, loose, said):
    reading, lines = (
        rounds_words.rounds_reading(view(), exact, 100),
        rounds_words.rounds_lines(view(), loose, 100),
    )
    assert len(reading.split()) <= 32
    text = plain(f"{reading} {lines}")
    assert all(part in text for part in said)


def test_the_exact_sum_and_not_the_bound_says_which_costs_less():
    """At 19 rounds Gaussian is below Laplace’s bound, and still dearer than Laplace itself."""
    question = view().question
    tight = composed_laplace_epsilon([question.epsilon] * 19, question.log_delta)
    gauss, bound = (rounds_epsilon(question, name, 19) for name in ("gauss", "laplace_bound"))
    assert tight < gauss < bound
    assert rounds_epsilon(question, "gauss", 20) < rounds_epsilon(question, "laplace_exact", 20)
    assert gauss_from(question, crossover_rounds(question)) == 20


def test_the_drawer_says_in_one_line_what_equal_rho_would_give():
    (line,) = (each for each in folds.formula(view(moved=4)).splitlines() if "equal ρ" in each)
    assert "= 8 times the variance of Gaussian noise" in line


@pytest.mark.parametrize("l0", [1, 5])
def test_at_each_rho_of_the_default_plan_gaussian_noise_is_the_smaller_one(l0):
    assert "smaller variance than Laplace" in noise_words.WHY_GAUSSIAN
    for t in DEFAULT_TIERS:
        held = at_rho(float(t.amount), l1=float(l0), l2=math.sqrt(l0), count=l0)
        assert 1.39 < held.ratio < 2 < held.ratio_bound * (1 + 1e-12)


@pytest.mark.parametrize("moved", [1, 4])
def test_at_the_same_rho_laplace_noise_is_the_larger_by_the_factor_that_is_said(moved):
    """The page Tiers holds a typed ρ fixed; where the two cross at one (ε, δ), they do not."""
    sizes = {}
    for name in ("gaussian", "laplace"):
        family = FAMILIES[name]
        setting = Setting(
            family=family, delta=1e-6, sensitivity=Sensitivity.bounded(moved), dimension=5
        )
        planned, _ = read_tiers(as_rows(DEFAULT_TIERS), setting)
        sizes[name] = [family.variance(p.budget.level) for p in planned]
    ratio = np.divide(sizes["laplace"], sizes["gaussian"])
    np.testing.assert_allclose(ratio, 2 * moved, rtol=1e-9)
    assert f"has {2 * moved} times the variance" in noise_words.at_the_same_rho(float(moved))


def test_a_typed_query_names_no_data_in_the_footer():
    footer = (("Definition", "ρ-zCDP"), ("Unit", "one person"), ("Data", "NHEFS"))
    own = dict(words.facts(view(), footer))
    assert own["Definition"].startswith("(ε, δ)-DP")
    assert own["Data"] == "NHEFS"
    typed = dict(words.facts(view(own=False), footer))
    assert "NHEFS" not in str(typed)


@pytest.mark.parametrize("axis", ["epsilon", "moved"])
@pytest.mark.parametrize("moved", [1, 683])
def test_descriptions_fit_a_screen_reader(axis, moved):
    assert len(words.map_alt(view(moved=moved, axis=axis))) <= 200
