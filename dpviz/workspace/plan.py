"""The plan of clearance tiers as one visitor edits it: typed rows, what is in use, and styles.

What was typed is kept apart from what is in use: a plan with a problem stays on screen, and the
last one without a problem stays in use. Limits: it knows nothing of tables and sessions.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass, field, fields, replace
from itertools import chain, count
from typing import Any

from dpviz.errors import ParameterError
from dpviz.palette import TierStyle, assign_styles
from dpviz.planning.amounts import ACCURACIES
from dpviz.planning.budgets import KINDS, Kind, Setting, warning
from dpviz.planning.cast import COUNCIL
from dpviz.planning.presets import Preset
from dpviz.planning.tiers import (
    AMOUNT,
    COLUMNS,
    FIRST_PLAN,
    KIND,
    NAME,
    Budgets,
    PlannedTier,
    Tier,
    as_rows,
    check_name,
    ranked,
    read_tiers,
    rename_sizes,
    restate_tiers,
    text_of,
    with_budgets,
)
from dpviz.queries import Query

Rows = Sequence[Mapping[str, Any]]  # of the table of tiers, as typed
KEPT = 16  # of what was read last
NEWCOMERS = (COUNCIL.name, "press", "schools", "clinics", "courts", "museum", "library", "harbour")


@dataclass(slots=True, repr=False)
class Plan:
    """Tiers in use, the rows as typed, and the colour and symbol of every tier."""

    tiers: tuple[Tier, ...] = FIRST_PLAN
    typed_rows: list[dict[str, Any]] = field(default_factory=lambda: as_rows(FIRST_PLAN))
    edition: int = 0  # counts the rewrites by anything but the grid, which then starts afresh
    styles: dict[str, TierStyle] = field(default_factory=dict)
    past_styles: dict[str, TierStyle] = field(default_factory=dict)
    spread_anew: bool = False
    remembered: dict[tuple[str, Kind], str] = field(default_factory=dict)
    sizes: dict[str, str] = field(default_factory=dict)  # expected ones as typed, by their unit
    former: dict[str, str] = field(default_factory=dict)  # what ± a tier had of another statistic
    refused: bool = False  # the rows as typed have a problem, and the tiers in use are older
    _read: dict[Hashable, tuple[list[PlannedTier], list[str]]] = field(
        default_factory=dict, compare=False
    )  # what rows meant in a setting, by both: a page asks for the same tiers again and again

    def planned(self, setting: Setting) -> tuple[list[PlannedTier], list[str]]:
        """Usable tiers, most private first, and one sentence per problem."""
        return self.read(as_rows(self.tiers), setting)

    def read(self, rows: Rows, setting: Setting) -> tuple[list[PlannedTier], list[str]]:
        """What typed rows mean, as `read_tiers` says; the same rows are read once in a setting."""
        key = (tuple(tuple(text_of(row.get(c)) for c in COLUMNS) for row in rows), setting)
        found = self._read.get(key)
        if found is None:
            found = read_tiers(rows, setting)
            latest = list(self._read.items())[1 - KEPT :]
            self._read = dict([*latest, (key, found)])  # a new one: two runs may read at once
        planned, problems = found
        return list(planned), list(problems)

    def rename_groups(self, query: Query, before: Sequence[str] | None) -> None:
        """Let the expected sizes of a query's groups follow when these get other names.

        Args:
            query: with the names of now.
            before: the former names, in the same order; None if it is new.
        """
        if before is not None and query.counted in self.sizes:
            named = dict(zip(before, query.labels, strict=True))
            self.sizes[query.counted] = rename_sizes(self.sizes[query.counted], named)

    def turn(self, before: Query, after: Query, known: Budgets) -> None:
        """Give the tiers the budgets that they have of another statistic.

        A tier without one there keeps what it has; but where the numbers are of another kind its ±
        is asked again: ±50 people are not ±50 rows. What was typed stands in `former`.

        Args:
            before: the statistic that was in use.
            after: the one in use from now on.
            known: its budgets; empty if it had none of its own.
        """
        rows = [self._turned(row, before, after, known) for row in self.typed_rows]
        tiers = self.tiers_after(before, after, known)
        if (rows, tiers) == (self.typed_rows, self.tiers):
            return
        for row in self.typed_rows:
            name, kind, amount = (text_of(row.get(column)) for column in (NAME, KIND, AMOUNT))
            if amount and name not in known and _asks(kind, before, after):
                sure = kind.removeprefix("±a ")
                self.former[name] = f"±{amount.lstrip('± ')} {before.noun_released} ({sure})"
        self.edition += 1
        self.typed_rows, self.tiers = rows, tiers

    def tiers_after(self, before: Query, after: Query, known: Budgets) -> tuple[Tier, ...]:
        """The tiers with the budgets that `turn` would give them."""
        again = {*self.asked_again(before, after, known)}
        asked = [replace(t, amount="") if t.name in again else t for t in self.tiers]
        return with_budgets(asked, known)

    def asked_again(self, before: Query, after: Query, known: Budgets) -> list[str]:
        """The tiers whose ± is asked again if the statistic in use becomes another one."""
        typed = [t for t in self.tiers if t.amount and t.name not in known]
        return [t.name for t in typed if _asks(t.kind, before, after)]

    def _turned(
        self, row: Mapping[str, Any], before: Query, after: Query, known: Budgets
    ) -> dict[str, Any]:
        name, kind = (text_of(row.get(column)) for column in (NAME, KIND))
        if name in known:
            kind, amount = known[name]
            return {**row, KIND: kind, AMOUNT: amount}
        return {**row, AMOUNT: ""} if _asks(kind, before, after) else dict(row)

    @property
    def beside(self) -> dict[str, str]:
        """The former ± of each tier whose ± is to be typed again, by the tier's name."""
        empty = [row for row in self.typed_rows if not text_of(row.get(AMOUNT))]
        names = [text_of(row.get(NAME)) for row in empty if row.get(KIND) in ACCURACIES]
        return {name: self.former[name] for name in names if name in self.former}

    def weak(self, rows: Rows, setting: Setting) -> list[PlannedTier]:
        """Typed tiers whose budgets promise next to nothing and are not in use yet."""
        known = {(t.name, t.kind, t.amount) for t in self.tiers}
        return [
            p
            for p in self.read(rows, setting)[0]
            if warning(p.budget) and (p.name, p.tier.kind, p.tier.amount) not in known
        ]

    def use(self, rows: Rows, setting: Setting, *, unsure: Collection[str] = ()) -> list[str]:
        """Keep the typed rows; put them to use if every one of them can be used.

        Args:
            rows: as typed.
            setting: what the budgets refer to.
            unsure: tiers whose budgets, if they are `weak`, are not said to be meant.

        Returns:
            One sentence per problem; empty if the plan is in use now.
        """
        self.typed_rows = [dict(row) for row in rows]
        planned, problems = self.read(rows, setting)
        if not problems:
            problems = [
                f"Budget of {p.name}: {p.tier.amount} as {p.tier.kind} promises next to nothing. "
                "Say that it is meant, or type another budget."
                for p in (self.weak(rows, setting) if unsure else ())
                if p.name in unsure
            ]
        if not problems:
            by_name = {p.name: p.tier for p in planned}
            before = self.tiers
            self.tiers = tuple(by_name[n] for n in _names_in(rows) if n in by_name)
            self._follow(renamed(before, self.tiers))
            self.remembered |= {(t.name, t.kind): t.amount for t in self.tiers}
            self.restyle(setting)
        self.refused = bool(problems) and problems != self.planned(setting)[1]
        return problems

    @contextmanager
    def unchanged_if_refused(self) -> Iterator[None]:
        """Take back every change of the block if it ends with a refusal."""
        before = {f.name: deepcopy(getattr(self, f.name)) for f in fields(self) if f.compare}
        try:
            yield
        except ParameterError:
            for name, held in before.items():
                setattr(self, name, held)
            raise

    def rewrite(self, tiers: Sequence[Tier], setting: Setting) -> list[str]:
        """Replace the whole plan, as a preset or a change of currency does."""
        self.edition += 1
        return self.use(as_rows(tiers), setting)

    def use_preset(self, preset: Preset, setting: Setting) -> list[str]:
        """Put a ready plan to use."""
        return self.rewrite(preset.tiers, setting)

    def state_as(self, kind: Kind, setting: Setting) -> list[str]:
        """State every budget in one currency; what was typed in another one is remembered.

        Raises:
            ParameterError: if the rows as typed have a problem; they stay as they are.
        """
        self.check_typed()
        return self.rewrite(restate_tiers(self.tiers, kind, setting, self.remembered), setting)

    def recolour(self, name: str, colour: str, setting: Setting) -> list[str]:
        """Give one tier a colour of `COLOUR_NAMES`; who has it by now takes another.

        Raises:
            ParameterError: if the rows as typed have a problem; they stay as they are.
        """
        self.check_typed()
        others = [replace(t, colour="") if t.colour == colour else t for t in self.tiers]
        changed = [replace(t, colour=colour) if t.name == name else t for t in others]
        return self.rewrite(changed, setting)

    def sort(self, setting: Setting) -> list[str]:
        """Put the rows in the order of their column "order".

        Raises:
            ParameterError: if the rows as typed have a problem; they stay as they are.
        """
        self.check_typed()
        return self.rewrite(ranked(self.tiers), setting)

    def upgrade(self, name: str, kind: Kind, amount: str, setting: Setting) -> None:
        """Give one tier another budget; the others stay as they are.

        Raises:
            ParameterError: if the budget cannot be used, or the rows as typed have a problem;
                the plan is then unchanged.
        """
        self.check_typed()
        changed = [
            replace(t, kind=kind, amount=amount) if t.name == name else t for t in self.tiers
        ]
        _, problems = self.read(as_rows(changed), setting)
        if problems:
            raise ParameterError(problems[0])
        self.rewrite(changed, setting)

    def add(self, tier: Tier, setting: Setting) -> None:
        """Add one tier to the plan.

        Raises:
            ParameterError: if it cannot be used, or the rows as typed have a problem; the plan
                is then unchanged.
        """
        self.check_typed()
        problem = self.problem_with(tier, setting)
        if problem is not None:
            raise ParameterError(problem)
        self.rewrite([*self.tiers, tier], setting)

    def problem_with(self, tier: Tier, setting: Setting) -> str | None:
        """One sentence why this tier cannot be added, or None; it has no row yet."""
        try:
            check_name(tier.name, where="the new tier")
        except ParameterError as error:
            return str(error)
        _, problems = self.read(as_rows([*self.tiers, tier]), setting)
        return problems[0] if problems else None

    @property
    def currency(self) -> Kind:
        """The kind in which most budgets of the plan are typed."""
        return Counter(t.kind for t in self.tiers).most_common(1)[0][0] if self.tiers else KINDS[0]

    def check_typed(self) -> None:
        """Refuse what would drop what was typed: an act on the tiers in use, if the rows differ.

        Raises:
            ParameterError: the rows as typed have a problem.
        """
        if self.refused:
            raise ParameterError(
                "The plan as typed on the page Tiers has a problem: correct it there first, so "
                "that nothing typed is lost"
            )

    def restyle(self, setting: Setting) -> None:
        """Give every tier a colour and a symbol; known tiers keep theirs."""
        self.past_styles |= self.styles
        planned = self.planned(setting)[0]
        chosen = {p.name: p.tier.colour for p in planned if p.tier.colour}
        names = [p.name for p in planned]
        self.styles, self.spread_anew = assign_styles(self.styles, names, chosen)

    def _follow(self, names: Mapping[str, str]) -> None:
        """Tiers under new names keep their styles, and what was typed for them before."""
        if not names:
            return
        self.past_styles |= self.styles
        self.styles = {names.get(n, n): style for n, style in self.styles.items()}
        self.remembered |= {(names[n], k): a for (n, k), a in self.remembered.items() if n in names}
        self.former = {names.get(n, n): said for n, said in self.former.items()}

    def style_of(self, name: str) -> TierStyle:
        """Style of a tier, also of one that has left the plan."""
        return self.styles.get(name) or self.past_styles.get(name) or TierStyle(0, 0)


