"""A file that was handed out alone: it is checked by itself, and every change is found."""

import csv
import io
from dataclasses import replace

from dpviz.errors import DataError
from dpviz.handout import pack_zip, signed_csv, tier_csv, verify_folder
from dpviz.handout.received import FORMAT, NAMED_KEY, NO_OTHER, TABLE
from dpviz.handout.signing import fingerprint
from dpviz.handout.single import read_signed
from tests.conftest import for_each
from tests.handouts import DAY, KEY, facts_of, ledger, release_of
from tests.unit.handout.test_packs import HOSTILE, opened
from tests.unit.handout.test_received import OTHER, OWN, closed

AUDIT = ledger(tiers={"audit": 1.0})[0]
FILE = signed_csv(AUDIT, DAY, key=KEY)


def wrong(content, **other):
    """The names of the checks that fail, with what each finds."""
    result = verify_folder(content, **other)
    assert result.passed == (not any(c.findings for c in result.checks))
    return {c.about: c.findings[0].what for c in result.checks if c.findings}


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


def test_the_parts_of_two_files_do_not_make_a_third():
    public = signed_csv(ledger(tiers={"public": 400.0})[0], DAY, key=KEY)
    head, table = FILE.split(b"\r\n\r\n", 1)
    assert set(wrong(head + b"\r\n\r\n" + public.split(b"\r\n\r\n", 1)[1])) == {TABLE}
    assert set(wrong(public.split(b"\r\n\r\n", 1)[0] + b"\r\n\r\n" + table)) == {TABLE}


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


def test_a_file_of_a_folder_leads_to_its_folder():
    files = opened(pack_zip(ledger(tiers={"audit": 1.0}), made=DAY, key=KEY))
    assert "check the folder" in wrong(files["audit/release.csv"])[FORMAT]


def test_a_file_that_is_too_large_is_a_finding(monkeypatch):
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
