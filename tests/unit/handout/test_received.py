"""What a recipient finds by the files alone, of a pack, a folder or a single file: every change."""

import base64
import csv
import hashlib
import io
import json
import os
import random
import stat
import zipfile
from contextlib import suppress
from dataclasses import replace

import pytest

from dpviz.errors import DataError, ParameterError
from dpviz.handout import SigningKey, pack_zip, signed_csv, tier_csv, verify_folder
from dpviz.handout.contents import MANIFEST, SIGNED
from dpviz.handout.received import FACTS, FILES, FORMAT, NAMED_KEY, NO_OTHER, SIGNATURE, TABLE
from dpviz.handout.signing import fingerprint, signed
from dpviz.handout.single import read_signed
from dpviz.handout.unpacking import MOST_BYTES, MOST_FILES
from tests.conftest import few, for_each
from tests.handouts import (
    DAY,
    HOSTILE,
    KEY,
    OTHER,
    OTHERS,
    OWN,
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
    unsigned,
)

TIERS = {"public": 400.0, "audit": 1.0}


@pytest.fixture(scope="module")
def files():
    """The files of a pack for two tiers."""
    return opened(pack_zip(ledger(tiers=TIERS), made=DAY, key=KEY))


def refused(source):
    with pytest.raises(DataError) as error:
        verify_folder(source)
    said = str(error.value)
    assert len(said) < 200
    assert "\n" not in said
    return said


def test_packed_again_in_any_way_it_passes(files, tmp_path):
    whole = verify_folder(closed(files, zipfile.ZIP_STORED))
    assert (whole.passed, whole.keys, whole.added) == (True, (OWN,), ())
    assert [dict(h.facts)["tier"] for h in whole.handouts] == list(TIERS)
    assert len(whole.checks) == 5
    assert "Whose key" in whole.not_checked[0]
    turned = dict(reversed(files.items()))
    below = {f"from Ann/pack/{name}": content for name, content in files.items()}
    junk = dict.fromkeys(("__MACOSX/._audit", ".DS_Store", "audit/Thumbs.db"), b"")
    for other in (turned, below, files | junk, folder(files, "audit")):
        assert found(other) == {}
    assert verify_folder(closed(files | junk)).added == tuple(junk)
    pack = unpacked(files | junk, tmp_path / "pack")
    assert found(pack) == found(pack / "audit") == {}
    (tmp_path / "pack.zip").write_bytes(closed(files))
    assert found(tmp_path / "pack.zip", key=f" {OWN.upper().replace(' ', '-')}") == {}


@pytest.mark.parametrize(
    "name",
    [
        *("Thumbs.db", ".DS_Store", "audit/desktop.ini", "audit/._release.csv"),
        *("__MACOSX/release.csv", "__MACOSX/audit/._release.csv"),
    ],
)
def test_what_computers_add_is_named_unless_it_is_empty(files, name, tmp_path):
    for mine in (files, {f"audit/{n}": c for n, c in folder(files, "audit").items()}):
        wrong = found(mine | {name: b"812"})
        assert set(wrong) == {NO_OTHER}
        assert "may hold anything" in wrong[NO_OTHER][name]
        assert found(mine | {name: b""}) == {}
        assert verify_folder(closed(mine | {name: b""})).added == (name,)
    assert set(found(unpacked(files | {name: b"812"}, tmp_path))[NO_OTHER]) == {name}
    assert name in found({name: b"812"})[NO_OTHER]


def test_an_empty_folder_is_named_as_its_name_may_say_something(files, tmp_path):
    packed = io.BytesIO(closed(files))
    with zipfile.ZipFile(packed, "a") as archive:
        archive.mkdir("audit is wrong")
        archive.mkdir("audit")  # which has files
        archive.mkdir("__MACOSX")
    result = verify_folder(packed.getvalue())
    assert result.added == ("__MACOSX/",)
    assert set(found(packed.getvalue())[NO_OTHER]) == {"audit is wrong/"}
    assert found(unpacked(files, tmp_path)) == {}
    (tmp_path / "audit" / "is" / "wrong").mkdir(parents=True)
    assert set(found(tmp_path)[NO_OTHER]) == {"audit/is/", "audit/is/wrong/"}


