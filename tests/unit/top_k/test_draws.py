"""The two samplers of lists against the probability of every list, and against each other."""

import math
from collections import Counter
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.errors import DataError, HardenedModeError, ParameterError
from dpviz.noise.reals import exponential
from dpviz.top_k import Reach, TruncatedHistogram, truncated_divergence, truncation
from dpviz.top_k.draws import Weights, by_gumbel, exactly
from dpviz.top_k.truncated_histogram import concentrated_cost
from tests import oracles_top_k
from tests.conftest import FULL, few
from tests.law.test_top_k_law import slower
from tests.statistical import LEVEL

SCORES = {0: 3, 1: 1, 2: 0.5, 3: 0}
SCALE = 1 / 0.9
FEW = 20_000 if FULL else 1000


def drawn(kind, scores, scale, k, draws, seed):
    """How often each list came."""
    rng = streams.teaching(seed)
    if kind == "gumbel":
        values = np.array([float(s) for s in scores])
        lists = [tuple(by_gumbel(values, scale, k, rng=rng)) for _ in range(draws)]
    else:
        rate = 1 / Fraction(scale)
        values = [Fraction(s) for s in scores]
        lists = [tuple(exactly(values, rate, k, rng=rng)) for _ in range(draws)]
    return Counter(lists)


def pvalue(seen, law):
    """Chi-square test over all lists, rare ones pooled."""
    n = sum(seen.values())
    expected = sorted(((p * n, o) for o, p in law.items()), key=lambda pair: pair[0])
    cells, total = [], [0.0, 0]
    for want, order in expected:
        total = [total[0] + want, total[1] + seen[order]]
        if total[0] >= 25:
            cells.append(total)
            total = [0.0, 0]
    cells[-1] = [cells[-1][0] + total[0], cells[-1][1] + total[1]]
    want, had = np.array(cells).T
    return stats.chi2.sf(((had - want) ** 2 / want).sum(), len(cells) - 1)


def test_the_chance_of_the_paper_by_two_ways():
    """P(the second one first, the first one second) = 0.105364…: Plackett-Luce, and an integral."""
    chance = oracles_top_k.plackett_luce(SCORES, SCALE, (1, 0))
    assert chance == pytest.approx(0.10536429304961257, rel=1e-14)
    integral = oracles_top_k.gumbel_first_two([*SCORES.values()], SCALE, 1, 0)
    assert integral == pytest.approx(chance, rel=1e-9)


def test_exact_draws_have_the_law_of_every_list(seed):
    scores = [Fraction(5, 2), Fraction(1), Fraction(1), Fraction(0)]
    law = oracles_top_k.lists(dict(enumerate(map(float, scores))), 1.25, 2)
    seen = drawn("exact", scores, 1.25, 2, FEW, seed)
    assert pvalue(seen, law) > LEVEL
    near = oracles_top_k.lists(dict(enumerate(map(float, scores))), 1.25 * 1.7, 2)
    assert pvalue(seen, near) < LEVEL


def test_the_bounds_of_all_chances_enclose_them_closely():
    """To 60 digits, so that a rate that is wrong at all is found out."""
    scores, sizes = [Fraction(s) for s in (7, 5, 2, -40)], [2, 1, 3, 1]
    for rate in (Fraction(3, 10), Fraction(1, 7)):
        with mpmath.workdps(60):
            exact = [
                n * mpmath.exp(-mpmath.mpf(rate.numerator) / rate.denominator * int(7 - s))
                for s, n in zip(scores, sizes, strict=True)
            ]
            for bits in (64, 128, 190):
                low, high = Weights(scores, rate).sums(sizes, bits)
                for place in range(len(exact)):
                    total = sum(exact[: place + 1]) * mpmath.mpf(2) ** bits
                    assert low[place] <= total <= high[place]
                    assert high[place] - low[place] < 40


PICKED = [Fraction(s) for s in (7, 5, 4, 1)]
NEAR = 2**24  # of 2**64: a rate that is off by 1e-11 is found out


