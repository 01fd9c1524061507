"""One more release of some values, given those there are: relaxed, tightened, or between two.

Each is a draw of the family's own `bridge` or `extend`, asked by budgets in the place of levels.
Only relaxing needs the values; who holds releases can tighten them and fill in between them. Where
one owner draws them all, a `MultipleRelease` does the same and remembers what it drew.
Source: [KHP15] equations 25, 28 and 29; MATHEMATICS 14.1.
[KHP15] Koufogiannis, Han, Pappas, Gradual Release of Sensitive Data, arXiv:1504.00429.
"""

import numpy as np

from dpviz import checks, streams
from dpviz.errors import HardenedModeError, ParameterError
from dpviz.gradual.laws import LAPLACE, ascending, clock_of, level_of
from dpviz.noise.arguments import drawing
from dpviz.noise.family import Array, Family
from dpviz.release.values import own_copy


def relax(
    values: Array,
    release: Array,
    epsilon: float,
    to: float,
    *,
    rng: np.random.Generator,
    l1_sensitivity: float = 1.0,
    family: Family = LAPLACE,
) -> Array:
    """A sharper version of a release, drawn by the owner of the values.

    Together both tell what a single release at `to` tells. It goes on from the sharpest release
    there is: relax that one, and no earlier one again.

    Args:
        values: the exact values, shape (d,).
        release: what was released at `epsilon`, the sharpest so far, shape (d,).
        epsilon: its budget.
        to: the larger budget.
        rng: generator that the noise is drawn from.
        l1_sensitivity: change of the values that costs the budget.
        family: the noise of the release: Laplace or discrete Laplace.

    Returns:
        Shape (d,); where the path rests, the release bit for bit.

    Raises:
        ParameterError: budgets are not finite, above 0 and ascending, or the arrays do not fit.
        HardenedModeError: Laplace noise is asked of a hardened generator.

    Source: [KHP15] Algorithm 1, MATHEMATICS 14.1.

    >>> from dpviz import streams
    >>> relax(np.zeros(4), np.arange(4.0), 1.0, 2.0, rng=streams.teaching(7)).round(3)
    array([ 0.   ,  1.   ,  1.207, -0.035])
    """
    clock_of(family)
    epsilon, to = ascending(epsilon, to)
    high, level = (level_of(each, l1_sensitivity, family) for each in (epsilon, to))
    drawing(rng, "integers" if family.integer else "random")
    if streams.mode_of(rng) == "hardened" and not family.integer:
        raise HardenedModeError(
            f"{family.label} noise is made of floating-point numbers, so it is for teaching only; "
            "pass discrete Laplace noise or streams.teaching(seed)"
        )
    exact, held = own_copy(values, family), own_copy(release, family)
    return family.bridge(exact, held, 0, level, high, rng=rng)


def tighten(
    release: Array,
    epsilon: float,
    to: float,
    *,
    rng: np.random.Generator,
    l1_sensitivity: float = 1.0,
    family: Family = LAPLACE,
) -> Array:
    """A noisier version of a release, made by anyone who holds it: no data are needed.

    A reader of the result alone learns as much as a release at `to` tells. Two results made of one
    release tell together no more than it does; make the second one of the first if they are to be
    two points of one path.

    Args:
        release: what was released at `epsilon`, shape (d,).
        epsilon: its budget.
        to: the smaller budget.
        rng: generator that the noise is drawn from.
        l1_sensitivity: change of the values that costs the budget.
        family: the noise of the release: Laplace or discrete Laplace.

    Returns:
        Shape (d,).

    Raises:
        ParameterError: budgets are not finite, above 0 and descending, or the release does not fit.

    Source: [KHP15] equations 28 and 29, MATHEMATICS 14.1.

    >>> from dpviz import streams
    >>> tighten(np.arange(4.0), 2.0, 1.0, rng=streams.teaching(7)).round(3)
    array([0.   , 2.294, 2.514, 2.49 ])
    """
    clock_of(family)
    to, epsilon = ascending(to, epsilon)
    low, high = (level_of(each, l1_sensitivity, family) for each in (epsilon, to))
    return family.extend(own_copy(release, family), low, high, rng=rng)


def fill_in(
    sharper: Array,
    noisier: Array,
    epsilons: tuple[float, float],
    to: float,
    *,
    rng: np.random.Generator,
    l1_sensitivity: float = 1.0,
    family: Family = LAPLACE,
) -> Array:
    """A release between two others of the same values, by anyone who holds both.

    No other release of these values may lie between the two: the nearest ones decide.

    Args:
        sharper: what was released at the larger budget, shape (d,).
        noisier: what was released at the smaller budget, shape (d,).
        epsilons: the smaller and the larger budget.
        to: the budget between them.
        rng: generator that the noise is drawn from.
        l1_sensitivity: change of the values that costs the budget.
        family: the noise of both: Laplace or discrete Laplace.

    Returns:
        Shape (d,).

    Raises:
        ParameterError: budgets are not finite, above 0 and ascending, or the arrays do not fit.

    Source: MATHEMATICS 2.3, 14.1.

    >>> from dpviz import streams
    >>> fill_in(np.zeros(4), np.arange(4.0), (1.0, 4.0), 2.0, rng=streams.teaching(7)).round(3)
    array([0.   , 1.   , 0.984, 0.   ])
    """
    clock_of(family)
    least, most = _pair(epsilons)
    ascending(least, to)
    ascending(to, most)
    low, level, high = (level_of(each, l1_sensitivity, family) for each in (most, to, least))
    below, above = own_copy(sharper, family), own_copy(noisier, family)
    return family.bridge(below, above, low, level, high, rng=rng)


def _pair(epsilons: tuple[float, float]) -> tuple[float, float]:
    """Two budgets that ascend."""
    found = checks.listed(epsilons=epsilons)
    if len(found) != 2:
        raise ParameterError(
            f"epsilons must be two budgets, the smaller one first, got {len(found)}"
        )
    return ascending(*found)
