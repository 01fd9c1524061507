"""The two pictures of the report, as SVG that stands inside a page: no script, no font, no request.

Text takes the colour of the page (`currentColor`), so one picture serves light, dark and print.
Every picture says in its `<title>` what it shows, with all its numbers.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

import numpy as np

from dpviz.charts.tiers.ladder import EVEN_UP_TO, place
from dpviz.palette import GREY, TierStyle
from dpviz.words import clean, percent, pm, shorten

WIDTH = 720
_NAMES, _VALUES = 190, 110  # pixels at the left and at the right
_TALL_UP_TO = 12  # tiers; more of them get lower rows
_FEW_LETTERS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One tier in the ladder: `half_width` in units of the statistic, NaN without a guarantee."""

    name: str
    style: TierStyle
    half_width: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Total:
    """One bar of the second picture: a privacy loss, not finite without a guarantee."""

    name: str
    loss: float
    stated: str  # the loss in words, e.g. "ρ = 0.5"
    colour: str = GREY


def text_of(text: object) -> str:
    """A text from outside as HTML and SVG show it: one visible line, nothing that acts.

    >>> text_of("<b>a & b</b>")
    '&lt;b&gt;a &amp; b&lt;/b&gt;'
    """
    return escape(clean(text))


def is_compressed(rungs: Sequence[Rung]) -> bool:
    """Whether the bars of the ladder are drawn by arsinh, which the caption then says."""
    half = [r.half_width for r in rungs if math.isfinite(r.half_width)]
    return bool(half) and max(half) > EVEN_UP_TO * min(half)


def ladder_svg(rungs: Sequence[Rung], *, noun: str, confidence: float) -> str:
    """How far from the exact number each tier may be: a bar of ± half width around the middle.

    Args:
        rungs: one per tier, most private first.
        noun: unit of the half widths.
        confidence: of the half widths.

    Returns:
        One `<svg>` element, well-formed XML.
    """
    row = 34 if len(rungs) <= _TALL_UP_TO else 22
    height = row * len(rungs) + 26
    half = np.array([r.half_width for r in rungs], dtype=float)
    finite = half[np.isfinite(half)]
    unit = float(finite.min()) if is_compressed(rungs) else None
    reach = float(place(finite, unit).max(initial=0.0)) or 1.0
    room = (WIDTH - _NAMES - _VALUES) / 2
    middle = _NAMES + room
    said = "; ".join(f"{clean(r.name)} {_accuracy(r)}" for r in rungs)
    sure = percent(confidence)
    parts = [
        _title("ladder-title", f"Accuracy in {noun}, with {sure} confidence: {said}."),
        _line(middle, 0, height - 22),
        _text(middle, height - 6, "the exact number", anchor="middle", size=12),
    ]
    for rank, rung in enumerate(rungs):
        y = row * rank + row / 2
        if math.isfinite(rung.half_width):
            length = room * float(place(np.array([rung.half_width]), unit)[0]) / reach
            parts.append(
                f'<rect x="{middle - length:.1f}" y="{y - row * 0.29:.1f}" '
                f'width="{2 * length:.1f}" height="{row * 0.58:.1f}" rx="3" '
                f'fill="{rung.style.colour}" fill-opacity="0.85"/>'
            )
        parts += [
            _text(0, y + 4.5, rung.style.glyph, colour=rung.style.colour),
            _text(20, y + 4.5, shorten(rung.name, _FEW_LETTERS), bold=True),
            _text(WIDTH, y + 4.5, _accuracy(rung), anchor="end"),
        ]
    return _svg(height, "ladder-title", parts)


def totals_svg(lossless: Total, independent: Total) -> str:
    """What all tiers together would hold: the largest loss, and the sum it would have been.

    Returns:
        One `<svg>` element, well-formed XML.
    """
    bars, row = (lossless, independent), 48
    finite = [bar.loss for bar in bars if math.isfinite(bar.loss)]
    reach = max(finite, default=0.0) or 1.0
    said = "; ".join(f"{bar.name}: {bar.stated}" for bar in bars)
    parts = [_title("totals-title", f"Privacy loss of all tiers together. {said}.")]
    for rank, bar in enumerate(bars):
        y, known = row * rank, math.isfinite(bar.loss)
        length = max(WIDTH * bar.loss / reach, 2.0) if known else float(WIDTH)
        look = f'fill="{bar.colour}"' if known else f'fill="none" stroke="{bar.colour}"'
        parts += [
            _text(0, y + 14, bar.name),
            _text(WIDTH, y + 14, bar.stated, anchor="end", bold=True),
            f'<rect x="0.5" y="{y + 21}" width="{length - 1:.1f}" height="16" rx="3" {look}/>',
        ]
    return _svg(row * len(bars) - 6, "totals-title", parts)


def _accuracy(rung: Rung) -> str:
    return pm(rung.half_width) if math.isfinite(rung.half_width) else "no guarantee"


def _svg(height: float, title: str, parts: Sequence[str]) -> str:
    return (
        f'<svg viewBox="0 0 {WIDTH} {height:g}" role="img" aria-labelledby="{title}">'
        f"{''.join(parts)}</svg>"
    )


def _title(name: str, text: str) -> str:
    return f'<title id="{name}">{text_of(text)}</title>'


def _line(x: float, top: float, bottom: float) -> str:
    return (
        f'<line x1="{x:g}" x2="{x:g}" y1="{top:g}" y2="{bottom:g}" stroke="{GREY}" '
        'stroke-dasharray="3 3"/>'
    )


def _text(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "start",
    size: int = 14,
    bold: bool = False,
    colour: str = "currentColor",
) -> str:
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}"{weight} '
        f'fill="{colour}">{text_of(text)}</text>'
    )
