"""What the page Laplace or Gauss says: verdicts that turn with the numbers, nothing unsaid."""

import math
from types import SimpleNamespace

import numpy as np
import pytest

from dpviz.accounting import composed_laplace_epsilon
from dpviz.charts.crossover import frame
from dpviz.charts.crossover.rounds import rounds_epsilon
from dpviz.noise import FAMILIES
from dpviz.planning.budgets import Setting
from dpviz.planning.choice import Question, choose
from dpviz.planning.tiers import DEFAULT_TIERS, as_rows, read_tiers
from dpviz.queries import Sensitivity
from dpviz.ui.kit import noise_words
from dpviz.ui.laplace_or_gauss import sample as folds
from dpviz.ui.laplace_or_gauss import words
from dpviz.ui.laplace_or_gauss.controls import View
from dpviz.words import NO_BREAK


def view(epsilon=1.0, delta=1e-6, moved=1.0, *, own=True, axis="epsilon"):
    q = Question(epsilon=epsilon, log_delta=math.log(delta), l1=math.sqrt(moved), l2=1.0)
    return View(choice=choose(q), dimension=30, noun="people", own=own, axis=axis, low=-15.0)


def plain(text):
    return text.replace("\\", "").replace(NO_BREAK, " ")


@pytest.mark.parametrize(
    ("at", "sentence"),
    [
        ({}, "Laplace noise is more exact: a standard deviation of 1.41 people, where Gaussian "
             "noise needs 4.22. Only above δ* = 0.04 would Gauss be better."),
        ({"delta": 0.1}, "Only below δ* = 0.04 would Laplace be better."),
        ({"moved": 683}, "Only below δ* = 3.1×10⁻³⁰² would Laplace be better."),
        ({"epsilon": 10.0}, "At this ε that holds for every δ up to 0.5."),
    ],
)  # fmt: skip
def test_the_takeaway_turns_with_the_numbers(at, sentence):
    assert sentence in plain(words.takeaway(view(**at)))


def test_without_a_query_the_takeaway_says_what_to_do():
    assert words.takeaway(None).startswith("Type a query")
    assert "Δ" in folds.formula(None) or "Delta" in folds.formula(None)


def test_the_classical_line_is_explained_only_where_it_is_drawn():
    assert "Dashed" in words.map_reading(view())
    assert "Dashed" not in words.map_reading(view(2.0, axis="moved"))
    assert "classical" in words.noise_reading(view())
    assert "classical" not in words.noise_reading(view(2.0))
    assert "Classical formula" not in folds.formula(view(2.0)).split("Standard deviations")[1]


def test_the_switch_of_the_l2_mechanism_is_said_where_it_is():
    assert "needs more at every δ up to 0.5" in words.noise_reading(view())
    assert "falls below it at δ = 0.011" in words.noise_reading(view(moved=10))
    assert "Dotted" in words.map_reading(view(moved=10))
    assert "Dotted" not in words.map_reading(view())


def test_groups_up_to_which_laplace_wins():
    assert "up to 8 groups that one person moves" in words.map_reading(view())
    assert "even if one person moves one group only" in words.map_reading(view(delta=0.1))


def test_wider_tails_may_turn_the_verdict_round():
    near = view(delta=0.038)
    assert near.choice.better.name == "laplace"
    halves = [
        frame.half_width_of(n, d, 0.95)
        for n, d in (("laplace_l1", near.choice.laplace), ("gauss", near.choice.gaussian))
    ]
    assert halves[0] > halves[1]
    assert "turns the verdict round" in words.hills_reading(*halves, near)
    assert "turns the verdict round" not in words.hills_reading(3.0, 8.3, view())


@pytest.mark.parametrize(
    ("exact", "loose", "said"),
    [
        (19, None, ("From 19 rounds on Gauss lies below", "Laplace would cost less in 100")),
        (1, 1, ("at any number of rounds", "Gauss would cost less from one round on")),
        (None, None, ("In 100 rounds Laplace costs less", "Laplace would cost less")),
        (2, 7, ("From two rounds on", "Gauss would cost less from seven rounds on")),
    ],
)
def test_rounds_are_read_off_in_words(exact, loose, said):
    text = plain(words.rounds_reading(view(), exact, loose, 100))
    assert all(part in text for part in said)


def test_no_number_of_rounds_is_called_cheaper_by_a_bound_alone():
    """At 19 rounds Gauss is below Laplace’s bound, and still dearer than Laplace itself."""
    question = view().question
    tight = composed_laplace_epsilon([question.epsilon] * 19, question.log_delta).value
    gauss, bound = (rounds_epsilon(question, name, 19) for name in ("gauss", "laplace_bound"))
    assert tight < gauss < bound
    text = plain(words.rounds_reading(view(), 19, None, 100))
    assert "From 19 rounds on Gauss costs less" not in text
    assert "upper bound" in text


def tier(name, better):
    return SimpleNamespace(
        planned=SimpleNamespace(name=name),
        choice=SimpleNamespace(better=FAMILIES[better], question=SimpleNamespace(moved=3.0)),
    )


def test_tiers_that_disagree_are_told_that_a_session_has_one_noise():
    both = [tier("public", "gaussian"), tier("a*b", "laplace"), tier("audit", "laplace")]
    said = words.tiers_sentence(both)
    assert said.startswith(
        "At the same ε and δ, a\\*b and audit would have less noise with Laplace noise, public "
        "with Gaussian."
    )
    assert "one noise for all its tiers" in said
    assert words.tiers_sentence(both[:1]).startswith(
        "At the same ε and δ, the one tier would have less noise with Gaussian noise."
    )


def test_each_verdict_says_what_is_held_fixed():
    assert plain(words.takeaway(view())).startswith("At the same ε = 1 and δ = 10⁻⁶ Laplace")
    assert words.tiers_sentence([tier("a", "laplace"), tier("b", "laplace")]) == (
        "At the same ε and δ, both tiers would have less noise with Laplace noise. At the same ρ, "
        "Laplace noise has 6 times the variance of Gaussian noise. On the page Tiers, another "
        "noise keeps what was typed."
    )


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
