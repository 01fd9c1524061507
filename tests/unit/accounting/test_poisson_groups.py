"""The sum of several one-coordinate losses: never below enumeration, tight, and its inverses."""

import math
import random
import warnings
from itertools import pairwise

import numpy as np
import pytest

from dpviz.accounting import (
    gaussian_log_delta,
    poisson_groups_epsilon,
    poisson_groups_level,
    poisson_groups_log_delta,
    poisson_log_delta,
)
from dpviz.accounting.poisson import log_mass
from dpviz.accounting.poisson_losses import directions, on_grid
from dpviz.errors import NoGuaranteeError, ParameterError
from tests import oracles_accounting as oracle
from tests.conftest import few

MICRO = math.log(1e-6)
TIGHT = 2e-3  # largest relative excess of delta over the exact sum


def assert_tight_bound(epsilon, level, groups):
    exact = oracle.poisson_groups_delta(epsilon, level, groups)
    for by in (1, -1):  # who comes and who leaves: the worse of both counts, for either
        found = math.exp(poisson_groups_log_delta(epsilon, level, move=((groups, by),)))
        assert exact <= found <= exact * (1 + TIGHT), (epsilon, level, groups, by)


@pytest.mark.parametrize(
    ("epsilon", "level", "groups"),
    few(
        [
            (1.0, 30.0, 2),
            (1.0, 70.0, 2),
            (0.2, 200.0, 2),
            (1.8, 60.0, 2),
            (0.0, 5.0, 2),
            (1.0, 0.3, 2),
            (0.5, 20.0, 3),
            (2.0, 15.0, 3),
            (0.1, 8.0, 3),
            (5.0, 15.0, 3),
            (3.0, 4.0, 4),
        ],
        2,
    ),
)
def test_bound_against_enumeration(epsilon, level, groups):
    assert_tight_bound(epsilon, level, groups)


def test_bound_against_enumeration_at_random(seed):
    rng = random.Random(seed)
    for _ in range(6):
        level = 10 ** rng.uniform(-1, 1.8)
        assert_tight_bound(rng.uniform(0, 2.5), level, 2)


@pytest.mark.parametrize("level", [0.01, 15.0, 34.0, 1000.0, 1e6])
@pytest.mark.parametrize("epsilon", [0.0, 0.01, 1.0])
def test_one_group_is_the_exact_coordinate(level, epsilon):
    exact = poisson_log_delta(epsilon, level)
    if exact > -200:
        found = poisson_groups_log_delta(epsilon, level, move=((1, 1),))
        assert exact - 2e-12 * (1 - exact) <= found <= exact + TIGHT


def test_many_groups_approach_the_gaussian_curve():
    for groups, level, epsilon in [(50, 5e6, 0.01), (1000, 1e8, 0.01), (20000, 1e9, 0.02)]:
        gaussian = gaussian_log_delta(epsilon, math.sqrt(groups / level))
        found = poisson_groups_log_delta(epsilon, level, move=((groups, 1),))
        assert found == pytest.approx(gaussian, rel=2e-3)


def test_against_the_distribution_of_dp_accounting():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from dp_accounting.pld import privacy_loss_distribution as pld

        level, groups, epsilon = 300.0, 10, 0.8
        mass = [float(log_mass(y, level)) for y in range(900)]
        both = pld.from_two_probability_mass_functions(
            dict(enumerate(mass)),
            {y + 1: p for y, p in enumerate(mass)},
            log_mass_truncation_bound=-60,
            value_discretization_interval=2e-5,
            symmetric=False,
        ).self_compose(groups)
        peer = both.get_delta_for_epsilon(epsilon)
    ours = math.exp(poisson_groups_log_delta(epsilon, level, move=((groups, 1),)))
    assert ours == pytest.approx(peer, rel=5e-3)
    assert ours <= peer * (1 + 1e-6)  # theirs rounds losses up one by one


def test_the_grid_keeps_both_masses():
    """Splitting an atom keeps sum P and sum Q = sum P e^-loss; rounding loss up would lose Q."""
    loss, mass = np.array([-0.731, 0.0, 0.2501, 1.9]), np.array([0.1, 0.4, 0.3, 0.2])
    grid = on_grid(loss, mass, 0.01, -math.inf)
    on = np.exp(grid.log_mass)
    assert np.sum(on) == pytest.approx(1.0, rel=1e-12)
    assert np.sum(on * np.exp(-grid.loss)) == pytest.approx(np.sum(mass * np.exp(-loss)), rel=1e-10)
    assert np.sum(on * np.exp(-grid.loss)) <= np.sum(mass * np.exp(-loss))  # rounded up


@pytest.mark.parametrize("level", [0.2, 14.0, 900.0])
def test_no_mass_is_forgotten(level):
    for losses in directions(level, 70.0, 1 / 128 / max(1, level) ** 0.5, 1):
        total = np.sum(np.exp(losses.log_mass)) + math.exp(losses.log_infinite)
        assert total == pytest.approx(1.0, abs=1e-13)


