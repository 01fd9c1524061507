"""The class board by AppTest: a teacher, students, and people who have no business there."""

import pytest
from streamlit.runtime.context import ContextProxy
from streamlit.testing.v1 import AppTest

from dpviz.ui import classroom as page
from dpviz.ui.kit import scripts
from dpviz.workspace.classroom import (
    MOST_WRONG,
    NO_SUCH_CLASS,
    ONE_PATH,
    OVER,
    SEPARATE,
    WAIT,
    Classes,
)
from tests.app.reading import button, errors, head, linked, press, specs, texts_in, words
from tests.serving import PATIENCE, ROOT

FIRST, SECOND = "Separate noise: right guesses in 1,000", "One path: right guesses in 1,000"


@pytest.fixture(autouse=True)
def classes(monkeypatch):
    """Classes of this test alone, with a clock that it turns on."""
    made = Classes()
    monkeypatch.setattr(page, "CLASSES", made)
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
    assert metrics(teacher) == {FIRST: "500", "Numbers drawn": "0 of 0"}
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
    assert classes.votes(code, page.GUESS) == {page.ANSWERS[-1]: 1, page.ANSWERS[0]: 1}
    press(teacher, "class_second")
    assert metrics(teacher)[SECOND] == "500"
    for app in pupils:
        press(app.run(), "class_draw")
    teacher.run()
    assert (metrics(teacher)[FIRST], metrics(teacher)[SECOND]) == ("749", "673")
    assert "In the order of asking" in words(teacher)
    assert "1 of 2 had expected" in words(teacher).replace("**", "")
    own = [app.metric[0].value for app in pupils]
    press(teacher, "class_shuffle")
    assert (metrics(teacher)[FIRST], metrics(teacher)[SECOND]) == ("749", "673")
    assert [app.run().metric[0].value for app in pupils] != own
    assert all(page.AGAIN in words(app) for app in pupils)
    press(teacher, "class_end")
    assert teacher.button(key="class_open")
    assert errors(pupils[0].run()) == [f"{OVER}."]


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
    app.segmented_control(key="class_tiers").set_value("auditors alone")
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
    assert r"Wider or \*narrower\*?" in [s.value for s in teacher.run().subheader]
    press(teacher, "class_second")
    assert r"Wider or \*narrower\*?" in [s.value for s in teacher.subheader]


def test_the_last_screen_of_start_leads_to_the_board(open_page):
    app = open_page("start")
    app.query_params["step"] = "6"
    assert "classroom" in linked(app.run())
    assert button(app, "Your data")


def test_a_board_draws_its_numbers_once(teacher, monkeypatch):
    press(student(code_of(teacher)), "class_draw")
    teacher.run()
    monkeypatch.setattr(page.scenes, "board", None)  # would fail
    teacher.run()
    assert metrics(teacher)["Numbers drawn"] == "1 of 1"


def test_the_rounds_have_their_names():
    assert {SEPARATE, ONE_PATH} == set(page.NAMES)
