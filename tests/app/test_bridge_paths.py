"""The Bridge paths page by AppTest: its numbers are the law's, the exact number stays hidden."""

import numpy as np
import pytest

from dpviz.planning.cast import ILL
from dpviz.ui.data.query_controls import MEAN, SUM
from tests.app.reading import numbers_in
from tests.app.test_statistics import COLUMN, opened_with_table
from tests.app.test_statistics import use as use_statistic
from tests.conftest import few


def slider(app):
    return next(s for s in app.select_slider if s.key.startswith("bridge_budget"))


def use(app, family):
    app.selectbox(key="bridge_family").set_value(family).run()


def own(app):
    app.segment("bridge_source", "my statistic")


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists", "bridge_steps")
def test_it_opens_with_two_stops_a_third_between_them_and_two_orders_of_asking(open_page):
    app = open_page("bridge_paths")
    assert "he council’s number is made from " in app.header[0].value
    low, _, high = app.run_sample()["numbers"]["value"]
    (bar,) = (t for t in picture(app) if t["name"] == "new")
    assert list(numbers_in(bar["x"])) == [low, high]
    assert len(next(t for t in picture(app) if t["name"] == "held")["hovertext"]) == 2
    assert f"made up: a town of 1,000 people, {ILL}" in app.words()
    left, right = (
        next(t for t in spec["data"] if t["name"] == "held")["hovertext"]
        for spec in app.specs()[1:]
    )
    assert [len(left), len(right)] == [1, 1]
    assert left != right
    assert app.labelled("Back").disabled
    app.labelled("Forward").click().run()
    assert "Answer 2 of 2" in app.words()
    assert app.labelled("Forward").disabled


def picture(app):
    return app.specs()[0]["data"]


def kinds(app):
    return {t.get("name") for t in picture(app)}


@pytest.mark.usefixtures("pictured")
def test_moving_the_slider_draws_nothing_and_the_button_pins_the_number(open_page):
    app = open_page("bridge_paths")
    one = app.session_state["bridge_examples"]["gaussian"]
    held = len(one.tiers)
    slider(app).set_value("0.2").run()
    assert len(one.tiers) == held
    wanted = slider(app).value
    assert "thread" not in kinds(app)
    app.labelled("’s number").click().run()
    assert len(one.tiers) == held + 1
    value = float(one.session.release(one.tiers["council"].level)[0])
    assert np.abs(np.array(list(numbers_in(app.specs()[0]))) - value).min() < 1e-9
    assert len([t for t in picture(app) if t["name"] == "thread"]) == 2  # to its neighbours
    assert app.header[0].value.startswith(f"The council’s number is {value:.1f}, within")
    assert slider(app).value == wanted
    assert not any(b.label.startswith("Draw ") for b in app.button)
    app.run()
    assert float(one.session.release(one.tiers["council"].level)[0]) == value
    assert not app.workspace().ledger
    slider(app).set_value("0.15").run()
    assert "the press’s number is made from " in app.header[0].value
    end = slider(app).options[0]
    slider(app).set_value(end).run()
    app.labelled("’s number").click().run()
    assert app.header[0].value.startswith("The press’s number is ")
    assert slider(app).value == end, "there is room beyond it now, and it stands where it was"
    assert slider(app).options[0] != end
    app.labelled("Start over").click().run()
    assert "he council’s number is made from " in app.header[0].value


def test_own_statistic_first_says_what_to_do_then_where_a_new_number_would_fall(open_page):
    app = open_page("bridge_paths")
    own(app)
    assert "Nothing is released yet" in app.header[0].value
    ws = app.workspace()
    ws.draw("public", "audit")
    app.run()
    assert "The council’s number is made from audit’s " in app.header[0].value
    assert not any(b.label.startswith("Draw ") for b in app.button)
    assert [e.tier for e in ws.ledger] == ["public", "audit"]


# The user's own statistic on the Bridge paths page: sums, means, sealed, hardened sessions.


def on_own(app):
    app.go("bridge_paths")
    app.segment("bridge_source", "my statistic")
    return app


def exact_is_nowhere(app):
    """No number of any figure is an exact one, in steps or in units; nor is one written down."""
    ws, said = app.workspace(), app.everything()
    shown = np.array([x for spec in app.specs() for x in numbers_in(spec)])
    assert shown.size
    for value in ws.exact().astype(float):
        for exact in (value, value * ws.statistic.query.step):
            assert np.abs(shown - exact).min() > 1e-9 * max(1.0, abs(exact)), exact
            assert f"{exact:,.0f}" not in said
            assert f"{exact:.0f}" not in said


@pytest.mark.usefixtures("unfolded", "pictured")
@pytest.mark.parametrize("kind", few([SUM, MEAN], 2))
def test_the_exact_numbers_of_sums_and_means_are_in_no_figure(
    open_page, tmp_path, monkeypatch, kind
):
    app = opened_with_table(open_page, tmp_path, monkeypatch)
    query = use_statistic(app, kind, COLUMN)
    assert query.step != 1
    app.workspace().draw("public", "audit")
    on_own(app)
    assert app.errors() == []
    for place in (0, 6, -1):
        slider(app).set_value(slider(app).options[place]).run()
        exact_is_nowhere(app)
    assert "The chance of this number is hidden: it would tell the exact number" in app.words()
    released = float(app.workspace().held[-1].values[0]) * query.step
    assert np.abs(np.array(list(numbers_in(app.specs()[0]))) - released).min() < 1e-6


@pytest.mark.usefixtures("pictured")
@pytest.mark.parametrize("family", few(["discrete_laplace", "poisson", "skellam"], 3))
def test_a_hardened_session_works_and_reveals_nothing(open_page, family):
    app = open_page("releases")
    ws = app.workspace()
    ws.use_mode("hardened")
    ws.family_name = family
    ws.restyle()
    ws.draw("public", "research")
    on_own(app)
    assert "Hardened" in "".join(b.label for b in getattr(app, "badge", [])) + app.words()
    assert app.errors() == []
    names = {t.get("name") for t in app.specs()[0]["data"]}
    assert {"held", "new"} <= names
    first = min(t.level for t in ws.held)
    noise = np.sqrt(ws.family.variance(first)) * ws.statistic.query.step
    for trace in app.specs()[0]["data"]:
        at = [y for y in numbers_in(trace["y"]) if y == y]
        assert min(at, default=noise) >= noise * (1 - 1e-9)  # nothing above the least noisy one
