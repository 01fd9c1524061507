"""The ledger: what was released, in the order of asking, as plain frozen records.

An entry holds numbers and keys, and no sentence: what it costs is read off by
`dpviz.accounting.joint_loss`, and what is said of it is said where it is shown or handed out.
Limits: it holds no released number and nothing about the data.
"""

import datetime
import platform
from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from typing import Literal, get_args

from dpviz import __version__, checks
from dpviz.accounting import ReleaseEvent
from dpviz.accounting.guarantees import Budget, guarantee_of
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Family

Selected = Literal["Gumbel", "truncated Gaussian", "RAPPOR"]
Kind = Literal["lossless", "weakly lossless", "gradual only"]
PACKAGES = ("numpy", "scipy", "pandas", "streamlit", "plotly", "duckdb")


def today() -> datetime.date:
    """The day by universal time, as in the ledger and on hand-outs."""
    return datetime.datetime.now(tz=datetime.UTC).date()


@cache
def software() -> tuple[tuple[str, str], ...]:
    """Names and versions of what draws and writes the numbers.

    >>> dict(software())["dpviz"] == __version__
    True
    """
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
class Provenance:
    """What of a statistic was not known without the data, as far as a workspace knows."""

    read_off: tuple[str, ...] = ()  # columns whose groups were read off the data
    looked: bool = False  # rows or exact numbers of its table have been on screen
    known_before: tuple[str, ...] = ()  # likewise, but its owner says that the list was known
    checked: tuple[str, ...] = ()  # columns of its table of which the reading check was on screen


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """A draw that is no additive noise at a level, such as of a list: its noise and its cost."""

    noise: Selected
    cost: ReleaseEvent

    def __post_init__(self) -> None:
        checks.one_of(get_args(Selected), noise=self.noise)
        checks.instance(ReleaseEvent, cost=self.cost)


@dataclass(frozen=True, slots=True, kw_only=True)
class LedgerEntry:
    """One release that was drawn, in numbers and keys: what it costs, and what it leaned on."""

    number: int  # order of asking, over all sessions
    session: int
    tier: str
    family: str  # key of `dpviz.noise.FAMILIES`
    budget: Budget
    kind: Kind
    neighbours: tuple[Neighbour, ...]  # empty if the level was held already
    known: Provenance = Provenance()
    selection: Selection | None = None  # None: noise of the family, at the level of the budget
    drawn: datetime.date = field(default_factory=today)
    versions: tuple[tuple[str, str], ...] = field(default_factory=software)

    def __post_init__(self) -> None:
        checks.whole(0, number=self.number, session=self.session)
        checks.instance(Budget, budget=self.budget)

    @property
    def level(self) -> float:
        """Noise level of the release."""
        return self.budget.level

    @property
    def event(self) -> ReleaseEvent:
        """The release, for accounting."""
        if self.selection is not None:
            return self.selection.cost
        return event_of(self.session, self.family, self.budget)


def event_of(session: int, family: str, budget: Budget) -> ReleaseEvent:
    """The release of a budget in a session, for accounting.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> from dpviz.planning.budgets import Amount, Setting, resolve
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["laplace"], delta=1e-6, sensitivity=one, dimension=5)
    >>> event_of(1, "laplace", resolve("ε", Amount(2), s)).budget
    Fraction(2, 1)
    """
    promise = guarantee_of(ADDITIVE[family])
    return ReleaseEvent(
        session=session,
        definition=promise.definition,
        budget=budget.exact,
        delta=budget.delta if promise.with_delta else 0.0,
    )


def draw_neighbours(family: Family, held: Collection[float], level: float) -> tuple[Neighbour, ...]:
    """What a draw at `level` leans on: the nearest held levels on either side.

    Args:
        family: the noise family of the session.
        held: the levels that it holds.
        level: the level asked for.

    Returns:
        The less noisy one first, the exact numbers as level 0; empty if the level is held.

    >>> from dpviz.noise import FAMILIES
    >>> for n in draw_neighbours(FAMILIES["gaussian"], [4.0, 1.0], 2.5):
    ...     print(n)
    Neighbour(level=1.0, weight=0.5)
    Neighbour(level=4.0, weight=0.5)
    """
    if level in held:
        return ()
    low = max((h for h in held if h < level), default=0.0)
    high = min((h for h in held if h > level), default=None)
    below, above = family.weights(low, level, high)
    found = (Neighbour(level=low, weight=below),)
    return found if high is None else (*found, Neighbour(level=high, weight=above))


def tiers_at(entries: Sequence[LedgerEntry], session: int, level: float) -> list[str]:
    """Names of the tiers that hold the release of this session and level, in order of asking."""
    return [e.tier for e in entries if (e.session, e.level) == (session, level)]
