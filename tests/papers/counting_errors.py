"""Errors of continual counting over the arity of the tree, as `make papers` shows them.

On paper: no data enters. The tree in use is solid, baselines are dashed and grey, Gaussian noise
has the colour that it has on the pages.
"""

import math
from functools import partial
from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.accounting.counting_crossover import SEARCHED, gaussian_factors, square_root_error
from dpviz.accounting.gaussian import gaussian_sigma
from dpviz.accounting.trees import ARITIES, honaker_error, tree_error
from dpviz.charts.axes import log_ticks
from dpviz.charts.labels import note
from dpviz.charts.tidy import require_columns
from dpviz.noise.family import Family
from dpviz.palette import GAUSS_COLOUR, GREY, LAPLACE_COLOUR
from dpviz.words import number, plain
from tests.papers.chart import end_names

SCHEME, ARITY, ERROR = "scheme", "arity", "error"
BY_ARITY = (SCHEME, ARITY, ERROR)
OUR_TREE, PLAIN_TREE, BINARY, HONAKER, GAUSS = "tree", "plain", "binary", "honaker", "gauss"
BEST_GAUSS = "best gauss"
HEIGHT, TOP, BOTTOM, RIGHT = 330, 12, 48, 104
PLOT = HEIGHT - TOP - BOTTOM
LOOK: dict[str, tuple[str, str, str]] = {  # name, colour, dash
    OUR_TREE: ("this tree", LAPLACE_COLOUR, "solid"),
    PLAIN_TREE: ("adding only", LAPLACE_COLOUR, "2px 3px"),
    BINARY: ("binary tree", GREY, "8px 4px"),
    HONAKER: ("Honaker", GREY, "8px 3px 2px 3px"),
    GAUSS: ("Gauss, √", GAUSS_COLOUR, "14px 4px"),
    BEST_GAUSS: ("Gauss, best", GAUSS_COLOUR, "2px 3px"),
}


def arities_frame(
    steps: int, epsilon: float, *, sensitivity: float, family: Family
) -> pd.DataFrame:
    """Root of the mean squared error for the arities 2…100, with subtraction and without.

    Columns scheme (`OUR_TREE`, `PLAIN_TREE`), arity, error.
    """
    error = partial(tree_error, steps, epsilon=epsilon, sensitivity=sensitivity, family=family)
    rows = [
        (name, k, math.sqrt(error(k, subtraction=subtraction)))
        for name, subtraction in ((OUR_TREE, True), (PLAIN_TREE, False))
        for k in ARITIES
    ]
    return pd.DataFrame(rows, columns=list(BY_ARITY))


def baselines_frame(
    steps: int, epsilon: float, log_delta: float, *, sensitivity: float, family: Family
) -> pd.DataFrame:
    """Root of the mean squared error of what has no arity: columns scheme, error.

    The best factorization for Gaussian noise is there as far as it is computed.
    """
    binary = tree_error(steps, 2, epsilon, False, sensitivity=sensitivity, family=family)
    found = {
        BINARY: binary,
        HONAKER: honaker_error(steps, epsilon, sensitivity=sensitivity),
        GAUSS: square_root_error(steps, epsilon, log_delta, sensitivity=sensitivity),
    }
    best = gaussian_factors(steps).reached
    if best.method == SEARCHED:
        found[BEST_GAUSS] = gaussian_sigma(epsilon, log_delta, sensitivity) ** 2 * best.value
    return pd.DataFrame(
        {SCHEME: list(found), ERROR: [math.sqrt(error) for error in found.values()]}
    )


