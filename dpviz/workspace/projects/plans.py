"""The plan of a project, and what each of its sessions is asked for, as JSON and back.

Statistics, tiers and readings are written as in a plan file (`dpviz.workspace.plan_file.schema`);
what a project adds is the mark by which it knows its table again, what was read off the data, and
what the session of a structured mechanism is asked for besides its query: the field "kind" names
the mechanism. A session without such a part releases its statistic as it is.
"""

import json
import operator
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Literal, TypeVar

from pydantic import Field, TypeAdapter, ValidationError, with_config
from pydantic_core import PydanticSerializationError

from dpviz import checks
from dpviz.data import HowRead
from dpviz.errors import ParameterError
from dpviz.palette import TierStyle
from dpviz.planning.amounts import Kind as BudgetKind
from dpviz.planning.tiers import with_budgets
from dpviz.release import Provenance
from dpviz.workspace.plan_file.schema import (
    STRICT,
    AnyQuery,
    How,
    In,
    Part,
    Readings,
    Tiers,
    Typed,
    move_marks,
)
from dpviz.workspace.projects.database import DAMAGED
from dpviz.workspace.projects.records import NEWER, NewerError


class LinearPart(Part):
    """Linear queries: the questions, and how they are split into L and R."""

    kind: Literal["linear queries"]
    questions: Literal["totals", "ranges", "marginals", "singles"] | list[list[float]]
    factorization: str


class CountingPart(Part):
    """Continual counting: which tree."""

    kind: Literal["continual counting"]
    arity: int | None
    subtraction: bool


class ListPart(Part):
    """A list of the most common items; `seen` and `log_delta` of an unknown domain only."""

    kind: Literal["list"]
    step: str  # a fraction, such as "1/10"
    seen: int | None
    log_delta: float | None


class ListedPart(Part):
    """The counts on a list: of which session, and of how many items."""

    kind: Literal["counts of a list"]
    session: int
    items: int


class RapporPart(Part):
    """A survey by RAPPOR: the filter, and the chances of its responses."""

    kind: Literal["RAPPOR"]
    bits: int
    hashes: int
    cohorts: int
    key: str
    p: float
    q: float


MechanismPart = Annotated[
    LinearPart | CountingPart | ListPart | ListedPart | RapporPart, Field(discriminator="kind")
]


# --- plans and sessions ---


_OF_NEWER = ("unexpected_keyword_argument", "extra_forbidden", "union_tag_invalid", "literal_error")
_Style = Annotated[
    TierStyle,
    In(tuple[int, int], lambda pair: TierStyle(*pair), lambda one: (one.slot, one.symbol)),
]
TOO_LONG = (
    "A project cannot keep this plan, because a budget or a limit in it is longer than anybody "
    "needs. Type a shorter one"
)


@with_config(STRICT)
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

    table: str
    loading: str
    mark: str
    readings: Readings
    query: AnyQuery
    family: Annotated[str, Field(alias="noise")]
    mechanism: MechanismPart | None = None
    texts: str = ""
    rows: str = ""
    how: How = field(default_factory=HowRead, compare=False)  # the mark says which table it made


@with_config(STRICT)
@dataclass(frozen=True, slots=True, kw_only=True)
class KeptStatistic:
    """A statistic of a plan of several, or of one that somebody named.

    Attributes:
        asked: the statistic and its noise.
        budgets: of its tiers, by their names.
        name: what somebody calls it.
    """

    asked: Asked
    budgets: Mapping[str, tuple[BudgetKind, Typed]]
    name: Annotated[str, Field(exclude_if=operator.not_)] = ""


