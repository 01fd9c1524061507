"""The risk card of a coalition as one self-contained SVG picture: no script, no font, no request.

The file has a white ground and dark ink of its own, since it leaves the dashboard. Names that
people typed pass `markup`; what is long goes on in the next line. The page writes the same card in
its own font and takes only the bars from here.
"""

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import zip_longest

import plotly.graph_objects as go

from dpviz import checks
from dpviz.charts.labels import note
from dpviz.palette import GREY, TierStyle
from dpviz.words import clean, markup, plain

WIDTH, EDGE = 720, 32  # pixels
INK, DIM = "#14171B", "#454C56"
LETTERS, NAME = 70, 50  # letters on a line of the sentence; of the title
HALF, SMALL = 42, 100  # of a row's name, or of what stands at its right; of small print
ROW = 52  # pixels of a bar with its name, on the page
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
    y, body = 20.0, []
    for line in textwrap.wrap(f"Risk card: {clean(card.who)}", NAME):
        y += 26
        body.append(_text(EDGE, y, line, size=22, bold=True))
    y += 12
    for line in textwrap.wrap(clean(card.sentence), LETTERS):
        y += 26
        body.append(_text(EDGE, y, line, size=18))
    y += 18
    longest = _longest(card)
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
        y += 6
        for left, right in zip_longest(
            textwrap.wrap(clean(name), HALF), textwrap.wrap(clean(value), HALF), fillvalue=""
        ):
            y += 20
            body.append(_text(EDGE, y, left, colour=DIM))
            body.append(_text(WIDTH - EDGE, y, right, anchor="end", bold=True))
    y += 16
    for line in (line for text in card.small for line in textwrap.wrap(clean(text), SMALL)):
        y += 18
        body.append(_text(EDGE, y, line, size=12, colour=DIM))
    return _file(y + 24, f"{card.who}: {card.sentence}", body)


def card_bars(card: Card) -> go.Figure:
    """Draw the bars of a card for the page, where it has the page's font and ground.

    >>> fig = card_bars(Card(who="a", sentence="", style=TierStyle(2, 0),
    ...     bars=(("lossless", 1.0, "ρ = 1"),), rows=(), small=()))
    >>> fig.layout.annotations[0].text
    'lossless: <b>ρ = 1</b>'
    """
    rows = range(len(card.bars))
    bars = go.Bar(
        x=[loss for _, loss, _ in card.bars],
        y=[row + 0.2 for row in rows],
        width=0.36,
        orientation="h",
        marker={"color": [GREY if row else card.style.colour for row in rows]},
        hoverinfo="skip",
    )
    notes = [
        note(f"{plain(name)}: <b>{plain(stated)}</b>", 0, row - 0.02, yanchor="bottom")
        for row, (name, _, stated) in enumerate(card.bars)
    ]
    layout = {
        "height": ROW * len(card.bars) + 8,
        "margin": {"t": 4, "b": 4, "l": 0, "r": 0},
        "annotations": notes,
        "xaxis": {"visible": False, "range": (0, 1.02 * _longest(card))},
        "yaxis": {"visible": False, "range": (len(card.bars) - 0.5, -0.5)},
    }
    return go.Figure(data=[bars], layout=layout)


def _longest(card: Card) -> float:
    return max(loss for _, loss, _ in card.bars) or 1.0


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
