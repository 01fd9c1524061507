"""Law of one released number given its neighbours: what a bridge or an extension will draw from.

Nothing is drawn here. For every family the law is known in closed form or as a table of masses:
mixed for lazy paths (their atoms are the chances to be identical to a neighbour), normal for
Gaussian noise, and for counts p(w)·q(k-w)/r(k), with the masses of the increments below, above and
over the whole gap [LMR25, Lemma 3.2; Algorithms 1 and 4; MATHEMATICS 2.1 to 2.7].
Limits: for pictures, teaching and likelihoods, not for sampling. 64-bit floats; tables of counts
cover 12 standard deviations, and above 4,000 counts they skip some, so that quantiles are then
within a step of at most 1/50 standard deviation; `log_density` needs no table.
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

import math
from itertools import pairwise

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.noise.arguments import additive_family
from dpviz.noise.family import Family, ReleaseLaw

__all__ = ["ReleaseLaw", "release_law"]


def release_law(
    family: Family,
    below: float,
    above: float | None,
    low: float,
    level: float,
    high: float | None,
) -> ReleaseLaw:
    """Law of the value at `level`, given `below` held at `low` and `above` held at `high`.

    Args:
        family: one of `dpviz.noise.FAMILIES`.
        below: value held at `low`, in units of the statistic.
        above: value held at `high`; None if nothing noisier is held.
        low: level of `below`; 0 stands for the exact value.
        level: the level wanted, strictly between the two.
        high: level of `above`, or None.

    Returns:
        The law, with `atoms`, `cdf`, `density`, `log_density` and `quantile`.

    Raises:
        ParameterError: levels do not ascend strictly, values are not whole for an integer family,
            or noise that never falls would have to fall.

    Source: [LMR25, Algorithms 1 and 4], MATHEMATICS 2.1 to 2.7.

    >>> from dpviz.noise import FAMILIES
    >>> law = release_law(FAMILIES["laplace"], 10.0, 13.0, 1.0, 2.0, 4.0)
    >>> [(value, round(chance, 3)) for value, chance in law.atoms]
    [(10.0, 0.2), (13.0, 0.189)]
    """
    additive_family(family)
    checks.finite(below=below)
    checks.known(checks.finite, above=above)
    family.weights(low, level, high)  # refuses levels that are out of its span
    held = (low, level) if high is None else (low, level, high)
    if not (low >= 0 and all(a < b for a, b in pairwise(held))):
        raise ParameterError(f"levels must ascend strictly from low to high, got {held}")
    if (above is None) != (high is None):
        raise ParameterError("above and high belong together: pass both, or None for both")
    if family.integer and not (_whole(below) and (above is None or _whole(above))):
        raise ParameterError(f"{family.label} noise needs whole numbers as neighbours")
    if family.never_falls and above is not None and above < below:
        raise ParameterError(f"above must not be less than below: {family.label} noise never falls")
    plain: type[int] | type[float] = int if family.integer else float  # not a Decimal
    ends = (plain(below), None if above is None else plain(above))
    return family.law_between(*ends, low, level, high)


def _whole(x: float) -> bool:
    return math.isfinite(x) and x == math.floor(x)
