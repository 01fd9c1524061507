"""The lesson on the promise by AppTest: through its screens by its buttons, guessing first."""

import re

from dpviz.ui.kit.page_table import others
from dpviz.ui.the_promise import LESSON
from tests.app.reading import everything, linked, specs, words

TITLES = [screen.title for screen in LESSON.screens]
LETTERS = (3, 5, 6)  # screens that say what ε, δ and ρ bound


def press(app, key):
    app.button(key=key).click().run()
    assert not app.exception


def choose(app, step, value):
    choice = LESSON.screens[step - 1].choice
    kind = app.select_slider if choice.default else app.segmented_control
    kind(key=f"the_promise_{step}_choice").set_value(value).run()
    assert not app.exception


def numbers(app):
    return [m.value for m in app.metric]


def test_through_the_lesson_by_its_buttons_and_back(open_page):
    app = open_page("the_promise")
    seen = []
    for step, screen in enumerate(LESSON.screens, 1):
        assert app.title[0].value == screen.title
        assert app.header[0].value == screen.sentence
        assert f"{step} of 6" in words(app)
        assert step in LETTERS or not re.search(r"[α-ωΑ-Ω]", everything(app))
        before, held = specs(app)[0], numbers(app)
        press(app, f"lesson_act_{step}")
        assert app.button(key=f"lesson_act_{step}").label == "Show before"
        assert specs(app)[0] != before
        assert app.header[0].value != screen.sentence
        assert step in LETTERS or not re.search(r"[α-ωΑ-Ω]", everything(app))
        seen.append((held, numbers(app)))
        if step < 6:
            press(app, "lesson_next")
    assert seen == [
        (["?"], ["1"]),
        (["?"], ["1.3"]),
        (["?"], ["18.6\u202f%"]),
        (["588"], ["588"]),
        (["?"], ["814"]),
        (["?"], ["73"]),
    ]
    assert {page.file for page in others("the_promise")} <= linked(app)
    assert set(LESSON.onward) <= linked(app)
    press(app, "lesson_act_6")  # taken back
    assert numbers(app) == ["?"]
    press(app, "lesson_back")
    assert app.title[0].value == TITLES[4]
    assert numbers(app) == ["814"]  # what was done stays done
    press(app, "lesson_next")
    app.button(key="lesson_after").click().run()
    assert app.title[0].value == "What are you going to publish?"


def test_a_guess_is_asked_for_above_the_picture_and_answered(open_page):
    app = open_page("the_promise")
    app.query_params["step"] = "4"
    app.run()
    choose(app, 4, "Squaring")
    assert app.header[0].value == LESSON.screens[3].sentence  # nothing is told yet
    press(app, "lesson_act_4")
    assert app.header[0].value.startswith("Not quite: no trick does")
    assert "You said “Squaring”; the answer is “None”." in words(app)
    choose(app, 4, "None")
    assert app.header[0].value.startswith("Right: no trick does")
    app.query_params["step"] = "6"
    app.run()
    choose(app, 6, "15")
    press(app, "lesson_act_6")
    assert app.header[0].value.startswith("Right: ")
    assert numbers(app) == ["56"]
    choose(app, 6, "30")  # the limit given before does better
    assert app.header[0].value.startswith("Not quite: ")
