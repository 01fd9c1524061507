"""One visitor's workspace: the statistic in use, the plan, the sessions and the ledger.

It is the only state of the dashboard. Pages read it and call its few acts; whatever draws noise is
here, in `draw`, with no call of streamlit between drawing and keeping. How far: it lives in
the server's memory and ends with the browser tab.
"""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz import data, streams
from dpviz.data import SAMPLE, SAMPLES, Sample, Table
from dpviz.errors import ParameterError
from dpviz.figures.words import budget as budget_words
from dpviz.frames import HeldTier
from dpviz.mechanisms.budgets import OFFERED, Kind, Setting
from dpviz.mechanisms.tiers import PlannedTier, Tier
from dpviz.noise import FAMILIES
from dpviz.noise.family import Family
from dpviz.queries import ByColumn, Count
from dpviz.release import LedgerEntry, MultipleRelease, draw_neighbours
from dpviz.ui.plan import Plan
from dpviz.ui.rounds import Round, Statistic, Structured, entry_of


@dataclass(slots=True, repr=False)
class Workspace:
    """Everything one visitor has entered and drawn."""

    table: Table
    loading: str
    statistic: Statistic
    family_name: str = "gaussian"
    mode: streams.Mode = "teaching"
    delta: float = 1e-6
    seed: int = 7
    plan: Plan = field(default_factory=Plan)
    statistics: list[Statistic] = field(default_factory=list)
    rounds: list[Round] = field(default_factory=list)
    structured: list[Structured] = field(default_factory=list)
    ledger: list[LedgerEntry] = field(default_factory=list)
    suggestions: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    @classmethod
    def fresh(cls) -> "Workspace":
        """A workspace with the sample loaded and a statistic ready to release."""
        table = data.load_sample()
        query = Count(ByColumn(SAMPLE.column, SAMPLE.groups[SAMPLE.column]))
        made = cls(table, SAMPLE.loading, Statistic(table, query, SAMPLE.loading))
        made.use(made.statistic)
        return made

    def use(self, statistic: Statistic) -> None:
        """Make this the statistic of every page; earlier ones stay on the list."""
        known = {s.key: s for s in self.statistics}
        self.statistic = known.setdefault(statistic.key, statistic)
        self.statistics = list(known.values())
        self.restyle()

    @property
    def sample(self) -> Sample | None:
        """The ready sample whose table is loaded, or None for an upload."""
        return next((s for s in SAMPLES.values() if s.loading == self.loading), None)

    @property
    def family(self) -> Family:
        """The noise family in use."""
        return FAMILIES[self.family_name]

    @property
    def offered(self) -> list[str]:
        """Names of the families that the mode allows: hardened takes whole numbers only."""
        return [n for n in OFFERED if self.mode == "teaching" or FAMILIES[n].integer]

    def use_mode(self, mode: streams.Mode) -> None:
        """Switch the mode of the sessions to come; those that exist keep theirs."""
        self.mode = mode
        if self.family_name not in self.offered:
            self.family_name = self.offered[0]
        self.restyle()

    @property
    def setting(self) -> Setting:
        """What budgets refer to now."""
        return self.statistic.setting(self.family_name, self.delta)

    def planned(self) -> tuple[list[PlannedTier], list[str]]:
        """Usable tiers, most private first, and one sentence per problem."""
        return self.plan.planned(self.setting)

    def use_tiers(self, rows: Sequence[Mapping[str, Any]]) -> list[str]:
        """Keep the typed rows and put them to use; one sentence per problem."""
        return self.plan.use(rows, self.setting)

    def restyle(self) -> None:
        """Give every tier that can be used now a colour and a symbol."""
        self.plan.restyle(self.setting)

    def upgrade(self, name: str, kind: Kind, amount: str) -> None:
        """Give one tier another budget and draw its release; the others stay untouched.

        Raises:
            ParameterError: if the budget cannot be used or drawn.
        """
        self.plan.upgrade(name, kind, amount, self.setting)
        self.draw(name)

    def add_tier(self, tier: Tier) -> None:
        """Add a tier to the plan and draw its release.

        Raises:
            ParameterError: if the tier cannot be used or drawn.
        """
        self.plan.add(tier, self.setting)
        self.draw(tier.name)

    @property
    def round(self) -> Round | None:
        """The session in use now, or None before the first draw of this statistic and family."""
        mine = [r for r in self.rounds if r.is_for(self.statistic, self.family_name, self.mode)]
        return mine[-1] if mine else None

    @property
    def values_of_tiers(self) -> list[HeldTier]:
        """Every tier as it is drawn, most private first, with its release where it asked."""
        session = self.round.session if self.round else None
        asked = self._asked()
        return [
            HeldTier(
                name=p.name,
                level=p.budget.level,
                budget=budget_words(p.budget.letter, p.budget.loss),
                loss=p.budget.loss,
                values=session.release(p.budget.level)
                if session is not None and (p.name, p.budget.level) in asked
                else None,
                **asdict(self.plan.style_of(p.name)),
            )
            for p in self.planned()[0]
        ]

    @property
    def held(self) -> list[HeldTier]:
        """Every release of the session in use, most private first.

        One whose tier has left the plan, or has another budget now, says so in its name.
        """
        planned = [t for t in self.values_of_tiers if t.values is not None]
        levels = {t.level for t in planned}
        if self.round is None:
            return []
        former = {e.level: e for e in self.entries_of(self.round) if e.level not in levels}
        tiers = [e.tier for e in former.values()]
        off_plan = [
            HeldTier(
                name=f"{e.tier} (before" + (f", {e.budget})" if tiers.count(e.tier) > 1 else ")"),
                level=e.level,
                budget=e.budget,
                loss=float(e.event.budget),
                values=self.round.session.release(e.level),
                **asdict(self.plan.style_of(e.tier)),
            )
            for e in former.values()
        ]
        return sorted([*planned, *off_plan], key=lambda t: -t.level)

    def _asked(self) -> set[tuple[str, float]]:
        """Tiers with the level that they asked for in the session in use."""
        mine = self.entries_of(self.round) if self.round else []
        return {(e.tier, e.level) for e in mine}

    def possible(self, level: float) -> bool:
        """Whether a level can still be drawn, or is held; a seal makes lower ones impossible."""
        sealed = self.round.session.sealed_at if self.round else None
        return sealed is None or level >= sealed

    def draw(self, *names: str) -> None:
        """Draw the releases of tiers in this order, each once; asking again changes nothing.

        Raises:
            ParameterError: if there is no such tier, or the session was sealed above it.
        """
        planned = {p.name: p for p in self.planned()[0]}
        for name in names:
            if name not in planned:
                raise ParameterError("There is no tier of this name now. Choose one of the list.")
            current = self.round or self._open()
            level = planned[name].budget.level
            if (name, level) in self._asked():
                continue
            neighbours = draw_neighbours(current.session, self.family, level)
            current.session.release(level)
            if level not in current.asked:
                current.asked.append(level)
            setting = current.statistic.setting(current.family_name, self.delta)
            number = len(self.ledger) + 1
            self.ledger.append(entry_of(number, current, planned[name], neighbours, setting))

    def waiting(self) -> list[str]:
        """Names of the tiers that can be drawn and have not asked yet, most private first."""
        asked = self._asked()
        return [
            p.name
            for p in self.planned()[0]
            if self.possible(p.budget.level) and (p.name, p.budget.level) not in asked
        ]

    def caps(self) -> list[HeldTier]:
        """Releases at which the session can be sealed: none less private may be held."""
        held = self.held
        least = held[-1:] if held and held[-1].name not in self.plan.styles else []
        ceiling = held[-1].level if held else float("inf")
        return [*(t for t in self.values_of_tiers if t.level <= ceiling), *least]

    def seal(self, cap: HeldTier) -> None:
        """Draw the release of the cap if it is not held, then erase the exact numbers.

        Raises:
            ParameterError: if a less private release is held.
        """
        if self.round is None or not self.round.session.holds(cap.level):
            self.draw(cap.name)
        if self.round is not None:
            self.round.session.seal(cap.level)

    def start_over(self) -> None:
        """Close the session in use; its loss stays in the meter."""
        if self.round is not None:
            self.round.closed = True

    @property
    def next_number(self) -> int:
        """The number of the session that would be opened next."""
        return len(self.rounds) + len(self.structured) + 1

    def stream(self, number: int) -> np.random.Generator:
        """The generator of the session of this number, in the mode in use."""
        seeded = self.mode == "teaching"
        return streams.teaching(self.seed, number) if seeded else streams.hardened()

    def entries_of(self, one: Round | Structured) -> list[LedgerEntry]:
        """The ledger's entries of one session, in order of asking."""
        return [e for e in self.ledger if e.event.session == one.number]

    def exact(self) -> NDArray[np.int64]:
        """The exact answer in whole steps, computed anew: not private, for "reveal" only."""
        return self.statistic.query.values(self.statistic.table)

    def _open(self) -> Round:
        """Open a session for the statistic and family in use; it computes the exact answer."""
        number = self.next_number
        session = MultipleRelease(self.exact(), self.family, rng=self.stream(number))
        opened = Round(number, self.statistic, self.family_name, self.seed, session)
        self.rounds.append(opened)
        return opened
