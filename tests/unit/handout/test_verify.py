"""A pack passes if it is, byte for byte, what the ledger gives; everything else is a finding."""

import hashlib
import io
import json
import re
import struct
import sys
import zipfile
import zlib
from dataclasses import replace

import numpy as np
import pytest

from dpviz.handout import pack_zip, verify_pack
from dpviz.handout.contents import MANIFEST
from dpviz.handout.pack_zip import pack_files, zipped
from dpviz.queries import BoundedMean, ByColumn
from tests.conftest import for_each
from tests.handouts import DAY, EXACT, KEY, OTHER, TIERS, ledger, opened

NOTHING = ()


def pack_of(releases, made=DAY):
    return pack_zip(releases, made=made, key=KEY)


def verify(content, releases, today=DAY):
    return verify_pack(content, [releases], today=today, key=KEY)


def closed(files, made=DAY):
    """The zip of a careful forger: as ours is written, with digests that agree."""
    manifest = json.loads(files[MANIFEST])
    others = {path: text for path, text in files.items() if path != MANIFEST}
    digests = {path: hashlib.sha256(text).hexdigest() for path, text in others.items()}
    text = json.dumps(manifest | {"files": digests}, indent=1).encode()
    return zipped({MANIFEST: text, **others}, made)


def edited(path, change):
    """A forgery: one file of the pack is changed."""

    def forge(content):
        files = opened(content)
        before = files[path]
        files[path] = change(before)
        assert files[path] != before
        return closed(files)

    return forge


def swap(old, new):
    def change(content):
        assert old.encode() in content
        return content.replace(old.encode(), new.encode(), 1)

    return change


def in_json(change):
    return lambda content: json.dumps(change(json.loads(content))).encode()


def in_manifest(change):
    """A forgery: the manifest says something else, and the zip is written again."""

    def forge(content):
        files = opened(content)
        manifest = change(json.loads(files[MANIFEST]))
        return zipped(files | {MANIFEST: json.dumps(manifest, indent=1).encode()}, DAY)

    return forge


def rows(change):
    """The table of a CSV, row by row."""

    def forge(content):
        head, table = content.decode("utf-8-sig").split("\r\n\r\n")
        lines = [change(line.split(",")) for line in table.removesuffix("\r\n").split("\r\n")]
        text = "".join(f"{','.join(line)}\r\n" for line in lines)
        return f"{head}\r\n\r\n{text}".encode("utf-8-sig")

    return forge


def attribute(**new):
    """A forgery: the same files with other attributes, written by the usual library."""

    def forge(content):
        sink = io.BytesIO()
        with zipfile.ZipFile(sink, "w") as archive, zipfile.ZipFile(io.BytesIO(content)) as old:
            for info in old.infolist():
                text = old.read(info)
                for name, value in new.items():
                    setattr(info, name, value)
                archive.writestr(info, text)
        assert sink.getvalue() != content
        return sink.getvalue()

    return forge


def by_hand(entries):
    """A zip of (name, method, bytes in it, the file), with nothing else in it."""
    files, listed = b"", []
    for name, method, packed, text in entries:
        fields = (method, 0, 0x5B75, zlib.crc32(text), len(packed), len(text), len(name), 0)
        listed.append(
            struct.pack("<4s3H", b"PK\x01\x02", 20, 20, 0)
            + struct.pack("<3H3L2H", *fields)
            + struct.pack("<3H2L", 0, 0, 0, 0, len(files))
            + name
        )
        files += struct.pack("<4s2H3H3L2H", b"PK\x03\x04", 20, 0, *fields) + name + packed
    directory = b"".join(listed)
    sizes = (len(listed), len(listed), len(directory), len(files), 0)
    return files + directory + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, *sizes)


def with_text_behind_a_stream(content):
    """The manifest is deflated, and text stands behind the end of its stream."""
    squeeze = zlib.compressobj(wbits=-15)
    (first, text), *others = opened(content).items()
    packed = squeeze.compress(text) + squeeze.flush() + b"exact 812"
    stored = [(path.encode(), 0, text, text) for path, text in others]
    forged = by_hand([(first.encode(), 8, packed, text), *stored])
    assert opened(forged) == opened(content)
    return forged


