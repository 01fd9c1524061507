"""Ask tier by tier on the page Linear queries, see what is held, and hand the answers out.

The buttons of the made-up year and of the user's statistic do the same to different sessions.
"""

from collections.abc import Callable

import streamlit as st

from dpviz.handout import tier_csv
from dpviz.release import LedgerEntry
from dpviz.ui.kit import controls, looking, parts, press
from dpviz.ui.kit.hand_out import file_name
from dpviz.ui.linear_queries import example
from dpviz.ui.linear_queries import own as linear_own
from dpviz.ui.linear_queries.view import Answers, Own, View
from dpviz.words import budget, join
from dpviz.words.markdown import literal
from dpviz.workspace import structured
from dpviz.workspace.held import HeldTier
from dpviz.workspace.sessions import Structured
from dpviz.workspace.workspace import Workspace

KEPT = "Ask in any order; what is drawn is kept. Larger budget: less private, less noise."


def answers(ws: Workspace, shown: View) -> Answers:
    """A button for each tier, and what they hold now.

    Raises:
        ParameterError: if a budget of the made-up year's tiers cannot be used.
    """
    return _made_up(shown) if shown.own is None else _own(ws, shown, shown.own)


def _made_up(shown: View) -> Answers:
    one = example.held(shown)
    for name in example.TIERS:
        has, found = name in one.drawn, one.budgets[name]
        press.button(
            f"{name}: {'held' if has else 'draw'} at {budget(found.letter, found.loss)}",
            one.draw,
            name,
            key=f"linear_draw_{name}",
            width="stretch",
            disabled=has,
        )
    st.caption(KEPT)
    press.button(
        "Start this session over",
        example.start_over,
        shown.key,
        key="linear_over",
        icon="restart_alt",
        width="stretch",
        help="Fresh noise. Only a made-up year may be asked again like this.",
    )
    return example.answers(shown, one)


def _own(ws: Workspace, shown: View, own: Own) -> Answers:
    tiers, left_out = linear_own.planned(ws, shown)
    held = {(e.tier, e.level) for _, e in linear_own.held_tiers(ws, shown)}
    for p in tiers:
        has = (p.name, p.budget.level) in held
        words = budget(p.budget.letter, p.budget.loss)
        press.button(
            f"{parts.chip(p.name, ws.plan.style_of(p.name))}: {'held' if has else 'draw'} at "
            f"{words}",
            linear_own.draw,
            ws,
            shown,
            own,
            p.name,
            key=f"linear_own_{p.name}",
            width="stretch",
            disabled=has,
        )
    parts.problem_of_last_act()
    st.caption(KEPT)
    st.caption(
        "Other questions, another noise or another factorization are a session of their own, and "
        "the losses of sessions add up."
    )
    if left_out:
        st.caption(f"Left out: {literal(join(left_out))}. Give each an ε or a ρ on the page Tiers.")
    revealed = looking.reveal(
        ws,
        own.statistic.table,
        "Reveal the exact answers: not private",
        key="linear_reveal",
        help_text="For teaching: the exact answers are drawn in grey.",
    )
    return linear_own.answers(ws, shown, own, revealed)


def files(ws: Workspace, shown: View) -> None:
    """A file for each release on the user's statistic: what the tier gets, and nothing else."""
    one = structured.find(ws, shown.key) if shown.own else None
    held = linear_own.held_tiers(ws, shown) if one else []
    if one is None or not held:
        return
    st.subheader("Hand out", anchor=False)
    with st.container(horizontal=True, gap="small"):
        for tier, entry in held:
            controls.download_button(
                parts.chip(tier.name, ws.plan.style_of(entry.tier)),
                data=_file(shown, one, tier, entry),
                file_name=f"linear-{file_name(entry)}",
                key=f"linear_file_{entry.number}",
            )
    st.caption("Each file holds one tier’s answers and what they are; no other tier’s, none exact.")


def _file(shown: View, one: Structured, tier: HeldTier, entry: LedgerEntry) -> Callable[[], bytes]:
    """Writes the file when it is asked for."""
    return lambda: tier_csv(linear_own.release_of(shown, one, tier, entry))
