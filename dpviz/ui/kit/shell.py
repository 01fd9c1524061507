"""The frame around every page: navigation, and the guard each page begins with.

A deep link on a cold server would run a page without app.py; `page_setup` sends it through app.py.

The small line above the title of every page says where this is, and what is true of the whole tab.
It alone says that a tab is in practice mode and whether its work is saved; what saves it, or opens
a project, opens from here.

A tab whose workspace is gone: what happened, and a choice before anything can be drawn.
"""

from collections.abc import Callable
from contextlib import nullcontext
from copy import copy
from functools import cache, partial
from pathlib import Path
from typing import Any

import streamlit as st

from dpviz.data import quoted
from dpviz.errors import DataError
from dpviz.palette import INKS
from dpviz.streams import Mode
from dpviz.ui.kit import (
    admitted,
    controls,
    counting,
    lesson_view,
    login,
    parts,
    plan_compare,
    plan_file,
    press,
    project_box,
    scripts,
    seeds,
    state,
)
from dpviz.ui.kit.page_table import CODE, MOVED, PAGES, STORY, page, path
from dpviz.words.markdown import literal
from dpviz.workspace.accounts import Reader

BOX = "project"  # key of the popover
NOT_SAVED = (
    "Table, plan and releases are forgotten a minute after this tab is closed. Open to save them "
    "as a project, or to open one."
)
WAITS = "Another tab changed the plan, too. Choose below which of the two to keep."
SAVED = "Plan, ledger and releases are there after the tab is closed. The table is not saved."


def show_eyebrow(file: str) -> None:
    """Show where this page is in the menu, the mode of the tab, and whether its work is saved."""
    info, ws = page(file), state.workspace()
    mode, icon, colour, why = parts.MODES[ws.mode]
    where = f"{info.group} · " * bool(info.group) + f"**{info.title}**"
    where += info.entry.removeprefix(info.title)
    row: dict[str, Any] = {"horizontal": True, "vertical_alignment": "center", "gap": "xsmall"}
    with st.container(key="eyebrow", **row):
        st.caption(where)
        st.badge(mode, icon=f":material/{icon}:", color=colour, help=why)  # type: ignore[arg-type]
        name = ws.keeper.name
        label = f"Saved in {literal(quoted(name))}" if name else "Not saved"
        look = ("folder", SAVED) if name else ("save", NOT_SAVED)
        if project_box.plan_waits():
            label, look = "Plan not saved yet", ("sync_problem", WAITS)
        box = press.popover(label, key=BOX, icon=look[0], help=look[1], type="tertiary")
        if box.open:
            with box:
                st.caption(f"**{mode}**: {why}")  # no key reaches the badge
                project_box.show(ws)


TITLE = "Your workspace was lost"
WHAT_HAPPENED = (
    "The connection was cut for too long, or the server was restarted. The table, the plan and the "
    "releases of this tab are gone, unless a project keeps them. Files that you downloaded stay "
    "valid."
)
WHAT_IT_COSTS = (
    "If you load the same table again, the privacy loss of its new releases adds to that of the "
    "old ones. The new workspace cannot count the old ones."
)
BUTTONS: dict[Mode, str] = {
    "hardened": "Start a new workspace in hardened mode",
    "teaching": "Start a new workspace in practice mode",
}


def say_lost() -> None:
    """Nothing of a workspace, old or new, until the visitor has chosen the mode of the new one."""
    st.title(TITLE, anchor=False)
    st.markdown(WHAT_HAPPENED)
    st.markdown(WHAT_IT_COSTS)
    with st.container(horizontal=True, gap="small"):
        for mode, label in BUTTONS.items():
            pressed = controls.button(label, key=f"start_{mode}", help=parts.MODES[mode][3])
            if pressed:
                with st.spinner("Finding the noise level of each budget …"):
                    state.begin(mode)
                st.rerun()
    project_box.offer_to_open()


ALONE = "tier"  # in the address: the one tier whose numbers are shown, without a menu
_MARK = state.Slot("_entry_ran", lambda: False)
_SELDOM = 86_400  # seconds
_ASSETS = Path(__file__).parent / "assets"


def _accents(inks: dict[str, str], *, dark: bool) -> str:
    """Styles of what stands out: the way on, links below headings, in the dark what is chosen.

    The primary colour cannot be 4.5:1 both under the white words of a button and over dark paper.
    Captions carry the meaning of a picture: they have 85 % of the ink, not Streamlit's 60 %.
    """
    chosen = (
        'button[data-selected="true"] p, [data-testid="stSliderThumbValue"] p'
        f" {{ color: {inks['chosen']} }}"
    )
    return f"""<style>
{chosen if dark else ""}
[data-testid="stCaptionContainer"] {{ opacity: 0.85 }}
.st-key-onward a {{ border: 1px solid {inks["chosen"]}; padding: 0.375rem 0.75rem }}
.st-key-onward a :is(p, span) {{ color: {inks["chosen"]}; font-weight: 600; white-space: normal }}
[class*="st-key-lesson_of_"] a {{ padding-left: 0 }}
[class*="st-key-card_"] a :is(p, span) {{ white-space: normal }}
.st-key-eyebrow {{ margin-bottom: -1.25rem }}
@media (max-width: 640px) {{ /* the page alone is named, so that the marks stay on its line */
  .st-key-eyebrow [data-testid="stCaptionContainer"] p {{ font-size: 0 }}
  .st-key-eyebrow [data-testid="stCaptionContainer"] strong {{ font-size: 0.875rem }}
  [data-testid="stLayoutWrapper"]:has(> [class*="st-key-card_"]) {{ flex: 1 0 100% }}
  [class*="st-key-card_"] {{ width: 100% }}
}}
[data-testid="stExpandSidebarButton"] {{ width: auto; margin-right: -1.5rem }}
[data-testid="stExpandSidebarButton"] > * {{ display: none }}
[data-testid="stExpandSidebarButton"]::after {{ content: "Menu" }}
</style>"""


