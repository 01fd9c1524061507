"""Sealing: the exact values are gone, from the object, from its bytes when kept, and by any attack.

Each attack is also run on a session that ought to fall to it, so that it can be seen to work.
"""

import itertools
from functools import partial

import numpy as np
import pytest

from dpviz import streams
from dpviz.errors import ParameterError, SealedError
from dpviz.noise import ADDITIVE, FAMILIES
from dpviz.release import MemoryStore, MultipleRelease
from tests.conftest import for_each
from tests.reaching import numbers_in, reachable

every_family = pytest.mark.parametrize("family", ADDITIVE.values(), ids=ADDITIVE)
EXACT = np.random.default_rng(2).integers(10**6, 10**9, 60)  # far apart: no chance agreement
ASKED = (40.0, 10.0, 90.0, 20.0)  # even Poisson noise is hardly ever 0
SEAL = 8.0


class NaiveSession(MultipleRelease):
    """Seals like the real one but keeps its generator."""

    def seal(self, level):
        kept = self._rng
        super().seal(level)
        self._rng = kept


def asked(family, kind=MultipleRelease, rng=None):
    session = kind(EXACT, family, rng=rng or streams.teaching(5))
    for level in ASKED:
        session.release(level)
    return session


def sealed(family, kind=MultipleRelease, at=SEAL):
    session = asked(family, kind)
    session.seal(at)
    return session


def kept(session):
    """The session as it comes back from its bytes."""
    store = MemoryStore()
    return type(session).resume(session.suspend(store), store)


