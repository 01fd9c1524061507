"""Every number of the page Data: how far one person moves what is published, and the noise on it.

What the bounds leave out is an exact answer: it is counted on request alone, and not private.
"""

from dataclasses import dataclass, replace
from typing import Any, cast

import numpy as np
import pandas as pd

from dpviz.planning.budgets import ACCURACY_CONFIDENCE, usual_half_width
from dpviz.queries import KeptRows, Query, kept, unbounded
from dpviz.workspace.facts import Facts
from dpviz.workspace.footer import footer_facts
from dpviz.workspace.held import HeldTier
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.takeaways import within
from dpviz.workspace.workspace import Workspace

INFLUENCE = ("group", "change")
COST = ("group", "bounded", "unbounded", "difference")
STAGES = (  # names of what is counted after each bound; clipped rows stay, at the bound
    ("in the file", "rows"),
    ("in a group, with what is needed", "in_groups"),
    ("after the bound on groups", "after_groups"),
    ("after the bound on rows", "after_rows"),
    ("moved by the clip", "clipped"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """The least noise that is planned for a statistic.

    Attributes:
        tier: who sees the numbers with it.
        half: how far off 95 % of the released numbers are at most, in units of the statistic.
        near: how near that comes, in words; of a mean by its rows.
    """

    tier: str
    half: float
    near: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """What is going to be published, and how much one person can change it.

    Attributes:
        statistic: as it is chosen now.
        influence: columns `INFLUENCE`, a row per released number.
        noise: None where none is planned for this statistic.
        in_use: whether the other pages show this statistic.
        read_off: whether its groups were read off the data.
        facts: the definitions for the drawer.
    """

    statistic: Statistic
    influence: pd.DataFrame
    noise: Noise | None
    in_use: bool
    read_off: bool
    facts: Facts

    @property
    def query(self) -> Query:
        """What is computed."""
        return self.statistic.query


def publication(ws: Workspace, statistic: Statistic, *, usable: bool = True) -> Publication:
    """Everything that the page says of a statistic.

    Args:
        ws: the workspace.
        statistic: as it is chosen now.
        usable: whether it can be drawn.
    """
    in_use = statistic.key == ws.statistic.key
    return Publication(
        statistic=statistic,
        influence=influence(statistic.query),
        noise=_least_noise(ws, statistic.query) if in_use else None,
        in_use=in_use and usable,
        read_off=bool(ws.seen.of(statistic).read_off),
        facts=footer_facts(ws, statistic),
    )


def _least_noise(ws: Workspace, query: Query) -> Noise | None:
    """The noise of the tier that sees most."""

    def half(tier: HeldTier) -> float:
        return usual_half_width(ws.family, tier.level, query.step)

    tier = min(ws.values_of_tiers, key=half, default=None)
    if tier is None or half(tier) == 0:
        return None
    near = within(tier, ws.family, ACCURACY_CONFIDENCE, query)
    return Noise(tier=tier.name, half=half(tier), near=near)


def influence(query: Query) -> pd.DataFrame:
    """How far one unit of privacy moves each released number at most; columns `INFLUENCE`.

    In units of the statistic (of the mean: in halves of its range, and rows). Add or remove: the
    first ℓ₀ groups move one way. Replace: the first ℓ₀ groups lose what the next ℓ₀ gain; where the
    list is shorter than 2ℓ₀, the groups in the middle have both units, and each moves by Δ∞.

    Args:
        query: the statistic.
    """
    reach, k = query.bounds.groups_per_person, len(query.by.labels)
    total = len(query.labels) > k
    alone: Query = replace(cast(Any, query), bounds=replace(query.bounds, relation="add/remove"))
    most = alone.sensitivity.linf * query.step / (reach if total else 1)
    moved, shared = np.zeros(k), slice(0, 0)
    moved[:reach] = most
    if query.bounds.relation == "replace":
        moved[:reach], moved[reach : 2 * reach] = -most, most
        shared = slice(reach - max(0, 2 * reach - k), reach)
        moved[shared] = most if total else query.sensitivity.linf * query.step
    change = [moved]
    if total:
        change.append(np.array([moved.sum()]))
    if query.per_value == 2:  # the number of rows of a shared group stays as it is
        rows = moved.copy()
        rows[shared] = 0.0
        change.append(rows)
    return pd.DataFrame({"group": list(query.entries), "change": np.concatenate(change)})


@dataclass(frozen=True, slots=True, kw_only=True)
class BoundCost:
    """What the bounds cost: exact numbers, not private.

    Attributes:
        kept: how many rows each bound leaves.
        groups: columns `COST`, in units of the statistic: difference = bounded − unbounded, NaN
            for a mean without rows.
    """

    kept: KeptRows
    groups: pd.DataFrame


def bound_cost(statistic: Statistic) -> BoundCost:
    """Count what the bounds leave out of a table. Not private.

    Raises:
        DataError: if the table lacks a column, or the engine cannot compute it.
    """
    query, table = statistic.query, statistic.table
    found = kept(query, table)
    bounded = np.asarray(query.estimate(query.values(table)), dtype=np.float64)
    whole = unbounded(query, table)
    columns = (list(query.labels), bounded, whole, bounded - whole)
    return BoundCost(kept=found, groups=pd.DataFrame(dict(zip(COST, columns, strict=True))))
