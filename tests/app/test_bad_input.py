"""What cannot be used gets one sentence; what was typed and what was released stays."""

import duckdb
import pytest

from dpviz.queries import MAX_GROUPS
from dpviz.ui.data.query_controls import COUNT, MEAN, SUM
from dpviz.ui.kit.group_controls import BINS, COLUMN, EVERYBODY, TIME
from tests.app.reading import (
    BY_COLUMN,
    SEVERAL,
    button,
    errors,
    fill,
    plain,
    say_rows,
    widget,
    words,
    workspace,
)
from tests.app.test_upload import VISITS, upload
from tests.conftest import few, full_run

MESSY = b"g,num,when\na,1,2025-01-05\na,NaN,yesterday\nb,inf,2025-13-01\nb,-inf,\nb,none,5\n" + (
    b"b,,2025-02-01 25:00\na,1e400,2025-01-31 23:59\nb,7,2025-02-28\nb,90,2024-12-31\n"
    b"c,60,\nc,70,\nc,80,\n"  # at least half are numbers
)
LISTED = "Groups to publish, one per line"
NUMBERS, TIMES = "Read a text column as numbers", "Read a text column as times"
LOWER, UPPER, STEP = "Lower clip bound", "Upper clip bound", "Grid step"
EDGES, START, STOP = "Edges of the bins", "From (year-month-day)", "Until, not included"
L0, LINF = "Groups per person (ℓ₀)", "Rows per group (ℓ∞)"


@pytest.fixture
def messy(open_page):
    return upload(open_page("data"), MESSY, name="messy.csv")


def refused(app, answers, part):
    """These answers get one sentence with this part; nothing is put to use or forgotten."""
    before = workspace(app).statistic
    fill(app, answers)
    (sentence,) = errors(app)
    assert part in sentence, (answers, sentence)
    assert sentence.endswith(".")
    assert button(app, "Use this statistic").disabled
    assert workspace(app).statistic is before
    assert {label: widget(app, label).value for label in answers} == answers


def asked(app, answers, part):
    """These answers leave a field empty: it is asked for, and nothing is called wrong."""
    before = workspace(app).statistic
    fill(app, answers)
    assert errors(app) == []
    (hint,) = app.info
    assert part in plain(hint.value), (answers, hint.value)
    assert button(app, "Use this statistic").disabled
    assert workspace(app).statistic is before


def test_an_upload_is_not_called_wrong_before_anything_is_typed(messy):
    asked(messy, {}, "Type at least one group to publish")
    none = "This table has no column of numbers. Tick “Read a text column as numbers”, or upload"
    asked(messy, {"What": SUM, "For": EVERYBODY}, none)
    asked(messy, {NUMBERS: True}, "Lower clip bound: nothing is typed")
    asked(messy, {"What": MEAN}, "Lower clip bound: nothing is typed")
    asked(messy, {"What": COUNT, "For": BINS}, none)
    asked(messy, {NUMBERS: True}, "Edges of the bins: nothing is typed")
    asked(messy, {"For": TIME}, "This table has no column of times. Tick “Read a text column as")
    asked(messy, {TIMES: True}, "From and until are days")
    asked(messy, {SEVERAL: BY_COLUMN}, "From and until are days")
    fill(messy, {START: "2025-01-01", STOP: "2025-02-01"})
    asked(messy, {}, "Choose the column in which all rows of one person have the same value")


@full_run
@pytest.mark.parametrize("kind", few([SUM, MEAN], 2))
def test_clip_bounds(messy, kind):
    fill(messy, {"What": kind, "For": EVERYBODY})
    fill(messy, {NUMBERS: True})
    fill(messy, {"Number": "num"})
    asked(messy, {LOWER: "", UPPER: "100"}, "Lower clip bound: nothing is typed")
    asked(messy, {LOWER: "0", UPPER: " "}, "Upper clip bound: nothing is typed")
    for low, high, part in (
        ("100", "0", "Lower must be below upper"),
        ("NaN", "100", "Lower clip bound: “NaN” is not a finite number"),
        ("0", "x", "Upper clip bound"),
    ):
        refused(messy, {LOWER: low, UPPER: high}, part)
    messy.switch_page("pages/tiers.py").run()
    messy.switch_page("pages/data.py").run()
    assert [widget(messy, label).value for label in (LOWER, UPPER)] == ["0", "x"]


