"""The live counter: which noise is in which prefix sum, exactly; states, refusals."""

import copy
import math
import pickle
import threading
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting import smallest_tree
from dpviz.accounting.levels import laplace_level
from dpviz.counting import ContinualCounter, CountedStream, counted_stream
from dpviz.counting import steps as counting_steps
from dpviz.counting.counted_stream import noisy_sums, prefix_sums, rows_of, vertex_sums
from dpviz.counting.steps import advance, begin, with_level
from dpviz.errors import DataError, HardenedModeError, ParameterError, SealedError
from dpviz.noise import FAMILIES
from tests.conftest import FULL, for_each

LAPLACE, DISCRETE = FAMILIES["laplace"], FAMILIES["discrete_laplace"]
SHAPES = [(15, 2, True), (13, 3, True), (10, 4, True), (12, 5, True), (9, 19, True), (8, 20, True)]
SHAPES += [(15, 2, False), (26, 3, False), (15, 4, False), (9, 17, False), (1, 2, True)]
SHAPES += [(11, 3, True), (7, 4, True)]


def opened(steps=50, epsilons=(1.0,), *args, seed=7, **named):
    return ContinualCounter(steps, epsilons, *args, **named, rng=streams.teaching(seed))


@dataclass
class Traced:
    """Noise that says which draw it is: a power of two, a new one for every coordinate drawn."""

    name: str = "discrete_laplace"
    label: str = "traced"
    integer: bool = True
    drawn: list = field(default_factory=list)

    def extend(self, values, low, high, *, rng):  # noqa: ARG002
        first = len(self.drawn)
        self.drawn += [(low, high)] * values.size
        return values + 2 ** np.arange(first, first + values.size)

    def bridge(self, *_, **__):
        raise AssertionError("levels ascend in these tests")


def sets_of_draws(noises):
    return [{i for i in range(63) if int(noise) >> i & 1} for noise in noises]


