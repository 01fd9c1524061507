"""How much noise each way needs for one tier: a bar per way, in multiples of lossless release.

Each bar says how far off its way is. That of lossless release has the ink of the page, the others
are grey; what they need beyond it is paler, so that the price is seen as a length of its own.
Doubling budgets, between the other two, are for the lines of `dpviz.charts.variances.chart`.
"""

from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.accounting.guarantees import Setting, guarantee_of
from dpviz.charts.labels import PHONE, note, pixels
from dpviz.charts.tidy import require_columns
from dpviz.charts.variances.frame import (
    BUDGET,
    FACTOR,
    LEVEL,
    LOSSLESS,
    PART,
    SCHEME,
    SCHEMES,
    of_scheme,
)
from dpviz.palette import GREY, rgba
from dpviz.planning.budgets import usual_half_width
from dpviz.words import capitalised, loss, plain, pm, significant

TIMES, HALF, NAME, DOES = "times", "half", "name", "does"
BARS = (SCHEME, TIMES, HALF, NAME, DOES)
SHARED, ALIKE = "all tiers share one noise", "as here"
NAMES = {  # what the way is called
    LOSSLESS: "Lossless, here",
    "splitting": "Separate, budget split",
    "independent": "Separate, all budgets cut",
}
DIGITS = 2  # of ±, which is rounded up: as on every page
DECIMALS = (1, 2, 3)  # of how many times: as few as tell the ways apart
ROUNDING = 1e-9  # of a share that is the same for all tiers
ROW, THICK, LARGE = 74, 26, 22  # pixels: of a row, of a bar, of the number at its end


def bars_frame(frame: pd.DataFrame, place: int, setting: Setting) -> pd.DataFrame:
    """How many times the standard deviation, and how far off, for one tier; columns `BARS`.

    Args:
        frame: as `variances_frame` gives it.
        place: the tier, counted from 0 at the most private one.
        setting: that of the frame.

    Returns:
        A row for each way of `NAMES`; half: of the 95 % interval, in units; what the way is called
        and what it leaves the tier of its budget.

    >>> from dpviz.charts.variances.frame import LadderTier, variances_frame
    >>> from dpviz.accounting.scheme_variances import ONE_NUMBER
    >>> two = variances_frame([LadderTier(name=n, budget=b) for n, b in (("a", 0.1), ("b", 0.4))])
    >>> made = bars_frame(two, 1, ONE_NUMBER)
    >>> made["times"].round(2).tolist(), made["name"].iloc[2], made["does"].iloc[2]
    ([1.0, 1.15, 1.12], 'Separate, all budgets × 0.8', 'ρ = 0.32 instead of 0.4')
    """
    rows, letter = [], guarantee_of(setting.family).letter
    for scheme, name in NAMES.items():
        ways = of_scheme(frame, scheme)
        row = ways.iloc[place]
        half = usual_half_width(setting.family, float(row[LEVEL]), setting.step)
        does = SHARED
        if scheme != LOSSLESS:
            does = _left(row, ways, letter)
        if scheme == "independent" and np.ptp(shares := ways[PART] / ways[BUDGET]) < ROUNDING:
            name = f"Separate, all budgets × {significant(shares.iloc[0], 2)}"
        rows.append((scheme, float(row[FACTOR]) ** 0.5, half, name, does))
    return pd.DataFrame(rows, columns=list(BARS))


def _left(row: pd.Series, ways: pd.DataFrame, letter: str) -> str:
    """What a way leaves the tier of its budget: a part of the largest one, or less of its own."""
    part, whole, largest = loss(row[PART]), loss(row[BUDGET]), float(ways[BUDGET].max())
    if part == whole:
        return ALIKE
    if row[SCHEME] == "splitting" and abs(ways[PART].sum() - largest) < ROUNDING * largest:
        return f"{letter} = {part} of the {loss(largest)}"
    return f"{letter} = {part} instead of {whole}"


