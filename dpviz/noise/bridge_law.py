"""How likely the releases of a session are: one given its neighbours, all given the exact values.

Nothing is drawn here. What a bridge or an extension will draw has a law (`release_law`), which for
every family is known in closed form or as a table of masses: mixed for lazy paths (their atoms are
the chances to be identical to a neighbour), normal for Gaussian noise, and for counts
p(w)·q(k-w)/r(k), with the masses of the increments below, above and over the whole gap
[LMR25, Lemma 3.2; Algorithms 1 and 4; MATHEMATICS 2.1 to 2.7].

A path is Markov in its level, so the density of releases at ascending levels
(`joint_log_density`) is a product of steps, each that of an extension:

    p(y_1, …, y_m | x) = p(y_1 | x, at t_1) p(y_2 | y_1, from t_1 to t_2) … p(y_m | y_m-1, …)

In which order the session drew them does not matter: with bridges in place of extensions the
product is the same (MATHEMATICS 1.2). Only the least noisy release depends on x; so all releases
together tell one x from another exactly as well as it alone does.
Atoms: a lazy path may rest, and then two releases, or a release and the exact value, are identical.
Such a step counts with its chance, every other with its density, so that the number returned is a
log density in as many dimensions as there are values that did not rest. Two exact values are
compared on the same releases; one that a release is identical to has an atom there, and the
comparison then is of a chance with a density: that release gives the exact value away.
For whole-number families everything is a chance.

Limits: for pictures, teaching and likelihoods, not for sampling. 64-bit floats; tables of counts
cover 12 standard deviations, and above 4,000 counts they skip some, so that quantiles are then
within a step of at most 1/50 standard deviation; `log_density` needs no table.
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

import math
from collections.abc import Mapping
from itertools import pairwise

import numpy as np

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.noise.arguments import additive_family, as_array, vectors
from dpviz.noise.family import Array, Family, ReleaseLaw
from dpviz.noise.whole import counts

LARGEST = 1e300
LARGEST_EXACT = 2.0**53  # whole numbers below it are exact floats


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


def joint_log_density(family: Family, values: Array, releases: Mapping[float, Array]) -> float:
    """Log density of releases of one session, given the exact values.

    Args:
        family: one of `dpviz.noise.FAMILIES`.
        values: the exact values, of any shape.
        releases: level to values released there, as `MultipleRelease.held`; of that shape.

    Returns:
        Natural logarithm of the joint density (see the module for atoms); of the chance of these
        releases for a whole-number family. 0 if nothing was released, -inf if they cannot be.

    Raises:
        ParameterError: a level is out of the span of the family, or values have another shape or
            kind.

    Source: MATHEMATICS 1.2.

    >>> from dpviz.noise import FAMILIES
    >>> joint_log_density(FAMILIES["poisson"], [3], {2.0: [4], 1.0: [3]})  # e⁻¹, then e⁻¹ again
    -2.0
    >>> released = {1.0: [10.0], 2.0: [10.0]}  # it rested between the two: a chance of 1/4
    >>> density = joint_log_density(FAMILIES["laplace"], [9.0], released)
    >>> round(float(np.exp(density)), 6), round(float(np.exp(-1) / 2 / 4), 6)
    (0.045985, 0.045985)
    """
    additive_family(family)
    if not isinstance(releases, Mapping):
        raise ParameterError("releases must map levels to values; pass for example session.held")
    held, low, total = _numbers(family, "values", values), 0.0, 0.0
    for level in sorted(releases, key=lambda each: checks.number(level=each)):
        found = _numbers(family, "releases", releases[level])
        if found.shape != held.shape:
            raise ParameterError(
                f"releases must have the shape of values, {held.shape}, got {found.shape}"
            )
        family.weights(low, level, None)  # refuses what is out of its span
        step = family.law_between(0.0, None, low, float(level), None)
        total += float(np.sum(step.log_density(_difference(found, held))))
        held, low = found, float(level)
    return total


def _difference(after: Array, before: Array) -> Array:
    """What was added, as floats; whole numbers are subtracted exactly where a float holds that."""
    about = after.astype(np.float64) - before.astype(np.float64)
    exact = np.abs(about) < LARGEST_EXACT
    return np.asarray(
        np.where(exact, np.where(exact, after, 0) - np.where(exact, before, 0), about)
    )


def _numbers(family: Family, name: str, given: Array) -> Array:
    """The values as an array of finite numbers, whole ones for a family of whole numbers."""
    array = as_array(name, given)
    flat = {name: array.ravel()}
    (numbers,) = counts(**flat) if family.integer else vectors("iuf", np.float64, **flat)
    if not np.all(np.abs(numbers) <= LARGEST):  # NaN fails
        raise ParameterError(f"{name} must be finite and within ±{LARGEST:g}; clean them first")
    return numbers.reshape(array.shape)
