"""The same promise, five ways: how far off one tier's number may be, a bar for each scheme.

All who hold a number may together learn the largest budget, and no more; what a scheme pays for
that is noise. The global release with own noise keeps the promise to everybody, but not to those
in between: its bar is hollow, and says who learns more than was meant.
"""

import math
import textwrap
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.accounting import scheme_levels
from dpviz.charts.collusion.frame import (
    DOUBLING,
    GLOBAL,
    INDEPENDENT,
    LOSSLESS,
    SCHEME,
    SCHEMES,
    SPLITTING,
    Holder,
    Plan,
    persons,
)
from dpviz.charts.labels import note, pixels
from dpviz.charts.tidy import require_columns
from dpviz.errors import ParameterError
from dpviz.palette import GREY, rgba
from dpviz.planning.budgets import usual_half_width
from dpviz.words import NARROW, capitalised, decimals, fixed, plain, pm

HALF = "half"
PRICES = (SCHEME, HALF)
ORDER = (LOSSLESS, DOUBLING, SPLITTING, INDEPENDENT, GLOBAL)
USUAL = (LOSSLESS, SPLITTING, INDEPENDENT)  # what a stranger compares first
EXPLAINED = {
    LOSSLESS: "all share one noise",
    DOUBLING: "only 1, 2, 4 … times the least",
    SPLITTING: "budget split among them",
    INDEPENDENT: "enlarged until as safe",
    GLOBAL: "one shared number",
}
NAMED = SCHEMES | {  # readers of one tier share its noise, or none of them does
    SPLITTING: "separate per tier",
    INDEPENDENT: "separate per reader",
}
ROW, THICK, LINE = 68, 0.42, 18  # pixels of a row, its bar's share of it; pixels of a line of text
NARROWEST, LETTERS = 300, 46  # pixels of the plot, letters of a line, on a phone
LARGE, SMALL = 24, 18  # type of the numbers: lossless, others
NO_NOISE = "no noise can do it"
LEAST, MOST = 1e-3, 1e6  # numbers between these have decimals in common
ROUNDING = 1e-9  # of a number that is rounded up


@dataclass(frozen=True, slots=True, kw_only=True)
class Leak:
    """Some who together learn more than any of them was meant to, under the global scheme."""

    tiers: tuple[Holder, ...]  # with how many of each
    joint: float
    meant: float

    def __post_init__(self) -> None:
        checks.positive(joint=self.joint, meant=self.meant)


def prices_frame(plan: Plan, everybody: Sequence[Holder], tier: Holder) -> pd.DataFrame:
    """± of one tier's number under each scheme, at equal joint guarantee; columns `PRICES`.

    Args:
        plan: what the budgets refer to.
        everybody: all tiers, with how many hold a number.
        tier: one of them.

    Returns:
        A row per scheme, in `ORDER`; NaN where no noise of the family can do it.
    """
    copies, family, rows = sorted(persons(everybody)), plan.setting.family, []
    shared = sorted(set(copies))  # who holds the same number adds nothing
    for scheme in ORDER:
        losses = copies if scheme == INDEPENDENT else shared
        served = LOSSLESS if scheme == GLOBAL else scheme  # all but the whole release alone
        try:
            levels = scheme_levels(losses, served, setting=plan.setting)
            level = float(levels[losses.index(tier.loss)])
            half = usual_half_width(family, level, plan.setting.step)
        except ParameterError:
            half = math.nan
        rows.append((scheme, half))
    return pd.DataFrame(rows, columns=list(PRICES))


def worst_leak(plan: Plan, everybody: Sequence[Holder]) -> Leak | None:
    """Who gains most, in proportion, under the global scheme: all of one tier, or of two.

    The global release has the largest budget, as all together may learn it.
    """
    crowds: list[tuple[Holder, ...]] = [(t,) for t in everybody if t.joining > 1]
    shared = replace(plan, whole=max(t.loss for t in everybody))
    leaks = [
        Leak(
            tiers=group,
            joint=shared.learned(persons(group), GLOBAL).value,
            meant=max(t.loss for t in group),
        )
        for group in crowds or pairwise(everybody)
    ]
    worst = max(leaks, key=lambda leak: leak.joint / leak.meant, default=None)
    return worst if worst and worst.joint > worst.meant * (1 + 1e-9) else None


