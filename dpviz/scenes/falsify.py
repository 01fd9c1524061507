"""Every number of the page Falsify: noise on trial, ours beside a copy that is broken on purpose.

A made-up town is counted with Maria and without her. The auditor looks for a clue that comes more
often than the promise allows, a bet is chosen on one half of the runs and counted on the other, and
the joint law of the noise is tested. A worker loads this module to run trials, so it imports
neither pandas nor the engine of tables.
"""

import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

import numpy as np
from numpy.typing import NDArray

from dpviz import streams
from dpviz.accounting import right_guesses
from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.guarantees import Setting, guarantee_of, offered
from dpviz.experiments.audit import (
    CONFIDENCE,
    Audit,
    Counted,
    auditing,
    best_bet,
    most_allowed,
    wins,
)
from dpviz.experiments.audit_events import DIGIT, Seen
from dpviz.experiments.audit_sessions import HIDDEN, Coalition, HistogramCells
from dpviz.experiments.broken.table import TWINS, Game
from dpviz.experiments.covariance import CovarianceCheck, check_covariances, simulate_covariances
from dpviz.lossless import LatticeLaw, NoiseDecision, decide_noise, only_candidate
from dpviz.noise import ADDITIVE
from dpviz.parameters import USUAL_DELTA
from dpviz.planning.cast import ASKING, amounts
from dpviz.queries import Sensitivity
from dpviz.release import MultipleRelease
from dpviz.scenes.jobs import SEED

Floats = NDArray[np.float64]
OURS, BROKEN = "ours", "broken"
QUICK = 100_000  # runs
BOTH_ENDS = 1 - 2 * (1 - CONFIDENCE)  # confidence of four bounds, where two have `CONFIDENCE`
ONE_COUNT = Sensitivity.bounded(1)
TRIED_AT = 1e-3  # the δ at which noise that is not pure is tried: events of it can be counted
LAW_DRAWS = 80_000  # of each tier, for the test of the joint law: twenty orders of asking
AUDITED = 0.8  # of the time


# --- what is tried ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is tried, and in how many runs.

    Attributes:
        kind: `OURS` or `BROKEN`.
        name: of the noise, or of the broken copy.
        members: of a coalition of ours: tiers of the cast.
        runs: with Maria, and as many without.
    """

    kind: str
    name: str
    members: tuple[str, ...]
    runs: int

    @property
    def path(self) -> int:
        """The number of the stream below the seed that belongs to it."""
        return zlib.crc32(repr(self).encode())

    @property
    def game(self) -> Game:
        """What plays."""
        if self.kind == BROKEN:
            return TWINS[self.name].wrong
        return ours(self.name, self.members)

    @property
    def delta(self) -> float:
        """The δ at which it is tried; 0 for pure noise."""
        if self.kind == BROKEN:
            return TWINS[self.name].delta
        return 0.0 if guarantee_of(ADDITIVE[self.name]).pure else TRIED_AT

    @property
    def promised(self) -> float:
        """The ε that is promised at that δ."""
        game = TWINS[self.name].right if self.kind == BROKEN else self.game
        return game.promised_epsilon(self.delta)

    @property
    def promise(self) -> PrivacyLoss:
        """The whole loss that is promised: that of the least private number alone."""
        game = TWINS[self.name].right if self.kind == BROKEN else self.game
        return game.promised

    @property
    def guesses(self) -> float:
        """How many of 1,000 bets the promise lets anybody win at most, by its δ at ε = 0."""
        return right_guesses(min(1.0, float(self.promise.delta(0.0))))

    @property
    def digits(self) -> bool:
        """Whether last binary digits are looked at: floats of practice mode promise nothing."""
        if self.kind == BROKEN:
            return TWINS[self.name].digits
        return ADDITIVE[self.name].integer

    @property
    def settings(self) -> tuple[str, str, tuple[str, ...], int]:
        """What `trial` takes."""
        return self.kind, self.name, self.members, self.runs


def ours(noise: str, members: tuple[str, ...]) -> Coalition:
    """Tiers of the cast that compare notes, all four having asked one session.

    >>> len(ours("laplace", ("audit",)).order)
    4
    """
    family = ADDITIVE[noise]
    promise = guarantee_of(family)
    setting = Setting(family=family, delta=USUAL_DELTA, sensitivity=ONE_COUNT, dimension=1)
    typed = amounts(promise.letter)
    levels = {name: promise.level(Fraction(typed[name]), setting) for name in ASKING}
    return Coalition(family, tuple(levels.values()), tuple(levels[name] for name in members))


FIRST = Question(kind=OURS, name=offered()[0], members=tuple(ASKING), runs=QUICK)
BESIDE = Question(kind=BROKEN, name="fresh", members=(), runs=QUICK)  # these a visitor meets first


# --- a trial, and what it says ---


@dataclass(frozen=True, slots=True)
class Trial:
    """What was found: the best clue, the noise's law (None for a histogram), and the best bet."""

    audit: Audit
    law: CovarianceCheck | None
    bet: Counted


