"""Screen 4 of the lesson on the trick: the town run many times, in two orders of asking."""

from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.accounting import half_width
from dpviz.charts.threads_frame import GAUSSIAN
from dpviz.charts.tidy import Floats
from dpviz.charts.trick.frame import heaps_frame
from dpviz.charts.trick.heaps import heaps
from dpviz.palette import TierStyle
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.cast import ILL, PUBLIC, RESEARCH
from dpviz.ui.kit.lesson import Asked, Side
from dpviz.ui.the_trick import words
from dpviz.ui.the_trick.town import ORDERS, RUNS, STYLE, drawn, level
from dpviz.words import pm
from dpviz.words.claims import Claim

NUMBER, GAP = "research’s number", "gap to the public’s"
SHOWN = (NUMBER, GAP)
GUESS = (
    "Ten thousand runs, audit first: will the hill be wider or narrower if the public asks first?"
)
REVEALED = "With public first the runs land in the same hill: the order of asking leaves no trace."
FIRST, OTHER = ORDERS


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Where the runs land, and how many are near.

    Attributes:
        frame: as `heaps_frame` makes it.
        half: ± of the exact distribution.
        near: runs within ± of the middle, by order.
        asked: what was asked.
    """

    frame: pd.DataFrame
    half: float
    near: dict[str, int]
    asked: Asked


def runs_frame(asked: Asked) -> Runs:
    """The number of research in many runs, or how far the public's is from it."""
    made = drawn(asked.draw).runs
    gap = asked.chosen == GAP
    middle = 0.0 if gap else float(ILL)
    spread = level(PUBLIC) - level(RESEARCH) if gap else level(RESEARCH)
    x: dict[str, Floats] = {
        order: run[PUBLIC] - run[RESEARCH] if gap else run[RESEARCH] for order, run in made.items()
    }
    half = half_width(GAUSSIAN, spread, ACCURACY_CONFIDENCE)
    near = {order: int(np.sum(np.abs(each - middle) <= half)) for order, each in x.items()}
    return Runs(frame=heaps_frame(x, middle, spread), half=half, near=near, asked=asked)


def runs_said(runs: Runs) -> str:
    """A question first, then its answer."""
    return REVEALED if runs.asked.done else GUESS


def runs_picture(runs: Runs) -> go.Figure:
    """One heap, or two in one hill."""
    gap = runs.asked.chosen == GAP
    middle = 0 if gap else ILL
    ticks = {float(middle + k): _place(middle + k) for k in (-6, -3, 0, 3, 6)}
    style = TierStyle(0, 0) if gap else STYLE[RESEARCH]
    what = f"{runs.asked.chosen or NUMBER}, in {RUNS:,} runs"
    return heaps(runs.frame, style, what=what, ticks=ticks, both=runs.asked.done)


def _place(x: int) -> str:
    named = {ILL: "the truth", 0: "no gap"}.get(x)
    return f"{x}<br>{named}" if named else f"{x}".replace("-", "−")


def runs_alt(runs: Runs) -> str:
    """The same in words."""
    what = runs.asked.chosen or NUMBER
    if runs.asked.done:
        return f"Two histograms, {FIRST} and {OTHER}, coincide with one smooth hill: {what}."
    return f"A histogram like a hill, {FIRST}: {what}, in {RUNS:,} runs."


def runs_side(runs: Runs) -> Side:
    """How many runs are near, in one order and in the other."""
    done = runs.asked.done
    middle = "of one another" if runs.asked.chosen == GAP else "of the truth"
    claims = [_near_claim(order, runs) for order in (ORDERS if done else (FIRST,))]
    expected = round(RUNS * ACCURACY_CONFIDENCE)
    note = f"{OTHER}: {runs.near[OTHER]:,}; in theory {expected:,}" if done else FIRST
    caption = (
        "One run draws all four numbers once, with fresh noise. What differs between the two is "
        "chance: in theory there is one hill."
        if done
        else "One run draws all four numbers once, with fresh noise. The hill: where they land. "
        "Guess first, then look."
    )
    return Side(
        label=f"Runs within {pm(runs.half)} {middle}, of {RUNS:,}",
        value=f"{runs.near[FIRST]:,}",
        note=note,
        claims=tuple(claims),
        lines=words.orders(),
        caption=caption,
    )


def _near_claim(order: str, runs: Runs) -> Claim:
    return Claim(
        what=f"runs within ± of the middle, {order}",
        value=runs.near[order],
        fixed=f"{RUNS:,} runs of the made-up town with one seed, within ± of the middle",
        method="sessions of the library, one coordinate per run; in theory 95 of 100",
        kind="simulated",
    )
