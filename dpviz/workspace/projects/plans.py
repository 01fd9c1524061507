"""The plan of a project, and what each of its sessions is asked for, as JSON and back.

Statistics, tiers and readings are written as in a plan file (`dpviz.workspace.plan_file.schema`);
what a project adds is the mark by which it knows its table again, and what was read off the data.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from pydantic import Field, ValidationError

from dpviz import checks
from dpviz.data import HowRead
from dpviz.errors import ParameterError
from dpviz.palette import TierStyle
from dpviz.planning.tiers import Tier
from dpviz.release import Provenance
from dpviz.workspace.plan_file.file_choices import file_part, how_in
from dpviz.workspace.plan_file.schema import (
    AnyPart,
    Columns,
    FilePart,
    Part,
    Readings,
    TierPart,
    columns_of,
    part_of,
    record_of,
    statistic_of,
)
from dpviz.workspace.projects.database import DAMAGED
from dpviz.workspace.projects.parts import MechanismPart
from dpviz.workspace.projects.records import NEWER, NewerError

_P = TypeVar("_P", bound=Part)
_OF_NEWER = ("extra_forbidden", "union_tag_invalid", "literal_error")  # kinds of pydantic's errors
Styles = dict[str, tuple[int, int]]  # slot and symbol of a tier, by its name
Changed = dict[str, tuple[str, str]]  # who changed a part of the plan, and when
TOO_LONG = (
    "A project cannot keep this plan, because a budget or a limit in it is longer than anybody "
    "needs. Type a shorter one"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What a session is asked for, without its table.

    Attributes:
        query: the statistic.
        family: key of the noise family.
        table: the table's name.
        loading: how the library loads it, for the code samples.
        mark: what the table is known again by, see `dpviz.workspace.projects.key`.
        readings: how columns are read that are not read as usual, by their names.
        mechanism: of a structured one, what it is; None: the statistic is released as it is.
        texts: what any file with the same texts in the same order is known by, of a session.
        rows: what the same rows are known by in any order and file, of a session.
        how: how the file of the table is read, where somebody chose.
    """

    query: Any  # one of those that `dpviz.workspace.plan_file.schema.AnyPart` has a part for
    family: str
    table: str
    loading: str
    mark: str
    readings: Readings = ()
    mechanism: MechanismPart | None = None
    texts: str = ""
    rows: str = ""
    how: HowRead = field(
        default_factory=HowRead, compare=False
    )  # the mark says which table it made


@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPlan:
    """The plan as its project keeps it.

    Attributes:
        tiers: as typed.
        delta: δ of the plan.
        asked: the statistic and the noise in use.
        sizes: the expected sizes of groups as typed, by what is counted.
        known: what of the statistic was read off the data, or could have been.
        former: the ± that tiers had of another statistic and that is asked again, as it is said.
        signed_as: the first name of a project that was renamed, from which its signing key comes.
        own_key: the signing key that its workspace took along, locked; "" if it had none.
        styles: colour and symbol of each tier, also of those that left the plan with a release.
        changed: who changed a part last, and when, by the names of `versions.PARTS`.
    """

    tiers: tuple[Tier, ...]
    delta: float
    asked: Asked
    sizes: Mapping[str, str] = field(default_factory=dict)
    known: Provenance = field(default_factory=Provenance)
    signed_as: str = ""
    own_key: str = ""
    former: Mapping[str, str] = field(default_factory=dict)
    styles: Mapping[str, TierStyle] = field(default_factory=dict)
    changed: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        checks.probability(delta=self.delta)


class AskedPart(Part):
    """What a session is asked for, as JSON."""

    table: str
    loading: str
    mark: str
    columns: Columns
    statistic: AnyPart
    noise: str
    mechanism: MechanismPart | None = None
    texts: str = ""
    rows: str = ""
    file: FilePart | None = None


