"""Growing trust: one mechanism in three stories, of which one is told."""

import streamlit as st

from dpviz.ui.growing_trust import circle, market, pulse
from dpviz.ui.kit import controls
from dpviz.ui.kit.page_table import STORY
from dpviz.ui.kit.state import Slot, fill, nothing
from dpviz.workspace.workspace import Workspace

PULSE, CIRCLE, MARKET = "pulse", "circle", "market"
STORIES = {PULSE: "Patient’s pulse", CIRCLE: "Circle of friends", MARKET: "Data market"}
KEY = "trust_story"
_PAGES = {PULSE: pulse.PAGE, CIRCLE: circle.PAGE, MARKET: market.PAGE}
_SEEN = Slot[str | None]("trust_story_seen", nothing)


def chosen() -> str:
    """The story that the visitor wants, by the switch or by the address; the address keeps it."""
    asked = st.query_params.get(STORY)
    if asked in STORIES and asked != _SEEN.get():
        fill(KEY, asked)
    story: str = controls.segmented_control(
        "Story", STORIES, default=PULSE, key=KEY, label_visibility="collapsed"
    )
    _SEEN.set(story)
    st.query_params[STORY] = story
    return story


def show(ws: Workspace) -> None:
    """Show the page: the switch stands between the headline and the picture of its story."""
    top = st.container()
    _PAGES[chosen()].show(ws, top)  # type: ignore[attr-defined]
