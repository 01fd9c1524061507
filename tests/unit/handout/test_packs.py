"""Hand-outs: only allowed columns, the tier's own numbers to the last bit, nothing that runs."""

import csv
import datetime
import hashlib
import io
import json
import unicodedata
import zipfile
from dataclasses import replace
from itertools import product

import numpy as np
import pandas as pd
import pytest

from dpviz.errors import ParameterError
from dpviz.handout import (
    estimates_csv,
    neutral,
    pack_zip,
    tier_csv,
    tier_files,
    tier_json,
    tier_readme,
)
from dpviz.handout.contents import MANIFEST
from dpviz.handout.pack_zip import REQUIRED_FACTS, folders_of
from dpviz.noise import FAMILIES
from dpviz.release import draw_neighbours
from dpviz.workspace.workspace import Workspace
from tests.conftest import for_each, full_run
from tests.handouts import DAY, KEY, facts_of, ledger, release_of

SIGNS = [
    *("=", "+", "-", "@", "＝", "＋", "－", "＠", "\ufe66", "\ufe62", "\ufe63", "\ufe6b", "\u2212"),
]
BEFORE = ["", " ", "\t", "\r", "\n", " \n", "\u00a0", "\u2003", "\u200b", "\ufeff", '"', ' "', "\0"]
SEPARATED = ["", "a;", "a; ", "a;\u00a0", "a;\u200b", 'a;"', ";", "1;2;"]


def cells_of(text):
    """What a spreadsheet may take for cells: it cuts at semicolons, and blanks do not count."""
    return [cell.strip().strip('"').strip() for cell in text.split(";")]


@for_each("sign", SIGNS)
def test_text_that_a_spreadsheet_would_run_is_neutralised(sign):
    for begins in map("".join, product(SEPARATED, BEFORE)):
        written = neutral(f"{begins}{sign}1+cmd|' /C calc'!A0")
        assert not any(cell.startswith(tuple(SIGNS)) for cell in cells_of(written)), repr(begins)
        assert not set(written) & set("\t\r\n\0\u200b\ufeff"), repr(begins)
        release = release_of([-5], entries=(f"{begins}{sign}1+1",), labels=("a",))
        (_, (name, number)) = rows_of(tier_csv(release))
        assert not any(cell.startswith(tuple(SIGNS)) for cell in cells_of(name)), repr(begins)
        assert number == "-5"


@for_each("text", ["#x", "'=1", "# unit", "'"])
def test_text_that_reads_like_the_head_or_a_guard_is_guarded(text):
    assert neutral(text) == f"'{text}"


@for_each(
    "text",
    ["plain", "-5", "+3.5", "-1e5", "a=b", "", "ähm", "a; b", "x;-5;+2", "one; two - three", "5;6"],
)
def test_harmless_text_stays(text):
    assert neutral(text) == text


def frame_of(content):
    return pd.read_csv(io.BytesIO(content), comment="#")


def rows_of(content):
    """The table below the head, as a spreadsheet shows it."""
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    return rows[rows.index([]) + 1 :]


def test_every_number_reads_back_to_the_same_double():
    values = np.array([0.1 + 0.2, -1e-300, 1e300, np.nextafter(5, 6)])
    frame = frame_of(tier_csv(release_of(values)))
    assert list(frame.columns) == ["entry", "value"]
    np.testing.assert_array_equal(frame["value"], values)
    found = json.loads(tier_json(release_of(values), DAY))
    assert found["released"]["value"] == values.tolist()


def test_whole_numbers_stay_exact():
    values = np.array([2**62 + 1, -3])
    assert rows_of(tier_csv(release_of(values)))[1][1] == str(2**62 + 1)
    found = json.loads(tier_json(release_of(values), DAY))
    assert found["released"]["value"] == [2**62 + 1, -3]


TABLES = [
    ({}, [["entry", "value"], ["g0", "40"]]),
    ({"mean": 34.5}, [["entry", "value", "debiased"], ["g0", "40", "5.5"]]),
    ({"step": 0.25}, [["entry", "value", "in_units"], ["g0", "40", "10.0"]]),
    (
        {"mean": 34.5, "step": 0.5},
        [["entry", "value", "debiased", "in_units"], ["g0", "40", "5.5", "2.75"]],
    ),
]


@for_each(("other", "rows"), TABLES)
def test_steps_and_biased_noise_get_columns_of_their_own(other, rows):
    release = release_of([40], **other)
    content = tier_csv(release)
    assert rows_of(content) == rows
    assert set(rows[0]) <= {"entry", "value", "debiased", "in_units"}
    head = content.decode("utf-8-sig").split("\r\n\r\n")[0]
    for column in rows[0]:
        assert f"# column {column}," in head  # each column says what it is
    assert list(json.loads(tier_json(release, DAY))["released"]) == rows[0]


def test_numbers_of_numpy_are_written_as_numbers():
    plain = release_of([40], mean=34.5, step=0.5, level=2.0)
    numpy = release_of(
        [40], mean=np.float64(34.5), step=np.float64(0.5), level=np.float32(2), session=np.int64(1)
    )
    assert tier_files(numpy, DAY) == tier_files(plain, DAY)


def test_what_is_read_stands_in_a_table_of_its_own():
    derived = (("estimate", np.array([2.5, np.nan])), ("low", np.array([-np.inf, np.nan])))
    release = release_of([5, 2, 0, 0], labels=("=a", "b"), derived=derived)
    content = estimates_csv(release)
    assert rows_of(content) == [["group", "estimate", "low"], ["'=a", "2.5", "-inf"], ["b", "", ""]]
    assert "# unit,one row" in content.decode("utf-8-sig")
    found = json.loads(tier_json(release, DAY))["estimates"]
    assert found == {"group": ["=a", "b"], "estimate": [2.5, None], "low": ["-inf", None]}


