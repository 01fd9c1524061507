"""Pictures of the Bridge paths page, and what is there before anything is held."""

import pandas as pd
import streamlit as st

from dpviz import streams
from dpviz.charts.bridge.chart import bridge_chart
from dpviz.charts.bridge.frame import (
    Held,
    atoms_frame,
    bands_frame,
    hill_frame,
    is_bars,
    middle_half,
    pins_frame,
    wedges_frame,
)
from dpviz.charts.bridge.labels import NewTier
from dpviz.charts.bridge.paths import path_frame, reach_frame
from dpviz.charts.bridge.sideways import Sideways
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
    parts.chart(
        strings(
            pins_frame(held, level),
            reach_frame(held, level),
            _new(shown, asked, law),
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


def _new(shown: Scene, asked: Asked, law: ReleaseLaw | None) -> NewTier:
    """The tier at the slider."""
    level = asked.budget.level
    pin = shown.held.at(level)
    return NewTier(
        name=pin.tier if pin else shown.name,
        style=TierStyle(pin.slot, pin.symbol) if pin else shown.style(level),
        noise=shown.held.noise(level),
        budget=asked.words,
        said=words.heading(shown, law, level),
        held=pin is not None,
        weighs="chance" if law is not None and law.atoms else "weight",
    )


def whole_law(shown: Scene, asked: Asked, law: ReleaseLaw | None) -> None:
    """Pins and bands over all levels, and the law of the new level sideways."""
    held, level = shown.held, asked.budget.level
    sideways = None
    if law is not None:
        sideways = Sideways(
            hill=hill_frame(law, held, level),
            atoms=atoms_frame(law, held, level),
            bars=is_bars(law, held),
            middle=None if law.atoms else middle_half(law, held, level),
        )
    lazy = held.family.lazy
    parts.chart(
        bridge_chart(
            pins_frame(held, level),
            kept("bands", held, lambda: bands_frame(held)),
            _new(shown, asked, law),
            sideways,
            noun=shown.noun,
            average=not lazy,
            rests=kept("rests", held, lambda: wedges_frame(held)) if lazy else None,
        ),
        heading="",
        reading=words.law_reading(shown, asked, law),
        alt=words.alternative(shown, asked, law),
        key="bridge_law",
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