def with_archive_comment(content):
    sink = io.BytesIO(content)
    with zipfile.ZipFile(sink, "a") as archive:
        archive.comment = b"exact 812"
    return sink.getvalue()


def with_text_between_the_files(content):
    at = content.index(b"PK\x01\x02")
    return content[:at] + b"exact 812" + content[at:]


def with_another_name_in_the_directory(content):
    at = content.index(b"PK\x01\x02")
    return content[:at] + content[at:].replace(b"release", b"exact81")


def packed_again(content):
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in opened(content).items():
            archive.writestr(path, text)
    return sink.getvalue()


def with_made(day):
    """Another day, in every file and in the zip."""

    def forge(content):
        files = opened(content)
        old = DAY.isoformat().encode()
        return closed({path: text.replace(old, day.encode()) for path, text in files.items()})

    return forge


def turned(entries):
    return [dict(reversed(list(entry.items()))) for entry in entries]


CSV, JSON = "public/release.csv", "public/release.json"
ESTIMATES, README = "public/estimates.csv", "public/README.txt"
COUNT = str(EXACT["discrete_laplace"][0])
THE_PACK = "the pack"
FORGERIES = {  # a file, the list, the zip around them, and a day
    "versions in a text": (edited(README, swap("numpy 2.4.6", f"numpy 2.{COUNT}.40")), README),
    "blanks after JSON": (edited(JSON, lambda c: c + b" " * 812), JSON),
    "blanks after a CSV": (edited(CSV, lambda c: c + b"\r\n"), CSV),
    "whole as decimal in JSON": (
        edited(JSON, lambda c: re.sub(rb'("value": \[-?\d+)', rb"\1.0", c)), JSON,
    ),
    "columns reordered in CSV": (edited(CSV, rows(lambda r: r[::-1])), CSV),
    "rows reordered": (
        edited(ESTIMATES, lambda c: re.sub(rb"(g1,.*\r\n)(g2,.*\r\n)", rb"\2\1", c)), ESTIMATES,
    ),
    "fields reordered": (edited(JSON, in_json(lambda r: dict(reversed(list(r.items()))))), JSON),
    "exact column added": (edited(CSV, rows(lambda r: [*r, COUNT])), CSV),
    "exact fact added": (edited(CSV, swap("# unit,", "# exact,812\r\n# unit,")), CSV),
    "budget altered": (edited(README, swap("= 0.00125", "= 0.00124")), README),
    "last digit altered": (
        edited(CSV, rows(lambda r: [r[0], str(int(r[1]) + 1)] if r[0] == "g2" else r)), CSV,
    ),
    "text behind a deflate stream": (with_text_behind_a_stream, THE_PACK),
    "deflated by another program": (packed_again, THE_PACK),
    "external attributes": (attribute(external_attr=0o604 << 16), THE_PACK),
    "comments of files": (attribute(comment=b"exact 812"), THE_PACK),
    "extra fields": (attribute(extra=b"\x12\x08\x04\x00exac"), THE_PACK),
    "time of the files": (attribute(date_time=(2026, 11, 21, 8, 12, 40)), THE_PACK),
    "comment of the zip": (with_archive_comment, THE_PACK),
    "text before the zip": (lambda c: b"exact 812" + c, THE_PACK),
    "text between the files": (with_text_between_the_files, THE_PACK),
    "names in the directory": (with_another_name_in_the_directory, THE_PACK),
    "cut off": (lambda c: c[:-100], THE_PACK),
    "day that carries a number": (with_made("1981-02-12"), MANIFEST),
    "day to come": (with_made("2026-11-22"), MANIFEST),
    "day in other words": (with_made("20261121"), MANIFEST),
    "day in other digits": (with_made("２０２６-11-21"), MANIFEST),
    **{
        f"in the manifest, {what}": (in_manifest(lambda m, c=change: m | c(m)), MANIFEST)
        for what, change in {
            "versions": lambda _: {"versions": {"numpy": f"2.{COUNT}.40"}},
            "blanks": lambda m: {"note": m["note"] + "  "},
            "entries reordered": lambda m: {"releases": m["releases"][::-1]},
            "keys reordered": lambda m: {"releases": turned(m["releases"])},
            "an entry twice": lambda m: {"releases": m["releases"] * 2},
            "another folder": lambda m: {"releases": [e | {"folder": "x"} for e in m["releases"]]},
            "a level as whole": lambda m: {"releases": [e | {"level": 25} for e in m["releases"]]},
            "a field": lambda _: {"exact": [812]},
            "a digest": lambda m: {"files": dict.fromkeys(m["files"], "812")},
        }.items()
    },
}  # fmt: skip


