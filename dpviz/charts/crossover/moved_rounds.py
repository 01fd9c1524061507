"""Which noise costs less, by groups moved ℓ₀ and rounds: one border for what is exact, and marks.

The noise of each number stays as it is and both kinds are equally large, so the exact cost of
either depends on ℓ₀ and the rounds k through their product alone: ℓ₀·k coordinates. Both axes run
by equal ratios and are drawn on log₁₀ values, so the border ℓ₀·k = m* is a straight line. Marks say
where the loose way of [BCT20, Figure 5] would turn the verdict.
"""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.accounting.laplace_composition import DEEPEST, LARGEST_SUM
from dpviz.charts.axes import ratio_axis
from dpviz.charts.crossover.rounds import (
    ROUNDS_BOUND,
    ROUNDS_GAUSS,
    ROUNDS_LAPLACE,
    ROUNDS_LOOSE,
    rounds_epsilon,
)
from dpviz.charts.labels import note
from dpviz.charts.tidy import require_columns
from dpviz.errors import ParameterError
from dpviz.palette import COLOURS, GAUSS_SLOT, GREY, LAPLACE_SLOT, rgba
from dpviz.planning.choice import Question
from dpviz.words import plain, significant

MOVED, ROUNDS, LAPLACE, GAUSS, LOOSE, GAUSS_CHEAPER = (
    "moved",
    "rounds",
    "laplace_bound",
    "gauss",
    "gauss_loose",
    "gauss_cheaper",
)
MOVED_ROUNDS = (MOVED, ROUNDS, LAPLACE, GAUSS, LOOSE, GAUSS_CHEAPER)
SHOWN = (1, 2, 4, 8, 16, 32, 64, 100)  # groups and rounds that are marked
MOST = SHOWN[-1]
HEIGHT = 360


def one_coordinate(question: Question) -> Question:
    """The same noise asked about one coordinate: its own budget, and what one group moves.

    Raises:
        ParameterError: one person moves no whole number of groups.

    >>> one_coordinate(Question(epsilon=1.0, log_delta=-14.0, l1=4.0, l2=2.0)).epsilon
    0.25
    """
    moved = question.count
    if moved is None:
        raise ParameterError("rounds are compared where one person moves a whole number of groups")
    each = question.l1 / moved
    return Question(
        epsilon=question.epsilon / moved, log_delta=question.log_delta, l1=each, l2=each
    )


def coordinates_from(question: Question) -> tuple[int | None, bool]:
    """From how many coordinates in all, ℓ₀ times rounds, Gaussian noise costs less.

    Args:
        question: R² a whole number ℓ₀; its noise of each coordinate is what is asked about.

    Returns:
        The least number, None where no number up to MOST² is, and whether it is exact; else it
        is from the upper bound of Laplace noise, and exactly Gaussian noise may cost less later.

    Raises:
        ParameterError: one person moves no whole number of groups.

    >>> coordinates_from(Question(epsilon=0.05, log_delta=math.log(1e-6), l1=1.0, l2=1.0))
    (8, True)
    """
    one = one_coordinate(question)
    low, high = 0, MOST**2 + 1  # Laplace noise costs no more at low, more at high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _cheaper(one, ROUNDS_BOUND, middle) else (middle, high)
    for found in range(high, MOST**2 + 1):  # the exact cost is a little below the bound
        if not _exact(one, found):
            return found, False
        if _cheaper(one, ROUNDS_LAPLACE, found):
            return found, True
    return None, True


def _exact(one: Question, count: int) -> bool:
    """Whether the losses of this many coordinates of Laplace noise can be added up."""
    return one.log_delta >= -DEEPEST and one.epsilon * count < LARGEST_SUM


def _cheaper(one: Question, laplace: str, count: int) -> bool:
    """Whether Gaussian noise costs less than Laplace noise of this many coordinates."""
    return rounds_epsilon(one, ROUNDS_GAUSS, count) < rounds_epsilon(one, laplace, count)


def moved_rounds(question: Question) -> pd.DataFrame:
    """What both kinds of noise cost for some numbers of groups and of rounds.

    Args:
        question: R² a whole number; its noise of each coordinate is kept.

    Returns:
        `MOVED_ROUNDS`: ε of Laplace noise by the bound of Lemma 6.2, of Gaussian noise exactly and
        in the loose way, and whether Gaussian noise costs less by the exact costs of both.

    Raises:
        ParameterError: one person moves no whole number of groups.

    Source: [BCT20] section 6.1; MATHEMATICS 9.2.
    """
    one = one_coordinate(question)
    first, _ = coordinates_from(question)
    rows = []
    for moved in SHOWN:
        many = Question(
            epsilon=one.epsilon * moved,
            log_delta=one.log_delta,
            l1=one.l1 * moved,
            l2=one.l2 * math.sqrt(moved),
        )
        for rounds in SHOWN:
            costs = [
                rounds_epsilon(one, ROUNDS_BOUND, moved * rounds),
                rounds_epsilon(one, ROUNDS_GAUSS, moved * rounds),
                rounds_epsilon(many, ROUNDS_LOOSE, rounds),
            ]
            cheaper = first is not None and moved * rounds >= first
            rows.append((moved, rounds, *costs, cheaper))
    return pd.DataFrame(rows, columns=list(MOVED_ROUNDS))


def turned(frame: pd.DataFrame) -> pd.Series:
    """Where the loose way says Laplace noise though Gaussian noise costs less, row by row."""
    return frame[GAUSS_CHEAPER] & ~(frame[LOOSE] < frame[LAPLACE])


