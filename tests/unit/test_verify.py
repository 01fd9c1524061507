"""The verifier finds what was planted and says whose it is; an untouched pack passes."""

import hashlib
import io
import json
import re
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from dpviz.queries import BoundedMean, ByColumn
from dpviz.release import pack_zip, verify_pack
from dpviz.release.pack_zip import MANIFEST
from tests.handouts import DAY, EXACT, VERSIONS, ledger, release_of

NOTHING = ()


def pack_of(releases):
    return pack_zip(releases, made=DAY, versions=VERSIONS)


def opened(content):
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        return {info.filename: archive.read(info) for info in archive.infolist()}


def closed(files, *, honest=True):
    """A zip of these files; its manifest is brought up to date where the forger is careful."""
    if honest and MANIFEST in files:
        manifest = json.loads(files[MANIFEST])
        others = {path: text for path, text in files.items() if path != MANIFEST}
        digests = {path: hashlib.sha256(text).hexdigest() for path, text in others.items()}
        text = json.dumps(manifest | {"files": digests}).encode()
        files = {MANIFEST: text, **others}
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in files.items():
            archive.writestr(path, text)
    return sink.getvalue()


def edited(content, path, change, **how):
    files = opened(content)
    before = files[path]
    files[path] = change(before)
    assert files[path] != before
    return closed(files, **how)


def swap(old, new):
    return lambda content: content.replace(old.encode(), new.encode(), 1)


def column(content, name, cells):
    """The CSV with one more column."""
    lines = content.decode("utf-8-sig").split("\r\n")
    start = lines.index("") + 1
    for line, cell in zip(range(start, start + 1 + len(cells)), [name, *cells], strict=True):
        lines[line] += f",{cell}"
    return "\r\n".join(lines).encode("utf-8-sig")


def texts(values):
    return [repr(v) for v in np.asarray(values).tolist()]


def said(findings):
    return [(f.where, f.what) for f in findings]


@pytest.mark.parametrize("family", ["gaussian", "discrete_laplace"])
@pytest.mark.parametrize("derived", [True, False])
@pytest.mark.parametrize("step", [1.0, 0.25])
def test_an_untouched_pack_passes(family, derived, step):
    releases = ledger(family, derived=derived, step=step)
    exact = {1: EXACT[family]}
    assert verify_pack(pack_of(releases), releases) == NOTHING
    assert verify_pack(pack_of(releases), releases, exact) == NOTHING


def test_means_pass_with_cells_that_say_too_little():
    query = BoundedMean("pay", 0, 50, by=ByColumn("ward", ("A", "=B")), step=0.25)
    released = np.array([8, -3, 40, 0])
    low, high = query.interval(released, 2.0)
    derived = (("estimate", query.estimate(released)), ("low", low), ("high", high))
    assert np.isnan(derived[0][1][1])
    plain = ledger()[0]
    release = replace(
        plain,
        entries=query.entries,
        values=released,
        step=query.step,
        labels=query.labels,
        derived=derived,
    )
    content = pack_of([release])
    assert verify_pack(content, [release]) == NOTHING
    text = opened(content)["public/estimates.csv"].decode("utf-8-sig")
    assert text.split("\r\n\r\n")[1].split("\r\n")[2] == "'=B,,0.0,50.0"
    forged = edited(content, "public/estimates.csv", swap("'=B,,", "'=B,31.5,"))
    (finding,) = verify_pack(forged, [release])
    assert finding.what.startswith("1 of 2 cells in the column “estimate”")


def test_a_pack_of_last_month_passes_when_the_ledger_has_grown():
    releases = ledger()
    later = [*releases, *ledger(session=2, tiers={"public": 4.0})]
    assert verify_pack(pack_of(releases[:2]), later) == NOTHING
    assert verify_pack(pack_of(later), later) == NOTHING
    (finding,) = verify_pack(pack_of(later), releases)
    assert (finding.where, finding.what) == (MANIFEST, "names a release that is not in the ledger")


def test_noise_of_zero_proves_nothing_for_integers_and_everything_for_floats():
    whole = replace(ledger("discrete_laplace")[0], values=EXACT["discrete_laplace"], derived=())
    assert verify_pack(pack_of([whole]), [whole], {1: EXACT["discrete_laplace"]}) == NOTHING
    near = np.array([812.0, 40.5, 3.5])
    floats = replace(ledger()[0], values=near, derived=())
    assert verify_pack(pack_of([floats]), [floats]) == NOTHING
    assert said(verify_pack(pack_of([floats]), [floats], {1: EXACT["gaussian"]})) == [
        ("public/release.csv", "a released number equals the exact one"),
        ("public/release.json", "a released number equals the exact one"),
    ]


