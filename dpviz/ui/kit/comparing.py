"""Two screens that lessons share: readers compare notes, with separate noise and in one session.

Lessons tell of them with different people: each makes a `Comparing`, and words of its own.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from dpviz.accounting import gaussian_right_guesses
from dpviz.charts.forms.guess_scale import guess_scale
from dpviz.charts.forms.picture import Picture
from dpviz.charts.forms.squares import guesses_frame
from dpviz.charts.threads import number_of, threads
from dpviz.palette import TierStyle
from dpviz.scenes.lessons import HERE, USUAL, Both, Readers, Report, Scene, correct_guesses
from dpviz.scenes.threads import half_of
from dpviz.ui.kit.lesson import Act, Choice, Link, Screen, Side, answered
from dpviz.words import capitalised, pm
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import COIN

EVEN = "yes and no equally likely before, the best method of guessing"
RIGHT_GUESSES = "Right guesses in 1,000"
COMPARE = Act(label="Compare notes", undo="Show before", icon="forum")
MORE, SAME, LESS = "More", "As much", "Less"
BY_NOTES = "by comparing notes"
BY_SEPARATE = "would be right with separate noise"
ALWAYS = replace(guess_scale(), ticks=())  # made-up people: nobody publishes so


def guess_claim(who: str, rho: float) -> Claim:
    """Why so much of 1,000 is right."""
    return Claim(
        what=f"right guesses of 1,000, {who}",
        value=gaussian_right_guesses(rho),
        fixed=EVEN,
        method="500 (1 + advantage) against Gaussian noise (MATHEMATICS 5.6); independent numbers "
        "add their budgets, numbers of one session count as the sharpest (MATHEMATICS 5.4)",
    )


def shape_of(report: Report) -> str:
    """What the two hills of a number are like, for a text that takes the picture's place."""
    return "two spikes, apart" if report.rho is None else "two hills, almost on top of each other"