def renamed(before: Sequence[Tier], after: Sequence[Tier]) -> dict[str, str]:
    """New names by the old ones, if tiers changed their names and kept their budgets and places.

    Args:
        before: the tiers.
        after: the same later; one that has the name of another is no new name but another order.

    >>> renamed(FIRST_PLAN, [replace(FIRST_PLAN[0], name="court"), *FIRST_PLAN[1:]])
    {'audit': 'court'}
    """
    if len(before) != len(after):
        return {}
    rows = [(old, new) for old, new in zip(before, after, strict=True) if old.name != new.name]
    known = {tier.name for tier in before}
    if any(
        new.name in known or (old.kind, old.amount) != (new.kind, new.amount) for old, new in rows
    ):
        return {}
    return {old.name: new.name for old, new in rows}


def _measured(query: Query) -> str:
    """What a ± of the released numbers is of; for two queries of one name a ± means the same."""
    return f"{query.per_value} {query.counted}"


def _asks(kind: str, before: Query, after: Query) -> bool:
    """Whether a budget of this kind is asked again: a ± of numbers that are of another kind now."""
    return kind in ACCURACIES and _measured(before) != _measured(after)


def _names_in(rows: Rows) -> list[str]:
    return [str(row.get(NAME) or "").strip() for row in rows]


def free_name(taken: Collection[str]) -> str:
    """A name for the new tier that nobody has.

    >>> free_name({"council", "press"}), free_name({*NEWCOMERS, "tier 9"})
    ('schools', 'tier 10')
    """
    numbered = (f"tier {n}" for n in count(len(taken)))
    return next(n for n in chain(NEWCOMERS, numbered) if n not in taken)
