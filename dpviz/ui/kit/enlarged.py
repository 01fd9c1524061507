"""A figure for a lecture room: the same picture with all that is measured in pixels made larger."""

from typing import Any

import plotly.graph_objects as go

from dpviz.checks import positive

PIXELS = frozenset({"size", "xshift", "yshift", "height", "borderpad", "standoff", "ax", "ay"})
_INSIDE = {"line": {"width"}, "margin": {"t", "b", "l", "r"}}
_DATA = frozenset({"x", "y", "z", "base", "customdata", "text", "ids"})


def enlarged(fig: go.Figure, times: float) -> go.Figure:
    """A copy of a dressed figure whose type, marks, lines and margins are `times` as large.

    Places in the data stay where they are, and the width is that of the page.

    Raises:
        ParameterError: `times` is not positive.

    >>> fig = go.Figure(go.Scatter(x=[1], y=[2], marker={"size": 6}), {"height": 300})
    >>> large = enlarged(fig, 1.5)
    >>> large.layout.height, large.data[0].marker.size, large.data[0].x
    (450.0, 9.0, (1,))
    """
    positive(times=times)
    whole = fig.to_dict()  # with its template, which has the usual sizes
    return go.Figure({part: _grown(each, part, times) for part, each in whole.items()})


def _grown(value: Any, name: str, times: float, inside: str = "") -> Any:
    if name in _DATA:
        return value
    if isinstance(value, dict):
        return {key: _grown(each, key, times, name) for key, each in value.items()}
    if name in PIXELS or name in _INSIDE.get(inside, ()):
        return _times(value, times)
    if isinstance(value, (list, tuple)) and value and isinstance(value[0], dict):
        return [_grown(each, name, times, inside) for each in value]
    return value


def _times(value: Any, times: float) -> Any:
    if isinstance(value, (list, tuple)):
        return [_times(each, times) for each in value]
    return value * times if isinstance(value, (int, float)) else value
