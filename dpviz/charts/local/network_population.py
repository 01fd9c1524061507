"""What each hospital can tell of a town: the mean with its interval, weighed in two ways.

A row for each distance. The mark is the estimate by inverse-variance weights, the hollow one with
equal weights; the dotted line is the mean of the population, which is made up.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd
import plotly.graph_objects as go
from scipy.special import ndtri

from dpviz.charts.labels import dotted, note, span, tag, ticks
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, TierStyle
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.words import number, percent, plain
from dpviz.workspace.local.hospitals import Town

HOSPITAL, HOPS, WEIGHTS, MEAN, HALF = "hospital", "hops", "weights", "mean", "half"
POPULATION = (HOSPITAL, HOPS, WEIGHTS, MEAN, HALF)
BY_NOISE, EQUAL = "by noise", "equal"
ROW, TOP, BOTTOM = 66, 30, 48  # pixels
BESIDE = 0.17  # of a row, between the two marks


def normal_half_width(standard_error: float) -> float:
    """± of a mean of many numbers, by the normal law.

    >>> round(normal_half_width(1.0), 3)
    1.96
    """
    return float(ndtri(0.5 + ACCURACY_CONFIDENCE / 2)) * standard_error


def population_frame(town: Town, names: Mapping[int, str]) -> pd.DataFrame:
    """Both estimates of each hospital, nearest first; columns `POPULATION`.

    Args:
        town: what hospitals can tell.
        names: of the hospitals at each distance.
    """
    rows = [
        (
            names[told.distance],
            told.distance,
            weights,
            found.mean,
            normal_half_width(found.standard_error),
        )
        for told in town.told
        for weights, found in ((BY_NOISE, told.weighted), (EQUAL, told.equal))
    ]
    return pd.DataFrame(rows, columns=list(POPULATION))


def population_chart(
    frame: pd.DataFrame, *, truth: float, styles: Mapping[int, TierStyle], unit: str
) -> go.Figure:
    """Draw the estimates.

    Args:
        frame: columns `POPULATION`.
        truth: mean of the population.
        styles: of each distance.
        unit: of the values.

    Raises:
        ParameterError: a column is missing, or there is no row.

    >>> frame = pd.DataFrame([("clinic", 1, BY_NOISE, 132.1, 1.2)], columns=list(POPULATION))
    >>> fig = population_chart(frame, truth=132.0, styles={1: TierStyle(2, 0)}, unit="mmHg")
    >>> fig.data[-1].x.tolist()
    [132.1]
    """
    require_columns(frame, *POPULATION)
    distances = list(dict.fromkeys(frame[HOPS].tolist()))
    place = {hops: -float(rank) for rank, hops in enumerate(distances)}
    low, high = (frame[MEAN] - frame[HALF]).min(), (frame[MEAN] + frame[HALF]).max()
    low, high = span(min(low, truth), max(high, truth))
    traces = [
        _marks(frame[frame[WEIGHTS] == weights], place, styles, weights, unit)
        for weights in (EQUAL, BY_NOISE)
    ]
    layout: dict[str, Any] = {
        "height": TOP + BOTTOM + ROW * len(distances),
        "margin": {"t": TOP, "b": BOTTOM},
        "shapes": [dotted(truth)],
        "annotations": [
            *_names(frame, place, styles),
            note("mean of the population", truth, 1, yref="paper", xanchor="center")
            | {"yanchor": "bottom"},
        ],
        "xaxis": {"range": (low, high), "title": {"text": f"estimated mean, {plain(unit)}"}}
        | ticks(low, high),
        "yaxis": {"visible": False, "range": (-len(distances) + 0.5, 0.62)},
    }
    return go.Figure(data=traces, layout=layout)


def _names(
    frame: pd.DataFrame, place: Mapping[int, float], styles: Mapping[int, TierStyle]
) -> list[dict[str, Any]]:
    """Name and interval of each hospital, above its marks."""
    rows = frame[frame[WEIGHTS] == BY_NOISE].to_dict("records")
    return [
        note(
            f"{tag(styles[row[HOPS]], plain(row[HOSPITAL], 34))} "
            f"{number(row[MEAN], step=row[HALF])} ± {number(row[HALF])}",
            0,
            place[row[HOPS]] + 0.28,
            xref="paper",
            yanchor="bottom",
        )
        for row in rows
    ]


def _marks(
    rows: pd.DataFrame,
    place: Mapping[int, float],
    styles: Mapping[int, TierStyle],
    weights: str,
    unit: str,
) -> go.Scatter:
    ours = weights == BY_NOISE
    looks = [styles[hops] for hops in rows[HOPS]]
    sure = percent(ACCURACY_CONFIDENCE)
    return go.Scatter(
        x=rows[MEAN].to_numpy(float),
        y=[place[hops] + (BESIDE / 2 if ours else -BESIDE) for hops in rows[HOPS]],
        mode="markers",
        name=f"{weights} weights",
        marker={
            "symbol": [look.marker if ours else f"{look.marker}-open" for look in looks],
            "color": [look.colour for look in looks] if ours else GREY,
            "size": 12 if ours else 8,
        },
        error_x={
            "type": "data",
            "array": rows[HALF].to_numpy(float),
            "width": 0,
            "thickness": 2.5 if ours else 1.5,
            "color": GREY,
        },
        hovertext=[
            f"<b>{plain(row[HOSPITAL])}</b>, {weights} weights: "
            f"{number(row[MEAN], step=row[HALF])} ± {number(row[HALF])} {plain(unit)} "
            f"({sure} confidence)."
            for row in rows.to_dict("records")
        ],
        hoverinfo="text",
    )