@pytest.mark.parametrize(("steps", "arity", "subtraction"), SHAPES)
def test_each_prefix_sum_holds_the_noise_of_its_vertices(steps, arity, subtraction, monkeypatch):
    """Two prefix sums share as many draws as vertices, and each vertex is drawn once."""
    monkeypatch.setattr(counting_steps, "AHEAD", 1)
    tree = smallest_tree(steps, arity, subtraction)
    rng, family = streams.teaching(1), Traced()
    state = begin(tree, steps, family, (3.0,), rng=rng)
    found = []
    for step in range(1, steps + 1):
        (noisy,), state = advance(state, step, rng=rng)
        found.append(noisy - step * (step + 1) // 2)
        assert state.step == step
    drawn = sets_of_draws(found)
    wanted = [set(tree.vertices(step)) for step in range(1, steps + 1)]
    for one in range(steps):
        for other in range(steps):
            assert len(drawn[one] & drawn[other]) == len(wanted[one] & wanted[other])


@pytest.mark.parametrize(("steps", "arity", "subtraction"), [(13, 3, True), (10, 4, True)])
def test_levels_share_one_path_for_each_vertex(steps, arity, subtraction, monkeypatch):
    """Each vertex gets one step per level, the same in every prefix sum, on top of the last."""
    monkeypatch.setattr(counting_steps, "AHEAD", 1)
    tree = smallest_tree(steps, arity, subtraction)
    rng, family = streams.teaching(1), Traced()
    state = begin(tree, steps, family, (3.0, 5.0), rng=rng)
    low, high = [], []
    for _ in range(steps):
        (less, more), state = advance(state, 0, rng=rng)
        low.append(less)
        high.append(more)
    less, more = sets_of_draws(low), sets_of_draws(high)
    assert all(one < other for one, other in zip(less, more, strict=True))
    steps_up = [other - one for one, other in zip(less, more, strict=True)]
    assert {family.drawn[i] for i in set().union(*less)} == {(0.0, 3.0)}
    assert {family.drawn[i] for i in set().union(*steps_up)} == {(3.0, 5.0)}
    for one in range(steps):
        for other in range(steps):
            assert len(less[one] & less[other]) == len(steps_up[one] & steps_up[other])


@pytest.mark.parametrize("joins_after", range(13))
def test_a_tier_that_joins_extends_the_live_vertices(joins_after, monkeypatch):
    monkeypatch.setattr(counting_steps, "AHEAD", 1)
    tree, rng, family = smallest_tree(13, 3), streams.teaching(1), Traced()
    state = begin(tree, 13, family, (3.0,), rng=rng)
    for _ in range(joins_after):
        _, state = advance(state, 1, rng=rng)
    state = with_level(state, 5.0, rng=rng)
    assert with_level(state, 5.0, rng=rng) is state
    rows = []
    for _ in range(joins_after, 13):
        noisy, state = advance(state, 1, rng=rng)
        rows.append([n - state.total for n in noisy])
    less, more = (sets_of_draws(column) for column in zip(*rows, strict=True))
    wanted = [set(tree.vertices(step)) for step in range(joins_after + 1, 14)]
    for one in range(len(rows)):
        assert less[one] <= more[one]
        for other in range(len(rows)):
            shared = len(wanted[one] & wanted[other])
            assert len(less[one] & less[other]) == shared
            assert len(more[one] & more[other]) == 2 * shared


@pytest.mark.parametrize("family", [LAPLACE, DISCRETE], ids=lambda f: f.name)
def test_a_tier_that_joins_changes_nothing_for_the_others(family):
    alone, joined = (opened(200, (0.5, 2.0), family=family) for _ in range(2))
    for step in range(40):
        assert alone.push(step).tolist() == joined.push(step).tolist()
    assert [joined.add_tier(e) for e in (1.0, 0.1, 7.0, 0.5)] == [2, 3, 4, 5]
    assert joined.epsilons == (0.5, 2.0, 1.0, 0.1, 7.0, 0.5)
    after = joined.push(3)
    assert after[:2].tolist() == pytest.approx(alone.push(3).tolist(), abs=1e-9)
    assert after.shape == (6,)
    assert after[0] == after[5]  # the same budget: the same numbers
    assert joined.levels[0] == joined.levels[5] == laplace_level(0.5, joined.tree.height)


def test_noise_follows_the_count_and_not_the_other_way():
    quiet, busy = opened(300, family=DISCRETE), opened(300, family=DISCRETE)
    total = 0
    for step in range(300):
        total += step % 7
        assert busy.push(step % 7) - quiet.push(0) == total
    assert busy.taken == 300


def test_the_result_is_in_the_order_of_the_budgets():
    ordered, mixed = opened(30, (0.1, 1.0, 10.0)), opened(30, (1.0, 10.0, 0.1, 1.0))
    for _ in range(30):
        low, middle, high = ordered.push(5)
        assert mixed.push(5).tolist() == [middle, high, low, middle]


def test_kinds_of_results_and_of_counts():
    assert opened().push(3).dtype == np.float64
    assert opened(family=DISCRETE).push(np.int32(3)).dtype == np.int64
    assert opened().push(np.uint8(3)) == opened().push(3)
    assert opened(50, (Decimal("0.5"), Fraction(1, 3))).push(0).shape == (2,)
    hardened = ContinualCounter(50, [1.0], family=DISCRETE, rng=streams.hardened())
    assert (hardened.mode, opened().mode) == ("hardened", "teaching")
    assert hardened.push(10).dtype == np.int64


def test_scale_is_height_times_what_one_person_moves():
    counter = opened(1000, (0.5,), 19, sensitivity=3)
    assert counter.tree == smallest_tree(1000, 19)
    assert counter.levels == (laplace_level(0.5, 3 * 3),)
    plain = opened(1000, (0.5,), 2, subtraction=False)
    assert plain.levels == (20.0,)
    assert plain.tree.height == 10
    assert opened(1000).tree.arity == 14  # the best one
    assert counter.family is LAPLACE


def test_memory_does_not_grow_with_the_stream():
    for steps in (10**3, 10**9, 10**15):
        counter = opened(steps, (1.0, 2.0))
        most = 2 * (counter.tree.most_held + counting_steps.AHEAD + 4 * counter.tree.arity)
        for _ in range(1000):
            counter.push(1)
            assert counter.numbers_kept <= most
    steps = 20_000 if FULL else 2_000
    long = opened(steps, (1.0,), 3)
    kept = []
    for _ in range(steps):
        long.push(1)
        kept.append(len(pickle.dumps(long._state.run)))
    assert max(kept) < 9 * (counting_steps.AHEAD + 100)


def test_no_rounding_piles_up():
    steps = 30_000 if FULL else 3_000
    counter = opened(steps, (1e-3,), 3)
    state, rng = counter._state, streams.teaching(3)
    for _ in range(steps):
        noisy, state = advance(state, 0, rng=rng)
    run = state.run
    digit = (state.step + state.plan.offset) % 3
    pair = run.drawn[0][run.used : run.used + 2]
    narrow = pair[1:] if digit == 2 else pair[:1] if digit == 0 else ()
    assert noisy[0] == pytest.approx(math.fsum(run.wide[0] + narrow), rel=1e-14)


@pytest.mark.parametrize("clone", [copy.copy, copy.deepcopy, pickle.dumps])
def test_copies_are_refused(clone):
    counter = opened(500, (1.0, 0.2), family=DISCRETE)
    counter.push(3)
    with pytest.raises(ParameterError, match="ContinualCounter is neither copied nor pickled"):
        clone(counter)


def test_threads_never_share_a_step():
    counter = opened(4000, family=DISCRETE)
    threads = [
        threading.Thread(target=lambda: [counter.push(1) for _ in range(1000)]) for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counter.taken == counter._state.total == 4000


BAD_COUNTS = [-42, 42.5, 42.0, "42", None, True, np.True_, math.nan, np.float64(42), [42], 42j]
BAD_COUNTS += [Fraction(42), Decimal(42), np.array([42])]


@for_each("count", BAD_COUNTS)
def test_a_bad_count_is_refused_and_changes_nothing(count):
    counter, spared = opened(), opened()
    counter.push(1)
    spared.push(1)
    with pytest.raises(DataError, match="a count must be") as refusal:
        counter.push(count)
    assert "42" not in str(refusal.value)
    assert counter.taken == 1
    assert counter.push(5).tolist() == spared.push(5).tolist()


def test_counts_that_are_too_large():
    counter = opened()
    counter.push(2**53 - 1)
    with pytest.raises(DataError, match=r"add up to at most 2\*\*53"):
        counter.push(2)
    assert counter.push(1).shape == (1,)
    loud = opened(10**6, (Fraction(5, 10**15),), family=DISCRETE)
    assert loud.push(1).dtype == np.int64


def test_more_counts_than_steps_are_refused():
    for steps, arity in ((4, 3), (3, 3), (1, 2)):
        counter = opened(steps, (1.0,), arity)
        for _ in range(steps):
            counter.push(1)
        for _ in range(2):
            with pytest.raises(ParameterError, match=f"all {steps} steps of this counter are"):
                counter.push(1)
        assert counter.taken == steps


def test_refusals_when_opening():
    for bad in (0, -1, 2.5, "7", None, True):
        with pytest.raises(ParameterError, match="steps must be a whole number"):
            opened(bad)
        with pytest.raises(ParameterError, match="epsilon must be"):
            opened(10, [1.0, -1.0 if bad in (2.5, True) else bad])
        if bad is not None:
            with pytest.raises(ParameterError, match="arity must be a whole number"):
                opened(10, [1.0], bad)
        with pytest.raises(ParameterError, match="sensitivity must be"):
            opened(10, sensitivity=-1 if bad in (2.5, True) else bad)
    for bad in ([], 1.0, None, "12"):
        with pytest.raises(ParameterError, match="epsilons must be a list"):
            opened(10, bad)
    for bad in (FAMILIES["gaussian"], FAMILIES["skellam"], "laplace", None, type(LAPLACE)):
        with pytest.raises(ParameterError, match="takes Laplace or discrete Laplace noise"):
            opened(10, family=bad)
    with pytest.raises(HardenedModeError, match="floating-point numbers"):
        ContinualCounter(10, [1.0], rng=streams.hardened())
    with pytest.raises(ParameterError, match="rng must be a numpy Generator"):
        ContinualCounter(10, [1.0], rng=7)
    counter = opened()
    with pytest.raises(ParameterError, match="epsilon must be"):
        counter.add_tier(0)
    assert counter.epsilons == (1.0,)


def test_the_text_of_a_counter_tells_no_count():
    counter = opened(365, (0.5, 2.0))
    counter.push(987654)
    assert repr(counter) == (
        "ContinualCounter(steps=365, taken=1, tiers=2, arity=28, height=2, mode='teaching')"
    )


# --- The whole-stream form ---


STREAM_SHAPES = [
    (steps, arity, subtraction)
    for steps in (1, 2, 5, 13, 14, 40, 41, 63)
    for arity in (2, 3, 4, 5, 7, 20)
    for subtraction in (True, False)
]


def opened_stream(counts=(3, 0, 2, 7), *args, seed=7, **named):
    return CountedStream(counts, *args, **named, rng=streams.teaching(seed))


@pytest.mark.parametrize(("steps", "arity", "subtraction"), STREAM_SHAPES)
@pytest.mark.parametrize("block", [1, 65536])
def test_maps_are_the_vertices_of_the_tree(steps, arity, subtraction, block, monkeypatch):
    """Column by column: R gives every vertex, L adds those of each step with their signs."""
    monkeypatch.setattr(counted_stream, "BLOCK", block)
    tree = smallest_tree(steps, arity, subtraction)
    rows = rows_of(tree, steps)
    impulses = [vertex_sums(tree, rows, prefix_sums(one)) for one in np.eye(steps, dtype=int)]
    spread = np.array(impulses).T
    assert set(np.unique(spread)) <= {0, 1}
    assert spread.sum(axis=0).max() <= tree.height  # the ℓ1 sensitivity
    size = len(spread)
    added = np.array([noisy_sums(tree, rows, one, steps) for one in np.eye(size, dtype=int)]).T
    assert (added @ spread == np.tril(np.ones((steps, steps)))).all()
    seen = {}
    for step in range(1, steps + 1):
        used = tree.vertices(step)
        row = added[step - 1]
        assert sorted(row[row != 0]) == sorted(v.sign for v in used)
        for v in used:
            inputs = np.zeros(steps, dtype=int)
            inputs[v.first - 1 : v.last] = 1  # those to come are not there
            places = [p for p in np.flatnonzero(row == v.sign) if (spread[p] == inputs).all()]
            assert places
            if inputs.any() and len(places) == 1:  # the same vertex stands in the same place
                assert seen.setdefault(v, places[0]) == places[0]


def test_running_counts_survive_both_maps():
    rng = streams.teaching(1)
    for steps in (1, 2, 100, 3001):
        counts = rng.integers(0, 1000, steps)
        for arity in (2, 3, 14, 19, 64):
            tree = smallest_tree(steps, arity)
            rows = rows_of(tree, steps)
            vertices = vertex_sums(tree, rows, prefix_sums(counts))
            assert (noisy_sums(tree, rows, vertices, steps) == counts.cumsum()).all()
            assert vertices.size <= 2 * tree.most_steps + arity * tree.height


@for_each("dtype", ["u1", "i1", "u8", "i8", ">i4"])
def test_every_whole_dtype(dtype):
    assert prefix_sums(np.full(5, 100, dtype)).tolist() == [0, 100, 200, 300, 400, 500]


def test_a_release_is_drawn_once_and_cannot_be_changed():
    for family, kind in ((LAPLACE, "f"), (DISCRETE, "i")):
        stream = opened_stream(family=family)
        first = stream.release(1.0)
        assert stream.release(1) is first
        assert first.shape == (4,)
        assert first.dtype.kind == kind
        assert not first.flags.writeable
        assert not first.base.flags.writeable
        stream.release(0.5)
        stream.release(3.0)
        level = stream.tree.height / np.array([3.0, 1.0, 0.5])
        assert stream.levels == pytest.approx(level)
        with pytest.raises(ParameterError, match="neither copied nor pickled"):
            pickle.dumps(stream)


def test_the_scale_of_a_stream_is_height_times_what_one_person_moves():
    stream = opened_stream(np.ones(1000, dtype=int), 19, sensitivity=5)
    assert stream.level(0.5) == laplace_level(0.5, 3 * 5) == 30
    assert stream.steps == 1000
    assert opened_stream(np.ones(1000, dtype=int)).tree.arity == 14
    assert opened_stream(np.ones(1000, dtype=int), 2, False).level(1.0) == 10


def test_sealing_erases_the_counts():
    stream = opened_stream(np.full(500, 123_457), family=DISCRETE)
    low = stream.release(0.5)
    with pytest.raises(ParameterError, match="cannot be the seal"):
        stream.seal(0.4)
    stream.seal(1.0)
    held = stream.release(1.0)
    assert stream.release(0.5) is low
    assert stream.release(0.7).shape == (500,)
    with pytest.raises(SealedError):
        stream.release(2.0)
    assert stream._session._exact is None
    exact = 123_457 * np.arange(1, 501)
    assert 0 < np.abs(held - exact).max() < 1000
    for name in stream.__slots__:
        kept = getattr(stream, name)
        assert not isinstance(kept, np.ndarray)


def test_hardened_noise_is_whole():
    stream = CountedStream([1, 2, 3], family=DISCRETE, rng=streams.hardened())
    assert stream.mode == "hardened"
    assert stream.release(1.0).dtype == np.int64
    with pytest.raises(HardenedModeError):
        CountedStream([1, 2, 3], rng=streams.hardened())


BAD_STREAMS = {
    "negative": ([3, -4242, 5], "at least 0"),
    "fractional": ([3, 4242.5], "whole numbers"),
    "float": ([3.0, 4242.0], "whole numbers"),
    "text": (["3", "4242"], "whole numbers"),
    "bool": ([True, False], "whole numbers"),
    "none": ([3, None], "whole numbers"),
    "empty": ([], "not empty"),
    "scalar": (4242, "one list"),
    "table": ([[3, 4242]], "one list"),
    "ragged": ([[3], [1, 4242]], "one list"),
    "too large": ([2**53, 1], r"add up to at most 2\*\*53"),
    "wrapped": (np.array([2**63, 2**63], dtype=np.uint64), r"add up to at most 2\*\*53"),
}


@for_each("name", BAD_STREAMS)
def test_bad_counts_get_a_sentence_without_a_value(name):
    counts, sentence = BAD_STREAMS[name]
    with pytest.raises(DataError, match=sentence) as refusal:
        opened_stream(counts)
    assert "4242" not in str(refusal.value)


def test_other_refusals():
    for bad in (0, -1, "x", None, float("nan")):
        with pytest.raises(ParameterError, match="epsilon must be"):
            opened_stream().release(bad)
        with pytest.raises(ParameterError, match="sensitivity must be"):
            opened_stream(sensitivity=bad)
    with pytest.raises(ParameterError, match="arity must be"):
        opened_stream((1, 2), 1)
    with pytest.raises(ParameterError, match="takes Laplace or discrete Laplace noise"):
        opened_stream(family=FAMILIES["gaussian"])
    assert repr(opened_stream([987654])) == (
        "CountedStream(steps=1, arity=2, height=1, tiers=0, mode='teaching')"
    )
