"""What the page Social network shows: the person, the circle, the coalition."""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpviz.experiments.averaging import Attack, Measured
from dpviz.local.trust import Trust
from dpviz.palette import TierStyle, slots_for
from dpviz.streams import Mode
from dpviz.ui.social_network.networks import Network
from dpviz.workspace.guesses import Right, right_between
from dpviz.workspace.local.social_network import Circle, Coalition, Ring

GRANTED = 3  # the colour of an ε that somebody was granted


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What is typed.

    Attributes:
        network: who knows whom.
        user: the person.
        value: what the person answers about; a whole number, or a float.
        what: what that is, in a word or two.
        typed: the value as it was typed.
        unit: after it.
        sensitivity: Δ, in that unit.
        trust: the ε of each ring.
        mode: teaching or hardened.
    """

    network: Network
    user: str
    value: float
    what: str
    typed: str
    unit: str
    sensitivity: Fraction
    trust: Trust
    mode: Mode

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells it from other questions."""
        return (
            self.network.name,
            self.network.mark,
            self.user,
            self.typed,
            self.sensitivity,
            self.trust.epsilons,
            self.mode,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Share:
    """Members of a coalition who hold one number: how many, their ε, and its sum."""

    name: str
    epsilon: float
    sum: float
    slot: int


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What is shown.

    Attributes:
        asked: what is typed.
        circle: the person's circle.
        coalition: those who put together what they were told; None: nobody of them was told.
        pooling: all who were chosen for the coalition.
        measured: simulated errors of the coalition, by size.
    """

    asked: Asked
    circle: Circle
    coalition: Coalition | None
    pooling: tuple[Any, ...]
    measured: dict[int, dict[Attack, Measured]]

    @property
    def styles(self) -> dict[int, TierStyle]:
        """The look of each ring; the nearest knows most."""
        distances = [ring.distance for ring in self.circle.rings]
        slots = slots_for(len(distances) + 1)[:0:-1]  # without the first, which is the public's
        return {
            d: TierStyle(slot, n % 12)
            for n, (d, slot) in enumerate(zip(distances, slots, strict=True))
        }

    @property
    def shown_value(self) -> str:
        """The value with its unit."""
        return f"{self.asked.typed} {self.asked.unit}".strip()

    @property
    def whole_rings(self) -> list[Ring]:
        """Rings all of whose members are in the coalition."""
        pooling = set(self.pooling)
        return [ring for ring in self.circle.rings if pooling.issuperset(ring.members)]

    @property
    def single(self) -> list[Any]:
        """Members of the coalition who are in none of these rings."""
        inside = {name for ring in self.whole_rings for name in ring.members}
        return [name for name in self.pooling if name not in inside]

    @property
    def right(self) -> tuple[Right, Right] | None:
        """Guesses right between two values by what the coalition holds: here, separate noise."""
        if self.coalition is None:
            return None
        family, moves = self.circle.family, float(self.asked.sensitivity)
        levels, both = self.coalition.levels, self.coalition.together
        return (
            right_between(family, moves, levels[:1], both.largest.value),
            right_between(family, moves, levels, both.added.value),
        )

    @property
    def shares(self) -> list[Share]:
        """The coalition by its budgets, the smallest first."""
        if self.coalition is None:
            return []
        styles = self.styles
        slots = {ring.epsilon: styles[ring.distance].slot for ring in self.circle.rings}
        return [
            Share(
                name=f"{count:,} at ε = {float(epsilon):g}",
                epsilon=float(epsilon),
                sum=float(count * epsilon),
                slot=slots.get(epsilon, GRANTED),
            )
            for epsilon, count in sorted(Counter(self.coalition.epsilons).items())
        ]
