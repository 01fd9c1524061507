"""Openings beside releases: what a tier, two tiers and a reader of the published file find."""

import datetime
import json
from dataclasses import replace

import numpy as np
import pytest

from dpviz.accounting.guarantees import Setting
from dpviz.errors import DataError, ParameterError
from dpviz.handout import TierRelease, pack_zip, verify_folder
from dpviz.handout.committed import (
    CommitmentFile,
    about,
    commitment_json,
    faults,
    opening_json,
    read_committed,
)
from dpviz.handout.pack_zip import REQUIRED_FACTS, pack_files, zipped
from dpviz.handout.received import COMMITTED, FORMAT, NAMED_COMMITMENT, NAMED_KEY, ONE_PATH
from dpviz.handout.signing import SigningKey, canonical, fingerprint
from dpviz.noise import FAMILIES
from dpviz.queries import Sensitivity
from dpviz.release.commitment import Seed, commit
from dpviz.words import budget
from tests.conftest import for_each

DAY = datetime.date(2026, 11, 29)
KEY, OTHER_KEY = (SigningKey.from_private_bytes(bytes([n]) * 32) for n in (1, 2))
LEVELS = {"audit": 2.0, "public": 8.0}
NAMES = ("a", "b")


def path(beacon=""):
    setting = Setting(
        family=FAMILIES["discrete_laplace"],
        delta=1e-6,
        sensitivity=Sensitivity.bounded(1),
        dimension=2,
    )
    seed = Seed.from_bytes(bytes(32))
    ladder = (1.0, 2.0, 4.0, 8.0)
    return commit(
        [312, 40], setting, ladder, seed=seed, beacon=beacon, about="ill people", names=NAMES
    )


PATH, OTHER = path(), path("later")
PUBLISHED, LATER = (commitment_json(p.commitment, DAY, key=KEY) for p in (PATH, OTHER))
OPENING = opening_json(PATH, 8.0, PUBLISHED)


def release(tier="public", opening=OPENING, **change):
    level = LEVELS[tier]
    return replace(
        TierRelease(
            tier=tier,
            session=1,
            level=level,
            entries=NAMES,
            values=PATH.release(level),
            facts=tuple((name, f"some {name}") for name in REQUIRED_FACTS),
            labels=NAMES,
            drawn=DAY,
            opening=opening,
        ),
        **change,
    )


def pack(*releases, key=KEY, made=DAY):
    return pack_zip(releases, made=made, key=key)


def failed(received):
    """Which checks failed, with what is said of the first finding."""
    return {check.about: check.findings[0].what for check in received.checks if check.findings}


def changed(content, **fields):
    return canonical({**json.loads(content), **fields})


def test_a_tier_finds_its_numbers_committed_to():
    audit = release("audit", opening_json(PATH, 2.0, PUBLISHED))
    got = verify_folder(pack(release(), audit), commitment=PUBLISHED, key=fingerprint(KEY.public))
    assert got.passed
    assert {COMMITTED, ONE_PATH, NAMED_COMMITMENT} <= {check.about for check in got.checks}
    assert not any("drawn as the files say" in said for said in got.not_checked)
    assert any("pledge" in said for said in got.not_checked)
    assert "OPENING.json" in pack(release()).decode("latin-1")


def test_a_release_that_was_not_committed_to_says_nothing_of_it():
    bare = release(opening=b"")
    got = verify_folder(pack(bare))
    assert got.passed
    assert COMMITTED not in {check.about for check in got.checks}
    assert failed(verify_folder(pack(bare), commitment=PUBLISHED)) == {
        NAMED_COMMITMENT: "holds no OPENING.json, so nothing shows that its numbers were "
        "committed to"
    }


def test_two_tiers_find_that_theirs_lie_on_one_path():
    audit = opening_json(PATH, 2.0, PUBLISHED)
    assert verify_folder(pack(release()), commitment=audit).passed
    assert verify_folder(audit, commitment=OPENING).passed
    strange = opening_json(OTHER, 2.0, LATER)
    assert (
        "another commitment" in failed(verify_folder(strange, commitment=OPENING))[NAMED_COMMITMENT]
    )


FORGED = {
    "numbers": (release(values=PATH.release(8.0) + 1), "opens other numbers or names"),
    "names": (release(entries=("b", "a"), labels=("b", "a")), "opens other numbers or names"),
    "another tier's": (release(opening=opening_json(PATH, 2.0, PUBLISHED)), "opens another level"),
    "replayed root": (
        release(opening=changed(OPENING, commitment=json.loads(LATER))),
        "does not lead to the root",
    ),
    "family": (
        release(
            opening=changed(OPENING, commitment={**json.loads(PUBLISHED), "family": "skellam"})
        ),
        "signature is wrong",
    ),
    "no opening": (release(opening=PUBLISHED), "is a commitment, and opens no number of it"),
    "no file of ours": (release(opening=b"{}"), "is neither a commitment nor an opening"),
    "a blank": (release(opening=OPENING + b" "), "is neither a commitment nor an opening"),
    "a newer one": (release(opening=changed(OPENING, version=2)), "update dpviz"),
    "unknown noise": (
        release(
            opening=changed(
                OPENING,
                commitment=json.loads(
                    commitment_json(PATH.commitment, DAY, key=KEY).replace(
                        b"discrete_laplace", b"hum"
                    )
                ),
            )
        ),
        "signature is wrong",
    ),
    "a leading zero": (
        release(opening=changed(OPENING, values=[f"0{v}" for v in PATH.release(8.0)])),
        "holds a text where a whole number belongs",
    ),
}


