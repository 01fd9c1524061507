"""The quiz: answered, explained, counted; each link leads to the screen that shows it."""

import importlib
import math
import re
from types import SimpleNamespace

import pytest
from scipy import stats

from dpviz.planning.cast import RHO
from dpviz.scenes.lessons import Settings
from dpviz.ui.kit import attending, state
from dpviz.ui.quiz import QUESTIONS, picture_of, questions, result_picture
from tests.app.reading import button, linked, press, words
from tests.guessing import overlap
from tests.visiting import plain

ALL = questions()


def answer(app, at, option):
    app.radio(key=f"quiz_{at}").set_value(option).run()


def test_a_right_and_a_wrong_answer_are_explained_and_the_first_one_counts(open_page):
    app = open_page("quiz")
    assert app.header[0].value == ALL[0].asks
    assert app.radio[0].value is None
    assert "Right" not in words(app)
    answer(app, 0, ALL[0].right)
    assert "**Right.**" in words(app)
    assert plain(ALL[0].why.text) in words(app)
    assert app.get("plotly_chart")
    press(app, "quiz_next")
    wrong = next(option for option in ALL[1].options if option != ALL[1].right)
    answer(app, 1, wrong)
    assert f"**Not quite:** {ALL[1].right}." in words(app)
    answer(app, 1, ALL[1].right)  # too late to count
    for at in range(2, len(ALL)):
        press(app, "quiz_next")
        answer(app, at, ALL[at].right)
    press(app, "quiz_back")
    press(app, "quiz_next")
    press(app, "quiz_next")
    assert app.header[0].value.startswith(f"{len(ALL) - 1} of {len(ALL)} right")
    assert words(app).count("Look again") == 1
    press(app, "quiz_again")
    assert app.header[0].value == ALL[0].asks
    assert app.radio[0].value is None


def test_one_answers_before_one_goes_on_and_sees_no_picture_before(open_page):
    app = open_page("quiz")
    assert app.button(key="quiz_next").disabled
    assert not app.get("plotly_chart")
    answer(app, 0, ALL[0].options[0])
    assert not app.button(key="quiz_next").disabled


def test_the_result_leads_on_to_one_s_own_data_or_back_to_the_class(open_page, monkeypatch):
    app = open_page("quiz")
    for at, question in enumerate(ALL):
        answer(app, at, question.right)
        press(app, "quiz_next")
    assert app.header[0].value.startswith("6 of 6 right")
    assert app.get("plotly_chart")
    assert button(app, "To your own data").proto.type == "primary"
    assert "classroom" in linked(app)
    monkeypatch.setattr(attending, "attended", lambda: ("KXRTMP", "pass"))
    assert button(app.run(), "Back to your class").proto.type == "primary"


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
