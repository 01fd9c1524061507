"""Who survives a threshold: a strip per tier, items by rank, released values as marks.

In ink is the true count, the dotted one the threshold; phantoms are beyond the last item,
in a band of their own, for they have no rank. Tiers without a release are only named below; while
none has one, all have a faint strip. Drawn from counts, so for a made-up example or after "reveal"
only. Counts are logarithmic, a value below ½ is drawn there; so are ranks beyond `FEW`.
"""

import math
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd
import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.labels import note, pixels, tag, ticks
from dpviz.charts.sparse.frame import (
    COUNT,
    DRAWN,
    ITEM,
    PHANTOMS,
    RANK,
    STRIPS,
    STYLE,
    THRESHOLD,
    TIER,
    TRUE_ITEMS,
    TRUTH,
    VALUE,
)
from dpviz.charts.tidy import Floats, require_columns
from dpviz.palette import GREY, GRID, rgba
from dpviz.words import join, number, plain, significant

NAME, BETWEEN, BOTTOM = 22.0, 10.0, 60  # pixels: a strip's name, the gap below it, the axis
FLOOR = 0.5  # where the vertical axis begins
SIDE = 22  # pixels that words below the dotted line take
ALONE = 280  # pixels of a strip that is the only one
HEAD = 40  # pixels above the first strip
LINE, NAMED = 28, 2  # pixels of the line of those who wait, and how many long names it has
NAMES = 170  # pixels that names may take in it on a phone
FAINT = 0.4  # how strong a strip is whose tier has no release yet
SPACIOUS = 4  # strips that have room for two lines of words above a dotted line
TRUE_WORDS = "in ink: true count"
KEY_AT, KEY = 6, "published, with noise"  # the rank beside which the marks are named
FEW = 300  # items that have room side by side; of more the ranks are logarithmic


@dataclass(frozen=True, slots=True)
class Across:
    """The horizontal axis: ranks of the items, then the band of the phantoms."""

    last: float

    def __post_init__(self) -> None:
        checks.positive(last=self.last)

    @property
    def is_logarithmic(self) -> bool:
        """Whether equal distances are equal factors."""
        return self.last > FEW

    @property
    def band(self) -> tuple[float, float]:
        """Where the phantoms stand."""
        low, high = (1.9, 6.0) if self.is_logarithmic else (1.05, 1.65)
        return self.last * low, self.last * high

    @property
    def start(self) -> float:
        """Left end of the axis."""
        return 0.8 if self.is_logarithmic else 1 - 0.01 * self.last

    def place(self, x: float) -> float:
        """Where an annotation stands at this rank."""
        return math.log10(x) if self.is_logarithmic else x

    def spread(self, count: int) -> Floats:
        """Places side by side within the band."""
        low, high = (self.place(end) for end in self.band)
        at = low + (high - low) * (0.08 + 0.84 * (np.arange(count) + 0.5) / count)
        return np.asarray(10.0**at if self.is_logarithmic else at)

    def axis(self) -> dict[str, Any]:
        """Range and ticks."""
        limits = (self.place(self.start), self.place(self.band[1]))
        shown: dict[str, Any] = {"range": limits}
        if not self.is_logarithmic:
            return shown | ticks(0, self.last)
        powers = 10.0 ** np.arange(0, math.floor(math.log10(self.last) + 1e-9) + 1)
        return shown | {
            "type": "log",
            "tickvals": powers,
            "ticktext": [number(p) for p in powers],
        }


