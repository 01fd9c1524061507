"""Class board: a class draws numbers of one town, first with separate noise, then on one path.

Three screens share the address. Who opens it finds where a class is opened; its teacher, the board,
which looks twice a second whether somebody drew and is made again only then; and who comes with a
code in the address, a name, a tier and one button. A student's page has no workspace; once the
number is there it looks every other second whether the class has gone on. It leads to the lessons,
from which answers and scores come to the board (`dpviz.ui.kit.attending`).
"""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from dpviz.charts.classroom import numbers, own
from dpviz.charts.forms.bar_rows import COLOUR, END, LENGTH, ROW, bar_rows
from dpviz.charts.forms.picture import Picture
from dpviz.charts.insurer import scores as scores_picture
from dpviz.charts.threads import number_of
from dpviz.errors import ParameterError
from dpviz.palette import GREY
from dpviz.planning.cast import TOWNS
from dpviz.scenes import classroom as scenes
from dpviz.scenes import insurer
from dpviz.scenes.classroom import Board, Drawn, Round
from dpviz.ui.kit import admitted, attending, controls, lesson_view, parts, press, scripts, state
from dpviz.ui.kit.comparing import EVEN, guess_claim, right_guesses_by
from dpviz.ui.kit.lesson_link import is_here_only, qr
from dpviz.ui.kit.page_table import CODE, PAGES, page, path
from dpviz.ui.kit.sheet import downloads
from dpviz.ui.kit.state import Shelf, Slot, nothing
from dpviz.ui.kit.tally import CLASSES
from dpviz.words import pm
from dpviz.words.claims import Claim, Number, Said, joined, plus_minus, say
from dpviz.words.grammar import several, uncapitalised
from dpviz.words.markdown import literal
from dpviz.workspace.classroom import (
    AUDITORS,
    FOUR_TIERS,
    HOURS,
    LASTS,
    MOST_STUDENTS,
    ONE_PATH,
    SEPARATE,
    NoClassError,
    Register,
    Student,
    code_from,
)
from dpviz.workspace.classroom import (
    LENGTH as LETTERS,
)
from dpviz.workspace.guesses import ALL

ME = "me"  # in the address of a student's page: the pass
TICK, SLOW = 0.5, 2.0  # seconds between two looks of the board, and of a student’s page
DEALT = {"four groups of readers": FOUR_TIERS, "only auditors": AUDITORS}
BY = f"right guesses out of {ALL:,}, by {{}}"
NAMES = {SEPARATE: "Separate noise", ONE_PATH: "One path"}
WHAT = (
    "Thirty laptops, one town. Everybody draws a number about it, first with separate noise, then "
    "on one path. The board shows what the class knows together."
)
FORGOTTEN = (
    f"Auditors all have the sharpest number. Nobody types a name; up to {MOST_STUDENTS} students "
    f"can join, and after {HOURS} hours the class is forgotten. The town is made up."
)
WITH_LOGIN = (
    "People log in to this dashboard, so students without an account cannot come in. Start another "
    "one without a login for a class."
)
HERE_ONLY = (
    "Students cannot reach this address yet, only this computer can. Stop the dashboard, type "
    "`dpviz run --network` in the terminal, and open the address that it prints."
)
EXAMPLE = "A board: twelve made-up students, each with a number, and ○ all of them together."
ANY_ORDER = "In another order single numbers change; the hills stay the same."
DRAW = "Draw my number"
SHEET = (
    "Questions for this class, on one page, and their answers for you. With {there} in the class "
    "the last one is about this board: download both once everybody is in."
)
UNTOLD = "Answers stay hidden while the class votes. Once they are shown, the vote is over."
DRAWN, ANSWERED, PLAYED = "Numbers", "Votes", "Scores"  # that the board shows
TO_LESSONS = "To read on in this tab."
IN_LESSONS = "Meanwhile, the lessons: your answers are counted without a name."
_BOARDS = Shelf[Board]("class_boards")
_OWN = Shelf[Drawn]("class_own")
_TAUGHT = Slot[tuple[str, str] | None]("class_taught", nothing)
_LARGE = """<style>
html { font-size: 18px }
[data-testid="stMainBlockContainer"] :is(h1, h2, h3) { padding: 0.2rem 0 }
[data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"] { gap: 0.5rem }
[data-testid="stBottomBlockContainer"] { padding-bottom: 0.6rem; padding-top: 0.5rem }
.st-key-class_code p { font-family: monospace; font-size: 2.4rem; letter-spacing: 0.18em }
[data-testid="stMainBlockContainer"] h2 { padding-bottom: 0.6rem }
[data-testid="stMetricValue"] { font-size: 2.6rem }
.st-key-class_qr img { width: 100%; max-width: 13rem; border-radius: 0.375rem }
</style>"""
_STUDENT = """<style>
.st-key-class_draw button { min-height: 7rem }
.st-key-class_draw button p { font-size: 1.6rem; font-weight: 600 }
[data-testid="stMetricValue"] { font-size: 4.5rem }
</style>"""


