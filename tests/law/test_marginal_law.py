"""Each draw alone follows the law of its level, and no law 10 % wider or narrower."""

import numpy as np
import pytest

from dpviz import streams
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.release import MultipleRelease
from tests.conftest import full_run
from tests.law.specimens import LAPLACE, WrongLevel
from tests.statistical import DRAWS, LEVEL, assert_law, law_pvalue

MANY = 10_000_000  # sees a Kolmogorov distance of 9e-4
ROUTES = {  # how the release at 2.5 is reached
    "from the exact values": (2.5,),
    "by extending": (0.7, 2.5),
    "between the exact values and a release": (8.0, 2.5),
    "between two releases": (0.7, 8.0, 2.5),
}


def drawn(family, route, size, seed):
    """Noise at the last level of a route."""
    session = MultipleRelease(np.zeros(size, dtype=int), family, rng=streams.teaching(seed))
    for level in route:
        noise = session.release(level)
    return noise


@pytest.mark.parametrize("route", ROUTES)
@pytest.mark.parametrize("name", ADDITIVE)
def test_law_on_every_route(name, route, seed):
    assert_law(drawn(FAMILIES[name], ROUTES[route], DRAWS, seed), FAMILIES[name], 2.5)


@full_run
@pytest.mark.parametrize("route", ["by extending", "between two releases"])
@pytest.mark.parametrize("name", ADDITIVE)
def test_law_of_ten_million_draws(name, route, seed):
    family = FAMILIES[name]
    assert law_pvalue(drawn(family, ROUTES[route], MANY, seed), family, 2.5) > LEVEL


@full_run
def test_ten_million_draws_see_one_per_cent(seed):
    """The reason for ten million: a scale wrong by 1 %, which 60,000 draws let pass."""
    wrong = WrongLevel(LAPLACE, 1.01)
    assert law_pvalue(drawn(wrong, (2.5,), DRAWS, seed), LAPLACE, 2.5) > LEVEL
    assert law_pvalue(drawn(wrong, (2.5,), MANY, seed), LAPLACE, 2.5) < LEVEL


@pytest.mark.parametrize("level", [30.0, 400.0, 1e6, pytest.param(1e9, marks=full_run)])
def test_poisson_law_at_large_rates(level, seed):
    """Beyond tables of their own: sums, and thinnings of large counts, are exact, too."""
    family = FAMILIES["poisson"]
    noise = drawn(family, (level / 10, level * 3, level), DRAWS, seed)
    assert law_pvalue(noise, family, level) > LEVEL
    spread = np.sqrt(level)
    assert law_pvalue(np.round(noise * 1.1 - level * 0.1), family, level) < LEVEL
    assert law_pvalue(np.round(noise + spread / 10), family, level) < LEVEL


@pytest.mark.parametrize("level", [1e-12, 1e-3, 1e12])
@pytest.mark.parametrize("name", ["gaussian", "laplace"])
def test_law_at_extreme_levels(name, level, seed):
    noise = drawn(FAMILIES[name], (level / 3, level * 4, level), DRAWS, seed)
    assert_law(noise, FAMILIES[name], level)


@pytest.mark.parametrize("name", ["gaussian", "laplace"])
def test_law_between_close_levels(name, seed):
    """The noisier neighbour one part in a million away, or one float."""
    for above in (2.5 * (1 + 1e-6), np.nextafter(2.5, 3)):
        assert_law(drawn(FAMILIES[name], (0.7, above, 2.5), DRAWS, seed), FAMILIES[name], 2.5)