def test_bytes_around_the_files_of_a_zip_are_named(files):
    whole = closed(files)
    hidden = closed({"hidden.csv": b"812"})
    entry = hidden[: hidden.index(b"PK\x01\x02")]
    directory, end = whole.index(b"PK\x01\x02"), whole.rindex(b"PK\x05\x06")
    noted = bytearray(whole[:-2] + b"\x03\x00812")
    shifted = bytearray(whole[:directory] + entry + whole[directory:])
    at = len(entry) + end + 16
    shifted[at : at + 4] = (directory + len(entry)).to_bytes(4, "little")
    fitted = bytearray(b"812" + whole)  # as if the one who put it there had corrected the places
    for where in _entries(whole, directory):
        place = 3 + where + 42
        offset = int.from_bytes(fitted[place : place + 4], "little") + 3
        fitted[place : place + 4] = offset.to_bytes(4, "little")
    fitted[3 + end + 16 : 3 + end + 20] = (directory + 3).to_bytes(4, "little")
    for changed, part in (
        (b"812" + whole, "before its first file"),
        (hidden + whole, "before its first file"),
        (bytes(fitted), "before its first file"),
        (whole + b"812", "after its last file"),
        (bytes(noted), "after its last file"),
        (bytes(shifted), "between its files"),
        (zip_of(lambda i: setattr(i, "comment", b"812")), "a note on a file"),
    ):
        assert part in found(changed)[NO_OTHER]["the zip"], part
    (said,) = found(b"812" + whole + b"812")[NO_OTHER].values()
    assert "before its first file and after its last file" in said
    assert "not a zip that can be read" in refused(whole[:end] + b"812" + whole[end:])


def _entries(content, at):
    """Where each entry of the directory of a zip begins."""
    while content[at : at + 4] == b"PK\x01\x02":
        yield at
        at += 46 + sum(int.from_bytes(content[at + n : at + n + 2], "little") for n in (28, 30, 32))


