"""Whether a person can have several rows: asked of every upload, and said wherever it matters."""

import json

import pytest

from dpviz.data import read_csv
from dpviz.queries import BoundedMean, Bounds, ByColumn, Count
from dpviz.ui.kit.group_controls import COLUMN, EVERYBODY
from dpviz.words.glossary import GLOSSARY
from dpviz.workspace.plan_file import opened, saved
from dpviz.workspace.workspace import Workspace
from tests.app.reading import (
    BY_COLUMN,
    NO,
    UNKNOWN,
    button,
    errors,
    everything,
    fill,
    in_use,
    plain,
    say_rows,
    upload,
    widget,
    words,
    workspace,
)
from tests.conftest import few, full_run

CLAIMS = b"patient_id,ward,cost\n" + b"".join(
    b"%d,%s,%d\n" % (i // 5, b"AB"[i // 5 % 2 :][:1], i) for i in range(60)
)
VISITED = b"who,what,when\n1,ash,2025-01-01\n2,yew,2025-01-02\n"
QUESTION = "Can a person have several rows?"
NOBODY = "Nobody has said whether a person can have several rows"
WARDS = ByColumn("ward", ("A", "B"))


def asked(open_page, rows=None):
    """The page Data with an upload and its groups."""
    app = upload(open_page("data"), CLAIMS, "claims.csv", rows)
    fill(app, {"For": COLUMN, "Column of the groups": "ward"})
    fill(app, {"Groups to publish, one per line": "A\nB"})
    return app


@pytest.mark.parametrize("mode", few(["teaching", "hardened"], 2))
def test_a_table_of_ones_own_is_not_used_before_somebody_says_who_is_protected(open_page, mode):
    app = open_page("data")
    workspace(app).use_mode(mode)
    app.run()
    upload(app, CLAIMS, "claims.csv", rows=None)
    fill(app, {"For": EVERYBODY})
    assert widget(app, QUESTION).value is None
    assert button(app, "Use this statistic").disabled
    assert [plain(each.value) for each in app.info] == [f"{QUESTION} Choose an answer."]
    assert "“patient_id”: does one value stand in several rows?" in words(app)
    say_rows(app, NO)
    assert not button(app, "Use this statistic").disabled
    button(app, "Use this statistic").click().run()
    assert workspace(app).statistic.query.bounds.several_rows is False
    assert workspace(app).statistic.query.unit == "one person = one row"
    assert widget(app, QUESTION).value == "no"


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists")
def test_where_no_column_says_who_one_row_is_the_unit_on_every_page_and_file(open_page):
    app = asked(open_page, UNKNOWN)
    assert "Then one row is protected, and every sentence says “one row”" in words(app)
    button(app, "Use this statistic").click().run()
    ws, said = workspace(app), {}
    assert "One row can change one of them by at most 1." in words(app)
    assert widget(app, "Neighbouring tables differ by").options[0] == "one row more or less"
    assert in_use(app)
    for page in ("tiers", "releases"):
        app.switch_page(f"pages/{page}.py").run()
        assert "about one row" in words(app) or page == "releases"
        said[page] = everything(app)
    button(app, "Draw all four").click().run()
    assert "a guess about one row is right 673 times in 1,000, no more often" in words(app)
    (entry, *_) = ws.ledger
    unit = "one row is protected by itself (anyone who has several is protected less)"
    assert dict(ws.facts_of(entry))["unit"] == unit
    assert dict(ws.facts_of(entry))["statistic"] == "number of rows per group of “ward”"
    lines = "\n".join([*said.values(), everything(app)]).lower().splitlines()
    general = ("**", *(f"{term}:" for term in GLOSSARY))  # what others publish, and what words mean
    mine = [line for line in lines if not line.startswith(general)]
    assert [line for line in mine if "one person" in line] == []
    assert opened(saved(ws)).query.unit == unit


def test_other_answers_change_no_number_and_go_on_with_the_session(open_page):
    app = asked(open_page, NO)
    button(app, "Use this statistic").click().run()
    workspace(app).draw("public")
    widget(app, QUESTION).set_value(UNKNOWN).run()
    assert "No number changes, and its session goes on." in words(app)
    button(app, "Use this answer").click().run()
    ws = workspace(app)
    assert ws.round is not None
    assert "one row is protected" in dict(ws.facts_of(ws.ledger[0]))["unit"]
    widget(app, QUESTION).set_value(NO).run()
    button(app, "Use this answer").click().run()
    assert workspace(app).statistic.query.unit == "one person = one row"
    assert len(workspace(app).statistics) == 1
    assert errors(app) == []


def old_plan(table="claims.csv"):
    """A plan as it was saved before anybody was asked."""
    ws = Workspace.load(CLAIMS, name=table)
    ws.state(Count(WARDS))
    file = json.loads(saved(ws))
    del file["statistic"]["bounds"]["several_rows"]
    return json.dumps(file).encode()


def test_an_old_plan_opens_and_asks_before_the_first_draw(open_page):
    app = upload(open_page("data"), CLAIMS, "claims.csv", rows=None)
    app.switch_page("pages/tiers.py").run()
    next(u for u in app.file_uploader if u.label == "Open a plan").upload(
        "plan.json", old_plan(), "application/json"
    ).run()
    assert workspace(app).statistic.query.bounds.unsaid
    app.switch_page("pages/releases.py").run()
    assert any(NOBODY in each.value for each in app.warning)
    app.button(key="draw_public").click().run()
    assert errors(app) == [f"{NOBODY}. Answer that on the page Data, under “Who is protected”."]
    assert not workspace(app).ledger
    app.switch_page("pages/data.py").run()
    assert button(app, "Use this statistic").disabled
    say_rows(app, NO)
    button(app, "Use this answer").click().run()
    app.switch_page("pages/releases.py").run()
    app.button(key="draw_public").click().run()
    assert not app.warning
    assert len(workspace(app).ledger) == 1


@full_run
def test_what_was_drawn_before_anybody_was_asked_goes_on(open_page):
    app = open_page("releases")
    ws = workspace(app)
    ws.bring(read_csv(CLAIMS, name="claims.csv"))
    ws.state(Count(WARDS))
    ws.asks = False
    ws.draw("public")
    ws.asks = True
    app.run()
    assert not any(NOBODY in each.value for each in app.warning)
    app.button(key="draw_audit").click().run()
    assert [e.tier for e in ws.ledger] == ["public", "audit"]


@full_run
def test_the_rows_of_a_count_do_not_carry_over_to_a_mean(open_page):
    app = asked(open_page, BY_COLUMN)
    fill(app, {"Column that names the person": "patient_id"})
    button(app, "Use this statistic").click().run()
    assert workspace(app).statistic.query.bounds.rows_per_group == 1
    fill(app, {"What": "Mean of a number"})
    fill(app, {"Number": "cost"})
    fill(app, {"Lower clip bound": "0", "Upper clip bound": "1000"})
    assert widget(app, "Rows per group").value == ""
    assert button(app, "Use this statistic").disabled
    assert "Rows per group: nothing is typed." in plain(app.info[0].value)
    fill(app, {"Rows per group": "5"})
    button(app, "Use this statistic").click().run()
    query = workspace(app).statistic.query
    assert query == BoundedMean("cost", 0, 1000, WARDS, Bounds("patient_id", rows_per_group=5))
    assert "the mean of “cost” per group of “ward”, each row at most 1,000." in words(app)
    fill(app, {"What": "Number of people or rows"})
    assert widget(app, "Rows per group").value == "1"


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
    app = upload(open_page("data"), VISITED, "visits.csv", rows=None)
    app.switch_page(f"pages/{page}.py").run()
    app.segmented_control(key=source).set_value(own).run()
    if page == "continual_counting":
        fill(app, {"From (year-month-day)": "2025-01-01", "Until, not included": "2025-01-09"})
    assert f"{QUESTION} Choose an answer." in plain(everything(app))
    say_rows(app, UNKNOWN)
    assert f"{QUESTION} Choose an answer." not in plain(everything(app))
    assert "one row is protected by itself" in words(app)
