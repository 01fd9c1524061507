"""The pictures of the page Falsify: the event that tells most, and the game."""

import streamlit as st

from dpviz.charts.falsify.event import event_bars, event_frame
from dpviz.ui.falsify import words
from dpviz.ui.falsify.games import Question
from dpviz.ui.falsify.jobs import Trial
from dpviz.ui.kit import parts
from dpviz.words import percent

CAUGHT: parts.Badge = (words.CAUGHT, "block", "red", "It proves more than is promised.")
HOLDS: parts.Badge = (
    words.HOLDS,
    "check",
    "green",
    "Nothing that it asked tells more than exact noise of this budget may. That proves nothing: "
    "another question might.",
)
UNPROVED: parts.Badge = (
    words.UNPROVED,
    "check",
    "gray",
    "The share is larger than is promised, but luck may have done it.",
)
LAW_BADGES: dict[bool, parts.Badge] = {
    True: (words.LAW_FAILS, "block", "red", "The numbers have another distribution than said."),
    False: (words.LAW_PASSES, "check", "green", "Tested on all tiers together."),
}


def badges(asked: Question, trial: Trial | None) -> list[parts.Badge]:
    """What both checks say."""
    if trial is None:
        return []
    _, likely, allowed = words.shares(asked, trial)
    held = HOLDS if likely <= allowed else UNPROVED
    found = [CAUGHT if words.caught(asked, trial) else held]
    return found if trial.law is None else [*found, LAW_BADGES[words.law_fails(trial)]]


def event(asked: Question, trial: Trial | None) -> None:
    """The event that proves most, on both tables."""
    if trial is None:
        st.caption(words.coming(asked))
        return
    seen = trial.audit.best(asked.delta)
    frame = event_frame(seen, words.allowed(asked, trial))
    rare, likely = frame["share"]
    tables = frame["table"].tolist()
    st.subheader(words.HEADING, anchor=False)
    st.markdown(words.clue(asked, seen))
    parts.chart(
        event_bars(frame),
        heading="",
        reading="",
        alt=f"Two bars. The clue is there in {percent(rare)} of the runs {tables[0]} and in "
        f"{percent(likely)} of those {tables[1]}, where at most "
        f"{percent(frame['allowed'].iloc[0])} are allowed.",
        key="falsify_event",
    )
    if frame["allowed"].iloc[0] < 1:
        st.markdown(words.why(asked, trial))
    st.caption(words.reading(asked))