def tried(kind: str, name: str, members: tuple[str, ...], runs: int) -> Trial:
    """Return what the auditor, the test of the joint law and the best bet find out.

    >>> found = tried("broken", "copies", (), 2_000)
    >>> found.bet.runs
    1000
    """
    *_, (_, found) = trial(kind, name, members, runs)
    assert found is not None
    return found


def trial(
    kind: str, name: str, members: tuple[str, ...], runs: int
) -> Iterator[tuple[float, Trial | None]]:
    """Run the auditor, the test of the joint law and the bets; there is a result at the end only.

    Args:
        kind: of what is tried.
        name: of the noise, or of the broken copy.
        members: tiers that compare notes.
        runs: with Maria, and as many without.

    >>> [share for share, found in trial("broken", "copies", (), 2_000) if found]
    [1.0]
    """
    question = Question(kind=kind, name=name, members=members, runs=runs)
    game, rng = question.game, streams.teaching(SEED, question.path)
    for share, found in auditing(game, runs, rng=rng, delta=question.delta, digits=question.digits):
        if found is None:
            yield AUDITED * share, None
        else:
            law = law_of(game, question.path) if isinstance(game, Coalition) else None
            bets = streams.teaching(SEED, question.path, 2)
            yield 1.0, Trial(found, law, best_bet(game, runs, rng=bets, digits=question.digits))


@cache
def first(question: Question) -> Trial:
    """A trial that a visitor meets first: of settings alone, so made once for all visitors.

    >>> question = Question(kind=BROKEN, name="copies", members=(), runs=2_000)
    >>> first(question) is first(question)
    True
    """
    return tried(*question.settings)


def law_of(game: Coalition, path: int) -> CovarianceCheck:
    """Return the test of the joint law of all tiers that asked.

    >>> law_of(ours("gaussian", ("audit",)), 1).passed
    True
    """
    levels = sorted(game.order)
    rng = streams.teaching(SEED, path, 1)
    *_, sample = simulate_covariances(
        game.family, levels, LAW_DRAWS, rng=rng, open_releases=game.open_releases
    )
    return check_covariances(game.family, levels, sample)


@dataclass(frozen=True, slots=True)
class Tried:
    """A question and its trial, with all that the page says of it."""

    question: Question
    trial: Trial

    @property
    def seen(self) -> Counted:
        """The best clue."""
        return self.trial.audit.best(self.question.delta)

    @property
    def allowed(self) -> float:
        """The most that the promise lets the best clue have on the table where it is likelier."""
        return most_allowed(self.question.promise, self.seen.at_most)

    @property
    def caught(self) -> bool:
        """Whether the auditor proves more than exact noise of the promised budget can show."""
        return self.seen.at_least > self.allowed

    @property
    def law_fails(self) -> bool:
        """Whether the joint law is not the right one."""
        return self.trial.law is not None and not self.trial.law.passed

    @property
    def won(self) -> float:
        """Of 1,000 bets, as many as the best one won."""
        return 1000 * wins(self.trial.bet)

    @property
    def proved(self) -> float:
        """Of 1,000 bets, as many as the best one wins at least, with `CONFIDENCE`."""
        return 1000 * max(0.5, (1 + self.trial.bet.at_least - self.trial.bet.at_most) / 2)

    @property
    def possible(self) -> float:
        """Of 1,000 bets, as many as the best one wins at most; with `proved`, at `BOTH_ENDS`."""
        bet = self.trial.bet
        return 1000 * min(1.0, (1 + bet.likelier_at_most - bet.other_at_least) / 2)

    @property
    def breaks(self) -> bool:
        """Whether more bets are proved to be won than the promise allows."""
        return self.proved > self.question.guesses


@dataclass(frozen=True, slots=True)
class Trials:
    """Ours, and the broken copy beside it; None while a trial runs."""

    question: Question
    ours: Tried | None
    broken: Tried | None


# --- noise of the visitor's own ---


@dataclass(frozen=True, slots=True)
class NoiseAnswer:
    """Whether noise of a visitor's own works, and what would have to be added.

    Attributes:
        decision: with its proof.
        candidate: if some chances would do that are below 0, all of them by number.
    """

    decision: NoiseDecision
    candidate: tuple[tuple[int, Fraction], ...]


