"""What lessons share: one number about a truth, and groups of readers who compare notes.

All people are made up, so the truth may be shown. Numbers are draws of sessions with a seed.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

import numpy as np
import pandas as pd

from dpviz import checks, streams
from dpviz.accounting import coalition_rho, gaussian_right_guesses
from dpviz.accounting.levels import gaussian_level
from dpviz.accounting.schemes import INDEPENDENT, LOSSLESS
from dpviz.palette import TierStyle
from dpviz.release import MultipleRelease
from dpviz.scenes.threads import (
    COMPARED,
    GAUSSIAN,
    HELD,
    LARGE,
    NO_STYLE,
    Mark,
    State,
    half_of,
    threads_frame,
)
from dpviz.words import pm
from dpviz.workspace.guesses import COIN

SEED = 203509  # of the first draw of the cast that lessons show: see `scenes.start`
USUAL, HERE = INDEPENDENT, LOSSLESS
TOGETHER = "together"
CENTRE, PLACE, DENSITY = "centre", "place", "density"
HILLS = (CENTRE, PLACE, DENSITY)
REACH, POINTS = 3.6, 241  # standard deviations around both; points of a hill


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What a visitor wants to see of a screen.

    Attributes:
        done: whether its act is done.
        chosen: the option chosen; "" where there is no choice, or no answer yet.
        draw: how often the draws of the lesson were repeated.
        guesses: whether the visitor said yes, town by town, where a screen asks again and again.
        rounds: of such towns that were begun.
        seed: of the visitor, for towns that nobody else has.
    """

    done: bool = False
    chosen: str = ""
    draw: int = 0
    guesses: tuple[bool, ...] = ()
    rounds: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        checks.whole(0, draw=self.draw, seed=self.seed)
        checks.whole(1, rounds=self.rounds)


def session_on(truth: float, seed: int, *path: int) -> MultipleRelease:
    """A session on one number, the draws of which belong to a stream below a seed."""
    return MultipleRelease([truth], GAUSSIAN, rng=streams.teaching(seed, *path))


def number_for(session: MultipleRelease, rho: float) -> float:
    """The number of this budget."""
    return float(session.release(gaussian_level(rho, 1.0))[0])


def joint(rhos: Iterable[float], scheme: str) -> float:
    """The budget of all who compare notes, `HERE` or with separate noise (`USUAL`).

    >>> joint((0.4, 0.3), HERE), joint((0.4, 0.3), USUAL)
    (0.4, 0.7)
    """
    return float(coalition_rho(tuple(rhos), scheme).value)


def correct_guesses(rho: float) -> int:
    """How many of 1,000 guesses are right by a number of this budget, to the nearest.

    >>> correct_guesses(0.4)
    673
    """
    return round(gaussian_right_guesses(rho))