class KeptPlanPart(Part):
    """The plan of a project, as JSON."""

    asked: AskedPart
    tiers: list[TierPart]
    delta: float
    expected_sizes: dict[str, str]
    groups_from_data: list[str]
    looked: bool
    checked: list[str] = Field(default_factory=list)
    known_before: list[str] = Field(default_factory=list)
    signed_as: str = ""
    own_key: str = ""
    former: dict[str, str] = Field(default_factory=dict)
    styles: Styles = Field(default_factory=dict)
    changed: Changed = Field(default_factory=dict)


def written(record: Asked | KeptPlan) -> str:
    """A plan, or what a session is asked for, as text.

    Raises:
        ParameterError: if a budget or a limit in it is too long.

    >>> from dpviz.queries import Count, Everybody
    >>> asked = Asked(query=Count(Everybody()), family="gaussian", table="t", loading="", mark="0f")
    >>> asked_in(written(asked)) == asked
    True
    """
    try:
        part = _asked_part(record) if isinstance(record, Asked) else _plan_part(record)
    except ValidationError:
        raise ParameterError(TOO_LONG) from None
    return part.model_dump_json()


def asked_in(text: str) -> Asked:
    """What a session is asked for, from its text.

    Raises:
        NewerError: if it has a field, or a kind of something, that this version does not know.
        ParameterError: if it is damaged.
    """
    return _asked(_part(AskedPart, text))


def plan_in(text: str) -> KeptPlan:
    """The plan of a project from its text.

    Raises:
        NewerError: if it has a field, or a kind of something, that this version does not know.
        ParameterError: if it is damaged.
    """
    part = _part(KeptPlanPart, text)
    asked = _asked(part.asked)
    try:
        return KeptPlan(
            tiers=tuple(record_of(tier) for tier in part.tiers),
            delta=part.delta,
            asked=asked,
            sizes=part.expected_sizes,
            known=Provenance(
                read_off=tuple(part.groups_from_data),
                looked=part.looked,
                checked=tuple(part.checked),
                known_before=tuple(part.known_before),
            ),
            signed_as=part.signed_as,
            own_key=part.own_key,
            former=part.former,
            styles={name: TierStyle(*style) for name, style in part.styles.items()},
            changed=part.changed,
        )
    except ParameterError:
        raise ParameterError(DAMAGED) from None


def _part(kind: type[_P], text: str) -> _P:
    try:
        return kind.model_validate_json(text)
    except ValidationError as error:
        kinds = [each["type"] for each in error.errors(include_url=False, include_input=False)]
    if kinds[0] in _OF_NEWER:
        raise NewerError(NEWER)
    raise ParameterError(DAMAGED)


def _asked_part(asked: Asked) -> AskedPart:
    return AskedPart(
        table=asked.table,
        loading=asked.loading,
        mark=asked.mark,
        columns=columns_of(asked.readings),
        statistic=part_of(asked.query),  # type: ignore[arg-type]  # a query
        noise=asked.family,
        mechanism=asked.mechanism,
        texts=asked.texts,
        rows=asked.rows,
        file=file_part(asked.how),
    )


def _plan_part(plan: KeptPlan) -> KeptPlanPart:
    return KeptPlanPart(
        asked=_asked_part(plan.asked),
        tiers=[part_of(tier) for tier in plan.tiers],  # type: ignore[misc]
        delta=plan.delta,
        expected_sizes=dict(plan.sizes),
        groups_from_data=list(plan.known.read_off),
        looked=plan.known.looked,
        checked=list(plan.known.checked),
        known_before=list(plan.known.known_before),
        signed_as=plan.signed_as,
        own_key=plan.own_key,
        former=dict(plan.former),
        styles={name: (one.slot, one.symbol) for name, one in plan.styles.items()},
        changed=dict(plan.changed),
    )


def _asked(part: AskedPart) -> Asked:
    try:
        query, readings = statistic_of(part.statistic, part.columns)
        return Asked(
            query=query,
            family=part.noise,
            table=part.table,
            loading=part.loading,
            mark=part.mark,
            readings=readings,
            mechanism=part.mechanism,
            texts=part.texts,
            rows=part.rows,
            how=how_in(part.file),
        )
    except ParameterError:
        raise ParameterError(DAMAGED) from None
