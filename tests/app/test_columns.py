"""Which columns are offered, and the person's column."""

import pytest

from dpviz.data import DECLARATION, SAMPLE, VISITS
from dpviz.ui.data.query_controls import COUNT, SUM
from dpviz.ui.kit.bound_controls import SHUFFLED
from dpviz.ui.kit.group_controls import BINS, TIME
from tests.app.reading import (
    BY_COLUMN,
    SEVERAL,
    button,
    choose,
    errors,
    fill,
    run_sample,
    widget,
    words,
    workspace,
)
from tests.app.test_upload import upload

LISTED = "Groups to publish, one per line"
NUMBERS, TIMES = "Read a text column as numbers", "Read a text column as times"
PERSON = "Column that names the person"
ORDER = "Which groups count of a person with more"
GERMAN = (
    b"year;name;euros;share;day;when;clock;yes\n"
    b"2024;ann;12,50;0.5;30.11.2026;2026-11-30;10:00;true\n"
    b"2025;bob;7,25;0.25;01.12.2026;2026-12-01;11:00;false\n"
)


def options(app, label):
    return list(widget(app, label).options)


def hints(app):
    return [element.value for element in app.info]


def test_text_is_offered_as_numbers_or_times_only_on_request(open_page):
    app = upload(open_page("data"), GERMAN)
    fill(app, {"What": SUM, "For": TIME})
    assert options(app, "Number") == ["year", "share"]
    assert options(app, "Column of the time") == ["when"]
    assert widget(app, NUMBERS).value is widget(app, TIMES).value is False
    assert "numbers with a decimal point, such as 12.5" in words(app)
    assert "times such as 2026-11-30 or 2026-11-30 14:00" in words(app)
    fill(app, {NUMBERS: True, TIMES: True})
    assert options(app, "Number") == ["year", "share", "name", "euros", "day"]
    assert options(app, "Column of the time") == ["when", "name", "euros", "day"]
    fill(app, {"Number": "euros", "Column of the time": "day"})
    fill(app, {NUMBERS: False, TIMES: False})
    assert widget(app, "Number").value == "year"
    assert widget(app, "Column of the time").value == "when"
    fill(app, {"What": COUNT, "For": BINS})
    assert options(app, "Column of the number") == ["year", "share"]


def test_the_samples_come_with_their_person_and_are_ready(open_page):
    app = open_page("data")
    for sample, by_column in ((VISITS, True), (DECLARATION, False), (SAMPLE, False)):
        if sample.loading != workspace(app).loading:
            button(app, f"Load the sample {sample.file}").click().run()
        assert (errors(app), hints(app)) == ([], [])
        assert (widget(app, SEVERAL).value == BY_COLUMN) is by_column
        if not by_column:
            fill(app, {SEVERAL: BY_COLUMN})
        assert widget(app, PERSON).value == sample.person
        assert (errors(app), hints(app)) == ([], [])


@pytest.mark.opens("specialists")
def test_which_groups_of_a_person_count_is_a_choice(open_page, tmp_path, monkeypatch):
    rows = b"".join(b"%d,%s\n" % (i, ward) for i in range(200) for ward in (b"A", b"B"))
    content = b"id,ward\n" + rows
    app = upload(open_page("data"), content)
    choose(app, "Column of the groups", "ward")
    fill(app, {LISTED: "A\nB", SEVERAL: BY_COLUMN})
    choose(app, PERSON, "id")
    assert "the first 1 in the order of the list" in words(app)
    fill(app, {ORDER: SHUFFLED})
    assert any("Type any public text" in said for said in hints(app))
    app.button(key=next(b.key for b in app.button if b.label == "Make one")).click().run()
    assert len(widget(app, "Public salt").value) == 8
    fill(app, {"Public salt": "spring"})
    assert "an order that the public salt “spring” shuffles for each person" in words(app)
    button(app, "Use this statistic").click().run()
    ws = workspace(app)
    one, other = ws.exact().tolist()
    assert one + other == 200
    assert min(one, other) > 70  # each 100 ± 4 standard errors of 7; by the list the second has 0
    assert ws.statistic.query.sensitivity.l1 == 1
    (tmp_path / "visits.csv").write_bytes(content)
    monkeypatch.chdir(tmp_path)
    ran = run_sample(app)
    assert ran["query"].values(ran["table"]).tolist() == [one, other]
