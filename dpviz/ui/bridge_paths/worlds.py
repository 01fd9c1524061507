"""Below the main picture: 200 sessions in two orders side by side."""

from dataclasses import replace
from typing import Any

import streamlit as st

from dpviz import streams
from dpviz.charts.bridge.frame import Held
from dpviz.charts.bridge.worlds import (
    MIXED,
    ORDERS,
    SESSIONS,
    UP,
    marginal_frame,
    share_inside,
    world_errors,
    world_levels,
    worlds_chart,
    worlds_frame,
)
from dpviz.ui.bridge_paths.scenes import SEED, Scene, kept
from dpviz.ui.kit import controls, parts
from dpviz.words import percent


def many_worlds(shown: Scene) -> None:
    """200 sessions at once, in two orders: the same distribution at every level."""
    held = shown.held
    columns = st.columns(2, gap="medium")
    for column, first, number in zip(columns, (UP, MIXED), (1, 2), strict=True):
        with column:
            order = controls.selectbox(
                "Asked",
                ORDERS,
                index=ORDERS.index(first),
                key=f"bridge_order_{number}",
                help="In which order the levels are asked for, in all sessions.",
                lasting=False,
            )
            errors = _errors(held, order, number)
            drawn, theory = share_inside(held, errors)
            parts.chart(
                worlds_chart(
                    worlds_frame(held, errors),
                    marginal_frame(held),
                    noun=shown.noun,
                    steps=replace(held, raw=False).jumps,
                ),
                heading="",
                reading=f"{percent(drawn)} of the releases lie between the lines; for a single "
                f"release, theory says {percent(theory)}.",
                alt=f"{SESSIONS} lines, spreading to the right, most of them within two curves.",
                key=f"bridge_worlds_{number}",
            )
    st.caption(
        "Grey: the errors of one session each, release minus exact. Blue: where a single release "
        "of that noise falls 95 times in 100. The order does not change the distribution: nobody "
        "can tell from the numbers who asked first."
    )


def _errors(held: Held, order: str, number: int) -> Any:
    """The sessions of one order, kept by what was asked: a rerun shows the same."""

    def draw() -> Any:
        rng = streams.teaching(SEED, 2, number, ORDERS.index(order))
        return world_errors(held.family, world_levels(held), order, SESSIONS, rng=rng)

    key = (held.family.name, held.bottom, held.top, order)
    return kept(f"worlds_{number}", key, draw)
