"""Present: what one tier sees, large: for a room, by its address, or for a reader who logged in.

A screen of one tier is made from `View` records of that tier alone, which know no other one: the
workspace is asked for them by the page around it, and the project by `OfTier`. Many groups stand on
several pages on one scale, turned by buttons, by the arrow keys, or by choosing a page by its
groups.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pandas as pd
import plotly.graph_objects as go
import streamlit as st

from dpviz.charts.present import AT_ONCE, one_tier_chart, sample_frame, span_of
from dpviz.errors import ParameterError
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, usual_half_width
from dpviz.release import LedgerEntry, today
from dpviz.scenes import exercises
from dpviz.scenes.releases import answers_frame, answers_table, releases_frame
from dpviz.ui.kit import admitted, controls, login, parts
from dpviz.ui.kit.page_table import PAGES, page, path
from dpviz.ui.kit.parts import Field
from dpviz.ui.kit.sheet import downloads
from dpviz.ui.kit.shell import ALONE, asked_alone
from dpviz.ui.kit.state import Slot, field, fill, nothing, workspace
from dpviz.words import capitalised, clean, number, shorten
from dpviz.words.markdown import literal
from dpviz.workspace import takeaways
from dpviz.workspace.accounts import Reader
from dpviz.workspace.one_tier import Answers, View, seen_by, shown_to, who_sees
from dpviz.workspace.projects import Projects
from dpviz.workspace.projects.of_tier import NothingYetError, OfTier, Own

TIMES = 1.25  # as large as on a page, where a tier is shown alone
CHOSEN = "presented"  # key of the field that chooses a tier
NOT_HELD_TITLE = "No number is held here"
NOT_HELD = (
    "This address shows the numbers of one clearance, and none are held here under its name. Ask "
    "the person who gave you this screen."
)
NOTHING_YET_TITLE = "Nothing to see yet"
NOTHING_DRAWN = (
    "No group of readers (tier) has its numbers yet: draw them, then show them here to a room."
)
SHEET = (
    "Six questions on one page, with numbers of made-up towns. The code makes them: the same code, "
    "the same sheet."
)
CODE = Field(
    label=exercises.LABEL,
    default="KXRTMP",
    help="Six letters: the code of your class, or any others.",
    reader=exercises.read_code,
    key="present_code",
)
_LARGE = """<style>
html { font-size: 19px }
[data-testid="stMainBlockContainer"] :is(h1, h2, h3) { padding: 0.35rem 0 }
[data-testid="stMainBlockContainer"] [data-testid="stVerticalBlock"] { gap: 0.6rem }
[data-testid="stBottomBlockContainer"] { padding-bottom: 0.6rem }
</style>"""  # as much as a projector of 800 lines shows
_MOST = 40  # letters of a group's name
_IN_A_ROW = 2  # lessons
_PLACE = Slot[Projects | None]("own_place", nothing)
_SEEN = Slot[set[int]]("own_seen", set)


def show() -> None:
    """Show what a reader may see, one tier alone if the address asks for one, or the page around.

    No workspace is made for a reader, and what the address says makes no difference to one.
    """
    parts.on_one_page("present_")
    if (person := login.reader()) is not None:
        _for_reader(person)
        return
    ws = workspace()
    asked, names = asked_alone(), who_sees(ws)
    with st.container(key="present_around"):
        name = asked if asked is not None or not names else _choose_tier(names)
    entries = seen_by(ws, name) if name is not None and name in names else []
    found = [_named_release(ws.session_of(e).asking.statistic, e) for e in entries]
    if asked is not None:
        _alone(asked if found else None, found, lambda at: shown_to(ws, asked, entries[at]))
        return
    if name is not None and found:
        _head_and_numbers(shown_to(ws, name, entries[_choose(found, key="present_release")]))
    else:
        _nothing_drawn()
    with st.container(key="present_lessons"):
        _lessons()
    if found:
        parts.onward("present")


# --- the page around the screen ---


def _choose_tier(names: Sequence[str]) -> str:
    """The tier that is shown, and the way to a screen that shows it alone."""
    field, onward = st.columns([1, 2], vertical_alignment="bottom")
    with field:
        chosen = controls.selectbox(
            "Show what this tier sees", names, format_func=clean, key=CHOSEN, lasting=False
        )
    with onward:
        look: controls.Look = {"icon": "fullscreen"}
        controls.button("Show it alone, large", _show_alone, key="present_alone", **look)
    st.caption(
        "That screen has no menu and nothing about any other tier; its address names the tier. Esc "
        "ends it. It hides the rest but does not lock it: anybody at this browser can come back."
    )
    return chosen


def _show_alone() -> None:
    """Let the address ask for the tier that is chosen by now.

    As a callback, so that the run which follows sends the screen of this tier and not, before it,
    the page around it once more. (A link to the page that is on screen leads nowhere.)
    """
    st.query_params.from_dict({ALONE: field(CHOSEN)})  # and nothing else, such as a seed


def _lessons() -> None:
    """The lessons as a speaker shows them: large, without the menu, by arrow keys."""
    lessons = [each for each in PAGES if each.is_lesson]
    st.subheader("Or show a lesson, large", anchor=False)
    for first in range(0, len(lessons), _IN_A_ROW):
        row = lessons[first : first + _IN_A_ROW]
        for column, lesson in zip(st.columns(_IN_A_ROW), row, strict=False):
            with column.container(border=True, gap="xsmall", height="stretch"):
                st.markdown(f"**{lesson.question}**")
                with st.container(key=f"lesson_of_{lesson.file}"):
                    controls.page_link(path(lesson.file), "Show this lesson", lecture="on")
    st.caption(
        "A lesson opens without the menu; Next and Back, or a keyboard’s arrow keys, lead through "
        "it."
    )
    parts.look_closer("An exercise sheet for a class", _sheet, key="sheet")


def _sheet() -> None:
    """An exercise sheet for a class and its answer key, from a code that the teacher gives."""
    st.markdown(SHEET)
    code = CODE.value()
    downloads(code, key="present")


def _nothing_drawn() -> None:
    """Before there is a release: where to draw one, and what a room would see."""
    parts.bare_head(page("present").question, NOTHING_DRAWN)
    if controls.button("Go to Releases", key="present_go", type="primary", icon="arrow_forward"):
        st.switch_page(path("releases"))
    frame = sample_frame()
    parts.chart(
        one_tier_chart(frame, axis_title="people", span=span_of(frame)),
        heading="Example: what the room would see",
        reading="An invented number. 95 times in 100 the exact one lies within such a bar. "
        "Yours will stand here in colour.",
        alt="An example in grey: one large number with its ±, and a bar as wide as that.",
        key="sample",
    )


# --- a reader who has logged in ---


def _for_reader(person: Reader) -> None:
    """What this reader's tier was given, the newest first, and the file of what is on screen."""
    try:
        tier = _place().of_tier(person.project, person.tier)
        found = tier.releases()
        names = [_named_release(own.view.statistic, own.entry) for own in found]
        own = found[_choose(names, key="own_release")]
        if own.entry.number not in _SEEN.get():
            tier.note("view", own)  # before it is shown
            _SEEN.get().add(own.entry.number)
    except NothingYetError as error:
        parts.bare_head(NOTHING_YET_TITLE, f"{error}.")
        return
    except ParameterError as error:
        parts.refusal(str(error))
        return
    _with_its_file(tier, own)


