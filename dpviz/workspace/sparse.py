"""Sparse histograms of a column: thresholds, what a session is about, its tiers, the facts.

The exact counts are made when the first tier draws, inside the mechanism, and again only for
"reveal".
"""

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.accounting.levels import gaussian_level
from dpviz.data import Table
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.palette import TierStyle
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, Setting
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import ItemCounts
from dpviz.release import LedgerEntry
from dpviz.sparse import SparseHistogram, expected_phantoms, threshold_for
from dpviz.words import budget, percent, significant, within
from dpviz.workspace.facts import Facts, header
from dpviz.workspace.sessions import Asking, Session
from dpviz.workspace.workspace import Workspace

GAUSSIAN = ADDITIVE["gaussian"]
MOST_PHANTOMS = 100_000  # expected, in one release: more rows than anybody reads
SPARSE_NOT_KEPT = (  # nor could it be: noise below a threshold was never released, and is secret
    "A project keeps hardened releases only, and a sparse histogram adds Gaussian noise, which "
    "hardened mode does not allow. Draw it in a workspace without a project"
)

Released = tuple[NDArray[np.int64], NDArray[np.float64]]  # indices and values


def threshold_of(planned: PlannedTier, allowed: str, size: int, l2: float) -> float:
    """The threshold of a tier that has not been drawn.

    Args:
        planned: the tier.
        allowed: phantoms, on average, as typed.
        size: number of items that there could be.
        l2: how far one person moves the counts.

    Raises:
        ParameterError: if more phantoms are to be expected than are served.
    """
    rho, phantoms = planned.budget.loss, float(allowed)
    if phantoms >= size:
        raise ParameterError(
            f"Phantoms: there are only {size:,} items, so {phantoms:,g} limits nothing. "
            f"Type fewer, for example {min(1.0, size / 2):g}."
        )
    threshold = threshold_for(rho, phantoms, cells=size, l2_sensitivity=l2)
    expected = expected_phantoms(rho, threshold, cells=size, l2_sensitivity=l2)
    if expected > MOST_PHANTOMS:
        raise ParameterError(
            f"Threshold of {planned.name}: noise alone would lift about {expected:,.0f} items "
            f"over {threshold:g}, more than the {MOST_PHANTOMS:,} served here. Type fewer phantoms."
        )
    return threshold


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ItemTier:
    """One tier of the plan on this histogram."""

    planned: PlannedTier
    style: TierStyle
    threshold: float
    phantoms: float  # expected in its release
    released: Released | None

    def __post_init__(self) -> None:
        checks.between(-math.inf, math.inf, threshold=self.threshold)
        checks.non_negative(phantoms=self.phantoms)
        if self.released is not None:
            indices, values = self.released
            checks.arrays(1, indices=indices, values=values)

    @property
    def name(self) -> str:
        """Name of the tier."""
        return self.planned.name

    @property
    def rho(self) -> float:
        """Its budget."""
        return self.planned.budget.loss

    @property
    def words(self) -> str:
        """Its budget with the letter."""
        return budget("ρ", self.rho)

    @property
    def level(self) -> float:
        """Variance of its noise."""
        return self.planned.budget.level


