"""Orders of asking: the same answers are equally likely in every order; stairs, wedges, steps."""

import math
from dataclasses import replace
from itertools import pairwise, permutations

import numpy as np
import pytest

from dpviz import streams
from dpviz.charts.bridge.frame import (
    HIGH95,
    LOW95,
    NOISE,
    VALUE,
    bands_frame,
)
from dpviz.charts.bridge.paths import path_frame
from dpviz.charts.bridge.steps import likelihood, order_chart, order_steps
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.noise.bridge_law import release_law
from tests.unit.bridge.test_pictures import scene

LEVELS = (2.0, 9.0, 40.0)


def product(steps):
    return math.fsum(math.log(step.likelihood) for step in steps)


@pytest.mark.parametrize("name", ADDITIVE)
def test_answers_are_equally_likely_in_every_order(name):
    held = replace(scene(name, LEVELS), exact=120.0)
    found = [product(order_steps(held, order)) for order in permutations(LEVELS)]
    assert max(found) - min(found) < 1e-9


@pytest.mark.parametrize("name", ADDITIVE)
def test_a_draw_that_forgets_the_noisier_neighbour_would_be_seen(name):
    held = replace(scene(name, LEVELS), exact=120.0)
    low, mid, high = held.pins
    right = product(order_steps(held, LEVELS))
    alone = likelihood(release_law(held.family, 120.0, None, 0.0, 9.0, None), mid.value)
    last = likelihood(release_law(held.family, low.value, None, 2.0, 40.0, None), high.value)
    first = likelihood(release_law(held.family, 120.0, None, 0.0, 2.0, None), low.value)
    assert abs(math.log(alone) + math.log(last) + math.log(first) - right) > 1e-3


@pytest.mark.parametrize("name", ["gaussian", "laplace", "skellam"])
def test_the_last_step_is_the_picture_of_all_pins_and_hides_what_is_hidden(name):
    held = scene(name, LEVELS)
    steps = order_steps(held, (9.0, 2.0, 40.0))
    assert [len(step.pins) for step in steps] == [1, 2, 3]
    assert math.isnan(steps[0].likelihood)  # each of them used the exact number
    assert math.isnan(steps[1].likelihood)
    assert steps[2].likelihood > 0
    whole, last = bands_frame(held, count=33), steps[-1].bands
    assert np.allclose(whole[[NOISE, LOW95, HIGH95]], last[[NOISE, LOW95, HIGH95]])
    for step in steps:
        assert step.bands[NOISE].min() >= step.pins[NOISE].min() * (1 - 1e-9)


def test_the_figure_opens_at_the_step_and_has_all_of_them():
    held = scene("gaussian", LEVELS)
    steps = order_steps(held, LEVELS)
    fig = order_chart(steps, 2, noun="people")
    assert len(fig.frames) == 3
    assert fig.layout.sliders[0].active == 1
    assert list(fig.data[-1].x) == list(steps[1].pins[NOISE])
    other = order_chart(order_steps(held, LEVELS[::-1]), 1, noun="people")
    assert other.layout.yaxis.range == fig.layout.yaxis.range  # side by side: one scale
    for at in (0, 4):
        with pytest.raises(ParameterError, match="no step"):
            order_chart(steps, at, noun="people")


def test_the_raw_poisson_path_is_a_staircase_of_whole_numbers_that_never_falls():
    held = replace(scene("poisson", (14.0, 40.0, 90.0)), raw=True, exact=120.0)
    path = path_frame(held, rng=streams.teaching(4))
    assert (path[VALUE] == path[VALUE].round()).all()
    assert all(a <= b for a, b in pairwise(path[VALUE]))
    assert [p.value for p in held.pins] == [held.read(p.value, p.level) for p in held.pins]
    read = replace(held, raw=False)
    gap = bands_frame(held, count=41)[HIGH95] - bands_frame(read, count=41)[HIGH95]
    assert gap.min() > 0
    assert gap.max() == pytest.approx(held.top)