@pytest.mark.parametrize("family", ["gaussian", "discrete_laplace"])
@pytest.mark.parametrize("file", ["release.csv", "estimates.csv"])
def test_an_exact_column_is_found_and_named(family, file):
    releases = ledger(family)
    width = 3 if file == "release.csv" else 4
    forged = edited(
        pack_of(releases),
        f"public/{file}",
        lambda c: column(c, "exact", texts(EXACT[family])),
    )
    where, what = f"public/{file}", f"column {width} is not one of those allowed"
    assert said(verify_pack(forged, releases)) == [(where, what)]
    named = said(verify_pack(forged, releases, {1: EXACT[family]}))
    assert named == [(where, f"{what}: they are the exact answer")]


def test_the_exact_answer_in_units_is_found_too():
    releases = ledger("discrete_laplace", step=0.25)
    exact = EXACT["discrete_laplace"]
    forged = edited(
        pack_of(releases),
        "public/release.csv",
        lambda c: column(c, "note", texts(exact * 0.25)),
    )
    (finding,) = verify_pack(forged, releases, {1: exact})
    assert finding.what == "column 4 is not one of those allowed: they are the exact answer"


def test_a_column_of_a_less_private_tier_is_found_and_named():
    releases = ledger()
    audit = texts(releases[2].values)
    forged = edited(pack_of(releases), "public/release.csv", lambda c: column(c, "debiased", audit))
    assert said(verify_pack(forged, releases)) == [
        (
            "public/release.csv",
            "column 3 is not one of those allowed: they are those of the less private tier “audit”",
        )
    ]


def test_numbers_of_a_less_private_tier_in_an_allowed_column_are_found():
    releases = ledger(derived=False)

    def plant(content):
        for own, other in zip(releases[0].values, releases[2].values, strict=True):
            content = content.replace(repr(float(own)).encode(), repr(float(other)).encode())
        return content

    for file in ("release.csv", "release.json"):
        forged = edited(pack_of(releases), f"public/{file}", plant)
        assert said(verify_pack(forged, releases)) == [
            (
                f"public/{file}",
                "3 of 3 cells in the column “value” are not those of this tier’s release: "
                "they are those of the less private tier “audit”",
            )
        ]


def test_numbers_of_a_more_private_tier_are_wrong_too():
    releases = ledger(derived=False)
    files = opened(pack_of(releases))
    lines = files["public/release.csv"].decode().split("\r\n")[-4:]
    own = files["audit/release.csv"].decode().split("\r\n")[:-4]
    files["audit/release.csv"] = "\r\n".join([*own, *lines]).encode()
    (finding,) = verify_pack(closed(files), releases)
    assert finding.what.endswith("release: they are those of the tier “public”")


@pytest.mark.parametrize("file", ["release.csv", "estimates.csv", "release.json", "README.txt"])
def test_an_altered_budget_is_found(file):
    releases = ledger()
    forged = edited(pack_of(releases), f"partners/{file}", swap("= 0.02", "= 0.01"))
    if file == "release.json":  # where ρ is written in ASCII
        assert said(verify_pack(forged, releases)) == [
            (f"partners/{file}", "the fact “budget” was changed")
        ]
        return
    (finding,) = verify_pack(forged, releases)
    assert finding.where == f"partners/{file}"
    assert finding.what.startswith("the fact “budget” was changed")


@pytest.mark.parametrize("file", ["release.csv", "release.json", "estimates.csv"])
@pytest.mark.parametrize("family", ["gaussian", "discrete_laplace"])
def test_an_altered_last_digit_is_found(file, family):
    releases = ledger(family)
    number = repr(releases[1].values.tolist()[2])
    if file == "estimates.csv":
        number = repr(float(releases[1].values[2]))
    last = str((int(number[-1]) + 1) % 10)
    forged = edited(
        pack_of(releases),
        f"partners/{file}",
        lambda c: (number[:-1] + last).encode().join(c.rsplit(number.encode(), 1)),
    )
    (finding,) = verify_pack(forged, releases, {1: EXACT[family]})
    assert finding.where == f"partners/{file}"
    assert finding.what.startswith("1 of 3 cells in the column")
    assert not re.search(r"\d\d|\d\.\d", finding.what)  # it tells no number


def test_an_altered_estimate_is_found_in_the_json():
    releases = ledger()

    def plant(content):
        found = json.loads(content)
        found["estimates"]["clipped"][0] += 1
        return json.dumps(found).encode()

    (finding,) = verify_pack(edited(pack_of(releases), "audit/release.json", plant), releases)
    assert finding.what.startswith("1 of 3 cells in the column “clipped”")


