"""Four lessons by AppTest: through their screens by their buttons, choices and addresses."""

import importlib
import re

import pytest

from dpviz.scenes import insurer
from dpviz.ui import start, the_promise, the_trick, trust_grows
from dpviz.ui.kit import lesson_view
from dpviz.ui.kit.lesson import RIGHT, WRONG
from dpviz.ui.kit.lesson_view import HIGHEST, TIMES
from dpviz.ui.kit.page_table import PAGES, following, page
from tests.app.reading import everything, linked, press, specs, words, workspace
from tests.conftest import few

pytestmark = pytest.mark.usefixtures("pictured")

LESSONS = {
    page.file: importlib.import_module(f"dpviz.ui.{page.file}").LESSON
    for page in PAGES
    if page.is_lesson
}
LETTERS = {"the_promise": (3,)}  # whose link leads to what ε and δ are
SEEN = {  # what stands beside the screens that have an act, before it and after
    "start": {3: ([], []), 4: (["673"], ["760"]), 5: (["673"], ["673"]), 6: (["?"], ["673"])},
    "trust_grows": {
        1: ([], []),
        3: (["?"], ["0.326 ±\u202f0.081"]),
        4: (["?"], ["±\u202f81 people"]),
        5: (["673"], ["673"]),
        6: (["588"], ["638"]),
    },
    "the_trick": {
        2: (["?"], ["308.3"]),
        3: (["?"], ["309.7"]),
        4: (["9,494"], ["9,494"]),
        5: (["1,000"], ["673"]),
        6: (["673"], ["736"]),
    },
    "the_promise": {
        1: (["?"], ["1.0 or 2.0"]),
        2: (["?"], ["1.3"]),
        3: (["?"], ["9"]),
        4: (["588"], ["588"]),
        5: (["?"], ["814"]),
        6: (["?"], ["58"]),
    },
}


@pytest.fixture
def at(open_page):
    """Open a lesson at a screen, by its address."""

    def opened(file, step=1):
        app = open_page(file)
        if step > 1:
            app.query_params["step"] = f"{step}"
            app.run()
        return app

    return opened


def choose(app, file, step, value):
    asked = (*app.select_slider, *app.segmented_control)
    next(w for w in asked if w.key == f"{file}_{step}_choice").set_value(value).run()


def on_screen(app):
    return app.title[0].value


def said(app):
    return app.header[0].value


def primary(app):
    return [b.label for b in app.button if b.proto.type == "primary"]


def numbers(app):
    return [m.value for m in app.metric]


@pytest.mark.parametrize("file", few(SEEN, 4))
def test_through_a_lesson_by_its_buttons_and_back(at, file):
    app, lesson, seen = at(file), LESSONS[file], {}
    after = next((page.file for page in following(file)), "quiz")
    along = "To the quiz" if after == "quiz" else "Next lesson"
    assert app.button(key="lesson_back").disabled
    for step, screen in enumerate(lesson.screens, 1):
        if screen.opening:
            assert (on_screen(app), said(app)) == (screen.opening.title, screen.opening.sentence)
            assert primary(app) == []  # the game first, though nothing has to be played
            press(app, "lesson_skip_opening")
        assert (on_screen(app), said(app)) == (screen.title, screen.sentence)
        assert f"{step} of 6" in words(app)
        if screen.act and not screen.act.repeats:
            before, held = specs(app)[0], numbers(app)
            assert primary(app) == [screen.act.label]
            press(app, f"lesson_act_{step}")
            assert app.button(key=f"lesson_act_{step}").label == screen.act.undo
            assert specs(app)[0] != before
            seen[step] = held, numbers(app)
        assert step in LETTERS.get(file, ()) or not re.search("[α-ωΑ-Ω]", everything(app))
        assert primary(app) == ["Next" if step < 6 else along]
        if step < 6:
            press(app, "lesson_next")
            assert app.query_params["step"] in (str(step + 1), [str(step + 1)])
    assert seen == SEEN[file]
    assert {lesson.after[0], *lesson.onward[:2]} <= linked(app)
    if 6 in seen:
        press(app, "lesson_act_6")  # taken back
        assert numbers(app) == seen[6][0]
    press(app, "lesson_back")
    app.switch_page("pages/data.py").run()
    app.switch_page(f"pages/{file}.py").run()
    assert on_screen(app) == lesson.screens[4].title  # where the visitor was
    assert numbers(app) == seen[5][1]  # what was done stays done
    press(app, "lesson_next")
    app.button(key="lesson_after").click().run()
    assert on_screen(app) == page(after).heading


