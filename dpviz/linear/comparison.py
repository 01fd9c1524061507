"""All factorizations of a workload at one budget: noise level, error of every answer, the bound.

Each way has a sensitivity of its own, so the same budget means another noise level for each; the
error of answer q is then Var N(level) · ‖row q of L‖². No factorization is below

    mean squared error  ≥  Var N(level of one number that moves by M) · bound / m

with the bound on ‖L‖²·(Δ₂/M)² for the person and the relation in use

for noise scaled to one norm of the sensitivity: to Δ₂ (Gaussian), because its variance is Δ₂² times
that of Δ₂ = 1; to Δ₁ (Laplace), because Δ₁ ≥ Δ₂, and (discrete Laplace) because Var N(b)/b² grows
with b and Δ₁ ≥ 1. Limits: no such bound is stated where all norms count.
"""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from dpviz import checks
from dpviz.accounting.guarantees import guarantee_of
from dpviz.errors import ParameterError
from dpviz.linear.contribution import Contribution
from dpviz.linear.factorization import ONE_GROUP, Factorization
from dpviz.linear.workloads import Workload
from dpviz.noise import Array, Family
from dpviz.parameters import USUAL_DELTA
from dpviz.planning.amounts import Amount, Kind
from dpviz.planning.budgets import Budget, Setting, resolve
from dpviz.queries import Sensitivity
from dpviz.queries.sensitivity import Directions

REAL = "its numbers are not whole, and this noise is for whole numbers only"


@dataclass(frozen=True, slots=True, eq=False)
class Way:
    """One factorization at the budget.

    Attributes:
        factorization: A = L·R.
        budget: what the budget means for its sensitivity; `budget.level` is the noise level.
        variances: of every answer, shape (m,), in squared units of the answers.
    """

    factorization: Factorization
    budget: Budget
    variances: Array

    def __post_init__(self) -> None:
        checks.arrays(1, least=0, variances=self.variances)

    @property
    def name(self) -> str:
        """How it is called."""
        return self.factorization.name

    @property
    def typical(self) -> float:
        """Root mean squared error of the answers, in their units."""
        return typical_error(self.variances)


def typical_error(variances: Array) -> float:
    """The root of the mean variance.

    >>> import numpy as np
    >>> typical_error(np.array([1.0, 7.0]))
    2.0
    """
    return math.sqrt(float(variances.mean()))


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """The ways of a workload at one budget.

    Attributes:
        ways: those that can be used, by name.
        left_out: why each of the others cannot.
        bound: what no root mean squared error is below; None if nothing is known.
    """

    ways: Mapping[str, Way]
    left_out: Mapping[str, str]
    bound: float | None

    def __post_init__(self) -> None:
        checks.known(checks.non_negative, bound=self.bound)

    @property
    def best(self) -> Way:
        """The way with the least root mean squared error."""
        return min(self.ways.values(), key=lambda way: way.typical)


def setting_of(
    factorization: Factorization, family: Family, delta: float, step: float = 1.0
) -> Setting:
    """What budgets refer to: the inner numbers R·x and how far one person moves them.

    >>> from dpviz.linear.workloads import prefix_sums
    >>> from dpviz.noise import FAMILIES
    >>> made = prefix_sums(4).factorization("binary tree", ONE_GROUP)
    >>> setting_of(made, FAMILIES["gaussian"], 1e-6).dimension
    4
    """
    return Setting(
        family=family,
        delta=delta,
        sensitivity=factorization.sensitivity,
        dimension=factorization.inner,
        step=step,
        directions=_directions(factorization),
    )


def _directions(factorization: Factorization) -> Directions | None:
    """Most inner numbers that one person moves one way, and the other way.

    A person who only adds moves those up whose row of R is not 0 in one of their ℓ₀ columns; a
    column of whole numbers has at most as many as its sum.
    """
    person, right = factorization.contribution, factorization.right
    if not (person.one_sided and right.non_negative):
        return None
    moved = factorization.inner
    if right.whole:
        moved = min(moved, person.groups * round(float(right.column_norms().l1.max())))
    return moved, 0 if person.relation == "add/remove" else moved


def compare(
    workload: Workload,
    family: Family,
    kind: Kind,
    amount: Amount,
    *,
    contribution: Contribution = ONE_GROUP,
    delta: float = USUAL_DELTA,
    step: float = 1.0,
) -> Comparison:
    """All ways of a workload at one budget.

    Args:
        workload: what is asked.
        family: a noise family that budgets are offered for.
        kind: kind of the budget, such as "ρ" or "ε".
        amount: the budget.
        contribution: what one person adds to the data.
        delta: of the families whose ε needs one.
        step: one whole step of the data, in units of the answers.

    Raises:
        ParameterError: if no way can be used.

    >>> from dpviz.linear.workloads import prefix_sums
    >>> from dpviz.noise import FAMILIES
    >>> found = compare(prefix_sums(52), FAMILIES["gaussian"], "ρ", Amount(0.5))
    >>> found.best.name, round(found.best.typical, 2), round(found.bound, 2)
    ('Gaussian optimum', 2.04, 2.04)
    """
    promise = guarantee_of(family)
    ways: dict[str, Way] = {}
    left_out: dict[str, str] = {}
    for name in workload.names(contribution):
        made = workload.factorization(name, contribution)
        if family.integer and not made.right.whole:
            left_out[name] = REAL
            continue
        try:
            budget = resolve(kind, amount, setting_of(made, family, delta, step))
        except ParameterError as error:
            left_out[name] = str(error)
            continue
        ways[name] = Way(made, budget, step * step * made.variances(family, budget.level))
    if not ways:
        raise ParameterError(next(iter(left_out.values())))
    bound = None
    if promise.norm is not None:  # then the bound of the docstring holds
        bound = _bound(workload, family, kind, amount, contribution)
    return Comparison(ways, left_out, None if bound is None else step * bound)


def _bound(
    workload: Workload, family: Family, kind: Kind, amount: Amount, contribution: Contribution
) -> float | None:
    """What no root mean squared error is below."""
    known = workload.bound(contribution)
    if known is None:
        return None
    one = Sensitivity.bounded(1, contribution.largest)
    setting = Setting(family=family, delta=USUAL_DELTA, sensitivity=one, dimension=1)
    variance = family.variance(resolve(kind, amount, setting).level)
    return math.sqrt(variance * known.value / workload.shape[0])