def show() -> None:
    """Show the screen of the one who asks: a student, the teacher of a class, or somebody new."""
    code = st.query_params.get(CODE)
    if admitted.asked():
        parts.bare_head(page("classroom").question, WITH_LOGIN)
        return
    if code is None and (found := attending.attended()):  # a student comes back from a lesson
        code = found[0]
        st.query_params.from_dict(dict(zip((CODE, ME), found, strict=True)))
    if code is not None:
        _student(code_from(code))
    elif (taught := _taught()) is not None:
        _board(*taught)
    else:
        _lobby()


# --- somebody new ---


def _lobby() -> None:
    """Open a class, or come to one by its code."""
    parts.bare_head(page("classroom").question, WHAT)
    if is_here_only(_address()):
        st.info(HERE_ONLY, icon=":material/wifi_off:")
    left, right = st.columns([2, 1], gap="large")
    with left:
        example = _BOARDS.take("example", scenes.example)
        made = _picture(example, example.last)
        parts.chart(made.figure, heading="", reading=EXAMPLE, alt=made.alt, key="class_example")
    with right:
        dealt = controls.segmented_control(
            "Students play", list(DEALT), key="class_tiers", default=next(iter(DEALT))
        )
        look: controls.Look = {"type": "primary", "icon": "groups"}
        press.button("Open a class", _open, dealt, key="class_open", **look)
        st.caption(FORGOTTEN)
        typed = controls.text_input("Code of a class", key="class_code_typed", lasting=False)
        press.button("Join", _join, typed, key="class_join", icon="login")
    parts.problem_of_last_act()


def _open(dealt: str) -> None:
    """Open a class, of which this tab is the teacher's."""
    _TAUGHT.set(CLASSES.open(DEALT[dealt]))
    attending.leave()
    st.query_params[lesson_view.LECTURE] = "on"


def _join(typed: str) -> None:
    """Let the address ask for a class."""
    code = code_from(typed)
    if len(code) != LETTERS:
        raise ParameterError(f"A code has {LETTERS} letters; type those that stand on the board")
    st.query_params.from_dict({CODE: code})


# --- the teacher ---


def _taught() -> tuple[str, str, Register] | None:
    """Code and secret of the class of this tab, and the class; of this browser, in a new tab."""
    code, _, secret = str(st.context.cookies.get(scripts.CLASS, "")).partition(".")
    for found in filter(None, (_TAUGHT.get(), (code, secret))):
        try:
            register = CLASSES.seen(*found)
        except NoClassError:
            continue
        _TAUGHT.set(found)
        return *found, register
    if _TAUGHT.pop() is not None:
        scripts.forget_class()
    return None


def _board(code: str, secret: str, register: Register) -> None:
    """What the room sees, and below it what the teacher does."""
    if not lesson_view.is_lecture():
        st.query_params[lesson_view.LECTURE] = "on"
        st.rerun()
    scripts.keep_class(code, secret, LASTS)
    parts.without_menu()
    st.html(_LARGE)
    board = _BOARDS.take((register.seed, register.edition), lambda: scenes.board(register))
    row: dict[str, Any] = {"horizontal_alignment": "distribute", "vertical_alignment": "center"}
    with st.container(horizontal=True, **row):
        st.title(page("classroom").question, anchor=False, width="content")
        with st.container(key="class_code", width="content"):
            st.markdown(f"**{code}**")
    shows = _bar(code, secret, register)
    if shows == PLAYED:
        _scores(register)
    elif shows == ANSWERED:
        _vote(code, secret, register)
    else:
        st.header(headline(board).text, anchor=False)
        st.caption(INSURER)
        _rounds(board, code)
    _watch_class(code, secret, register)


