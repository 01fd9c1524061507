"""Continual counting as a pure step: (state, count) → (noisy prefix sums, state).

A prefix sum is the running count plus the noise of the vertices that its digits name. The lowest
digit runs through all its k values before another one moves: such a run draws its k-1 vertices of
width 1 and adds them up, from the middle both ways, so that a step only looks its sum up. Between
runs the digits that roll over give up their vertices, one digit moves by one (and either takes back
a subtracted vertex or adds one), and each digit below starts again at -m with m new vertices. So
the wider vertices are a stack, widest first, and every run adds up the whole of it: nothing is ever
subtracted from a running sum, and rounding does not pile up. The sign of a vertex is fixed for good
and its noise symmetric, so the sign is dropped.

The noise of a vertex at all levels is one path of the family, drawn once. New vertices are drawn in
advance, `AHEAD` or one run's need at a time; a level that comes later extends or bridges the live
vertices in place. Limits: the state holds the running count and the noise, so it is as secret as
the data, and a state may be advanced only once: two futures of one state share their noise.
Source: [APT24] Algorithms 1 and 2; MATHEMATICS 7.1, 7.2.
[APT24] Andersson, Pagh, Torkamani, Count on Your Elders.
"""

import operator
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import Any

import numpy as np

from dpviz import checks
from dpviz.accounting.trees import Tree, chosen_tree
from dpviz.errors import DataError, ParameterError
from dpviz.noise.family import Array, Family
from dpviz.release import MultipleRelease

AHEAD = 512  # vertices drawn at a time: hides the bookkeeping of a session
MOST_ARITY = 100_000  # numbers of a run, for each tier
LARGEST = 2**53  # running counts up to here are whole numbers as floats, too

Noise = tuple[Any, ...]  # floats or whole numbers


@dataclass(frozen=True, slots=True)
class CounterPlan:
    """What does not change from step to step: `levels` ascend, `arity`, `offset` are the tree's."""

    tree: Tree
    steps: int
    family: Family
    levels: tuple[float, ...]
    arity: int
    offset: int

    def __post_init__(self) -> None:
        checks.whole(1, steps=self.steps)
        checks.whole(2, arity=self.arity)
        checks.whole(0, offset=self.offset)
        for level in self.levels:
            checks.positive(level=level)


@dataclass(slots=True, eq=False)
class _Run:
    """What does not change while the lowest digit runs from -m to k-1-m: each is made once."""

    plan: CounterPlan
    wide: tuple[Noise, ...]  # for each level, of the vertices of width k and more
    drawn: tuple[Noise, ...]  # for each level, of the k-1 vertices of width 1 and of later ones
    used: int  # where those of width 1 begin, after what older runs have used
    sums: tuple[Noise, ...]  # for each level, of the prefix sum at each of the k digits
    begins: int  # the step at which the lowest digit is -m
    last: int  # the place of the last step of the run, or of the plan


class CounterState:
    """Everything that the next step needs, O(k log T) numbers; never changed once made.

    A plain class, as its run is: a frozen record takes longer to make than the rest of a step.
    """

    __slots__ = ("place", "run", "total")

    def __init__(self, run: _Run, place: int, total: int) -> None:
        """Hold a run, the place of the lowest digit in it, and the running count."""
        self.run, self.place, self.total = run, place, total

    @property
    def plan(self) -> CounterPlan:
        """What does not change from step to step."""
        return self.run.plan

    @property
    def step(self) -> int:
        """How many counts have come."""
        return self.run.begins + self.place

    @property
    def numbers(self) -> int:
        """How many numbers are kept, over all levels, those drawn in advance included."""
        return sum(map(len, (*self.run.wide, *self.run.drawn, *self.run.sums)))


def kept_tree(steps: int, arity: int | None, subtraction: bool) -> Tree:
    """The tree of a counter, refused where its vertices would not fit into memory.

    Raises:
        ParameterError: an argument is out of range, or the arity is above MOST_ARITY.

    >>> kept_tree(10**6, None, True).arity
    18
    """
    tree = chosen_tree(steps, arity, subtraction)
    if tree.arity > MOST_ARITY:
        raise ParameterError(
            f"arity must be at most {MOST_ARITY:,} where noise is drawn, because each tier keeps "
            f"that many numbers; got {checks.told(arity)}"
        )
    return tree


