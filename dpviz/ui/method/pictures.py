"""The picture of the page Method, and the tables behind its folds."""

import streamlit as st

from dpviz.charts.method.alarms import alarm_squares
from dpviz.charts.method.mistakes import mistake_bars
from dpviz.release import software
from dpviz.ui.kit import controls, parts
from dpviz.ui.method import errata, words
from dpviz.ui.method.papers import papers_frame
from dpviz.ui.method.rule import TOPICS
from dpviz.ui.method.rules import about, alarms_frame
from dpviz.ui.method.symbols import symbols_frame
from dpviz.words.markdown import literal


def alarms() -> None:
    """The main picture: every mistake that was made on purpose, each seen by a test."""
    parts.chart(
        alarm_squares(alarms_frame()),
        heading=words.alarms_heading(),
        reading=words.ALARMS_READING,
        alt=words.alarms_alt(),
        key="method_alarms",
    )


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


def doubts() -> None:
    """What a doubter asks first."""
    parts.look_closer(
        "These rules: what is printed, a counterexample, what may be meant",
        _stories,
        key="method_stories",
    )
    parts.look_closer(
        "Every rule: its paper, its code, and how it was broken to see its test fail",
        _rules,
        key="method_rules",
    )
    parts.look_closer("What is protected against whom, and what is not", _limits, key="method_who")


def folds() -> None:
    """What a specialist asks next."""
    parts.look_closer("What nobody knows yet", _unknown, key="method_unknown")
    parts.look_closer("Every word and every symbol", _glossary, key="method_words")
    parts.look_closer("Papers, and versions", _papers, key="method_papers")


def _rules() -> None:
    topic = controls.segmented_control("Rules about", TOPICS, key="method_topic", default=TOPICS[0])
    for rule in about(topic):
        with st.container(gap="xxsmall"):
            st.markdown(f"**{literal(rule.says)}**")
            st.markdown(words.seen_to_fail(rule))
            st.caption(words.way_to(rule))
    st.caption(words.ABOUT_RULES)
    with st.container(horizontal=True, vertical_alignment="center"):
        st.markdown(words.TRY_IT, width="content")
        parts.link("falsify")


def _stories() -> None:
    for each in errata.mistakes():
        st.markdown(f"**{literal(each.about)}** ({literal(each.where)}: {each.said})")
        st.markdown(f"Printed: “{literal(each.quote)}”.")
        st.markdown(literal(each.told))
        st.markdown(f"Perhaps meant: {literal(each.meant)}")
        st.caption(f"docs/MATHEMATICS.md, section {each.section}")
    st.caption(words.ABOUT_MISTAKES)


def _limits() -> None:
    parts.table(words.protects_frame(), alt="Who might want to know; what holds; what does not.")


def _unknown() -> None:
    st.markdown("\n".join(f"- {literal(each)}" for each in words.UNKNOWN))


def _glossary() -> None:
    parts.table(words.glossary_frame(), alt="The words of the field, a sentence each.")
    parts.table(symbols_frame(), alt="Every symbol: its name, unit and meaning.")


def _papers() -> None:
    parts.table(papers_frame(), alt="The papers behind the rules, by their keys.")
    st.caption("  ·  ".join(f"{name} {version}" for name, version in software()))
