"""One client's bits, stage by stage: from the filter of its text to what it reports."""

from typing import Any

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note
from dpviz.charts.local.rappor_frame import BIT, BITS, OWN, STAGE, VALUE
from dpviz.charts.tidy import require_columns
from dpviz.palette import COLOURS, GREY, rgba
from dpviz.words import plain

ROW = 52
SET, NOISE, ZERO = COLOURS[10], rgba(GREY, 0.75), rgba(GREY, 0.13)


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
    notes: list[dict[str, Any]] = []
    data = []
    for place, stage in enumerate(stages):
        mine = frame[frame[STAGE] == stage]
        notes.append(
            note(f"<b>{plain(stage)}</b>", 0, -place + 0.2, xref="paper", yanchor="bottom")
        )
        colours = [
            (SET if own else NOISE) if value else ZERO
            for value, own in zip(mine[VALUE], mine[OWN], strict=True)
        ]
        said = [
            f"bit {bit}: {value}" + (", set by the text" if own else "")
            for bit, value, own in zip(mine[BIT], mine[VALUE], mine[OWN], strict=True)
        ]
        data.append(
            go.Bar(
                x=mine[BIT].to_numpy(),
                y=[0.34] * size,
                base=[-place - 0.18] * size,
                width=0.8,
                name=plain(stage),
                marker={
                    "color": colours,
                    "line": {"width": [2 if own else 0 for own in mine[OWN]], "color": SET},
                },
                hovertext=said,
                hoverinfo="text",
            )
        )
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
