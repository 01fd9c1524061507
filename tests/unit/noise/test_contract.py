"""What every noise family promises about its arguments, its result and its law."""

import dataclasses
import math
import random
import sys

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE, FAMILIES, arguments
from dpviz.noise.bridge_law import release_law
from dpviz.noise.noise_path import NoisePath
from tests import oracles_noise
from tests.tulip import LIKE, TULIP, registered

ALL = (*ADDITIVE.values(), TULIP)
pytestmark = pytest.mark.parametrize("family", ALL, ids=lambda family: family.name)


@pytest.fixture(autouse=True)
def _copy():
    with registered():
        yield


def three(family, d=6, seed=1):
    """Values at levels 1, 2 and 3 as arguments of a bridge: below, above."""
    rng = streams.teaching(seed)
    below = family.extend(np.arange(d), 0, 1, rng=rng)
    return below, family.extend(below, 1, 3, rng=rng)


def test_is_a_frozen_record_without_state(family):
    with pytest.raises(dataclasses.FrozenInstanceError):
        family.name = "other"
    assert not hasattr(family, "__dict__")
    assert type(family)() == family
    assert FAMILIES[family.name] is family
    texts = (family.label, family.level_symbol, family.level_name, family.weight_meaning)
    assert all((*texts, family.half_width_formula, family.bridge_formula))


def test_without_both_draws_it_is_refused_before_anything_is_drawn(family):
    half = type("Half", (NoisePath,), {"_step": type(family)._step})
    with pytest.raises(TypeError, match="_between"):
        half()


def test_arguments_are_never_changed(family):
    below, above = three(family)
    before = below.tobytes(), above.tobytes()
    below.setflags(write=False)
    above.setflags(write=False)
    family.extend(below, 1, 3, rng=streams.teaching(2))
    for level in (1, 2, 3):
        drawn = family.bridge(below, above, 1, level, 3, rng=streams.teaching(2))
        assert drawn.flags.writeable
        assert not np.may_share_memory(drawn, below)
        assert not np.may_share_memory(drawn, above)
    assert (below.tobytes(), above.tobytes()) == before


def on_grid(family, level):
    """Numbers and their chances, by the distribution function alone."""
    spread = math.sqrt(family.variance(level))
    if family.integer:
        reach = int(40 * spread + 40)
        x = np.arange(int(family.mean(level)) - reach, int(family.mean(level)) + reach)
        return x, np.diff(family.cdf(x, level), prepend=0)
    edges = np.linspace(-60, 60, 240_001) * spread
    return (edges[1:] + edges[:-1]) / 2, np.diff(family.cdf(edges, level))


@pytest.mark.parametrize("level", [0.3, 4.0])
def test_log_moments_are_those_of_the_law(family, level):
    """Against the law on a fine grid: whole numbers, or steps of a thousandth of a deviation."""
    x, mass = on_grid(family, level)
    at = np.array([-0.5, -0.1, 0.2, 0.6]) / max(family.variance(level) ** 0.5, 1)
    for z in (at, 1j * at):
        found = (mass * np.exp(np.multiply.outer(z, x))).sum(axis=1)
        assert_allclose(np.exp(family.log_moments(z, level)), found, rtol=1e-5)


def test_a_moment_that_does_not_exist_is_no_number(family):
    found = family.log_moments(np.array([1e4]), 2.0)
    assert family.level_unit == "variance" or not np.isfinite(found).any()


def test_at_a_neighbours_level_the_neighbour_is_copied(family):
    below, above = three(family)
    rng = streams.teaching(2)
    assert_array_equal(family.extend(below, 1, 1, rng=rng), below)
    assert_array_equal(family.bridge(below, above, 1, 1, 3, rng=rng), below)
    assert_array_equal(family.bridge(below, above, 1, 3, 3, rng=rng), above)
    assert_array_equal(rng.random(3), streams.teaching(2).random(3))  # nothing was drawn for it


def test_same_seed_same_bytes_whatever_the_block(family, monkeypatch):
    below, above = three(family, d=1000)

    def both():
        rng = streams.teaching(2)
        extended = family.extend(below, 1, 3, rng=rng)
        return extended.tobytes(), family.bridge(below, above, 1, 2, 3, rng=rng).tobytes()

    whole = both()
    for size in (1, 7, 333, 999):
        monkeypatch.setattr(arguments, "BLOCK", size)
        assert both() == whole


def test_result_goes_into_out(family):
    below, above = three(family)
    out = np.empty_like(below)
    fresh = family.bridge(below, above, 1, 2, 3, rng=streams.teaching(2))
    assert family.bridge(below, above, 1, 2, 3, rng=streams.teaching(2), out=out) is out
    assert_array_equal(out, fresh)
    fresh = family.extend(below, 1, 2, rng=streams.teaching(2))
    assert family.extend(below, 1, 2, rng=streams.teaching(2), out=out) is out
    assert_array_equal(out, fresh)


