"""What a noise family must offer: noise is a process in its level [LMR25, Def. 1.1].

`Y(level) = f(x) + N(level)`, where `N(h) - N(l)` is independent of everything up to `l < h`. So two
draws are enough for releases in any order: `extend` towards more noise, `bridge` between two held
releases (MATHEMATICS 1.2). A session needs no more than these methods; what a family costs and how
accurate it is stands elsewhere under its name, and is refused for a name that is not known there.
[LMR25] Private Lossless Multiple Release, ICML 2025.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


class Family(Protocol):
    """An additive noise family; every method works coordinate-wise on arrays of shape (d,)."""

    @property
    def name(self) -> str:
        """Key in FAMILIES, e.g. "gaussian"."""

    @property
    def label(self) -> str:
        """Name for people, e.g. "Gaussian"."""

    @property
    def level_symbol(self) -> str:
        """Letter of the level, e.g. "t"."""

    @property
    def level_name(self) -> str:
        """What the level is, e.g. "noise variance"."""

    @property
    def integer(self) -> bool:
        """Whether it takes and returns whole numbers only."""

    @property
    def weight_meaning(self) -> str:
        """What `weights` says, e.g. "share of that neighbour in the mean of the draw"."""

    def extend(
        self,
        values: Array,
        low: float,
        high: float,
        *,
        rng: np.random.Generator,
        out: Array | None = None,
    ) -> Array:
        """Values held at `low` (0: the exact ones) to values at the noisier level `high`."""

    def bridge(
        self,
        below: Array,
        above: Array,
        low: float,
        level: float,
        high: float,
        *,
        rng: np.random.Generator,
        out: Array | None = None,
    ) -> Array:
        """Values at `level`, given `below` held at `low` and `above` held at `high`."""

    def mean(self, level: float) -> float:
        """Mean of the noise at `level`, in units of the statistic."""

    def variance(self, level: float) -> float:
        """Variance of the noise at `level`, in squared units of the statistic."""

    def cdf(self, x: Any, level: float) -> Any:
        """P(noise at `level` <= x)."""

    def density(self, x: Any, level: float) -> Any:
        """Density of the noise at `level`; for an integer family its probability mass."""

    def weights(self, low: float, level: float, high: float | None) -> tuple[float, float]:
        """What each neighbour contributes to a draw at `level`, as (below, above).

        Depends on the levels only, never on the values. `high=None`: nothing noisier is held.
        """