def test_a_zip_that_was_written_without_knowing_sizes_has_nothing_around_its_files(files):
    class Pipe(io.RawIOBase):
        """A place that cannot be gone back in, for which programs write the sizes afterwards."""

        def __init__(self):
            self.written = b""

        def writable(self):
            return True

        def write(self, some):
            self.written += bytes(some)
            return len(some)

    sink = Pipe()
    with zipfile.ZipFile(sink, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.mkdir("audit")
        for name, content in files.items():
            with archive.open(name, "w", force_zip64=name.endswith("csv")) as file:
                file.write(content)
    assert found(sink.written) == {}


def test_a_changed_byte_is_found_in_its_file_wherever_it_is(files):
    alone = folder(files, "audit")
    for place, (name, content) in [(p, f) for p in range(5) for f in (files | alone).items()]:
        at = place * (len(content) - 1) // 4
        changed = content[:at] + bytes([content[at] ^ 1]) + content[at + 1 :]
        wrong = found({**(files if name in files else alone), name: changed})
        assert name in {where for wheres in wrong.values() for where in wheres}, (name, at)


def test_files_that_are_dropped_added_or_swapped_are_found(files):
    for name in files:
        wrong = found({n: c for n, c in files.items() if n != name})
        if name != MANIFEST:  # a list that is for the maker alone
            assert wrong[FILES][name] == "is missing"
    wrong = found(folder(files, "audit") | {"more.csv": b"812"})
    assert wrong == {NO_OTHER: {"more.csv": f"is not in {SIGNED}"}}
    assert set(found(files | {"x/more.csv": b"812"})[NO_OTHER]) == {"x/more.csv"}
    assert set(found({n: c for n, c in files.items() if n != MANIFEST} | {"more.csv": b""})) == {
        NO_OTHER
    }
    for name in folder(files, "audit"):
        one, two = f"audit/{name}", f"public/{name}"
        wrong = found({**files, one: files[two], two: files[one]})
        assert {one, two} <= set(wrong[FILES])
    of_public = {f"audit/{n}": c for n, c in folder(files, "public").items()}
    of_audit = {f"public/{n}": c for n, c in folder(files, "audit").items()}
    assert f"audit/{SIGNED}" in found(files | of_public | of_audit)[FACTS]


def test_renamed_files_and_folders_and_other_line_ends_are_told_for_what_they_are(files):
    alone = folder(files, "audit")
    renamed = {("numbers.csv" if n == "release.csv" else n): c for n, c in alone.items()}
    wrong = found(renamed)
    assert wrong[FILES] == {"release.csv": "is missing"}
    assert set(wrong[NO_OTHER]) == {"numbers.csv"}
    moved = {n.replace("audit/", "audit 2/"): c for n, c in files.items()}
    wrong = found(moved)  # the pack's list says where each folder lies, the folder's own does not
    assert set(wrong) == {FILES, NO_OTHER}
    assert found({f"audit 2/{n}": c for n, c in alone.items()}) == {}
    for ends in (b"\n", b"\r"):
        other = {n: c.replace(b"\r\n", ends) for n, c in alone.items()}
        assert set(found(other)[FILES]) == {"README.txt", "release.csv", "estimates.csv"}
        ((_, what), *_) = found(other)[FILES].items()
        assert ("has other line ends" in what) == (ends == b"\n")
    changed = {n: c.replace(b"\r\n", b"\n").replace(b"g1", b"g7") for n, c in alone.items()}
    assert found(changed)[FILES]["release.csv"] == "was changed after signing"


def test_a_forger_with_another_key_is_told_by_the_fingerprint_alone(files):
    mine = folder(files, "audit")
    forged = signed_again(mine, OTHER)
    result = verify_folder(closed(forged))
    assert (result.passed, result.keys) == (True, (OTHERS,))
    assert OTHERS != OWN
    assert "another key" in result.not_checked[0]
    assert set(found(forged, key=OWN)) == {NAMED_KEY}
    assert found(mine, key=OWN) == found(forged, key=OTHERS) == {}
    mixed = {n: c for n, c in files.items() if n.startswith("public/")}
    mixed |= {f"audit/{n}": c for n, c in forged.items()}
    assert set(found(mixed)) == {SIGNATURE}
    for typed in (OWN[:-1], f"{OWN}0", "x" * 32, "1234", ""):  # no whole fingerprint
        with pytest.raises(ParameterError, match="32 digits"):
            verify_folder(closed(files), key=typed)
    theirs = json.loads(forged[SIGNED])
    put_together = {**json.loads(mine[SIGNED]), "signature": theirs["signature"]}
    text = json.dumps(put_together, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    assert set(found(mine | {SIGNED: text.encode()})) == {SIGNATURE}


def test_files_that_contradict_each_other_are_found_however_they_are_signed(files):
    mine = folder(files, "audit")
    table = json.loads(mine["release.json"])
    number = repr(table["released"]["value"][1])
    changes = [
        ("README.txt", "ρ = 0.5", "ρ = 0.1"),
        ("README.txt", "Release for audit", "Release for public"),
        ("README.txt", "2026-11-21", "2026-11-22"),
        ("README.txt", "kind ", "kinds"),
        ("release.csv", "ρ = 0.5", "ρ = 0.1"),
        ("release.csv", f"g1,{number}", f"g1,{number}1"),
        ("release.csv", "g1,", "g2,"),
        ("release.csv", "# unit,", "# unit,a\r\n# unit,"),
        ("release.csv", "\r\n\r\n", "\r\n"),
        ("estimates.csv", number, f"{number}1"),
        ("estimates.csv", "clipped", "rounded"),
        ("release.json", '"audit"', '"public"'),
        ("release.json", '"session": 1', '"session": 2'),
        ("release.json", '"level": 1.0', '"level": 2.0'),
        ("release.json", "practice", "hardened"),
        ("release.json", '"session": 1', '"session": 7, "session": 1'),
        ("release.json", "dpviz-release/1", "dpviz-release/2"),
        ("release.json", '"facts"', '"fact"'),
        ("release.json", '["g0"', "[0"),
        ("release.json", number, f'"{number}"'),
        ("release.json", f", {number}", ""),
        ("release.json", number, "true"),
    ]
    assert found(signed_again(mine)) == {}
    for name, old, new in changes:
        wrong = found(signed_again(mine | {name: swapped(mine[name], old, new)}))
        assert list(wrong) == [FACTS], (name, old)
        assert name in wrong[FACTS] or name == "release.json", (name, old)
        assert not any("0.1" in what or number in what for what in wrong[FACTS].values())
    for name in set(mine) - {SIGNED}:
        wrong = found(signed_again({n: c for n, c in mine.items() if n != name}))
        assert wrong == {FACTS: {name: "is not among the files"}}


def test_no_list_whatever_is_in_it_ends_in_anything_but_a_finding(files):
    mine = folder(files, "audit")
    named = unsigned(json.loads(mine[SIGNED]))
    odd = few([None, True, -1, 10**400, "", [], {}, ["x"], {"x": 1}, "\ud800", 1.5], 3)
    lists = [b"", b"[1]", b"5", b"[" * 100_000, b"\xff", b"{}", b'{"a":NaN}', b'{"a":"\\ud800"}']
    lists += [json.dumps({**named, n: v}).encode() for n in named for v in odd]
    lists += [signed({**named, n: v}, KEY) for n in named for v in odd if v != "\ud800"]
    for content in lists:
        assert found(mine | {SIGNED: content}) != {}
    released = json.loads(mine["release.json"])
    inside = [(n, v) for n in released for v in odd]
    texts = [json.dumps({**released, n: v}) for n, v in inside if released[n] != v]
    texts += [
        json.dumps({**released, n: {**released[n], k: v}})
        for n in ("facts", "released", "estimates")
        for k in [*released[n], "new"]
        for v in odd
    ]
    for text in texts:
        verify_folder(closed(signed_again(mine | {"release.json": text.encode()})))


def test_what_is_too_large_to_be_compared_is_a_finding(files, monkeypatch):
    mine = folder(files, "audit")
    monkeypatch.setattr("dpviz.handout.agreement._LARGEST", len(mine["release.json"]) - 1)
    assert "larger than any file" in found(mine)[FACTS]["release.json"]
    monkeypatch.setattr("dpviz.handout.contents._LARGEST", 100)
    assert set(found(mine)[FORMAT]) == {SIGNED}


def test_newer_and_older_packs_are_told_from_broken_ones(files):
    mine = folder(files, "audit")
    newer = found(signed_again(mine, version=2))
    assert "newer version than this dpviz reads (1)" in newer[FORMAT][SIGNED]
    old = {n: c for n, c in mine.items() if n != SIGNED}
    (said,) = found(old)[FORMAT].values()
    assert said.startswith("has no SIGNED.json")
    (said,) = found({**old, MANIFEST: b'{"schema":"dpviz-pack/2"}'})[FORMAT].values()
    assert "did not sign its packs yet" in said
    assert "no hand-out" in found({"a.txt": b"a"})[FORMAT]["the pack"]


def zip_of(change, name="a.txt", content=b"a"):
    """A zip of one file with another entry."""
    info = zipfile.ZipInfo(name)
    change(info)
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr(info, content)
    return sink.getvalue()


def renamed(name):
    """A zip in which a name stands that no zip program writes."""
    return zip_of(lambda _: None, "#" * len(name)).replace(b"#" * len(name), name.encode())


@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_zip_that_is_a_trap_or_broken_is_one_sentence(files):
    whole = closed(files)
    for name in ("../a", "/a", "a/../../b", "a\\b", "C:a", "a//b", ".", "a\0b"):
        assert "no path inside a pack" in refused(renamed(name)), name
    link = zip_of(lambda i: setattr(i, "external_attr", (stat.S_IFLNK | 0o777) << 16))
    assert "a link to somewhere else" in refused(link)
    assert "unusual way" in refused(closed({"a": b"a" * 99}, zipfile.ZIP_BZIP2))
    locked = bytearray(zip_of(lambda _: None))
    for at in (6, locked.index(b"PK\x01\x02") + 8):
        locked[at] |= 1
    assert "password" in refused(bytes(locked))
    sink = io.BytesIO()
    with zipfile.ZipFile(sink, "w") as archive:
        archive.writestr("a/x", b"1")
        archive.writestr("A/X", b"2")
    assert "two files of one name" in refused(sink.getvalue())
    assert "more than 4,000 files" in refused(closed({f"{i}": b"" for i in range(MOST_FILES + 1)}))
    bomb = bytearray(closed({"a": b"a"}))
    at = bomb.index(b"PK\x01\x02") + 24
    bomb[at : at + 4] = (MOST_BYTES + 1).to_bytes(4, "little")
    assert "more than 300 MB" in refused(bytes(bomb))
    long = bytearray(closed({"a": b"0" * 100_000}))  # it says that it is short
    at = long.index(b"PK\x01\x02") + 24
    long[at : at + 4] = (10).to_bytes(4, "little")
    for broken in (
        bytes(long),
        b"",
        b"PK\x05\x06",
        b"no zip",
        whole[:-30],
        whole[: len(whole) // 2],
    ):
        assert "not a zip that can be read to its end" in refused(broken)


def test_a_zip_with_any_byte_changed_is_read_or_refused(files):
    whole, chance = closed(files), random.Random(7)
    for _ in range(200):
        changed = bytearray(whole)
        for _ in range(chance.choice((1, 3))):
            changed[chance.randrange(len(changed))] = chance.randrange(256)
        with suppress(DataError):
            verify_folder(bytes(changed))


def test_a_folder_that_is_a_trap_is_one_sentence(tmp_path, monkeypatch):
    (tmp_path / "link").symlink_to(tmp_path.parent)
    assert "a link to somewhere else" in refused(tmp_path)
    (tmp_path / "link").unlink()
    os.mkfifo(tmp_path / "pipe")
    assert "not a plain file" in refused(tmp_path)
    assert "not a plain file" in refused(tmp_path / "pipe")
    (tmp_path / "pipe").unlink()
    with (tmp_path / "large").open("wb") as sink:
        sink.truncate(MOST_BYTES + 1)  # takes no room on the disk
    monkeypatch.setattr("dpviz.handout.unpacking.MOST_BYTES", 1000)
    assert "take more than" in refused(tmp_path)
    assert "take more than" in refused(tmp_path / "large")
    (tmp_path / "large").unlink()
    monkeypatch.setattr("dpviz.handout.unpacking.MOST_FILES", 2)
    for name in "abc":
        (tmp_path / name).touch()
    assert "far more than a pack" in refused(tmp_path)


def test_a_pack_holds_no_private_key_and_a_folder_no_digest_of_another(files):
    secret = KEY.private_bytes()
    whole = b"".join(files.values())
    for written in (secret, secret.hex().encode(), base64.b64encode(secret)):
        assert written not in whole
    assert KEY.public.encode() in whole
    assert secret.hex() not in repr(KEY)
    mine = b"".join(folder(files, "public").values()).decode()
    for content in folder(files, "audit").values():
        assert hashlib.sha256(content).hexdigest() not in mine
    assert SigningKey.fresh().public != SigningKey.fresh().public
    assert SigningKey.from_private_bytes(secret).public == KEY.public
    with pytest.raises(ParameterError, match="32 bytes"):
        SigningKey.from_private_bytes(b"short")


# A file that was handed out alone: it is checked by itself, and every change is found.


AUDIT = ledger(tiers={"audit": 1.0})[0]
FILE = signed_csv(AUDIT, DAY, key=KEY)


def wrong(content, **other):
    """The names of the checks that fail, with what each finds first."""
    return {about: next(iter(by.values())) for about, by in found(content, **other).items()}


def test_it_is_the_table_with_its_day_its_key_and_its_signature(tmp_path):
    plain = tier_csv(AUDIT).decode("utf-8-sig").split("\r\n")
    lines = FILE.decode("utf-8-sig").split("\r\n")
    more = [line.split(",")[0] for line in lines if line not in plain]
    assert more == ["# format", "# made", "# key", "# signature"]
    assert [line for line in lines if line in plain] == plain
    path = tmp_path / "audit.csv"
    path.write_bytes(FILE)
    for source in (FILE, path):
        result = verify_folder(source, key=OWN)
        assert (result.passed, result.keys) == (True, (OWN,))
        (told,) = result.handouts
        assert dict(told.facts)["tier"] == "audit"
        assert dict(told.facts)["made"] == DAY.isoformat()
        assert "other files" in result.not_checked[-1]
    assert signed_csv(AUDIT, DAY, key=KEY) == FILE


def test_every_changed_byte_is_found():
    for at in range(3, len(FILE), 7):
        changed = FILE[:at] + bytes([FILE[at] ^ 1]) + FILE[at + 1 :]
        try:
            assert wrong(changed), at
        except DataError:  # it begins as no table does
            assert at < 5


def test_what_programs_do_to_line_ends_and_empty_cells_makes_no_difference():
    text = FILE.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text, newline="")))
    quoted = io.StringIO(newline="")
    csv.writer(quoted, quoting=csv.QUOTE_ALL).writerows([*row, ""] for row in rows)
    for same in (text, text.replace("\r\n", "\n"), text + "\r\n\r\n", quoted.getvalue()):
        assert wrong(same.encode()) == {}
    for other in (text.replace(",", ";"), text.replace(".", ","), text.rpartition("\ng2")[0]):
        assert wrong(other.encode())


