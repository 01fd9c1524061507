"""The frame around every page: navigation, and the guard each page begins with.

A deep link on a cold server would run a page without app.py; `page_setup` sends it through app.py.
"""

from pathlib import Path

import streamlit as st

from dpviz.palette import INKS
from dpviz.ui.kit import leaving, lost, phone_menu, plan_file, press, project_box, state
from dpviz.ui.kit.page_table import PAGES, path

ALONE = "tier"  # in the address: the one tier whose numbers are shown, without a menu
_MARK = state.Slot("_entry_ran", lambda: False)
_SELDOM = 86_400  # seconds
_ASSETS = Path(__file__).parent / "assets"


def _accents(inks: dict[str, str], *, dark: bool) -> str:
    """Styles of what stands out: the way on, links below headings, in the dark what is chosen.

    The primary colour cannot be 4.5:1 both under the white words of a button and over dark paper.
    """
    chosen = (
        'button[data-selected="true"] p, [data-testid="stSliderThumbValue"] p'
        f" {{ color: {inks['chosen']} }}"
    )
    return f"""<style>
{chosen if dark else ""}
.st-key-onward a {{ border: 1px solid {inks["chosen"]}; padding: 0.375rem 0.75rem }}
.st-key-onward a :is(p, span) {{ color: {inks["chosen"]}; font-weight: 600 }}
[class*="st-key-lesson_of_"] a {{ padding-left: 0 }}
</style>"""


def _navigation() -> dict[str, list[st.Page]]:
    groups: dict[str, list[st.Page]] = {}
    for p in PAGES:
        entry = st.Page(path(p.file), title=p.title, default=p is PAGES[0])
        groups.setdefault(p.group, []).append(entry)
    return groups


def run_app() -> None:
    """Set the page up, draw the navigation, and run the page that was asked for."""
    st.set_page_config(page_title="dpviz", page_icon=str(_ASSETS / "icon.svg"), layout="wide")
    if asked_alone() is None:
        current = st.navigation(_navigation(), position="top")
        st.logo((_ASSETS / "logo.svg").read_text(encoding="utf-8"), size="large")
    else:  # nothing leads elsewhere, not even a link that nobody sees
        current = st.navigation(_navigation(), position="hidden")
    seen = st.context.theme.type or "light"
    st.html(_accents(INKS[seen], dark=seen == "dark"))
    _MARK.set(True)
    press.begin_run(current.url_path)
    frame = st.container(horizontal=True, horizontal_alignment="center")
    with frame, st.container(width=1240):
        if state.lost():
            lost.say_lost()
        else:
            project_box.begin_run()
            plan_file.take_address()
            current.run()
            project_box.end_run()
        leaving.ask_before()
        phone_menu.shut_when_chosen()
    _run_again_after_a_cut()


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
        st.navigation(_navigation())  # switches the discovery of pages/ off for this process
        st.rerun()
