"""Lessons and the quiz by AppTest: through their screens by buttons, choices and addresses."""

import importlib
import math
import re
from types import SimpleNamespace

import pytest
from scipy import stats

from dpviz.planning.cast import RHO
from dpviz.scenes import insurer
from dpviz.scenes.lessons import Settings
from dpviz.ui import start, the_promise, the_trick, trust_grows
from dpviz.ui.kit import attending, lesson_view, state
from dpviz.ui.kit.lesson import RIGHT, WRONG
from dpviz.ui.kit.lesson_view import HIGHEST, TIMES
from dpviz.ui.kit.page_table import PAGES, following, page
from dpviz.ui.quiz import QUESTIONS, picture_of, questions, result_picture
from dpviz.ui.start import KNOWS, LESSON
from dpviz.words import NARROW
from tests.app.reading import plain, texts_in
from tests.conftest import few
from tests.guessing import overlap

LESSONS = {
    page.file: importlib.import_module(f"dpviz.ui.{page.file}").LESSON
    for page in PAGES
    if page.is_lesson
}
LETTERS = {"the_promise": (3,)}  # whose link leads to what ε and δ are


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


def beside(screen, done):
    """The number beside a screen whose question nobody has answered."""
    chosen = screen.choice.default if screen.choice else ""
    side = screen.side(screen.scene(Settings(done=done, chosen=chosen)))
    return [side.value] if side.label else []


@pytest.mark.usefixtures("pictured")
@pytest.mark.parametrize("file", few(LESSONS, 4))
def test_through_a_lesson_by_its_buttons_and_back(at, file):
    app, lesson = at(file), LESSONS[file]
    after = next((page.file for page in following(file)), "quiz")
    along = "To the quiz" if after == "quiz" else "Next lesson"
    assert app.button(key="lesson_back").disabled
    for step, screen in enumerate(lesson.screens, 1):
        if screen.opening:
            assert (on_screen(app), said(app)) == (screen.opening.title, screen.opening.sentence)
            assert primary(app) == []  # the game first, though nothing has to be played
            app.press("lesson_skip_opening")
        assert (on_screen(app), said(app)) == (screen.title, screen.sentence)
        assert f"{step} of 6" in app.words()
        if screen.act and not screen.act.repeats:
            before = app.specs()[0]
            assert numbers(app) == beside(screen, False)
            assert primary(app) == [screen.act.label]
            app.press(f"lesson_act_{step}")
            assert app.button(key=f"lesson_act_{step}").label == screen.act.undo
            assert app.specs()[0] != before
            assert numbers(app) == beside(screen, True)
        assert step in LETTERS.get(file, ()) or not re.search("[α-ωΑ-Ω]", app.everything())
        assert primary(app) == ["Next" if step < 6 else along]
        if step < 6:
            app.press("lesson_next")
            assert app.query_params["step"] in (str(step + 1), [str(step + 1)])
    assert {lesson.after[0], *lesson.onward[:2]} <= app.linked()
    app.press("lesson_act_6")  # taken back
    assert numbers(app) == beside(screen, False)
    app.press("lesson_back")
    app.go("data")
    app.go(file)
    assert on_screen(app) == lesson.screens[4].title  # where the visitor was
    assert numbers(app) == beside(lesson.screens[4], True)  # what was done stays done
    app.press("lesson_next")
    app.press("lesson_after")
    assert on_screen(app) == page(after).heading


@pytest.mark.usefixtures("pictured")
@pytest.mark.parametrize(
    ("file", "step", "wrong", "right"),
    [
        ("the_promise", 4, the_promise.SQUARE_IT, the_promise.NO),
        ("start", 5, start.MORE, start.SAME),
    ],
)
def test_a_guess_is_asked_for_above_the_picture_and_answered(at, file, step, wrong, right):
    app = at(file, step)
    choose(app, file, step, wrong)
    assert said(app) == LESSONS[file].screens[step - 1].sentence  # nothing is told yet
    app.press(f"lesson_act_{step}")
    assert said(app).startswith(WRONG)
    choose(app, file, step, right)
    assert said(app).startswith(RIGHT)


