"""The user's own statistic on the page Linear queries: draws, the ledger, files; nothing leaks."""

import csv
import io
import re

import numpy as np
import pytest

from dpviz.handout import tier_csv
from dpviz.linear.statistic import contribution_of
from dpviz.queries import BoundedMean, BoundedSum, Bounds, ByBins, ByColumn, ByTwoColumns, Count
from dpviz.ui.kit import panel
from dpviz.ui.linear_queries import OWN
from dpviz.workspace import packing
from dpviz.workspace.sessions import Statistic
from tests.app.reading import (
    choose,
    errors,
    everything,
    fill,
    numbers_in,
    run_sample,
    specs,
    words,
    workspace,
)
from tests.conftest import few

AGES = ByBins("age", (0, 30, 40, 50, 60, 100))
PAIRS = ByTwoColumns(ByColumn("sex", ("0", "1")), ByColumn("education", tuple("12345")))
WEIGHTS = BoundedSum("weight 1971 (kg)", -10, 120, AGES, Bounds(relation="replace"), step=0.25)


def own(open_page, query, mode="teaching"):
    """The page on this statistic of the sample, in a new workspace."""
    app = open_page("start")
    ws = workspace(app)
    ws.use(Statistic(ws.table, query, ws.loading))
    ws.use_mode(mode)
    app.switch_page("pages/linear_queries.py")
    app.run()
    app.segmented_control(key="linear_source").set_value(OWN).run()
    return app


def draw(app, *names):
    for name in names:
        app.button(key=f"linear_own_draw_{name}").click().run()
        assert errors(app) == []


def exact_answers(app, matrix):
    ws = workspace(app)
    x = ws.statistic.query.values(ws.table)
    return matrix @ x[: matrix.shape[1]]


def in_figures(value):
    found = np.array(list(numbers_in(value)))
    return found[np.isfinite(found)]


def assert_nothing_exact(app, exact, step):
    """No number of any figure is an exact answer, in steps or units; nor is one written down."""
    shown, said = in_figures(specs(app)), everything(app)
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
def test_totals_are_drawn_in_any_order_and_nothing_exact_is_shown(open_page, handed_out, query):
    app = own(open_page, query)
    ws, step = workspace(app), query.step
    assert ws.ledger == []
    draw(app, "research", "public")
    assert [e.tier for e in ws.ledger] == ["research", "public"]
    assert {e.session for e in ws.ledger} == {1}
    names = run_sample(app)
    _, values = names["numbers"]
    assert names["contribution"] == contribution_of(names["query"])
    drawn = {e.tier: step * each for e, each in zip(ws.ledger, values, strict=True)}
    shown = in_figures(specs(app)[1])
    for values in drawn.values():
        assert np.abs(shown[:, None] - values).min(axis=0).max() < 1e-9
    exact = exact_answers(app, np.tri(5, dtype=int))
    assert_nothing_exact(app, exact, step)
    draw(app, "audit")
    assert app.button(key="linear_own_draw_public").disabled
    _, again = run_sample(app)["numbers"]
    assert np.array_equal(step * again[1], drawn["public"])
    check_file(handed_out, ws, step, drawn["public"])
    app.toggle(key="linear_reveal").set_value(True).run()
    assert "not private" in words(app)
    with pytest.raises(AssertionError):  # the check itself can fail
        assert_nothing_exact(app, exact, step)


@pytest.fixture
def handed_out(monkeypatch):
    """The records that the files of the page are written from."""
    found = []
    monkeypatch.setattr(packing, "signed_csv", lambda one, *_, **__: found.append(one) or b"")
    monkeypatch.setattr(panel.st, "download_button", lambda *_, data, **__: data())
    return found


def check_file(handed_out, ws, step, values):
    """The file of the tier public holds its answers, what they are, and no seed."""
    entry = next(e for e in ws.ledger if e.tier == "public")
    release = next(r for r in handed_out if r.tier == "public")
    top, table = tier_csv(release).decode("utf-8-sig").split("\r\n\r\n")
    rows = list(csv.DictReader(io.StringIO(table)))
    assert [r["entry"] for r in rows][:2] == ["up to bin 0 to 30", "up to bin 30 to 40"]
    column = "value" if step == 1 else "in_units"
    assert [float(r[column]) for r in rows] == pytest.approx(values, rel=1e-14)
    assert "# seed" not in top
    facts = dict(ws.facts_of(entry))
    assert facts["statistic"].startswith("running totals of: ")
    if step != 1:
        assert facts["neighbours"] == "replace one person"
        assert "M = 120 (480 steps of 0.25)" in facts["sensitivity"]


@pytest.mark.opens("specialists", "linear_answers")
def test_another_question_is_another_session_and_coming_back_draws_nothing(open_page):
    app = own(open_page, Count(PAIRS))
    ws = workspace(app)
    draw(app, "partners")
    choose(app, "What is asked", "your own matrix")
    assert errors(app) == []
    fill(app, {"Matrix": "1 1 1"})
    assert "3 columns, and the statistic has 10 pairs" in errors(app)[0]
    fill(app, {"Matrix": "1 1 1 1 1 1 1 1 1 1\n1 0 0 0 0 0 0 0 0 -1"})
    assert not app.button(key="linear_own_draw_partners").disabled
    draw(app, "partners")
    assert [e.session for e in ws.ledger] == [1, 2]
    assert "[1, 0, 0, 0, 0, 0, 0, 0, 0, -1]]" in dict(ws.facts_of(ws.ledger[1]))["questions"]
    values = ws.sessions[1].mechanism.release(ws.ledger[1].level)
    assert np.array_equal(run_sample(app)["numbers"][1][0], values)
    choose(app, "What is asked", "row and column sums")
    assert app.button(key="linear_own_draw_partners").disabled
    assert run_sample(app)["questions"].shape == (7, 10)
    assert len(ws.ledger) == 2
    board = {"tier": "board", "budget": "5", "as": "±a 95 %"}  # an accuracy has no one budget here
    assert ws.use_tiers([*ws.plan.typed_rows, board]) == []
    app.run()
    assert "Left out: board." in words(app)
    assert not any(b.key == "linear_own_draw_board" for b in app.button)
    ws.use(Statistic(ws.table, BoundedMean("weight 1971 (kg)", 0, 120, AGES), ws.loading))
    app.run()
    (said,) = errors(app)
    assert "means do not add up" in said


@pytest.mark.opens("specialists", "linear_answers")
def test_a_sealed_session_draws_noisier_answers_only_and_its_table_is_revealed_nowhere(open_page):
    app = own(open_page, Count(AGES))
    ws = workspace(app)
    assert not [b for b in app.button if b.key == "linear_file_seal"], "nothing is there to seal"
    draw(app, "research", "public")
    app.button(key="linear_file_seal").click().run()
    (one,) = ws.sessions
    assert one.sealed_at == min(ws.levels_of(one))
    assert not [b for b in app.button if b.key == "linear_file_seal"]
    audit = app.button(key="linear_own_draw_audit")
    assert (audit.disabled, audit.label.endswith("audit: impossible")) == (True, True)
    app.button(key="linear_own_rest").click().run()
    assert [e.tier for e in ws.ledger] == ["research", "public", "partners"]
    assert "this one draws afresh" in app.code[-1].value
    assert not [t for t in app.toggle if t.key == "linear_reveal"]