@for_each("forgery", FORGERIES)
def test_a_forgery_is_found_where_it_is_and_nothing_of_it_is_told(forgery):
    releases = ledger("discrete_laplace")
    content = pack_of(releases)
    forge, where = FORGERIES[forgery]
    forged = forge(content)
    assert forged != content
    found = verify(forged, releases)
    assert where in [f.where for f in found]
    assert not any(told in f.what for f in found for told in (COUNT, "exact"))


def test_a_careful_forger_changes_a_file_and_its_digest_and_both_are_found():
    releases = ledger()
    found = verify(edited("audit/release.csv", swap("g1,", "g9,"))(pack_of(releases)), releases)
    assert [f.where for f in found] == [MANIFEST, "audit/release.csv"]
    assert found[1].what == "line 16 is not what the ledger says it must be"


@pytest.mark.parametrize("family", ["gaussian", "discrete_laplace"])
def test_the_answer_does_not_depend_on_whether_a_number_is_the_exact_one(family):
    releases = ledger(family, derived=False)
    content = pack_of(releases)

    def with_first_cell(number):
        cells = rows(lambda r: [r[0], repr(number)] if r[0] == "g0" else r)
        return verify(edited(CSV, cells)(content), releases)

    exact = EXACT[family].tolist()[0]
    assert with_first_cell(exact) == with_first_cell(exact + 1) != NOTHING


@pytest.mark.parametrize("family", ["gaussian", "discrete_laplace"])
@pytest.mark.parametrize("derived", [True, False])
@pytest.mark.parametrize("step", [1.0, 0.25])
def test_an_untouched_pack_passes_with_noise_of_zero_too(family, derived, step):
    releases = ledger(family, derived=derived, step=step)
    equal = [replace(releases[0], values=EXACT[family], derived=())]
    for each in (releases, equal):
        assert verify(pack_of(each), each) == NOTHING


def test_means_pass_with_cells_that_say_too_little():
    query = BoundedMean("pay", 0, 50, by=ByColumn("ward", ("A", "=B")), step=0.25)
    released = np.array([8, -3, 40, 0])
    low, high = query.interval(released, 2.0)
    derived = (("estimate", query.estimate(released)), ("low", low), ("high", high))
    assert np.isnan(derived[0][1][1])
    release = replace(
        ledger()[0],
        entries=query.entries,
        values=released,
        step=query.step,
        labels=query.labels,
        derived=derived,
    )
    content = pack_of([release])
    assert verify(content, [release]) == NOTHING
    text = opened(content)[ESTIMATES].decode("utf-8-sig")
    assert text.split("\r\n\r\n")[1].split("\r\n")[2] == "'=B,,0.0,50.0"
    forged = edited(ESTIMATES, swap("'=B,,", "'=B,31.5,"))(content)
    assert ESTIMATES in [f.where for f in verify(forged, [release])]


def test_any_post_processing_passes_and_a_mixture_does_not():
    plain, clipped = ledger(derived=False), ledger(derived=True)
    for releases in (plain, clipped):
        assert verify_pack(pack_of(releases), [plain, clipped], today=DAY, key=KEY) == NOTHING
    mixed = [plain[0], *clipped[1:]]
    assert verify_pack(pack_of(mixed), [plain, clipped], today=DAY, key=KEY) != NOTHING


