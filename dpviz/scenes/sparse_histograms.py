"""Sparse histograms: which items of a long list each tier sees, and which of them are phantoms.

`releases` draws them; the drawer of the page shows its source. The made-up town is in no
ledger, and its counts are public. Those of a visitor's column are in the scene only once they are
revealed.
"""

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import zip_longest

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from dpviz import streams
from dpviz.accounting import half_width
from dpviz.data import possible_diagnoses, typed_diagnoses
from dpviz.parameters import USUAL_DELTA
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, Setting
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import ItemCounts, Nouns, Sensitivity
from dpviz.queries.nouns import PERSON
from dpviz.sparse import DenseHistogram, SparseHistogram
from dpviz.workspace.sessions import Asking
from dpviz.workspace.sparse import GAUSSIAN, ItemTier, Released, Subject, item_tiers
from dpviz.workspace.workspace import Workspace

SEED = 28  # noise makes up five items at audit, as many as are expected
DIAGNOSES = possible_diagnoses()
TOWN_SETTING = Setting(
    family=GAUSSIAN,
    delta=USUAL_DELTA,
    sensitivity=Sensitivity(l0=1, l1=1, l2=1, linf=1),
    dimension=len(DIAGNOSES),
)
SEEN, HIDDEN, PHANTOM = "seen", "hidden", "phantom"
MOST = {SEEN: 4, HIDDEN: 4, PHANTOM: 2}  # of the rows of the first picture
NO_LINE = 1e9  # no noise is farther off
ITEMS_SHOWN = 12  # rows of the picture of the visitor's own column

Items = tuple[NDArray[np.int64], NDArray[np.int64]]  # indices, counts
Names = Callable[[NDArray[np.int64]], list[str]]


def releases(
    items: "Items",
    size: int,
    l2: float,
    rounds: Sequence[tuple[float, float]],
    *,
    rng: np.random.Generator,
) -> list["Released"]:
    """Return the items, with noisy counts, that each tier sees.

    Args:
        items: indices and counts of the items that there are. Not private.
        size: how many there could be.
        l2: how far one person moves the counts.
        rounds: ρ and threshold of each release, in the order of asking.
        rng: generator of the noise.

    >>> items = np.array([3, 8]), np.array([900, 1])
    >>> ((found, _),) = releases(items, 10**9, 1.0, [(0.5, 30.0)], rng=streams.teaching(7))
    >>> found.tolist()
    [3]
    """
    histogram = SparseHistogram(*items, size, l2_sensitivity=l2, rng=rng)
    return [histogram.release(rho, threshold) for rho, threshold in rounds]


def typed() -> Items:
    """The diagnoses that the made-up people typed: 100 different ones, each by some of them."""
    names, counts = typed_diagnoses()
    return np.array([DIAGNOSES.index(name) for name in names]), counts


@functools.lru_cache(maxsize=16)  # of settings alone, so drawn once for all visitors
def _drawn(rounds: tuple[tuple[float, float], ...]) -> dict[float, Released]:
    """What the tiers of the town see, by ρ."""
    rng = streams.teaching(SEED, 1, 0)
    found = releases(typed(), len(DIAGNOSES), 1.0, rounds, rng=rng)
    return {rho: each for (rho, _), each in zip(rounds, found, strict=True)}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Histogram:
    """One sparse histogram with all that the page says of it."""

    tiers: tuple[ItemTier, ...]  # most private first
    problems: tuple[str, ...]  # of tiers that cannot be used
    size: int  # items that there could be, d
    names: Names
    noun: str
    l2: float
    truth: Items | None  # only of the town, or once it is revealed
    query: ItemCounts | None
    asking: Asking | None  # of the visitor's column
    rounds: tuple[tuple[float, float], ...]  # (ρ, τ) of all releases, in the order of asking
    # what a plan asks of the visitor’s column, and for whom
    asked: Callable[[Workspace], tuple[Asking, list[PlannedTier]]] | None = None

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
        """True items and phantoms in a drawn release; all together where the truth is hidden."""
        if tier.released is None:
            return 0, 0
        known = tier.released[0] if self.truth is None else self.truth[0]
        true = int(np.isin(tier.released[0], known).sum())
        return true, tier.released[0].size - true


def of_town(ws: Workspace, allowed: str) -> Histogram:
    """The town with the tiers of the plan, of which the sharpest draws first."""
    tiers, problems = item_tiers(ws, TOWN_SETTING, allowed, {})
    rounds = tuple({t.rho: (t.rho, t.threshold) for t in reversed(tiers)}.values())
    found = _drawn(rounds)
    return Histogram(
        tiers=tuple(replace(t, released=found[t.rho]) for t in tiers),
        problems=tuple(problems),
        size=len(DIAGNOSES),
        names=lambda indices: [DIAGNOSES[index] for index in indices],
        noun="people",
        l2=1.0,
        truth=typed(),
        query=None,
        asking=None,
        rounds=rounds,
    )


