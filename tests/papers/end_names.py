"""Names beside the right ends of lines, for the figures of `make papers`."""

import math
from typing import Any

from dpviz.charts.labels import note

APART = 17.0  # pixels between two names


def end_names(
    ends: list[tuple[str, float]], span: tuple[float, float], plot: float
) -> list[dict[str, Any]]:
    """Names beside the right ends of lines on a logarithmic axis, moved apart where they touch.

    Args:
        ends: name and value of each line at the right edge.
        span: values at the lower and the upper edge of the plot.
        plot: height of the plot in pixels.

    >>> [round(n["y"], 3) for n in end_names([("a", 1.0), ("b", 1.1)], (0.1, 10.0), 100.0)]
    [0.5, 0.67]
    """
    bottom, top = span
    scale = plot / math.log(top / bottom)
    wanted = sorted((math.log(end / bottom) * scale, name) for name, end in ends)
    places: list[float] = []
    for at, _ in wanted:
        places.append(max(at, places[-1] + APART) if places else at)
    places = [p - max(0.0, places[-1] - plot) for p in places]
    look = {"xref": "paper", "yref": "paper", "xshift": 6, "yanchor": "middle"}
    return [note(name, 1, at / plot, **look) for at, (_, name) in zip(places, wanted, strict=True)]
