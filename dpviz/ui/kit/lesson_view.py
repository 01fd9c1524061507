"""What all lessons share on screen: dots, picture and side, and the bar at the bottom.

The bar holds Back, the one act and Next, and a phone keeps it in view. The address keeps what is on
screen (`lesson_link`), and may ask for a lecture ("?lecture=on"): large type, no menu, and the
arrow keys go back and on. A lesson has no badges, no folds and no footer.
"""

from dataclasses import dataclass, field
from typing import Any, Literal

import streamlit as st

from dpviz.charts.forms.squares import squares
from dpviz.scenes.lessons import Settings
from dpviz.ui.kit import attending, controls, lesson_link, page_table, parts, scripts
from dpviz.ui.kit.lesson import Act, Guessing, Lesson, Screen, Side
from dpviz.ui.kit.lesson_link import STEP
from dpviz.ui.kit.page_table import path
from dpviz.ui.kit.state import Slot, fill, workspace
from dpviz.words import NARROW
from dpviz.words.claims import Said

SWITCH = 3  # options at most that stand side by side; more are a slider
Gap = Literal["xsmall", "small"]
MOST_PAGES = 3  # that a last screen leads to, besides the next lesson
GAME = "A game first"  # that opens a screen has no number of its own
NEXT_LESSON, TO_QUIZ = "Next lesson", "To the quiz"  # where a last screen leads first
LECTURE = "lecture"  # in the address
BACK_KEY, NEXT_KEY, ACT_KEY, LEAVE_KEY = "Left", "Right", "Down", "Esc"  # of a lecture
TIMES = 1.35  # as large as on a page
HIGHEST = 466  # pixels of a picture in a lecture: its axis is in view at 1280 × 800, above the bar
READING = 40  # of these, a line below it
ACROSS = 64  # squares in a row beside a picture: they end above the bar at 1280 × 800
_LARGE = """<style>
html { font-size: 21px }
[data-testid="stButtonGroup"] [role="radiogroup"] { flex-wrap: wrap }
</style>"""
# What moves in a lesson is decoration; under the pointer Plotly's button would be white, always.
# On a desk a screen is in view at 1280 × 800, above the bar. On a phone the sentence, its marks
# and the buttons are in view together.
_STYLE = """<style>
[data-testid="stBottomBlockContainer"] { padding-bottom: 0.75rem; padding-top: 0.5rem }
[data-testid="stMainBlockContainer"] h1 { padding-top: 0 }
@media (min-width: 641px) { [data-testid="stMainBlockContainer"] { padding-top: 4.5rem } }
@media (max-width: 640px) {
  [data-testid="stMainBlockContainer"] { padding-top: 4rem }
  .st-key-eyebrow { margin-bottom: -1.9rem }
  .st-key-lesson_link button p { font-size: 0 }
}
.st-key-lesson_link :is(button, button *) { color: inherit !important }
.st-key-lesson_guess button { min-height: 3.5rem }
.st-key-lesson_guess button p { font-size: 1.125rem; font-weight: 600 }
@media (prefers-reduced-motion: reduce) { .updatemenu-container { display: none } }
.updatemenu-item-rect { fill: transparent !important }
</style>"""


@dataclass(slots=True)
class Progress:
    """How far a visitor is in a lesson: the screen, the acts that are done, the draws, guesses."""

    step: int = 1
    done: set[int] = field(default_factory=set)
    told: set[int] = field(default_factory=set)  # screens whose act was done, though undone since
    draw: int = 0
    seen: bool = False  # to its end, or skipped
    opened: set[int] = field(default_factory=set)  # screens whose opening is behind
    guesses: dict[str, list[bool]] = field(default_factory=dict)  # by what was chosen
    rounds: dict[str, int] = field(default_factory=dict)
    addresses: set[lesson_link.OnScreen] = field(default_factory=set)  # that were put to use


_PROGRESS = Slot[dict[str, Progress]]("lessons", dict)


