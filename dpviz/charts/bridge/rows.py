"""The rows of the string picture: where each tier's noise lies, its name and its number."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from dpviz import checks
from dpviz.charts.bridge.frame import HIGH95, LOW95, MIDDLE, NOISE, SLOT, SYMBOL, TIER, VALUE
from dpviz.charts.labels import note, pixels, tag
from dpviz.palette import TierStyle
from dpviz.words import between, number, plain

HEIGHT, TOP, BOTTOM = 460, 8, 50  # pixels of the figure, above and below the plot
WORDS, APART = 54, 34  # pixels of the words on top, and between rows that have words
PLOT = 235  # pixels of the plot on a phone
TURNS = 6  # until the room for words is nearly found
MANY = 6.0  # times as much noise: then the axis is logarithmic
LARGE, USUAL = 32, 16  # of the number that was just drawn, and of others
OFTEN = "95 of 100"
GIVEN = ("given this one,<br>", "given these two,<br>")  # whether there is a noisier one, too
TALL = 66  # pixels above a bar that all its words need
Row = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class NewTier:
    """The tier that has not been drawn yet, or just was."""

    name: str
    style: TierStyle
    noise: float
    held: bool

    def __post_init__(self) -> None:
        checks.positive(noise=self.noise)


@dataclass(frozen=True, slots=True)
class Rows:
    """The vertical axis: the sharpest and the blurriest row, and pixels between them."""

    sharp: float
    blurred: float

    def __post_init__(self) -> None:
        checks.positive(sharp=self.sharp, blurred=self.blurred)

    @property
    def is_log(self) -> bool:
        """Whether the axis is logarithmic."""
        return self.blurred > MANY * self.sharp

    def at(self, noise: float) -> float:
        """Where a row is on the axis of Plotly's ranges."""
        return math.log10(noise) if self.is_log else noise

    @property
    def unit(self) -> float:
        """Of that axis, for each pixel."""
        gap = self.at(self.blurred) - self.at(self.sharp) or abs(self.at(self.sharp)) or 1.0
        return gap / (HEIGHT - TOP - BOTTOM - WORDS - 20)

    def above(self, noise: float, more: float) -> float:
        """The noise that lies this number of pixels above a row."""
        place = self.at(noise) - more * self.unit
        return float(10**place) if self.is_log else place

    def within(self, frame: pd.DataFrame) -> pd.DataFrame:
        """Rows of a frame that lie on the axis, and the next one below it."""
        noise = frame[NOISE]
        inside = (noise >= self.sharp) & (noise <= self.blurred)
        return frame[inside | ((noise > self.blurred) & inside.shift(fill_value=False))]

    @property
    def ends(self) -> tuple[float, float]:
        """The range of the axis: the sharpest on top, below the words."""
        return self.at(self.blurred) + 20 * self.unit, self.at(self.sharp) - WORDS * self.unit


def around(held: Sequence[Row], new: NewTier) -> tuple[Row | None, Row | None]:
    """The nearest sharper and the nearest blurrier number that are held."""
    above = [row for row in held if row[NOISE] < new.noise]
    below = [row for row in held if row[NOISE] > new.noise]
    return (above[-1] if above else None), (below[0] if below else None)


def is_new(row: Row, new: NewTier) -> bool:
    """Whether this number is that of the tier at the slider, drawn."""
    return new.held and math.isclose(row[NOISE], new.noise, rel_tol=1e-12)


def idle(row: Row, held: Sequence[Row], new: NewTier) -> bool:
    """Whether the new number is made, or was made, without this one."""
    return not is_new(row, new) and all(row is not other for other in around(held, new))


def side_of(held: Sequence[Row], i: int, new: NewTier, truth: float | None = None) -> int:
    """On which side of a mark its number stands: where the flatter of its threads does not run.

    Without a thread it is the side away from the line of the truth.
    """
    here = held[i]
    near = [held[j] for j in (i - 1, i + 1) if 0 <= j < len(held)]
    others = [row for row in near if is_new(here, new) or is_new(row, new)]
    if not others and truth is not None:
        return 1 if here[VALUE] >= truth else -1
    pull = sum((o[VALUE] - here[VALUE]) / abs(o[NOISE] - here[NOISE]) for o in others)
    return -1 if pull > 0 else 1


def said(row: Row) -> str:
    """A number as exact as 95 % of its noise deserves."""
    return number(row[VALUE], step=max(2 * row[NOISE], float(float(row[VALUE]).is_integer())))


