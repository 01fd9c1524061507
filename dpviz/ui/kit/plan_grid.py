"""The editable plan: ready plans, colours, one unit for all budgets, the order of rows."""

from dataclasses import replace
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.palette import COLOUR_NAMES
from dpviz.planning.amounts import ACCURACIES
from dpviz.planning.budgets import KINDS
from dpviz.planning.presets import PRESETS, without_given
from dpviz.planning.tiers import AMOUNT, ANYONE, COLUMNS, KIND, MAX_NAME, NAME, NOTE, ORDER, PEOPLE
from dpviz.streams import Mode
from dpviz.ui.kit import controls, parts, plan_compare, press
from dpviz.ui.kit.state import Slot, field
from dpviz.words import join
from dpviz.words.markdown import literal
from dpviz.workspace.workspace import Workspace

BUDGETS, NOTES = (NAME, AMOUNT, KIND, PEOPLE), (NAME, ORDER, NOTE)  # columns that fit a phone
_BASE = Slot("tier_editor_base", pd.DataFrame)


def editor_key(ws: Workspace, *, notes: bool = False) -> str:
    """Key of the grid: another one after each rewrite of the plan, so that it starts afresh.

    So it does with other columns; it then begins with the rows as they are.
    """
    return f"tier_editor_{ws.plan.edition}{'_notes' * notes}"


def edit(ws: Workspace, settings: Any) -> tuple[list[str], DeltaGenerator]:
    """The editable table; shows one sentence per problem. What was typed is kept.

    Args:
        ws: the workspace.
        settings: where the rows are sorted and their units changed.

    Returns:
        The problems; and the place of the files, which hold what all fields of the page say.
    """
    st.subheader("The plan", anchor=False)
    grid = st.container()
    with st.container(horizontal=True, gap="xsmall"):
        turns = st.container(horizontal=True, gap="xsmall", width="content")
        _ready_plans(ws)
        _colours(ws)
        plans = st.container(width="content")
        files = st.container(width="content")
    choose_mode(ws)  # before the grid, whose budgets are read in this mode
    with settings:
        notes = controls.toggle("Edit order and notes", key="plan_notes")
    key = editor_key(ws, notes=notes)
    if field(key) is None:  # first visit, a rewrite, or back from another page
        _BASE.set(pd.DataFrame(ws.plan.typed_rows, columns=list(COLUMNS), dtype="str"))
    unit = _last_unit(_BASE.get())
    with grid:
        edited = controls.data_editor(
            _BASE.get(),
            key=key,
            alt="Tiers: name, " + ("order, note." if notes else "budget, unit, readers."),
            column_config=_columns(unit),
            column_order=NOTES if notes else BUDGETS,
        )
        about = st.empty()
        problems = _use(ws, edited)
    with turns:
        plan_compare.turns(ws)
    with plans:
        plan_compare.box(ws)
    if _last_unit(edited) != unit:  # a new row takes it from here on
        ws.plan.edition += 1
        st.rerun()
    about.caption(_about(ws) + _notes(ws) * (not notes))
    for sentence in problems:
        parts.refusal(sentence)
    _asked_again(ws)
    with settings:  # an act on all rows begins with them as they are now
        press.button(
            "Sort rows by “Order”", ws.change_plan, ws.plan.sort, key="sort_rows", icon="sort"
        )
        _currency(ws)
    return problems, files


def _asked_again(ws: Workspace) -> None:
    """The ± that were typed for another kind of number, beside those that are asked again."""
    before = [f"{literal(name)} {literal(said)}" for name, said in ws.plan.beside.items()]
    if before:
        now = literal(ws.statistic.query.noun_released)
        st.info(
            f"A ± of one statistic says nothing of another, so these are asked again, now in "
            f"{now}. Before: {join(before)}.",
            icon=":material/edit:",
        )


def _use(ws: Workspace, edited: pd.DataFrame) -> list[str]:
    """Put the rows to use; a new budget that promises next to nothing asks here for a tick."""
    typed = edited.to_dict("records")
    rows = without_given(typed, ws.plan.typed_rows)
    if rows != typed:  # the grid shows them from the next run on
        ws.plan.edition += 1
    with st.spinner("Finding the noise level of each budget …"):
        weak = ws.plan.weak(rows, ws.setting)
    who = {p.name: f"{p.name}, {p.tier.amount} as {p.tier.kind}" for p in weak}
    unsure = [
        p.name
        for p in weak
        if not parts.confirm_weak_budget(p.budget, f"plan_{p.name}", who=who[p.name])
    ]
    problems = ws.use_tiers(rows, unsure=unsure)
    if rows != typed or (weak and not problems):  # the ticks have done their work
        st.rerun()
    return problems


def _last_unit(rows: pd.DataFrame) -> str:
    """The unit of the last row, which a new row begins with."""
    known = [unit for unit in rows[KIND] if unit in KINDS]
    return known[-1] if known else KINDS[0]


