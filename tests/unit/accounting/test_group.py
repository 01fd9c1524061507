"""What a promise to one person is worth to a group."""

import numpy as np
import pytest

from dpviz.accounting import gaussian_log_delta, group_rho, rho_to_mu
from dpviz.accounting.levels import gaussian_level, gaussian_rho
from dpviz.errors import ParameterError


@pytest.mark.parametrize("people", [1, 2, 7])
def test_a_group_has_what_its_joint_move_costs(people):
    level = gaussian_level(0.1, 1.0)
    assert group_rho(0.1, people) == pytest.approx(gaussian_rho(level, float(people)))


def test_a_chain_of_pure_steps_is_never_cheaper_than_the_group():
    """(ε, δ) of one, k times in a row, bounds the exact δ of the group at kε."""
    for people in (2, 4):
        for epsilon in (0.1, 0.5, 1.0):
            steps = sum(np.exp(step * epsilon) for step in range(people))
            chain = steps * np.exp(gaussian_log_delta(epsilon, rho_to_mu(0.1)))
            joint = gaussian_log_delta(people * epsilon, rho_to_mu(group_rho(0.1, people)))
            assert np.exp(joint) <= chain * (1 + 1e-9)


@pytest.mark.parametrize("bad", [0, -1, 1.5, True])
def test_a_group_of_no_people_is_refused(bad):
    with pytest.raises(ParameterError, match="people"):
        group_rho(0.1, bad)


def test_no_budget_is_none_for_any_group():
    assert group_rho(0, 5) == 0
    with pytest.raises(ParameterError):
        group_rho(-0.1, 2)
