"""The class board by AppTest: a teacher, students, and people who have no business there."""

import base64
import importlib

import numpy as np
import pytest
from scipy import stats
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from dpviz.planning.cast import RHO, TOWNS
from dpviz.scenes.insurer import right_share
from dpviz.ui import classroom as page
from dpviz.ui import the_trick
from dpviz.ui.kit import attending, scripts
from dpviz.ui.kit.insurer import NOISY
from dpviz.ui.kit.lesson_link import OnScreen
from dpviz.words.markdown import literal
from dpviz.workspace.classroom import (
    MOST_WRONG,
    NO_SUCH_CLASS,
    ONE_PATH,
    OVER,
    SEPARATE,
    WAIT,
    Classes,
)
from tests.app.reading import (
    button,
    errors,
    go,
    head,
    linked,
    press,
    segment,
    specs,
    texts_in,
    words,
)
from tests.serving import PATIENCE, ROOT

FIRST, SECOND = (
    "Separate noise: right guesses, out of 1,000",
    "One path: right guesses, out of 1,000",
)


@pytest.fixture(autouse=True)
def classes(monkeypatch):
    """Classes of this test alone, with a clock that it turns on."""
    made = Classes()
    monkeypatch.setattr(page, "CLASSES", made)
    monkeypatch.setattr(attending, "CLASSES", made)
    return made


@pytest.fixture
def teacher(open_page):
    app = open_page("classroom")
    press(app, "class_open")
    return app


def code_of(app):
    return app.session_state["class_taught"][0]


def student(code, mine=""):
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=PATIENCE)
    app.query_params["code"] = code
    if mine:
        app.query_params["me"] = mine
    return app.switch_page("pages/classroom.py").run()


def asked(app, name):
    """What the address of a page asks for, whether a test or the page has set it."""
    found = app.query_params[name]
    return found if isinstance(found, str) else found[0]


def metrics(app):
    return {metric.label: metric.value for metric in app.metric}


def test_a_class_from_the_first_link_to_the_end(teacher, classes):
    code = code_of(teacher)
    assert "Open the link" in head(teacher)
    assert metrics(teacher) == {FIRST: "–", "Numbers drawn": "0 of 0"}
    assert not teacher.metric[0].delta
    assert teacher.button(key="class_second").proto.type == "secondary", "nobody is there"
    pupils = [student(code) for _ in range(3)]
    names = {app.title[0].value for app in pupils}
    assert len(names) == 3
    for app in pupils:
        press(app, "class_draw")
        assert len(app.metric) == 1
        assert "class_draw" not in [b.key for b in app.button]
    teacher.run()
    assert metrics(teacher) == {FIRST: "749", "Numbers drawn": "3 of 3"}
    last = pupils[-1].title[0].value.removeprefix("You are ")
    assert teacher.metric[1].delta == f"{last}: {pupils[-1].metric[0].value}"
    pupils[0].radio(key="class_guess").set_value(page.ANSWERS[-1]).run()
    pupils[1].radio(key="class_guess").set_value(page.ANSWERS[0]).run()
    assert classes.votes(code, page.GUESS) == dict(zip(page.ANSWERS, (1, 0, 1), strict=True))
    assert teacher.run().button(key="class_second").proto.type == "primary"
    press(teacher, "class_second")
    assert metrics(teacher)[SECOND] == "–"
    for app in pupils:
        press(app.run(), "class_draw")
    teacher.run()
    assert (metrics(teacher)[FIRST], metrics(teacher)[SECOND]) == ("749", "673")
    assert "In the order of asking" in words(teacher)
    assert "1 of 2 had expected" in words(teacher).replace("**", "")
    assert f"“{page.ANSWERS[0]}”" in words(pupils[1])
    assert "you said" not in words(pupils[2])
    assert "quiz" in linked(pupils[2])
    own, order = [app.metric[0].value for app in pupils], order_of(teacher)
    assert primary(teacher) == ["class_shuffle"]
    press(teacher, "class_shuffle")
    assert order_of(teacher) != order
    assert primary(teacher) == ["class_quiz"]
    assert (metrics(teacher)[FIRST], metrics(teacher)[SECOND]) == ("749", "673")
    assert [app.run().metric[0].value for app in pupils] != own
    assert all(page.AGAIN in words(app) for app in pupils)
    press(teacher, "class_end")
    assert teacher.button(key="class_open")
    assert errors(pupils[0].run()) == [f"{OVER}."]


