"""A plan as a record: what is published, for which tiers, with which noise; no data and no release.

It is made from a workspace or read from a file, and checks itself like everything that was typed:
a plan that exists can be drawn as it is from a table that has its columns.
"""

import json
import operator
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from typing import Annotated, Any, Literal

from pydantic import Field, TypeAdapter, ValidationError, with_config
from pydantic_core import PydanticSerializationError

from dpviz import checks
from dpviz.accounting.guarantees import Setting
from dpviz.data import SAMPLES, HowRead, Table, quoted
from dpviz.errors import ParameterError
from dpviz.parameters import DELTA, MOST_DIGITS, seed_from
from dpviz.planning.amounts import Kind
from dpviz.planning.tiers import (
    MAX_TIERS,
    PlannedTier,
    as_rows,
    check_name,
    read_sizes,
    read_tiers,
    with_budgets,
)
from dpviz.queries import Query, listed_in
from dpviz.streams import Mode
from dpviz.words import visible
from dpviz.workspace.plan_file.schema import (
    STRICT,
    How,
    Plain,
    Readings,
    Sizes,
    Tiers,
    Typed,
    move_marks,
    part_of,
)
from dpviz.workspace.sessions import families_in, setting_of

FORMAT: Literal["dpviz plan"] = "dpviz plan"
VERSION: Literal[1] = 1
DIALECT = "https://json-schema.org/draft/2020-12/schema"
MAX_BYTES = 1 << 20
_INSTEAD = "choose a file that was saved with “Save the plan”"
_NO_JSON = f"This file is not a plan, because it cannot be read as JSON in UTF-8; {_INSTEAD}"
_SUBJECT = re.compile("^[A-Z][a-z]+ should ")  # of pydantic's sentences
_TAGGED = ("statistic", "by")  # after these a mistake's path holds the kind, which is no field


Name = Annotated[str, Field(exclude_if=operator.not_)]


@with_config(STRICT)
@dataclass(frozen=True, slots=True, kw_only=True)
class FurtherStatistic:
    """Another statistic of the same table in a plan of several.

    Attributes:
        query: the statistic.
        budgets: kind and amount as typed of each tier, by its name; of others as in `tiers`.
        from_data: as of a `PlanFile`.
        known_before: likewise.
        sizes: likewise.
        name: likewise.
        family_name: its noise; empty: that of the plan.
    """

    name: Name = ""
    query: Plain
    budgets: Mapping[str, tuple[Kind, Typed]]
    family_name: Annotated[str, Field(alias="noise", exclude_if=operator.not_)] = ""
    from_data: Annotated[tuple[str, ...], Field(alias="groups_from_data")] = ()
    known_before: Annotated[tuple[str, ...], Field(alias="groups_known_before")] = ()
    sizes: Sizes = ""

    def __post_init__(self) -> None:
        _check_groups(self)


