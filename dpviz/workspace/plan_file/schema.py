"""The format of a plan file, version 1: its fields, their types, and the library's records of them.

A file has a model for each kind of record. The names of a model's fields are those of the record,
so one function each way turns the one into the other, and the record checks the values. What a
field means is said in docs/PLAN_FILE.md; `json_schema` is written to docs/plan.schema.json.
"""

from collections.abc import Iterable
from typing import Annotated, Any, Literal, Union, get_args

from pydantic import BaseModel, ConfigDict, Field

from dpviz.data.reading import MOST_MARKS, Dates, Reading, Use
from dpviz.planning.amounts import Kind
from dpviz.planning.tiers import MAX_TIERS, Tier
from dpviz.queries import (
    MAX_GROUPS,
    BoundedMean,
    BoundedSum,
    Bounds,
    ByBins,
    ByColumn,
    ByTime,
    ByTwoColumns,
    Count,
    Everybody,
    Nouns,
    Relation,
)
from dpviz.queries.bounds import MOST_ROWS
from dpviz.queries.cuts import Span
from dpviz.queries.nouns import PERSON
from dpviz.streams import Mode

FORMAT: Literal["dpviz plan"] = "dpviz plan"
VERSION: Literal[1] = 1
DIALECT = "https://json-schema.org/draft/2020-12/schema"
MAX_TYPED = 60  # characters of a number that somebody typed


_Typed = Annotated[str, Field(max_length=MAX_TYPED)]


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


class TwoColumnsPart(Part):
    """Groups by pairs of values of two columns, each on a list."""

    kind: Literal["two columns"]
    first: ColumnPart
    second: ColumnPart


class BinsPart(Part):
    """Groups by a number that is cut at edges."""

    kind: Literal["bins"]
    column: str
    edges: list[float]


class TimePart(Part):
    """Groups by hours, days, weeks or months."""

    kind: Literal["time"]
    column: str
    every: Span
    start: str
    stop: str


_By = Annotated[
    Union[EverybodyPart, ColumnPart, TwoColumnsPart, BinsPart, TimePart],  # noqa: UP007 - the schema's order
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
    missing: list[str]
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


class ReadingPart(Part):
    """How one column is read, where not as usual."""

    kind: Use | None = None
    decimal: Literal[".", ","] = "."
    thousands: Literal["", ".", ",", " ", "'"] = ""
    dates: Dates = "yyyy-mm-dd"
    missing: Annotated[list[str], Field(max_length=MOST_MARKS)] = []


Columns = dict[str, ReadingPart]
PlainPart = Annotated[CountPart | SumPart | MeanPart, Field(discriminator="kind")]


class TierPart(Part):
    """One clearance tier, as typed."""

    name: str
    amount: _Typed
    kind: Kind
    people: str = ""
    order: str = ""
    note: str = ""


class File(Part):
    """A whole plan file."""

    model_config = ConfigDict(title="A plan of dpviz")

    format: Literal["dpviz plan"]
    version: Literal[1]
    table: str
    columns: Columns = {}
    statistic: PlainPart
    groups_from_data: list[str] = []
    tiers: Annotated[list[TierPart], Field(max_length=MAX_TIERS)]
    noise: str
    mode: Mode
    delta: _Typed
    expected_sizes: _Typed | dict[str, _Typed] | None = None


RECORDS: dict[type[Part], type] = {
    EverybodyPart: Everybody,
    ColumnPart: ByColumn,
    TwoColumnsPart: ByTwoColumns,
    BinsPart: ByBins,
    TimePart: ByTime,
    NounsPart: Nouns,
    BoundsPart: Bounds,
    CountPart: Count,
    SumPart: BoundedSum,
    MeanPart: BoundedMean,
    ReadingPart: Reading,
    TierPart: Tier,
}
_OF_ITS_OWN = (ReadingPart, TierPart)  # whose field "kind" is one of the record
_PARTS = {record: part for part, record in RECORDS.items()}


def part_of(record: object) -> Part:
    """A record of the library as part of a file.

    >>> part_of(ByColumn("ward", ("A", "B")))
    ColumnPart(kind='column', column='ward', groups=['A', 'B'])
    """
    part = _PARTS[type(record)]
    return part(**{name: _plain(part, name, record) for name in part.model_fields})


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
    ByColumn(column='ward', groups=('A', 'B'))
    """
    own = type(part) in _OF_ITS_OWN
    given = {name: _made(value) for name, value in part if own or name != "kind"}
    return RECORDS[type(part)](**given)


def _made(value: Any) -> Any:
    if isinstance(value, Part):
        return record_of(value)
    return tuple(value) if isinstance(value, list) else value


def columns_of(readings: Iterable[tuple[str, Reading]]) -> Columns:
    """How columns are read, as part of a file.

    >>> readings_of(columns_of([("cost", Reading(decimal=","))]))[0][1].decimal
    ','
    """
    return {name: part_of(reading) for name, reading in readings}  # type: ignore[misc]


def readings_of(columns: Columns) -> tuple[tuple[str, Reading], ...]:
    """How columns are read, from part of a file.

    Raises:
        ParameterError: if a reading cannot be used.
    """
    return tuple((name, record_of(part)) for name, part in columns.items())


def json_schema() -> dict[str, Any]:
    """The format as a JSON Schema, for editors and other programs."""
    return {"$schema": DIALECT, **File.model_json_schema()}
