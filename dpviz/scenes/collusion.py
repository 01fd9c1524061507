"""Every number of the page Collusion: what readers learn by comparing notes.

Only budgets, names and head-counts enter: they are public, and the data is not touched. Budgets
add exactly for ρ (Gaussian noise) and for pure ε; where ε comes with a δ, a sum is an upper bound
(basic composition) and the δ add as well. Attacks are simulated from a public teaching stream, on
made-up exact numbers. Where a person moves too many numbers nothing is simulated, and where even
the best test of them cannot be summed, the bound that (ε, δ) gives stands in its place.
"""

import math
import zlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from dpviz import streams
from dpviz.accounting import Stated, coalition_epsilon, coalition_rho
from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.guarantees import guarantee_of
from dpviz.accounting.loss_curves import LossDistribution
from dpviz.accounting.schemes import DOUBLING, GLOBAL, INDEPENDENT, LOSSLESS, SPLITTING, pieces
from dpviz.accounting.tradeoff import promised_advantage, promised_trade_off
from dpviz.errors import ParameterError
from dpviz.experiments.attack import MOST_PERSONS, Worlds, attack_worlds
from dpviz.experiments.attack_tests import (
    Moved,
    best_misses,
    best_success,
    can_be_summed,
    most_exposed,
    moves_of,
)
from dpviz.noise import ADDITIVE, Family
from dpviz.noise.family import NORMAL
from dpviz.palette import TierStyle
from dpviz.parameters import USUAL_DELTA, exact
from dpviz.planning.budgets import Amount, Budget, Setting, resolve
from dpviz.planning.cast import STYLES
from dpviz.planning.tiers import DEFAULT_TIERS
from dpviz.queries import Nouns, Sensitivity
from dpviz.queries.nouns import PERSON
from dpviz.scenes.jobs import SEED
from dpviz.words import after, loss_with_delta
from dpviz.workspace import account
from dpviz.workspace.guesses import ALL, CorrectGuesses, right_of_epsilon, right_of_rho
from dpviz.workspace.workspace import Workspace

Floats = NDArray[np.float64]
WAYS = (LOSSLESS, INDEPENDENT, GLOBAL, SPLITTING, DOUBLING)  # the bars of the page
SEGMENTS = ("scheme", "tier", "loss", "total")
MOST_MEMBERS = 1000  # of one tier
COUNTS = (1, 2, 3, 4, 5, 7, 10, 15, 20, 30, 50, 70, 100, 150, 200, 300, 500, 700, MOST_MEMBERS)
CROWD = ("scheme", "readers", "loss")
SUMMED = (LOSSLESS, SPLITTING, INDEPENDENT)  # schemes whose releases are independent: losses add
CELLS = 40_001  # of a distribution of losses
SELDOM = 1e-4  # rarer losses are not drawn
BASIC = "ε and δ of all releases add (basic composition)"
ONCE = Moved(((1.0, 1),))  # by one person, in the made-up town
DRAWS, WHOLE_DRAWS, MOST_WORLDS = 400_000, 60_000, 20_000  # whole-number noise takes longer
LEAST_WORLDS = 300  # fewer show nothing
WHOLE_LEVELS = 6  # tiers with whole-number noise that attack; each needs tables of its own


