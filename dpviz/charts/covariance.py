"""Covariances of the tiers' noise as a heat map: theory in bold, the simulation below it.

Tiers run by clearance on both axes, the least noisy top left. A cell that leaves its band turns red
and gets a cross. Limits: up to 6 tiers have their numbers in the cells, more speak on hover.
"""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import PHONE, note, pixels, tag
from dpviz.charts.tidy import require_columns
from dpviz.experiments.covariance import CovarianceCheck
from dpviz.palette import GREY, rgba
from dpviz.words import number, percent, plain, shorten, significant

COVARIANCE = ("row", "column", "theory", "sample", "low", "high", "outside")
LABELS = ("tier", "style")
WRITTEN_UP_TO = 6  # tiers with numbers in their cells
NAMED_UP_TO = 20  # tiers with a label on the axes
NAME_LETTERS = 12
TALL, LEAST, MOST = 64, 300, 520  # pixels: of a cell; of the plot
SHADE = [[0.0, rgba(GREY, 0.08)], [1.0, rgba(GREY, 0.5)]]
RED = [[0.0, "rgba(204,51,61,0.30)"], [1.0, "rgba(204,51,61,0.30)"]]
CROSS = "✖"


def covariance_frame(check: CovarianceCheck) -> pd.DataFrame:
    """One row per cell of the matrix, columns `COVARIANCE`; row and column count from 0.

    >>> import numpy as np
    >>> one = np.ones((1, 1))
    >>> none = {"events": (), "shares": np.zeros(0), "strange": np.zeros(0, dtype=bool)}
    >>> found = CovarianceCheck(one, 2 * one, 0.5 * one, one > 0, **none)
    >>> covariance_frame(found).values.tolist()
    [[0, 0, 1.0, 2.0, 0.5, 1.5, True]]
    """
    cells = [
        (
            i,
            j,
            check.theory[i, j],
            check.sample[i, j],
            check.theory[i, j] - check.half[i, j],
            check.theory[i, j] + check.half[i, j],
            bool(check.outside[i, j]),
        )
        for i in range(len(check.theory))
        for j in range(len(check.theory))
    ]
    return pd.DataFrame(cells, columns=list(COVARIANCE))


def covariance_map(
    cells: pd.DataFrame, labels: pd.DataFrame, *, unit: str, chance: float = 0.001
) -> go.Figure:
    """Draw the matrix.

    Args:
        cells: columns `COVARIANCE`, as `covariance_frame` gives it.
        labels: columns `LABELS`, one row per tier, least noisy first.
        unit: after a number, such as "people²"; "" for correlations.
        chance: that a right sampler leaves the band, for the hover.

    Raises:
        ParameterError: a column is missing, or there is no tier.

    >>> from dpviz.palette import TierStyle
    >>> one = pd.DataFrame([(0, 0, 4.0, 4.1, 3.5, 4.5, False)], columns=list(COVARIANCE))
    >>> audit = pd.DataFrame({"tier": ["audit"], "style": [TierStyle(2, 0)]})
    >>> fig = covariance_map(one, audit, unit="people²")
    >>> len(fig.data), fig.layout.annotations[-1].text
    (1, '<b>4</b><br>4.10')
    """
    require_columns(cells, *COVARIANCE)
    require_columns(labels, *LABELS)
    n = len(labels)
    theory = cells["theory"].to_numpy(float).reshape(n, n)
    outside = cells["outside"].to_numpy(bool).reshape(n, n)
    names = [plain(name, 40) for name in labels["tier"]]
    texts = [_hover(row, names, unit, chance) for row in cells.to_dict("records")]
    hover = np.array(texts, dtype=object).reshape(n, n)
    some = theory[theory > 0]
    least = float(some.min()) if some.size else 1.0
    shade = np.log10(np.maximum(theory, least))  # by factors; no noise is as light as the least
    right = np.where(outside, np.nan, shade)
    traces = [_layer(right, SHADE, hover, float(shade.min()), float(shade.max()) + 1e-9)]
    if outside.any():
        traces.append(_layer(np.where(outside, 1.0, np.nan), RED, hover, 0.0, 1.0))
    layout = {
        "height": round(min(max(TALL * n, LEAST), MOST)) + 40,
        "margin": {"t": 34, "b": 6, "r": 2},
        "annotations": _marks(cells, n),
        "xaxis": _axis(labels, short=True) | {"side": "top", "range": (-0.5, n - 0.5)},
        "yaxis": _axis(labels, short=False) | {"range": (n - 0.5, -0.5)},
    }
    return go.Figure(data=traces, layout=layout)


def _layer(z: Any, colours: list[list[Any]], hover: Any, low: float, high: float) -> go.Heatmap:
    """One layer of cells."""
    return go.Heatmap(
        z=z,
        zmin=low,
        zmax=high,
        colorscale=colours,
        hovertext=hover,
        hoverinfo="text",
        showscale=False,
        xgap=2,
        ygap=2,
    )


def _hover(row: dict[Any, Any], names: list[str], unit: str, chance: float) -> str:
    first, second = names[int(row["row"])], names[int(row["column"])]
    who = f"<b>{first}</b> with itself" if first == second else f"<b>{first}</b> and {second}"
    after = f" {plain(unit)}" if unit else ""
    verdict = "outside" if row["outside"] else "within"
    return (
        f"{who}: theory {significant(row['theory'], 4)}{after},<br>simulated "
        f"{significant(row['sample'], 4)}, {verdict} its band {significant(row['low'], 4)} to "
        f"{significant(row['high'], 4)}.<br>A right sampler leaves any band with a chance of "
        f"about {percent(chance)}."
    )


def _marks(cells: pd.DataFrame, n: int) -> list[dict[str, Any]]:
    """The numbers in the cells, or a cross on those that fail."""
    notes = []
    for row in cells.to_dict("records"):
        cross = f" {CROSS}" if row["outside"] else ""
        if n <= WRITTEN_UP_TO:
            half = (row["high"] - row["low"]) / 2  # as exact as the measurement deserves
            drawn = number(row["sample"], step=half)
            text = f"<b>{significant(row['theory'])}</b><br>{drawn}{cross}"
        elif cross and n <= NAMED_UP_TO:
            text = CROSS
        else:
            continue
        place = {"xanchor": "center", "align": "center", "font": {"size": 12}}
        notes.append(note(text, row["column"], row["row"], **place))
    return notes


def _axis(labels: pd.DataFrame, *, short: bool) -> dict[str, Any]:
    n = len(labels)
    if n > NAMED_UP_TO:
        return {"showticklabels": False, "showgrid": False}
    longest = max(pixels(shorten(name, NAME_LETTERS), bold=True) for name in labels["tier"]) + 22
    crowded = longest > (PHONE - longest) / n  # names would touch one another on a phone
    texts = []
    for row in labels.itertuples():
        look = row.style
        small = f'<span style="color:{look.colour}">{look.glyph}</span>'
        name = plain(shorten(row.tier, NAME_LETTERS))
        texts.append(small if short and crowded else tag(look, name))
    ticks = {"tickmode": "array", "tickvals": list(range(n)), "ticktext": texts, "tickangle": 0}
    return ticks | {"showgrid": False}
