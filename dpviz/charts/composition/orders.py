"""The order of three answers: what it costs to ask for any private answer before two choices.

    ratio(g) = delta(any, best, best; g) / delta(best, any, best; g)

Of one ε each. The ratio is 1 from g = ε on; the other order, (best, best, any), costs what (best,
any, best) does. Source: Cesar and Rogers (2021), Lemmas 5.3 and 5.4; MATHEMATICS 5.10.
"""

import math

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.accounting.adaptive_composition import (
    BOUNDED_RANGE,
    PURE,
    adaptive_composition_log_delta,
)
from dpviz.charts.labels import note, span, ticks
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY
from dpviz.words import significant

TOTAL, FIRST, BETWEEN, RATIO = "total", "first", "between", "ratio"
ORDERS = (TOTAL, FIRST, BETWEEN, RATIO)
POINTS, HEIGHT = 49, 260
LARGEST = 20.0  # an ε from which on all orders are as good as public
ANY_FIRST = (PURE, BOUNDED_RANGE, BOUNDED_RANGE)
ANY_BETWEEN = (BOUNDED_RANGE, PURE, BOUNDED_RANGE)
ANY_LAST = (BOUNDED_RANGE, BOUNDED_RANGE, PURE)
NAMED = {ANY_FIRST: "other first", ANY_BETWEEN: "other between", ANY_LAST: "other last"}


def orders_frame(epsilon: float) -> pd.DataFrame:
    """δ of two orders of three answers, over the total ε from 0 to 1.2 ε; columns `ORDERS`.

    Args:
        epsilon: of each answer, above 0 and at most LARGEST.

    >>> frame = orders_frame(1.0)
    >>> round(float(frame[FIRST][0]), 9), round(float(frame[BETWEEN][0]), 9)
    (0.492779346, 0.488033035)
    """
    total = np.linspace(0, 1.2 * epsilon, POINTS)
    first, between = (
        np.array([_delta(order, epsilon, float(g)) for g in total])
        for order in (ANY_FIRST, ANY_BETWEEN)
    )
    rows = {TOTAL: total, FIRST: first, BETWEEN: between, RATIO: first / between}
    return pd.DataFrame(rows)


def orders_table(epsilon: float) -> pd.DataFrame:
    """δ of all three orders at three totals; the first column says the order.

    >>> orders_table(1.0).iloc[0, 1:].astype(float).round(6).tolist()
    [0.492779, 0.357683, 0.221778]
    """
    totals = [0.0, 0.5 * epsilon, epsilon]
    rows = {
        "order": list(NAMED.values()),
        **{
            f"δ at total ε = {significant(g)}": [_delta(order, epsilon, g) for order in NAMED]
            for g in totals
        },
    }
    return pd.DataFrame(rows)


def _delta(order: tuple[str, ...], epsilon: float, total: float) -> float:
    return math.exp(adaptive_composition_log_delta(order, epsilon, total).value)


def order_ratio(frame: pd.DataFrame) -> go.Figure:
    """Draw the ratio over the total ε, its highest point marked.

    Args:
        frame: columns `ORDERS`, as `orders_frame` gives it.

    Raises:
        ParameterError: a column is missing, or there is no point.

    >>> rows = [(0.0, 0.2, 0.1, 2.0), (1.0, 0.1, 0.1, 1.0)]
    >>> order_ratio(pd.DataFrame(rows, columns=list(ORDERS))).data[0].y.tolist()
    [2.0, 1.0]
    """
    require_columns(frame, *ORDERS)
    total, ratio = frame[TOTAL].to_numpy(float), frame[RATIO].to_numpy(float)
    peak = int(ratio.argmax())
    top = max(1.0 + 1.25 * (float(ratio.max()) - 1.0), 1.001)
    line = go.Scatter(
        x=total,
        y=ratio,
        mode="lines",
        name="ratio",
        line={"width": 2.5},
        hovertext=[
            f"At a total ε of {significant(row[TOTAL])}: δ = {significant(row[FIRST], 5)} with "
            f"the other answer first, {significant(row[BETWEEN], 5)} with it between or last,<br>"
            f"{significant(row[RATIO], 6)} times as much."
            for row in frame.to_dict("records")
        ],
        hoverinfo="text",
    )
    mark = go.Scatter(
        x=total[[peak]],
        y=ratio[[peak]],
        mode="markers",
        name="largest ratio",
        marker={"size": 9},
        hoverinfo="skip",
    )
    last = float(total[-1])
    beside = "left" if total[peak] < 0.5 * last else "right"
    shift = 8 if beside == "left" else -8
    look = {"xanchor": beside, "xshift": shift, "yanchor": "bottom"}
    layout = {
        "height": HEIGHT,
        "margin": {"t": 8},
        "annotations": [
            note(f"<b>× {significant(ratio[peak], 5)}</b>", total[peak], ratio[peak], **look)
        ],
        "shapes": [
            {"type": "line", "x0": 0, "x1": last, "y0": 1, "y1": 1}
            | {"line": {"color": GREY, "width": 1, "dash": "dot"}}
        ],
        "xaxis": {"title": {"text": "total ε of the three answers"}, "range": span(0, last)}
        | ticks(0, last),
        "yaxis": {"showgrid": True, "range": (1 - 0.1 * (top - 1), top)} | ticks(1.0, top, most=4),
    }
    return go.Figure(data=[line, mark], layout=layout)
