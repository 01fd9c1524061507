"""What the page Sparse histograms looks at: one histogram, its tiers, and the thresholds chosen."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from dpviz.palette import TierStyle
from dpviz.planning import typed
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import ItemCounts
from dpviz.queries.item_names import Coding
from dpviz.sparse import expected_phantoms, threshold_for
from dpviz.sparse.histogram import Work
from dpviz.words import budget

GAUSSIAN = FAMILIES["gaussian"]
DOMAIN, ITEMS, LARGEST = 10**9, 1000, 2000  # of the example
SEED = 7
MOST_PHANTOMS = 100_000  # expected, in one release: more rows than anybody reads

Whole = NDArray[np.int64]
Released = tuple[Whole, NDArray[np.float64]]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ItemTier:
    """One tier of the plan on this histogram."""

    planned: PlannedTier
    style: TierStyle
    threshold: float
    phantoms: float  # expected in its release
    released: Released | None

    @property
    def name(self) -> str:
        """Name of the tier."""
        return self.planned.name

    @property
    def rho(self) -> float:
        """Its budget."""
        return self.planned.budget.loss

    @property
    def words(self) -> str:
        """Its budget with the letter."""
        return budget("ρ", self.rho)

    @property
    def level(self) -> float:
        """Variance of its noise."""
        return self.planned.budget.level


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """One sparse histogram with all that the page needs to know of it."""

    tiers: tuple[ItemTier, ...]  # most private first
    problems: tuple[str, ...]
    coding: Coding
    noun: str
    l2: float
    truth: tuple[Whole, Whole] | None  # indices and counts: public, or revealed
    again: int | None  # how often the example was started over; None on the user's column
    query: ItemCounts | None
    work: tuple[Work, ...]  # of the example; empty on the user's column, whose cost tells of it
    asked: tuple[tuple[float, float], ...]  # (ρ, τ) of all releases, in the order of asking
    number: int  # of the session
    seed: int
    allowed: str  # phantoms expected at most, as typed; empty where thresholds are typed
    draw: Callable[[str], None]

    @property
    def size(self) -> int:
        """Number of items that there could be, d."""
        return self.coding.size

    @property
    def drawn(self) -> list[ItemTier]:
        """Tiers that hold their release."""
        return [t for t in self.tiers if t.released is not None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What was chosen: a number of phantoms for all tiers, or a threshold for each, as typed."""

    allowed: str = ""
    typed: Mapping[str, str] = field(default_factory=dict)

    def threshold(self, planned: PlannedTier, size: int, l2: float) -> float:
        """The threshold of a tier that has not been drawn.

        Raises:
            ParameterError: if more phantoms are to be expected than are served.
        """
        rho = planned.budget.loss
        if planned.name in self.typed:
            where = f"Threshold of {planned.name}"
            threshold = typed.number(self.typed[planned.name], where=where, example="20")
        else:
            allowed = float(self.allowed or 1)
            if allowed >= size:
                raise ParameterError(
                    f"Phantoms: where at most {size:,} can be, {allowed:,g} are no limit. "
                    f"Type fewer, for example {min(1.0, size / 2):g}."
                )
            threshold = threshold_for(rho, allowed, cells=size, l2_sensitivity=l2)
        expected = expected_phantoms(rho, threshold, cells=size, l2_sensitivity=l2)
        if expected > MOST_PHANTOMS:
            raise ParameterError(
                f"Threshold of {planned.name}: noise alone would lift about {expected:,.0f} items "
                f"over {threshold:g}, more than the {MOST_PHANTOMS:,} served here. Type a larger "
                "threshold, or fewer phantoms."
            )
        return threshold
