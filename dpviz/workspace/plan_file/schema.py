"""The format of a plan file, version 1: its fields, their types, and the library's records of them.

A file has a model for each kind of record. The names of a model's fields are those of the record,
so one function each way turns the one into the other, and the record checks the values. What a
field means is said in docs/PLAN_FILE.md; `json_schema` is written to docs/plan.schema.json.
"""

from collections.abc import Iterable
from dataclasses import replace
from typing import Annotated, Any, Literal, get_args

from pydantic import BaseModel, ConfigDict, Field

from dpviz.data.layout import MAX_COLUMNS
from dpviz.data.reading import (
    FIRST_YEAR,
    LAST_FIRST_YEAR,
    MOST_MARKS,
    Clock,
    Dates,
    Reading,
    Use,
)
from dpviz.errors import ParameterError
from dpviz.parameters import MAX_TYPED, MOST_DIGITS
from dpviz.planning.amounts import Kind
from dpviz.planning.tiers import MAX_TIERS, Tier
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
    Relation,
    TextCounts,
    WholeNumbers,
    Words,
)
from dpviz.queries.bounds import LONGEST_SALT, MOST_ROWS
from dpviz.queries.cuts import Cycle, Span
from dpviz.queries.nouns import PERSON
from dpviz.streams import Mode

FORMAT: Literal["dpviz plan"] = "dpviz plan"
VERSION: Literal[1] = 1
DIALECT = "https://json-schema.org/draft/2020-12/schema"

_Typed = Annotated[str, Field(max_length=MAX_TYPED)]
Marks = Annotated[list[str], Field(max_length=MOST_MARKS)]


class Part(BaseModel):
    """A record in a plan file: no field but its own, each of its type and no other."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True, allow_inf_nan=False)


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


Columns = dict[str, ReadingPart]
Readings = tuple[tuple[str, Reading], ...]
PlainPart = Annotated[CountPart | SumPart | MeanPart, Field(discriminator="kind")]
AnyPart = Annotated[
    CountPart | SumPart | MeanPart | TextCountsPart | ItemCountsPart, Field(discriminator="kind")
]


class TierPart(Part):
    """One clearance tier, as typed."""

    name: str
    amount: _Typed
    kind: Kind
    people: str = ""
    order: str = ""
    note: str = ""
    colour: str = ""


class File(Part):
    """A whole plan file."""

    model_config = ConfigDict(title="A plan of dpviz")

    format: Literal["dpviz plan"]
    version: Literal[1]
    table: str
    file: FilePart | None = None
    columns: Columns = {}
    statistic: PlainPart
    groups_from_data: list[str] = []
    groups_known_before: list[str] = []
    tiers: Annotated[list[TierPart], Field(max_length=MAX_TIERS)]
    noise: str
    mode: Mode
    delta: _Typed
    expected_sizes: _Typed | dict[str, _Typed] | None = None
    seed: Annotated[int, Field(ge=0, lt=10**MOST_DIGITS)] | None = None


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
    TierPart: Tier,
}
_FORMER: dict[type[Part], str] = {BoundsPart: "missing"}  # fields that no record has any more
_OF_ITS_OWN = (ReadingPart, TierPart)  # whose field "kind" is one of the record
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
    own = type(part) in _OF_ITS_OWN
    left_out = {_FORMER.get(type(part)), None if own else "kind"}
    given = {name: _made(value) for name, value in part if name not in left_out}
    return RECORDS[type(part)](**given)


def _made(value: Any) -> Any:
    if isinstance(value, Part):
        return record_of(value)
    return tuple(value) if isinstance(value, list) else value


def columns_of(readings: Iterable[tuple[str, Reading]]) -> Columns:
    """How columns are read, as part of a file.

    >>> columns_of([("cost", Reading(decimal=","))])["cost"].decimal
    ','
    """
    return {name: part_of(reading) for name, reading in readings}  # type: ignore[misc]


def statistic_of(part: AnyPart, columns: Columns) -> tuple[Any, Readings]:
    """The query of a file, and how its columns are read.

    Marks for a missing person once were in the bounds; those of an old file join the reading of the
    person's column, which says the same: their rows are nobody's.

    Raises:
        ParameterError: if a value cannot be used.

    >>> bounds = Bounds(person="id")
    >>> part = part_of(Count(Everybody(), bounds))
    >>> old = part.model_copy(update={"bounds": BoundsPart(person="id", groups_per_person=1,
    ...     rows_per_group=1, relation="add/remove", missing=["NA"])})
    >>> statistic_of(old, {})[1][0][1].missing
    ('NA',)
    """
    readings = {name: record_of(one) for name, one in columns.items()}
    if part.bounds.missing:
        person = part.bounds.person
        if person is None:
            raise ParameterError(
                "missing must be empty where each row is one person; name the person's column"
            )
        read = readings.get(person, Reading())
        readings[person] = replace(read, missing=(*read.missing, *part.bounds.missing))
    return record_of(part), tuple(readings.items())


def json_schema() -> dict[str, Any]:
    """The format as a JSON Schema, for editors and other programs."""
    return {"$schema": DIALECT, **File.model_json_schema()}
