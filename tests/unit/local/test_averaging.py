"""How near a coalition gets: formulas against brute force, bounds against each other."""

import itertools

import numpy as np
import pytest
from scipy.integrate import quad

from dpviz import streams
from dpviz.accounting.laplace import laplace_sum_half_width
from dpviz.errors import ParameterError
from dpviz.experiments.averaging import ATTACKS, averaging_attacks
from dpviz.local import attack_errors, best_estimate
from dpviz.local.averaging import weighted_half_width
from dpviz.noise import FAMILIES
from tests.conftest import FULL

LAPLACE, WHOLE, GAUSS = (FAMILIES[n] for n in ("laplace", "discrete_laplace", "gaussian"))
KINDS = (LAPLACE, WHOLE)


def test_equal_levels_are_the_numbers_of_the_paper():
    for k, epsilon in ((1, 0.5), (4, 2.0), (100, 0.1)):
        found = attack_errors(LAPLACE, [1 / epsilon] * k)
        assert found.average == pytest.approx(2 / (k * epsilon**2), rel=1e-14)
        assert found.weighted == pytest.approx(found.average, rel=1e-14)
        assert found.least == pytest.approx(1 / (k * epsilon**2), rel=1e-14)
        assert found.lossless == found.lossless_average == pytest.approx(2 / epsilon**2, rel=1e-14)


@pytest.mark.parametrize("family", [*KINDS, GAUSS], ids=lambda f: f.name)
def test_mixed_levels_against_all_pairs(family):
    levels = [1.0, 4.0, 2.5, 4.0, 9.0]
    v = [family.variance(level) for level in levels]
    found = attack_errors(family, levels)
    pairs = sum(min(a, b) for a, b in itertools.product(v, v)) / 25
    assert found.lossless_average == pytest.approx(pairs, rel=1e-13)
    assert found.weighted == pytest.approx(1 / sum(1 / x for x in v), rel=1e-13)
    assert found.average == pytest.approx(sum(v) / 25, rel=1e-13)
    assert found.lossless == min(v)
    assert found.lossless <= found.lossless_average
    assert found.weighted <= found.average
    assert found.weighted <= found.lossless


def brute_force(family, answers, levels):
    """Mean of the value given the answers, by quadrature or by adding up."""
    a, b = np.array(answers, dtype=float), np.array(levels)

    def density(u):
        return np.exp(-np.abs(a - np.asarray(u)[..., None]).__truediv__(b).sum(-1) + shift)

    shift = (np.abs(a - np.median(a)) / b).sum()
    if family.integer:
        u = np.arange(a.min() - 600, a.max() + 600)
        return float((u * density(u)).sum() / density(u).sum())
    ends = [a.min() - 200, *np.unique(a), a.max() + 200]
    sums = [
        sum(quad(f, p, q, epsabs=1e-300, epsrel=1e-11)[0] for p, q in itertools.pairwise(ends))
        for f in (lambda u: u * float(density(u)), lambda u: float(density(u)))
    ]
    return sums[0] / sums[1]


@pytest.mark.parametrize("family", KINDS, ids=lambda f: f.name)
def test_the_best_estimate_is_the_mean_of_the_value_given_the_answers(family):
    rng = streams.teaching(7)
    for k in (1, 2, 3, 5, 6):
        levels = rng.choice([0.3, 1.0, 2.0, 5.0], k).tolist()
        answers = rng.integers(-8, 9, k)
        found = float(best_estimate(family, answers, levels))
        assert found == pytest.approx(brute_force(family, answers, levels), rel=1e-8, abs=1e-9)


def test_estimates_that_are_known_without_computing():
    assert best_estimate(LAPLACE, [3.5], [2.0]) == 3.5
    assert best_estimate(LAPLACE, [0.0, 10.0], [2.0, 2.0]) == pytest.approx(5)
    assert best_estimate(WHOLE, [4, 4, 4], [2.0] * 3) == pytest.approx(4, abs=1e-12)
    far = best_estimate(LAPLACE, [1e6, 1e6 + 1, -1e6], [1e-3, 1e-3, 1e-3])
    assert 1e6 <= far <= 1e6 + 1  # nothing under- or overflows
    shifted = best_estimate(LAPLACE, np.array([0.3, 2.0, 7.0]) + 100, [1, 2, 3])
    assert shifted == pytest.approx(best_estimate(LAPLACE, [0.3, 2.0, 7.0], [1, 2, 3]) + 100)


@pytest.mark.parametrize("family", KINDS, ids=lambda f: f.name)
def test_simulated_errors_agree_with_the_formulas(family, seed):
    levels = [2.0, 3.0, 3.0, 6.0, 6.0, 6.0, 6.0, 6.0]
    asked = family, levels, [1, 3, 8], 200_000 if FULL else 8000
    found = averaging_attacks(*asked, rng=streams.teaching(seed))
    for k, measured in found.items():
        exact = attack_errors(family, levels[:k])
        values = exact.average, None, exact.lossless_average, exact.lossless
        for attack, value in zip(ATTACKS, values, strict=True):
            if value is not None:
                assert abs(measured[attack].value - value) < 6 * measured[attack].error, attack
        best = measured["independent, best"]
        assert best.value < exact.weighted + 6 * best.error
        if exact.least is not None:
            assert best.value > exact.least - 6 * best.error
    assert found[8]["independent, best"].value < found[1]["independent, best"].value / 2
    best = [found[k]["lossless, best"].value for k in found]
    assert best[0] == best[1] == best[2]  # the same member, however many there are


def test_refusals():
    for act in (
        lambda: attack_errors(LAPLACE, []),
        lambda: attack_errors(LAPLACE, [0.0]),
        lambda: attack_errors("laplace", [1.0]),
        lambda: best_estimate(GAUSS, [1.0], [1.0]),
        lambda: best_estimate(LAPLACE, [1.0, 2.0], [1.0]),
        lambda: best_estimate(LAPLACE, [np.nan], [1.0]),
        lambda: averaging_attacks(GAUSS, [1.0], [1], 10, rng=streams.teaching(7)),
        lambda: averaging_attacks(LAPLACE, [1.0], [2], 10, rng=streams.teaching(7)),
        lambda: averaging_attacks(LAPLACE, [1.0], [1], 10**8, rng=streams.teaching(7)),
    ):
        with pytest.raises(ParameterError):
            act()


@pytest.mark.parametrize("scale", [1e-6, 3.0, 1e6])
@pytest.mark.parametrize("count", [1, 2, 50])
def test_how_near_weighted_averages_are(count, scale):
    """Of equal levels: a share of the sum, whose half width is exact."""
    found = weighted_half_width(FAMILIES["laplace"], [scale] * count, 0.95)
    assert found == pytest.approx(laplace_sum_half_width(count, scale, 0.95) / count, rel=0.005)
    assert weighted_half_width(FAMILIES["discrete_laplace"], [0.01] * count, 0.95) == 0
    with pytest.raises(ParameterError):
        weighted_half_width(FAMILIES["laplace"], [], 0.95)
    with pytest.raises(ParameterError):
        weighted_half_width(FAMILIES["laplace"], [1.0, 1.0], 1.0)
