"""The map "Laplace or Gauss": two regions, the line of equal variance, and where the query is.

δ runs to the right and ε, or the number of groups that one person moves, upwards; both axes are
logarithmic and are drawn on log₁₀ values, because a δ may be smaller than any float. The fill is
log₂ of the variance ratio, cut at ±2 and clear where both are equal; words say whose region it is.
"""

import math
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpviz.charts.axes import LN_10, power_axis, probability, ratio_axis, spread
from dpviz.charts.crossover.frame import CROSSOVER_LINES, CROSSOVER_MAP
from dpviz.charts.crossover.regions import HEIGHT, PLOT, TOP, pixel, region_words
from dpviz.charts.crossover.tiers import CROSSOVER_POINTS
from dpviz.charts.labels import note, pixels
from dpviz.charts.tidy import require_columns, tiers
from dpviz.palette import COLOURS, GAUSS_SLOT, GREY, LAPLACE_SLOT, TierStyle, rgba
from dpviz.parameters import DELTA_AXIS
from dpviz.words import significant

CUT = 2.0  # of log₂ of the variance ratio
DASH = {"exact": "solid", "pure": "12px 3px", "classical": "8px 4px", "switch": "2px 3px"}
LABELLED = 12  # tiers; more of them speak on hover, but for the first and the last
NEAR = 17.0  # pixels between two labels
WORDS = {
    "exact": "equal variance, both calibrated exactly at this δ",
    "pure": "equal variance, Laplace noise by its pure ε: the paper’s line",
    "classical": "equal variance, pure Laplace noise and the classical Gaussian formula",
    "switch": "from here on the ℓ2 Laplace mechanism needs less than pure Laplace noise",
}


def crossover_map(
    cells: pd.DataFrame,
    lines: pd.DataFrame,
    points: pd.DataFrame,
    *,
    here: tuple[float, float],
    star: float | None,
    axis: str,
) -> go.Figure:
    """Draw the regions, the lines on them, the query and the tiers.

    Args:
        cells: columns log10_delta, height, log2_ratio: a full grid, below 0 where Laplace noise has
            the smaller variance.
        lines: columns line ("exact", "pure", "classical", "switch"), log10_delta, height.
        points: tiers, possibly none. Columns: tier, log10_delta, height, slot, symbol.
        here: log₁₀ δ and height of the query.
        star: log₁₀ δ* at that height; None if both are nowhere equal.
        axis: "epsilon" or "moved", what the heights are.

    Raises:
        ParameterError: a column is missing.

    >>> grid = pd.DataFrame({"log10_delta": [-9.0, -9, -1, -1], "height": [1.0, 2, 1, 2],
    ...     "log2_ratio": [-5.0, -4, 1, 1.5]})
    >>> line = pd.DataFrame({"line": ["exact"] * 2, "log10_delta": [-2, -3], "height": [1.0, 2]})
    >>> none = pd.DataFrame(columns=list(CROSSOVER_POINTS))
    >>> fig = crossover_map(grid, line, none, here=(-6.0, 1.5), star=-2.6, axis="epsilon")
    >>> fig.data[0].type, fig.data[0].z.tolist()
    ('heatmap', [[-2.0, 1.0], [-2.0, 1.5]])
    """
    require_columns(cells, *CROSSOVER_MAP)
    require_columns(lines, *CROSSOVER_LINES)
    grid = cells.pivot(index="height", columns="log10_delta", values="log2_ratio")
    x, y = grid.columns.to_numpy(float), grid.index.to_numpy(float)
    ratio = grid.to_numpy(float)
    traces = [_regions(x, y, ratio, axis)]
    traces += [_line(part, str(name)) for name, part in lines.groupby("line", sort=False)]
    taken = [pixel(here[1], y) + up for up in (0.0, *_lifts(here, star, x, y))]
    tier_traces, notes = _tiers(points, y, taken)
    traces += tier_traces
    traces += _query(here, star, axis)
    notes += _here(here, star, x, y)
    notes += region_words(x, y, ratio, taken)
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP},
        "annotations": notes,
        "shapes": _cross(here),
        "xaxis": {"title": {"text": DELTA_AXIS}, "showgrid": False}
        | power_axis(float(x[0]), float(x[-1])),
        "yaxis": ratio_axis(float(y[0]), float(y[-1]), whole=axis == "moved")
        | {"range": (math.log10(y[0]) - _below(y, axis), math.log10(y[-1]))},
    }
    return go.Figure(data=traces, layout=layout)


def _regions(x: NDArray[Any], y: NDArray[Any], ratio: NDArray[Any], axis: str) -> go.Heatmap:
    laplace, gauss = (COLOURS[slot - 1] for slot in (LAPLACE_SLOT, GAUSS_SLOT))
    scale = [(0.0, rgba(laplace, 0.5)), (0.5, rgba(laplace, 0.0)), (0.5, rgba(gauss, 0.0))]
    return go.Heatmap(
        x=x,
        y=np.log10(y),
        z=np.clip(ratio, -CUT, CUT),
        zmin=-CUT,
        zmax=CUT,
        colorscale=[*scale, (1.0, rgba(gauss, 0.5))],
        zsmooth="best",
        showscale=False,
        name="regions",
        hovertext=[
            [_cell(x[i], y[j], ratio[j, i], axis) for i in range(len(x))] for j in range(len(y))
        ],
        hoverinfo="text",
    )


def _cell(x: float, y: float, log2_ratio: float, axis: str) -> str:
    better, worse = ("Laplace", "Gaussian") if log2_ratio <= 0 else ("Gaussian", "Laplace")
    at = f"ε = {significant(y, 2)}" if axis == "epsilon" else f"{significant(y, 2)} groups moved"
    times = significant(2.0 ** min(abs(log2_ratio), 300.0), 2)
    return (
        f"δ = {probability(x * LN_10)}, {at}:<br><b>{better}</b> is more exact, "
        f"{worse} has about {times} times its variance."
    )


