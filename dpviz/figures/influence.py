"""How far one person can move the published counts: the picture of a sensitivity."""

import pandas as pd
import plotly.graph_objects as go

from dpviz.figures.palette import GREY
from dpviz.figures.tidy import require_columns
from dpviz.figures.words import plain

MOST = 12  # rows; further groups are named in one last row
ROW = 30  # pixels


def influence(frame: pd.DataFrame, *, axis_title: str) -> go.Figure:
    """One row per group with a line as long as one person can move it.

    Args:
        frame: columns `group`, `change`; a group that is not moved has change 0.
        axis_title: quantity and unit of the horizontal axis.

    Raises:
        ParameterError: if a column is missing.

    >>> frame = pd.DataFrame({"group": ["a", "b"], "change": [1, 0]})
    >>> [list(trace.x) for trace in influence(frame, axis_title="people").data]
    [[0, 1], [1], [0, 0], [0]]
    """
    require_columns(frame, "group", "change")
    shown = frame.head(MOST)
    names = [plain(g, 28) for g in shown["group"]]
    rest = len(frame) - len(shown)
    fig = go.Figure(layout={"height": 64 + ROW * (len(shown) + bool(rest)), "margin": {"t": 8}})
    for row, change in enumerate(shown["change"].tolist()):
        fig.add_scatter(
            x=[0, change],
            y=[row, row],
            mode="lines",
            line={"color": GREY, "width": 4},
            hoverinfo="skip",
        )
        fig.add_scatter(
            x=[change],
            y=[row],
            mode="markers",
            marker={"color": GREY, "size": 13 if change else 7},
            hovertemplate=f"One person moves this count by at most {change:g}.<extra></extra>"
            if change
            else "Such a person does not move this count.<extra></extra>",
        )
    if rest:
        names.append(f"… and {rest:,} more")
    rows = list(range(len(names)))
    fig.update_yaxes(tickvals=rows, ticktext=names, range=[len(rows) - 0.4, -0.6])
    return fig.update_xaxes(title={"text": plain(axis_title)}, range=[-0.04, 1.1], tickvals=[0, 1])