def test_refuses_an_out_that_does_not_fit(family):
    below, above = three(family)
    read_only = np.empty_like(below)
    read_only.setflags(write=False)
    other = np.empty(5, below.dtype), np.empty(6, np.float32), np.empty(12, below.dtype)[::2]
    for out in (*other, below, above, read_only, [0] * 6):
        with pytest.raises(ParameterError, match="out must"):
            family.bridge(below, above, 1, 2, 3, rng=streams.teaching(2), out=out)
    assert_array_equal(below, three(family)[0])


def test_refuses_shapes_that_disagree(family):
    below, above = three(family)
    for wrong in (above[:5], above[:0], above[:, np.newaxis], above[0]):
        with pytest.raises(ParameterError, match=r"must (be one-dim|have the same length)"):
            family.bridge(below, wrong, 1, 2, 3, rng=streams.teaching(2))


@pytest.mark.parametrize(
    "rng", [7, np.random, np.random.RandomState(1), np.random.Generator, random.Random(1)]
)
def test_refuses_what_is_no_generator(family, rng):
    below, above = three(family)
    with pytest.raises(ParameterError, match="rng must be a numpy Generator"):
        family.extend(below, 1, 2, rng=rng)
    with pytest.raises(ParameterError, match="rng must be a numpy Generator"):
        family.bridge(below, above, 1, 2, 3, rng=rng)


def test_noise_that_never_falls_refuses_releases_that_do(family):
    below, above = three(family)
    if family.never_falls:
        for level in (1, 2, 3):
            with pytest.raises(ParameterError, match=f"below: {family.label} noise never falls"):
                family.bridge(above + 1, below, 1, level, 3, rng=streams.teaching(1))
    else:
        family.bridge(above + 1, below, 1, 2, 3, rng=streams.teaching(1))


@pytest.mark.parametrize(
    "levels",
    [
        *[(2, 1), (-1, 1), (0, 0), (0, -1), (0, 1e-320), (1e-320, 1), (0, 1e308), (0, 10**400)],
        *[(math.nan, 1), (0, math.nan), (0, math.inf), (math.inf, math.inf)],
        *[(0, "1"), ("0", 1), (0, True), (0, None), (None, 1), (0, [1])],
    ],
)
def test_refuses_levels_that_are_none(family, levels):
    start = np.zeros(2, dtype=int)
    with pytest.raises(ParameterError, match=r"level|low"):
        family.extend(start, *levels, rng=streams.teaching(1))
    low, high = levels
    with pytest.raises(ParameterError, match=r"level|low"):
        family.bridge(start, start, low, high, high, rng=streams.teaching(1))


def test_refuses_a_level_outside_its_neighbours(family):
    below, above = three(family)
    for level in (0.5, 3.5, 0, -1, math.nan):
        with pytest.raises(ParameterError, match="level"):
            family.bridge(below, above, 1, level, 3, rng=streams.teaching(1))


def test_whole_numbers_and_numpy_scalars_are_levels(family):
    start = np.zeros(3, dtype=int)
    plain = family.extend(start, 0, 2.0, rng=streams.teaching(1))
    for level in (2, np.float64(2), np.int64(2), np.float32(2)):
        assert_array_equal(family.extend(start, 0, level, rng=streams.teaching(1)), plain)


def test_no_coordinates_is_fine(family):
    none = np.zeros(0, dtype=int)
    drawn = family.extend(none, 0, 2, rng=streams.teaching(1))
    assert drawn.shape == (0,)
    assert family.bridge(none, drawn, 0, 1, 2, rng=streams.teaching(1)).shape == (0,)


@pytest.mark.parametrize("level", [0.3, 2.0, 50.0])
def test_moments_agree_with_the_distribution(family, level):
    """Mean and variance, recovered from the distribution function alone."""
    (x, mass), mean = on_grid(family, level), family.mean(level)
    spread = math.sqrt(family.variance(level))
    assert_allclose(mass.sum(), 1, rtol=1e-9)
    assert_allclose((mass * x).sum(), mean, atol=1e-6 * spread)
    assert_allclose((mass * (x - mean) ** 2).sum(), spread**2, rtol=1e-6)


