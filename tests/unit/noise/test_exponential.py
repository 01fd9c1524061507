"""The exponential path: its bridge against known values, atoms bit for bit, and its warning."""

import mpmath
import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.noise import FAMILIES
from tests.statistical import DRAWS, LEVEL, kolmogorov_pvalue

EXPONENTIAL = FAMILIES["exponential"]
VECTORS = [  # MATHEMATICS 2.4, by rates: (r_l, r, r_h, k), then P(W=0), P(W=k), P(other)
    ((2, 1, 0.5, 3), (1 / 3, 0.148753440098953, 0.517913226567713)),
    ((10, 1, 0.1, 0.25), (0.0909090909090909, 0.725923835235797, 0.183167073855112)),
]


@pytest.mark.parametrize(("rates", "masses"), VECTORS)
def test_bridge_follows_the_vectors(rates, masses, seed):
    *rates, k = rates
    levels = [1 / rate for rate in rates]
    rng = streams.teaching(seed)
    drawn = EXPONENTIAL.bridge(np.zeros(DRAWS), np.full(DRAWS, float(k)), *levels, rng=rng)
    inside = drawn[(drawn > 0) & (drawn < k)]
    seen = [(drawn == 0).sum(), (drawn == k).sum(), inside.size]
    assert sum(seen) == DRAWS
    assert stats.chisquare(seen, DRAWS * np.array(masses)).pvalue > LEVEL
    wrong = np.array([masses[1], masses[0], masses[2]])  # the atoms exchanged
    assert stats.chisquare(seen, DRAWS * wrong).pvalue < LEVEL
    rate = rates[1] - rates[2]
    cdf = lambda x: np.expm1(-rate * x) / np.expm1(-rate * k)  # noqa: E731
    assert kolmogorov_pvalue(inside, cdf) > LEVEL
    assert kolmogorov_pvalue(inside, lambda x: x / k) < LEVEL or rate * k < 0.5


@pytest.mark.parametrize(("rates", "masses"), VECTORS)
def test_vectors_follow_from_the_definition(rates, masses):
    """W: 0 with probability l/m, else exponential of mean m; the rest 0 with m/h, else mean h."""
    low, level, high, k = (*(1 / mpmath.mpf(rate) for rate in rates[:3]), mpmath.mpf(rates[3]))
    stay, rest = low / level, level / high
    density = lambda x, mean: mpmath.exp(-x / mean) / mean  # noqa: E731
    first = stay * (1 - rest) * density(k, high)
    last = (1 - stay) * rest * density(k, level)
    both = mpmath.quad(lambda x: density(x, level) * density(k - x, high), [0, k])
    parts = [first, last, (1 - stay) * (1 - rest) * both]
    assert [float(p / sum(parts)) for p in parts] == pytest.approx(masses, rel=1e-12)


def test_atoms_are_copied_bit_for_bit():
    rng = streams.teaching(5)
    below = rng.standard_normal(20_000) * 1e3
    above = EXPONENTIAL.extend(below, 1.0, 4.0, rng=rng)
    drawn = EXPONENTIAL.bridge(below, above, 1.0, 2.0, 4.0, rng=rng)
    moved = above > below
    assert 0.2 < (above == below).mean() < 0.3
    assert (drawn[~moved] == below[~moved]).all()
    assert (drawn[moved] == above[moved]).mean() > 0.2
    assert (below <= drawn).all()
    assert (drawn <= above).all()


def test_says_that_it_protects_poorly():
    assert "δ is at least" in EXPONENTIAL.warning
    assert EXPONENTIAL.warning.endswith(".")
