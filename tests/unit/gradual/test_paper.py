"""The figures of the paper on gradual release, their numbers found by another way."""

import math

import numpy as np
import pytest
from scipy import integrate, optimize

from dpviz import streams
from dpviz.errors import ParameterError
from tests.papers.gradual import (
    AFTER,
    FIGURES,
    GRADUAL_FIGURE,
    SAID,
    SETTING,
    both_combined,
    gradual_paper_chart,
    gradual_paper_frame,
    staircase,
)


def frame_of(figure):
    return gradual_paper_frame(figure, rng=streams.teaching(7, figure))


def test_every_figure_is_drawn_and_named():
    assert set(FIGURES) == set(SETTING) == set(SAID)
    for figure in FIGURES:
        frame = frame_of(figure)
        assert tuple(frame.columns) == GRADUAL_FIGURE
        assert np.isfinite(frame[["at", "height"]].to_numpy(float)).all()
        drawn = gradual_paper_chart(frame, across="ε", up="noise")
        assert len(drawn.data) == len(frame.groupby(["line", "kind"]))
    with pytest.raises(ParameterError, match="from 1 to 4"):
        frame_of(5)


def test_samples_stay_jump_and_come_to_nought():
    frame = frame_of(1)
    assert frame["line"].nunique() == 5
    for _, rows in frame.groupby("line"):
        assert rows["at"].iloc[0] == 0.1
        assert rows["at"].iloc[-1] == 5.0
        assert rows["at"].is_monotonic_increasing
    ends = frame.groupby("line")["height"]
    assert ends.first().abs().mean() > 4 * ends.last().abs().mean()
    assert frame.equals(frame_of(1))  # by its seed


@pytest.mark.parametrize("epsilon", [0.3, 1.0, 4.0])
def test_the_staircase_has_the_error_of_the_closed_form(epsilon):
    gamma, error = staircase(epsilon)
    b = math.exp(-epsilon)
    closed = (2 ** (-2 / 3) * (b * (1 + b)) ** (2 / 3) + b) / (1 - b) ** 2
    assert error == pytest.approx(closed, rel=1e-8)
    assert error < 2 / epsilon**2
    place = -b / (1 - b) + (b - 2 * b**2 + 2 * b**4 - b**5) ** (1 / 3) / (
        2 ** (1 / 3) * (1 - b) ** 2
    )
    assert gamma == pytest.approx(place, abs=1e-4)


def test_the_stairs_are_a_density_that_is_private_for_whole_steps():
    stairs = frame_of(2).query("kind == 'steps'")
    x, height = stairs["at"].to_numpy(), stairs["height"].to_numpy()
    inside = (height[:-1] * np.diff(x)).sum()
    assert inside == pytest.approx(1 - math.exp(-5), rel=1e-9)  # beyond ±5 lies the rest
    at = np.linspace(-4.97, 2.97, 800)
    moved = np.array([height[np.searchsorted(x, [y, y + 1], side="right") - 1] for y in at])
    assert np.abs(np.log(moved[:, 0] / moved[:, 1])).max() <= 1 + 1e-12
    assert {n.split(",")[0] for n in frame_of(2)["line"]} == {"Laplace", "staircase"}


@pytest.mark.parametrize("after", AFTER)
def test_the_second_response_given_the_first_adds_up(after):
    frame = frame_of(3)
    frame = frame[frame["line"] == f"ε₂ = {after:g}"]
    stays = frame.query("kind == 'atom'")["height"].item()
    assert stays == pytest.approx(math.exp(1 - after) / after, rel=1e-12)
    rest = integrate.quad(
        lambda y: (after**2 - 1) / (2 * after) * math.exp(-abs(1 - y) - after * abs(y) + 1),
        -30,
        30,
        points=[0, 1],
    )[0]
    assert stays + rest == pytest.approx(1, abs=1e-9)
    curve = frame.query("kind == 'curve'")
    for x, density in curve.iloc[::40][["at", "height"]].to_numpy():
        right = (after**2 - 1) / (2 * after) * math.exp(-abs(1 - x) - after * abs(x) + 1)
        assert density == pytest.approx(right, rel=1e-9)


def test_the_price_of_a_first_response():
    frame = frame_of(4)
    for _, ratio, height in frame[["line", "at", "height"]].iloc[::60].itertuples(index=False):
        assert height >= 1
        assert height <= 5.01 or ratio < 1.25
    for ratio in (1.1, 2.0, 3.3):
        first, second = 2 * ratio**2, 2 / (1 - 1 / ratio) ** 2  # squared errors, ε₂ = 1

        def error(weight, first=first, second=second):
            return math.sqrt(weight**2 * first + (1 - weight) ** 2 * second)

        best = optimize.minimize_scalar(error, bounds=(0, 1), method="bounded").fun
        assert both_combined(ratio) == pytest.approx(best / math.sqrt(2), rel=1e-9)
        assert both_combined(ratio) <= math.sqrt(2) + 1e-15