@with_config(STRICT)
@dataclass(frozen=True, slots=True, kw_only=True)
class KeptPlan:
    """The plan as its project keeps it.

    Attributes:
        tiers: as typed, with the budgets of the statistic in use.
        delta: δ of the plan.
        asked: the statistic and the noise in use.
        statistics: all of the plan in their order, where there are `several`.
        sizes: the expected sizes of groups as typed, by what is counted.
        groups_from_data: columns of the statistic whose groups were read off the data.
        looked: whether rows or exact numbers of its table have been on screen.
        checked: columns of its table of which the reading check was on screen.
        known_before: of the columns read off, those whose list was known before.
        former: the ± that tiers had of another statistic and that is asked again, as it is said.
        signed_as: the first name of a project that was renamed, from which its signing key comes.
        own_key: the signing key that its workspace took along, locked; "" if it had none.
        styles: colour and symbol of each tier, also of those that left the plan with a release.
        changed: who changed a part last, and when, by the names of `versions.PARTS`.
    """

    asked: Asked
    tiers: Tiers
    delta: float
    sizes: Annotated[Mapping[str, str], Field(alias="expected_sizes")]
    groups_from_data: tuple[str, ...]
    looked: bool
    checked: tuple[str, ...] = ()
    known_before: tuple[str, ...] = ()
    signed_as: str = ""
    own_key: str = ""
    former: Mapping[str, str] = field(default_factory=dict)
    styles: Mapping[str, _Style] = field(default_factory=dict)
    statistics: Annotated[tuple[KeptStatistic, ...], Field(exclude_if=operator.not_)] = ()
    changed: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        checks.probability(delta=self.delta)

    def tiers_of(self, asked: Asked) -> Tiers:
        """The tiers with their budgets for a statistic; without any of its own, as of the plan’s.

        Args:
            asked: the statistic, under whatever names and noise.
        """
        wanted = same_as(asked)
        found = (one.budgets for one in self.statistics if same_as(one.asked) == wanted)
        return with_budgets(self.tiers, next(found, {}))

    @property
    def known(self) -> Provenance:
        """What of the statistic was read off the data, or could have been."""
        return Provenance(
            read_off=self.groups_from_data,
            looked=self.looked,
            checked=self.checked,
            known_before=self.known_before,
        )


def several(statistics: Sequence[KeptStatistic]) -> bool:
    """Whether more is kept of the statistics of a plan than the one in use."""
    return len(statistics) > 1 or any(one.name for one in statistics)


def same_as(asked: Asked) -> str:
    """What makes it this statistic: the same text for the same one under any name and noise."""
    return written(replace(asked, table="", loading="", family="", how=HowRead()))


_K = TypeVar("_K", Asked, KeptPlan)
_AS_JSON: dict[type, TypeAdapter[Any]] = {
    Asked: TypeAdapter(Asked),
    KeptPlan: TypeAdapter(KeptPlan),
}


def written(record: Asked | KeptPlan) -> str:
    """A plan, or what a session is asked for, as text.

    Raises:
        ParameterError: if a budget or a limit in it is too long.

    >>> from dpviz.queries import Count, Everybody
    >>> asked = Asked(query=Count(Everybody()), family="gaussian", table="t", loading="", mark="0f",
    ...     readings=())
    >>> asked_in(written(asked)) == asked
    True
    """
    try:
        made: bytes = _AS_JSON[type(record)].dump_json(record, by_alias=True)
    except PydanticSerializationError:
        raise ParameterError(TOO_LONG) from None
    return made.decode()


def asked_in(text: str) -> Asked:
    """What a session is asked for, from its text.

    Raises:
        NewerError: if it has a field, or a kind of something, that this version does not know.
        ParameterError: if it is damaged.
    """
    return _read(Asked, text)


def plan_in(text: str) -> KeptPlan:
    """The plan of a project from its text.

    Raises:
        NewerError: if it has a field, or a kind of something, that this version does not know.
        ParameterError: if it is damaged.
    """
    return _read(KeptPlan, text)


def _read(kind: type[_K], text: str) -> _K:
    try:
        found = json.loads(text)
        if isinstance(found, dict) and move_marks(found.get("asked", found)):
            text = json.dumps(found)
        made: _K = _AS_JSON[kind].validate_json(text)
        return made
    except ValidationError as error:
        newer = error.errors(include_url=False, include_input=False)[0]["type"] in _OF_NEWER
    except (ValueError, RecursionError):
        newer = False
    if newer:
        raise NewerError(NEWER)
    raise ParameterError(DAMAGED)
