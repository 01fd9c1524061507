"""A path of values: what it serves, that it stays as it is, what it refuses, and who keeps it."""

import copy
import math
import os
import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from dpviz import streams
from dpviz.errors import HardenedModeError, ParameterError, SealedError
from dpviz.gradual import LaplacePath, laws
from dpviz.noise import FAMILIES
from tests.conftest import for_each

FAMILY = {"real": FAMILIES["laplace"], "whole": FAMILIES["discrete_laplace"]}
VALUES = np.array([[62, 18], [150, 0], [7, 7]])


def made(kind="real", least=0.1, most=2.0, values=VALUES, seed=7, **more):
    rng = streams.teaching(seed)
    return LaplacePath(values, least, most, family=FAMILY[kind], rng=rng, **more)


@pytest.fixture(params=FAMILY)
def kind(request):
    return request.param


def test_the_same_numbers_whenever_a_budget_is_looked_up(kind):
    path, twin = made(kind), made(kind)
    asked = np.geomspace(0.1, 2.0, 40).clip(0.1, 2.0)
    once = {e: path.at(e) for e in np.random.default_rng(3).permutation(asked)}
    for epsilon in asked:
        assert_array_equal(path.at(epsilon), once[epsilon])
        assert_array_equal(twin.at(epsilon), once[epsilon])
        assert once[epsilon].shape == VALUES.shape
        assert not once[epsilon].flags.writeable
        assert once[epsilon].dtype == (np.int64 if kind == "whole" else np.float64)


def test_a_value_stays_between_its_jumps(kind):
    path = made(kind)
    numbers = path.jumps().reshape(-1)
    for i in range(VALUES.size):
        ends, values = path.steps(i)
        assert ends.size == values.size == numbers[i] + 1
        assert ends[-1] == 2.0
        assert (np.diff(ends) > 0).all()
        starts = np.concatenate([[0.1], np.nextafter(ends[:-1], 3)])
        for start, end, value in zip(starts, ends, values, strict=True):
            found = {path.at(e).reshape(-1)[i] for e in (start, (start + end) / 2, end)}
            assert found == {value}
    split = path.jumps(0.1, 0.4) + path.jumps(math.nextafter(0.4, 1), 2.0)
    assert_array_equal(split, path.jumps())


def test_a_path_that_grows_keeps_what_it_served(kind):
    path = made(kind, 0.4, 0.8)
    asked = np.linspace(0.4, 0.8, 30)
    before = [path.at(e) for e in asked]
    path.relax_to(3.0)
    path.tighten_to(0.05)
    path.relax_to(1.0)  # served already: nothing changes
    path.tighten_to(0.5)
    assert (path.least_epsilon, path.most_epsilon) == (0.05, 3.0)
    assert_array_equal([path.at(e) for e in asked], before)
    for i in range(VALUES.size):
        ends, values = path.steps(i)
        assert ends[0] >= 0.05
        assert ends[-1] == 3.0
        assert (np.diff(ends) > 0).all()
        assert kind == "whole" or (np.diff(values) != 0).all()


def test_steps_are_few_and_flat():
    """Two arrays for all coordinates, as long as there are steps."""
    path = made(values=np.zeros(20_000), most=1.0)
    steps = path._served[2]
    assert steps.epsilons.size == steps.values.size == 20_000 + path.jumps().sum()
    assert sum(part.nbytes for part in steps) == 16 * steps.values.size + 8 * 20_001
    assert path.jumps().mean() == pytest.approx(2 * math.log(10), abs=0.1)


@pytest.mark.parametrize(("values", "least"), [(5.0, 0.5), (np.zeros((0, 3)), 0.1), ([1, 2], 2.0)])
def test_ends_of_what_can_be_asked(values, least):
    path = made(values=values, least=least)
    assert path.at(2.0).shape == path.jumps().shape == np.shape(values)
    assert path.dimension == np.size(values)
    path.relax_to(4.0)
    path.tighten_to(0.01)
    assert path.at(0.01).shape == np.shape(values)


def test_the_noise_has_the_scale_of_the_sensitivity():
    path = made(values=np.zeros(20_000), l1_sensitivity=10.0, least=1.0)
    for epsilon in (1.0, 2.0):
        assert np.abs(path.at(epsilon)).mean() == pytest.approx(10 / epsilon, rel=0.05)


