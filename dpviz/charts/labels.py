"""Words inside a figure: direct labels, names with their symbol, ticks that fit a phone.

Nothing here knows how wide a figure will be drawn, so every decision is made for `PHONE` pixels
and holds a fortiori on anything wider. Widths of text are estimates on the safe side.
"""

import math
import textwrap
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz.palette import GREY, GRID, TierStyle
from dpviz.words import MINUS, clean, columns, fixed, number, plain, scientific, shorten

PHONE = 350  # the narrowest figure, in pixels
LETTER = 5.9  # an average letter of 13 px text; the font of the dashboard needs about 5.4
Floats = NDArray[np.float64]
GROUND = "ground"  # of the template: a note with the colour of the paper behind it


def pixels(text: str, size: int = 13, *, bold: bool = False) -> float:
    """Width of a text, at most; capitals and other wide letters count more."""
    wide = sum(0.7 if c in "MW@%mw…—" else 0.25 for c in text if c in "@%mw…—" or c.isupper())
    return (columns(text) + wide) * LETTER * (1.1 if bold else 1) * size / 13


def tag(style: TierStyle, name: str) -> str:
    """A tier's name behind its coloured symbol; `name` is escaped already.

    >>> tag(TierStyle(2, 0), "public")
    '<span style="color:#385FC2">●</span> <b>public</b>'
    """
    return f'<span style="color:{style.colour}">{style.glyph}</span> <b>{name}</b>'


def note(text: str, x: float, y: float, **more: Any) -> dict[str, Any]:
    """An annotation without arrow, left-aligned at a point, ready for `layout.annotations`."""
    place = {"showarrow": False, "xanchor": "left", "align": "left", "borderpad": 0}
    return {"text": text, "x": x, "y": y, **place, **more}


def grounded(text: str, x: float, y: float, **more: Any) -> dict[str, Any]:
    """A note on plain ground: lines below it stop at its edges, and go on behind it."""
    return note(text, x, y, templateitemname=GROUND, visible=True, **more)


def rule(y: float) -> dict[str, Any]:
    """A grid line across the whole plot, ready for `layout.shapes`."""
    ends = {"x0": 0, "x1": 1, "xref": "x domain", "y0": y, "y1": y}
    return {"type": "line", **ends, "line": {"color": GRID, "width": 1}, "layer": "below"}


def upright(x: float, look: dict[str, Any], *, layer: str = "below") -> dict[str, Any]:
    """A line from the bottom of the plot to its top, ready for `layout.shapes`."""
    ends = {"x0": x, "x1": x, "yref": "y domain", "y0": 0, "y1": 1}
    return {"type": "line", **ends, "line": look, "layer": layer}


def dotted(x: float, *, layer: str = "below") -> dict[str, Any]:
    """A grey dotted line from the bottom of the plot to its top, ready for `layout.shapes`."""
    return upright(x, {"color": GREY, "width": 1, "dash": "dot"}, layer=layer)


def signed(change: float) -> str:
    """A change in figures, such as "+75"; without a sign where nothing changes.

    >>> signed(75.0), signed(-1234.0), signed(0.0)
    ('+75', '−1,234', '0')
    """
    return ("+" if change > 0 else MINUS if change < 0 else "") + number(abs(change))


def wrapped(text: object, width: int = 15) -> tuple[str, float]:
    """A tick label on at most two lines, escaped, and its width in pixels.

    >>> wrapped("Pacific Islander or native Hawaiian")[0]
    'Pacific<br>Islander or na…'
    """
    parts = textwrap.wrap(clean(text), width) or [""]
    first, rest = shorten(parts[0], width), shorten(" ".join(parts[1:]), width)
    parts = [first, rest] if len(parts) > 1 else [first]
    return "<br>".join(plain(part) for part in parts), max(map(pixels, parts))


