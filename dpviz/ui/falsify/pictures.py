"""The picture of the page Falsify: our noise and a broken copy, on one scale of bets."""

import math

import streamlit as st

from dpviz.charts.falsify.bets import bets_chart, bets_frame
from dpviz.ui.falsify import words
from dpviz.ui.falsify.games import Question
from dpviz.ui.falsify.jobs import Trial
from dpviz.ui.kit import parts

CAUGHT: parts.Badge = (words.CAUGHT, "block", "red", "It proves more than is promised.")
HOLDS: parts.Badge = (
    words.HOLDS,
    "check",
    "green",
    "Nothing that it asked tells more than exact noise of this budget may. That proves nothing: "
    "another question might.",
)
LAW_BADGES: dict[bool, parts.Badge] = {
    True: (words.LAW_FAILS, "block", "red", "The numbers have another distribution than said."),
    False: (words.LAW_PASSES, "check", "green", "Tested on all tiers together."),
}
Tried = tuple[Question, Trial | None]


def badges(asked: Question, trial: Trial | None) -> list[parts.Badge]:
    """What both checks say."""
    if trial is None:
        return []
    found = [CAUGHT if words.caught(asked, trial) else HOLDS]
    return found if trial.law is None else [*found, LAW_BADGES[words.law_fails(trial)]]


def bets(*tried: Tried) -> None:
    """How many of 1,000 bets the attacker wins against each, beside what is promised."""
    rows = [
        (words.who(asked), words.won(trial), asked.guesses)
        for asked, trial in tried
        if trial is not None
    ]
    if not rows:
        st.caption(words.coming(tried[0][0]))
        return
    parts.chart(
        bets_chart(bets_frame(rows)),
        heading="How many of 1,000 bets the attacker wins",
        reading=words.reading(tried[0][0]),
        alt="Bars from 500, a coin, to 1,000: "
        + "; ".join(
            f"{who} {won:.0f}, promised at most {math.ceil(most)}" for who, won, most in rows
        )
        + ".",
        key="falsify_bets",
    )