def arities_chart(
    frame: pd.DataFrame, baselines: pd.DataFrame, *, used: int, noun: str
) -> go.Figure:
    """Draw the root mean squared error over the arity, the best one marked.

    Args:
        frame: columns `BY_ARITY`, with subtraction and without, errors above 0.
        baselines: columns scheme, error: what has no arity.
        used: the arity in use.
        noun: unit of the counts.

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *BY_ARITY)
    low, high = _limits(pd.concat([frame["error"], baselines["error"]]))
    traces, ends = [], []
    for name, part in frame.groupby("scheme", sort=False):
        traces.append(_of_arities(str(name), part, noun))
        ends.append((LOOK[str(name)][0], float(part["error"].iloc[-1])))
    first, last = int(frame["arity"].min()), int(frame["arity"].max())
    for name, error in zip(baselines["scheme"], baselines["error"], strict=True):
        said, colour, dash = LOOK[str(name)]
        traces.append(
            go.Scatter(
                x=[first, last],
                y=[error, error],
                mode="lines",
                name=said,
                line={"color": colour, "dash": dash, "width": 1.6},
                hovertemplate=f"<b>{said}</b>: {number(error)} {plain(noun)}<extra></extra>",
            )
        )
        ends.append((said, float(error)))
    mine = frame[frame["scheme"] == OUR_TREE]
    best = mine.loc[mine["error"].idxmin()]
    layout = _layout(ends, (low, high))
    layout["annotations"] = [*layout["annotations"], _best(best)]
    traces.append(_mark(best, "star", "best", noun))
    if used != int(best["arity"]) and used in set(mine["arity"]):
        traces.append(_mark(mine[mine["arity"] == used].iloc[0], "circle-open", "in use", noun))
    axis = {"type": "log", "range": (math.log10(first) - 0.03, math.log10(last) + 0.01)}
    values = [2, 3, 5, 10, 20, 50, 100]
    layout["xaxis"] = axis | {
        "tickmode": "array",
        "tickvals": values,
        "ticktext": [str(v) for v in values],
        "showgrid": False,
        "title": {"text": "branches k: smaller blocks in a larger one"},
    }
    return go.Figure(data=traces, layout=layout)


def _of_arities(name: str, part: pd.DataFrame, noun: str) -> go.Scatter:
    said, colour, dash = LOOK[name]
    told = zip(part["arity"].tolist(), part["error"].tolist(), strict=True)
    return go.Scatter(
        x=part["arity"].to_numpy(),
        y=part["error"].to_numpy(),
        mode="lines",
        name=said,
        line={"color": colour, "dash": dash, "width": 2, "simplify": False},
        hovertext=[f"<b>{said}</b>, k = {k}:<br>{number(e)} {plain(noun)}." for k, e in told],
        hoverinfo="text",
    )


def _best(best: pd.Series) -> dict[str, Any]:
    text = f"best: k = {int(best['arity'])}"
    at = (math.log10(best["arity"]), math.log10(best["error"]))
    return note(text, *at, xanchor="center", yanchor="top", yshift=-8)


def _mark(row: pd.Series, symbol: str, said: str, noun: str) -> go.Scatter:
    marker = {"color": LAPLACE_COLOUR, "symbol": symbol, "size": 13}
    text = f"<b>{said}</b>: k = {int(row['arity'])}, {number(row['error'])} {plain(noun)}"
    return go.Scatter(
        x=[row["arity"]],
        y=[row["error"]],
        mode="markers",
        name=said,
        marker=marker,
        hovertemplate=f"{text}<extra></extra>",
    )


def _limits(values: pd.Series) -> tuple[float, float]:
    """Lower and upper edge of the plot; below there is room for a label."""
    low, high = float(values.min()), float(values.max())
    ratio = max(high / low, 1.5)
    return float(low / ratio**0.14), float(high * ratio**0.05)


def _layout(ends: list[tuple[str, float]], limits: tuple[float, float]) -> dict[str, Any]:
    low, high = (math.log10(limit) for limit in limits)
    return {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": BOTTOM, "r": RIGHT},
        "annotations": end_names(ends, limits, PLOT),
        "yaxis": {"type": "log", "range": (low, high), "showgrid": True} | log_ticks(low, high, 6),
    }