@for_each("what", FORGED)
def test_what_is_forged_is_refused_by_name(what):
    forged, why = FORGED[what]
    found = failed(verify_folder(pack(forged)))
    assert why in found[COMMITTED], found


def test_two_commitments_in_one_session_are_found():
    mixed = [release(), release("audit", opening_json(OTHER, 2.0, LATER))]
    mixed[1] = replace(mixed[1], values=OTHER.release(2.0))
    assert failed(verify_folder(pack(*mixed))) == {
        ONE_PATH: "has releases of two commitments, so they do not lie on one path"
    }


def test_key_and_day_of_a_commitment_are_those_of_the_release():
    assert "another key" in failed(verify_folder(pack(release(), key=OTHER_KEY)))[COMMITTED]
    late = commitment_json(PATH.commitment, DAY + datetime.timedelta(days=1), key=KEY)
    after = release(opening=opening_json(PATH, 8.0, late))
    assert "after the release" in failed(verify_folder(pack(after)))[COMMITTED]


def test_an_opening_that_nobody_signed_into_the_folder_is_found():
    files = pack_files([release(opening=b"")], DAY, key=KEY)
    folder = next(name for name in files if "/" in name).split("/")[0]
    got = verify_folder(zipped({**files, f"{folder}/OPENING.json": OPENING}, DAY))
    assert "is not in MANIFEST.json" in " ".join(failed(got).values())


def test_a_commitment_and_an_opening_are_checked_alone():
    got = verify_folder(PUBLISHED, key=fingerprint(KEY.public))
    assert got.passed
    assert dict(got.handouts[0].facts)["statistic"] == "ill people"
    told = verify_folder(OPENING)
    assert dict(told.handouts[0].facts)["budget"] == budget("ε", 0.125)
    assert failed(verify_folder(OPENING, key=fingerprint(OTHER_KEY.public))).keys() == {NAMED_KEY}
    assert failed(verify_folder(b'{"format":"dpviz hand-out"}')).keys() == {FORMAT}
    for content in (b"[]", b"{}", OPENING):
        with pytest.raises(ParameterError, match="commitment that you named"):
            verify_folder(PUBLISHED, commitment=content.replace(b'"salt":"', b'"salt":"00')[:-64])
    with pytest.raises(ParameterError, match=r"does not lead to the root.* ask for it again"):
        verify_folder(PUBLISHED, commitment=changed(OPENING, salt="0" * 64))


def test_what_it_says_of_itself_holds_no_number_of_the_data():
    for number in (*PATH.release(2.0).tolist(), *PATH.release(8.0).tolist(), 312, 40):
        assert f'"{number}"' not in PUBLISHED.decode()
    said = read_committed(PUBLISHED)
    assert isinstance(said, CommitmentFile)
    assert said.content == PATH.commitment
    assert list(faults(said)) == []
    assert about(said) == {"statistic": "ill people", "noise": "discrete Laplace"}


@for_each(
    "fields",
    [
        {"levels": ["2.0", "1.0"]},
        {"levels": ["x"]},
        {"sensitivity": ["1", "nan", "1.0", "1.0"]},
        {"sensitivity": ["1.5", "1.0", "1.0", "1.0"]},
        {"directions": [1]},
        {"delta": "2"},
        {"family": "gaussian"},
        {"family": "hum"},
        {"entries": 0},
        {"step": "0"},
    ],
)
def test_what_cannot_be_is_said_in_half_a_sentence(fields):
    said = read_committed(changed(PUBLISHED, **fields))
    with pytest.raises(DataError, match=r"cannot be|does not know"):
        _ = said.content
    assert len(list(faults(said))) == 2  # and its signature is wrong


def test_another_commitment_opens_nothing():
    with pytest.raises(ParameterError, match="must be the commitment of this path"):
        opening_json(PATH, 8.0, LATER)
    with pytest.raises(ParameterError, match="must be the commitment of this path"):
        opening_json(PATH, 8.0, OPENING)


def test_numbers_beyond_every_float_are_opened_to_the_last_digit():
    setting = PATH.commitment.setting
    great = 2**62 + 1
    drawn = commit([great, -great], setting, (1.0,), seed=Seed.from_bytes(bytes(32)))
    file = opening_json(drawn, 1.0, commitment_json(drawn.commitment, DAY, key=KEY))
    assert read_committed(file).content.values == tuple(drawn.release(1.0).tolist())
    assert np.abs(np.array(read_committed(file).content.values) - [great, -great]).max() < 100
