"""What a project holds, for those who choose one of several: no released number is in it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date

from dpviz import checks
from dpviz.accounting import JointLoss
from dpviz.words import capitalised, join, visible
from dpviz.workspace import account
from dpviz.workspace.takeaways import cost_words
from dpviz.workspace.workspace import Workspace


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """What a project holds.

    Attributes:
        statistic: the statistic in use, in words.
        table: the name of its table.
        released: the tiers that have a release, in the order of asking, each once.
        sessions: how many there are.
        sealed: how many of them are sealed.
        used: the day of the last release; None before the first.
        losses: what was lost in all, by the unit of privacy.
    """

    statistic: str
    table: str
    released: tuple[str, ...]
    sessions: int
    sealed: int
    used: date | None
    losses: Mapping[str, JointLoss]

    def __post_init__(self) -> None:
        checks.whole(0, sessions=self.sessions, sealed=self.sealed)


def overview(ws: Workspace) -> Overview:
    """What a workspace holds that is open on a project.

    >>> overview(Workspace.fresh()).released
    ()
    """
    return Overview(
        statistic=ws.statistic.query.statistic,
        table=ws.statistic.data,
        released=tuple(dict.fromkeys(e.tier for e in ws.ledger)),
        sessions=len(ws.sessions),
        sealed=sum(one.sealed_at is not None for one in ws.sessions),
        used=max((e.drawn for e in ws.ledger), default=None),
        losses=account.by_unit(ws),
    )


def sentences(found: Overview) -> Iterator[str]:
    """An overview in words.

    >>> list(sentences(overview(Workspace.fresh())))[-1]
    'Nothing has been released yet, so nothing is lost.'
    """
    yield f"{capitalised(found.statistic)}, from {visible(found.table)}."
    if found.used is None:
        yield "Nothing has been released yet, so nothing is lost."
        return
    yield f"Released to {join([visible(t) for t in found.released])}; last on {found.used}."
    one = found.sessions == 1
    yield (
        ("Its session is " if one else f"Of its {found.sessions} sessions {found.sealed} are ")
        + ("sealed." if not one or found.sealed else "open.")
    )
    for unit, loss in found.losses.items():
        yield f"Lost in all, where {unit}: {cost_words(loss)}."
