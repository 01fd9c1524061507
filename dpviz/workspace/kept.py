"""How a project keeps a session of one kind: what is written of it, and how it goes on from that.

Sessions of levels, under a public map or under none, go on from their releases alone (`Levels`):
noise is Markov in its level (MATHEMATICS 1.2), and a map that is applied afterwards adds nothing to
it. What is written then are the releases of the session within, such as noisy vertices of a tree
and not the running counts that are made of them: the budget is that of these releases, so to keep
them tells nobody more than was paid for. Lists and surveys have records of their own, in the rooms
of their topics.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol

import numpy as np

from dpviz import checks, streams
from dpviz.errors import ParameterError
from dpviz.noise.family import Array, Process
from dpviz.release import MemoryStore, MultipleRelease

Content = Any  # of one level: an array, or a record of `dpviz.workspace.projects.records`


class Keeping(Protocol):
    """What a project asks of a session of one kind."""

    @property
    def subject(self) -> Any:
        """What the session is about, from which a later process makes its `Asking` again."""

    @property
    def never_sealed(self) -> str:
        """Why it cannot be sealed, in a sentence without its full stop; nothing where it can."""

    @property
    def lives(self) -> bool:
        """Whether it goes on in the process that opened it, and nowhere else.

        So it is where what was released does not say how to go on.
        """

    def exact(self) -> Any:
        """The exact answer, computed from the table; not private."""

    def content(self, mechanism: Any) -> Mapping[float, Content]:
        """What the mechanism has released, by level."""

    def serves(self, mechanism: Any, level: float) -> bool:
        """Whether the mechanism has what is asked for at a level, so that nothing is drawn."""

    def from_released(self, content: Mapping[float, Content], level: float) -> bool:
        """Whether a draw at a level is made from what was released, without the exact answer."""

    def shown(self, content: Mapping[float, Content], *, sealed: bool) -> Any:
        """A mechanism that has what was released, no exact answer, and draws nothing."""

    def continued(self, content: Mapping[float, Content], exact: Any) -> Any:
        """The mechanism that goes on from what was released; without an exact answer a sealed one.

        Raises:
            ParameterError: if it cannot go on from that.
        """

    def sealed_at(self, mechanism: Any) -> float | None:
        """Least level that it can still serve, or None while it is open."""

    def seal(self, mechanism: Any, level: float) -> None:
        """Seal it at the least level that it holds.

        Raises:
            ParameterError: if it cannot be sealed there.
        """

    def retire(self, mechanism: Any) -> None:
        """See to it that a mechanism draws no more, as its session goes on elsewhere."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NeverSealed:
    """What is alike in sessions of which more is always drawn from the exact answer.

    Attributes:
        subject: what it is about.
        never_sealed: why it cannot be sealed, in a sentence without its full stop.
    """

    subject: Any
    never_sealed: str

    def from_released(self, _content: Mapping[float, Content], _level: float) -> bool:
        """Never: more of it is drawn from the exact answer."""
        return False

    def sealed_at(self, _mechanism: Any) -> None:
        """It cannot be sealed."""

    def seal(self, _mechanism: Any, _level: float) -> None:
        """Refuse.

        Raises:
            ParameterError: always.
        """
        raise ParameterError(self.never_sealed)

    def retire(self, mechanism: Any) -> None:
        """Nothing has to be done: the project goes on with it, or from what was released."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class HeldReleases:
    """What a kept session has released, for its tabs to show: no exact value, and it draws nothing.

    Attributes:
        held: the release at every level, ascending.
        sealed: whether the least level is the seal.
    """

    held: Mapping[float, Array]
    sealed: bool = False
    mode: ClassVar[streams.Mode] = "hardened"  # projects keep hardened sessions only

    def __post_init__(self) -> None:
        for level, numbers in self.held.items():
            checks.positive(level=level)
            checks.arrays(1, numbers=numbers)

    @property
    def levels(self) -> tuple[float, ...]:
        """All levels held, ascending."""
        return tuple(self.held)

    @property
    def sealed_at(self) -> float | None:
        """Least level that can still be served, or None while the session is open."""
        return min(self.held) if self.sealed else None

    def release(self, level: float) -> Array:
        """The release at a level that is held.

        Raises:
            ParameterError: if it is not; only its project draws.
        """
        if level not in self.held:
            raise ParameterError(
                "this release has not been drawn; ask for it with Workspace.draw or "
                "Workspace.record, which write it into the project first"
            )
        return self.held[level]


def _itself(session: Any) -> Any:
    return session


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Levels:
    """A session of levels, under a map that is public.

    Attributes:
        subject: what it is about.
        family: of its noise.
        exact: makes the exact numbers that noise is added to.
        around: the mechanism around a session of these numbers; by default the session itself.
        inner: the session within a mechanism.
    """

    subject: Any
    family: Process
    exact: Callable[[], Any]
    around: Callable[[Any], Any] = _itself
    inner: Callable[[Any], Any] = _itself
    never_sealed = ""  # it can be sealed
    lives = False  # what was released is all that it goes on from

    def opened(self, *, rng: np.random.Generator) -> Any:
        """The mechanism of a new session.

        Args:
            rng: generator of its noise; one of teaching gives the same numbers in any order.
        """
        seeded = streams.mode_of(rng) == "teaching"
        return self.around(MultipleRelease(self.exact(), self.family, rng=rng, any_order=seeded))

    def content(self, mechanism: Any) -> Mapping[float, Content]:
        """The releases of the session within."""
        held: Mapping[float, Content] = self.inner(mechanism).held
        return held

    def serves(self, mechanism: Any, level: float) -> bool:
        """Whether the level is held."""
        return level in self.inner(mechanism).held

    def from_released(self, content: Mapping[float, Content], level: float) -> bool:
        """Whether something sharper was released: it is then all that the draw leans on."""
        return any(at < level for at in content)

    def shown(self, content: Mapping[float, Content], *, sealed: bool) -> Any:
        """The same map of what was released."""
        held = HeldReleases(held=dict(sorted(content.items())), sealed=sealed)
        return self.around(held)

    def continued(self, content: Mapping[float, Content], exact: Any) -> Any:
        """The same map of a session that goes on, with a key of its own for what it draws."""
        rng = streams.hardened()
        return self.around(MultipleRelease.continued(exact, self.family, content, rng=rng))

    def sealed_at(self, mechanism: Any) -> float | None:
        """The level of the seal."""
        found: float | None = self.inner(mechanism).sealed_at
        return found

    def seal(self, mechanism: Any, level: float) -> None:
        """Seal the session within."""
        self.inner(mechanism).seal(level)

    def retire(self, mechanism: Any) -> None:
        """Suspend the session within, whose bytes nobody gets."""
        self.inner(mechanism).suspend(MemoryStore())
