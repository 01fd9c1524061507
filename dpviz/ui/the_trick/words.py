"""What the lesson on the trick says beside its pictures, and why its numbers are true."""

import math

from dpviz.charts.threads import number_of
from dpviz.charts.threads_frame import half_of
from dpviz.planning.cast import ASKING, MONTHS
from dpviz.ui.kit.notes import asking
from dpviz.ui.kit.parts import chip
from dpviz.ui.the_trick.town import ORDERS, RHO, STYLE, TIERS
from dpviz.words import number, pm
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal

MADE_UP = "The town is made up, so its true count may be shown."


def half_claim(what: str, half: float, method: str) -> Claim:
    """Why a number is this near."""
    return Claim(
        what=what, value=half, unit="people", fixed="95 % confidence, one draw", method=method
    )


def drawn_claim(name: str, x: float) -> Claim:
    """Where a number comes from."""
    return Claim(
        what=f"the number of {name}",
        value=x,
        unit="people",
        fixed="one seeded draw of a made-up town",
        method="a session of the library, asked in the order of the months",
        kind="simulated",
    )


def about(x: float, half: float) -> str:
    r"""A number and how far off it may be.

    >>> about(310.12, 3.58).replace("\u202f", "_")
    '310.1 ±_3.6'
    """
    return f"{number(x, step=half)} {pm(half)}"


def readers() -> tuple[str, ...]:
    """Who stops where on the path, and how it goes on."""
    return (
        f"**Four readers**  \n{_listed(TIERS)}. The more trusted, the less noise.",
        "**Small steps**  \nEach bit of noise pushes the number left or right, by chance. Each "
        "step depends only on where the number is now.",
    )


def arrivals(here: dict[str, float], names: tuple[str, ...], to_come: str = "") -> tuple[str, ...]:
    """Who asked when, and got which number."""
    return asking(
        (month, name, STYLE[name], RHO[name], None if name == to_come else here[name])
        for name, month in zip(ASKING, MONTHS, strict=True)
        if name in names
    )


def way(top: str, foot: str) -> float:
    """± of the noise from the number of one to that of a blurrier one."""
    ends = (half_of(RHO[name]) for name in (foot, top))
    return math.sqrt(next(ends) ** 2 - next(ends) ** 2)


def orders() -> tuple[str, ...]:
    """Both orders of asking, and how each number is found."""
    down, up = ORDERS.values()
    return (
        f"**Audit first**  \n{_listed(down)}: each time the path walks on.",
        f"**Public first**  \n{_listed(up)}: each time a string between the truth and the number "
        "before.",
    )


def _listed(names: tuple[str, ...]) -> str:
    return " → ".join(chip(name, STYLE[name]) for name in names)


def held(here: dict[str, float]) -> tuple[str, ...]:
    """All numbers of the tiers, the sharpest first."""
    rows = [f"{chip(name, STYLE[name])} **{literal(number_of(here[name]))}**" for name in TIERS]
    return ("**On the computer of the town**", " · ".join(rows))
