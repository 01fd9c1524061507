"""Controls around the screen of the page Present: who is shown, and where to go on."""

from collections.abc import Sequence

import streamlit as st

from dpviz.charts.present import one_tier_chart, sample_frame, span_of
from dpviz.ui.kit import controls, parts, state
from dpviz.ui.kit.page_table import PAGES, path
from dpviz.ui.kit.shell import ALONE
from dpviz.ui.present.screen import CHOSEN
from dpviz.words import clean

IN_A_ROW = 2  # lessons


def choose(names: Sequence[str]) -> str:
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
    st.query_params.from_dict({ALONE: state.field(CHOSEN)})  # and nothing else, such as a seed


def lectures() -> None:
    """The lessons as a speaker shows them: large, without the menu, by arrow keys."""
    lessons = [page for page in PAGES if page.is_lesson]
    st.subheader("Or show a lesson, large", anchor=False)
    for first in range(0, len(lessons), IN_A_ROW):
        row = lessons[first : first + IN_A_ROW]
        for column, page in zip(st.columns(IN_A_ROW), row, strict=False):
            with column.container(border=True, gap="xsmall", height="stretch"):
                st.markdown(f"**{page.question}**")
                with st.container(key=f"lesson_of_{page.file}"):
                    controls.page_link(path(page.file), "Show this lesson", lecture="on")
    st.caption(
        "A lesson opens without the menu; Next and Back, or a keyboard’s arrow keys, lead through "
        "it."
    )


def go_to_releases() -> bool:
    """The one button of the empty page; whether it was pressed."""
    label, icon = "Go to Releases", "arrow_forward"
    return controls.button(label, key="present_go", type="primary", icon=icon)


def sample() -> None:
    """What a room would see, before there is a release."""
    frame = sample_frame()
    parts.chart(
        one_tier_chart(frame, axis_title="people", span=span_of(frame)),
        heading="Example: what the room would see",
        reading="An invented number. 95 times in 100 the exact one lies within such a bar. "
        "Yours will stand here in colour.",
        alt="An example in grey: one large number with its ±, and a bar as wide as that.",
        key="sample",
    )