def test_another_key_is_told_by_its_fingerprint_alone():
    forged = signed_csv(AUDIT, DAY, key=OTHER)
    assert wrong(forged) == {}
    assert verify_folder(forged).keys == (fingerprint(OTHER.public),)
    assert set(wrong(forged, key=OWN)) == {NAMED_KEY}
    mixed = FILE.replace(KEY.public.encode(), OTHER.public.encode())
    assert set(wrong(mixed)) == {TABLE}


REFUSED = [
    (b"# signature,", b"# signed,", "has no signature in it"),
    (b"dpviz table 1", b"dpviz table 2", "newer version than this dpviz reads (1)"),
    (b"dpviz table 1", b"dpviz table 0", "is not a table that dpviz writes"),
    (b"dpviz table 1", b"another table", "is not a table that dpviz writes"),
    (b"# made,", b"# made,2020-01-01\r\n# made,", "tells a fact twice"),
    (KEY.public.encode(), b"00", "is not a table that dpviz writes"),
    (b"# unit,", b'# unit,"', "is not a table that dpviz writes"),
    (b"# unit,", b"# unit,\xff", "is not a table that dpviz writes"),
]


@for_each(("old", "new", "sentence"), REFUSED)
def test_what_cannot_be_read_is_one_finding(old, new, sentence):
    assert old in FILE
    ((about, what),) = wrong(FILE.replace(old, new, 1)).items()
    assert about == FORMAT
    assert sentence in what
    assert len(what) < 200


