"""The two Plotly templates, and the only place where a figure gets its text colour.

Figures are built without text colours, so that one figure serves both themes; `dress` puts on the
template of a mode. Tier colours come from `dpviz.palette` and suit both papers. Marks and lines
that belong to no tier and must be seen get no colour, and so the ink of the mode.
"""

from typing import Any

import plotly.graph_objects as go
import plotly.io as pio

from dpviz.charts.labels import GROUND
from dpviz.errors import ParameterError
from dpviz.palette import COLOURS, GRID, INKS

FONT = '"Source Sans", sans-serif'  # ships with the dashboard: no request leaves the page
HALO = (1, 1, 2, 2, 3, 3)  # pixels; twice each, to cover a line
CONFIG = {"displaylogo": False, "displayModeBar": False, "showSendToCloud": False}


def _axis(ink: dict[str, str], *, grid: bool) -> dict[str, Any]:
    return {
        "automargin": True,
        "gridcolor": GRID,
        "gridwidth": 1,
        "showgrid": grid,
        "ticks": "",
        "tickfont": {"size": 12, "color": ink["text"]},
        "title": {"font": {"size": 13}, "standoff": 10},
        "zeroline": False,
    }


def _template(ink: dict[str, str]) -> go.layout.Template:
    font = {"family": FONT, "size": 13, "color": ink["text"]}
    clear = "rgba(0,0,0,0)"
    # Words may stand over coloured edges: a shadow in the paper colour keeps them readable.
    shadow = ", ".join(f"0 0 {radius}px {ink['paper']}" for radius in HALO)
    layout = {
        "annotationdefaults": {"font": {"shadow": shadow}},
        "annotations": [{"name": GROUND, "bgcolor": ink["paper"], "visible": False}],
        "colorway": list(COLOURS),
        "dragmode": False,
        "font": font,
        "hoverlabel": {
            "align": "left",
            "bgcolor": ink["box"],
            "bordercolor": ink["edge"],
            "font": font,  # hover does not inherit it
            "namelength": 0,
        },
        "hovermode": "closest",
        "margin": {"l": 0, "r": 8, "t": 8, "b": 44},
        "paper_bgcolor": clear,
        "plot_bgcolor": clear,
        "showlegend": False,
        "xaxis": _axis(ink, grid=True),
        "yaxis": _axis(ink, grid=False),
    }
    # Lines are paper where a figure parts its bars, or a mark from what lies below it, by some.
    bar = {"marker": {"color": ink["mark"], "line": {"color": ink["paper"]}}}
    uncoloured = {"line": {"color": ink["mark"]}, "marker": bar["marker"]}
    scatter = uncoloured | {"textfont": {"shadow": shadow}}
    return go.layout.Template(layout=layout, data={"bar": [bar], "scatter": [scatter]})


for _mode, _ink in INKS.items():
    pio.templates[f"dpviz_{_mode}"] = _template(_ink)


def dress(fig: go.Figure, mode: str) -> go.Figure:
    """Put the template of a mode on a figure, in place, and return it; a second time does no harm.

    The one place that changes a figure that it is handed, just before it is shown: a copy of the
    figure would take longer than all else here. The template itself is copied, never shared; to
    check the copy again would take twenty times as long.

    Args:
        fig: a figure as `dpviz.charts` builds it.
        mode: "light" or "dark".

    Raises:
        ParameterError: `mode` is neither.

    >>> dress(go.Figure(), "dark").layout.template.layout.font.color
    '#AEB5BF'
    """
    if mode not in INKS:
        raise ParameterError('mode is neither "light" nor "dark": pass one of the two')
    layout = fig.layout
    layout._validate = False  # as Plotly does with its own: a template was checked when made
    fig.layout.template = pio.templates[f"dpviz_{mode}"]
    layout._validate = True
    return fig
