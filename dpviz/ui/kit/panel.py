"""Draw, hold, hand out: the panel of every page whose tiers draw, whatever they draw from.

A button for each tier in any order, what is held, all that remain, start over, and a file for each
release. What is drawn, and what a file holds, says the session; here it is only shown.
"""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz import words
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, Budget
from dpviz.planning.tiers import PlannedTier
from dpviz.release import LedgerEntry, today
from dpviz.ui.kit import controls, parts, press
from dpviz.ui.kit.controls import Width
from dpviz.words.markdown import literal
from dpviz.workspace import structured
from dpviz.workspace.changes import Change
from dpviz.workspace.packing import file_name, file_of
from dpviz.workspace.sessions import Asking
from dpviz.workspace.takeaways import cost_words, counted
from dpviz.workspace.workspace import Workspace

SHOWN = {"Draw": "drawn", "Show": "shown"}  # releases on data are drawn, made-up ones shown
ONE_BY_ONE = "One by one …"
TALL = 8  # beyond this many tiers the list of buttons scrolls


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """The button of one tier: what it says, and whether there is something left to draw."""

    name: str
    label: str
    waiting: bool
    help: str | None = None


def draw(
    rows: Sequence[Row], act: Callable[..., object], *, key: str, width: Width = "stretch"
) -> None:
    """One button per tier, in the order given.

    Args:
        rows: the tiers.
        act: draws the releases of tiers, by their names.
        key: beginning of the keys of the buttons.
        width: of each; as wide as its content where they stand side by side.
    """
    tall: int | Literal["content"] = 380 if len(rows) > TALL else "content"
    beside = width == "content"  # then they wrap with what stands beside them
    with nullcontext() if beside else st.container(height=tall, gap="xsmall"):
        for row in rows:
            press.button(
                row.label,
                act,
                row.name,
                key=f"{key}{row.name}",
                width=width,
                disabled=not row.waiting,
                help=row.help,
            )


def own_cost(budget: Budget, noun: str) -> str:
    """What a press draws for one tier and what that costs by itself, in two sentences."""
    near = words.capitalised(words.pm(budget.half_width, unit=noun))
    loss = words.budget(budget.letter, budget.loss)
    sure = words.percent(ACCURACY_CONFIDENCE)
    return f"{near} ({sure} confidence). Bound on the privacy loss: {loss}."


def cost(one: Change, noun: str) -> str:
    """What a press costs, and what it draws if it draws for one tier.

    >>> from dpviz.workspace.changes import of_draw
    >>> change = of_draw(Workspace.fresh(), ["audit"])
    >>> print(cost(change, "people").translate({0x202F: None, 0xA0: " "}))
    ±2.2 people (95% confidence). Bound on the privacy loss: ρ = 0.4; of all: none → ρ = 0.4.
    """
    drawn, together = [*one.drawn.values()], _together(one)
    if len(drawn) == 1:
        return f"{own_cost(drawn[0], noun).removesuffix('.')}; of all: {together}."
    return f"Privacy loss of all together: {together}."


def changed(one: Change, noun: str) -> None:
    """What a typed budget changes for its tier and for all together, before it is drawn."""
    (after,) = one.drawn.values()
    near, loss = words.pm(after.half_width, unit=noun), words.budget(after.letter, after.loss)
    if one.had is not None:
        near = f"{words.pm(one.had.half_width)} → {near}"
        loss = f"{words.budget(one.had.letter, one.had.loss)} → {loss}"
    st.markdown(
        f"Accuracy **{near}** ({words.percent(ACCURACY_CONFIDENCE)} confidence)  \n"
        f"Privacy loss at most **{loss}** (larger = less private)  \n"
        f"Of all together **{_together(one)}**"
    )


def _together(one: Change) -> str:
    before = cost_words(one.before) if one.before.value else "none"
    after = cost_words(one.after)
    return after if before == after else f"{before} → {after}"


