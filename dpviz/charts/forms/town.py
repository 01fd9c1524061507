"""A town as dots, one per person: everybody always at the same place, one of them ringed.

The one in question stands above her empty place in the first row, so that she is found at a glance
in each town of each picture. A figure does not know how wide it will be drawn: two towns side by
side have dots small enough for a phone.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz.charts.forms.picture import Picture
from dpviz.charts.labels import note
from dpviz.charts.tidy import require_columns
from dpviz.errors import ParameterError
from dpviz.palette import GREY
from dpviz.words import clean, plain

TOWN, KIND = TOWNS = ("town", "kind")
COUNTED, OTHER, LEFT_OUT = "counted", "other", "left out"  # kinds of people
ACROSS = 40  # people in a row
ALONE = 33  # column of the one in question
BESIDE = 5  # places between two towns
APART = -2.5  # height of the one in question above the first row, in rows
CAPTION, SUM, TOP = -5.5, -8.3, -10.6  # of the words above one town, and the end of the plot
HEAD, HIGHEST = -5.0, -7.4  # of the names above two towns, and the end of the plot
LINE = 4.2  # rows from line to line below a town
HEIGHT, AHEAD, EDGE = 390, 20, 4  # pixels: of the figure, less for two, and around the plot
DOTS = {1: (7.6, 15, 28), 2: (3.9, 14, 24)}  # pixels of a dot, of the one, of her ring; by towns
LESS = 0.55  # of a dot: of those who are not counted; as strong, so that a dark page shows them
LARGE, SMALL = 34, 14  # pixels of the letters above one town


def town(
    frame: pd.DataFrame,
    *,
    name: str,
    what: str,
    kinds: tuple[str, str],
    above: Sequence[tuple[str, str]] = (),
    below: Mapping[str, Sequence[tuple[str, int]]] | None = None,
    between: str = "",
) -> Picture:
    """Draw one town or two as dots, those large who are counted.

    Args:
        frame: columns `TOWNS`, a line per person: the name of the town, and the kind. The first
            of each town is the one in question; one who is left out has an empty ring.
        name: of the one in question.
        what: what the picture shows, as a sentence, with which the alt text begins.
        kinds: what those are who are counted, and the others, for the hover.
        above: large words with small ones below, from left to right, the last above the one in
            question; for one town alone.
        below: lines below each town with the size of their letters; ready for a figure.
        between: words between what is below two towns.

    Raises:
        ParameterError: a column is missing, or there is no town, or there are more than two.

    >>> two = people([True, False])
    >>> town(two, name="Maria", what="Two people.", kinds=("ill", "not ill")).alt
    'Two people. 1 of 2 dots is large; that of Maria is ringed and stands apart.'
    """
    require_columns(frame, *TOWNS)
    towns = [(str(named), part) for named, part in frame.groupby(TOWN, sort=False)]
    if not 1 <= len(towns) <= max(DOTS):
        raise ParameterError(f"pass one town or two, not {len(towns)}")
    two, below = len(towns) > 1, below or {}
    rows = max(-(-len(part) // ACROSS) for _, part in towns)
    lines = max((len(each) for each in below.values()), default=0)
    traces, notes = [], _above(above)
    for k, (named, part) in enumerate(towns):
        left = k * (ACROSS + BESIDE)
        traces += _people(part, left, name, kinds, two=two)
        middle = left + (ACROSS - 1) / 2
        if two:
            notes.append(_note(f"<b>{plain(named, 30)}</b>", middle, HEAD, 15))
            out = " left out" * (part[KIND].iloc[0] == LEFT_OUT)
            whose = note(f"<b>{plain(name, 12)}{out}</b> →", left + ALONE, APART, xanchor="right")
            notes.append(whose | {"xshift": -DOTS[2][-1] / 2 - 4, "font": {"size": SMALL}})
        notes += [
            _note(text, middle, rows - 0.4 + LINE * (n + 0.5), size)
            for n, (text, size) in enumerate(below.get(named, ()))
        ]
    if between:
        last = rows - 0.4 + LINE * (lines - 0.5)  # the last line
        notes.append(_note(between, ACROSS + BESIDE / 2 - 0.5, last, 20))
    hidden: dict[str, Any] = {"visible": False, "fixedrange": True}
    wide = len(towns) * ACROSS + (len(towns) - 1) * BESIDE
    top = HIGHEST if two else TOP if above else APART - 1.5
    layout = {
        "height": HEIGHT - AHEAD * two,
        "margin": dict.fromkeys("tblr", EDGE),
        "annotations": notes,
        "xaxis": hidden | {"range": (-0.7, wide - 0.3)},
        "yaxis": hidden | {"range": (rows - 0.4 + LINE * lines, top)},
    }
    return Picture(go.Figure(data=traces, layout=layout), _alt(towns, name, what))


def people(counted: Sequence[bool], *, named: str = "", left_out: bool = False) -> pd.DataFrame:
    """The rows of one town for `town`: who is counted, the one in question first, or left out.

    >>> people([True, False], left_out=True)["kind"].tolist()
    ['left out', 'other']
    """
    kinds = [COUNTED if each else OTHER for each in counted]
    if left_out and kinds:
        kinds[0] = LEFT_OUT
    return pd.DataFrame({TOWN: named, KIND: kinds})


def places(count: int) -> list[tuple[float, float]]:
    """Where everybody stands, column and row: the one in question first, above her empty place.

    >>> places(3)
    [(33.0, -2.5), (0.0, 0.0), (1.0, 0.0)]
    """
    seats = [k for k in range(count) if k != ALONE][: count - 1]
    return [(float(ALONE), APART), *((float(k % ACROSS), float(k // ACROSS)) for k in seats)]


def _people(
    part: pd.DataFrame, left: float, name: str, kinds: tuple[str, str], *, two: bool
) -> list[go.Scatter]:
    """Everybody's dot; small dots, of one of two towns, are in the ink if they are counted."""
    at = np.array(places(len(part))) + np.array([left, 0.0])
    kind_of = part[KIND].to_numpy()
    dot, person, ring = DOTS[1 + two]
    diameters = {OTHER: LESS * dot, COUNTED: dot}
    traces = [
        _dots(at[1:][kind_of[1:] == kind], kind, words, {"size": diameters[kind]} | colour)
        for kind, words, colour in (
            (OTHER, kinds[1], {"color": GREY}),
            (COUNTED, kinds[0], {} if two else {"color": GREY}),
        )
    ]
    hers, who = kind_of[0], plain(name, 40)
    says = {COUNTED: f"{who}: {kinds[0]}", OTHER: f"{who}: {kinds[1]}"}
    traces.append(_dots(at[:1], "ring", says.get(hers, f"{who} is left out"), _open(ring, 2.5)))
    if hers != LEFT_OUT:
        size = person if hers == COUNTED else LESS * person
        traces.append(_dots(at[:1], who, says[hers], {"size": size}))
    return traces


