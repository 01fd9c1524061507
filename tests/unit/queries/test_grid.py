"""The grid: exact rounding, here and in the engine, and the step that nobody has to choose."""

import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpviz.data import read_csv
from dpviz.errors import ParameterError
from dpviz.queries import BoundedSum, ByColumn, Grid
from dpviz.queries.clip import MOST_STEPS, default_step
from tests.conftest import for_each

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


@for_each("step", [0.1, 3.0, 0.0, -1.0, math.nan, math.inf])
def test_a_step_that_is_no_power_of_two_is_refused(step):
    with pytest.raises(ParameterError):
        Grid(step)


@pytest.mark.parametrize("value", [math.nan, math.inf, 1e300])
def test_a_value_off_the_grid_is_refused(value):
    with pytest.raises(ParameterError, match="too large for this grid"):
        Grid(1.0).steps(np.array([0.0, value]))


ODD = [0.49999999999999994, 0.5, 0.5000000000000001, 1.5, 2.5, -0.5, -0.5000000000000001]


def test_the_engine_rounds_as_the_grid_does():
    rng = np.random.default_rng(3)
    edges = [(n + 0.5) * 0.125 for n in range(-40, 40)]
    near = [math.nextafter(x, way) for x in edges for way in (-math.inf, math.inf)]
    values = [*ODD, *edges, *near, *rng.uniform(-6, 6, 200), 5e-324, -5e-324, -0.0]
    text = "id,x\n" + "".join(f"{i},{value!r}\n" for i, value in enumerate(map(float, values)))
    table = read_csv(text.encode(), name="t")
    one_each = ByColumn("id", tuple(str(i) for i in range(len(values))))
    for low, high, step in ((-6, 6, 0.125), (-5.1, 5.3, 0.5), (0.1, 0.30000000000000004, 2**-37)):
        query = BoundedSum("x", low, high, one_each, step=step)
        expected = Grid(step).steps(np.clip(values, low, high))
        assert (query.values(table) == expected).all()


@given(numbers, st.floats(min_value=1e-3, max_value=1e6))
def test_the_default_step_is_the_largest_that_cuts_the_range_into_1024(low, width):
    high = low + width
    step = default_step(low, high)
    assert math.frexp(step)[0] == 0.5
    farthest = max(abs(low), abs(high))
    needed = 2 * (farthest / MOST_STEPS) > step >= farthest / MOST_STEPS  # no smaller one is exact
    assert step <= (high - low) / 1024 < 2 * step or needed
    assert BoundedSum("x", low, high).step == step
