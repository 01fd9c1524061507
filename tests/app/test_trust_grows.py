"""The lesson on trust by AppTest: through its six screens by its buttons, and by address."""

import re

import pytest

from dpviz.ui.kit.lesson_view import TIMES
from dpviz.ui.kit.page_table import PAGES, others
from dpviz.ui.trust_grows import LESSON
from tests.app.reading import everything, linked, specs, texts_in, words

TITLES = [screen.title for screen in LESSON.screens]
PRIMARY = "primary"


def press(app, key):
    app.button(key=key).click().run()
    assert not app.exception


def on_screen(app):
    return app.title[0].value


def primary(app):
    return [b.label for b in app.button if b.proto.type == PRIMARY]


def numbers(app):
    return [m.value for m in app.metric]


def bold(app):
    return {t for t in texts_in(specs(app)[0]) if re.fullmatch(r"<b>[−\d.]+</b>", t)}


def sent(app):
    (said,) = (t for t in texts_in(specs(app)[0]) if t.startswith("she sends"))
    return said


def test_through_the_lesson_by_its_buttons_and_back(open_page):
    app = open_page("trust_grows")
    assert app.button(key="lesson_back").disabled
    seen = []
    for step, screen in enumerate(LESSON.screens, 1):
        assert on_screen(app) == screen.title
        assert app.header[0].value == screen.sentence
        assert f"{step} of 6" in words(app)
        assert not re.search(r"[α-ωΑ-Ω]", everything(app))
        if screen.act and not screen.act.repeats:
            key = f"lesson_act_{step}"
            before, held = bold(app), numbers(app)
            assert primary(app) == [screen.act.label]
            press(app, key)
            assert app.button(key=key).label == screen.act.undo
            assert bold(app) != before
            seen.append((held, numbers(app)))
        assert primary(app) == ["Next" if step < 6 else "Your data"]
        if step < 6:
            press(app, "lesson_next")
            assert app.query_params["step"] in (str(step + 1), [str(step + 1)])
    assert seen == [
        (["?"], ["32.6 % ±\u202f8.1 %"]),
        (["673"], ["760"]),
        (["673"], ["673"]),
        (["588"], ["638"]),
    ]
    group = ("growing_trust", "rappor")
    assert {*group, *(p.file for p in others("trust_grows"))} <= linked(app)
    press(app, "lesson_act_6")  # taken back
    assert numbers(app) == ["588"]
    press(app, "lesson_back")
    assert on_screen(app) == TITLES[4]
    assert numbers(app) == ["673"]  # what was done stays done
    assert "0 more than the doctor alone" in app.metric[0].delta
    app.switch_page("pages/data.py").run()
    app.switch_page("pages/trust_grows.py").run()
    assert on_screen(app) == TITLES[4]  # where the visitor was
    press(app, "lesson_next")
    app.button(key="lesson_after").click().run()
    assert on_screen(app) == "What are you going to publish?"


def test_an_address_opens_a_screen_and_a_draw_moves_all_of_them(open_page):
    app = open_page("trust_grows")
    for text, title in (
        ("4", TITLES[3]),
        ("x", TITLES[0]),
        ("9" * 400, TITLES[0]),
        ("2", TITLES[1]),
    ):
        app.query_params["step"] = text
        app.run()
        assert not app.exception
        assert on_screen(app) == title
    first = sent(app)
    press(app, "lesson_draw")
    assert on_screen(app) == TITLES[1]
    assert primary(app) == ["Next"]
    assert sent(app) != first
    app.select_slider(key="trust_grows_2_choice").set_value("exact").run()
    assert numbers(app) == ["1,000"]
    assert app.header[0].value.startswith("Without noise her number is her answer")
    press(app, "lesson_next")
    press(app, "lesson_act_3")
    assert "32.6" not in numbers(app)[0]


def height(app):
    return specs(app)[0]["layout"]["height"]


def test_a_lecture_is_the_lesson_in_large_turned_by_the_arrow_keys(open_page):
    app = open_page("trust_grows")
    usual = height(app)
    assert {b.proto.shortcut for b in app.button} == {""}
    app.query_params["lecture"] = "on"
    app.query_params["step"] = "4"
    app.run()
    assert height(app) == TIMES * usual
    keys = {b.key: b.proto.shortcut for b in app.button}
    assert keys == {
        "lesson_back": "left",
        "lesson_act_4": "down",
        "lesson_next": "right",
        "lesson_leave": "escape",
    }
    press(app, "lesson_next")
    assert on_screen(app) == TITLES[4]
    assert "lecture" in app.query_params
    press(app, "lesson_leave")
    assert "lecture" not in app.query_params
    assert on_screen(app) == TITLES[4]
    assert height(app) == usual


@pytest.mark.parametrize("lesson", [page.file for page in PAGES if page.is_lesson])
def test_a_lecture_ends_on_its_last_screen(open_page, lesson):
    app = open_page(lesson)
    app.query_params["lecture"] = "on"
    app.query_params["step"] = "6"
    app.run()
    assert "6 of 6" in words(app)
    keys = {b.proto.shortcut: b for b in app.button if b.proto.shortcut}
    assert keys["right"].key == "lesson_next"
    assert keys["right"].disabled
    assert "lesson_after" not in [b.key for b in app.button]
