"""The lesson on the trick by AppTest: through its six screens by its buttons and its choices."""

import re

from dpviz.ui import the_trick
from dpviz.ui.kit.page_table import others
from dpviz.ui.the_trick import LESSON
from tests.app.reading import everything, linked, specs, texts_in

FILE = LESSON.file


def press(app, key):
    app.button(key=key).click().run()
    assert not app.exception


def numbers(app):
    return [metric.value for metric in app.metric]


def bold(app):
    return [t for t in texts_in(specs(app)[0]) if re.fullmatch(r"<b>[−\d.]+</b>", t)]


def test_through_the_lesson_by_its_buttons(open_page):
    app = open_page(FILE)
    seen = []
    for step, screen in enumerate(LESSON.screens, 1):
        assert app.title[0].value == screen.title
        assert app.header[0].value == screen.sentence
        assert not re.search(r"[α-ωΑ-Ω]", everything(app))
        if screen.act and not screen.act.repeats:
            held = numbers(app)
            press(app, f"lesson_act_{step}")
            seen.append((held, numbers(app)))
        if step < 6:
            press(app, "lesson_next")
    assert seen == [
        (["311.6 ±\u202f3.6"], ["308.1"]),
        (["310.7 ±\u202f1.6"], ["310.5"]),
        (["9,497"], ["9,497"]),
        (["1,000"], ["673"]),
    ]
    assert {page.file for page in others(FILE)} <= linked(app)
    press(app, "lesson_back")
    assert numbers(app) == ["673"]  # what was done stays done
    press(app, "lesson_back")
    assert app.header[0].value == the_trick.SAME_HILL.capitalize()
    press(app, "lesson_act_4")
    assert app.header[0].value == the_trick.GUESS


def test_the_path_grows_by_the_slider_and_another_draw_moves_all_screens(open_page):
    app = open_page(FILE)
    assert bold(app) == ["<b>310.7</b>", "<b>311.6</b>", "<b>310.5</b>", "<b>308.1</b>"]
    app.select_slider(key=f"{FILE}_1_choice").set_value("none").run()
    assert bold(app) == []
    press(app, "lesson_draw")
    app.select_slider(key=f"{FILE}_1_choice").set_value("±\u202f2.2").run()
    (audit,) = bold(app)
    assert audit != "<b>310.7</b>"
    press(app, "lesson_next")
    press(app, "lesson_next")
    assert audit in bold(app)


def test_each_limit_has_its_sentence_and_its_number(open_page):
    app = open_page(FILE)
    app.query_params["step"] = "6"
    app.run()
    shown = {the_trick.QUESTIONS: "736", the_trick.NOISE: "3.9", the_trick.FRIENDS: "673"}
    for which, number in shown.items():
        app.segmented_control(key=f"{FILE}_6_choice").set_value(which).run()
        assert not app.exception
        assert app.header[0].value == the_trick.LIMITS[which]
        assert numbers(app) == [number]


def test_a_guess_about_the_hill_and_the_seal_is_answered(open_page):
    app = open_page(FILE)
    for step, right, wrong in ((4, "The same", "Wider"), (5, "A court", "The press")):
        app.query_params["step"] = f"{step}"
        app.run()
        press(app, f"lesson_act_{step}")
        for chosen, says in ((right, "Right: "), (wrong, "Not quite: ")):
            app.segmented_control(key=f"{FILE}_{step}_choice").set_value(chosen).run()
            assert app.header[0].value.startswith(says)
