"""Walks with stops, from the least to the most that a page may hand the form."""

import numpy as np
import pandas as pd

from dpviz.charts.forms.cone import (
    HELD,
    IDLE,
    NEEDED,
    NEW,
    STOPS,
    WAITING,
    WALK,
    NewStop,
    Room,
    cone,
)
from dpviz.palette import COLOURS, TierStyle

LONG = "Wards Medicine, Surgery & <b>Maternity</b> of the Old Town"
STATES = (NEEDED, NEEDED, IDLE, HELD, WAITING)


def stops(count, name="t", scale=1.0, states=STATES, times=1.5):
    rows = []
    for i in range(count):
        noise, value = scale * times**i, scale * (300.0 + 4 * (-1) ** i * i)
        style, state = TierStyle(1 + i % 12, i % 12), states[i % len(states)]
        rows.append((f"{name} {i}", noise, value, style, state, "±2.6", "Its budget: ρ = 1."))
    return pd.DataFrame(rows, columns=list(STOPS))


def walk(made):
    """A region that is pinched at every stop, as wide as the noise in the middle."""
    rows = []
    levels, values = made["noise"].tolist(), made["value"].tolist()
    for gap, (low, high) in enumerate(zip(levels, [*levels[1:], 1.3 * levels[-1]], strict=True)):
        to = values[min(gap + 1, len(values) - 1)]
        for share in np.linspace(0, 1, 9).tolist():
            noise = low + share * (high - low)
            middle = values[gap] + share * (to - values[gap])
            wide = 2 * noise * (share * (1 - share)) ** 0.5
            rows.append((gap, noise, middle - wide, middle + wide))
    return pd.DataFrame(rows, columns=list(WALK))


def fresh(made, name="new", ends=True, chances=()):
    """A stop between the first two."""
    noise = float(made["noise"].iloc[:2].mean())
    middle = float(made["value"].iloc[:2].mean())
    reach = (middle - noise, middle + 1.2 * noise) if ends else None
    return NewStop(
        name=name,
        style=TierStyle(3, 4),
        noise=noise,
        below="new, ±3.6",
        ends=reach,
        chances=chances,
    )


def cases():
    """Name, stops, and what else the form gets."""
    two = stops(2, times=3.0)
    yield "two stops and a new one", two, {"new": fresh(two)}
    spikes = ((300.0, 0.3, COLOURS[1]), (296.0, 0.4, COLOURS[2]))
    yield "chances", two, {"new": fresh(two, chances=spikes)}
    yield "hidden", two, {"new": fresh(two, ends=False)}
    long = stops(3, LONG, times=2.0)
    yield "long names", long, {"new": fresh(long, LONG)}
    large = stops(3, states=(NEEDED, NEW, NEEDED), times=2.0)
    yield "drawn", large, {"threads": [("t 1", "t 0"), ("t 1", "t 2")]}
    big = stops(3, scale=1e6, times=2.0)
    yield "large numbers", big, {"new": fresh(big)}
    yield "twelve stops", stops(12), {}
    yield "one stop", stops(1, states=(HELD,)), {}
    yield "much more noise", stops(4, times=4.0), {}
    steps = stops(3, states=(HELD, NEW, WAITING), times=2.0)
    yield "steps", steps, {"room": Room(walk=walk(steps), alone=True)}


def drawn(made, more):
    return cone(made, walk(made), what="The numbers that are held.", noun="people", **more)
