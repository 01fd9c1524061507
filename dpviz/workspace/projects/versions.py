"""One plan in several tabs: whose change is written, and what somebody is asked about first.

A tab remembers the plan as it stood on its own screen and in the project when both were the same.
What it has changed since then is written, in one transaction with a look at what is there, and
nothing else of the plan is touched. What was changed here and elsewhere is written by nobody until
this tab has chosen one of the two.
The tiers are one part of a plan, the statistic in use is another, as two tabs may look at two
statistics of one project.
"""

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import sqlalchemy as sa

from dpviz import words
from dpviz.data import quoted
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.planning.tiers import Tier, budgets_of
from dpviz.workspace.projects import plans
from dpviz.workspace.projects.contents import GONE, plan_of, use_statistic, use_tiers
from dpviz.workspace.projects.database import DELETED, PROJECTS, Database
from dpviz.workspace.projects.key import Tables
from dpviz.workspace.projects.plans import Asked, KeptPlan, KeptStatistic, same_as, several, written
from dpviz.workspace.workspace import Workspace

Part = Literal["tiers", "statistic"]
PARTS: dict[Part, tuple[str, ...]] = {  # the fields of a `KeptPlan` that change together
    "tiers": ("tiers", "statistics", "delta", "sizes", "former", "styles"),
    "statistic": ("asked", "groups_from_data", "looked", "checked", "known_before"),
}
BUDGETS, NOISE, CALLED = "budgets", "noise", "name"  # what is said of a statistic of several
NAMED = 6  # changes that are told one by one
_CELLS = {"people": "readers", "order": "order", "note": "note", "colour": "colour"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """What another tab has changed in the plan, in words.

    Attributes:
        who: the account, or the user of a command; "" where nobody logs in.
        at: when, by universal time; "" if that is not known.
        there: what was changed there, one clause each.
        here: what was changed here and is not kept; empty where nothing was.
    """

    who: str
    at: str
    there: tuple[str, ...]
    here: tuple[str, ...] = ()

    @property
    def told(self) -> str:
        """Who changed what, and when, as one sentence.

        >>> Elsewhere(who="", at="2026-11-24T08:15:30+00:00", there=("δ is 1e-7",)).told
        'Another tab changed the plan on 2026-11-24 at 08:15 (universal time): δ is 1e-7.'
        """
        day, _, time = self.at.partition("T")
        when = f" on {day} at {time[:5]} (universal time)" if time else ""
        return f"{self.who or 'Another tab'} changed the plan{when}: {_listed(self.there)}."

    @property
    def lost(self) -> str:
        """What was changed here and is not kept, as one sentence."""
        return f"What you changed here is not kept yet: {_listed(self.here)}."


class PlanChangedError(ParameterError):
    """The plan was changed here and elsewhere, or a draw asks for what is no longer planned."""

    def __init__(self, elsewhere: Elsewhere, what: str) -> None:
        """Keep what was changed; `what` says what was not done, and what to do."""
        self.elsewhere = elsewhere
        super().__init__(f"{elsewhere.told} {what}")


class Versions:
    """What one tab knows of the plan: how it stood here and there when both were the same."""

    __slots__ = ("_here", "_there", "begun")

    def __init__(self) -> None:
        """Nothing is known yet."""
        self._here: dict[Part, Any] = {}
        self._there: dict[Part, Any] = {}
        self.begun = False

    def agree(self, here: KeptPlan, there: KeptPlan, parts: Iterable[Part] = tuple(PARTS)) -> None:
        """From now on changes of some parts are those since these two; by default of all.

        Args:
            here: the plan of this tab.
            there: the plan of the project.
            parts: which of them.
        """
        for part in parts:
            self._here[part], self._there[part] = here, there
        self.begun = True

    def changed(self, here: KeptPlan) -> list[Part]:
        """The parts that this tab has changed."""
        return [part for part in PARTS if not _same(part, here, self._here[part])]

    def moved(self, there: KeptPlan) -> list[Part]:
        """The parts that were changed elsewhere."""
        return [part for part in PARTS if not _same(part, there, self._there[part])]

    def clash(self, here: KeptPlan, there: KeptPlan) -> list[Part]:
        """The parts that were changed here and elsewhere, each in its own way."""
        both = [part for part in self.changed(here) if part in self.moved(there)]
        differ = [part for part in both if not _same(part, here, there)]
        return [p for p in differ if p != "tiers" or self._together(here, there) is None]

    def _together(self, here: KeptPlan, there: KeptPlan) -> tuple[KeptStatistic, ...] | None:
        """The statistics with what was changed here and elsewhere of budgets, noise and names.

        None if the same was changed in both, or anything of the tiers but their budgets.
        """
        was_here, was_there = self._here["tiers"], self._there["tiers"]
        if _rows(here) != _rows(was_here) or _rows(there) != _rows(was_there):
            return None
        merged, there_then, now = _said(there), _said(was_there), _said(here)
        mine = self._said_otherwise(here)
        if any(merged.get(m) not in (there_then.get(m), now.get(m)) for m in mine):
            return None
        for mark in mine:
            merged.pop(mark, None)
            if mark in now:
                merged[mark] = now[mark]
        asked = {same_as(a): a for plan in (here, there) for a in _asked(plan)}
        return tuple(
            KeptStatistic(
                asked=replace(asked[mark], family=merged.get((mark, NOISE), asked[mark].family)),
                budgets=budgets,
                name=merged.get((mark, CALLED), ""),
            )
            for (mark, part), budgets in merged.items()
            if part == BUDGETS
        )

    def holds_mine(self, here: KeptPlan, there: KeptPlan) -> bool:
        """Whether what this tab said of the statistics is in the project, beside other changes."""
        mine, now, kept = self._said_otherwise(here), _said(here), _said(there)
        rows = _rows(here) == _rows(self._here["tiers"]) == _rows(there)
        return bool(mine) and rows and all(kept.get(mark) == now.get(mark) for mark in mine)

    def _said_otherwise(self, here: KeptPlan) -> list[tuple[str, str]]:
        """What of which statistic this tab has changed, added or taken off."""
        then, now = _said(self._here["tiers"]), _said(here)
        return [mark for mark in {**then, **now} if now.get(mark) != then.get(mark)]

    def merged(self, here: KeptPlan, there: KeptPlan, *, who: str) -> KeptPlan:
        """The plan of the project with what was changed here alone; the project's own if nothing.

        Args:
            here: the plan of this tab.
            there: the plan of the project.
            who: writes it.
        """
        clash = self.clash(here, there)
        mine = [p for p in self.changed(here) if p not in clash and not _same(p, here, there)]
        if not mine:
            return there
        if "tiers" in mine and "tiers" in self.moved(there):
            both = self._together(here, there) or ()
            here = replace(here, statistics=both if several(both) else ())
        return over(here, there, mine, who=who)

    def equal(self, here: KeptPlan, there: KeptPlan) -> list[Part]:
        """The parts that are the same here and in the project."""
        return [part for part in PARTS if _same(part, here, there)]

    def elsewhere(
        self, there: KeptPlan, parts: Sequence[Part], here: KeptPlan | None = None
    ) -> Elsewhere:
        """What was changed elsewhere in some parts; with `here` also what this tab changed.

        Args:
            there: the plan of the project.
            parts: which of them.
            here: the plan of this tab.
        """
        who, at = there.changed.get(parts[0], ("", ""))
        mine = [c for p in parts for c in _changes(p, self._here[p], here)] if here else []
        theirs = [c for p in parts for c in _changes(p, self._there[p], there)]
        return Elsewhere(who=who, at=at, there=tuple(theirs), here=tuple(mine))


def over(here: KeptPlan, there: KeptPlan, parts: Sequence[Part], *, who: str) -> KeptPlan:
    """The plan of the project with these parts of a tab's, and who changed them.

    Args:
        here: the plan of the tab.
        there: the plan of the project.
        parts: that are written.
        who: writes them.
    """
    fields = {name: getattr(here, name) for part in parts for name in PARTS[part]}
    now = datetime.datetime.now(tz=datetime.UTC).isoformat(timespec="seconds")
    changed = {**there.changed, **{str(part): (who, now) for part in parts}}
    return replace(there, **fields, changed=changed)


def same_tier(name: str, here: KeptPlan, there: KeptPlan) -> bool:
    """Whether a tier means the same in a tab's plan and in the project's, so that it can be drawn.

    Args:
        name: of the tier; what is in no plan, such as a list for all tiers, is the same.
        here: the plan of the tab.
        there: the plan of the project.
    """
    mine = {t.name: (t.kind, t.amount, here.delta) for t in here.tiers}
    theirs = {t.name: (t.kind, t.amount, there.delta) for t in there.tiers_of(here.asked)}
    return name not in mine or theirs.get(name) == mine[name]


def _same(part: Part, one: KeptPlan, other: KeptPlan) -> bool:
    return bool(_value(part, one) == _value(part, other))


def _value(part: Part, plan: KeptPlan) -> Any:
    """What of a part counts as a change: all that somebody typed.

    A file may have another name when it is loaded again, and looks follow from the tiers.
    """
    if part == "tiers":
        return _rows(plan), _said(plan)
    return written(replace(plan.asked, table="", loading="")), plan.known


def _rows(plan: KeptPlan) -> Any:
    """What was typed for all statistics: the tiers without their budgets, δ and the sizes."""
    tiers = tuple(replace(tier, kind="ρ", amount="") for tier in plan.tiers)
    return tiers, plan.delta, dict(plan.sizes)


def _said(plan: KeptPlan) -> dict[tuple[str, str], Any]:
    """Budgets, noise and name of each statistic of a plan, whichever of them is in use."""
    said: dict[tuple[str, str], Any] = {}
    for one in plan.statistics:
        mark = same_as(one.asked)
        said[mark, BUDGETS] = dict(one.budgets)
        said[mark, NOISE], said[mark, CALLED] = one.asked.family, one.name
    return said or {(same_as(plan.asked), BUDGETS): dict(budgets_of(plan.tiers))}


def _asked(plan: KeptPlan) -> Iterator[Asked]:
    """The statistics of a plan, and the one in use."""
    yield plan.asked
    yield from (one.asked for one in plan.statistics)


def _changes(part: Part, before: KeptPlan, after: KeptPlan) -> Iterator[str]:
    """What differs, one clause each."""
    if part == "tiers":
        yield from _of_tiers(before.tiers, after.tiers_of(before.asked))
        yield from _of_statistics(before, after)
        if after.delta != before.delta:
            yield f"δ is {words.delta(after.delta)}"
        if dict(after.sizes) != dict(before.sizes):
            yield "expected sizes of groups"
        return
    was, now = before.asked, after.asked
    if now.query.statistic != was.query.statistic:
        yield f"the statistic is {words.clean(now.query.statistic)}"
    if now.family != was.family:
        yield f"the noise is {_noise(now)}"
    if now.family == was.family and now.query.statistic == was.query.statistic:
        yield "groups, limits, names or the reading of columns of the statistic"


def _noise(asked: Asked) -> str:
    return ADDITIVE[asked.family].label if asked.family in ADDITIVE else "new"


def _of_statistics(before: KeptPlan, after: KeptPlan) -> Iterator[str]:
    """Which other statistics are new or gone, or have another name, noise or budgets."""
    was, now = ({same_as(s.asked): s for s in plan.statistics} for plan in (before, after))
    used = same_as(before.asked)
    for mark, one in now.items():
        name = words.clean(one.asked.query.statistic)
        if mark not in was and mark != used:
            yield f"the {name} is new in the plan"
        elif mark in was:
            yield from _of_statistic(name, was[mark], one, used=mark == used)
    for mark, one in was.items():
        if mark not in now and mark != same_as(after.asked):
            yield f"the {words.clean(one.asked.query.statistic)} has left the plan"


def _of_statistic(
    name: str, was: KeptStatistic, now: KeptStatistic, *, used: bool
) -> Iterator[str]:
    """What is said otherwise of one of them; budgets and noise of the one in use are told above."""
    if was.name != now.name:
        yield f"the {name} is called {quoted(now.name) if now.name else 'as it was at first'}"
    if not used and was.budgets != now.budgets:
        yield f"the budgets of the {name}"
    if not used and was.asked.family != now.asked.family:
        yield f"the noise of the {name} is {_noise(now.asked)}"


def _of_tiers(before: Sequence[Tier], after: Sequence[Tier]) -> Iterator[str]:
    """Which tiers have another name, are new or gone, or have other cells."""
    was, now = {t.name: t for t in before}, {t.name: t for t in after}
    called = _called(before, after)
    for old, new in called.items():
        yield f"{quoted(old)} is called {quoted(new)}"
    for name, tier in was.items():
        if name not in now and name not in called:
            yield f"{quoted(name)} is deleted"
        yield from _of_tier(tier, now.get(called.get(name, name)))
    for name, tier in now.items():
        if name not in was and name not in called.values():
            yield f"{quoted(name)} is new, with {tier.amount} as {tier.kind}"
    if [*was] != [*now] and was == now:
        yield "the rows are in another order"


def _of_tier(was: Tier, now: Tier | None) -> Iterator[str]:
    if now is None:
        return
    if (now.kind, now.amount) != (was.kind, was.amount):
        yield f"the budget of {quoted(now.name)} is {now.amount or 'empty'} as {now.kind}"
    for cell, word in _CELLS.items():
        if getattr(now, cell) != getattr(was, cell):
            text = getattr(now, cell)
            yield f"the {word} of {quoted(now.name)}: {words.clean(text) if text else 'empty'}"


def _called(before: Sequence[Tier], after: Sequence[Tier]) -> Mapping[str, str]:
    """Tiers under another name: in the same row, with the same budget."""
    known, names = {t.name for t in before}, {t.name for t in after}
    rows = zip(before, after, strict=False)
    return {
        old.name: new.name
        for old, new in rows
        if old.name not in names
        and new.name not in known
        and (old.kind, old.amount) == (new.kind, new.amount)
    }


def _listed(clauses: Sequence[str]) -> str:
    more = len(clauses) - NAMED
    told = [*clauses[:NAMED], *([f"{more} more changes"] if more > 0 else [])]
    return "; ".join(told)


# --- the plan in the database ---


CHOOSE = "This tab has changed the plan, too: take the other plan, or keep this one"
LOOK = "So nothing was drawn. Look at the plan as it is now, and ask again"


class SharedPlan:
    """Reads and writes the plan of a project, as one tab does."""

    __slots__ = ("_database", "_latest", "_project", "_tables", "_versions", "_who")

    def __init__(self, database: Database, tables: Tables, project: int, who: str) -> None:
        """Nothing is read yet.

        Args:
            database: of the place.
            tables: by which tables are known again.
            project: its row.
            who: the account, or the user of a command; "" where nobody is named.
        """
        self._database, self._tables, self._project, self._who = database, tables, project, who
        self._versions = Versions()
        self._latest: KeptPlan | None = None  # as it was in the project when looked at last

    def stored(self, connection: sa.Connection) -> tuple[str, KeptPlan]:
        """The name and the plan of the project, as they are in the database.

        Raises:
            ParameterError: if it was deleted, or is damaged.
        """
        wanted = sa.select(PROJECTS.c.name, PROJECTS.c.plan).where(PROJECTS.c.id == self._project)
        row = connection.execute(wanted).one_or_none()
        if row is None or row.name.startswith(DELETED):
            raise ParameterError(GONE)
        return row.name, plans.plan_in(row.plan)

    def lock(self, connection: sa.Connection) -> None:
        """Let nobody else change the project until this transaction ends."""
        mine = PROJECTS.c.id == self._project
        connection.execute(sa.select(PROJECTS.c.id).where(mine).with_for_update())

    def seen(self, ws: Workspace, there: KeptPlan) -> None:
        """Know the plan of the project as it is now; at first it is that of the tab."""
        self._latest = there
        if not self._versions.begun:
            self._versions.agree(plan_of(ws, self._tables), there)

    def check(self, ws: Workspace, there: KeptPlan, name: str) -> None:
        """Refuse a draw for a tier that has another name or budget in the project by now.

        Args:
            ws: the workspace.
            there: the plan of the project.
            name: of the tier.

        Raises:
            PlanChangedError: who changed it, and what to do.
        """
        moved = "tiers" in self._versions.moved(there)
        if moved and not same_tier(name, plan_of(ws, self._tables), there):
            raise PlanChangedError(self._versions.elsewhere(there, ["tiers"]), LOOK)

    def write(self, connection: sa.Connection, ws: Workspace, there: KeptPlan) -> KeptPlan:
        """Write what was changed here alone, in a transaction; the plan that is there then.

        Raises:
            ParameterError: if a budget is too long to be kept.
        """
        merged = self._versions.merged(plan_of(ws, self._tables), there, who=self._who)
        return there if merged is there else self._written(connection, merged)

    def agree(self, ws: Workspace, there: KeptPlan) -> None:
        """What is the same here and in the project is known to be so, once that is committed.

        So is what this tab has changed of the budgets, where another one changed others.
        """
        here, self._latest = plan_of(ws, self._tables), there
        self._versions.agree(here, there, self._versions.equal(here, there))
        if self._versions.holds_mine(here, there):
            as_here = replace(there, tiers=here.tiers, asked=here.asked, statistics=here.statistics)
            self._versions.agree(here, as_here, ["tiers"])

    def save(self, ws: Workspace) -> None:
        """Write what was changed here; nothing if nothing was.

        Raises:
            PlanChangedError: if the same was changed elsewhere: nothing is written then.
            ParameterError: if the database refuses.
        """
        here = plan_of(ws, self._tables)
        if not self._versions.changed(here):
            return
        with self._database.writing() as connection:
            self.lock(connection)
            there = self.stored(connection)[1]
            if clash := self._versions.clash(here, there):
                raise PlanChangedError(self._versions.elsewhere(there, clash, here), CHOOSE)
            there = self.write(connection, ws, there)
        self.agree(ws, there)

    def follow(self, ws: Workspace) -> Elsewhere | None:
        """Put the tiers of the project to use if they were changed elsewhere, and here not.

        The statistic that a tab looks at stays its own.
        """
        here, there, known = plan_of(ws, self._tables), self._latest, self._versions
        if there is None or "tiers" not in known.moved(there):
            return None
        if ws.plan.refused or "tiers" in known.changed(here):
            return None
        news = known.elsewhere(there, ["tiers"])
        use_tiers(ws, there, self._tables)
        ws.history.begin_again()  # undo here takes back nothing of there
        known.agree(plan_of(ws, self._tables), there, ["tiers"])
        return news

    def take(self, ws: Workspace) -> KeptPlan:
        """Put what was changed elsewhere to use, in the place of the same changed here.

        Returns:
            The plan of the project.

        Raises:
            ParameterError: if the database cannot be read.
        """
        with self._database.reading() as connection:
            there = self.stored(connection)[1]
        clash = self._versions.clash(plan_of(ws, self._tables), there)
        if "statistic" in clash:
            use_statistic(ws, there)
        if "tiers" in clash:
            use_tiers(ws, there, self._tables)
        self._versions.agree(plan_of(ws, self._tables), there, clash)
        return there

    def keep(self, ws: Workspace) -> None:
        """Write what was changed here over what was changed elsewhere.

        Raises:
            ParameterError: if the database refuses.
        """
        here = plan_of(ws, self._tables)
        with self._database.writing() as connection:
            self.lock(connection)
            there = self.stored(connection)[1]
            mine = self._versions.changed(here)
            there = self._written(connection, over(here, there, mine, who=self._who))
        self.agree(ws, there)

    def _written(self, connection: sa.Connection, plan: KeptPlan) -> KeptPlan:
        mine = sa.update(PROJECTS).where(PROJECTS.c.id == self._project)
        connection.execute(mine.values(plan=plans.written(plan)))
        return plan
