"""Present: what one tier sees, large; by its address (?tier=…) alone, and nothing beside it."""

import streamlit as st

import dpviz.ui.kit.whole  # noqa: F401 - loads everything, by one thread
from dpviz.ui.kit import login, parts
from dpviz.ui.kit.page_table import page, path
from dpviz.ui.kit.shell import asked_alone, page_setup
from dpviz.ui.kit.state import workspace
from dpviz.ui.present import controls, reader, screen
from dpviz.workspace import takeaways
from dpviz.workspace.one_tier import seen_by, shown_to, who_sees

page_setup()
if (person := login.reader()) is not None:
    reader.show(person)
    st.stop()
ws = workspace()
asked, names = asked_alone(), who_sees(ws)
name = asked if asked is not None or not names else controls.choose(names)
entries = seen_by(ws, name) if name is not None and name in names else []
found = [screen.named(ws.session_of(e).asking.statistic, e) for e in entries]
if asked is not None:
    screen.alone(name if found else None, found, lambda at: shown_to(ws, asked, entries[at]))
    st.stop()
if name is not None and found:
    view = shown_to(ws, name, entries[screen.choose(found, key="present_release")])
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
if found:
    parts.onward("present")
