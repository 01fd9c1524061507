"""The draws of the lesson on the trick: one session of the made-up town, its path, and many runs.

Who asks are the tiers of the cast, in its order. The town is invented, so its truth may be shown.
What might have been drawn is drawn by forks of the session, and what many runs would give by one
session of equal counts. The first numbers are those of the front page: one draw, not a typical one,
and "Another possible draw" shows others.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from dpviz import streams
from dpviz.accounting.levels import gaussian_level
from dpviz.charts.threads_frame import GAUSSIAN
from dpviz.charts.tidy import Floats
from dpviz.palette import TierStyle
from dpviz.planning import cast
from dpviz.planning.cast import AUDIT, COUNCIL, ILL, PARTNERS, PUBLIC, RESEARCH
from dpviz.release import MultipleRelease
from dpviz.ui.kit.notes import SEED, session_on
from dpviz.ui.kit.state import Shelf

TIERS = (AUDIT, RESEARCH, PARTNERS, PUBLIC)  # the sharpest first
COURT, PRESS, NEW = "a court", "the press", COUNCIL.name  # who may ask later
# Who asks later are no tiers of the cast, but for the council, and do not look like them.
RHO = cast.RHO | {COURT: 1.0, PRESS: 0.06}
STYLE = cast.STYLES | {COURT: TierStyle(12, 5), PRESS: TierStyle(1, 6)}
STEP, COARSE = 0.022, 0.045  # of the path, in sd; of a possible one, which is to be seen through
OTHERS, RUNS = 12, 10_000  # possible paths; runs of the town
ORDERS = {"audit first": TIERS, "public first": TIERS[::-1]}
Path = dict[float, float]  # noise level → number


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """One draw of all that the lesson shows.

    Attributes:
        here: each tier's number, from one session.
        path: its path, from the truth to the public's number.
        free: other paths from the truth.
        onward: other paths from research's number on.
        strings: other paths between research's number and the public's.
        runs: numbers of the tiers in many runs, by the order of asking.
    """

    here: dict[str, float]
    path: Path
    free: list[Path]
    onward: list[Path]
    strings: list[Path]
    runs: dict[str, dict[str, Floats]]


_DRAWN = Shelf[Drawn]("trick_drawn")


def drawn(again: int) -> Drawn:
    """The draw of this number, made once for a visitor."""
    return _DRAWN.take(again, lambda: draw(SEED + again))


def level(name: str) -> float:
    """Noise level of one who asks."""
    return gaussian_level(RHO[name], 1.0)


def draw(seed: int) -> Drawn:
    """Draw everything, from sessions below one seed."""
    session = session_on(float(ILL), seed, 0)
    free = _others(session, 0.0)
    session.release(level(RESEARCH))
    onward = _others(session, level(RESEARCH))
    session.release(level(PUBLIC))
    session.release(level(AUDIT))
    strings = _others(session, level(RESEARCH))
    session.release(level(PARTNERS))
    here = {name: float(session.held[level(name)][0]) for name in TIERS}
    path = _path(session, 0.0, STEP)
    runs = {order: _runs(order, seed, k) for k, order in enumerate(ORDERS)}
    return Drawn(here=here, path=path, free=free, onward=onward, strings=strings, runs=runs)


def _path(session: MultipleRelease, start: float, step: float) -> Path:
    """What a session draws at every level from one to the public's; the truth is at level 0."""
    low, high = np.sqrt([start, level(PUBLIC)])
    for sd in np.linspace(low, high, round((high - low) / step))[1:-1].tolist():
        session.release(sd**2)
    held: Mapping[float, Floats] = session.held
    numbers = {at: float(x[0]) for at, x in held.items() if start <= at}
    return numbers if start else {0.0: float(ILL)} | numbers


def _others(session: MultipleRelease, start: float) -> list[Path]:
    """How the path might go on from this level, given what is held now."""
    forks = [session.fork(independent_noise=True) for _ in range(OTHERS)]
    for fork in forks:
        fork.release(level(PUBLIC))
    return [_path(fork, start, COARSE) for fork in forks]


def _runs(order: str, seed: int, which: int) -> dict[str, Floats]:
    """The town asked in one order, many times."""
    town = np.full(RUNS, float(ILL))
    session = MultipleRelease(town, GAUSSIAN, rng=streams.teaching(seed, 1 + which))
    return {name: session.release(level(name)) for name in ORDERS[order]}
