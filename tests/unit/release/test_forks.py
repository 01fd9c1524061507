"""A session goes on in one place: forks are an attack, and a store lets a session go on once."""

import contextlib
import copy
import io
import json
import os
import pickle
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from dpviz import counting, gradual, sparse, streams, top_k
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.release import FileStore, MemoryStore, MultipleRelease, Store
from dpviz.release.suspended import Suspended, read, ticket_of, written
from tests.conftest import for_each
from tests.project_workers import in_threads

every_family = pytest.mark.parametrize("family", ADDITIVE.values(), ids=ADDITIVE)
every_clone = pytest.mark.parametrize(
    "clone", [copy.copy, copy.deepcopy, pickle.dumps, lambda s: copy.deepcopy([{"kept": s}])]
)
FORKS, SIZE, LEVEL = 30, 3000, 40.0
WHOLE = FAMILIES["discrete_laplace"]


@pytest.fixture(params=["memory", "files"])
def store(request, tmp_path):
    return MemoryStore() if request.param == "memory" else FileStore(tmp_path / "tickets")


def opened(family, values=(3, 5, 8), rng=None):
    return MultipleRelease(np.array(values), family, rng=rng or streams.teaching(1))


def held(session):
    return {level: values.tolist() for level, values in session.held.items()}


@every_family
@every_clone
@pytest.mark.parametrize("seal", [False, True])
def test_copies_and_pickles_are_refused(family, clone, seal):
    session = opened(family)
    session.release(4.0)
    if seal:
        session.seal(1.0)
    with pytest.raises(ParameterError, match=r"mean of their releases.*use suspend\(store\)"):
        clone(session)
    assert session.levels == ((1.0, 4.0) if seal else (4.0,))


def test_a_fork_is_made_on_purpose_only():
    session = opened(WHOLE)
    for options in ({}, {"independent_noise": False}, {"independent_noise": 1}):
        with pytest.raises(ParameterError, match="pass independent_noise=True"):
            session.fork(**options)


def noise_of_the_mean(sessions):
    """Variance of the mean of what they release at one level, in variances of one release."""
    mean = np.mean([each.release(LEVEL) for each in sessions], axis=0)
    return np.var(mean - np.full(SIZE, 1000)) / WHOLE.variance(LEVEL)


def test_the_mean_of_thirty_forks_has_a_thirtieth_of_the_noise():
    session = opened(WHOLE, np.full(SIZE, 1000), streams.hardened())
    forks = [session.fork(independent_noise=True) for _ in range(FORKS)]
    assert noise_of_the_mean(forks) == pytest.approx(1 / FORKS, rel=0.25)  # 8 deviations


def test_the_store_stops_it(store):
    session = opened(WHOLE, np.full(SIZE, 1000), streams.hardened())
    data = session.suspend(store)
    back = MultipleRelease.resume(data, store)
    for _ in range(FORKS - 1):
        with pytest.raises(ParameterError, match="resumed before"):
            MultipleRelease.resume(data, store)
    with pytest.raises(ParameterError, match="suspended and is closed"):
        session.release(LEVEL)
    assert noise_of_the_mean([back] * FORKS) == pytest.approx(1, rel=0.3)


@every_family
def test_forks_share_what_is_held_and_nothing_else(family):
    session = opened(family)
    session.release(4.0)
    fork = session.fork(independent_noise=True)
    assert repr(fork) == repr(session).replace(")", ", fork)")
    assert held(fork) == held(session)
    assert "fork" in repr(fork.fork(independent_noise=True))
    before = held(session)
    fork.release(2.0)
    fork.seal(1.0)
    assert held(session) == before
    assert session.sealed_at is None
    assert abs(session.release(1e-3).mean() - opened(family).release(1e-3).mean()) < 1


