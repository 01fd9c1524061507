"""The page Laplace or Gauss by AppTest: its controls, typed queries, refusals, the closer.

Its sentences and numbers are in tests/unit/scenes/test_laplace_or_gauss.py.
"""

import math

import pytest

from dpviz.accounting.gaussian import gaussian_sigma
from dpviz.ui.kit import controls
from dpviz.ui.laplace_or_gauss import OWN, TYPED
from tests.app.reading import errors, numbers_in, plain, run_sample, specs, words, workspace


def slide(app, key, value):
    next(s for s in app.select_slider if s.key.startswith(key)).set_value(value).run()
    assert not app.exception


def choose(app, value):
    next(s for s in app.get("button_group") if s.key == "crossover_query").set_value(value).run()
    assert not app.exception
    return app


def typed(app, **fields):
    choose(app, TYPED)
    for label, text in fields.items():
        app.text_input(key=f"crossover_typed_{label}").set_value(text).run()
        assert not app.exception
    return app


def head(app):
    return plain(app.header[0].value)


def here(app):
    """The query in the map."""
    (trace,) = (t for t in specs(app)[0]["data"] if t["name"] == "here")
    return 10 ** trace["x"][0], trace["y"][0]


def test_more_counts_per_person_turn_the_verdict(open_page):
    app = open_page("laplace_or_gauss")
    assert "Laplace (" in head(app)
    assert here(app) == (pytest.approx(5), pytest.approx(-6))
    assert "none: a made-up town" in words(app)
    border = specs(app)[0]["data"][2]
    slide(app, "crossover_counts", 9)
    assert "Gaussian (" in head(app)
    assert here(app)[0] == pytest.approx(9)
    assert specs(app)[0]["data"][2]["y"] == border["y"]
    assert workspace(app).ledger == []


def test_moving_δ_and_ε_turns_the_verdict_and_no_plan(open_page):
    app = choose(open_page("laplace_or_gauss"), OWN)
    assert "Laplace (" in head(app)
    assert "number of people per group of “education”" in words(app)
    slide(app, "crossover_delta", 0.1)
    assert "Gaussian (" in head(app)
    assert here(app)[1] == pytest.approx(-1)
    made = run_sample(app)["numbers"]
    gauss = gaussian_sigma(1.0, math.log(0.1), 1.0)
    assert made.set_index("noise")["deviation"]["gaussian"] == gauss
    slide(app, "crossover_epsilon", 5.0)
    assert "Laplace (" in head(app)
    assert workspace(app).delta == 1e-6
    assert workspace(app).ledger == []


def test_a_typed_query_has_its_own_sensitivities(open_page):
    app = typed(open_page("laplace_or_gauss"), d="683")
    assert run_sample(app)["question"].moved == pytest.approx(683)
    assert here(app)[0] == pytest.approx(683)
    assert "none: a typed query" in words(app)
    typed(app, l1="3")
    assert run_sample(app)["question"].moved == pytest.approx(9)
    typed(app, d=str(10**9), l1="")
    assert here(app)[0] == pytest.approx(10**9)
    assert all(math.isfinite(x) for x in numbers_in(specs(app)[0]))


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"epsilon": "0"}, "Budget ε: 0 is not a budget"),
        ({"epsilon": "1,5"}, "Type 1.5, with a point"),
        ({"l2": "0"}, "Δ₂: 0 is not a sensitivity above 0. Type a number above 0, for example 1."),
        ({"d": "0"}, "d"),
        ({"d": "2.5"}, "Type a whole number"),
        ({"d": "4", "l1": "3"}, "leave it empty for the largest"),
        ({"l1": "0.5"}, "is impossible"),
    ],
)
def test_what_cannot_be_used_gets_one_sentence_and_stays_in_its_field(open_page, fields, sentence):
    app = typed(open_page("laplace_or_gauss"), **fields)
    assert len(errors(app)) == 1
    assert sentence in errors(app)[0]
    assert "Still in use" in words(app)
    assert "Laplace" in head(app)
    for label, text in fields.items():
        assert app.text_input(key=f"crossover_typed_{label}").value == text


def test_rounds_of_what_is_no_histogram_say_so(open_page):
    app = typed(open_page("laplace_or_gauss"), l1="2.5")
    assert "No rounds to compare." in words(app)
    assert len(specs(app)) == 2  # the map and the bars


def test_with_all_folds_closed_only_the_map_and_the_bars_are_drawn(open_page, monkeypatch):
    monkeypatch.setattr(controls, "OPEN_AT_FIRST", False)
    app = open_page("laplace_or_gauss")
    assert len(specs(app)) == 2
    slide(app, "crossover_delta", 1e-300)
    assert here(app)[1] == pytest.approx(-300)
