"""The law of a draw, sideways on the line of its level: hill or bars, and labelled spikes."""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.bridge.frame import ATOMS, CHANCE, HILL, NOISE, SIDE, SLOT, SYMBOL, TIER, VALUE
from dpviz.charts.bridge.labels import ROOM, NewTier, Plot
from dpviz.charts.labels import note, pixels
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.words import number, percent, plain

SHARE = 0.7  # of the gap to the right that a hill may fill


@dataclass(frozen=True, slots=True, kw_only=True)
class Sideways:
    """What a draw at the new level gives: a curve or bars, and spikes."""

    hill: pd.DataFrame
    atoms: pd.DataFrame
    bars: bool
    middle: tuple[float, float] | None = None  # half of all draws fall here: darker

    def __post_init__(self) -> None:
        for end in self.middle or ():
            checks.finite(middle=end)


def sideways_law(
    pins: pd.DataFrame,
    new: NewTier,
    sideways: Sideways,
    plot: Plot,
    noun: str,
) -> tuple[list[go.Scatter], list[dict[str, Any]]]:
    """Hill, bars and spikes to the right of the dotted line, and the labels of the spikes."""
    require_columns(sideways.hill, *HILL)
    ahead = [n for n in pins[NOISE] if n > new.noise] or [plot.right]
    reach = SHARE * math.log10(max(ahead[0], new.noise * 1.05) / new.noise)
    atoms, hill = sideways.atoms, sideways.hill
    longest = float(atoms[CHANCE].max()) if len(atoms) else 0.0
    tallest = float(hill[CHANCE].max())
    colour = new.style.colour
    traces = []

    def to(share: Any) -> Any:
        return new.noise * 10.0 ** (reach * share)

    if sideways.bars:
        most = max(tallest, longest)
        x, y = [], []
        for value, chance in zip(hill[VALUE], hill[CHANCE], strict=True):
            x += [new.noise, float(to(chance / most)), None]
            y += [value, value, None]
        apart = plot.unit * (float(np.diff(hill[VALUE]).min()) if len(hill) > 1 else 9.0)
        line = {"color": colour, "width": max(1.5, min(9.0, 0.72 * apart))}
        traces.append(go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", name="bars"))
    elif tallest > 0:
        height = hill[CHANCE].to_numpy(float) / tallest * (0.5 if len(atoms) else 1.0)
        value = hill[VALUE].to_numpy(float)
        traces.append(
            go.Scatter(
                x=[new.noise, *to(height), new.noise],
                y=[value[0], *value, value[-1]],
                mode="lines",
                fill="toself",
                fillcolor=rgba(colour, 0.4),
                line={"color": colour, "width": 2},
                hoverinfo="skip",
                name="hill",
            )
        )
        if sideways.middle is not None:
            at = np.linspace(*sideways.middle, 60)
            side = to(np.interp(at, value, height))
            traces.append(
                go.Scatter(
                    x=[new.noise, *side, new.noise],
                    y=[at[0], *at, at[-1]],
                    mode="lines",
                    fill="toself",
                    fillcolor=rgba(colour, 0.4),
                    line={"width": 0},
                    hoverinfo="skip",
                    name="middle half",
                )
            )
    spikes, notes = _spikes(pins, new, atoms, to, sideways.bars, (longest, tallest), plot, noun)
    return traces + spikes, notes


def _spikes(
    pins: pd.DataFrame,
    new: NewTier,
    atoms: pd.DataFrame,
    to: Any,
    bars: bool,
    most: tuple[float, float],
    plot: Plot,
    noun: str,
) -> tuple[list[go.Scatter], list[dict[str, Any]]]:
    """Horizontal spikes in the colour of the neighbour, each with its label."""
    if not len(atoms):
        return [], []
    require_columns(atoms, *ATOMS)
    longest = max(most) if bars else most[0]
    upper = float(atoms[VALUE].max())
    traces, found = [], []
    for value, chance, side in zip(atoms[VALUE], atoms[CHANCE], atoms[SIDE], strict=True):
        rows = pins[pins[SIDE] == side]
        style = TierStyle(int(rows[SLOT].iloc[0]), int(rows[SYMBOL].iloc[0])) if len(rows) else None
        name = plain(rows[TIER].iloc[0], 18) if len(rows) else "the exact number"
        colour = style.colour if style else GREY
        traces.append(
            go.Scatter(
                x=[new.noise, float(to(chance / longest))],
                y=[value, value],
                mode="lines+markers",
                line={"color": colour, "width": 5},
                marker={
                    "symbol": style.marker if style else "circle",
                    "size": [0, 10],
                    "opacity": 1,
                    "color": colour,
                },
                hovertemplate=f"{percent(chance)} chance to be identical to {name}: "
                f"{number(value)} {plain(noun)}<extra></extra>",
                name="atom",
            )
        )
        higher = value == upper
        text = f"<b>{percent(chance)}</b>: identical<br>to {name}"
        needed = max(pixels(f"{percent(chance)}: identical"), pixels(f"to {name}"))
        fits = (1 - plot.share(new.noise)) * ROOM > 0.85 * needed  # widths are safe estimates
        side = {"xshift": 6} if fits else {"xshift": -6, "xanchor": "right", "align": "right"}
        lift = {"yshift": 5, "yanchor": "bottom"} if higher else {"yshift": -5, "yanchor": "top"}
        found.append(note(text, math.log10(new.noise), value, **side, **lift))
    return traces, found
