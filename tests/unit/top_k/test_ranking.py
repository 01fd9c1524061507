"""Lists as they are asked for: kept, continued, ended, and never given away with their counts."""

import copy
import math
import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise

import numpy as np
import pytest

from dpviz import streams
from dpviz.errors import DataError, HardenedModeError, ParameterError
from dpviz.noise import FAMILIES
from dpviz.top_k import PrepaidDraws, Reach, TopK, UnknownDomain
from tests.conftest import for_each

COUNTS = {"the": 650, "and": 546, "to": 384, "of": 338, "thane": 40, "porter": 2, "unicorn": 0}
MODES = {"teaching": lambda: streams.teaching(7), "hardened": streams.hardened}
FAR = UnknownDomain(seen=5, log_delta=math.log(1e-6))


def opened(mode="teaching", counts=COUNTS, epsilon=0.5, reach=None, **other):
    return TopK(counts, epsilon=epsilon, reach=reach or Reach(), rng=MODES[mode](), **other)


@pytest.mark.parametrize("mode", MODES)
def test_a_longer_list_begins_with_the_shorter_one(mode):
    top = opened(mode)
    assert top.ranking is None
    short, long = top.rank(2), top.rank(5)
    assert long.items[:2] == short.items
    assert top.rank(2) == short
    assert top.ranking == long
    assert [short.cost.steps, long.cost.steps, top.cost.steps] == [2, 5, 5]
    assert len(set(top.rank(7).items)) == 7
    assert top.rank(100).items == top.rank(7).items
    assert top.cost.steps == 7, "a known domain has no more than its items"


@pytest.mark.parametrize("mode", MODES)
def test_with_next_to_no_noise_the_order_is_right(mode):
    found = opened(mode, epsilon=20).rank(4)
    assert found.items == ("the", "and", "to", "of")


@pytest.mark.parametrize("mode", MODES)
def test_a_list_of_an_unknown_domain_ends(mode):
    top = opened(mode, unknown=FAR)
    found = top.rank(6)
    assert found.ended
    assert set(found.items) <= {"the", "and", "to", "of", "thane"}
    assert "porter" not in found.items, "it is not among the largest"
    again = top.rank(50)
    assert again.items == found.items
    assert again.cost == top.cost == found.cost, "once it has ended, asking on costs nothing"
    assert found.draws == len(found.items) + 1
    assert not top.rank(len(found.items)).ended


def test_an_unknown_domain_may_be_empty():
    for counts in ({}, {"a": 0}):
        top = opened(counts=counts, unknown=FAR)
        assert top.rank(3).items == ()
        assert top.rank(3).ended
        with pytest.raises(ParameterError, match="no list yet"):
            top.values(FAMILIES["gaussian"], rng=streams.teaching(1))


def test_equal_counts_at_the_cut_are_told_apart_by_the_items():
    """A public rule: the order in which counts are passed is not."""
    unknown = UnknownDomain(seen=2, log_delta=-0.1)
    for counts in ({"b": 9, "c": 9, "a": 9}, {"c": 9, "a": 9, "b": 9}):
        seen = {
            i
            for s in range(60)
            for i in TopK(
                counts, epsilon=0.5, reach=Reach(), unknown=unknown, rng=streams.teaching(s)
            )
            .rank(3)
            .items
        }
        assert seen == {"a", "b"}


def test_the_order_in_which_counts_are_passed_does_not_matter():
    turned = dict(reversed(COUNTS.items()))
    assert opened().rank(6).items == opened(counts=turned).rank(6).items


def test_whole_numbers_are_items_too():
    counts = dict(zip(np.arange(3), np.array([90, 50, 70]), strict=True))
    assert opened(counts=counts, epsilon=20).rank(3).items == (0, 2, 1)


def test_the_scale_of_the_noise():
    assert opened(epsilon=0.1, reach=Reach(linf=3)).scale == 30
    assert opened(epsilon=0.1, reach=Reach(linf=3, both_ways=True)).scale == 60
    with pytest.raises(ParameterError, match="one person more or less"):
        opened(reach=Reach(both_ways=True), unknown=FAR)


def test_counts_on_the_list_are_one_session_for_the_same_list_and_noise():
    top = opened()
    top.rank(3)
    session = top.values(FAMILIES["gaussian"], rng=streams.teaching(1))
    assert top.values(FAMILIES["gaussian"], rng=streams.teaching(2)) is session
    assert top.values(FAMILIES["laplace"], rng=streams.teaching(2)) is not session
    top.rank(4)
    assert top.values(FAMILIES["gaussian"], rng=streams.teaching(2)).dimension == 4
    exact = [COUNTS[i] for i in top.rank(3).items]
    np.testing.assert_allclose(session.release(1e-12), exact, atol=1e-3)
    assert top.reach.sensitivity(3).l1 == 3
    assert Reach(l0=2, linf=5).sensitivity(3).l1 == 10


