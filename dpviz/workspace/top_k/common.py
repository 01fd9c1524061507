"""Truncated histograms: all common items of an unknown domain with their counts, drawn once."""

from collections.abc import Hashable
from dataclasses import dataclass

import numpy as np

from dpviz import checks
from dpviz.accounting import ReleaseEvent
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.parameters import exact
from dpviz.planning.tiers import PlannedTier
from dpviz.release import LedgerEntry, Selection
from dpviz.top_k import TruncatedHistogram
from dpviz.top_k.truncated_histogram import CommonItems, concentrated_cost
from dpviz.words import significant
from dpviz.workspace.facts import Facts
from dpviz.workspace.sessions import Asking, Session
from dpviz.workspace.structured import for_all_tiers
from dpviz.workspace.top_k.source import Source, opened
from dpviz.workspace.workspace import Workspace

COMMON_NOT_KEPT = (
    "A project keeps hardened releases only, and a truncated histogram adds Gaussian noise, which "
    "hardened mode does not allow. Choose the Gumbel list, or draw in a workspace without a project"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Common:
    """All common items of an unknown domain with their counts, in one release of truncated noise.

    Attributes:
        source: what items are counted.
        sigma: standard deviation of the noise before it is cut.
        log_delta: ln of the δ of one count.
        log_delta_used: ln of the δ' at which its ρ is converted to ε.
    """

    source: Source
    sigma: float
    log_delta: float
    log_delta_used: float

    def __post_init__(self) -> None:
        checks.positive(sigma=self.sigma)
        checks.between(-1e7, -1e-12, log_delta=self.log_delta, log_delta_used=self.log_delta_used)
        if self.source.known:
            raise ParameterError(
                "the groups of this statistic are a public list, which needs no threshold: release "
                "it as it is"
            )

    name = "common items"

    @property
    def key(self) -> Hashable:
        """Everything that the release depends on, but for the mode."""
        source = self.source
        numbers = self.sigma, self.log_delta, self.log_delta_used
        return "truncated histogram", *source.key, *numbers

    def found(self, ws: Workspace) -> CommonItems | None:
        """What was released, or None; draws nothing."""
        one = ws.find(self.key)
        return one.mechanism.release() if one else None

    def draw(self, ws: Workspace, *, sure: bool = False) -> CommonItems:
        """Draw the release, and write its cost into the ledger.

        Args:
            ws: the workspace.
            sure: whether a budget that promises next to nothing is meant.

        Raises:
            ParameterError: if the counts cannot be used, or it is not meant.
        """
        ws.record(self.asking, self.planned, sure=sure)
        return opened(ws, self.key).mechanism.release()  # type: ignore[no-any-return]

    @property
    def planned(self) -> PlannedTier:
        """The release as the ledger takes it: for all tiers, at the scale of its noise."""
        event = self._event(1)
        return for_all_tiers(self.name, self.sigma, exact(event.budget), event.delta)

    @property
    def asking(self) -> Asking:
        """What the mechanism is asked for, and how it is accounted for."""

        def release(histogram: TruncatedHistogram, tier: PlannedTier) -> float:
            histogram.release()
            return tier.budget.level

        return Asking(
            key=self.key,
            statistic=f"common items by {self.source.query.statistic}",
            data=self.source.table.name,
            family=ADDITIVE["gaussian"],
            kind="lossless",
            mechanism=self._mechanism,
            release=release,
            facts=self._facts,
            values=lambda histogram, _: histogram.release().values,
            entries=lambda histogram, _: tuple(map(str, histogram.release().items)),
            about=self.source.table,
            bounds=self.source.query.bounds,
            selection=lambda number: Selection(
                noise="truncated Gaussian", cost=self._event(number)
            ),
            kept=COMMON_NOT_KEPT,
            any_order=True,  # as it is drawn once
        )

    def _event(self, number: int) -> ReleaseEvent:
        """The cost, which does not depend on the counts."""
        cost = concentrated_cost(self.sigma, self.log_delta, self.source.reach)
        return cost.event(number, self.log_delta_used)

    def _facts(self, entry: LedgerEntry, one: Session) -> Facts:
        """The header block of the items above the threshold."""
        histogram: TruncatedHistogram = one.mechanism
        return self.source.facts(
            entry,
            one,
            "the items whose noisy count is above the threshold, and these counts",
            threshold=f"{histogram.threshold!r}; no item that only one "
            f"{self.source.query.bounds.nouns.one} has, or none, can ever exceed it",
            noise=f"Gaussian, standard deviation {self.sigma!r}, cut at ±{histogram.cut!r}",
            accuracy=f"a number is never more than {significant(histogram.cut)} "
            f"({self.source.query.noun}) off the bounded one; what is just above the threshold "
            "tends to be too high",
        )

    def _mechanism(self, rng: np.random.Generator) -> TruncatedHistogram:
        return TruncatedHistogram(
            self.source.counts(),
            sigma=self.sigma,
            log_delta=self.log_delta,
            reach=self.source.reach,
            whole=True,  # the query counts every item that somebody has
            rng=rng,
        )
