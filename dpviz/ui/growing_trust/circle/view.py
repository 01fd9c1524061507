"""What the story of a circle shows: the person, the circle, the coalition."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpviz.local.trust import Trust
from dpviz.streams import Mode
from dpviz.ui.growing_trust.circle.networks import Network
from dpviz.workspace.guesses import Right, right_between
from dpviz.workspace.local.social_network import Circle, Coalition, Ring


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
class View:
    """What is shown.

    Attributes:
        asked: what is typed.
        circle: the person's circle.
        coalition: those who put together what they were told; None: nobody of them was told.
        pooling: all who were chosen for the coalition.
    """

    asked: Asked
    circle: Circle
    coalition: Coalition | None
    pooling: tuple[Any, ...]

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