def begin(
    tree: Tree, steps: int, family: Family, levels: tuple[float, ...], *, rng: np.random.Generator
) -> CounterState:
    """The state before the first count.

    Args:
        tree: high enough for `steps`.
        steps: how many counts will come at most.
        family: Laplace or discrete Laplace.
        levels: noise scales of a vertex, ascending, each once.
        rng: generator that the noise is drawn from.

    Raises:
        ParameterError: no generator, or a level that the family does not admit.
        HardenedModeError: a float family with a hardened generator.

    >>> from dpviz import streams
    >>> from dpviz.noise import FAMILIES
    >>> rng = streams.teaching(7)
    >>> state = begin(Tree(3, 2, True), 4, FAMILIES["laplace"], (2.0, 20.0), rng=rng)
    >>> state.step, state.total
    (0, 0)
    """
    plan = CounterPlan(tree, steps, family, levels, tree.arity, tree.offset)
    none: tuple[Noise, ...] = ((),) * len(levels)
    return _at_step(_run(plan, 0, none, none, 0, 0, rng=rng), 0, 0)


def advance(
    state: CounterState, count: int, *, rng: np.random.Generator
) -> tuple[list[Any], CounterState]:
    """Take one more count.

    Args:
        state: where the stream is; use each state once.
        count: of this step, a whole number of at least 0.
        rng: generator that new vertices are drawn from.

    Returns:
        The noisy prefix sum at each level of the plan, and the next state.

    Raises:
        DataError: the count is not a whole number of at least 0, or the sum is too large.
        ParameterError: all steps have been taken.

    >>> from dpviz import streams
    >>> from dpviz.noise import FAMILIES
    >>> tree, rng = Tree(3, 2, True), streams.teaching(7)
    >>> state = begin(tree, 4, FAMILIES["discrete_laplace"], (2.0, 20.0), rng=rng)
    >>> for count in (5, 0, 3, 1):
    ...     noisy, state = advance(state, count, rng=rng)
    ...     print(state.total, noisy)
    5 [9, 5]
    5 [5, -23]
    8 [7, -3]
    9 [8, 5]
    """
    run, place, total = state.run, state.place + 1, state.total
    total += count if type(count) is int and count >= 0 else _checked(count)
    if place > run.last or total > LARGEST:
        run, place = _next_run(run, total, rng=rng), 0
    sums = run.sums
    noisy = [total + sums[0][place]] if len(sums) == 1 else [total + each[place] for each in sums]
    return noisy, CounterState(run, place, total)


