"""Sparse histograms: what they hold and show, cells of a huge domain, what a domain costs."""

import copy
import itertools
import math
import pickle
from itertools import combinations

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy import stats

from dpviz import streams
from dpviz.accounting.levels import gaussian_level
from dpviz.errors import DataError, HardenedModeError, ParameterError, SealedError
from dpviz.experiments import domain_growth as growth
from dpviz.experiments.broken.table import printed_draws
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.sparse import DenseHistogram, SparseHistogram, expected_phantoms, threshold_for
from dpviz.sparse.cells import others
from dpviz.sparse.first_passage import FirstPassage
from dpviz.sparse.printed_law import printed_leak, printed_rounds
from tests.conftest import few, for_each

# --- The sparse histogram as an object: contract, refusals, edges; its law is in tests/law -------

every_method = pytest.mark.parametrize("method", ["auto", "sparse", "dense"])


def opened(indices=(3, 5, 8), counts=(40, 1, 25), domain_size=1000, seed=1, **options):
    options = {"l2_sensitivity": 1.0, "rng": streams.teaching(seed)} | options
    return SparseHistogram(indices, counts, domain_size, **options)


def same(first, second):
    assert_array_equal(first[0], second[0])
    assert_array_equal(first[1], second[1])


@every_method
def test_asked_again_gives_the_same_arrays_in_any_order(method):
    histogram = opened(method=method)
    asked = {rho: 1.5 + rho for rho in (0.5, 0.1, 2.0, 0.3)}
    first = {rho: histogram.release(rho, threshold) for rho, threshold in asked.items()}
    for rho, threshold in asked.items():
        assert histogram.release(rho, threshold)[0] is first[rho][0]
        assert histogram.release(rho, threshold)[1] is first[rho][1]
    assert histogram.releases == tuple(asked.items())


@every_method
def test_what_is_returned(method):
    histogram = opened(method=method)
    for rho, threshold in ((0.5, 1.0), (0.05, 6.0), (0.2, 0.0)):
        cells, values = histogram.release(rho, threshold)
        assert cells.dtype == np.int64
        assert values.dtype == np.float64
        assert (np.diff(cells) > 0).all()
        assert cells[0] >= 0
        assert cells[-1] < 1000
        assert (values > threshold).all()
        for array in (cells, values):
            with pytest.raises(ValueError, match="read-only"):
                array[0] = 0


@every_method
def test_another_threshold_at_a_held_budget_is_refused(method):
    histogram = opened(method=method)
    histogram.release(0.5, 3.0)
    with pytest.raises(ParameterError, match=r"rho 0\.5 is already released with threshold 3\.0"):
        histogram.release(0.5, 3.5)
    with pytest.raises(ParameterError, match="already released"):
        histogram.release(0.5, math.inf)
    assert len(histogram.work) == 1


@every_method
def test_sealing_is_refused_with_its_reason(method):
    with pytest.raises(SealedError, match="depends on its exact count"):
        opened(method=method).seal(1.0)


@every_method
@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, pickle.dumps])
def test_copies_are_refused(method, clone):
    histogram = opened(method=method)
    histogram.release(0.1, 4.0)
    with pytest.raises(ParameterError, match="SparseHistogram is neither copied nor pickled"):
        clone(histogram)


def test_hardened_generators_are_refused_and_the_mode_is_told():
    with pytest.raises(HardenedModeError):
        opened(rng=streams.hardened())
    assert opened().mode == "teaching"


