"""The page Laplace or Gauss by AppTest: verdict, typed queries, refusals, code sample."""

import math

import pytest

from dpviz.accounting.exact_crossover import gaussian_smaller_between
from dpviz.accounting.gaussian import gaussian_sigma
from dpviz.charts.axes import probability
from dpviz.ui.kit import controls
from dpviz.ui.laplace_or_gauss.controls import OWN, TYPED
from dpviz.words import significant
from tests.app.reading import errors, numbers_in, run_sample, specs, words, workspace


def slider(app, label):
    return next(s for s in app.select_slider if s.label.startswith(label))


def segment(app, key, value):
    next(s for s in app.get("button_group") if s.key == key).set_value(value).run()
    assert not app.exception


def head(app):
    return app.header[0].value.replace("\\", "").replace("\u00a0", " ")


def full(app):
    """Where the verdict turns, which stands above the map, and what each noise needs, below it."""
    (turns,) = (m.value for m in app.markdown if m.value.startswith("At ε"))
    (needs,) = (c.value for c in app.caption if c.value.startswith("At δ"))
    text = f"{turns} {needs}"
    return text.replace("\\", "").replace("\u00a0", " ")


def own(app):
    segment(app, "crossover_query", OWN)
    return app


def typed(app, **fields):
    segment(app, "crossover_query", TYPED)
    for label, text in fields.items():
        app.text_input(key=f"crossover_typed_{label}").set_value(text).run()
        assert not app.exception
    return app


def test_it_opens_on_a_town_where_both_can_win(open_page):
    app = open_page("laplace_or_gauss")
    assert "If one person is in 5 of a town’s counts, Laplace noise is smaller" in head(app)
    assert "; from 9 counts on, Gaussian noise is smaller." in head(app)
    assert "at most 732 of 1,000 guesses about one person" in words(app)
    assert "none: a made-up town" in words(app)
    slider(app, "One person").set_value(9).run()
    assert "Gaussian noise is smaller" in head(app)
    assert "; below 9 counts, Laplace noise is smaller." in head(app)
    assert workspace(app).ledger == []


def test_your_own_statistic_has_numbers_of_the_library(open_page):
    app = own(open_page("laplace_or_gauss"))
    assert significant(math.sqrt(2)) in full(app)
    assert significant(gaussian_sigma(1.0, math.log(1e-6), 1.0)) in full(app)
    star = probability(gaussian_smaller_between(1.0, moved=1)[0])
    assert star == "0.063"
    assert f"only above δ* = {star} is Gaussian noise smaller" in full(app)
    assert "number of people per group of “education”" in words(app)


def test_moving_delta_and_epsilon_turns_the_verdict_and_no_plan(open_page):
    app = own(open_page("laplace_or_gauss"))
    slider(app, "δ").set_value(0.1).run()
    assert "Gaussian noise is smaller" in head(app)
    assert "is Laplace noise smaller" in full(app)
    assert "at most 758 of 1,000 guesses about one person" in words(app)
    slider(app, "Right guesses").set_value(5.0).run()
    assert "Laplace noise is smaller" in head(app)
    assert "Gaussian noise smaller" in full(app) or "every δ" in full(app)
    assert workspace(app).delta == 1e-6
    assert workspace(app).ledger == []


def test_the_sample_gives_the_numbers_on_the_page(open_page):
    app = own(open_page("laplace_or_gauss"))
    slider(app, "δ").set_value(0.1).run()
    choice = run_sample(app)["choice"]
    assert choice.better.name == "gaussian"
    assert significant(choice.gaussian) in full(app)
    assert significant(choice.laplace) in full(app)
    assert probability(choice.gauss_between[0]) in full(app)


def test_a_typed_query_has_its_own_sensitivities_and_no_tiers(open_page):
    app = typed(open_page("laplace_or_gauss"), d="683")
    assert "3.1×10⁻³⁰²" in full(app)
    assert run_sample(app)["question"].moved == pytest.approx(683)
    assert "none: a typed query" in words(app)
    typed(app, l1="3")
    assert run_sample(app)["question"].moved == pytest.approx(9)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"epsilon": "0"}, "Budget ε: 0 is not a budget"),
        ({"epsilon": "1,5"}, "Type 1.5, with a point"),
        ({"l2": "abc"}, "Δ₂: “abc” is not a number"),
        ({"l2": "0"}, "Δ₂: 0 is not a sensitivity above 0. Type a number above 0, for example 1."),
        ({"d": "0"}, "Numbers released, d"),
        ({"d": "2.5"}, "Type a whole number"),
        ({"d": "2,5"}, "Type a whole number"),
        ({"d": "4", "l1": "3"}, "leave it empty for the largest"),
        ({"l1": "0.5"}, "is impossible"),
    ],
)
def test_a_query_that_cannot_be_gets_one_sentence_and_stays(open_page, fields, sentence):
    app = typed(open_page("laplace_or_gauss"), **fields)
    assert len(errors(app)) == 1
    assert sentence in errors(app)[0]
    assert "Nothing to compare yet" in words(app)
    for label, text in fields.items():
        assert app.text_input(key=f"crossover_typed_{label}").value == text


def test_rounds_of_what_is_no_histogram_say_so(open_page):
    app = typed(open_page("laplace_or_gauss"), l1="2.5")
    assert "No histogram." in words(app)
    assert len(specs(app)) == 3  # hills, map, noise over δ; no strip


def test_the_map_reaches_down_to_1e_300_and_shows_the_tiers(open_page):
    app = open_page("laplace_or_gauss")
    segment(app, "crossover_depth", -300)
    spec = specs(app)[2]  # after the hills and the strip
    assert spec["layout"]["xaxis"]["range"][0] == -300
    assert "10⁻³⁰⁰" in spec["layout"]["xaxis"]["ticktext"]
    names = {t["name"] for t in spec["data"]}
    assert {"public", "audit", "query", "regions"} <= names
    segment(app, "crossover_axis", "moved")
    assert "Groups moved" in words(app)
    assert all(math.isfinite(x) for x in numbers_in(specs(app)))


def test_with_all_folds_closed_only_the_hills_and_the_strip_are_drawn(open_page, monkeypatch):
    monkeypatch.setattr(controls, "OPEN_AT_FIRST", False)
    app = open_page("laplace_or_gauss")
    assert len(specs(app)) == 2
    app.session_state["closer_specialists"] = True
    app.run()
    assert run_sample(app)["choice"].moved_up_to == 8