D = TypeVar("D", bound=Both)


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparing(Generic[D]):
    """Readers who compare notes, and what they are called.

    Attributes:
        readers: who holds which number.
        drawn: the draw of a number.
        top: what the truth is called in a sentence, such as "her answer".
        sharpest: the one with the sharpest number in a sentence, such as "the doctor".
        whose: the same where the number is theirs, such as "the doctor’s number".
        shared: whose number is the same with separate noise and in one session, as a sentence
            begins.
        ticks: words at places of the horizontal axis.
    """

    readers: Readers
    drawn: Callable[[int], D]
    top: str
    sharpest: str
    whose: str
    shared: str
    ticks: Mapping[float, str]

    def with_separate_noise(self, title: str, deeper: Link) -> Screen:
        """Each number has noise of its own: together they know more, as one may guess."""
        return Screen(
            title=title,
            sentence=self._separate_question,
            said=self._separate_sentence,
            scene=lambda settings: self.readers.separately(self.drawn(settings.draw), settings),
            picture=self._separate_picture,
            side=self._separate_side,
            act=COMPARE,
            choice=Choice(
                label="What do you think?", options=(MORE, SAME, LESS), default="", ahead=True
            ),
            deeper=deeper,
        )

    def in_one_session(self, title: str, deeper: Link) -> Screen:
        """Each number is made from a sharper one: together they know no more, as one may guess."""
        return Screen(
            title=title,
            sentence=self._question,
            said=self._session_sentence,
            scene=lambda settings: self.readers.in_one_session(self.drawn(settings.draw), settings),
            picture=self._session_picture,
            side=self._session_side,
            act=COMPARE,
            choice=Choice(
                label="What do you think?", options=(MORE, SAME, LESS), default="", ahead=True
            ),
            deeper=deeper,
        )

    @property
    def _separate_question(self) -> str:
        return (
            "Each number has noise of its own: if all four compare notes, do they know more than "
            f"{self.sharpest}?"
        )

    def _separate_sentence(self, scene: Scene[D]) -> str:
        """The question, and its answer."""
        chosen = scene.settings.chosen
        if not scene.settings.done:
            return self._separate_question
        return answered("they know more, as separate errors partly cancel.", chosen, chosen == MORE)

    def _separate_picture(self, scene: Scene[D]) -> Picture:
        """Four threads to the truth; once notes are compared, the number they come to."""
        alone, together = (
            pm(half_of(rho)) for rho in (self.readers.alone, self.readers.together(USUAL))
        )
        done = scene.settings.done
        remark = "" if done else "four paths lead<br>to the truth"
        so = f"Together they are within {together}" if done else "Each has its own error"
        return Picture(
            threads(scene.frame, ticks=self.ticks, remark=remark),
            f"Paths run from {self.top} to four numbers. {so}; {self.whose} is within {alone}.",
        )

    def _separate_side(self, scene: Scene[D]) -> Side:
        """How much better all guess by numbers with separate noise."""
        if not scene.settings.done:
            return self._alone(f"{capitalised(self.whose)} is the sharpest of the four.")
        joint, gain, nearer = (
            self.readers.together(USUAL),
            self.readers.gain(USUAL),
            self.nearer_claim(),
        )
        return Side(
            label=f"{RIGHT_GUESSES} by all four",
            value=f"{correct_guesses(joint):,}",
            note=f"{gain} more than {self.sharpest} alone",
            worse=True,
            claims=(guess_claim("all four", joint), nearer),
            guesses=guesses_frame(self._mine(), (BY_NOTES, gain, None, False)),
            lines=(self._average(scene.drawn),),
            caption=f"In {nearer.value:.0f} draws of 100 the average is nearer than {self.whose}.",
        )

    def _average(self, drawn: D) -> str:
        """What the four come to, and whether that is nearer to the truth in this draw."""
        _, truth = self.readers.truth
        mine, all_four = (
            round(x, 1) for x in (drawn.usual[self.readers.first], self.readers.pooled(drawn.usual))
        )
        near = "nearer to" if abs(all_four - truth) < abs(mine - truth) else "no nearer to"
        return (
            "Their average, with sharper numbers counting more, is "
            f"**{literal(number_of(all_four))}**. In this draw that is "
            f"{near} the truth than {literal(number_of(mine))}."
        )

    @property
    def _question(self) -> str:
        return (
            "Each number is made from a sharper one: if all four compare notes, do they know more "
            f"than {self.sharpest}?"
        )

    def _session_sentence(self, scene: Scene[D]) -> str:
        """The question, and its answer."""
        chosen = scene.settings.chosen
        if not scene.settings.done:
            return self._question
        nothing = (
            "each number is made from a sharper one, so the four know no more than "
            f"{self.sharpest} alone."
        )
        return answered(nothing, chosen, chosen == SAME)

    def _session_picture(self, scene: Scene[D]) -> Picture:
        """One thread to the truth, and the others below it."""
        done = scene.settings.done
        remark = "" if done else "one path leads<br>to the truth"
        who = "all four together" if done else self.sharpest
        return Picture(
            threads(scene.frame, ticks=self.ticks, remark=remark),
            f"One path runs from {self.top} to {self.whose} and on to the other three, one below "
            f"the other. Within {pm(half_of(self.readers.alone))}: {who}.",
        )

    def _session_side(self, scene: Scene[D]) -> Side:
        """How much better all guess by numbers of one session: no better."""
        if not scene.settings.done:
            return self._alone(
                f"{capitalised(self.shared)} the same number as before. The others are drawn "
                "again, on one path: each is the next sharper one, plus more noise."
            )
        joint, other = (self.readers.together(scheme) for scheme in (HERE, USUAL))
        return Side(
            label=f"{RIGHT_GUESSES} by all four",
            value=f"{correct_guesses(joint):,}",
            note=f"{self.readers.gain(HERE)} more than {self.sharpest} alone",
            claims=(
                guess_claim("all four", joint),
                guess_claim("all four, with separate noise", other),
            ),
            guesses=guesses_frame(
                self._mine(), (BY_SEPARATE, self.readers.gain(USUAL), None, True)
            ),
            caption="Outlined: the guesses they would gain with separate noise, "
            f"{correct_guesses(other)} right in all. On one path they gain nothing, in any draw.",
        )

    def nearer_claim(self) -> Claim:
        """Why all together are nearer so often."""
        return Claim(
            what="draws of 100 in which all four together are nearer to the truth than "
            f"{self.sharpest}",
            value=self.readers.nearer(),
            fixed="the four numbers weighted by their budgets",
            method="the sign of a product of two normal errors: 1/2 + arcsin(correlation) / 180°",
        )

    def _alone(self, caption: str) -> Side:
        """What the sharpest guesses right alone."""
        mine = self.readers.alone
        return Side(
            label=RIGHT_GUESSES,
            value=f"{correct_guesses(mine):,}",
            note=f"{self.sharpest} alone",
            claims=(guess_claim(self.sharpest, mine),),
            guesses=guesses_frame(self._mine()),
            caption=caption,
        )

    def _mine(self) -> tuple[str, int, TierStyle | None, bool]:
        readers = self.readers
        right = correct_guesses(readers.alone) - COIN
        return f"thanks to {self.whose}", right, readers.styles[readers.first], False