@every_family
@pytest.mark.parametrize("levels", [(), (4.0, 1.0)])
def test_a_teaching_session_goes_on_with_its_stream(family, levels, store):
    session, untouched = opened(family), opened(family)
    for level in levels:
        assert_array_equal(session.release(level), untouched.release(level))
    before = repr(session)
    back = MultipleRelease.resume(session.suspend(store), store)
    assert repr(back) == before
    assert held(back) == held(session)
    for level in (2.0, 9.0, 0.5):
        assert_array_equal(back.release(level), untouched.release(level))
        with pytest.raises(ValueError, match="read-only"):
            back.release(level)[0] = 0
    ours, theirs = (each.fork(independent_noise=True) for each in (back, untouched))
    assert_array_equal(ours.release(7.0), theirs.release(7.0))


@every_family
def test_a_sealed_session_goes_on_above_its_seal(family, store):
    session = opened(family)
    session.release(9.0)
    session.seal(2.0)
    back = MultipleRelease.resume(session.suspend(store), store)
    assert (back.sealed_at, back.mode, back.levels) == (2.0, "teaching", (2.0, 9.0))
    assert back.release(4.0).shape == (3,)
    with pytest.raises(ParameterError, match="sealed at level 2"):
        back.release(1.0)


def test_a_hardened_session_goes_on_with_a_fresh_key(store):
    session = opened(WHOLE, (5,) * 50, streams.hardened())
    session.release(4.0)
    data = session.suspend(store)
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        head = json.loads(file["head"].tobytes())
    assert head["generator"] is None
    back = MultipleRelease.resume(data, store)
    assert back.mode == "hardened"
    assert not np.array_equal(back.release(9.0), read(data).rng.integers(9, size=50))


def test_empty_sessions_and_forks_are_kept_too(store):
    empty = MultipleRelease([], FAMILIES["gaussian"], rng=streams.teaching(1))
    empty.release(2.0)
    empty.seal(2.0)
    assert MultipleRelease.resume(empty.suspend(store), store).dimension == 0
    fork = opened(WHOLE).fork(independent_noise=True)
    assert "fork" in repr(MultipleRelease.resume(fork.suspend(store), store))


@for_each("shape", [(), (0,), (2, 3), (1, 2, 2)])
def test_releases_of_every_shape_are_read_again(shape):
    released = [(level, np.full(shape, int(level))) for level in (2.0, 5.0)]
    kept = Suspended(WHOLE, "hardened", False, streams.hardened(), None, released)
    back = read(written(kept)).held
    assert [level for level, _ in back] == [2.0, 5.0]
    for (_, ours), (_, theirs) in zip(back, released, strict=True):
        assert_array_equal(ours, theirs)
        assert ours.shape == shape
        assert not ours.flags.writeable


def test_a_closed_session_draws_nothing_and_shows_what_it_held(store):
    session = opened(WHOLE)
    first = session.release(4.0)
    session.suspend(store)
    assert session.release(4.0) is first
    assert repr(session).endswith("mode='teaching', suspended)")
    for act in (
        lambda: session.release(9.0),
        lambda: session.seal(1.0),
        lambda: session.suspend(store),
        lambda: session.fork(independent_noise=True),
    ):
        with pytest.raises(ParameterError, match="suspended and is closed"):
            act()
    assert not session._exact.any()


def test_a_session_stays_open_if_its_ticket_cannot_be_written():
    class Full(MemoryStore):
        def issue(self, ticket):
            raise OSError(f"no room for {ticket}")

    session = opened(WHOLE)
    with pytest.raises(OSError, match="no room"):
        session.suspend(Full())
    assert session.release(4.0).shape == (3,)
    foreign = opened(WHOLE, rng=np.random.Generator(np.random.MT19937(1)))
    with pytest.raises(ParameterError, match=r"open the session with one of streams\.teaching"):
        foreign.suspend(MemoryStore())
    assert foreign.release(4.0).shape == (3,)