def finds(candidates):
    """Is one of the candidates the exact values, in more places than noise of 0 explains?"""
    return any((np.abs(c - EXACT) < 1e-6).sum() > EXACT.size // 2 for c in candidates)


def arrays_of(session):
    """Every array inside, whatever holds it, as floats, and what may be one in another form."""
    return numbers_in(session, EXACT.size)


def combinations_of(arrays):
    """Each array, and every sum and difference of two."""
    yield from arrays
    for one, other in itertools.combinations(arrays, 2):
        yield from (one + other, one - other, other - one)


def rewound(session, family, reach=500):
    """Releases minus the noise of every generator inside, wound back step by step."""
    generators = [g for g in reachable(session) if isinstance(g, np.random.Generator)]
    assert generators
    arrays = arrays_of(session)
    for generator in generators:
        for steps, level in itertools.product(range(1, reach), ASKED):
            restore = remembered(generator.bit_generator)
            generator.bit_generator.advance(-steps)
            noise = family.extend(np.zeros(EXACT.size, dtype=int), 0, level, rng=generator)
            restore()
            yield from (array - noise for array in arrays)


def remembered(bits):
    """How to put a bit generator back to where it is now, if it tells."""
    try:
        state = bits.state
    except ParameterError:
        return lambda: None
    return lambda: setattr(bits, "state", state)


@every_family
def test_only_the_seal_and_above_remain(family):
    session = asked(family)
    before = {level: session.release(level) for level in ASKED}
    session.seal(SEAL)
    assert session.sealed_at == SEAL
    assert session.levels == (SEAL, 10.0, 20.0, 40.0, 90.0)
    assert all(session.release(level) is array for level, array in before.items())
    for level in (7.9, 1e-9, np.nextafter(SEAL, 0)):
        with pytest.raises(SealedError, match=r"sealed at level 8\.0 .* ask for that level"):
            session.release(level)
    for level in (SEAL, np.nextafter(SEAL, 9), 8.7, 200.0):
        assert np.isfinite(session.release(level)).all()


@every_family
def test_sealing_again_is_fine_only_at_the_same_level(family):
    session = asked(family)
    session.seal(10.0)
    first = session.release(10.0)
    session.seal(10)
    assert session.release(10.0) is first
    for level in (SEAL, 20.0, 40.0):
        with pytest.raises(ParameterError, match="already sealed"):
            session.seal(level)
    assert session.sealed_at == 10.0


@every_family
def test_no_seal_above_a_held_level(family):
    session = asked(family)
    for level in (15.0, 20.0, 1000.0):
        with pytest.raises(ParameterError, match="already released"):
            session.seal(level)
    assert session.sealed_at is None
    session.release(0.1)  # and it goes on


@every_family
def test_a_session_can_be_sealed_before_its_first_release(family):
    session = MultipleRelease(EXACT, family, rng=streams.teaching(1))
    session.seal(2.0)
    assert session.levels == (2.0,)
    assert session.release(3.0).shape == EXACT.shape


@every_family
def test_exact_values_are_in_no_array(family):
    session = sealed(family)
    for each in (session, kept(session)):
        found = arrays_of(each)
        assert len(found) == len(ASKED) + 1  # the releases, and nothing else
        assert not finds(combinations_of(found))


@every_family
def test_that_search_finds_them_in_an_open_session(family):
    session = asked(family)
    assert finds(arrays_of(session))
    assert finds(arrays_of(kept(session)))
    assert not finds(arrays_of(session))  # the closed one has forgotten them


@every_family
def test_that_search_finds_kept_noise(family):
    class Hoarder(MultipleRelease):
        """Keeps the noise beside the releases."""

        def seal(self, level):
            self.noise = self.release(level) - EXACT
            super().seal(level)

    session = asked(family, Hoarder)
    session.seal(SEAL)
    assert not finds(arrays_of(session))
    assert finds(combinations_of(arrays_of(session)))


HIDING = {  # places within a session that hold code
    "a closure": lambda exact: lambda: exact,
    "a default of a function": lambda exact: lambda exact=exact: exact,
    "a default by name": lambda exact: lambda *, exact=exact: exact,
    "a partial": lambda exact: partial(np.add, exact),
    "a method": lambda exact: exact.sum,
    "a list": lambda exact: exact.tolist(),
    "bytes": lambda exact: exact.tobytes(),
    "a generator": lambda exact: (each for each in [exact]),
    "an attribute of a function": lambda exact: (
        vars(hides := lambda: None).update(at=exact) or hides
    ),
}


@for_each("hide", HIDING.values())
def test_that_search_finds_them_where_code_is_kept(hide):
    class Hides(MultipleRelease):
        """Seals like the real one, and keeps a function that still knows."""

        def seal(self, level):
            kept = hide(self._exact.copy())
            super().seal(level)
            self.again = kept

    assert finds(arrays_of(sealed(FAMILIES["gaussian"], Hides)))


@every_family
def test_exact_values_are_in_no_byte_of_what_is_kept(family):
    dtype = np.int64 if family.integer else np.float64
    inside = EXACT.astype(dtype)[:2].tobytes()
    assert inside in asked(family).suspend(MemoryStore())
    session = sealed(family)
    assert inside not in session.suspend(MemoryStore())
    assert not any(str(value) in repr(session) for value in EXACT)


@every_family
def test_the_memory_of_the_exact_values_is_overwritten(family):
    session = asked(family)
    kept = session._exact
    session.seal(SEAL)
    assert not kept.any()


@every_family
def test_generator_and_seed_are_gone(family):
    session = sealed(family)
    generators = [g for g in reachable(session) if isinstance(g, np.random.Generator)]
    assert [streams.mode_of(generator) for generator in generators] == ["hardened"]
    assert session.mode == "teaching"
    twin = session.fork(independent_noise=True)
    assert (twin.release(30.0) != session.release(30.0)).any()


def test_rewinding_gives_nothing_back():
    assert not finds(rewound(sealed(FAMILIES["gaussian"]), FAMILIES["gaussian"]))


def test_rewinding_works_on_a_session_that_keeps_its_generator():
    assert finds(rewound(sealed(FAMILIES["gaussian"], NaiveSession), FAMILIES["gaussian"]))
