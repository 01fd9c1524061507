"""Sparse histograms: which items of a long list each tier sees, and which of them noise made up.

`releases` draws them; the drawer of the page shows its source. The made-up town is a session of its
own, never in the workspace's ledger, and its counts are public. Those of a visitor's column are in
the scene only once they are revealed.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from dpviz import checks, streams
from dpviz.data import typed_diagnoses
from dpviz.parameters import USUAL_DELTA
from dpviz.planning.budgets import Setting
from dpviz.queries import ItemCounts, Nouns, Sensitivity, Words
from dpviz.queries.item_names import Coding
from dpviz.queries.nouns import PERSON
from dpviz.sparse import SparseHistogram
from dpviz.workspace.sessions import Asking
from dpviz.workspace.sparse import GAUSSIAN, ItemTier, Released, Subject, Wanted, tiers_at
from dpviz.workspace.workspace import Workspace

LONGEST = 8  # letters of an answer of the made-up town
SEED = 39  # with 7 noise makes up eight items at audit, where five are expected; here five
CODING = Words(LONGEST)
TOWN_SETTING = Setting(
    family=GAUSSIAN,
    delta=USUAL_DELTA,
    sensitivity=Sensitivity(l0=1, l1=1, l2=1, linf=1),
    dimension=CODING.size,
)
Items = tuple[NDArray[np.int64], NDArray[np.int64]]  # indices, counts


def releases(
    items: "Items",
    size: int,
    l2: float,
    asked: Sequence[tuple[float, float]],
    *,
    rng: np.random.Generator,
) -> list["Released"]:
    """Return the items, with noisy counts, that each tier sees.

    Args:
        items: indices and counts of the items that there are. Not private.
        size: how many there could be.
        l2: how far one person moves the counts.
        asked: ρ and threshold of each release, in the order of asking.
        rng: generator of the noise.

    >>> items = np.array([3, 8]), np.array([900, 1])
    >>> ((found, _),) = releases(items, 10**9, 1.0, [(0.5, 30.0)], rng=streams.teaching(7))
    >>> found.tolist()
    [3]
    """
    histogram = SparseHistogram(*items, size, l2_sensitivity=l2, rng=rng)
    return [histogram.release(rho, threshold) for rho, threshold in asked]


@dataclass(slots=True)
class Town:
    """Made-up people, each of whom types one diagnosis: 100 different ones are typed at all."""

    again: int = 0
    items: Items = field(init=False)
    histogram: SparseHistogram = field(init=False)

    def __post_init__(self) -> None:
        checks.whole(0, again=self.again)
        typed, counts = typed_diagnoses()
        self.items = np.array([CODING.index(name) for name in typed], dtype=np.int64), counts
        self.histogram = SparseHistogram(
            *self.items,
            CODING.size,
            l2_sensitivity=1.0,
            rng=streams.teaching(SEED, 1, self.again),
        )


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Histogram:
    """One sparse histogram with all that the page says of it."""

    tiers: tuple[ItemTier, ...]  # most private first
    problems: tuple[str, ...]  # of tiers that cannot be used
    coding: Coding
    noun: str
    l2: float
    truth: Items | None  # only of the town, or once it is revealed
    again: int | None  # how often the town was started over; None on a visitor's column
    query: ItemCounts | None
    asking: Asking | None  # of the visitor's column
    asked: tuple[tuple[float, float], ...]  # (ρ, τ) of all releases, in the order of asking
    draw: Callable[..., None]  # the releases of tiers, by their names

    @property
    def size(self) -> int:
        """Number of items that there could be, d."""
        return self.coding.size

    @property
    def nouns(self) -> Nouns:
        """What is protected is called."""
        return self.query.bounds.nouns if self.query else PERSON

    @property
    def drawn(self) -> list[ItemTier]:
        """Tiers that hold their release."""
        return [t for t in self.tiers if t.released is not None]

    @property
    def compared(self) -> bool:
        """Whether the truth may be known, and is not empty."""
        return self.truth is not None and bool(self.truth[0].size)

    def seen(self, tier: ItemTier) -> tuple[int, int]:
        """True items and phantoms in a drawn release; only where the truth may be known."""
        if self.truth is None or tier.released is None:
            return 0, 0
        true = int(np.isin(tier.released[0], self.truth[0]).sum())
        return true, tier.released[0].size - true


def opened(ws: Workspace, wanted: Wanted) -> Town:
    """A first town, of which the sharpest tier of the plan has its release."""
    town = Town()
    for tier in tiers_at(ws, TOWN_SETTING, wanted, {})[0][-1:]:
        town.histogram.release(tier.rho, tier.threshold)
    return town


def of_town(ws: Workspace, town: Town, wanted: Wanted) -> Histogram:
    """The town with the tiers of the plan."""
    held = dict(town.histogram.releases)
    tiers, problems = tiers_at(ws, TOWN_SETTING, wanted, held)
    by_name = {t.name: t for t in tiers}

    def released(t: ItemTier) -> Released | None:
        return town.histogram.release(t.rho, t.threshold) if t.rho in held else None

    def draw(*names: str) -> None:
        for name in names:
            town.histogram.release(by_name[name].rho, by_name[name].threshold)

    return Histogram(
        tiers=tuple(replace(t, released=released(t)) for t in tiers),
        problems=tuple(problems),
        coding=CODING,
        noun="people",
        l2=1.0,
        truth=town.items,
        again=town.again,
        query=None,
        asking=None,
        asked=town.histogram.releases,
        draw=draw,
    )


def of_column(ws: Workspace, own: Subject, wanted: Wanted, *, revealed: bool) -> Histogram:
    """A column of the visitor's table; its exact counts only where they are revealed."""
    tiers, problems = own.tiers(ws, wanted)
    asking = own.asking({t.name: t.threshold for t in tiers})
    one, query = ws.find(own.key), own.query
    by_name = {t.name: t for t in tiers}

    def draw(*names: str, sure: bool = False) -> None:
        ws.record(asking, *(by_name[name].planned for name in names), sure=sure)

    return Histogram(
        tiers=tuple(tiers),
        problems=tuple(problems),
        coding=query.coding,
        noun=query.noun,
        l2=query.sensitivity.l2,
        truth=query.values(own.table) if revealed else None,
        again=None,
        query=query,
        asking=asking,
        asked=one.mechanism.releases if one else (),
        draw=draw,
    )