# --- who there is, and who compares notes ---


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """One tier: its budget, its look, and how many of its readers join in."""

    name: str
    loss: float
    style: TierStyle
    joining: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """All tiers, most private first, what their budgets refer to, and what one person moves."""

    tiers: tuple[Holder, ...]
    people: Mapping[str, int | None]  # readers of each tier, where it is known
    setting: Setting
    whole: float  # budget of the one global release
    own: bool  # the visitor’s, not the made-up town’s
    moves: tuple[Moved, ...] = (ONCE,)  # that one person can make, in steps
    unit: str = ""  # after a distance that a person moves a number by
    replaced: bool = False  # neighbours: one person in the place of another, none more or less
    nouns: Nouns = PERSON
    problems: tuple[str, ...] = ()  # which tiers are left out, and why

    @property
    def letter(self) -> str:
        """The currency of the budgets."""
        return guarantee_of(self.setting.family).letter

    @property
    def delta(self) -> float:
        """The δ of one release; 0 where budgets add exactly."""
        return self.setting.delta if guarantee_of(self.setting.family).with_delta else 0.0

    @property
    def everybody(self) -> tuple[Holder, ...]:
        """All tiers, each with all readers that are known, or one where none is."""
        return tuple(
            replace(t, joining=min(max(self.people[t.name] or 1, 1), MOST_MEMBERS))
            for t in self.tiers
        )

    def learned(self, losses: Sequence[float], scheme: str) -> Stated:
        """Joint budget of persons with these budgets under a scheme."""
        found = joint(
            losses, scheme, [t.loss for t in self.tiers], letter=self.letter, whole=self.whole
        )
        return replace(found, method=BASIC) if self.delta else found

    def words(self, loss: float, releases: int = 1) -> str:
        """A bound on the loss of some independent releases, with their δ where it needs one."""
        return loss_with_delta(self.letter, loss, min(1.0, releases * self.delta))

    def budget(self, loss: float) -> Budget:
        """The budget in every currency.

        Raises:
            ParameterError: no guarantee holds at this budget.
        """
        return resolve(self.letter, Amount(loss), self.setting)


@dataclass(frozen=True, slots=True, kw_only=True)
class Group:
    """Readers who compare notes, and how many of 1,000 guesses about one person they get right."""

    ladder: Ladder
    members: tuple[Holder, ...]  # ascending by budget
    here: CorrectGuesses  # by the numbers of one path
    apart: CorrectGuesses  # with separate noise for each

    @property
    def persons(self) -> int:
        """How many readers there are."""
        return sum(m.joining for m in self.members)

    @property
    def last(self) -> Holder:
        """The least private member."""
        return self.members[-1]

    @property
    def held(self) -> list[float]:
        """One budget per reader."""
        return persons(self.members)

    @property
    def counted(self) -> list[float]:
        """The budgets of the numbers that are guessed from."""
        return numbers_of(self.members)


def persons(members: Sequence[Holder]) -> list[float]:
    """One budget per person.

    >>> look = TierStyle(2, 0)
    >>> two = Holder(name="a", loss=0.1, style=look, joining=2)
    >>> persons([two, Holder(name="b", loss=1.0, style=look)])
    [0.1, 0.1, 1.0]
    """
    return [m.loss for m in members for _ in range(m.joining)]


def numbers_of(members: Sequence[Holder]) -> list[float]:
    """The budgets of numbers that differ: of one reader each, tiers that share one count once.

    >>> twins = [Holder(name=name, loss=0.1, style=TierStyle(2, 0)) for name in "ab"]
    >>> numbers_of(twins), numbers_of([replace(twins[0], joining=2)])
    ([0.1], [0.1, 0.1])
    """
    held = persons(members)
    return held if len(held) > len(members) else sorted(set(held))


def example() -> Ladder:
    """The cast: the tiers of every example, over a count of people of the made-up town.

    >>> [tier.loss for tier in example().tiers]
    [0.1, 0.2, 0.3, 0.4]
    """
    one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    tiers = tuple(
        Holder(name=t.name, loss=float(t.amount), style=STYLES[t.name]) for t in DEFAULT_TIERS
    )
    return Ladder(
        tiers=tiers,
        people={t.name: t.members for t in DEFAULT_TIERS},
        setting=Setting(
            family=ADDITIVE["gaussian"], delta=USUAL_DELTA, sensitivity=one, dimension=1
        ),
        whole=tiers[-1].loss,
        own=False,
    )


