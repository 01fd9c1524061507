"""Controls and pictures of the page Present: what a tier sees, as that tier sees it.

Nothing here can show an exact number: the pictures are made from one tier's release alone.
"""

from collections.abc import Sequence

import streamlit as st

from dpviz.charts.releases.frame import releases_frame
from dpviz.charts.releases.single import one_tier_chart, span_of
from dpviz.handout.post_processing import PROCESSINGS
from dpviz.palette import TierStyle
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.kit import controls, looking, parts
from dpviz.ui.kit.page_table import PAGES, path
from dpviz.ui.kit.state import field
from dpviz.words import capitalised, clean, percent
from dpviz.words.markdown import literal
from dpviz.workspace import takeaways
from dpviz.workspace.held import HeldTier
from dpviz.workspace.workspace import Workspace

NOBODY = "nobody else"
_FILL = "fill_screen"
_PLAIN = """<style>
[data-testid="stHeader"] { display: none }
[data-testid="stMainBlockContainer"] { padding-top: 1rem; max-width: 100% }
</style>"""


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
        st.html(_PLAIN)
    return [t for name in (first, second) for t in held if t.name == name]


def is_filled() -> bool:
    """Whether the page is shown without menu and folds."""
    return bool(field(_FILL))


def lectures() -> None:
    """Links to the lessons as a speaker shows them: large, without the menu, by arrow keys."""
    with st.container(horizontal=True, vertical_alignment="center", gap="xsmall"):
        st.markdown("**Show a lesson**, large; the arrow keys turn its screens", width="content")
        for page in PAGES:
            if page.is_lesson:
                controls.page_link(path(page.file), page.title, lecture="on")


def badges(ws: Workspace) -> list[parts.Badge]:
    """What kind of release the numbers on screen are, and whether groups were read off the data."""
    kind = PROCESSINGS["released"].kind_for(ws.statistic.query)
    return [parts.KINDS_OF_RELEASE[kind], *looking.badges(ws)]


def pictures(ws: Workspace, chosen: Sequence[HeldTier]) -> None:
    """One large picture per tier, on the same scale."""
    if not chosen:
        parts.empty("Nothing is released yet.", "Draw a tier on the page Releases, then show it.")
        return
    query = ws.statistic.query
    made = [releases_frame(query, [t], ws.family, ACCURACY_CONFIDENCE) for t in chosen]
    span = span_of(made)
    for column, tier, frame in zip(st.columns(len(chosen)), chosen, made, strict=True):
        with column:
            style = TierStyle(tier.slot, tier.symbol)
            parts.chart(
                one_tier_chart(frame, axis_title=query.noun, span=span),
                heading=f"{parts.chip(tier.name, style)}, {literal(tier.budget)}",
                reading=f"{literal(capitalised(query.statistic))}: the number released, and where "
                f"the exact one lies with {percent(ACCURACY_CONFIDENCE)} confidence.",
                alt=f"What {tier.name[:20]} sees: {len(query.labels):,} numbers, "
                f"{takeaways.within(tier, ws.family, ACCURACY_CONFIDENCE, query)}.",
                key=f"single_{tier.level!r}",
            )
