"""The sentence that a released number says when one points at it."""

import numpy as np
from numpy.typing import NDArray

from dpviz.figures.tidy import Tier
from dpviz.figures.words import d3, number, percent, plain, pm

Array = NDArray[np.float64]


def release_hover(
    tier: Tier, groups: list[str], half: Array, *, noun: str, confidence: float, axis: str
) -> dict[str, object]:
    """`customdata` and `hovertemplate` of one tier's marks.

    Args:
        tier: whose marks they are.
        groups: name of the group of each mark, escaped.
        half: half width of each mark's interval, NaN without a guarantee; shape (marks,).
        noun: what is counted.
        confidence: of the intervals.
        axis: "x" or "y", where the value stands.
    """
    widths = np.unique(half)  # NaN once, if any
    step = float(np.nanmin(half)) if np.isfinite(half).any() else 1.0
    budget = plain(tier.rows["budget"].iloc[0])
    if len(widths) == 1:
        data, sentence = np.array(groups, dtype=object), _accuracy(float(widths[0]), confidence)
        group = "%{customdata}"
    else:
        sentences = [_accuracy(float(width), confidence) for width in half]
        data = np.array([groups, sentences], dtype=object).T
        group, sentence = "%{customdata[0]}", "%{customdata[1]}"
    long = max(map(len, groups)) + len(tier.name) + len(noun) > 36
    gap = "<br>" if long else " "
    head = f"<b>{tier.name}</b> sees %{{{axis}:{d3(step)}}} {plain(noun)}{gap}for {group}.<br>"
    return {"customdata": data, "hovertemplate": f"{head}{sentence} ({budget}).<extra></extra>"}


def _accuracy(half_width: float, confidence: float) -> str:
    if not np.isfinite(half_width):
        return "No guarantee stands behind its accuracy"
    return (
        f"With {percent(confidence)} confidence the true<br>"
        f"bounded number is within {pm(half_width)} of that"
    )


def exact_hover(value: float, group: str, noun: str) -> str:
    """The sentence of an exact number on screen."""
    return f"Exact, <b>not private</b>: {number(value)} {plain(noun)} for {group}."
