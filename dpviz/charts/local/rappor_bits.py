"""One client's bits, stage by stage: from the filter of its text to what it reports."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note
from dpviz.charts.local.rappor_frame import BIT, BITS, OWN, STAGE, VALUE
from dpviz.charts.local.rappor_inks import TRUTH
from dpviz.charts.tidy import require_columns
from dpviz.palette import GREY, rgba
from dpviz.words import plain

ROW = 52
SET, NOISE, ZERO = TRUTH, rgba(GREY, 0.75), rgba(GREY, 0.13)


def bit_rows(frame: pd.DataFrame) -> go.Figure:
    """Draw a row of squares for each stage: ones filled, in colour where the text sets the bit.

    Args:
        frame: columns `BITS`.

    Raises:
        ParameterError: a column is missing, or there is no row.
    """
    require_columns(frame, *BITS)
    stages = list(dict.fromkeys(frame[STAGE]))
    size = int(frame[BIT].max()) + 1
    above: dict[str, Any] = {"xref": "paper", "yanchor": "bottom"}
    notes = [
        note(f"<b>{plain(stage)}</b>", 0, -place + 0.2, **above)
        for place, stage in enumerate(stages)
    ]
    data = [_row(frame[frame[STAGE] == stage], place) for place, stage in enumerate(stages)]
    layout = {
        "height": ROW * len(stages) + 50,
        "margin": {"t": 4, "b": 40},
        "barmode": "overlay",
        "annotations": notes,
        "xaxis": {
            "range": (-0.6, size - 0.4),
            "showgrid": False,
            "title": {"text": f"{size} bits of the report"},
            "tickmode": "array",
            "tickvals": [0, size - 1],
            "ticktext": ["1", f"{size:,}"],
        },
        "yaxis": {"visible": False, "range": (-len(stages) + 0.6, 0.7)},
    }
    return go.Figure(data=data, layout=layout)


def _row(mine: pd.DataFrame, place: int) -> go.Bar:
    """The squares of one stage."""
    bits, values, own = (mine[name].tolist() for name in (BIT, VALUE, OWN))
    colours = [
        (SET if mark else NOISE) if value else ZERO for value, mark in zip(values, own, strict=True)
    ]
    return go.Bar(
        x=bits,
        y=[0.34] * len(bits),
        base=[-place - 0.18] * len(bits),
        width=0.8,
        name=plain(mine[STAGE].iloc[0]),
        marker={
            "color": colours,
            "line": {"width": [2 if mark else 0 for mark in own], "color": SET},
        },
        hovertext=[
            f"bit {bit + 1}: {value}" + (", set by the text" if mark else "")
            for bit, value, mark in zip(bits, values, own, strict=True)
        ],
        hoverinfo="text",
    )