def order_of(app):
    """Who asked first, as the board says it."""
    (line,) = [m.value for m in app.markdown if "In the order of asking" in m.value]
    return line.split(page.ANY_ORDER)[0]


def captions(app):
    return " ".join(caption.value for caption in app.caption)


def primary(app):
    return [b.key for b in app.button if b.proto.type == "primary"]


def test_who_shuffles_auditors_alone_is_not_promised_another_order(open_page):
    app = open_page("classroom")
    app.segmented_control(key="class_tiers").set_value("only auditors")
    press(app, "class_open")
    pupils = [student(code_of(app)) for _ in range(2)]
    press(app, "class_second")
    for each in pupils:
        press(each, "class_draw")
    assert app.run().button(key="class_shuffle").disabled
    assert page.ANY_ORDER not in words(app)


@pytest.mark.usefixtures("pictured")
def test_the_truth_is_hidden_until_all_have_drawn(teacher):
    pupils = [student(code_of(teacher)) for _ in range(2)]
    press(pupils[0], "class_draw")
    shown = " ".join(texts_in(specs(teacher.run())))
    assert "the truth: ?" in shown
    assert "312" not in shown.replace(f"{float(pupils[0].metric[0].value):.1f}", "")
    press(pupils[1], "class_draw")
    assert "the truth: 312" in " ".join(texts_in(specs(teacher.run())))


def test_answers_are_hidden_until_the_teacher_shows_them_and_then_the_vote_is_over(
    teacher, classes
):
    code = code_of(teacher)
    ann, bob = (student(code) for _ in range(2))
    for app in (ann, bob):
        press(app, "class_draw")
    ann.radio(key="class_guess").set_value(page.ANSWERS[0]).run()
    teacher.run()
    assert "1 answer" in words(teacher).replace("**", "")
    assert page.ANSWERS[0] not in words(teacher)
    segment(teacher, "class_shows", page.ANSWERED)
    assert metrics(teacher) == {"Have answered": "1 of 2"}
    assert not teacher.get("plotly_chart")
    press(teacher, "class_tell")
    assert teacher.get("plotly_chart")
    bob.radio(key="class_guess").set_value(page.ANSWERS[0]).run()
    assert [*classes.votes(code, page.GUESS).values()] == [1, 0, 0], "too late to copy"
    assert not bob.radio
    assert page.ANSWERS[0] in words(ann.run())


def test_a_student_who_comes_back_is_the_same_one(teacher):
    first = student(code_of(teacher))
    press(first, "class_draw")
    again = student(code_of(teacher), asked(first, "me"))
    assert again.title[0].value == first.title[0].value
    assert again.metric[0].value == first.metric[0].value


def test_a_student_has_no_workspace_and_sees_no_seed_truth_or_secret(teacher):
    app = student(code_of(teacher))
    press(app, "class_draw")
    assert "workspace" not in app.session_state
    assert "312" not in words(app)
    _, secret = teacher.session_state["class_taught"]
    sent = str([element.proto for element in app.main])
    assert secret not in sent
    assert "class_end" not in [b.key for b in app.button]
    assert "class_taught" not in app.session_state


def test_what_the_board_shows_is_of_its_class_alone(teacher, open_page):
    other = open_page("classroom")
    press(other, "class_open")
    press(student(code_of(other)), "class_draw")
    assert metrics(teacher.run())["Numbers drawn"] == "0 of 0"
    assert metrics(other.run())["Numbers drawn"] == "1 of 1"
    mine = asked(student(code_of(teacher)), "me")
    stranger = student(code_of(other), mine)  # a pass of another class lets nobody in
    assert asked(stranger, "me") != mine
    assert metrics(other.run())["Numbers drawn"] == "1 of 2"


