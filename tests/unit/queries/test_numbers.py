"""Sums, means and the grid below them: ranges, steps, exact rounding, and intervals that hold."""

import itertools
import math
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpviz.data import read_csv
from dpviz.errors import ParameterError
from dpviz.queries import BoundedMean, BoundedSum, Bounds, ByColumn, Count, Grid
from dpviz.queries.clip import MOST_STEPS, default_step
from tests.conftest import for_each

WARDS = ByColumn("ward", ("a", "b", "c"))


@pytest.mark.parametrize("query", [BoundedSum, BoundedMean])
@pytest.mark.parametrize(
    ("lower", "upper", "says"),
    [
        (10, 0, "lower must be below upper, got 10 and 0; type the smaller bound first"),
        (5, 5, "lower must be below upper"),
        (-0.0, 0.0, "lower must be below upper"),
        (math.nan, 1, "lower must be a finite number, such as 0 or 100; got nan"),
        (0, math.nan, "upper must be a finite number"),
        (0, math.inf, "upper must be a finite number"),
        (-math.inf, 0, "lower must be a finite number"),
        ("0", 1, "lower must be a finite number"),
        (0, True, "upper must be a finite number"),
        (None, 1, "lower must be a finite number"),
        (0, 10**400, "upper must be a finite number"),
        (-1e308, 1e308, "lower and upper must be between −10¹⁰⁰ and 10¹⁰⁰"),
        (1e12, 1e12 + 1.5, "lower and upper are too close together"),
        (1e15, 1e15 + 0.125, "lower and upper are too close together"),
        (0, 1e-310, "lower and upper are too close together"),
    ],
)
def test_ranges(query: Any, lower: Any, upper: Any, says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        query("x", lower, upper)


@for_each(
    ("query", "step", "says"),
    [
        (BoundedSum, 0.1, "must be a power of two"),
        (BoundedSum, 0, "must be a finite number above 0"),
        (BoundedSum, math.nan, "must be a finite number above 0"),
        (BoundedSum, "1", "must be a number"),
        (BoundedSum, 16, r"step must be at most upper − lower, 10, got 16; .* 0.0078125"),
        (BoundedSum, 2.0**-60, r"too many steps from 0 .* at least 2.3283064365386963e-10"),
        (BoundedMean, 3, "must be a power of two"),
        (BoundedMean, 2, "the step of a mean must be between .* and 1"),
        (BoundedMean, 2.0**-31, "the step of a mean must be between"),
    ],
)
def test_steps(query: Any, step: Any, says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        query("x", 0 if query is BoundedMean else -1, 9, step=step)


def test_the_step_that_a_refusal_names_is_accepted() -> None:
    step = 2.3283064365386963e-10
    assert BoundedSum("x", -1, 9, step=step).step == step


@given(st.floats(-1e12, 1e12), st.floats(1e-6, 1e12))
def test_every_range_that_is_accepted_has_a_step_and_its_refusal_names_it(lower, width):
    try:
        BoundedMean("x", lower, lower + width)
    except ParameterError:
        return
    try:
        query = BoundedSum("x", lower, lower + width)
    except ParameterError as refusal:
        named = float(str(refusal).rsplit(" ", 1)[1])
        query = BoundedSum("x", lower, lower + width, step=named)
    assert query.sensitivity.linf <= 2**36


def test_what_a_query_is_made_of() -> None:
    mean = BoundedMean("x", 0, 10, WARDS)
    assert mean.labels == ("a", "b", "c")
    assert mean.entries == ("sum: a", "sum: b", "sum: c", "rows: a", "rows: b", "rows: c")
    assert (mean.dimension, mean.per_value, mean.step) == (6, 2, 2**-10)
    total = Count(WARDS, total=True)
    assert total.labels == total.entries == ("a", "b", "c", "total")
    assert (total.dimension, total.per_value, total.step) == (4, 1, 1.0)
    sums = BoundedSum("x", 0, 10, WARDS)
    assert (sums.dimension, sums.per_value, sums.step) == (3, 1, 2**-7)
    assert Count(WARDS).directions == (1, 0)
    assert Count(WARDS, Bounds(relation="replace")).directions == (1, 1)
    assert Count(WARDS, Bounds(relation="replace"), total=True).directions == (2, 1)
    assert sums.directions[1] == 0
    assert BoundedSum("x", -2, -1).directions == (1, 0)
    assert BoundedSum("x", -2, 1).directions is None
    assert mean.directions is None


def test_counts_and_sums_are_read_in_their_units() -> None:
    released = np.array([4, -2, 7])
    low, high = Count(WARDS).interval(released, 1.5)
    assert Count(WARDS).estimate(released).tolist() == [4, -2, 7]
    assert (low.tolist(), high.tolist()) == ([2.5, -3.5, 5.5], [5.5, -0.5, 8.5])
    query = BoundedSum("x", 0, 100, WARDS, step=0.25)
    low, high = query.interval(released, 2)
    assert query.estimate(released).tolist() == [1, -0.5, 1.75]
    assert (low.tolist(), high.tolist()) == ([0.5, -1, 1.25], [1.5, 0, 2.25])


def test_means_are_those_of_the_clipped_values() -> None:
    rng = np.random.default_rng(7)
    x = rng.normal(40, 30, 500)
    wards = rng.choice(["a", "b"], 500)
    text = "ward,x\n" + "".join(f"{w},{v!r}\n" for w, v in zip(wards, map(float, x), strict=True))
    query = BoundedMean("x", 0, 80, WARDS, step=2.0**-20)
    got = query.estimate(query.values(read_csv(text.encode(), name="t")))
    for ward, mean in zip("ab", got, strict=False):
        assert mean == pytest.approx(np.clip(x[wards == ward], 0, 80).mean(), abs=40 * 2**-20)
    assert math.isnan(got[2])


def test_means_of_hardly_anybody() -> None:
    query = BoundedMean("x", 10, 30, WARDS, step=1)
    released = np.array([1.0, 5.0, -3.0, 0.0, 2.0, 0.5])  # S, then N
    means = query.estimate(released)
    assert math.isnan(means[0])  # no rows
    assert means[1:].tolist() == [30, 10]  # 2.5 and −6 half ranges from the middle: clipped
    low, high = query.interval(released, 0.75)
    assert (low[0], high[0]) == (10, 30)  # nothing is told
    assert (low[2], high[2]) == (10, 30)


@given(
    st.lists(st.tuples(st.integers(-50, 50), st.integers(-5, 60)), min_size=3, max_size=3),
    st.floats(0, 20),
)
def test_the_interval_of_a_mean_holds_whatever_noise_within_the_half_width(pairs, half):
    query = BoundedMean("x", -2, 6, WARDS, step=1)
    sums, rows = np.array(pairs, dtype=float).T
    low, high = query.interval(np.concatenate([sums, rows]), half)
    assert (low <= high).all()
    assert ((low >= -2) & (high <= 6)).all()
    for s, n in itertools.product(np.linspace(-half, half, 5), repeat=2):
        means = query.estimate(np.concatenate([sums + s, rows + n]))
        told = ~np.isnan(means)
        assert (low[told] - 1e-9 <= means[told]).all()
        assert (means[told] <= high[told] + 1e-9).all()


def test_the_interval_of_a_mean_is_no_wider_than_its_corners() -> None:
    query = BoundedMean("x", -1, 1, step=1)
    low, high = query.interval(np.array([-6.0, 20.0]), 2)
    assert (low[0], high[0]) == (-8 / 18, -4 / 22)
    low, high = query.interval(np.array([1.0, 20.0]), 2)
    assert (low[0], high[0]) == (-1 / 18, 3 / 18)


def test_the_error_of_a_mean_of_known_rows_is_that_of_its_widest_interval():
    """Over every mean that a group may have, by the interval that is handed out."""
    query = BoundedMean("x", -2, 6, step=0.5)
    for rows in (3.0, 10.0, 100.0, 1e6):
        for share in (0.0, 1e-3, 0.1, 0.3, 0.34, 0.4, 0.499, 0.5, 2.0):
            half = share * rows / query.step
            sums = np.linspace(-1, 1, 4001) * rows / query.step
            low, high = query.interval(
                np.concatenate([sums, np.full(4001, rows / query.step)]), half
            )
            widest = (high - low).max() / 2
            assert query.within(rows, half) == pytest.approx(widest, rel=2e-3, abs=1e-12)
            assert query.within(rows, half) >= widest * (1 - 1e-12)
    for wrong in (0, -1, float("nan")):
        with pytest.raises(ParameterError):
            query.within(wrong, 1.0)


# The grid: exact rounding, here and in the engine, and the step that nobody has to choose.


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
