"""All ways of a workload at one budget: levels, errors, and a bound that none goes below."""

import numpy as np
import pytest

from dpviz.accounting.levels import gaussian_level, laplace_level
from dpviz.errors import ParameterError
from dpviz.linear import Contribution
from dpviz.linear.comparison import REAL, compare, setting_of
from dpviz.linear.operators import dense
from dpviz.linear.workloads import marginals, prefix_sums, ranges
from dpviz.noise import FAMILIES
from dpviz.planning.amounts import Amount
from dpviz.queries import RELATIONS
from tests.conftest import few

WORKLOADS = [prefix_sums(12), ranges(9), marginals(3, 5)]
OFFERED = ["gaussian", "laplace", "discrete_laplace", "poisson", "skellam"]


def kind_of(name):
    return "ρ" if name == "gaussian" else "ε"


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("groups", [1, 3])
@pytest.mark.parametrize("name", OFFERED)
@pytest.mark.parametrize("workload", few(WORKLOADS, 2), ids=lambda w: w.name)
def test_no_way_is_below_the_bound(workload, name, groups, relation):
    person = Contribution(groups=groups, relation=relation)
    found = compare(workload, FAMILIES[name], kind_of(name), Amount(0.5), contribution=person)
    assert (found.bound is not None) == (name in ("gaussian", "laplace", "discrete_laplace"))
    for way in found.ways.values():
        assert way.typical >= (found.bound or 0.0) * (1 - 1e-9)
        level = way.budget.level
        wanted = FAMILIES[name].variance(level) * way.factorization.row_squares
        assert way.variances == pytest.approx(wanted)
    assert found.best.typical == min(way.typical for way in found.ways.values())


def test_each_way_has_the_level_of_its_own_sensitivity():
    gaussian = compare(prefix_sums(12), FAMILIES["gaussian"], "ρ", Amount(0.5)).ways
    laplace = compare(prefix_sums(12), FAMILIES["laplace"], "ε", Amount(0.5)).ways
    assert gaussian["noise on answers"].budget.level == gaussian_level(
        0.5, gaussian["noise on answers"].factorization.l2_sensitivity
    )
    assert laplace["binary tree"].budget.level == laplace_level(0.5, 4)
    assert laplace["noise on data"].typical == pytest.approx(
        np.sqrt(2 * 2.0**2 * np.arange(1, 13).mean())
    )


def test_real_factors_are_left_out_for_whole_noise():
    found = compare(prefix_sums(12), FAMILIES["discrete_laplace"], "ε", Amount(0.5))
    assert found.left_out == {"square root": REAL, "Gaussian optimum": REAL}
    assert "Haar wavelet" in found.ways


@pytest.mark.parametrize(
    ("relation", "way", "directions"),
    [
        ("add/remove", "binary tree", (4, 0)),
        ("add/remove", "Haar wavelet", None),
        ("replace", "binary tree", (4, 4)),
    ],
)
def test_directions_are_claimed_only_where_they_are_true(relation, way, directions):
    contribution = Contribution(relation=relation)
    made = prefix_sums(12).factorization(way, contribution)
    assert setting_of(made, FAMILIES["poisson"], 1e-6).directions == directions
    columns = dense(made.right)
    rows = list(columns.T)
    if relation == "replace":
        rows = [a - b for a in columns.T for b in columns.T]
    for moved in rows if directions else ():
        up, down = int((moved > 0).sum()), int((moved < 0).sum())
        assert max(up, down) <= directions[0]
        assert min(up, down) <= directions[1]


def test_a_budget_nobody_can_use_is_refused():
    with pytest.raises(ParameterError):
        compare(prefix_sums(12), FAMILIES["exponential"], "ε", Amount(0.5))
