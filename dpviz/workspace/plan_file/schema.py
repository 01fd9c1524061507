"""How a plan's records stand in a file, version 1: statistics, tiers and readings, as JSON.

A file has a part for each kind of record. The names of a part's fields are those of the record, so
one function each way turns the one into the other, and the record checks the values. The records
of whole files (`PlanFile`, and `KeptPlan` of a project) name their parts in annotations (`In`).
What a field means is said in docs/PLAN_FILE.md.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field, GetCoreSchemaHandler
from pydantic_core import CoreSchema, core_schema

from dpviz.data import HowRead
from dpviz.data.layout import MAX_COLUMNS
from dpviz.data.reading import FIRST_YEAR, LAST_FIRST_YEAR, MOST_MARKS, Clock, Dates, Reading, Use
from dpviz.errors import ParameterError
from dpviz.parameters import MAX_TYPED
from dpviz.planning.amounts import Kind
from dpviz.planning.tiers import Tier
from dpviz.queries import (
    MAX_GROUPS,
    BoundedMean,
    BoundedSum,
    Bounds,
    ByBins,
    ByColumn,
    ByCycle,
    ByThreeColumns,
    ByTime,
    ByTwoColumns,
    Count,
    Everybody,
    ItemCounts,
    Nouns,
    Query,
    Relation,
    TextCounts,
    WholeNumbers,
    Words,
)
from dpviz.queries.bounds import LONGEST_SALT, MOST_ROWS
from dpviz.queries.cuts import Cycle, Span
from dpviz.queries.nouns import PERSON

Typed = Annotated[str, Field(max_length=MAX_TYPED)]
Marks = Annotated[list[str], Field(max_length=MOST_MARKS)]


STRICT = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


class Part(BaseModel):
    """A record in a plan file: no field but its own, each of its type and no other."""

    model_config = STRICT


class EverybodyPart(Part):
    """All rows as one group."""

    kind: Literal["everybody"]


class ColumnPart(Part):
    """Groups by the values of one column that are on a list."""

    kind: Literal["column"]
    column: str
    groups: list[str]
    names: list[str] = []


class TwoColumnsPart(Part):
    """Groups by pairs of values of two columns, each on a list."""

    kind: Literal["two columns"]
    first: ColumnPart
    second: ColumnPart


class ThreeColumnsPart(Part):
    """Groups by combinations of values of three columns, each on a list."""

    kind: Literal["three columns"]
    first: ColumnPart
    second: ColumnPart
    third: ColumnPart


class BinsPart(Part):
    """Groups by a number that is cut at edges."""

    kind: Literal["bins"]
    column: str
    edges: list[float]


class TimePart(Part):
    """Groups by hours, days, weeks, months, quarters or years."""

    kind: Literal["time"]
    column: str
    every: Span
    start: str
    stop: str


class CyclePart(Part):
    """Groups by weekday, or by hour, month or quarter whatever the year."""

    kind: Literal["cycle"]
    column: str
    of: Cycle


_By = Annotated[
    EverybodyPart
    | ColumnPart
    | TwoColumnsPart
    | ThreeColumnsPart
    | BinsPart
    | TimePart
    | CyclePart,
    Field(discriminator="kind"),
]


class NounsPart(Part):
    """What the unit of privacy, rows and the numbers of a column are called."""

    one: str = PERSON.one
    many: str = PERSON.many
    row: str = PERSON.row
    rows: str = PERSON.rows
    measure: str = PERSON.measure


class BoundsPart(Part):
    """Who one person is, and how much of them counts."""

    person: str | None
    groups_per_person: Annotated[int, Field(ge=1, le=MAX_GROUPS)]
    rows_per_group: Annotated[int, Field(ge=1, le=MOST_ROWS)]
    relation: Relation
    salt: Annotated[str, Field(max_length=LONGEST_SALT)] = ""
    several_rows: bool | None = None
    missing: Marks = []  # of files before 0.1.0: now the reading of the column says it
    nouns: NounsPart = NounsPart()


class CountPart(Part):
    """A number of people or rows per group."""

    kind: Literal["count"]
    by: _By
    bounds: BoundsPart
    total: bool


class ClippedPart(Part):
    """What a sum and a mean have in common."""

    kind: Literal["sum", "mean"]
    column: str
    lower: float
    upper: float
    by: _By
    bounds: BoundsPart
    step: float


class SumPart(ClippedPart):
    """A sum of a column per group, its values clipped to a range."""

    kind: Literal["sum"]


class MeanPart(ClippedPart):
    """A mean of a column per group, its values clipped to a range."""

    kind: Literal["mean"]


class TextCountsPart(Part):
    """A number of people per text of a column; of a project only."""

    kind: Literal["texts"]
    column: str
    bounds: BoundsPart


class WordsPart(Part):
    """All words up to a length, as items."""

    kind: Literal["words"]
    longest: int
    alphabet: str


class WholeNumbersPart(Part):
    """All whole numbers of a range, as items."""

    kind: Literal["whole numbers"]
    low: int
    high: int


class ItemCountsPart(Part):
    """A number of people per item of a huge public domain; of a project only."""

    kind: Literal["items"]
    column: str
    coding: Annotated[WordsPart | WholeNumbersPart, Field(discriminator="kind")]
    bounds: BoundsPart


class ReadingPart(Part):
    """How one column is read, where not as usual."""

    kind: Use | None = None
    decimal: Literal[".", ","] = "."
    thousands: Literal["", ".", ",", " ", "'"] = ""
    dates: Dates = "yyyy-mm-dd"
    missing: Marks = []
    clock: Clock = "24 hours"
    first_year: Annotated[int, Field(ge=1000, le=LAST_FIRST_YEAR)] = FIRST_YEAR
    left_out: Marks = []


class FilePart(Part):
    """How the table's file is read, where somebody chose."""

    encoding: str | None = None
    sheet: str | None = None
    header: Annotated[int, Field(ge=1)] | None = None
    leave_out: Annotated[list[str], Field(max_length=MAX_COLUMNS)] = []


