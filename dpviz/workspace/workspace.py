"""One visitor's workspace: the statistic in use, the plan, the sessions and the ledger.

Acts take turns, since two presses of one visitor may run at once; what draws noise is in `draw`,
and properties only read. Limits: it ends with the browser tab, unless a project keeps it.
"""

from collections.abc import Callable, Collection, Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz import data, streams, words
from dpviz.data import SAMPLE, SAMPLES, Sample, Table
from dpviz.data.read import Source
from dpviz.errors import OverBudgetError, ParameterError, SealedError
from dpviz.noise import ADDITIVE
from dpviz.noise.family import Family
from dpviz.parameters import USUAL_DELTA
from dpviz.planning.amounts import ACCURACIES
from dpviz.planning.budgets import Budget, Kind, Setting
from dpviz.planning.tiers import (
    Budgets,
    PlannedTier,
    Tier,
    as_rows,
    budgets_of,
    check_name,
    with_budgets,
)
from dpviz.queries import ByColumn, Count, Everybody, Query
from dpviz.release import LedgerEntry
from dpviz.workspace.book import Book
from dpviz.workspace.facts import called, drawn_before
from dpviz.workspace.held import HeldTier
from dpviz.workspace.history import History
from dpviz.workspace.keeping import alone
from dpviz.workspace.plan import Plan, Rows, renamed
from dpviz.workspace.sessions import Asking, Session, Statistic, families_in, put_to_use, stated_at
from dpviz.workspace.topics import PlannedDraw, Topic

RELEASED = "Something was released of this statistic, and that counts: it stays in the plan"


