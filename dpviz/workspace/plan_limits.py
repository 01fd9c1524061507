"""A limit that is a plan: what its file registers may be released, each once, and nothing else.

The owner of a table knows beforehand what is to be published. A plan file registers it: for each
statistic its noise, its mode and the budgets of its tiers. Then

    a statistic  has one session, as in a plan; its budgets are asked for in any order, and the
                 same budget again, or for another tier, is the same release
    elsewhere    what other tabs and projects have released of the rows uses up entries of a
                 `Filter`, which has one for each statistic: the largest budget of its session

so whatever is asked for, in whatever order, and wherever one stops, everything together costs at
most what the whole plan does, as the ledger composes it.
Limits: a filter holds ρ and ε without a δ, so a plan with other noise cannot be registered. Of what
was released elsewhere the budgets are known, not the statistics: there the same statistic may have
taken the entry of another one, which is then refused.
Source: MATHEMATICS 5.8, after Cesar and Rogers (2021), Definition 3.1.
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache, lru_cache
from pathlib import Path

from dpviz.accounting import JointLoss, ReleaseEvent, joint_loss
from dpviz.accounting.composition import PURE, ZCDP, of_sessions
from dpviz.accounting.filter import GAUSSIAN, Filter
from dpviz.accounting.filter import PURE as PURE_KIND
from dpviz.accounting.guarantees import Budget, Setting, guarantee_of
from dpviz.data import Reading, quoted
from dpviz.errors import OverBudgetError, ParameterError
from dpviz.parameters import exact
from dpviz.planning.sharing import events_of
from dpviz.queries import Query
from dpviz.streams import Mode
from dpviz.words import NO_BREAK, exactly, join
from dpviz.workspace.account import unit_of
from dpviz.workspace.limits import Drawn, Most, assigned, owner_limit
from dpviz.workspace.plan_file import MAX_BYTES, FurtherStatistic, PlanFile, opened, written
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.takeaways import cost_words

KINDS = {ZCDP: GAUSSIAN, PURE: PURE_KIND}
MODES: dict[Mode, str] = {"teaching": "practice mode", "hardened": "hardened mode"}
MOST_NAMED = 3  # statistics with something left, in a sentence


@dataclass(frozen=True, slots=True)
class PlanLimit:
    """What a plan registers, as a limit.

    Attributes:
        text: the plan, as a plan file without a seed.

    Raises:
        ParameterError: the text is no plan, or noise in it promises neither ρ nor an ε alone.
    """

    text: str

    def __post_init__(self) -> None:
        plan = opened(self.text.encode())
        object.__setattr__(self, "text", written(replace(plan, seed=None)).decode())
        _register(self.text)

    @property
    def totals(self) -> Mapping[str, JointLoss]:
        """What the whole plan costs, for each unit of privacy that it protects."""
        return _totals(self.text)

    @property
    def words(self) -> str:
        """The limit as people write it."""
        many = sum(len(each.budgets) for each in _register(self.text).entries)
        releases = "the one release" if many == 1 else f"the {many} releases"
        alone = len(self.totals) == 1
        told = [
            cost_words(loss) + ("" if alone else f" ({unit})") for unit, loss in self.totals.items()
        ]
        return f"{releases} of its plan, each once, together {join(told)}"

    def check(
        self,
        made: Sequence[Drawn],
        others: Sequence[ReleaseEvent],
        asked: Sequence[Drawn],
        *,
        more: str,
    ) -> None:
        """Refuse what the plan does not register, or what is used; see `Register`."""
        register = _register(self.text)
        why = register.refused(made, others, asked)
        if why:
            rest = register.left(made, others)
            left = f"left on it: {join(rest, MOST_NAMED)}" if rest else "nothing is left on it"
            instead = f"ask for one of these, or {more}" if rest else more
            raise OverBudgetError(f"{why}; {left}; {instead}")

    def said(self, made: Sequence[Drawn], others: Sequence[ReleaseEvent]) -> str:
        """How far the plan is used, as a sentence; see `Register`."""
        register = _register(self.text)
        elsewhere = ""
        if others:
            used = join([_words(event) for event in of_sessions(others)], MOST_NAMED)
            elsewhere = f" Other tabs and projects have released {used}."
        left = join(register.left(made, others), MOST_NAMED) or "nothing"
        here = len(register.released(made))
        return (
            f"Limit for everything together: {self.words}. Released here: {here}.{elsewhere} "
            f"Left: {left}."
        )


def limit_in(text: str | None) -> Most | None:
    """A limit as it is given on a command line: a loss, or the name of a plan file.

    Args:
        text: such as "rho=0.5", or "plan.json"; nothing: no limit.

    Raises:
        ParameterError: one sentence with what to type instead.

    >>> limit_in("rho=0.5").budget
    Fraction(1, 2)
    """
    if not text or assigned(text):
        return owner_limit(text)
    try:
        with Path(text).open("rb") as stream:
            content = stream.read(MAX_BYTES + 1)
    except (OSError, ValueError):
        if not text.endswith(".json"):
            return owner_limit(text)  # which says what to type
        raise ParameterError(f"Limit: there is no file {quoted(text)}; name a plan file.") from None
    try:
        return PlanLimit(written(opened(content)).decode())
    except ParameterError as error:
        raise ParameterError(f"Limit: {quoted(Path(text).name)}: {error}.") from None


standing = cache(limit_in)  # of the person who starts a process: a plan file is read once


@dataclass(frozen=True, slots=True, kw_only=True)
class _Entry:
    """What a plan registers of one statistic; its budgets once each, the most private first."""

    place: int
    name: str
    query: Query
    readings: Mapping[str, Reading]
    setting: Setting
    mode: Mode
    budgets: tuple[Budget, ...]

    @property
    def letter(self) -> str:
        return self.budgets[0].letter

    @property
    def largest(self) -> tuple[str, Fraction]:
        """The kind and the budget that the filter has for its session."""
        definition = guarantee_of(self.setting.family).definition
        return KINDS[definition], max(each.exact for each in self.budgets)

    def states(self, statistic: Statistic) -> bool:
        """Whether this is the statistic, of whatever rows, and its columns are read so."""
        read = dict(statistic.table.readings_of(self.query.columns))
        return statistic.query == self.query and read == self.readings

    def has(self, event: ReleaseEvent) -> bool:
        return any(exact(event.budget) == each.exact for each in self.budgets)

    def words(self, budgets: Iterable[Fraction]) -> str:
        numbers = [exactly(each, up=True) for each in budgets]
        return f"the {self.name} at {_said(self.letter, join(numbers).replace(' and ', ' or '))}"


@dataclass(frozen=True, slots=True)
class _Register:
    """The entries of a plan, and the filter of their sessions."""

    entries: tuple[_Entry, ...]
    filter: Filter

    def entry(self, drawn: Drawn) -> _Entry | None:
        """What registers a release, whatever its budget."""
        statistic = drawn.asking.plain
        for each in self.entries:
            same = (drawn.asking.family, drawn.mode) == (each.setting.family, each.mode)
            if statistic is not None and same and each.states(statistic):
                return each
        return None

    def refused(
        self, made: Sequence[Drawn], others: Sequence[ReleaseEvent], asked: Sequence[Drawn]
    ) -> str:
        """Why what is asked for is not in the plan, or used; nothing if it may be drawn."""
        sessions = self._sessions([*made, *asked])
        _, fitting = self._used(sessions, [*others, *self._besides(made)])
        for each in asked:
            entry, why = self.entry(each), f"{each.tier} is not drawn, as "
            if entry is None or not entry.has(each.event):
                return why + self._unregistered(each)
            if sessions[entry.place] != each.event.session:
                return f"{why}the limit lists the {entry.name} once, and a session here released it"
            if entry.place not in fitting:
                return (
                    f"{why}what else was released of these rows, here or in other tabs and "
                    f"projects, has used what the limit lists of the {entry.name}"
                )
        return ""

    def left(self, made: Sequence[Drawn], others: Sequence[ReleaseEvent]) -> list[str]:
        """What may still be released, statistic by statistic, in words."""
        rest, fitting = self._used(self._sessions(made), [*others, *self._besides(made)])
        held, found = self.released(made), []
        for entry in self.entries:
            budgets = [b.exact for b in entry.budgets if (entry.place, b.exact) not in held]
            fits = entry.place in fitting or (rest is not None and _ask(deepcopy(rest), entry))
            if budgets and fits:
                found.append(entry.words(budgets))
        return found

    def released(self, made: Sequence[Drawn]) -> set[tuple[int, Fraction]]:
        """The releases of the plan that were made here, each once."""
        besides = [event.session for event in self._besides(made)]
        return {
            (entry.place, exact(each.event.budget))
            for each in made
            if (entry := self.entry(each)) is not None and each.event.session not in besides
        }

    def _sessions(self, drawn: Iterable[Drawn]) -> dict[int, int]:
        """Which session is that of each entry: the first one."""
        found: dict[int, int] = {}
        for each in drawn:
            if (entry := self.entry(each)) is not None and entry.has(each.event):
                found.setdefault(entry.place, each.event.session)
        return found

    def _besides(self, made: Sequence[Drawn]) -> list[ReleaseEvent]:
        """What was released here in other sessions than those of the plan."""
        mine = {*self._sessions(made).values()}
        return [each.event for each in made if each.event.session not in mine]

    def _used(
        self, places: Iterable[int], besides: Sequence[ReleaseEvent]
    ) -> tuple[Filter | None, set[int]]:
        """The filter after the sessions of these entries, and those that fit, beside all else.

        None, and no entry, where what else was released is more than the plan registers.
        """
        rest = deepcopy(self.filter)
        for event in of_sessions(besides):
            if not _asked(rest, KINDS.get(event.definition, ""), exact(event.budget)):
                return None, set()
        mine = [self.entries[place] for place in places]
        return rest, {entry.place for entry in mine if _ask(rest, entry)}

    def _unregistered(self, drawn: Drawn) -> str:
        """What of a release the plan does not register, in words."""
        asking, named = drawn.asking, drawn.asking.plain
        same = [each for each in self.entries if named is not None and each.query == named.query]
        noisy = [each for each in same if each.setting.family == asking.family]
        name = same[0].name if same else asking.statistic
        if not same or named is None:
            if named is not None and any(each.query.statistic == name for each in self.entries):
                return f"the limit lists the {name} with other groups or bounds"
            return f"the limit does not list the {name}"
        if not noisy:
            noise = join([each.setting.family.label for each in same])
            return f"the limit lists the {name} with {noise} noise, not with {asking.family.label}"
        entry = noisy[0]
        if entry.mode != drawn.mode:
            return f"the limit lists the {name} in {MODES[entry.mode]}, not in {MODES[drawn.mode]}"
        if not entry.states(named):
            return f"the limit lists the {name} of columns that are read in another way"
        return f"the limit does not list the {name} at {_words(drawn.event)}"


def _asked(rest: Filter, kind: str, budget: Fraction) -> bool:
    """Use up an entry of a filter; whether it has one."""
    if not kind:
        return False
    try:
        rest.ask(kind, budget)
    except OverBudgetError:
        return False
    return True


def _ask(rest: Filter, entry: _Entry) -> bool:
    return _asked(rest, *entry.largest)


def _words(event: ReleaseEvent) -> str:
    """What a release costs, with every digit that matters."""
    letter = "ρ" if event.definition == ZCDP else "ε"
    return _said(letter, exactly(exact(event.budget), up=True))


def _said(letter: str, number: str) -> str:
    return f"{letter}{NO_BREAK}={NO_BREAK}{number}"


@lru_cache(maxsize=8)
def _register(text: str) -> _Register:
    """What a plan registers."""
    plan = opened(text.encode())
    readings = dict(plan.readings)
    entries = []
    stated: list[PlanFile | FurtherStatistic] = [plan, *plan.further]
    for place, one in enumerate(stated):
        setting = plan.setting_of(one)
        if guarantee_of(setting.family).definition not in KINDS:
            raise ParameterError(
                f"{setting.family.label} noise promises neither a ρ nor an ε without a δ, so no "
                "filter can hold it: choose another noise in the plan, or type a limit such as "
                "epsilon=2,delta=1e-6"
            )
        used = {
            name: how
            for name, how in readings.items()
            if how != Reading() and (name in one.query.columns or how.left_out)
        }
        budgets = {planned.budget.exact: planned.budget for planned in plan.planned_of(one)}
        entries.append(
            _Entry(
                place=place,
                name=one.name or one.query.statistic,
                query=one.query,
                readings=used,
                setting=setting,
                mode=plan.mode,
                budgets=tuple(budgets[each] for each in sorted(budgets)),
            )
        )
    return _Register(
        tuple(entries), Filter([each.largest for each in entries], delta=plan.setting.delta)
    )


@lru_cache(maxsize=8)
def _totals(text: str) -> dict[str, JointLoss]:
    """What a plan costs by unit of privacy, composed as the ledger composes it."""
    units: dict[Hashable, list[_Entry]] = {}
    for entry in _register(text).entries:
        units.setdefault(unit_of(entry.query.bounds), []).append(entry)
    found = {}
    for same in units.values():
        events = events_of([e.budgets[-1] for e in same], [e.setting for e in same])
        bounds = same[0].query.bounds
        said = f"{bounds.unit}; neighbours: {bounds.neighbours}"
        found[said] = joint_loss(events, delta=same[0].setting.delta)
    return found