def show(lesson: Lesson) -> None:
    """Show the screen of a lesson that the address asks for, else the one where the visitor was."""
    at = _progress(lesson)
    _take_address(lesson, at)
    st.html(_STYLE)
    parts.on_one_page("lesson_")
    if is_lecture():
        parts.without_menu()
        st.html(_LARGE)
    screen = _on_screen(lesson, at)
    top = st.container()  # its sentence may depend on the choice, which comes later
    ahead = st.container()
    left, right = st.columns([2, 1], gap="large")
    key = _key_of(lesson, at)
    above = screen.choice is not None and screen.choice.ahead and not is_lecture()
    with ahead if above else right:  # large type needs the height for the picture
        settings = _settings(at, _chosen(screen, key, told=at.step in at.done))
    with right:
        scene = screen.scene(settings)
        _side(screen.side(scene), key)
        _deeper(screen)
        if attending.attended():
            controls.page_link(path("classroom"), "Back to your class")
        if screen.opening:
            again: controls.Look = {"type": "tertiary", "icon": "replay"}
            controls.button(screen.opening.title, _reopen, lesson, key="lesson_reopen", **again)
    _tell_class(screen, settings, scene, at)
    shown = _shown(screen, settings, at)
    with top:
        _head(lesson, screen, shown, screen.said(scene) if screen.said else screen.sentence)
    with left:
        made = screen.picture(scene)
        look: dict[str, Any] = {"heading": "", "reading": screen.below, "alt": made.alt}
        if is_lecture():
            look |= {"times": TIMES, "most": HIGHEST - READING * bool(screen.below)}
        parts.chart(made.figure, key=key, **look)
        if screen.guessing:
            _guessing(screen.guessing, lesson, scene, settings, f"{key}_choice")
    if at.step == len(lesson.screens):
        with st.container(key="lesson_onward"):
            _onward(lesson)
    played = screen.guessing is None or screen.guessing.score(scene) is not None
    _bar(lesson, screen, at, settings, played=played)
    scripts.keep_screen(lesson.file, at.step)
    at.addresses.add(shown)
    scripts.keep_in_address(f"{at.step} of {lesson.file}", shown.asked, lesson_link.KEPT)


def wanted(address: str | None, screens: int) -> int | None:
    """The screen that an address asks for: the first for nonsense, None if it asks for none.

    >>> wanted("4", 6), wanted("7", 6), wanted("-1", 6), wanted(None, 6)
    (4, 1, 1, None)
    """
    steps = {str(step): step for step in range(1, screens + 1)}
    return None if address is None else steps.get(address, 1)


def start_over() -> None:
    """Let every lesson begin at its first screen, as for a new visitor."""
    _PROGRESS.pop()


def is_lecture() -> bool:
    """Whether the address asks for a lecture: large type, no menu, arrow keys."""
    return LECTURE in st.query_params


def _kept(lesson: Lesson) -> Progress:
    return _PROGRESS.get().setdefault(lesson.file, Progress())


def _progress(lesson: Lesson) -> Progress:
    at, last = _kept(lesson), len(lesson.screens)
    step = wanted(st.query_params.get(STEP), last)  # none: the visitor comes from another page
    if step is None and lesson.front and at.seen:
        step = last
    at.step = step or at.step
    at.seen |= at.step == last
    return at


def _take_address(lesson: Lesson, at: Progress) -> None:
    """Show what the address asks for of its screen, once: from then on buttons and fields do."""
    asked = lesson_link.asked_for(st.query_params, at.step)
    if asked in at.addresses:
        return
    at.addresses.add(asked)
    at.draw = asked.draw or at.draw
    act = lesson.screens[at.step - 1].act
    if asked.done and act and not act.repeats:
        at.done.add(at.step)
    if asked.told:
        at.opened.add(at.step)
    option = lesson_link.option(_on_screen(lesson, at), asked.choice)
    if option is not None:
        fill(f"{_key_of(lesson, at)}_choice", option)


def _tell_class(screen: Screen, settings: Settings, scene: Any, at: Progress) -> None:
    """Let the board count an answer that was given before the act told, and a round of the game."""
    if settings.done:
        at.told.add(at.step)
    if screen.asks and screen.choice and settings.chosen and at.step not in at.told:
        attending.vote(screen.sentence, settings.chosen, screen.choice.options)
    right = screen.guessing.score(scene) if screen.guessing else None
    if right is not None:
        attending.score(right)


def _shown(screen: Screen, settings: Settings, at: Progress) -> lesson_link.OnScreen:
    """What the address keeps of the screen."""
    return lesson_link.OnScreen(
        step=at.step,
        choice=lesson_link.place(screen, settings.chosen),
        draw=at.draw,
        done=settings.done,
        told=at.step in at.opened,
    )


def _key_of(lesson: Lesson, at: Progress) -> str:
    """The key of the screen that is told, or of the one that opens it."""
    return f"{lesson.file}_{at.step}" + "_opening" * _is_opening(lesson, at)


def _is_opening(lesson: Lesson, at: Progress) -> bool:
    return lesson.screens[at.step - 1].opening is not None and at.step not in at.opened


def _on_screen(lesson: Lesson, at: Progress) -> Screen:
    """The screen that is told, or the one that opens it."""
    screen = lesson.screens[at.step - 1]
    return (screen.opening or screen) if at.step not in at.opened else screen


