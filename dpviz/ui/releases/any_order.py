"""The fold on the order of asking: the made-up town, asked in three orders."""

import math

import pandas as pd
import streamlit as st

from dpviz import streams
from dpviz.accounting.levels import gaussian_level
from dpviz.charts.releases.any_order import SHOWN, reach_of, swarm, swarm_frame
from dpviz.charts.threads_frame import GAUSSIAN
from dpviz.experiments.orders import errors_by_order
from dpviz.planning import cast
from dpviz.ui.kit import parts
from dpviz.ui.kit.state import Shelf
from dpviz.ui.releases import words
from dpviz.words import join

QUESTION = "Would another order have changed anything?"
REPETITIONS, SEED = 10_000, 287
SHARPEST = (cast.AUDIT, cast.RESEARCH, cast.PARTNERS, cast.PUBLIC)
ORDERS = (SHARPEST[::-1], SHARPEST, cast.ASKING)
_FRAMES = Shelf[list[pd.DataFrame]]("release_orders")


def pictures() -> None:
    """Three swarms, side by side."""
    st.caption(
        f"A made-up town of {cast.PEOPLE:,} people, its four tiers asked {REPETITIONS:,} times in "
        f"each order; {SHOWN} times are drawn."
    )
    frames = _FRAMES.take("town", _frames)
    reach = reach_of(frames)
    for column, order, frame in zip(st.columns(3), ORDERS, frames, strict=True):
        with column:
            parts.chart(
                swarm(frame, reach=reach),
                heading=f"{order[0].capitalize()} first",
                reading="",
                alt=f"{SHOWN} threads from the truth through the numbers of {join(SHARPEST)}, "
                f"which were asked in the order {join(order)}; each tier scatters as it does in "
                "the other orders.",
                key=f"order_{order[0]}",
            )
    st.caption(words.orders())


def _frames() -> list[pd.DataFrame]:
    rho = {name: float(amount) for name, amount in cast.amounts("ρ").items()}
    levels = {name: gaussian_level(rho[name], 1.0) for name in SHARPEST}
    sds = {name: math.sqrt(level) for name, level in levels.items()}
    rng = streams.teaching(SEED)
    found = errors_by_order(GAUSSIAN, levels, ORDERS, REPETITIONS, rng=rng)
    return [swarm_frame(errors, sds, cast.STYLES) for errors in found]
