"""The sentence that a released number says when one points at it."""

from typing import Any

import numpy as np

from dpviz.charts.tidy import Intervals, Tier
from dpviz.words import between, d3, number, percent, plain, pm

TRUTH = "true bounded number"  # what an interval holds
NO_GUARANTEE = "No guarantee stands behind its accuracy"


def release_hover(
    tier: Tier,
    groups: list[str],
    marks: Intervals,
    *,
    noun: str,
    confidence: float,
    axis: str,
    truth: str = TRUTH,
) -> dict[str, Any]:
    """`customdata` and `hovertemplate` of one tier's marks.

    Args:
        tier: whose marks they are.
        groups: name of the group of each mark, escaped.
        marks: the released values and their intervals.
        noun: what is counted.
        confidence: of the intervals.
        axis: "x" or "y", where the value is.
        truth: what the intervals hold.
    """
    half, centred, common = marks.half, marks.centred, marks.common_half
    known, sure = half[np.isfinite(half)], f"{percent(confidence)} confidence"
    budget, held = plain(tier.rows["budget"].iloc[0]), f"With {sure} the<br>{plain(truth)} is "
    if not len(known) or (np.isfinite(common) and centred[np.isfinite(marks.value)].all()):
        data = np.array(groups, dtype=object)
        sentence = f"{held}{_near(common)}" if len(known) else NO_GUARANTEE
        group = "%{customdata}"
    else:
        ends = zip(half, marks.low, marks.high, centred, strict=True)
        sentences = [_sentence(held, *mark) for mark in ends]
        data = np.array([groups, sentences], dtype=object).T
        group, sentence = "%{customdata[0]}", "%{customdata[1]}"
    step = float(known.min()) if len(known) else 1.0
    long = max(map(len, groups)) + len(tier.name) + len(noun) > 36
    gap = "<br>" if long else " "
    head = f"<b>{tier.name}</b> sees %{{{axis}:{d3(step)}}} {plain(noun)}{gap}for {group}.<br>"
    return {"customdata": data, "hovertemplate": f"{head}{sentence} ({budget}).<extra></extra>"}


def _sentence(held: str, half: float, low: float, high: float, centred: bool) -> str:
    """Of one mark: ± if the released number is the middle of its interval, else both ends."""
    if not np.isfinite(half):
        return NO_GUARANTEE
    return held + (_near(half) if centred else f"between {between(low, high, 'and')}")


def _near(half: float) -> str:
    return f"within {pm(half)} of that" if half else "exactly that, but never surely"


def exact_hover(value: float, group: str, noun: str) -> str:
    """The sentence of an exact number on screen."""
    return f"Exact, <b>not private</b>: {number(value)} {plain(noun)} for {group}."
