"""Laplace or Gaussian noise at the same ρ, which is what adds up over many releases.

    Gauss               σ² = Δ₂²/(2ρ)                                   exactly
    Laplace, exact      e + e^(-e) - 1 = ρ/R² for each of R² numbers moved alike, b = Δ₁/(R² e)
    Laplace, by ε²/2    b = Δ₁/√(2ρ), an upper bound: how budgets typed in ρ are read

By the bound Laplace noise has exactly 2R² times the variance of Gaussian noise. Exactly it has less
than twice, and is the smaller one where ρ/R² exceeds 1.63. At the same ε and δ: choice.py.
Source: MATHEMATICS 3.2, 9.1.
[BS16] Bun, Steinke, arXiv:1605.02065.  [HM25] Harrison, Manurangsi, arXiv:2510.25746.
"""

import math
from dataclasses import dataclass

from dpviz import checks
from dpviz.accounting.inputs import positive
from dpviz.accounting.laplace import laplace_epsilon_at_rho
from dpviz.accounting.levels import gaussian_level


@dataclass(frozen=True, slots=True, kw_only=True)
class SameRho:
    """Standard deviations of noise that costs the same ρ, in units of the statistic.

    Attributes:
        rho: what is held fixed.
        gaussian: of Gaussian noise.
        laplace: of Laplace noise by its exact ρ; None unless numbers are moved alike.
        laplace_bound: of Laplace noise by ρ = ε²/2.
    """

    rho: float
    gaussian: float
    laplace: float | None
    laplace_bound: float

    def __post_init__(self) -> None:
        checks.positive(rho=self.rho, gaussian=self.gaussian, laplace_bound=self.laplace_bound)
        checks.known(checks.positive, laplace=self.laplace)

    @property
    def ratio(self) -> float:
        """Variance of Laplace noise over that of Gaussian noise; by the bound if need be."""
        least = self.laplace_bound if self.laplace is None else self.laplace
        return (least / self.gaussian) ** 2

    @property
    def ratio_bound(self) -> float:
        """The same by the bound: 2R²."""
        return (self.laplace_bound / self.gaussian) ** 2


def at_rho(rho: float, *, l1: float, l2: float, count: int | None) -> SameRho:
    """What each noise needs to cost ρ.

    Args:
        rho: above 0.
        l1: Δ₁, above 0, in units of the statistic.
        l2: Δ₂, likewise.
        count: R² as a number of coordinates moved alike, or None.

    Raises:
        ParameterError: an argument is out of range, or the noise needed is beyond any float.

    Source: [BS16] Propositions 1.4 and 1.6; [HM25]; MATHEMATICS 3.2, 9.1.

    >>> held = at_rho(0.5, l1=3.0, l2=3**0.5, count=3)
    >>> round(held.ratio, 4), round(held.ratio_bound, 4)
    (1.6344, 6.0)
    """
    rho, l1 = positive(rho=rho), positive(l1=l1)
    exact = None
    if count is not None:
        count = checks.integer(1, count=count)
        exact = math.sqrt(2) * l1 / count / laplace_epsilon_at_rho(rho / count)
    return SameRho(
        rho=rho,
        gaussian=math.sqrt(gaussian_level(rho, l2)),
        laplace=exact,
        laplace_bound=l1 / math.sqrt(rho),
    )
