"""The page Linear queries by AppTest: a typed matrix may be wrong."""

import pytest

from dpviz.errors import ParameterError
from dpviz.workspace import linear
from dpviz.workspace.linear import YEAR
from tests.app.reading import choose, errors, run_sample, words

TYPED = "your own matrix"


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


@pytest.mark.opens("specialists")
def test_a_refused_matrix_is_kept_and_may_be_mended(open_page):
    app = open_page("linear_queries")
    choose(app, "What is asked", TYPED)
    for text, refused in (("1 2\n3", True), ("1 0\n1 1\n0.5, -1", False)):
        app.text_area(key="linear_matrix").set_value(text).run()
        assert bool(errors(app)) == refused
        assert app.text_area(key="linear_matrix").value == text
    assert "count): the answers determine every week" in words(app)
    assert run_sample(app)["questions"].shape == (3, 2)
