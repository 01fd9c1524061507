"""Columns, groups and persons on the page Data; what cannot be used gets one sentence."""

import pytest

from dpviz.data import DECLARATION, SAMPLE, Reading
from dpviz.data import VISITS as THE_VISITS
from dpviz.ui.data.query_controls import COUNT, MEAN, SUM
from dpviz.ui.kit.bound_controls import SHUFFLED
from dpviz.ui.kit.group_controls import BINS, CYCLE, EVERYBODY, THREE, TIME, TWO
from tests.app.reading import BY_COLUMN, LISTED, SEVERAL, plain
from tests.conftest import few, full_run

NUMBERS, TIMES = "Read a text column as numbers", "Read a text column as times"
PERSON = "Column that names the person"
ORDER = "Which groups count of a person with more"
GERMAN = (
    b"year;name;euros;share;day;when;clock;yes\n"
    b"2024;ann;12,50;0.5;30.11.2026;2026-11-30;10:00;true\n"
    b"2025;bob;7,25;0.25;01.12.2026;2026-12-01;11:00;false\n"
)


def options(app, label):
    return list(app.widget(label).options)


def hints(app):
    return [element.value for element in app.info]


def test_text_is_offered_as_numbers_or_times_only_on_request(open_page):
    app = open_page("data").upload(GERMAN)
    app.fill({"What": SUM, "For": TIME})
    assert options(app, "Number") == ["year", "share"]
    assert options(app, "Column of the time") == ["when"]
    assert app.widget(NUMBERS).value is app.widget(TIMES).value is False
    assert "numbers with a decimal point, such as 12.5" in app.words()
    assert "times such as 2026-11-30 or 2026-11-30 14:00" in app.words()
    app.fill({NUMBERS: True, TIMES: True})
    assert options(app, "Number") == ["year", "share", "name", "euros", "day"]
    assert options(app, "Column of the time") == ["when", "name", "euros", "day"]
    app.fill({"Number": "euros", "Column of the time": "day"})
    app.fill({NUMBERS: False, TIMES: False})
    assert app.widget("Number").value == "year"
    assert app.widget("Column of the time").value == "when"
    app.fill({"What": COUNT, "For": BINS})
    assert options(app, "Column of the number") == ["year", "share"]


def test_the_samples_come_with_their_person_and_are_ready(open_page):
    app = open_page("data")
    for sample, by_column in ((THE_VISITS, True), (DECLARATION, False), (SAMPLE, False)):
        if sample.loading != app.workspace().loading:
            app.labelled(f"Load the sample {sample.file}").click().run()
        assert (app.errors(), hints(app)) == ([], [])
        assert (app.widget(SEVERAL).value == BY_COLUMN) is by_column
        if not by_column:
            app.fill({SEVERAL: BY_COLUMN})
        assert app.widget(PERSON).value == sample.person
        assert (app.errors(), hints(app)) == ([], [])


@pytest.mark.opens("specialists")
def test_which_groups_of_a_person_count_is_a_choice(open_page, tmp_path, monkeypatch):
    rows = b"".join(b"%d,%s\n" % (i, ward) for i in range(200) for ward in (b"A", b"B"))
    content = b"id,ward\n" + rows
    app = open_page("data").upload(content)
    app.choose("Column of the groups", "ward")
    app.fill({LISTED: "A\nB", SEVERAL: BY_COLUMN})
    app.choose(PERSON, "id")
    app.fill({ORDER: SHUFFLED})
    assert any("Type any public text" in said for said in hints(app))
    app.button(key=next(b.key for b in app.button if b.label == "Make one")).click().run()
    assert len(app.widget("Public salt").value) == 8
    app.fill({"Public salt": "spring"})
    app.press("use_statistic")
    ws = app.workspace()
    one, other = ws.exact().tolist()
    assert one + other == 200
    assert min(one, other) > 70  # each 100 ± 4 standard errors of 7; by the list the second has 0
    assert ws.statistic.query.sensitivity.l1 == 1
    (tmp_path / "visits.csv").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    ran = app.run_sample()
    assert ran["query"].values(ran["table"]).tolist() == [one, other]


# Lists of groups on the page Data: names, commas, order, a file, combinations, the calendar.


CONTENT = (
    b"sex,smoker,treated,day,town\n"
    b'0,yes,no,2025-01-06,"Washington, DC"\n'
    b"1,no,no,2025-04-06,Oslo\n"
    b"1,yes,yes,2026-04-07,Oslo\n"
)


def warnings(app):
    return plain(" ".join(w.value for w in app.warning))


def key_of(app, label):
    return next(t.key for t in app.text_area if t.label == label)