@pytest.mark.usefixtures("pictured")
def test_an_address_brings_choice_draw_and_act_once_and_then_buttons_do(at):
    app = at("the_trick")
    app.query_params.update({"step": "5", "choice": "1", "done": "yes", "draw": "2"})
    app.run()
    assert said(app).startswith(RIGHT)
    assert app.session_state["lessons"]["the_trick"].draw == 2
    app.press("lesson_act_5")  # taken back, while the address still says so
    choose(app, "the_trick", 5, the_trick.MAYORS)
    assert said(app) == LESSONS["the_trick"].screens[4].sentence
    app.press("lesson_act_5")
    assert said(app).startswith(WRONG)
    app.press("lesson_next")
    assert {*app.query_params} == {"step"}, "the next screen has nothing of this one"


@pytest.mark.usefixtures("pictured")
def test_five_towns_are_guessed_without_noise_and_twenty_with_it(at):
    app = at("start", 2)
    truth = [town.ill for town in insurer.towns(app.workspace().seed, None)]
    assert numbers(app) == ["?"]
    for k, ill in enumerate(truth):
        assert not [b for b in app.button if b.key == "lesson_round"]
        answer = ill if k else not ill  # the first is wrong
        app.press(f"lesson_guess_{'I' if answer else 'N'}")
        assert numbers(app) == [f"{k} of {k + 1}"]
        assert ("Right." in app.words(), "Wrong." in app.words()) == (k > 0, k == 0)
    assert said(app) == start.insurer.ALWAYS
    app.press("lesson_round")
    assert said(app) == start.insurer.ASKED_WITH_NOISE
    towns = insurer.towns(app.workspace().seed, insurer.RHO)
    for town in towns:
        app.press(f"lesson_guess_{'I' if town.points_up else 'N'}")
    best = insurer.best_score(towns)
    assert numbers(app) == [f"{best} of 20"]
    assert said(app) == start.insurer.SELDOM
    assert f"right {insurer.right_share(insurer.RHO):.3f}".replace("0.", "") in app.words()
    assert primary(app) == ["Next"]
    app.press("lesson_round")
    assert numbers(app) == ["?"]
    choose(app, "start", "2_opening", "No noise")  # what was played is still there
    assert numbers(app) == ["4 of 5"]
    app.press("lesson_skip_opening")
    assert on_screen(app) == LESSONS["start"].screens[1].title
    app.press("lesson_next")
    app.press("lesson_back")
    assert on_screen(app) == LESSONS["start"].screens[1].title, "it was played"
    app.press("lesson_reopen")
    assert numbers(app) == ["4 of 5"]


@pytest.mark.usefixtures("pictured")
def test_a_second_click_on_the_same_town_counts_for_nothing(monkeypatch):
    kept = lesson_view.Progress(step=2)
    monkeypatch.setattr(lesson_view, "_kept", lambda _: kept)
    lesson_view._guess(LESSONS["start"], "Noise", 0, True)
    lesson_view._guess(LESSONS["start"], "Noise", 0, False)
    assert kept.guesses == {"Noise": [True]}


@pytest.mark.usefixtures("pictured")
def test_a_lecture_is_the_lesson_in_large_turned_by_the_arrow_keys(at):
    app = at("trust_grows")
    usual = app.specs()[0]["layout"]["height"]
    assert {b.proto.shortcut for b in app.button} == {""}
    app.query_params["lecture"] = "on"
    app.query_params["step"] = "5"
    app.run()
    assert usual < app.specs()[0]["layout"]["height"] == min(TIMES * usual, HIGHEST)
    assert {b.key: b.proto.shortcut for b in app.button} == {
        "lesson_back": "left",
        "lesson_act_5": "down",
        "lesson_next": "right",
        "lesson_leave": "escape",
    }
    app.press("lesson_next")
    assert "lecture" in app.query_params
    app.press("lesson_leave")
    assert "lecture" not in app.query_params
    assert on_screen(app) == trust_grows.LESSON.screens[5].title
    assert app.specs()[0]["layout"]["height"] == usual


