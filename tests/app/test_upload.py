"""Uploads by AppTest: a table of one's own, hostile names, and files that cannot be read."""

import gzip

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.testing.v1 import AppTest

from tests.app.reading import (
    button,
    choose,
    errors,
    sample_draws_the_same,
    upload,
    words,
    workspace,
)
from tests.conftest import few, full_run
from tests.workbooks import written

VISITS = b"id,ward\n1,A\n1,B\n2,B\n3,A\n3,C\n"


@pytest.mark.opens("specialists")
def test_a_table_of_ones_own_from_upload_to_release(open_page, tmp_path, monkeypatch):
    app = upload(open_page("data"), VISITS)
    columns = app.table[0].value  # in the place of the picture, until there is a statistic
    assert columns["column"].tolist() == ["id", "ward"]
    choose(app, "Column of the groups", "ward")
    button(app, "groups found in the data").click().run()
    button(app, "Use this statistic").click().run()
    assert workspace(app).statistic.query.labels == ("A", "B", "C")
    app.switch_page("pages/releases.py").run()
    app.button(key="draw_public").click().run()
    (tmp_path / "visits.csv").write_bytes(VISITS)
    monkeypatch.chdir(tmp_path)
    sample_draws_the_same(app)


@full_run
def test_a_first_row_taken_for_a_header_is_seen(open_page):
    app = upload(open_page("data"), b"anna,3,4\nbert,5,6\n")
    assert "3 columns: “anna”, “3” and “4”." in words(app)
    assert "its first row was taken for one" in words(app)
    upload(app, b"a*b,c,d,e,f,g,h,i\n1,2,3,4,5,6,7,8\n")
    assert "8 columns: “a*b”, “c”, “d”, “e”, “f”, “g” and 2 more." in words(app)
    assert any("“a\\*b”" in said.value for said in app.markdown)
    assert "taken for one" not in words(app)


UNREADABLE = [
    (b"", "empty"),
    (b"a,b\n", "row"),
    (b"a,b\n1,2\n1,2,3\n", "ine 3"),
    ("a,b\n1,2\n".encode("utf-16")[:-1], "UTF-16"),
    (b"PK\x03\x04rubbish\x00\x00", "workbook (.xlsx)"),
    (b"\x1f\x8brubbish", "gzip"),
    (b"a,a\n1,2\n", "olumn"),
]


def test_a_file_that_cannot_be_read_gets_one_sentence_and_the_table_stays(open_page):
    app = open_page("data")
    before = workspace(app).table
    for content, part in few(UNREADABLE, 3):
        upload(app, content)
        (found,) = errors(app)
        assert part in found
        assert workspace(app).table is before
        assert "education" in words(app)


def test_the_bytes_of_an_upload_are_kept_by_nobody(open_page, monkeypatch):
    gone = []
    remove = MemoryUploadedFileManager.remove_file

    def spied(manager, session, file):
        remove(manager, session, file)
        gone.append(manager.get_files(session, [file]))

    monkeypatch.setattr(MemoryUploadedFileManager, "remove_file", spied)
    app = upload(open_page("data"), VISITS)
    assert gone == [[]]
    assert app.session_state["upload_table"].getvalue() == b""
    loaded = workspace(app).table
    monkeypatch.setattr(AppTest, "_register_uploaded_files", lambda *_: None)  # as the server does
    app.run()
    assert errors(app) == []
    assert workspace(app).table is loaded


GERMAN = "Straße|Größe\r\nHauptstraße 7|85,5\r\n"
SHEETS = {"Köln": [["ward", None], ["A", 1]], "Bonn": [["id"], [7]]}
ENCODING = "Text encoding"


KINDS = [
    ("a.csv", GERMAN.encode(), "“Straße” and “Größe”. Read as UTF-8 text."),
    ("b.csv", GERMAN.encode("utf-16"), "“Straße” and “Größe”. Read as UTF-16 text."),
    ("c.csv", GERMAN.encode("cp1252"), "Read as Windows-1252 text, because it is not UTF-8."),
    ("d.csv", b"K\xf6ln,\nK\xc3\xb6ln,1\n", "Read as UTF-8 text, and as Windows-1252 where"),
    ("d.csv.gz", gzip.compress(b"a,,\n1,2,3\n"), "Columns 2 and 3 had no name and were given"),
    ("e.xlsx", written(SHEETS), "Read from the sheet “Köln”, one of 2. Column 2 had no name"),
]


def test_each_kind_of_file_is_read_and_it_is_said_how(open_page):
    app = open_page("data")
    assert "Read as" not in words(app)  # of a sample there is nothing to check
    for name, content, said in few(KINDS, 2):
        upload(app, content, name=name)
        assert errors(app) == []
        assert workspace(app).table.name == name
        assert said in words(app).replace(".\n", ". ")


def test_another_encoding_or_sheet_is_read_from_what_is_kept(open_page):
    app = upload(open_page("data"), "a\n€\n".encode("cp1252"), name="a.csv")
    for encoding, cell in [("Latin-1", "\x80"), ("found automatically", "€")]:
        choose(app, ENCODING, encoding)
        assert workspace(app).table.distinct("a", 5) == [cell]
    choose(app, ENCODING, "UTF-8")
    (found,) = errors(app)
    assert "Line 2 is not UTF-8 text; choose another encoding" in found
    choose(app, ENCODING, "Windows-1252")
    assert errors(app) == []
    assert "Read as Windows-1252 text, as you chose." in words(app)
    assert workspace(app).loading == "read_table('a.csv', encoding='Windows-1252')"
    upload(app, written(SHEETS), name="b.xlsx")
    choose(app, "Sheet", "Bonn")
    assert workspace(app).loading == "read_table('b.xlsx', sheet='Bonn')"
    assert [column.name for column in workspace(app).table.columns] == ["id"]
    button(app, "Load the sample nhefs.csv").click().run()
    assert "upload_again" not in app.session_state
    assert not any(box.label == "Sheet" for box in app.selectbox)


@full_run
def test_what_is_not_kept_is_asked_for_again(open_page):
    app = upload(open_page("data"), GERMAN.encode(), name="a.csv")
    assert "upload_again" not in app.session_state
    choose(app, ENCODING, "Latin-1")
    assert "Your choice is used for the next upload." in words(app)
    assert workspace(app).table.file.encoding == "UTF-8"
    upload(app, "a\nü\n".encode("latin-1"), name="b.csv")
    assert "Read as Latin-1 text, as you chose." in words(app)
    assert "Your choice is used for the next upload." not in words(app)