@for_each(
    ("options", "words"),
    [
        ({"indices": [1, 1, 2]}, "one cell twice"),
        ({"indices": [1, 2]}, "same length"),
        ({"indices": [-1, 2, 3]}, "between 0 and 999"),
        ({"indices": [1, 2, 1000]}, "between 0 and 999"),
        ({"indices": [1, 2, 2.5]}, "whole numbers"),
        ({"indices": ["a", "b", "c"]}, "list of whole numbers"),
        ({"indices": [[1], [2, 3], []]}, "list of whole numbers"),
        ({"counts": [1, -1, 1]}, "between 0 and"),
        ({"counts": [1, 0.5, 1]}, "whole numbers"),
        ({"counts": [1, math.nan, 1]}, "between 0 and"),
        ({"counts": [True, False, True]}, "list of whole numbers"),
        ({"domain_size": 0}, "domain_size"),
        ({"domain_size": 2 * 10**12}, "at most 1e"),
        ({"domain_size": 2.5}, "domain_size"),
        ({"domain_size": 10**8, "method": "dense"}, "at most 1e"),
        ({"method": "quick"}, "method must be one of"),
        ({"l2_sensitivity": 0}, "l2_sensitivity"),
        ({"rng": 7}, "rng must be"),
    ],
)
def test_bad_arguments_are_refused(options, words):
    with pytest.raises(ParameterError, match=words):
        opened(**options)


def test_refusals_hold_no_data():
    for options in ({"indices": [1, 1, 2]}, {"counts": [1, -31.25, 1]}, {"indices": [1, 2, 4321]}):
        with pytest.raises(DataError) as caught:
            opened(**options)
        assert "4321" not in str(caught.value)
        assert "31.25" not in str(caught.value)


@every_method
@pytest.mark.parametrize(
    ("rho", "threshold", "words"),
    [
        (0, 1.0, "rho"),
        (math.nan, 1.0, "rho"),
        (0.5, math.nan, "threshold must be a number"),
        (0.5, "5", "threshold must be a number"),
        (0.5, -math.inf, "every cell of the domain"),
    ],
)
def test_bad_requests_are_refused_and_change_nothing(rho, threshold, words, method):
    histogram = opened(method=method)
    with pytest.raises(ParameterError, match=words):
        histogram.release(rho, threshold)
    same(histogram.release(0.5, 1.0), opened(method=method).release(0.5, 1.0))


def test_a_flood_is_refused_with_its_count_and_draws_nothing():
    histogram = opened(domain_size=10**12)
    with pytest.raises(ParameterError, match=r"about 5e\+11 cells"):
        histogram.release(0.5, 0.0)
    same(histogram.release(0.5, 8.0), opened(domain_size=10**12).release(0.5, 8.0))


@every_method
def test_an_infinite_threshold_shows_nothing_and_tells_nothing(method):
    histogram = opened(method=method)
    cells, values = histogram.release(0.1, math.inf)
    assert cells.size == values.size == 0
    assert cells.dtype == np.int64
    later = histogram.release(0.5, 1.0)
    assert later[0].size
    assert histogram.release(0.1, math.inf)[0] is cells


@for_each("threshold", [0.0, -1.0, -3.0, -60.0])
def test_thresholds_at_and_below_zero(threshold):
    """At -60 standard deviations every cell shows, in the sparse way too."""
    share = FAMILIES["gaussian"].cdf(-threshold, 1.0)
    for method in ("sparse", "dense"):
        histogram = opened(domain_size=20_000, method=method)
        shown = histogram.release(0.5, threshold)[0].size
        assert abs(shown - 20_000 * share) < 6 * math.sqrt(20_000 * share * (1 - share)) + 1
        again = histogram.release(0.25, threshold * math.sqrt(2))[0].size
        assert abs(again - 20_000 * share) < 6 * math.sqrt(20_000 * share * (1 - share)) + 1


@pytest.mark.parametrize("size", [0, 50])
def test_no_support_and_nothing_but_support(size):
    histogram = opened(range(size), [5] * size, max(size, 50), method="sparse")
    for rho, threshold in ((0.5, 1.0), (0.1, 2.0), (2.0, 0.5), (0.3, -2.0)):
        cells, values = histogram.release(rho, threshold)
        assert cells.size <= 50
        assert (values > threshold).all()
    assert histogram.work[-1].crossed == 0 or size == 0


