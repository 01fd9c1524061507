"""The page Gradual reports by AppTest: a thread is read, releases drawn, nonsense refused."""

import pytest

from dpviz.noise import ADDITIVE
from dpviz.workspace.guesses import right_between
from tests.app.reading import errors, plain, run_sample, shelf, specs, words, workspace


def head(app):
    return app.header[0].value.replace("\\", "").replace("\xa0", " ")


def fill(app, key, text):
    app.text_input(key=f"gradual_{key}").set_value(text).run()
    assert not app.exception


def press(app, key):
    app.button(key=f"gradual_{key}").click().run()
    assert not app.exception


def one(app):
    return list(shelf(app, "gradual_values").values())[-1]


BAD = [
    ("wanted_3", "0", "Add a fourth reader, with trust: 0 is not a budget"),
    ("wanted_3", "1e9", "Add a fourth reader, with trust: 1e+09 cannot be drawn here"),
    ("typed", "7", "Or type ε: 7 is not in the picture. Type a number from 0.1 to 2"),
    ("least", "3", "Smallest ε: 3 is not below the largest, 2."),
    ("most", "inf", "Largest ε: inf is not a budget"),
    ("value_resting pulse", "abc", "Exact value: “abc” is not a finite number."),
    ("step_resting pulse", "-2", "Hide differences up to: -2 is not above 0."),
    ("step_resting pulse", "2,5", "Type 2.5, with a point."),
]


def test_a_thread_is_read_and_releases_follow_the_law_shown_before(open_page):
    app = open_page("gradual_reports")
    near = "usually within ± 12 beats per minute at trust 0.5, within ± 6 at trust 1. All readers"
    assert near in plain(head(app))
    names = run_sample(app)
    assert names["number"] == one(app).number(0.5)
    assert list(one(app).released) == [0.2, 1.0, 0.5]
    assert "Three readers compare notes" in words(app)
    assert "All three together" in str(specs(app))
    assert "All three readers together learn what ε = 1 tells" in words(app)
    assert (
        "whether the value is 62 or 64. All three together guess right at most 697 times"
        in words(app)
    )
    many = right_between(ADDITIVE["laplace"], 2.0, [2.0] * 20, 20).count
    assert f"for 20 readers of trust 1, up to {many}." in words(app)
    assert "Relaxing from ε = 1 to ε = 2" in words(app)
    for key, text, sentence in BAD:
        before = app.text_input(key=f"gradual_{key}").value
        fill(app, key, text)
        assert sentence in errors(app)[0]
        assert app.text_input(key=f"gradual_{key}").value == text
        fill(app, key, before)
        assert not errors(app)
    press(app, "draw")
    assert app.text_input(key="gradual_wanted_4").value == "0.35"  # one that nobody has
    fill(app, "wanted_4", "2")
    assert app.button(key="gradual_draw").disabled
    turns = (("0.3", "Between"), ("0.1", "Tightening"), ("4", "Relaxing from ε = 2"))
    for wanted, said in turns:
        fill(app, f"wanted_{len(one(app).released)}", wanted)
        assert said in words(app)
        press(app, "draw")
    kept = dict(one(app).released)
    assert "All seven readers together learn what ε = 4 tells" in words(app)
    fill(app, "most", "6")
    fill(app, "typed", "5.5")
    assert "within ± 1.1 beats per minute at trust 5.5. All" in plain(head(app))
    names = run_sample(app)
    assert names["number"] == one(app).number(5.5)
    assert names["released"] == one(app).released == kept
    assert not workspace(app).ledger
    app.switch_page("pages/tiers.py").run()
    app.switch_page("pages/gradual_reports.py").run()
    assert app.text_input(key="gradual_typed").value == "5.5"
    assert one(app).released == kept


def test_hardened_mode_draws_whole_numbers_and_says_what_the_thread_is(open_page):
    app = open_page("gradual_reports")
    workspace(app).use_mode("hardened")
    app.run()
    assert "whole number, drawn exactly" in words(app)
    press(app, "draw")
    released = one(app).released
    assert list(released) == [0.2, 1.0, 0.5, 2.0]
    assert all(value == int(value) for value in released.values())
    fill(app, "value_resting pulse", "62.5")
    assert "type a whole number" in errors(app)[0]
    fill(app, "value_resting pulse", "62")
    for key in ("many", "jumps", "paper"):
        app.toggle(key=f"gradual_{key}_shown").set_value(True)
    assert not app.run().exception
    assert len(specs(app)) == 6
    assert "300 simulated paths" in words(app)
    assert run_sample(app)["number"] == pytest.approx(one(app).number(0.5))