def wrong_picks(sampler, rate):
    """Picks that do not change where their cumulative chance does, to 60 digits, pick by pick."""
    wrong = []
    for pick in range(len(PICKED) - 1):
        left = [float(s) for s in PICKED[pick:]]  # the first ones were picked before
        with mpmath.workdps(60):
            chances = [mpmath.exp(mpmath.mpf(s) * rate.numerator / rate.denominator) for s in left]
            ends = [int(sum(chances[: i + 1]) / sum(chances) * 2**64) for i in range(len(left) - 1)]
        for place, end in enumerate(ends):
            for word, right in ((end - NEAR, place), (end + NEAR, place + 1)):
                found = sampler(PICKED, rate, pick + 1, given=[0] * pick + [word])
                if found != [*range(pick), pick + right]:
                    wrong.append((pick, place))
    return wrong


@pytest.fixture
def with_words(monkeypatch):
    """A sampler that takes its random bits from a list."""

    def of(picks):
        def sampler(scores, rate, count, *, given):
            words = iter(given)
            monkeypatch.setattr("dpviz.top_k.draws.words", lambda *_, **__: [next(words)])
            return picks(scores, rate, count, rng=streams.teaching(7))

        return sampler

    return of


@pytest.mark.parametrize("rate", [Fraction(1, 2), Fraction(3, 7)], ids=str)
def test_every_pick_changes_exactly_where_its_chance_does(rate, with_words):
    assert wrong_picks(with_words(exactly), rate) == []


@pytest.mark.parametrize(
    "factor", [Fraction(7, 10), Fraction(9, 10), 1 + Fraction(1, 10**10)], ids=str
)
def test_a_later_pick_at_another_rate_is_found_out(factor, with_words):
    later = {pick for pick, _ in wrong_picks(with_words(slower(factor)), Fraction(1, 2))}
    assert later == {1, 2}


def test_a_tie_with_a_bound_takes_more_bits(monkeypatch):
    """Words that leave the first one in doubt: the second one decides."""
    third = 2**64 // 3
    given = iter([third, 0, third, 2**64 - 1])
    monkeypatch.setattr("dpviz.top_k.draws.words", lambda *_, **__: [next(given)])
    weights = Weights([Fraction(1), Fraction(1)], Fraction(1))
    assert [weights.draw([1, 2], rng=None) for _ in range(2)] == [0, 1]


def test_scores_so_far_apart_that_floats_are_0():
    scores = [Fraction(0), Fraction(10**12), Fraction(10**15)]
    assert exactly(scores, Fraction(1, 10), 3, rng=streams.teaching(7)) == [2, 1, 0]


def test_no_shared_cache_learns_a_count():
    exponential.cache_clear()
    exactly([Fraction(s) for s in (9, 5, 2)], Fraction(1), 3, rng=streams.teaching(7))
    assert exponential.cache_info().currsize == 0


def test_no_more_than_there_are():
    scores = [Fraction(2), Fraction(1)]
    assert sorted(exactly(scores, Fraction(1), 9, rng=streams.teaching(7))) == [0, 1]
    assert sorted(by_gumbel(np.array([2.0, 1.0]), 1.0, 9, rng=streams.teaching(7))) == [0, 1]
    assert by_gumbel(np.empty(0), 1.0, 0, rng=streams.teaching(7)) == []


# --- Truncated noise ---


MICRO, DEEP = math.log(1e-6), -300 * math.log(10)
CUTS = [(1.0, 1.0, MICRO), (1.0, 1.0, math.log(0.3)), (100.0, 1.0, DEEP), (1.0, 1e3, -3.0)]
RARE = [(1e5, 1.0, -20.0), (2.0, 1.0, -1e-3), (50.0, 1.0, -0.7), (3.0, 7.0, -90)]


@pytest.mark.parametrize(("sigma", "linf", "log_delta"), CUTS + few(RARE, 4))
def test_the_cut_is_not_below_50_digits(sigma, linf, log_delta):
    wanted = oracles_top_k.cut(sigma, linf, log_delta)
    found = truncation(sigma, linf, log_delta)
    assert wanted * (1 - 1e-14) <= found <= wanted * (1 + 1e-10)


