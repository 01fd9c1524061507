"""What draws: a button for each tier, and what comes after the plan.

Everything that draws goes through the workspace from a press, so that a rerun, a page switch and
a double click give the same numbers.
"""

from collections.abc import Sequence

import streamlit as st

from dpviz.errors import ParameterError
from dpviz.planning.budgets import KINDS, Kind
from dpviz.planning.tiers import Tier
from dpviz.ui.kit import admitted, controls, panel, parts, press, session_box
from dpviz.ui.kit.page_table import path
from dpviz.ui.kit.panel import Offer
from dpviz.ui.releases import together
from dpviz.words import capitalised, clean, join, pm
from dpviz.words.markdown import literal
from dpviz.workspace import account, changes
from dpviz.workspace.guesses import A_COIN, right_by
from dpviz.workspace.held import HeldTier
from dpviz.workspace.nearness import nearness, size_of
from dpviz.workspace.projects.absent import drawable, is_absent
from dpviz.workspace.takeaways import close_and_safe, everybody
from dpviz.workspace.workspace import Workspace

EXAMPLES = {"ρ": "0.1", "ε": "1", "(ε, δ)": "1, 1e-7", "μ": "0.5"}  # of budgets
SEALED = "The session is sealed at a noisier level."
AWAY = "It is sharper than what was drawn, so it needs the table, which is not loaded."
DRAW = "Drawing adds random noise once and keeps the number{}."
PRACTICE = "Practice numbers are for trying out; to publish, choose Hardened on the page Tiers. "
YOURS = "; nobody else sees it until you hand it out"
LATER = "What if someone asks later?"
BOX = "later"  # its key
CLOSES = f"closer_{BOX}"


def ask(ws: Workspace) -> None:
    """Offer every draw, or say that all is drawn; each button says how near its numbers come."""
    _warn(ws)
    _without_table(ws)
    if together.chosen(ws):
        together.ask(ws)
        if ws.held:
            _present()
        return
    if _all_drawn(ws):
        press.forget("draw_rest", *(f"draw_{p.name}" for p in ws.planned()[0]))
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            count = len(ws.planned()[0])
            said = f"{everybody(count).text} drawn" if count > 1 else "Drawn"
            st.badge(said, icon=":material/check:", color="green")
            _present()
        return
    offered = panel.offer_plain(ws, drawable(ws), key="draw")
    practice, waiting = ws.mode == "teaching", len(offered.waiting or ws.waiting())
    label = panel.rest(waiting, len(ws.planned()[0]), practice=practice)
    with st.container(gap="xsmall"):
        if not ws.ledger and offered.waiting:
            first, right = ws.values_of_tiers[0], right_by(account.plan(ws)[0])
            st.markdown(close_and_safe(first, ws.family, ws.statistic.query, right, size_of(ws)))
        panel.draw_rest(offered.waiting, offered.draw, key="draw_rest", label=label)
        st.markdown("or one by one, in any order:")
        _buttons(ws, offered)
    if offered.waiting:
        how = "" if ws.held else f"{DRAW.format('' if admitted.asked() else YOURS)} "
        how += PRACTICE if practice else ""
        st.caption(how + offered.all + _shared(ws))
    if ws.held:
        _present()


def _shared(ws: Workspace) -> str:
    """What the whole plan would cost with separate noise, before anything is drawn."""
    joint, alone = account.plan(ws)
    if ws.ledger or joint.value == alone.value:
        return ""
    return f" With separate noise for each: {right_by(alone).said} times ({A_COIN.text})."


def _all_drawn(ws: Workspace) -> bool:
    """Whether every tier of the plan has its release."""
    planned = ws.planned()[0]
    return (
        bool(planned and ws.held)
        and not ws.waiting()
        and all(ws.possible(p.budget.level) for p in planned)
    )


def _present() -> None:
    """A button to the screen that a room looks at."""
    if controls.button("Present", key="to_present", icon="present_to_all"):
        st.switch_page(path("present"))


