"""One tier, and one release of the session in use, as pictures need them: plain frozen records."""

from dataclasses import dataclass, field
from typing import Any, Literal

from numpy.typing import NDArray

from dpviz import checks, words
from dpviz.accounting.guarantees import Budget
from dpviz.palette import TierStyle


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldTier:
    """One tier as it is drawn: its style, its budget, and its release (None: not held)."""

    name: str
    level: float
    letter: Literal["ρ", "ε"]
    loss: float
    delta: float = 0.0  # where it is stated with the budget
    style: TierStyle
    values: NDArray[Any] | None = field(default=None, compare=False)

    def __post_init__(self) -> None:
        checks.positive(level=self.level)
        checks.non_negative(loss=self.loss)
        checks.between(0, 1, delta=self.delta)
        if self.values is not None:
            checks.arrays(1, values=self.values)

    @classmethod
    def of(
        cls,
        name: str,
        budget: Budget,
        style: TierStyle,
        values: NDArray[Any] | None,
        *,
        delta: float = 0.0,
    ) -> "HeldTier":
        """A tier of this budget in its look; `delta` where it is stated with the budget."""
        return cls(
            name=name,
            level=budget.level,
            letter=budget.letter,
            loss=budget.loss,
            delta=delta,
            style=style,
            values=values,
        )

    @property
    def budget(self) -> str:
        """Its budget in words."""
        return words.loss_with_delta(self.letter, self.loss, self.delta)
