"""Be the insurer: made-up towns, one after the other; each reports a number, and is Maria ill?

Yes and no are equally likely before, as for every "right guesses in 1,000" of the site. Towns are
invented, so the truth may be told after each guess. A seed makes all of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import stats

from dpviz import checks, streams
from dpviz.accounting import gaussian_right_guesses
from dpviz.accounting.levels import gaussian_level
from dpviz.planning.cast import ILL, KNOWN, TOWNS
from dpviz.planning.cast import RHO as TIERS
from dpviz.release import MultipleRelease
from dpviz.scenes.threads import GAUSSIAN
from dpviz.workspace.guesses import ALL

RHO = min(TIERS.values())  # the public's noise, which the screen after the game shows
HALFWAY = (ILL + KNOWN) / 2
PLACE = streams.named("be the insurer")  # below a seed, apart from sessions of its workspace
EXACT_TOWNS = 5  # of a round without noise, where nobody can be wrong for long
RIGHT, GAMES, MINE = "right", "games in 100", "mine"
SCORES = (RIGHT, GAMES, MINE)


@dataclass(frozen=True, slots=True)
class Town:
    """One town.

    Attributes:
        ill: whether Maria is.
        said: the number that it reports.
    """

    ill: bool
    said: float

    @property
    def points_up(self) -> bool:
        """Whether the best guess is "ill": the number is nearer to the count with Maria."""
        return self.said > HALFWAY


def length(rho: float | None) -> int:
    """How many towns a round has: few without noise.

    >>> length(None), length(0.1)
    (5, 20)
    """
    return EXACT_TOWNS if rho is None else TOWNS


def towns(seed: int, rho: float | None, number: int = 0) -> tuple[Town, ...]:
    """The towns of a round.

    Args:
        seed: of the visitor.
        rho: budget of each number; None: no noise.
        number: of the round, from 0.

    Raises:
        ParameterError: a number is negative or not whole, or the budget is not positive.

    >>> [(town.ill, town.said) for town in towns(7, None)[:3]]
    [(True, 312.0), (True, 312.0), (True, 312.0)]
    """
    checks.whole(0, number=number)
    ill = streams.teaching(seed, *PLACE, number, 0).integers(2, size=length(rho)).astype(bool)
    said = KNOWN + ill.astype(float)
    if rho is not None:
        session = MultipleRelease(said, GAUSSIAN, rng=streams.teaching(seed, *PLACE, number, 1))
        said = session.release(gaussian_level(rho, 1.0))
    return tuple(Town(*pair) for pair in zip(ill.tolist(), said.tolist(), strict=True))


def right_share(rho: float | None) -> float:
    """The chance that the best guess about one town is right.

    >>> right_share(None), round(right_share(0.1), 3)
    (1.0, 0.588)
    """
    return 1.0 if rho is None else gaussian_right_guesses(rho) / ALL


def best_score(played: Sequence[Town]) -> int:
    """How many of these towns the best guess gets right."""
    return sum(town.points_up == town.ill for town in played)


def scores_frame(scores: Sequence[int], share: float) -> pd.DataFrame:
    """How often each score comes up by the best guess, and how often a visitor had it.

    The number of right guesses in n towns, each right with chance p, is binomial:

        P(k) = C(n, k) pᵏ (1 − p)ⁿ⁻ᵏ

    Columns: right (k = 0 … 20), games in 100 (100 P(k)), mine (rounds with this score).

    Args:
        scores: of the visitor's rounds.
        share: the chance p.

    Raises:
        ParameterError: a score or the chance is out of range.

    >>> frame = scores_frame([12, 12], 0.5)
    >>> int(frame["mine"].sum()), round(float(frame["games in 100"].sum()), 6)
    (2, 100.0)
    """
    checks.between(0, 1, share=share)
    for score in scores:
        checks.between(0, TOWNS, score=score)
    right = np.arange(TOWNS + 1)
    mine = [scores.count(k) for k in right.tolist()]
    chances = 100 * stats.binom.pmf(right, TOWNS, share)
    return pd.DataFrame({RIGHT: right, GAMES: chances, MINE: mine})


@dataclass(frozen=True, slots=True, kw_only=True)
class Game:
    """What a visitor has played.

    Attributes:
        rho: budget of each number; None: no noise.
        towns: of all rounds that were begun.
        guesses: whether the visitor said "ill", town by town.
    """

    rho: float | None
    towns: tuple[Town, ...]
    guesses: tuple[bool, ...]

    @property
    def waits(self) -> bool:
        """Whether a town waits for a guess."""
        return len(self.guesses) < len(self.towns)

    @property
    def round(self) -> range:
        """The places of the towns of the round that is played, those that were guessed."""
        first = len(self.towns) - length(self.rho)
        return range(first, len(self.guesses))

    @property
    def hits(self) -> tuple[bool, ...]:
        """Whether each guess was right."""
        pairs = zip(self.guesses, self.towns, strict=False)
        return tuple(guess == town.ill for guess, town in pairs)

    @property
    def scores(self) -> tuple[int, ...]:
        """Right guesses of each round that is over."""
        size = length(self.rho)
        ends = range(size, len(self.guesses) + 1, size)
        return tuple(sum(self.hits[end - size : end]) for end in ends)

    @property
    def right(self) -> int:
        """Right guesses in this round."""
        return sum(self.hits[k] for k in self.round)

    @property
    def best(self) -> int:
        """What the best guess gets right in this round's towns that were guessed."""
        return best_score([self.towns[k] for k in self.round])


def game(seed: int, rho: float | None, guesses: Sequence[bool], rounds: int = 1) -> Game:
    """What a visitor has played.

    Args:
        seed: of the visitor.
        rho: budget of each number; None: no noise.
        guesses: whether the visitor said "ill", town by town.
        rounds: that were begun.

    Raises:
        ParameterError: there are more guesses than towns, or no round.
    """
    checks.whole(1, rounds=rounds)
    checks.between(0, rounds * length(rho), guesses=len(guesses))
    played = tuple(town for k in range(rounds) for town in towns(seed, rho, k))
    return Game(rho=rho, towns=played, guesses=tuple(guesses))