def test_cells_given_with_count_zero_are_cells_like_all_others():
    with_zeros, plain = opened([3, 5, 8, 9], [40, 1, 25, 0]), opened()
    for asked in ((0.1, 3.0), (0.5, 1.0)):
        same(with_zeros.release(*asked), plain.release(*asked))


def test_whole_numbers_of_any_dtype_and_order():
    plain = opened().release(0.5, 1.0)
    same(opened([8, 3, 5], [25, 40, 1]).release(0.5, 1.0), plain)
    same(opened([8.0, 3.0, 5.0], np.array([25, 40, 1], dtype=np.uint8)).release(0.5, 1.0), plain)


def test_work_is_counted():
    histogram = opened(domain_size=10**9)
    histogram.release(0.1, 4 / math.sqrt(0.2))
    histogram.release(0.5, math.inf)
    histogram.release(0.4, 4 / math.sqrt(0.8))
    histogram.release(0.05, 4 / math.sqrt(0.1))
    first, nothing, second, third = histogram.work
    crossed = first.crossed + second.crossed + third.crossed
    assert first.drawn == 3 + first.crossed
    assert abs(first.crossed - 31671) < 6 * 178
    assert nothing.drawn == nothing.crossed == 0
    assert second.drawn == 3 + first.crossed + second.crossed
    # the cells that crossed second were hidden at the first level, which lies between
    assert third.drawn == 3 + first.crossed + 2 * second.crossed + third.crossed
    assert third.drawn_so_far == sum(work.drawn for work in histogram.work)
    assert third.lemma == (3 + crossed) * 4
    assert third.dense == 4 * 10**9
    assert third.drawn_so_far < third.lemma


def test_the_method_is_settled_by_public_numbers():
    assert opened().method == "auto"
    for domain_size, threshold, method in (
        (1000, 2.0, "dense"),
        (10**6, 5.0, "sparse"),
        (10**6, -1.0, "dense"),
        (10**9, 5.0, "sparse"),
    ):
        found = set()
        for indices, counts in (([], []), ([3, 5, 8], [40, 1, 25])):
            histogram = opened(indices, counts, domain_size)
            histogram.release(0.5, threshold)
            found.add(histogram.method)
        assert found == {method}


def test_budgets_one_float_apart():
    histogram = opened(domain_size=10**6, method="sparse")
    rho = 0.3
    for _ in range(4):
        cells, values = histogram.release(rho, 3.5)
        assert (values > 3.5).all()
        rho = math.nextafter(math.nextafter(rho, 1.0), 1.0)
    assert cells.size > 500


def test_the_repr_tells_no_number_of_cells_with_a_count():
    assert repr(opened()) == (
        "SparseHistogram(domain_size=1000, releases=0, method='auto', mode='teaching')"
    )


@for_each("name", ADDITIVE)
def test_the_dense_reference_takes_every_family(name):
    family = FAMILIES[name]
    histogram = DenseHistogram([3, 5], [40, 25], 100, family, rng=streams.teaching(3))
    level = 9.0
    cells, values = histogram.release(level, 21.0)
    assert values.dtype == (np.int64 if family.integer else np.float64)
    assert 3 in cells
    assert (values > 21.0).all()
    same(histogram.release(level, 21.0), (cells, values))
    with pytest.raises(ParameterError, match="already released"):
        histogram.release(level, 20.0)


def test_the_dense_reference_keeps_values_above_not_at_the_threshold():
    histogram = DenseHistogram(
        [0], [7], 2000, FAMILIES["discrete_laplace"], rng=streams.teaching(3)
    )
    cells, values = histogram.release(2.0, 3)
    assert values.min() == 4
    assert histogram.levels == (2.0,)
    assert cells.size > 20


def test_the_level_is_that_of_the_budget():
    """At a huge budget the values are the counts."""
    cells, values = opened(l2_sensitivity=2.0).release(1e12, 0.5)
    assert cells.tolist() == [3, 5, 8]
    assert np.abs(values - [40, 1, 25]).max() < 8 * math.sqrt(gaussian_level(1e12, 2.0))


