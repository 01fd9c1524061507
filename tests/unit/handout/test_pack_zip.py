"""Packs: one safe folder per release whatever a tier is called, the same bytes every time."""

import datetime
import hashlib
import io
import json
import unicodedata
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from dpviz.errors import ParameterError
from dpviz.handout import pack_zip
from dpviz.handout.contents import MANIFEST
from dpviz.handout.pack_zip import REQUIRED_FACTS, folders_of
from tests.handouts import DAY, KEY, facts_of, ledger, release_of

HOSTILE = [
    "..",
    "../../etc/passwd",
    "/",
    "\\\\server\\share",
    "CON",
    "con",
    "COM1.txt",
    "COM¹",
    "",
    "…",
    "a:b",
    "a/b",
    "A b",
    "tier",
    "x" * 300,
    "公衆",
    "\ud800",
    "cafe\u0301",
    "café",
    "straße",
    "STRASSE",
    "a\0b",
    "=1+1",
]


def packed(releases, **other):
    return pack_zip(releases, **({"made": DAY, "key": KEY} | other))


def opened(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {info.filename: archive.read(info) for info in archive.infolist()}


def test_hostile_names_become_safe_folders_each_its_own(tmp_path):
    releases = [release_of([i], tier=name) for i, name in enumerate(HOSTILE)]
    folders = folders_of(releases)
    assert len({f.casefold() for f in folders}) == len(HOSTILE)
    reserved = {"con", "prn", "aux", "nul", *(f"{p}{i}" for p in ("com", "lpt") for i in range(10))}
    for folder in folders:
        assert folder.casefold() not in reserved
        assert all(c.isalnum() or c == "-" for c in folder)
        assert unicodedata.is_normalized("NFKC", folder)  # COM¹ is COM1 to Windows
        assert 0 < len(folder) <= 50
    whole = [replace(r, facts=facts_of(r.tier, "ρ = 1")) for r in releases]
    with zipfile.ZipFile(io.BytesIO(packed(whole))) as archive:
        archive.extractall(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([*folders, MANIFEST])
    for folder, release in zip(folders, whole, strict=True):
        text = (tmp_path / folder / "release.csv").read_text("utf-8-sig")
        assert text.endswith(f"g0,{release.values[0]}\n")


def test_a_tier_with_several_releases_has_them_in_its_folder():
    one, two = ledger(session=1), ledger(session=2, tiers={"public": 4.0})
    upgraded = ledger(session=1, tiers={"public": 100.0})
    assert folders_of([*one, *two, *upgraded]) == [
        "public/number-of-people-per-group-of-ward",
        "partners",
        "audit",
        "public/number-of-people-per-group-of-ward-2",
        "public/number-of-people-per-group-of-ward-3",
    ]


def test_practice_has_folders_of_its_own_whose_files_say_so_first():
    (real,) = ledger(tiers={"public": 4.0})
    trial = replace(real, session=2, facts=(("practice", "do not publish"), *real.facts))
    assert folders_of([real, trial]) == ["public", "practice-public"]
    files = {name: content.decode("utf-8-sig") for name, content in opened(packed([trial])).items()}
    first = {name: text.splitlines()[0] for name, text in files.items() if name != MANIFEST}
    for name in ("release.csv", "estimates.csv"):
        assert first[f"practice-public/{name}"] == "# practice,do not publish"
    assert first["practice-public/README.txt"] == (
        "Practice release for public: do not publish these numbers"
    )
    assert json.loads(files["practice-public/release.json"])["facts"]["practice"]
    assert json.loads(files["practice-public/SIGNED.json"])["facts"]["practice"]


def test_the_same_releases_give_the_same_bytes_on_the_same_day():
    content = packed(ledger())
    assert packed(ledger()) == content
    assert packed(ledger(), made=datetime.date(2026, 11, 22)) != content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert {i.date_time for i in archive.infolist()} == {(2026, 11, 21, 0, 0, 0)}


def test_the_manifest_has_the_right_digests_and_no_number_of_a_release():
    releases = ledger()
    files = opened(packed(releases))
    manifest = json.loads(files[MANIFEST])
    assert set(manifest["files"]) == set(files) - {MANIFEST}
    for path, stated in manifest["files"].items():
        assert stated == hashlib.sha256(files[path]).hexdigest()
    assert [e["tier"] for e in manifest["releases"]] == ["public", "partners", "audit"]
    assert manifest["made"] == "2026-11-21"
    text = files[MANIFEST].decode()
    assert not any(repr(v) in text for r in releases for v in r.values.tolist())


def test_each_folder_holds_its_own_numbers_only():
    releases = ledger()
    files = opened(packed(releases))
    for own in releases:
        texts = b"".join(c for p, c in files.items() if p.startswith(f"{own.tier}/")).decode()
        for other in releases:
            for number in other.values.tolist():
                assert (repr(number) in texts) == (own is other)


@pytest.mark.parametrize("missing", REQUIRED_FACTS)
def test_numbers_without_what_must_stand_beside_them_are_not_packed(missing):
    full = ledger()[0]
    poor = replace(full, facts=tuple(f for f in full.facts if f[0] != missing))
    with pytest.raises(ParameterError, match=f"lacks the fact '{missing}'"):
        packed([poor])


@pytest.mark.parametrize(
    ("other", "sentence"),
    [
        ({"releases": []}, "no release to pack"),
        ({"releases": ledger() + ledger()}, "twice"),
        ({"made": datetime.date(1979, 12, 31)}, "years 1980 to 2107"),
        ({"made": DAY - datetime.timedelta(days=1)}, "before the day of a draw"),
    ],
)
def test_what_cannot_be_packed_is_refused(other, sentence):
    with pytest.raises(ParameterError, match=sentence):
        packed(**({"releases": ledger()} | other))


def test_a_hundred_thousand_groups_go_in():
    d = 100_000
    values = np.arange(d)
    release = release_of(values, facts=facts_of("audit", "ρ = 1"))
    files = opened(packed([release]))
    assert json.loads(files["audit/release.json"])["released"]["value"] == values.tolist()
