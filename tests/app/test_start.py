"""The front page by AppTest: through its six screens, by address, and for one who comes back."""

import re

import pytest

from dpviz.ui.kit.page_table import others
from dpviz.ui.start import KNOWS, LESSON
from tests.app.reading import everything, linked, press, specs, texts_in, words, workspace
from tests.app.test_lessons import numbers, on_screen, primary
from tests.conftest import few

pytestmark = pytest.mark.usefixtures("pictured")

TITLES = [screen.title for screen in LESSON.screens]
LAST = TITLES[-1]


def left_for(app, *pages):
    """Go to pages as the menu does: without what the address asked for."""
    for page in pages:
        app.query_params.clear()
        app.switch_page(f"pages/{page}.py").run()


def test_through_the_front_page_by_its_buttons(open_page):
    app = open_page("start")
    seen = []
    for step, screen in enumerate(LESSON.screens, 1):
        assert on_screen(app) == screen.title
        assert app.header[0].value == screen.sentence
        assert f"{step} of 6" in words(app)
        assert not re.search(r"[α-ωΑ-Ω]", everything(app))
        if screen.act and not screen.act.repeats:
            assert primary(app) == [screen.act.label]
            before = numbers(app)
            press(app, f"lesson_act_{step}")
            seen.append((before, numbers(app)))
        assert primary(app) == ["Next" if step < 6 else "Your data"]
        if step < 6:
            press(app, "lesson_next")
    assert seen == [(["673"], ["760"]), (["673"], ["673"]), (["673"], ["673"])]
    assert {"data", "releases", *(p.file for p in others("start"))} <= linked(app)
    app.button(key="lesson_after").click().run()
    assert on_screen(app) == "What are you going to publish?"
    assert not workspace(app).ledger  # the lesson released nothing


def test_an_address_opens_a_screen_and_a_draw_moves_all_of_them(open_page):
    app = open_page("start")
    for text, title in (("4", TITLES[3]), ("x", TITLES[0]), ("2", TITLES[1])):
        app.query_params["step"] = text
        app.run()
        assert on_screen(app) == title
    app.select_slider(key="start_2_choice").set_value("exact").run()
    assert numbers(app) == ["1,000"]
    assert app.header[0].value == KNOWS
    press(app, "lesson_next")
    before = [*texts_in(specs(app)[0])]
    press(app, "lesson_draw")
    assert [*texts_in(specs(app)[0])] != before
    press(app, "lesson_next")
    shown = [text for text in texts_in(specs(app)[0]) if re.fullmatch(r"<b>3\d\d\.\d</b>", text)]
    assert len(shown) == 4
    assert not {*shown} & {*before}


def test_one_who_skipped_or_finished_comes_back_to_the_end_and_may_begin_again(open_page):
    app = open_page("start")
    app.button(key="lesson_skip").click().run()
    assert on_screen(app) == "What are you going to publish?"
    left_for(app, "start")
    assert on_screen(app) == LAST
    press(app, "lesson_back")
    assert on_screen(app) == TITLES[4]
    press(app, "lesson_act_5")
    assert on_screen(app) == TITLES[4]
    left_for(app, "data", "start")
    assert on_screen(app) == LAST
    press(app, "lesson_again")
    assert on_screen(app) == TITLES[0]


@pytest.mark.parametrize("began", few(["releases", "data"], 2))
def test_one_who_has_begun_work_is_told_from_the_beginning_and_may_skip_to_the_end(
    open_page, began
):
    app = open_page(began)
    if began == "releases":
        app.button(key="draw_public").click().run()
    else:
        app.file_uploader[0].upload("t.csv", b"g\na\nb\n", "text/csv").run()
    left_for(app, "start")
    assert on_screen(app) == TITLES[0]
    assert app.button(key="lesson_skip").label == "Skip to the end"
    press(app, "lesson_skip")
    assert on_screen(app) == LAST
    left_for(app, "data", "start")
    assert on_screen(app) == LAST
    app.query_params["step"] = "2"
    app.run()
    assert on_screen(app) == TITLES[1]  # an address is an address
    left_for(app, "trust_grows")
    assert app.button(key="lesson_skip").label != "Skip to the end"  # of the front page only
