"""Uploads by AppTest: kinds of files, hostile names, what cannot be read, and who is protected."""

import gzip
import json

import pytest
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.testing.v1 import AppTest

from dpviz.queries import BoundedMean, Bounds, ByColumn, Count
from dpviz.ui.kit.group_controls import CODEBOOK, COLUMN, EVERYBODY
from dpviz.words.glossary import GLOSSARY
from dpviz.workspace import Workspace
from dpviz.workspace.plan_file import opened, saved
from tests.app.reading import BY_COLUMN, LISTED, NO, UNKNOWN, plain
from tests.conftest import few, full_run
from tests.workbooks import spss, written

VISITS = b"id,ward\n1,A\n1,B\n2,B\n3,A\n3,C\n"


@full_run
def test_a_first_row_taken_for_a_header_is_seen(open_page):
    app = open_page("data").upload(b"anna,3,4\nbert,5,6\n")
    assert "3 columns: “anna”, “3” and “4”." in app.words()
    assert "its first row was taken for one" in app.words()
    app.upload(b"a*b,c,d,e,f,g,h,i\n1,2,3,4,5,6,7,8\n")
    assert "8 columns: “a*b”, “c”, “d”, “e”, “f”, “g” and 2 more." in app.words()
    assert any("“a\\*b”" in said.value for said in app.markdown)
    assert "taken for one" not in app.words()


def test_a_file_that_cannot_be_read_gets_one_sentence_and_the_table_stays(open_page):
    app = open_page("data")
    before = app.workspace().table
    for content, part in ((b"", "empty"), (b"PK\x03\x04rubbish\x00\x00", "workbook (.xlsx)")):
        app.upload(content)
        (found,) = app.errors()
        assert part in found
        assert app.workspace().table is before
        assert "education" in app.words()


def test_the_bytes_of_an_upload_are_kept_by_nobody(open_page, monkeypatch):
    gone = []
    remove = MemoryUploadedFileManager.remove_file

    def spied(manager, session, file):
        remove(manager, session, file)
        gone.append(manager.get_files(session, [file]))

    monkeypatch.setattr(MemoryUploadedFileManager, "remove_file", spied)
    app = open_page("data").upload(VISITS)
    assert gone == [[]]
    assert app.session_state["upload_table"].getvalue() == b""
    loaded = app.workspace().table
    monkeypatch.setattr(AppTest, "_register_uploaded_files", lambda *_: None)  # as the server does
    app.run()
    assert app.errors() == []
    assert app.workspace().table is loaded


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
    assert "Read as" not in app.words()  # of a sample there is nothing to check
    for name, content, said in few(KINDS, 2):
        app.upload(content, name=name)
        assert app.errors() == []
        assert app.workspace().table.name == name
        assert said in app.words().replace(".\n", ". ")


def test_another_encoding_or_sheet_is_read_from_what_is_kept(open_page):
    app = open_page("data").upload("a\n€\n".encode("cp1252"), name="a.csv")
    for encoding, cell in [("Latin-1", "\x80"), ("found automatically", "€")]:
        app.choose(ENCODING, encoding)
        assert app.workspace().table.distinct("a", 5) == [cell]
    app.choose(ENCODING, "UTF-8")
    (found,) = app.errors()
    assert "Line 2 is not UTF-8 text; choose another encoding" in found
    app.choose(ENCODING, "Windows-1252")
    assert app.errors() == []
    assert "Read as Windows-1252 text, as you chose." in app.words()
    assert app.workspace().loading == "read_table('a.csv', encoding='Windows-1252')"
    app.upload(written(SHEETS), name="b.xlsx")
    app.choose("Sheet", "Bonn")
    assert app.workspace().loading == "read_table('b.xlsx', sheet='Bonn')"
    assert [column.name for column in app.workspace().table.columns] == ["id"]
    app.labelled("Load the sample nhefs.csv").click().run()
    assert "upload_again" not in app.session_state
    assert not any(box.label == "Sheet" for box in app.selectbox)


@full_run
def test_what_is_not_kept_is_asked_for_again(open_page):
    app = open_page("data").upload(GERMAN.encode(), name="a.csv")
    assert "upload_again" not in app.session_state
    app.choose(ENCODING, "Latin-1")
    assert "Your choice is used for the next upload." in app.words()
    assert app.workspace().table.file.encoding == "UTF-8"
    app.upload("a\nü\n".encode("latin-1"), name="b.csv")
    assert "Read as Latin-1 text, as you chose." in app.words()
    assert "Your choice is used for the next upload." not in app.words()


# Files that statisticians have, on the pages: codebooks, rows of names, columns of lists.


ROW = "Row with the names of the columns"
REPORT = written(
    {"S": [["Visits, by ward", None], [None, None], ["ward", "n"], ["A", 1], ["B", 2]]}
)
LISTS = b'{"id": 1, "tags": ["a"], "ward": "A"}\n{"id": 2, "of": {}, "ward": "B"}\n'


