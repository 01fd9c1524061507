"""Controls of the Bridge paths page: what is looked at, the new level, paths, draw."""

import math
from dataclasses import dataclass, replace

import streamlit as st

from dpviz.accounting.guarantees import guarantee_of, offered
from dpviz.noise import ADDITIVE
from dpviz.parameters import exact
from dpviz.planning.amounts import Amount
from dpviz.planning.budgets import Budget, resolve
from dpviz.ui.bridge_paths.scenes import (
    SPREAD,
    Scene,
    example,
    example_scene,
    own_scene,
    start_over,
)
from dpviz.ui.kit import controls, looking, parts, press
from dpviz.ui.kit.state import Slot
from dpviz.words import budget, capitalised, clean
from dpviz.words.markdown import literal
from dpviz.workspace.workspace import Workspace

EXAMPLE, OWN = "made-up example", "my statistic"
LEFT_IN, TAKEN_OFF = "left in: a staircase", "subtracted"
STEPS = 41  # places of the slider
_PATHS = Slot("bridge_paths", lambda: 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """Where the slider is: the budget as typed, and all that it means."""

    amount: str
    budget: Budget

    @property
    def words(self) -> str:
        """The budget with its letter."""
        return budget(self.budget.letter, self.budget.loss)


def scene(ws: Workspace) -> Scene:
    """Which numbers: the example, or one group of the user's statistic."""
    chosen = controls.look_at(
        EXAMPLE,
        OWN,
        key="bridge_source",
        help="The example counts 120 people who do not exist: its answer is public, so that "
        "everything can be drawn. Your own statistic keeps its exact number hidden.",
    )
    if chosen == OWN:
        return _own(ws)
    family = controls.selectbox(
        "Noise",
        offered(),
        format_func=lambda n: capitalised(ADDITIVE[n].label),
        key="bridge_family",
        help="How the noise of the example is made.",
    )
    st.caption("Made up: 120 people, a public answer. Nothing here touches your data.")
    return example_scene(example(family or offered()[0]))


def _own(ws: Workspace) -> Scene:
    entries = ws.statistic.query.entries
    place = controls.selectbox(
        "Number",
        range(len(entries)),
        format_func=lambda i: clean(entries[i]),
        key="bridge_group",
        help="One of the numbers that every tier gets.",
        lasting=False,
    )
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
        default=LEFT_IN if shown.example else TAKEN_OFF,
        key=f"bridge_mean_{shown.example is None}",
        help="Poisson noise only adds: the number as drawn climbs a staircase with the noise. "
        "People read it with the mean of the noise subtracted.",
    )
    return replace(shown, held=replace(shown.held, raw=chosen == LEFT_IN))


def new_level(shown: Scene) -> Asked:
    """The slider: budgets from more private than all that is held to less private."""
    letter = guarantee_of(shown.held.family).letter
    amounts = places(min(shown.losses) / SPREAD[letter], max(shown.losses) * SPREAD[letter])
    chosen = controls.select_slider(
        f"Budget {letter} of the new tier, {literal(shown.name)}",
        amounts,
        value=amounts[middle(amounts, shown.losses, SPREAD[letter])],
        key=f"bridge_budget_{shown.held.family.name}_{shown.example is None}",
        help="How much the new tier may learn. Moving it draws nothing.",
        lasting=False,
    )
    st.caption("left: more private, more noise · right: less private, less noise")
    found = resolve(letter, Amount(exact(float(chosen))), shown.setting)
    return Asked(amount=chosen, budget=found)


def places(least: float, most: float) -> list[str]:
    """Budgets on equal factors, two digits each, as they are typed.

    >>> places(0.01, 1.0)[::20]
    ['0.01', '0.1', '1']
    """
    factor = (most / least) ** (1 / (STEPS - 1))
    return list(dict.fromkeys(_typed(least * factor**i) for i in range(STEPS)))


def _typed(amount: float) -> str:
    text = f"{float(f'{amount:.2g}'):.12f}".rstrip("0").rstrip(".")
    return text if float(text) > 0 else f"{amount:.2g}"


def middle(amounts: list[str], losses: tuple[float, ...], spread: float) -> int:
    """The place between the two most private budgets held; beside one alone, the more private."""
    first, *rest = sorted(set(losses))
    wanted = math.log(first * rest[0]) / 2 if rest else math.log(first) - math.log(spread) / 2
    return min(range(len(amounts)), key=lambda i: abs(math.log(float(amounts[i])) - wanted))


def acts(shown: Scene, asked: Asked) -> int | None:
    """Draw, another path, start over; returns the number of the path, or None for no path."""
    held = shown.held.holds(asked.budget.level)
    sure = held or shown.example is not None or parts.meant(asked.budget, "bridge")
    press.button(
        "Draw this release",
        shown.draw,
        asked.amount,
        sure,
        key="bridge_draw",
        type="primary",
        icon="edit",
        width="stretch",
        disabled=held,
    )
    st.caption(
        "Held: asking again gives the same number."
        if held
        else "Drawn once and kept: asking again gives the same number."
    )
    parts.problem_of_last_act()
    path = controls.toggle(
        "One possible path",
        value=True,
        key="bridge_path",
        help="How the number could run between the pinned ones; one of endlessly many.",
    )
    number = _PATHS.get()
    if path:
        controls.button(
            "Another possible path",
            lambda: _PATHS.set(_PATHS.get() + 1),
            icon="shuffle",
            width="stretch",
            key="bridge_another",
        )
    if shown.example is not None:
        press.button(
            "Start the example over",
            start_over,
            shown.held.family.name,
            key="bridge_over",
            icon="restart_alt",
            width="stretch",
        )
    else:
        st.caption("What is drawn here is a tier of your plan, and is shown on the page Releases.")
    return number if path else None
