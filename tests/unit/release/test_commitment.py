"""A committed path: its law, what it binds and hides, and every forged part refused by name."""

import hashlib
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.accounting.guarantees import Setting
from dpviz.errors import HardenedModeError, ParameterError, SealedError
from dpviz.noise import FAMILIES
from dpviz.queries import Sensitivity
from dpviz.release import MultipleRelease
from dpviz.release.commitment import (
    Seed,
    audit,
    commit,
    ladder,
    leaf_of,
    pledge_of,
    proof_of,
    refusal,
    root_by,
    root_of,
)
from tests.conftest import FULL, for_each

ZERO = Seed.from_bytes(bytes(32))
LEVELS = (1.0, 2.0, 4.0, 8.0, 16.0)


def setting(dimension=2, family="discrete_laplace"):
    one = Sensitivity.bounded(1)
    return Setting(family=FAMILIES[family], delta=1e-6, sensitivity=one, dimension=dimension)


def path(values=(312, 40), levels=LEVELS, seed=ZERO, family="discrete_laplace", **words):
    return commit(list(values), setting(len(values), family), levels, seed=seed, **words)


# --- the law ---


@pytest.mark.parametrize("family", ["discrete_laplace", "skellam", "poisson"])
def test_the_path_has_the_law_of_a_session(family):
    """Each increment is the noise between its levels, and independent of the one before."""
    count = 20_000
    levels = (2.0, 3.0, 7.0)
    drawn = path((0,) * count, levels, Seed.from_bytes(b"7" * 32), family)
    steps = np.diff([np.zeros(count, int), *(drawn.release(x) for x in levels)], axis=0)
    rng = streams.teaching(3)
    law, exact = FAMILIES[family], np.zeros(count, np.int64)
    for (low, high), step in zip(pairwise((0.0, *levels)), steps, strict=True):
        fresh = law.extend(exact, low, high, rng=rng)
        values = np.arange(min(step.min(), fresh.min()), max(step.max(), fresh.max()) + 1)
        table = np.array([[np.sum(each == v) for v in values] for each in (step, fresh)])
        table = table[:, table.sum(axis=0) >= 20]
        assert stats.chi2_contingency(table).pvalue > 1e-6
    for one, other in pairwise(steps):
        assert abs(stats.pearsonr(one, other).statistic) < 6 / np.sqrt(count)
    late = steps[1] + 1  # a near miss: the law is that of these levels, not moved by one
    fresh = law.extend(exact, 2.0, 3.0, rng=rng)
    assert stats.ks_2samp(late, fresh).pvalue < 1e-9


def test_the_noise_depends_on_seed_answer_statement_beacon_and_names():
    first = path()
    again = path()
    assert repr(ZERO) == "Seed(…)"
    assert repr(first) == f"CommittedPath(5 levels, root {first.commitment.root})"
    assert first.commitment == again.commitment
    assert np.array_equal(first.release(4.0), again.release(4.0))
    others = [
        path(seed=Seed()),
        path(beacon="3 9 17"),
        path(about="visits"),
        path(names=("a", "b")),
        path(levels=(*LEVELS, 32.0)),
    ]
    noise = {tuple(one.release(16.0) - [312, 40]) for one in [first, *others]}
    assert len(noise) > 3  # small noise may agree by chance
    assert len({one.commitment.root for one in [first, *others]}) == 6
    moved = path((313, 40))
    assert moved.commitment.pledge != first.commitment.pledge
    wide = [path((x,) * 50, seed=ZERO).release(16.0) - x for x in (0, 1)]
    assert not np.array_equal(*wide)  # else the difference of two releases were exact


def test_a_session_reads_its_releases_off_the_path_in_any_order():
    committed = path()
    one = MultipleRelease.committed([312, 40], committed)
    for level in (8.0, 1.0, 16.0, 4.0):
        assert np.array_equal(one.release(level), committed.release(level))
    with pytest.raises(ParameterError, match=r"level 3.0 was not committed to; the nearest are 2"):
        one.release(3.0)
    for act in (lambda: one.suspend(None), lambda: one.fork(independent_noise=True)):
        with pytest.raises(ParameterError):
            act()
    with pytest.raises(ParameterError, match="the 2 whole numbers"):
        MultipleRelease.committed([312], committed)


def test_sealed_it_serves_noisier_levels_of_the_path_and_forgets_the_others():
    committed = path()
    one = MultipleRelease.committed([312, 40], committed)
    one.seal(4.0)
    assert np.array_equal(one.release(16.0), committed.release(16.0))
    with pytest.raises(SealedError):
        one.release(1.0)
    with pytest.raises(SealedError):
        one._path.opening(1.0)  # nothing sharper is left in the memory of the session
    left = committed.sealed(4.0)
    assert left.opening(8.0) == committed.opening(8.0)
    for asked in (left.release, left.opening):
        with pytest.raises(SealedError, match=r"noisier level than 2.0"):
            asked(2.0)


