"""Thresholds from the number of phantom cells: cells without a count that show by noise alone.

One release of variance t shows a cell without a count with probability Q(τ/σ), σ = √t; of n such
cells it shows n·Q(τ/σ) on average. Public numbers only: n is the size of the domain, or what is
known to be empty of it. Solved in logarithms: exact for domains up to 1e12 and beyond.
Source: MATHEMATICS 8.1; Q is the upper tail of the standard normal law.
"""

import math

from scipy import special

from dpviz import checks
from dpviz.accounting.inputs import Number, positive
from dpviz.accounting.levels import gaussian_level
from dpviz.errors import ParameterError
from dpviz.sparse.cells import threshold_number


def expected_phantoms(
    rho: Number, threshold: float, *, cells: int, l2_sensitivity: Number
) -> float:
    """Expected number of cells without a count that one release shows: n·Q(τ/σ).

    Args:
        rho: zCDP budget of the release, above 0.
        threshold: τ, in units of the count; not NaN, not minus infinity.
        cells: number n of cells without a count.
        l2_sensitivity: above 0, in units of the count.

    Returns:
        The expected number, at least 0 and at most `cells`.

    Raises:
        ParameterError: an argument is out of range.

    >>> round(expected_phantoms(0.5, 5.0, cells=10**9, l2_sensitivity=1.0), 3)
    286.652
    """
    cells = checks.integer(0, cells=cells)
    checks.number(cells=cells)  # refuses more of them than a float can hold
    checks.number(rho=rho)
    checks.number(l2_sensitivity=l2_sensitivity)
    deviation = math.sqrt(gaussian_level(rho, l2_sensitivity))
    return cells * float(special.ndtr(-threshold_number(threshold) / deviation))


def threshold_for(rho: Number, phantoms: Number, *, cells: int, l2_sensitivity: Number) -> float:
    """Least threshold with at most m phantom cells expected: n·Q(τ/σ) <= m.

    Args:
        rho: zCDP budget of the release, above 0.
        phantoms: m, above 0 and below `cells`.
        cells: number n of cells without a count, at least 1.
        l2_sensitivity: above 0, in units of the count.

    Returns:
        τ in units of the count; `expected_phantoms` of it never exceeds `phantoms`.

    Raises:
        ParameterError: an argument is out of range.

    >>> round(threshold_for(0.5, 1, cells=10**12, l2_sensitivity=1.0), 6)
    7.034484
    """
    cells = checks.integer(1, cells=cells)
    checks.number(cells=cells)  # refuses more of them than a float can hold
    most = positive(phantoms=phantoms)
    if most >= cells:
        raise ParameterError(
            f"phantoms must be fewer than the {cells} cells without a count, got {phantoms!r}; "
            "with that many allowed no threshold is needed"
        )
    checks.number(rho=rho)
    checks.number(l2_sensitivity=l2_sensitivity)
    deviation = math.sqrt(gaussian_level(rho, l2_sensitivity))
    threshold = -deviation * float(special.ndtri_exp(math.log(most) - math.log(cells)))
    step = 2.0**-52 * max(abs(threshold), deviation)
    while cells * float(special.ndtr(-threshold / deviation)) > most:
        threshold, step = threshold + step, 2 * step
    return threshold
