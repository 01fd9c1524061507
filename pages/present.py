"""Present: what one tier sees, large; by its address (?tier=…) alone, and nothing beside it."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit import login, parts
from dpviz.ui.kit.page_table import page, path
from dpviz.ui.kit.shell import asked_alone, page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.present import controls, reader, screen
from dpviz.workspace import takeaways
from dpviz.workspace.one_tier import one_tier

page_setup()
if (person := login.reader()) is not None:
    reader.show(person)
    st.stop()
ws = workspace()
asked = asked_alone()
if asked is not None:
    screen.alone(one_tier(ws, asked))
    st.stop()
view = one_tier(ws, controls.choose(ws.held)) if ws.held else None
if view is not None:
    parts.bare_head(screen.title(view), view.sentence)
    picture, bar = st.container(), st.container()
    with picture:
        screen.numbers(view, bar)
else:
    parts.bare_head(page("present").question, takeaways.NOTHING_TO_SHOW)
    if controls.go_to_releases():
        st.switch_page(path("releases"))
    controls.sample()
controls.lectures()
st.caption(parts.kept()[0])
if view is not None:
    parts.onward("present")