def item_tiers(
    ws: Workspace, setting: Setting, allowed: str, held: Mapping[float, float]
) -> tuple[list[ItemTier], list[str]]:
    """The plan's tiers with their thresholds, most private first, and why others cannot be used.

    Args:
        ws: the workspace with the plan.
        setting: what budgets refer to.
        allowed: phantoms in each release, on average, as typed.
        held: thresholds by ρ of what is drawn, which keeps its own.
    """
    planned, problems = ws.plan.planned(setting)
    found, size, l2 = [], setting.dimension, setting.sensitivity.l2
    for p in planned:
        rho = p.budget.loss
        try:
            threshold = held[rho] if rho in held else threshold_of(p, allowed, size, l2)
        except ParameterError as error:
            problems.append(str(error))
            continue
        found.append(
            ItemTier(
                planned=replace(p, budget=replace(p.budget, level=gaussian_level(rho, l2))),
                style=ws.plan.style_of(p.name),
                threshold=threshold,
                phantoms=expected_phantoms(rho, threshold, cells=size, l2_sensitivity=l2),
                released=None,
            )
        )
    return found, list(dict.fromkeys(problems))


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """What a session is about: a column of a table, the items it may hold, and the bounds."""

    table: Table
    query: ItemCounts

    @property
    def key(self) -> Hashable:
        """Everything that the answer depends on, but for the mode."""
        return "sparse histogram", self.table.source(self.query.columns), self.query

    def setting(self, delta: float) -> Setting:
        """What budgets refer to on this column."""
        return Setting(
            family=GAUSSIAN,
            delta=delta,
            sensitivity=self.query.sensitivity,
            dimension=self.query.coding.size,
        )

    def tiers(self, ws: Workspace, allowed: str) -> tuple[list[ItemTier], list[str]]:
        """The plan's tiers with what they hold, most private first; why others cannot be used."""
        one = ws.find(self.key)
        asked = {(e.tier, e.level) for e in ws.entries_of(one)} if one else set()
        held = dict(one.mechanism.releases) if one else {}
        tiers, problems = item_tiers(ws, self.setting(ws.delta), allowed, held)
        released = one.mechanism.held if one else {}
        return [
            replace(t, released=released[t.level] if (t.name, t.level) in asked else None)
            for t in tiers
        ], problems

    def asked(self, allowed: str, ws: Workspace) -> tuple[Asking, list[PlannedTier]]:
        """What a plan asks of it, and for whom; thresholds follow the budgets.

        Args:
            allowed: phantoms in each release, on average, as typed.
            ws: the workspace with the plan.
        """
        tiers = self.tiers(ws, allowed)[0]
        return self.asking({t.name: t.threshold for t in tiers}), [t.planned for t in tiers]

    def asking(self, thresholds: Mapping[str, float]) -> Asking:
        """What the mechanism is asked for, and how its releases are accounted for.

        Args:
            thresholds: of the tiers that may draw, by name.
        """
        query, table = self.query, self.table

        def mechanism(rng: np.random.Generator) -> SparseHistogram:
            size, l2 = query.coding.size, query.sensitivity.l2
            return SparseHistogram(*query.values(table), size, l2_sensitivity=l2, rng=rng)

        def release(histogram: SparseHistogram, tier: PlannedTier) -> float:
            histogram.release(tier.budget.loss, thresholds[tier.name])
            return tier.budget.level

        return Asking(
            key=self.key,
            statistic=query.statistic,
            data=table.described(query.columns),
            family=GAUSSIAN,
            kind="weakly lossless",
            mechanism=mechanism,
            release=release,
            facts=self._facts,
            values=lambda histogram, level: histogram.held[level][1],
            entries=lambda histogram, level: tuple(query.coding.names(histogram.held[level][0])),
            about=table,
            bounds=query.bounds,
            kept=SPARSE_NOT_KEPT,
        )

    def _facts(self, entry: LedgerEntry, one: Session) -> Facts:
        """The header block of one tier's items."""
        query, b, size = self.query, entry.budget, self.query.coding.size
        threshold = dict(one.mechanism.releases)[b.loss]
        l2 = query.sensitivity.l2
        phantoms = expected_phantoms(b.loss, threshold, cells=size, l2_sensitivity=l2)
        return header(
            entry,
            one.mode,
            statistic=f"{query.statistic}, where it exceeds the threshold with its noise",
            data=self.table.described(query.columns),
            unit=query.bounds.unit,
            neighbours=query.bounds.neighbours,
            bounds=query.contribution,
            sensitivity=query.formula,
            items=f"{query.coding.described}: {size:,} that could be; others are not counted",
            threshold=f"{threshold!r}; at most {significant(phantoms)} items are expected to be "
            "here by noise alone, and nothing tells which",
            noise=f"Gaussian, variance {b.level!r}",
            accuracy=f"with {percent(ACCURACY_CONFIDENCE)} confidence a number is "
            f"{within(b.half_width, f'({query.noun}) of the bounded one')}, before the threshold "
            "chooses: what is just above it tends to be too high",
        )
