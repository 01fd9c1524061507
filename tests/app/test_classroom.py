"""The class board by AppTest: a teacher, students, and people who have no business there."""

import importlib

import pytest
from streamlit.runtime.context import ContextProxy

from dpviz.planning.cast import TOWNS
from dpviz.ui import classroom as page
from dpviz.ui import the_trick
from dpviz.ui.kit import attending, scripts
from dpviz.ui.kit.insurer import NOISY
from dpviz.ui.kit.lesson_link import OnScreen
from dpviz.words.markdown import literal
from dpviz.workspace.classroom import (
    FOUR_TIERS,
    MOST_WRONG,
    NO_SUCH_CLASS,
    OVER,
    WAIT,
    Classes,
)
from tests.app.reading import App

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
    app.press("class_open")
    return app


def code_of(app):
    return app.session_state["class_taught"][0]


def student(code, mine=""):
    asked = {"code": code, "me": mine} if mine else {"code": code}
    return App.opened(**asked).go("classroom")


def asked(app, name):
    """What the address of a page asks for, whether a test or the page has set it."""
    found = app.query_params[name]
    return found if isinstance(found, str) else found[0]


def metrics(app):
    return {metric.label: metric.value for metric in app.metric}


def test_a_class_from_the_first_link_to_the_end(teacher, classes):
    code = code_of(teacher)
    assert "Open the link" in teacher.head()
    assert metrics(teacher) == {FIRST: "–", "Numbers drawn": "0 of 0"}
    assert not teacher.metric[0].delta
    assert teacher.button(key="class_second").proto.type == "secondary", "nobody is there"
    pupils = [student(code) for _ in range(3)]
    names = {app.title[0].value for app in pupils}
    assert len(names) == 3
    for app in pupils:
        app.press("class_draw")
        assert len(app.metric) == 1
        assert "class_draw" not in app.buttons()
    teacher.run()
    assert metrics(teacher) == {FIRST: "749", "Numbers drawn": "3 of 3"}
    last = pupils[-1].title[0].value.removeprefix("You are ")
    assert teacher.metric[1].delta == f"{last}: {pupils[-1].metric[0].value}"
    pupils[0].radio(key="class_guess").set_value(page.ANSWERS[-1]).run()
    pupils[1].radio(key="class_guess").set_value(page.ANSWERS[0]).run()
    assert classes.votes(code, page.GUESS) == dict(zip(page.ANSWERS, (1, 0, 1), strict=True))
    assert teacher.run().button(key="class_second").proto.type == "primary"
    teacher.press("class_second")
    assert metrics(teacher)[SECOND] == "–"
    for app in pupils:
        app.run().press("class_draw")
    teacher.run()
    assert (metrics(teacher)[FIRST], metrics(teacher)[SECOND]) == ("749", "673")
    assert "In the order of asking" in teacher.words()
    assert "1 of 2 had expected" in teacher.words().replace("**", "")
    assert f"“{page.ANSWERS[0]}”" in pupils[1].words()
    assert "you said" not in pupils[2].words()
    assert "quiz" in pupils[2].linked()
    own, order = [app.metric[0].value for app in pupils], order_of(teacher)
    assert primary(teacher) == ["class_shuffle"]
    teacher.press("class_shuffle")
    assert order_of(teacher) != order
    assert primary(teacher) == ["class_quiz"]
    assert (metrics(teacher)[FIRST], metrics(teacher)[SECOND]) == ("749", "673")
    assert [app.run().metric[0].value for app in pupils] != own
    assert all(page.AGAIN in app.words() for app in pupils)
    teacher.press("class_end")
    assert teacher.button(key="class_open")
    assert pupils[0].run().errors() == [f"{OVER}."]


def order_of(app):
    """Who asked first, as the board says it."""
    (line,) = [m.value for m in app.markdown if "In the order of asking" in m.value]
    return line.split(page.ANY_ORDER)[0]


def captions(app):
    return " ".join(caption.value for caption in app.caption)


def primary(app):
    return [b.key for b in app.button if b.proto.type == "primary"]


def test_auditors_alone_hold_one_number_on_one_path_and_no_other_order_is_promised(open_page):
    app = open_page("classroom")
    app.segmented_control(key="class_tiers").set_value("only auditors")
    app.press("class_open")
    pupils = [student(code_of(app)) for _ in range(2)]
    app.press("class_second")
    for each in pupils:
        each.press("class_draw")
    assert pupils[0].metric[0].value == pupils[1].metric[0].value
    assert metrics(app.run())[SECOND] == "673"
    assert app.button(key="class_shuffle").disabled
    assert page.ANY_ORDER not in app.words()


