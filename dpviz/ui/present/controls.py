"""Controls and pictures of the page Present: what a tier sees, as that tier sees it.

Nothing here can show an exact number: the pictures are made from one tier's release alone.
"""

from collections.abc import Sequence

import streamlit as st

from dpviz.charts.releases.frame import releases_frame
from dpviz.charts.releases.single import one_tier_chart, sample_frame, span_of
from dpviz.palette import TierStyle
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, usual_half_width
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.page_table import PAGES, path
from dpviz.ui.kit.state import field
from dpviz.words import capitalised, clean, number, shorten
from dpviz.words.markdown import literal
from dpviz.workspace import takeaways
from dpviz.workspace.held import HeldTier
from dpviz.workspace.workspace import Workspace

NOBODY = "nobody else"
BESIDE = 2  # lessons in a row
_FILL = "fill_screen"


def choose(held: Sequence[HeldTier]) -> list[HeldTier]:
    """The tier that is shown, and perhaps a second one beside it; empty if none is held."""
    if not held:
        return []
    names = [t.name for t in held]
    first_side, second_side, fill_side = st.columns([2, 2, 1], vertical_alignment="bottom")
    with first_side:
        first = controls.selectbox(
            "Show what this tier sees", names, format_func=clean, key="presented", lasting=False
        )
    others = [NOBODY, *(n for n in names if n != first)]
    with second_side:
        second = controls.selectbox(
            "Beside it", others, format_func=clean, key="presented_too", lasting=False
        )
    with fill_side:
        controls.toggle(
            "Hide the menu", key=_FILL, help="F11 fills the whole display.", lasting=False
        )
    if is_filled():
        parts.without_menu()
    return [t for name in (first, second) for t in held if t.name == name]


def is_filled() -> bool:
    """Whether the page is shown without menu, lessons and way on."""
    return bool(field(_FILL))


def lectures() -> None:
    """The lessons as a speaker shows them: large, without the menu, by arrow keys."""
    lessons = [page for page in PAGES if page.is_lesson]
    st.subheader("Or show a lesson, large", anchor=False)
    for first in range(0, len(lessons), BESIDE):
        row = lessons[first : first + BESIDE]
        for column, page in zip(st.columns(BESIDE), row, strict=False):
            with column.container(border=True, gap="xsmall", height="stretch"):
                st.markdown(f"**{page.question}**")
                with st.container(key=f"lesson_of_{page.file}"):
                    controls.page_link(path(page.file), "Show this lesson", lecture="on")
    st.caption("The menu is hidden then; Next and Back, or the arrow keys, turn the screens.")


def title(ws: Workspace, chosen: Sequence[HeldTier]) -> str:
    """Who is shown and the number, or how many there are."""
    query = ws.statistic.query
    chips = [parts.chip(t.name, TierStyle(t.slot, t.symbol)) for t in chosen]
    if len(chosen) > 1:
        return " beside ".join(chips)
    if len(query.labels) > 1 or query.per_value > 1:
        return f"{chips[0]} sees {takeaways.counted(len(query.labels))} numbers"
    (value,) = releases_frame(query, chosen, ws.family, ACCURACY_CONFIDENCE)["value"]
    half = usual_half_width(ws.family, chosen[0].level, query.step)
    return f"{chips[0]} sees {number(value, step=half)} {takeaways.unit_words(query)}"


def go_to_releases() -> bool:
    """The one button of the empty page; whether it was pressed."""
    label, icon = "Open Releases", "arrow_forward"
    return controls.button(label, key="present_go", type="primary", icon=icon)


def sample() -> None:
    """What a room would see, before there is a release."""
    frame = sample_frame()
    parts.chart(
        one_tier_chart(frame, axis_title="people", span=span_of([frame])),
        heading="Example: what the room would see",
        reading="An invented number; the bar holds the exact one 95 times in 100. After the first "
        "draw yours stands here, in colour.",
        alt="An example in grey: one large number with its ±, and a bar as wide as that.",
        key="sample",
    )


def pictures(ws: Workspace, chosen: Sequence[HeldTier]) -> None:
    """One large picture per tier, on the same scale."""
    query = ws.statistic.query
    made = [releases_frame(query, [t], ws.family, ACCURACY_CONFIDENCE) for t in chosen]
    span = span_of(made)
    for column, tier, frame in zip(st.columns(len(chosen)), chosen, made, strict=True):
        with column:
            chip = parts.chip(tier.name, TierStyle(tier.slot, tier.symbol))
            parts.chart(
                one_tier_chart(frame, axis_title=query.noun, span=span),
                heading=chip if len(chosen) > 1 else literal(capitalised(query.statistic)),
                reading="",
                alt=f"What {shorten(tier.name)} sees: {len(query.labels):,} numbers, "
                f"{takeaways.within(tier, ws.family, ACCURACY_CONFIDENCE, query)}.",
                key=f"single_{tier.level!r}",
            )
