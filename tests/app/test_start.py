"""The front page by AppTest: by its address, and for one who comes back."""

import re

import pytest

from dpviz.ui.start import KNOWS, LESSON
from dpviz.words import NARROW
from tests.app.reading import press, specs, texts_in
from tests.app.test_lessons import numbers, on_screen
from tests.conftest import few

pytestmark = pytest.mark.usefixtures("pictured")

TITLES = [screen.title for screen in LESSON.screens]
LAST = TITLES[-1]
OPENING = LESSON.screens[1].opening.title


def left_for(app, *pages):
    """Go to pages as the menu does: without what the address asked for."""
    for page in pages:
        app.query_params.clear()
        app.switch_page(f"pages/{page}.py").run()


def test_an_address_opens_a_screen_and_a_draw_moves_all_of_them(open_page):
    app = open_page("start")
    for text, title in (("4", TITLES[3]), ("x", TITLES[0]), ("2", OPENING)):
        app.query_params["step"] = text
        app.run()
        assert on_screen(app) == title
    press(app, "lesson_skip_opening")
    assert on_screen(app) == TITLES[1]
    app.select_slider(key="start_2_choice").set_value("exact").run()
    assert numbers(app) == ["1,000"]
    assert not [b for b in app.button if b.key == "lesson_draw"]  # it would change nothing
    assert app.header[0].value == KNOWS
    app.select_slider(key="start_2_choice").set_value(f"±{NARROW}4.4").run()
    before = [*texts_in(specs(app)[0])]
    press(app, "lesson_draw")
    assert [*texts_in(specs(app)[0])] != before
    press(app, "lesson_next")
    press(app, "lesson_act_3")
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
    assert on_screen(app) == OPENING  # an address is an address
    left_for(app, "trust_grows")
    assert app.button(key="lesson_skip").label != "Skip to the end"  # of the front page only
