"""What can be put on trial: coalitions of the library's sessions, and its broken copies."""

import zlib
from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction

from dpviz import checks
from dpviz.accounting import right_guesses
from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.guarantees import Setting, guarantee_of, offered
from dpviz.experiments.audit_sessions import Coalition
from dpviz.experiments.broken.table import TWINS, Game
from dpviz.noise import ADDITIVE
from dpviz.parameters import USUAL_DELTA
from dpviz.planning.cast import ASKING, amounts
from dpviz.queries import Sensitivity

OURS, BROKEN = "ours", "broken"
QUICK, LONG = 100_000, 1_000_000  # runs
ONE_COUNT = Sensitivity.bounded(1)
TRIED_AT = 1e-3  # the δ at which noise that is not pure is tried: events of it can be counted


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

    def __post_init__(self) -> None:
        checks.one_of((OURS, BROKEN), kind=self.kind)
        checks.whole(1, runs=self.runs)

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
        """Whether last binary digits are looked at: floats of teaching mode promise nothing."""
        if self.kind == BROKEN:
            return TWINS[self.name].digits
        return ADDITIVE[self.name].integer

    @property
    def settings(self) -> tuple[str, str, tuple[str, ...], int]:
        """What `jobs.trial` takes."""
        return self.kind, self.name, self.members, self.runs


def members_of(chosen: Collection[str]) -> tuple[str, ...]:
    """These tiers, in the order in which they asked."""
    return tuple(name for name in ASKING if name in chosen)


FIRST = Question(kind=OURS, name=offered()[0], members=tuple(ASKING), runs=QUICK)
BESIDE = Question(kind=BROKEN, name="fresh", members=(), runs=QUICK)  # these a visitor meets first


def ours(noise: str, members: tuple[str, ...]) -> Coalition:
    """Tiers of the cast that compare notes, all four having asked one session."""
    family = ADDITIVE[noise]
    promise = guarantee_of(family)
    setting = Setting(family=family, delta=USUAL_DELTA, sensitivity=ONE_COUNT, dimension=1)
    typed = amounts(promise.letter)
    levels = {name: promise.level(Fraction(typed[name]), setting) for name in ASKING}
    return Coalition(family, tuple(levels.values()), tuple(levels[name] for name in members))
