"""Who may see how much, in one picture: how near each tier comes, and how well it could guess.

A row per tier, the sharpest on top. On the left a bar of ± around the exact number's place: the
narrower, the sharper. On the right the guesses about one person that are right, of 1,000; a coin
gets 500. Two more rows say the same of all tiers together: here, where the largest budget counts,
and if noise were separate, where budgets would add up. Two ticks say it of others’ budgets.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpviz.charts.compared import (
    TICK,
    TOGETHER,
    Guess,
    bars,
    count,
    guess_of,
    scale,
    yardstick,
    yardstick_frame,
)
from dpviz.charts.labels import note, rule, tag
from dpviz.charts.tidy import Tier, half_widths, require_columns, tiers
from dpviz.handout.report.bars import narrowest, place
from dpviz.noise.family import Family
from dpviz.palette import GREY
from dpviz.planning.budgets import usual_half_width
from dpviz.words import plain, pm, shorten, within
from dpviz.workspace.guesses import ALL, COIN, Right
from dpviz.workspace.held import HeldTier

CLEARANCES = ("tier", "half_width", "budget", "right", "said", "slot", "symbol")
TALL, LOW, HEAD = 54.0, 42.0, 40.0  # pixels: a row, one of many, the words above the columns
TALL_UP_TO = 12  # tiers; more of them get lower rows
LEFT, RIGHT = (0.0, 0.46), (0.52, 0.83)  # of the width; the counts are beyond
LINE = 5.0  # pixels: how thick the bar of ± is
MIDDLE, THICK = 0.68, 0.26  # of a row: where its bars are, and how thick


def clearances_frame(
    planned: Sequence[HeldTier], rights: Sequence[Right], family: Family, step: float
) -> pd.DataFrame:
    """Accuracy and right guesses of every tier, in their order; columns `CLEARANCES`.

    Args:
        planned: tiers, in the order to draw.
        rights: right guesses at the budget of each.
        family: the noise family.
        step: one whole step in units of the statistic.
    """
    rows = [
        (
            t.name,
            usual_half_width(family, t.level, step),
            t.budget,
            right.value,
            right.said,
            t.slot,
            t.symbol,
        )
        for t, right in zip(planned, rights, strict=True)
    ]
    return pd.DataFrame(rows, columns=list(CLEARANCES))


def clearances(
    frame: pd.DataFrame,
    together: pd.DataFrame | None = None,
    *,
    noun: str,
    one: str = "person",
) -> go.Figure:
    """Draw a row per tier, and one per way to give out all of them.

    Args:
        frame: columns `CLEARANCES`; a half width that is not a number has no bar.
        together: columns `TOGETHER`, a row "here" and one for separate noise: who, how
            their budgets combine, right guesses (number and words), and the slot of the colour
            (0: grey); None where nobody can compare notes.
        noun: what is counted.
        one: of whom is guessed.

    Raises:
        ParameterError: a column is missing or there is no row.

    >>> one = pd.DataFrame({"tier": ["audit"], "half_width": [2.2], "budget": ["ρ = 0.4"],
    ...     "right": [673.4], "said": ["673"], "slot": [11], "symbol": [3]})
    >>> [trace.name for trace in clearances(one, noun="people").data]
    ['±', 'tiers', 'all', 'right', 'yardstick']
    """
    require_columns(frame, *CLEARANCES)
    everybody, half = tiers(frame), half_widths(frame)
    row = TALL if len(everybody) <= TALL_UP_TO else LOW
    unit, seen = narrowest(half), half[half > 0]
    reach = float(seen.max()) if seen.size else 1.0
    end = 1.04 * float(place(np.array([reach]), unit)[0])
    notes, shapes = [*_heads(one), *scale("x2", HEAD + 0.28 * row)], [_rule(HEAD)]
    guesses = []
    for rank, tier in enumerate(everybody):
        top = HEAD + row * rank
        guesses.append(_guess_of(tier, top + MIDDLE * row, row * THICK))
        words = f"{tag(tier.style, tier.short())} {plain(_near(tier, noun))}"
        notes.append(note(words, 0, top + 0.28 * row, xref="paper"))
        notes.append(count(str(tier.rows["said"].iloc[0]), RIGHT[1], top + MIDDLE * row))
    bottom = HEAD + row * len(everybody)
    if together is not None:
        require_columns(together, *TOGETHER)
        right, best = float(together["right"].iloc[0]), int(frame["right"].argmax())
        shapes += [
            _rule(bottom + 4),
            _level(right, HEAD + row * (best + MIDDLE), bottom + 8 + row / 2),
        ]
        more, names = _together(together, bottom + 8, row)
        guesses, notes = [*guesses, *more], [*notes, *names]
        bottom += 8 + row * len(together)
    published = yardstick_frame()
    ticks, names = yardstick(published, "x2", RIGHT, bottom + 8)
    shapes.append(_rule(bottom + 4))
    notes += names
    bottom += 8 + TICK * len(published)
    layout = {
        "height": round(bottom + 8),
        "margin": {"t": 4, "b": 4, "l": 0, "r": 0},
        "annotations": notes,
        "barmode": "overlay",
        "shapes": shapes,
        "xaxis": {"domain": LEFT, "range": (-end, end), "visible": False},
        "xaxis2": {"domain": RIGHT, "anchor": "y", "range": (COIN, ALL), "visible": False},
        "yaxis": {"visible": False, "range": (bottom, 0)},
    }
    middles = np.asarray(HEAD + row * (np.arange(len(everybody)) + MIDDLE), float)
    traces = [*_accuracy(everybody, middles, unit, noun), *bars(guesses, "x2"), ticks]
    return go.Figure(data=traces, layout=layout)


def _heads(one: str) -> list[dict[str, Any]]:
    """What the two columns are, each in two lines: on a phone they are narrow."""
    left = "how far off,<br>95 times in 100"
    right = f"right guesses of {ALL:,}:<br>is one {plain(one, 12)} in the table?"
    return [
        note(left, 0, HEAD / 2, xref="paper", font={"size": 12}),
        note(right, RIGHT[0], HEAD / 2, xref="paper", font={"size": 12}),
    ]


def _rule(y: float) -> dict[str, Any]:
    """A grid line across both columns."""
    return rule(y) | {"xref": "paper"}


def _near(tier: Tier, noun: str) -> str:
    half, budget = half_widths(tier.rows)[0], str(tier.rows["budget"].iloc[0])
    return (
        f"{pm(half, unit=shorten(noun, 12) * bool(half))}, {budget}"
        if np.isfinite(half)
        else f"{budget}, no guarantee"
    )


def _accuracy(
    everybody: Sequence[Tier], middles: NDArray[np.float64], unit: float | None, noun: str
) -> list[Any]:
    """The bars of ± and the tiers' symbols: two traces, however many tiers there are."""
    half = np.array([half_widths(tier.rows)[0] for tier in everybody])
    known = np.isfinite(half)
    ends, said = place(half[known], unit), np.array([_hover(t, plain(noun)) for t in everybody])
    colours = np.array([tier.style.colour for tier in everybody])
    look: dict[str, Any] = {"hoverinfo": "text"}
    line = go.Bar(
        x=2 * ends,
        base=-ends,
        y=middles[known],
        width=LINE,
        orientation="h",
        name="±",
        marker={"color": colours[known], "line": {"width": 0}},
        hovertext=said[known],
        **look,
    )
    symbols = [tier.style.marker for tier in everybody]
    mark = go.Scatter(
        x=np.zeros(len(middles)),
        y=middles,
        mode="markers",
        name="tiers",
        marker={"color": colours, "symbol": symbols, "size": 16, "line": {"width": 1.5}},
        hovertext=said,
        **look,
    )
    return [line, mark]


