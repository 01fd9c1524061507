"""Frames of a table and of a statistic on it: columns, norms, one person's influence."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pandas as pd

from dpviz.data import Column
from dpviz.queries import Query
from dpviz.queries.sensitivity import Norm

INFLUENCE = ("group", "change")
NORMS: tuple[tuple[Norm, str, str], ...] = (
    ("l1", "ℓ₁", "Laplace, discrete Laplace, Poisson, Skellam"),
    ("l2", "ℓ₂", "Gaussian, Poisson, Skellam"),
    ("linf", "ℓ∞", "Poisson, Skellam"),
)


def columns_frame(columns: Sequence[Column]) -> pd.DataFrame:
    """Names and types of a table's columns."""
    return pd.DataFrame([(c.name, c.kind) for c in columns], columns=["column", "type"])


def influence_frame(query: Query) -> pd.DataFrame:
    """One person who moves the statistic as far as they can; columns `INFLUENCE`.

    One row per released number, in units of the statistic (of the mean: in halves of its range,
    and rows). Add or remove: the first ℓ₀ groups move one way. Replace: the first ℓ₀ groups lose
    what the next ℓ₀ gain; where the list is shorter than 2ℓ₀, the groups in the middle have both
    people, and each moves by Δ∞.
    """
    reach, k = query.bounds.groups_per_person, len(query.by.labels)
    total = len(query.labels) > k
    most = _one_group(query) / (reach if total else 1)
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
    return pd.DataFrame(
        dict(zip(INFLUENCE, (list(query.entries), np.concatenate(change)), strict=True))
    )


def sensitivity_frame(query: Query) -> pd.DataFrame:
    """The three norms as formulas with their numbers, their unit, and who needs them."""
    unit = (
        query.noun_released
        if query.step == 1
        else f"{query.noun_released}, in steps of {query.step:.4g}"
    )
    rows = [(symbol, query.formula(norm), unit, families) for norm, symbol, families in NORMS]
    columns = ["norm", "one person changes at most", "unit", "needed by"]
    return pd.DataFrame(rows, columns=columns)


def _one_group(query: Query) -> float:
    """The most that somebody who comes or goes moves one number, in units."""
    bounds = replace(query.bounds, relation="add/remove")
    alone: Query = replace(cast(Any, query), bounds=bounds)  # every query is a dataclass
    return alone.sensitivity.linf * query.step