def test_bytes_of_another_store_and_changed_bytes_are_refused_unread(store):
    data = opened(WHOLE).suspend(store)
    for wrong in (b"", b"\x80\x04N.", data[:-1], data + b"0", data[:99] + b"0" + data[100:]):
        with pytest.raises(ParameterError, match="cannot be resumed with this store"):
            MultipleRelease.resume(wrong, store)
    with pytest.raises(ParameterError, match="cannot be resumed with this store"):
        MultipleRelease.resume(data, MemoryStore())
    for wrong in (None, "text", bytearray(data)):
        with pytest.raises(ParameterError, match="data must be a bytes"):
            MultipleRelease.resume(wrong, store)
    for wrong in (None, set(), {}):
        with pytest.raises(ParameterError, match="store must be a Store"):
            MultipleRelease.resume(data, wrong)
    assert MultipleRelease.resume(data, store).levels == ()


@pytest.fixture
def families():
    """The table of families, afterwards in its old order: pages list them in it."""
    kept = dict(FAMILIES)
    yield FAMILIES
    FAMILIES.clear()
    FAMILIES.update(kept)


def test_a_ticket_is_not_used_up_by_bytes_that_cannot_be_read(store, families):
    data = opened(WHOLE).suspend(store)
    del families[WHOLE.name]
    with pytest.raises(ParameterError, match="not known here; register it first"):
        MultipleRelease.resume(data, store)
    families[WHOLE.name] = WHOLE
    assert MultipleRelease.resume(data, store).family is WHOLE


def changed(data, **parts):
    """The bytes with other parts, as somebody could write them who knows the format."""
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        found = {name: file[name] for name in file.files}
    head = json.loads(found["head"].tobytes()) | parts.pop("head", {})
    found |= {"head": np.frombuffer(json.dumps(head).encode(), np.uint8)} | parts
    file = io.BytesIO()
    np.savez(file, **found)
    return file.getvalue()


class Bomb:
    """What must never run."""

    def __reduce__(self):
        return os.abort, ()


WRONG = {
    "code": {"exact": np.array([Bomb()], dtype=object)},
    "floats": {"exact": np.array([1.0, 2.0, 3.0])},
    "shape": {"releases": np.zeros((1, 2), np.int64)},
    "kind": {"releases": np.zeros((1, 3))},
    "level": {"levels": np.array([-4.0])},
    "nan": {"levels": np.array([np.nan])},
    "more": {"another": np.zeros(3)},
    "format": {"head": {"format": 2}},
    "mode": {"head": {"mode": "other"}},
    "hardened": {"head": {"mode": "hardened"}},
    "sealed": {"head": {"sealed": True}},
    "seal": {"head": {"sealed": 1}},
    "order": {"head": {"any_order": 1}},
    "order of a fork": {"head": {"any_order": True, "fork": True}},
    "generator": {"head": {"generator": {"state": {}, "seed": {}}}},
    "seed": {"head": {"generator": {"state": {}, "seed": {"entropy": "x"}}}},
    "family": {"head": {"family": ["gaussian"]}},
    "list": {"head": {"generator": [1]}},
}


@for_each("parts", WRONG.values())
def test_what_is_written_by_hand_is_checked(parts):
    session = opened(WHOLE)
    session.release(4.0)
    data = session.suspend(MemoryStore())
    assert read(changed(data)).held[0][0] == 4.0
    with pytest.raises(ParameterError, match=r"pass them unchanged|not known here"):
        read(changed(data, **parts))


def test_flipped_and_cut_bytes_are_read_or_refused():
    session = opened(WHOLE)
    session.release(4.0)
    data = session.suspend(MemoryStore())
    rng = np.random.default_rng(1)
    for _ in range(300):
        broken = bytearray(data[: rng.integers(1, len(data))] if rng.random() < 0.2 else data)
        for place in rng.integers(0, len(broken), 3):
            broken[place] = rng.integers(256)
        with contextlib.suppress(ParameterError):
            assert read(bytes(broken)).family.name in FAMILIES


def test_of_many_who_claim_at_once_one_gets_it(store):
    data = opened(WHOLE).suspend(store)
    got = in_threads(*[partial(store.claim, ticket_of(data))] * 8)
    assert sorted(got) == [False] * 7 + [True]