def of_column(ws: Workspace, own: Subject, allowed: str, *, revealed: bool) -> Histogram:
    """A column of the visitor's table; its exact counts only where they are revealed."""
    tiers, problems = own.tiers(ws, allowed)
    asking = own.asking({t.name: t.threshold for t in tiers})
    one, query = ws.find(own.key), own.query
    return Histogram(
        tiers=tuple(tiers),
        problems=tuple(problems),
        size=query.coding.size,
        names=query.coding.names,
        noun=query.noun,
        l2=query.sensitivity.l2,
        truth=query.values(own.table) if revealed else None,
        query=query,
        asking=asking,
        rounds=one.mechanism.releases if one else (),
        asked=partial(own.asked, allowed),
    )


# --- what the pictures show ---


def hidden_values(tier: ItemTier) -> "pd.Series[float]":
    """The noisy counts of the town that the line of its sharpest tier hides, by index."""
    noisy = _noisy(tier.level)
    return noisy[noisy <= tier.threshold]


@functools.lru_cache(maxsize=16)  # as the draw on screen
def _noisy(level: float) -> "pd.Series[float]":
    """The noisy counts of the town for its sharpest tier; made up, so they may be shown.

    In a list as short as this one a histogram puts noise on every item, first for the sharpest
    tier: so the draw on screen, without a line, has them.
    """
    rng = streams.teaching(SEED, 1, 0)
    dense = DenseHistogram(*typed(), len(DIAGNOSES), GAUSSIAN, rng=rng)
    cells, values = dense.release(level, -NO_LINE)
    return pd.Series(values, index=cells)


def ten_items(
    tier: ItemTier, truth: Items, names: Names, hidden: "pd.Series[float] | None" = None
) -> pd.DataFrame:
    """Return a few items of each kind, the most common first: item, kind, count, value.

    A hidden item has no value (NaN) but where `hidden` has one, a phantom the count 0. Of the seen
    and the hidden ones some are chosen evenly by rank, of the phantoms the largest.
    """
    indices, counts = truth
    cells, values = tier.released or ((), ())
    common = pd.Series(counts, index=indices).sort_values(ascending=False, kind="stable")
    given = pd.Series(values, index=cells, dtype=float)
    known = given if hidden is None else pd.concat([given, hidden])
    groups = {
        SEEN: _evenly(common.index[common.index.isin(cells)], MOST[SEEN]),
        HIDDEN: _evenly(common.index[~common.index.isin(cells)], MOST[HIDDEN]),
        PHANTOM: given[~given.index.isin(indices)].nlargest(MOST[PHANTOM]).index,
    }
    kept = pd.Index([index for found in groups.values() for index in found], dtype=np.int64)
    return pd.DataFrame(
        {
            "item": names(kept.to_numpy()),
            "kind": [kind for kind, found in groups.items() for _ in found],
            "count": common.reindex(kept).fillna(0).to_numpy(),
            "value": known.reindex(kept).to_numpy(),
        }
    )


def _evenly(found: "pd.Index[int]", most: int) -> "pd.Index[int]":
    """At most this many, evenly by their place, both ends among them."""
    at = np.linspace(0, len(found) - 1, min(len(found), most))
    return found[np.unique(np.round(at)).astype(int)]


def reach(tier: ItemTier) -> float:
    """How far noise carries a count of this tier, 95 times in 100, before its line is drawn."""
    return half_width(GAUSSIAN, tier.level, ACCURACY_CONFIDENCE)


def largest_items(tiers: Sequence[ItemTier], names: Names, most: int) -> pd.DataFrame:
    """Return what each tier sees of the largest items, as a picture of releases takes it.

    Tiers take turns to name their largest item, the least private one first, as in the rows; what
    is at the end is shown by the more private tiers alone. A value is NaN where a tier is not shown
    the item. All from released numbers.

    Args:
        tiers: most private first; those without a release are left out.
        names: of items by index.
        most: items to keep.
    """
    held = {t: pd.Series(t.released[1], index=t.released[0]) for t in tiers if t.released}
    top = {tier: values.nlargest(most) for tier, values in held.items()}
    turns = zip_longest(*(values.index for values in reversed(top.values())))
    chosen = list(dict.fromkeys(i for turn in turns for i in turn if i is not None))[:most]
    best = {i: (rank, v) for rank, values in enumerate(top.values()) for i, v in values.items()}
    kept = np.array(sorted(chosen, key=best.__getitem__, reverse=True), dtype=np.int64)
    rows: list[tuple[object, ...]] = []
    for tier, values in reversed(held.items()):
        half = reach(tier)
        for name, value in zip(names(kept), values.reindex(kept), strict=True):
            looks = (tier.words, tier.style)
            rows.append((name, tier.name, value, value - half, value + half, *looks))
    columns = ("group", "tier", "value", "low", "high", "budget", "style")
    return pd.DataFrame(rows, columns=list(columns))
