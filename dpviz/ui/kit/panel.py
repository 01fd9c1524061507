"""Draw, hold, hand out: the panel of every page whose tiers draw, whatever they draw from.

What will be drawn and what it costs, a tick for what promises next to nothing, a button for each
tier in any order, what is held, all that remain, start over, and a file for each release. What is
drawn, and what a file holds, says the session; here it is only shown.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import Literal, Protocol

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz import words
from dpviz.errors import ParameterError
from dpviz.palette import TierStyle
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, Budget
from dpviz.planning.tiers import PlannedTier
from dpviz.release import LedgerEntry, today
from dpviz.ui.kit import controls, costs, parts, press, session_box
from dpviz.ui.kit.controls import Width
from dpviz.words.markdown import literal
from dpviz.workspace import structured
from dpviz.workspace.changes import Change
from dpviz.workspace.nearness import nearness, size_of
from dpviz.workspace.packing import file_name, file_of
from dpviz.workspace.sessions import Asking
from dpviz.workspace.takeaways import counted
from dpviz.workspace.topics import topic_of
from dpviz.workspace.workspace import Workspace

ONE_BY_ONE = "One tier at a time"
KEPT = "In any order. Asking again gives the same numbers."
TALL = 8  # beyond this many tiers the list of buttons scrolls
AGAIN = (
    "New noise on the same public numbers. This data is made up or public, so draw as often as "
    "you like; for real people it would cost privacy again."
)
SEALED = "The session is sealed: nothing sharper than its sharpest release can be drawn."


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
        sealed: who can get none any more, as the session is sealed at a noisier release.
        ticked: for each budget that promises next to nothing, whether it is meant.
        act: draws the releases of tiers, by their names; `sure` says whether they are meant.
    """

    waiting: tuple[str, ...]
    each: Mapping[str, str]
    all: str
    sealed: tuple[str, ...]
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
    sealed = session_box.sealed_away(ws, asking, tiers)
    if unsaid := ws.unsaid(asking):  # a press says it, too, and draws nothing
        st.warning(f"{literal(unsaid)}.", icon=":material/person:")
        parts.link("data")
    possible = [p for p in tiers if p.name not in sealed]
    rest, each = costs.computed(ws, asking, possible, key)
    by_name = {p.name: p for p in tiers}

    def record(*names: str, sure: bool) -> None:
        ws.record(asking, *(by_name[name] for name in names), sure=sure)

    return Offer(
        waiting=tuple(rest.drawn),
        each={
            name: literal(costs.of_one(each.get(name), b, near(by_name[name])))
            for name, b in rest.drawn.items()
        },
        all=literal(costs.of_all(rest, near, by_name)),
        sealed=sealed,
        ticked={
            name: parts.confirm_weak_budget(b, f"{key}_{name}", who=name)
            for name, b in rest.weak.items()
        },
        act=act or record,
    )


def offer_plain(ws: Workspace, names: Sequence[str], *, key: str) -> Offer:
    """The same for the statistic in use, released as it is.

    Args:
        ws: the workspace.
        names: of the tiers that may draw.
        key: beginning of the keys of the ticks.
    """
    query, family, size = ws.statistic.query, ws.family, size_of(ws)
    return offer(
        ws,
        ws.statistic.asking(ws.family_name),
        [p for p in ws.planned()[0] if p.name in names],
        lambda p: said_near(*nearness(query, family, p.budget, size)),
        key=key,
        act=ws.draw,
    )


def near(budget: Budget, noun: str) -> str:
    """How near a number comes, as the beginning of a sentence."""
    return said_near(budget.half_width, noun)


def said_near(half_width: float, noun: str) -> str:
    """The same of a half width."""
    within = words.capitalised(words.pm(half_width, unit=noun))
    return f"{within} ({words.percent(ACCURACY_CONFIDENCE)} confidence)"


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
        f"Of all together **{costs.together(one)}**"
    )


def rest(waiting: int, total: int, *, practice: bool, sealed: int = 0) -> str:
    """What the button of all tiers that have drawn nothing says.

    Args:
        waiting: how many tiers have nothing yet and can have it.
        total: how many tiers there are.
        practice: whether these numbers are for trying out.
        sealed: how many can have nothing any more.

    >>> rest(0, 4, sealed=1, practice=True)
    'All other tiers are drawn'
    >>> rest(4, 4, practice=True), rest(2, 4, practice=False)
    ('Draw all four tiers’ practice numbers', 'Draw the other two tiers’ numbers')
    >>> rest(1, 4, practice=False)
    'Draw the last tier’s numbers'
    """
    if not waiting:
        return f"All {'other ' if sealed else ''}tiers are drawn"
    which = "all" if waiting == total else "the other"
    whose = f"{which} {counted(waiting)} tiers’"
    if waiting == 1:
        whose = f"the {'last' if total > 1 else 'only'} tier’s"
    return f"Draw {whose} {'practice ' * practice}numbers"


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


def draw_tiers(ws: Workspace, styles: Mapping[str, TierStyle], offered: Offer, *, key: str) -> None:
    """One button for all tiers that have nothing yet; beside it, behind another, one for each.

    Args:
        ws: the workspace.
        styles: how the tiers look, by name, in the order of the buttons.
        offered: what each press draws and costs.
        key: beginning of the keys of all buttons.
    """
    practice, sealed = ws.mode == "teaching", len(offered.sealed)
    label = rest(len(offered.waiting), len(styles), practice=practice, sealed=sealed)
    rows = [
        _row(offered, name, style, ": drawn" * (name not in offered.waiting))
        for name, style in styles.items()
    ]
    with st.container(horizontal=True, vertical_alignment="center"):
        draw_rest(offered.waiting, offered.draw, key=f"{key}_rest", label=label, width="content")
        with one_by_one("Draw single tiers."):
            draw(rows, offered.draw, key=f"{key}_draw_")
            st.caption(KEPT)
    parts.problem_of_last_act()
    if offered.all:
        st.caption(offered.all)