# --- what it binds ---


DRAWN = path(names=("a", "b"))
GOOD = DRAWN.opening(4.0)
WRONG = "does not lead to the root"
FORGED = {
    "numbers": (replace(GOOD, values=(GOOD.values[0] + 1, GOOD.values[1])), WRONG),
    "numbers swapped": (replace(GOOD, values=GOOD.values[::-1]), WRONG),
    "names swapped": (replace(GOOD, names=("b", "a")), WRONG),
    "no names": (replace(GOOD, names=()), WRONG),
    "salt": (replace(GOOD, salt="0" * 64), WRONG),
    "proof": (replace(GOOD, proof=GOOD.proof[::-1]), WRONG),
    "another place": (replace(GOOD, place=1), "is of the level 2.0, and the release is of 4.0"),
    "a place that is not there": (replace(GOOD, place=5), "names a place"),
    "a shorter proof": (replace(GOOD, proof=GOOD.proof[:-1]), "another length"),
    "another level": (DRAWN.opening(8.0), "is of the level 8.0"),
    "another root": (path(names=("a", "b"), beacon="later").opening(4.0), WRONG),
    "fewer entries": (replace(GOOD, values=GOOD.values[:1]), "another number of entries"),
}


def test_every_level_opens_and_only_as_it_was_drawn_and_on_its_own_ladder():
    for level in LEVELS:
        opening = DRAWN.opening(level)
        assert refusal(DRAWN.commitment, opening, level=level) is None
        assert opening.values == tuple(DRAWN.release(level).tolist())
    other = replace(DRAWN.commitment, levels=(1.0, 2.0, 4.5, 8.0, 16.0))
    assert refusal(other, GOOD).startswith(WRONG)


@for_each("what", FORGED)
def test_what_is_forged_is_refused_by_name(what):
    opening, why = FORGED[what]
    assert why in (refusal(DRAWN.commitment, opening, level=4.0) or "it passes")
    alone = refusal(DRAWN.commitment, opening)
    assert (alone is None) == (what == "another level")  # which is committed to, too


def test_an_auditor_draws_the_whole_path_again():
    words = {"about": "ill people", "names": ("a", "b"), "beacon": "3 9 17"}
    drawn = path(**words)
    names = words["names"]
    assert audit(drawn.commitment, [312, 40], seed=ZERO, names=names) == ()
    for values, seed, called in (
        ([313, 40], ZERO, names),
        ([312, 40], Seed(), names),
        ([312, 40], ZERO, ("b", "a")),
    ):
        (found,) = audit(drawn.commitment, values, seed=seed, names=called)
        assert found.startswith("the pledge is not of this seed")
    for change in (
        {"setting": setting(2, "skellam")},
        {"levels": (*LEVELS[:-1], 17.0)},
        {"about": "well people"},
    ):
        (found,) = audit(replace(drawn.commitment, **change), [312, 40], seed=ZERO, names=names)
        assert found.startswith("the pledge is not")
    for change in ({"beacon": "9 9 9"}, {"root": "0" * 64}):
        (found,) = audit(replace(drawn.commitment, **change), [312, 40], seed=ZERO, names=names)
        assert found.startswith("the root is not that of the path")


def test_a_pledge_fixes_everything_but_the_beacon():
    of = {"seed": ZERO, "about": "ill people"}
    pledge = pledge_of([312, 40], setting(), LEVELS, **of)
    for beacon in ("", "3 9 17"):
        assert path(about="ill people", beacon=beacon).commitment.pledge == pledge
    assert pledge_of([312, 41], setting(), LEVELS, **of) != pledge
    assert pledge_of([312, 40], setting(family="skellam"), LEVELS, **of) != pledge
    assert pledge_of([312, 40], setting(), LEVELS, seed=Seed(), about="ill people") != pledge


# --- what it hides ---


def guess(leaves, place, level, candidates, salts):
    """The number that a reader finds behind a leaf, by trying all with every salt he knows."""
    found = {
        number
        for number in candidates
        for salt in salts
        if leaf_of(place, level, (), [number], salt) == leaves[place]
    }
    return found.pop() if found else None


def test_a_reader_who_tries_every_number_finds_it_without_salts_and_not_with_them():
    drawn = path((312,))
    public = drawn.opening(16.0)
    seen = [bytes.fromhex(digest) for digest in (public.salt, *public.proof)]
    known = [bytes(32), *seen, bytes.fromhex(drawn.commitment.root), *seed_guesses()]
    leaves = [
        leaf_of(place, level, (), drawn.release(level).tolist(), salt)
        for place, (level, salt) in enumerate(zip(LEVELS, drawn._salts, strict=True))
    ]
    assert root_of(leaves).hex() == drawn.commitment.root
    candidates = range(212, 412)
    assert guess(leaves, 0, 1.0, candidates, known) is None
    bare = [
        leaf_of(place, level, (), drawn.release(level).tolist(), bytes(32))
        for place, level in enumerate(LEVELS)
    ]
    assert guess(bare, 0, 1.0, candidates, known) == drawn.release(1.0)[0]