@pytest.mark.parametrize(
    ("file", "step", "wrong", "right"),
    few(
        [
            ("the_promise", 4, the_promise.SQUARE_IT, the_promise.NO),
            ("the_promise", 6, "30 visits", "12 visits"),  # once a month
            ("start", 3, "Audit", "The public"),
            ("start", 4, start.SAME, start.MORE),
            ("start", 5, start.MORE, start.SAME),
            ("trust_grows", 5, trust_grows.NOBODY, trust_grows.ALL_BUT),
            ("start", 6, start.COUNT, start.AROUND),
            ("the_trick", 2, the_trick.BOTH, the_trick.NUMBER),
            ("the_trick", 3, the_trick.PUBLICS, the_trick.RESEARCHS),
            ("the_trick", 4, the_trick.WIDER, the_trick.SAME),
            ("the_trick", 5, the_trick.MAYORS, the_trick.COURTS),
            ("the_trick", 6, the_trick.FEW, the_trick.SOME),
        ],
        6,
    ),
)
def test_a_guess_is_asked_for_above_the_picture_and_answered(at, file, step, wrong, right):
    app = at(file, step)
    choose(app, file, step, wrong)
    assert said(app) == LESSONS[file].screens[step - 1].sentence  # nothing is told yet
    press(app, f"lesson_act_{step}")
    assert said(app).startswith(WRONG)
    choose(app, file, step, right)
    assert said(app).startswith(RIGHT)


def test_an_address_brings_choice_draw_and_act_once_and_then_buttons_do(at):
    app = at("the_trick")
    app.query_params.update({"step": "5", "choice": "1", "done": "yes", "draw": "2"})
    app.run()
    assert said(app).startswith(RIGHT)
    assert app.session_state["lessons"]["the_trick"].draw == 2
    press(app, "lesson_act_5")  # taken back, while the address still says so
    choose(app, "the_trick", 5, the_trick.MAYORS)
    assert said(app) == LESSONS["the_trick"].screens[4].sentence
    press(app, "lesson_act_5")
    assert said(app).startswith(WRONG)
    press(app, "lesson_next")
    assert {*app.query_params} == {"step"}, "the next screen has nothing of this one"


def test_an_address_with_nonsense_shows_the_screen_as_at_first(at):
    app = at("the_promise")
    app.query_params.update({"step": "4", "choice": "99", "done": "1", "draw": "-3"})
    app.run()
    assert said(app) == LESSONS["the_promise"].screens[3].sentence
    assert app.segmented_control(key="the_promise_4_choice").value is None


def test_five_towns_are_guessed_without_noise_and_twenty_with_it(at):
    app = at("start", 2)
    truth = [town.ill for town in insurer.towns(workspace(app).seed, None)]
    assert numbers(app) == ["?"]
    for k, ill in enumerate(truth):
        assert not [b for b in app.button if b.key == "lesson_round"]
        answer = ill if k else not ill  # the first is wrong
        press(app, f"lesson_guess_{'I' if answer else 'N'}")
        assert numbers(app) == [f"{k} of {k + 1}"]
        assert ("Right." in words(app), "Wrong." in words(app)) == (k > 0, k == 0)
    assert said(app) == start.insurer.ALWAYS
    press(app, "lesson_round")
    assert said(app) == start.insurer.ASKED_WITH_NOISE
    towns = insurer.towns(workspace(app).seed, insurer.RHO)
    for town in towns:
        press(app, f"lesson_guess_{'I' if town.points_up else 'N'}")
    best = insurer.best_score(towns)
    assert numbers(app) == [f"{best} of 20"]
    assert said(app) == start.insurer.SELDOM
    assert f"right {insurer.right_share(insurer.RHO):.3f}".replace("0.", "") in words(app)
    assert primary(app) == ["Next"]
    press(app, "lesson_round")
    assert numbers(app) == ["?"]
    choose(app, "start", "2_opening", "No noise")  # what was played is still there
    assert numbers(app) == ["4 of 5"]
    press(app, "lesson_skip_opening")
    assert on_screen(app) == LESSONS["start"].screens[1].title
    press(app, "lesson_next")
    press(app, "lesson_back")
    assert on_screen(app) == LESSONS["start"].screens[1].title, "it was played"
    press(app, "lesson_reopen")
    assert numbers(app) == ["4 of 5"]


def test_a_second_click_on_the_same_town_counts_for_nothing(monkeypatch):
    kept = lesson_view.Progress(step=2)
    monkeypatch.setattr(lesson_view, "_kept", lambda _: kept)
    lesson_view._guess(LESSONS["start"], "Noise", 0, True)
    lesson_view._guess(LESSONS["start"], "Noise", 0, False)
    assert kept.guesses == {"Noise": [True]}


def test_a_lecture_is_the_lesson_in_large_turned_by_the_arrow_keys(at):
    app = at("trust_grows")
    usual = specs(app)[0]["layout"]["height"]
    assert {b.proto.shortcut for b in app.button} == {""}
    app.query_params["lecture"] = "on"
    app.query_params["step"] = "5"
    app.run()
    assert usual < specs(app)[0]["layout"]["height"] == min(TIMES * usual, HIGHEST)
    assert {b.key: b.proto.shortcut for b in app.button} == {
        "lesson_back": "left",
        "lesson_act_5": "down",
        "lesson_next": "right",
        "lesson_leave": "escape",
    }
    press(app, "lesson_next")
    assert "lecture" in app.query_params
    press(app, "lesson_leave")
    assert "lecture" not in app.query_params
    assert on_screen(app) == trust_grows.LESSON.screens[5].title
    assert specs(app)[0]["layout"]["height"] == usual
