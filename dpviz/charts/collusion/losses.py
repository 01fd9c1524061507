"""How likely each privacy loss of a coalition is: lossless, split and independent, side by side.

Each scheme is a list of independent releases that the coalition holds (schemes.py), each at the
noise level of its budget, and every one moves all coordinates that the person moves; their losses
add. A strip for each scheme; right of 0 what is held speaks for the person, left of 0 against.
Heights are shares of the highest bar of a strip, so strips cannot be compared in height. A dotted
line is the ε that holds at the δ of the plan.
Limits: exact for a person who moves exactly these numbers; a bar is right to about 1e-6.
Source: MATHEMATICS 5.4, 5.7.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.guarantees import guarantee_of
from dpviz.accounting.schemes import pieces
from dpviz.charts.collusion.frame import (
    INDEPENDENT,
    LOSSLESS,
    SCHEMES,
    SPLITTING,
    Holder,
    Plan,
    persons,
)
from dpviz.charts.labels import note, rule, ticks
from dpviz.charts.tidy import Floats, require_columns
from dpviz.errors import ParameterError
from dpviz.experiments.moved import Moved
from dpviz.palette import GREY, TierStyle
from dpviz.parameters import exact
from dpviz.words import percent, significant

SHOWN = (LOSSLESS, SPLITTING, INDEPENDENT)
SCHEME, LOSS, MASS = "scheme", "loss", "mass"
LOSSES = (SCHEME, LOSS, MASS)
CELLS, BINS = 40_001, 121  # an odd number, so that a loss of 0 has a bar in the middle
LEVELS = (0.0, 1.0, 2.0)  # losses of the table
REACHED = 1e-4  # of the mass may lie beyond either end of the axis
STRIP, HIGH = 84, 0.62  # pixels of a strip; share of it that the highest bar takes


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CoalitionLoss:
    """What a coalition holds under one scheme, and how likely each privacy loss of it is."""

    scheme: str
    releases: int  # independent ones that count
    epsilon: float  # least one at the δ of the plan; infinite if none is kept
    loss: Floats
    mass: Floats
    certain: float = 0.0  # how likely what is held is only possible with the person

    def __post_init__(self) -> None:
        checks.one_of(SHOWN, scheme=self.scheme)
        checks.whole(1, releases=self.releases)
        checks.between(0, math.inf, epsilon=self.epsilon)
        checks.arrays(1, loss=self.loss)
        checks.arrays(1, least=0, most=1, mass=self.mass)
        checks.between(0, 1, certain=self.certain)

    def above(self, level: float) -> float:
        """How likely the loss is larger than this, with the person in the table."""
        return float(self.mass[self.loss > level].sum()) + self.certain


def coalition_losses(plan: Plan, members: Sequence[Holder], moved: Moved) -> list[CoalitionLoss]:
    """The privacy loss of a coalition under each scheme of `SHOWN` that can be added up.

    Args:
        plan: all tiers.
        members: the coalition, ascending by budget, at least one tier of the plan.
        moved: by how much one person moves each coordinate, in steps.

    Raises:
        ParameterError: there is no member.

    >>> from dpviz.accounting.guarantees import Setting
    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> setting = Setting(family=FAMILIES["gaussian"], delta=1e-6, sensitivity=one, dimension=1)
    >>> both = (Holder(name="a", loss=0.1), Holder(name="b", loss=0.5))
    >>> plan = Plan(tiers=both, setting=setting, whole=0.5)
    >>> for each in coalition_losses(plan, both, Moved(((1.0, 1),))):
    ...     print(each.scheme, each.releases, round(each.epsilon, 3))
    lossless 1 4.887
    splitting 2 4.887
    independent 2 5.423
    """
    if not members:
        raise ParameterError("a coalition has at least one member; tick a tier")
    found = []
    for scheme in SHOWN:
        try:
            found.append(_loss(plan, members, moved, scheme))
        except ParameterError:  # no noise at a piece of a budget, or too much to add up
            continue
    return found


def _loss(plan: Plan, members: Sequence[Holder], moved: Moved, scheme: str) -> CoalitionLoss:
    """The loss of the releases that count, each with all coordinates that move."""
    levels = _levels(plan, members, scheme)
    of_one = guarantee_of(plan.setting.family).coordinate_loss
    total = PrivacyLoss()
    for level, times in levels:
        for shift, count in moved.shifts:
            total = total.compose(of_one(level, shift), times=times * count)
    epsilon = float(total.epsilon(plan.setting.delta))
    _, there = total.distributions(CELLS)
    return CoalitionLoss(
        scheme=scheme,
        releases=sum(times for _, times in levels),
        epsilon=epsilon,
        loss=there.loss,
        mass=there.mass,
        certain=there.infinite,
    )


def _levels(plan: Plan, members: Sequence[Holder], scheme: str) -> list[tuple[float, int]]:
    """Noise level of each release that counts, and how many there are of it."""
    if scheme == INDEPENDENT:
        return [(plan.budget(m.loss, m.delta).level, m.joining) for m in members]
    if scheme == LOSSLESS:
        return [(plan.budget(members[-1].loss, members[-1].delta).level, 1)]
    held = [exact(loss) for loss in persons(members)]
    parts = pieces(held, scheme, [tier.loss for tier in plan.tiers])
    return [(plan.budget(float(part)).level, 1) for part in parts]


def losses_frame(losses: Sequence[CoalitionLoss]) -> pd.DataFrame:
    """How likely each loss is, in bins of one width; columns `LOSSES`.

    What lies beyond the axis, at most REACHED at either end, is in the outer bins.
    """
    reach = max(_reach(each) for each in losses)
    width = 2 * reach / (BINS - 1)
    found = []
    for each in losses:
        places = np.clip(np.round((each.loss + reach) / width), 0, BINS - 1).astype(int)
        held = np.bincount(places, each.mass, BINS)
        kept = np.flatnonzero(held)
        rows = {SCHEME: each.scheme, LOSS: kept * width - reach, MASS: held[kept]}
        found.append(pd.DataFrame(rows))
    return pd.concat(found, ignore_index=True)


def losses_table(losses: Sequence[CoalitionLoss]) -> pd.DataFrame:
    """What each scheme gives the coalition: releases that count, ε, and how likely larger losses.

    >>> one = CoalitionLoss(scheme="lossless", releases=1, epsilon=1.0, loss=np.array([-1.0, 2.0]),
    ...     mass=np.array([0.25, 0.75]))
    >>> losses_table([one]).iloc[0].tolist()[1:3]
    ['1', '1']
    """
    rows = []
    for each in losses:
        above = [percent(each.above(level)) for level in LEVELS]
        rows.append(
            (SCHEMES[each.scheme], f"{each.releases:,}", significant(each.epsilon, 4), *above)
        )
    heads = [f"loss above {level:g}" for level in LEVELS]
    return pd.DataFrame(rows, columns=["scheme", "independent releases", "ε at δ", *heads])


def _reach(found: CoalitionLoss) -> float:
    """How far the losses go that are not next to impossible."""
    inner = np.cumsum(found.mass) > REACHED
    inner &= np.cumsum(found.mass[::-1])[::-1] > REACHED
    return max(float(np.abs(found.loss[inner]).max(initial=0.0)), 1e-9)


def losses_chart(frame: pd.DataFrame, *, epsilons: dict[str, float], style: TierStyle) -> go.Figure:
    """Draw a strip of bars for each scheme, with a dotted line at its ε.

    Args:
        frame: columns `LOSSES`, as `losses_frame` gives it.
        epsilons: the ε of each scheme; an infinite one has no line.
        style: look of the least private member, that of the lossless strip.

    Raises:
        ParameterError: a column is missing, or there is no scheme.

    >>> frame = pd.DataFrame([("lossless", -1.0, 0.3), ("lossless", 1.0, 0.7)], columns=LOSSES)
    >>> losses_chart(frame, epsilons={"lossless": 0.9}, style=TierStyle(2, 0)).data[0].name
    'lossless'
    """
    require_columns(frame, *LOSSES)
    strips = [(str(name), part) for name, part in frame.groupby(SCHEME, sort=False)]
    finite = [e for e in epsilons.values() if math.isfinite(e)]
    reach = max(float(frame[LOSS].abs().max()), *finite, 1e-9) * 1.04
    bars, notes, shapes = [], [], []
    for place, (name, part) in enumerate(strips):
        colour = style.colour if name == LOSSLESS else GREY
        bars.append(_bars(name, part, -place, colour, 2 * reach / BINS))
        look = {"xref": "paper", "yanchor": "bottom"}
        notes.append(note(f"<b>{SCHEMES[name]}</b>", 0, HIGH - place, **look))
        shapes.append(rule(-float(place)))
        if math.isfinite(at := epsilons[name]):
            line = {"type": "line", "x0": at, "x1": at, "y0": -place, "y1": HIGH - place}
            shapes.append(line | {"line": {"color": colour, "width": 2, "dash": "dot"}})
            right = {"xanchor": "right", "xshift": 4, "yanchor": "bottom"}
            notes.append(note(f"ε = {significant(at)}", at, HIGH - place, **right))
    layout = {
        "height": STRIP * len(strips) + 70,
        "margin": {"t": 10},
        "annotations": notes,
        "bargap": 0,
        "shapes": shapes,
        "xaxis": {
            "range": (-reach, reach),
            "title": {"text": "privacy loss (right: speaks for the person)"},
        }
        | ticks(-reach, reach, most=5),
        "yaxis": {"visible": False, "range": (0.94 - len(strips), 1)},
    }
    return go.Figure(data=bars, layout=layout)


def _bars(name: str, part: pd.DataFrame, y: int, colour: str, width: float) -> go.Bar:
    mass = part[MASS].to_numpy(float)
    return go.Bar(
        x=part[LOSS].to_numpy(float),
        y=HIGH * mass / mass.max(),
        base=float(y),
        width=width,
        name=name,
        marker={"color": colour, "line": {"width": 0}},
        hovertext=[
            f"<b>{SCHEMES[name]}</b>: a loss of about {significant(loss)} in {percent(share)} of "
            "cases."
            for loss, share in zip(part[LOSS], mass, strict=True)
        ],
        hoverinfo="text",
    )