def _line(part: pd.DataFrame, name: str) -> go.Scatter:
    return go.Scatter(
        x=part["log10_delta"].to_numpy(float),
        y=np.log10(part["height"].to_numpy(float)),
        mode="lines",
        name=name,
        line={"color": GREY, "width": 3 if name == "exact" else 2, "dash": DASH[name]},
        hovertext=WORDS[name],
        hoverinfo="text",
    )


def _query(here: tuple[float, float], star: float | None, axis: str) -> list[go.Scatter]:
    """The query, and the δ* straight to its side."""
    height = math.log10(here[1])
    ring = {"size": 15, "symbol": "circle-open", "color": GREY, "line": {"width": 4}}
    dot = {"size": 11, "symbol": "circle", "color": GREY}
    words = f"ε = {significant(here[1])}" if axis == "epsilon" else f"{significant(here[1])} groups"
    own = f"Your query: δ = {probability(here[0] * LN_10)}, {words}."
    marks = [("query", here[0], ring, own)]
    if star is not None:
        both = f"Here both need the same noise: δ* = {probability(star * LN_10)}."
        marks.insert(0, ("crossover", star, dot, both))
    return [
        go.Scatter(
            x=[x],
            y=[height],
            mode="markers",
            name=name,
            cliponaxis=False,
            marker=marker,
            hovertext=text,
            hoverinfo="text",
        )
        for name, x, marker, text in marks
    ]


def _cross(here: tuple[float, float]) -> list[dict[str, Any]]:
    """Dotted lines from the query to both axes."""
    look = {"type": "line", "line": {"color": GREY, "width": 1, "dash": "dot"}}
    x, y = here[0], math.log10(here[1])
    across = {"xref": "paper", "x0": 0, "x1": 1, "y0": y, "y1": y}
    up = {"yref": "paper", "y0": 0, "y1": 1, "x0": x, "x1": x}
    return [look | across, look | up]


def _below(y: NDArray[Any], axis: str) -> float:
    """Room under one group, so that a query of one group is seen whole; none under an ε."""
    return 0.025 * math.log10(y[-1] / y[0]) if axis == "moved" else 0.0


def _lifts(
    here: tuple[float, float], star: float | None, x: NDArray[Any], y: NDArray[Any]
) -> list[float]:
    """How far above the query its name and that of δ* stand, in pixels; apart if they are near."""
    near = star is not None and abs(star - here[0]) / float(x[-1] - x[0]) * PLOT < 130
    up = 1 if pixel(here[1], y) < HEIGHT - 110 else -1
    return [15.0 * up, (32.0 if near else 15.0) * up]


def _here(
    here: tuple[float, float], star: float | None, x: NDArray[Any], y: NDArray[Any]
) -> list[dict[str, Any]]:
    """Names of the query and of δ*, each on the side that has room."""
    height, span = math.log10(here[1]), float(x[-1] - x[0])
    named = [(here[0], "<b>your query</b>")]
    if star is not None:
        named.append((star, f"<b>δ* = {probability(star * LN_10)}</b>"))
    notes = []
    for (at, text), lift in zip(named, _lifts(here, star, x, y), strict=False):
        if not x[0] <= at <= x[-1]:
            continue
        left = at == star or (x[-1] - at) / span * PLOT < pixels(text) + 12
        left = left and (at - x[0]) / span * PLOT > pixels(text) + 12
        side = {"xanchor": "right", "xshift": -9} if left else {"xanchor": "left", "xshift": 9}
        notes.append(note(text, at, height, yshift=lift, **side))
    return notes


def _tiers(
    points: pd.DataFrame, y: NDArray[Any], taken: list[float]
) -> tuple[list[go.Scatter], list[dict[str, Any]]]:
    """A symbol for each tier, and its name beside it; `taken` gains the heights of the names."""
    if points.empty:
        return [], []
    require_columns(points, *CROSSOVER_POINTS)
    everybody = tiers(points)
    traces, named = [], []
    for rank, tier in enumerate(everybody):
        x, height = (float(tier.rows[c].iloc[0]) for c in ("log10_delta", "height"))
        traces.append(_tier(tier.style, tier.name, x, height))
        if len(everybody) <= LABELLED or rank in (0, len(everybody) - 1):
            look = f'<span style="color:{tier.style.colour}">{tier.style.glyph}</span>'
            named.append((f"{look} {tier.short(14)}", x, pixel(height, y)))
    top = pixel(float(y[-1]), y)
    lifted = spread([at for *_, at in named], NEAR, NEAR / 2, top - NEAR / 2)
    taken += lifted
    side = {"xanchor": "right", "xshift": -11}
    return traces, [
        note(text, x, math.log10(_height(at, y)), **side)
        for (text, x, _), at in zip(named, lifted, strict=True)
    ]


def _height(at: float, y: NDArray[Any]) -> float:
    """The height that is drawn this many pixels above the lower edge."""
    return float(y[0] * (y[-1] / y[0]) ** (at / pixel(float(y[-1]), y)))


def _tier(style: TierStyle, name: str, x: float, height: float) -> go.Scatter:
    return go.Scatter(
        x=[x],
        y=[math.log10(height)],
        mode="markers",
        name=name,
        marker={"color": style.colour, "symbol": style.marker, "size": 11},
        hovertext=f"<b>{name}</b>: ε = {significant(height)} at δ = {probability(x * LN_10)}.",
        hoverinfo="text",
    )
