"""The page Growing trust by AppTest: three stories, one switch, and the addresses before it."""

import numpy as np
import pytest

from dpviz.charts.pulse import DOT
from dpviz.scenes.growing_trust import HANDED_OUT
from dpviz.ui.growing_trust.stories import CIRCLE, MARKET, PULSE, STORIES
from dpviz.ui.kit.page_table import MOVED, STORY
from tests.app.reading import (
    choose,
    errors,
    everything,
    head,
    press,
    run_sample,
    shelf,
    specs,
    words,
    workspace,
)
from tests.conftest import few, full_run

KEYS = {PULSE: "gradual_draw", CIRCLE: "network_join", MARKET: "market_sell"}


@pytest.fixture
def open_story(open_page):
    """Open the page at a story, as its switch does."""

    def opened(story):
        app = open_page("growing_trust")
        app.segmented_control(key="trust_story").set_value(story).run()
        return app

    return opened


def fill(app, key, text):
    app.text_input(key=key).set_value(text).run()


def buttons(app):
    return {button.key for button in app.button}


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("gradual_add", "network_add", "market_add")
def test_one_story_is_shown_by_the_address_or_the_switch(open_page):
    app = open_page("growing_trust")
    app.query_params[STORY] = MARKET
    app.run()
    for story in (MARKET, CIRCLE, PULSE):
        if story != MARKET:
            app.segmented_control(key="trust_story").set_value(story).run()
        assert app.segmented_control(key="trust_story").value == story
        assert {key for key in KEYS.values() if key in buttons(app)} == {KEYS[story]}
        assert len([spec for spec in specs(app) if "1,000 = always" in str(spec)]) == 1  # a meter
        assert app.query_params[STORY] in (story, [story])
        onward = [link.proto.label for link in app.get("page_link")]
        assert onward == ["Can you break it?", "All questions"]
    app.query_params[STORY] = "nonsense"
    app.run()
    assert app.segmented_control(key="trust_story").value == PULSE


def test_every_address_that_is_gone_has_a_story():
    assert {story for _, story in MOVED.values() if story} == set(STORIES)
    assert {file for file, story in MOVED.values() if story} == {"growing_trust"}


# A patient's pulse


def one(app):
    return list(shelf(app, "gradual_values").values())[-1]


BAD_PULSE = [
    ("wanted_3", "1e9", "Add a fourth reader, with trust: 1e+09 cannot be drawn here"),
    ("step_resting pulse", "2,5", "Type 2.5, with a point."),
]


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists", "gradual_add")
def test_a_pulse_is_read_and_releases_follow_the_law_shown_before(open_page):
    app = open_page("growing_trust")
    found = run_sample(app)["numbers"]
    assert found == {"read": one(app).number(0.5), "readers": dict(one(app).released)}
    assert tuple(one(app).released) == HANDED_OUT
    for key, text, sentence in few(BAD_PULSE, 2):
        before = app.text_input(key=f"gradual_{key}").value
        fill(app, f"gradual_{key}", text)
        assert sentence in errors(app)[0]
        assert app.text_input(key=f"gradual_{key}").value == text
        assert len(specs(app)) > 1  # what was usable last is still drawn
        fill(app, f"gradual_{key}", before)
        assert not errors(app)
    press(app, "gradual_draw")
    assert app.text_input(key="gradual_wanted_4").value == "0.2"  # one that nobody has
    fill(app, "gradual_wanted_4", "2")
    assert app.button(key="gradual_draw").disabled
    for wanted in ("0.3", "0.05", "4"):
        fill(app, f"gradual_wanted_{len(one(app).released)}", wanted)
        press(app, "gradual_draw")
    kept = dict(one(app).released)
    stop = next(s for s in app.select_slider if s.key.startswith("gradual_epsilon"))
    stop.set_value(1.5).run()
    found = run_sample(app)["numbers"]
    assert found == {"read": one(app).number(1.5), "readers": kept}
    assert one(app).released == kept
    assert not workspace(app).ledger
    app.switch_page("pages/tiers.py").run()
    app.switch_page("pages/growing_trust.py").run()
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
    circle = specs(app)[0]
    assert {"Maria", "Ana", "Finn"} <= {t.strip("</b>") for t in circle["data"][1]["text"]}
    (kept,) = shelf(app, "network_circles").values()
    found = run_sample(app)["numbers"]
    assert found["told"] == {ring.distance: ring.answer for ring in kept.rings}
    together = found["together"]
    assert together.together.added.value == 27
    drawn = np.random.default_rng(33).laplace(scale=together.levels, size=(100_000, 19))
    weights = 1 / np.square(together.levels)
    weighted = drawn @ (weights / weights.sum())
    assert np.quantile(abs(weighted), 0.95) == pytest.approx(8.6, abs=0.1), "best weighted"
    for ring in kept.rings:  # the first example shows errors as they typically are
        assert 0.8 < abs(ring.answer - kept.value) / ring.error < 1.2
    for key, text, _ in BAD_CIRCLE:
        app.text_input(key=f"network_{key}").set_value(text)
    app.run()
    said = " ".join(errors(app))
    for key, text, sentence in BAD_CIRCLE:
        assert sentence in said
        assert app.text_input(key=f"network_{key}").value == text  # nothing entered is lost
    for key, text in (("epsilons", "4, 2, 1"), ("value", "142"), ("apart", "20")):
        app.text_input(key=f"network_{key}").set_value(text)
    choose(app, "Whose circle", "Dora")  # who knows one other only
    assert "Dora’s blood pressure" in head(app)
    choose(app, "Whose circle", "Maria")
    assert any(circle is kept for circle in shelf(app, "network_circles").values())
    next(g for g in app.pills if g.label == "Who compares notes").set_value([]).run()
    assert "Choose who compares notes" in head(app)


