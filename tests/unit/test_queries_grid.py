"""The grid: exact rounding, and sensitivities that hold for every pair and are met by some."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpviz.errors import ParameterError
from dpviz.queries import Grid, Sensitivity

steps = st.integers(-20, 20).map(lambda k: 2.0**k)
numbers = st.floats(min_value=-1e6, max_value=1e6)


@given(numbers, steps)
@example(0.49999999999999994, 1.0)
@example(-0.5, 1.0)
@example(2.5, 1.0)
def test_rounding_is_half_up_exactly(x, step):
    exact = math.floor(Fraction(x) / Fraction(step) + Fraction(1, 2))
    if abs(exact) < 2**51:
        assert Grid(step).steps(np.array([x]))[0] == exact


@given(st.lists(numbers, min_size=1, max_size=5), st.data())
def test_no_pair_moves_farther_than_the_formula(before, data):
    step = data.draw(steps)
    size = data.draw(st.floats(min_value=0, max_value=1e3))
    l0 = data.draw(st.integers(1, len(before)))
    moves = data.draw(st.lists(st.floats(-1, 1), min_size=l0, max_size=l0))
    after = np.array(before)
    after[:l0] += np.array(moves) * size
    real = np.array([abs(Fraction(a) - Fraction(b)) for a, b in zip(after, before, strict=True)])
    linf = max(float(max(real)), 1e-12) * (1 + 1e-12)
    claimed = Grid(step).sensitivity(Sensitivity.bounded(l0, linf))
    try:
        moved = np.abs(Grid(step).steps(after) - Grid(step).steps(np.array(before)))
    except ParameterError:
        return
    assert moved.max() <= claimed.linf
    assert moved.sum() <= claimed.l1
    assert math.sqrt((moved**2).sum()) <= claimed.l2 * (1 + 1e-12)


def test_the_formula_is_met():
    grid = Grid(1.0)
    claimed = grid.sensitivity(Sensitivity.bounded(2, 1.2))
    moved = np.abs(grid.steps(np.array([0.4, 0.4])) - grid.steps(np.array([1.6, 1.6])))
    assert (moved.sum(), moved.max()) == (claimed.l1, claimed.linf) == (4, 2)


def test_half_to_even_would_break_the_sensitivity():
    """The usual rounding does not commute with whole steps, so it moves a change of 1 by 2."""
    values = np.array([0.5, 1.5])
    assert np.diff(np.rint(values))[0] == 2
    assert np.diff(Grid(1.0).steps(values))[0] == 1


@pytest.mark.parametrize("step", [0.1, 3.0, 0.0, -1.0, math.nan, math.inf])
def test_a_step_that_is_no_power_of_two_is_refused(step):
    with pytest.raises(ParameterError):
        Grid(step)


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e300])
def test_a_value_off_the_grid_is_refused(value):
    with pytest.raises(ParameterError, match="too large for this grid"):
        Grid(1.0).steps(np.array([0.0, value]))