def test_a_sealed_path_tightens_and_never_relaxes():
    path = made()
    path.seal()
    path.seal()
    path.tighten_to(0.05)
    path.relax_to(2.0)
    with pytest.raises(SealedError, match="sealed at ε = 2 and the exact values are erased"):
        path.relax_to(2.1)
    assert path._exact is None
    assert "sealed=True" in repr(path)


def test_a_path_is_not_copied_and_shows_no_value(kind):
    path = made(kind)
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(ParameterError, match="a LaplacePath is neither copied nor pickled"):
            copied(path)
    assert repr(path).startswith("LaplacePath(family=")
    assert "62" not in repr(path)
    assert "150" not in repr(path)
    assert not hasattr(path, "__dict__")


def test_a_path_grows_in_its_own_process_only(monkeypatch):
    path = made()
    monkeypatch.setattr(os, "getpid", lambda: -1)
    assert path.at(0.3).shape == VALUES.shape  # looking up draws nothing
    for grow in (lambda: path.relax_to(9.0), lambda: path.tighten_to(0.01)):
        with pytest.raises(ParameterError, match="another process"):
            grow()


def test_values_given_are_not_changed_and_not_kept():
    given = np.array([1.0, 2.0])
    path = made(values=given)
    path.seal()
    assert given.tolist() == [1.0, 2.0]


def test_teaching_only():
    for family in FAMILY.values():
        with pytest.raises(HardenedModeError, match="teaching only; open a MultipleRelease"):
            LaplacePath([1], 0.1, 1.0, family=family, rng=streams.hardened())


@for_each("bad", [0.0, -1.0, math.nan, math.inf, None, "0.5"])
def test_budgets_that_are_none_are_refused(bad):
    path = made()
    for ask in (
        lambda: made(least=bad),
        lambda: made(most=bad),
        lambda: path.at(bad),
        lambda: path.relax_to(bad),
        lambda: path.tighten_to(bad),
        lambda: made(l1_sensitivity=bad),
    ):
        with pytest.raises(ParameterError):
            ask()


def test_what_is_not_served_is_refused():
    path = made()
    for ask, words in (
        (lambda: path.at(2.1), "epsilon must be a number from 0.1 to 2"),
        (lambda: path.jumps(0.5, 0.4), "must ascend"),
        (lambda: path.jumps(0.01, 0.4), "from 0.1 to 2"),
        (lambda: path.steps(6), "coordinate must be below 6"),
        (lambda: made(least=3.0), "must ascend, got 3 and then 2"),
        (lambda: made(values=[math.nan]), "finite"),
        (lambda: made("whole", values=[0.5]), "whole numbers"),
        (lambda: made(values=np.zeros(10**7)), "draws at most 4,000,000 at once"),
        (lambda: made("whole", values=np.zeros(10**4, int)), "draws at most 3,000 at once"),
        (lambda: LaplacePath([1], 0.1, 1, family=FAMILIES["gaussian"], rng=streams.teaching(1)),
         "no path with single jumps"),
        (lambda: LaplacePath([1], 0.1, 1, rng=7), "rng must be a numpy Generator"),
    ):  # fmt: skip
        with pytest.raises(ParameterError, match=words):
            ask()


def test_whole_numbers_never_wrap_around():
    edge, outcomes = np.array([2**63 - 1 - 40]), set()
    for seed in range(40):
        try:
            outcomes.add(bool(made("whole", 0.05, 0.5, edge, seed=seed).at(0.05)[0] > 2**62))
        except ParameterError as error:
            outcomes.add("leave the 64-bit integers" in str(error) and "refused")
    assert outcomes == {True, "refused"}


@pytest.mark.parametrize("name", FAMILY)
def test_a_clock_goes_back_the_way_it_came(name):
    ticking = laws.clock_of(FAMILY[name])
    for low, high in ((0.1, 3.0), (1e-9, 2e-9), (5.0, 900.0), (1.0, 1 + 1e-12)):
        passed = np.array(ticking.expected(low, high))
        assert ticking.below(high, passed) == pytest.approx(low, rel=1e-9)
    whole = name == "whole"
    law = (lambda r: 2 * np.log(np.sinh(r / 2))) if whole else (lambda r: 2 * np.log(r))
    assert ticking.expected(0.3, 2.0) == pytest.approx(law(2.0) - law(0.3), rel=1e-12)
    up = (lambda r: np.log(np.sinh(r))) if whole else np.log
    assert up(ticking.above(np.array(0.3), np.array(1.7))) - up(0.3) == pytest.approx(1.7)
