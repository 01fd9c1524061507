"""Lists drawn again and again, by chances of lists; and peeling, MATHEMATICS 17.2."""

import math
from dataclasses import replace

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting import mixed_composition_log_delta
from dpviz.errors import ParameterError
from dpviz.experiments.peeling import ItemGroup, PeelingCurves, peeling_curves, search_peeling
from dpviz.experiments.top_k import Repetitions, repeated_lists
from dpviz.noise import FAMILIES
from tests import oracles_top_k
from tests.conftest import few, for_each, full_run

GAUSSIAN = FAMILIES["gaussian"]


def made(counts=(9, 7, 4, 1), k=2, repetitions=2000, level=4.0, family=GAUSSIAN, **other):
    asked = {"scale": 2.0, "family": family, "level": level, "repetitions": repetitions} | other
    return repeated_lists(counts, k, rng=streams.teaching(7), **asked)


def test_items_are_missed_as_often_as_they_should():
    found = made()
    law = oracles_top_k.lists(dict(enumerate((9.0, 7.0, 4.0, 1.0))), 2.0, 2)
    wanted = sum(p * sum(i >= 2 for i in o) for o, p in law.items())
    spread = math.sqrt(2 / 2000)
    assert found.missed.mean() == pytest.approx(wanted, abs=5 * spread)
    np.testing.assert_array_equal(found.missed, found.wrongly_shown)


@pytest.mark.parametrize("name", few(["poisson", "gaussian", "laplace"], 3))
def test_errors_are_those_of_the_noise(name):
    found = made(family=FAMILIES[name])
    deviation = math.sqrt(FAMILIES[name].variance(4.0))
    assert found.error(found.values) == pytest.approx([deviation] * 2, rel=0.15)


def test_the_fit_helps_where_counts_are_near_each_other():
    found = made(counts=(50, 50, 50, 50, 1), k=4, level=100.0)
    assert (found.error(found.fitted) < found.error(found.values)).all()
    assert (np.diff(found.fitted, axis=1) <= 0).all()


def test_lists_that_end_are_padded():
    found = made(counts=(90, 70, 1), k=3, end=40.0)
    assert (found.places[:, 2] == -1).all()
    assert (found.missed == 1).all()
    assert (found.wrongly_shown == 0).all()
    assert np.isnan(found.values[:, 2]).all()
    errors = found.error(found.fitted)
    assert np.isnan(errors).tolist() == [False, False, True]


@for_each("bad", [{"k": 0}, {"k": 9}, {"counts": (1, 2)}, {"scale": 0}, {"repetitions": 10**9}])
def test_what_cannot_be_repeated_is_refused(bad):
    with pytest.raises(ParameterError):
        made(**bad)
    with pytest.raises(ParameterError):
        Repetitions(places=np.zeros((1, 2), int), truth=1, values=2, fitted=3)


# Lists with Gumbel noise against rounds that are fixed in advance: MATHEMATICS 17.2.


def grouped(*triples):
    return [ItemGroup(size=n, score=score, moved=moved) for n, score, moved in triples]


def by_enumeration(groups, k, total):
    """δ as a sum over ordered lists of single items, in the direction that is larger."""
    items = [(g.score, g.score + g.moved) for g in groups for _ in range(g.size)]
    laws = [oracles_top_k.lists(dict(enumerate(side)), 1.0, k) for side in zip(*items, strict=True)]
    assert math.fsum(laws[0].values()) == pytest.approx(1)
    return oracles_top_k.exact_delta(*laws, total)


CASES = few(
    [
        (grouped((2, 0.0, 0.0), (2, 0.5, 1.0)), 2, 1.0),
        (grouped((1, 0.0, 0.0), (1, -0.3, 0.7), (3, 0.1, 1.0)), 3, 1.0),
        (grouped((3, 2.0, 0.2), (2, 0.0, 0.0)), 4, 0.2),
        (grouped((1, 0.0, 0.4), (1, 0.0, 0.0), (1, 9.0, 0.2)), 3, 0.5),
    ],
    2,
)


@pytest.mark.parametrize(("groups", "k", "epsilon"), CASES)
def test_orders_of_groups_are_all_lists_of_items(groups, k, epsilon):
    totals = [-0.1, 0.0, 0.3 * epsilon, 1.2 * epsilon]
    found = peeling_curves(groups, k, epsilon, totals)
    slow = [by_enumeration(groups, k, total) for total in totals]
    assert found.peeled == pytest.approx(slow, rel=1e-10, abs=1e-14)
    near = replace(groups[0], score=groups[0].score + 0.1)
    wrong = peeling_curves([near, *groups[1:]], k, epsilon, totals)
    assert wrong.peeled != pytest.approx(slow, rel=1e-4)