def test_hardened_counts_need_whole_noise():
    top = opened("hardened")
    top.rank(3)
    with pytest.raises(HardenedModeError):
        top.values(FAMILIES["gaussian"], rng=streams.hardened())
    session = top.values(FAMILIES["discrete_laplace"], rng=streams.hardened())
    assert session.release(2.0).dtype.kind == "i"


def test_nothing_shows_a_count():
    top = opened(unknown=FAR)
    found = top.rank(4)
    assert "650" not in repr(top) + repr(found)
    for act in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(ParameterError, match="neither copied nor pickled"):
            act(top)
    for bad in ({"x": 650.5}, {"x": -650}, {"x": True}, {"x": "650"}, {"x": 1, 2: 650}):
        with pytest.raises(DataError) as caught:
            opened(counts=bad)
        assert "650" not in str(caught.value)


def test_two_threads_draw_one_list():
    top, barrier = opened(), threading.Barrier(8)

    def ask(k):
        barrier.wait()
        return top.rank(k).items

    with ThreadPoolExecutor(8) as pool:
        lists = sorted(pool.map(ask, (3, 5, 1, 7, 2, 6, 4, 3)), key=len)
    for one, other in pairwise(lists):
        assert other[: len(one)] == one


@for_each("bad", [0, -1, 1.5, "3", None, True, 10**9])
def test_a_length_that_is_none_is_refused(bad):
    with pytest.raises(ParameterError):
        opened().rank(bad)


def test_what_cannot_be_drawn_from_is_refused():
    for bad in ({"epsilon": 0}, {"counts": {}}, {"counts": [1, 2]}, {"unknown": 5}):
        with pytest.raises(ParameterError):
            opened(**bad)
    with pytest.raises(ParameterError):
        TopK(COUNTS, epsilon=1, reach=Reach(), rng=None)
    for bad in ({"seen": 0, "log_delta": -1}, {"seen": 5, "log_delta": 0.5}):
        with pytest.raises(ParameterError):
            UnknownDomain(**bad)


LOG_DELTA = math.log(1e-7)


def budget(draws=8, calls=3):
    return PrepaidDraws(draws=draws, calls=calls, epsilon=0.5, log_delta=LOG_DELTA)


def paid(by, counts=COUNTS, seed=7, epsilon=0.5, log_delta=LOG_DELTA, **other):
    unknown = UnknownDomain(seen=5, log_delta=log_delta)
    rng = streams.teaching(seed)
    return TopK(
        counts, epsilon=epsilon, reach=Reach(l0=2), unknown=unknown, rng=rng, prepaid=by, **other
    )


def test_you_pay_for_what_you_get():
    bought = budget()
    found = paid(bought).rank(7)
    assert found.ended
    assert bought.draws_left == 8 - found.draws
    assert bought.calls_left == 2
    short = paid(bought, seed=8).rank(2)
    assert (len(short.items), short.ended) == (2, False)
    assert bought.draws_left == 8 - found.draws - 2


def test_the_last_call_gets_what_is_left():
    bought = budget(draws=3)
    top = paid(bought)
    assert top.rank(2).asked == 2
    more = top.rank(5)
    assert (more.asked, len(more.items), more.ended) == (3, 3, False)
    assert bought.draws_left == 0
    assert top.rank(3) == more
    with pytest.raises(ParameterError, match="all 3 draws of this budget are spent"):
        top.rank(4)
    with pytest.raises(ParameterError, match="all 3 draws"):
        paid(bought).rank(1)


def test_no_more_calls_than_were_bought():
    bought = budget(calls=1)
    paid(bought)
    with pytest.raises(ParameterError, match="all 1 calls of this budget are spent"):
        paid(bought)


def test_the_budget_pays_for_its_own_draws_only():
    for other in ({"epsilon": 0.6}, {"log_delta": -3.0}):
        with pytest.raises(ParameterError, match="at its own epsilon"):
            paid(budget(), **other)
    with pytest.raises(ParameterError, match="unknown domain"):
        opened(prepaid=budget())
    with pytest.raises(ParameterError):
        opened(prepaid=5, unknown=FAR)
    assert budget().calls_left == 3


def test_what_the_whole_budget_costs():
    one, three = budget(calls=1).cost, budget().cost
    assert (one.steps, three.steps) == (8, 8)
    assert one.hidden == pytest.approx(1e-7)
    assert three.hidden == pytest.approx(6e-7)
    assert three.pure == 4


def test_a_budget_is_not_copied_and_is_refused_where_it_is_none():
    with pytest.raises(ParameterError):
        copy.copy(budget())
    for bad in ({"draws": 0}, {"calls": 0}, {"calls": 10**8}):
        with pytest.raises(ParameterError):
            budget(**bad)
    with pytest.raises(ParameterError):
        budget().give_back(1)
