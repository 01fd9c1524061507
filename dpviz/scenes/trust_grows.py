"""Trust grows: who lives in the made-up town, who asks, and what each phone sends.

All answers are invented, so the truth may be shown. Reports are draws of sessions with a seed.
`FIRST` was picked among 60,000 because its marks stand apart, and what is sharper is nearer to the
truth in it, as in 9 of them: it is one draw, not a typical one, and "Another possible draw" shows
others. `APART`, the first stream of the independent numbers, was picked likewise.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz import checks, streams
from dpviz.accounting.levels import gaussian_level
from dpviz.errors import ParameterError
from dpviz.palette import TierStyle
from dpviz.planning.cast import ILL, PEOPLE
from dpviz.release import MultipleRelease
from dpviz.scenes.lessons import HERE, Readers, Scene, Settings, joint, number_for, session_on
from dpviz.scenes.threads import (
    COMPARED,
    GAUSSIAN,
    LARGE,
    half_of,
    string_frame,
    threads_frame,
)

FIRST, APART = 13898, 3814
YES = 1.0  # Maria’s answer: she has high blood pressure
# Who asks, the most trusted first. They are not the tiers of a plan and do not look like
# them; none is a cross, which a number beside it would turn into a sum.
RHO = {"doctor": 0.4, "hospital": 0.3, "city clinic": 0.2, "far clinic": 0.1}
STYLE = {
    "doctor": TierStyle(10, 5),
    "hospital": TierStyle(7, 11),
    "city clinic": TierStyle(4, 8),
    "far clinic": TierStyle(1, 10),
}
DOCTOR, HOSPITAL, CITY, FAR = RHO
TRUSTED_RHO = 0.25  # of the far clinic, once Maria trusts it more
ORDER = (HOSPITAL, FAR, DOCTOR, CITY)  # as they ask
# The first of these people is Maria; how many of them have high blood pressure.
GROUPS = (
    ("Maria", 1, 1),
    ("her street", 10, 4),
    ("her area", 100, 33),
    ("the town", PEOPLE, ILL),
)


OLD, NEXT = "far clinic, old", "far clinic, new"  # names of its rows, once it has two
MEMBER, SIZE, TRUE, MEAN, HALF = "group", "people", "true", "mean", "half"
CROWD = (MEMBER, SIZE, TRUE, MEAN, HALF)
Floats = NDArray[np.float64]
READERS = Readers(rho=RHO, styles=STYLE, truth=("her answer: yes", YES))


@dataclass(frozen=True)
class Crowd:
    """Everybody's answer, in the order in which they are asked, and what each one reported.

    Attributes:
        answers: 0 or 1 per person.
        reports: the same with noise.
        rho: budget of each report.

    Raises:
        ParameterError: there are not as many reports as answers, or an answer is not 0 or 1.
    """

    answers: Floats
    reports: Floats
    rho: float

    def __post_init__(self) -> None:
        checks.arrays(1, answers=self.answers, reports=self.reports)
        checks.positive(rho=self.rho)
        if self.answers.shape != self.reports.shape or not np.isin(self.answers, (0, 1)).all():
            raise ParameterError("the answers are not 0 or 1, or a report is missing: pass both")


@dataclass(frozen=True, slots=True, kw_only=True)
class Draw:
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


def answers() -> Floats:
    """Everybody’s answer, Maria’s first: 1 is yes, 0 is no."""
    sizes = np.diff([0, *(size for _, size, _ in GROUPS)])
    ill = np.diff([0, *(count for _, _, count in GROUPS)])
    each = [[1.0] * yes + [0.0] * (size - yes) for size, yes in zip(sizes, ill, strict=True)]
    return np.concatenate(each)


def draw(seed: int) -> Draw:
    """Draw everything, from sessions below one seed."""
    session = session_on(YES, seed, 0)
    here = {name: number_for(session, RHO[name]) for name in ORDER}
    usual = {
        name: number_for(session_on(YES, seed, k), RHO[name])
        for k, name in enumerate(RHO, APART)
        if name != HOSPITAL
    }
    everybody = answers()
    others = MultipleRelease(everybody[1:], GAUSSIAN, rng=streams.teaching(seed, 9))
    reports = np.r_[here[HOSPITAL], others.release(gaussian_level(RHO[HOSPITAL], 1.0))]
    return Draw(
        here={name: here[name] for name in RHO},
        trusted=number_for(session, TRUSTED_RHO),
        usual={name: usual.get(name, here[name]) for name in RHO},
        crowd=Crowd(everybody, reports, RHO[HOSPITAL]),
    )


def crowd_frame(crowd: Crowd, groups: Sequence[tuple[str, int]]) -> pd.DataFrame:
    """The mean report of ever more people, beside the true one of the same people.

    Columns: group (its name), people, true (their true mean), mean (of their reports),
    half (95 % of the noise in that mean: that of one report divided by √people, exact).

    Args:
        crowd: answers and reports.
        groups: name and size of each group: its people are the first ones of the crowd.

    Raises:
        ParameterError: a group is empty or larger than the crowd.

    >>> crowd = Crowd(np.array([1.0, 0.0]), np.array([1.5, 0.7]), 0.5)
    >>> crowd_frame(crowd, [("both", 2)])[["true", "mean"]].round(2).values.tolist()
    [[0.5, 1.1]]
    """
    rows = []
    for name, size in groups:
        checks.integer(1, people=size)
        if size > len(crowd.answers):
            raise ParameterError("a group is larger than the crowd: name one that is part of it")
        means = (float(each[:size].mean()) for each in (crowd.answers, crowd.reports))
        rows.append((name, size, *means, half_of(crowd.rho * size)))
    return pd.DataFrame(rows, columns=list(CROWD))


def her_report(drawn: Draw, settings: Settings) -> Scene[Draw]:
    """Her answer on her phone, and the number that the hospital gets."""
    heard = READERS.mark(HOSPITAL, drawn.here[HOSPITAL], READERS.truth[0], LARGE)
    return Scene(frame=threads_frame([heard], READERS.truth), drawn=drawn, settings=settings)


def of_the_town(drawn: Draw, settings: Settings) -> Scene[Draw]:
    """The mean report of Maria, her street, her area and the town."""
    groups = [(name, size) for name, size, _ in GROUPS]
    return Scene(frame=crowd_frame(drawn.crowd, groups), drawn=drawn, settings=settings)


@dataclass(frozen=True, slots=True, kw_only=True)
class Price:
    """How far off the town's count is, 95 times in 100, with the same promise to each person.

    Attributes:
        collected: in people, if a collector has all answers and adds noise once.
        by_phones: in people, if each phone adds noise of its own.
        settings: what the visitor wants to see.
    """

    collected: float
    by_phones: float
    settings: Settings

    @property
    def times(self) -> float:
        """How many times as far off: the root of the number of people."""
        return self.by_phones / self.collected


def price(settings: Settings) -> Price:
    """The count with a collector, and without one.

    >>> made = price(Settings())
    >>> round(made.collected, 1), round(made.by_phones), round(made.times)
    (2.5, 80, 32)
    """
    rho = RHO[HOSPITAL]
    return Price(collected=half_of(rho), by_phones=half_of(rho / PEOPLE), settings=settings)


def growth(drawn: Draw, settings: Settings) -> Scene[Draw]:
    """Four numbers, and a sharper one for the far clinic: to come, or drawn between two others."""
    done, here = settings.done, drawn.here
    others = {DOCTOR: "", HOSPITAL: DOCTOR, CITY: NEXT if done else HOSPITAL}
    marks = [READERS.mark(name, here[name], above) for name, above in others.items()]
    _, upper, lower = marks
    new = replace(READERS.mark(FAR), who=NEXT, rho=TRUSTED_RHO)
    old = READERS.mark(FAR, here[FAR], CITY)
    if done:
        new = replace(new, value=drawn.trusted, above=HOSPITAL, state=LARGE)
        old = replace(old, who=OLD, above="", state=COMPARED)
    return Scene(
        frame=threads_frame([*marks, new, old]),
        drawn=drawn,
        settings=settings,
        string=string_frame(upper, lower) if done else None,
    )


def by_both() -> float:
    """The budget of the far clinic by its old number and its new one."""
    return joint((RHO[FAR], TRUSTED_RHO), HERE)
