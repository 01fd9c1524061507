"""Patients and hospitals: each hospital gets a release of its own, by how far a patient trusts it.

A patient's noise is one lossless path, drawn on the patient's side: hospitals may join in any
order, and any of them together learn what the most trusted one knows alone (`Person` is one such
patient). Of many patients, those who trust alike are one session with a value for each: noise is
independent between values, so the law is that of a session for each patient.
A hospital that adds up its patients' numbers can weigh each by how little noise it has:

    m = Σ w_i (y_i - E N_i) / Σ w_i,   w_i = 1/(s² + v_i),   standard error 1/√(Σ w_i)

with v_i the variance of the noise and s that of the values between patients. For weights fixed
beforehand m is unbiased for the mean of the population that patients come from, provided that how
far a patient trusts has nothing to do with the value. Equal weights need no such thing: their m is
unbiased for the mean of these very patients.
Source: MATHEMATICS 15.4; [LMR25] introduction.
[LMR25] Private Lossless Multiple Release, arXiv:2505.22449v1.
"""

import math
from collections.abc import Hashable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dpviz import checks
from dpviz.accounting.inputs import Number, non_negative
from dpviz.errors import ParameterError
from dpviz.local.person import Person
from dpviz.local.trust import CoalitionBudget
from dpviz.noise.family import Array, Family
from dpviz.queries import Sensitivity

MOST_GROUPS = 1000  # of patients who trust alike: each is a session


@dataclass(frozen=True, slots=True, kw_only=True)
class PopulationMean:
    """A mean estimated from noisy numbers of patients.

    Attributes:
        mean: the estimate, in the unit of the values.
        noise_error: its standard deviation by the noise alone, exact: around the mean of these very
            patients, weighed alike.
        standard_error: its standard deviation around the mean of the population that patients come
            from, if their values differ with the spread that was passed.
        patients: how many numbers it is made of.
    """

    mean: float
    noise_error: float
    standard_error: float
    patients: int

    def __post_init__(self) -> None:
        checks.finite(mean=self.mean)
        checks.positive(noise_error=self.noise_error)
        checks.positive(standard_error=self.standard_error)
        object.__setattr__(self, "patients", checks.integer(1, patients=self.patients))


def population_mean(
    answers: Any, variances: Any, *, spread: Number = 0.0, equal: bool = False
) -> PopulationMean:
    """Estimate a mean from numbers whose noise has mean 0 and these variances.

    Args:
        answers: one number for each patient.
        variances: of the noise of each, above 0, in squared units.
        spread: standard deviation of the values between patients, as it is assumed.
        equal: whether all weigh the same, rather than by the inverse of spread² plus variance.

    Raises:
        ParameterError: there is no patient, or a number is out of range.

    Source: MATHEMATICS 15.4; inverse-variance weights, Aitken 1935.

    >>> found = population_mean([140.0, 150.0], [25.0, 100.0])
    >>> found.mean, round(found.standard_error, 4)
    (142.0, 4.4721)
    >>> population_mean([140.0, 150.0], [25.0, 100.0], equal=True).mean
    145.0
    """
    y, v = checks.reals(answers=answers), checks.reals(variances=variances)
    checks.arrays(1, answers=y, variances=v)
    s = non_negative(spread=spread)
    checks.instance(bool, equal=equal)
    if not y.size or not (v.min() > 1e-300 and v.max() < 1e300):
        raise ParameterError(
            "answers and variances must hold one number for each of one or more patients, and "
            "variances must be above 0"
        )
    total = v + s * s
    weights = np.ones_like(v) if equal else total.min() / total
    whole = math.fsum(weights)
    return PopulationMean(
        mean=math.fsum(weights * y) / whole,
        noise_error=math.sqrt(math.fsum(weights**2 * v)) / whole,
        standard_error=math.sqrt(math.fsum(weights**2 * total)) / whole,
        patients=y.size,
    )