def test_a_tier_that_was_removed_is_said_to_be_missing():
    releases = ledger()
    (finding,) = verify(pack_of(releases[:2]), releases)
    assert finding.where == "tier “audit”"
    assert finding.what == "its release of session 1 (ρ = 0.5) is missing from the pack"
    later = [*releases, *ledger(session=2, tiers={"public": 4.0})]
    (finding,) = verify(pack_of(releases), later)
    assert (finding.where, "session 2" in finding.what) == ("tier “public”", True)


def test_a_release_that_is_not_in_the_ledger_is_found():
    releases = ledger()
    more = [*releases, *ledger(session=2, tiers={"public": 4.0})]
    assert MANIFEST in [f.where for f in verify(pack_of(more), releases)]
    (finding,) = verify(pack_of(more[3:]), releases)
    assert (finding.where, finding.what) == (MANIFEST, "names no release that is in the ledger")


def test_extra_and_missing_files_are_found():
    releases = ledger()
    files = opened(pack_of(releases))
    del files["audit/README.txt"]
    found = {f.where: f.what for f in verify(closed(files | {"audit/x.csv": b"812"}), releases)}
    assert found["audit/README.txt"] == "is missing"
    assert found["audit/x.csv"] == "does not belong in the pack"
    endless = verify(closed(files | {"x" * 60_000: b""}), releases)
    assert max(len(f.where) for f in endless) <= 100


@for_each(
    "manifest",
    [
        *(b"", b"[1]", b"5", b"\xff", b" " * 100_000, b"[" * 100_000, b'{"releases": []}'),
        b'{"releases": 5, "made": "2026-11-21"}',
        b'{"releases": [5], "made": "2026-11-21"}',
        b'{"releases": [{"a": ' + b"[" * 900 + b"]" * 900 + b'}], "made": 1}',
        b'{"made": ' + b"1" * 10_000 + b"}",
    ],
)
def test_a_manifest_that_is_none_is_one_finding(manifest):
    releases = ledger()
    files = opened(pack_of(releases)) | {MANIFEST: manifest}
    (finding,) = verify(zipped(files, DAY), releases)
    assert finding.where == MANIFEST
    del files[MANIFEST]
    (finding,) = verify(zipped(files, DAY), releases)
    assert finding.what == "is missing, so nothing says what the pack holds"


@for_each("content", [b"", b"PK\x03\x04", b"PK\x03\x04nonsense", b"no zip"])
def test_what_is_no_zip_is_one_finding(content):
    (finding,) = verify(content, ledger())
    assert finding.where == THE_PACK
    assert "not a zip" in finding.what


def test_a_zip_with_too_many_files_is_refused_before_they_are_read():
    content = by_hand([(b"%06d" % i, 0, b"", b"") for i in range(8_000)])
    releases, calls = ledger(), []
    sys.setprofile(lambda _, event, __: calls.append(event))
    try:
        found = verify(content, releases)
    finally:
        sys.setprofile(None)
    assert "far more" in found[0].what
    assert len(calls) < 10_000  # each file read would be several


def test_a_pack_from_before_folders_had_the_names_of_statistics_verifies():
    releases = [*ledger(session=1), *ledger(session=2)]
    folders = [f"{tier}/session-{number}" for number in (1, 2) for tier in TIERS]
    files = pack_files(releases, DAY, key=KEY, folders=folders)
    assert verify(zipped(files, DAY), releases) == ()
    assert verify(zipped(files, DAY), ledger(session=1)) != (), "as any other pack is looked at"
    mixed = pack_files(releases, DAY, key=OTHER, folders=["audit/session-9", *folders[1:]])
    assert verify(zipped(mixed, DAY), releases) != (), "only who has the key names folders"
    called = [replace(r, entries=("x", "y", "z"), labels=("x", "y", "z")) for r in releases]
    (found, *_) = verify(zipped(files, DAY), called)
    assert found.where == "names of groups"
