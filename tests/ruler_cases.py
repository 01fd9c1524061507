"""Frames for rulers, from the least to the most that a page may hand the form."""

import itertools

import pandas as pd

from dpviz.charts.forms.rulers import rulers
from dpviz.palette import COLOURS, TierStyle
from dpviz.scenes.releases import RELEASE
from tests.bar_cases import NAMES


def frame(letters, groups, tiers, digits):
    """A frame of this many groups and tiers, whose names and numbers are this long."""
    rows = []
    for tier, group in itertools.product(range(tiers), range(groups)):
        size = 10.0 ** (digits - 1)
        half = size * (tier + 1) / tiers / 5
        value = size * (3 + group) + half * (-1) ** (tier + group) / 2
        name = f"{NAMES[letters][: letters - 2]}{tier}"
        style = TierStyle(1 + tier % len(COLOURS), tier % 8)
        ends = (value - half, value + half)
        rows.append((f"{NAMES[letters]} {group}", name, value, *ends, "ρ = 0.1", style))
    return pd.DataFrame(rows, columns=list(RELEASE))


def cases():
    """Name, and frame."""
    for letters, groups, digits in itertools.product((1, 60), (1, 12), (1, 12)):
        name = f"{letters} letters, {groups} groups, {digits} digits"
        yield name, frame(letters, groups, 4, digits)
    yield "one number", frame(1, 1, 1, 3)
    yield "twenty tiers", frame(60, 5, 20, 3)
    yield "low rows", frame(60, 30, 4, 5)
    yield "low rows, twenty tiers", frame(60, 30, 20, 5)


def drawn(made, **more):
    """The picture of a case."""
    return rulers(made, what="People per group.", noun="people", confidence=0.95, **more)