class Patients:
    """Many patients, each with a value or a row of values; those of one group trust alike.

    >>> from dpviz import streams
    >>> from dpviz.noise import FAMILIES
    >>> town = Patients(
    ...     [128, 142, 119, 160],
    ...     groups=["open", "careful", "open", "careful"],
    ...     family=FAMILIES["discrete_laplace"],
    ...     sensitivity=10,
    ...     rng=streams.teaching(7),
    ... )
    >>> town.join("clinic", {"open": 2, "careful": 1})
    array([132, 146, 113, 162])
    >>> found = town.estimate("clinic")
    >>> round(found.mean, 1), round(found.standard_error, 1)
    (128.8, 4.5)
    >>> town.together("open", ["clinic"]).largest.value
    2.0
    """

    def __init__(
        self,
        values: Any,
        *,
        groups: Iterable[Hashable],
        family: Family,
        sensitivity: Number | Sensitivity = 1,
        rng: np.random.Generator,
    ) -> None:
        """Keep the values, and open a session for each group.

        Args:
            values: a number for each patient, or a row of them; whole for an integer family.
            groups: the group of each patient, by any name.
            family: as of `Person`.
            sensitivity: of one patient's number or row, as of `Person`.
            rng: the generator from which each session's own is made.

        Raises:
            ParameterError: there is no patient, there are too many groups, or as `Person`.
            HardenedModeError: a float family with a hardened generator.
        """
        listed = checks.listed(groups=groups)
        array = _rows(values)
        if not listed or len(listed) != len(array):
            raise ParameterError("groups must name one group for each patient, of one or more")
        places: dict[Hashable, list[int]] = {}
        for place, group in enumerate(listed):
            checks.key(group=group)
            places.setdefault(group, []).append(place)
        if len(places) > MOST_GROUPS:
            raise ParameterError(f"there may be at most {MOST_GROUPS:,} groups; join some of them")
        checks.instance(np.random.Generator, rng=rng)
        self._places = {group: np.array(rows) for group, rows in places.items()}
        self._people = {
            group: Person(array[rows], family=family, sensitivity=sensitivity, rng=rng.spawn(1)[0])
            for group, rows in self._places.items()
        }
        self._shape = array.shape
        self._family = family
        self._budgets: dict[Hashable, dict[Hashable, Number]] = {}

    @property
    def groups(self) -> dict[Hashable, int]:
        """How many patients each group has."""
        return {group: len(rows) for group, rows in self._places.items()}

    @property
    def hospitals(self) -> tuple[Hashable, ...]:
        """Hospitals in the order in which they joined."""
        return tuple(self._budgets)

    def join(self, hospital: Hashable, budgets: Mapping[Hashable, Number]) -> Array:
        """Give a hospital its numbers, at the budget that each group trusts it with.

        Args:
            hospital: a name; one that has joined may come again with other budgets.
            budgets: group → an ε or a ρ, as the family has it, for every group.

        Returns:
            A number or a row for each patient, in their order.

        Raises:
            ParameterError: a group has no budget, or one that is no number above 0.
        """
        checks.key(hospital=hospital)
        checks.instance(Mapping, budgets=budgets)
        if set(budgets) != set(self._people):
            raise ParameterError(
                f"budgets must have a budget for each of the {len(self._people):,} groups, and no "
                "other; pass a mapping from group to budget"
            )
        for group, person in self._people.items():
            person.level(budgets[group])  # refuses before anything is drawn
        found = np.empty(self._shape, dtype=np.int64 if self._family.integer else np.float64)
        for group, person in self._people.items():
            found[self._places[group]] = person.answer(hospital, budgets[group])
        self._budgets[hospital] = dict(budgets)
        return found

    def variances(self, hospital: Hashable) -> NDArray[np.float64]:
        """Variance of the noise of each patient's numbers at a hospital, in squared units.

        Raises:
            ParameterError: the hospital has not joined.
        """
        return self._of_each(hospital, self._family.variance)

    def estimate(
        self,
        hospital: Hashable,
        *,
        spread: Number = 0.0,
        equal: bool = False,
        column: int | None = None,
    ) -> PopulationMean:
        """The mean of all patients as this hospital can tell it; the noise's own mean is taken off.

        Args:
            hospital: one that has joined.
            spread: as of `population_mean`.
            equal: likewise.
            column: which number of a row; None: patients have one number each.

        Raises:
            ParameterError: the hospital has not joined, or there is no such column.
        """
        variances = self.variances(hospital)
        if (column is None) != (len(self._shape) == 1):
            raise ParameterError("column must be None for single numbers, and given for rows")
        budgets = self._budgets[hospital]
        answers = np.empty(self._shape)
        for group, person in self._people.items():
            answers[self._places[group]] = person.answer(hospital, budgets[group])
        if column is not None:
            place = checks.integer(0, column=column)
            if place >= self._shape[1]:
                raise ParameterError(f"column must be below {self._shape[1]}, got {place}")
            answers = answers[:, place]
        means = self._of_each(hospital, self._family.mean)
        return population_mean(answers - means, variances, spread=spread, equal=equal)

    def together(self, group: Hashable, hospitals: Iterable[Hashable]) -> CoalitionBudget:
        """What hospitals learn together of a patient of this group.

        Raises:
            ParameterError: there is no such group, no hospital, or one that has not joined.
        """
        checks.key(group=group)
        if group not in self._people:
            raise ParameterError("there is no group of this name; pass one of `groups`")
        return self._people[group].together(hospitals)

    def _of_each(self, hospital: Hashable, fact: Any) -> NDArray[np.float64]:
        """A fact of the noise level of each patient at a hospital."""
        checks.key(hospital=hospital)
        if hospital not in self._budgets:
            raise ParameterError("this hospital has not joined; call join first")
        found = np.empty(self._shape[0])
        for group, budget in self._budgets[hospital].items():
            found[self._places[group]] = fact(self._people[group].level(budget))
        return found

    def __repr__(self) -> str:
        """Sizes; never a value."""
        return (
            f"Patients(patients={self._shape[0]:,}, groups={len(self._people)}, "
            f"hospitals={len(self._budgets)}, family={self._family.name!r})"
        )


def _rows(values: Any) -> Array:
    """The values as an array with a row for each patient."""
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):
        array = np.array(None)
    if array.ndim not in (1, 2):
        raise ParameterError("values must hold a number, or a row of numbers, for each patient")
    return array