def test_facts_are_those_of_the_law(family):
    """Shape, symmetry, laziness, unit of the level, closed half width: by the laws themselves."""
    x, level = np.arange(-12.0, 13.0), 2.5
    shapes = {"normal": -x * x / (2 * level), "double exponential": -np.abs(x) / level}
    if family.shape in shapes:
        share = np.log(family.density(x, level)) - shapes[family.shape]
        assert_allclose(share, share[0], atol=1e-12)
    mirrored = family.density(-x, level)
    assert np.allclose(family.density(x, level), mirrored, atol=1e-13) == family.symmetric
    assert (family.cdf(-0.5, level) == 0) == family.never_falls
    atoms = release_law(family, 3, 7, 1.0, 2.0, 4.0).atoms
    assert bool(atoms) == family.lazy == family.weight_meaning.startswith("chance")
    power = {"variance": 1, "rate": 1, "scale": 2}[family.level_unit]
    assert_allclose(family.variance(8e4) / family.variance(2e4), 4**power, rtol=1e-6)
    if family.unit_half_width is not None:
        for miss in (0.9, 0.4, 0.05, 1e-9):
            mean, away = family.mean(1.0), family.unit_half_width(miss)
            inside = family.cdf(mean + away, 1.0) - family.cdf(mean - away, 1.0)
            assert_allclose(inside, 1 - miss, rtol=1e-8)


@pytest.mark.parametrize("level", [1e-12, 0.3, 2.0, 1e12])
def test_density_is_the_slope_of_the_distribution(family, level):
    if family.integer:
        level = min(level, 50.0)
        x = np.arange(-90, 90)
        slope = np.diff(family.cdf(x, level), prepend=family.cdf(-91, level))
        assert_allclose(family.density(x, level), slope, atol=1e-14)
        return
    x = np.linspace(-5, 5, 42) * math.sqrt(family.variance(level))  # none of them is 0
    step = 1e-5 * math.sqrt(family.variance(level))
    slope = (family.cdf(x + step, level) - family.cdf(x - step, level)) / (2 * step)
    assert_allclose(family.density(x, level), slope, rtol=1e-5)


@pytest.mark.parametrize("x", [-9.0, -1.0, 0.0, 0.25, 3.0, 11.0])
def test_distribution_against_the_definition(family, x):
    exact = oracles_noise.distribution(LIKE.get(family.name, family.name), x, "2.5")
    assert_allclose(family.cdf(x, 2.5), float(exact), rtol=1e-13)


@pytest.mark.parametrize("level", [1e-150, 1e-12, 1.0, 1e12])
def test_distribution_far_out_is_quiet(family, level):
    if family.name == "skellam":
        level = min(level, 1e10)  # its largest
    far = np.array([-np.inf, -1e308, 1e308, np.inf])
    assert_array_equal(family.cdf(far, level), [0, 0, 1, 1])
    assert_array_equal(family.density(far, level), 0)
    assert np.isnan(family.cdf(np.nan, level))
    assert np.isnan(family.density(np.nan, level))


@pytest.mark.parametrize("bad", [0, -1, math.nan, math.inf, "1", None])
def test_functions_of_a_level_refuse_what_is_none(family, bad):
    for ask in (family.mean, family.variance, lambda x: family.cdf(0, x)):
        with pytest.raises(ParameterError):
            ask(bad)
    with pytest.raises(ParameterError):
        family.density(0, bad)
    with pytest.raises(ParameterError):
        family.weights(0, bad, None)


def test_weights(family):
    expected = ((0.75, 0.25), (1.0, 0.0), (0.5, 0.5))  # the mean is linear in the level
    if family.weight_meaning.startswith("chance"):
        same = [
            oracles_noise.atom_mass(LIKE.get(family.name, family.name), *p)
            for p in ((1, 2), (2, 5), (0, 1))
        ]
        expected = ((same[0], same[1]), (same[0], 0.0), (same[2], same[0]))
    got = (family.weights(1, 2, 5), family.weights(1, 2, None), family.weights(0, 1, 2))
    assert_allclose(got, expected, rtol=1e-15)
    assert family.weights(2, 2, 2)[0] == 1  # one level: a copy of the neighbour below
    with pytest.raises(ParameterError):
        family.weights(2, 1, 5)


def test_no_cache_of_the_process_knows_what_was_drawn(family):
    """Other draws at the same levels ask no cache for anything new: its keys are levels alone."""

    def asked():
        rooms = [room for name, room in sys.modules.items() if name.startswith("dpviz.noise")]
        kept = [f for room in rooms for f in vars(room).values() if hasattr(f, "cache_info")]
        return sum(one.cache_info().misses for one in kept)

    def between(seed, apart):
        below, above = three(family, d=300, seed=seed)
        family.bridge(below, above + apart, 1, 2, 3, rng=streams.teaching(seed))

    for seed in range(8):
        between(seed, 10)
    before = asked()
    between(8, 20)
    assert asked() == before
