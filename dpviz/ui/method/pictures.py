"""The pictures of the page Method, and what stands in its closers."""

import streamlit as st

from dpviz.charts.method.alarms import alarm_squares
from dpviz.charts.method.mistakes import mistake_bars
from dpviz.ui.kit import parts
from dpviz.ui.method import errata, words
from dpviz.ui.method.rules import alarms_frame
from dpviz.words.markdown import literal


def mistakes() -> None:
    """What is printed in the papers would have done."""
    parts.chart(
        mistake_bars(errata.frame()),
        heading=words.heading(),
        reading=words.READING,
        alt=words.ALT,
        key="method_mistakes",
    )
    st.markdown(words.how_bad())


def alarms() -> None:
    """Every mistake that was made on purpose, each seen by a test."""
    parts.chart(
        alarm_squares(alarms_frame()),
        heading=words.alarms_heading(),
        reading=words.ALARMS_READING,
        alt=words.alarms_alt(),
        key="method_alarms",
    )


def limits() -> None:
    """What holds against whom, and what does not."""
    parts.table(words.protects_frame(), alt="Who might want to know; what holds; what does not.")


def unknown() -> None:
    """Questions that nobody has answered."""
    st.markdown("\n".join(f"- {literal(each)}" for each in words.UNKNOWN))
