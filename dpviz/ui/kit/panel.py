"""Draw, hold, hand out: the panel of every page whose tiers draw, whatever they draw from.

What will be drawn and what it costs, a tick for what promises next to nothing, a button for each
tier in any order, what is held, all that remain, start over, and a file for each release. What is
drawn, and what a file holds, says the session; here it is only shown.
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
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
from dpviz.ui.kit.state import Shelf
from dpviz.words.markdown import literal
from dpviz.workspace import changes, structured
from dpviz.workspace.changes import Change
from dpviz.workspace.nearness import nearness
from dpviz.workspace.packing import file_name, file_of
from dpviz.workspace.sessions import Asking
from dpviz.workspace.takeaways import cost_words, counted
from dpviz.workspace.workspace import Workspace

SHOWN = {"Draw": "drawn", "Show": "shown"}  # releases on data are drawn, made-up ones shown
ONE_BY_ONE = "Tier by tier …"
TALL = 8  # beyond this many tiers the list of buttons scrolls
FEW = 8  # tiers of which each is told its loss with all others where sessions meet: 0.05 s for one
_COSTS = Shelf[tuple[Hashable, Change, dict[str, Change]]]("panel_costs")


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


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Offer:
    """What tiers may draw from the visitor's data now, and what a press would cost.

    Attributes:
        waiting: who has no release yet, in the order of the tiers.
        each: what a press for one of them draws and costs, in a sentence or two.
        all: the same of one press for all of them; empty where nobody waits.
        ticked: for each budget that promises next to nothing, whether it is meant.
        act: draws the releases of tiers, by their names; `sure` says whether they are meant.
    """

    waiting: tuple[str, ...]
    each: Mapping[str, str]
    all: str
    ticked: Mapping[str, bool]
    act: Callable[..., object]

    def sure(self, *names: str) -> bool:
        """Whether the budgets of these tiers are meant, as far as that has to be said."""
        return all(self.ticked.get(name, True) for name in names)

    def draw(self, *names: str) -> None:
        """Draw the releases of tiers, with the ticks that stand beside the buttons."""
        self.act(*names, sure=self.sure(*names))


def offer(
    ws: Workspace,
    asking: Asking,
    tiers: Sequence[PlannedTier],
    near: Callable[[PlannedTier], str],
    *,
    key: str,
    act: Callable[..., object] | None = None,
) -> Offer:
    """Say what presses would cost; budgets that promise next to nothing ask here for a tick.

    Args:
        ws: the workspace.
        asking: what the session is asked for.
        tiers: who may draw, most private first.
        near: how near the numbers of a tier come, in words; nothing if that is not known.
        key: beginning of the keys of the ticks.
        act: draws the releases of tiers; by default in the session itself.
    """
    rest, each = _costs(ws, asking, tiers, key)
    by_name = {p.name: p for p in tiers}

    def record(*names: str, sure: bool) -> None:
        ws.record(asking, *(by_name[name] for name in names), sure=sure)

    return Offer(
        waiting=tuple(rest.drawn),
        each={
            name: literal(cost(each.get(name), b, near(by_name[name])))
            for name, b in rest.drawn.items()
        },
        all=literal(_cost_of_all(rest, near, by_name)),
        ticked={name: parts.meant(b, f"{key}_{name}", who=name) for name, b in rest.weak.items()},
        act=act or record,
    )


def offer_plain(ws: Workspace, names: Sequence[str], *, key: str) -> Offer:
    """The same for the statistic in use, released as it is.

    Args:
        ws: the workspace.
        names: of the tiers that may draw.
        key: beginning of the keys of the ticks.
    """
    query, family = ws.statistic.query, ws.family
    return offer(
        ws,
        ws.statistic.asking(ws.family_name),
        [p for p in ws.planned()[0] if p.name in names],
        lambda p: said_near(*nearness(query, family, p.budget)),
        key=key,
        act=ws.draw,
    )


def _costs(
    ws: Workspace, asking: Asking, tiers: Sequence[PlannedTier], key: str
) -> tuple[Change, dict[str, Change]]:
    """What drawing all of them would change, and each alone; computed again after a draw only."""
    now = (
        (asking.key, ws.mode, ws.delta, ws.next_number, tuple(e.event for e in ws.ledger)),
        tuple((p.name, p.budget.level) for p in tiers),
    )
    kept = _COSTS.get(key)
    if kept is None or kept[0] != now:
        rest = changes.of_draw(ws, asking, tiers)
        few = len(ws.sessions) < 2 or len(rest.drawn) <= FEW
        kept = _COSTS.put(key, (now, rest, changes.of_each(ws, asking, tiers) if few else {}))
    return kept[1:]


def near(budget: Budget, noun: str) -> str:
    """How near a number comes, as the beginning of a sentence."""
    return said_near(budget.half_width, noun)


def said_near(half_width: float, noun: str) -> str:
    """The same of a half width."""
    within = words.capitalised(words.pm(half_width, unit=noun))
    return f"{within} ({words.percent(ACCURACY_CONFIDENCE)} confidence)"


def cost(one: Change | None, budget: Budget, near: str) -> str:
    """What a press draws for one tier and what it costs: it alone, and all together.

    Args:
        one: what it changes; None: what all together cost then takes too long to compute here.
        budget: of the tier.
        near: how near its numbers come, in words; or nothing.

    >>> from dpviz.workspace.changes import of_draw
    >>> ws = Workspace.fresh()
    >>> change = of_draw(ws, ws.statistic.asking(ws.family_name), ws.planned()[0][-1:])
    >>> said = cost(change, change.drawn["audit"], near(change.drawn["audit"], "people"))
    >>> print(said.translate({0x202F: None, 0xA0: " "}))
    ±2.2 people (95% confidence). Bound on the privacy loss: ρ = 0.4; of all: none → ρ = 0.4.
    """
    first = f"{near}. " if near else ""
    loss = words.budget(budget.letter, budget.loss)
    if budget.letter == "ε":
        loss = words.loss_with_delta("ε", budget.loss, budget.delta)
    many = f"not computed, as more than {counted(FEW)} tiers wait"
    together = many if one is None else _together(one)
    return f"{first}Bound on the privacy loss: {loss}; of all: {together}."


def _cost_of_all(
    rest: Change, near: Callable[[PlannedTier], str], by_name: Mapping[str, PlannedTier]
) -> str:
    """What a press for all who wait costs, and what it draws if only one does."""
    if len(rest.drawn) == 1:
        ((name, budget),) = rest.drawn.items()
        return cost(rest, budget, near(by_name[name]))
    return f"Privacy loss of all together: {_together(rest)}." if rest.drawn else ""


def changed(one: Change, how_near: Callable[[Budget], tuple[float, str]]) -> None:
    """What a typed budget changes for its tier and for all together, before it is drawn.

    Args:
        one: what it changes.
        how_near: the half width at a budget, and what follows it.
    """
    (after,) = one.drawn.values()
    half, noun = how_near(after)
    near, loss = words.pm(half, unit=literal(noun)), words.budget(after.letter, after.loss)
    if one.had is not None:
        near = f"{words.pm(how_near(one.had)[0])} → {near}"
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
    tiers: Sequence[PlannedTier],
    offered: Offer,
    *,
    key: str,
    label: Callable[[PlannedTier, bool], str],
) -> None:
    """One button per tier that draws from the session on the visitor's data.

    Args:
        ws: the workspace.
        tiers: who may draw, in the order of the buttons.
        offered: what each press draws and costs.
        key: beginning of the keys of the buttons.
        label: what a button says beside the tier's name, by whether the tier holds its release.
    """
    rows = [
        Row(
            name=p.name,
            label=parts.chip(p.name, ws.plan.style_of(p.name))
            + label(p, p.name not in offered.waiting),
            waiting=p.name in offered.waiting,
            help=offered.each.get(p.name),
        )
        for p in tiers
    ]
    draw(rows, offered.draw, key=key)


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
            chip = parts.chip(tier.name, ws.plan.style_of(entry.tier))
            download(chip, ws, entry, key=key, prefix=prefix)
    st.caption(caption)


def download(label: str, ws: Workspace, entry: LedgerEntry, *, key: str, prefix: str = "") -> None:
    """A button that hands out the file of one release, written when it is asked for."""

    def made() -> bytes:
        ws.keeper.note("hand-out", tier=entry.tier, session=entry.session)
        return file_of(ws, entry, today())

    controls.download_button(
        label,
        data=made,
        file_name=f"{prefix}{file_name(entry)}",
        key=f"{key}{entry.number}",
    )
