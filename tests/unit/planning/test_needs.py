"""What every kind of noise needs for one (ε, δ): exact rows, and bounds named as such."""

import math

import pytest

from dpviz.accounting.discrete_laplace import discrete_laplace_log_delta
from dpviz.accounting.guarantees import Setting, offered
from dpviz.accounting.skellam import skellam_log_delta
from dpviz.noise import FAMILIES
from dpviz.planning.needs import needs
from dpviz.queries import Sensitivity

TOGETHER = tuple(FAMILIES[name] for name in offered())


def found(sensitivity, epsilon=1.3676, delta=1e-6, step=1.0):
    setting = Setting(
        family=FAMILIES["gaussian"], delta=0.1, sensitivity=sensitivity, dimension=30, step=step
    )
    rows = needs(TOGETHER, epsilon, math.log(delta), setting)
    return {need.family.name: need for need in rows}


@pytest.mark.parametrize("l0", [1, 5])
def test_every_offered_family_has_an_exact_row(l0):
    rows = found(Sensitivity.bounded(l0))
    assert set(rows) == set(offered())
    assert all(need.exact for need in rows.values())
    assert rows["discrete_laplace"].deviation < rows["laplace"].deviation


def test_the_rows_of_whole_noise_keep_their_epsilon_at_delta():
    rows, log_delta = found(Sensitivity.bounded(1)), math.log(1e-6)
    level = rows["skellam"].deviation ** 2 / 2
    assert skellam_log_delta(1.3676, level * (1 + 1e-9)) <= log_delta
    assert skellam_log_delta(1.3676, level * 0.999) > log_delta
    family = FAMILIES["discrete_laplace"]
    low, high = 0.3, 3.0
    for _ in range(60):
        middle = (low + high) / 2
        small = math.sqrt(family.variance(middle)) < rows["discrete_laplace"].deviation
        low, high = (middle, high) if small else (low, middle)
    assert discrete_laplace_log_delta(1.3676, high * (1 + 1e-9)) <= log_delta
    assert discrete_laplace_log_delta(1.3676, high * 0.999) > log_delta


def test_where_numbers_are_not_moved_alike_laplace_noise_is_a_bound():
    rows = found(Sensitivity(4, 6.0, 12**0.5, 3.0))
    assert rows["gaussian"].exact
    assert not rows["laplace"].exact
    assert rows["laplace"].deviation == pytest.approx(math.sqrt(2) * 6 / 1.3676)


def test_deviations_are_in_the_unit_of_the_statistic():
    one, half = found(Sensitivity.bounded(1)), found(Sensitivity.bounded(1), step=0.5)
    for name in offered():
        assert half[name].deviation == pytest.approx(one[name].deviation / 2, rel=1e-12)


def test_a_budget_that_needs_more_noise_than_a_family_has_leaves_its_row_empty():
    setting = Setting(
        family=FAMILIES["gaussian"], delta=1e-6, dimension=5, sensitivity=Sensitivity.bounded(1)
    )
    (skellam,) = needs((FAMILIES["skellam"],), 1e-6, math.log(1e-6), setting)
    assert skellam.deviation is None


def test_where_hardly_any_noise_is_needed_whole_noise_needs_none_that_a_float_holds():
    rows = found(Sensitivity.bounded(1), epsilon=1e4)
    assert rows["discrete_laplace"].deviation == 0
    assert rows["gaussian"].deviation > 0
