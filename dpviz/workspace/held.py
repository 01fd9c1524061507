"""One tier, and one release of the session in use, as pictures need them: plain frozen records."""

from dataclasses import dataclass, field
from typing import Any

from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldTier:
    """One tier as it is drawn: its style, its budget in words, and its release (None: not held)."""

    name: str
    level: float
    budget: str
    loss: float
    slot: int
    symbol: int
    values: NDArray[Any] | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """One release of the session in use, for the meter."""

    name: str
    loss: float
    slot: int
    symbol: int
