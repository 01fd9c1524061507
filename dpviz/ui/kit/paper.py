"""The figures of a paper, drawn again from our own functions: one at a time, chosen by its name."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import pandas as pd
import plotly.graph_objects as go

from dpviz.ui.kit import controls, parts


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What one figure is called and what it says; `name` in place of the number of a figure."""

    name: str = ""
    title: str
    across: str
    up: str
    says: str


def choose(
    figures: Mapping[int, Figure],
    settings: Mapping[int, str],
    frame: Callable[[int], pd.DataFrame],
    chart: Callable[..., go.Figure],
    *,
    lines: str,
    key: str,
) -> None:
    """Show the figure that is chosen; `lines` says what its lines are, `settings` what we set."""
    names = {n: f"{each.name or f'Figure {n}'}: {each.title}" for n, each in figures.items()}
    number = controls.selectbox(
        "Figure of the paper", list(figures), format_func=names.__getitem__, key=f"{key}_figure"
    )
    shown = figures[number]
    parts.chart(
        chart(frame(number), across=shown.across, up=shown.up),
        heading=names[number],
        reading=f"{shown.says} Settings, which are ours: {settings[number]}.",
        alt=f"{shown.title}: {shown.up} over {shown.across}, {lines}.",
        key=key,
    )