def _about(ws: Workspace) -> str:
    """What a tier and its budget are, and how to add one."""
    kinds = {tier.kind for tier in ws.plan.tiers}
    near, one = kinds & {*ACCURACIES}, ws.statistic.query.nouns.one
    loss = (
        f"how much its numbers may give away about one {one}. Larger: less noise, so a smaller ± "
        "and more right guesses. "
    )
    rho = " ρ (rho)" * (kinds <= {"ρ"})
    return (
        "A tier: readers who get the same numbers. "
        + f"Budget{rho}: {loss}" * (not near or near != kinds)
        + "Budget ±: how far off its numbers may be; smaller means sharper. " * bool(near)
        + "To add a tier, type its name into the empty row."
    )


def _notes(ws: Workspace) -> str:
    """The notes, which are in the report, where the grid does not show them."""
    noted = [f"{t.name}: {t.note}" for t in ws.plan.tiers if t.note]
    return f" Notes, for the report: {literal('; '.join(noted))}." if noted else ""


def _columns(unit: str) -> dict[str, Any]:
    """What each column is called, how wide it is, and what may be typed.

    Args:
        unit: of a new row.
    """
    return {
        NAME: st.column_config.TextColumn("Tier", required=True, max_chars=MAX_NAME, width=84),
        AMOUNT: st.column_config.TextColumn(
            "Budget",
            required=True,
            width=76,
            help="Type a decimal number; for (ε, δ) type 1, 1e-7. Larger ρ, ε, μ = less private.",
        ),
        KIND: st.column_config.SelectboxColumn(
            "Unit",
            options=list(KINDS),
            required=True,
            default=unit,
            width=60,
            help="ρ; ε at the plan’s δ; (ε, δ) with a δ of its own; μ; or ±a, the accuracy "
            "wanted with 90, 95 or 99 % confidence, of one group or of all at once: a number such "
            "as 50, or a share of an expected size such as 5 % of 2000.",
        ),
        PEOPLE: st.column_config.TextColumn(
            "Readers",
            width=82,
            help=f"How many people belong to this tier, or “{ANYONE}”. The noise does not depend "
            "on it.",
        ),
        ORDER: st.column_config.TextColumn(
            "Order", width=60, help="A button among the settings sorts the rows by this number."
        ),
        NOTE: st.column_config.TextColumn("Note", width="medium"),
    }


def _ready_plans(ws: Workspace) -> None:
    """A plan to take instead of all rows."""
    with st.popover("Choose a ready-made plan", icon=":material/list_alt:"):
        for preset in PRESETS:
            st.markdown(f"**{preset.name}**")
            st.caption(preset.story)
            press.button(
                f"Use this plan: {preset.name}",
                ws.change_plan,
                ws.plan.use_preset,
                preset,
                key=f"preset_{preset.name}",
            )
        st.caption("A ready plan replaces the rows above. Releases made so far stay as they are.")


def _colours(ws: Workspace) -> None:
    """Another colour for a tier, from those that can be read on both papers."""
    tiers = [tier for tier in ws.plan.tiers if ws.plan.style_of(tier.name).slot]
    if not tiers:
        return
    with st.popover("Colours", icon=":material/palette:"):
        names = [tier.name for tier in tiers][::-1]
        who = names[
            parts.choose_tier("Whose?", names, [*map(ws.plan.style_of, names)], key="colour_whose")
        ]
        style = ws.plan.style_of(who)
        looks = {
            name: parts.chip(name, replace(style, slot=slot))
            for slot, name in enumerate(COLOUR_NAMES, 1)
        }
        colour = controls.pill(
            "Colour",
            COLOUR_NAMES,
            default=style.name,
            key=controls.keyed("tier_colour", (who, style.name)),
            format_func=looks.__getitem__,
            lasting=False,
        )
        press.button(
            f"Give {literal(who)} this colour",
            ws.change_plan,
            ws.plan.recolour,
            who,
            colour,
            key="recolour",
        )
        st.caption("It is kept with the plan. A tier that has it already gets another one.")


def _currency(ws: Workspace) -> None:
    """One currency for all rows."""
    with st.popover("State all budgets as …", icon=":material/sync:", width="stretch"):
        for kind in KINDS:
            press.button(
                kind, ws.change_plan, ws.plan.state_as, kind, key=f"state_{kind}", width="stretch"
            )
        st.caption(
            "The noise stays as it is, rounded to the private side; what you typed before comes "
            "back when you switch back. If you choose another noise later, the budgets stay as "
            "stated here."
        )


def choose_mode(ws: Workspace) -> None:
    """Teaching or hardened; sessions that exist keep the mode that they began with."""
    modes: list[Mode] = ["teaching", "hardened"]
    chosen = controls.segmented_control(
        "Mode",
        modes,
        default=ws.mode,
        format_func=lambda mode: parts.MODES[mode][0],
        key="mode",
        help="Practice mode: the noise comes from a seed and can be repeated; no privacy claim. "
        "Hardened: it comes from the operating system’s randomness, without a seed, and only "
        "noise in whole numbers is offered.",
    )
    st.caption(
        "Practice mode: to try out, never to publish, since its noise can be repeated. Hardened: "
        "to publish, with noise that cannot be repeated."
    )
    if chosen and chosen != ws.mode:
        with st.spinner("Finding the noise level of each budget …"):
            ws.use_mode(chosen)