def _rounds(board: Board, code: str) -> None:
    """The numbers of the rounds that have begun."""
    if len(board.rounds) == 1:
        left, right = st.columns([2, 1], gap="large")
        with left:
            _round(board, board.last)
        with right:
            _how_to_join(code)
            _answered(board.register)
    else:
        for column, each in zip(st.columns(2, gap="large"), board.rounds, strict=True):
            with column:
                _round(board, each)
        _order(board)


def headline(board: Board) -> Said:
    """What an insurer who collects all numbers knows, and what the sharpest alone would tell."""
    last, before = board.last, board.rounds[0]
    right = last.right.times(BY.format("all numbers"), EVEN)
    if not last.count:
        return Said(WAITS[last.which])
    if last.count == 1:
        return say("An insurer who gets this one number is right about Maria {right}.", right=right)
    if last.which == SEPARATE:
        alone = last.alone.times(BY.format("the sharpest number alone"), EVEN)
        return say("Together: right {right}. The best alone: {alone}.", right=right, alone=alone)
    said = say("One path: right {right}, as by the best alone.", right=right)
    if not before.count:
        return said
    usual = before.right.times(BY.format("all numbers with separate noise"), EVEN)
    return joined([said, say("With separate noise: {usual}.", usual=usual)])


INSURER = "An insurer collects all numbers of the class and wants to know whether Maria is ill."
WAITS = {
    SEPARATE: "Open the link and draw your number. Each number has an error of its own.",
    ONE_PATH: "Now draw again: this time all your numbers are on one path.",
}


def _round(board: Board, each: Round) -> None:
    """One round: how often an insurer guesses right by all its numbers, and the numbers."""
    gain = each.right.count - each.alone.count
    drawn, there = each.count, len(board.register.students)
    with st.container(horizontal=True, gap="large", vertical_alignment="top"):
        claim = each.right.claim(BY.format("all numbers of the class"), EVEN)
        look: dict[str, Any] = {"width": "content"}
        if drawn:
            look |= {
                "delta": f"{gain} more than the sharpest alone",
                "help": Said("", (claim,)).why,
            }
            look |= {"delta_color": "inverse" if gain else "off"}
            look |= {"delta_arrow": "up" if gain else "off"}
        label = f"{NAMES[each.which]}: {uncapitalised(right_guesses_by())}"
        st.metric(label, each.right.said if drawn else "–", **look)
        latest = [f"{x.who}: {number_of(x.value)}" for x in each.drawn[-1:]]
        st.metric(
            "Numbers drawn",
            f"{drawn} of {there}",
            delta=latest[0] if latest else None,
            delta_color="off",
            delta_arrow="off",
            width="content",
        )
    parts.picture(_picture(board, each), key=f"class_round_{each.which}")


def _picture(board: Board, each: Round) -> Picture:
    """The numbers of a round in the cone."""
    look: dict[str, Any] = {"is_told": board.is_told, "reach": board.reach}
    look |= {"is_one_path": each.which == ONE_PATH}
    return numbers(each.frame, board.rows, each.pool, **look)


def _order(board: Board) -> None:
    """Who asked first, where the order could matter, and what the class had expected."""
    said, guessed = [], board.register.votes.get(GUESS, {})
    if board.last.count:
        asked = " · ".join(parts.chip(x.tier, x.style) for x in _firsts(board.last))
        said.append(f"**In the order of asking:** {asked}. {ANY_ORDER * board.can_shuffle}")
    if guessed:
        right, answers = guessed.get(ANSWERS[-1], 0), sum(guessed.values())
        said.append(f"**{right:,} of {answers:,}** had expected “{ANSWERS[-1]}”.")
    st.markdown("  \n".join(said))


