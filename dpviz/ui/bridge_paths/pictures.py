"""The picture of the Bridge paths page, and what is there before anything is held."""

import pandas as pd
import streamlit as st

from dpviz import streams
from dpviz.charts.bridge.frame import Held, atoms_frame, pins_frame
from dpviz.charts.bridge.paths import path_frame, reach_frame
from dpviz.charts.bridge.rows import NewTier
from dpviz.charts.bridge.strings import strings
from dpviz.noise.bridge_law import ReleaseLaw
from dpviz.palette import TierStyle
from dpviz.ui.bridge_paths import words
from dpviz.ui.bridge_paths.controls import Asked
from dpviz.ui.bridge_paths.scenes import SEED, Scene, kept
from dpviz.ui.kit import panel, parts, press
from dpviz.words.markdown import literal
from dpviz.workspace.workspace import Workspace


def main(shown: Scene, asked: Asked, law: ReleaseLaw | None, path: int | None) -> None:
    """The numbers that are held, and where that of the tier at the slider may fall, or fell."""
    held, level = shown.held, asked.budget.level
    pin = held.at(level)
    parts.chart(
        strings(
            pins_frame(held, level),
            reach_frame(held, level),
            NewTier(
                name=pin.tier if pin else shown.name,
                style=TierStyle(pin.slot, pin.symbol) if pin else shown.style(level),
                noise=held.noise(level),
                held=pin is not None,
            ),
            atoms=None if law is None else atoms_frame(law, held, level),
            path=None if path is None else possible_path(held, path),
            jumps=held.jumps,
            accuracies=words.accuracies(shown, level),
            remark=words.upwards(shown),
            noun=shown.where if shown.example else f"{shown.where}: {shown.noun}",
            truth=shown.held.exact if shown.example else None,
        ),
        heading=words.picture_title(shown, level),
        reading=words.reading(shown, asked, law, whole=path is not None),
        alt=words.alternative(shown, asked, law),
        key="bridge",
    )


def possible_path(held: Held, number: int) -> pd.DataFrame:
    """One path through the pins, kept by them and its number: the slider does not redraw it."""

    def draw() -> pd.DataFrame:
        return path_frame(held, rng=streams.teaching(SEED, 1, number))

    return kept("path", (held, number), draw)


def nothing_held(ws: Workspace) -> None:
    """What is shown before the first release of the user's own statistic."""
    waiting = ws.waiting()

    def act() -> None:
        if waiting:
            offered = panel.offer_plain(ws, waiting[:1], key="bridge_first")
            press.button(
                f"Draw the release of {literal(waiting[0])}",
                offered.draw,
                waiting[0],
                icon="casino",
                key="bridge_first",
            )
            parts.problem_of_last_act()
            st.caption(offered.all)
        parts.link("releases" if waiting else "tiers")

    parts.empty(
        "Your statistic has no release yet.",
        "Draw one: it is pinned here, and you see what a second tier could get.",
        act,
    )