def seed_guesses():
    """Salts that follow from what a reader knows: counters, and digests of them."""
    return [number.to_bytes(32, order) for number in range(20) for order in ("big", "little")] + [
        hashlib.sha256(str(number).encode()).digest() for number in range(20)
    ]


def test_closed_leaves_look_alike_for_neighbours():
    """Bits of a closed leaf are fair and do not follow the exact answer; of bare leaves they do."""
    count = 400 if FULL else 150

    def bits(answer, salted):
        rows = []
        for number in range(count):
            seed = Seed.from_bytes(hashlib.sha256(f"{answer} {number}".encode()).digest())
            drawn = commit([answer], setting(1), (1e-3, 16.0), seed=seed)  # nearly exact
            salt = drawn._salts[0] if salted else bytes(32)
            leaf = leaf_of(0, 1e-3, (), drawn.release(1e-3).tolist(), salt)
            rows.append(np.unpackbits(np.frombuffer(leaf, np.uint8)))
        return np.array(rows).mean(axis=0)

    for salted in (True, False):
        one, other = bits(312, salted), bits(313, salted)
        apart = np.abs(one - other).max()
        assert (apart < 6 * np.sqrt(0.5 / count)) == salted


# --- the tree ---


@for_each("count", [1, 2, 3, 4, 5, 7, 8, 9, 31, 33])
def test_each_leaf_has_one_proof_at_one_place(count):
    leaves = [bytes([number]) for number in range(count)]
    root = root_of(leaves)
    for place, leaf in enumerate(leaves):
        proof = proof_of(place, leaves)
        assert root_by(leaf, place, count, proof) == root
        for other in {*range(count + 1)} - {place}:
            assert root_by(leaf, other, count, proof) != root
        assert root_by(b"x", place, count, proof) != root
        assert root_by(leaf, place, count, (*proof, bytes(32))) is None
        if proof:
            assert root_by(leaf, place, count, (*proof[:-1], bytes(31))) is None


def test_the_tree_is_that_of_the_standard():
    """The examples of Certificate Transparency: the empty leaf, and all eight of its vectors."""
    given = ["", "00", "10", "2021", "3031", "40414243", "5051525354555657"]
    given.append("606162636465666768696a6b6c6d6e6f")
    leaves = [bytes.fromhex(each) for each in given]
    assert root_of(leaves[:1]).hex() == (
        "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d"
    )
    assert root_of(leaves).hex() == (
        "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328"
    )
    inner = root_of(leaves[:1]) + root_of(leaves[1:2])
    assert root_of([inner]) != root_of(leaves[:2])  # a leaf is no node


# --- what is refused ---


@for_each(
    ("change", "why"),
    [
        ({"values": [312]}, "2 whole numbers in a row"),
        ({"values": [312.5, 40]}, "whole numbers"),
        ({"levels": []}, "levels must be 1 to 4,096"),
        ({"levels": [1.0, 1.0]}, "must ascend"),
        ({"levels": [0.0]}, "above 0"),
        ({"levels": ["1"]}, "levels must be a number"),
        ({"names": ["a"]}, "names must be 2"),
        ({"names": "ab"}, "names must be texts"),
        ({"seed": b"0" * 32}, "seed must be a Seed"),
        ({"beacon": 7}, "beacon must be a str"),
    ],
)
def test_what_cannot_be_committed_to_is_refused_in_a_sentence(change, why):
    asked = {"values": [312, 40], "levels": LEVELS, "seed": ZERO} | change
    values, levels = asked.pop("values"), asked.pop("levels")
    with pytest.raises(ParameterError, match=why):
        commit(values, setting(), levels, **asked)


def test_floats_and_short_seeds_are_refused():
    with pytest.raises(HardenedModeError, match="take an integer family"):
        path(family="gaussian")
    with pytest.raises(ParameterError, match="a seed has 32 bytes"):
        Seed.from_bytes(bytes(31))
    with pytest.raises(ParameterError, match="key must have 16 bytes"):
        streams.keyed(bytes(32))
    with pytest.raises(ParameterError, match="most must be at least"):
        ladder(2.0, 1.0)


def test_a_ladder_has_both_ends_and_the_levels_of_tiers():
    found = ladder(1.0, 8.0, also=[3.3, 10.0])
    assert found[0] == 1.0
    assert {3.3, 8.0, 10.0} <= {*found}
    assert len(found) == 24 + 1 + 2
    assert max(high / low for low, high in pairwise(found[:-1])) < 1.091
    assert ladder(5.0, 5.0) == (5.0,)
