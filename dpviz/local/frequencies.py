"""How common each category is, from many randomised responses: unbiased, with its error.

A report at level ℓ is the true category with probability a = p + (1-p)/K and each other one with
b = (1-p)/K, p = e^-ℓ. So of n reports a share c_j = b + p·f_j is expected at category j, and

    f̂_j = (c_j - b)/p,     Var f̂_j = [f_j a(1-a) + (1-f_j) b(1-b)] / (n p²)

over the noise alone, the people staying the same. People of several levels are put together by
their numbers n, which is unbiased for any people; or, where the level tells nothing about the
category, by n p², the inverse of the variance as far as it does not depend on what is unknown.
Source: MATHEMATICS 15.1.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.noise.arguments import vectors, within_categories
from dpviz.noise.family import Array
from dpviz.noise.randomised_response import RandomisedResponse
from dpviz.noise.whole import counts


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Frequencies:
    """Estimated shares of K categories.

    Attributes:
        shares: unbiased estimates f̂, shape (K,); they add up to 1, and some may be below 0.
        standard_errors: estimated root of their variance over the noise, shape (K,).
        people: how many reports there were.
    """

    shares: Array
    standard_errors: Array
    people: int

    def __post_init__(self) -> None:
        for array in vectors("f", np.float64, shares=self.shares, errors=self.standard_errors):
            if not np.isfinite(array).all():
                raise ParameterError("shares and their errors must be finite numbers")
        if (self.standard_errors < 0).any():
            raise ParameterError("standard errors must be at least 0")
        checks.whole(1, people=self.people)

    @property
    def possible(self) -> Array:
        """The shares nearest to the estimates that are at least 0 and add up to 1.

        A post-processing that costs nothing and brings in some bias: rare categories gain.

        >>> shares, errors = np.array([0.9, 0.3, -0.2]), np.full(3, 0.1)
        >>> Frequencies(shares=shares, standard_errors=errors, people=10).possible.round(3)
        array([0.8, 0.2, 0. ])
        """
        falling = np.sort(self.shares)[::-1]
        excess = (np.cumsum(falling) - 1) / np.arange(1, falling.size + 1)
        kept = np.flatnonzero(falling > excess)[-1]
        nearest: Array = np.maximum(self.shares - excess[kept], 0)
        return nearest


def estimate_frequencies(
    reports: Mapping[float, Any], family: RandomisedResponse, *, alike: bool = False
) -> Frequencies:
    """Estimate the share of each category from everybody's report.

    Args:
        reports: level to the reports at that level, whole numbers 0 … K-1; one report a person.
        family: randomised response over these categories.
        alike: whether people of all levels are alike, so that sharper reports may count more: the
            error is then the least, and the estimate biased if they are not.

    Returns:
        Shares of the categories among these people, with standard errors.

    Raises:
        ParameterError: there is no report, a report is no category, or a level is out of range.

    Source: MATHEMATICS 15.1.

    >>> from dpviz import streams
    >>> family, truth = RandomisedResponse(3), np.repeat([0, 1, 2], [6000, 3000, 1000])
    >>> reports = family.extend(truth, 0, 0.5, rng=streams.teaching(7))
    >>> found = estimate_frequencies({0.5: reports}, family)
    >>> found.shares.round(3), found.standard_errors.round(3)
    (array([0.599, 0.306, 0.095]), array([0.007, 0.006, 0.006]))
    """
    checks.instance(bool, alike=alike)
    checks.instance(Mapping, reports=reports)
    checks.instance(RandomisedResponse, family=family)
    parts = []  # people, weight, share of each category, variance of it at 0 and at 1
    for level, given in reports.items():
        tally, kept = _tally(given, family), family.probability_kept(level)
        n, true = int(tally.sum()), family.probability_true(level)
        other = (1 - kept) / family.categories
        if n:
            spread = [chance * (1 - chance) / (n * kept * kept) for chance in (other, true)]
            weight = n * kept * kept if alike else n
            parts.append((n, weight, (tally / n - other) / kept, *spread))
    if not parts:
        raise ParameterError("reports must hold at least one report; pass those of somebody")
    people, weights, shares, at_none, at_all = map(np.array, zip(*parts, strict=True))
    weights = weights / weights.sum()
    estimate = weights @ shares
    likely = np.clip(estimate, 0, 1)  # no share is beyond these, whatever the noise says
    variance = weights**2 @ (np.outer(at_all, likely) + np.outer(at_none, 1 - likely))
    return Frequencies(shares=estimate, standard_errors=np.sqrt(variance), people=int(people.sum()))


def _tally(given: Any, family: RandomisedResponse) -> Array:
    """How often each category was reported."""
    (reports,) = counts(reports=given)
    within_categories(family.categories, reports=reports)
    return np.bincount(reports, minlength=family.categories)