@pytest.mark.parametrize("k", [1, 2, 4])
def test_a_list_costs_less_than_both_bounds(k):
    totals = np.linspace(0, k, 5)[:-1]
    found = peeling_curves(grouped((30, 0.0, 0.0), (20, 0.3, 1.0)), k, 1.0, totals)
    assert (found.peeled <= found.in_advance).all()
    assert (found.in_advance <= found.adaptive * (1 + 1e-9)).all()
    assert not found.refutes


def test_one_item_is_one_round_and_reaches_its_bound():
    """δ of one round at 0 is (1 - e^(-ε/2))²/(1 - e^-ε), with half of e^(ε/2) moved."""
    share = math.expm1(0.5) / math.expm1(1.0)  # of the items that move, so that both ends are lost
    groups = grouped((1, math.log(share), 1.0), (1, math.log(1 - share), 0.0))
    found = peeling_curves(groups, 1, 1.0, [0.0])
    exact = (1 - math.exp(-0.5)) ** 2 / (1 - math.exp(-1.0))
    assert found.in_advance[0] == pytest.approx(exact, rel=1e-9)
    assert found.peeled[0] == pytest.approx(exact, rel=1e-3)


def test_longer_groups_come_as_near_as_one_likes_and_never_above():
    """MATHEMATICS 17.2: what is missing falls as 1/n², so no list could promise less."""
    short = {}
    for n in (5, 10, 20, 40):
        groups, found = search_peeling(2, 1.0, 0.0, sizes=(n, n), rng=streams.teaching(7))
        assert not found.refutes
        assert sum(group.size for group in groups) == 2 * n
        short[n] = 1 - found.ratio
    for n in (5, 10, 20):
        assert short[n] / short[2 * n] == pytest.approx(4, rel=0.25)
    fixed = math.exp(mixed_composition_log_delta(0, 2, 1.0, 0.0))
    assert found.in_advance[0] == pytest.approx(fixed, rel=1e-12)
    assert found.adaptive[0] / fixed == pytest.approx(1.052, abs=5e-4)
    assert found.peeled[0] < found.adaptive[0] * 0.96


@full_run
@pytest.mark.parametrize("k", [2, 3, 5])
@pytest.mark.parametrize(("epsilon", "total"), [(1.0, 0.5), (3.0, 2.0), (0.1, 0.05)])
@pytest.mark.parametrize("sizes", [(50, 50), (3, 30, 3), (2, 2, 2)], ids=str)
def test_no_list_that_is_tried_refutes_the_conjecture(k, epsilon, total, sizes):
    if sum(sizes) >= k:
        _, found = search_peeling(k, epsilon, total, sizes=sizes, rng=streams.teaching(7))
        assert not found.refutes
        assert found.ratio > 0.6


def test_a_list_that_costs_more_would_be_seen():
    at = np.array([0.0])
    curves = PeelingCurves(totals=at, peeled=at + 0.3, in_advance=at + 0.29, adaptive=at + 0.31)
    assert curves.refutes
    assert curves.ratio == pytest.approx(0.3 / 0.29)
    assert not PeelingCurves(totals=at, peeled=at, in_advance=at, adaptive=at).refutes


RNG = streams.teaching(7)
TWO = grouped((2, 0.0, 0.0), (2, 0.0, 1.0))


@for_each(
    "use",
    [
        lambda: peeling_curves(TWO, 5, 1.0, [0.0]),
        lambda: peeling_curves(TWO, 2, 0.99, [0.0]),
        lambda: peeling_curves(TWO, 0, 1.0, [0.0]),
        lambda: peeling_curves(TWO, 2, 0.0, [0.0]),
        lambda: peeling_curves([], 1, 1.0, [0.0]),
        lambda: peeling_curves([None], 1, 1.0, [0.0]),
        lambda: peeling_curves(TWO, 2, 1.0, [math.nan]),
        lambda: peeling_curves(grouped((50, 0.0, 0.0), (50, 0.0, 1.0)), 21, 1.0, [0.0]),
        lambda: search_peeling(2, 1.0, 2.0, rng=RNG),
        lambda: search_peeling(2, 1.0, 0.0, sizes=(1,), rng=RNG),
        lambda: search_peeling(2, 1.0, 0.0, starts=0, rng=RNG),
        lambda: search_peeling(2, 1.0, 0.0, rng=None),
        lambda: ItemGroup(size=0, score=0.0, moved=0.0),
        lambda: ItemGroup(size=1, score=math.inf, moved=0.0),
        lambda: ItemGroup(size=1, score=0.0, moved=-0.1),
    ],
)
def test_refuses(use):
    with pytest.raises(ParameterError):
        use()