def rest(verb: str, waiting: int, total: int) -> str:
    """What the button of all tiers that have drawn nothing says.

    >>> rest("Show", 4, 4), rest("Draw", 2, 4), rest("Show", 1, 4), rest("Show", 0, 4)
    ('Show all four tiers', 'Draw the other two tiers', 'Show the last tier', 'All tiers are shown')
    """
    if not waiting:
        return f"All tiers are {SHOWN[verb]}"
    if waiting == 1:
        return f"{verb} the {'last' if total > 1 else 'only'} tier"
    return f"{verb} {'all' if waiting == total else 'the other'} {counted(waiting)} tiers"


def draw_rest(
    waiting: Sequence[str],
    act: Callable[..., object],
    *,
    key: str,
    label: str,
    width: Width = "stretch",
) -> None:
    """One button for all tiers that have drawn nothing yet.

    Args:
        waiting: their names.
        act: draws the releases of tiers, by their names.
        key: of the button.
        label: what the button says; see `rest`.
        width: of the button.
    """
    press.button(
        label,
        act,
        *waiting,
        key=key,
        type="primary",
        icon="done_all",
        width=width,
        disabled=not waiting,
    )


def one_by_one(why: str) -> DeltaGenerator:
    """A box beside the button of all tiers, for the buttons of single ones.

    Args:
        why: what can be done in it.
    """
    return st.popover(ONE_BY_ONE, icon=":material/more_horiz:", help=why)


def draw_own(
    ws: Workspace,
    asking: Asking,
    tiers: Sequence[PlannedTier],
    *,
    key: str,
    label: Callable[[PlannedTier, bool], str],
) -> None:
    """One button per tier that draws from the session on the visitor's data.

    Args:
        ws: the workspace.
        asking: what the session is asked for.
        tiers: who may draw, most private first.
        key: beginning of the keys of the buttons.
        label: what a button says beside the tier's name, by whether the tier holds its release.
    """
    held = {(e.tier, e.level) for _, e in structured.held_tiers(ws, asking, tiers)}
    by_name = {p.name: p for p in tiers}
    rows = []
    for p in tiers:
        has = (p.name, p.budget.level) in held
        chip = parts.chip(p.name, ws.plan.style_of(p.name))
        rows.append(Row(name=p.name, label=chip + label(p, has), waiting=not has))
    draw(rows, lambda name: ws.record(asking, by_name[name]), key=key)


def left_out(names: Sequence[str]) -> None:
    """Which tiers have no button, and what would give them one."""
    if names:
        who = literal(words.join(names))
        st.caption(f"Left out: {who}. Give each an ε or a ρ on the page Tiers.")


def start_over(
    label: str,
    act: Callable[..., object],
    *args: object,
    key: str,
    why: str | None = None,
    blue: bool = False,
) -> None:
    """A button that forgets a made-up session; one on data is closed, and its loss stays.

    Args:
        label: of the button.
        act: what starts over.
        args: what it is told.
        key: of the button.
        why: its help.
        blue: whether it is what to press next.
    """
    kind: Literal["primary", "secondary"] = "primary" if blue else "secondary"
    press.button(
        label, act, *args, key=key, icon="restart_alt", width="stretch", help=why, type=kind
    )


def hand_out(
    ws: Workspace,
    asking: Asking,
    tiers: Sequence[PlannedTier],
    *,
    key: str,
    caption: str,
    prefix: str = "",
) -> None:
    """A file for each release of the session on the visitor's data.

    Args:
        ws: the workspace.
        asking: what the session was asked for.
        tiers: who may draw now; a release to anybody else says so in its name.
        key: beginning of the keys of the buttons.
        caption: what each file holds.
        prefix: beginning of the names of the files.
    """
    held = structured.held_tiers(ws, asking, tiers)
    if not held:
        return
    st.subheader("Hand out", anchor=False)
    with st.container(horizontal=True, gap="small"):
        for tier, entry in held:
            download(
                parts.chip(tier.name, ws.plan.style_of(entry.tier)),
                ws,
                entry,
                key=key,
                prefix=prefix,
            )
    st.caption(caption)


def download(label: str, ws: Workspace, entry: LedgerEntry, *, key: str, prefix: str = "") -> None:
    """A button that hands out the file of one release, written when it is asked for."""
    controls.download_button(
        label,
        data=lambda: file_of(ws, entry, today()),
        file_name=f"{prefix}{file_name(entry)}",
        key=f"{key}{entry.number}",
    )