# The front page by AppTest: by its address, and for one who comes back.


TITLES = [screen.title for screen in LESSON.screens]
LAST = TITLES[-1]
OPENING = LESSON.screens[1].opening.title


def left_for(app, *pages):
    """Go to pages as the menu does: without what the address asked for."""
    for file in pages:
        app.query_params.clear()
        app.go(file)


@pytest.mark.usefixtures("pictured")
def test_an_address_opens_a_screen_and_a_draw_moves_all_of_them(open_page):
    app = open_page("start")
    for text, title in (("4", TITLES[3]), ("x", TITLES[0]), ("2", OPENING)):
        app.query_params["step"] = text
        app.run()
        assert on_screen(app) == title
    app.press("lesson_skip_opening")
    assert on_screen(app) == TITLES[1]
    app.select_slider(key="start_2_choice").set_value("exact").run()
    assert numbers(app) == ["1,000"]
    assert not [b for b in app.button if b.key == "lesson_draw"]  # it would change nothing
    assert app.header[0].value == KNOWS
    app.select_slider(key="start_2_choice").set_value(f"±{NARROW}4.4").run()
    before = [*texts_in(app.specs()[0])]
    app.press("lesson_draw")
    assert [*texts_in(app.specs()[0])] != before
    app.press("lesson_next")
    app.press("lesson_act_3")
    shown = [text for text in texts_in(app.specs()[0]) if re.fullmatch(r"<b>3\d\d\.\d</b>", text)]
    assert len(shown) == 4
    assert not {*shown} & {*before}


@pytest.mark.usefixtures("pictured")
def test_one_who_skipped_or_finished_comes_back_to_the_end_and_may_begin_again(open_page):
    app = open_page("start")
    app.press("lesson_skip")
    assert on_screen(app) == "What are you going to publish?"
    left_for(app, "start")
    assert on_screen(app) == LAST
    app.press("lesson_back")
    assert on_screen(app) == TITLES[4]
    app.press("lesson_act_5")
    assert on_screen(app) == TITLES[4]
    left_for(app, "data", "start")
    assert on_screen(app) == LAST
    app.press("lesson_again")
    assert on_screen(app) == TITLES[0]


@pytest.mark.usefixtures("pictured")
def test_one_who_has_begun_work_is_told_from_the_beginning_and_may_skip_to_the_end(open_page):
    app = open_page("releases")
    app.press("draw_public")
    left_for(app, "start")
    assert on_screen(app) == TITLES[0]
    assert app.button(key="lesson_skip").label == "Skip to the end"
    app.press("lesson_skip")
    assert on_screen(app) == LAST
    left_for(app, "data", "start")
    assert on_screen(app) == LAST
    app.query_params["step"] = "2"
    app.run()
    assert on_screen(app) == OPENING  # an address is an address
    left_for(app, "trust_grows")
    assert app.button(key="lesson_skip").label != "Skip to the end"  # of the front page only


# The quiz: answered, explained, counted; each link leads to the screen that shows it.


ALL = questions()


def answer(app, at, option):
    app.radio(key=f"quiz_{at}").set_value(option).run()


def test_a_right_and_a_wrong_answer_are_explained_and_the_first_one_counts(open_page):
    app = open_page("quiz")
    assert app.header[0].value == ALL[0].asks
    assert app.radio[0].value is None
    assert "Right" not in app.words()
    assert app.button(key="quiz_next").disabled
    assert not app.get("plotly_chart"), "it would tell"
    answer(app, 0, ALL[0].right)
    assert "**Right.**" in app.words()
    assert plain(ALL[0].why.text) in app.words()
    assert app.get("plotly_chart")
    app.press("quiz_next")
    wrong = next(option for option in ALL[1].options if option != ALL[1].right)
    answer(app, 1, wrong)
    assert f"**Not quite:** {ALL[1].right}." in app.words()
    answer(app, 1, ALL[1].right)  # too late to count
    for at in range(2, len(ALL)):
        app.press("quiz_next")
        answer(app, at, ALL[at].right)
    app.press("quiz_back")
    app.press("quiz_next")
    app.press("quiz_next")
    assert app.header[0].value.startswith(f"{len(ALL) - 1} of {len(ALL)} right")
    assert app.words().count("Look again") == 1
    app.press("quiz_again")
    assert app.header[0].value == ALL[0].asks
    assert app.radio[0].value is None


