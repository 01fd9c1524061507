"""An order of asking, one answer after the other: what is pinned, and how likely each answer was.

The likelihood of an answer is its chance where the law has one (whole numbers, or exactly that
of a neighbour), else the density per step of the statistic. Multiplied over all answers it is the
same in every order: that is what makes the release lossless [LMR25, Lemma 3.2]. Limits: while the
exact value is hidden, the likelihood of an answer that used it is unknown (NaN).
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from dpviz import checks
from dpviz.charts.bridge.bands_frame import Ends, Row, bands_frame
from dpviz.charts.bridge.frame import Held, Pin, pins_frame
from dpviz.noise.bridge_law import ReleaseLaw

POINTS = 100  # levels of the bands of a step


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What is held after one answer."""

    newest: Pin
    pins: pd.DataFrame  # columns `bridge.PINS`
    bands: pd.DataFrame  # columns `bridge.BANDS`
    likelihood: float  # of this answer, given those before it; NaN where that is hidden

    def __post_init__(self) -> None:
        checks.stated(likelihood=self.likelihood)


def order_steps(held: Held, order: Sequence[float]) -> list[Step]:
    """The pins of `held` in an order of asking, one after the other.

    Args:
        held: all pins.
        order: levels of the pins, first asked first.
    """
    steps, pins = [], {p.level: p for p in held.pins}
    made: dict[Ends, list[Row]] = {}
    count = max(9, min(41, POINTS // max(1, len(order))))
    before = replace(held, pins=())
    for number, level in enumerate(order, start=1):
        law = before.law(level)
        then = replace(held, pins=tuple(sorted((pins[at] for at in order[:number]), key=_level)))
        steps.append(
            Step(
                newest=pins[level],
                pins=pins_frame(then, level),
                bands=bands_frame(then, count=count, made=made),
                likelihood=math.nan if law is None else likelihood(law, pins[level].value),
            )
        )
        before = then
    return steps


def likelihood(law: ReleaseLaw, value: float) -> float:
    """Chance of a value where it has one, else its density.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.noise.bridge_law import release_law
    >>> law = release_law(FAMILIES["laplace"], 10.0, 13.0, 1.0, 2.0, 4.0)
    >>> round(likelihood(law, 10.0), 3), round(likelihood(law, 12.0), 3)
    (0.2, 0.091)
    """
    for place, chance in law.atoms:
        if math.isclose(place, value, rel_tol=1e-12):
            return chance
    return float(law.density(np.array([value]))[0])


def _level(pin: Pin) -> float:
    return pin.level
