"""The page Linear queries by AppTest: numbers of the library, draws, typed matrices, refusals."""

from fractions import Fraction

import numpy as np
import pytest

from dpviz.linear import Contribution
from dpviz.linear.comparison import compare
from dpviz.linear.workloads import prefix_sums
from dpviz.noise import FAMILIES
from dpviz.planning.amounts import Amount
from dpviz.words import significant
from tests.app.reading import (
    button,
    choose,
    errors,
    numbers_in,
    run_sample,
    shelf,
    specs,
    widget,
    words,
    workspace,
)
from tests.conftest import few

TYPED = "your own matrix"


def head(app):
    return app.header[0].value.replace("\\", "").replace("\u00a0", " ")


def typical(way):
    return significant(way.typical, 2)


def held(app):
    found = list(shelf(app, "linear_sessions").values())[-1]
    return found


def matrix(app, text):
    app.text_area(key="linear_matrix").set_value(text).run()
    assert not app.exception
    return errors(app)


def test_it_opens_on_running_totals_with_numbers_of_the_library(open_page):
    app = open_page("linear_queries")
    found = compare(prefix_sums(52), FAMILIES["gaussian"], "ρ", Amount(Fraction("0.1")))
    most = typical(found.ways["noise on answers"])
    assert head(app) == (
        f"A clinic publishes 52 running totals. Noise on each total is typically off by {most} "
        f"visits; noise in the right places, just as private, by {typical(found.best)}."
    )
    assert "right 588 times in 1,000 (a coin: 500)" in words(app)
    drawn = set(np.round(list(numbers_in(specs(app)[1])), 9))
    shown = {"Gaussian optimum", "square root", "binary tree", "noise on data", "noise on answers"}
    assert {round(found.ways[name].typical, 9) for name in shown} <= drawn
    assert not {round(found.ways[name].typical, 9) for name in found.ways.keys() - shown} & drawn
    assert "has a left inverse" in words(app)
    assert workspace(app).ledger == []


def test_more_weeks_and_another_relation_change_the_sensitivity(open_page):
    app = open_page("linear_queries")
    choose(app, "Noise", "laplace")
    next(s for s in app.select_slider if s.label.startswith("Weeks")).set_value(4).run()
    next(s for s in app.get("button_group") if s.key == "linear_relation").set_value(
        "replace"
    ).run()
    assert not app.exception
    person = Contribution(groups=4, relation="replace")
    found = compare(
        prefix_sums(52), FAMILIES["laplace"], "ε", Amount(Fraction("0.5")), contribution=person
    )
    assert typical(found.best) in head(app)
    assert "right at most 623 times in 1,000" in words(app)  # 1000 / (1 + exp(-0.5)), rounded up
    errors, _ = run_sample(app)["numbers"]
    assert errors.to_dict() == {name: way.typical for name, way in found.ways.items()}


def test_the_optimum_is_that_of_the_person_and_is_called_so_only_with_its_certificate(open_page):
    app = open_page("linear_queries")
    next(s for s in app.get("button_group") if s.key == "linear_relation").set_value(
        "replace"
    ).run()
    assert "just as private, by 5.4" in head(app)
    assert "It attains the bound by singular values, up to one in a thousand." in words(app)
    next(s for s in app.select_slider if s.label.startswith("Weeks")).set_value(4).run()
    assert not app.exception
    assert "Each patient comes in at most 4 weeks." in words(app)
    assert "No way gets below" in words(app)
    assert "nothing proves that no other way is better" in words(app)


def test_tiers_draw_once_in_any_order_and_the_sample_repeats_them(open_page):
    app = open_page("linear_queries")
    assert held(app).drawn == ["research", "public"]
    before = held(app).answers.release(held(app).budgets["public"].level).copy()
    assert app.button(key="linear_rest").label == "Show the other two tiers"
    for name in ("audit", "partners"):
        assert app.button(key=f"linear_draw_{name}").label.startswith("Show ")
        app.button(key=f"linear_draw_{name}").click().run()
    assert held(app).drawn == ["research", "public", "audit", "partners"]
    assert button(app, "audit: shown, off by").disabled
    assert app.button(key="linear_rest").disabled
    app.run()
    _, drawn = run_sample(app)["numbers"]
    for name, values in zip(held(app).drawn, drawn, strict=True):
        assert np.array_equal(held(app).answers.release(held(app).budgets[name].level), values)
    assert np.array_equal(held(app).answers.release(held(app).budgets["public"].level), before)


def test_starting_over_draws_other_noise(open_page):
    app = open_page("linear_queries")
    level = held(app).budgets["public"].level
    before = held(app).answers.release(level).copy()
    button(app, "Start this session over").click().run()
    assert not app.exception
    assert not np.array_equal(held(app).answers.release(level), before)


@pytest.mark.parametrize("noise", few(["laplace", "skellam"], 2))
def test_every_question_takes_every_noise(open_page, noise):
    app = open_page("linear_queries")
    choose(app, "Noise", noise)
    for asked in ("all ranges of weeks", "quarters and weeks within them", "every week by itself"):
        choose(app, "What is asked", asked)
        assert errors(app) == []
        names = run_sample(app)
        found, _ = names["numbers"]
        assert significant(found[names["way"]], 2) in head(app)
        left_out = noise == "skellam" and asked != "every week by itself"
        assert ("because its numbers are not whole" in words(app)) == left_out


def test_a_typed_matrix_is_answered_and_its_rank_told(open_page):
    app = open_page("linear_queries")
    choose(app, "What is asked", TYPED)
    assert "rank 3 and 6 columns" in words(app)
    assert matrix(app, "1 0\n1 1\n0.5, -1") == []
    assert "rank 2 and 2 columns" in words(app)
    assert "count): the answers determine every week" in words(app)
    assert run_sample(app)["questions"].shape == (3, 2)


REFUSED = {
    "1 2\na b": "Row 2, number 1: “a” is not a finite number",
    "1 2\n3": "Row 2 has 1 number and row 1 has 2",
    "": "The matrix is empty",
    "1 0\n2 0": "Column 2 of the matrix is all zeros",
    "1 1\n0 0": "Row 2 of the matrix is all zeros",
    " ".join(["1"] * 53): "53 columns, and the example has 52 weeks",
    "1\n" * 61: "61 rows. Keep 60",
    "1 nan": "Row 1, number 2",
    "1 1e99": "is too large",
}


def test_what_cannot_be_used_gets_a_sentence(open_page):
    app = open_page("linear_queries")
    choose(app, "What is asked", TYPED)
    for text, sentence in REFUSED.items():
        (said,) = matrix(app, text)
        assert sentence in said
        assert widget(app, "Matrix").value == text
        assert "Nothing can be asked yet" in head(app)
    assert matrix(app, "1 1") == []


def test_one_press_lets_all_tiers_draw_that_remain(open_page):
    app = open_page("linear_queries")
    app.button(key="linear_rest").click().run()
    assert not app.exception
    assert held(app).drawn == ["research", "public", "audit", "partners"]
    named = " ".join(note["text"] for note in specs(app)[2]["layout"]["annotations"])
    places = [named.index(f" {tier}: ") for tier in ("audit", "research", "partners", "public")]
    assert places == sorted(places)  # the sharpest first
    assert "673 of 1,000" in named[: places[1]]
