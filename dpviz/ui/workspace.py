"""One visitor's workspace: the statistic in use, the plan, the sessions and the ledger.

It is the only state of the dashboard. Pages read it and call its few acts; whatever draws noise is
here, in `draw`, with no call of streamlit between drawing and keeping. How far: it lives in
the server's memory and ends with the browser tab.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz import data, streams
from dpviz.data import SAMPLE, Table
from dpviz.errors import ParameterError
from dpviz.figures.palette import TierStyle, assign_styles
from dpviz.figures.words import budget as budget_words
from dpviz.frames import HeldTier
from dpviz.mechanisms.budgets import OFFERED, Setting
from dpviz.mechanisms.tiers import DEFAULT_TIERS, PlannedTier, Tier, as_rows, read_tiers
from dpviz.noise import FAMILIES
from dpviz.noise.family import Family
from dpviz.queries import CountPerGroup
from dpviz.release import LedgerEntry, MultipleRelease, draw_neighbours
from dpviz.ui.rounds import FROM_SAMPLE, Round, Statistic, entry_of


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
    tiers: tuple[Tier, ...] = DEFAULT_TIERS
    typed_rows: list[dict[str, Any]] = field(default_factory=lambda: as_rows(DEFAULT_TIERS))
    styles: dict[str, TierStyle] = field(default_factory=dict)
    past_styles: dict[str, TierStyle] = field(default_factory=dict)
    spread_anew: bool = False
    rounds: list[Round] = field(default_factory=list)
    ledger: list[LedgerEntry] = field(default_factory=list)
    suggestions: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    @classmethod
    def fresh(cls) -> "Workspace":
        """A workspace with the sample loaded and a statistic ready to release."""
        table = data.load_sample()
        query = CountPerGroup(SAMPLE.column, SAMPLE.groups[SAMPLE.column])
        made = cls(table, FROM_SAMPLE, Statistic(table, query, FROM_SAMPLE))
        made.restyle()
        return made

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
        return self.setting_for(self.statistic, self.family_name)

    def setting_for(self, statistic: Statistic, family_name: str) -> Setting:
        """What budgets refer to under this statistic and family."""
        return Setting(
            family=FAMILIES[family_name],
            delta=self.delta,
            sensitivity=statistic.query.sensitivity,
            dimension=len(statistic.query.groups),
        )

    def planned(self) -> tuple[list[PlannedTier], list[str]]:
        """Usable tiers, most private first, and one sentence per problem."""
        return read_tiers(as_rows(self.tiers), self.setting)

    def use_tiers(self, rows: Sequence[Mapping[str, Any]]) -> list[str]:
        """Keep the typed rows; put them to use if every one of them can be used.

        Returns:
            One sentence per problem; empty if the plan is in use now.
        """
        self.typed_rows = [dict(row) for row in rows]
        planned, problems = read_tiers(rows, self.setting)
        if not problems:
            by_name = {p.name: p.tier for p in planned}
            self.tiers = tuple(by_name[n] for n in _names_in(rows) if n in by_name)
            self.restyle()
        return problems

    def restyle(self) -> None:
        """Give every tier a colour and a symbol; known tiers keep theirs."""
        self.past_styles |= self.styles
        names = [p.name for p in self.planned()[0]]
        self.styles, self.spread_anew = assign_styles(self.styles, names)

    def style_of(self, name: str) -> TierStyle:
        """Style of a tier, also of one that has left the plan."""
        return self.styles.get(name) or self.past_styles.get(name) or TierStyle(0, 0)

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
            self._shown(
                p.name,
                p.budget.level,
                budget_words(p.budget.letter, p.budget.loss),
                p.budget.loss,
                session if (p.name, p.budget.level) in asked else None,
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
        off_plan = [
            self._shown(f"{e.tier} (before)", e.level, e.budget, e.event.budget, self.round.session)
            for e in former.values()
        ]
        return sorted([*planned, *off_plan], key=lambda t: -t.level)

    def _shown(
        self, name: str, level: float, budget: str, loss: float, session: MultipleRelease | None
    ) -> HeldTier:
        style = self.style_of(name.removesuffix(" (before)"))
        return HeldTier(
            name=name,
            level=level,
            budget=budget,
            loss=loss,
            slot=style.slot,
            symbol=style.symbol,
            values=session.release(level) if session is not None else None,
        )

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
            setting = self.setting_for(current.statistic, current.family_name)
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
        least = held[-1:] if held and held[-1].name not in self.styles else []
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

    def entries_of(self, one: Round) -> list[LedgerEntry]:
        """The ledger's entries of one round, in order of asking."""
        return [e for e in self.ledger if e.event.session == one.number]

    def exact(self) -> NDArray[np.int64]:
        """The exact answer, computed anew: not private, for "reveal" only."""
        return self.statistic.query.counts(self.statistic.table)

    def _open(self) -> Round:
        """Open a session for the statistic and family in use; it computes the exact answer."""
        number = len(self.rounds) + 1
        seeded = self.mode == "teaching"
        rng = streams.teaching(self.seed, number) if seeded else streams.hardened()
        session = MultipleRelease(self.exact(), self.family, rng=rng)
        opened = Round(number, self.statistic, self.family_name, self.seed, session)
        self.rounds.append(opened)
        return opened


def _names_in(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return [str(row.get("tier") or "").strip() for row in rows]
