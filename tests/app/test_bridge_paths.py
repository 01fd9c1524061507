"""The Bridge paths page by AppTest: its numbers are the law's, the exact number stays hidden."""

import numpy as np
import pytest

from dpviz.accounting.guarantees import offered
from dpviz.planning.cast import ILL
from dpviz.planning.tiers import MAX_TIERS, Tier
from tests.app.reading import (
    button,
    errors,
    numbers_in,
    run_sample,
    specs,
    words,
)
from tests.app.reading import workspace as workspace_of
from tests.conftest import few

LARGER = " (right: sharper, less private)"


def slider(app):
    return next(s for s in app.select_slider if s.key.startswith("bridge_budget"))


def use(app, family):
    app.selectbox(key="bridge_family").set_value(family).run()


def own(app):
    app.segmented_control(key="bridge_source").set_value("my statistic").run()


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists", "bridge_steps")
def test_it_opens_with_two_stops_a_third_between_them_and_two_orders_of_asking(open_page):
    app = open_page("bridge_paths")
    assert "The council’s number is made from " in app.header[0].value
    low, _, high = run_sample(app)["numbers"]["value"]
    (bar,) = (t for t in picture(app) if t["name"] == "new")
    assert list(numbers_in(bar["x"])) == [low, high]
    assert len(next(t for t in picture(app) if t["name"] == "held")["hovertext"]) == 2
    assert f"made up: a town of 1,000 people, {ILL}" in words(app)
    left, right = (
        next(t for t in spec["data"] if t["name"] == "held")["hovertext"] for spec in specs(app)[1:]
    )
    assert [len(left), len(right)] == [1, 1]
    assert left != right
    assert button(app, "Back").disabled
    button(app, "Forward").click().run()
    assert "Answer 2 of 2" in words(app)
    assert button(app, "Forward").disabled
    assert "exact" not in kinds(app)
    app.toggle(key="bridge_exact").set_value(True).run()
    assert "exact" in kinds(app)


def picture(app):
    return specs(app)[0]["data"]


def kinds(app):
    return {t.get("name") for t in picture(app)}


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists", "bridge_steps")
@pytest.mark.parametrize("family", few(offered(), 8))
def test_every_family_shows_what_could_come_and_keeps_what_came(open_page, family):
    app = open_page("bridge_paths")
    use(app, family)
    assert {"new", "held", "needed", "walk"} <= kinds(app)
    assert ("chance" in kinds(app)) == family.endswith("laplace")
    button(app, "’s number").click().run()
    assert app.header[0].value.startswith("The council’s number is ")
    assert {"new", "chance"}.isdisjoint(kinds(app))
    assert "nobody can tell" in words(app)  # both orders agree


@pytest.mark.usefixtures("pictured")
def test_moving_the_slider_draws_nothing_and_the_button_pins_the_number(open_page):
    app = open_page("bridge_paths")
    one = app.session_state["bridge_examples"]["gaussian"]
    held = len(one.tiers)
    slider(app).set_value(slider(app).options[20]).run()
    assert len(one.tiers) == held
    wanted = slider(app).value
    assert "thread" not in kinds(app)
    button(app, "’s number").click().run()
    assert len(one.tiers) == held + 1
    value = float(one.session.release(one.tiers["council"].level)[0])
    assert np.abs(np.array(list(numbers_in(specs(app)[0]))) - value).min() < 1e-9
    assert len([t for t in picture(app) if t["name"] == "thread"]) == 2  # to its neighbours
    assert app.header[0].value.startswith(f"The council’s number is {value:.1f}, within")
    assert (slider(app).value, slider(app).label) == (
        wanted,
        f"Budget ρ of council{LARGER}",
    )
    assert not any(b.label.startswith("Draw ") for b in app.button)
    app.run()
    assert float(one.session.release(one.tiers["council"].level)[0]) == value
    assert not workspace_of(app).ledger
    button(app, "Another tier").click().run()
    assert slider(app).label == f"Budget ρ of press{LARGER}"
    assert "The press’s number is made from " in app.header[0].value
    slider(app).set_value(slider(app).options[0]).run()  # at the end of the slider, too
    button(app, "’s number").click().run()
    assert app.header[0].value.startswith("The press’s number is ")
    button(app, "Start over").click().run()
    assert "The council’s number is made from " in app.header[0].value


def test_own_statistic_first_says_what_to_do_then_draws_tiers_planned_or_new(open_page):
    app = open_page("bridge_paths")
    own(app)
    assert "Nothing is released yet" in app.header[0].value
    button(app, "Draw the release of").click().run()
    ws = workspace_of(app)
    assert len(ws.ledger) == 1
    slider(app).set_value(slider(app).options[0]).run()
    button(app, "to my plan").click().run()
    tiers = [t.name for t in ws.plan.tiers]
    assert tiers[-1] == "council"
    button(app, "’s number").click().run()
    assert not errors(app)
    assert [t.name for t in ws.plan.tiers] == tiers
    assert [e.tier for e in ws.ledger][-1] == "council"
    button(app, "Another tier").click().run()
    button(app, "’s number").click().run()
    assert not errors(app)
    assert [e.tier for e in ws.ledger][-1] == ws.plan.tiers[-1].name == "press"


def test_a_tier_that_cannot_join_the_plan_says_so_in_one_sentence(open_page):
    app = open_page("bridge_paths")
    ws = workspace_of(app)
    full = [Tier(name=f"t{i}", amount="0.1", kind="ρ") for i in range(MAX_TIERS)]
    ws.plan.rewrite(full, ws.setting)
    app.run()
    assert not any("to my plan" in b.label for b in app.button)
    assert len([c for c in app.caption if "cannot join your plan: " in c.value]) == 1