class TierPart(Part):
    """One clearance tier, as typed."""

    name: str
    amount: Typed
    kind: Kind
    people: str = ""
    order: str = ""
    note: str = ""
    colour: str = ""


RECORDS: dict[type[Part], type] = {
    EverybodyPart: Everybody,
    ColumnPart: ByColumn,
    TwoColumnsPart: ByTwoColumns,
    ThreeColumnsPart: ByThreeColumns,
    BinsPart: ByBins,
    TimePart: ByTime,
    CyclePart: ByCycle,
    NounsPart: Nouns,
    BoundsPart: Bounds,
    CountPart: Count,
    SumPart: BoundedSum,
    MeanPart: BoundedMean,
    TextCountsPart: TextCounts,
    WordsPart: Words,
    WholeNumbersPart: WholeNumbers,
    ItemCountsPart: ItemCounts,
    ReadingPart: Reading,
    FilePart: HowRead,
    TierPart: Tier,
}
_FORMER: dict[type[Part], str] = {BoundsPart: "missing"}  # fields that no record has any more
_OF_ITS_OWN = (ReadingPart, FilePart, TierPart)  # whose field "kind", if any, is the record's
_PARTS = {record: part for part, record in RECORDS.items()}


def part_of(record: object) -> Part:
    """A record of the library as part of a file.

    >>> part_of(ByColumn("ward", ("A", "B")))
    ColumnPart(kind='column', column='ward', groups=['A', 'B'], names=[])
    """
    part = _PARTS[type(record)]
    names = [name for name in part.model_fields if name != _FORMER.get(part)]
    return part(**{name: _plain(part, name, record) for name in names})


def _plain(part: type[Part], name: str, record: object) -> Any:
    if name == "kind" and part not in _OF_ITS_OWN:
        return get_args(part.model_fields["kind"].annotation)[0]
    value = getattr(record, name)
    if type(value) in _PARTS:
        return part_of(value)
    return list(value) if isinstance(value, tuple) else value