JSON_PLANTS = [
    ({"exact": [1]}, "does not have the fields"),
    ({"level": 2.0}, "the field “level” was changed"),
    ({"made": "2026-11-20"}, "the field “made” was changed"),
    ({"step": "1.0"}, "the field “step” is of another kind"),
    ({"versions": {}}, "the field “versions” was changed"),
    ({"released": {"entry": ["g0", "g1", "g2"], "value": 5}}, "has a column that is no list"),
    ({"released": []}, "the field “released” is of another kind"),
    ({"facts": {}}, "the fact “tier” is missing"),
]


@pytest.mark.parametrize(("plant", "sentence"), JSON_PLANTS)
def test_what_is_planted_in_a_json_is_found(plant, sentence):
    releases = ledger()
    forged = edited(
        pack_of(releases),
        "audit/release.json",
        lambda c: json.dumps(json.loads(c) | plant).encode(),
    )
    findings = verify_pack(forged, releases)
    assert {f.where for f in findings} == {"audit/release.json"}
    assert findings[0].what.startswith(sentence)


def test_a_column_hidden_behind_a_name_that_stands_twice_is_found():
    releases = ledger()
    forged = edited(
        pack_of(releases), "audit/release.json", swap('"value"', '"value": [1, 2, 3], "value"')
    )
    assert said(verify_pack(forged, releases)) == [
        ("audit/release.json", "cannot be checked: it is not plain JSON")
    ]


CSV_PLANTS = [
    (swap("# unit,", "# exact,812\r\n# unit,"), "has a fact that does not belong there"),
    (swap("# unit,", "812,40,3\r\n# unit,"), "has a line above the table"),
    (swap("# unit,one person = one row\r\n", ""), "the fact “unit” is missing"),
    (swap("g0,", "g0,812,"), "has no table"),
    (swap("g1,", "g9,"), "1 of 3 cells in the column “entry”"),
    (lambda c: c + b"g3,812\r\n", "the column “entry” has not one cell for each entry"),
    (lambda c: c + b"\xff", "cannot be checked: it is not text"),
    (lambda c: c + b'"', "cannot be checked: it is not a CSV"),
    (lambda _: b"", "the fact “tier” is missing"),
]


@pytest.mark.parametrize(("plant", "sentence"), CSV_PLANTS)
def test_what_is_planted_in_a_csv_is_found(plant, sentence):
    releases = ledger()
    findings = verify_pack(edited(pack_of(releases), "audit/release.csv", plant), releases)
    assert {f.where for f in findings} == {"audit/release.csv"}
    assert any(f.what.startswith(sentence) for f in findings)


README_PLANTS = [
    (swap("What is computed", "Not all computed"), "a line was changed or is missing"),
    (lambda c: c + b"exact: 812\r\n", "has a line that does not belong there"),
    (swap("2026-11-21", "2026-11-20"), "a line was changed or is missing"),
    (swap("unit  ", "Unit  "), "the fact “unit” was changed or is missing"),
]


@pytest.mark.parametrize(("plant", "sentence"), README_PLANTS)
def test_what_is_planted_in_a_readme_is_found(plant, sentence):
    releases = ledger()
    findings = verify_pack(edited(pack_of(releases), "audit/README.txt", plant), releases)
    assert {f.where for f in findings} == {"audit/README.txt"}
    assert sentence in [f.what for f in findings]


def test_extra_and_missing_files_are_found():
    releases = ledger()
    files = opened(pack_of(releases))
    del files["audit/README.txt"]
    assert said(verify_pack(closed(files | {"audit/exact.csv": b"812"}), releases)) == [
        ("audit/README.txt", "is missing"),
        ("audit/exact.csv", "does not belong in the pack"),
    ]


def test_swapped_folders_are_found_in_both():
    releases = ledger()
    files = opened(pack_of(releases))
    turn = {"public": "audit", "audit": "public"}
    swapped = {
        "/".join([turn.get(path.split("/")[0], path.split("/")[0]), *path.split("/")[1:]]): text
        for path, text in files.items()
    }
    findings = said(verify_pack(closed(swapped), releases))
    assert {where.split("/")[0] for where, _ in findings} == {"public", "audit"}
    assert (
        "public/release.csv",
        "3 of 3 cells in the column “value” are not those of this tier’s release: they are those "
        "of the less private tier “audit”",
    ) in findings


