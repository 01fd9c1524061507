"""Frames of Laplace or Gauss: regions, lines on them, noise over δ, hills, rounds and tiers."""

import math

import numpy as np
import pytest

from dpviz.charts.axes import LN_10
from dpviz.charts.crossover import frame as crossover
from dpviz.charts.crossover import points, rounds
from dpviz.charts.crossover.points import RIGHT, heights, left_edge
from dpviz.errors import ParameterError
from dpviz.planning.choice import Question, choose


def asked(epsilon=1.0, delta=1e-6, moved=1.0, log_delta=None):
    log_delta = math.log(delta) if log_delta is None else log_delta
    return Question(epsilon=epsilon, log_delta=log_delta, l1=math.sqrt(moved), l2=1.0)


def at_point(question, axis, x, y):
    """The choice at one place of the map."""
    epsilon = y if axis == "epsilon" else question.epsilon
    moved = y if axis == "moved" else question.moved
    return choose(asked(epsilon, moved=moved, log_delta=x * LN_10))


@pytest.mark.parametrize("axis", ["epsilon", "moved"])
@pytest.mark.parametrize("moved", [1, 20])
def test_every_region_is_that_of_the_smaller_variance(axis, moved):
    question = asked(moved=moved)
    frame = crossover.crossover_map(points.cells(question, axis, -15.0, RIGHT))
    rows = heights(question, axis, -15.0, points.ROWS)
    assert len(frame) == len(rows) * points.COLUMNS
    if axis == "moved":
        assert (rows == rows.round()).all()
    assert set(np.sign(frame["log2_ratio"])) == {-1.0, 1.0}
    for x, y, ratio in frame.iloc[::97].itertuples(index=False):
        c = at_point(question, axis, x, y)
        assert ratio == pytest.approx(2 * math.log2(c.laplace / c.gaussian), abs=0.03)
        assert abs(ratio) < 0.03 or (c.better.name == "laplace") == (ratio <= 0)


@pytest.mark.parametrize("axis", ["epsilon", "moved"])
def test_lines_lie_where_the_variances_are_equal(axis):
    question = asked(0.9, moved=9)
    frame = crossover.crossover_lines(points.lines(question, axis, -60.0))
    equal = {
        "exact": ("laplace", "gaussian"),
        "pure": ("laplace_pure", "gaussian"),
        "classical": ("laplace_pure", "gaussian_classical"),
        "switch": ("laplace_pure", "laplace_l2"),
    }
    assert set(frame["line"]) == set(equal)
    for name, (one, other) in equal.items():
        for _, x, y in frame[frame["line"] == name].iloc[::6].itertuples(index=False):
            c, near = (at_point(question, axis, x + nudge, y) for nudge in (0, 0.05))
            assert getattr(c, one) == pytest.approx(getattr(c, other), rel=1e-6)
            assert getattr(near, one) != pytest.approx(getattr(near, other), rel=1e-5)


def test_the_exact_line_ends_where_laplace_wins_at_every_delta():
    line = crossover.crossover_lines(points.lines(asked(), "epsilon", -15.0))
    exact = line[line["line"] == "exact"]
    assert 2.1 < exact["height"].max() < 2.14  # beyond there is no δ* up to 0.5
    assert exact["log10_delta"].max() <= RIGHT + 1e-9


def test_without_an_exact_curve_only_the_pure_line_is_drawn():
    lines = crossover.crossover_lines(points.lines(asked(moved=2.5), "epsilon", -15.0))
    assert "exact" not in set(lines["line"])
    noise = crossover.crossover_noise(points.noise(asked(moved=2.5), -15.0, RIGHT))
    assert "laplace_least" not in set(noise["noise"])


def test_no_classical_line_beyond_epsilon_one():
    frame = crossover.crossover_lines(points.lines(asked(2.0), "epsilon", -15.0))
    assert frame[frame["line"] == "classical"]["height"].max() <= 1
    assert "classical" not in set(
        crossover.crossover_lines(points.lines(asked(2.0), "moved", -15.0))["line"]
    )


def test_the_map_reaches_a_delta_that_no_float_holds():
    question = asked(moved=5000)
    low = left_edge(choose(question), -15)
    assert low == -2500
    frame = crossover.crossover_map(points.cells(question, "epsilon", low, RIGHT))
    assert np.isfinite(frame["log2_ratio"]).all()
    assert frame["log2_ratio"].min() < 0 < frame["log2_ratio"].max()


@pytest.mark.parametrize("moved", [1, 683, 1e6])
@pytest.mark.parametrize("wanted", [-15, -300])
def test_the_querys_own_points_are_inside_the_axes(moved, wanted):
    question = asked(20.0, 1e-300, moved=moved)
    c = choose(question)
    low = left_edge(c, wanted)
    assert low <= min(wanted, question.log_delta / LN_10, c.crossover_pure / LN_10)
    for axis, own in (("epsilon", 20.0), ("moved", moved)):
        up = heights(question, axis, low, 9)
        assert up[0] <= own <= up[-1]


