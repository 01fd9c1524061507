"""How a project keeps a list: the longest one that was drawn, from which it is drawn on.

A list is drawn item by item from those that are left, so what was released is all that matters for
the rest (MATHEMATICS 13.1); no noise is held.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dpviz import checks, streams
from dpviz.errors import ParameterError
from dpviz.top_k import TopK
from dpviz.top_k.ranking import Ranking
from dpviz.workspace.kept import Content

NO_SEAL = (
    "A list cannot be sealed: a longer one is drawn from the exact counts. Seal the session of its "
    "counts"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldList:
    """A list that was released, for tabs to show: no count, and it draws nothing."""

    ranking: Ranking

    def __post_init__(self) -> None:
        checks.instance(Ranking, ranking=self.ranking)

    def rank(self, k: int) -> Ranking:
        """The first k of the list.

        Raises:
            ParameterError: if fewer were drawn; only its project draws.
        """
        if k > self.ranking.asked and not self.ranking.ended:
            raise ParameterError(
                f"only {self.ranking.asked:,} have been drawn; ask for more with "
                "Workspace.record, which writes them into the project first"
            )
        return self.ranking.first(k)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class KeptList:
    """How a project keeps a list; `subject` is a `dpviz.workspace.top_k.lists.Subject`."""

    subject: Any

    @property
    def never_sealed(self) -> str:
        """Why a list cannot be sealed."""
        return NO_SEAL

    @property
    def lives(self) -> bool:
        """What was released is all that it goes on from."""
        return False

    def exact(self) -> dict[str, int]:
        """The exact counts of all items; not private."""
        counts: dict[str, int] = self.subject.source.counts()
        return counts

    def content(self, mechanism: Any) -> Mapping[float, Content]:
        """The longest list so far, at the scale of its noise."""
        return {self.subject.level: mechanism.ranking}

    def serves(self, mechanism: Any, _level: float) -> bool:
        """Whether the list is long enough, or has ended."""
        found: Ranking = mechanism.ranking
        return found.ended or self.subject.k <= found.asked

    def shown(self, content: Mapping[float, Content], *, sealed: bool) -> HeldList:
        """The list; it is never sealed."""
        del sealed
        return HeldList(ranking=content[self.subject.level])

    def from_released(self, _content: Mapping[float, Content], _level: float) -> bool:
        """Never: more of it is drawn from the exact numbers."""
        return False

    def continued(self, content: Mapping[float, Content], exact: Any) -> TopK:
        """The list that goes on with the exact counts.

        Raises:
            ParameterError: without them.
        """
        one = self.subject
        if exact is None:
            raise ParameterError(NO_SEAL)
        return TopK.continued(
            exact,
            content[one.level],
            epsilon=one.step,
            reach=one.source.reach,
            rng=streams.hardened(),
            unknown=one.unknown,
        )

    def sealed_at(self, _mechanism: Any) -> None:
        """A list cannot be sealed."""

    def seal(self, _mechanism: Any, _level: float) -> None:
        """Refuse.

        Raises:
            ParameterError: always.
        """
        raise ParameterError(NO_SEAL)

    def retire(self, mechanism: Any) -> None:
        """Nothing has to be done: the project draws from what was released."""
