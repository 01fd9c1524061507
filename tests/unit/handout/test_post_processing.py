"""Processed releases: least squares against numpy, and the joint laws that the badges claim."""

import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.handout.post_processing import PROCESSINGS, least_squares_totals
from dpviz.noise import FAMILIES
from dpviz.queries import BoundedMean, BoundedSum, ByColumn, Count
from dpviz.release import MultipleRelease
from tests.conftest import for_each

WARDS = ByColumn("ward", ("A", "B", "C"))
TOTALS = Count(WARDS, total=True)
QUERIES = {
    "count": Count(WARDS),
    "totals": TOTALS,
    "one group and total": Count(ByColumn("ward", ("A",)), total=True),
    "sum from 0": BoundedSum("pay", 0, 50, by=WARDS),
    "sum from below 0": BoundedSum("pay", -1, 50, by=WARDS),
    "mean": BoundedMean("pay", 0, 50, by=WARDS),
}
OFFERED = {
    "released": set(QUERIES),
    "rounded": set(QUERIES) - {"mean"},
    "clipped": {"count", "totals", "one group and total", "sum from 0"},
    "consistent": {"totals"},
    "asinh": set(QUERIES) - {"mean"},
}
KINDS = {
    "released": "lossless",
    "rounded": "weakly lossless",
    "clipped": "weakly lossless",
    "consistent": "lossless",
    "asinh": "lossless",
}


def least_squares(numbers):
    """Groups and total nearest to the noisy ones, by numpy's general solver."""
    groups = len(numbers) - 1
    design = np.vstack([np.eye(groups), np.ones(groups)])
    found = np.linalg.lstsq(design, np.asarray(numbers, dtype=float), rcond=None)[0]
    return np.append(found, found.sum())


def least_squares_map(groups):
    """The same as a matrix: the projection onto the columns of the design."""
    design = np.vstack([np.eye(groups), np.ones(groups)])
    return design @ np.linalg.inv(design.T @ design) @ design.T


def test_what_is_offered_and_what_it_leaves_of_lossless():
    assert list(PROCESSINGS) == list(OFFERED)
    for key, processing in PROCESSINGS.items():
        assert processing.key == key
        assert processing.kind == KINDS[key]
        assert {n for n, q in QUERIES.items() if processing.offered(q)} == OFFERED[key]
        assert processing.kind_for(QUERIES["count"]) == KINDS[key]
        assert processing.kind_for(QUERIES["mean"]) == "weakly lossless"
        assert processing.reason.count(". ") == 0
        assert processing.reason.endswith(".")


APPLIED = [
    ("released", [-1.5, 0.0, 2.5, np.nan], [-1.5, 0.0, 2.5, np.nan]),
    ("rounded", [-0.4, 1.5, 2.5, np.nan], [0.0, 2.0, 2.0, np.nan]),
    ("clipped", [-1.5, 0.0, 2.5, np.nan], [0.0, 0.0, 2.5, np.nan]),
    ("asinh", [0.0, np.sinh(3.0), -np.sinh(2.0), np.nan], [0.0, 3.0, -2.0, np.nan]),
    ("consistent", [1.0, 2.0, 3.0, 10.0], [2.0, 3.0, 4.0, 9.0]),
]


@for_each(("key", "before", "after"), APPLIED)
def test_each_does_what_it_says_and_leaves_its_input(key, before, after):
    given = np.array(before)
    given.setflags(write=False)  # as a release is
    found = PROCESSINGS[key].apply(TOTALS, given)
    np.testing.assert_allclose(found, after, rtol=1e-14, atol=0)
    assert not np.signbit(found[found == 0]).any()