@pytest.mark.usefixtures("pictured")
def test_board_numbers_are_those_of_the_students(teacher):
    pupils = [student(code_of(teacher)) for _ in range(4)]
    for app in pupils:
        press(app, "class_draw")
    drawn = " ".join(texts_in(specs(teacher.run())))
    for app in pupils:
        name = app.title[0].value.removeprefix("You are ")
        tier = page.CLASSES.seen(*teacher.session_state["class_taught"]).students
        assert name in [each.name for each in tier]
        assert f"<b>{name}</b>" in drawn
        assert f": {app.metric[0].value}<extra>" in drawn


def test_a_typed_code_leads_to_its_class(teacher, open_page):
    app = open_page("classroom")
    code = code_of(teacher)
    app.text_input(key="class_code_typed").set_value(f" {code[:3].lower()}-{code[3:]} ")
    press(app, "class_join")
    assert asked(app, "code") == code
    assert app.title[0].value.startswith("You are ")


@pytest.mark.parametrize("typed", ["", "KXR", "KXRTMPX", "<script>alert(1)</script>"])
def test_what_is_no_code_is_refused_in_one_sentence(open_page, typed):
    app = open_page("classroom")
    app.text_input(key="class_code_typed").set_value(typed)
    press(app, "class_join")
    assert errors(app) == ["A code has 6 letters; type those that stand on the board."]


def test_wrong_codes_of_an_address_are_refused_and_then_the_tab_waits(classes):
    app = student("BBBBBB")
    assert errors(app) == [f"{NO_SUCH_CLASS}."]
    assert linked(app) == {"classroom"}
    for letter in "CDFGHJKLM"[: MOST_WRONG - 1]:
        app.query_params["code"] = 6 * letter
        assert errors(app.run()) == [f"{NO_SUCH_CLASS}."]
    app.query_params["code"] = classes.open()[0]
    assert errors(app.run()) == [f"{WAIT}."]


def test_a_new_tab_of_the_teacher_s_browser_has_the_board_again(teacher, open_page, monkeypatch):
    code, secret = teacher.session_state["class_taught"]
    kept = {scripts.CLASS: f"{code}.{secret}"}
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: kept))
    assert metrics(open_page("classroom"))["Numbers drawn"] == "0 of 0"
    for wrong in (f"{code}.", code, "", f"{code}.{secret}x", "…", ".."):
        kept[scripts.CLASS] = wrong
        assert open_page("classroom").button(key="class_open")


def test_the_board_of_a_class_that_is_over_leads_back_to_where_one_is_opened(teacher, classes):
    classes.end(*teacher.session_state["class_taught"])
    assert teacher.run().button(key="class_open")
    assert "class_taught" not in teacher.session_state


def test_where_nobody_can_come_from_outside_the_page_says_what_to_start(open_page, monkeypatch):
    for at, there in (("http://127.0.0.1:8501", False), ("http://192.168.1.20:8501", True)):
        monkeypatch.setattr(ContextProxy, "url", property(lambda _, at=at: f"{at}/classroom"))
        app = open_page("classroom")
        assert ("dpviz run --network" in words(app)) != there
        press(app, "class_open")
        assert ("dpviz run --network" in words(app)) != there
        assert app.code[0].value == f"{at}/classroom?code={code_of(app)}"
        pictures = [each.proto.body for each in app.get("html")]
        assert any("QR picture" in body for body in pictures) == there


def test_auditors_alone_hold_one_number_on_one_path(open_page):
    app = open_page("classroom")
    app.segmented_control(key="class_tiers").set_value("only auditors")
    press(app, "class_open")
    pupils = [student(code_of(app)) for _ in range(2)]
    press(app, "class_second")
    for each in pupils:
        press(each, "class_draw")
    assert pupils[0].metric[0].value == pupils[1].metric[0].value
    assert metrics(app.run())[SECOND] == "673"