# --- Cells of a huge domain: uniform subsets, and thresholds from expected phantom cells ---------


@pytest.mark.parametrize("size", few([2, 0, 1, 3, 4], 3))
def test_every_subset_is_equally_likely(size):
    """Few and most of the free cells: the two ways of choosing."""
    tracked, rng = np.array([1, 4]), streams.teaching(3)
    free = [0, 2, 3, 5]
    counts = dict.fromkeys(combinations(free, size), 0)
    for _ in range(6000):
        counts[tuple(others(tracked, 6, size, rng=rng).tolist())] += 1
    assert stats.chisquare(list(counts.values())).pvalue > 1e-6 or len(counts) == 1


def test_a_huge_domain_is_covered_evenly_and_tracked_cells_never_chosen():
    tracked = np.array([0, 10, 10**12 - 1])
    chosen = others(tracked, 10**12, 50_000, rng=streams.teaching(3))
    assert chosen.dtype == np.int64
    assert np.unique(chosen).size == 50_000
    assert not np.isin(chosen, tracked).any()
    assert stats.kstest(chosen / 1e12, "uniform").pvalue > 1e-6


@pytest.mark.parametrize("cells", [10, 10**6, 10**12])
@pytest.mark.parametrize("phantoms", [1e-9, 0.5, 1, 9.5])
def test_threshold_for_keeps_its_promise_and_is_least(cells, phantoms):
    threshold = threshold_for(0.02, phantoms, cells=cells, l2_sensitivity=3.0)
    assert expected_phantoms(0.02, threshold, cells=cells, l2_sensitivity=3.0) <= phantoms
    with mpmath.workdps(30):
        deviation = mpmath.sqrt(mpmath.mpf(9) / (2 * mpmath.mpf(0.02)))
        exact = cells * mpmath.erfc(mpmath.mpf(threshold) / deviation / mpmath.sqrt(2)) / 2
    assert abs(float(exact / phantoms) - 1) < 1e-12


@for_each(("phantoms", "cells"), [(0, 10), (10, 10), (math.nan, 10), (1, 0), (1, 2.5)])
def test_thresholds_that_do_not_exist(phantoms, cells):
    with pytest.raises(ParameterError):
        threshold_for(0.5, phantoms, cells=cells, l2_sensitivity=1.0)


# --- What a domain costs: the first run, which loads what the others find loaded, does not count --


def generator():
    return streams.teaching(7)


def test_a_slow_first_run_is_not_measured(monkeypatch):
    """On a cold server the first size took the longest, so that time fell with the domain."""
    clock, cold = [0.0], itertools.chain([10.0], itertools.repeat(1.0))
    drawn = growth._drawn

    def run(*asked):
        clock[0] += next(cold)
        return drawn(*asked)

    monkeypatch.setattr(growth, "_drawn", run)
    monkeypatch.setattr(growth.time, "perf_counter", lambda: clock[0])
    first, second = (growth.measure(size, (0.1, 0.2), rng=generator) for size in (10**3, 10**9))
    assert (first.seconds, first.dense_seconds) == (1.0, 1.0)
    assert second.seconds == 1.0
    assert second.dense_seconds is None


# --- The printed law of Algorithm 6 beside the right one, and the figures of the erratum ---


KINDS = [
    ((0.1, 0.2, 0.4), 1.5, (0.127, 0.124)),
    ((0.1, 0.2, 0.4), 5.0, (0.235, 0.235)),
    ((0.1, 0.11, 0.12), 5.0, (0.634, 0.644)),
    ((0.01, 0.1, 1.0), 5.0, (0.037, 0.037)),
]


def thresholds_of(rhos, z):
    return [z * math.sqrt(0.5 / rho) for rho in rhos]


def printed_cdf(found, value):
    return found.printed.below(np.maximum(value - found.threshold, 0.0))