def _firsts(last: Round) -> list[Drawn]:
    """The first to ask of each tier, in the order of asking."""
    return list({x.tier: x for x in reversed(last.drawn)}.values())[::-1]


def _how_to_join(code: str) -> None:
    """The address as a picture and as a text, or why nobody could reach it."""
    address = _address()
    link = link_to(address, code)
    if is_here_only(address):
        why = "This address is for this computer alone."
        with press.popover(
            "Nobody can join?", key="class_here_only", icon="wifi_off", help=why, type="tertiary"
        ):
            st.markdown(HERE_ONLY)
    else:
        with st.container(key="class_qr"):
            st.html(qr(link))
    st.code(link, language=None, wrap_lines=True)


def _asked_last(register: Register) -> tuple[str, Mapping[str, int]] | None:
    """The question that was asked last, and how many gave which answer."""
    return [*register.votes.items()][-1] if register.votes else None


def _answered(register: Register) -> None:
    """How many have answered the question that was asked last; not what, as others might copy."""
    if found := _asked_last(register):
        question, given = found
        told = several(sum(given.values()), "answer", "answers")
        st.caption(f"**{told}** to: {literal(question)}")


def _vote(code: str, secret: str, register: Register) -> None:
    """The question that was asked last, and its answers once the teacher shows them."""
    if found := _asked_last(register):
        question, given = found
        st.header(literal(question), anchor=False)
        if question not in register.told:
            there, voted = len(register.students), sum(given.values())
            st.metric("Have answered", f"{voted} of {there}", width="content")
            st.caption(UNTOLD)
            look: controls.Look = {"type": "primary", "icon": "visibility"}
            at = (code, secret, question)
            controls.button("Show the answers", _tell, *at, key="class_tell", **look)
            return
        rows = [(each, float(count), GREY, f"{count:,}") for each, count in given.items()]
        frame = pd.DataFrame(rows, columns=[ROW, LENGTH, COLOUR, END])
        made = bar_rows(frame, what=f"What the class answered: {question}")
        how: dict[str, Any] = {"key": "class_votes", "reading": "", "alt": made.alt}
        parts.chart(made.figure, heading="", times=lesson_view.TIMES, **how)


def _scores(register: Register) -> None:
    """How often those who played the game were right, over how often the best rule would be."""
    st.header(told_of_scores(register.scores).text, anchor=False)
    frame = insurer.scores_frame(register.scores, insurer.right_share(insurer.RHO))
    made = scores_picture(frame, whose=THEIRS, one=ONE_OF_THEM)
    listed = ", ".join(map(str, register.scores))
    alt = f"Bars like a hill: scores of 100 games by the best rule. Of the class: {listed}."
    look: dict[str, Any] = {"times": lesson_view.TIMES, "heading": "", "reading": ""}
    parts.chart(made, key="class_scores", alt=alt, **look)


def told_of_scores(scores: Sequence[int]) -> Said:
    """How often the class was right in its rounds of the game, and what the best rule gets."""
    counted: dict[str, Any] = {"fixed": f"rounds of {TOWNS} towns with noise", "method": "counted"}
    count = Claim(what="students who played a round", value=float(len(scores)), **counted)
    right = ALL * sum(scores) / (TOWNS * len(scores))
    share = Claim(what=f"right guesses of {ALL:,}, of the class", value=right, **counted)
    best = guess_claim("the best rule", insurer.RHO)
    return say(
        "{played} guessed with noise: right {right}. In the long run the best rule is right "
        "{best}.",
        played=Number(several(len(scores), "student", "students"), count),
        right=Number(TIMES.format(right), share),
        best=Number(TIMES.format(best.value), best),
    )


TIMES = f"{{:.0f}} times in {ALL:,}"
THEIRS, ONE_OF_THEM = "the class", "one student"


