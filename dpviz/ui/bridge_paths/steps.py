"""Below the main picture: one session step by step, in two orders of asking side by side.

Both sides end with the numbers that are held; only the order differs. Nothing is drawn.
"""

import math
from collections.abc import Sequence
from functools import partial

import streamlit as st

from dpviz.charts.bridge.steps import Step, order_chart, order_steps
from dpviz.ui.bridge_paths.scenes import Scene, kept
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.state import Slot
from dpviz.words import capitalised, number, significant
from dpviz.words.markdown import literal

ASKED, BACKWARDS = "as they were asked", "the other way round"
RISING, FALLING = "least private first", "most private first"
CLOSER = "Step by step, in two orders (Figure 1 of the paper)"
ORDERS = (ASKED, BACKWARDS, RISING, FALLING)
FEW = 4  # likelihoods that are written out
_STEP = Slot("bridge_step", lambda: 1)


def closer(shown: Scene) -> None:
    """The closer, where there is an order of asking."""
    if asked_in(shown):
        parts.look_closer(CLOSER, partial(step_by_step, shown), key="bridge_steps")


def step_by_step(shown: Scene) -> None:
    """Back and forward, two figures, and the likelihood of the whole in either order."""
    asked = asked_in(shown)
    at = _place(len(asked))
    sides = []
    for column, first, side in zip(st.columns(2, gap="medium"), ORDERS, (1, 2), strict=False):
        with column:
            sides.append(_side(shown, asked, at, first, side))
    st.caption(verdict(*sides))


def asked_in(shown: Scene) -> list[float]:
    """Levels in the order of asking; none where there is no order yet."""
    levels = {p.level for p in shown.held.pins}
    asked = [level for level in shown.order if level in levels]
    return asked if len(asked) > 1 else []


def _place(count: int) -> int:
    """Back and forward: the step that both figures show, from 1."""
    at = min(_STEP.get(), count)
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        for label, icon, to in (
            ("Back", "arrow_back", at - 1),
            ("Forward", "arrow_forward", at + 1),
        ):
            controls.button(
                label,
                _STEP.set,
                to,
                icon=icon,
                disabled=not 1 <= to <= count,
                key=f"bridge_{label.lower()}",
            )
        st.markdown(f"Answer {at} of {count}")
    return at


def _side(shown: Scene, asked: list[float], at: int, first: str, side: int) -> list[Step]:
    order = controls.selectbox(
        "Order of asking",
        ORDERS,
        index=ORDERS.index(first),
        key=f"bridge_steps_order_{side}",
        help="Both sides end with the same numbers; only who asks first differs.",
    )
    levels = tuple(ordered(asked, order))
    key = (shown.held, levels)
    steps = kept(f"steps_{side}", key, lambda: order_steps(shown.held, levels))
    names = ", ".join(literal(step.newest.tier) for step in steps[:at])
    parts.chart(
        order_chart(steps, at, noun=shown.noun),
        heading="",
        reading=f"Asked so far: {names}. {answer(steps[at - 1], shown)}",
        alt=f"{len(steps)} steps; each step pins one more number, and the bands get narrower.",
        key=f"bridge_steps_{side}",
    )
    return steps


def ordered(asked: Sequence[float], order: str) -> list[float]:
    """Levels in an order of asking.

    >>> ordered([4.0, 1.0, 2.0], BACKWARDS), ordered([4.0, 1.0, 2.0], FALLING)
    ([2.0, 1.0, 4.0], [4.0, 2.0, 1.0])
    """
    if order == ASKED:
        return list(asked)
    return list(asked)[::-1] if order == BACKWARDS else sorted(asked, reverse=order == FALLING)


def answer(step: Step, shown: Scene) -> str:
    """What the newest got, and how likely that was."""
    pin, held = step.newest, shown.held
    said = number(held.read(pin.value, pin.level), step=held.noise(pin.level))
    got = f"{literal(capitalised(pin.tier))} gets {said} {literal(shown.noun)}"
    if math.isnan(step.likelihood):
        return f"{got}. The chance of this number is hidden: it would tell the exact number."
    return f"{got}, of likelihood {significant(step.likelihood, 3)}."


def verdict(first: Sequence[Step], second: Sequence[Step]) -> str:
    """How likely all answers together are in either order: the product over the steps."""
    products = [math.prod(step.likelihood for step in side) for side in (first, second)]
    moving = "The slider and the replay inside a picture move that picture alone."
    if any(map(math.isnan, products)):
        return (
            "Each answer pins the bands down; answers given before never change, and both orders "
            f"end with the same picture. {moving}"
        )
    left, right = (
        _product(side, whole) for side, whole in zip((first, second), products, strict=True)
    )
    return (
        f"**Same distribution.** Likelihood of all {len(first)} answers together: left {left}, "
        f"right {right}. The order does not matter: nobody can tell from the numbers who asked "
        "first. (Likelihood: the chance of a whole number or of exactly the number next to it, "
        f"else the density.) {moving}"
    )


def _product(steps: Sequence[Step], whole: float) -> str:
    """The product, with its factors where these are few."""
    factors = [significant(step.likelihood, 3) for step in steps]
    return (" × ".join(factors) + " = " if len(steps) <= FEW else "") + significant(whole, 3)
