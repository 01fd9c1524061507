"""The form of a page: in which order its parts are made, what is left out, what it says instead."""

from dataclasses import replace

import pytest
import streamlit as st
from streamlit.testing.v1 import AppTest

from docs.small_page import PAGE
from dpviz.errors import ParameterError
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.page_form import Closer, Missing, PageForm
from dpviz.words.claims import Claim, Name, Number, Said, say
from dpviz.workspace.workspace import Workspace
from tests.conftest import full_run
from tests.visiting import plain

HALF = Claim(what="half width", value=4.4, unit="people", fixed="95 %", method="quantile")
LABELS = {"with": "A box about the numbers", "alone": "A box that needs none"}


def of_half(half: float) -> float:
    """Return what the page says; its source stands in the drawer."""
    return half


def refusing(_: float) -> float:
    raise ParameterError("type a positive number")


def box(*given: object) -> None:
    st.text(f"made from {len(given)}")


FORM = PageForm(
    file="variances",
    controls=lambda _: 4.4,
    headline=lambda _: say("Off by {half}.", half=Number("±4.4", HALF)),
    picture=lambda _: (),
    reading="Shorter is better.",
    beside=lambda _: (Said("A sentence beside it."),),
    formula=lambda _: "x = y",
    recipe=of_half,
    arguments=lambda scene: {"half": scene},
    closers=(
        Closer(label=LABELS["with"], inside=box, key="with"),
        Closer(label=LABELS["alone"], inside=box, key="alone", with_scene=False),
    ),
)


@pytest.fixture(autouse=True)
def _alone(monkeypatch):
    """All that can be unfolded is open, and there are no other pages to go to."""
    monkeypatch.setattr(controls, "OPEN_AT_FIRST", [parts.DRAWER, "closer_with", "closer_alone"])
    monkeypatch.setattr(controls, "page_link", lambda path, _: st.text(f"link to {path}"))


def lay_out(form, workspace):
    form.show(workspace)


def shown(form: PageForm) -> AppTest:
    """What a visitor sees of a page."""
    app = AppTest.from_function(lay_out, args=(form, Workspace.fresh())).run()
    assert not app.exception
    return app


def said(app: AppTest) -> list[str]:
    return [
        plain(each.value) for kind in ("markdown", "text", "error") for each in getattr(app, kind)
    ]


def test_the_headline_says_the_number_and_the_drawer_why():
    app = shown(FORM)
    assert [each.value for each in app.header] == ["Off by ±4.4."]
    told = said(app)
    assert "A sentence beside it." in told
    assert any("Half width: 4.4 people, exact." in each for each in told)
    assert "def of_half" in app.code[0].value
    assert {"made from 1", "made from 2"} <= set(told)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"controls": lambda _: Missing("Add a tier.", file="tiers")}, "Add a tier."),
        pytest.param({"scene": lambda _: Missing("It runs.", file="")}, "It runs.", marks=full_run),
        ({"scene": refusing}, "These settings cannot be used: the reason stands below."),
    ],
)
def test_without_a_scene_the_headline_says_why_and_only_boxes_that_need_none_are_there(
    change, sentence
):
    app = shown(replace(FORM, **change))
    assert [each.value for each in app.header] == [sentence]
    assert "made from 1" in said(app)
    assert "made from 2" not in said(app)
    assert ("Type a positive number." in said(app)) == (change.get("scene") is refusing)
    assert ("link to pages/tiers.py" in said(app)) == ("controls" in change)


def test_the_next_page_is_offered_where_it_goes_on_with_this_scene():
    there = "link to pages/collusion.py"
    assert there in said(shown(replace(FORM, ready=lambda half: half > 4)))
    assert there not in said(shown(replace(FORM, ready=lambda half: half > 5)))
    lacking = Missing("Say what.", file="", instead=box)
    app = shown(replace(FORM, controls=lambda _: lacking, ready=lambda _: True))
    assert there not in said(app)
    assert "made from 0" in said(app)  # in the place of the picture


@pytest.mark.parametrize("file", ["collusion", "tiers"])
def test_a_decision_has_one_button_and_takes_the_place_of_the_way_on_if_it_leads_there(file):
    what = parts.Decision(sentence="If 4.4 will do, go on.", label="Go on", file=file)
    app = shown(replace(FORM, decision=lambda _: what))
    assert [button.label for button in app.button] == ["Go on"]
    assert what.sentence in said(app)
    assert ("link to pages/collusion.py" in said(app)) == (file == "tiers")


def test_what_goes_on_by_itself_is_shown_at_the_step_that_has_come_and_counts_below():
    going_on = replace(
        FORM,
        replay=lambda scene: (None, lambda: scene + 1),
        headline=lambda scene: say("At {step}.", step=Name(f"{scene}")),
        formula=lambda scene: f"step {scene}",
    )
    app = shown(going_on)
    assert [plain(each.value) for each in app.header] == ["At 5.4."]
    assert "step 5.4" in said(app)


def test_a_page_has_two_closers_at_most():
    three = tuple(Closer(label=str(k), inside=box, key=str(k)) for k in range(3))
    with pytest.raises(ParameterError, match="at most 2 closers"):
        replace(FORM, closers=three)


def test_the_smallest_page_of_the_documents_is_a_page():
    app = shown(PAGE)
    (headline,) = app.header
    assert plain(headline.value) == (
        "All readers together learn ρ = 0.1, instead of ρ = 0.5 with separate noise."
    )
    app.slider(key="small_page_readers").set_value(20).run()
    assert "ρ = 2" in plain(app.header[0].value)