def _next_run(run: _Run, total: int, *, rng: np.random.Generator) -> _Run:
    """The run that follows, or a refusal."""
    if total > LARGEST:
        raise DataError("counts must add up to at most 2**53; count in larger units")
    plan, step = run.plan, run.begins + run.last + 1
    if step > plan.steps:
        raise ParameterError(
            f"all {plan.steps} steps of this counter are taken; open one for more steps"
        )
    most_negative = plan.tree.most_negative
    rest, digit = divmod((step + plan.offset) // plan.arity, plan.arity)
    rolled = 0  # digits above the lowest that roll over too
    while not digit:
        rest, digit = divmod(rest, plan.arity)
        rolled += 1
    wanted, given_up = rolled * most_negative, rolled * (plan.arity - 1 - most_negative)
    if digit > most_negative:
        wanted += 1
    else:
        given_up += 1
    kept = len(run.wide[0]) - given_up
    unused = run.used + plan.arity - 1
    wide = [old[:kept] for old in run.wide]
    return _run(plan, step, wide, run.drawn, unused, wanted, rng=rng)


def _run(
    plan: CounterPlan,
    step: int,
    wide: Iterable[Noise],
    drawn: tuple[Noise, ...],
    unused: int,
    added: int,
    *,
    rng: np.random.Generator,
) -> _Run:
    """The run of this step over these wide vertices and `added` new ones.

    Its sums go down and up from the digit 0.
    """
    wanted = added + plan.arity - 1
    if len(drawn[0]) - unused < wanted:
        drawn, unused = _with_more(plan, drawn, unused, wanted, rng=rng), 0
    first, end = unused + added, unused + wanted
    middle = first + plan.tree.most_negative
    held, sums = [], []
    for old, new in zip(wide, drawn, strict=True):
        whole = old + new[unused:first]
        start = sum(whole)
        down = [*accumulate(new[first:middle][::-1], initial=start)]
        sums.append((*down[:0:-1], *accumulate(new[middle:end], initial=start)))
        held.append(whole)
    begins = step - (step + plan.offset) % plan.arity
    last = min(plan.arity - 1, plan.steps - begins)
    return _Run(plan, tuple(held), drawn, first, tuple(sums), begins, last)


def _at_step(run: _Run, step: int, total: int) -> CounterState:
    """The state in which this many counts of the run have come."""
    return CounterState(run, step - run.begins, total)


def with_level(state: CounterState, level: float, *, rng: np.random.Generator) -> CounterState:
    """The state with one more level, which counts from the next step on.

    The noise of every live vertex, and of those drawn in advance, is extended or bridged, so it has
    the law of a path that held this level from the start.

    Args:
        state: where the stream is; it must not be used again.
        level: noise scale of a vertex.
        rng: generator that the noise is drawn from.

    Returns:
        The next state; the same one if the level is held.

    Raises:
        ParameterError: the family does not admit the level.

    Source: MATHEMATICS 1.2.

    >>> from dpviz import streams
    >>> from dpviz.noise import FAMILIES
    >>> rng = streams.teaching(7)
    >>> state = begin(Tree(3, 2, True), 4, FAMILIES["laplace"], (2.0, 20.0), rng=rng)
    >>> with_level(state, 5.0, rng=rng).plan.levels
    (2.0, 5.0, 20.0)
    """
    run, plan = state.run, state.plan
    if level in plan.levels:
        return state
    place = bisect_left(plan.levels, level)
    live = [old + new[run.used :] for old, new in zip(run.wide, run.drawn, strict=True)]
    drawn = tuple(_between(plan, live, place, level, rng=rng).tolist())
    columns = (*live[:place], drawn, *live[place:])
    plan = replace(plan, levels=(*plan.levels[:place], level, *plan.levels[place:]))
    height = len(run.wide[0])
    wide, narrow = (tuple(c[:height] for c in columns), tuple(c[height:] for c in columns))
    run = _run(plan, state.step, wide, narrow, 0, 0, rng=rng)
    return _at_step(run, state.step, state.total)


def _between(
    plan: CounterPlan, live: list[Noise], place: int, level: float, *, rng: np.random.Generator
) -> Array:
    """Noise of live vertices at a level that is not held, given theirs at the held ones."""
    dtype = np.int64 if plan.family.integer else np.float64
    below, low = np.zeros(len(live[0]), dtype), 0.0
    if place:
        below, low = np.array(live[place - 1], dtype), plan.levels[place - 1]
    if place == len(plan.levels):
        return plan.family.extend(below, low, level, rng=rng)
    above = np.array(live[place], dtype)
    return plan.family.bridge(below, above, low, level, plan.levels[place], rng=rng)


def _with_more(
    plan: CounterPlan,
    drawn: tuple[Noise, ...],
    unused: int,
    wanted: int,
    *,
    rng: np.random.Generator,
) -> tuple[Noise, ...]:
    """Noise of what is unused and of at least as many new vertices as wanted, at every level."""
    zeros = np.zeros(max(AHEAD, wanted), dtype=np.int64)
    session = MultipleRelease(zeros, plan.family, rng=rng)
    return tuple(
        column[unused:] + tuple(session.release(level).tolist())
        for column, level in zip(drawn, plan.levels, strict=True)
    )


def _checked(count: int) -> int:
    """The count; never named in a refusal."""
    try:
        if isinstance(count, bool | np.bool_):
            raise TypeError
        number = operator.index(count)
    except TypeError:
        raise DataError(
            "a count must be a whole number such as 3; round or clean it first"
        ) from None
    if number < 0:
        raise DataError("a count must be at least 0; clean it first, for example set it to 0")
    return number