def test_answers_are_hidden_until_the_teacher_shows_them_and_then_the_vote_is_over(
    teacher, classes
):
    code = code_of(teacher)
    ann, bob = (student(code) for _ in range(2))
    for app in (ann, bob):
        app.press("class_draw")
    ann.radio(key="class_guess").set_value(page.ANSWERS[0]).run()
    teacher.run()
    assert "1 answer" in teacher.words().replace("**", "")
    assert page.ANSWERS[0] not in teacher.words()
    teacher.segment("class_shows", page.ANSWERED)
    assert metrics(teacher) == {"Have answered": "1 of 2"}
    assert not teacher.get("plotly_chart")
    teacher.press("class_tell")
    assert teacher.get("plotly_chart")
    bob.radio(key="class_guess").set_value(page.ANSWERS[0]).run()
    assert [*classes.votes(code, page.GUESS).values()] == [1, 0, 0], "too late to copy"
    assert not bob.radio
    assert page.ANSWERS[0] in ann.run().words()


def test_a_student_has_no_workspace_and_sees_no_seed_truth_or_secret(teacher):
    app = student(code_of(teacher))
    app.press("class_draw")
    assert "workspace" not in app.session_state
    assert "312" not in app.words()
    _, secret = teacher.session_state["class_taught"]
    sent = str([element.proto for element in app.main])
    assert secret not in sent
    assert "class_end" not in app.buttons()
    assert "class_taught" not in app.session_state


def test_a_typed_code_leads_to_its_class(teacher, open_page):
    app = open_page("classroom")
    code = code_of(teacher)
    app.text_input(key="class_code_typed").set_value(f" {code[:3].lower()}-{code[3:]} ")
    app.press("class_join")
    assert asked(app, "code") == code
    assert app.title[0].value.startswith("You are ")


def test_what_is_no_code_is_refused_in_one_sentence(open_page):
    app = open_page("classroom")
    app.text_input(key="class_code_typed").set_value("KXR")
    app.press("class_join")
    assert app.errors() == ["A code has 6 letters; type those that stand on the board."]


def test_wrong_codes_of_an_address_are_refused_and_then_the_tab_waits(classes):
    app = student("BBBBBB")
    assert app.errors() == [f"{NO_SUCH_CLASS}."]
    assert app.linked() == {"classroom"}
    for letter in "CDFGHJKLM"[: MOST_WRONG - 1]:
        app.query_params["code"] = 6 * letter
        assert app.run().errors() == [f"{NO_SUCH_CLASS}."]
    app.query_params["code"] = classes.open()[0]
    assert app.run().errors() == [f"{WAIT}."]


def test_a_new_tab_of_the_teacher_s_browser_has_the_board_again(teacher, open_page, monkeypatch):
    code, secret = teacher.session_state["class_taught"]
    kept = {scripts.CLASS: f"{code}.{secret}"}
    monkeypatch.setattr(ContextProxy, "cookies", property(lambda _: kept))
    assert metrics(open_page("classroom"))["Numbers drawn"] == "0 of 0"
    for wrong in (f"{code}.", code, "", f"{code}.{secret}x", "…", ".."):
        kept[scripts.CLASS] = wrong
        assert open_page("classroom").button(key="class_open")


def test_where_nobody_can_come_from_outside_the_page_says_what_to_start(open_page, monkeypatch):
    for at, there in (("http://127.0.0.1:8501", False), ("http://192.168.1.20:8501", True)):
        monkeypatch.setattr(ContextProxy, "url", property(lambda _, at=at: f"{at}/classroom"))
        app = open_page("classroom")
        assert ("dpviz run --network" in app.words()) != there
        app.press("class_open")
        assert ("dpviz run --network" in app.words()) != there
        assert app.code[0].value == f"{at}/classroom?code={code_of(app)}"
        pictures = [each.proto.body for each in app.get("html")]
        assert any("QR picture" in body for body in pictures) == there


def test_a_vote_of_a_lesson_stands_on_the_board(teacher, classes):
    code = code_of(teacher)
    mine = asked(student(code), "me")
    classes.vote(code, mine, "Wider or *narrower*?", "the same")
    assert r"Wider or \*narrower\*?" in captions(teacher.run())
    teacher.press("class_second")
    teacher.segment("class_shows", page.ANSWERED)
    assert teacher.header[0].value == r"Wider or \*narrower\*?"
    teacher.segment("class_shows", page.DRAWN)
    assert metrics(teacher)[SECOND] == "–"