def test_stores_refuse_what_is_no_ticket(store):
    assert isinstance(store, Store)
    for wrong in ("", "../../etc/passwd", "0" * 63, "G" * 64, "0" * 64 + "\n", None, b"0" * 64):
        for ask in (store.issue, store.claim):
            with pytest.raises(ParameterError, match="ticket must be the 64"):
                ask(wrong)
    store.issue("0" * 64)
    with pytest.raises(ParameterError, match="issue every ticket once"):
        store.issue("0" * 64)


@pytest.mark.skipif(os.name == "nt", reason="no modes here")
def test_tickets_are_files_that_only_their_owner_opens(tmp_path):
    folder = tmp_path / "deep" / "tickets"
    store = FileStore(folder)
    opened(WHOLE).suspend(store)
    (file,) = folder.iterdir()
    assert file.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    assert file.read_bytes() == b""
    with pytest.raises(ParameterError, match="folder must be"):
        FileStore(file / "below")
    with pytest.raises(ParameterError, match="folder must be"):
        FileStore("a\0b")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_process_shows_what_is_held_and_draws_nothing():
    session = opened(WHOLE, rng=streams.hardened())
    session.release(4.0)
    child = os.fork()
    if not child:
        good = session.release(4.0) is session.held[4.0]
        try:
            session.release(9.0)
        except ParameterError as refusal:
            os._exit(0 if good and "another process" in str(refusal) else 1)
        os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    assert session.release(9.0).shape == (3,)


COUNTS = {"a": 90, "b": 40, "c": 3}
STEP, REACH = 0.5, top_k.Reach(l0=2)


def prepaid_draws():
    return top_k.PrepaidDraws(draws=9, calls=2, epsilon=STEP, log_delta=-9.0)


OPENED = {
    "sparse": (
        lambda rng: sparse.SparseHistogram([1, 5], [3, 9], 10**9, l2_sensitivity=1.0, rng=rng),
        lambda histogram: histogram.release(0.5, 9.0),
    ),
    "dense": (
        lambda rng: sparse.DenseHistogram([1, 5], [3, 9], 6, FAMILIES["gaussian"], rng=rng),
        lambda histogram: histogram.release(2.0, 9.0),
    ),
    "counter": (
        lambda rng: counting.ContinualCounter(9, [0.5], rng=rng),
        lambda counter: counter.push(3),
    ),
    "counter's tiers": (
        lambda rng: counting.ContinualCounter(9, [0.5], rng=rng),
        lambda counter: counter.add_tier(2.0),
    ),
    "stream": (
        lambda rng: counting.CountedStream([3, 0, 2], rng=rng),
        lambda stream: stream.release(0.5),
    ),
    "list": (
        lambda rng: top_k.TopK(COUNTS, epsilon=STEP, reach=REACH, rng=rng),
        lambda top: top.rank(2),
    ),
    "truncated": (
        lambda rng: top_k.TruncatedHistogram(
            COUNTS, sigma=2.0, log_delta=-9.0, reach=REACH, whole=True, rng=rng
        ),
        lambda histogram: histogram.release(),
    ),
    "prepaid draws": (lambda _: prepaid_draws(), lambda prepaid: prepaid.reserve(1)),
    "prepaid calls": (
        lambda _: prepaid_draws(),
        lambda prepaid: prepaid.call(
            Fraction(1, 2), REACH, top_k.UnknownDomain(seen=3, log_delta=-9.0)
        ),
    ),
    "path": (
        lambda rng: gradual.LaplacePath([3.0], 0.5, 2.0, rng=rng),
        lambda path: path.tighten_to(0.1),
    ),
}


def test_whatever_draws_does_so_in_its_own_process_only(monkeypatch):
    """A child would draw noise of its own beside its parent's, or spend a budget twice."""
    made = {name: make(streams.teaching(1)) for name, (make, _) in OPENED.items()}
    with monkeypatch.context() as child:
        child.setattr(os, "getpid", lambda: -1)
        for name, (_, draw) in OPENED.items():
            with pytest.raises(ParameterError, match="another process, of which this one is a f"):
                draw(made[name])
    for name, (_, draw) in OPENED.items():
        draw(made[name])
