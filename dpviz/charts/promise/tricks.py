"""What an attacker does with a noisy number, and how many guesses are then right."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from numpy.typing import NDArray

from dpviz.accounting import Pair, gaussian_right_guesses, pair_advantage, right_guesses
from dpviz.accounting.levels import gaussian_level
from dpviz.charts.forms.squares import guesses_head
from dpviz.charts.labels import note, rule
from dpviz.charts.promise.hills import HEIGHT
from dpviz.charts.threads_frame import GAUSSIAN
from dpviz.charts.tidy import Floats, require_columns
from dpviz.palette import GREY, TierStyle
from dpviz.workspace.guesses import COIN

TRICK, RIGHT, GUESSED = "trick", "right", "guessed"
TRICKS = (TRICK, RIGHT, GUESSED)
TOP, BOTTOM = 30, 30
REACH = 9.0  # standard deviations beyond which no noise falls
FEWEST, MOST = 492, 612  # guesses right at the ends of the axis


def rounded_right(rho: float, counts: tuple[float, float], step: float) -> float:
    """Guesses right of 1,000 by a noisy count that is rounded to multiples of a step; exact.

    Args:
        rho: budget of the count, for a person who moves it by 1.
        counts: without the person and with them.
        step: to which it is rounded.

    >>> round(rounded_right(0.1, (311, 312), 0.001)), round(rounded_right(0.1, (311, 312), 10))
    (588, 527)
    """
    level = gaussian_level(rho, 1.0)
    far = REACH * math.sqrt(level)
    first, last = math.floor((min(counts) - far) / step), math.ceil((max(counts) + far) / step)
    edges = (np.arange(first, last + 2) - 0.5) * step
    out, inside = (_masses(edges - count, level) for count in counts)
    return right_guesses(pair_advantage(Pair(out, inside)))


def _masses(edges: NDArray[np.floating[Any]], level: float) -> Floats:
    return np.diff(np.asarray(GAUSSIAN.cdf(edges, level), dtype=np.float64))


def blurred_right(rho: float, times: float) -> float:
    """Guesses right of 1,000 once the noise of a number is this many times its variance.

    >>> round(blurred_right(0.1, 2))
    563
    """
    return gaussian_right_guesses(rho / times)


def tricks_frame(tricks: Sequence[tuple[str, float]], guessed: str) -> pd.DataFrame:
    """A row for each trick: what it is called, guesses right of 1,000, whether it was the guess.

    Args:
        tricks: names and guesses right, in order.
        guessed: the name of the trick that the visitor thinks is the best; "" for none.
    """
    rows = [(name, right, name == guessed) for name, right in tricks]
    return pd.DataFrame(rows, columns=list(TRICKS))


def tricks(frame: pd.DataFrame, style: TierStyle, *, known: int) -> go.Figure:
    """Draw a bar for each trick, from what a coin gets right, and a line at the first.

    Args:
        frame: as `tricks_frame` makes it.
        style: look of the tier that is told.
        known: for how many rows the guesses are shown.

    Raises:
        ParameterError: a column is missing.
    """
    require_columns(frame, *TRICKS)
    rows = frame.to_dict("records")
    best = float(rows[0][RIGHT])
    drawn = rows[:known]
    bars = go.Bar(
        **{"x": [row[RIGHT] - COIN for row in drawn], "y": [-k for k in range(len(drawn))]},
        **{"base": COIN, "orientation": "h", "width": 0.46, "name": "guesses right"},
        marker={"color": [style.colour if k == 0 else GREY for k in range(len(drawn))]},
        hovertemplate="%{x:.0f} more than a coin<extra></extra>",
    )
    line: dict[str, Any] = {"color": style.colour, "width": 2, "dash": "2px 3px"}
    ends = {"x": [best, best], "y": [0.5, 0.5 - len(rows)], "mode": "lines", "hoverinfo": "skip"}
    notes = [_result(k, row, known) for k, row in enumerate(rows)]
    notes.append(note("a coin: 500", COIN, 1, yref="paper", yanchor="bottom", yshift=6))
    notes.append(guesses_head())
    layout = {
        "height": HEIGHT,
        "margin": {"t": TOP, "b": BOTTOM, "r": 4},
        "annotations": notes,
        "shapes": [rule(-k) for k in range(len(rows))],
        "xaxis": {"range": (FEWEST, MOST), "fixedrange": True, "showgrid": False}
        | {"tickvals": [COIN, 550, 600], "ticktext": ["500", "550", "600"]},
        "yaxis": {"range": (0.5 - len(rows), 0.5), "fixedrange": True}
        | {"tickvals": [-k for k in range(len(rows))], "tickfont": {"size": 15}}
        | {"ticktext": [_name(row) for row in rows]},
    }
    return go.Figure(data=[bars, go.Scatter(**ends, line=line, name="plain")], layout=layout)


def _name(row: dict[str, Any]) -> str:
    return f"<b>{row[TRICK]}</b>" if row[GUESSED] else str(row[TRICK])


def _result(k: int, row: dict[str, Any], known: int) -> dict[str, Any]:
    """The guesses right, or a question mark."""
    place = {"font": {"size": 20}, "xref": "paper", "xanchor": "right"}
    words = f"{row[RIGHT]:.0f}" if k < known else "?"
    return note(f"<b>{words}</b>", 1, -k, **place)
