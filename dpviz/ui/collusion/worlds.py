"""The simulated worlds of a coalition: drawn from a public teaching stream, kept by their question.

The exact numbers of these worlds are made up (0, or 0 plus one person), so errors alone are shown
and the data is not touched. The same question always shows the same worlds.
"""

import zlib
from dataclasses import dataclass

from dpviz import checks, streams
from dpviz.experiments.attack import MOST_PERSONS, Worlds, attack_worlds
from dpviz.experiments.attack_tests import best_success, moved_by
from dpviz.noise import FAMILIES, Family
from dpviz.ui.collusion.controls import View
from dpviz.ui.kit.state import Shelf

SEED = 7  # of everything simulated here; it is public
DRAWS, WHOLE_DRAWS, MOST_WORLDS = 400_000, 60_000, 20_000  # whole-number noise takes longer
WHOLE_LEVELS = 6  # tiers with whole-number noise; each needs tables of its own


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is simulated."""

    family: str
    levels: tuple[float, ...]  # of the persons who take part, the least private first
    moved: float  # by one person, in whole steps
    worlds: int  # with the person, and as many without

    def __post_init__(self) -> None:
        checks.non_negative(moved=self.moved)
        checks.whole(1, worlds=self.worlds)
        for level in self.levels:
            checks.positive(level=level)

    @property
    def noise(self) -> Family:
        """The family of this name."""
        return FAMILIES[self.family]

    @property
    def path(self) -> int:
        """The number of the stream below `SEED` that belongs to this question."""
        return zlib.crc32(repr(self).encode())

    def success(self, *, lossless: bool) -> float:
        """Share of right guesses of the best membership test at even odds, by theory."""
        return best_success(self.noise, self.held(lossless=lossless), self.moved)

    def held(self, *, lossless: bool) -> tuple[float, ...]:
        """Levels of the releases that count: the least one alone if they are lossless."""
        return self.levels[:1] if lossless else self.levels


@dataclass(frozen=True, slots=True, eq=False)
class Attack:
    """A question and its simulated worlds."""

    question: Question
    lossless: Worlds
    independent: Worlds


_KEPT = Shelf[Attack]("collusion_attacks")


def question(shown: View) -> Question:
    """What this coalition asks: its least private persons, as many as can be simulated."""
    plan, family = shown.plan, shown.plan.setting.family
    attackers = shown.members[-WHOLE_LEVELS:] if family.integer else shown.members
    levels = [
        level for m in attackers[::-1] for level in [plan.budget(m.loss, m.delta).level] * m.joining
    ][:MOST_PERSONS]
    return Question(
        family=family.name,
        levels=tuple(sorted(levels)),
        moved=moved_by(family, plan.setting.sensitivity),
        worlds=min(MOST_WORLDS, (WHOLE_DRAWS if family.integer else DRAWS) // len(levels)),
    )


def attack(asked: Question) -> Attack:
    """Simulate, or take what was simulated for the same question."""
    return _KEPT.take(asked, lambda: _simulated(asked))


def _simulated(asked: Question) -> Attack:
    rng, family = streams.teaching(SEED, asked.path), asked.noise
    together, apart = (
        attack_worlds(family, asked.levels, asked.moved, asked.worlds, lossless=how, rng=rng)
        for how in (True, False)
    )
    return Attack(asked, together, apart)


def code(asked: Question, alarms: float, prior: float) -> str:
    """The same with the library; defines `together`, `apart`, `success` and `belief`."""
    return (
        "\nfrom dpviz import streams\nfrom dpviz.accounting import posterior_of_test\n"
        "from dpviz.experiments.attack import attack_worlds\n"
        "from dpviz.experiments.attack_tests import best_misses, best_success\n"
        "from dpviz.noise import FAMILIES\n\n"
        f"family, rng = FAMILIES[{asked.family!r}], streams.teaching({SEED}, {asked.path})\n"
        f"levels = {list(asked.levels)!r}  # of the persons, the least private first\n"
        f"moved = {asked.moved!r}  # by one person, in whole steps\n"
        "together, apart = (\n"
        f"    attack_worlds(family, levels, moved, {asked.worlds}, lossless=how, rng=rng)\n"
        "    for how in (True, False)\n)\n"
        "held = {'lossless': levels[:1], 'independent': levels}\n"
        f"success = {{s: best_success(family, some, moved) for s, some in held.items()}}\n"
        "belief = {\n"
        f"    s: posterior_of_test({prior}, {alarms}, best_misses(family, some, moved, "
        f"{alarms}))\n"
        "    for s, some in held.items()\n}\n"
        "print(together.joining, apart.joining, together.success(), apart.success())\n"
        "print(success, belief)\n"
    )