def _row(offered: Offer, name: str, style: TierStyle, said: str) -> Row:
    """The button of a tier on offer, and what it says beside the name while it is possible."""
    sealed = name in offered.sealed
    return Row(
        name=name,
        label=parts.chip(name, style) + (": impossible" if sealed else said),
        waiting=name in offered.waiting,
        help=SEALED if sealed else offered.each.get(name),
    )


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
    why: str = AGAIN,
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


ON_THE_PLAN = (
    "On the plan: it counts in what each tier learns in all (page Tiers), and is drawn with the "
    "statistics (page Releases)."
)


def plan_topic(
    ws: Workspace,
    page: str,
    asked: Callable[[Workspace], tuple[Asking, Sequence[PlannedTier]]],
    *,
    key: str,
) -> None:
    """A button that makes what a page asks a statistic of the plan, or takes it off again.

    Args:
        ws: the workspace.
        page: the page.
        asked: what its session is asked for under a plan, and who gets a release.
        key: of the button.
    """
    try:
        topic = topic_of(page, asked, ws)
    except ParameterError as error:
        st.caption(literal(f"{error}."))
        return
    planned = topic.key in [one.key for one in ws.topics]
    press.button(
        "Take it off the plan" if planned else "Add it to the plan",
        *((ws.leave_topic, topic.key) if planned else (ws.plan_topic, topic)),
        key=key,
        icon="playlist_remove" if planned else "playlist_add",
    )
    if planned:
        st.caption(ON_THE_PLAN)


class Drawn(Protocol):
    """What a session on the visitor's data is about, on a page of a structured topic."""

    @property
    def asking(self) -> Asking:
        """What the session is asked for."""

    def tiers(self, ws: Workspace) -> tuple[list[PlannedTier], list[str]]:
        """Who may draw, most private first, and who is left out."""

    def asked(self, ws: Workspace) -> tuple[Asking, Sequence[PlannedTier]]:
        """What a plan asks of it, and for whom."""


def draw_subject(
    ws: Workspace, page: str, own: Drawn, near: Callable[[PlannedTier], str], *, key: str
) -> None:
    """Buttons that draw for the tiers of a session, and one that puts it on the plan.

    Args:
        ws: the workspace.
        page: the page.
        own: what the session is about.
        near: how near the numbers of a tier come, in words.
        key: beginning of the keys of the buttons.
    """
    tiers, left = own.tiers(ws)
    styles = {p.name: ws.plan.style_of(p.name) for p in reversed(tiers)}
    draw_tiers(ws, styles, offer(ws, own.asking, tiers, near, key=key), key=key)
    plan_topic(ws, page, own.asked, key=f"{key}_plan")
    left_out(left)


def draw_once(
    ws: Workspace,
    asking: Asking,
    planned: PlannedTier,
    label: str,
    *,
    key: str,
    done: bool,
    means: str,
    icon: str,
    blue: bool = True,
) -> Offer:
    """A button for what is drawn once, for all tiers; what it costs is in its help.

    Args:
        ws: the workspace.
        asking: what the session is asked for.
        planned: the draw.
        label: of the button.
        key: of the button.
        done: whether it is drawn.
        means: what else a press means, in a sentence or two.
        icon: of the button.
        blue: whether it is what to press next.
    """
    offered = offer(ws, asking, [planned], lambda _: "", key=key)
    press.button(
        label,
        offered.draw,
        planned.name,
        key=key,
        type="primary" if blue else "secondary",
        icon=icon,
        width="stretch",
        disabled=done,
        help=f"{offered.each.get(planned.name, '')} {means}".strip(),
    )
    return offered


ONE_TIER = "Each file holds and explains one tier’s numbers: no other tier’s, no exact ones."


def hand_out(
    ws: Workspace,
    asking: Asking,
    tiers: Sequence[PlannedTier],
    *,
    key: str,
    caption: str = ONE_TIER,
) -> None:
    """A file for each release of the session on the visitor's data.

    Args:
        ws: the workspace.
        asking: what the session was asked for.
        tiers: who may draw now; a release to anybody else says so in its name.
        key: beginning of the keys of the buttons.
        caption: what each file holds.
    """
    held = structured.held_tiers(ws, asking, tiers)
    if not held:
        return
    st.subheader("Hand out", anchor=False)
    with st.container(horizontal=True, gap="small"):
        for tier, entry in held:
            chip = parts.chip(tier.name, ws.plan.style_of(entry.tier))
            download(chip, ws, entry, key=key, before=ws.former(entry, tiers))
        session_box.show(ws, asking, tiers, key=key)
    st.caption(caption)


def download(
    label: str, ws: Workspace, entry: LedgerEntry, *, key: str, before: str | None = None
) -> None:
    """A button that hands out the file of one release, written when it is asked for.

    Args:
        label: of the button.
        ws: the workspace.
        entry: of its ledger.
        key: beginning of the button's key.
        before: what is said of a release whose tier has another budget now; by default as the
            plan says it.
    """

    def made() -> bytes:
        ws.keeper.note("hand-out", tier=entry.tier, session=entry.session)
        return file_of(ws, entry, today(), before)

    controls.download_button(
        label, data=made, file_name=file_name(ws, entry), key=f"{key}{entry.number}"
    )
