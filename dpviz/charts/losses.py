"""How likely each privacy loss is, strip by strip, and up to which ε the losses are counted.

Right of 0 what is released speaks for the person being in the table, left of 0 against it. Heights
are shares of a strip's highest bar, so strips cannot be compared in height.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.labels import note, rule, ticks
from dpviz.charts.tidy import Floats, require_columns
from dpviz.palette import GREY, TierStyle
from dpviz.words import capitalised, percent, plain, rounded_up, significant

STAGE, LOSS, MASS = "stage", "loss", "mass"
LOSSES = (STAGE, LOSS, MASS)
BINS = 121  # an odd number, so that a loss of 0 has a bar in the middle
SELDOM = 1e-4
STRIP, HIGH = 80, 0.64  # pixels of a strip; share of it that the highest bar takes


def reach_of(stages: Sequence[tuple[str, Floats, Floats]], total: float) -> float:
    """How far a picture goes: beyond the total ε, and beyond all but a ten thousandth of a loss."""
    far = [_far(loss, mass) for _, loss, mass in stages]
    return 1.15 * max(total, *far, 1e-12)


def _far(loss: Floats, mass: Floats) -> float:
    often = np.cumsum(mass) * np.cumsum(mass[::-1])[::-1] > SELDOM
    return float(np.abs(loss)[often].max(initial=0.0))


def losses_frame(stages: Sequence[tuple[str, Floats, Floats]], reach: float) -> pd.DataFrame:
    """How likely each loss is, in bins of one width; columns `LOSSES`.

    Args:
        stages: name, losses and masses of each strip, the first one first.
        reach: the largest loss shown, in nats, above 0; what is beyond is in the outer bins.

    >>> frame = losses_frame([("one", np.array([-1.0, 1.0]), np.array([0.25, 0.75]))], 1.0)
    >>> frame[LOSS].tolist(), frame[MASS].tolist()
    ([-1.0, 1.0], [0.25, 0.75])
    """
    width = 2 * reach / (BINS - 1)
    found = []
    for name, loss, mass in stages:
        places = np.clip(np.round((loss + reach) / width), 0, BINS - 1).astype(int)
        held = np.bincount(places, mass, BINS)
        kept = np.flatnonzero(held)
        rows = {STAGE: name, LOSS: kept * width - reach, MASS: held[kept]}
        found.append(pd.DataFrame(rows))
    return pd.concat(found, ignore_index=True)


def loss_strips(
    frame: pd.DataFrame, *, totals: Mapping[str, float], main: str, style: TierStyle | None = None
) -> go.Figure:
    """Draw a strip of bars for each stage, and dotted lines at an ε.

    Args:
        frame: columns `LOSSES`, as `losses_frame` gives it.
        totals: the ε of some stages; a line through the strip of each, or through all strips if
            there is one ε only. An infinite one has no line.
        main: the stage that is named in bold and has the ink of the page, or the tier's colour.
        style: of the tier whose losses these are; None: of no tier.

    Raises:
        ParameterError: a column is missing, or there is no stage.

    >>> frame = losses_frame([("one", np.array([-1.0, 1.0]), np.array([0.25, 0.75]))], 1.0)
    >>> loss_strips(frame, totals={"one": 0.9}, main="one", style=TierStyle(2, 0)).data[0].name
    'one'
    """
    require_columns(frame, *LOSSES)
    stages = [(str(name), part) for name, part in frame.groupby(STAGE, sort=False)]
    finite = {name: total for name, total in totals.items() if math.isfinite(total)}
    reach = max(float(frame[LOSS].abs().max()), *finite.values(), 1e-9) * 1.04
    bars, notes, shapes = [], [], []
    for place, (name, part) in enumerate(stages):
        colour = GREY if name != main else style.colour if style else None
        bars.append(_bars(name, part, -place, colour, 2 * reach / BINS))
        head = capitalised(plain(name))
        shown = f"<b>{head}</b>" if name == main else head
        notes.append(note(shown, 0, HIGH - place, xref="paper", yanchor="bottom"))
        shapes.append(rule(-float(place)))
        if name in finite:
            top = 1.0 if len(totals) == 1 else HIGH - place
            shapes.append(_line(finite[name], -place, top))
            notes.append(_total(finite[name], HIGH - place))
    layout = {
        "height": STRIP * len(stages) + 70,
        "margin": {"t": 10},
        "annotations": notes,
        "bargap": 0,
        "shapes": shapes,
        "xaxis": {
            "range": (-reach, reach),
            "title": {"text": "privacy loss (right: speaks for the person)"},
        }
        | ticks(-reach, reach, most=5),
        "yaxis": {"visible": False, "range": (0.88 - len(stages), 1)},
    }
    return go.Figure(data=bars, layout=layout)


def _line(at: float, low: float, high: float) -> dict[str, Any]:
    look = {"color": GREY, "width": 1, "dash": "dot"}
    return {"type": "line", "x0": at, "x1": at, "y0": low, "y1": high, "line": look}


def _total(at: float, height: float) -> dict[str, Any]:
    text = f"ε = {significant(rounded_up(at, 4), 4)}"
    return note(text, at, height, yanchor="bottom", xanchor="right", xshift=-4)


def _bars(name: str, part: pd.DataFrame, y: int, colour: str | None, width: float) -> go.Bar:
    mass = part[MASS].to_numpy(float)
    return go.Bar(
        x=part[LOSS].to_numpy(float),
        y=HIGH * mass / mass.max(),
        base=float(y),
        width=width,
        name=name,
        marker={"color": colour, "line": {"width": 0}},
        hovertext=[
            f"<b>{capitalised(plain(name))}</b>: loss about {significant(loss)} in "
            f"{percent(share)} of cases."
            for loss, share in zip(part[LOSS], mass, strict=True)
        ],
        hoverinfo="text",
    )