def plan_of(ws: Workspace) -> Ladder:
    """The visitor’s tiers, which may be no tier at all.

    >>> [tier.name for tier in plan_of(Workspace.fresh()).tiers]
    ['public', 'partners', 'research', 'audit']
    """
    query, problems = ws.statistic.query, ws.planned()[1]
    known, left_out = account.at_plan(ws, ws.known())
    tiers = tuple(
        Holder(name=p.name, loss=loss, style=ws.plan.style_of(p.name)) for p, loss in known
    )
    return Ladder(
        tiers=tiers,
        people={p.name: p.people for p, _ in known},
        setting=ws.setting,
        whole=tiers[-1].loss if tiers else 0.0,
        own=True,
        moves=moves_of(query),
        unit=after(query.noun) if query.clip is not None and query.per_value == 1 else "",
        replaced=query.bounds.relation == "replace",
        nouns=query.nouns,
        problems=(*problems[:1], *left_out),
    )


def group(ladder: Ladder, members: tuple[Holder, ...]) -> Group:
    """What these readers learn together.

    Raises:
        ParameterError: there is no member.

    >>> found = group(example(), example().tiers)
    >>> found.here.said, found.apart.said
    ('673', '760')
    """
    if not members:
        raise ParameterError("a group has at least one member; tick a tier")
    right = guesses(numbers_of(members), letter=ladder.letter, delta=ladder.delta)
    return Group(ladder=ladder, members=members, here=right[LOSSLESS], apart=right[INDEPENDENT])


# --- what they learn, scheme by scheme ---


def guesses(held: Sequence[float], *, letter: str, delta: float) -> dict[str, CorrectGuesses]:
    """Return how many of 1,000 guesses readers get right together: by one path, by separate noise.

    Args:
        held: one budget per reader.
        letter: of the budgets, "ρ" or "ε".
        delta: of each release; 0 where its budget holds without one.

    >>> [right.said for right in guesses([0.1, 0.4], letter="ρ", delta=0.0).values()]
    ['673', '691']
    """
    right = {}
    for scheme, releases in ((LOSSLESS, 1), (INDEPENDENT, len(held))):
        together = joint(held, scheme, held, letter=letter, whole=max(held)).value
        right[scheme] = (
            right_of_rho(together)
            if letter == "ρ"
            else right_of_epsilon(together, min(1.0, releases * delta))
        )
    return right


def joint(
    held: Sequence[float], scheme: str, tiers: Sequence[float], *, letter: str, whole: float
) -> Stated:
    """Return the joint budget of readers under a scheme, and the rule by which it adds up.

    >>> joint([0.1, 0.4], SPLITTING, [0.1, 0.2, 0.4], letter="ρ", whole=0.4).value
    0.3
    """
    if letter == "ρ":
        return coalition_rho(held, scheme, tiers=tiers, global_rho=whole)
    return coalition_epsilon(held, scheme, tiers=tiers, global_epsilon=whole)


def segments(found: Group) -> pd.DataFrame:
    """What each tier adds to what a group learns, under every scheme; columns `SEGMENTS`.

    Under lossless release the least private member has all of it. Under the global one, what no
    member holds alone has the tier "". A member with nothing new has no row.

    >>> segments(group(example(), example().tiers[:2])).values.tolist()[1]
    ['independent', 'public', 0.1, 0.3]
    """
    ladder, last, rows = found.ladder, found.last, []
    for scheme in WAYS:
        total, before, own = ladder.learned(found.held, scheme).value, 0.0, [(last.name, last.loss)]
        if scheme == GLOBAL and total > last.loss * (1 + 1e-9):
            own.append(("", total - last.loss))
        if scheme not in (LOSSLESS, GLOBAL):
            own = []
            for place, m in enumerate(found.members, start=1):
                stop = ladder.learned(persons(found.members[:place]), scheme).value
                if stop > before:
                    own.append((m.name, stop - before))
                before = stop
        rows += [(scheme, tier, part, total) for tier, part in own]
    return pd.DataFrame(rows, columns=list(SEGMENTS))