def _bar(code: str, secret: str, register: Register) -> str:
    """What the teacher does, at the bottom of the window; the name of what the board shows."""
    there = {ANSWERED: register.votes, PLAYED: register.scores}
    options = [DRAWN, *(name for name, what in there.items() if what)]
    shows = DRAWN
    with st.bottom, st.container(horizontal=True, horizontal_alignment="distribute"):
        with press.popover(
            "End the class", key="class_ending", icon="stop", help="Forget names and numbers."
        ):
            st.caption("Names and numbers of this class are forgotten.")
            controls.button("End it", _end_class, code, secret, key="class_end")
        with press.popover(
            "Exercise sheet", key="class_sheet", icon="quiz", help="To print, with its answer key."
        ):
            several_there = several(len(register.students), "student", "students")
            st.caption(SHEET.format(there=several_there))
            downloads(code, key="class", dealt=[each.tier for each in register.students])
        if len(options) > 1:
            said: dict[str, Any] = {"key": "class_shows", "label_visibility": "collapsed"}
            shows = controls.segmented_control("The board shows", options, default=DRAWN, **said)
        asked = _asked_last(register)
        is_voting = shows == ANSWERED and asked is not None and asked[0] not in register.told
        _along(code, secret, register, leads=not is_voting)
    return shows


def _along(code: str, secret: str, register: Register, *, leads: bool) -> None:
    """What comes next: the second round, another order of asking, and then the quiz.

    Args:
        code: of the class.
        secret: of its teacher.
        register: the class.
        leads: whether that is what the teacher does next.
    """
    if register.round == SEPARATE:
        drawn = register.asked[SEPARATE]
        look: controls.Look = {"icon": "arrow_forward", "icon_position": "right"}
        look |= {"type": "primary" if drawn and leads else "secondary"}
        label = "Start round two: one path"
        controls.button(label, _begin_second, code, secret, key="class_second", **look)
        return
    places = register.asked[ONE_PATH]
    tiers = {register.students[place].tier for place in places}
    first: controls.Look = {"type": "primary" if leads and not register.shuffles else "secondary"}
    first |= {"icon": "shuffle", "disabled": len(tiers) < 2}
    label = "Shuffle who asks first"
    controls.button(label, _shuffle_class, code, secret, key="class_shuffle", **first)
    then: controls.Look = {"type": "primary" if leads and register.shuffles else "secondary"}
    then |= {"icon": "arrow_forward", "icon_position": "right"}
    if controls.button(lesson_view.TO_QUIZ, key="class_quiz", **then):
        st.switch_page(path("quiz"))


def _watch_class(code: str, secret: str, shown: Register) -> None:
    """Show the board again once the class has changed; nothing is shown meanwhile."""

    @st.fragment(run_every=TICK)
    @admitted.guarded_part
    def look() -> None:
        try:
            changed = CLASSES.seen(code, secret).edition != shown.edition
        except NoClassError:
            changed = True
        if changed:
            st.rerun()

    look()


def _begin_second(code: str, secret: str) -> None:
    state.attempt(CLASSES.begin_second, code, secret, GUESS)


def _tell(code: str, secret: str, question: str) -> None:
    state.attempt(CLASSES.tell, code, secret, question)


def _shuffle_class(code: str, secret: str) -> None:
    state.attempt(CLASSES.shuffle, code, secret)


def _end_class(code: str, secret: str) -> None:
    state.attempt(CLASSES.end, code, secret)


# --- a student ---


def _student(code: str) -> None:
    """The page of a student: a name, a tier, and one button, or the number."""
    parts.without_menu()
    st.html(_STUDENT)
    found = CLASSES.place(code, st.query_params.get(ME, ""))
    if found is None:
        try:
            mine = CLASSES.join(code, state.session())
        except ParameterError as error:
            _turned_away(error)
            return
        st.query_params[ME] = mine
        found = CLASSES.place(code, mine)
    if found is not None:  # else the class ended this moment, and the next look says so
        place, register = found
        attending.begin(code, st.query_params[ME])
        _own(code, st.query_params[ME], register, place)


def _turned_away(error: ParameterError) -> None:
    """Why there is no class, and another way in."""
    attending.leave()
    parts.bare_head(page("classroom").question, "You are in no class.")
    parts.refusal(str(error))
    controls.page_link(path("classroom"), "Type another code")