def test_single_files_in_a_zip_or_a_folder_are_checked_each_by_itself(tmp_path):
    public = signed_csv(ledger(tiers={"public": 400.0})[0], DAY, key=OTHER)
    both = {"audit.csv": FILE, "for the web/public.csv": public}
    result = verify_folder(closed(both | {".DS_Store": b""}))
    assert result.passed
    assert set(result.keys) == {OWN, fingerprint(OTHER.public)}
    assert result.added == (".DS_Store",)
    assert [h.folder for h in result.handouts] == [*both]
    assert wrong(closed(both | {".DS_Store": b"812"})).keys() == {NO_OTHER}
    assert "before its first file" in wrong(b"812" + closed(both))[NO_OTHER]
    (tmp_path / "audit.csv").write_bytes(FILE.replace(b"g1,", b"g1,1"))
    (tmp_path / "two.csv").write_bytes(FILE)
    (finding,) = next(c.findings for c in verify_folder(tmp_path).checks if c.findings)
    assert finding.where == "audit.csv"
    assert wrong(closed(both), key=OWN).keys() == {NAMED_KEY}
    (tmp_path / "notes.txt").write_text("hello")
    assert "choose a tier’s folder, the pack, or a single CSV" in wrong(tmp_path)[FORMAT]


def test_a_file_of_a_folder_leads_to_its_folder_and_one_that_is_too_large_is_a_finding(
    files, monkeypatch
):
    assert "check the folder" in wrong(files["audit/release.csv"])[FORMAT]
    monkeypatch.setattr("dpviz.handout.single.LARGEST", len(FILE) - 1)
    assert "larger than any file" in wrong(FILE)[FORMAT]


def test_hostile_names_are_signed_and_told_harmless():
    for name in (*HOSTILE, "# key", "\r\n# key,x", ",,,", '"'):
        one = release_of([1.5, -2.0], tier=name, entries=(name, f"{name} 2"))
        one = replace(one, facts=facts_of(name, name))
        file = signed_csv(one, DAY, key=KEY)
        assert read_signed(file).is_genuine, name
        for handout in verify_folder(file).handouts:
            assert all(text.isprintable() for _, text in handout.facts)
