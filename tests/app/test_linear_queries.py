"""Linear queries by AppTest: typed matrices, draws of one's own statistic, files; nothing leaks."""

import re

import numpy as np
import pytest

from dpviz.errors import ParameterError
from dpviz.linear.contribution import contribution_of
from dpviz.queries import BoundedSum, Bounds, ByBins, ByColumn, ByTwoColumns, Count
from dpviz.ui.linear_queries import OWN
from dpviz.workspace import linear
from dpviz.workspace.linear import YEAR
from dpviz.workspace.sessions import Statistic
from tests.app.reading import numbers_in
from tests.conftest import few

REFUSED = {
    "1 2\na b": "Row 2, number 1: “a” is not a finite number",
    "1 2\n3": "Row 2 has 1 number and row 1 has 2",
    "": "The matrix is empty",
    " ".join(["1"] * 53): "53 columns, and the example has 52 weeks",
    "1\n" * 61: "61 rows. Keep 60",
    "1 nan": "Row 1, number 2",
    "1 1e99": "is too large",
}


@pytest.mark.parametrize("text", REFUSED)
def test_a_matrix_that_cannot_be_used_gets_a_sentence(text):
    with pytest.raises(ParameterError, match=REFUSED[text].replace(".", r"\.")):
        linear.of_matrix(linear.read_matrix(text, YEAR), YEAR)


# The user's own statistic on the page Linear queries: draws, the ledger, files; nothing leaks.


AGES = ByBins("age", (0, 30, 40, 50, 60, 100))
PAIRS = ByTwoColumns(ByColumn("sex", ("0", "1")), ByColumn("education", tuple("12345")))
WEIGHTS = BoundedSum("weight 1971 (kg)", -10, 120, AGES, Bounds(relation="replace"), step=0.25)


def own(open_page, query, mode="teaching"):
    """The page on this statistic of the sample, in a new workspace."""
    app = open_page("start")
    ws = app.workspace()
    ws.use(Statistic(ws.table, query, ws.loading))
    ws.use_mode(mode)
    app.switch_page("pages/linear_queries.py")
    app.run()
    app.segment("linear_source", OWN)
    return app


def draw(app, *names):
    for name in names:
        app.press(f"linear_draw_{name}")
        assert app.errors() == []


def exact_answers(app, matrix):
    ws = app.workspace()
    x = ws.statistic.query.values(ws.table)
    return matrix @ x[: matrix.shape[1]]


def in_figures(value):
    found = np.array(list(numbers_in(value)))
    return found[np.isfinite(found)]


def assert_nothing_exact(app, exact, step):
    """No number of any figure is an exact answer, in steps or units; nor is one written down."""
    shown, said = in_figures(app.specs()), app.everything()
    assert shown.size
    for value in exact.astype(float):
        for one in (value, value * step):
            assert np.abs(shown - one).min() > 1e-9 * abs(one), one
            for written in (f"{one:,.0f}", f"{one!r}"):  # 245 is not in a noisy 245.4
                assert not re.search(rf"(?<![\d.,]){re.escape(written)}(?!\d|[.,]\d)", said)


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists", "linear_answers")
@pytest.mark.parametrize(
    "query",
    few([pytest.param(WEIGHTS, id="sum"), pytest.param(Count(AGES, total=True), id="count")], 2),
)
def test_totals_are_drawn_in_any_order_and_nothing_exact_is_shown(open_page, query):
    app = own(open_page, query)
    ws, step = app.workspace(), query.step
    assert ws.ledger == []
    draw(app, "research", "public")
    assert [e.tier for e in ws.ledger] == ["research", "public"]
    assert {e.session for e in ws.ledger} == {1}
    names = app.run_sample()
    _, values = names["numbers"]
    assert names["contribution"] == contribution_of(names["query"])
    drawn = {e.tier: step * each for e, each in zip(ws.ledger, values, strict=True)}
    shown = in_figures(app.specs()[1])
    for values in drawn.values():
        assert np.abs(shown[:, None] - values).min(axis=0).max() < 1e-9
    exact = exact_answers(app, np.tri(5, dtype=int))
    assert_nothing_exact(app, exact, step)
    draw(app, "audit")
    assert app.button(key="linear_draw_public").disabled
    _, again = app.run_sample()["numbers"]
    assert np.array_equal(step * again[1], drawn["public"])
    facts = dict(ws.facts_of(ws.ledger[0]))
    assert facts["statistic"].startswith("running totals of: ")
    assert step == 1 or "M = 120 (480 steps of 0.25)" in facts["sensitivity"]
    app.toggle(key="linear_reveal").set_value(True).run()
    assert "not private" in app.words()
    with pytest.raises(AssertionError):  # the check itself can fail
        assert_nothing_exact(app, exact, step)


@pytest.mark.opens("specialists", "linear_answers")
def test_another_question_is_another_session_and_coming_back_draws_nothing(open_page):
    app = own(open_page, Count(PAIRS))
    ws = app.workspace()
    draw(app, "partners")
    app.choose("What is asked", "your own matrix")
    assert app.errors() == []
    app.fill({"Matrix": "1 1 1"})
    assert "3 columns, and the statistic has 10 pairs" in app.errors()[0]
    app.fill({"Matrix": "1 1 1 1 1 1 1 1 1 1\n1 0 0 0 0 0 0 0 0 -1"})
    assert not app.button(key="linear_draw_partners").disabled
    draw(app, "partners")
    assert [e.session for e in ws.ledger] == [1, 2]
    assert "[1, 0, 0, 0, 0, 0, 0, 0, 0, -1]]" in dict(ws.facts_of(ws.ledger[1]))["questions"]
    values = ws.sessions[1].mechanism.release(ws.ledger[1].level)
    assert np.array_equal(app.run_sample()["numbers"][1][0], values)
    app.choose("What is asked", "row and column sums")
    assert app.button(key="linear_draw_partners").disabled
    assert app.run_sample()["questions"].shape == (7, 10)
    assert len(ws.ledger) == 2
    board = {"tier": "board", "budget": "5", "as": "±a 95 %"}  # an accuracy has no one budget here
    assert ws.use_tiers([*ws.plan.typed_rows, board]) == []
    app.run()
    assert "linear_draw_board" not in app.buttons()


@pytest.mark.opens("specialists", "linear_answers")
def test_a_sealed_session_draws_noisier_answers_only_and_its_table_is_revealed_nowhere(open_page):
    app = own(open_page, Count(AGES))
    ws = app.workspace()
    assert not [b for b in app.button if b.key == "linear_file_seal"], "nothing is there to seal"
    draw(app, "research", "public")
    app.press("linear_file_seal")
    (one,) = ws.sessions
    assert one.sealed_at == min(ws.levels_of(one))
    assert not [b for b in app.button if b.key == "linear_file_seal"]
    audit = app.button(key="linear_draw_audit")
    assert (audit.disabled, audit.label.endswith("audit: impossible")) == (True, True)
    app.press("linear_rest")
    assert [e.tier for e in ws.ledger] == ["research", "public", "partners"]
    assert "this one draws afresh" in app.code[-1].value
    assert not [t for t in app.toggle if t.key == "linear_reveal"]
