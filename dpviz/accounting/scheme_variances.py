"""The price of the baselines: what every tier's noise would be at equal joint guarantee.

All schemes below cost max rho together, for everything that is released; then, per tier,

    lossless     l2² / (2 rho_i)
    splitting    l2² / (2 (rho_i - rho_(i-1)))
    independent  l2² sum(rho) / (2 rho_i max rho)          every budget scaled down by max/sum
    doubling     l2² sum(grid) / (2 grid_i max rho)        the same for the grid min(rho) 2^i

The grid of doubling reaches up to the largest value within max rho, and all of it is released;
where it adds up to less than max rho nothing is scaled up: no tier may get more than its budget.
At equal single budgets independent releases have the lossless variance, and cost more together:
coalition.py. Source: MATHEMATICS 5.5; [LMR25] Figure 2; Ligett et al. (2017).
"""

from collections.abc import Iterable
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from dpviz.accounting.inputs import Number, positive, representable
from dpviz.accounting.schemes import budgets, check_scheme, doubled, split, total

COMPARED = ("lossless", "splitting", "independent", "doubling")


def scheme_variances(
    rhos: Iterable[Number], scheme: str, *, l2_sensitivity: Number = 1.0
) -> NDArray[np.float64]:
    """Noise variance of every tier at equal joint guarantee max rho, Gaussian noise, closed form.

    Args:
        rhos: one budget per tier, in any order; tiers of one budget share their release under
            lossless, splitting and doubling, and have one each under independent.
        scheme: "lossless", "splitting", "independent" or "doubling".
        l2_sensitivity: above 0, in units of the statistic.

    Returns:
        Variances in squared units of the statistic, tiers ascending by budget, shape (m,).

    Raises:
        ParameterError: an unknown scheme, no tier, or a budget that is not above 0.

    Source: MATHEMATICS 5.5.

    >>> for scheme in COMPARED:
    ...     print(scheme, scheme_variances([0.1, 0.2, 0.5], scheme).round(4))
    lossless [5.  2.5 1. ]
    splitting [5.     5.     1.6667]
    independent [8.  4.  1.6]
    doubling [7.   3.5  1.75]
    """
    check_scheme(scheme, COMPARED)
    tiers = sorted(budgets(rhos, "rhos"))
    sensitivity = positive(l2_sensitivity=l2_sensitivity)
    effective = np.array([float(each) for each in _effective(tiers, scheme)], dtype=np.float64)
    with np.errstate(over="ignore", divide="ignore"):
        variances = sensitivity / (2 * effective) * sensitivity
    representable(float(variances.max()))
    return variances


def _effective(tiers: list[Fraction], scheme: str) -> list[Fraction]:
    """Budget of every tier's own release, the joint budget being that of the largest tier."""
    if scheme == "lossless":
        return tiers
    if scheme == "splitting":
        slices = split(sorted(set(tiers)))
        return [slices[each] for each in tiers]
    if scheme == "independent":
        shrink = tiers[-1] / total(tiers)
        return [each * shrink for each in tiers]
    grid = [doubled(each, tiers[0]) for each in tiers]
    shrink = tiers[-1] / (2 * grid[-1] - grid[0])  # grid[0] + 2 grid[0] + ... + grid[-1]
    return [each * min(shrink, Fraction(1)) for each in grid]
