"""Frames for lines, from the least to the most that a page may hand the form."""

import itertools
import math

import pandas as pd

from dpviz.charts.forms.lines import INK, POINTS, Axis, Here, Look, lines
from dpviz.palette import COLOURS, GREY
from tests.bar_cases import NAMES

PATTERNS = ("solid", "dot", "8px 4px")


def frame(letters, several, digits, *, points=12):
    """A frame of this many lines, whose names and numbers are this long."""
    rows = []
    for n, at in itertools.product(range(several), range(1, points + 1)):
        value = 10.0 ** (digits - 1) * (1 + (n + at) / (several + points))
        half = math.nan if n % 3 == 2 else value / 20
        rows.append((_name(letters, n, several), at, value, value - half, value + half, "Why."))
    return pd.DataFrame(rows, columns=list(POINTS))


def _name(letters, n, several):
    return NAMES[letters] + (f" {n}" if several > 1 else "")


def looks(made):
    """A look for each line of a frame."""
    return {
        name: Look(
            colour=COLOURS[n % 12] if n else INK,
            dash=PATTERNS[n % 3],
            symbol="circle" if n % 2 else "",
        )
        for n, name in enumerate(made["line"].unique())
    }


def cases():
    """Name, frame, and what else the form is handed."""
    week, visits = Axis(title="week"), Axis(title="visits so far")
    plain = {"x": week, "y": visits}
    for letters, several, digits in itertools.product((1, 60), (1, 20), (1, 12)):
        made = frame(letters, several, digits)
        yield f"{letters} letters, {several} lines, {digits} digits", made, plain
    made = frame(1, 3, 4, points=40)
    logs = {"x": Axis(title="budget", log=True), "y": Axis(title="variance", log=True)}
    for name, here in (
        ("first", Here(x=1, words="you are here")),
        ("last", Here(x=40, words=NAMES[60])),
        ("middle", Here(x=20, words=NAMES[60])),
        ("point", Here(x=12, y=float(made["y"].max()), words="× 1.0106 at most")),
    ):
        yield f"here: {name}", made, plain | {"here": here}
        yield f"logarithmic, here: {name}", made, logs | {"here": here}
    marks = {name: Look(colour=GREY, marks=n > 0) for n, name in enumerate(made["line"].unique())}
    yield "marks with intervals", made, logs | {"looks": marks}
    yield "enlarged", made, plain | {"enlarged": (36, 40)}
    dates = tuple(f"2025-01-{day:02} 13:00" for day in range(1, 32)) * 2
    yield "labels", made, plain | {"x": Axis(title="hour", labels=dates), "enlarged": (33, 40)}
    band = frame(1, 2, 4).assign(y=math.nan)
    yield (
        "bands alone",
        band,
        plain | {"looks": dict.fromkeys(band["line"], Look(width=0, colour=GREY))},
    )
    yield "one point", frame(1, 2, 3, points=1), plain


def drawn(made, asked):
    return lines(made, **{"what": "Visits so far.", "looks": looks(made), **asked})