def columns(app):
    return [column.name for column in app.workspace().table.columns]


@pytest.mark.parametrize("mode", few(["hardened", "teaching"], 2))
def test_value_labels_are_offered_as_groups(open_page, mode):
    app = open_page("data")
    app.workspace().use_mode(mode)
    app.upload(spss(), name="people.sav")
    assert app.errors() == []
    assert "Read as SPSS." in app.words()
    assert not any(box.label == ROW for box in app.text_input)  # nor has it such a row
    assert "that the file declares as missing are missing: in “sex” and “pay”." in app.words()
    assert "Its codebook names the values of “sex”." in app.words()
    app.choose("Column of the groups", "pay")
    assert CODEBOOK not in app.words()
    app.choose("Column of the groups", "sex")
    whole = '1 = men\n2 = women\n3 = "other, or none"'
    assert app.widget(LISTED).value == whole
    assert CODEBOOK in app.words()
    assert "Use the groups found in the data" not in [b.label for b in app.button]
    app.press("use_statistic")
    ws = app.workspace()
    assert ws.exact().tolist() == [1, 3, 0]
    assert not ws.seen.of(ws.statistic).read_off
    app.widget(LISTED).set_value("1\n2").run()
    assert CODEBOOK not in app.words()
    app.labelled("Use the groups of the file’s codebook").click().run()
    assert app.widget(LISTED).value == whole
    assert CODEBOOK in app.words()


def test_the_row_of_names_is_chosen(open_page):
    app = open_page("data")
    assert not any(box.label == ROW for box in app.text_input)  # of a sample there is no choice
    app.upload(REPORT, name="r.xlsx")
    assert columns(app) == ["Visits, by ward", "column 2"]
    app.field(ROW).set_value("3").run()
    assert app.errors() == []
    assert columns(app) == ["ward", "n"]
    assert "The names stand in row 3." in app.words()
    assert app.workspace().loading == "read_table('r.xlsx', header=3)"
    app.field(ROW).set_value("2").run()
    assert "Row 2 of the sheet is empty; type the number of the row" in app.errors()[0]
    assert columns(app) == ["ward", "n"]
    app.field(ROW).set_value("x").run()
    assert "this is not the number of a row. Type one such as 3" in app.errors()[-1]
    app.field(ROW).set_value("").run()
    assert columns(app) == ["Visits, by ward", "column 2"]


def test_columns_of_lists_are_left_out_by_a_press(open_page):
    app = open_page("data").upload(LISTS, name="r.jsonl")
    assert "The columns “tags” and “of” hold lists or records; leave them out" in app.errors()[0]
    app.labelled("Leave out “tags” and “of”").click().run()
    assert app.errors() == []
    assert columns(app) == ["id", "ward"]
    assert "Read as JSON Lines. Left out: “tags” and “of”." in app.words()
    assert "leave_out=('tags', 'of')" in app.workspace().loading
    assert not [b for b in app.button if b.label.startswith("Leave out")]
    app.upload(b"a,b\n1,2\n", name="other.csv")
    assert app.errors() == []
    assert columns(app) == ["a", "b"]


# Whether a person can have several rows: asked of every upload, and said wherever it matters.