def record_of(part: Part) -> Any:
    """The record of the library that a part of a file is, which checks the values.

    Raises:
        ParameterError: if a value cannot be used.

    >>> record_of(part_of(ByColumn("ward", ("A", "B"))))
    ByColumn(column='ward', groups=('A', 'B'), names=())
    """
    if isinstance(part, BoundsPart) and part.missing:
        raise ParameterError(
            "missing must be empty where each row is one person; name the person's column"
        )
    own = type(part) in _OF_ITS_OWN
    left_out = {_FORMER.get(type(part)), None if own else "kind"}
    given = {name: _made(value) for name, value in part if name not in left_out}
    return RECORDS[type(part)](**given)


def _made(value: Any) -> Any:
    if isinstance(value, Part):
        return record_of(value)
    return tuple(value) if isinstance(value, list) else value


@dataclass(frozen=True, slots=True)
class In:
    """Says in an annotation which part of a file a value is there, and how one makes the other."""

    part: Any
    read: Callable[[Any], Any] = record_of
    write: Callable[[Any], Any] = part_of

    def __get_pydantic_core_schema__(self, _: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        """As pydantic asks for it: the part is read first, and then made into the record."""
        return core_schema.no_info_after_validator_function(
            self.read,
            handler.generate_schema(self.part),
            serialization=core_schema.plain_serializer_function_ser_schema(self.write),
        )


def _readings_in(columns: Mapping[str, ReadingPart]) -> tuple[tuple[str, Reading], ...]:
    return tuple((name, record_of(part)) for name, part in columns.items())


def _columns_of(readings: tuple[tuple[str, Reading], ...]) -> dict[str, Part]:
    return {name: part_of(reading) for name, reading in readings}


def _how_in(part: FilePart | None) -> HowRead:
    return HowRead() if part is None else record_of(part)


def _file_of(how: HowRead) -> Part | None:
    return part_of(how) if how.chosen else None  # None where nobody chose anything


def _sizes_in(sizes: str | Mapping[str, str] | None) -> str:
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


def _named(alias: str, default: Any) -> Any:
    """The name of a field in the file, and its value there if nobody says anything."""
    return Field(alias=alias, json_schema_extra={"default": default})


Plain = Annotated[
    Query,
    In(Annotated[CountPart | SumPart | MeanPart, Field(discriminator="kind")]),
    Field(alias="statistic"),
]
AnyQuery = Annotated[
    Any,  # also a statistic of a project only
    In(
        Annotated[
            CountPart | SumPart | MeanPart | TextCountsPart | ItemCountsPart,
            Field(discriminator="kind"),
        ]
    ),
    Field(alias="statistic"),
]
Tiers = tuple[Annotated[Tier, In(TierPart)], ...]
Readings = Annotated[
    tuple[tuple[str, Reading], ...],
    In(dict[str, ReadingPart], _readings_in, _columns_of),
    _named("columns", {}),
]
How = Annotated[HowRead, In(FilePart | None, _how_in, _file_of), _named("file", None)]
Sizes = Annotated[
    str, In(Typed | dict[str, Typed] | None, _sizes_in, _by_group), _named("expected_sizes", None)
]


def move_marks(plan: dict[str, Any]) -> bool:
    """Move marks for a missing person to where they are today; whether there were any.

    They once were in the bounds; those of an old file join the reading of the person's column,
    which says the same: their rows are nobody's.

    Args:
        plan: what was read from a file, of whatever types; changed in place.

    >>> old = {"statistic": {"bounds": {"person": "id", "missing": ["NA"]}}}
    >>> move_marks(old), old["columns"], move_marks(old)
    (True, {'id': {'missing': ['NA']}}, False)
    """
    match plan:
        case {
            "statistic": {"bounds": {"missing": [_, *_] as marks, "person": str(person)} as bounds}
        }:
            columns = plan.setdefault("columns", {})
        case _:
            return False
    reading = columns.setdefault(person, {}) if isinstance(columns, dict) else None
    before = reading.setdefault("missing", []) if isinstance(reading, dict) else None
    if not isinstance(before, list):
        return False
    before += marks
    bounds["missing"] = []
    return True
