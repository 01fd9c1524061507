"""Normal law of a Gaussian bridge or extension."""

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import special

from dpviz import checks
from dpviz.noise.family import Array


@dataclass(frozen=True, slots=True)
class NormalLaw:
    """Normal(mean, deviation²), in units of the statistic.

    >>> law = NormalLaw.between(0.0, 8.0, 1.0, 2.0, 3.0)
    >>> law.mean, round(law.deviation, 4)
    (4.0, 0.7071)
    """

    mean: float
    deviation: float
    atoms: ClassVar[tuple[tuple[float, float], ...]] = ()

    def __post_init__(self) -> None:
        checks.finite(mean=self.mean)
        checks.non_negative(deviation=self.deviation)

    @classmethod
    def between(
        cls, below: float, above: float | None, low: float, level: float, high: float | None
    ) -> "NormalLaw":
        """Brownian bridge: mean below + (above - below)(t-l)/(h-l), variance (t-l)(h-t)/(h-l)."""
        if above is None or high is None:
            return cls(below, math.sqrt(level - low))
        share = (level - low) / (high - low)
        return cls(below + (above - below) * share, math.sqrt((high - level) * share))

    def cdf(self, x: Array) -> Array:
        """P(value <= x), elementwise."""
        return np.asarray(special.ndtr((np.asarray(x, float) - self.mean) / self.deviation))

    def density(self, x: Array) -> Array:
        """Density per unit of the statistic, elementwise."""
        z = (np.asarray(x, float) - self.mean) / self.deviation
        return np.asarray(np.exp(-0.5 * z * z) / (math.sqrt(2 * math.pi) * self.deviation))

    def log_density(self, x: Array) -> Array:
        """Log of the density, elementwise; finite where that is below any float."""
        z = (np.asarray(x, float) - self.mean) / self.deviation
        return np.asarray(-0.5 * z * z - math.log(math.sqrt(2 * math.pi) * self.deviation))

    def quantile(self, p: Array) -> Array:
        """The x with cdf(x) = p, elementwise."""
        return np.asarray(self.mean + self.deviation * special.ndtri(np.asarray(p, float)))