def _place() -> Projects:
    """The projects of this dashboard, looked through for damage once for each tab."""
    found = _PLACE.get()
    if found is None:
        found = admitted.projects()
        _PLACE.set(found)
    return found


def _with_its_file(tier: OfTier, own: Own) -> None:
    """One release: its numbers, what they are, and its file."""
    _head_and_numbers(own.view, [parts.MODES[own.view.mode]])
    controls.download_button(
        "Download these numbers",
        data=lambda: tier.file(own, today()),
        file_name=own.name,
        key=f"own_file_{own.entry.number}",
    )
    _what_they_are(own.view)


# --- one tier, and nothing of another ---


def _head_and_numbers(view: View, badges: Sequence[parts.Badge] = ()) -> None:
    """Title, sentence and picture, and below it what turns the pages."""
    parts.bare_head(_title(view), view.sentence)
    parts.show_badges(badges)
    picture, bar = st.container(), st.container()
    with picture:
        _numbers(view, bar)


def _alone(name: str | None, found: Sequence[str], view_at: Callable[[int], View]) -> None:
    """The whole screen for one tier: its numbers and what they are; no menu, no other tier.

    Args:
        name: of the tier; None if nothing is held under the name that was asked for.
        found: what its releases are called.
        view_at: the release at a place among them.
    """
    parts.without_menu()
    st.html(_LARGE)
    end: controls.Look = {"type": "tertiary", "shortcut": "Esc", "icon": "close"}
    beside: dict[str, Any] = {"horizontal": True, "horizontal_alignment": "distribute"}
    with st.container(**beside, vertical_alignment="center"):
        badges = st.container(width="content")
        controls.button("End", _leave, name, key="present_end", **end)
    if name is None:
        parts.bare_head(NOT_HELD_TITLE, NOT_HELD)
        return
    view = view_at(_choose(found, key="present_release"))
    with badges:
        parts.show_badges([parts.MODES[view.mode]])
    parts.bare_head(_title(view), view.sentence)
    with st.bottom, st.container(horizontal=True, horizontal_alignment="center"):
        bar = st.container(width=1240)
    _numbers(view, bar, times=TIMES)
    _what_they_are(view)


