"""Those who hold numbers about one truth, each as blurred as it may be, and compare notes.

Lessons tell of them with different people: each makes a `Holders`, and words of its own.
"""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import pandas as pd

from dpviz import streams
from dpviz.accounting import coalition_rho, gaussian_right_guesses
from dpviz.accounting.levels import gaussian_level
from dpviz.charts.guesses import guesses_frame
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
from dpviz.palette import TierStyle
from dpviz.release import MultipleRelease
from dpviz.ui.kit.lesson import Side
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
TOGETHER, USUAL_WAY, BY_NOTES = "together", "usual way", "by comparing notes"


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
    """The budget of all who compare notes, `HERE` or the `USUAL` way.

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Holders:
    """Who holds numbers, the sharpest first.

    Attributes:
        rho: the budget of each one's number, for a statistic that one person moves by 1.
        styles: how their numbers look.
        truth: what it is called, and the true number.
        sharpest: the first of them in a sentence, such as "the doctor".
        shared: who has the same number with noise of their own and in one session.
    """

    rho: Mapping[str, float]
    styles: Mapping[str, TierStyle]
    truth: tuple[str, float]
    sharpest: str
    shared: str

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

    def usual(self, numbers: Mapping[str, float], *, compared: bool) -> pd.DataFrame:
        """Numbers with independent noise; once notes are compared, what they come to."""
        above, state = (TOGETHER, COMPARED) if compared else (self.truth[0], HELD)
        marks = [self.mark(name, x, above, state) for name, x in numbers.items()]
        if compared:
            rho, best = self.together(USUAL), self.pooled(numbers)
            marks.append(Mark(who=TOGETHER, rho=rho, style=NO_STYLE, value=best, state=LARGE))
        return threads_frame(marks, self.truth)

    def here(self, numbers: Mapping[str, float], *, compared: bool) -> pd.DataFrame:
        """Numbers of one session, each hanging from the next sharper one.

        Once notes are compared there is a row without a number for the usual way.
        """
        above = dict(zip(self.rho, (self.truth[0], *self.rho), strict=False))
        states = dict.fromkeys(self.rho, COMPARED) | {self.first: LARGE} if compared else {}
        marks = [self.mark(n, x, above[n], states.get(n, HELD)) for n, x in numbers.items()]
        if compared:
            marks.append(Mark(who=USUAL_WAY, rho=self.together(USUAL), style=NO_STYLE))
        return threads_frame(marks, self.truth)

    def usual_side(self, *, compared: bool) -> Side:
        """How much better all guess by numbers with independent noise."""
        if not compared:
            mine = f"what the sharpest number adds, that of {self.sharpest}"
            return self._alone(f"Grey: what a coin gets right. In colour: {mine}.")
        joint = self.together(USUAL)
        return Side(
            label=RIGHT,
            value=f"{right(joint):,}",
            note=f"{self._gain(joint)} more than {self.sharpest} alone",
            worse=True,
            claims=(guess_claim("all four", joint), self.nearer_claim()),
            guesses=guesses_frame(self._mine(), (BY_NOTES, self._gain(joint), None, False)),
            caption=f"The last squares: what comparing notes adds. In {self.nearer():.0f} draws of "
            f"100 all four together are nearer to the truth than {self.sharpest} alone.",
        )

    def here_side(self, *, compared: bool) -> Side:
        """How much better all guess by numbers of one session: no better."""
        if not compared:
            return self._alone(
                f"{capitalised(self.shared)} has the same number as before. The others come from "
                "the same noise: each blurrier number is the next sharper one with more noise."
            )
        joint, other = self.together(HERE), self.together(USUAL)
        return Side(
            label=RIGHT,
            value=f"{right(joint):,}",
            note=f"{self._gain(joint)} more than {self.sharpest} alone",
            claims=(guess_claim("all four", joint), guess_claim("all four, the usual way", other)),
            guesses=guesses_frame(self._mine(), (BY_NOTES, self._gain(other), None, True)),
            caption=f"Outlined: what comparing notes adds the usual way, {right(other)} right in "
            "all. Here it adds nothing, in any draw.",
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