def crowd(ladder: Ladder, loss: float) -> pd.DataFrame:
    """What more and more readers of one tier learn together; columns `CROWD`.

    Args:
        ladder: all tiers, and the global budget.
        loss: budget of the tier.

    >>> found = crowd(example(), 0.1)
    >>> found[found["readers"] == 4].round(3).values.tolist()
    [['lossless', 4, 0.1], ['independent', 4, 0.4], ['global', 4, 0.229]]
    """
    rows = [
        (scheme, many, ladder.learned([loss] * many, scheme).value)
        for scheme in (LOSSLESS, INDEPENDENT, GLOBAL)
        for many in COUNTS
    ]
    return pd.DataFrame(rows, columns=list(CROWD))


# --- how likely each privacy loss is ---


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class CoalitionLoss:
    """How likely each privacy loss of a group is under one scheme, if the person is there."""

    scheme: str
    epsilon: float  # least one at the δ of the plan; infinite if none is kept
    law: LossDistribution

    def above(self, losses: ArrayLike) -> Floats:
        """How likely the loss is larger than each of these."""
        larger = np.append(np.cumsum(self.law.mass[::-1])[::-1], 0.0)
        found = larger[np.searchsorted(self.law.loss, losses, side="right")]
        return np.asarray(found + self.law.infinite)

    def within(self, confidence: float) -> float:
        """Least loss that is not exceeded with this probability; of a cell, its upper end."""
        kept = np.cumsum(self.law.mass) >= confidence
        if not kept.any():
            return math.inf
        shared = len(kept) > CELLS / 2  # only then does a cell hold more than one loss
        return float(self.law.loss[kept][0]) + shared * self.law.width / 2


def coalition_losses(found: Group) -> list[CoalitionLoss]:
    """How likely each loss is, under each scheme of `SUMMED` that is not too much to add up.

    Each scheme is a list of independent releases at the noise level of their budgets; every one
    moves all that the person moves, and the losses add. Exact for a person who moves exactly that;
    a mass is right to about 1e-6. Source: MATHEMATICS 5.4, 5.7.

    >>> for each in coalition_losses(group(example(), example().tiers[1:])):
    ...     print(each.scheme, round(each.epsilon, 3))
    lossless 4.306
    splitting 3.662
    independent 6.852
    """
    losses = []
    for scheme in SUMMED:
        try:
            losses.append(_loss(found, scheme))
        except ParameterError:  # no noise at a piece of a budget, or too much to add up
            continue
    return losses


def _loss(found: Group, scheme: str) -> CoalitionLoss:
    """The loss of the releases that count, each with all coordinates that move."""
    ladder, total = found.ladder, PrivacyLoss()
    of_one = guarantee_of(ladder.setting.family).coordinate_loss
    parts = pieces([exact(loss) for loss in found.held], scheme, [t.loss for t in ladder.tiers])
    for part, times in Counter(parts).items():
        level = ladder.budget(float(part)).level
        for shift, count in moved_by(found).shifts:
            total = total.compose(of_one(level, shift), times=times * count)
    epsilon = float(total.epsilon(ladder.setting.delta))
    return CoalitionLoss(scheme=scheme, epsilon=epsilon, law=total.distributions(CELLS)[1])


def chances(losses: Sequence[CoalitionLoss]) -> pd.DataFrame:
    """How likely a larger loss is than each that comes up; columns scheme, loss, chance."""
    ends = [0.0]
    for each in losses:
        mass = each.law.mass
        often = (np.cumsum(mass) > SELDOM) & (np.cumsum(mass[::-1])[::-1] > SELDOM)
        ends += each.law.loss[often].tolist()
    room = 0.05 * (max(ends) - min(ends))
    at = np.linspace(min(ends) - room, max(ends) + room, 401)
    frames = [
        pd.DataFrame({"scheme": each.scheme, "loss": at, "chance": each.above(at)})
        for each in losses
    ]
    return pd.concat(frames, ignore_index=True)


