"""Structured mechanisms as statistics of a plan, beside those that are released as they are.

Running totals, running counts, lists of items: each is chosen on a page of its own, and then counts
in what the tiers learn in all, and is drawn with the others. Its tiers follow the plan, so that a
budget that is typed on the page Tiers holds for it, too. What is asked of typed numbers or of each
person by itself is no statistic of the visitor's table, and cannot be one of its plan.
Limits: a topic lives with the workspace; plan files and projects keep its releases, not the plan.
"""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from dpviz.data import Table
from dpviz.errors import ParameterError
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import Bounds
from dpviz.workspace.sessions import Asking


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedDraw:
    """What a plan asks of one session, and for whom.

    Attributes:
        name: of the statistic.
        asking: what its session is asked for.
        tiers: who gets a release, most private first; of what is drawn once, for all tiers, that.
    """

    name: str
    asking: Asking
    tiers: Sequence[PlannedTier]

    def of(self, *names: str) -> list[PlannedTier]:
        """What these tiers get; a list that is drawn once is everybody's."""
        return [p for p in self.tiers if self.asking.selection or p.name in names]

    def lacks(self, name: str) -> bool:
        """Whether a tier has no budget for it."""
        return not self.of(name)


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """A structured mechanism as a statistic of the plan.

    Attributes:
        key: of its session.
        name: what is released, in words.
        page: where it is chosen.
        table: that it is asked of.
        bounds: who is protected.
        draw: what it asks for under the plan of a workspace.
    """

    key: Hashable
    name: str
    page: str
    table: Table
    bounds: Bounds
    draw: Callable[[Any], PlannedDraw]


def topic_of(
    page: str, asked: Callable[[Any], tuple[Asking, Sequence[PlannedTier]]], ws: Any
) -> Topic:
    """A structured mechanism as a statistic of the plan of a workspace.

    Args:
        page: where it is chosen.
        asked: what its session is asked for under the plan of a workspace, and who gets a release.
        ws: the workspace.

    Raises:
        ParameterError: if it is asked of typed numbers.
    """
    asking, _ = asked(ws)
    if asking.table is None or asking.bounds is None:
        raise ParameterError(
            "Typed numbers are no statistic of your table, so the plan cannot hold them. Choose a "
            "column of the table instead"
        )

    def draw(under: Any) -> PlannedDraw:
        now, tiers = asked(under)
        return PlannedDraw(name=now.statistic, asking=now, tiers=tiers)

    return Topic(
        key=asking.key,
        name=asking.statistic,
        page=page,
        table=asking.table,
        bounds=asking.bounds,
        draw=draw,
    )