def test_a_delta_far_below_the_smallest_float():
    assert truncation(1.0, 1.0, -1e6) == pytest.approx(1 + math.sqrt(2e6), rel=1e-4)


@pytest.mark.parametrize("order", [1.1, 4.0])
@pytest.mark.parametrize(("sigma", "shift", "log_delta"), [(1.0, 1.0, -3.0), (4.0, 2.0, -12.0)])
def test_the_divergence_is_that_of_the_densities(order, sigma, shift, log_delta):
    at = truncation(sigma, shift, log_delta)
    found = truncated_divergence(order, sigma, shift, at)
    assert found == pytest.approx(oracles_top_k.divergence(order, sigma, shift, at), rel=1e-9)
    assert found == pytest.approx(oracles_top_k.divergence(order, sigma, -shift, at), rel=1e-9)
    assert found <= order * shift**2 / (2 * sigma**2)


def test_the_divergence_nears_that_of_noise_without_a_cut():
    assert truncated_divergence(3.0, 2.0, 1.0, 100.0) == pytest.approx(3 / 8, rel=1e-12)


def opened(counts, *, seed=7, sigma=3.0, log_delta=-9.0, l0=2, linf=1, whole=True):
    return TruncatedHistogram(
        counts,
        sigma=sigma,
        log_delta=log_delta,
        reach=Reach(l0=l0, linf=linf),
        whole=whole,
        rng=streams.teaching(seed),
    )


def test_what_one_person_alone_has_never_shows():
    """Even where δ is so large that noise often reaches its end."""
    for seed in range(300):
        found = opened(
            {"of one": 2, "of nobody": 0, "common": 90},
            seed=seed,
            sigma=1.0,
            log_delta=-0.01,
            linf=2,
        ).release()
        assert set(found.items) <= {"common"}
        assert (found.values > found.threshold).all()


def test_asked_again_it_is_the_same_release():
    histogram = opened({"a": 90, "b": 50, "c": 3})
    found = histogram.release()
    assert histogram.release() is found
    assert found.items == ("a", "b")
    assert list(found.values) == sorted(found.values, reverse=True)
    assert not found.values.flags.writeable
    assert repr(histogram) == "TruncatedHistogram(sigma=3.0, released=True)"
    assert max(abs(found.values - [90, 50])) <= histogram.cut


def test_the_order_and_zeros_of_the_counts_do_not_matter():
    one = opened({"a": 90, "b": 50, "c": 30}).release()
    two = opened({"c": 30, "z": 0, "b": 50, "a": 90, "d": 0}).release()
    np.testing.assert_array_equal(one.values, two.values)


def test_what_it_costs():
    cost = concentrated_cost(10.0, math.log(1e-3), Reach(l0=4, linf=2))
    assert cost.rho == 4 * 4 / 200
    assert cost.hidden == pytest.approx(1 - (1 - 1e-3) ** 4, rel=1e-14)
    event = cost.event(3, math.log(1e-6))
    assert event.delta >= cost.hidden + 1e-6
    assert float(event.budget) == cost.epsilon(math.log(1e-6)).value
    assert concentrated_cost(10.0, -1000.0, Reach(l0=4)).hidden == 0.0


def test_it_needs_all_items_a_bound_and_teaching_mode():
    with pytest.raises(ParameterError, match="every item that somebody has"):
        opened({"a": 90}, whole=False)
    with pytest.raises(ParameterError, match="a bound on how many counts"):
        opened({"a": 90}, l0=None)
    with pytest.raises(HardenedModeError, match="for teaching only"):
        TruncatedHistogram(
            {"a": 9},
            sigma=3.0,
            log_delta=-9.0,
            reach=Reach(l0=1),
            whole=True,
            rng=streams.hardened(),
        )
    with pytest.raises(DataError):
        opened({"a": 0.5})