def _guess_of(tier: Tier, y: float, thick: float) -> Guess:
    """The bar of a tier's right guesses."""
    right, said = float(tier.rows["right"].iloc[0]), str(tier.rows["said"].iloc[0])
    sentence = f"<b>{tier.name}</b>: {plain(said)} of {ALL:,} guesses right; a coin: {COIN}."
    return right, y, thick, tier.style.colour, sentence


def _hover(tier: Tier, noun: str) -> str:
    half = float(half_widths(tier.rows)[0])
    if not np.isfinite(half):
        return f"No guarantee stands behind the accuracy of <b>{tier.name}</b>."
    return f"<b>{tier.name}</b> will see each number {within(half, noun)}<br>" + (
        "of the exact one, 95 times in 100." if half else ""
    )


def _together(
    frame: pd.DataFrame, top: float, row: float
) -> tuple[list[Guess], list[dict[str, Any]]]:
    """A bar per way to give out all tiers; its words beside it, where the bars of ± end."""
    guesses: list[Guess] = []
    notes = []
    for rank, (_, one) in enumerate(frame.iterrows()):
        middle = top + row * (rank + 0.5)
        words = f"<b>{plain(one['who'])}</b><br>{plain(one['how'])}"
        guesses.append(guess_of(one, middle, 1.4 * THICK * row))
        notes.append(note(words, 0, middle, xref="paper"))
        notes.append(count(str(one["said"]), RIGHT[1], middle))
    return guesses, notes


def _level(right: float, top: float, bottom: float) -> dict[str, Any]:
    """A dotted line at a number of guesses: two bars end there."""
    look = {"color": GREY, "width": 1.4, "dash": "dot"}
    ends = {"x0": right, "x1": right, "xref": "x2", "y0": top, "y1": bottom}
    return {"type": "line", **ends, "line": look}