def _own(code: str, mine: str, register: Register, place: int) -> None:
    """What one student sees."""
    student, held = register.students[place], _number_of(register, place)
    parts.bare_head(f"You are {student.name}", task(student))
    chip = parts.chip(student.tier, scenes.row_of(student.tier).style)
    st.markdown(f"Your group: {chip} **{NAMES[register.round]}**")
    parts.problem_of_last_act()
    if held is None:
        look: controls.Look = {"type": "primary", "icon": "casino", "width": "stretch"}
        controls.button(DRAW, _draw_own, code, mine, key="class_draw", **look)
        return
    look_of_it: dict[str, Any] = {"delta_color": "off", "delta_arrow": "off"}
    st.metric("Your number", number_of(held.value), delta=pm(held.half), **look_of_it)
    parts.picture(own(held), key="class_own")
    again = AGAIN if register.shuffles else ""
    st.caption(again + AFTER[register.round].format(tier=literal(student.tier)))
    said = CLASSES.answer_of(code, mine, GUESS)
    if register.round == SEPARATE and GUESS not in register.told:
        _guess(code, mine, said)
    elif said is not None:
        st.markdown(YOU_SAID.format(said))
    if register.round == ONE_PATH:
        controls.page_link(path("quiz"), lesson_view.TO_QUIZ)
    with press.popover("The lessons", key="class_to_lessons", icon="school", help=TO_LESSONS):
        _lessons()
    _watch_own(code, mine, register)


def _lessons() -> None:
    """Ways to the lessons, in this tab: it knows the class there, too."""
    st.caption(IN_LESSONS)
    with st.container(horizontal=True, gap="xsmall", key="class_lessons"):
        for each in PAGES:
            if each.is_lesson:
                controls.page_link(path(each.file), each.title)


def _number_of(register: Register, place: int) -> Drawn | None:
    """The number of a student, drawn once for each round and order; None before the press."""
    if place not in register.asked[register.round]:
        return None
    key = register.seed, place, register.turn
    return _OWN.take(key, lambda: scenes.number_of(register, place))


def _guess(code: str, mine: str, said: str | None) -> None:
    """What the student thinks of the second round, before it begins; the board counts it."""
    before = None if said is None else ANSWERS.index(said)
    answer = controls.optional_radio(GUESS, ANSWERS, index=before, key="class_guess")
    if answer is not None:
        state.attempt(CLASSES.vote, code, mine, GUESS, answer, ANSWERS)


GUESS = "Next round, all your numbers are on one path. What will they tell together?"
ANSWERS = ("more than now", "as much as now", "as much as the sharpest alone")
YOU_SAID = "What do all numbers of one path tell? You said: “{}”."
AGAIN = "The class asked again, in another order. "
AFTER = {
    SEPARATE: "Its error is yours alone. The truth is in 95 of 100 such bars.",
    ONE_PATH: "Everybody who reads for {tier} has this number. Look at the board.",
}


def task(student: Student) -> Said:
    """What a student gets."""
    claim = Claim(
        what=f"half width of {student.tier}",
        value=scenes.row_of(student.tier).half,
        unit="people",
        fixed="95 % confidence",
        method="quantile of Gaussian noise (MATHEMATICS 4.1)",
    )
    return say(
        "How many people in the town have high blood pressure? You get the count with noise: "
        "usually within {half}.",
        half=plus_minus(claim),
    )


def _draw_own(code: str, mine: str) -> None:
    state.attempt(CLASSES.press, code, mine)


def _watch_own(code: str, mine: str, shown: Register) -> None:
    """Show the page again once the class goes on, asks in another order, or is over."""

    @st.fragment(run_every=SLOW)
    @admitted.guarded_part
    def look() -> None:
        found = CLASSES.place(code, mine)
        if found is None or found[1].turn != shown.turn:
            st.rerun()

    look()


# --- the address ---


def _address() -> str:
    """The address of this page as the browser has it, without what it asks for."""
    return st.context.url or ""


def link_to(address: str, code: str) -> str:
    """The link that leads a student to a class.

    >>> link_to("http://192.168.1.20:8501/classroom", "KXRTMP")
    'http://192.168.1.20:8501/classroom?code=KXRTMP'
    """
    return f"{address}?{CODE}={code}"