# --- the attack ---


def moved_by(found: Group) -> Moved:
    """Of all that one person can move, what shows them best in the sharpest number of the group.

    >>> moved_by(group(example(), example().tiers)).shifts
    ((1.0, 1),)
    """
    ladder = found.ladder
    return _most_exposed(
        ladder.setting.family.name, ladder.budget(found.last.loss).level, ladder.moves
    )


@lru_cache(maxsize=256)  # mathematics of public numbers
def _most_exposed(family: str, level: float, moves: tuple[Moved, ...]) -> Moved:
    return most_exposed(ADDITIVE[family], level, moves)


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """What (ε, δ) alone promises of what a group holds."""

    epsilon: float
    delta: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """What is simulated."""

    family: str
    levels: tuple[float, ...]  # of the persons who take part, the least private first
    promises: tuple[Promise, Promise]  # of the least private one; of independent releases of all
    moved: Moved  # by one person, in whole steps
    worlds: int  # with the person, and as many without; 0: too many numbers to simulate

    @property
    def noise(self) -> Family:
        """The family of this name."""
        return ADDITIVE[self.family]

    @property
    def path(self) -> int:
        """The number of the stream below `SEED` that belongs to this question."""
        return zlib.crc32(repr(self).encode())

    def exact(self, scheme: str) -> bool:
        """Whether the best test is computed; else what is said of it is a bound."""
        return can_be_summed(self.noise, self.held(scheme), self.moved)

    def right(self, scheme: str) -> CorrectGuesses:
        """Right guesses of 1,000 by the best membership test at even odds, or an upper bound."""
        if self.exact(scheme):
            share = best_success(self.noise, self.held(scheme), self.moved)
            return CorrectGuesses(value=min(ALL * share, float(ALL)))
        promise = self.promise(scheme)
        share = (1 + promised_advantage(promise.epsilon, promise.delta)) / 2
        return CorrectGuesses(value=min(ALL * share, float(ALL)), kind="at most")

    def misses(self, alarms: ArrayLike, scheme: str) -> Floats:
        """Least share of misses at each share of false alarms, or a lower bound."""
        if self.exact(scheme):
            return best_misses(self.noise, self.held(scheme), self.moved, alarms)
        promise = self.promise(scheme)
        return promised_trade_off(promise.epsilon, promise.delta, alarms)

    def held(self, scheme: str) -> tuple[float, ...]:
        """Levels of the releases that count: the least one alone if they are lossless."""
        return self.levels[:1] if scheme == LOSSLESS else self.levels

    def promise(self, scheme: str) -> Promise:
        """What (ε, δ) promises of these releases."""
        return self.promises[scheme != LOSSLESS]


def question(found: Group) -> Question:
    """What this group asks: its least private persons, as many as can be simulated.

    >>> trial = question(group(example(), example().tiers))
    >>> trial.levels, trial.worlds
    ((1.25, 1.6666666666666667, 2.5, 5.0), 20000)
    """
    ladder, family = found.ladder, found.ladder.setting.family
    attackers = found.members[-WHOLE_LEVELS:] if family.integer else found.members
    budgets = [budget for m in attackers[::-1] for budget in [ladder.budget(m.loss)] * m.joining][
        :MOST_PERSONS
    ]
    moved = moved_by(found)
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


def attack(trial: Question) -> dict[str, Worlds]:
    """Simulate both schemes; nothing where there are too many numbers.

    >>> trial = replace(question(group(example(), example().tiers)), worlds=1000)
    >>> round(attack(trial)[LOSSLESS].success(), 1)
    0.7
    """
    if not trial.worlds:
        return {}
    rng = streams.teaching(SEED, trial.path)
    return {
        scheme: attack_worlds(
            trial.noise,
            trial.levels,
            trial.moved,
            trial.worlds,
            lossless=scheme == LOSSLESS,
            rng=rng,
        )
        for scheme in (LOSSLESS, INDEPENDENT)
    }
