"""What the session of a structured mechanism is asked for besides its query, as JSON.

The field "kind" names the mechanism. A session without such a part releases its statistic as it is.
"""

from typing import Annotated, Literal

from pydantic import Field

from dpviz.workspace.plan_file.schema import Part


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
