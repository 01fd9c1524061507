"""The whole-stream form: its two maps are exact, its releases are remembered and can be sealed."""

import pickle

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting import smallest_tree
from dpviz.accounting.levels import laplace_level
from dpviz.counting import CountedStream
from dpviz.counting import maps as counting_maps
from dpviz.counting.maps import noisy_sums, prefix_sums, rows_of, vertex_sums
from dpviz.errors import DataError, HardenedModeError, ParameterError, SealedError
from dpviz.noise import FAMILIES

LAPLACE, DISCRETE = FAMILIES["laplace"], FAMILIES["discrete_laplace"]
SHAPES = [
    (steps, arity, subtraction)
    for steps in (1, 2, 5, 13, 14, 40, 41, 63)
    for arity in (2, 3, 4, 5, 7, 20)
    for subtraction in (True, False)
]


def opened(counts=(3, 0, 2, 7), *args, seed=7, **named):
    return CountedStream(counts, *args, **named, rng=streams.teaching(seed))


@pytest.mark.parametrize(("steps", "arity", "subtraction"), SHAPES)
@pytest.mark.parametrize("block", [1, 65536])
def test_maps_are_the_vertices_of_the_tree(steps, arity, subtraction, block, monkeypatch):
    """Column by column: R gives every vertex, L adds those of each step with their signs."""
    monkeypatch.setattr(counting_maps, "BLOCK", block)
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


@pytest.mark.parametrize("dtype", ["u1", "i1", "u8", "i8", ">i4"])
def test_every_whole_dtype(dtype):
    assert prefix_sums(np.full(5, 100, dtype)).tolist() == [0, 100, 200, 300, 400, 500]


def test_a_release_is_drawn_once_and_cannot_be_changed():
    for family, kind in ((LAPLACE, "f"), (DISCRETE, "i")):
        stream = opened(family=family)
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


def test_scale_is_height_times_what_one_person_moves():
    stream = opened(np.ones(1000, dtype=int), 19, sensitivity=5)
    assert stream.level(0.5) == laplace_level(0.5, 3 * 5) == 30
    assert stream.steps == 1000
    assert opened(np.ones(1000, dtype=int)).tree.arity == 14
    assert opened(np.ones(1000, dtype=int), 2, False).level(1.0) == 10


def test_sealing_erases_the_counts():
    stream = opened(np.full(500, 123_457), family=DISCRETE)
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


BAD_COUNTS = {
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


@pytest.mark.parametrize("name", BAD_COUNTS)
def test_bad_counts_get_a_sentence_without_a_value(name):
    counts, sentence = BAD_COUNTS[name]
    with pytest.raises(DataError, match=sentence) as refusal:
        opened(counts)
    assert "4242" not in str(refusal.value)


def test_other_refusals():
    for bad in (0, -1, "x", None, float("nan")):
        with pytest.raises(ParameterError, match="epsilon must be"):
            opened().release(bad)
        with pytest.raises(ParameterError, match="sensitivity must be"):
            opened(sensitivity=bad)
    with pytest.raises(ParameterError, match="arity must be"):
        opened((1, 2), 1)
    with pytest.raises(ParameterError, match="takes Laplace or discrete Laplace noise"):
        opened(family=FAMILIES["gaussian"])
    assert repr(opened([987654])) == (
        "CountedStream(steps=1, arity=2, height=1, tiers=0, mode='teaching')"
    )
