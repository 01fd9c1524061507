"""The made-up town of the lesson: its two tables, the noise replayed for both, and its visits.

All people are invented, so exact counts may be shown. Numbers are draws of sessions with a seed.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz import streams
from dpviz.charts.promise.tables import WIDE
from dpviz.planning import cast
from dpviz.planning.cast import ILL, KNOWN, PEOPLE, PUBLIC, STYLES
from dpviz.ui.kit.notes import asked, session_on
from dpviz.ui.kit.state import Shelf

FIRST, DRAWS = 287, 6  # seed of the first pair of numbers, and how many pairs there are
SEATS = 3  # seed of where in the picture the people are
HER = 11 * WIDE + 20  # where Maria is
RHO = cast.RHO[PUBLIC]
STYLE = STYLES[PUBLIC]
FAMILY = (1, 2, 4, 8)  # people of groups that are all ill
# Visits to the doctor within a year: how many of the people with high blood pressure have each.
VISITS = {
    **{1: 70, 2: 64, 3: 52, 4: 40, 5: 30, 6: 20, 7: 13, 8: 9, 9: 6, 10: 4},
    **{12: 2, 15: 1, 60: 1},
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Twin:
    """The same noise on both tables.

    Attributes:
        here: the number with Maria in the table.
        away: the number without her.
    """

    here: float
    away: float

    @property
    def noise(self) -> float:
        """What was added to both counts."""
        return self.here - ILL


@dataclass(frozen=True, slots=True, kw_only=True)
class Town:
    """The town, and some pairs of numbers about it.

    Attributes:
        ill: whether each person is ill, in the order of the picture.
        twins: the pairs.
    """

    ill: NDArray[np.bool_]
    twins: tuple[Twin, ...]


_TOWN = Shelf[Town]("promise_town")


def made() -> Town:
    """The town and its numbers, made once for a visitor."""
    pairs = (FIRST + k for k in range(DRAWS))
    return _TOWN.take(0, lambda: Town(ill=ill(), twins=tuple(map(twin, pairs))))


def twin(seed: int) -> Twin:
    """Draw for both tables from sessions with one seed, and so with the same noise."""
    here, away = (asked(session_on(float(count), seed), RHO) for count in (ILL, KNOWN))
    return Twin(here=here, away=away)


def ill() -> NDArray[np.bool_]:
    """Whether each person of the town is ill, in the order of the picture; Maria is."""
    others = np.delete(np.arange(PEOPLE), HER)
    found = np.zeros(PEOPLE, dtype=bool)
    found[streams.teaching(SEATS).choice(others, KNOWN, replace=False)] = True
    found[HER] = True
    return found
