"""What the page Continual counting looks at: the made-up stream, live or whole, and its tiers.

The made-up stream, calls to a helpline of the town, is nobody's, so its exact running count is
public; its noise is a simulation, seeded by everything that it depends on, so that a rerun and a
replay show the same numbers.
"""

import threading
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz import checks, streams
from dpviz.accounting.tree_errors import vertices_used
from dpviz.accounting.trees import Tree
from dpviz.counting.continual_counting import ContinualCounter
from dpviz.counting.counted_stream import CountedStream
from dpviz.data import hourly_events
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Family
from dpviz.palette import TierStyle, assign_styles
from dpviz.ui.kit.state import Slot, nothing
from dpviz.workspace.counting import Branching, epsilon_of, family_of
from dpviz.workspace.counting import readers as planned_readers
from dpviz.workspace.held import HeldTier
from dpviz.workspace.turns import alone
from dpviz.workspace.workspace import Workspace

HOURS, OPENS = 1008, 528  # six weeks, and where the page opens
SEED = 31


@dataclass(frozen=True, slots=True)
class Reader:
    """A tier and the ε that it has for the whole stream, as floats and as planned."""

    name: str
    epsilon: float

    def __post_init__(self) -> None:
        checks.positive(epsilon=self.epsilon)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Counting:
    """Everything that the pictures need of one stream.

    Attributes:
        own: whether it is the visitor's data.
        steps: T.
        labels: name of each step, or None for its number.
        moved: c, what one person can move the counts by altogether.
        counts: exact counts, only where they are public or revealed.
        tiers: what they have read by now; most private first.
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
    tiers: Callable[[], tuple[HeldTier, ...]]
    readers: tuple[HeldTier, ...]
    used: NDArray[np.int64]
    one: str = "call"


def counted(
    reader: Reader,
    style: TierStyle,
    level: float,
    *,
    first: int = 1,
    values: NDArray[Any] | None = None,
) -> HeldTier:
    """A tier as the frames take it."""
    return HeldTier(
        name=reader.name,
        level=level,
        letter="ε",
        loss=reader.epsilon,
        style=style,
        first=first,
        values=values,
    )


@dataclass(slots=True)
class Example:
    """The made-up stream, read live or kept whole; tiers join as it runs."""

    readers: tuple[Reader, ...]
    family_name: str
    branching: Branching
    live: bool
    joined: list[tuple[Reader, int]] = field(default_factory=list)  # and their first steps
    counts: NDArray[np.int64] = field(init=False)
    rows: list[NDArray[Any]] = field(init=False)
    mechanism: Any = field(init=False)
    lock: threading.RLock = field(default_factory=threading.RLock)  # two runs may look at once

    def __post_init__(self) -> None:
        self.counts, self.rows = hourly_events(HOURS), []
        family, rng = ADDITIVE[self.family_name], streams.teaching(SEED, self.path)
        shape = self.branching.arity, self.branching.subtraction
        if self.live:
            budgets = [r.epsilon for r in self.readers]
            self.mechanism = ContinualCounter(HOURS, budgets, *shape, family=family, rng=rng)
        else:
            self.mechanism = CountedStream(self.counts, *shape, family=family, rng=rng)
            for reader in self.readers:
                self.mechanism.release(reader.epsilon)

    @property
    def key(self) -> tuple[object, ...]:
        """Everything that the first numbers depend on."""
        return self.readers, self.family_name, self.branching, self.live

    @property
    def path(self) -> int:
        """The number of the stream below the seed that belongs to it."""
        return zlib.crc32(repr(self.key).encode())

    @property
    def everybody(self) -> list[tuple[Reader, int]]:
        """Tiers with the step that each reads from, in the order of the mechanism."""
        return [*((r, 1) for r in self.readers), *self.joined]

    @property
    def come(self) -> int:
        """How many hours the live counter has taken; of a whole stream, all."""
        return len(self.rows) if self.live else HOURS

    @alone
    def advance(self, step: int) -> None:
        """Let the live counter take the hours up to a step; hours that came stay as they are."""
        while self.live and len(self.rows) < step:
            self.rows.append(self.mechanism.push(int(self.counts[len(self.rows)])))

    @alone
    def join(self, name: str, epsilon: float) -> None:
        """Let one more tier read: from the next hour on if live, else all hours.

        Raises:
            ParameterError: the budget cannot be used, or the stream has ended.
        """
        if self.live and self.come >= HOURS:
            raise ParameterError(
                "The stream has ended, so there is no next hour to read. Choose “whole stream” to "
                "let a tier read past hours, or start the example over."
            )
        if self.live:
            self.mechanism.add_tier(epsilon)
        else:
            self.mechanism.release(epsilon)
        self.joined.append((Reader(name, epsilon), self.come + 1 if self.live else 1))

    def tiers(self, known: dict[str, TierStyle]) -> tuple[HeldTier, ...]:
        """What every tier has read by now, most private first."""
        found = []
        everybody = sorted(self.everybody, key=lambda pair: pair[0].epsilon)
        styles, _ = assign_styles(known, [reader.name for reader, _ in everybody])
        for place, (reader, first) in enumerate(self.everybody):
            level, values = self._read(place, reader, first)
            found.append(counted(reader, styles[reader.name], level, first=first, values=values))
        return tuple(sorted(found, key=lambda tier: -tier.level))

    def _read(self, place: int, reader: Reader, first: int) -> tuple[float, NDArray[Any] | None]:
        """Noise scale of a tier, and its numbers from its first step on."""
        if not self.live:
            return self.mechanism.level(reader.epsilon), self.mechanism.release(reader.epsilon)
        read = [row[place] for row in self.rows[first - 1 :]]
        return self.mechanism.levels[place], np.array(read) if read else None


_EXAMPLE = Slot[Example | None]("counting_example", nothing)


def example(ws: Workspace, branching: Branching, live: bool) -> Example | None:
    """The example for the plan in use; opened again only if what it depends on has changed."""
    tree = branching.tree(HOURS)
    readers = tuple(Reader(p.name, epsilon_of(p)) for p in planned_readers(ws, tree, HOURS, 1)[0])
    if not readers:
        return None
    fresh = (readers, family_of(ws).name, branching, live)
    kept = _EXAMPLE.get()
    if kept is None or kept.key != fresh:
        _EXAMPLE.set(kept := Example(*fresh))
    return kept


def start_over() -> None:
    """Forget who joined, and where the live counter was."""
    _EXAMPLE.pop()


def example_view(ws: Workspace, one: Example) -> Counting:
    """The example for the pictures; a tier of the plan has the look that it has everywhere."""
    styles = {r.name: ws.plan.style_of(r.name) for r in one.readers}

    def tiers() -> tuple[HeldTier, ...]:
        return one.tiers(styles)

    tree = one.branching.tree(HOURS)
    return Counting(
        own=False,
        steps=HOURS,
        every="hour",
        noun="calls",
        labels=None,
        tree=tree,
        family=ADDITIVE[one.family_name],
        moved=1,
        counts=one.counts,
        tiers=tiers,
        readers=tiers(),
        used=vertices_used(tree, HOURS),
    )