@dataclass(slots=True, repr=False)
class Workspace(Book):
    """Everything one visitor has entered and drawn."""

    table: Table
    loading: str
    statistic: Statistic
    family_name: str = ADDITIVE["gaussian"].name
    delta: float = USUAL_DELTA
    plan: Plan = field(default_factory=Plan)
    statistics: list[Statistic] = field(default_factory=list)
    topics: list[Topic] = field(default_factory=list)
    is_guess: bool = False  # whether nobody has said yet what is published of the table
    history: History = field(default_factory=History)

    @classmethod
    def fresh(cls) -> "Workspace":
        """A workspace with the sample loaded and a statistic ready to release."""
        query = Count(ByColumn(SAMPLE.column, SAMPLE.groups[SAMPLE.column]))
        return cls.around(Statistic(data.load_sample(), query, SAMPLE.loading))

    @classmethod
    def load(cls, source: Source, *, name: str | None = None, **how: Any) -> "Workspace":
        r"""A workspace with a table loaded; until a statistic is stated, it is how many there are.

        Args:
            source: bytes, a path or an open file, of any kind that `dpviz.data.read_table` reads.
            name: what to call the table; by default the name of the file.
            how: what else that takes: `encoding`, `sheet`, `header` and `leave_out`.

        Raises:
            DataError: if the table cannot be read.

        >>> ws = Workspace.load(b"Wards\nid,ward\n1,A\n2,B\n", name="visits.csv", header=2)
        >>> ws.statistic.query.statistic
        'number of people'
        """
        table = data.read_table(source, name=name, **how)
        made = cls.around(Statistic(table, Count(Everybody()), table.file.loading(table.name)))
        made.is_guess = True
        return made

    @classmethod
    def around(cls, statistic: Statistic) -> "Workspace":
        """A workspace with a statistic of a table that was read."""
        made = cls(statistic.table, statistic.loading, statistic)
        made.use(statistic)
        return made

    @alone
    def bring(self, table: Table, loading: str | None = None) -> None:
        """Load another table; a session of a project that was opened with the same file goes on."""
        self.table, self.loading = table, loading or table.file.loading(table.name)
        self.catch_up()

    def state(self, query: Query) -> None:
        """Make a query on the table that is loaded the statistic in use."""
        self.use(Statistic(self.table, query, self.loading))

    @alone
    def close(self) -> None:
        """Forget tables, exact numbers and releases, once the visitor has left."""
        asked = [*(s.table for s in self.statistics), *(topic.table for topic in self.topics)]
        for table in (self.table, *asked):
            table.stop()
            table.close()
        self.statistics.clear()
        self.topics.clear()
        self.history = History()
        self.forget()

    @alone
    def use(self, statistic: Statistic) -> None:
        """Make this the statistic of every page, in its words; earlier ones stay on the list.

        Each has budgets and noise of its own; a new one begins with those of the one before.
        """
        named, before = {s.key: s.query.labels for s in self.statistics}, self.statistic
        self.put_aside()
        wanted = put_to_use(statistic, self.statistics, self.sessions)
        self.family_name, self.statistic = self.noise_of(wanted), wanted
        self.plan.rename_groups(statistic.query, named.get(statistic.key))
        if before.key != self.statistic.key:
            self.plan.turn(before.query, self.statistic.query, self.statistic.budgets)
            if self.is_guess:
                self.drop(before)
        self.is_guess = False
        self.restyle()

    @alone
    def use_instead(self, statistic: Statistic) -> None:
        """Put a statistic in the place of the one in use; of what was released, both stay."""
        before = self.statistic
        self.use(statistic)
        if before.key != self.statistic.key:
            self.drop(before)

    @alone
    def drop(self, statistic: Statistic) -> None:
        """Take a statistic off the plan unless something was released of it."""
        if not self.released(statistic):
            self.leave_out(statistic)

    def released(self, statistic: Statistic) -> bool:
        """Whether something was released of a statistic."""
        plain = (one.asking.plain for one in self.sessions)
        return any(of is not None and of.key == statistic.key for of in plain)

    @alone
    def put_aside(self) -> None:
        """Let the statistic in use keep its budgets and its noise, before another one is used."""
        budgets, noise = budgets_of(self.plan.tiers), self.family_name
        self.statistics[:] = [
            replace(s, budgets=budgets, noise=noise) if s.key == self.statistic.key else s
            for s in self.statistics
        ]

    @alone
    def leave_out(self, statistic: Statistic) -> None:
        """Take a statistic off the plan, with its budgets.

        Raises:
            ParameterError: if it is the one in use, or something was released of it.
        """
        if statistic.key == self.statistic.key:
            raise ParameterError(
                "The statistic in use cannot be taken off the plan: choose another one first"
            )
        if self.released(statistic):
            raise ParameterError(RELEASED)
        self.statistics[:] = [s for s in self.statistics if s.key != statistic.key]

    @alone
    def take_off(self) -> None:
        """Take the statistic in use off the plan, and use the one before it, or the next one.

        Raises:
            ParameterError: if it is the only one, or something was released of it.
        """
        keys, away = [s.key for s in self.statistics], self.statistic
        place = keys.index(away.key)
        others = [*self.statistics[:place][::-1], *self.statistics[place + 1 :]]
        if not others:
            raise ParameterError("The plan needs a statistic: add another one first")
        if self.released(away):
            raise ParameterError(RELEASED)
        self.use(others[0])
        self.leave_out(away)

    @alone
    def move_up(self, statistic: Statistic) -> None:
        """Let a statistic stand one place earlier in the plan."""
        keys = [s.key for s in self.statistics]
        place = keys.index(statistic.key)
        if place:
            self.statistics[place - 1 : place + 1] = self.statistics[place - 1 : place + 1][::-1]

    @alone
    def plan_topic(self, topic: Topic) -> None:
        """Let a structured mechanism be a statistic of the plan, too; asked again, as it is now."""
        self.topics[:] = [*(t for t in self.topics if t.key != topic.key), topic]

    @alone
    def leave_topic(self, key: Hashable) -> None:
        """Take a structured mechanism off the plan; what was released of it counts on.

        Args:
            key: of its session.
        """
        self.topics[:] = [t for t in self.topics if t.key != key]

    @alone
    def plan_for(self, statistics: Sequence[Statistic]) -> None:
        """Put statistics with their budgets on the plan in their order, before all others.

        None of them is put to use; one that is on the plan takes budgets, name and noise.
        """
        known = {s.key: s for s in self.statistics}
        first = [
            replace(known.pop(s.key, s), budgets=s.budgets, own_name=s.own_name, noise=s.noise)
            for s in statistics
        ]
        self.statistics[:] = [*first, *known.values()]
        used = self.statistic.key
        self.statistic = next((s for s in self.statistics if s.key == used), self.statistic)

    @alone
    def call(self, name: str) -> None:
        """Give the statistic in use a name of one's own; without one it is what is published.

        Raises:
            ParameterError: if it is too long, or another statistic has it.
        """
        wanted, mine = name.strip(), self.statistic.key
        if wanted:
            check_name(wanted, where="the statistic")
        if wanted in {s.own_name for s in self.statistics if s.own_name and s.key != mine}:
            raise ParameterError(f"Another statistic is called {wanted}. Type another name.")
        self.statistic = replace(self.statistic, own_name=wanted)
        self.statistics[:] = [
            replace(s, own_name=wanted) if s.key == mine else s for s in self.statistics
        ]

    @alone
    def use_budgets(self, budgets: Mapping[Hashable, Budgets]) -> None:
        """Give statistics of the plan these budgets; all others, and all else, stay as they are.

        Args:
            budgets: by the key of the statistic, of tiers of the plan.

        Raises:
            ParameterError: if one cannot be used, or the rows as typed have a problem; nothing is
                changed then.
        """
        self.plan.check_typed()
        for one in self.statistics:
            given = [t for t in self.plan.tiers if t.name in budgets.get(one.key, {})]
            rows = as_rows(with_budgets(given, budgets.get(one.key, {})))
            problems = self.plan.read(rows, self.setting_of(one))[1]
            if given and problems:
                raise ParameterError(f"The {one.name}: {problems[0]}")
        self.statistics[:] = [
            replace(one, budgets={**_typed(self.tiers_of(one)), **budgets.get(one.key, {})})
            for one in self.statistics
        ]
        query = self.statistic.query
        self.plan.turn(query, query, budgets.get(self.statistic.key, {}))
        self.restyle()

    def asked_again(self, statistic: Statistic) -> list[str]:
        """The tiers whose ± is asked again if this becomes the statistic in use."""
        known = next((s.budgets for s in self.statistics if s.key == statistic.key), {})
        return self.plan.asked_again(self.statistic.query, statistic.query, known)

    def find_statistic(self, called: str) -> Statistic:
        """A statistic of the plan by its name, or by its place in the plan, such as "2".

        Raises:
            ParameterError: if none is called so; it lists those there are.
        """
        for place, statistic in enumerate(self.statistics, start=1):
            if called in (str(place), statistic.own_name, statistic.query.statistic):
                return statistic
        names = [f"{place}: {s.name}" for place, s in enumerate(self.statistics, start=1)]
        raise ParameterError(
            f"The plan has no statistic {called}. Name one by its number or its name: "
            f"{'; '.join(names)}"
        )

    def tiers_of(self, statistic: Statistic) -> tuple[Tier, ...]:
        """The tiers with their budgets for one statistic of the plan."""
        if statistic.key == self.statistic.key:
            return self.plan.tiers
        return self.plan.tiers_after(self.statistic.query, statistic.query, statistic.budgets)

    def noise_of(self, statistic: Statistic) -> str:
        """The name of the noise of one statistic of the plan, as far as the mode offers it."""
        noise = statistic.noise if statistic.key != self.statistic.key else ""
        return noise if noise in self.offered else self.family_name

    def setting_of(self, statistic: Statistic) -> Setting:
        """What budgets of one statistic of the plan refer to."""
        return statistic.setting(self.noise_of(statistic), self.delta)

    def asking_of(self, statistic: Statistic) -> Asking:
        """What the session of one statistic of the plan is asked for, with its noise."""
        return statistic.asking(self.noise_of(statistic))

    def planned_of(self, statistic: Statistic) -> list[PlannedTier]:
        """The tiers that can be used for one statistic of the plan, most private first."""
        return self.plan.read(as_rows(self.tiers_of(statistic)), self.setting_of(statistic))[0]

    def draws(self) -> list[PlannedDraw]:
        """What the whole plan asks for, of each statistic and then of each topic."""
        return [
            *(
                PlannedDraw(name=s.name, asking=self.asking_of(s), tiers=self.planned_of(s))
                for s in self.statistics
            ),
            *(topic.draw(self) for topic in self.topics),
        ]

    @property
    def sample(self) -> Sample | None:
        """The ready sample whose table is loaded, or None for an upload."""
        return next((s for s in SAMPLES.values() if s.loading == self.loading), None)

    @property
    def family(self) -> Family:
        """The noise family in use."""
        return ADDITIVE[self.family_name]

    @property
    def offered(self) -> list[str]:
        """Names of the families that the mode in use allows."""
        return families_in(self.mode)

    @alone
    def use_mode(self, mode: streams.Mode) -> None:
        """Switch the mode of the sessions to come; those that exist keep theirs."""
        self.mode = mode
        if self.family_name not in self.offered:
            self.family_name = self.offered[0]
        self.restyle()

    @alone
    def use_family(self, name: str) -> None:
        """Use this noise from now on; the sessions of another noise stay."""
        self.family_name = name
        self.restyle()

    @alone
    def change_plan(self, change: Callable[..., object], *args: object) -> None:
        """Make one change to the plan under the setting in use now; refused, it stays as it was.

        Args:
            change: an act of `plan`, whose last argument is the setting.
            args: its other arguments.

        Raises:
            ParameterError: if the plan refuses.
        """
        with self.plan.unchanged_if_refused():
            change(*args, self.setting)

    @property
    def setting(self) -> Setting:
        """What budgets refer to now."""
        return self.setting_of(self.statistic)

    def planned(self) -> tuple[list[PlannedTier], list[str]]:
        """Usable tiers, most private first, and one sentence per problem."""
        return self.plan.planned(self.setting)

    @alone
    def use_tiers(self, rows: Rows, *, unsure: Collection[str] = ()) -> list[str]:
        """Keep the typed rows and put them to use; one sentence per problem: see `Plan.use`."""
        before = self.plan.tiers
        problems = self.plan.use(rows, self.setting, unsure=unsure)
        if names := renamed(before, self.plan.tiers):
            self.statistics[:] = [
                replace(s, budgets={names.get(n, n): b for n, b in s.budgets.items()})
                for s in self.statistics
            ]
        return problems

    @alone
    def restyle(self) -> None:
        """Give every tier that can be used now a colour and a symbol."""
        self.plan.restyle(self.setting)

    @alone
    def upgrade(self, name: str, kind: Kind, amount: str, *, sure: bool = False) -> None:
        """Give one tier a larger budget and draw its release; the others stay untouched.

        Args:
            name: the tier.
            kind: currency of the amount.
            amount: the new budget as typed.
            sure: whether a budget that promises next to nothing is meant.

        Raises:
            ParameterError: if the budget cannot be used or drawn, is smaller than what the tier
                has, or promises next to nothing and `sure` is False; nothing is changed then.
        """
        has = self.most_held(name)
        with self.plan.unchanged_if_refused():
            self.plan.upgrade(name, kind, amount, self.setting)
            if has is not None and self.planned_tier(name).budget.level > has.level:
                raise ParameterError(
                    f"Budget of {name}: {amount} as {kind} would tell it less than the "
                    f"{words.budget(has.letter, has.loss)} that it has. Type a larger budget to "
                    "upgrade; a smaller one takes back nothing"
                )
            self.draw(name, sure=sure)

    @alone
    def add_tier(self, tier: Tier, *, sure: bool = False) -> None:
        """Add a tier to the plan and draw its release.

        Raises:
            ParameterError: if the tier cannot be used or drawn, or its budget promises next to
                nothing and `sure` is False; nothing is changed then.
        """
        with self.plan.unchanged_if_refused():
            self.plan.add(tier, self.setting)
            self.draw(tier.name, sure=sure)

    def planned_tier(self, name: str, statistic: Statistic | None = None) -> PlannedTier:
        """A tier of the plan by its name.

        Args:
            name: of the tier.
            statistic: of the plan; None: the one in use.

        Raises:
            ParameterError: if no tier has this name, or it has no budget for the statistic.
        """
        of = statistic or self.statistic
        for planned in self.planned_of(of):
            if planned.name == name:
                return planned
        if name in [p.name for p in self.planned()[0]]:
            raise ParameterError(
                f"{name} has no budget for the {of.name}: choose that statistic on the page "
                "Tiers, and type one"
            )
        raise ParameterError("There is no tier of this name now. Choose one from the list.")

    def stated(self, name: str, kind: Kind, amount: str) -> Budget:
        """What a typed budget would mean for a tier; changes nothing.

        Raises:
            ParameterError: if it cannot be used.
        """
        check_name(name, where="the new tier")
        rows = as_rows([Tier(name=name, amount=amount, kind=kind)])
        planned, problems = self.plan.read(rows, self.setting)
        if problems:
            raise ParameterError(problems[0])
        return planned[0].budget

    def most_held(self, name: str) -> Budget | None:
        """The largest budget at which a tier has a release of the session in use, if it has one."""
        least = self._sharpest(self.statistic).get(name)
        return None if least is None else stated_at(least, self.setting)

    def known(self, statistic: Statistic | None = None) -> list[PlannedTier]:
        """Every tier with the most that it has: the planned budget, or a larger one that it holds.

        Most private first. A release cannot be taken back, so whatever speaks of what a tier knows
        reads this, and not the plan.

        Args:
            statistic: of the plan; None: the one in use.
        """
        of = statistic or self.statistic
        least, setting = self._sharpest(of), self.setting_of(of)
        tiers = [
            replace(p, budget=stated_at(least[p.name], setting))
            if p.name in least and least[p.name].level < p.budget.level
            else p
            for p in self.planned_of(of)
        ]
        return sorted(tiers, key=lambda p: -p.budget.level)

    def _sharpest(self, statistic: Statistic) -> dict[str, LedgerEntry]:
        """The least noisy release of each tier in the session of a statistic."""
        mine = self.entries_of(self.round_of(statistic))
        entries = sorted(mine, key=lambda e: (-e.level, -e.number))
        return {entry.tier: entry for entry in entries}

    @property
    def round(self) -> Session | None:
        """The session in use now, or None before the first draw of this statistic and family."""
        return self.round_of(self.statistic)

    def round_of(self, statistic: Statistic) -> Session | None:
        """The session of one statistic of the plan, or None before its first draw."""
        return self.find(statistic.asked(self.noise_of(statistic)))

    @property
    def values_of_tiers(self) -> list[HeldTier]:
        """Every tier as planned, most private first, with its release where it asked for it."""
        return self._as_held(self.planned()[0])

    @property
    def known_of_tiers(self) -> list[HeldTier]:
        """Every tier with the most that it has (see `known`), most private first."""
        return self._as_held(self.known())

    def _as_held(self, tiers: Sequence[PlannedTier]) -> list[HeldTier]:
        """Tiers with their looks, and with their releases where they hold them; draws nothing."""
        current = self.round
        held, asked = current.mechanism.held if current else {}, self._asked(current)
        return [
            HeldTier.of(
                p.name,
                p.budget,
                self.plan.style_of(p.name),
                held.get(p.budget.level) if (p.name, p.budget.level) in asked else None,
            )
            for p in tiers
        ]

    @property
    def held(self) -> list[HeldTier]:
        """Every release of the session in use, most private first; one off the plan says so."""
        current = self.round
        if current is None:
            return []
        planned = [t for t in self.values_of_tiers if t.values is not None]
        levels, values = {t.level for t in planned}, current.mechanism.held
        former = {e.level: e for e in self.entries_of(current) if e.level not in levels}
        off_plan = [
            HeldTier.of(
                called(e.tier, self.former(e)),
                e.budget,
                self.plan.style_of(e.tier),
                values[e.level],
                delta=e.event.delta,
            )
            for e in former.values()
        ]
        return sorted([*planned, *off_plan], key=lambda t: -t.level)

    def former(self, entry: LedgerEntry, tiers: Sequence[PlannedTier] | None = None) -> str:
        """That a release has not the budget that its tier has now; nothing if it has.

        Of another session than the one in use it is said where budgets are typed that hold for
        every statistic; a ± is that of the one in use.

        Args:
            entry: of the ledger.
            tiers: the tiers as they are planned for its session; by default those of a statistic
                that is released as it is, and of a structured session nothing is said.
        """
        one = self.session_of(entry)
        kind = next((t.kind for t in self.plan.tiers if t.name == entry.tier), self.plan.currency)
        plain = one.asking.plain
        if plain is None:
            told = tiers is None or (entry.tier, entry.level) in _levels(tiers)
            return "" if told else drawn_before(entry, kind)
        if kind in ACCURACIES and one is not self.round:
            return ""
        setting = plain.setting(entry.family, self.delta)
        now = self.plan.planned(setting)[0] if tiers is None else tiers
        if (entry.tier, entry.level) in _levels(now):
            return ""
        return drawn_before(entry, kind, setting, plain.query.noun_released)

    def _asked(self, one: Session | None) -> set[tuple[str, float]]:
        """Tiers with the level that they asked for in a session."""
        return {(e.tier, e.level) for e in self.entries_of(one)}

    def possible(self, level: float, statistic: Statistic | None = None) -> bool:
        """Whether a level can still be drawn, or is held; a seal makes lower ones impossible.

        Args:
            level: of the noise.
            statistic: of the plan; None: the one in use.
        """
        return _is_open(self.round_of(statistic or self.statistic), level)

    @alone
    def draw(self, *names: str, sure: bool = False, statistic: Statistic | None = None) -> None:
        """Draw the releases of tiers in this order, each once; asking again changes nothing.

        Args:
            names: the tiers.
            sure: whether a budget that promises next to nothing is meant.
            statistic: of the plan; None: the one in use.

        Raises:
            ParameterError: if one is unknown, sealed away or refused; nothing is drawn then.
        """
        self._draw([statistic or self.statistic], names, sure=sure)

    @alone
    def draw_all(self, *names: str, sure: bool = False) -> None:
        """The same of every statistic and topic of the plan, one after the other.

        Args:
            names: the tiers.
            sure: whether budgets that promise next to nothing are meant.

        Raises:
            ParameterError: if one is unknown, has no budget for a statistic, is sealed away or
                refused, or the limit is below what all of them cost; nothing is drawn then.
        """
        draws = (topic.draw(self) for topic in self.topics)
        asked = [(draw.asking, self._of_topic(draw, names)) for draw in draws]
        self._draw(self.statistics, names, asked, sure=sure)

    def _draw(
        self,
        of: Sequence[Statistic],
        names: Sequence[str],
        besides: Sequence[tuple[Asking, list[PlannedTier]]] = (),
        *,
        sure: bool,
    ) -> None:
        asked = [
            (self.asking_of(one), [self.planned_tier(name, one) for name in names]) for one in of
        ]
        for asking, tiers in (*asked, *besides):
            for planned in tiers:
                self._check_possible(planned, asking)
        self.record_all([*asked, *besides], sure=sure)

    def _of_topic(self, draw: PlannedDraw, names: Sequence[str]) -> list[PlannedTier]:
        """What these tiers get of a topic of the plan."""
        if missing := [name for name in names if draw.lacks(name)]:
            raise ParameterError(
                f"{words.join(missing)}: no budget for the {draw.name}. Type an ε or a ρ on the "
                "page Tiers, or take that off the plan"
            )
        return draw.of(*names)

    def _check_possible(self, planned: PlannedTier, asking: Asking) -> None:
        if not _is_open(self.find(asking.key), planned.budget.level):
            raise SealedError(
                f"{planned.name} cannot be drawn: the session is sealed at a noisier level. "
                "Start over to draw it in a session of its own, whose loss adds"
            )

    def beyond_limit(self) -> str:
        """Why the whole plan cannot be drawn within the limit; nothing if it can."""
        try:
            self.check_limit(*((draw.asking, draw.tiers) for draw in self.draws()))
        except OverBudgetError as refused:
            return str(refused)
        return ""

    def waiting(self, statistic: Statistic | None = None) -> list[str]:
        """Names of the tiers that can be drawn and have not asked yet, most private first.

        Args:
            statistic: of the plan; None: the one in use.
        """
        of = statistic or self.statistic
        return self._waiting(self.round_of(of), self.planned_of(of))

    def waiting_for(self, asking: Asking, tiers: Sequence[PlannedTier]) -> list[str]:
        """The same of any session.

        Args:
            asking: what it is asked for.
            tiers: who is planned to have a release of it, most private first.
        """
        return self._waiting(self.find(asking.key), tiers)

    def _waiting(self, one: Session | None, tiers: Sequence[PlannedTier]) -> list[str]:
        asked = self._asked(one)
        levels = [(p.name, p.budget.level) for p in tiers]
        return [name for name, at in levels if (name, at) not in asked and _is_open(one, at)]

    def caps(self) -> list[HeldTier]:
        """Releases at which the session can be sealed: none less private may be held."""
        held = self.held
        least = held[-1:] if held and held[-1].name not in self.plan.styles else []
        ceiling = held[-1].level if held else float("inf")
        return [*(t for t in self.values_of_tiers if t.level <= ceiling), *least]

    def cap(self, name: str) -> HeldTier:
        """The release at which the session can be sealed, by the name of its tier.

        Raises:
            ParameterError: if no such tier has this name.
        """
        caps = {t.name: t for t in self.caps()}
        if name not in caps:
            raise ParameterError(
                f"{name} cannot be the seal. Choose one of {words.join(list(caps))}"
            )
        return caps[name]

    @alone
    def seal(self, cap: HeldTier, *, sure: bool = False) -> None:
        """Draw the release of the cap if it is not held, then erase the exact numbers.

        Args:
            cap: the least private release that will ever be served.
            sure: whether a budget that promises next to nothing is meant, if it is drawn now.

        Raises:
            ParameterError: if a less private release is held, the cap’s budget has changed, or it
                cannot be drawn; nothing is drawn then.
        """
        held = self.round.mechanism.levels if self.round else ()
        if held and held[0] < cap.level:
            raise ParameterError(
                f"{cap.name} cannot be the seal: a less private release exists already. Seal there"
            )
        if cap.level not in held:
            if self.planned_tier(cap.name).budget.level != cap.level:
                raise ParameterError(
                    f"The budget of {cap.name} has changed since. Choose the seal again"
                )
            self.draw(cap.name, sure=sure)
        if self.round is not None:
            self.seal_session(self.round, cap.level)

    @alone
    def start_over(self) -> None:
        """Close the session in use; its loss stays in the meter."""
        if self.round is not None:
            self.close_session(self.round)

    def exact(self) -> NDArray[np.int64]:
        """The exact answer in whole steps, computed again: not private, for "reveal" only."""
        return self.statistic.query.values(self.statistic.table)


def _is_open(one: Session | None, level: float) -> bool:
    """Whether a session can still draw a level, or holds it: see `Workspace.possible`."""
    sealed = None if one is None else one.sealed_at
    return sealed is None or level >= sealed


def _typed(tiers: Sequence[Tier]) -> Budgets:
    """The budgets of those tiers that have one."""
    return budgets_of([tier for tier in tiers if tier.amount])


def _levels(tiers: Sequence[PlannedTier]) -> set[tuple[str, float]]:
    """Tiers with the level that each is planned for."""
    return {(p.name, p.budget.level) for p in tiers}