def _named_release(statistic: str, entry: LedgerEntry) -> str:
    """What a release is called where one is chosen.

    Args:
        statistic: what was released, in words.
        entry: of the ledger.
    """
    return f"{capitalised(statistic)}, {entry.drawn.isoformat()}"


def _choose(found: Sequence[str], *, key: str) -> int:
    """The release that is on screen, of several sessions; nothing to choose where there is one.

    Args:
        found: what the releases are called.
        key: beginning of the key of the field.
    """
    if len(found) == 1:
        return 0
    at: int = controls.selectbox(
        "Release",
        range(len(found)),
        format_func=lambda i: clean(found[i]),
        key=controls.keyed(key, found),
        lasting=False,
    )
    return at


def _title(view: View) -> str:
    """Who is shown and the number, or how many there are."""
    tier = view.tier
    chip = parts.chip(tier.name, tier.style)
    if isinstance(view, Answers):
        one, several = view.legend.one, view.legend.many
        count = len(view.names)
        noun = one if count == 1 else several
        return f"{chip} sees {takeaways.counted(count)} {noun}{_which(view)}"
    query = view.query
    count = len(query.labels)
    if count > 1 or query.per_value > 1:
        noun = "numbers" if count > 1 else "number"
        return f"{chip} sees {takeaways.counted(count)} {noun}{_which(view)}"
    (value,) = _frame(view)["value"]
    half = usual_half_width(view.family, tier.level, query.step)
    return f"{chip} sees {number(value, step=half)} {takeaways.unit_words(query)}"


def _numbers(view: View, bar: Any, *, times: float = 1.0) -> None:
    """The picture with the groups of one page, and what turns the pages; or a table without ±.

    Args:
        view: the tier.
        bar: where the buttons stand.
        times: how much larger than usual the picture is.
    """
    if isinstance(view, Answers) and view.half is None:
        _table(view)
        return
    frame = _frame(view)
    with bar:
        shown = _turned(_groups(view))
    rows = frame.iloc[shown.start : shown.stop]
    fig = one_tier_chart(rows, axis_title=view.noun, span=span_of(frame))
    parts.chart(
        fig,
        heading=literal(capitalised(view.statistic)),
        reading="",
        alt=_heard(view, rows["group"], fig),
        key=f"single_{view.tier.level!r}_{shown.start}",
        times=times,
    )


def pages_of(count: int) -> list[range]:
    """Which groups stand on each page.

    >>> pages_of(7)
    [range(0, 5), range(5, 7)]
    """
    return [range(first, min(first + AT_ONCE, count)) for first in range(0, count, AT_ONCE)]


