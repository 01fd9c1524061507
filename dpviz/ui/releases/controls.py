"""Acts of the Releases page: draw, upgrade, add, limit, seal, start over, seed.

Everything that draws goes through `Workspace.draw` from a press, so that a rerun, a page switch and
a double click give the same numbers.
"""

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.accounting.composition import ZCDP
from dpviz.accounting.guarantees import guarantee_of
from dpviz.errors import ParameterError
from dpviz.parameters import seed_from
from dpviz.planning.amounts import PAIR
from dpviz.planning.budgets import KINDS, Kind
from dpviz.planning.tiers import Tier
from dpviz.ui.kit import admitted, controls, panel, parts, plan_file, press, session_box
from dpviz.ui.kit.controls import Width
from dpviz.ui.kit.page_table import path
from dpviz.ui.kit.panel import Offer
from dpviz.ui.releases import view as view_controls
from dpviz.ui.releases import words
from dpviz.ui.releases.view import View
from dpviz.words import clean, pm
from dpviz.words.markdown import literal
from dpviz.workspace import changes
from dpviz.workspace.group_sizes import size_of
from dpviz.workspace.held import HeldTier
from dpviz.workspace.limits import LIMITS, read_limit
from dpviz.workspace.nearness import nearness
from dpviz.workspace.projects.absent import drawable, is_absent
from dpviz.workspace.workspace import Workspace

NAMED = 6  # tiers in the order of asking; more are counted
_EXAMPLES = {"ρ": "0.1", "ε": "1", "(ε, δ)": "1, 1e-7", "μ": "0.5"}


SEALED = "The session is sealed at a noisier level."
AWAY = "It is sharper than what was drawn, so it needs the table, which is not loaded."
DRAW = "Drawing adds random noise once and keeps the number{}."
YOURS = "; nobody else sees it until you hand it out"
LATER = "What if someone asks later?"
BOX = "later"  # its key
CLOSES = f"closer_{BOX}"


def ask(ws: Workspace) -> None:
    """What draws, or that all is drawn; below it who asked, and a way to the lecture room.

    Before the first draw the buttons are large, and each says how near its numbers will come.
    """
    _warn(ws)
    _without_table(ws)
    if all_drawn(ws):
        with _row():
            _done(ws)
            _order(ws)
            _present()
        return
    offered, first = panel.offer_plain(ws, drawable(ws), key="draw"), not ws.held
    width: Width = "stretch" if first else "content"
    with st.container(gap="xsmall") if first else _row():
        waiting, draw = offered.waiting, offered.draw
        label = panel.rest("Draw", len(waiting or ws.waiting()), len(ws.planned()[0]))
        panel.draw_rest(waiting, draw, key="draw_rest", label=label, width=width)
        st.markdown("or one by one, in any order:", width="content")
        _buttons(ws, offered, width=width)
        if not first:
            _present()
    if offered.waiting:
        how = DRAW.format("" if admitted.asked() else YOURS)
        st.caption((f"{how} " if first else "") + offered.all)
    _order(ws)


def _present() -> None:
    """To the screen that a room looks at."""
    if controls.button("Present", key="to_present", icon="present_to_all"):
        st.switch_page(path("present"))


def _without_table(ws: Workspace) -> None:
    """Where the table is not loaded: what needs none of it."""
    one = ws.round
    if not is_absent(ws.statistic.table) or one is None or not one.mechanism.levels:
        return
    if one.mechanism.sealed_at is not None:  # then nothing sharper is to be had in any way
        return
    can, drawn = drawable(ws), list(dict.fromkeys(e.tier for e in ws.entries_of(one)))
    st.markdown(words.without_table(can, drawn))
    if not ws.waiting():
        parts.link("tiers")


def waits_for_table(ws: Workspace) -> str:
    """Who waits for the table that is not loaded, and why."""
    can = drawable(ws)
    waiting = [name for name in ws.waiting() if name not in can]
    drawn = ws.round is not None and bool(ws.round.mechanism.levels)
    return words.needs_table(waiting, ws.statistic.table.name, drawn=drawn)


def _row(width: Width = "stretch") -> DeltaGenerator:
    """What stands side by side, and wraps."""
    return st.container(horizontal=True, vertical_alignment="center", gap="xsmall", width=width)


def all_drawn(ws: Workspace) -> bool:
    """Whether every tier of the plan has its release."""
    planned = ws.planned()[0]
    return (
        bool(planned and ws.held)
        and not ws.waiting()
        and all(ws.possible(p.budget.level) for p in planned)
    )


def _done(ws: Workspace) -> None:
    """That there is nothing left to draw, in place of the buttons."""
    planned = ws.planned()[0]
    press.forget("draw_rest", *(f"draw_{p.name}" for p in planned))
    st.badge(words.all_drawn(len(planned)), icon=":material/check:", color="green")


def _warn(ws: Workspace) -> None:
    """What of the plan cannot be drawn, and which page says why."""
    problems = ws.planned()[1]
    if problems:
        st.warning("Some tiers cannot be used: the page Tiers says why.")
        parts.link("tiers")
    elif ws.plan.refused:
        st.warning("The plan on the page Tiers has a problem. Here is the last plan without one.")
        parts.link("tiers")