def test_a_vote_of_a_lesson_stands_on_the_board(teacher, classes):
    code = code_of(teacher)
    mine = asked(student(code), "me")
    classes.vote(code, mine, "Wider or *narrower*?", "the same")
    assert r"Wider or \*narrower\*?" in captions(teacher.run())
    press(teacher, "class_second")
    segment(teacher, "class_shows", page.ANSWERED)
    assert teacher.header[0].value == r"Wider or \*narrower\*?"
    segment(teacher, "class_shows", page.DRAWN)
    assert metrics(teacher)[SECOND] == "–"


def lesson(app, file, step):
    """Follow the link of a student's page to a lesson, in the same tab, and on to a screen."""
    assert file in linked(app)
    app.query_params.clear()
    go(app, file)
    app.query_params["step"] = f"{step}"
    return app.run()


@pytest.mark.parametrize(("file", "step"), [("the_trick", 4), ("start", 5)])
def test_an_answer_in_a_lesson_stands_on_the_board_until_the_lesson_tells(
    teacher, classes, file, step
):
    code = code_of(teacher)
    screen = importlib.import_module(f"dpviz.ui.{file}").LESSON.screens[step - 1]
    pupils = [student(code) for _ in range(3)]
    for app in pupils:
        press(app, "class_draw")
        lesson(app, file, step)
    assert not classes.votes(code, screen.sentence)
    first, last = screen.choice.options[0], screen.choice.options[-1]
    key = f"{file}_{step}_choice"
    for app, answer in zip(pupils, (first, first, last), strict=True):
        segment(app, key, answer)
    assert [*classes.votes(code, screen.sentence).values()] == [2, 0, 1]
    segment(pupils[0], key, last)
    press(pupils[0], f"lesson_act_{step}")
    press(pupils[0], f"lesson_act_{step}")
    segment(pupils[0], key, first)  # the lesson has told: too late
    assert [*classes.votes(code, screen.sentence)] == [*screen.choice.options]
    assert [*classes.votes(code, screen.sentence).values()] == [1, 0, 2]
    assert literal(screen.sentence) in captions(teacher.run())
    segment(teacher, "class_shows", page.ANSWERED)
    assert teacher.header[0].value == literal(screen.sentence)


def test_a_student_comes_back_from_a_lesson_as_the_same_one(teacher):
    code = code_of(teacher)
    app = student(code)
    press(app, "class_draw")
    name, own, mine = app.title[0].value, app.metric[0].value, asked(app, "me")
    lesson(app, "the_trick", 4)
    assert "classroom" in linked(app)
    app.query_params.clear()
    go(app, "classroom")
    assert (app.title[0].value, app.metric[0].value) == (name, own)
    assert (asked(app, "code"), asked(app, "me")) == (code, mine)


def test_a_link_to_a_screen_of_a_lesson_has_neither_code_nor_pass(teacher):
    app = student(code_of(teacher))
    press(app, "class_draw")
    code, mine = asked(app, "code"), asked(app, "me")
    lesson(app, "the_trick", 4)
    segment(app, "the_trick_4_choice", the_trick.WIDER)
    app.session_state["lesson_link"] = True
    app.run()
    sent = str([element.proto for element in [*app.main, *app.get("html")]])
    assert "QR picture" in sent
    assert "step=4&amp;choice=1" in sent
    assert code not in sent
    assert mine not in sent
    assert not {"code", "me"} & {*OnScreen(step=4, choice=1).asked}


def test_answers_after_the_end_of_a_class_go_nowhere_and_nobody_is_told(teacher):
    code = code_of(teacher)
    app = student(code)
    press(app, "class_draw")
    lesson(app, "the_trick", 4)
    press(teacher, "class_end")
    segment(app, "the_trick_4_choice", the_trick.WIDER)
    assert not errors(app)
    assert "class_attended" not in app.session_state
    assert "classroom" not in linked(app.run())
    app.query_params.clear()
    assert go(app, "classroom").button(key="class_open")