def counted(app):
    """The statistic is put to use, and the code sample counts the same."""
    assert app.errors() == []
    app.press("use_statistic")
    ws, ran = app.workspace(), app.run_sample()
    assert ran["query"].values(ran["table"]).tolist() == ws.exact().tolist()
    assert ran["query"].labels == ws.statistic.query.labels
    return dict(zip(ws.statistic.query.labels, ws.exact().tolist(), strict=True))


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists")
def test_groups_are_named_moved_and_brought_in_a_file(open_page, tmp_path, monkeypatch):
    (tmp_path / "visits.csv").write_bytes(CONTENT)
    monkeypatch.chdir(tmp_path)
    app = open_page("data").upload(CONTENT)
    app.choose("Column of the groups", "sex")
    app.fill({LISTED: "0, 1"})
    assert "Line 1 is read as 2 groups, “0” and “1”" in warnings(app)
    assert counted(app) == {"0": 1, "1": 2}
    app.go("releases")
    app.press("draw_public")
    app.go("data")
    app.fill({LISTED: "0 = men\n1 = women"})
    assert "Only words change" in app.words()
    assert counted(app) == {"men": 1, "women": 2}
    app.go("releases")
    assert "women" in app.everything()
    assert len(app.workspace().sessions) == 1  # words only: the session goes on
    assert app.button(key="draw_public").disabled
    app.go("data")
    app.press(f"down_{key_of(app, LISTED)}")
    assert app.widget(LISTED).value == "1 = women\n0 = men"
    assert app.widget("Move a group").value == 1  # the box goes with the group
    app.press(f"up_{key_of(app, LISTED)}")
    assert app.widget(LISTED).value == "0 = men\n1 = women"

    app.choose("Column of the groups", "town")
    uploader = next(u for u in app.file_uploader if u.label.startswith("A public list"))
    uploader.upload("towns.txt", b"Oslo\nWashington, DC\nParis\n", "text/plain").run()
    assert app.widget(LISTED).value == 'Oslo\n"Washington, DC"\nParis'
    assert counted(app) == {"Oslo": 2, "Washington, DC": 1, "Paris": 0}


@full_run
def test_yes_and_no_are_combined_and_a_calendar_needs_no_list(open_page, tmp_path, monkeypatch):
    (tmp_path / "visits.csv").write_bytes(CONTENT)
    monkeypatch.chdir(tmp_path)
    app = open_page("data").upload(CONTENT)
    ws = app.workspace()
    yes_no = Reading(kind="yes/no")
    ws.table = ws.table.read_as({"smoker": yes_no, "treated": yes_no, "sex": yes_no})
    app.run().fill({"For": TWO})
    app.choose("First column", "smoker")
    app.choose("Second column", "treated")
    assert counted(app) == {
        "smoker yes × treated yes": 1,
        "smoker yes × treated no": 1,
        "smoker no × treated yes": 0,
        "smoker no × treated no": 1,
    }
    app.fill({"For": THREE})
    app.choose("Third column", "sex")
    app.fill({f"{LISTED}: sex": "1 = women\nno = men"})
    said = "A group of “sex” can never count: it is read as yes or no, and “1” is neither"
    assert said in warnings(app)
    app.fill({f"{LISTED}: sex": "yes = women\nno = men"})
    assert "never count" not in warnings(app)
    assert counted(app)["smoker yes × treated yes × women"] == 1
    app.fill({"For": CYCLE})
    assert counted(app)["Monday"] == 1


# What cannot be used gets one sentence; what was typed and what was released stays.


MESSY = b"g,num,when\na,1,2025-01-05\na,NaN,yesterday\nb,inf,2025-13-01\nb,-inf,\nb,none,5\n" + (
    b"b,,2025-02-01 25:00\na,1e400,2025-01-31 23:59\nb,7,2025-02-28\nb,90,2024-12-31\n"
    b"c,60,\nc,70,\nc,80,\n"  # at least half are numbers
)
LOWER, UPPER, STEP = "Lower clip bound", "Upper clip bound", "Grid step"
EDGES, START, STOP = "Edges of the bins", "From (year-month-day)", "Until, not included"


@pytest.fixture
def messy(open_page):
    return open_page("data").upload(MESSY, name="messy.csv")


def refused(app, answers, part):
    """These answers get one sentence with this part; nothing is put to use or forgotten."""
    before = app.workspace().statistic
    app.fill(answers)
    (sentence,) = app.errors()
    assert part in sentence, (answers, sentence)
    assert sentence.endswith(".")
    assert app.labelled("Use this statistic").disabled
    assert app.workspace().statistic is before
    assert {label: app.widget(label).value for label in answers} == answers


def asked(app, answers, part):
    """These answers leave a field empty: it is asked for, and nothing is called wrong."""
    before = app.workspace().statistic
    app.fill(answers)
    assert app.errors() == []
    (hint,) = app.info
    assert part in plain(hint.value), (answers, hint.value)
    assert app.labelled("Use this statistic").disabled
    assert app.workspace().statistic is before


def test_an_upload_is_not_called_wrong_before_anything_is_typed(messy):
    assert messy.table[0].value["column"].tolist() == ["g", "num", "when"], "in place of a picture"
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
    messy.fill({START: "2025-01-01", STOP: "2025-02-01"})
    asked(messy, {}, "Choose the column in which all rows of one person have the same value")


SUM_OF = [{"What": SUM, "For": EVERYBODY}, {NUMBERS: True}, {"Number": "num"}]
REFUSED = {  # what is chosen first, and what is typed then with a part of the sentence about it
    "days of a time": (
        [{"For": TIME}, {TIMES: True}, {"Column of the time": "when"}],
        {START: "2025-01-02", STOP: "2025-03-01"},
        "Months are counted whole",
    ),
    "clip bounds": (SUM_OF, {LOWER: "NaN", UPPER: "100"}, "“NaN” is not a finite number"),
    "grid steps": (
        [*SUM_OF, {LOWER: "0", UPPER: "100"}],
        {STEP: "0.3"},
        "must be a power of two, got 0.3; type for example 0.25",
    ),
    "edges of bins": (
        [{"For": BINS}, {NUMBERS: True}],
        {EDGES: "0, 20, 10"},
        "Edge 3 is not above edge 2",
    ),
    "a list of groups": ([], {LISTED: "a\nb\na"}, "Groups 1 and 3 are the same"),
}


@pytest.mark.parametrize("what", few(REFUSED, 4))
def test_what_cannot_be_used_is_refused(messy, what):
    chosen, typed, part = REFUSED[what]
    for answers in chosen:
        messy.fill(answers)
    assert messy.errors() == []
    refused(messy, typed, part)