def _settings(at: Progress, chosen: str) -> Settings:
    return Settings(
        done=at.step in at.done,
        chosen=chosen,
        draw=at.draw,
        guesses=tuple(at.guesses.get(chosen, ())),
        rounds=at.rounds.get(chosen, 1),
        seed=workspace().seed,
    )


def _has_begun() -> bool:
    """Whether the visitor has a table of their own, or releases."""
    ws = workspace()
    return ws.sample is None or bool(ws.ledger)


def _head(lesson: Lesson, screen: Screen, shown: lesson_link.OnScreen, sentence: str) -> None:
    count, step = len(lesson.screens), shown.step
    dots = " ".join("●" if k <= step else "○" for k in range(1, count + 1))
    with st.container(gap="xxsmall"):
        with _row():
            where = GAME if screen.guessing else f"Screen {step} of {count}"
            st.caption(f"{dots}  {NARROW} {where}", width="content")
            lesson_link.show(shown, workspace().seed if screen.guessing else None)
            if is_lecture():
                keys: controls.Look = {"type": "tertiary", "shortcut": LEAVE_KEY}
                controls.button("End the lecture", _leave, key="lesson_leave", **keys)
            elif step == count:
                again: controls.Look = {"type": "tertiary", "icon": "replay"}
                controls.button("Begin again", _go, lesson, 1, key="lesson_again", **again)
            else:
                if step == 1:
                    scripts.offer_return(lesson.file, count)
                _skip(lesson)
        st.title(screen.title, anchor=False)
        st.header(sentence, anchor=False, width="stretch" if is_lecture() else 1100)
        if step == 1 and lesson.purpose and not is_lecture():  # a speaker says what for
            st.markdown(f"**{lesson.purpose}**")


def _skip(lesson: Lesson) -> None:
    """Offer to leave a lesson: for the page after it, or for what one's work needs at the end."""
    look: controls.Look = {"type": "tertiary", "icon": "skip_next"}
    if lesson.front and _has_begun():
        last = len(lesson.screens)
        controls.button("Skip to the end", _go, lesson, last, key="lesson_skip", **look)
        return
    file, words = lesson.after
    if controls.button(f"Skip to {words}", key="lesson_skip", **look):
        _kept(lesson).seen = True
        st.switch_page(path(file))


def _row(gap: Gap = "small") -> Any:
    look: dict[str, Any] = {"horizontal_alignment": "distribute", "vertical_alignment": "center"}
    return st.container(horizontal=True, gap=gap, **look)


def _chosen(screen: Screen, key: str, *, told: bool) -> str:
    """What the visitor chooses; once the answer is told, the question stands above the options."""
    choice = screen.choice
    if choice is None:
        return ""
    said: dict[str, Any] = {"key": f"{key}_choice", "help": choice.help}
    if len(choice.options) <= SWITCH or screen.asks:
        options, first = choice.options, choice.default or None
        label = screen.sentence if screen.asks and told else choice.label
        return controls.segmented_control(label, options, default=first, **said) or ""
    return controls.select_slider(choice.label, choice.options, value=choice.default, **said)


def _side(side: Side, key: str) -> None:
    if side.label:
        worse, why = side.worse, Said("", side.claims).why or None
        st.metric(
            side.label,
            side.value,
            delta=side.note,
            delta_color="inverse" if worse else "off",
            delta_arrow="up" if worse else "off",
            help=why,
        )
    for words in side.lines:
        st.markdown(words)
    if side.caption:
        st.caption(side.caption)
    if side.guesses is not None:
        made = squares(side.guesses, across=ACROSS, key=True)
        parts.picture(made, key=f"{key}_guesses")


def _guessing(
    asks: Guessing, lesson: Lesson, scene: Any, settings: Settings, choice_key: str
) -> None:
    """Two large buttons for the answers; after a round one that goes on."""
    chosen, count = settings.chosen, len(settings.guesses)
    with st.container(key="lesson_guess", horizontal=True, gap="small"):
        if not scene.waits:
            label, then = asks.goes_on(scene)
            look: controls.Look = {"width": "stretch", "icon": "arrow_forward"}
            at = (lesson, then, choice_key, settings)
            controls.button(label, _another_round, *at, key="lesson_round", **look)
            return
        for answer, label, key in ((True, asks.yes, asks.keys[0]), (False, asks.no, asks.keys[1])):
            look = {"width": "stretch", "shortcut": key}
            about = (lesson, chosen, count, answer)
            controls.button(label, _guess, *about, key=f"lesson_guess_{key}", **look)


