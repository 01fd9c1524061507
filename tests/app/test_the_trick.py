"""The lesson on the trick by AppTest: through its six screens by its buttons and its choices."""

import re

from dpviz.ui.kit.page_table import others
from dpviz.ui.the_trick import limits, order
from dpviz.ui.the_trick.screens import LESSON
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
    assert app.header[0].value == order.REVEALED
    press(app, "lesson_act_4")
    assert app.header[0].value == order.GUESS


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
    shown = {limits.QUESTIONS: "736", limits.BLUR: "3.9", limits.FRIENDS: "673"}
    for which, number in shown.items():
        app.segmented_control(key=f"{FILE}_6_choice").set_value(which).run()
        assert not app.exception
        assert app.header[0].value == limits.SAID[which]
        assert numbers(app) == [number]


def test_the_gap_of_two_numbers_has_a_hill_as_well(open_page):
    app = open_page(FILE)
    app.query_params["step"] = "4"
    app.run()
    before = numbers(app)
    app.segmented_control(key=f"{FILE}_4_choice").set_value(order.GAP).run()
    assert numbers(app) != before
    assert "of one another" in app.metric[0].label