@for_each(("rhos", "z", "distances"), KINDS)
def test_distances(rhos, z, distances):
    first, *later = printed_rounds(rhos, thresholds_of(rhos, z), l2_sensitivity=1.0)
    assert first.distance == 0
    assert [round(found.distance, 3) for found in later] == list(distances)


@pytest.mark.parametrize("number", [2, 3])
@pytest.mark.parametrize(("rhos", "z", "_"), few(KINDS, 2))
def test_the_printed_sampler_has_the_printed_law_and_not_the_right_one(rhos, z, _, number):
    taus = thresholds_of(rhos, z)
    found = printed_rounds(rhos[:number], taus[:number], l2_sensitivity=1.0)[-1]
    rounds = [(0.5 / rho, tau) for rho, tau in zip(rhos[:number], taus, strict=False)]
    drawn = np.sort(printed_draws(rounds, 40_000, rng=streams.teaching(5)))
    rank = np.arange(1, drawn.size + 1) / drawn.size
    assert np.abs(printed_cdf(found, drawn) - rank).max() < 3 / math.sqrt(drawn.size)
    away = np.abs(found.right.cdf(drawn) - rank).max()
    assert abs(away - found.distance) < 3 / math.sqrt(drawn.size)


def test_right_and_printed_probability_are_one():
    rhos = (0.1, 0.2, 0.4)
    passage = FirstPassage()
    for found, threshold in zip(
        printed_rounds(rhos, thresholds_of(rhos, 1.5), l2_sensitivity=1.0),
        thresholds_of(rhos, 1.5),
        strict=True,
    ):
        crossing = passage.crossing(0.5 / found.rho, threshold)
        passage.add(crossing)
        assert found.probability == crossing.probability


def test_the_density_belongs_to_the_distribution():
    rhos = (0.1, 0.2, 0.4)
    found = printed_rounds(rhos, thresholds_of(rhos, 1.5), l2_sensitivity=1.0)[-1]
    x = np.linspace(found.threshold, found.threshold + 8, 8001)
    middle = found.right.density((x[1:] + x[:-1]) / 2) * np.diff(x)
    np.testing.assert_allclose(np.cumsum(middle), found.right.cdf(x[1:]), atol=1e-5)


def test_the_leak():
    taus = thresholds_of((0.1, 0.2), 1.5)
    leak = printed_leak((0.1, 0.2), taus, 2.0, l2_sensitivity=1.0)
    assert round(leak.printed, 6) == 0.002615
    assert round(leak.zcdp, 5) == 0.00123
    assert leak.right < leak.gaussian < leak.zcdp < leak.printed


@pytest.mark.parametrize(
    ("rhos", "epsilon", "zcdp"), [((0.1, 100.0), 2.0, 1.0), ((0.1, 0.2), 100.0, 0.0)]
)
def test_where_zcdp_promises_nothing_or_everything(rhos, epsilon, zcdp):
    leak = printed_leak(rhos, thresholds_of(rhos, 1.5), epsilon, l2_sensitivity=1.0)
    assert leak.zcdp == pytest.approx(zcdp, abs=1e-300)
    assert leak.right <= leak.gaussian * (1 + 1e-9) <= leak.zcdp * (1 + 1e-9)


def test_budgets_must_rise():
    for rhos, taus in (((0.2, 0.1), (1.0, 1.0)), ((0.1, 0.2), (1.0,)), ((), ())):
        with pytest.raises(ParameterError):
            printed_rounds(rhos, taus, l2_sensitivity=1.0)


@pytest.mark.parametrize("tiny", [-1e-200, 5e-324, -5e-324])
def test_a_threshold_of_next_to_nothing_is_that_of_zero(tiny):
    rhos = (0.1, 0.2)
    at_zero = printed_rounds(rhos, (0.0, 0.0), l2_sensitivity=1.0)[1]
    beside = printed_rounds(rhos, (tiny, 2 * tiny), l2_sensitivity=1.0)[1]
    assert beside.distance == pytest.approx(at_zero.distance, rel=1e-9)
    assert beside.probability == pytest.approx(at_zero.probability, rel=1e-9)
