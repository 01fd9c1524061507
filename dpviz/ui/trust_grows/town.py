"""The made-up town of the lesson: who lives there, who asks, and what each phone sends.

All answers are invented, so the truth may be shown. Reports are draws of sessions with a seed.
`FIRST` was picked among 60,000 because its marks stand apart, and what is sharper is nearer to the
truth in it, as in 9 of them: it is one draw, not a typical one, and "Another possible draw" shows
others. `APART`, the first stream of the independent numbers, was picked likewise: no thread runs
through a number.
"""

from dataclasses import dataclass

import numpy as np

from dpviz import streams
from dpviz.accounting.levels import gaussian_level
from dpviz.charts.local.trust import YES_NO
from dpviz.charts.local.trust_frame import Crowd
from dpviz.charts.threads_frame import GAUSSIAN
from dpviz.palette import TierStyle
from dpviz.planning.cast import ILL, PEOPLE
from dpviz.release import MultipleRelease
from dpviz.ui.kit.notes import Holders, asked, session_on
from dpviz.ui.kit.state import Shelf

FIRST, APART = 13898, 3814
YES = 1.0  # Maria’s answer: she has high blood pressure
# Who asks, the most trusted first. They are not the tiers of a plan and do not look like them.
RHO = {"doctor": 0.4, "hospital": 0.3, "city clinic": 0.2, "far clinic": 0.1}
STYLE = {
    "doctor": TierStyle(10, 5),
    "hospital": TierStyle(7, 6),
    "city clinic": TierStyle(4, 8),
    "far clinic": TierStyle(1, 10),
}
DOCTOR, HOSPITAL, CITY, FAR = RHO
TRUSTED_RHO = 0.25  # of the far clinic, once Maria trusts it more
TICKS = {-4.0: "−4", -2.0: "−2", **YES_NO, 3.0: "3", 5.0: "5"}  # of the numbers' axis
ORDER = (HOSPITAL, FAR, DOCTOR, CITY)  # as they ask
# The first of these people is Maria; how many of them have high blood pressure.
GROUPS = (
    ("Maria", 1, 1),
    ("her street", 10, 4),
    ("her quarter", 100, 33),
    ("the town", PEOPLE, ILL),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawn:
    """One draw of all that the lesson shows.

    Attributes:
        here: each one’s number, from one session; the hospital’s is the same as in `usual`.
        trusted: the far clinic’s second number, from the same session.
        usual: each one’s number with noise independent of the others’.
        crowd: everybody’s report to the hospital, Maria’s first.
    """

    here: dict[str, float]
    trusted: float
    usual: dict[str, float]
    crowd: Crowd


_DRAWN = Shelf[Drawn]("trust_drawn")


def drawn(again: int) -> Drawn:
    """The draw of this number, made once for a visitor."""
    return _DRAWN.take(again, lambda: draw(FIRST + again))


FOUR = Holders(
    rho=RHO,
    styles=STYLE,
    truth=("her answer: yes", YES),
    top="her answer",
    sharpest="the doctor",
    shared="the hospital",
    drawn=drawn,
)


def answers() -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Everybody’s answer, Maria’s first: 1 is yes, 0 is no."""
    sizes = np.diff([0, *(size for _, size, _ in GROUPS)])
    ill = np.diff([0, *(count for _, _, count in GROUPS)])
    each = [[1.0] * yes + [0.0] * (size - yes) for size, yes in zip(sizes, ill, strict=True)]
    return np.concatenate(each)


def draw(seed: int) -> Drawn:
    """Draw everything, from sessions below one seed."""
    session = session_on(YES, seed, 0)
    here = {name: asked(session, RHO[name]) for name in ORDER}
    usual = {
        name: asked(session_on(YES, seed, k), RHO[name])
        for k, name in enumerate(RHO, APART)
        if name != HOSPITAL
    }
    everybody = answers()
    others = MultipleRelease(everybody[1:], GAUSSIAN, rng=streams.teaching(seed, 9))
    reports = np.r_[here[HOSPITAL], others.release(gaussian_level(RHO[HOSPITAL], 1.0))]
    return Drawn(
        here={name: here[name] for name in RHO},
        trusted=asked(session, TRUSTED_RHO),
        usual={name: usual.get(name, here[name]) for name in RHO},
        crowd=Crowd(everybody, reports, RHO[HOSPITAL]),
    )
