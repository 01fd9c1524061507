"""The simulated worlds of a coalition: drawn from a public teaching stream, kept by their question.

The exact numbers of these worlds are made up (0, or 0 plus one person), so errors alone are shown
and the data is not touched. The same question always shows the same worlds. Where a person moves
too many numbers, nothing is simulated; where even the best test of them cannot be summed, the bound
that (ε, δ) gives stands in its place, and says so.
"""

import math
import zlib
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from dpviz import checks, streams
from dpviz.accounting.tradeoff import promised_advantage, promised_trade_off
from dpviz.experiments.attack import MOST_PERSONS, Worlds, attack_worlds
from dpviz.experiments.attack_tests import (
    best_misses,
    best_success,
    can_be_summed,
    most_exposed,
)
from dpviz.experiments.moved import Moved
from dpviz.noise import ADDITIVE, Family
from dpviz.noise.family import NORMAL
from dpviz.ui.collusion.controls import View
from dpviz.ui.kit.state import Shelf
from dpviz.workspace.guesses import ALL, Right

SEED = 7  # of everything simulated here; it is public
DRAWS, WHOLE_DRAWS, MOST_WORLDS = 400_000, 60_000, 20_000  # whole-number noise takes longer
LEAST_WORLDS = 300  # fewer show nothing
WHOLE_LEVELS = 6  # tiers with whole-number noise; each needs tables of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What (ε, δ) alone promises of what a coalition holds."""

    epsilon: float
    delta: float

    def __post_init__(self) -> None:
        checks.non_negative(epsilon=self.epsilon)
        checks.between(0, 1, delta=self.delta)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is simulated."""

    family: str
    levels: tuple[float, ...]  # of the persons who take part, the least private first
    promises: tuple[Promise, Promise]  # of the least private one; of independent releases of all
    moved: Moved  # by one person, in whole steps
    worlds: int  # with the person, and as many without; 0: too many numbers to simulate

    def __post_init__(self) -> None:
        checks.whole(0, worlds=self.worlds)
        for level in self.levels:
            checks.positive(level=level)

    @property
    def noise(self) -> Family:
        """The family of this name."""
        return ADDITIVE[self.family]

    @property
    def path(self) -> int:
        """The number of the stream below `SEED` that belongs to this question."""
        return zlib.crc32(repr(self).encode())

    def exact(self, *, lossless: bool) -> bool:
        """Whether the best test is computed; else what is said of it is a bound."""
        return can_be_summed(self.noise, self.held(lossless=lossless), self.moved)

    def success(self, *, lossless: bool) -> float:
        """Share of right guesses of the best membership test at even odds, or an upper bound."""
        if self.exact(lossless=lossless):
            return best_success(self.noise, self.held(lossless=lossless), self.moved)
        promise = self.promise(lossless=lossless)
        return (1 + promised_advantage(promise.epsilon, promise.delta)) / 2

    def right(self, *, lossless: bool) -> Right:
        """Right guesses of 1,000 by that test."""
        return Right(
            value=min(ALL * self.success(lossless=lossless), float(ALL)),
            kind="exact" if self.exact(lossless=lossless) else "at most",
        )

    def misses(self, alarms: ArrayLike, *, lossless: bool) -> NDArray[np.float64]:
        """Least share of misses at each share of false alarms, or a lower bound."""
        if self.exact(lossless=lossless):
            return best_misses(self.noise, self.held(lossless=lossless), self.moved, alarms)
        promise = self.promise(lossless=lossless)
        return promised_trade_off(promise.epsilon, promise.delta, alarms)

    def held(self, *, lossless: bool) -> tuple[float, ...]:
        """Levels of the releases that count: the least one alone if they are lossless."""
        return self.levels[:1] if lossless else self.levels

    def promise(self, *, lossless: bool) -> Promise:
        """What (ε, δ) promises of these releases."""
        return self.promises[0 if lossless else 1]


@dataclass(frozen=True, slots=True, eq=False)
class Attack:
    """A question and its simulated worlds; None where nothing was simulated."""

    question: Question
    lossless: Worlds | None
    independent: Worlds | None


_KEPT = Shelf[Attack]("collusion_attacks")
_MOVED = Shelf[Moved]("collusion_moved")


def moved_at(shown: View, level: float) -> Moved:
    """Of all that one person can really move, what shows them best in a release at this level."""
    family = shown.plan.setting.family
    asked = family.name, level, shown.moves
    return _MOVED.take(asked, lambda: most_exposed(family, level, shown.moves))


def question(shown: View) -> Question:
    """What this coalition asks: its least private persons, as many as can be simulated."""
    plan, family = shown.plan, shown.plan.setting.family
    attackers = shown.members[-WHOLE_LEVELS:] if family.integer else shown.members
    budgets = [budget for m in attackers[::-1] for budget in [plan.budget(m.loss)] * m.joining][
        :MOST_PERSONS
    ]
    moved = moved_at(shown, budgets[0].level)
    draws = (WHOLE_DRAWS if family.integer else DRAWS) // len(budgets)
    if family.shape == NORMAL and moved.count * LEAST_WORLDS > draws:
        moved = Moved(((moved.l2, 1),))  # noise alike in all directions: as hard to find
    worlds = min(MOST_WORLDS, draws // moved.count)
    together = Promise(
        epsilon=math.fsum(b.epsilon for b in budgets),
        delta=min(math.fsum(b.delta for b in budgets), 1.0),
    )
    return Question(
        family=family.name,
        levels=tuple(sorted(b.level for b in budgets)),
        promises=(Promise(epsilon=budgets[0].epsilon, delta=budgets[0].delta), together),
        moved=moved,
        worlds=worlds if worlds >= LEAST_WORLDS else 0,
    )


def attack(asked: Question) -> Attack:
    """Simulate, or take what was simulated for the same question."""
    return _KEPT.take(asked, lambda: _simulated(asked))


def _simulated(asked: Question) -> Attack:
    if not asked.worlds:
        return Attack(asked, None, None)
    rng, family = streams.teaching(SEED, asked.path), asked.noise
    together, apart = (
        attack_worlds(family, asked.levels, asked.moved, asked.worlds, lossless=how, rng=rng)
        for how in (True, False)
    )
    return Attack(asked, together, apart)


def code(asked: Question, alarms: float, prior: float) -> str:
    """The same with the library; defines `success`, `belief`, and `together` and `apart`."""
    names = {True: "lossless", False: "independent"}
    right, missed = [], []
    for lossless, name in names.items():
        held = f"{list(asked.held(lossless=lossless))!r}"
        promise = asked.promise(lossless=lossless)
        bound = f"{promise.epsilon!r}, {promise.delta!r}"
        exact = asked.exact(lossless=lossless)
        right.append(
            f"    {name!r}: best_success(family, {held}, moved),\n"
            if exact
            else f"    {name!r}: (1 + promised_advantage({bound})) / 2,  # a bound\n"
        )
        missed.append(
            f"    {name!r}: best_misses(family, {held}, moved, {alarms}),\n"
            if exact
            else f"    {name!r}: promised_trade_off({bound}, {alarms}),  # a bound\n"
        )
    return (
        "\nfrom dpviz import streams\n"
        "from dpviz.accounting.tradeoff import (\n"
        "    posterior_of_test,\n    promised_advantage,\n    promised_trade_off,\n)\n"
        "from dpviz.experiments.attack import attack_worlds\n"
        "from dpviz.experiments.attack_tests import best_misses, best_success\n"
        "from dpviz.experiments.moved import Moved\n"
        "from dpviz.noise import FAMILIES\n\n"
        f"family, moved = FAMILIES[{asked.family!r}], {asked.moved!r}  # in whole steps\n"
        f"success = {{\n{''.join(right)}}}\nmissed = {{\n{''.join(missed)}}}\n"
        f"belief = {{s: posterior_of_test({prior}, {alarms}, m) for s, m in missed.items()}}\n"
        "print(success, belief)\n" + _worlds_code(asked)
    )


def _worlds_code(asked: Question) -> str:
    if not asked.worlds:
        return ""
    return (
        f"rng = streams.teaching({SEED}, {asked.path})\n"
        f"levels = {list(asked.levels)!r}  # of the persons, the least private first\n"
        "together, apart = (\n"
        f"    attack_worlds(family, levels, moved, {asked.worlds}, lossless=how, rng=rng)\n"
        "    for how in (True, False)\n)\n"
        "print(together.joining, apart.joining, together.success(), apart.success())\n"
    )
