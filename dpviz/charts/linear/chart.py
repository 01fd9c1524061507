"""Errors of linear queries, factorization by factorization: lines over the answers; the answers.

The way that is used has the ink of the page, the others are grey; the pale thick line is what no
factorization is below on average. Limits: lines connect answers that stand beside one another, and
mean nothing between them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpviz.charts.axes import line_ends, log_range, log_ticks
from dpviz.charts.labels import ticks
from dpviz.charts.tidy import RELEASE, require_columns
from dpviz.errors import ParameterError
from dpviz.linear.comparison import Comparison
from dpviz.palette import DASHES, GREY, GRID, rgba
from dpviz.words import plain, significant
from dpviz.workspace.held import HeldTier

WAY, PLACE, QUERY, ERROR = "way", "place", "query", "error"
ERRORS = (WAY, PLACE, QUERY, ERROR)
HEIGHT, TOP, BOTTOM, RIGHT = 430, 8, 48, 126  # pixels
PLOT = HEIGHT - TOP - BOTTOM
GAP = 17.0  # pixels between the labels of two lines
BOUND = "lower bound"


def errors_frame(
    comparison: Comparison, places: Sequence[int], names: Mapping[int, str]
) -> pd.DataFrame:
    """The standard deviation of every answer for every way; columns `ERRORS`.

    Args:
        comparison: the ways at one budget.
        places: for every answer where it stands on the axis; answers at one place are averaged
            (root mean square), so that all ranges of one length make one point.
        names: what is asked at each place.

    Raises:
        ParameterError: if there is not one place for each answer.

    >>> from dpviz.planning.amounts import Amount
    >>> from dpviz.linear.comparison import compare
    >>> from dpviz.linear.workloads import prefix_sums
    >>> from dpviz.noise import FAMILIES
    >>> found = compare(prefix_sums(4), FAMILIES["laplace"], "ε", Amount(2))
    >>> frame = errors_frame(found, [1, 2, 3, 4], {t: f"week {t}" for t in range(1, 5)})
    >>> frame[frame["way"] == "noise on data"]["error"].round(3).tolist()
    [0.707, 1.0, 1.225, 1.414]
    """
    at = np.asarray(places)
    kept, index = np.unique(at, return_inverse=True)
    frames = []
    for name, way in comparison.ways.items():
        if way.variances.size != at.size:
            raise ParameterError("pass one place for each answer")
        mean = np.bincount(index, weights=way.variances) / np.bincount(index)
        frame = pd.DataFrame({PLACE: kept, QUERY: [names[int(p)] for p in kept]})
        frames.append(frame.assign(**{WAY: name, ERROR: np.sqrt(mean)})[list(ERRORS)])
    return pd.concat(frames, ignore_index=True)


def answers_frame(
    tiers: Sequence[HeldTier],
    names: Sequence[str],
    offsets: Sequence[NDArray[np.float64]],
    reaches: Sequence[NDArray[np.float64]],
) -> pd.DataFrame:
    """One row per answer and held tier; columns `RELEASE`.

    Args:
        tiers: with their answers as `values`, in the order to draw them.
        names: of the answers, shape (m,).
        offsets: mean of the noise in the answers, per tier, which is taken off.
        reaches: half widths of the answers, per tier: the interval is value ± reach.
    """
    parts = []
    for tier, offset, reach in zip(tiers, offsets, reaches, strict=True):
        value = np.asarray(tier.values, dtype=np.float64) - offset
        looks = {"budget": tier.budget, "slot": tier.slot, "symbol": tier.symbol}
        frame = pd.DataFrame({"group": list(names), "tier": tier.name, "value": value})
        parts.append(frame.assign(low=value - reach, high=value + reach, **looks))
    if not parts:
        return pd.DataFrame(columns=list(RELEASE))
    return pd.concat(parts, ignore_index=True)[list(RELEASE)]


def error_lines(
    frame: pd.DataFrame, *, chosen: str, bound: float | None, unit: str, axis_title: str
) -> go.Figure:
    """Draw the standard deviation of every answer, a line per way, logarithmic.

    Args:
        frame: columns `ERRORS`, as `errors_frame` gives it.
        chosen: the way that is used.
        bound: a lower bound of every way's root mean squared error, or None.
        unit: of the answers, such as "visits".
        axis_title: what the places are.

    Raises:
        ParameterError: a column is missing, or there is no row.

    >>> one = pd.DataFrame({"way": "data", "place": [1, 2], "query": ["a", "b"], "error": [1.0, 2]})
    >>> error_lines(one, chosen="data", bound=None, unit="", axis_title="week").data[0].y.tolist()
    [1.0, 2.0]
    """
    require_columns(frame, *ERRORS)
    ways = [w for w in frame[WAY].unique() if w != chosen] + [chosen]
    drawn = frame[ERROR].to_numpy(float)
    low, high = log_range(drawn if bound is None else np.append(drawn, bound))
    places = frame[PLACE].to_numpy(float)
    left, right = places.min(), places.max()
    room = 0.02 * (right - left) or 0.5
    traces = [_line(frame[frame[WAY] == way], rank, chosen, unit) for rank, way in enumerate(ways)]
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": BOTTOM, "r": RIGHT},
        "annotations": _names(frame, ways, chosen, bound, (low, high)),
        "shapes": [] if bound is None else [_floor(bound)],
        "xaxis": {"range": (left - room, right + room), "title": {"text": plain(axis_title)}}
        | _place_ticks(left, right),
        "yaxis": {"type": "log", "range": (low, high), "showgrid": True, "gridcolor": GRID}
        | log_ticks(low, high, 7),
    }
    return go.Figure(data=traces, layout=layout)


def _place_ticks(left: float, right: float) -> dict[str, Any]:
    """Whole places only, a single one by itself."""
    if left == right:
        return {"tickvals": [left], "ticktext": [f"{left:g}"]}
    return ticks(left, right, most=max(2, min(6, int(right - left))), room=200)


def _line(rows: pd.DataFrame, rank: int, chosen: str, unit: str) -> go.Scatter:
    way = str(rows[WAY].iloc[0])
    dash, _ = DASHES[max(rank - 1, 0) % len(DASHES)]  # the first two: noise on data, on answers
    ours = way == chosen
    few = len(rows) <= 30
    ink = {} if ours else {"color": GREY}
    return go.Scatter(
        x=rows[PLACE].to_numpy(float),
        y=rows[ERROR].to_numpy(float),
        mode="lines+markers" if few else "lines",
        name=plain(way),
        line=ink
        | {
            "width": 2.5 if ours else 1.3,
            "dash": "solid" if ours else dash,
            "simplify": False,
        },
        marker=ink | {"size": 7 if ours else 5},
        hovertext=[
            f"<b>{plain(way)}</b>: {plain(query)} is off by {significant(error)} {plain(unit)} "
            "(standard deviation)."
            for query, error in zip(rows[QUERY], rows[ERROR], strict=True)
        ],
        hoverinfo="text",
    )


def _names(
    frame: pd.DataFrame,
    ways: list[str],
    chosen: str,
    bound: float | None,
    ends: tuple[float, float],
) -> list[dict[str, Any]]:
    """The name of each line at its right end; the way in use in bold."""
    last = [
        (
            f"<b>{plain(way)}</b>" if way == chosen else plain(way),
            frame[frame[WAY] == way][ERROR].iloc[-1],
        )
        for way in ways
    ]
    if bound is not None:
        last.append((f"<i>{BOUND}</i>", bound))
    return line_ends(last, ends, PLOT, GAP)


def _floor(bound: float) -> dict[str, Any]:
    """A pale line across the plot."""
    return {
        "type": "line",
        **{"xref": "x domain", "x0": 0, "x1": 1, "y0": bound, "y1": bound},
        "line": {"color": rgba(GREY, 0.4), "width": 5},
        "layer": "below",
    }
