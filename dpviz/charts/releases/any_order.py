"""Would another order have changed anything? One swarm of threads for each order of asking."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import Floats, note, tag
from dpviz.charts.tidy import require_columns, tiers
from dpviz.palette import GREY, TierStyle, rgba
from dpviz.words import fixed

SWARM = ("tier", "asked", "sd", "spread", "value", "slot", "symbol")
SHOWN = 90  # repetitions that are drawn
HEIGHT, TOP = 330, 26
NTH = ("1st", "2nd", "3rd", "4th")


def swarm_frame(
    errors: Mapping[str, Floats], sds: Mapping[str, float], styles: Mapping[str, TierStyle]
) -> pd.DataFrame:
    """A row per tier and repetition that is drawn, sharpest tier first; columns `SWARM`.

    Args:
        errors: of each tier, in the order of asking; shape (repetitions,).
        sds: standard deviation of the noise of each tier.
        styles: look of each tier.

    >>> one = {"audit": np.array([1.0, -1.0])}
    >>> frame = swarm_frame(one, {"audit": 1.1}, {"audit": TierStyle(11, 3)})
    >>> frame[["asked", "spread", "value"]].to_numpy().tolist()
    [[1.0, 1.0, 1.0], [1.0, 1.0, -1.0]]
    """
    asked = list(errors)
    parts = [
        pd.DataFrame(
            {
                "tier": name,
                "asked": asked.index(name) + 1,
                "sd": sds[name],
                "spread": float(np.sqrt(np.mean(errors[name] ** 2))),
                "value": errors[name][:SHOWN],
                "slot": styles[name].slot,
                "symbol": styles[name].symbol,
            }
        )
        for name in sorted(asked, key=sds.__getitem__)
    ]
    return pd.concat(parts, ignore_index=True)[list(SWARM)]


def swarm(frame: pd.DataFrame, *, reach: float) -> go.Figure:
    """Draw the threads of one order, each from the truth down through the tiers.

    Args:
        frame: as `swarm_frame` makes it.
        reach: half the width of the horizontal axis, the same in all orders.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *SWARM)
    everybody = tiers(frame)
    heights = [float(tier.rows["sd"].iloc[0]) for tier in everybody]
    values = np.array([tier.rows["value"].to_numpy(float) for tier in everybody])
    count = values.shape[1]
    x = np.vstack([np.zeros(count), values, np.full(count, np.nan)]).T.ravel()
    y = np.tile([0.0, *heights, np.nan], count)
    line: dict[str, Any] = {"color": rgba(GREY, 0.28), "width": 1}
    traces = [go.Scatter(x=x, y=y, mode="lines", line=line, hoverinfo="skip", name="threads")]
    notes = [_head("scatter", 1, "right")]
    for tier, at in zip(everybody, heights, strict=True):
        look = {"color": rgba(tier.style.colour, 0.5), "symbol": tier.style.marker, "size": 6}
        own = {"x": tier.rows["value"], "y": np.full(count, at), "name": tier.name}
        traces.append(go.Scatter(mode="markers", marker=look, hoverinfo="skip", **own))
        spread = f"<b>{fixed(float(tier.rows['spread'].iloc[0]), 2)}</b>"
        notes.append(note(spread, 1, at, xref="paper", xanchor="right", font={"size": 15}))
    nail = {"x": [0], "y": [0], "name": "the truth", "marker": {"size": 12}}
    traces.append(go.Scatter(mode="markers", hoverinfo="skip", **nail))
    return go.Figure(
        data=traces,
        layout={
            "height": HEIGHT,
            "margin": {"t": TOP, "b": 6, "l": 0, "r": 2},
            "annotations": notes,
            "xaxis": {"visible": False, "fixedrange": True, "range": (-reach, 1.5 * reach)},
            "yaxis": {
                "range": (1.06 * heights[-1], -0.06 * heights[-1]),
                "tickvals": heights,
                "ticktext": [_label(tier.rows.iloc[0], tier.style) for tier in everybody],
                "tickfont": {"size": 14},
                "fixedrange": True,
            },
        },
    )


def _label(row: Any, style: TierStyle) -> str:
    return f"{NTH[int(row['asked']) - 1]} {tag(style, str(row['tier']))}"


def _head(text: str, x: float, side: str) -> dict[str, Any]:
    above = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "yshift": 4}
    return note(text, x, 1, xanchor=side, **above)


def reach_of(frames: Sequence[pd.DataFrame]) -> float:
    """Half the width of one axis for all orders."""
    return 1.04 * max(float(frame["value"].abs().max()) for frame in frames)