def test_noise_over_delta_is_what_each_needs():
    question = asked(0.5, moved=4)
    frame = crossover.crossover_noise(points.noise(question, -15.0, RIGHT))
    names = {
        "laplace_least": "laplace",
        "laplace_pure": "laplace_pure",
        "laplace_l2": "laplace_l2",
        "gauss": "gaussian",
        "gauss_classical": "gaussian_classical",
    }
    assert set(frame["noise"]) == set(names)
    for name, x, deviation in frame.iloc[::37].itertuples(index=False):
        c = choose(asked(0.5, moved=4, log_delta=x * LN_10))
        rel = 0.01 if name == "laplace_least" else 1e-12  # that one is read off a table
        assert deviation == pytest.approx(getattr(c, names[name]), rel=rel)


@pytest.mark.parametrize("moved", [1, 400])
def test_hills_are_densities_of_the_noise_stated(moved):
    c = choose(asked(moved=moved))
    curves, marks = crossover.crossover_hills(c, 0.95)
    for name, deviation in (("laplace_least", c.laplace), ("gauss", c.gaussian)):
        hill = curves[curves["noise"] == name]
        x, density = hill["x"].to_numpy(), hill["density"].to_numpy()
        assert (np.diff(x) > 0).all()
        assert len(x) <= 2000
        assert np.trapezoid(density, x) == pytest.approx(1, abs=0.02)
        row = marks[marks["noise"] == name].iloc[0]
        assert row["deviation"] == deviation
        inside = np.abs(x) <= row["half_width"]
        assert np.trapezoid(density[inside], x[inside]) == pytest.approx(0.95, abs=0.01)
        assert (
            np.trapezoid(
                density[np.abs(x) < 0.9 * row["half_width"]], x[np.abs(x) < 0.9 * row["half_width"]]
            )
            < 0.945
        )


# MATHEMATICS 9.2: b = 20, σ = √2·20, Δ∞ = 1, δ = 1e-6: (ℓ₀, Laplace by 5.2, Gauss, by zCDP)
ONE_ROUND = [
    (1, 0.0499980488, 0.1306270232, 0.1864711094),
    (5, 0.2499717155, 0.3087075267, 0.4186895341),
    (20, 0.8722820210, 0.6481050995, 0.8436290681),
    (100, 2.2075327009, 1.5436304518, 1.9209610944),
]


@pytest.mark.parametrize(("l0", "laplace", "gauss", "zcdp"), ONE_ROUND)
def test_one_round_costs_what_the_mathematics_says(l0, laplace, gauss, zcdp):
    question = Question(epsilon=l0 / 20, log_delta=math.log(1e-6), l1=float(l0), l2=math.sqrt(l0))
    frame = rounds.crossover_rounds(question)
    first = frame[frame["rounds"] == 1].set_index("method")["epsilon"]
    assert first["laplace_bound"] == pytest.approx(laplace, rel=1e-9)
    assert first["laplace_exact"] <= first["laplace_bound"] * (1 + 1e-6)
    assert first["gauss"] == pytest.approx(gauss, rel=1e-9)
    assert first["gauss_loose"] == first["gauss"]
    assert first["gauss_zcdp"] == pytest.approx(zcdp, rel=1e-9)


def test_the_loose_way_is_never_below_the_exact_one():
    frame = rounds.crossover_rounds(asked(moved=10))
    by = frame.pivot(index="rounds", columns="method", values="epsilon")
    assert (by["gauss_loose"] >= by["gauss"]).all()
    assert (by["gauss_loose"][by.index > 1] > 1.05 * by["gauss"][by.index > 1]).all()
    assert by.index.max() == 100
    assert (np.diff(by.to_numpy(), axis=0) > 0).all()


@pytest.mark.parametrize(("epsilon", "moved", "first"), [(1.0, 1, 20), (1.0, 3, 4), (1.0, 50, 1)])
def test_where_gauss_becomes_cheaper_is_found_exactly(epsilon, moved, first):
    question = asked(epsilon, moved=moved)
    assert rounds.gauss_from(question, rounds.crossover_rounds(question)) == first
    cost = rounds.rounds_epsilon
    for k in (first - 1, first, first + 1, 40):
        if k:
            assert (cost(question, "gauss", k) < cost(question, "laplace_exact", k)) == (k >= first)


def test_each_line_of_figure_5_lies_above_its_exact_one():
    frame = rounds.crossover_rounds(asked(moved=10))
    by = frame.pivot(index="rounds", columns="method", values="epsilon")
    assert set(by) == {"laplace_exact", "laplace_bound", "gauss", "gauss_zcdp", "gauss_loose"}
    assert (by["laplace_bound"] >= by["laplace_exact"] * (1 - 1e-6)).all()
    assert (by["gauss_zcdp"] > by["gauss"]).all()


def test_beyond_the_reach_of_the_exact_sum_laplace_is_compared_by_its_bound():
    question = asked(delta=1e-300)
    assert rounds.laplace_line(question) == "laplace_bound"
    assert "laplace_exact" not in set(rounds.crossover_rounds(question)["method"])


def test_rounds_need_a_whole_number_of_groups():
    assert asked(moved=7).count == 7
    assert asked(moved=7.5).count is None
    with pytest.raises(ParameterError, match="whole number of groups"):
        rounds.crossover_rounds(asked(moved=7.5))
    assert rounds.most_rounds(asked(moved=10_000)) == 2
