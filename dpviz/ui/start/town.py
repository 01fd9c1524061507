"""The made-up town of the front page: who is ill, and what each clearance and the council get.

Everything is invented, so the truth may be shown. Numbers are draws of sessions with a seed.
`SEED` was picked among 20,000 because its marks stand apart, and what all four come to together is
near to the truth in it, as in 14 of them: it is one draw, not a typical one, and "Another possible
draw" shows others.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from dpviz import streams
from dpviz.accounting.levels import gaussian_level
from dpviz.charts.threads_frame import GAUSSIAN
from dpviz.planning import cast
from dpviz.planning.cast import (
    ASKING,
    AUDIT,
    COUNCIL,
    ILL,
    KNOWN,
    PARTNERS,
    PEOPLE,
    PUBLIC,
    RESEARCH,
    STYLES,
)
from dpviz.ui.kit.notes import SEED, Holders, asked, session_on
from dpviz.ui.kit.state import Shelf

PLACES = 3  # a seed: who among the dots is ill
STRINGS = 14  # ways in which the string may hang
COUNCIL_RHO = cast.RHO[COUNCIL.name]
RHO = {name: cast.RHO[name] for name in (AUDIT, RESEARCH, PARTNERS, PUBLIC)}  # the sharpest first
TRUTH = float(ILL)
PINS = (PARTNERS, PUBLIC)  # whose numbers are around the council's


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """One draw of all that the lesson shows.

    Attributes:
        usual: each one's number with noise independent of the others'; audit's is that of `here`.
        here: each one's number, from one session.
        council: the council's number, asked for last, from the same session.
        ways: numbers that the council might have got, between those of `PINS`; nobody keeps them.
    """

    usual: dict[str, float]
    here: dict[str, float]
    council: float
    ways: tuple[float, ...]


_DRAWN = Shelf[Drawn]("start_drawn")


def drawn(again: int) -> Drawn:
    """The draw of this number, made once for a visitor."""
    return _DRAWN.take(again, lambda: draw(SEED + again))


FOUR = Holders(
    rho=RHO,
    styles=STYLES,
    truth=(f"the truth: {ILL}", TRUTH),
    top="the true count",
    sharpest=AUDIT,
    shared=AUDIT,
    drawn=drawn,
)


def ill(maria: bool) -> list[bool]:
    """Who has high blood pressure, Maria first; the places of the others are always the same."""
    return [maria, *_others()]


@cache
def _others() -> tuple[bool, ...]:
    """Everybody but Maria."""
    others = np.arange(PEOPLE - 1) < KNOWN
    return tuple(streams.teaching(PLACES).permutation(others).tolist())


def draw(seed: int) -> Drawn:
    """Draw everything, from sessions below one seed."""
    session = session_on(TRUTH, seed, 0)
    heard = {name: asked(session, RHO[name]) for name in ASKING}
    here = {name: heard[name] for name in RHO}
    usual = {
        name: here[name] if name == AUDIT else asked(session_on(TRUTH, seed, k), rho)
        for k, (name, rho) in enumerate(RHO.items())
    }
    council = asked(session, COUNCIL_RHO)
    return Drawn(usual=usual, here=here, council=council, ways=_ways(here, seed))


def _ways(here: dict[str, float], seed: int) -> tuple[float, ...]:
    """Draws of the bridge between the numbers held."""
    above, below = (np.full(STRINGS, here[name]) for name in PINS)
    low, high = (gaussian_level(RHO[name], 1.0) for name in PINS)
    level, rng = gaussian_level(COUNCIL_RHO, 1.0), streams.teaching(seed, len(RHO))
    return tuple(GAUSSIAN.bridge(above, below, low, level, high, rng=rng).tolist())
