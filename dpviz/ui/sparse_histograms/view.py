"""What the page Sparse histograms looks at: one histogram, and its tiers."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from dpviz.queries import ItemCounts, Nouns
from dpviz.queries.item_names import Coding
from dpviz.queries.nouns import PERSON
from dpviz.workspace.sessions import Asking
from dpviz.workspace.sparse import ItemTier

LONGEST = 8  # letters of an answer of the example
SEED = 39  # with 7 noise makes up eight items at audit, where five are expected; here five


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Scene:
    """One sparse histogram with all that the page needs to know of it."""

    tiers: tuple[ItemTier, ...]  # most private first
    problems: tuple[str, ...]
    coding: Coding
    noun: str
    l2: float
    truth: tuple[NDArray[np.int64], NDArray[np.int64]] | None  # indices, counts
    again: int | None  # how often the example was started over; None on the user's column
    query: ItemCounts | None
    asking: Asking | None  # of the user's column
    asked: tuple[tuple[float, float], ...]  # (ρ, τ) of all releases, in the order of asking
    generator: str  # of the session, as Python; of the user's column only
    allowed: str  # phantoms expected at most, as typed; empty where thresholds are typed
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
    def items(self) -> str:
        """What the items are called: in the example they are diagnoses."""
        return "items" if self.query else "diagnoses"

    @property
    def item(self) -> str:
        """What one of them is called."""
        return "item" if self.query else "diagnosis"

    @property
    def drawn(self) -> list[ItemTier]:
        """Tiers that hold their release."""
        return [t for t in self.tiers if t.released is not None]
