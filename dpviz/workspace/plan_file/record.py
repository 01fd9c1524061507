"""A plan as a record: what is published, for which tiers, with which noise; no data and no release.

It is made from a workspace or read from a file, and checks itself like everything that was typed:
a plan that exists can be drawn as it is from a table that has its columns.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from dpviz import checks
from dpviz.accounting.guarantees import Setting
from dpviz.data import HowRead, Reading, Table, quoted
from dpviz.errors import ParameterError
from dpviz.parameters import DELTA, seed_from
from dpviz.planning.readable import read_sizes
from dpviz.planning.tiers import PlannedTier, Tier, as_rows, read_tiers
from dpviz.queries import Query, listed_in
from dpviz.streams import Mode
from dpviz.words import visible
from dpviz.workspace.plan_file.file_choices import file_part, how_in
from dpviz.workspace.plan_file.reading import MAX_BYTES, read_file, sentence_of
from dpviz.workspace.plan_file.schema import (
    FORMAT,
    VERSION,
    File,
    columns_of,
    part_of,
    record_of,
    statistic_of,
)
from dpviz.workspace.sessions import families_in, setting_of


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFile:
    """What a plan file says.

    Attributes:
        table: the name of the table that it was made for.
        query: the statistic.
        tiers: as typed, in the order of the rows.
        family_name: the noise.
        mode: teaching or hardened.
        delta: the δ of the plan, as typed: a decimal.
        sizes: the expected sizes of groups as typed, or nothing.
        from_data: columns whose list of groups was read off the data.
        known_before: columns of which the owner says that the list was known before, though groups
            on it were read off the data.
        readings: how columns are read that are not read as usual, by their names.
        how: how the file of the table is read, where somebody chose.
        seed: of practice numbers; None: the plan says none.

    Raises:
        ParameterError: if any of it cannot be used.
    """

    table: str
    query: Query
    tiers: tuple[Tier, ...]
    family_name: str
    mode: Mode
    delta: str
    sizes: str = ""
    from_data: tuple[str, ...] = ()
    known_before: tuple[str, ...] = ()
    readings: tuple[tuple[str, Reading], ...] = ()
    how: HowRead = field(default_factory=HowRead)
    seed: int | None = None

    def __post_init__(self) -> None:
        if self.seed is not None:
            seed_from(str(checks.integer(0, seed=self.seed)))
        checks.one_of(("teaching", "hardened"), mode=self.mode)
        checks.one_of(families_in(self.mode), noise=self.family_name)
        _, problems = read_tiers(as_rows(self.tiers), self.setting)
        if problems:
            raise ParameterError(problems[0])
        if self.sizes:
            read_sizes(self.sizes, self.query.labels)
        for name, columns in (
            ("groups_from_data", self.from_data),
            ("groups_known_before", self.known_before),
        ):
            for column in columns:
                if column not in lists_of(self.query):
                    raise ParameterError(
                        f"{name} names {quoted(column)}, whose groups the plan does not list; "
                        "leave it out"
                    )

    @property
    def setting(self) -> Setting:
        """What its budgets refer to."""
        return setting_of(self.query, self.family_name, DELTA.read(self.delta, where="δ"))

    @property
    def unsaid(self) -> str:
        """The question who is protected, where the plan leaves it open, and how to answer it."""
        if not self.query.bounds.unsaid:
            return ""
        nouns = self.query.nouns
        return (
            f"The plan does not say whether {nouns.a_unit} can have several {nouns.rows} of "
            f"{quoted(self.table)}. Write “several_rows” into its “bounds”: false if each "
            f"{nouns.row} is one {nouns.one}, true if no column says whose it is; or name the "
            "column in “person”"
        )

    @property
    def planned(self) -> list[PlannedTier]:
        """Its tiers with their noise levels, most private first."""
        return read_tiers(as_rows(self.tiers), self.setting)[0]

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that its statistic looks at, or that it says how to read; each once."""
        return tuple(dict.fromkeys([*self.query.columns, *dict(self.readings)]))


def lists_of(query: Query) -> Mapping[str, tuple[str, ...]]:
    """The columns of a statistic whose groups are a list, with the lists."""
    return {part.column: part.groups for part in listed_in(query.by)}


def opened(content: bytes) -> PlanFile:
    """The plan in a file from anybody.

    Args:
        content: the bytes of the file.

    Raises:
        ParameterError: one sentence: what is wrong, where, and what to do instead.
    """
    file = read_file(content)
    try:
        query, readings = statistic_of(file.statistic, file.columns)
        return PlanFile(
            table=file.table,
            query=query,
            tiers=tuple(record_of(tier) for tier in file.tiers),
            family_name=file.noise,
            mode=file.mode,
            delta=file.delta,
            sizes=_typed(file.expected_sizes),
            from_data=tuple(file.groups_from_data),
            known_before=tuple(file.groups_known_before),
            readings=readings,
            how=how_in(file.file),
            seed=file.seed,
        )
    except ParameterError as error:
        raise ParameterError(f"This plan cannot be used: {visible(error)}") from None


def written(plan: PlanFile) -> bytes:
    """A plan as the content of a file: JSON that a person can read, the same on every machine.

    Raises:
        ParameterError: if a number, or the lists of groups, are longer than in any file.
    """
    try:
        file = File(
            format=FORMAT,
            version=VERSION,
            table=plan.table,
            file=file_part(plan.how),
            columns=columns_of(plan.readings),
            statistic=part_of(plan.query),  # type: ignore[arg-type]  # one of the three
            groups_from_data=list(plan.from_data),
            groups_known_before=list(plan.known_before),
            tiers=[part_of(tier) for tier in plan.tiers],  # type: ignore[misc]
            noise=plan.family_name,
            mode=plan.mode,
            delta=plan.delta,
            expected_sizes=_by_group(plan.sizes),
            seed=plan.seed,
        )
    except ValidationError as error:  # such as a number of a hundred digits
        raise ParameterError(sentence_of(error)) from None
    unsaid = {"seed"} if plan.seed is None else None
    content = f"{file.model_dump_json(indent=2, exclude=unsaid)}\n".encode()
    if len(content) > MAX_BYTES:
        raise ParameterError(
            "The lists of groups of this plan make its file larger than 1 MB; publish fewer groups "
            "to save it"
        )
    return content


def misfits(plan: PlanFile, table: Table) -> list[str]:
    """Why the statistic of a plan cannot be asked of a table, one sentence each; none if it can.

    Args:
        plan: the plan.
        table: any table, also another one than the plan was made for.
    """
    there = {column.name for column in table.columns}
    return [
        f"The plan needs the column {quoted(name)}, and {quoted(table.name)} has no column of this "
        "name."
        for name in plan.columns
        if name not in there
    ]


def _typed(sizes: str | Mapping[str, str] | None) -> str:
    """Expected sizes as they stand in the field of the page Tiers."""
    if isinstance(sizes, Mapping):
        return "\n".join(f"{group}: {size}" for group, size in sizes.items())
    return sizes or ""


def _by_group(sizes: str) -> Any:
    """Expected sizes as they stand in a file: one for all, or one for each group."""
    if ":" not in sizes:
        return sizes.strip() or None
    lines = (line.rpartition(":") for line in sizes.splitlines() if line.strip())
    return {group.strip(): size.strip() for group, _, size in lines}
