"""Four samplers side by side: what each drew for two tiers, one dot a run."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note
from dpviz.charts.tidy import Floats, require_columns
from dpviz.errors import ParameterError

DOOR, SHARPER, BLURRIER = "door", "sharper", "blurrier"
DOORS = (DOOR, SHARPER, BLURRIER)
HEIGHT, DOT, ACROSS, GAP = 460, 4, 2, 0.09
LOOKED_AT = 0.98  # of all dots, that are surely within the picture


def doors_frame(drawn: Sequence[tuple[str, Floats]]) -> pd.DataFrame:
    """What each sampler drew.

    Columns: door, sharper, blurrier (errors of the two tiers in one run).

    Args:
        drawn: the name of each door, and its draws, shape (runs, 2).

    Raises:
        ParameterError: the draws are not two for each run.

    >>> doors_frame([("A", np.zeros((2, 2)))]).values.tolist()
    [['A', 0.0, 0.0], ['A', 0.0, 0.0]]
    """
    if any(draws.ndim != 2 or draws.shape[1] != 2 for _, draws in drawn):
        raise ParameterError("pass draws of shape (runs, 2) for each door")
    return pd.concat(
        [
            pd.DataFrame({DOOR: name, SHARPER: draws[:, 0], BLURRIER: draws[:, 1]})
            for name, draws in drawn
        ],
        ignore_index=True,
    )


def four_doors(frame: pd.DataFrame) -> go.Figure:
    """Draw the dots of each door on the same axes, with its name.

    Args:
        frame: as `doors_frame` makes it, with at most four doors.

    Raises:
        ParameterError: a column is missing.

    >>> names = [(name, np.zeros((3, 2))) for name in "ABCD"]
    >>> [trace.name for trace in four_doors(doors_frame(names)).data]
    ['A', 'B', 'C', 'D']
    """
    require_columns(frame, *DOORS)
    reach = _reach(frame[[SHARPER, BLURRIER]].to_numpy(float))
    dots, notes = [], []
    layout: dict[str, Any] = {"height": HEIGHT, "margin": {"t": 22, "b": 44, "l": 0, "r": 8}}
    for place, (name, part) in enumerate(frame.groupby(DOOR, sort=True)):
        row, column = divmod(place, ACROSS)
        number = "" if place == 0 else str(place + 1)
        dots.append(
            go.Scatter(
                x=part[SHARPER],
                y=part[BLURRIER],
                mode="markers",
                name=str(name),
                marker={"size": DOT, "opacity": 0.55, "line": {"width": 0}},
                xaxis=f"x{number}",
                yaxis=f"y{number}",
                hoverinfo="skip",
            )
        )
        across, up = _domain(column), _domain(1 - row)
        layout[f"xaxis{number}"] = _axis(across, reach, f"y{number}", SHARPER if row else "")
        layout[f"yaxis{number}"] = _axis(up, reach, f"x{number}", "" if column else BLURRIER)
        look = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "font": {"size": 16}}
        notes.append(note(f"<b>{name}</b>", across[0], up[1], **look))
    return go.Figure(data=dots, layout=layout | {"annotations": notes})


def _domain(place: int) -> tuple[float, float]:
    width = (1 - GAP) / ACROSS
    return place * (width + GAP), place * (width + GAP) + width


def _axis(domain: tuple[float, float], reach: float, anchor: str, title: str) -> dict[str, Any]:
    return {
        "title": {"text": title},
        "domain": domain,
        "anchor": anchor,
        "range": (-reach, reach),
        "nticks": 5,
        "fixedrange": True,
        "showgrid": True,
        "zeroline": True,
    }


def _reach(numbers: Floats) -> float:
    return float(np.quantile(np.abs(numbers), LOOKED_AT)) or 1.0
