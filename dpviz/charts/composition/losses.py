"""Privacy losses that add up: how likely each loss is, stage by stage, and of all together.

A strip for each stage, the last one for all answers. Right of 0 the answers speak for the person
being in the table, left of 0 against it. Heights are shares of a strip's highest bar, so strips
cannot be compared in height. The dotted line is the total ε.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.composition.bounds import BEST
from dpviz.charts.labels import note, rule, ticks
from dpviz.charts.tidy import Floats, require_columns
from dpviz.palette import GREY
from dpviz.words import capitalised, percent, plain, rounded_up, significant

STAGE, LOSS, MASS = "stage", "loss", "mass"
LOSSES = (STAGE, LOSS, MASS)
BINS = 121  # an odd number, so that a loss of 0 has a bar in the middle
SELDOM = 1e-4
STRIP, HIGH = 78, 0.66  # pixels of a strip; share of it that the highest bar takes


def reach_of(stages: Sequence[tuple[str, Floats, Floats]], total: float) -> float:
    """How far a picture goes: beyond the total ε, and beyond all but a ten thousandth of a loss."""
    _, loss, mass = stages[-1]
    far = np.abs(loss)[np.cumsum(mass) * np.cumsum(mass[::-1])[::-1] > SELDOM]
    return 1.15 * max(total, float(far.max(initial=0.0)), 1e-12)


def losses_frame(stages: Sequence[tuple[str, Floats, Floats]], reach: float) -> pd.DataFrame:
    """How likely each loss is, in bins of one width; columns `LOSSES`.

    Args:
        stages: name, losses and masses of each stage, the first one first.
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


def loss_strips(frame: pd.DataFrame, *, total: float) -> go.Figure:
    """Draw a strip of bars for each stage.

    Args:
        frame: columns `LOSSES`, as `losses_frame` gives it.
        total: the total ε of all answers together.

    Raises:
        ParameterError: a column is missing, or there is no stage.

    >>> frame = losses_frame([("one", np.array([-1.0, 1.0]), np.array([0.25, 0.75]))], 1.0)
    >>> loss_strips(frame, total=0.9).data[0].name
    'one'
    """
    require_columns(frame, *LOSSES)
    stages = [(str(name), part) for name, part in frame.groupby(STAGE, sort=False)]
    reach = max(float(frame[LOSS].abs().max()), total, 1e-9) * 1.04
    bars, notes = [], []
    for place, (name, part) in enumerate(stages):
        last = place == len(stages) - 1
        bars.append(_bars(name, part, -place, last, 2 * reach / BINS))
        named = capitalised(plain(name))
        shown = f"<b>{named}</b>" if last else named
        notes.append(note(shown, 0, HIGH - place, xref="paper", yanchor="bottom"))
    low = 0.12 - len(stages) + 0.82
    line = {"type": "line", "x0": total, "x1": total, "y0": low, "y1": 1}
    named = {"yanchor": "bottom", "xanchor": "right", "xshift": -4}
    notes.append(
        note(f"ε = {significant(rounded_up(total, 4), 4)}", total, HIGH - len(stages) + 1, **named)
    )
    layout = {
        "height": STRIP * len(stages) + 70,
        "margin": {"t": 10},
        "annotations": notes,
        "bargap": 0,
        "shapes": [
            *(rule(-float(place)) for place in range(len(stages))),
            line | {"line": {"color": GREY, "width": 1, "dash": "dot"}},
        ],
        "xaxis": {
            "range": (-reach, reach),
            "title": {"text": "privacy loss (right: speaks for the person)"},
        }
        | ticks(-reach, reach, most=5),
        "yaxis": {"visible": False, "range": (low - 0.06, 1)},
    }
    return go.Figure(data=bars, layout=layout)


def _bars(name: str, part: pd.DataFrame, y: int, last: bool, width: float) -> go.Bar:
    mass = part[MASS].to_numpy(float)
    said = [
        f"<b>{capitalised(name)}</b>: loss about {significant(loss)} in {percent(share)} of cases."
        for loss, share in zip(part[LOSS], mass, strict=True)
    ]
    look: dict[str, Any] = {"color": BEST.colour if last else GREY, "line": {"width": 0}}
    return go.Bar(
        x=part[LOSS].to_numpy(float),
        y=HIGH * mass / mass.max(),
        base=float(y),
        width=width,
        name=name,
        marker=look,
        hovertext=said,
        hoverinfo="text",
    )