def price_bars(frame: pd.DataFrame, *, unit: str, leak: str = "") -> go.Figure:
    """Draw a bar of ± for each scheme; shorter is better. Lossless has the ink of the page.

    Args:
        frame: columns `PRICES`, as `prices_frame` gives it.
        unit: of the numbers; said once.
        leak: what is wrong with the hollow bar; "" if nothing is.

    Raises:
        ParameterError: a column is missing.

    >>> bars = pd.DataFrame({SCHEME: ORDER, HALF: [2.5, 4.1, 4.4, 6.9, 2.5]})
    >>> fig = price_bars(bars, unit="people", leak="but two learn more")
    >>> fig.layout.annotations[-1].text
    'but two learn more'
    """
    require_columns(frame, *PRICES)
    halves = frame[HALF].astype(float)
    texts = _texts(halves.tolist(), unit)
    lines = textwrap.wrap(leak, LETTERS)
    layout = {
        "height": ROW * len(frame) + LINE * len(lines) + 6,
        "margin": {"t": 2, "b": 2, "l": 0, "r": 0},
        "annotations": _notes(frame[SCHEME].tolist(), halves.tolist(), texts, lines),
        "shapes": [_hollow(halves.iloc[-1], len(frame) - 1)] if lines else [],
        "xaxis": {"visible": False, "range": (0, _reach(halves.tolist(), texts))},
        "yaxis": {
            "visible": False,
            "range": (len(frame) - 0.5 + (LINE * len(lines) + 4) / ROW, -0.56),
        },
    }
    bars = [
        _bar(scheme, half, k, hollow=bool(lines) and scheme == GLOBAL)
        for k, (scheme, half) in enumerate(zip(frame[SCHEME], halves, strict=True))
    ]
    return go.Figure(data=bars, layout=layout)


def _texts(halves: list[float], unit: str) -> list[str]:
    """The numbers at the bars, all with as many decimals as the shortest has, rounded up."""
    known = [half for half in halves if math.isfinite(half) and half > 0]
    small = bool(known) and min(known) >= LEAST and max(known) < MOST
    places = decimals(min(known)) if small else 0
    texts = []
    for half in halves:
        if not math.isfinite(half):
            texts.append(NO_NOISE)
        elif half == 0 or not small:
            texts.append(pm(half))
        else:
            up = math.ceil(half * 10**places - ROUNDING) / 10**places
            texts.append(f"±{NARROW}{fixed(up, places)}")
    if math.isfinite(halves[0]) and halves[0] > 0:
        texts[0] = f"{texts[0]} {plain(unit, 14)}"
    return texts


def _reach(halves: list[float], texts: list[str]) -> float:
    """The end of the axis, so that on a phone each number stands beside its bar."""
    ends = [0.0]
    for k, (half, text) in enumerate(zip(halves, texts, strict=True)):
        room = (pixels(text, LARGE if k == 0 else SMALL, bold=True) + 14) / NARROWEST
        ends.append((half if math.isfinite(half) else 0.0) / (1 - min(room, 0.7)))
    return max(ends) or 1.0


def _bar(scheme: str, half: float, y: int, *, hollow: bool) -> go.Bar:
    look = {} if scheme == LOSSLESS else {"color": rgba(GREY, 0 if hollow else 0.6)}
    length = half if math.isfinite(half) else 0.0
    return go.Bar(
        x=[length],
        y=[y + 0.14],
        width=[THICK],
        orientation="h",
        marker=look,
        name=SCHEMES[scheme],
        hovertext=f"<b>{capitalised(NAMED[scheme])}</b>: {EXPLAINED[scheme]}.",
        hoverinfo="text",
    )


def _hollow(half: float, y: int) -> dict[str, object]:
    ends = {"x0": 0, "x1": half, "y0": y + 0.14 - THICK / 2, "y1": y + 0.14 + THICK / 2}
    return {"type": "rect", **ends, "line": {"color": GREY, "width": 2, "dash": "3px 4px"}}


def _notes(
    schemes: list[str], halves: list[float], texts: list[str], lines: list[str]
) -> list[dict[str, object]]:
    """The name above each bar, its number at its end, and what is wrong with the last one."""
    notes = []
    for y, (scheme, half, text) in enumerate(zip(schemes, halves, texts, strict=True)):
        here = " (here)" if scheme == LOSSLESS else ""
        head = f"<b>{capitalised(NAMED[scheme])}</b>{here}: {EXPLAINED[scheme]}"
        notes.append(note(head, 0, y - 0.12, yanchor="bottom", font={"size": 14}))
        size = {"size": LARGE if scheme == LOSSLESS else SMALL}
        end = half if math.isfinite(half) else 0.0
        notes.append(note(f"<b>{text}</b>", end, y + 0.14, xshift=8, font=size))
    if lines:
        below = len(schemes) - 1 + 0.14 + THICK / 2 + 0.03
        said = "<br>".join(plain(line) for line in lines)
        notes.append(note(said, 0, below, yanchor="top", font={"size": 14}))
    return notes