def lesson(app, file, step):
    """Follow the link of a student's page to a lesson, in the same tab, and on to a screen."""
    assert file in app.linked()
    app.query_params.clear()
    app.go(file)
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
        app.press("class_draw")
        lesson(app, file, step)
    assert not classes.votes(code, screen.sentence)
    first, last = screen.choice.options[0], screen.choice.options[-1]
    key = f"{file}_{step}_choice"
    for app, answer in zip(pupils, (first, first, last), strict=True):
        app.segment(key, answer)
    assert [*classes.votes(code, screen.sentence).values()] == [2, 0, 1]
    pupils[0].segment(key, last)
    pupils[0].press(f"lesson_act_{step}")
    pupils[0].press(f"lesson_act_{step}")
    pupils[0].segment(key, first)  # the lesson has told: too late
    assert [*classes.votes(code, screen.sentence)] == [*screen.choice.options]
    assert [*classes.votes(code, screen.sentence).values()] == [1, 0, 2]
    assert literal(screen.sentence) in captions(teacher.run())
    teacher.segment("class_shows", page.ANSWERED)
    assert teacher.header[0].value == literal(screen.sentence)


def test_a_student_comes_back_from_a_lesson_as_the_same_one(teacher):
    code = code_of(teacher)
    app = student(code)
    app.press("class_draw")
    name, own, mine = app.title[0].value, app.metric[0].value, asked(app, "me")
    lesson(app, "the_trick", 4)
    assert "classroom" in app.linked()
    app.query_params.clear()
    app.go("classroom")
    assert (app.title[0].value, app.metric[0].value) == (name, own)
    assert (asked(app, "code"), asked(app, "me")) == (code, mine)


def test_a_link_to_a_screen_of_a_lesson_has_neither_code_nor_pass(teacher):
    app = student(code_of(teacher))
    app.press("class_draw")
    code, mine = asked(app, "code"), asked(app, "me")
    lesson(app, "the_trick", 4)
    app.segment("the_trick_4_choice", the_trick.WIDER)
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
    app.press("class_draw")
    lesson(app, "the_trick", 4)
    teacher.press("class_end")
    app.segment("the_trick_4_choice", the_trick.WIDER)
    assert not app.errors()
    assert "class_attended" not in app.session_state
    assert "classroom" not in app.run().linked()
    app.query_params.clear()
    assert app.go("classroom").button(key="class_open")


def test_scores_of_the_game_stand_on_the_board_over_the_theory(teacher):
    code, pupils, scores = code_of(teacher), [], []
    for guess in ("I", "N"):
        app = student(code)
        app.press("class_draw")
        lesson(app, "start", 2)
        app.segment("start_2_opening_choice", NOISY)
        for _ in range(TOWNS):
            assert len(register_of(teacher).scores) == len(scores)  # only a whole round counts
            app.press(f"lesson_guess_{guess}")
        pupils.append(app)
        scores.append(int(app.metric[0].value.split()[0]))
    assert register_of(teacher).scores == tuple(sorted(scores))
    teacher.run().segment("class_shows", page.PLAYED)
    right = f"{1000 * sum(scores) / (2 * TOWNS):.0f}"
    assert teacher.head() == (
        f"2 students guessed with noise: right {right} times in 1,000. In the long run the "
        "best rule is right 588 times in 1,000."
    )
    pupils[0].press("lesson_round")
    for _ in range(TOWNS):
        pupils[0].press("lesson_guess_I")
    latest = int(pupils[0].metric[0].value.split()[0])
    assert register_of(teacher).scores == tuple(sorted((latest, scores[1])))


def register_of(app):
    return page.CLASSES.seen(*app.session_state["class_taught"])


def test_the_teacher_alone_gets_the_sheet_and_its_key(teacher, monkeypatch):
    code = code_of(teacher)
    pupils = [student(code) for _ in range(5)]
    pupils[0].press("class_draw")
    files = teacher.run().get("download_button")
    assert {each.proto.label for each in files} == {"Download the sheet", "Download the answer key"}
    assert "5 students" in teacher.words()
    for app in pupils:
        assert not app.get("download_button")
    app = lesson(pupils[0], "the_trick", 4)
    assert not app.get("download_button")
    made = []
    monkeypatch.setattr(
        page, "downloads", lambda *code, **asked: made.append((*code, asked["dealt"]))
    )
    teacher.run()
    assert made == [(code, [*FOUR_TIERS, FOUR_TIERS[0]])], "it asks about this board"


def test_the_last_screen_of_start_leads_to_the_board(open_page):
    app = open_page("start")
    app.query_params["step"] = "6"
    assert "classroom" in app.run().linked()
    assert app.labelled("Next lesson")


def test_a_board_draws_its_numbers_once(teacher, monkeypatch):
    student(code_of(teacher)).press("class_draw")
    teacher.run()
    monkeypatch.setattr(page.scenes, "board", None)  # would fail
    teacher.run()
    assert metrics(teacher)["Numbers drawn"] == "1 of 1"