@with_config({**STRICT, "title": "A plan of dpviz"})
@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFile:
    """What a plan file says; its fields in the file are these, under the names of their aliases.

    Attributes:
        format: what kind of file it is.
        version: of the format.
        table: the name of the table that it was made for.
        name: what somebody calls the statistic; empty: what is published.
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
        further: the other statistics of a plan of several, in their order.

    Raises:
        ParameterError: if any of it cannot be used.
    """

    format: Literal["dpviz plan"] = FORMAT
    version: Literal[1] = VERSION
    table: str
    how: How = field(default_factory=HowRead)
    readings: Readings = ()
    name: Name = ""
    query: Plain
    from_data: Annotated[tuple[str, ...], Field(alias="groups_from_data")] = ()
    known_before: Annotated[tuple[str, ...], Field(alias="groups_known_before")] = ()
    tiers: Annotated[Tiers, Field(max_length=MAX_TIERS)]
    family_name: Annotated[str, Field(alias="noise")]
    mode: Mode
    delta: Typed
    sizes: Sizes = ""
    seed: Annotated[int, Field(ge=0, lt=10**MOST_DIGITS)] | None = None
    further: Annotated[tuple[FurtherStatistic, ...], Field(exclude_if=operator.not_)] = ()

    def __post_init__(self) -> None:
        if self.seed is not None:
            seed_from(str(checks.integer(0, seed=self.seed)))
        checks.one_of(("teaching", "hardened"), mode=self.mode)
        checks.one_of(families_in(self.mode), noise=self.family_name)
        _, problems = self._read(self)
        if problems:
            raise ParameterError(problems[0])
        _check_groups(self)
        known, names = [self.query], [self.name]
        for one in self.further:
            if one.query in known:
                raise ParameterError(f"The {one.query.statistic} is there twice; leave one out")
            if one.name and one.name in names:
                raise ParameterError(f"Two statistics are called {one.name}; rename one")
            known.append(one.query)
            names.append(one.name)
            checks.one_of(families_in(self.mode), noise=self.noise_of(one))
            _, problems = self._read(one)
            if problems:
                raise ParameterError(f"The {one.query.statistic}: {problems[0]}")

    def noise_of(self, one: "PlanFile | FurtherStatistic") -> str:
        """The name of the noise of a statistic of the plan."""
        return one.family_name or self.family_name

    def planned_of(self, one: "PlanFile | FurtherStatistic") -> list[PlannedTier]:
        """The tiers with their noise levels for a statistic of the plan, most private first."""
        return self._read(one)[0]

    def _read(self, one: "PlanFile | FurtherStatistic") -> tuple[list[PlannedTier], list[str]]:
        budgets = one.budgets if isinstance(one, FurtherStatistic) else {}
        tiers = with_budgets(self.tiers, budgets)
        return read_tiers(as_rows(tiers), self.setting_of(one))

    def setting_of(self, one: "PlanFile | FurtherStatistic") -> Setting:
        """What budgets refer to of a statistic of the plan."""
        return setting_of(one.query, self.noise_of(one), DELTA.read(self.delta, where="δ"))

    @property
    def setting(self) -> Setting:
        """What the budgets of its first statistic refer to."""
        return self.setting_of(self)

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
        return self.planned_of(self)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that its statistics look at, or that it says how to read; each once."""
        asked = [c for q in (self.query, *(one.query for one in self.further)) for c in q.columns]
        return tuple(dict.fromkeys([*asked, *dict(self.readings)]))


def _check_groups(plan: PlanFile | FurtherStatistic) -> None:
    """Refuse a name that no statistic can have, and sizes and lists of other groups."""
    if plan.name:
        check_name(plan.name, where="the statistic")
    if plan.sizes:
        read_sizes(plan.sizes, plan.query.labels)
    for name, columns in (
        ("groups_from_data", plan.from_data),
        ("groups_known_before", plan.known_before),
    ):
        for column in columns:
            if column not in lists_of(plan.query):
                raise ParameterError(
                    f"{name} names {quoted(column)}, whose groups the plan does not list; "
                    "leave it out"
                )


def lists_of(query: Query) -> Mapping[str, tuple[str, ...]]:
    """The columns of a statistic whose groups are a list, with the lists."""
    return {part.column: part.groups for part in listed_in(query.by)}


_AS_JSON = TypeAdapter(PlanFile)


def opened(content: bytes) -> PlanFile:
    """The plan in a file from anybody.

    A file is JSON in UTF-8. Python's own reader finds what a strict one lets pass (a field that is
    there twice) or cannot say (which program wrote it, in which version); pydantic finds all else.

    Args:
        content: the bytes of the file.

    Raises:
        ParameterError: one sentence: what is wrong, in which field, and what to do instead.
    """
    if len(content) > MAX_BYTES:
        raise ParameterError(f"This file is larger than any plan (1 MB); {_INSTEAD}")
    try:
        text = content.decode("utf-8-sig")
        found = json.loads(text, object_pairs_hook=_each_once)
    except ParameterError:
        raise
    except (ValueError, RecursionError):
        raise ParameterError(_NO_JSON) from None
    if not isinstance(found, dict) or found.get("format") != FORMAT:
        raise ParameterError(f"This file is not a plan of dpviz; {_INSTEAD}")
    _check_version(found.get("version"))
    try:
        return _AS_JSON.validate_json(json.dumps(found) if move_marks(found) else text)
    except ValidationError as error:
        raise ParameterError(_sentence(error)) from None


def written(plan: PlanFile) -> bytes:
    """A plan as the content of a file: JSON that a person can read, the same on every machine.

    Raises:
        ParameterError: if a number, or the lists of groups, are longer than in any file.
    """
    unsaid = {"seed"} if plan.seed is None else None
    try:
        content = _AS_JSON.dump_json(plan, indent=2, by_alias=True, exclude=unsaid) + b"\n"
    except PydanticSerializationError:
        raise ParameterError(_too_long(plan)) from None
    if len(content) > MAX_BYTES:
        raise ParameterError(
            "The lists of groups of this plan make its file larger than 1 MB; publish fewer groups "
            "to save it"
        )
    return content


def json_schema() -> dict[str, Any]:
    """The format as a JSON Schema, for editors and other programs; docs/plan.schema.json has it."""
    made = _AS_JSON.json_schema(by_alias=True)
    for name in ("version", "format"):  # which no file may leave out
        del made["properties"][name]["default"]
        made["required"].insert(0, name)
    return {"$schema": DIALECT, **made, "description": "A whole plan file."}


@cache
def examples() -> dict[str, PlanFile]:
    """The example plans by the file of their ready sample, of another statistic than the first one.

    >>> examples()["nhefs.csv"].query.statistic
    'mean of “weight 1982 (kg)” per group of “quit smoking by 1982”, each row from 40 to 140'
    """
    folder = resources.files("dpviz.data") / "plans"
    names = {sample.file: sample.file.removesuffix(".csv") for sample in SAMPLES.values()}
    return {file: opened((folder / f"{name}.json").read_bytes()) for file, name in names.items()}


def _too_long(plan: PlanFile) -> str:
    """Which value no file can hold, such as a number of a hundred digits."""
    try:
        further = [one.query for one in plan.further]
        for record in (plan.how, plan.query, *further, *plan.tiers, *dict(plan.readings).values()):
            part_of(record)
    except ValidationError as error:
        return _sentence(error)
    return "A number or a text of this plan is too long for a file; type a shorter one"


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


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) < len(pairs):
        (twice, _), *_ = Counter(name for name, _ in pairs).most_common(1)
        raise ParameterError(f"The plan file has the field {quoted(twice)} twice; delete one")
    return made


def _check_version(version: object) -> None:
    if type(version) is int and version > VERSION:
        raise ParameterError(
            f"This plan is of a newer format than this dpviz reads ({VERSION}); update dpviz, or "
            "save the plan again with this one"
        )
    if type(version) is not int or version < VERSION:
        raise ParameterError(
            f"The plan file states no version of its format; write “version”: {VERSION}"
        )


def _sentence(error: ValidationError) -> str:
    """What is wrong first with the fields of a plan, or else with what they mean, as a sentence."""
    mistakes = error.errors(include_url=False, include_input=False)
    first = next((each for each in mistakes if each["type"] != "value_error"), mistakes[0])
    path, kind = _fields(first["loc"]), first["type"]
    if kind == "value_error":  # a record that was refused
        return f"This plan cannot be used: {visible(first['ctx']['error'])}"
    if kind == "json_invalid":  # what Python's reader lets pass, such as half a character
        return _NO_JSON
    if kind in ("extra_forbidden", "unexpected_keyword_argument"):
        return f"The plan file has a field that no plan has, {_place(path)}; delete it"
    if kind == "missing":
        return f"The plan file lacks the field {_place(path)}; add it"
    if kind == "union_tag_not_found":
        return f"The plan file lacks the field {_place((*path, 'kind'))}; add it"
    if kind == "union_tag_invalid":
        kinds = str(first["ctx"]["expected_tags"]).replace("'", "")
        return f"The plan file has an unknown kind, {_place((*path, 'kind'))}; write one of {kinds}"
    wanted = _SUBJECT.sub("it should ", first["msg"])
    return f"The plan file has a wrong value, {_place(path)}: {wanted}; correct it"


def _fields(path: Sequence[str | int]) -> tuple[str | int, ...]:
    """The path of a mistake without the kinds that were met on the way."""
    kinds = {n + 1 for n, step in enumerate(path) if step in _TAGGED}
    shown = [step for n, step in enumerate(path) if n not in kinds]
    return tuple(shown[:1] if shown[:1] == ["expected_sizes"] else shown)


def _place(path: Sequence[str | int]) -> str:
    """A path in words, the innermost first.

    >>> _place(("tiers", 0, "name"))
    '“name” of entry 1 of “tiers”'
    """
    return " of ".join(
        f"entry {step + 1}" if isinstance(step, int) else quoted(step) for step in reversed(path)
    )
