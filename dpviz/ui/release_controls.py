"""Acts of the Releases page: ask, upgrade, add, seal, start over, seed.

Everything that draws goes through `Workspace.draw` from a button's callback, so that a rerun, a
page switch and a double click give the same numbers.
"""

import secrets

import streamlit as st

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.figures.words import join
from dpviz.mechanisms.budgets import KINDS, Kind
from dpviz.mechanisms.tiers import Tier
from dpviz.parameters import plain
from dpviz.ui import parts
from dpviz.ui.state import attempt
from dpviz.ui.text import literal
from dpviz.ui.workspace import Workspace

TALL = 8  # beyond so many tiers the list of buttons scrolls


def ask(ws: Workspace) -> None:
    """One button per tier, the next at random, and all that remain."""
    (planned, problems), waiting = ws.planned(), ws.waiting()
    st.subheader("Ask, in any order", anchor=False)
    if problems:
        st.warning("Some tiers cannot be used: the page Tiers says why.")
        parts.link("tiers")
    elif ws.plan.refused:
        st.warning("The plan on the page Tiers has a problem: here stands the last one without.")
        parts.link("tiers")
    with st.container(height=380 if len(planned) > TALL else "content", gap="xsmall"):
        for p in planned:
            possible = ws.possible(p.budget.level)
            state = "" if p.name in waiting else ": held" if possible else ": impossible"
            st.button(
                parts.chip(p.name, ws.plan.style_of(p.name)) + state,
                key=f"draw_{p.name}",
                width="stretch",
                disabled=p.name not in waiting,
                help=None if possible else "The session is sealed at a noisier level.",
                on_click=attempt,
                args=(ws.draw, p.name),
            )
    st.button(
        "Draw the next at random",
        icon=":material/shuffle:",
        width="stretch",
        disabled=not waiting,
        on_click=_draw_any,
        args=(ws,),
    )
    st.button(
        "Draw all that remain",
        type="primary",
        icon=":material/done_all:",
        width="stretch",
        disabled=not waiting,
        on_click=_draw_all,
        args=(ws,),
    )
    st.caption("Drawn once and kept: asking again gives the same numbers.")


def change_plan(ws: Workspace) -> None:
    """Upgrade a tier, or add one, and draw it: the other releases stay untouched."""
    with st.popover("Upgrade a tier …", icon=":material/upgrade:", width="stretch"):
        names = [p.name for p in ws.planned()[0]]
        name = st.selectbox("Tier", names, key="upgrade_tier")
        kind, amount = _budget("upgrade")
        st.caption("A new release at another level; what the tier holds already, it keeps.")
        st.button(
            "Upgrade and draw",
            icon=":material/upgrade:",
            disabled=not (name and amount),
            on_click=attempt,
            args=(ws.upgrade, name, kind, amount),
        )
    with st.popover("Add a tier …", icon=":material/add:", width="stretch"):
        name = st.text_input("Name", key="added_tier").strip()
        kind, amount = _budget("added")
        st.caption("It may stand anywhere between the tiers; nobody else’s numbers change.")
        st.button(
            "Add and draw",
            icon=":material/add:",
            disabled=not (name and amount),
            on_click=attempt,
            args=(ws.add_tier, Tier(name=name, amount=amount, kind=kind)),
        )


def _budget(key: str) -> tuple[Kind, str]:
    """A budget as kind and typed text."""
    left, right = st.columns(2)
    kind = left.selectbox("as", KINDS, key=f"{key}_kind")
    amount = right.text_input("Budget", key=f"{key}_amount", placeholder="0.1")
    return kind or KINDS[0], amount.strip()


def _draw_any(ws: Workspace) -> None:
    waiting = ws.waiting()
    if waiting:
        attempt(ws.draw, secrets.choice(waiting))


def _draw_all(ws: Workspace) -> None:
    attempt(ws.draw, *ws.waiting())


def session_acts(ws: Workspace) -> None:
    """Acts on the session as a whole, side by side."""
    st.subheader("This session", anchor=False)
    for column, act in zip(st.columns(3), (_seal, _seed, _start_over), strict=True):
        with column:
            act(ws)


def _seal(ws: Workspace) -> None:
    """Erase the exact numbers; says what becomes impossible, and asks."""
    if ws.round is not None and ws.round.session.sealed_at is not None:
        st.caption("Sealed: the exact numbers are erased from this session.")
        return
    caps = ws.caps()[::-1]
    if not caps:
        return
    with st.popover("Seal at a tier …", icon=":material/lock:", width="stretch"):
        cap = st.selectbox(
            "Least private release that will ever be served",
            caps,
            format_func=lambda t: f"{t.name}, {t.budget}",
        )
        lost = [p.name for p in ws.planned()[0] if p.budget.level < cap.level]
        gone = f"Impossible from then on: {literal(join(lost))}." if lost else ""
        st.markdown(
            "The exact numbers are erased from this session, for good; its random generator is "
            f"replaced. {literal(cap.name)} is drawn if it is not held. "
            + (gone or "Every tier stays possible.")
        )
        st.caption("The table itself stays loaded until you replace it or close the tab.")
        st.button("Erase and seal", icon=":material/lock:", on_click=attempt, args=(ws.seal, cap))


def _start_over(ws: Workspace) -> None:
    """Fresh noise on the same data; says that it costs, and asks."""
    if ws.round is None:
        return
    with st.popover("Start over …", icon=":material/restart_alt:", width="stretch"):
        st.markdown(
            "A new session draws fresh noise on the same data. What was released stays released: "
            "the privacy loss of both sessions adds."
        )
        st.button("Start over, and add", on_click=ws.start_over)


def _seed(ws: Workspace) -> None:
    """The seed of teaching mode: on screen only."""
    if ws.mode == "hardened":
        st.caption("Hardened mode: randomness comes from the operating system, there is no seed.")
        return
    with st.expander("Teaching mode: the seed", icon=":material/school:"):
        typed = st.text_input(
            "Seed of the next session",
            str(ws.seed),
            key="seed",
            persist_state="session",
            help="Same seed, table, plan and order: same numbers. Who knows it can subtract the "
            "noise, so it enters no download.",
        )
        try:
            ws.seed = seed_from(str(typed))
        except ParameterError as error:
            parts.refusal(str(error))
        if ws.round is not None:
            st.caption("The session in use keeps the seed that it began with.")


def seed_from(text: str) -> int:
    """Read the seed of teaching mode.

    >>> seed_from("7")
    7
    """
    try:
        value = int(text) if plain(text) else -1
        checks.whole(0, seed=value)
    except ValueError:
        raise ParameterError(
            "The seed must be a whole number of at least 0. Type one, for example 7."
        ) from None
    return value
