"""What the page Falsify says of a noise of the visitor's own."""

import math
from dataclasses import dataclass
from fractions import Fraction

from dpviz.lossless import LatticeLaw, SeriesLaw
from dpviz.lossless.convolution import Bet
from dpviz.ui.falsify.jobs import NoiseAnswer
from dpviz.words import join, percent, significant

MOST_DIGITS = 12
ROUNDED = Fraction(1, 1000)  # a bet that wins by less may win by the rounding of what was typed
WORKS = (
    "So it works. Draw the sharper number first and add this noise to it, or draw them in the "
    "other order by a bridge: who holds both learns what the sharper one tells."
)
FAILS = (
    "So the noisier number cannot be drawn from the sharper one by adding noise: who holds both "
    "may learn more than the sharper one tells."
)
PROOF = (
    "Why that is a proof: adding noise only moves the sharper noise about, so if that made the "
    "noisier one, no bet could pay it more."
)
EXCHANGED = "The other way round it works: the two columns have changed places."
YES = "Yes: the noisier number is the sharper one with this noise added"
NO_CHANCE = "No: what is added would need a chance below 0"
NO_BET = "No: a bet tells the two apart, whatever is added"
NO_OTHER = "No: nothing that is added turns the sharper noise into the noisier one"
OPEN = "Not decided: nothing was found that settles it"
TYPED_ROUNDED = (
    "The bet wins by very little. If the chances were rounded when they were typed, that alone can "
    "be the reason: type fractions, or more digits."
)
CHANCE_ROUNDED = (
    "That chance is below 0 by very little. If the chances were rounded when they were typed, that "
    "alone can be the reason: type fractions, or more digits."
)
CODE = (
    "In Python: `lossless.decide_noise(sharper, noisier)`; `lossless.read_noise` reads a table. "
    "Discrete Gaussian noise and mechanisms of few outcomes: `docs/notebooks/your_own_noise.py`."
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is said of an answer: above its picture, below it, to those who do not see it, and then.

    Attributes:
        heading: the answer.
        reading: what to notice.
        alt: the picture in words.
        then: what follows, and what else is to be known.
    """

    heading: str
    reading: str
    alt: str
    then: tuple[str, ...]


def of_noise(found: NoiseAnswer) -> Verdict:
    """The verdict on noise that is given by a table."""
    decision = found.decision
    more = (EXCHANGED,) if found.exchanged else ()
    if decision.added is not None:
        return _added(decision.added)
    if decision.verdict == "undecided":
        return Verdict(
            OPEN,
            "Both kinds of noise, side by side.",
            "Two kinds of noise, number by number.",
            (
                "What is not decided: whether there is a noise that makes the sharper one into the "
                "noisier. The tables go on for ever and do not divide; what would be added is too "
                "near to a chance of 0, or the tables are too long; and no bet rules it out.",
                *more,
            ),
        )
    bet = () if decision.bet is None else _rounding(decision.bet)
    if decision.negative is not None:
        place, chance = decision.negative
        bet += (CHANCE_ROUNDED,) if -chance < ROUNDED else ()
        said = (
            f"the number {place} would have to be added with a chance of {percent(float(chance))}"
        )
        return Verdict(
            NO_CHANCE,
            f"Only these chances would do, and {said}.",
            f"Bars of what would have to be added; {said}.",
            (FAILS, *more, *bet),
        )
    if decision.bet is not None:
        then = (PROOF, FAILS, *more, *bet)
        return Verdict(NO_BET, _bet(decision.bet), _bet_alt(decision.bet), then)
    if decision.hidden is not None:
        wave = significant(2 * math.pi / decision.hidden) if decision.hidden else "endless many"
        return Verdict(
            NO_OTHER,
            f"The sharper noise hides waves that are {wave} numbers long, and the noisier one "
            "shows them. Adding noise can only hide.",
            "Two kinds of noise, number by number.",
            (FAILS, *more),
        )
    return Verdict(
        NO_OTHER,
        "Both kinds of noise, side by side. A division could find what is added; it leaves a rest.",
        "Two kinds of noise, number by number.",
        (FAILS, *more),
    )


def apart(larger: Fraction, smaller: Fraction) -> tuple[str, str]:
    """Two numbers in as few digits as show that they differ.

    >>> apart(Fraction(3, 4), Fraction(20, 27))
    ('0.75', '0.741')
    """
    for digits in range(3, MOST_DIGITS):
        texts = significant(larger, digits), significant(smaller, digits)
        if texts[0] != texts[1]:
            break
    return texts


def sums(names: tuple[str, ...], found: tuple[Fraction, ...]) -> str:
    """Which chances were divided by what they add up to; nothing where all add up to 1."""
    off = [
        f"{name}: {significant(each, 4)}"
        for name, each in zip(names, found, strict=True)
        if each != 1
    ]
    return f"Divided by their sum, so that all add up to 1: {join(off)}." if off else ""


def _added(law: LatticeLaw | SeriesLaw) -> Verdict:
    best = max(range(law.first, law.last + 1), key=law.mass)
    return Verdict(
        YES,
        f"Each bar: how likely this number is added; most often it is {best}. There is no other "
        "such noise.",
        f"Bars of what is added, highest at {best}.",
        (WORKS,),
    )


def _bet(bet: Bet) -> str:
    better, worse = apart(bet.noisier, bet.sharper)
    return (
        f"The bet pays 1 where shaded, less where lighter: on average {better} under the noisier "
        f"noise, at most {worse} under the sharper one, whatever is added."
    )


def _bet_alt(bet: Bet) -> str:
    better, worse = apart(bet.noisier, bet.sharper)
    return (
        f"Two kinds of noise, number by number. A bet wins {better} under the noisier one and at "
        f"most {worse} under the other."
    )


def _rounding(bet: Bet) -> tuple[str, ...]:
    return (TYPED_ROUNDED,) if bet.noisier - bet.sharper < ROUNDED else ()
