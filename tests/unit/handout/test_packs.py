"""Hand-outs: the tier's own numbers to the last bit, in its own folder, and nothing that runs."""

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
    verify_folder,
    verify_pack,
)
from dpviz.handout.contents import MANIFEST, SIGNED
from dpviz.handout.pack_zip import REQUIRED_FACTS, folders_of, several_of, zipped
from dpviz.handout.received import FACTS, FILES, NO_OTHER, SIGNATURE
from dpviz.workspace import Workspace
from tests.conftest import for_each
from tests.handouts import (
    DAY,
    HOSTILE,
    KEY,
    OTHER,
    closed,
    facts_of,
    folder,
    found,
    ledger,
    opened,
    release_of,
    signed_again,
    swapped,
    unpacked,
)

SIGNS = [
    *("=", "+", "-", "@", "＝", "＋", "－", "＠", "\ufe66", "\ufe62", "\ufe63", "\ufe6b", "\u2212")
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


def test_text_that_reads_like_the_head_or_a_guard_is_guarded_and_harmless_text_stays():
    for text in ("#x", "'=1", "# unit", "'"):
        assert neutral(text) == f"'{text}"
    for text in ("plain", "-5", "+3.5", "-1e5", "a=b", "", "ähm", "x;-5;+2", "one; two - three"):
        assert neutral(text) == text


def rows_of(content):
    """The table below the head, as a spreadsheet shows it."""
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    return rows[rows.index([]) + 1 :]


@for_each("values", [[0.1 + 0.2, -1e-300, 1e300, np.nextafter(5, 6)], [2**62 + 1, -3]])
def test_every_number_reads_back_to_the_same_number(values):
    frame = pd.read_csv(io.BytesIO(tier_csv(release_of(values))), comment="#")
    assert list(frame.columns) == ["entry", "value"]
    assert frame["value"].tolist() == values
    found = json.loads(tier_json(release_of(values), DAY))
    assert found["released"]["value"] == values


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
    head = content.decode("utf-8-sig").split("\r\n\r\n")[0]
    for column in rows[0]:
        assert f"# column {column}," in head  # each column says what it is
    assert list(json.loads(tier_json(release, DAY))["released"]) == rows[0]


def test_numbers_of_numpy_are_written_as_numbers():
    plain = {"mean": 34.5, "step": 0.5, "level": 2.0, "session": 1}
    numpy = {name: np.array(number)[()] for name, number in plain.items()}
    assert tier_files(release_of([40], **numpy), DAY) == tier_files(release_of([40], **plain), DAY)


def test_what_is_read_stands_in_a_table_of_its_own():
    derived = (("estimate", np.array([2.5, np.nan])), ("low", np.array([-np.inf, np.nan])))
    release = release_of([5, 2, 0, 0], labels=("=a", "b"), derived=derived)
    content = estimates_csv(release)
    assert rows_of(content) == [["group", "estimate", "low"], ["'=a", "2.5", "-inf"], ["b", "", ""]]
    assert "# unit,one row" in content.decode("utf-8-sig")
    found = json.loads(tier_json(release, DAY))["estimates"]
    assert found == {"group": ["=a", "b"], "estimate": [2.5, None], "low": ["-inf", None]}
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


def test_facts_hold_no_seed():
    ws = Workspace.fresh()
    ws.seed = 424242
    ws.draw("partners")
    facts = dict(ws.facts_of(ws.ledger[0]))
    assert "δ\xa0=\xa01e-6" in facts["budget"]
    assert "424242" not in repr(facts)


# Packs: one safe folder per release whatever a tier is called, the same bytes every time.


def packed(releases, **other):
    return pack_zip(releases, **({"made": DAY, "key": KEY} | other))


def test_hostile_names_become_safe_folders_each_its_own(tmp_path):
    releases = [release_of([i], tier=name) for i, name in enumerate(HOSTILE)]
    folders = folders_of(releases)
    assert len({f.casefold() for f in folders}) == len(HOSTILE)
    reserved = {"con", "prn", "aux", "nul", *(f"{p}{i}" for p in ("com", "lpt") for i in range(10))}
    for name in folders:
        assert name.casefold() not in reserved
        assert all(c.isalnum() or c == "-" for c in name)
        assert unicodedata.is_normalized("NFKC", name)  # COM¹ is COM1 to Windows
        assert 0 < len(name) <= 50
    whole = [replace(r, facts=facts_of(r.tier, "ρ = 1")) for r in releases]
    with zipfile.ZipFile(io.BytesIO(packed(whole))) as archive:
        archive.extractall(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted([*folders, MANIFEST])
    for name, release in zip(folders, whole, strict=True):
        text = (tmp_path / name / "release.csv").read_text("utf-8-sig")
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


# A tier's folder with several releases: its README, its signed list, and packs from before.


LATER = DAY + datetime.timedelta(days=1)
PROMISE = ("Privacy loss of this folder in all: ρ = 0.3.", "Of all tiers: ρ = 0.4.")
README = "audit/README.txt"


def literal(tier, values, budget="ρ = 0.1", statistic="people per ward", **other):
    """A release whose bytes depend on no library of mathematics."""
    facts = dict(facts_of(tier, budget)) | {"statistic": statistic}
    given = {"tier": tier, "facts": tuple(facts.items())} | other
    return release_of(values, **given)


ONE_EACH = [
    release_of([812, 40, -3], tier="public", facts=facts_of("public", "ρ = 0.1")),
    release_of([811, 41, 2], tier="audit", facts=facts_of("audit", "ρ = 0.1"), level=1.0),
]
SEVERAL = [
    *ONE_EACH,
    release_of([7.5], tier="audit", session=2, facts=facts_of("audit", "ρ = 0.1"), level=0.5),
]
THREE = [
    literal("public", [812, 40]),
    literal("audit", [811, 41], level=1.0),
    literal("audit", [7], "ρ = 0.2", "spending per ward", session=2),
]
INNER = ("audit/people-per-ward", "audit/spending-per-ward")


def pack_of(releases=THREE, made=DAY, key=KEY, promise=PROMISE, **other):
    """A pack in which each tier with several releases is promised the same."""
    promises = dict.fromkeys(several_of(releases), promise)
    return pack_zip(releases, made=made, key=key, promises=promises, **other)


@pytest.fixture
def three():
    return opened(pack_of())


def verify(content, releases=THREE, today=DAY):
    return {f.where: f.what for f in verify_pack(content, [releases], today=today, key=KEY)}


# --- packs from before ---


@pytest.mark.parametrize(
    ("releases", "digest"),
    [
        (ONE_EACH, "d071e1b9cef86a5bdacc66a10e7db8448182bc3c0ce41206b268cc2307c3d829"),
        (SEVERAL, "d5638037a52ac558ffa590a9d2dba37e8abe98d413798484a2d228021b88234b"),
    ],
)
def test_a_pack_from_before_tiers_had_lists_is_written_and_checked_as_it_was(releases, digest):
    content = pack_zip(releases, made=DAY, key=KEY)
    assert hashlib.sha256(content).hexdigest() == digest
    assert verify(content, releases) == {}
    assert verify_folder(content).passed
    assert found(folder(opened(content), "audit")) == {}


def test_a_pack_of_one_release_each_is_as_before_whatever_is_promised():
    assert (
        pack_of(ONE_EACH) == pack_of(ONE_EACH, alone=True) == pack_zip(ONE_EACH, made=DAY, key=KEY)
    )


# --- the README, and the list ---


def test_the_readme_names_each_release_with_its_folder_and_what_all_tell(three):
    text = three[README].decode("utf-8-sig").splitlines()
    assert text[0] == "Releases for audit"
    near = "with 95 % confidence value is within ±20 of the bounded statistic"
    assert text[3:5] == [
        f"people-per-ward/    people per ward: ρ = 0.1; {near}",
        f"spending-per-ward/  spending per ward: ρ = 0.2; {near}",
    ]
    assert [line for line in text if line.startswith(("Privacy", "Of all"))] == [*PROMISE]
    assert "Made on 2026-11-21 with dpviz." in text
    assert "public" not in "".join(text)
    said = json.loads(three[f"audit/{SIGNED}"])
    assert said["promise"] == [*PROMISE]
    assert set(said["files"]) == set(folder(three, "audit")) - {SIGNED}
    assert {f"audit/{e['folder']}" for e in said["releases"]} == {*INNER}
    assert "public/README.txt" in three, "a tier with one release has no folder in its folder"


def test_a_tier_alone_gets_its_folder_and_no_list_of_the_pack():
    alone = opened(pack_of(THREE[1:], alone=True))
    assert MANIFEST not in alone
    assert {name.split("/")[0] for name in alone} == {"audit"}
    assert MANIFEST in opened(pack_of(alone=True)), "of two tiers it is a pack"


def test_practice_of_one_tier_is_never_in_the_folder_of_another_and_says_so_first():
    trials = [replace(r, facts=(("practice", "do not publish"), *r.facts)) for r in THREE]
    text = opened(pack_of(trials))["practice-audit/README.txt"].decode("utf-8-sig")
    assert text.startswith("Practice releases for audit: do not publish these numbers\r\n")
    trial = literal("audit", [1], facts=(("practice", "x"), *facts_of("audit", "ρ = 1")))
    real = literal("practice audit", [2], session=2)
    assert folders_of([trial, real]) == ["practice-audit", "practice-audit-2"]


def test_hostile_names_of_tiers_and_statistics_pass():
    releases = [
        replace(literal(tier, [1], statistic=f"{tier} {n}"), session=n, name=tier * (n > 1))
        for tier in HOSTILE
        for n in (1, 2)
    ]
    content = pack_of(releases)
    assert verify(content, releases) == {}
    assert found(content) == {}
    told = [text for handout in verify_folder(content).handouts for _, text in handout.facts]
    assert told
    assert all(text.isprintable() for text in told)
    tops = {name.split("/")[0] for name in opened(content)} - {MANIFEST}
    assert len({top.casefold() for top in tops}) == len(HOSTILE)


# --- what a recipient finds ---


def test_an_untouched_tier_folder_passes_in_every_form(three, tmp_path):
    unpacked(three, tmp_path)
    alone = {name: c for name, c in three.items() if name.startswith("audit/")}
    of_tier = pack_of(THREE[1:], alone=True)
    folders = [folder(three, name) for name in ("audit", *INNER)]
    for form in (pack_of(), of_tier, three, alone, tmp_path, tmp_path / "audit", *folders):
        assert found(form) == {}, form
    assert len(verify_folder(of_tier).handouts) == 2


def test_a_readme_that_was_changed_is_named_by_its_path(three):
    alone = {name: c for name, c in three.items() if name != MANIFEST}
    wrong = {**alone, README: swapped(three[README], "ρ = 0.3", "ρ = 0.2")}
    assert found(wrong)[FILES] == {README: "was changed after signing"}
    del wrong[README]
    assert found(wrong)[FILES] == {README: "is missing"}
    assert set(found(alone | {"audit/more.txt": b"a"})[NO_OTHER]) == {"audit/more.txt"}


@pytest.mark.parametrize("with_list_of_pack", [True, False])
def test_a_folder_that_is_missing_or_of_another_pack_is_named_by_its_path(three, with_list_of_pack):
    whole = {n: c for n, c in three.items() if with_list_of_pack or n != MANIFEST}
    away = {name: c for name, c in whole.items() if not name.startswith(INNER[1])}
    assert {f"{INNER[1]}/{SIGNED}", f"{INNER[1]}/README.txt"} <= set(found(away)[FILES])
    drawn_again = [*THREE[:2], replace(THREE[2], values=THREE[2].values + 1)]
    for other in (pack_of(made=LATER), pack_of(drawn_again), pack_of(key=OTHER)):
        inner = {n: c for n, c in opened(other).items() if n.startswith(INNER[1])}
        assert f"{INNER[1]}/{SIGNED}" in found(whole | inner)[FILES]
    swap = {n.replace(INNER[1], INNER[0]): c for n, c in whole.items() if n.startswith(INNER[1])}
    assert f"{INNER[0]}/{SIGNED}" in found(whole | swap)[FILES]


def test_what_a_readme_says_otherwise_than_its_lists_is_found_however_it_is_signed(three):
    mine = folder(three, "audit")
    for old, new in [
        ("people per ward: ρ = 0.1", "people per ward: ρ = 0.01"),
        ("spending per ward: ρ", "spending: ρ"),
        ("Releases for audit", "Releases for public"),
        ("in all: ρ = 0.3", "in all: ρ = 0.2"),
        ("2026-11-21", "2026-11-22"),
    ]:
        changed = signed_again(mine | {"README.txt": swapped(mine["README.txt"], old, new)}, OTHER)
        wrong = found(changed)
        assert list(wrong[FACTS]) == ["README.txt"], old
    promised = signed_again(mine, KEY, promise=["Nothing is lost."])
    assert list(found(promised)) == [FACTS]
    entries = json.loads(mine[SIGNED])["releases"]
    for fewer in ([], entries[:1]):
        assert list(found(signed_again(mine, KEY, releases=fewer))) == [FACTS]
    other = signed_again(mine, KEY, releases=[entries[0] | {"level": "9.0"}, entries[1]])
    assert f"{INNER[0].removeprefix('audit/')}/{SIGNED}" in found(other)[FACTS]
    assert SIGNATURE in found(signed_again(mine, OTHER))


@pytest.mark.parametrize("field", ["releases", "promise", "made", "version", "format"])
@pytest.mark.parametrize("value", [None, [], {}, ["x"], [["x"]], "x", 2, [{}]])
def test_no_list_whatever_is_in_it_ends_in_anything_but_a_finding(three, field, value):
    mine = folder(three, "audit")
    changed = {f"audit/{n}": c for n, c in signed_again(mine, **{field: value}).items()}
    assert found(changed) != {}
    assert verify(closed(changed)) != {}
    assert verify(zipped(three | changed, DAY)) != {}
    assert verify(zipped(changed, DAY)) != {}


# --- what the ledger finds ---


def test_packs_and_folders_pass_by_the_ledger():
    alone = pack_of(THREE[1:], alone=True)
    assert verify(pack_of()) == verify(alone) == {}
    assert set(verify(pack_of(THREE[1:]))) == {"tier “public”"}, "with a list of the pack it is one"
    assert verify(pack_of(made=LATER), today=LATER) == {}
    more = [*THREE, literal("audit", [1], session=3), literal("public", [1], session=3)]
    missing = verify(alone, more)
    assert list(missing) == ["tier “audit”"], "of the folder of a tier only its own are missed"
    assert set(verify(pack_of(), more)) == {"tier “audit”", "tier “public”"}
    first = pack_of(promise=("What was true on that day.",))
    assert verify(first) == {}, "what the ledger said then was signed then"


def test_a_forged_readme_or_list_is_found_by_the_ledger(three):
    for name, old, new in [
        (README, "ρ = 0.3", "ρ = 0.2"),
        (README, "spending-per-ward/", "spending-per-word/"),
        (f"audit/{SIGNED}", "ρ = 0.3", "ρ = 0.2"),
    ]:
        for whole in (three, opened(pack_of(THREE[1:], alone=True))):
            forged = {**whole, name: swapped(whole[name], old, new)}
            assert name in verify(zipped(forged, DAY)), name
    forged = pack_of(key=OTHER, promise=("Nothing is lost.",))
    assert {README, f"audit/{SIGNED}"} & set(verify(forged))
    for name in (README, f"audit/{SIGNED}"):
        less = {n: c for n, c in three.items() if n != name}
        assert verify(zipped(less, DAY))[name] == "is missing"
    both = {n: c for n, c in three.items() if n not in (README, f"audit/{SIGNED}")}
    assert verify(zipped(both, DAY)) != {}