def _deeper(screen: Screen) -> None:
    """Where one finds more."""
    if screen.deeper:
        file, words = screen.deeper
        controls.page_link(path(file), f"Go deeper: {words}")


def _onward(lesson: Lesson) -> None:
    """From the last screen to pages, by their questions; the bar leads on along the course."""
    files = [*dict.fromkeys((lesson.after[0], *lesson.onward))][:MOST_PAGES]
    links = {file: page_table.page(file).question for file in files}
    if lesson.front and not is_lecture():
        links["classroom"] = "Open a class board"
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.caption("Or go on:", width="content")
        for file, label in links.items():
            controls.page_link(path(file), label)


def _along(lesson: Lesson) -> tuple[str, str]:
    """What comes after a lesson, a page and its name on a button: the next one, then the quiz."""
    following = page_table.following(lesson.file)
    return (following[0].file, NEXT_LESSON) if following else ("quiz", TO_QUIZ)


def _bar(lesson: Lesson, screen: Screen, at: Progress, settings: Settings, *, played: bool) -> None:
    """Back, the act and Next, at the bottom of the window; a lecture ends on its last screen."""
    last, act = at.step == len(lesson.screens), screen.act
    opening = _is_opening(lesson, at)
    done = act is None or act.repeats or at.step in at.done
    lead: controls.Look = {"type": "primary" if done and played else "secondary"}
    lead |= {"icon": "arrow_forward", "icon_position": "right", **_key(NEXT_KEY)}
    with (
        st.bottom,
        st.container(horizontal=True, horizontal_alignment="center"),
        st.container(width=1240),  # as wide as the page
        _row("xsmall"),
    ):
        back: controls.Look = {"icon": "arrow_back", "disabled": at.step == 1, **_key(BACK_KEY)}
        controls.button("Back", _go, lesson, at.step - 1, key="lesson_back", **back)
        if act and not opening and not (act.idle_at and settings.chosen == act.idle_at):
            _act_button(lesson, act, at, done=done)
        if opening:  # which ends in the screen that it opens
            controls.button("Next", _skip_opening, lesson, key="lesson_skip_opening", **lead)
        elif not last or is_lecture():  # its audience must not be led to the speaker's own pages
            lead["disabled"] = last
            controls.button("Next", _go, lesson, at.step + 1, key="lesson_next", **lead)
        else:
            file, words = _along(lesson)
            if controls.button(words, key="lesson_after", **lead):
                st.switch_page(path(file))


def _act_button(lesson: Lesson, act: Act, at: Progress, *, done: bool) -> None:
    if act.repeats:
        look: controls.Look = {"icon": act.icon, **_key(ACT_KEY)}
        controls.button(act.label, _draw, lesson, at.draw + 1, key="lesson_draw", **look)
    else:
        look = {"icon": "undo" if done else act.icon, "type": "secondary" if done else "primary"}
        look |= _key(ACT_KEY)
        label = act.undo if done else act.label
        controls.button(label, _do, lesson, at.step, not done, key=f"lesson_act_{at.step}", **look)


def _key(key: str) -> controls.Look:
    """The key of a button, in a lecture."""
    return {"shortcut": key} if is_lecture() else {}


def _leave() -> None:
    del st.query_params[LECTURE]


def _go(lesson: Lesson, step: int) -> None:
    _kept(lesson).step = step
    stay = {name: x for name, x in st.query_params.items() if name not in lesson_link.KEPT}
    st.query_params.from_dict(stay | {STEP: str(step)})  # what else it kept was of the old screen


def _do(lesson: Lesson, step: int, done: bool) -> None:
    acts = _kept(lesson).done
    (acts.add if done else acts.discard)(step)


def _skip_opening(lesson: Lesson) -> None:
    at = _kept(lesson)
    at.opened.add(at.step)


def _reopen(lesson: Lesson) -> None:
    at = _kept(lesson)
    at.opened.discard(at.step)


def _guess(lesson: Lesson, chosen: str, count: int, answer: bool) -> None:
    """Keep a guess about the town that was on screen; a second click on it counts for nothing."""
    guesses = _kept(lesson).guesses.setdefault(chosen, [])
    if len(guesses) == count:
        guesses.append(answer)


def _another_round(lesson: Lesson, then: str, choice_key: str, before: Settings) -> None:
    """Begin a round with this choice; one that was begun before goes on."""
    at = _kept(lesson)
    if then == before.chosen:
        at.rounds[then] = before.rounds + 1
    fill(choice_key, then)


def _draw(lesson: Lesson, draw: int) -> None:
    _kept(lesson).draw = draw
