"""How near the counts of many lists come, place by place: as drawn, and fitted to the order.

Marks are means of the error, bars reach one standard deviation to each side, as in [BCT20, Figure
6]. Simulated from exact counts: for a made-up example, or after "reveal".
"""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note, ticks
from dpviz.charts.tidy import require_columns
from dpviz.charts.top_k.frame import (
    AS_DRAWN,
    DEVIATION,
    ERRORS,
    IN_ORDER,
    LINE,
    MEAN,
    PLACE,
)
from dpviz.palette import GREY, GRID
from dpviz.words import plain, pm, significant

HEIGHT = 300
LOOKS = {  # colour (None: the ink of the page), symbol, shift to the side
    AS_DRAWN: (GREY, "circle-open", -0.13),
    IN_ORDER: (None, "diamond", 0.13),
}


def count_errors(frame: pd.DataFrame, *, noun: str) -> go.Figure:
    """Draw the error at each place, a mark with its bar for each of the two lines.

    Args:
        frame: columns `ERRORS`.
        noun: what is counted, such as "people".

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *ERRORS)
    ends = np.concatenate([frame[MEAN] - frame[DEVIATION], frame[MEAN] + frame[DEVIATION]])
    reach = 1.12 * max(float(np.abs(ends).max()), 1e-9)
    last = float(frame[PLACE].max())
    axis = ticks(-reach, reach, most=5)
    layout = {
        "height": HEIGHT,
        "margin": {"t": 30},
        "annotations": _names(),
        "xaxis": {
            "range": (0.5, last + 0.5),
            "showgrid": False,
            "title": {"text": "place on the list"},
        }
        | _places(last),
        "yaxis": {
            "range": (-reach, reach),
            "showgrid": True,
            "gridcolor": GRID,
            "zeroline": True,
            "zerolinecolor": GREY,
            "zerolinewidth": 1,
            "title": {"text": f"error, {plain(noun)}"},
        }
        | axis,
    }
    return go.Figure(data=[_line(frame, name, noun) for name in LOOKS], layout=layout)


def _places(last: float) -> dict[str, Any]:
    """Whole places, no more than a phone has room for."""
    step = max(1, -(-int(last) // 10))
    at = list(range(1, int(last) + 1, step))
    return {"tickmode": "array", "tickvals": at, "ticktext": [f"{place:,}" for place in at]}


def _line(frame: pd.DataFrame, name: str, noun: str) -> go.Scatter:
    mine = frame[frame[LINE] == name]
    colour, symbol, shift = LOOKS[name]
    said = [
        f"Place {row[PLACE]:,.0f}, <b>{name}</b>: on average {significant(row[MEAN], 2)} "
        f"{plain(noun)} off, one standard deviation {pm(row[DEVIATION], 3)}"
        for row in mine.to_dict("records")
    ]
    return go.Scatter(
        x=mine[PLACE].to_numpy(float) + shift,
        y=mine[MEAN].to_numpy(float),
        error_y={
            "type": "data",
            "array": mine[DEVIATION].to_numpy(float),
            "color": colour,
            "thickness": 2,
            "width": 3,
        },
        mode="markers",
        name=name,
        marker={"color": colour, "symbol": symbol, "size": 9},
        hovertext=said,
        hoverinfo="text",
    )


def _names() -> list[dict[str, Any]]:
    """Both lines by their marks, above the plot."""
    place = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "yshift": 6}
    drawn = f'<span style="color:{LOOKS[AS_DRAWN][0]}">○</span> <b>{AS_DRAWN}</b>'
    fitted = f"◆ <b>{IN_ORDER}</b>"
    return [note(f"{drawn}   {fitted}", 0, 1, **place)]
