"""How both kinds of report look in every picture of the page RAPPOR, and what is true.

The first kind is grey, the second has the ink of the page, and the truth alone has a colour: no
mark looks like a tier's.
"""

from typing import Any

from dpviz.palette import GREY, TRUE, TierStyle

LOOKS = (TierStyle(0, 1), TierStyle(0, 2))  # at f₁, at f₂; the second in ink
TRUTH = TRUE


def ink(place: int) -> dict[str, Any]:
    """Colour of a line or mark of the first or the second kind; without one it has the ink."""
    return {} if place else {"color": GREY}


def named(place: int, name: str) -> str:
    """The symbol of a kind of report, and its name in bold.

    >>> named(1, "50 %")
    '◆ <b>50 %</b>'
    """
    glyph = LOOKS[place].glyph
    mark = glyph if place else f'<span style="color:{GREY}">{glyph}</span>'
    return f"{mark} <b>{name}</b>"
