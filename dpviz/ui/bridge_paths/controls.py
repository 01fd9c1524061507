"""Controls of the Bridge paths page: what is looked at, the new level, a path, and the draw."""

import math
from dataclasses import dataclass, replace
from itertools import pairwise

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz.accounting.guarantees import guarantee_of, offered
from dpviz.noise import ADDITIVE
from dpviz.parameters import exact
from dpviz.planning.amounts import Amount
from dpviz.planning.budgets import Budget, resolve
from dpviz.planning.tiers import Tier
from dpviz.ui.bridge_paths.scenes import (
    SPREAD,
    Scene,
    example,
    example_scene,
    own_scene,
    start_over,
)
from dpviz.ui.kit import controls, costs, looking, panel, parts, press
from dpviz.ui.kit.state import Slot, field, nothing
from dpviz.words import budget, capitalised, clean
from dpviz.words.markdown import literal
from dpviz.workspace import changes
from dpviz.workspace.plan import free_name
from dpviz.workspace.workspace import Workspace

EXAMPLE, OWN = "made-up town", "my statistic"
LEFT_IN, TAKEN_OFF = "left in: a staircase", "subtracted"
STEPS = 41  # places of the slider
_PATHS = Slot("bridge_paths", lambda: 0)
_ASKED = Slot("bridge_asked", lambda: 0)
_LAST = Slot[float | None]("bridge_last", nothing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Where the slider is: the budget as typed, and all that it means."""

    amount: str
    budget: Budget

    @property
    def words(self) -> str:
        """The budget with its letter."""
        return budget(self.budget.letter, self.budget.loss)


def scene(ws: Workspace, further: DeltaGenerator) -> Scene:
    """Which numbers: the example, or one group of the user's statistic.

    Args:
        ws: the visitor's.
        further: where the settings go that few change.
    """
    chosen = controls.look_at(
        EXAMPLE,
        OWN,
        key="bridge_source",
        help="Nobody in the town exists, so its exact number may be shown. That of your own "
        "statistic stays hidden.",
    )
    if chosen == OWN:
        return _own(ws, further)
    with further:
        family = controls.selectbox(
            "Noise",
            offered(),
            format_func=lambda n: capitalised(ADDITIVE[n].label),
            key="bridge_family",
            help="How the noise of the example is made.",
        )
    return example_scene(example(family or offered()[0]))


def _own(ws: Workspace, further: DeltaGenerator) -> Scene:
    entries = ws.statistic.query.entries
    place = controls.selectbox(
        "Number",
        range(len(entries)),
        format_func=lambda i: clean(entries[i]),
        key="bridge_group",
        help="One of the numbers that every tier gets.",
        lasting=False,
    )
    with further:
        st.caption(f"Noise: {ws.family.label}, as on the page Tiers.")
    shown = looking.reveal(
        ws,
        ws.statistic.table,
        "Reveal the exact number: not private",
        key="bridge_reveal",
        help_text="For teaching: then the picture runs down to the exact number.",
    )
    return own_scene(ws, place, shown)


def as_read(shown: Scene) -> Scene:
    """Noise that only adds (Poisson): the staircase as it was drawn, or without its mean."""
    if shown.held.family.mean(1.0) == 0:
        return shown
    chosen = controls.segmented_control(
        "Mean of the noise",
        (LEFT_IN, TAKEN_OFF),
        default=TAKEN_OFF,
        key=f"bridge_mean_{shown.example is None}",
        help="Poisson noise only adds: the number as drawn climbs a staircase with the noise. "
        "It is read with the mean of the noise subtracted.",
    )
    return replace(shown, held=replace(shown.held, raw=chosen == LEFT_IN))


def new_level(shown: Scene) -> Asked:
    """The slider: budgets from more private than all that is held to less private.

    It stays where it is when its number is drawn, and goes on naming that tier.
    """
    letter, kind = guarantee_of(shown.held.family).letter, f"{shown.example is None}"
    last = _LAST.get()
    losses = tuple(loss for loss in shown.losses if loss != last) or shown.losses
    found = places(min(losses) / SPREAD[letter], max(losses) * SPREAD[letter], shown.opens)
    key = f"bridge_budget_{shown.held.family.name}_{kind}_{_ASKED.get()}"
    opens = shown.opens if not _ASKED.get() else ""
    start = opens or found[middle(found, losses, SPREAD[letter])]
    before = field(key)
    pin = shown.held.at(_resolved(shown, before if before in found else start).level)
    name = literal(pin.tier if pin else shown.name)
    chosen = controls.select_slider(
        f"Budget {letter} of {name} (right: sharper, less private)",
        found,
        value=start,
        key=key,
        help="How much the new tier may learn. Left: more private, more noise. Right: less "
        "private, less noise. Moving the slider draws nothing.",
        lasting=False,
    )
    return Asked(amount=chosen, budget=_resolved(shown, chosen))


def _resolved(shown: Scene, amount: str) -> Budget:
    letter = guarantee_of(shown.held.family).letter
    return resolve(letter, Amount(exact(float(amount))), shown.setting)


def places(least: float, most: float, among: str = "") -> list[str]:
    """Budgets on equal factors, two digits each, as they are typed, with one more among them.

    >>> places(0.01, 1.0)[::20]
    ['0.01', '0.1', '1']
    """
    factor = (most / least) ** (1 / (STEPS - 1))
    found = {_typed(least * factor**i) for i in range(STEPS)} | ({among} if among else set())
    return sorted(found, key=float)


def _typed(amount: float) -> str:
    text = f"{float(f'{amount:.2g}'):.12f}".rstrip("0").rstrip(".")
    return text if float(text) > 0 else f"{amount:.2g}"


def middle(amounts: list[str], losses: tuple[float, ...], spread: float) -> int:
    """The place in the widest gap between budgets held; beside one alone, the more private.

    >>> middle(["0.1", "0.2", "0.3"], (0.1, 0.35, 0.4), 3.0)
    1
    """
    held = sorted(set(losses))
    gaps = list(pairwise(held)) or [(held[0] / spread, held[0])]
    low, high = max(gaps, key=lambda gap: gap[1] / gap[0])
    wanted = math.log(low * high) / 2
    return min(range(len(amounts)), key=lambda i: abs(math.log(float(amounts[i])) - wanted))


def sure(ws: Workspace, shown: Scene, asked: Asked) -> bool:
    """What a draw costs, and whether its budget is meant; why the last press did nothing."""
    held = shown.held.holds(asked.budget.level)
    meant = True
    if not held and shown.example is None:
        st.caption(literal(_cost(ws, shown, asked)))
        meant = parts.meant(asked.budget, "bridge")
    parts.problem_of_last_act()
    return meant


def _cost(ws: Workspace, shown: Scene, asked: Asked) -> str:
    """What the release of the new tier draws and costs, it alone and all together."""
    kind = guarantee_of(ws.family).letter
    owner = ws.plan.owner(kind, asked.amount)
    wanted = changes.of_budget(ws, owner.name if owner else shown.name, kind, asked.amount)
    return costs.of_one(wanted, asked.budget, panel.near(asked.budget, shown.noun))


def jagged() -> int | None:
    """The switch for a whole path; its number, or None."""
    if not controls.toggle(
        "One whole path, jagged",
        key="bridge_path",
        help="How the number could change with the noise, level by level; one of endlessly many.",
    ):
        return None
    controls.button(
        "Another path",
        lambda: _PATHS.set(_PATHS.get() + 1),
        icon="shuffle",
        key="bridge_another",
    )
    return _PATHS.get()


def acts(ws: Workspace, shown: Scene, asked: Asked, meant: bool) -> None:
    """Draw or go on, take the tier, start over: right below the picture that changes."""
    with st.container(horizontal=True):
        if shown.held.holds(asked.budget.level):
            controls.button("Another tier", _next, icon="add", type="primary", key="bridge_next")
        else:
            look: controls.Look = {"type": "primary", "icon": "casino"}
            label = f"Draw {literal(shown.name)}’s number"
            press.button(label, _draw, shown, asked, meant, key="bridge_draw", **look)
        why_not = _take(ws, shown, asked)
        if shown.example is not None and (_ASKED.get() or _LAST.get() is not None):
            look = {"icon": "restart_alt"}
            press.button("Start over", _again, shown, key="bridge_over", **look)
    if why_not:
        st.caption(why_not)


def _take(ws: Workspace, shown: Scene, asked: Asked) -> str:
    """A button that adds the tier to the plan; where there is none, a sentence why."""
    tier = tier_at(ws, shown, asked)
    owner = ws.plan.owner(tier.kind, tier.amount)
    if owner is not None:
        return f"{literal(capitalised(owner.name))}, {asked.words}, is a tier of your plan."
    if (why_not := ws.plan.problem_with(tier, ws.setting)) is not None:
        return f"This tier cannot join your plan: {literal(why_not)}"
    press.button(
        f"Add {literal(tier.name)}, {asked.words}, to my plan",
        ws.change_plan,
        ws.plan.add,
        tier,
        key="bridge_add",
        icon="playlist_add",
        help="Your statistic gets this tier; nothing is drawn until you ask on Releases.",
    )
    return ""


def tier_at(ws: Workspace, shown: Scene, asked: Asked) -> Tier:
    """The tier at the slider's budget, under a name that the plan does not have yet."""
    held = (p.tier for p in shown.held.pins if p.level == asked.budget.level)
    name = next(held, shown.name)
    taken = {t.name.casefold() for t in ws.plan.tiers}
    kind = guarantee_of(shown.held.family).letter
    return Tier(
        name=free_name(taken) if name.casefold() in taken else name, amount=asked.amount, kind=kind
    )


def _draw(shown: Scene, asked: Asked, meant: bool) -> None:
    shown.draw(asked.amount, meant)
    _LAST.set(asked.budget.loss)


def _next() -> None:
    _LAST.pop()
    _ASKED.set(_ASKED.get() + 1)


def _again(shown: Scene) -> None:
    start_over(shown.held.family.name)
    _LAST.pop()
    _ASKED.set(0)