def _warn(ws: Workspace) -> None:
    """What of the plan cannot be drawn, and which page says why."""
    problems = ws.planned()[1]
    if problems:
        st.warning("Some tiers cannot be used: the page Tiers says why.")
        parts.link("tiers")
    elif ws.plan.refused:
        st.warning("The plan on the page Tiers has a problem. Here is the last plan without one.")
        parts.link("tiers")
    elif beyond := ws.beyond_limit():
        st.warning(f"The whole plan is beyond the limit: {literal(beyond)}.")
        parts.link("tiers")


def _buttons(ws: Workspace, offered: Offer) -> None:
    """One button per tier, sharpest first."""
    query, family, size, waiting = ws.statistic.query, ws.family, size_of(ws), ws.waiting()
    rows = []
    for p in ws.planned()[0][::-1]:
        possible = ws.possible(p.budget.level)
        state = "" if p.name in waiting else " ✓" if possible else ": impossible"
        away = p.name in waiting and p.name not in offered.waiting
        half, noun = nearness(query, family, p.budget, size)
        near = literal(pm(half, unit=noun)) if ws.ledger else ""  # before that the bars say it
        chip = parts.chip(p.name, ws.plan.style_of(p.name))
        rows.append(
            panel.Row(
                name=p.name,
                label=f"{chip}{state} {near}".rstrip(),
                waiting=p.name in offered.waiting,
                help=AWAY if away else offered.each.get(p.name) if possible else SEALED,
            )
        )
    panel.draw(rows, offered.draw, key="draw_")


# --- where the table is not loaded ---


def _without_table(ws: Workspace) -> None:
    """Where the table is not loaded: what needs none of it."""
    one = ws.round
    if not is_absent(ws.statistic.table) or one is None or not one.mechanism.levels:
        return
    if one.mechanism.sealed_at is not None:  # then nothing sharper is to be had in any way
        return
    drawn = list(dict.fromkeys(e.tier for e in ws.entries_of(one)))
    st.markdown(needs_no_table(drawable(ws), drawn))
    if not ws.waiting():
        parts.link("tiers")


def needs_no_table(can: Sequence[str], drawn: Sequence[str]) -> str:
    """Return what can still be drawn without the table, and what it is made from.

    Args:
        can: the tiers that wait and would get less than one that has its number.
        drawn: the tiers that have theirs.

    >>> needs_no_table(["public"], ["audit"])
    '**A noisier number needs no table.** Public gets the number of audit with more noise added.'
    """
    source = f"the number of {literal(drawn[0])}" if len(drawn) == 1 else "a number already drawn"
    said = f"Lower a budget or add a tier: it gets {source}, with more noise added."
    if can:
        who, get = literal(capitalised(join(list(can)))), "gets" if len(can) == 1 else "get"
        said = f"{who} {get} {source} with more noise added."
    return f"**A noisier number needs no table.** {said}"


def waits_for_table(ws: Workspace) -> str:
    """Return who waits for the table that is not loaded, and why; if nobody, what it is for."""
    can, name = drawable(ws), literal(ws.statistic.table.name)
    waiting = [tier for tier in ws.waiting() if tier not in can]
    drawn = ws.round is not None and bool(ws.round.mechanism.levels)
    if not drawn or not waiting:
        return f"**To draw {'a sharper number' if drawn else 'more'}, bring {name} again**"
    who, be, need = literal(capitalised(join(waiting))), "are", "they need"
    if len(waiting) == 1:
        be, need = "is", "it needs"
    return f"**{who} {be} sharper than anything drawn so far, so {need} {name}**"


# --- what comes after the plan ---


def later(ws: Workspace) -> None:
    """What comes after the plan: another reader, more for one of them, and the end."""
    add, upgrade, seal, over = st.tabs(["Add a tier", "Upgrade a tier", "Seal", "Start over"])
    with add:
        _add_form(ws)
    with upgrade:
        _upgrade_form(ws)
    with seal:
        _seal(ws)
    with over:
        if ws.round is None:
            st.caption("There is nothing to start over: no number has been drawn.")
        else:
            session_box.start_over(ws, ws.round, key="start_over", box=CLOSES)


