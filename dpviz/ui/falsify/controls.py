"""Controls of the page Falsify: who compares notes, the mistake beside, how many runs."""

from dataclasses import replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.accounting.guarantees import offered
from dpviz.experiments.audit import MOST_TO_CHOOSE
from dpviz.noise import ADDITIVE
from dpviz.planning.cast import AUDIT, PARTNERS, PUBLIC, RESEARCH
from dpviz.ui.falsify import jobs, words
from dpviz.ui.falsify.games import (
    BESIDE,
    BROKEN,
    FIRST,
    LONG,
    OURS,
    QUICK,
    Question,
    members_of,
)
from dpviz.ui.falsify.jobs import Trial
from dpviz.ui.kit import controls, press, work
from dpviz.words import percent


def mistake() -> Question:
    """Which broken copy stands beside our noise."""
    name = controls.selectbox(
        "The broken copy’s mistake",
        list(words.TWIN_NAMES),
        index=list(words.TWIN_NAMES).index(BESIDE.name),
        format_func=lambda key: words.TWIN_NAMES[key],
        key="falsify_twin",
        help="Two are printed in the paper behind this dashboard. The others are slips that "
        "programs really have.",
    )
    return Question(kind=BROKEN, name=str(name), members=(), runs=QUICK)


def ours(place: DeltaGenerator | None) -> Question:
    """Whose numbers the attacker holds, and of which noise.

    Args:
        place: of what only specialists change.
    """
    members = controls.pills(
        "Readers who compare notes",
        (AUDIT, RESEARCH, PARTNERS, PUBLIC),
        default=FIRST.members,
        key="falsify_members",
        help="All four have asked one session, in an order that needs bridges. These compare "
        "their numbers.",
    )
    with place or st.container():
        noise = controls.selectbox(
            "Noise on trial",
            offered(),
            format_func=lambda name: ADDITIVE[name].label,
            key="falsify_noise",
            help="Of noise with decimals the law is on trial: its last binary digits tell all, so "
            "it is for teaching only.",
        )
    if not members:
        st.info("Choose at least one tier. Until then: all four.", icon=":material/edit:")
    held = members_of(members or FIRST.members)
    return Question(kind=OURS, name=str(noise), members=held, runs=QUICK)


def tried(quick: Question) -> tuple[Question, Trial | None]:
    """The longest trial that there is of this; where there is none yet, how far one is.

    The one that a visitor meets first is there at once.
    """
    long = replace(quick, runs=LONG)
    found: Trial | None = work.result(long)
    if found is not None:
        return long, found
    if quick in (FIRST, BESIDE):
        return quick, work.result(quick) or work.keep(quick, jobs.first(quick))
    if work.pending(long):
        if (kept := work.result(quick)) is None:
            progress(quick)
        return quick, kept
    return quick, work.found(quick, jobs.trial, *quick.settings, what=words.TRIAL)


def play(asked: Question) -> None:
    """A button for a million runs, or how far they are."""
    long, quick = (replace(asked, runs=runs) for runs in (LONG, QUICK))
    played, running = work.result(long) is not None, work.pending(long) or work.pending(quick)
    press.button(
        words.play(played=played, running=running),
        work.start,
        long,
        jobs.trial,
        *long.settings,
        key="falsify_play",
        icon="casino",
        type="primary",
        width="stretch",
        disabled=played or running,
        help=f"A million runs of our noise with Maria and a million without. {MOST_TO_CHOOSE:,} of "
        "each choose the bet, the others count it.",
    )


def progress(asked: Question) -> None:
    """How far the million runs are, with a button that stops them; or why they ended."""
    work.watch(replace(asked, runs=LONG), lambda share: f"{words.TRIAL}: {percent(share)}")