@pytest.mark.parametrize("groups", [1, 2, 7, 50])
def test_least_squares_agrees_with_a_solver(groups, seed):
    noisy = streams.teaching(seed).normal(100, 30, size=(5, groups + 1))
    found = least_squares_totals(noisy)
    for row, mine in zip(noisy, found, strict=True):
        np.testing.assert_allclose(mine, least_squares(row), rtol=1e-9)
        assert mine[:-1].sum() == pytest.approx(mine[-1], rel=1e-12)
    np.testing.assert_allclose(least_squares_totals(found), found, rtol=1e-9)


def test_totals_need_a_group():
    with pytest.raises(ParameterError, match="at least one group"):
        least_squares_totals(np.array([1.0]))


DRAWS = 20_000
LOW, HIGH = 4.0, 25.0
EXACT = np.array([0, 10, 5, 15])


def drawn(family, seed, *, independent=False):
    """Releases of the same statistic at both levels, DRAWS times over, less noisy first."""
    noise = FAMILIES[family]
    values = np.tile(EXACT, DRAWS).astype(np.int64 if noise.integer else float)
    session = MultipleRelease(values, noise, rng=streams.teaching(seed))
    high = session.release(HIGH)  # first, so that the other is bridged
    if independent:
        session = MultipleRelease(values, noise, rng=streams.teaching(seed + 100))
    low = session.release(LOW)
    means = noise.mean(LOW), noise.mean(HIGH)
    return [
        PROCESSINGS["consistent"].apply(TOTALS, (y - m).reshape(DRAWS, -1))
        for y, m in zip((low, high), means, strict=True)
    ]


def worst(sample, expected):
    """Largest deviation of an average from what it should be, in standard errors."""
    errors = sample.std(axis=0) / np.sqrt(len(sample))
    return float((np.abs(sample.mean(axis=0) - expected) / errors).max())


def products(first, second):
    first, second = first - first.mean(axis=0), second - second.mean(axis=0)
    return (first[:, :, None] * second[:, None, :]).reshape(DRAWS, -1)


def broken(family, low, high):
    """What is wrong with the claim: less noisy + noise that knows nothing, of covariance c·LLᵀ."""
    noise, step = FAMILIES[family], high - low
    shape = least_squares_map(3)
    shape = (shape @ shape.T).ravel()
    grown = noise.variance(HIGH) - noise.variance(LOW)
    found = {
        "unbiased": worst(low, least_squares(EXACT)),
        "step without mean": worst(step, 0.0),
        "variance": worst(products(low, low), noise.variance(LOW) * shape),
        "variance of the step": worst(products(step, step), grown * shape),
        "uncorrelated": worst(products(low, step), 0.0),
        "uncorrelated sizes": worst(products(np.abs(low), np.abs(step)), 0.0),
    }
    return [name for name, errors in found.items() if errors > 6]


@pytest.mark.parametrize(
    "family", ["gaussian", "laplace", "poisson", "discrete_laplace", "skellam"]
)
def test_consistent_totals_are_a_lossless_release_of_consistent_totals(family, seed):
    assert broken(family, *drawn(family, seed)) == []


def test_independent_draws_are_not(seed):
    assert "uncorrelated" in broken("gaussian", *drawn("gaussian", seed, independent=True))


def seen_beside(key, exact, levels, seed):
    """Processed noisier numbers of a group, where the less noisy processed number is 0."""
    session = MultipleRelease(
        np.full(5 * DRAWS, exact), FAMILIES["gaussian"], rng=streams.teaching(seed)
    )
    low, high = (PROCESSINGS[key].apply(TOTALS, session.release(level)) for level in levels)
    return high[low == 0]


WEAK = [("clipped", (0.0, 6.0), (16.0, 32.0)), ("rounded", (-0.5, 0.5), (0.04, 0.06))]


@pytest.mark.parametrize(("key", "exact", "levels"), WEAK)
def test_beside_a_weakly_lossless_number_another_still_tells_of_the_data(key, exact, levels, seed):
    one, other = (seen_beside(key, x, levels, seed) for x in exact)
    assert min(len(one), len(other)) > 500
    assert stats.ks_2samp(one, other).pvalue < 1e-9
