"""A figure of [BCT20] drawn: solid lines are exact, dashed ones bounds, crosses a loose one."""

import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.forms.lines import Axis, Look, X, Y, lines
from dpviz.palette import COLOURS, DASHED, DOTTED, GAUSS_COLOUR, GREY, LAPLACE_COLOUR, SOLID
from tests.papers.frames import AT, BOUND, EXACT, KIND, LINE, LOOSE, SIMULATED, VALUE

SHADES = (1, 2, 4, 6, 8)  # slots of lines that differ by a share or an ε
DASHES = {EXACT: SOLID, BOUND: DASHED, LOOSE: DOTTED, SIMULATED: SOLID}


def paper_chart(frame: pd.DataFrame, *, across: str, up: str) -> go.Figure:
    """Draw one figure of the paper, each line named at its right end.

    Args:
        frame: columns `PAPER_FIGURE`, as `paper_frame` gives it.
        across: what runs to the right.
        up: what runs upwards.

    Raises:
        ParameterError: a column is missing, or there is no point.

    >>> from tests.papers.frames import PAPER_FIGURE
    >>> rows = [("Laplace", "exact", 1, 0.1), ("Laplace", "exact", 5, 0.3)]
    >>> fig = paper_chart(pd.DataFrame(rows, columns=list(PAPER_FIGURE)), across="k", up="ε")
    >>> fig.data[0].name, fig.data[0].y.tolist()
    ('Laplace', [0.1, 0.3])
    """
    kinds = dict(zip(frame[LINE], frame[KIND], strict=True))
    looks = {
        name: Look(
            colour=_colour(name, place),
            dash=DASHED if name == "Gauss, as drawn" else DASHES[kind],
            marks=kind == LOOSE,
            symbol="x" if kind == LOOSE else "",
        )
        for place, (name, kind) in enumerate(kinds.items())
    }
    rows, axes = frame.rename(columns={AT: X, VALUE: Y}), {"x": across, "y": up}
    named = {name: Axis(title=title) for name, title in axes.items()}
    return lines(rows, what=f"{up} over {across}.", looks=looks, **named).figure


def _colour(name: str, place: int) -> str:
    """That of the noise where two are compared; the grey of what others are held against."""
    for noise, colour in (("Laplace", LAPLACE_COLOUR), ("Gauss", GAUSS_COLOUR)):
        if name.startswith(noise):
            return colour
    return GREY if place >= len(SHADES) else COLOURS[SHADES[place] - 1]
