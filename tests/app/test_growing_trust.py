"""The page Growing trust by AppTest: three stories, one switch, and the addresses before it."""

import pytest

from dpviz.scenes.growing_trust import HANDED_OUT
from dpviz.ui.growing_trust.stories import CIRCLE, MARKET, PULSE, STORIES
from dpviz.ui.kit.page_table import MOVED, STORY, after
from tests.conftest import few

KEYS = {PULSE: "gradual_draw", CIRCLE: "network_join", MARKET: "market_sell"}


@pytest.fixture
def open_story(open_page):
    """Open the page at a story, as its switch does."""

    def opened(story):
        app = open_page("growing_trust")
        app.segment("trust_story", story)
        return app

    return opened


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("gradual_add", "network_add", "market_add")
def test_one_story_is_shown_by_the_address_or_the_switch(open_page):
    app = open_page("growing_trust")
    app.query_params[STORY] = MARKET
    app.run()
    for story in (MARKET, CIRCLE, PULSE):
        if story != MARKET:
            app.segment("trust_story", story)
        assert app.segmented_control(key="trust_story").value == story
        assert {key for key in KEYS.values() if key in app.buttons()} == {KEYS[story]}
        assert len([spec for spec in app.specs() if "1,000 = always" in str(spec)]) == 1  # a meter
        assert app.query_params[STORY] in (story, [story])
        onward = [link.proto.label for link in app.get("page_link")]
        assert onward == [after("growing_trust").question, "All questions"]
    app.query_params[STORY] = "nonsense"
    app.run()
    assert app.segmented_control(key="trust_story").value == PULSE


def test_every_address_that_is_gone_has_a_story():
    assert {story for _, story in MOVED.values() if story} == set(STORIES)
    assert {file for file, story in MOVED.values() if story} == {"growing_trust"}


# A patient's pulse


def one(app):
    return list(app.shelf("gradual_values").values())[-1]


BAD_PULSE = [
    ("wanted_3", "1e9", "Add a fourth reader, with trust: 1e+09 cannot be drawn here"),
    ("step_resting pulse", "2,5", "Type 2.5, with a point."),
]


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists", "gradual_add")
def test_a_pulse_is_read_and_releases_follow_the_law_shown_before(open_page):
    app = open_page("growing_trust")
    found = app.run_sample()["numbers"]
    assert found == {"read": one(app).number(0.5), "readers": dict(one(app).released)}
    assert tuple(one(app).released) == HANDED_OUT
    for key, text, sentence in few(BAD_PULSE, 2):
        before = app.text_input(key=f"gradual_{key}").value
        app.type(f"gradual_{key}", text)
        assert sentence in app.errors()[0]
        assert app.text_input(key=f"gradual_{key}").value == text
        assert len(app.specs()) > 1  # what was usable last is still drawn
        app.type(f"gradual_{key}", before)
        assert not app.errors()
    app.press("gradual_draw")
    assert app.text_input(key="gradual_wanted_4").value == "0.2"  # one that nobody has
    app.type("gradual_wanted_4", "2")
    assert app.button(key="gradual_draw").disabled
    for wanted in ("0.3", "0.05", "4"):
        app.type(f"gradual_wanted_{len(one(app).released)}", wanted)
        app.press("gradual_draw")
    kept = dict(one(app).released)
    stop = next(s for s in app.select_slider if s.key.startswith("gradual_epsilon"))
    stop.set_value(1.5).run()
    found = app.run_sample()["numbers"]
    assert found == {"read": one(app).number(1.5), "readers": kept}
    assert one(app).released == kept
    assert not app.workspace().ledger
    app.go("tiers")
    app.go("growing_trust")
    stop = next(s for s in app.select_slider if s.key.startswith("gradual_epsilon"))
    assert stop.value == 1.5
    assert one(app).released == kept


# A circle of friends

BAD_CIRCLE = [
    ("epsilons", "1, 2", "Ring 2 would learn more than the ring before it"),
    ("value", "1e400", "Own value: “1e400” is not a finite number"),
    ("apart", "0", "Hide differences up to (mmHg): 0 is not a"),
]


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists")
def test_a_circle_is_looked_at_and_every_refusal_is_one_sentence(open_story):
    app = open_story(CIRCLE)
    circle = app.specs()[0]
    assert {"Maria", "Ana", "Finn"} <= {t.strip("</b>") for t in circle["data"][1]["text"]}
    (kept,) = app.shelf("network_circles").values()
    found = app.run_sample()["numbers"]
    assert found["told"] == {ring.distance: ring.answer for ring in kept.rings}
    together = found["together"]
    assert together.together.added.value == 27
    for ring in kept.rings:  # the first example shows errors as they typically are
        assert 0.8 < abs(ring.answer - kept.value) / ring.error < 1.2
    for key, text, _ in BAD_CIRCLE:
        app.text_input(key=f"network_{key}").set_value(text)
    app.run()
    said = " ".join(app.errors())
    for key, text, sentence in BAD_CIRCLE:
        assert sentence in said
        assert app.text_input(key=f"network_{key}").value == text  # nothing entered is lost
    for key, text in (("epsilons", "4, 2, 1"), ("value", "142"), ("apart", "20")):
        app.text_input(key=f"network_{key}").set_value(text)
    app.choose("Whose circle", "Dora")  # who knows one other only
    assert "Dora’s blood pressure" in app.head()
    app.choose("Whose circle", "Maria")
    assert any(circle is kept for circle in app.shelf("network_circles").values())
    next(g for g in app.pills if g.label == "Who compares notes").set_value([]).run()
    assert "Choose who compares notes" in app.head()


# A data market

BAD_MARKET = [
    ("epsilon", "3", "ε = 3 is more than the owner will ever sell; type at most 2."),
    ("buyer", "Bank", "Bank looks like the buyer bank; type exactly that name to upgrade"),
    ("limit", "abc", "Most ε that will ever be sold: “abc” is not a number."),
]


@pytest.mark.opens("specialists", "market_add")
def test_what_cannot_be_sold_gets_one_sentence_and_changes_nothing(open_story):
    app = open_story(MARKET)
    stall = app.session_state["market_stall"]
    before = stall.ledger
    for key, text, sentence in BAD_MARKET:
        box = app.text_input(key=f"market_{key}")
        usual = box.value
        box.set_value(text)
        if key in ("epsilon", "buyer"):
            app.press("market_sell")
        app.run()
        (said,) = app.errors()
        assert sentence in said
        assert app.text_input(key=f"market_{key}").value == text
        assert stall.ledger is before
        app.text_input(key=f"market_{key}").set_value(usual)
    app.text_input(key="market_buyer").set_value("bank")
    app.type("market_epsilon", "0.5")
    assert not app.errors()
    app.press("market_sell")
    assert "bank already holds a better number, at ε = 1" in app.errors()[0].lower()
    again = app.run_sample()["numbers"]
    assert again["number"].tolist() == [stall.market.number(s).item() for s in stall.ledger.sales]
