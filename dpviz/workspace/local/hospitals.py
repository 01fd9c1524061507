"""Made-up patients of a town, and what hospitals at each distance can tell of all of them.

Everybody in the town has a circle of hospitals like the one person's, but some trust them more than
others. Nobody stands behind the numbers, so the true mean may be shown.
Source: MATHEMATICS 15.4.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from dpviz import checks
from dpviz.accounting.inputs import Number, positive
from dpviz.errors import ParameterError
from dpviz.local.hospitals import Patients, PopulationMean
from dpviz.noise import Family

SHARES = {"open": (0.2, Fraction(2)), "usual": (0.5, Fraction(1)), "careful": (0.3, Fraction(1, 2))}
MOST_PATIENTS = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """What one hospital can tell of the town.

    Attributes:
        distance: of the hospital, in hops.
        epsilon: that a patient of usual trust grants it.
        weighted: the mean by inverse-variance weights.
        equal: the mean by equal weights.
    """

    distance: int
    epsilon: Fraction
    weighted: PopulationMean
    equal: PopulationMean

    def __post_init__(self) -> None:
        checks.whole(1, distance=self.distance)
        positive(epsilon=self.epsilon)


@dataclass(frozen=True, slots=True, kw_only=True)
class Town:
    """A town whose patients were asked by hospitals at each distance.

    Attributes:
        patients: how many.
        mean: of the population that they come from.
        spread: standard deviation of their values.
        told: what each hospital can tell.
    """

    patients: int
    mean: float
    spread: float
    told: tuple[Told, ...]

    def __post_init__(self) -> None:
        checks.whole(1, patients=self.patients)
        checks.finite(mean=self.mean)
        checks.positive(spread=self.spread)


def made_up_town(
    patients: int,
    mean: float,
    epsilons: Sequence[Fraction],
    *,
    family: Family,
    sensitivity: Number,
    rng: np.random.Generator,
) -> Town:
    """Make up a town, and let hospitals join, the farthest first.

    Args:
        patients: how many, at most `MOST_PATIENTS`.
        mean: of the population.
        epsilons: of the hospitals one hop away, two hops away and so on, for usual trust; those
            who are open grant twice as much, those who are careful half.
        family: discrete Laplace, or Laplace.
        sensitivity: Δ, of which the spread of the values is nine tenths.
        rng: a teaching generator.

    Raises:
        ParameterError: an argument is out of range.
    """
    n = checks.integer(1, patients=patients)
    if n > MOST_PATIENTS:
        raise ParameterError(f"patients may be at most {MOST_PATIENTS:,}; type fewer")
    checks.finite(mean=mean)
    own = 0.9 * positive(sensitivity=sensitivity)
    values = mean + own * rng.standard_normal(n)
    rounding = 1 / 12 if family.integer else 0.0  # variance of what is cut off or added
    spread = math.sqrt(own * own + rounding)
    shares = np.cumsum([share for share, _ in SHARES.values()])
    groups = np.array(list(SHARES))[np.searchsorted(shares, rng.random(n) * shares[-1])]
    everybody = Patients(
        np.rint(values).astype(np.int64) if family.integer else values,
        groups=groups.tolist(),
        family=family,
        sensitivity=sensitivity,
        rng=rng,
    )
    told = []
    for distance in range(len(epsilons), 0, -1):
        epsilon = epsilons[distance - 1]
        granted = {group: epsilon * SHARES[group][1] for group in everybody.groups}  # type: ignore[index]
        everybody.join(distance, granted)
        told.append(
            Told(
                distance=distance,
                epsilon=epsilon,
                weighted=everybody.estimate(distance, spread=spread),
                equal=everybody.estimate(distance, spread=spread, equal=True),
            )
        )
    return Town(patients=n, mean=float(mean), spread=spread, told=tuple(reversed(told)))
