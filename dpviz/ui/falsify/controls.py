"""Controls of the page Falsify: what is put on trial, who compares notes, how many runs."""

from dataclasses import replace

import streamlit as st

from dpviz.accounting.guarantees import offered
from dpviz.noise import ADDITIVE
from dpviz.planning.cast import ASKING, AUDIT, PARTNERS, PUBLIC, RESEARCH
from dpviz.ui.falsify import jobs, words
from dpviz.ui.falsify.games import BROKEN, LONG, OURS, QUICK, Question
from dpviz.ui.falsify.jobs import Trial
from dpviz.ui.kit import controls, press, work
from dpviz.words import join, percent

KINDS = {OURS: "ours", BROKEN: "a broken copy"}
FIRST = (RESEARCH, PUBLIC)


def asked() -> Question:
    """What is on trial."""
    kind = controls.segmented_control(
        "What is on trial",
        KINDS,
        default=OURS,
        key="falsify_kind",
        help="The samplers of this dashboard, or copies of them with one mistake each.",
    )
    if kind == BROKEN:
        name = controls.selectbox(
            "The mistake",
            list(words.TWIN_NAMES),
            format_func=lambda key: words.TWIN_NAMES[key],
            key="falsify_twin",
            help="Two are printed in the paper behind this dashboard. The others are slips that "
            "programs really have.",
        )
        return Question(kind=BROKEN, name=str(name), members=(), runs=QUICK)
    noise = controls.selectbox(
        "Noise",
        offered(),
        format_func=lambda name: ADDITIVE[name].label,
        key="falsify_noise",
        help="Of noise with decimals the law is on trial: its last binary digits tell all, so it "
        "is for teaching only.",
    )
    members = controls.pills(
        "Who compares notes",
        (AUDIT, RESEARCH, PARTNERS, PUBLIC),
        default=FIRST,
        key="falsify_members",
        help="All four have asked one session, in an order that needs bridges. These compare "
        "their numbers.",
    )
    if not members:
        st.info(f"Choose at least one tier. Until then: {join(FIRST)}.", icon=":material/edit:")
    held = tuple(name for name in ASKING if name in (members or FIRST))
    return Question(kind=OURS, name=str(noise), members=held, runs=QUICK)


def tried(quick: Question) -> tuple[Question, Trial | None]:
    """The longest trial that there is of this, and a button for a million runs."""
    long = replace(quick, runs=LONG)
    found: Trial | None = work.result(long)
    press.button(
        "Play 1 million runs",
        work.start,
        long,
        jobs.trial,
        *long.settings,
        key="falsify_play",
        icon="casino",
        type="primary",
        width="stretch",
        disabled=found is not None or work.pending(long),
        help="A million runs with Maria and a million without. Half of them choose the event, the "
        "other half prove it.",
    )
    work.watch(long, lambda share: f"{percent(share)} of the runs")
    if found is not None:
        return long, found
    if work.pending(long):
        return quick, work.result(quick)
    return quick, work.found(quick, jobs.trial, *quick.settings, what="The trial")