def test_delta_grows_with_the_groups_and_falls_with_the_level():
    by_groups = [poisson_groups_log_delta(1.0, 100.0, move=((k, 1),)) for k in range(1, 12)]
    assert all(later > sooner for sooner, later in pairwise(by_groups))
    by_level = [
        poisson_groups_log_delta(1.0, level, move=((5, 1),), depth=40)
        for level in np.geomspace(5, 400, 60)
    ]
    assert all(later < sooner + 1e-4 for sooner, later in pairwise(by_level))


@pytest.mark.parametrize("half_window", few([0.5, 1.5, 3.0], 2))
def test_a_narrow_window_is_still_a_bound(monkeypatch, half_window):
    monkeypatch.setattr("dpviz.accounting.move_sums.HALF_WINDOW", half_window)
    for epsilon, level, groups in [(1.0, 70.0, 2), (0.5, 20.0, 3), (0.1, 8.0, 3)]:
        found = math.exp(poisson_groups_log_delta(epsilon, level, move=((groups, 1),)))
        exact = oracle.poisson_groups_delta(epsilon, level, groups)
        assert exact <= found < 40 * exact


def test_a_shallow_depth_is_still_a_bound():
    exact = math.log(oracle.poisson_groups_delta(2.0, 60.0, 2))
    shallow = poisson_groups_log_delta(2.0, 60.0, move=((2, 1),), depth=10)
    deep = poisson_groups_log_delta(2.0, 60.0, move=((2, 1),))
    assert exact <= deep <= exact + TIGHT
    assert exact <= shallow < -10


@pytest.mark.parametrize(
    ("epsilon", "delta", "groups"),
    [
        (1.0, 1e-6, 2),
        (1.0, 1e-6, 50),
        (0.1, 1e-6, 10),
        (10.0, 1e-12, 50),
        (5.0, 0.5, 4),
        (1.0, 1e-250, 3),
    ],
)
def test_level_never_overspends_and_is_least(epsilon, delta, groups):
    level = poisson_groups_level(epsilon, math.log(delta), move=((groups, 1),))
    assert poisson_groups_log_delta(epsilon, level, move=((groups, 1),)) <= math.log(delta) * (
        1 - 1e-12
    )
    assert poisson_groups_log_delta(epsilon, level * (1 - 1e-4), move=((groups, 1),)) > math.log(
        delta
    )


@pytest.mark.parametrize(("level", "groups"), [(60.0, 2), (905.0, 50), (1e6, 20)])
def test_epsilon_never_overspends_and_is_least(level, groups):
    epsilon = poisson_groups_epsilon(MICRO, level, move=((groups, 1),))
    assert poisson_groups_log_delta(epsilon, level, move=((groups, 1),), depth=-MICRO) <= MICRO
    assert poisson_groups_log_delta(epsilon * (1 - 1e-4), level, move=((groups, 1),)) > MICRO


def test_where_no_epsilon_is_finite():
    # (1 - (1 - e^-15)^50) is about 1.5e-5: one coordinate alone would do at 1e-6
    with pytest.raises(NoGuaranteeError, match="no finite epsilon"):
        poisson_groups_epsilon(MICRO, 15.0, move=((50, 1),))
    assert poisson_groups_epsilon(MICRO, 15.0, move=((1, 1),)) < 20


def test_epsilon_is_zero_where_nothing_can_be_told():
    assert poisson_groups_epsilon(math.log(0.5), 1e4, move=((3, 1),)) == 0.0


def test_level_beyond_the_exact_sums_is_none():
    assert poisson_groups_level(1e-4, MICRO, move=((5, 1),)) == math.inf


@pytest.mark.parametrize("bad", [0, (), ((0, 1),), ((1, 0),), ((2.5, 1),), ((True, 1),), "3", None])
def test_moves_must_be_coordinates_and_steps(bad):
    with pytest.raises(ParameterError, match="move must be pairs of whole numbers"):
        poisson_groups_log_delta(1.0, 5.0, move=bad)


@pytest.mark.parametrize("bad", [math.nan, math.inf, -1.0, "abc", None])
def test_bad_arguments_get_a_sentence(bad):
    for call in (
        lambda: poisson_groups_log_delta(bad, 5.0, move=((2, 1),)),
        lambda: poisson_groups_log_delta(1.0, bad, move=((2, 1),)),
        lambda: poisson_groups_level(bad, -1.0, move=((2, 1),)),
    ):
        with pytest.raises(ParameterError, match="must be a"):
            call()
    with pytest.raises(ParameterError, match="delta of at least 1e-260"):
        poisson_groups_level(1.0, -601.0, move=((2, 1),))