def test_the_result_leads_on_to_one_s_own_data_or_back_to_the_class(open_page, monkeypatch):
    app = open_page("quiz")
    for at, question in enumerate(ALL):
        answer(app, at, question.right)
        app.press("quiz_next")
    assert app.header[0].value.startswith("6 of 6 right")
    assert app.get("plotly_chart")
    assert app.labelled("To your own data").proto.type == "primary"
    assert "classroom" in app.linked()
    monkeypatch.setattr(attending, "attended", lambda: ("KXRTMP", "pass"))
    assert app.run().labelled("Back to your class").proto.type == "primary"


@pytest.mark.parametrize("question", ALL, ids=[make.__name__ for make in QUESTIONS])
def test_the_picture_of_an_answer_is_that_of_its_screen_after_the_act(question, monkeypatch):
    monkeypatch.setattr(state, "st", SimpleNamespace(session_state={}))
    lesson = importlib.import_module(f"dpviz.ui.{question.file}").LESSON
    screen = lesson.screens[question.step - 1]
    chosen = screen.choice.default if screen.choice else ""
    shown = screen.picture(screen.scene(Settings(done=True, chosen=chosen)))
    assert picture_of(question, [lesson]).figure == shown.figure


def test_the_result_compares_with_guessing_blindly():
    hits = [True, False, True, False, False, False]
    made = result_picture(hits, ALL)
    chance = sum(1 / len(question.answers) for question in ALL)
    assert sorted(x for bar in made.figure.data for x in bar.x) == pytest.approx(
        sorted([2.0, chance])
    )


@pytest.mark.parametrize("question", ALL, ids=[make.__name__ for make in QUESTIONS])
def test_answers_differ_are_all_shown_and_the_link_leads_to_a_screen(question):
    assert sorted(question.options) == sorted(question.answers)
    assert len({*question.answers}) == len(question.answers) >= 3
    assert question.asks.endswith("?")
    assert len(re.findall(r"[.!?](?: |$)", question.why.text)) <= 2, "one or two sentences"
    lesson = importlib.import_module(f"dpviz.ui.{question.file}").LESSON
    assert 1 <= question.step <= len(lesson.screens)
    assert {*re.findall(r"\d+", question.why.text)} <= {
        number for claim in question.why.claims for number in written(claim.value)
    }


def written(value):
    return re.findall(r"\d+", f"{value:.0f} {value:.1f} {value + 0.05:.1f} {value + 0.0005:.3f}")


def test_right_answers_are_what_other_formulas_give():
    """Overlaps of two hills, quantiles, and nothing of the scene."""
    given = [question.right for question in ALL]
    tiers = [RHO[name] for name in ("audit", "research", "partners", "public")]
    assert given[0] == f"{overlap(RHO['public']):.0f} times"
    assert given[1] == f"{overlap(sum(tiers)):.0f} times"
    assert given[2] == f"{overlap(max(tiers)):.0f} times"
    twice = f"{overlap(2 * RHO['audit']):.0f}"
    assert twice in ALL[4].why.text
    (share,) = re.findall(r"\d+\.\d+", plain(given[5]))
    sd = math.sqrt(1 / (2 * RHO["research"]))  # of the hospital's number, as of research's
    exact = stats.norm.ppf(0.975) * sd / math.sqrt(1000)
    assert exact <= float(share) < exact + 0.001
