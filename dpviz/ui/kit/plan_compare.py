"""Two plans side by side: A, which was kept, and B, the one in use.

Undo and redo of the plan: two buttons, which the keys that everybody knows press, too.

A press is carried out at the beginning of the next run: before the fields, which it fills, and
after the run in which what was typed last was read.
"""

from collections.abc import Callable

import pandas as pd
import streamlit as st

from dpviz.charts.forms.guess_scale import with_sign
from dpviz.noise import ADDITIVE
from dpviz.scenes.tiers import Line, Told, side_by_side
from dpviz.ui.kit import parts, plan_file, press, state
from dpviz.ui.kit.state import Slot, attempt, nothing
from dpviz.words import NO_BREAK, delta, join, loss, pm
from dpviz.words.claims import Said, say
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import ALL
from dpviz.workspace.undo import can_undo, forget_a, keep_as_a, note, plan_a, redo, undo, use_a
from dpviz.workspace.workspace import Workspace

UNDO, REDO, BACK = "undo", "redo", "back to A"
ACTS = {UNDO: undo, REDO: redo, BACK: use_a}
TURN = Slot[str | None]("plan_turn", nothing)  # which of these was pressed


def begin_run() -> None:
    """Go to another plan, if that was pressed; else see whether the plan has changed."""
    ws, turn = state.workspace(), TURN.pop()
    if turn is None:
        note(ws)
        return
    before = ws.table, ws.statistic
    with st.spinner("Finding the noise level of each budget …"):
        attempt(ACTS[turn], ws)
    plan_file.refill(ws, drafts=(ws.table, ws.statistic) != before)


def turns(ws: Workspace) -> None:
    """The two buttons, once the grid was read."""
    note(ws)
    there = {UNDO: can_undo(ws), REDO: bool(ws.history.future)}
    keys = {UNDO: "Ctrl+Z", REDO: "Ctrl+Shift+Z"}
    says = {UNDO: "Undo the last change of the plan", REDO: "Make the change again"}
    for turn in (UNDO, REDO):
        press.button(
            "",
            TURN.set,
            turn,
            key=f"plan_turn_{turn}",
            icon=turn,
            help=f"{says[turn]} ({keys[turn]}). Releases stay as they are.",
            disabled=not there[turn],
        )


BOX = "plan_a"  # key of the box
ALL_TIERS, NOTHING, TURNS, IS = "all together", "–", " → ", f"{NO_BREAK}={NO_BREAK}"


def box(ws: Workspace) -> None:
    """Keep the plan in use as A, or go back to A; shut again once that is done."""
    with press.popover(
        "Compare plans",
        key=BOX,
        icon="compare_arrows",
        help="Keep this plan as A, change it, and see both side by side.",
    ):
        kept = ws.history.plan_a is not None
        st.caption(
            "A is kept in this tab alone. The table below the picture compares the plan in use, B, "
            "with it."
            if kept
            else "The plan as it is now becomes A. Then change it: a table below the picture says, "
            "tier by tier, what got better and what got worse."
        )
        label = "Keep this plan as A" + " instead" * kept
        press.button(label, keep_as_a, ws, key="plan_a_keep", closes=BOX)
        if kept:
            press.button("Back to A", TURN.set, BACK, key="plan_a_back", closes=BOX)
            press.button("Forget A", forget_a, ws, key="plan_a_forget", closes=BOX)


def show(ws: Workspace) -> None:
    """The table of both plans, where one was kept."""
    a = plan_a(ws)
    if a is None:
        return
    with st.spinner("Finding the noise level of each budget …"):
        lines = side_by_side(a, ws)
    one = ws.statistic.query.nouns.one
    with st.container(key="plans_compared"):
        st.subheader("A and B side by side", anchor=False)
        if lines[-1].a and lines[-1].b:
            parts.sentence(sentence(lines[-1].a, lines[-1].b, one))
        parts.table(
            table(lines), alt="Tier by tier: ±, privacy loss and right guesses in plans A and B."
        )
        st.caption(
            f"A: the plan that you kept. B: the plan in use. Right: of {ALL:,} guesses whether one "
            f"{one} is in the table (≤: at most). {literal(settings(a, ws))}"
        )


def sentence(a: Told, b: Told, one: str) -> Said:
    """How often all tiers together guess right in both plans."""
    before, now = (
        told.right.times(
            f"right by all tiers together in plan {plan}", f"{told.letter} = {loss(told.loss)}", one
        )
        for plan, told in (("A", a), ("B", b))
    )
    if before.text == now.text:
        return say(
            "All tiers who compare notes guess right {before}, with A and with B.", before=before
        )
    return say(
        "All tiers who compare notes guess right {before} with A, and {now} with B.",
        before=before,
        now=now,
    )


def table(lines: tuple[Line, ...]) -> pd.DataFrame:
    """A row for each line; what is the same in both plans is there once."""
    several = any(line.statistic != lines[0].statistic for line in lines[:-1])
    rows, named = [], ""
    for line in lines:
        statistic = line.statistic or "all statistics"
        row = {"Statistic": statistic if statistic != named else ""} if several else {}
        row |= {
            "Tier": line.tier or ALL_TIERS,
            "±": _both(line, lambda told: "" if told.half is None else pm(told.half)),
            "Loss": _both(line, lambda told: f"{told.letter}{IS}{loss(told.loss)}"),
            "Right": _both(line, lambda told: with_sign(told.right.said).replace(" ", NO_BREAK)),
            "B is": line.change,
        }
        if line.unit:
            row["±"] += f" {line.unit}"
        rows.append(row)
        named = statistic
    names = {name: f"{name}, A{TURNS}B" for name in ("±", "Loss", "Right")}
    return pd.DataFrame(rows).rename(columns=names)


def _both(line: Line, words: Callable[[Told], str]) -> str:
    """What both plans have, once if it is the same; a plan that lacks it has a dash."""
    before, now = (NOTHING if told is None else words(told) for told in (line.a, line.b))
    if before == now or "" in (before, now):  # of all statistics together there is no ±
        return now if before == now else ""
    letter, named, number = now.partition(IS)
    return f"{before}{TURNS}{number if named and before.startswith(letter + IS) else now}"


def settings(a: Workspace, b: Workspace) -> str:
    """What the plans have besides their budgets, where they differ in that."""
    said = []
    for name, ws in (("A", a), ("B", b)):
        kinds = dict.fromkeys(ADDITIVE[ws.noise_of(s)].label for s in ws.statistics)
        said.append(f"{name}: {join(list(kinds))} noise, δ = {delta(ws.delta)}.")
    return " ".join(said) if said[0][1:] != said[1][1:] else ""
