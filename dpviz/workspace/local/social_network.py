"""What a visitor has of a social network: one person's circle, and those who joined it later.

A made-up person answers at once, nearest ring first: the value is on the screen, so nothing is
hidden from the visitor who made it up. A graph that was read is the visitor's, and the names in it
are those of strangers.
Source: MATHEMATICS 15.3.
"""

import threading
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from dpviz import checks, streams
from dpviz.accounting.inputs import Number, positive
from dpviz.errors import ParameterError
from dpviz.local.averaging import AttackErrors, attack_errors, weighted_half_width
from dpviz.local.person import NextDraw
from dpviz.local.social_network import SocialNetwork
from dpviz.local.trust import CoalitionBudget, Trust
from dpviz.noise import ADDITIVE, Family
from dpviz.parameters import plain
from dpviz.planning import typed
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, usual_half_width

if TYPE_CHECKING:
    import networkx as nx

LAPLACE, WHOLE = ADDITIVE["laplace"], ADDITIVE["discrete_laplace"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ring:
    """Those who are equally far away, and what they are told.

    Attributes:
        distance: in hops.
        members: all of them.
        epsilon: what they are told costs.
        level: noise scale of it, in the unit of the value.
        answer: the number.
        half_width: ±, with the usual confidence.
        error: root of the mean squared error.
    """

    distance: int
    members: tuple[Any, ...]
    epsilon: Fraction
    level: float
    answer: float
    half_width: float
    error: float

    def __post_init__(self) -> None:
        checks.whole(1, distance=self.distance)
        positive(epsilon=self.epsilon)
        checks.positive(level=self.level, error=self.error)
        checks.finite(answer=self.answer)
        checks.non_negative(half_width=self.half_width)


@dataclass(frozen=True, slots=True, kw_only=True)
class Coalition:
    """Members who put together what they were told.

    Attributes:
        viewers: those of them who were told anything, the one with the largest ε first.
        epsilons: of each.
        levels: noise scale of each answer.
        together: the largest ε against the sum.
        errors: mean squared errors, in squared units of the value.
        half_width: ± of what they know together, with the usual confidence.
        separate: ± of the best weighted average, had each answer noise of its own.
    """

    viewers: tuple[Any, ...]
    epsilons: tuple[Fraction, ...]
    levels: tuple[float, ...]
    together: CoalitionBudget
    errors: AttackErrors
    half_width: float
    separate: float

    def __post_init__(self) -> None:
        checks.non_negative(half_width=self.half_width, separate=self.separate)
        for epsilon, level in zip(self.epsilons, self.levels, strict=True):
            positive(epsilon=epsilon)
            checks.positive(level=level)


@dataclass(frozen=True, slots=True, kw_only=True)
class Joined:
    """Somebody who joined later.

    Attributes:
        name: who.
        distance: in hops; None: no path leads there.
        epsilon: None: no answer.
        draw: how the answer was drawn; None: no answer.
        answer: the number; None: no answer.
    """

    name: Any
    distance: int | None
    epsilon: Fraction | None
    draw: NextDraw | None
    answer: float | None

    def __post_init__(self) -> None:
        checks.known(checks.finite, answer=self.answer)
        if self.distance is not None:
            checks.whole(1, distance=self.distance)
        if self.epsilon is not None:
            positive(epsilon=self.epsilon)


class Circle:
    """One person of a network, whose circle has been answered, nearest ring first."""

    def __init__(
        self,
        graph: "nx.Graph",
        user: Hashable,
        value: float,
        *,
        sensitivity: Number,
        trust: Trust,
        rng: np.random.Generator,
    ) -> None:
        """Answer all rings.

        Args:
            graph: who knows whom.
            user: the person.
            value: a whole number, answered in whole numbers, or a float.
            sensitivity: how far apart two values may lie and still be hidden from each other.
            trust: the ε of each ring.
            rng: generator of the noise; hardened for whole numbers only.

        Raises:
            ParameterError: an argument is out of range, or the mode does not fit the value.
        """
        family = family_of(value)
        if streams.mode_of(rng) == "hardened" and not family.integer:
            raise ParameterError(
                "hardened mode answers in whole numbers; type the value without a decimal point"
            )
        self.network = SocialNetwork(
            graph, trust, values={user: value}, family=family, sensitivity=sensitivity, rng=rng
        )
        self.user, self.value, self.family, self.trust = user, value, family, trust
        self._joined: tuple[Joined, ...] = ()
        self._lock = threading.Lock()
        self.rings: tuple[Ring, ...] = self._rings()

    @property
    def joined(self) -> tuple[Joined, ...]:
        """Those who joined later, in order."""
        return self._joined

    def members_at(self, distance: int) -> tuple[Any, ...]:
        """Everybody at a distance, nearest friends of friends first."""
        every = self.network.distances(self.user).items()
        return tuple(name for name, hops in every if hops == distance)

    @property
    def unanswered(self) -> int:
        """How many members are told nothing: too far away, or no path leads to them."""
        answered = sum(len(ring.members) for ring in self.rings)
        beyond = len(self.network.members) - 1 - answered
        granted = [j for j in self._joined if j.epsilon is not None and not self._in_ring(j)]
        return beyond - len(granted)

    def coalition(self, viewers: Iterable[Hashable]) -> Coalition | None:
        """What these members learn together; None where none of them was told anything.

        Raises:
            ParameterError: nobody of such a name is there, or the person is among them.
        """
        asked = checks.keys(viewers=viewers)
        told = [(name, self.network.epsilon(self.user, name)) for name in asked]
        held = sorted(
            ((name, epsilon) for name, epsilon in told if epsilon is not None),
            key=lambda pair: -pair[1],
        )
        together = self.network.together(self.user, asked)
        if together is None:
            return None
        levels = tuple(self.network.level(self.user, epsilon) for _, epsilon in held)
        return Coalition(
            viewers=tuple(name for name, _ in held),
            epsilons=tuple(epsilon for _, epsilon in held),
            levels=levels,
            together=together,
            errors=attack_errors(self.family, levels),
            half_width=usual_half_width(self.family, min(levels)),
            separate=weighted_half_width(self.family, levels, ACCURACY_CONFIDENCE),
        )

    def join(self, name: str, friend: Hashable, epsilon: Number | None = None) -> Joined:
        """Somebody new makes a friend, and is answered.

        Args:
            name: of the new member.
            friend: somebody who is there.
            epsilon: what the person grants, whatever the distance; None: by the distance.

        Raises:
            ParameterError: the name is taken or empty, the friend is nobody, or the ε is no budget
                or less than that of the distance.
        """
        if not isinstance(name, str) or not name.strip():
            raise ParameterError("the new member has no name; type one, such as Zoe")
        with self._lock:
            self._refuse(friend, epsilon)  # before anybody joins
            self.network.join(name.strip(), [friend])
            new = name.strip()
            if epsilon is not None:
                self.network.grant(self.user, new, epsilon)
            draw = self.network.next_draw(self.user, new)
            answer = self.network.answer(self.user, new)
            joined = Joined(
                name=new,
                distance=self.network.distances(self.user).get(new),
                epsilon=self.network.epsilon(self.user, new),
                draw=draw,
                answer=None if answer is None else float(answer),
            )
            self._joined = (*self._joined, joined)
            self.rings = self._rings()
        return joined

    def _refuse(self, friend: Hashable, epsilon: Number | None) -> None:
        """Refuse an ε that cannot be granted to a friend of this member."""
        if epsilon is None:
            return
        (own,) = Trust((epsilon,)).epsilons  # type: ignore[arg-type]
        self.family.variance(self.network.level(self.user, own))
        hops = self.network.distances(self.user).get(friend)
        ring = None if hops is None else self.trust.at(hops + 1)
        if ring is not None and own < ring:
            raise ParameterError(
                f"at this distance ε = {float(ring):g} is granted to everybody; type at least as "
                "much, or leave it empty"
            )

    def _in_ring(self, joined: Joined) -> bool:
        return joined.distance is not None and joined.distance <= self.trust.rings

    def _rings(self) -> tuple[Ring, ...]:
        """What each ring is told, drawn where it is not yet."""
        by_distance: dict[int, list[Any]] = {}
        for name, hops in self.network.distances(self.user).items():
            if 1 <= hops <= self.trust.rings:
                by_distance.setdefault(hops, []).append(name)
        found = []
        for distance, members in by_distance.items():
            epsilon = self.trust.epsilons[distance - 1]
            level = self.network.level(self.user, epsilon)
            answers = [self.network.answer(self.user, name) for name in members[:1]]
            found.append(
                Ring(
                    distance=distance,
                    members=tuple(members),
                    epsilon=epsilon,
                    level=level,
                    answer=float(answers[0]),  # type: ignore[arg-type]
                    half_width=usual_half_width(self.family, level),
                    error=self.family.variance(level) ** 0.5,
                )
            )
        return tuple(found)


def family_of(value: float) -> Family:
    """Discrete Laplace for a whole number, Laplace for a float.

    >>> family_of(142).name, family_of(142.0).name
    ('discrete_laplace', 'laplace')
    """
    return WHOLE if isinstance(value, int) else LAPLACE


def read_value(text: str, *, where: str) -> float:
    """A typed value: a whole number if it has neither a point nor an exponent.

    Raises:
        ParameterError: one sentence with what to type instead.

    >>> read_value("142", where="Value"), read_value("142.5", where="Value")
    (142, 142.5)
    """
    number = typed.awaited(text, where=where, example="142")
    shown = text.strip()
    return int(number) if plain(shown) and not set(".eE") & set(shown) else number