CLAIMS = b"patient_id,ward,cost\n" + b"".join(
    b"%d,%s,%d\n" % (i // 5, b"AB"[i // 5 % 2 :][:1], i) for i in range(60)
)
VISITED = b"who,what,when\n1,ash,2025-01-01\n2,yew,2025-01-02\n"
QUESTION = "Can a person have several rows?"
NOBODY = "Nobody has said whether a person can have several rows"
WARDS = ByColumn("ward", ("A", "B"))


def asked(open_page, rows=None):
    """The page Data with an upload and its groups."""
    app = open_page("data").upload(CLAIMS, "claims.csv", rows)
    app.fill({"For": COLUMN, "Column of the groups": "ward"})
    app.fill({LISTED: "A\nB"})
    return app


@pytest.mark.parametrize("mode", few(["teaching", "hardened"], 2))
def test_a_table_of_ones_own_is_not_used_before_somebody_says_who_is_protected(open_page, mode):
    app = open_page("data")
    app.workspace().use_mode(mode)
    app.run()
    app.upload(CLAIMS, "claims.csv", rows=None)
    app.fill({"For": EVERYBODY})
    assert app.widget(QUESTION).value is None
    assert app.labelled("Use this statistic").disabled
    assert [plain(each.value) for each in app.info] == [f"{QUESTION} Choose an answer."]
    assert "“patient_id”: does one value stand in several rows?" in app.words()
    app.say_rows(NO)
    assert not app.labelled("Use this statistic").disabled
    app.press("use_statistic")
    assert app.workspace().statistic.query.bounds.several_rows is False
    assert app.workspace().statistic.query.unit == "one person = one row"
    assert app.widget(QUESTION).value == "no"


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists")
def test_where_no_column_says_who_one_row_is_the_unit_on_every_page_and_file(open_page):
    app = asked(open_page, UNKNOWN)
    assert "Then one row is protected, and every sentence says “one row”" in app.words()
    app.press("use_statistic")
    ws, said = app.workspace(), {}
    assert app.widget("Neighbouring tables differ by").options[0] == "one row more or less"
    assert app.in_use()
    for page in ("tiers", "releases"):
        app.go(page)
        assert "about one row" in app.words() or page == "releases"
        said[page] = app.everything()
    app.labelled("Draw all four").click().run()
    (entry, *_) = ws.ledger
    unit = "one row is protected by itself (anyone who has several is protected less)"
    assert dict(ws.facts_of(entry))["unit"] == unit
    assert dict(ws.facts_of(entry))["statistic"] == "number of rows per group of “ward”"
    lines = "\n".join([*said.values(), app.everything()]).lower().splitlines()
    general = ("**", *(f"{term}:" for term in GLOSSARY))  # what others publish, and what words mean
    mine = [line for line in lines if not line.startswith(general)]
    assert [line for line in mine if "one person" in line] == []
    assert opened(saved(ws)).query.unit == unit


def test_other_answers_change_no_number_and_go_on_with_the_session(open_page):
    app = asked(open_page, NO)
    app.press("use_statistic")
    app.workspace().draw("public")
    app.widget(QUESTION).set_value(UNKNOWN).run()
    assert "No number changes, and its session goes on." in app.words()
    app.labelled("Use this answer").click().run()
    ws = app.workspace()
    assert ws.round is not None
    assert "one row is protected" in dict(ws.facts_of(ws.ledger[0]))["unit"]
    app.widget(QUESTION).set_value(NO).run()
    app.labelled("Use this answer").click().run()
    assert app.workspace().statistic.query.unit == "one person = one row"
    assert len(app.workspace().statistics) == 1
    assert app.errors() == []


def old_plan(table="claims.csv"):
    """A plan as it was saved before anybody was asked."""
    ws = Workspace.load(CLAIMS, name=table)
    ws.state(Count(WARDS))
    file = json.loads(saved(ws))
    del file["statistic"]["bounds"]["several_rows"]
    return json.dumps(file).encode()


def test_an_old_plan_opens_and_asks_before_the_first_draw(open_page):
    app = open_page("data").upload(CLAIMS, "claims.csv", rows=None).go("tiers")
    next(u for u in app.file_uploader if u.label == "Open a plan").upload(
        "plan.json", old_plan(), "application/json"
    ).run()
    assert app.workspace().statistic.query.bounds.unsaid
    app.go("releases")
    assert any(NOBODY in each.value for each in app.warning)
    app.press("draw_public")
    assert app.errors() == [f"{NOBODY}. Answer that on the page Data, under “Who is protected”."]
    assert not app.workspace().ledger
    app.go("data")
    assert app.labelled("Use this statistic").disabled
    app.say_rows(NO)
    app.labelled("Use this answer").click().run()
    app.go("releases")
    app.press("draw_public")
    assert not app.warning
    assert len(app.workspace().ledger) == 1


@full_run
def test_the_rows_of_a_count_do_not_carry_over_to_a_mean(open_page):
    app = asked(open_page, BY_COLUMN)
    app.fill({"Column that names the person": "patient_id"})
    app.press("use_statistic")
    assert app.workspace().statistic.query.bounds.rows_per_group == 1
    app.fill({"What": "Mean of a number"})
    app.fill({"Number": "cost"})
    app.fill({"Lower clip bound": "0", "Upper clip bound": "1000"})
    assert app.widget("Rows per group").value == ""
    assert app.labelled("Use this statistic").disabled
    assert "Rows per group: nothing is typed." in plain(app.info[0].value)
    app.fill({"Rows per group": "5"})
    app.press("use_statistic")
    query = app.workspace().statistic.query
    assert query == BoundedMean("cost", 0, 1000, WARDS, Bounds("patient_id", rows_per_group=5))
    app.fill({"What": "Number of people or rows"})
    assert app.widget("Rows per group").value == "1"


@pytest.mark.parametrize(
    ("page", "source", "own"),
    few(
        [
            ("continual_counting", "counting_source", "my table"),
            ("sparse_histograms", "sparse_source", "my column"),
            ("top_k", "topk_source", "my column"),
        ],
        3,
    ),
)
@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists")
def test_other_pages_that_ask_the_table_ask_who_is_protected_too(open_page, page, source, own):
    app = open_page("data").upload(VISITED, "visits.csv", rows=None).go(page)
    app.segmented_control(key=source).set_value(own).run()
    if page == "continual_counting":
        app.fill({"From (year-month-day)": "2025-01-01", "Until, not included": "2025-01-09"})
    assert f"{QUESTION} Choose an answer." in plain(app.everything())
    app.say_rows(UNKNOWN)
    assert f"{QUESTION} Choose an answer." not in plain(app.everything())
    assert "one row is protected by itself" in app.words()