def sparse_strips(
    strips: pd.DataFrame,
    truth: pd.DataFrame,
    shown: pd.DataFrame,
    *,
    noun: str,
    items: str = "items",
) -> go.Figure:
    """Draw a strip per tier, the first on top.

    Args:
        strips: columns `STRIPS`, a row per tier.
        truth: columns `TRUTH`.
        shown: columns `SHOWN`; may have no rows.
        noun: what is counted, such as "people".
        items: what the items are called.

    Raises:
        ParameterError: a column is missing, or there is no tier.
    """
    require_columns(strips, *STRIPS)
    require_columns(truth, *TRUTH)
    waiting = strips[~strips[DRAWN].astype(bool)] if strips[DRAWN].any() else strips.head(0)
    strips = strips.drop(index=waiting.index)
    across = Across(float(truth[RANK].max()))
    most = max(float(truth[COUNT].max()), float(strips[THRESHOLD].max()), 2.0)
    if len(shown):
        most = max(most, float(shown[VALUE].max()))
    limits = (math.log10(FLOOR), math.log10(most * 1.6))
    traces, axes, notes, shapes = [], {}, [], []
    height, domains = _domains(len(strips))
    for place, (row, domain) in enumerate(
        zip(strips.to_dict("records"), domains, strict=True), start=1
    ):
        key = "" if place == 1 else str(place)
        axes[f"yaxis{key}"] = _counts(limits, domain)
        mine = shown[shown[TIER] == row[TIER]] if len(shown) else shown
        strip = [_line(truth, noun, drawn=bool(row[DRAWN])), *_marks(row, mine, across, noun)]
        traces += [trace.update(yaxis=f"y{key}") for trace in strip]
        low_line = max(row[THRESHOLD], FLOOR) ** 2 < FLOOR * most  # in the lower half
        says = place == 1 and low_line and len(strips) <= SPACIOUS
        tall = (domain[1] - domain[0]) * height
        grey = _grey(row, truth, across, tall) if place == 1 else []
        notes += [*_names(row, domain[1], across), *grey]
        notes += _above(row, mine, f"y{key}", across, said=noun * says, sided=len(grey) > 1)
        shapes += _lines(row, f"y{key}", across)
    notes += [
        _scale(noun),
        *_parts(across, items),
        *_waiting(waiting),
    ]
    below = BOTTOM + LINE * bool(len(waiting))
    shapes.append(_band(*across.band))
    bottom = "y" if len(strips) == 1 else f"y{len(strips)}"
    layout = {
        "height": round(height + HEAD - 20 + below),
        "margin": {"t": HEAD, "b": below},
        "annotations": notes,
        "shapes": shapes,
        "xaxis": across.axis() | {"anchor": bottom},
    }
    return go.Figure(data=traces, layout=layout | axes)


def _domains(count: int) -> tuple[float, list[tuple[float, float]]]:
    """Height of all strips in pixels, and the share that each takes, from the top down."""
    strip = float(np.clip(384 / count, 58, ALONE if count == 1 else 140))
    total = count * (NAME + strip + BETWEEN)
    tops = [1 - (place * (NAME + strip + BETWEEN) + NAME) / total for place in range(count)]
    return total, [(max(top - strip / total, 0.0), top) for top in tops]


def _counts(limits: tuple[float, float], domain: tuple[float, float]) -> dict[str, Any]:
    powers = 10.0 ** np.arange(0, math.floor(limits[1]) + 1)
    return {
        "type": "log",
        "range": limits,
        "domain": domain,
        "showgrid": True,
        "gridcolor": GRID,
        "tickvals": powers,
        "ticktext": [number(p) for p in powers],
    }


def _scale(noun: str) -> dict[str, Any]:
    """What the vertical axes are, above the first."""
    text = f"{plain(noun)}; each grid line is ten times the one below"
    place = {"xref": "paper", "yref": "paper", "yanchor": "bottom", "yshift": 3, "xshift": 2}
    return note(text, 0, 1, **place)


def _grey(
    row: dict[Any, Any], truth: pd.DataFrame, across: Across, tall: float
) -> list[dict[str, Any]]:
    """What both kinds of marks are and on which side of the dotted line is what, if that is clear.

    What is grey is said below the rarest items, the sides above these at their line, and the
    marks are named beside the most common items. In a low strip only what is grey is said, in
    the corner above.

    Args:
        row: of the first tier.
        truth: columns `TRUTH`.
        across: the horizontal axis.
        tall: pixels of its strip.
    """
    last, line = max(float(truth[COUNT].iloc[-1]), FLOOR), float(row[THRESHOLD])
    most = float(truth[COUNT].iloc[0])
    if across.is_logarithmic or line < 2.5 * last or most < 4 * line:
        return []
    right, place = across.place(across.last), {"yref": "y", "xanchor": "right"}
    scale = tall / math.log10(most / FLOOR)  # pixels of a factor of ten, about
    if not row[DRAWN] or min(last / FLOOR, line / last) < 10 ** (SIDE / scale):
        return [note(TRUE_WORDS, right, math.log10(most), **place, yanchor="top")]
    hidden = int(across.last) - row[TRUE_ITEMS]
    said = (
        ("↑ shown", line, "bottom", 1),
        (f"↓ {hidden:,} hidden", line, "top", -1),
        (f"{TRUE_WORDS}, here {number(last)}", last, "top", -4),
    )
    return [
        *(
            note(text, right, math.log10(y), **place, yanchor=edge, yshift=away)
            for text, y, edge, away in said
        ),
        *_key(row, truth),
    ]