def hills_frame(rho: float | None, first: float = 0.0) -> pd.DataFrame:
    """How likely each number is around one truth, and around a truth larger by 1.

    Columns: centre, place (the number), density. Without noise each truth is one place of
    density 1.

    Args:
        rho: budget of the number; None: no noise.
        first: the smaller truth.

    Raises:
        ParameterError: `first` is not a finite number, or the budget is not positive.

    >>> hills_frame(None)["place"].tolist()
    [0.0, 1.0]
    """
    checks.finite(first=first)
    centres = (float(first), first + 1.0)
    if rho is None:
        return pd.DataFrame([(at, at, 1.0) for at in centres], columns=list(HILLS))
    level = gaussian_level(rho, 1.0)
    reach = REACH * math.sqrt(level)
    places = np.linspace(centres[0] - reach, centres[1] + reach, POINTS)
    hills = [
        pd.DataFrame({CENTRE: at, PLACE: places, DENSITY: GAUSSIAN.density(places - at, level)})
        for at in centres
    ]
    return pd.concat(hills, ignore_index=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One number that may be heard, and how likely it is either way.

    Attributes:
        rho: its budget; None: no noise.
        who: whose noise it has; "" without noise.
        said: the number.
        hills: as `hills_frame` makes them.
    """

    rho: float | None
    who: str
    said: float
    hills: pd.DataFrame

    @property
    def right(self) -> int:
        """How many of 1,000 guesses are right by it."""
        return 2 * COIN if self.rho is None else correct_guesses(self.rho)

    @property
    def points_up(self) -> bool:
        """Whether the number is nearer to the larger truth, so that one who guesses says yes."""
        return self.said > float(self.hills[CENTRE].mean())


class Both(Protocol):
    """One draw: each one's number, both ways."""

    @property
    def usual(self) -> Mapping[str, float]:
        """With noise independent of the others'."""

    @property
    def here(self) -> Mapping[str, float]:
        """From one session."""


D = TypeVar("D", bound=Both)


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene(Generic[D]):
    """A frame, the draw it shows, and what the visitor wants to see.

    Attributes:
        frame: the numbers, as `threads_frame` makes them, or what else the picture shows.
        drawn: the draw.
        settings: what the visitor wants to see.
        string: bands in which one more number may fall, as `string_frame` makes them.
    """

    frame: pd.DataFrame
    drawn: D
    settings: Settings
    string: pd.DataFrame | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Readers:
    """Who holds numbers about one truth, the sharpest first.

    Attributes:
        rho: the budget of each one's number, for a statistic that one person moves by 1.
        styles: how their numbers look.
        truth: what it is called, and the true number.
    """

    rho: Mapping[str, float]
    styles: Mapping[str, TierStyle]
    truth: tuple[str, float]

    @property
    def first(self) -> str:
        """The name of the one with the sharpest number."""
        return next(iter(self.rho))

    @property
    def alone(self) -> float:
        """The budget of the sharpest number."""
        return self.rho[self.first]

    def together(self, scheme: str) -> float:
        """The budget of all who compare notes."""
        return joint(self.rho.values(), scheme)

    def gain(self, scheme: str) -> int:
        """How many more of 1,000 guesses are right once they compare notes."""
        return correct_guesses(self.together(scheme)) - correct_guesses(self.alone)

    def pooled(self, numbers: Mapping[str, float]) -> float:
        """The best estimate from numbers with independent noise: weighted by their budgets."""
        return sum(self.rho[name] * x for name, x in numbers.items()) / sum(self.rho.values())

    def nearer(self) -> float:
        """In how many draws of 100 all together are nearer to the truth than the sharpest alone.

        Two normal errors with variances a > b and covariance b, as the pooled number is a mean of
        the sharpest and of others with independent noise: 1/2 + arcsin(√((a-b)/(a+3b)))/π.
        """
        alone, pooled = (gaussian_level(r, 1.0) for r in (self.alone, self.together(USUAL)))
        part = math.sqrt((alone - pooled) / (alone + 3 * pooled))
        return 50 + 100 * math.asin(part) / math.pi

    def mark(
        self, name: str, value: float | None = None, above: str = "", state: State = HELD
    ) -> Mark:
        """The mark of one of them, under its name and with its look and budget."""
        look = self.styles[name]
        return Mark(who=name, rho=self.rho[name], style=look, value=value, above=above, state=state)

    def report(self, blur: str, numbers: Mapping[str, float]) -> Report:
        """The number that is this far off, of these; no blur of theirs: the truth."""
        who = next((name for name, rho in self.rho.items() if pm(half_of(rho)) == blur), "")
        rho, (_, truth) = self.rho.get(who), self.truth
        hills = hills_frame(rho, truth - 1.0)
        return Report(rho=rho, who=who, said=numbers.get(who, truth), hills=hills)

    def separately(self, drawn: D, settings: Settings) -> Scene[D]:
        """Numbers with independent noise; once notes are compared, what they come to."""
        done = settings.done
        above, state = (TOGETHER, COMPARED) if done else (self.truth[0], HELD)
        marks = [self.mark(name, x, above, state) for name, x in drawn.usual.items()]
        if done:
            rho, best = self.together(USUAL), self.pooled(drawn.usual)
            marks.append(Mark(who=TOGETHER, rho=rho, style=NO_STYLE, value=best, state=LARGE))
        return Scene(frame=threads_frame(marks, self.truth), drawn=drawn, settings=settings)

    def in_one_session(self, drawn: D, settings: Settings) -> Scene[D]:
        """Numbers of one session, each hanging from the next sharper one."""
        done = settings.done
        above = dict(zip(self.rho, (self.truth[0], *self.rho), strict=False))
        marks = [self.mark(name, x, above[name]) for name, x in drawn.here.items()]
        if done:
            marks = [
                replace(mark, state=LARGE if mark.who == self.first else COMPARED) for mark in marks
            ]
        return Scene(frame=threads_frame(marks, self.truth), drawn=drawn, settings=settings)
