"""What a domain costs: the first run, which loads what the others find loaded, does not count."""

import itertools

import pytest

from dpviz import streams
from dpviz.experiments import domain_growth as growth


def opened():
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
    first, second = (growth.measure(size, (0.1, 0.2), rng=opened) for size in (10**3, 10**9))
    assert (first.seconds, first.dense_seconds) == (1.0, 1.0)
    assert second.seconds == 1.0
    assert second.dense_seconds is None


def test_all_runs_of_a_size_draw_the_same():
    costs = [growth.measure(10**9, (0.1, 0.2), rng=opened) for _ in range(2)]
    assert costs[0].normals == costs[1].normals
    assert costs[0].bytes == pytest.approx(costs[1].bytes, rel=0.01)
