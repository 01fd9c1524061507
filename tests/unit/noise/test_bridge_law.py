"""The stated law of a bridge against draws of the family's own bridge; near misses are seen."""

import math
import os

import numpy as np
import pytest

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.noise.bridge_law import release_law

ONE_POINT = ("laplace", 10, 0, 2.0, 5.0, 9.0)  # both neighbours agree: the path rests on them
N = 1_000_000 if os.environ.get("DPVIZ_SEEDS") == "all" else 100_000
BOUND = math.sqrt(math.log(2 / 1e-7) / (2 * N))  # Dvoretzky, Kiefer, Wolfowitz, Massart

CASES = [
    *((f, 10, k, 2.0, 5.0, 9.0) for f in ("gaussian", "laplace", "skellam") for k in (6, 0, -7)),
    *(("discrete_laplace", 10, k, 2.0, 5.0, 9.0) for k in (6, 1, 0, -7)),
    *((f, 10, k, 2.0, 5.0, 9.0) for f in ("poisson", "exponential") for k in (6, 1)),
    *((f, 120, 9, 0.0, 5.0, 9.0) for f in ADDITIVE),
    *((f, 120, None, 3.0, 5.0, None) for f in ADDITIVE),
    ("skellam", 10, 500, 2.0, 50_000.0, 90_000.0),
    ("poisson", 10, 300_000, 2.0, 50_000.0, 900_000.0),
    ("discrete_laplace", 10, 3000, 200.0, 700.0, 1900.0),
]


def drawn(case, n=N):
    name, below, k, low, level, high = case
    family, rng = FAMILIES[name], streams.teaching(11, len(name))
    kind = np.int64 if family.integer else np.float64
    start = np.full(n, below, dtype=kind)
    if k is None:
        return family.extend(start, low, level, rng=rng)
    return family.bridge(start, start + kind(k), low, level, high, rng=rng)


def law_of(case, **changed):
    name, below, k, low, level, high = case
    level = changed.get("level", level)
    return release_law(
        FAMILIES[name], float(below), None if k is None else float(below + k), low, level, high
    )


def distance(values, law):
    """Greatest distance of the two distribution functions, at the draws and just below them."""
    at, counts = np.unique(values, return_counts=True)
    reached = np.cumsum(counts) / values.size
    just_below = np.nextafter(at, -np.inf)
    return max(
        np.abs(law.cdf(at) - reached).max(),
        np.abs(law.cdf(just_below) - (reached - counts / values.size)).max(),
    )


@pytest.mark.parametrize("case", CASES, ids=str)
def test_draws_of_the_family_follow_the_law(case):
    values, law = drawn(case), law_of(case)
    coarse = getattr(law, "step", 1) / 2  # a step of a coarse table
    slack = coarse * float(law.density(np.median(values)[None].round())[0]) if coarse > 1 else 0.0
    assert distance(values, law) < BOUND + slack
    for value, chance in law.atoms:
        share = float(np.mean(values == value))
        assert abs(share - chance) < 5.5 * math.sqrt(max(chance * (1 - chance), 1e-9) / N) + 1e-12


@pytest.mark.parametrize("case", [case for case in CASES if case != ONE_POINT], ids=str)
def test_a_near_miss_is_seen(case):
    *_, level, high = case
    other = level * 1.25 if high is None else level + 0.5 * (high - level)
    assert distance(drawn(case), law_of(case, level=other)) > BOUND


@pytest.mark.parametrize("case", CASES, ids=str)
def test_quantiles_are_the_least_values_that_reach_their_chance(case):
    law, p = law_of(case), np.array([0.025, 0.25, 0.5, 0.75, 0.975])
    at = law.quantile(p)
    step = getattr(law, "step", 1)
    below = at - step if FAMILIES[case[0]].integer else at - 1e-6 * (1 + np.abs(at))
    assert np.all(law.cdf(at + 1e-9 * (1 + np.abs(at))) >= p - 1e-9)
    assert np.all(law.cdf(below) <= p + 1e-9)
    assert np.all(np.diff(at) >= 0)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_density_is_the_slope_of_the_cdf(case):
    law = law_of(case)
    low, high = law.quantile(np.array([0.01, 0.99]))
    if FAMILIES[case[0]].integer:
        if getattr(law, "step", 1) > 1:
            return
        x = np.arange(low, high + 1)
        assert np.allclose(law.density(x), law.cdf(x) - law.cdf(x - 1), atol=1e-12)
        assert not law.density(x + 0.5).any()
        return
    x = np.linspace(low, high, 41) + 1e-4
    away = np.all([np.abs(x - value) > 1e-3 for value, _ in law.atoms] or [x == x], axis=0)
    x = x[away]
    slope = (law.cdf(x + 1e-5) - law.cdf(x - 1e-5)) / 2e-5
    assert np.allclose(law.density(x), slope, rtol=1e-4, atol=1e-7)


def test_atoms_match_the_numbers_of_the_design():
    law = law_of(("laplace", 0, 3, 1.0, 2.0, 4.0))
    # MATHEMATICS 2.3: stay (l/b)² (1-(b/h)²)/(1-(l/h)²)
    assert law.atoms[0][1] == pytest.approx(0.25 * 0.75 / (1 - 1 / 16))
    assert [value for value, _ in law.atoms] == [0.0, 3.0]


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("gaussian", (0.0, 1.0, 2.0, 2.0, 3.0)),
        ("gaussian", (0.0, 1.0, 2.0, 4.0, 3.0)),
        ("gaussian", (0.0, None, 2.0, 2.5, 3.0)),
        ("gaussian", (0.0, 1.0, 2.0, 2.5, None)),
        ("poisson", (5.0, 4.0, 1.0, 2.0, 3.0)),
        ("exponential", (5.0, 4.0, 1.0, 2.0, 3.0)),
        ("skellam", (5.5, 6.0, 1.0, 2.0, 3.0)),
        ("skellam", (0.0, 4000.0, 1.0, 2.0, 3.0)),
    ],
)
def test_refusals(name, arguments):
    with pytest.raises(ParameterError) as told:
        release_law(FAMILIES[name], *arguments)
    assert str(told.value).count(". ") == 0