def test_who_is_in_no_class_votes_nowhere(teacher, classes, open_page):
    student(code_of(teacher))
    app = open_page("the_trick")
    app.query_params["step"] = "4"
    segment(app.run(), "the_trick_4_choice", the_trick.WIDER)
    assert not classes.seen(*teacher.session_state["class_taught"]).votes
    assert "classroom" not in linked(app)


def test_scores_of_the_game_stand_on_the_board_over_the_theory(teacher):
    code, pupils, scores = code_of(teacher), [], []
    for guess in ("I", "N"):
        app = student(code)
        press(app, "class_draw")
        lesson(app, "start", 2)
        segment(app, "start_2_opening_choice", NOISY)
        for _ in range(TOWNS):
            assert len(register_of(teacher).scores) == len(scores)  # only a whole round counts
            press(app, f"lesson_guess_{guess}")
        pupils.append(app)
        scores.append(int(app.metric[0].value.split()[0]))
    assert register_of(teacher).scores == tuple(sorted(scores))
    segment(teacher.run(), "class_shows", page.PLAYED)
    right = f"{1000 * sum(scores) / (2 * TOWNS):.0f}"
    assert head(teacher) == (
        f"2 students guessed with noise: right {right} times in 1,000. In the long run the "
        "best rule is right 588 times in 1,000."
    )
    press(pupils[0], "lesson_round")
    for _ in range(TOWNS):
        press(pupils[0], "lesson_guess_I")
    latest = int(pupils[0].metric[0].value.split()[0])
    assert register_of(teacher).scores == tuple(sorted((latest, scores[1])))


def register_of(app):
    return page.CLASSES.seen(*app.session_state["class_taught"])


@pytest.mark.usefixtures("pictured")
def test_the_histogram_has_a_mark_for_each_student(teacher, classes):
    code = code_of(teacher)
    scores = [9, 12, 12, 14]
    for right in scores:
        classes.score(code, asked(student(code), "me"), right)
    segment(teacher.run(), "class_shows", page.PLAYED)
    (made,) = [spec for spec in specs(teacher) if "● the class" in str(spec)]
    theory, mine = made["data"]
    assert numbers_in(mine["x"]).tolist() == scores
    share = right_share(RHO["public"])
    assert numbers_in(theory["y"])[12] == pytest.approx(100 * stats.binom.pmf(12, TOWNS, share))


def numbers_in(sent):
    """Numbers of a figure, as they go to a browser."""
    return np.frombuffer(base64.b64decode(sent["bdata"]), sent["dtype"])


def test_the_teacher_alone_gets_the_sheet_and_its_key(teacher):
    code = code_of(teacher)
    pupils = [student(code) for _ in range(5)]
    press(pupils[0], "class_draw")
    files = teacher.run().get("download_button")
    assert {each.proto.label for each in files} == {"Download the sheet", "Download the answer key"}
    assert "5 students" in words(teacher)
    for app in pupils:
        assert not app.get("download_button")
    app = lesson(pupils[0], "the_trick", 4)
    assert not app.get("download_button")


def test_the_last_screen_of_start_leads_to_the_board(open_page):
    app = open_page("start")
    app.query_params["step"] = "6"
    assert "classroom" in linked(app.run())
    assert button(app, "Next lesson")


def test_a_board_draws_its_numbers_once(teacher, monkeypatch):
    press(student(code_of(teacher)), "class_draw")
    teacher.run()
    monkeypatch.setattr(page.scenes, "board", None)  # would fail
    teacher.run()
    assert metrics(teacher)["Numbers drawn"] == "1 of 1"


def test_the_rounds_have_their_names():
    assert {SEPARATE, ONE_PATH} == set(page.NAMES)
