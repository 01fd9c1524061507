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
from dpviz.charts.tidy import Floats, require_columns
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
    traces = []

    def to(share: Any) -> Any:
        return new.noise * 10.0 ** (reach * share)

    if sideways.bars:
        traces = [_bars(hill, new, to, max(tallest, longest), plot)]
    elif tallest > 0:
        value = hill[VALUE].to_numpy(float)
        height = hill[CHANCE].to_numpy(float) / tallest * (0.5 if len(atoms) else 1.0)
        traces = [_area("hill", value, to(height), new, width=2)]
        if sideways.middle is not None:
            at = np.linspace(*sideways.middle, 60)
            traces.append(_area("middle half", at, to(np.interp(at, value, height)), new, width=0))
    spikes, notes = _spikes(pins, new, atoms, to, sideways.bars, (longest, tallest), plot, noun)
    return traces + spikes, notes


def _bars(hill: pd.DataFrame, new: NewTier, to: Any, most: float, plot: Plot) -> go.Scatter:
    """A bar per whole number, as broad as their distance allows."""
    x: list[float | None] = []
    y: list[float | None] = []
    for value, chance in zip(hill[VALUE], hill[CHANCE], strict=True):
        x += [new.noise, float(to(chance / most)), None]
        y += [value, value, None]
    apart = plot.unit * (float(np.diff(hill[VALUE]).min()) if len(hill) > 1 else 9.0)
    line = {"color": new.style.colour, "width": max(1.5, min(9.0, 0.72 * apart))}
    return go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", name="bars")


def _area(name: str, at: Floats, ends: Floats, new: NewTier, *, width: int) -> go.Scatter:
    """What lies between the dotted line and a curve."""
    return go.Scatter(
        x=[new.noise, *ends, new.noise],
        y=[at[0], *at, at[-1]],
        mode="lines",
        fill="toself",
        fillcolor=rgba(new.style.colour, 0.4),
        line={"color": new.style.colour, "width": width},
        hoverinfo="skip",
        name=name,
    )


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