def _key(row: dict[Any, Any], truth: pd.DataFrame) -> list[dict[str, Any]]:
    """What a tier's marks are, to the right of those of the most common items."""
    if len(truth) <= KEY_AT or truth[COUNT].iloc[KEY_AT] < 2 * row[THRESHOLD]:
        return []
    rank, count = (float(truth[name].iloc[KEY_AT]) for name in (RANK, COUNT))
    return [note(KEY, rank, math.log10(count), yref="y", yanchor="bottom", xshift=8)]


def _line(truth: pd.DataFrame, noun: str, *, drawn: bool) -> go.Scatter:
    """The true counts, faint where nothing was released that could be compared with them."""
    ranks, counts = truth[RANK].to_numpy(float), truth[COUNT].to_numpy(float)
    return go.Scatter(
        x=ranks,
        y=counts,
        mode="lines" if ranks[-1] > FEW else "markers",
        name="true counts",
        line={"width": 1, "simplify": False},
        marker={"size": 3},
        opacity=1.0 if drawn else FAINT,
        customdata=np.stack([ranks, counts], axis=1),
        hovertemplate="Rank %{customdata[0]:,.0f}: in truth %{customdata[1]:,.0f} "
        f"{plain(noun)}.<extra></extra>",
    )


def _marks(row: dict[Any, Any], mine: pd.DataFrame, across: Across, noun: str) -> list[go.Scatter]:
    """The released items of one tier: survivors at their rank, phantoms in the band."""
    style = row[STYLE]
    phantom = mine[RANK].isna().to_numpy(bool) if len(mine) else np.zeros(0, bool)
    traces = []
    for name, rows in (("survivors", mine[~phantom]), ("phantoms", mine[phantom])):
        if rows.empty:
            continue
        ghost = name == "phantoms"
        look = {"color": style.colour, "symbol": style.marker, "size": 6}
        if ghost:
            look |= {"symbol": f"{style.marker}-open", "size": 8, "line": {"width": 1.5}}
        traces.append(
            go.Scatter(
                x=across.spread(len(rows)) if ghost else rows[RANK].to_numpy(float),
                y=np.maximum(rows[VALUE].to_numpy(float), FLOOR),
                mode="markers",
                name=name,
                marker=look,
                hovertext=[_said(row, r, noun) for r in rows.to_dict("records")],
                hoverinfo="text",
            )
        )
    return traces


def _said(row: dict[Any, Any], item: dict[Any, Any], noun: str) -> str:
    who, value = plain(row[TIER]), significant(item[VALUE], 4)
    what = f"<b>{who}</b> sees {value} {plain(noun)} for item {plain(item[ITEM], 24)};<br>"
    if item[RANK] != item[RANK]:
        return f"{what}a phantom: in truth nobody has it."
    return f"{what}in truth {item[COUNT]:,.0f}, rank {item[RANK]:,.0f}."


def _lines(row: dict[Any, Any], axis: str, across: Across) -> list[dict[str, Any]]:
    """The threshold across the strip."""
    if row[THRESHOLD] < FLOOR:
        return []
    ends = {"x0": across.start, "x1": across.band[1], "y0": row[THRESHOLD], "y1": row[THRESHOLD]}
    style = row[STYLE]
    line = {"color": style.colour, "width": 1.5, "dash": "dot"}
    look = {"line": line, "layer": "below", "opacity": 1.0 if row[DRAWN] else FAINT}
    return [{"type": "line", "xref": "x", "yref": axis, **ends, **look}]