def test_no_estimates_no_file():
    assert estimates_csv(release_of([1])) == b""
    assert list(tier_files(release_of([1]), DAY)) == ["README.txt", "release.csv", "release.json"]


@for_each(
    ("other", "sentence"),
    [
        ({"entries": ("a", "b")}, "one finite value for each entry"),
        ({"values": [np.nan]}, "one finite value for each entry"),
        ({"facts": (("seed", "7"),)}, "neither the seed nor the exact answer"),
        ({"facts": (("unit", "a"), ("unit", "b"))}, "its own name"),
        ({"derived": (("exact", np.zeros(1)),)}, "derived columns are estimate, low"),
        ({"derived": (("low", np.zeros(1)), ("estimate", np.zeros(1)))}, "in this order"),
        ({"derived": (("estimate", np.zeros(2)),)}, "one number for each label"),
        ({"step": 0.0}, "step must be"),
        ({"level": float("nan")}, "level must be"),
        ({"versions": (("numpy", "2\nexact: 5"),)}, "letters, digits"),
        ({"versions": (("", "2"),)}, "letters, digits"),
    ],
)
def test_what_cannot_be_handed_out_is_no_release(other, sentence):
    with pytest.raises(ParameterError, match=sentence):
        release_of(**({"values": [1.0]} | other))


def test_a_record_keeps_its_numbers_when_the_caller_changes_theirs():
    values = np.array([1.0, 2.0])
    release = replace(release_of([5.0, 5.0]), values=values)
    values[0] = 9.0
    assert release.values.tolist() == [1.0, 2.0]
    with pytest.raises(ValueError, match="read-only"):
        release.values[0] = 3.0


def test_a_name_enters_every_file_without_harm():
    bad = '=HYPERLINK("x")\r\n\u202etxt\ud800'
    release = release_of([1], tier=bad, facts=(("tier", bad), ("unit", "one row")))
    files = tier_files(release, DAY)
    head = next(csv.reader(io.StringIO(files["release.csv"].decode("utf-8-sig"))))
    assert head[0] == "# tier"
    assert head[1].startswith("'=HYPERLINK")
    title = files["README.txt"].decode("utf-8-sig").split("\r\n")[0]
    assert title == 'Release for =HYPERLINK("x") ⟨U+202E⟩txt⟨U+D800⟩'
    assert json.loads(files["release.json"])["tier"] == bad


def test_the_readme_says_everything_but_the_numbers():
    release = release_of([123456789], mean=0.5, derived=(("estimate", np.array([987654321.0])),))
    text = tier_readme(release, DAY).decode("utf-8-sig")
    for wanted in [
        *("unit        one row", "neighbours  add or remove one person", "estimates.csv"),
        *("debiased", "Made on 2026-11-21 with dpviz 0.1.0, numpy 2.4.6."),
    ]:
        assert wanted in text
    assert "123456" not in text
    assert "987654" not in text


def test_facts_name_everything_a_reader_needs_and_no_seed():
    ws = Workspace.fresh()
    ws.seed = 424242
    ws.draw("partners")
    facts = dict(ws.facts_of(ws.ledger[0]))
    assert {
        *("tier", "statistic", "definition", "unit", "neighbours", "sensitivity", "budget"),
        *("accuracy", "mode", "kind"),
    } <= set(facts)
    assert "ε" in facts["budget"]
    assert "δ\xa0=\xa01e-6" in facts["budget"]
    assert "424242" not in repr(facts)


def test_a_draw_leans_on_its_nearest_neighbours():
    family = FAMILIES["gaussian"]
    assert [n.level for n in draw_neighbours(family, (), 4.0)] == [0.0]
    held = (4.0, 1.0)
    found = draw_neighbours(family, held, 2.0)
    assert [(n.level, round(n.weight, 6)) for n in found] == [(1.0, 0.666667), (4.0, 0.333333)]
    assert [(n.level, n.weight) for n in draw_neighbours(family, held, 8.0)] == [(4.0, 1.0)]
    assert draw_neighbours(family, held, 4.0) == ()


# Packs: one safe folder per release whatever a tier is called, the same bytes every time.


HOSTILE = [
    *("..", "../../etc/passwd", "/", "\\\\server\\share", "CON", "con", "COM1.txt", "COM¹", ""),
    *("…", "a:b", "a/b", "A b", "tier", "x" * 300, "公衆", "\ud800", "cafe\u0301", "café"),
    *("straße", "STRASSE", "a\0b", "=1+1"),
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
        *("partners", "audit"),
        *(f"public/number-of-people-per-group-of-ward-{n}" for n in (2, 3)),
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


@for_each("missing", REQUIRED_FACTS)
def test_numbers_without_what_must_stand_beside_them_are_not_packed(missing):
    full = ledger()[0]
    poor = replace(full, facts=tuple(f for f in full.facts if f[0] != missing))
    with pytest.raises(ParameterError, match=f"lacks the fact '{missing}'"):
        packed([poor])


@for_each(
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


@full_run
def test_a_hundred_thousand_groups_go_in():
    d = 100_000
    values = np.arange(d)
    release = release_of(values, facts=facts_of("audit", "ρ = 1"))
    files = opened(packed([release]))
    assert json.loads(files["audit/release.json"])["released"]["value"] == values.tolist()
