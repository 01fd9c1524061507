"""Is the noisier noise the sharper noise plus independent noise? Decided in exact fractions.

Only then can releases be drawn in any order without loss [LMR25, Definition 1.1]. The generating
function of what is added is the quotient of those of the two laws. It is worked out exactly, and
there is at most one such quotient, so each answer comes with its proof:

    yes        the law of what is added: chances of at least 0, and sharper * added = noisier
    no         the only candidate has a negative chance, or there is no candidate at all,
               or a bet that the noisier noise wins more often than sharper noise plus anything
    undecided  laws with tails that do not divide, and partial fractions of the quotient are too
               many or too near to a tie (`partial_fractions`), and no bet was found

The bet is the dual vector of the linear program that has no solution: payoffs v(x) with

    Σ v(x) noisier(x)  >  max over all shifts c of  Σ v(x + c) sharper(x)

and a sum over fractions proves it, however the payoffs were found (by HiGHS).
Source: docs/LOSSLESS.md. [LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

import numpy as np
from scipy.optimize import linprog

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.lossless.lattice import FURTHEST, LatticeLaw, Table, chances, divided, times
from dpviz.lossless.partial_fractions import expand
from dpviz.lossless.series import SeriesLaw

Verdict = Literal["yes", "no", "undecided"]
VERDICTS = ("yes", "no", "undecided")
ROUNDINGS = (1, 2, 3, 4, 6, 8, 12, 24, 60, 120, 1000, 10**6, 10**9)  # simple payoffs first
MOST_BET_ON = 120  # numbers that a bet pays for; the program has as many columns
REACH = 40  # numbers beyond a table with tails that it pays for, or as many as there is room for


@dataclass(frozen=True, slots=True)
class Bet:
    """Payoffs that prove that no independent noise makes the sharper noise into the noisier.

    Attributes:
        first: the least number that pays.
        payoffs: from 0 to 1, of `first`, `first` + 1, …; every other number pays 0.
        noisier: what the bet pays on average under the noisier noise.
        sharper: the most that it pays under sharper noise, whatever is added to that.
    """

    first: int
    payoffs: tuple[Fraction, ...]
    noisier: Fraction
    sharper: Fraction

    def __post_init__(self) -> None:
        checks.instance(int, first=self.first)
        checks.between(-FURTHEST, FURTHEST, first=self.first)
        checks.instance(tuple, payoffs=self.payoffs)
        chances(*self.payoffs, self.noisier, self.sharper)
        if self.noisier <= self.sharper:
            raise ParameterError("a bet proves something only if the noisier noise pays more")


@dataclass(frozen=True, slots=True)
class NoiseDecision:
    """Whether the noisier noise is the sharper one plus independent noise, with the proof.

    Attributes:
        verdict: "yes", "no" or "undecided".
        added: if yes, the law of what is added; it is the only one. A `SeriesLaw` has chances that
            are no fractions.
        negative: if no, a number and its negative chance in the only candidate; None if there is
            no candidate.
        bet: if no, a bet that proves it, where one was looked for and found.
        rounded: whether the negative chance is no fraction; then it is at most what is told.
        hidden: if no, a frequency near which the noisier noise shows more than any number of times
            what the sharper one does, where that was found; from 0 to π.
    """

    verdict: Verdict
    added: LatticeLaw | SeriesLaw | None = None
    negative: tuple[int, Fraction] | None = None
    bet: Bet | None = None
    rounded: bool = False
    hidden: float | None = None

    def __post_init__(self) -> None:
        checks.one_of(VERDICTS, verdict=self.verdict)
        if self.added is not None and not isinstance(self.added, SeriesLaw):
            checks.instance(LatticeLaw, added=self.added)
        if self.bet is not None:
            checks.instance(Bet, bet=self.bet)
        if (self.added is not None) != (self.verdict == "yes"):
            raise ParameterError("added must be given if the verdict is yes, and only then")
        if self.negative is not None:
            place, chance = self.negative
            checks.instance(int, negative=place)
            checks.between(-FURTHEST, FURTHEST, negative=place)
            checks.instance(Fraction, negative=chance)
            if chance >= 0 or self.verdict != "no":
                raise ParameterError("negative must be a chance below 0, and the verdict no")
        if self.hidden is not None:
            checks.between(0, math.pi, hidden=self.hidden)

    @property
    def sentence(self) -> str:
        """The answer and its proof in plain English.

        >>> two, three = (LatticeLaw.of(dict.fromkeys(range(n), 1)) for n in (2, 3))
        >>> decide_noise(two, three).sentence
        'No: no independent noise makes the sharper noise into the noisier one. A bet proves it: \
it pays 2/3 on average under the noisier noise, and at most 1/2 under the sharper, whatever is \
added.'
        """
        if self.verdict == "yes":
            return "Yes: the noisier noise is the sharper noise plus independent noise."
        if self.verdict == "undecided":
            return (
                "Undecided: the laws go on for ever and do not divide, what would be added is too "
                "near to a chance of 0 or has too many parts, and no bet was found that rules out "
                "independent noise."
            )
        said = "No: no independent noise makes the sharper noise into the noisier one."
        if self.bet is None:
            return said + self._why()
        return (
            f"{said}{self._why()} A bet proves it: it pays {self.bet.noisier} on average under the "
            f"noisier noise, and at most {self.bet.sharper} under the sharper, whatever is added."
        )

    def _why(self) -> str:
        """What would have to be added; nothing where a bet alone proves a no."""
        if self.negative is not None:
            place, chance = self.negative
            told = f"the chance {chance}"
            if self.rounded:
                told = f"a chance of at most {float(chance):.6g}"
            return f" What is added would have to be {place} with {told}."
        if self.hidden is not None:
            return (
                f" Near the frequency {self.hidden:.4g} the noisier noise shows more than any "
                "number of times what the sharper one does, and adding noise only hides."
            )
        if self.bet is None:
            return " What would have to be added is a quotient that leaves a remainder."
        return ""


def decide_noise(sharper: LatticeLaw, noisier: LatticeLaw) -> NoiseDecision:
    """Decide whether the noisier noise is the sharper one plus independent noise.

    Raises:
        ParameterError: an argument is no `LatticeLaw`.

    >>> coin, two_coins = LatticeLaw.of({0: 1, 1: 1}), LatticeLaw.of({0: 1, 1: 2, 2: 1})
    >>> decide_noise(coin, two_coins).added
    LatticeLaw(first=0, masses=(Fraction(1, 2), Fraction(1, 2)), left=Fraction(0, 1), \
right=Fraction(0, 1))
    >>> decide_noise(two_coins, coin).verdict
    'no'
    """
    checks.instance(LatticeLaw, sharper=sharper, noisier=noisier)
    found = _candidate(sharper, noisier)
    if found is None:
        return _without_quotient(sharper, noisier)
    candidate, left, right = found
    place = min(candidate, key=lambda x: candidate[x])
    if candidate[place] < 0:
        return NoiseDecision("no", negative=(place, candidate[place]), bet=_bet(sharper, noisier))
    row = tuple(candidate[x] for x in range(min(candidate), max(candidate) + 1))
    return NoiseDecision("yes", added=LatticeLaw(min(candidate), row, left, right))


def _without_quotient(sharper: LatticeLaw, noisier: LatticeLaw) -> NoiseDecision:
    """Decide where the tables do not divide: no table is added, but powers may be."""
    if noisier.finite:  # what is added would have an end, too
        return NoiseDecision("no", bet=_bet(sharper, noisier))
    found = expand(sharper, noisier)
    if found.law is not None:
        return NoiseDecision("yes", added=found.law)
    bet = _bet(sharper, noisier)
    return NoiseDecision(
        "undecided" if bet is None and found.verdict != "no" else "no",
        negative=found.negative,
        bet=bet,
        rounded=found.negative is not None,
        hidden=found.hidden,
    )


def only_candidate(sharper: LatticeLaw, noisier: LatticeLaw) -> dict[int, Fraction] | None:
    """What would have to be added, number by number: chances that may be below 0.

    Returns:
        The table of the only candidate, without its tails; None if there is no candidate. Where its
        chances are no fractions they are rounded to 30 places, and listed as far as `decide_noise`
        looks at them.

    Raises:
        ParameterError: an argument is no `LatticeLaw`.

    >>> coin, two_coins = LatticeLaw.of({0: 1, 1: 1}), LatticeLaw.of({0: 1, 1: 2, 2: 1})
    >>> only_candidate(coin, two_coins)
    {0: Fraction(1, 2), 1: Fraction(1, 2)}
    >>> only_candidate(two_coins, coin) is None
    True
    """
    checks.instance(LatticeLaw, sharper=sharper, noisier=noisier)
    found = _candidate(sharper, noisier)
    if found is not None:
        return found[0]
    return None if noisier.finite else expand(sharper, noisier).listed


def bridge_between(first: LatticeLaw, second: LatticeLaw, apart: int) -> LatticeLaw:
    """The law of what is added first, given what is added in all: the draw between two releases.

        P(W = w) ∝ first(w) · second(apart - w)

    Args:
        first: what is added from the sharper release to the one wanted.
        second: what is added from there to the noisier release.
        apart: by how much the two held releases differ.

    Raises:
        ParameterError: an argument is of another kind, or the two cannot be `apart`.

    >>> coin = LatticeLaw.of({0: 1, 1: 1})
    >>> bridge_between(coin, coin, 1).masses
    (Fraction(1, 2), Fraction(1, 2))
    """
    checks.instance(LatticeLaw, first=first, second=second)
    checks.integer(-FURTHEST, apart=apart)
    ends = (first.first, first.last, apart - second.last, apart - second.first)
    span = range(min(ends) - 1, max(ends) + 2)
    joint = {w: first.mass(w) * second.mass(apart - w) for w in span}
    joint = {w: mass for w, mass in joint.items() if mass}
    if not joint:
        raise ParameterError(
            "these kinds of noise never add up to apart, so these are not two releases of one "
            "session; pass the difference of two releases"
        )
    # beyond both tables each step multiplies both chances
    left = first.left * second.right if span[0] in joint else 0
    right = first.right * second.left if span[-1] in joint else 0
    return LatticeLaw.of(joint, left=left, right=right)


def adds_up(sharper: LatticeLaw, added: LatticeLaw | SeriesLaw, noisier: LatticeLaw) -> bool:
    """Whether the sharper noise and what is added make the noisier noise, exactly.

    With N/D for each generating function, N_sharper·N_added·D_noisier must be
    N_noisier·D_sharper·D_added, power by power.

    Raises:
        ParameterError: an argument is no law of a table, or of a decision.

    >>> coin = LatticeLaw.of({0: 1, 1: 1})
    >>> adds_up(coin, coin, LatticeLaw.of({0: 1, 1: 2, 2: 1})), adds_up(coin, coin, coin)
    (True, False)
    """
    checks.instance(LatticeLaw, sharper=sharper, noisier=noisier)
    if not isinstance(added, SeriesLaw):
        checks.instance(LatticeLaw, added=added)
    parts = times(sharper.numerator(), added.numerator())
    below = times(sharper.denominator(), added.denominator())
    return times(parts, noisier.denominator()) == times(noisier.numerator(), below)


def _candidate(sharper: LatticeLaw, noisier: LatticeLaw) -> tuple[Table, Fraction, Fraction] | None:
    """The table and the tails of the only law that may be added; its chances may be negative.

    None if the generating functions do not divide: then finite laws have no candidate. Tails of
    one ratio cancel.
    """
    whole, tails = noisier.numerator(), []
    for mine, theirs, step in (
        (sharper.left, noisier.left, -1),
        (sharper.right, noisier.right, 1),
    ):
        if mine != theirs:
            whole = times(whole, {0: Fraction(1), step: -mine})
        tails.append(theirs if mine != theirs else Fraction(0))
    quotient, rest = divided(whole, sharper.numerator())
    left, right = tails
    return None if rest else (_expanded(quotient, left, right), left, right)


def _expanded(quotient: Table, left: Fraction, right: Fraction) -> Table:
    """The coefficients of quotient/((1 - right·z)(1 - left/z)) where the quotient has its own."""
    scale = 1 / (1 - left * right)

    def kernel(x: int) -> Fraction:
        return scale * (right**x if x >= 0 else left**-x)

    return {
        x: sum((value * kernel(x - y) for y, value in quotient.items()), Fraction(0))
        for x in range(min(quotient), max(quotient) + 1)
    }


def _bet(sharper: LatticeLaw, noisier: LatticeLaw) -> Bet | None:
    """The bet that HiGHS finds, rounded to simple payoffs and proved in fractions."""
    room = MOST_BET_ON - len(noisier.masses) - len(sharper.masses)
    if room < 0:
        return None
    pad = 0 if noisier.finite else min(REACH, room // 2)
    window = range(noisier.first - pad, noisier.last + pad + 1)
    shifts = _shifts(window, sharper)
    rows = [[float(sharper.mass(x - c)) for x in window] + [-1.0] for c in shifts]
    gain = [-float(noisier.mass(x)) for x in window] + [1.0]
    found = linprog(
        gain, A_ub=np.array(rows), b_ub=np.zeros(len(rows)), bounds=(0, 1), method="highs"
    )
    if found.x is None:
        return None
    moved = range(window[0] - shifts[-1], window[-1] - shifts[0] + 1)
    mine, theirs = _scaled(noisier, window), _scaled(sharper, moved)
    for unit in ROUNDINGS:
        paid = [round(float(v) * unit) for v in found.x[:-1]]
        won = Fraction(_paid(paid, window, mine[0], 0), unit * mine[1])
        best = max(_paid(paid, window, theirs[0], c) for c in shifts)
        if won > (most := Fraction(best, unit * theirs[1])):
            places = [place for place, payoff in enumerate(paid) if payoff]
            kept = paid[places[0] : places[-1] + 1]
            payoffs = tuple(Fraction(payoff, unit) for payoff in kept)
            return Bet(window[0] + places[0], payoffs, won, most)
    return None


def _shifts(window: range, law: LatticeLaw) -> range:
    """The numbers to add under which a bet on the window may pay most.

    Beyond them the window holds a tail alone, and each step multiplies what it pays by its ratio.
    """
    return range(window[0] - law.last, window[-1] - law.first + 1)


def _scaled(law: LatticeLaw, span: range) -> tuple[dict[int, int], int]:
    """Chances as whole numbers, and what they are parts of: sums of fractions would be slow."""
    masses = {x: law.mass(x) for x in span}
    parts = math.lcm(*(mass.denominator for mass in masses.values()))
    return {x: mass.numerator * (parts // mass.denominator) for x, mass in masses.items()}, parts


def _paid(paid: Sequence[int], window: range, masses: Mapping[int, int], shift: int) -> int:
    """What the bet pays on average if this number is added to the noise, in whole parts."""
    return sum(v * masses[x - shift] for x, v in zip(window, paid, strict=True) if v)