def _open(size: float, width: float) -> dict[str, Any]:
    return {"size": size, "symbol": "circle-open", "line": {"width": width}}


def _dots(at: "np.typing.NDArray[Any]", name: str, says: str, marker: dict[str, Any]) -> go.Scatter:
    """Dots; without a colour they have the ink of the page from the theme."""
    place = {"x": at[:, 0], "y": at[:, 1], "cliponaxis": False}
    hover = {"hovertemplate": f"{says}<extra></extra>"}
    return go.Scatter(**place, **hover, mode="markers", name=name, marker=marker)


def _above(words: Sequence[tuple[str, str]]) -> list[dict[str, Any]]:
    """Large words with small ones below them, the last above the one in question."""
    columns = np.linspace(5.5, ALONE, len(words)).tolist()
    return [
        _note(text, x, y, size)
        for x, (large, small) in zip(columns, words, strict=True)
        for text, y, size in ((f"<b>{large}</b>", SUM, LARGE), (small, CAPTION, SMALL))
        if text
    ]


def _note(text: str, x: float, y: float, size: int) -> dict[str, Any]:
    return note(text, x, y, xanchor="center", align="center", font={"size": size})


def _alt(towns: Sequence[tuple[str, pd.DataFrame]], name: str, what: str) -> str:
    """The same in words."""
    said = []
    for named, part in towns:
        large = int((part[KIND] == COUNTED).sum())
        said.append(
            (f"{clean(named)}: " if len(towns) > 1 else "")
            + f"{large:,} of {len(part):,} dots {'is' if large == 1 else 'are'} large"
        )
    return f"{clean(what)} {'; '.join(said)}; that of {clean(name)} is ringed and stands apart."
