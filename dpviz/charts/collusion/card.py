"""The risk card of a coalition as one self-contained SVG picture: no script, no font, no request.

It has a white ground and dark ink of its own, since it leaves the dashboard. Names that people
typed pass `markup` and are cut to a line.
"""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz import checks
from dpviz.palette import GREY, TierStyle
from dpviz.words import clean, markup, shorten

WIDTH, EDGE = 720, 32  # pixels
INK, DIM = "#14171B", "#454C56"
LETTERS, NAME = 70, 54  # letters on a line of the sentence; of the coalition's name
FONT = "'Source Sans 3', 'Source Sans', 'Segoe UI', Helvetica, Arial, sans-serif"


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """What a risk card shows; all of it public."""

    who: str
    sentence: str
    bars: tuple[tuple[str, float, str], ...]  # name, loss, the loss in words
    style: TierStyle  # of the least private member
    rows: tuple[tuple[str, str], ...]
    small: tuple[str, ...]

    def __post_init__(self) -> None:
        for _, loss, _ in self.bars:
            checks.stated(loss=loss)


def risk_card(card: Card) -> str:
    """Draw a card.

    Args:
        card: its texts and bars; the first bar is coloured, the others are grey.

    Returns:
        A complete SVG file, well-formed XML.

    >>> made = risk_card(Card(who="a & b", sentence="They learn ρ = 1.", style=TierStyle(2, 0),
    ...     bars=(("lossless", 1.0, "ρ = 1"),), rows=(("accuracy", "±2"),), small=("made up",)))
    >>> made.startswith("<svg xmlns"), "a &amp; b" in made
    (True, True)
    """
    y, body = 46.0, []
    body.append(_text(EDGE, y, f"Risk card: {shorten(card.who, NAME)}", size=22, bold=True))
    y += 12
    for line in textwrap.wrap(clean(card.sentence), LETTERS)[:4]:
        y += 26
        body.append(_text(EDGE, y, line, size=18))
    y += 18
    longest = max(loss for _, loss, _ in card.bars) or 1.0
    for place, (name, loss, stated) in enumerate(card.bars):
        y += 22
        body.append(_text(EDGE, y, name, colour=DIM))
        body.append(_text(WIDTH - EDGE, y, stated, anchor="end", bold=True))
        length = max((WIDTH - 2 * EDGE) * loss / longest, 2.0)
        colour = GREY if place else card.style.colour
        body.append(
            f'<rect x="{EDGE}" y="{y + 7:g}" width="{length:.1f}" height="16" rx="3" '
            f'fill="{colour}"/>'
        )
        y += 28
    y += 8
    for name, value in card.rows:
        y += 26
        body.append(_text(EDGE, y, shorten(name, 48), colour=DIM))
        body.append(_text(WIDTH - EDGE, y, shorten(value, 40), anchor="end", bold=True))
    y += 16
    for line in (line for text in card.small for line in textwrap.wrap(clean(text), 100)[:3]):
        y += 18
        body.append(_text(EDGE, y, line, size=12, colour=DIM))
    return _file(y + 24, f"{card.who}: {card.sentence}", body)


def _file(height: float, said: str, body: Sequence[str]) -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height:g}" '
        f'width="{WIDTH}" height="{height:g}" role="img" font-family="{FONT}">'
        f"<title>{markup(said)}</title>"
        f'<rect width="{WIDTH}" height="{height:g}" fill="#FFFFFF"/>'
        f'<rect width="{WIDTH}" height="6" fill="{GREY}"/>'
        f"{''.join(body)}</svg>"
    )


def _text(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "start",
    size: int = 15,
    bold: bool = False,
    colour: str = INK,
) -> str:
    weight = ' font-weight="600"' if bold else ""
    return (
        f'<text x="{x:g}" y="{y:g}" text-anchor="{anchor}" font-size="{size}"{weight} '
        f'fill="{colour}">{markup(text)}</text>'
    )
