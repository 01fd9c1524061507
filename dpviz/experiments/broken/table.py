"""The broken samplers and the settings in which they are caught, and the right one beside each.

Each is a mechanism for `dpviz.experiments.audit`. `caught_by` says which check sees it: the auditor
from outputs alone, the test of the joint law (`dpviz.experiments.covariance`), or both. The tests
find out that exactly these do.
"""

import math
from dataclasses import dataclass
from typing import Any

from dpviz import checks
from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.levels import gaussian_level
from dpviz.experiments.audit_histogram import HistogramCells
from dpviz.experiments.audit_sessions import Coalition
from dpviz.experiments.broken import bridges, sessions
from dpviz.experiments.broken.histogram import BrokenPrintedHistogram
from dpviz.experiments.simulation import IndependentReleases, OpenReleases
from dpviz.noise import ADDITIVE, Family
from dpviz.release import MultipleRelease

AUDITOR, LAW = "auditor", "law test"
Game = Coalition | HistogramCells
GAUSSIAN, LAPLACE = ADDITIVE["gaussian"], ADDITIVE["laplace"]
DISCRETE_LAPLACE = ADDITIVE["discrete_laplace"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Broken:
    """One broken sampler, in a game in which it breaks its promise.

    Attributes:
        key: its name.
        wrong: the game as the broken sampler plays it.
        right: the same game as the library plays it.
        delta: the δ at which the promise is tested; 0 for pure noise.
        caught_by: `AUDITOR`, `LAW` or both.
        digits: whether the auditor looks at last binary digits; of noise in whole numbers always.
    """

    key: str
    wrong: Game
    right: Game
    delta: float
    caught_by: tuple[str, ...]
    digits: bool = False

    def __post_init__(self) -> None:
        checks.between(0, 1, delta=self.delta)
        for each in self.caught_by:
            checks.one_of((AUDITOR, LAW), caught_by=each)

    @property
    def promised(self) -> PrivacyLoss:
        """The loss that is promised."""
        return self.right.promised


LOW, MIDDLE, HIGH = 0.5, 2.0, 10.0  # scales of Laplace noise: ε = 2, 0.5 and 0.1
BETWEEN = (LOW, HIGH, MIDDLE)  # the middle one is drawn between the two others
OTHERS = (MIDDLE, HIGH)  # a coalition without the sharpest number
VARIANCES = (1.25, 5 / 3, 2.5, 5.0)  # of Gaussian noise: ρ = 0.4, 0.3, 0.2 and 0.1


def _pair(
    open_wrong: OpenReleases,
    noise: Family,
    order: tuple[float, ...],
    held: tuple[float, ...],
    open_right: OpenReleases = MultipleRelease,
) -> dict[str, Any]:
    return {
        "wrong": Coalition(noise, order, held, open_releases=open_wrong),
        "right": Coalition(noise, order, held, open_releases=open_right),
    }


def _bridge(breaks: Any) -> dict[str, Any]:
    return _pair(sessions.broken_family(breaks), LAPLACE, BETWEEN, OTHERS)


_RHOS = (0.1, 0.11)
_CELLS = _RHOS, tuple(2 * math.sqrt(gaussian_level(rho, 1.0)) for rho in _RHOS)

TWINS = {
    each.key: each
    for each in (
        Broken(
            key="small",
            **_pair(sessions.BrokenSmallNoise, GAUSSIAN, VARIANCES, VARIANCES),
            delta=1e-3,
            caught_by=(AUDITOR, LAW),
        ),
        Broken(
            key="redraw",
            **_pair(sessions.BrokenRedraw, DISCRETE_LAPLACE, (MIDDLE,), (MIDDLE,) * 4),
            delta=0.0,
            caught_by=(AUDITOR,),
        ),
        Broken(
            key="copies",
            **_pair(sessions.BrokenCopies, DISCRETE_LAPLACE, (MIDDLE,), (MIDDLE,) * 4),
            delta=0.0,
            caught_by=(AUDITOR,),
        ),
        Broken(
            key="fresh",
            **_pair(IndependentReleases, GAUSSIAN, VARIANCES, VARIANCES),
            delta=1e-3,
            caught_by=(AUDITOR, LAW),
        ),
        Broken(
            key="copying bridge",
            **_bridge(bridges.BrokenCopyingBridge),
            delta=0.0,
            caught_by=(AUDITOR, LAW),
        ),
        Broken(
            key="straight bridge",
            **_bridge(bridges.BrokenStraightBridge),
            delta=0.0,
            caught_by=(AUDITOR, LAW),
        ),
        Broken(
            key="Lemma F.5",
            **_bridge(bridges.BrokenPrintedBridge),
            delta=0.0,
            caught_by=(AUDITOR, LAW),
        ),
        Broken(
            key="Algorithm 6",
            wrong=HistogramCells(*_CELLS, open_histogram=BrokenPrintedHistogram),
            right=HistogramCells(*_CELLS),
            delta=1e-3,
            caught_by=(AUDITOR,),
        ),
        Broken(
            key="floats",
            wrong=Coalition(
                LAPLACE,
                (1.0,),
                (1.0,),
                open_releases=sessions.broken_family(bridges.BrokenFloatLaplace),
            ),
            right=Coalition(DISCRETE_LAPLACE, (1.0,), (1.0,)),
            delta=0.0,
            caught_by=(AUDITOR,),
            digits=True,
        ),
    )
}
