"""Cells of a huge domain: uniform subsets, and thresholds from expected phantom cells."""

import math
from itertools import combinations

import mpmath
import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.sparse import expected_phantoms, threshold_for
from dpviz.sparse.cells import others


@pytest.mark.parametrize("size", [0, 1, 2, 3, 4])
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


@pytest.mark.parametrize(
    ("phantoms", "cells"), [(0, 10), (10, 10), (math.nan, 10), (1, 0), (1, 2.5)]
)
def test_thresholds_that_do_not_exist(phantoms, cells):
    with pytest.raises(ParameterError):
        threshold_for(0.5, phantoms, cells=cells, l2_sensitivity=1.0)