SUM_OF = [{"What": SUM, "For": EVERYBODY}, {NUMBERS: True}, {"Number": "num"}]
TOO_LONG = "\n".join(f"g{i}" for i in range(MAX_GROUPS + 1))
REFUSED = {  # what is chosen first, and what is typed then with a part of the sentence about it
    "days of a time": (
        [{"For": TIME}, {TIMES: True}, {"Column of the time": "when"}],
        [
            ({START: "2025-02-30", STOP: "2025-03-01"}, "Start is not a day"),
            ({START: "2025-03-01", STOP: "2025-01-01"}, "Stop is not after start"),
            ({START: "2025-01-02", STOP: "2025-03-01"}, "Months are counted whole"),
        ],
    ),
    "grid steps": (
        [*SUM_OF, {LOWER: "0", UPPER: "100"}],
        [
            ({STEP: "0.3"}, "must be a power of two, got 0.3; type for example 0.25"),
            ({STEP: "0"}, "Type a number above 0, for example 0.25."),
            ({STEP: "128"}, "at most upper − lower, 100, got 128; type for example"),
        ],
    ),
    "edges of bins": (
        [{"For": BINS}, {NUMBERS: True}],
        [
            ({EDGES: "5"}, "at least two edges"),
            ({EDGES: "0, 20, 10"}, "Edge 3 is not above edge 2"),
            ({EDGES: "0, NaN"}, "Edges of the bins: “NaN” is not a finite number"),
        ],
    ),
    "a list of groups": (
        [],
        [
            ({LISTED: TOO_LONG}, "at most 100,000 groups"),
            ({LISTED: "a\nb\na"}, "Groups 1 and 3 are the same"),
        ],
    ),
}


@pytest.mark.parametrize("what", few(REFUSED, 4))
def test_what_cannot_be_used_is_refused(messy, what):
    chosen, typed = REFUSED[what]
    for answers in chosen:
        fill(messy, answers)
    assert errors(messy) == []
    for answers, part in typed:
        refused(messy, answers, part)


def test_groups_and_rows_of_one_person(open_page):
    app = upload(open_page("data"), VISITS)
    fill(app, {"Column of the groups": "ward", SEVERAL: BY_COLUMN})
    fill(app, {LISTED: "A\nB", "Column that names the person": "id"})
    for typed in ("0", "3", "x"):
        refused(app, {L0: typed}, "Groups per person")
    fill(app, {L0: "2"})
    for typed in ("", "1.5", "1000001"):
        refused(app, {LINF: typed}, "Rows per group")
    fill(app, {LINF: "3"})
    assert errors(app) == []
    refused(app, {"Column that names the person": "ward"}, "person")


TIMES_OF_ALL_KINDS = b"id,day,when,clock\n1,0000-01-01,2025-01-05 24:00,24:00\n" + (
    b"2,9999-12-31,0000-01-01 10:00,10:00\n"
)


@full_run
def test_times_that_python_does_not_know_are_shown_and_counted(open_page, tmp_path):
    app = open_page("data")
    clock = "SELECT 1 AS id, TIME '24:00:00' AS clock, DATE '5000000-01-01' AS day"
    for name, content in [
        ("times.csv", TIMES_OF_ALL_KINDS),
        ("times.parquet", parquet(tmp_path / "t.parquet", clock)),
    ]:
        upload(app, content, name=name)
        widget(app, "Look at the table").set_value(True).run()
        shown = {plain(str(cell)) for t in app.table for cell in t.value.to_numpy().ravel()}
        assert any(cell.startswith("24:00") for cell in shown)
        for split in (COLUMN, TIME, BINS, EVERYBODY):
            fill(app, {"For": split})
        assert errors(app) == []
    upload(app, TIMES_OF_ALL_KINDS, name="again.csv")
    fill(app, {"For": TIME})
    fill(app, {"Column of the time": "when"})
    fill(app, {START: "2025-01-01", STOP: "2025-02-01"})
    button(app, "Use this statistic").click().run()
    assert workspace(app).exact().tolist() == [1]


def parquet(path, select):
    duckdb.sql(f"COPY ({select}) TO '{path}' (FORMAT parquet)")
    return path.read_bytes()


def test_an_upload_while_releases_exist_asks_and_keeps_them(open_page):
    app = open_page("releases")
    app.button(key="draw_public").click().run()
    kept = workspace(app).values_of_tiers[0].values.copy()
    app.switch_page("pages/data.py").run()
    before = workspace(app).table
    upload(app, VISITS)
    assert workspace(app).table is before
    assert "Replace nhefs.csv by visits.csv?" in words(app)
    button(app, "Keep the old one").click().run()
    assert workspace(app).table is before
    assert "Replace nhefs.csv" not in words(app)
    upload(app, VISITS, name="again.csv")
    button(app, "Replace the table").click().run()
    say_rows(app)
    assert workspace(app).table.name == "again.csv"
    fill(app, {"Column of the groups": "ward"})
    fill(app, {LISTED: "A\nB"})
    button(app, "Use this statistic").click().run()
    assert workspace(app).round is None
    app.switch_page("pages/releases.py").run()
    app.button(key="draw_public").click().run()
    first, second = workspace(app).ledger
    assert (first.event.session, second.event.session) == (1, 2)
    assert (workspace(app).rounds[0].mechanism.release(first.level) == kept).all()
    assert len(widget(app, "Another release").options) == 2, "beside the zip of both statistics"