def span(low: float, high: float, *, pad: float = 0.03) -> tuple[float, float]:
    """The range of an axis that starts at 0, unless the values are negative or far from 0.

    >>> span(250.0, 1000.0)
    (0.0, 1030.0)
    >>> span(9800.0, 10000.0)
    (9794.0, 10006.0)
    """
    if low == high == 0:
        return 0.0, 1.0
    if low > 2 * (high - low) and high > low:
        room = pad * (high - low)
        return low - room, high + room
    start, end = min(low, 0.0), max(high, 0.0)
    room = pad * (end - start)
    return (start - room if low < 0 else 0.0), end + room


def beyond(low: float, high: float, texts: list[str], width: float) -> tuple[float, float]:
    """The range of an axis with room for texts beyond the bars that run from 0 to its ends.

    Args:
        low: end of the longest bar to the left, at most 0.
        high: end of the longest bar to the right, at least 0; both 0 count as 0 and 1.
        texts: what may stand beyond a bar.
        width: of the plot on a phone, in pixels.

    >>> beyond(0.0, 75.0, ["+75"], 100.0)[0]
    -6.0
    """
    low, high = (low, high) if low < high else (0.0, 1.0)
    share = min((max(map(pixels, texts), default=0.0) + 24) / width, 0.35)
    sides = 2 if low < 0 < high else 1
    edge = 0.08 * (high - low)  # where no bar goes there is room for a 0
    room = (high - low + edge) * share / (1 - sides * share)
    return low - (room if low < 0 else edge), high + (room if high > 0 else edge)


def ticks(low: float, high: float, *, most: int = 6, room: float = 230) -> dict[str, Any]:
    """Ticks at round numbers with texts that fit beside one another into `room` pixels.

    >>> ticks(0.0, 2500.0)["ticktext"]
    ['0', '500', '1,000', '1,500', '2,000', '2,500']
    >>> ticks(0.0, 2.5e9)["ticktext"]
    ['0', '0.5bn', '1bn', '1.5bn', '2bn', '2.5bn']
    """
    if low == high:  # a single point: the ticks of its axis
        low, high = span(low, high)
    for count in range(most, 1, -1):
        values, texts = _ticks(low, high, count)
        if _length(texts) <= room:
            break
    while len(values) < 2:  # one tick alone says nothing of the scale
        count += 1
        values, texts = _ticks(low, high, count)
    if _length(texts) > room and len(texts) > 3:
        values, texts = values[::2], texts[::2]
    return {"tickmode": "array", "tickvals": values, "ticktext": texts, "tickangle": 0}


def _length(texts: list[str]) -> float:
    return sum(pixels(text, 12) + 12 for text in texts)


def _ticks(low: float, high: float, count: int) -> tuple[Floats, list[str]]:
    step = round_step((high - low) / count)
    slack = 1e-9 * (high - low)
    first, last = math.ceil((low - slack) / step), math.floor((high + slack) / step)
    values = step * np.arange(first, last + 1, dtype=float)
    return values, _tick_texts(values, step)


def round_step(least: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is at least `least`."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(m * power for m in (1, 2, 5, 10) if m * power >= least * (1 - 1e-9))


def _tick_texts(values: Floats, step: float) -> list[str]:
    largest = float(np.abs(values).max(initial=0))
    if largest < 1e-3 or largest >= 1e15:
        digits = math.floor(math.log10(largest / step) + 1e-9) + 2 if largest else 1
        return [scientific(v, digits) if abs(v) > step / 2 else "0" for v in values]
    for size, unit in ((1e12, "tn"), (1e9, "bn"), (1e6, "M"), (1.0, "")):
        places = max(0, -math.floor(math.log10(step / size) + 1e-9))
        if largest >= size and (places <= 2 or size == 1):
            return [_trimmed(v / size, places) + (unit if v else "") for v in values]
    return [_trimmed(v, max(0, -math.floor(math.log10(step) + 1e-9))) for v in values]


def _trimmed(x: float, places: int) -> str:
    text = fixed(x, places)
    return text.rstrip("0").rstrip(".") if places else text