def noise_answer(
    sharper: LatticeLaw, noisier: LatticeLaw
) -> Iterator[tuple[float, NoiseAnswer | None]]:
    """Decide on noise; there is a result at the end only.

    Args:
        sharper: the less private noise.
        noisier: the more private noise.

    >>> one, two = LatticeLaw.of({0: 1}), LatticeLaw.of({0: 1, 1: 1})
    >>> *_, (share, found) = noise_answer(one, two)
    >>> found.decision.verdict
    'yes'
    """
    yield 0.0, None
    decision = decide_noise(sharper, noisier)
    yield 0.6, None
    candidate = only_candidate(sharper, noisier) if decision.negative is not None else None
    yield 1.0, NoiseAnswer(decision, tuple(sorted((candidate or {}).items())))


# --- the game: what its players see, two numbers a run, one dot ---

SCALES = (1.0, 2.6, 2.0)  # in the order of asking: the last two are equal in 59 % of the runs
ONCE = 2.0  # scale of a number that is asked for twice
HIDDEN_CELLS = 20_000  # of a histogram at a time
COARSE, FINE = 6.0, -60.0  # places of a last binary digit that are told apart
DOORS = ("A", "B", "C", "D")
DOTS = 500  # of each door
ROUNDS = (  # the mistakes, in the order in which they are played; neighbours look different
    *("fresh", "redraw", "copying bridge", "floats", "small"),
    *("Algorithm 6", "straight bridge", "copies", "Lemma F.5"),
)
Draws = Callable[[str, bool, int, np.random.Generator], Floats]


@dataclass(frozen=True)
class Round:
    """One round of the game: which door is broken, how, and what each drew."""

    broken: str
    twin: str
    drawn: tuple[tuple[str, Floats], ...]


def round_of(number: int) -> Round:
    """The round of this number.

    >>> made = round_of(0)
    >>> made.twin, [door for door, _ in made.drawn]
    ('fresh', ['A', 'B', 'C', 'D'])
    """
    rng = streams.teaching(SEED, number)
    broken = DOORS[int(rng.integers(len(DOORS)))]
    twin = ROUNDS[number % len(ROUNDS)]
    draws = DRAWS.get(twin, _tiers)
    drawn = [(door, draws(twin, door == broken, DOTS, rng)) for door in DOORS]
    return Round(broken, twin, tuple(drawn))


def _tiers(twin: str, broken: bool, size: int, rng: np.random.Generator) -> Floats:
    return _held(SCALES, SCALES[:0:-1], twin, broken, size, rng)


def _twice(twin: str, broken: bool, size: int, rng: np.random.Generator) -> Floats:
    return _held((ONCE,), (ONCE, ONCE), twin, broken, size, rng)


def _held(
    order: tuple[float, ...],
    held: tuple[float, ...],
    twin: str,
    broken: bool,
    size: int,
    rng: np.random.Generator,
) -> Floats:
    """Errors of two numbers of one session."""
    wrong = TWINS[twin].wrong
    opens = wrong.open_releases if broken and isinstance(wrong, Coalition) else MultipleRelease
    game = Coalition(ADDITIVE["laplace"], order, held, open_releases=opens)
    return np.asarray(game(False, size, rng=rng))


def _digits(twin: str, broken: bool, size: int, rng: np.random.Generator) -> Floats:
    """Numbers, and the place of the last binary digit of each."""
    game = TWINS[twin].wrong if broken else TWINS[twin].right
    numbers = np.asarray(game(True, size, rng=rng))
    places = Seen(DIGIT, (0,)).of(numbers).clip(FINE, COARSE)
    return np.stack([numbers[:, 0], places], axis=1)


def _shown(twin: str, broken: bool, size: int, rng: np.random.Generator) -> Floats:
    """Items that nobody has, hidden at first, shown then: how far above the threshold; the run."""
    game = TWINS[twin].wrong if broken else TWINS[twin].right
    assert isinstance(game, HistogramCells)
    found = np.empty(0)
    while found.size < size:
        values = np.asarray(game(False, HIDDEN_CELLS, rng=rng))
        late = (values[:, 0] == HIDDEN) & (values[:, 1] != HIDDEN)
        found = np.concatenate([found, values[late, 1] - game.thresholds[1]])
    return np.stack([found[:size], np.arange(1.0, size + 1)], axis=1)


DRAWS: dict[str, Draws] = {  # of the others two tiers of one session are seen
    "redraw": _twice,
    "copies": _twice,
    "floats": _digits,
    "Algorithm 6": _shown,
}
