"""The erratum of Algorithm 6 in two rounds: the law of a first crossing, and the one as printed.

An item that nobody has stays hidden in round 1 and crosses in round 2. Its sum S₂ = ρ₂·(noise) must
be drawn given both. As printed, the hidden first step is drawn as if nobody knew that the second
one crosses; that lets the value tell more than the budget allows. Densities only, nothing is drawn.
How far: two rounds, budgets rising, and the missing factor 1/ρ put back; the bound on δ uses one
event, so the truth may be worse. Source: MATH section 4.
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1, Algorithm 6.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray
from scipy import optimize, special

from dpviz import checks
from dpviz.errors import ParameterError

Floats = NDArray[np.float64]
REACH = 10.0  # standard deviations beyond which a density is left out
PANELS, NODES = 60, 16  # of the rule over a reach
LARGEST_RATIO = 1e4  # of the budgets; and the least is its inverse above 1
CLOSEST = 1.001
_LOG_ROOT = 0.5 * math.log(2 * math.pi)


@dataclass(frozen=True)
class TwoRounds:
    """Two budgets and one threshold, in standard deviations of each round's noise.

    Attributes:
        first: ρ₁, above 0.
        second: ρ₂, above ρ₁.
        deviations: τ/σ in both rounds.

    Raises:
        ParameterError: if a number is out of range.

    >>> story = TwoRounds(0.1, 0.2, 1.5)
    >>> round(story.crossing, 3), round(story.distance, 3)
    (0.038, 0.127)
    >>> round(story.delta(2.0), 5), round(story.allowed(2.0), 5)
    (0.00261, 0.00123)
    """

    first: float
    second: float
    deviations: float

    def __post_init__(self) -> None:
        checks.positive(first=self.first, second=self.second)
        checks.non_negative(deviations=self.deviations)
        if not CLOSEST <= self.second / self.first <= LARGEST_RATIO:
            raise ParameterError(
                f"the second budget must be {CLOSEST} to {LARGEST_RATIO:g} times the first, "
                f"got {self.first!r} and {self.second!r}; type a larger second one"
            )
        if self.deviations > 8:
            raise ParameterError(
                f"the threshold must be at most 8 standard deviations, got {self.deviations!r}; "
                "beyond it nothing crosses that a picture could show"
            )

    @cached_property
    def sums(self) -> Floats:
        """Nodes of S₂ above its barrier, ascending."""
        return self._rule[0]

    @cached_property
    def _rule(self) -> tuple[Floats, Floats]:
        deviation = math.sqrt(self._v2)
        step = math.sqrt(self._v2 - self._v1)
        end = max(self._c2, 0.0) + REACH * deviation + abs(self.second)
        return _panels(self._c2, end, min(step, deviation))

    @cached_property
    def crossing(self) -> float:
        """P(hidden in round 1, shown in round 2) of an item that nobody has."""
        return float(self._rule[1] @ self._joint(0.0))

    @cached_property
    def right(self) -> Floats:
        """Density of S₂ given the first crossing in round 2, at `sums`."""
        return self._joint(0.0) / self.crossing

    @cached_property
    def printed(self) -> Floats:
        """The density that Algorithm 6 as printed draws from, at `sums`."""
        step = math.sqrt(self._v2 - self._v1)
        low = min(self._c1, 0.0) - REACH * math.sqrt(self._v1)
        nodes, weights = _panels(low, self._c1, min(step, math.sqrt(self._v1)))
        log_past = -(nodes**2) / (2 * self._v1) - math.log(self._v1) / 2 - _LOG_ROOT
        log_past -= float(special.log_ndtr(self._c1 / math.sqrt(self._v1)))
        log_past -= special.log_ndtr((nodes - self._c2) / step)
        away = (self.sums[:, None] - nodes) / step
        logs = log_past - away**2 / 2 - math.log(step) - _LOG_ROOT
        return np.asarray(np.exp(logs) @ weights)

    @cached_property
    def distance(self) -> float:
        """Kolmogorov–Smirnov distance of the two laws."""
        return float(np.abs(np.cumsum(self._rule[1] * (self.right - self.printed))).max())

    def delta(self, epsilon: float, *, printed: bool = True) -> float:
        """Least δ at ε that the crossing in round 2 forces, one person more or less in the item.

            max over both directions of ∫ max(0, p₀ - e^ε p₁) ds

        Args:
            epsilon: at least 0.
            printed: for the law as printed; else for the right one.
        """
        checks.non_negative(epsilon=epsilon)
        nobody = self.crossing * (self.printed if printed else self.right)
        person = self._joint(1.0)
        factor = math.exp(epsilon)
        both = (nobody - factor * person, person - factor * nobody)
        return max(float(self._rule[1] @ np.maximum(gap, 0.0)) for gap in both)

    def allowed(self, epsilon: float) -> float:
        """Largest δ at ε of anything that is ρ₂-zCDP: what a coalition may learn.

            δ = min over α > 1 of e^((α-1)(αρ-ε)) (1 - 1/α)^α / (α - 1)

        Source: [CKS20] Canonne, Kamath, Steinke, The Discrete Gaussian, Proposition 7 and
        Corollary 13; the inverse of `dpviz.accounting.zcdp_epsilon`.
        """
        checks.non_negative(epsilon=epsilon)

        def log_delta(log_order: float) -> float:
            over = math.exp(log_order)  # α - 1
            order = 1 + over
            gain = over * (order * self.second - epsilon)
            return gain + order * (log_order - math.log1p(over)) - log_order

        best = optimize.minimize_scalar(
            log_delta, bounds=(-12.0, 30.0), method="bounded", options={"xatol": 1e-9}
        )
        return min(1.0, math.exp(min(0.0, float(best.fun))))

    @property
    def _v1(self) -> float:
        return self.first / 2

    @property
    def _v2(self) -> float:
        return self.second / 2

    @property
    def _c1(self) -> float:
        return self.deviations * math.sqrt(self._v1)

    @property
    def _c2(self) -> float:
        return self.deviations * math.sqrt(self._v2)

    def _joint(self, count: float) -> Floats:
        """Density of S₂ and "hidden in round 1", for an item with this count."""
        s = self._rule[0]
        share = self._v1 / self._v2
        bridge = math.sqrt(self._v1 * (1 - share))
        logs = -((s - self.second * count) ** 2) / (2 * self._v2) - math.log(self._v2) / 2
        return np.asarray(
            np.exp(logs - _LOG_ROOT + special.log_ndtr((self._c1 - share * s) / bridge))
        )


def _panels(low: float, high: float, width: float) -> tuple[Floats, Floats]:
    """Composite Gauss–Legendre rule, ascending: nodes and weights, finer near both ends."""
    count = min(max(PANELS, math.ceil((high - low) / width)), 20 * PANELS)
    turn = (1 - np.cos(np.linspace(0, math.pi, count + 1))) / 2
    edges = low + (high - low) * turn
    points, weights = np.polynomial.legendre.leggauss(NODES)
    half = np.diff(edges) / 2
    nodes = edges[:-1, None] + half[:, None] * (1 + points)
    return nodes.ravel(), (half[:, None] * weights).ravel()