def _above(
    row: dict[Any, Any],
    mine: pd.DataFrame,
    axis: str,
    across: Across,
    *,
    said: str,
    sided: bool,
) -> list[dict[str, Any]]:
    """The threshold above its line, clear of the phantoms, and how many items it hides.

    Args:
        row: of the tier.
        mine: what it shows.
        axis: of its strip.
        across: the horizontal axis.
        said: what is counted, where there is room to say what the line is; or "".
        sided: whether how many items are hidden stands at the line already.
    """
    right = across.place(across.last)
    place: dict[str, Any] = {"yref": axis, "xanchor": "right", "yanchor": "bottom", "yshift": 2}
    notes = []
    if row[THRESHOLD] >= FLOOR:
        will = "shown" if row[DRAWN] else "will show"
        text, high = f"{will} above {significant(row[THRESHOLD])}", math.log10(row[THRESHOLD])
        if across.is_logarithmic or row[THRESHOLD] < 4 * FLOOR:
            notes.append(note(text, right, high, **place))
        else:  # in the band, above the highest phantom
            ghosts = mine[mine[RANK].isna()][VALUE] if len(mine) else []
            high = math.log10(max([row[THRESHOLD], *ghosts]))
            lift = 2 + 6 * bool(len(ghosts))
            clear = place | {"xanchor": "center", "align": "center", "yshift": lift}
            if said:
                text = f"line at {significant(row[THRESHOLD])} {plain(said)}:<br>{will} only above"
            notes.append(note(text, sum(across.band) / 2, high, **clear))
    if row[DRAWN] and not sided:
        hidden = int(across.last) - row[TRUE_ITEMS]
        text = f"{hidden:,} hidden" + (": below the line" if hidden else "")
        notes.append(note(text, right, math.log10(FLOOR), **place | {"yshift": -2}))
    return notes


def _names(row: dict[Any, Any], top: float, across: Across) -> list[dict[str, Any]]:
    """Above the strip the tier and what came through; above its band how many phantoms."""
    style = row[STYLE]
    place = {"yref": "paper", "yanchor": "bottom", "yshift": 1}
    left = {"xref": "paper", "xshift": 2}
    name = tag(style, plain(row[TIER], 16))
    if not row[DRAWN]:
        return [note(f"{name}: not shown yet", 0, top, **place, **left)]
    ghosts = row[PHANTOMS]
    some = f"{ghosts:,} phantom" + ("" if ghosts == 1 else "s")
    middle = sum(across.place(end) for end in across.band) / 2
    return [
        note(f"{name} sees {row[TRUE_ITEMS]:,} of {int(across.last):,}", 0, top, **place, **left),
        note(some, middle, top, **place, xanchor="center"),
    ]


def _waiting(those: pd.DataFrame) -> list[dict[str, Any]]:
    """Below all: who has no release yet."""
    if those.empty:
        return []
    named = [tag(row[STYLE], plain(row[TIER], 16)) for row in those.to_dict("records")]
    if len(those) > NAMED and sum(map(pixels, those[TIER])) > NAMES:
        named[NAMED:] = [f"{len(those) - NAMED} more"]
    place = {"xref": "paper", "yref": "paper", "yanchor": "top", "yshift": -BOTTOM - 2}
    return [note(f"{join(named)}: not shown yet", 0, 0, **place, xshift=2)]


def _band(start: float, end: float) -> dict[str, Any]:
    across = {"x0": start, "x1": end, "y0": 0, "y1": 1, "xref": "x", "yref": "paper"}
    fill = {"fillcolor": rgba(GREY, 0.10), "line": {"width": 0}, "layer": "below"}
    return {"type": "rect", **across, **fill}


def _parts(across: Across, many: str) -> list[dict[str, Any]]:
    """What stands on either side, below the axis."""
    items = (across.start, across.last)
    said = {
        f"<b>real {plain(many)}</b><br>most common first": items,
        "<b>phantoms</b><br>made up by noise": across.band,
    }
    place = {
        "yref": "paper",
        "yanchor": "top",
        "xanchor": "center",
        "align": "center",
        "yshift": -20,
    }
    return [
        note(text, sum(across.place(end) for end in ends) / 2, 0, **place)
        for text, ends in said.items()
    ]