def across(
    held: Sequence[Row],
    reach: pd.DataFrame,
    sides: Mapping[str, int],
    new: NewTier,
    truth: float | None = None,
) -> tuple[float, float]:
    """Ends of the horizontal axis: all that is shown, with room for the numbers on a phone."""
    values = [*reach[LOW95], *reach[HIGH95], *(row[VALUE] for row in held)]
    values += [] if truth is None else [truth]
    low, high = min(values), max(values)
    span = high - low or max(1.0, abs(high) * 1e-3)
    reaches = [(value, 0.0) for value in values]
    for row in held:
        size = LARGE if is_new(row, new) else USUAL
        wide = size + 6 + pixels(said(row), size, bold=True)
        reaches.append((row[VALUE], sides[row[TIER]] * wide))
    for _, row in reach.iterrows():
        for end, text, side in _ends(row):
            reaches.append((end, side * (12 + pixels(text))))
    for _ in range(TURNS):  # words need more of a longer axis
        unit = (high - low or span) / PLOT
        low = min(value + min(out, 0.0) * unit for value, out in reaches)
        high = max(value + max(out, 0.0) * unit for value, out in reaches)
    return low - 0.03 * span, high + 0.03 * span


def named(held: Sequence[Row], new: NewTier, rows: Rows) -> list[tuple[float, str, TierStyle]]:
    """Rows that have words: the new one, its neighbours, then others that leave room."""
    lit = [row for row in around(held, new) if row]
    first = [] if new.held else [(new.noise, new.name, new.style)]
    rest = sorted(held, key=lambda row: (not is_new(row, new), row not in lit))
    wanted = [(r[NOISE], r[TIER], TierStyle(int(r[SLOT]), int(r[SYMBOL]))) for r in rest]
    found: list[tuple[float, str, TierStyle]] = []
    for row in [*first, *wanted]:
        place = rows.at(row[0])
        if all(abs(place - rows.at(other[0])) >= APART * rows.unit for other in found):
            found.append(row)
    return found


def numbers(
    held: Sequence[Row], sides: Mapping[str, int], new: NewTier, rows: Rows
) -> list[dict[str, Any]]:
    """The number beside each mark whose row has words; large where it was just drawn."""
    shown = {noise for noise, *_ in named(held, new, rows)}
    found = []
    for row in held:
        if row[NOISE] not in shown:
            continue
        size, side = LARGE if is_new(row, new) else USUAL, sides[row[TIER]]
        look = {"xanchor": "left" if side > 0 else "right", "xshift": (20 if size > 20 else 18)}
        look["xshift"] *= side
        words = said(row) if idle(row, held, new) else f"<b>{said(row)}</b>"
        found.append(note(words, row[VALUE], rows.at(row[NOISE]), font={"size": size}, **look))
    return found


def bar_words(
    held: Sequence[Row],
    reach: pd.DataFrame,
    atoms: pd.DataFrame | None,
    new: NewTier,
    rows: Rows,
) -> list[dict[str, Any]]:
    """Both ends of the bar, and above it, where nothing else is, how often it is right."""
    found = []
    for _, row in reach.iterrows():
        for end, text, side in _ends(row):
            look = {"xanchor": "left" if side > 0 else "right", "xshift": 8 * side}
            found.append(note(text, end, rows.at(new.noise), **look))
        gaps = [rows.at(new.noise) - rows.at(other[NOISE]) for other in held]
        free = all(not 0 < gap < APART * rows.unit for gap in gaps)
        if free and (atoms is None or not len(atoms)):
            above, below = around(held, new)
            left = above is None or above[VALUE] >= row[MIDDLE]  # where no dotted line runs
            look = {"xanchor": "left" if left else "right", "yanchor": "bottom", "yshift": 6}
            look["align"] = look["xanchor"]
            tall = all(not 0 < gap < TALL * rows.unit for gap in gaps)
            text = f"{GIVEN[below is not None]}{OFTEN} times<br>it lands here" if tall else OFTEN
            if above is None:  # made from the exact number; above it stand the words on top
                text = f"{OFTEN} times here"
            found.append(note(text, row[LOW95 if left else HIGH95], rows.at(new.noise), **look))
    return found


def _ends(row: Any) -> list[tuple[float, str, int]]:
    """Of a bar: where it ends, the number written there, rounded outwards, and on which side."""
    low, high = float(row[LOW95]), float(row[HIGH95])
    texts = between(low, high, "|").split(" | ")
    return list(zip((low, high), texts, (-1, 1), strict=True))


def label(_: float, name: str, style: TierStyle, accuracies: Mapping[str, str]) -> str:
    """What stands at the left of a row: who, and how far off the number may be."""
    return f"{tag(style, plain(name, 14))}<br>{plain(accuracies[name], 16)}"