def _navigation() -> dict[str, list[st.Page]]:
    """The pages by their groups, of which a run marks its own copies."""
    return {group: [*map(copy, entries)] for group, entries in _entries().items()}


@cache
def _entries() -> dict[str, list[st.Page]]:
    """The pages by their groups, looked for in the folder once for all visitors."""
    groups: dict[str, list[st.Page]] = {}
    for p in PAGES:
        seen: Any = "visible" if p.listed else "hidden"
        entry = st.Page(path(p.file), title=p.entry, default=p is PAGES[0], visibility=seen)
        groups.setdefault(p.group, []).append(entry)
    for file in MOVED:
        gone = st.Page(partial(_lead_on, file), title=file, url_path=file, visibility="hidden")
        groups[PAGES[0].group].append(gone)
    return groups


def _lead_on(file: str) -> None:
    """Lead from another address to its page, and to the story that took its place."""
    there, story = MOVED[file]
    asked = {STORY: story} if story else {}
    st.switch_page(path(there), query_params={**st.query_params.to_dict(), **asked})


def run_app() -> None:
    """Set the page up, draw the navigation, and run the page that was asked for."""
    st.set_page_config(page_title="dpviz", page_icon=str(_ASSETS / "icon.svg"), layout="wide")
    who, door = login.at_the_door()
    reads = isinstance(who, Reader)
    current = _navigated(reads, door)
    seen = st.context.theme.type or "light"
    st.html(_accents(INKS[seen], dark=seen == "dark"))
    _MARK.set(door is None)
    press.begin_run(current.url_path)
    frame = st.container(horizontal=True, horizontal_alignment="center")
    bare = asked_alone() is not None and not reads
    with frame, st.container(width=1240), nullcontext() if bare else login.with_way_out(who):
        if door is not None or reads or current.url_path in MOVED or _is_in_class(current):
            current.run()  # without a workspace
        else:
            _run_page(current)
    _run_again_after_a_cut()


def _is_in_class(current: Any) -> bool:
    """Whether this is the page of a student, who has no workspace."""
    return current.url_path == "classroom" and CODE in st.query_params


def _navigated(reads: bool, door: Callable[[], None] | None) -> Any:
    """The page that was asked for, of those that there are for this person."""
    if door is not None:
        return st.navigation(_at_every_address(door), position="hidden")
    if reads:
        return st.navigation(_pages_of_a_reader(), position="hidden")
    # Nothing leads elsewhere from one tier or from a class, not even a link that nobody sees.
    if asked_alone() is not None or CODE in st.query_params:
        return st.navigation(_navigation(), position="hidden")
    st.logo((_ASSETS / "logo.svg").read_text(encoding="utf-8"), size="large")
    return st.navigation(_navigation(), position="top")


def _run_page(current: Any) -> None:
    """Run a page around the workspace of this tab, or say that it was lost."""
    if state.lost():
        say_lost()
    else:
        project_box.begin_run()
        plan_file.take_address()
        seeds.take_address()
        plan_compare.begin_run()
        counting.begin_run()
        before = _true_of_tab()
        if asked_alone() is None and not lesson_view.is_lecture():
            show_eyebrow(current.url_path or PAGES[0].file)
            project_box.say_changed()
        _shown(current)
        project_box.end_run()
        if asked_alone() is None:
            seeds.keep_in_address(page(current.url_path or PAGES[0].file))
        if _true_of_tab() != before:  # what the eyebrow says has changed below it
            st.rerun()
    scripts.ask_before_leaving()
    scripts.shut_menu_when_chosen()
    scripts.undo_by_keys()


def _true_of_tab() -> tuple[str, str]:
    ws = state.workspace()
    return ws.mode, ws.keeper.name


def _shown(current: Any) -> None:
    """Run a page; where a table that stays in an engine does not answer, say why in its place."""
    try:
        current.run()
    except DataError as error:
        parts.refusal(str(error))


def _one_page(shown: Callable[[], None]) -> list[st.Page]:
    """No page but this one, whatever the address says."""
    return [st.Page(shown, title="dpviz", url_path="door", default=True)]


def _at_every_address(shown: Callable[[], None]) -> list[st.Page]:
    """The same page, and nothing else, at the address of each page."""
    files = [*(p.file for p in PAGES), *MOVED]
    return [*_one_page(shown), *(st.Page(shown, title="dpviz", url_path=file) for file in files)]


def _pages_of_a_reader() -> list[st.Page]:
    """The page Present, which shows a reader one tier alone, and the way to it."""
    there = st.Page(path("present"), title="dpviz")
    return [*_one_page(lambda: st.switch_page(path("present"))), there]


def asked_alone() -> str | None:
    """The tier that the address asks to be shown alone, as written there."""
    return st.query_params.get(ALONE)


@st.fragment(run_every=_SELDOM)
def _run_again_after_a_cut() -> None:
    """Nothing to see: only a page with a timer is run again when its connection is back.

    Without it, a page whose workspace is gone would stay on screen until the next click.
    """


def page_setup() -> None:
    """First statement of every page: never run a page without app.py."""
    if not _MARK.pop():
        # This switches the discovery of pages/ off for this process.
        st.navigation(_at_every_address(lambda: None) if admitted.asked() else _navigation())
        st.rerun()