def times_texts(frame: pd.DataFrame) -> list[str]:
    """How many times, with the fewest decimals that tell different ways apart, alike in all rows.

    >>> times_texts(pd.DataFrame({TIMES: [1.0, 1.732, 1.58, 1.62]}))
    ['1.00', '1.73', '1.58', '1.62']
    >>> times_texts(pd.DataFrame({TIMES: [1.0, 1.0, 1.41, 1.73]}))
    ['1.0', '1.0', '1.4', '1.7']
    """
    found = frame[TIMES].to_numpy(float)
    wanted = len(set(found.round(DECIMALS[-1])))
    for decimals in DECIMALS:
        texts = [f"{times:,.{decimals}f}" for times in found]
        if len(set(texts)) >= wanted:
            break
    return texts


def noise_bars(frame: pd.DataFrame, *, unit: str) -> go.Figure:
    """Draw a bar for each way; shorter is better.

    Args:
        frame: columns `BARS`, as `bars_frame` gives it.
        unit: after a half width, such as "people".

    Raises:
        ParameterError: a column is missing.

    >>> rows = [("lossless", 1.0, 2.53, "Lossless", ""), ("splitting", 1.732, 4.39, "Split", "")]
    >>> fig = noise_bars(pd.DataFrame(rows, columns=list(BARS)), unit="people")
    >>> [trace.x for trace in fig.data if trace.name == "budget split"]
    [(0.0, 1.0), (1.0, 1.732)]
    """
    require_columns(frame, *BARS)
    rows = list(enumerate(frame.to_dict("records")))
    times = times_texts(frame)
    exact = bool((frame[HALF] == 0).any())  # "±0" would say that a number is surely right
    texts = [_said(row, "" if not exact else times[y], unit) for y, row in rows]
    wide = max(pixels(large, LARGE, bold=True) + pixels(off) for large, off in texts)
    reach = float(frame[TIMES].max()) / (1 - min((wide + 12) / PHONE, 0.6))
    bottom = len(rows) - 0.36
    layout = {
        "height": ROW * len(rows) + 20,
        "margin": {"t": 4, "b": 4, "l": 0, "r": 0},
        "annotations": [one for y, row in rows for one in _words(row, y, *texts[y])],
        "xaxis": {"visible": False, "range": (0, reach)},
        "yaxis": {"visible": False, "range": (bottom, -0.72)},
    }
    return go.Figure(
        data=[bar for y, row in rows for bar in _bar(row, y, times[y], unit)], layout=layout
    )


def _bar(row: dict[Any, Any], y: int, said: str, unit: str) -> list[go.Scatter]:
    """The noise of lossless release, and what the way needs beyond it."""
    ours, times = row[SCHEME] == LOSSLESS, float(row[TIMES])
    ends: list[tuple[tuple[float, float], dict[str, Any]]] = [
        ((0.0, 1.0), {} if ours else {"color": GREY})
    ]
    if times > 1:
        ends.append(((1.0, times), {"color": rgba(GREY, 0.45)}))
    return [
        go.Scatter(
            x=x,
            y=(y, y),
            mode="lines",
            name=SCHEMES[row[SCHEME]],
            line={"width": THICK} | ink,
            hovertext=f"<b>{capitalised(SCHEMES[row[SCHEME]])}</b>: "
            f"{said} times the standard deviation of lossless release;<br>"
            f"95 % of the numbers are within {pm(row[HALF], DIGITS)} {plain(unit)}.",
            hoverinfo="text",
        )
        for x, ink in ends
    ]


def _words(row: dict[Any, Any], y: int, said: str, unit: str) -> list[dict[str, Any]]:
    """The way and what it does above its bar; at its end how far off it is."""
    above = note(f"<b>{row[NAME]}:</b> {row[DOES]}", 0, y, yanchor="bottom", yshift=THICK / 2 + 2)
    large = f'<span style="font-size:{LARGE}px"><b>{said}</b></span>{unit}'
    return [above, note(large, max(1.0, float(row[TIMES])), y, xshift=9, yanchor="middle")]


def _said(row: dict[Any, Any], times: str, unit: str) -> tuple[str, str]:
    """How far off a way is, or else how many times the noise it needs; the unit only once."""
    if times:
        return f"× {times}", ""
    return pm(row[HALF], DIGITS), f" {plain(unit, 14)}" if row[SCHEME] == LOSSLESS else ""
