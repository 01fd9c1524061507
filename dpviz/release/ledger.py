"""The ledger: what was released, in the order of asking, as plain frozen records.

An entry says what was done and on whose word; what it costs is read off by
`dpviz.accounting.joint_loss`. How far: it holds no released number and nothing about the data.
"""

import datetime
import platform
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Literal

from dpviz import __version__, checks
from dpviz.accounting import ReleaseEvent
from dpviz.noise.family import Family
from dpviz.release.session import MultipleRelease

Kind = Literal["lossless", "weakly lossless", "gradual only"]
PACKAGES = ("numpy", "scipy", "pandas", "streamlit", "plotly", "duckdb")


def today() -> datetime.date:
    """The day by universal time, as it stands in the ledger and on hand-outs."""
    return datetime.datetime.now(tz=datetime.UTC).date()


@cache
def software() -> tuple[tuple[str, str], ...]:
    """Names and versions of what draws and writes the numbers."""
    found = [("dpviz", __version__), ("python", platform.python_version())]
    for name in PACKAGES:
        try:
            found.append((name, version(name)))
        except PackageNotFoundError:  # the library alone needs no dashboard
            continue
    return tuple(found)


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A held release that a draw leaned on, and how much.

    `level` 0 is the exact number, which has no name. `weight` depends on levels only.
    """

    level: float
    weight: float

    def __post_init__(self) -> None:
        checks.non_negative(level=self.level, weight=self.weight)


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry:
    """One release that was drawn: enough to account for it and to hand it out."""

    number: int  # order of asking, over all sessions
    tier: str
    level: float
    noise: str  # the level as stated to people, e.g. "variance t = 5"
    budget: str  # as stated to people, e.g. "ρ = 0.1"
    event: ReleaseEvent
    kind: Kind
    neighbours: tuple[Neighbour, ...]
    meaning: str  # what the weights of the neighbours say
    facts: tuple[tuple[str, str], ...]  # header of the hand-out: definition, unit, …
    drawn: datetime.date = field(default_factory=today)
    versions: tuple[tuple[str, str], ...] = field(default_factory=software)

    def __post_init__(self) -> None:
        checks.whole(0, number=self.number)
        checks.positive(level=self.level)


def draw_neighbours(
    session: MultipleRelease, family: Family, level: float
) -> tuple[Neighbour, ...]:
    """What a draw at `level` would lean on now; empty if it is held already.

    Args:
        session: the session that would draw.
        family: its noise family.
        level: the level asked for.

    Raises:
        SealedError: if the level lies below the seal.
    """
    if session.holds(level):
        return ()
    low, high = session.neighbours(level)
    below, above = family.weights(low or 0.0, level, high)
    found = [Neighbour(level=low or 0.0, weight=below)]
    if high is not None:
        found.append(Neighbour(level=high, weight=above))
    return tuple(found)


def tiers_at(entries: Sequence[LedgerEntry], session: int, level: float) -> list[str]:
    """Names of the tiers that hold the release of this session and level, in order of asking."""
    return [e.tier for e in entries if e.event.session == session and e.level == level]
