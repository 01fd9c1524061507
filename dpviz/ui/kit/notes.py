"""Those who hold numbers about one truth, each as blurred as it may be, and compare notes.

Lessons tell of them with different people: each makes a `Holders`, and words of its own.
"""

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import pandas as pd

from dpviz import streams
from dpviz.accounting import coalition_rho, gaussian_right_guesses
from dpviz.accounting.levels import gaussian_level
from dpviz.charts.forms.squares import guesses_frame
from dpviz.charts.threads import number_of
from dpviz.charts.threads_frame import (
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
from dpviz.charts.two_hills import hills_frame
from dpviz.palette import TierStyle
from dpviz.release import MultipleRelease
from dpviz.ui.kit.lesson import Act, Asked, Side
from dpviz.ui.kit.parts import chip
from dpviz.words import capitalised, pm
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import COIN

EVEN = "yes and no equally likely before, the best method of guessing"
SEED = 15393  # of the first draw of the cast that lessons show: see `ui.start.town`
RIGHT = "Guesses right about Maria, of 1,000"
USUAL, HERE = "independent", "lossless"
Heard = tuple[str, str, TierStyle, float, float | None]  # month, who, look, ρ, number if it came
COMPARE = Act(label="Compare notes", undo="Show before", icon="forum")
TOGETHER, SEPARATE, BY_NOTES = "together", "separate noise", "by comparing notes"
BY_SEPARATE = "by comparing notes, with separate noise"


def session_on(truth: float, seed: int, *path: int) -> MultipleRelease:
    """A session on one number, the draws of which belong to a stream below a seed."""
    return MultipleRelease([truth], GAUSSIAN, rng=streams.teaching(seed, *path))


def asked(session: MultipleRelease, rho: float) -> float:
    """The number of this budget."""
    return float(session.release(gaussian_level(rho, 1.0))[0])


def asking(heard: Iterable[Heard]) -> tuple[str, ...]:
    """Who asked when, and got which number.

    >>> "audit asks" in asking([("June", "audit", TierStyle(11, 3), 0.4, None)])[1]
    True
    """
    rows = [
        f"{month} · {chip(name, style)} "
        + ("asks" if x is None else f"**{literal(number_of(x))}**")
        + f" {pm(half_of(rho))}"
        for month, name, style, rho, x in heard
    ]
    return ("**In the order of asking**", "  \n".join(rows))


def joint(rhos: Iterable[float], scheme: str) -> float:
    """The budget of all who compare notes, `HERE` or with separate noise (`USUAL`).

    >>> joint((0.4, 0.3), HERE), joint((0.4, 0.3), USUAL)
    (0.4, 0.7)
    """
    return float(coalition_rho(tuple(rhos), scheme).value)


def right(rho: float) -> int:
    """Guesses right of 1,000, to the nearest."""
    return round(gaussian_right_guesses(rho))


def guess_claim(who: str, rho: float) -> Claim:
    """Why so much of 1,000 is right."""
    return Claim(
        what=f"right guesses of 1,000, {who}",
        value=gaussian_right_guesses(rho),
        fixed=EVEN,
        method="500 (1 + advantage) against Gaussian noise (MATHEMATICS 5.6); independent numbers "
        "add their budgets, numbers of one session count as the sharpest (MATHEMATICS 5.4)",
    )


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
    """A frame, the draw it shows, and what was asked.

    Attributes:
        frame: the numbers, as `threads_frame` makes them, or what else the picture shows.
        drawn: the draw.
        asked: what was asked.
        string: bands in which one more number may fall, as `string_frame` makes them.
    """

    frame: pd.DataFrame
    drawn: D
    asked: Asked
    string: pd.DataFrame | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """One number that may be heard, and how often it would come up either way.

    Attributes:
        rho: its budget; None: no noise.
        who: whose blur it is; "" without noise.
        said: the number.
        hills: as `hills_frame` makes them.
    """

    rho: float | None
    who: str
    said: float
    hills: pd.DataFrame

    @property
    def right(self) -> int:
        """Guesses right of 1,000 by it."""
        return 2 * COIN if self.rho is None else right(self.rho)

    @property
    def shape(self) -> str:
        """Its hills in words."""
        return "two spikes, apart" if self.rho is None else "two hills, almost on top of each other"


@dataclass(frozen=True, slots=True, kw_only=True)
class Holders(Generic[D]):
    """Who holds numbers, the sharpest first.

    Attributes:
        rho: the budget of each one's number, for a statistic that one person moves by 1.
        styles: how their numbers look.
        truth: what it is called, and the true number.
        top: what it is called in a sentence, such as "her answer".
        sharpest: the first of them in a sentence, such as "the doctor".
        shared: who has the same number with noise of their own and in one session.
        drawn: the draw of a number.
    """

    rho: Mapping[str, float]
    styles: Mapping[str, TierStyle]
    truth: tuple[str, float]
    top: str
    sharpest: str
    shared: str
    drawn: Callable[[int], D]

    @property
    def first(self) -> str:
        """The name of the one with the sharpest number."""
        return next(iter(self.rho))

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

    def together(self, scheme: str) -> float:
        """The budget of all who compare notes."""
        return joint(self.rho.values(), scheme)

    def pooled(self, numbers: Mapping[str, float]) -> float:
        """The best estimate from numbers with independent noise: weighted by their budgets."""
        return sum(self.rho[name] * x for name, x in numbers.items()) / sum(self.rho.values())

    def nearer(self) -> float:
        """In how many draws of 100 all together are nearer to the truth than the sharpest alone.

        Two normal errors with variances a > b and covariance b, as the pooled number is a mean of
        the sharpest and of others with independent noise: 1/2 + arcsin(√((a-b)/(a+3b)))/π.
        """
        alone, pooled = (1 / (2 * rho) for rho in (self.rho[self.first], self.together(USUAL)))
        part = math.sqrt((alone - pooled) / (alone + 3 * pooled))
        return 50 + 100 * math.asin(part) / math.pi

    def nearer_claim(self) -> Claim:
        """Why all together are nearer so often."""
        return Claim(
            what="draws of 100 in which all four together are nearer to the truth than "
            f"{self.sharpest}",
            value=self.nearer(),
            fixed="the four numbers weighted by their budgets",
            method="the sign of a product of two normal errors: 1/2 + arcsin(correlation) / 180°",
        )

    def usual_frame(self, asked: Asked) -> Scene[D]:
        """Numbers with independent noise; once notes are compared, what they come to."""
        made = self.drawn(asked.draw)
        above, state = (TOGETHER, COMPARED) if asked.done else (self.truth[0], HELD)
        marks = [self.mark(name, x, above, state) for name, x in made.usual.items()]
        if asked.done:
            rho, best = self.together(USUAL), self.pooled(made.usual)
            marks.append(Mark(who=TOGETHER, rho=rho, style=NO_STYLE, value=best, state=LARGE))
        return Scene(frame=threads_frame(marks, self.truth), drawn=made, asked=asked)

    def usual_alt(self, scene: Scene[D]) -> str:
        """Four threads to the truth, in words."""
        alone, all_four = (pm(half_of(rho)) for rho in (self.rho[self.first], self.together(USUAL)))
        done = scene.asked.done
        so = f"Together they are within {all_four}" if done else "Each has its own error"
        return (
            f"Threads run from {self.top} to four numbers. {so}; {self.sharpest}’s is within "
            f"{alone}."
        )

    def usual_side(self, scene: Scene[D]) -> Side:
        """How much better all guess by numbers with independent noise."""
        if not scene.asked.done:
            return self._alone("Before notes are compared: the sharpest number alone.")
        joint = self.together(USUAL)
        return Side(
            label=RIGHT,
            value=f"{right(joint):,}",
            note=f"{self._gain(joint)} more than {self.sharpest} alone",
            worse=True,
            claims=(guess_claim("all four", joint), self.nearer_claim()),
            guesses=guesses_frame(self._mine(), (BY_NOTES, self._gain(joint), None, False)),
            caption=f"In {self.nearer():.0f} draws of 100 all four together are "
            f"nearer to the truth than {self.sharpest} alone.",
        )

    def here_frame(self, asked: Asked) -> Scene[D]:
        """Numbers of one session, each hanging from the next sharper one.

        Once notes are compared there is a row without a number for separate noise.
        """
        made, done = self.drawn(asked.draw), asked.done
        above = dict(zip(self.rho, (self.truth[0], *self.rho), strict=False))
        states = dict.fromkeys(self.rho, COMPARED) | {self.first: LARGE} if done else {}
        marks = [self.mark(n, x, above[n], states.get(n, HELD)) for n, x in made.here.items()]
        if done:
            marks.append(Mark(who=SEPARATE, rho=self.together(USUAL), style=NO_STYLE))
        return Scene(frame=threads_frame(marks, self.truth), drawn=made, asked=asked)

    def here_alt(self, scene: Scene[D]) -> str:
        """One thread to the truth and the others below it, in words."""
        who = "all four together" if scene.asked.done else self.sharpest
        return (
            f"One thread runs from {self.top} to {self.sharpest}’s number; the other three hang "
            f"from it, one below the other. Within {pm(half_of(self.rho[self.first]))}: {who}."
        )

    def here_side(self, scene: Scene[D]) -> Side:
        """How much better all guess by numbers of one session: no better."""
        if not scene.asked.done:
            return self._alone(
                f"{capitalised(self.shared)} has the same number as before. The others come from "
                "the same noise: each blurrier number is the next sharper one with more noise."
            )
        joint, other = self.together(HERE), self.together(USUAL)
        return Side(
            label=RIGHT,
            value=f"{right(joint):,}",
            note=f"{self._gain(joint)} more than {self.sharpest} alone",
            claims=(
                guess_claim("all four", joint),
                guess_claim("all four, with separate noise", other),
            ),
            guesses=guesses_frame(self._mine(), (BY_SEPARATE, self._gain(other), None, True)),
            caption=f"Outlined: what comparing notes adds with separate noise, {right(other)} "
            "right in all. Here it adds nothing, in any draw.",
        )

    def _alone(self, caption: str) -> Side:
        """What the sharpest guesses right alone."""
        mine = self.rho[self.first]
        return Side(
            label=RIGHT,
            value=f"{right(mine):,}",
            note=f"{self.sharpest} alone",
            claims=(guess_claim(self.sharpest, mine),),
            guesses=guesses_frame(self._mine()),
            caption=caption,
        )

    def _gain(self, joint: float) -> int:
        return right(joint) - right(self.rho[self.first])

    def _mine(self) -> tuple[str, int, TierStyle | None, bool]:
        by = f"by the number of {self.sharpest}"
        return by, right(self.rho[self.first]) - COIN, self.styles[self.first], False