def _buttons(ws: Workspace, offered: Offer, *, width: Width) -> None:
    """One button per tier, sharpest first."""
    planned, waiting, now = ws.planned()[0], ws.waiting(), offered.waiting
    query, family, size = ws.statistic.query, ws.family, size_of(ws)
    rows = []
    for p in planned[::-1]:
        possible = ws.possible(p.budget.level)
        state = "" if p.name in waiting else " ✓" if possible else ": impossible"
        away = p.name in waiting and p.name not in now
        half, noun = nearness(query, family, p.budget, size)
        near = literal(pm(half, unit=noun)) if width == "stretch" else ""
        rows.append(
            panel.Row(
                name=p.name,
                label=f"{parts.chip(p.name, ws.plan.style_of(p.name))}{state} {near}".strip(),
                waiting=p.name in now,
                help=AWAY if away else offered.each.get(p.name) if possible else SEALED,
            )
        )
    panel.draw(rows, offered.draw, key="draw_", width=width)


def settings(ws: Workspace) -> View:
    """What specialists change: how the numbers are looked at, the limit, and the seed."""
    look, most, seed = st.columns(3, gap="medium")
    with look:
        view = view_controls.view(ws)
    with most:
        _limit(ws)
    with seed:
        _seed(ws)
    return view


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
        _start_over(ws)


def _order(ws: Workspace) -> None:
    """The tiers in the order of asking."""
    order = list(dict.fromkeys(e.tier for e in ws.entries_of(ws.round)))
    if not order:
        return
    shown = [
        f"**{place}** {parts.chip(name, ws.plan.style_of(name))}"
        for place, name in enumerate(order[:NAMED], 1)
    ]
    more = [f"{len(order) - NAMED} more"] if len(order) > NAMED else []
    st.markdown(f"Asked in this order: {' · '.join([*shown, *more])}", width="content")


def _upgrade_form(ws: Workspace) -> None:
    """Upgrade a tier and draw it: the other releases stay untouched."""
    known = {p.name: p for p in ws.known()}
    name = (
        controls.selectbox(
            "Tier", list(known), format_func=clean, key="upgrade_tier", lasting=False
        )
        or ""
    )
    before = known.get(name)
    kind, amount = _budget("upgrade", before.tier.kind if before else KINDS[0])
    sure = _what_it_means(ws, name, kind, amount)
    st.caption("A new release at a larger budget. The tier keeps what it already has.")
    press.button(
        "Upgrade and draw",
        _upgrade,
        ws,
        name,
        kind,
        amount,
        sure,
        key="upgrade_draw",
        closes=CLOSES,
        icon="upgrade",
    )


def _add_form(ws: Workspace) -> None:
    """Add a tier and draw it: the other releases stay untouched."""
    name = controls.text_input("Name", key="added_tier", lasting=False).strip()
    kind, amount = _budget("added", ws.plan.currency)
    sure = _what_it_means(ws, name or "the new tier", kind, amount)
    st.caption("Its budget may lie anywhere among the others; nobody else’s numbers change.")
    press.button(
        "Add and draw",
        _add,
        ws,
        Tier(name=name, amount=amount, kind=kind),
        sure,
        key="add_draw",
        closes=CLOSES,
        icon="add",
    )


def _upgrade(ws: Workspace, name: str, kind: Kind, amount: str, sure: bool) -> None:
    ws.upgrade(name, kind, amount, sure=sure)


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
            placeholder=_EXAMPLES.get(kind, "20, or 5 % of 400"),
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
    after = wanted.drawn[name]
    held = ws.most_held(name)
    if held is not None and after.level > held.level:
        st.caption("That is less than the tier has. An upgrade needs a larger budget.")
    elif wanted.had is not None and after.level > wanted.had.level:
        st.caption("That is less than the plan says, which changes with it.")
    return parts.meant(after, f"{name}_{kind}_{amount}")


def _limit(ws: Workspace) -> None:
    """Set the most that everything together may cost: every act keeps it."""
    left, right = st.columns(2)
    usual = "ρ" if guarantee_of(ws.family).definition == ZCDP else PAIR
    with left:
        kind: Kind = controls.selectbox(
            "Limit as",
            list(LIMITS),
            index=list(LIMITS).index(usual),
            key=f"limit_kind_{usual}",
            lasting=False,
            help="A limit in ρ can count only Gaussian noise, one in ε only noise without a δ. One "
            "in (ε, δ) counts every noise, at the δ typed here.",
        )
    with right:
        amount = controls.text_input(
            "Limit", key="limit_amount", placeholder=_EXAMPLES[kind], lasting=False
        )
    st.caption("For everything released here together. A draw that would exceed it is refused.")
    press.button(
        "Keep this limit", _use_limit, ws, kind, amount, key="limit_use", closes=parts.DRAWER
    )
    if ws.limit is not None and ws.owner is None:
        press.button("Lift the limit", ws.use_limit, None, key="limit_lift", closes=parts.DRAWER)


def _use_limit(ws: Workspace, kind: Kind, amount: str) -> None:
    ws.use_limit(read_limit(kind, amount))


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


def _start_over(ws: Workspace) -> None:
    """Fresh noise on the same data; says that it costs, and asks."""
    if ws.round is None:
        st.caption("There is nothing to start over: no number has been drawn.")
        return
    session_box.start_over(ws, ws.round, key="start_over", box=CLOSES)


def _seed(ws: Workspace) -> None:
    """The seed of teaching mode: on screen, in the address, and in a plan that is saved."""
    if ws.mode == "hardened":
        st.caption("Hardened mode: randomness comes from the operating system, there is no seed.")
        return
    typed = controls.text_input(
        "Seed of the next session",
        str(ws.seed),
        key=plan_file.SEED_FIELD,
        help="The same seed, table and question give the same numbers, in any tab and any order; "
        "sparse histograms and reports differ from tab to tab. Anyone who knows the seed can "
        "subtract the noise: the address and the plan file have it, hand-outs never do.",
    )
    try:
        ws.seed = seed_from(typed)
    except ParameterError as error:
        parts.refusal(str(error))
    if ws.round is not None:
        st.caption("The session in use keeps the seed that it began with.")
