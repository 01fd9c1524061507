"""How far one person can move the published counts: the picture of a sensitivity."""

import pandas as pd
import plotly.graph_objects as go

from dpviz.figures.palette import GREY
from dpviz.figures.tidy import require_columns
from dpviz.figures.words import plain

MOST = 12  # rows; further groups are named in one last row


def influence(frame: pd.DataFrame, *, axis_title: str) -> go.Figure:
    """One row per group with a bar as long as one person can move it.

    Args:
        frame: columns `group`, `change`; a group that is not moved has change 0.
        axis_title: quantity and unit of the horizontal axis.

    Raises:
        ParameterError: if a column is missing.

    >>> frame = pd.DataFrame({"group": ["a", "b"], "change": [1, 0]})
    >>> list(influence(frame, axis_title="people").data[0].x)
    [1, 0]
    """
    require_columns(frame, "group", "change")
    shown = frame.head(MOST)
    names = [plain(g, 28) for g in shown["group"]]
    rest = len(frame) - len(shown)
    fig = go.Figure(layout={"height": 70 + 30 * (len(shown) + bool(rest)), "margin": {"t": 8}})
    rows = list(range(len(shown)))
    fig.add_bar(
        x=shown["change"].tolist(),
        y=rows,
        orientation="h",
        width=0.5,
        marker={"color": GREY},
        hovertemplate="At most ±%{x} person in this group.<extra></extra>",
    )
    fig.add_scatter(
        x=shown["change"].tolist(),
        y=rows,
        mode="markers",
        marker={"color": GREY, "size": 9},
        hoverinfo="skip",
    )
    if rest:
        names.append(f"… and {rest:,} more")
        rows.append(len(shown))
    fig.update_yaxes(tickvals=rows, ticktext=names, range=[len(rows) - 0.4, -0.6])
    return fig.update_xaxes(title=axis_title, range=[0, 1.15], tickvals=[0, 1])