def moved_rounds_chart(
    frame: pd.DataFrame, *, first: int | None, moved: int, one: str = "person"
) -> go.Figure:
    """Draw the two regions, the border between them, and where the loose way turns the verdict.

    Args:
        frame: columns `MOVED_ROUNDS`.
        first: from how many coordinates in all Gaussian noise costs less; None: not here.
        moved: how many groups one person moves in the query, marked with a line upwards.
        one: what that person is called: the unit of privacy.

    Raises:
        ParameterError: a column is missing.

    >>> frame = pd.DataFrame([(1, 1, 1.0, 2.0, 2.0, False), (10, 10, 9.0, 8.0, 9.5, True)],
    ...     columns=list(MOVED_ROUNDS))
    >>> [t.name for t in moved_rounds_chart(frame, first=8, moved=1).data]
    ['border', 'as the exact costs say', 'turned by the loose way']
    """
    require_columns(frame, *MOVED_ROUNDS)
    other = turned(frame).to_numpy(bool)
    traces = [] if first is None else [_border(first)]
    traces += [
        _marks(frame[~other], "as the exact costs say", "circle"),
        _marks(frame[other], "turned by the loose way", "x"),
    ]
    end = math.log10(MOST)
    axis = ratio_axis(1.0, float(MOST), whole=True) | {"range": (-0.09, end + 0.09)}
    layout = {
        "height": HEIGHT,
        "margin": {"t": 8},
        "annotations": _words(first),
        "shapes": _shapes(first, moved),
        "xaxis": {"title": {"text": f"groups that one {plain(one)} moves, ℓ₀"}, "showgrid": False}
        | axis,
        "yaxis": {"title": {"text": "rounds"}, "showgrid": False} | axis,
    }
    return go.Figure(data=traces, layout=layout)


def _ends(first: int) -> tuple[list[float], list[float]]:
    """The ends of the border ℓ₀·k = m* within the plot, on log₁₀ values."""
    at, end = math.log10(first) - 0.01, math.log10(MOST)
    return [max(0.0, at - end), min(at, end)], [min(at, end), max(0.0, at - end)]


def _border(first: int) -> go.Scatter:
    x, y = _ends(first)
    return go.Scatter(
        x=x,
        y=y,
        mode="lines",
        name="border",
        line={"color": GREY, "width": 3},
        hovertext=f"From {first:,} coordinates on Gaussian noise costs less.",
        hoverinfo="text",
    )


def _marks(part: pd.DataFrame, name: str, symbol: str) -> go.Scatter:
    rows = part.to_dict("records")
    return go.Scatter(
        x=np.log10(part[MOVED].to_numpy(float)),
        y=np.log10(part[ROUNDS].to_numpy(float)),
        mode="markers",
        name=name,
        marker={"color": GREY, "symbol": symbol, "size": 10 if symbol == "x" else 5},
        hovertext=[_said(row) for row in rows],
        hoverinfo="text",
    )


def _said(row: dict[Any, Any]) -> str:
    better = "Gaussian" if row[GAUSS_CHEAPER] else "Laplace"
    return (
        f"{row[MOVED]:,} groups, {row[ROUNDS]:,} rounds: <b>{better}</b> costs less.<br>"
        f"Gaussian: ε = {significant(row[GAUSS])}, "
        f"Laplace: at most {significant(row[LAPLACE])};<br>"
        f"Gaussian in the loose way: {significant(row[LOOSE])}."
    )


def _shapes(first: int | None, moved: int) -> list[dict[str, Any]]:
    """The regions of both kinds of noise, and where the query is."""
    end = math.log10(MOST)
    laplace, gauss = (rgba(COLOURS[slot - 1], 0.18) for slot in (LAPLACE_SLOT, GAUSS_SLOT))
    look: dict[str, Any] = {"type": "path", "line": {"width": 0}, "layer": "below"}
    whole = f"M 0 0 L {end} 0 L {end} {end} L 0 {end} Z"
    if first is None:
        found = [look | {"path": whole, "fillcolor": laplace}]
    else:
        (left, right), (top, bottom) = _ends(first)
        corners = [(0.0, 0.0), (0.0, top), (left, top), (right, bottom), (right, 0.0)]
        below = "M " + " L ".join(f"{x} {y}" for x, y in corners) + " Z"
        beyond = [(left, top), (left, end), (end, end), (end, bottom), (right, bottom)]
        above = "M " + " L ".join(f"{x} {y}" for x, y in beyond) + " Z"
        found = [
            look | {"path": below, "fillcolor": laplace},
            look | {"path": above, "fillcolor": gauss},
        ]
    if moved <= MOST:
        at = math.log10(moved)
        line = {"color": GREY, "width": 1, "dash": "dot"}
        found.append({"type": "line", "x0": at, "x1": at, "y0": 0, "y1": end, "line": line})
    return found


def _words(first: int | None) -> list[dict[str, Any]]:
    """Whose region it is, in its corner where it is wide enough."""
    end = math.log10(MOST)
    found = []
    if first is None or math.log10(first) > 0.6:
        found.append(note("<b>Laplace noise costs less</b>", 0.04, 0.15))
    if first is not None and first < MOST**1.7:
        right = {"xanchor": "right", "align": "right"}
        found.append(note("<b>Gaussian noise costs less</b>", end - 0.04, end - 0.345, **right))
    return found