def _table(view: Answers) -> None:
    """Numbers that have no ± by themselves: places in a list, sums of reports."""
    heading = literal(capitalised(view.statistic))
    st.subheader(heading, anchor=False)
    frame = answers_table(view)
    if frame.empty:
        st.markdown("It ended before its first item: no item is surely common.")
        return
    parts.table(frame, alt=f"{heading}: {view.legend.many}")
    if len(frame) < len(view.names):
        st.caption(f"The first {len(frame):,} of {len(view.names):,}; the file has all of them.")


def _frame(view: View) -> pd.DataFrame:
    if isinstance(view, Answers):
        return answers_frame(view)
    return releases_frame(view.query, [view.tier], view.family, ACCURACY_CONFIDENCE)


def _which(view: View) -> str:
    """Which of the numbers are on screen, where one page does not hold all."""
    if isinstance(view, Answers) and view.half is None:
        return ""
    groups = _groups(view)
    pages = pages_of(len(groups))
    if len(pages) < 2:
        return ""
    shown = pages[field(_page_key(groups)) or 0]
    alone = f": this is number {shown.stop:,}"
    return alone if len(shown) == 1 else f": these are {shown.start + 1:,} to {shown.stop:,}"


def _groups(view: View) -> list[str]:
    return [str(group) for group in _frame(view)["group"]]


def _page_key(groups: Sequence[str]) -> str:
    return controls.keyed("present_page", groups)


def _turned(groups: Sequence[str]) -> range:
    """The groups of the page that is chosen; nothing to choose where one page holds all."""
    pages = pages_of(len(groups))
    if len(pages) < 2:
        return pages[0]
    key = _page_key(groups)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        turns = st.container(horizontal=True, width="content", gap="small")
        at = controls.selectbox(
            "Groups on screen",
            range(len(pages)),
            format_func=lambda page: _named(pages[page], groups),
            label_visibility="collapsed",
            lasting=False,
            key=key,
        )
    back: controls.Look = {"icon": "arrow_back", "shortcut": "Left", "disabled": at == 0}
    last = at == len(pages) - 1
    on: controls.Look = {"icon": "arrow_forward", "shortcut": "Right", "disabled": last}
    with turns:
        controls.button("Back", _turn, key, -1, len(pages), key="present_back", **back)
        controls.button("Next", _turn, key, 1, len(pages), key="present_next", **on)
    return pages[at]


def _named(shown: range, groups: Sequence[str]) -> str:
    """A page by its groups.

    >>> _named(range(5, 7), list("abcdefg")), _named(range(5, 6), list("abcdef"))
    ('6 to 7 of 7: f to g', '6 of 6: f')
    """
    first, last = shorten(groups[shown.start], _MOST), shorten(groups[shown.stop - 1], _MOST)
    names = first if len(shown) == 1 else f"{first} to {last}"
    places = f"{shown.stop:,}" if len(shown) == 1 else f"{shown.start + 1:,} to {shown.stop:,}"
    return clean(f"{places} of {len(groups):,}: {names}")


def _turn(key: str, step: int, pages: int) -> None:
    """Go on from the page that the field holds by now: a quick press does not wait for a screen."""
    fill(key, min(max((field(key) or 0) + step, 0), pages - 1))


def _heard(view: View, groups: Iterable[object], fig: go.Figure) -> str:
    """The picture for those who do not see it: every number on it, as it is written there."""
    written = [note.text for note in fig.layout.annotations[1::2]]
    told = [
        f"{shorten(str(group), _MOST)} {text.replace('<b>', '').replace('</b>', '')}"
        for group, text in zip(groups, written, strict=True)
    ]
    return f"What {shorten(view.tier.name)} sees: {'; '.join(told)}."


def _what_they_are(view: View) -> None:
    """What the numbers are: the header of their hand-out."""
    lines = [f"- **{literal(capitalised(name))}** {literal(text)}" for name, text in view.facts]
    text = "\n".join(lines)
    parts.look_closer("What these numbers are", lambda: st.markdown(text), key="one_tier")


def _leave(name: str | None) -> None:
    """Back to the page around the screen, with the same tier chosen."""
    del st.query_params[ALONE]
    if name is not None:
        fill(CHOSEN, name)
