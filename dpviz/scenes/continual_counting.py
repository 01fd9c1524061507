"""Continual counting: a made-up stream read as it comes, the visitor’s own, and how exact both are.

The made-up stream, calls to a helpline of the town, is nobody's, so its exact running count is
public; its noise is a simulation, seeded by everything that it depends on, so that a rerun and a
replay show the same numbers. `running_counts` makes the numbers; the drawer shows its source.
"""

import functools
import zlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz import streams
from dpviz.accounting.guarantees import float_below
from dpviz.accounting.laplace import laplace_sum_half_width, most_noises
from dpviz.accounting.levels import laplace_level
from dpviz.accounting.trees import Tree, vertices_used
from dpviz.counting.continual_counting import ContinualCounter
from dpviz.counting.counted_stream import CountedStream
from dpviz.data import hourly_events
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Family
from dpviz.palette import TierStyle
from dpviz.parameters import exact
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.workspace import structured
from dpviz.workspace.counting import Branching, Subject, epsilon_of, family_of
from dpviz.workspace.counting import readers as readers_of
from dpviz.workspace.guesses import CorrectGuesses, right_between, right_of_epsilon
from dpviz.workspace.held import HeldTier
from dpviz.workspace.workspace import Workspace

HOURS, OPENS = 1008, 528  # six weeks, and where the page opens
SEED = 31
STREAM = ("step", "value", "low", "high", "fresh")


def running_counts(
    counts: Sequence[int],
    readers: Sequence[tuple[str, float]],
    arity: int | None,
    subtraction: bool,
    family: Family,
    live: bool = False,
    sensitivity: int = 1,
    any_order: bool = False,
    *,
    rng: np.random.Generator,
) -> dict[str, Any]:
    """Return the noisy running counts of every reader.

    Args:
        counts: of every step.
        readers: name and ε, in the order of asking.
        arity: blocks in a larger one; None: the best number.
        subtraction: whether blocks may be taken away.
        family: of the noise.
        live: whether a counter takes one step after the other; else the stream is kept as a whole.
        sensitivity: what one person can move the counts of a whole stream by altogether.
        any_order: whether a whole stream gives the same numbers in any order of asking.
        rng: where the noise comes from.
    """
    if not live:
        stream = CountedStream(
            counts,
            arity,
            subtraction,
            sensitivity=sensitivity,
            family=family,
            rng=rng,
            any_order=any_order,
        )
        return {name: stream.release(epsilon) for name, epsilon in readers}
    budgets = [epsilon for _, epsilon in readers]
    counter = ContinualCounter(len(counts), budgets, arity, subtraction, family=family, rng=rng)
    noisy: dict[str, list[float]] = {name: [] for name, _ in readers}
    for count in counts:
        for numbers, number in zip(noisy.values(), counter.push(int(count)), strict=True):
            numbers.append(number)
    return noisy


@dataclass(frozen=True, slots=True)
class Reader:
    """A tier and the ε that it has for the whole stream, as floats and as planned."""

    name: str
    epsilon: float


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counting:
    """Everything that the pictures need of one stream.

    Attributes:
        own: whether it is the visitor's data.
        steps: T.
        labels: name of each step, or None for its number.
        moved: c, what one person can move the counts by altogether.
        counts: exact counts, only where they are public or revealed.
        tiers: who has read, with the counts of all steps that they have; most private first.
        readers: the tiers that may read, drawn or not, most private first.
        one: what is protected.
    """

    own: bool
    steps: int
    every: str
    noun: str
    labels: tuple[str, ...] | None
    tree: Tree
    family: Family
    moved: int
    counts: NDArray[np.int64] | None
    tiers: tuple[HeldTier, ...]
    readers: tuple[HeldTier, ...]
    used: NDArray[np.int64]
    one: str = "call"

    def distance(self, tier: HeldTier, step: int) -> float:
        """How far off 95 % of a tier's running counts of a step are at most."""
        used = int(self.used[step - 1])
        return laplace_sum_half_width(used, tier.level, ACCURACY_CONFIDENCE, family=self.family)

    def right(self, tier: HeldTier) -> CorrectGuesses:
        """Right guesses whether one is counted, by all that a tier reads, at most.

        One that is counted once lies in a block of each row, and moves each of them by 1.
        """
        if self.moved == 1:
            levels = [tier.level] * self.tree.height
            return right_between(self.family, 1.0, levels, tier.loss)
        return right_of_epsilon(tier.loss)

    def gains(self, tier: HeldTier, step: int) -> bool:
        """Whether separate noise is known to be wider at a step."""
        return self.naive(tier, step) > self.distance(tier, step)

    def right_naive(self, tier: HeldTier) -> CorrectGuesses:
        """The same, had each step's count been given noise by itself: one is in one of them."""
        if self.moved == 1:
            return right_between(self.family, 1.0, [laplace_level(tier.loss, 1)], tier.loss)
        return right_of_epsilon(tier.loss)

    def gives_more(self, tier: HeldTier) -> bool:
        """Whether separate noise lets guesses be right more often than the blocks do."""
        return self.right_naive(tier).value > self.right(tier).value

    def naive(self, tier: HeldTier, step: int) -> float:
        """How far off they would be, had each step's count been given noise by itself.

        0 where it is not computed: for more steps than `most_noises` of this noise.
        """
        if step > most_noises(self.family):
            return 0.0
        level = laplace_level(tier.loss, self.moved)
        return laplace_sum_half_width(step, level, ACCURACY_CONFIDENCE, family=self.family)