def test_folders_swapped_with_the_manifest_are_found():
    releases = ledger()
    turn = {"public": "audit", "audit": "public"}
    files = {}
    for path, text in opened(pack_of(releases)).items():
        top, *rest = path.split("/")
        files["/".join([turn.get(top, top), *rest])] = text
    manifest = json.loads(files[MANIFEST])
    for entry in manifest["releases"]:
        entry["folder"] = turn.get(entry["folder"], entry["folder"])
    files[MANIFEST] = json.dumps(manifest).encode()
    findings = said(verify_pack(closed(files), releases))
    assert findings[0] == (MANIFEST, "names a folder that is not its release’s")
    assert ("public/release.csv", "the fact “budget” was changed") in findings


def test_wrong_digests_are_found():
    releases = ledger()
    forged = edited(pack_of(releases), "audit/README.txt", swap("What is", "Not all"), honest=False)
    assert (MANIFEST, "the digest of “audit/README.txt” is not that of the file") in said(
        verify_pack(forged, releases)
    )


MANIFEST_PLANTS = [
    (lambda m: m | {"exact": [812]}, "does not have the fields"),
    (lambda m: m | {"note": "812"}, "was changed"),
    (lambda m: m | {"schema": "other"}, "was changed"),
    (lambda m: m | {"made": 5}, "has no day"),
    (lambda m: m | {"versions": {"exact": "812, 40"}}, "has a version that is none"),
    (lambda m: m | {"versions": [1]}, "does not have the fields"),
    (lambda m: m | {"releases": 5}, "names a release that is not in the ledger"),
    (lambda m: m | {"releases": [{"tier": [1]}]}, "names a release that is not in the ledger"),
    (lambda m: m | {"releases": m["releases"] + m["releases"][:1]}, "names a release twice"),
    (lambda _: [1], "does not have the fields"),
]


@pytest.mark.parametrize(("plant", "sentence"), MANIFEST_PLANTS)
def test_a_forged_manifest_is_one_finding(plant, sentence):
    releases = ledger()
    forged = edited(
        pack_of(releases),
        MANIFEST,
        lambda c: json.dumps(plant(json.loads(c))).encode(),
        honest=False,
    )
    (finding,) = verify_pack(forged, releases)
    assert finding.where == MANIFEST
    assert finding.what.startswith(sentence)


def test_a_pack_without_a_manifest_is_one_finding():
    releases = ledger()
    files = opened(pack_of(releases))
    del files[MANIFEST]
    (finding,) = verify_pack(closed(files), releases)
    assert finding.what == "is missing, so nothing says what the pack holds"


def bomb():
    return closed({"a/release.csv": b"0" * 5_000_000})


def many():
    return closed({f"f{i}": b"" for i in range(500)})


def truncated():
    return pack_of(ledger())[:-100]


def prefixed():
    return b"exact 812" + pack_of(ledger())


def commented():
    sink = io.BytesIO(pack_of(ledger()))
    with zipfile.ZipFile(sink, "a") as archive:
        archive.comment = b"exact 812"
    return sink.getvalue()


def lying_about_its_size():
    """The central directory states 10 bytes for 5 MB."""
    content = bytearray(bomb())
    at = content.rindex(b"PK\x01\x02") + 24
    content[at : at + 4] = (10).to_bytes(4, "little")
    return bytes(content)


def twice():
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("a", b"1")
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("a", b"2")
    return sink.getvalue()


REFUSED = [
    (bomb, "far more"),
    (many, "far more"),
    (truncated, "not a zip"),
    (lambda: b"", "not a zip"),
    (lambda: b"PK\x03\x04nonsense", "not a zip"),
    (prefixed, "belong to no file"),
    (commented, "belong to no file"),
    (lying_about_its_size, "not a zip"),
    (twice, "stands in it twice"),
    (lambda: closed({"../../etc/passwd": b"x"}), "no plain path"),
    (lambda: closed({"/etc/passwd": b"x"}), "no plain path"),
    (lambda: closed({"a/./b": b"x"}), "no plain path"),
    (lambda: closed({"a\\b": b"x"}), "no plain path"),
    (lambda: closed({"C:a": b"x"}), "no plain path"),
]


@pytest.mark.parametrize(("make", "sentence"), REFUSED)
def test_what_is_no_honest_zip_is_one_finding(make, sentence):
    (finding,) = verify_pack(make(), ledger())
    assert finding.where == "the pack"
    assert sentence in finding.what


def test_hundred_thousand_groups_are_verified():
    release = replace(ledger()[0], derived=())
    many = release_of(np.arange(100_000), facts=release.facts)
    assert verify_pack(pack_of([many]), [many], {1: np.arange(100_000)}) == NOTHING