@full_run
def test_hospitals(open_story):
    app = open_story(CIRCLE)
    app.selectbox(key="network_which").set_value("Maria and her hospitals").run()
    assert "hospitals compare notes on Maria’s blood pressure" in head(app)


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
            press(app, "market_sell")
        app.run()
        (said,) = errors(app)
        assert sentence in said
        assert app.text_input(key=f"market_{key}").value == text
        assert stall.ledger is before
        app.text_input(key=f"market_{key}").set_value(usual)
    app.text_input(key="market_buyer").set_value("bank")
    app.text_input(key="market_epsilon").set_value("0.5").run()
    assert not errors(app)
    press(app, "market_sell")
    assert "bank already holds a better number, at ε = 1" in errors(app)[0].lower()
    again = run_sample(app)["numbers"]
    assert again["number"].tolist() == [stall.market.number(s).item() for s in stall.ledger.sales]


@full_run
@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists", "market_add")
def test_a_market_of_several_values_is_kept_while_one_looks_elsewhere(open_story):
    app = open_story(MARKET)
    app.segmented_control(key="market_prices").set_value("cheaper in bulk").run()
    assert "These terms are for the next market" in words(app)
    app.text_input(key="market_value").set_value("147, 20").run()
    press(app, "market_over")
    assert "Markets before this one cost ε = 1: ε = 1 in all." in head(app)
    press(app, "market_sell")  # newspaper, ε = 1.5
    stall = app.session_state["market_stall"]
    assert stall.ledger.revenue == 5  # €4 for the first ε, then €2 × 0.5
    app.selectbox(key="market_coordinate_2").set_value(1).run()
    assert "true value 20" in everything(app)
    assert "number 2" in app.table[0].value.columns
    app.switch_page("pages/tiers.py").run()
    app.switch_page("pages/growing_trust.py").run()
    assert "One buyer paid the owner €5.00 for the numbers of driving days" in head(app)
    assert "newspaper" in everything(app)


@full_run
@pytest.mark.usefixtures("unfolded")
def test_hardened_mode_draws_whole_numbers_and_says_what_the_line_is(open_page):
    app = open_page("growing_trust")
    workspace(app).use_mode("hardened")
    app.run()
    press(app, "gradual_draw")
    released = one(app).released
    assert list(released) == [*HANDED_OUT, 2.0]
    assert all(value == int(value) for value in released.values())
    dots = next(t for t in specs(app)[0]["data"] if t["name"] == "handed out")
    assert dots["marker"]["size"] == DOT
    fill(app, "gradual_value_resting pulse", "62.5")
    assert "type a whole number" in errors(app)[0]
    fill(app, "gradual_value_resting pulse", "62")
    assert run_sample(app)["numbers"]["read"] == pytest.approx(one(app).number(0.5))
