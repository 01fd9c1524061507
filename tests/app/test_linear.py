"""The page Linear queries by AppTest: tiers draw and start over; a typed matrix may be wrong."""

import numpy as np
import pytest

from dpviz.errors import ParameterError
from dpviz.workspace import linear
from dpviz.workspace.linear import YEAR
from tests.app.reading import button, choose, errors, run_sample, shelf, words, workspace

TYPED = "your own matrix"


def held(app):
    return list(shelf(app, "linear_sessions").values())[-1]


def of(app, name):
    return held(app).answers.release(held(app).budgets[name].level).copy()


def test_tiers_draw_once_in_any_order_and_the_sample_repeats_them_until_all_starts_over(open_page):
    app = open_page("linear_queries")
    assert held(app).drawn == ["research", "public"]
    before = of(app, "public")
    assert app.button(key="linear_rest").label == "Show the other two tiers"
    for name in ("audit", "partners"):
        app.button(key=f"linear_draw_{name}").click().run()
    assert held(app).drawn == ["research", "public", "audit", "partners"]
    assert button(app, "audit: shown").disabled
    assert app.button(key="linear_rest").disabled
    _, drawn = run_sample(app)["numbers"]
    for name, values in zip(held(app).drawn, drawn, strict=True):
        assert np.array_equal(of(app, name), values)
    assert np.array_equal(of(app, "public"), before)
    app.button(key="linear_over").click().run()
    assert not app.exception
    assert not np.array_equal(of(app, "public"), before)
    app.button(key="linear_rest").click().run()
    assert held(app).drawn == ["research", "public", "audit", "partners"]
    assert workspace(app).ledger == []


REFUSED = {
    "1 2\na b": "Row 2, number 1: “a” is not a finite number",
    "1 2\n3": "Row 2 has 1 number and row 1 has 2",
    "": "The matrix is empty",
    "1 0\n2 0": "column 2 of the matrix is all zeros",
    "1 1\n0 0": "row 2 of the matrix is all zeros",
    " ".join(["1"] * 53): "53 columns, and the example has 52 weeks",
    "1\n" * 61: "61 rows. Keep 60",
    "1 nan": "Row 1, number 2",
    "1 1e99": "is too large",
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_matrix_that_cannot_be_used_gets_a_sentence(text):
    with pytest.raises(ParameterError, match=REFUSED[text].replace(".", r"\.")):
        linear.of_matrix(linear.read_matrix(text, YEAR), YEAR)


def test_a_refused_matrix_is_kept_and_may_be_mended(open_page):
    app = open_page("linear_queries")
    choose(app, "What is asked", TYPED)
    for text, refused in (("1 2\n3", True), ("1 0\n1 1\n0.5, -1", False)):
        app.text_area(key="linear_matrix").set_value(text).run()
        assert not app.exception
        assert bool(errors(app)) == refused
        assert app.text_area(key="linear_matrix").value == text
    assert "count): the answers determine every week" in words(app)
    assert run_sample(app)["questions"].shape == (3, 2)