def _upgrade_form(ws: Workspace) -> None:
    """Upgrade a tier and draw it: the other releases stay untouched."""
    known = {p.name: p for p in ws.known()}
    name = controls.selectbox(
        "Tier", list(known), format_func=clean, key="upgrade_tier", lasting=False
    )
    before = known.get(name or "")
    kind, amount = _budget("upgrade", before.tier.kind if before else KINDS[0])
    sure = _what_it_means(ws, name or "", kind, amount)
    st.caption("A new release at a larger budget. The tier keeps what it already has.")
    drawn = (ws, name or "", kind, amount, sure)
    press.button(
        "Upgrade and draw", _upgrade, *drawn, key="upgrade_draw", closes=CLOSES, icon="upgrade"
    )


def _upgrade(ws: Workspace, name: str, kind: Kind, amount: str, sure: bool) -> None:
    ws.upgrade(name, kind, amount, sure=sure)


def _add_form(ws: Workspace) -> None:
    """Add a tier and draw it: the other releases stay untouched."""
    name = controls.text_input("Name", key="added_tier", lasting=False).strip()
    kind, amount = _budget("added", ws.plan.currency)
    sure = _what_it_means(ws, name or "the new tier", kind, amount)
    st.caption("Its budget may lie anywhere among the others; nobody else’s numbers change.")
    tier = Tier(name=name, amount=amount, kind=kind)
    press.button("Add and draw", _add, ws, tier, sure, key="add_draw", closes=CLOSES, icon="add")


def _add(ws: Workspace, tier: Tier, sure: bool) -> None:
    ws.add_tier(tier, sure=sure)


def _budget(key: str, usual: Kind) -> tuple[Kind, str]:
    """A budget as kind and typed text; it opens in the currency that the plan speaks."""
    left, right = st.columns(2)
    with left:
        kind = controls.selectbox(
            "as", KINDS, index=KINDS.index(usual), key=f"{key}_kind_{usual}", lasting=False
        )
    with right:
        amount = controls.text_input(
            "Budget",
            key=f"{key}_amount",
            placeholder=EXAMPLES.get(kind, "20, or 5 % of 400"),
            lasting=False,
        )
    return kind or usual, amount.strip()


def _what_it_means(ws: Workspace, name: str, kind: Kind, amount: str) -> bool:
    """Say what the typed budget changes before it is drawn; returns whether it is surely meant."""
    if not amount:
        return False
    try:
        wanted = changes.of_budget(ws, name, kind, amount)
    except ParameterError as error:
        st.caption(literal(error))
        return False
    query, family, size = ws.statistic.query, ws.family, size_of(ws)
    panel.changed(wanted, lambda b: nearness(query, family, b, size))
    after, held = wanted.drawn[name], ws.most_held(name)
    if held is not None and after.level > held.level:
        st.caption("That is less than the tier has. An upgrade needs a larger budget.")
    elif wanted.had is not None and after.level > wanted.had.level:
        st.caption("That is less than the plan says, which changes with it.")
    return parts.confirm_weak_budget(after, f"{name}_{kind}_{amount}")


def _seal(ws: Workspace) -> None:
    """Erase the exact numbers; says what becomes impossible, and asks."""
    if ws.round is not None and ws.round.mechanism.sealed_at is not None:
        st.caption(session_box.IS_SEALED)
        return
    caps = ws.caps()[::-1]
    if not caps:
        return
    cap = controls.selectbox(
        "Least private release that will ever be served",
        caps,
        format_func=lambda t: f"{clean(t.name)}, {t.budget}",
        lasting=False,
        key=controls.keyed("seal_at", [(t.name, t.budget) for t in caps]),
    )
    lost = [p.name for p in ws.planned()[0] if p.budget.level < cap.level]
    first_of_all = f"{cap.name} first gets its release if it has none."
    st.markdown(literal(session_box.erases(lost, first_of_all)))
    sure = True
    if cap.name in ws.waiting():
        first = panel.offer_plain(ws, [cap.name], key="seal")
        st.caption(first.all)
        sure = first.sure(cap.name)
    st.caption(session_box.STAYS)
    press.button("Erase and seal", _erase, ws, cap, sure, key="seal", closes=CLOSES, icon="lock")


def _erase(ws: Workspace, cap: HeldTier, sure: bool) -> None:
    ws.seal(cap, sure=sure)