def counted(
    reader: Reader, style: TierStyle, level: float, values: NDArray[Any] | None = None
) -> HeldTier:
    """A tier as the frames take it."""
    return HeldTier(
        name=reader.name, level=level, letter="ε", loss=reader.epsilon, style=style, values=values
    )


def path_of(readers: tuple[Reader, ...], family_name: str, branching: Branching) -> int:
    """The number of the stream below the seed that belongs to the made-up stream."""
    return zlib.crc32(repr((readers, family_name, branching, True)).encode())


@functools.cache
def _calls() -> NDArray[np.int64]:
    """The made-up calls, hour by hour."""
    return hourly_events(HOURS)


@functools.lru_cache(maxsize=8)  # of settings alone, so drawn once for all visitors
def _example(readers: tuple[Reader, ...], family_name: str, branching: Branching) -> dict[str, Any]:
    """What the readers of the made-up stream read of it, hour by hour."""
    return running_counts(
        _calls().tolist(),
        [(reader.name, reader.epsilon) for reader in readers],
        branching.arity,
        branching.subtraction,
        ADDITIVE[family_name],
        live=True,
        rng=streams.teaching(SEED, path_of(readers, family_name, branching)),
    )


def half_widths(
    used: NDArray[np.int64], level: float, confidence: float, family: Family
) -> NDArray[np.float64]:
    """±a of each prefix sum by itself, from how many noise terms it carries; exact."""
    counts, place = np.unique(used, return_inverse=True)
    known = [laplace_sum_half_width(int(n), level, confidence, family=family) for n in counts]
    return np.array(known)[place]


def fresh_widths(
    steps: NDArray[np.int64], level: float, confidence: float, family: Family
) -> NDArray[np.float64]:
    """±a of running counts to which every step has added noise of its own; NaN if not computed.

    Exact at the last step and at 1, 2, 3, 4, 6, 8, 12 …; in between along a straight line over
    √step, less than 0.1 % off.

    Args:
        steps: from 1, ascending.
        level: scale of the noise of each step.
        confidence: of each interval by itself.
        family: of the noise.
    """
    first, last = int(steps[0]), int(steps[-1])
    known = {2**i * n for i in range(last.bit_length()) for n in (2, 3)} | {1}
    low = max((n for n in known if n <= first), default=first)
    kept = [n for n in sorted(known) if low <= n <= last] + [last]
    kept = [n for n in dict.fromkeys(kept) if n <= most_noises(family)]
    if not kept:
        return np.full(len(steps), np.nan)
    exact = [laplace_sum_half_width(n, level, confidence, family=family) for n in kept]
    beyond = np.interp(np.sqrt(steps), np.sqrt(kept), exact)
    return np.where(steps > kept[-1], np.nan, beyond)


def stream_frame(
    tier: HeldTier,
    used: NDArray[np.int64],
    family: Family,
    confidence: float,
    *,
    moved: int,
    stop: int,
) -> pd.DataFrame:
    """Noisy running counts up to a step with their intervals, columns `STREAM`.

    Args:
        tier: who holds them.
        used: as of `dpviz.accounting.trees.vertices_used`.
        family: of the noise.
        confidence: of each interval by itself.
        moved: c, what one person can move the counts by altogether.
        stop: last step.
    """
    values = np.asarray(tier.values, float)[:stop]
    half = half_widths(used[: len(values)], tier.level, confidence, family)
    steps = np.arange(1, len(values) + 1)
    fresh = fresh_widths(steps, laplace_level(tier.loss, moved), confidence, family)
    columns = (steps, values, values - half, values + half, fresh)
    return pd.DataFrame(dict(zip(STREAM, columns, strict=True)))


def of_example(ws: Workspace, branching: Branching) -> Counting:
    """Return the made-up stream, read live by the tiers of the plan."""
    tree, family = branching.tree(HOURS), family_of(ws)
    planned = {Reader(p.name, epsilon_of(p)): p for p in readers_of(ws, tree, HOURS, 1)[0]}
    read = _example(tuple(planned), family.name, branching) if planned else {}
    tiers = tuple(
        counted(one, ws.plan.style_of(one.name), p.budget.level, np.array(read[one.name]))
        for one, p in planned.items()
    )
    return Counting(
        own=False,
        steps=HOURS,
        every="hour",
        noun="calls",
        labels=None,
        tree=tree,
        family=family,
        moved=1,
        counts=_calls(),
        tiers=tiers,
        readers=tiers,
        used=vertices_used(tree, HOURS),
    )


def of_stream(ws: Workspace, own: Subject, *, revealed: bool) -> Counting:
    """Return what was drawn of the visitor's stream; exact counts only once they are revealed."""
    s, planned = own.stream, own.tiers(ws)[0]
    held = tuple(
        replace(tier, loss=float_below(exact(entry.event.budget)))  # at which it was drawn
        for tier, entry in structured.held_tiers(ws, own.asking, planned)
    )
    return Counting(
        own=True,
        steps=s.steps,
        every=s.every,
        noun=s.noun,
        labels=s.labels,
        tree=own.tree,
        family=own.family,
        moved=s.moved,
        counts=s.exact() if revealed else None,
        tiers=held,
        readers=tuple(
            counted(Reader(p.name, epsilon_of(p)), ws.plan.style_of(p.name), p.budget.level)
            for p in planned
        ),
        used=vertices_used(own.tree, s.steps),
        one=s.one,
    )
