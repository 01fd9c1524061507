"""Names of a table: literal on every page, and the words for what it is of."""

import io
import re
from dataclasses import replace

import pandas as pd
import pytest

from dpviz.data import read_table
from dpviz.planning.tiers import Tier, as_rows
from dpviz.queries import BoundedMean, BoundedSum, Bounds, ByColumn, ByTime, Count, Nouns
from dpviz.ui.data.query_controls import COUNT, MEAN, SUM
from dpviz.ui.kit.group_controls import COLUMN, TWO
from dpviz.words.glossary import GLOSSARY
from tests.app.reading import BY_COLUMN, LISTED, SEVERAL, App, texts_in
from tests.conftest import FULL, few, full_run

PLANES = Nouns(one="aircraft", many="aircraft", row="flight", rows="flights", measure="minutes")
FLIGHTS = "carrier,tail,day,delay\n" + "".join(
    f"{'UA' if i % 3 else 'AA'},N{i % 40},2013-01-{1 + i % 28:02},{i % 7}\n" for i in range(200)
)
BOUNDS = Bounds(person="tail", groups_per_person=2, rows_per_group=2, nouns=PLANES)
CARRIERS = ByColumn("carrier", ("UA", "AA"))
COUNTED = Count(CARRIERS, Bounds(person="tail", groups_per_person=2, nouns=PLANES))
SUMS = BoundedSum("delay", 0, 60, CARRIERS, BOUNDS)
MEANS = BoundedMean("delay", 0, 60, CARRIERS, BOUNDS)
DAYS = Count(ByTime("day", "day", "2013-01-01", "2013-01-29"), BOUNDS)
OWN = {  # how a page is asked to show the visitor's own numbers
    "bridge_paths": ("bridge_source", "my statistic"),
    "laplace_or_gauss": ("crossover_query", "Mine"),
    "linear_queries": ("linear_source", "my statistic"),
    "continual_counting": ("counting_source", "my table"),
    "sparse_histograms": ("sparse_source", "my column"),
    "top_k": ("topk_source", "my column"),
    "rappor": ("rappor_source", "my column"),
}
PLAN = ("data", "tiers", "releases", "present", "variances", "collusion")
ABOUT_PEOPLE = re.compile(r"\b(persons?|people|somebody|nobody|whom)\b", re.IGNORECASE)
# Readers, attackers, visitors and made-up examples are people, whatever the table is of.
ALLOWED = (
    "What does a count tell about one person?",
    "What is promised to one person?",
    *("and what it protects.", "DAS_2020_Redistricting"),  # the yardstick: what others did
    "'people': 'anyone'",  # the column of readers in a plan
    "as many people as the page Tiers states",
    "nobody can do better",
    "nobody else",
    "made-up town",
    "Made-up town: a count of people",
    "one person, or whatever is protected",
    "by somebody who knows all the others",
    "somebody, or something, has it",
    "person='tail'",  # an argument of the library
    "what one person adds to the data",  # arguments of the recipes that are shown
    "what one person can",
    "how far one person moves",
    *("Somebody who guesses", "somebody who guesses"),  # who attacks
    "nobody joins later",
)
ON = {  # what a page tells of any table, not of this one
    "sparse_histograms": r"item that nobody has|Most items belong to nobody|one person fewer|"
    r"people who do not exist|Items that nobody has|that nobody had",
    "data": r"tells that somebody is in it",
}


def said(app: App) -> set[str]:
    """Everything on a page, with the labels and the help of its fields, line by line."""
    kinds = ("button", "checkbox", "radio", "selectbox", "text_input", "text_area", "toggle")
    asked = [w for kind in (*kinds, "button_group", "select_slider") for w in app.get(kind)]
    labels = [text for w in asked for text in (w.label, getattr(w, "help", None) or "")]
    options = [str(o) for w in (*app.radio, *app.selectbox) for o in w.options]
    return {*app.everything().split("\n"), *labels, *options}


def of_people(app: App, page: str) -> list[str]:
    """The lines of a page that speak of people, but for those that may."""
    terms = set(GLOSSARY.values())  # what words mean, in the drawer
    lines = [line for line in sorted(said(app) - terms) if ABOUT_PEOPLE.search(line)]
    told = [line for line in lines if not any(text in line for text in ALLOWED)]
    return [line for line in told if page not in ON or not re.search(ON[page], line)]


@pytest.fixture
def flights(open_page):
    """The table of flights, with numbers released of it."""
    app = open_page("start")
    ws = app.workspace()
    of_people = ws.statistic
    ws.bring(read_table(FLIGHTS.encode(), name="flights.csv"))
    for query in (SUMS, MEANS, COUNTED):
        ws.state(query)
        ws.draw("public", "audit")
    ws.leave_out(of_people)
    return app


@pytest.mark.usefixtures("pictured", "unfolded")
def test_no_page_calls_aircraft_people(flights):
    found = {}
    for page in PLAN:
        flights.go(page)
        found[page] = of_people(flights, page)
    flights.workspace().state(DAYS)
    for page, (key, value) in OWN.items():
        flights.go(page)
        asked = next(w for w in flights.get("button_group") if w.key.startswith(key))
        asked.set_value(value).run()
        found[page] = of_people(flights, page)
    assert not {page: lines for page, lines in found.items() if lines}


ONE_OF_MANY = re.compile(r"(?<![\w.,/·×^-])1[ \u00a0\u202f](people|[a-z]{2,}(?<![sui])s)\b")


@full_run
def test_one_is_never_said_with_a_word_for_several(flights):
    """With an accuracy of exactly 1, of flights and of minutes, and people who count with one."""
    app, ws, found = flights, flights.workspace(), {}
    for query in (DAYS, replace(SUMS, upper=0.5, step=0.5)):
        ws.state(query)
        ws.use_tiers(as_rows([Tier(name="one", amount="1", kind="±a 95 %")]))
        for page in PLAN if query is DAYS else ("tiers",):
            app.go(page)
            lines = sorted(said(app))
            found[page] = [line for line in lines if ONE_OF_MANY.search(line)]
            assert page != "tiers" or any(re.search(r"1 (flight|minute)\b", x) for x in lines)
    assert not {page: lines for page, lines in found.items() if lines}


def test_the_words_are_typed_where_the_bounds_are(open_page):
    app = open_page("data").upload(FLIGHTS.encode(), "flights.csv")
    app.fill({SEVERAL: BY_COLUMN})
    app.fill({"What": "Mean of a number", "One of them is": "aircraft", "One row is": "flight"})
    app.fill({"Column that names the aircraft": "tail", "Several rows are": "flights"})
    app.fill({"Number": "delay", "For": "everybody together"})
    app.fill({"Lower clip bound": "0", "Upper clip bound": "60", "Unit of the number": "minutes"})
    app.fill({"Flights per group": "3"})
    assert "Each aircraft counts with at most 3 flights" in app.words()
    app.press("use_statistic")
    ws = app.workspace()
    assert ws.statistic.query.nouns == PLANES
    ws.draw("public")
    app.field("One of them is").set_value("<b>").run()
    assert "no letter. Type a word, such as aircraft" in app.errors()[0]
    assert app.field("Flights per group (ℓ∞)").value == "3", "what is typed stays"
    app.fill({"One of them is": "plane", "Several are": "planes"})
    assert "Only words change" in app.words()
    app.labelled("Use these words").click().run()
    assert ws.statistic.query.nouns.many == "planes"
    assert ws.round is not None, "the session goes on"
    assert "Each plane counts" in app.words()
    assert app.in_use()


@pytest.mark.usefixtures("pictured")
def test_a_sum_is_said_in_its_unit_and_losses_per_unit(flights):
    ws = flights.workspace()
    ws.state(SUMS)
    flights.go("releases")
    text = flights.words()
    assert re.search(r"audit to within ± [0-9,]+ minutes", text)
    assert "of “delay” (" not in text
    assert any("minutes" in said for said in texts_in(flights.specs()))
    assert "Besides, where" not in text
    ws.state(Count(CARRIERS))
    flights.run()
    assert "Besides, where one aircraft = all flights with the same “tail”" in flights.words()


# Names from a file that mean something in Markdown or HTML are literal on every page.


HOSTILE = [
    ("![](http://host.invalid/x.png)", "**bold**", "`code`"),
    ("<script>alert(1)</script>", '<a href="http://host.invalid">go</a>', "<b>x"),
]
RENDERED = ("title", "markdown", "caption", "header", "subheader", "error", "warning", "info")
LABELLED = ("button", "selectbox", "text_input", "text_area", "radio", "checkbox", "toggle")
MARKUP = ("<script", "<a href", "<b>x")  # what a figure would make of a name


def assert_literal(app, signs):
    """No text that renders has one of the signs as it was written, no figure has its markup."""
    rendered = [e.value for kind in RENDERED for e in getattr(app, kind)]
    rendered += [w.label for kind in LABELLED for w in getattr(app, kind)]
    for table in app.table:
        rendered += [str(c) for c in (*table.value.columns, *table.value.to_numpy().ravel())]
    assert not [text for text in rendered if any(sign in text for sign in signs)]
    assert not [text for text in texts_in(app.specs()) if any(sign in text for sign in MARKUP)]


def table_of(name):
    """A table whose every column name and group is hostile."""
    columns = {f"{name} {role}": [f"{name}{i % 2}" for i in range(6)] for role in ("g", "h")}
    frame = pd.DataFrame({**columns, f"{name} n": range(6), f"{name} p": [1, 1, 2, 2, 3, 3]})
    sink = io.StringIO()
    frame.to_csv(sink, index=False)
    return sink.getvalue().encode()


ASKED = ((SUM, TWO), (MEAN, COLUMN), (COUNT, COLUMN))


@pytest.mark.usefixtures("pictured", "unfolded")
@pytest.mark.parametrize(
    ("signs", "first"), [(HOSTILE[0], 0), (HOSTILE[1], 1)] if FULL else [(sum(HOSTILE, ()), 1)]
)
def test_hostile_names_are_literal_everywhere(open_page, signs, first):
    name = " ".join(signs)
    app = open_page("data").upload(table_of(name), name="t.csv")
    assert_literal(app, signs)
    groups = f"{name}0\n{name}1"
    for kind, split in ASKED if FULL else ASKED[first : first + 1]:
        app.fill({"What": kind, "For": split, SEVERAL: BY_COLUMN})
        questions = {"Column that names the person": f"{name} p"}
        if split == TWO:
            questions |= {"First column": f"{name} g", "Second column": f"{name} h"}
        else:
            questions |= {"Column of the groups": f"{name} h"}
        app.fill(questions | ({"Number": f"{name} n"} if kind != COUNT else {}))
        for area in app.text_area:
            assert area.label.startswith(LISTED)
            area.set_value(groups)
        app.fill({"Lower clip": "0", "Upper clip": "5", "Rows": "1"} if kind != COUNT else {})
        assert app.errors() == []
        assert_literal(app, signs)
        app.press("use_statistic")
        query = app.workspace().statistic.query
        assert query.bounds.person == f"{name} p"
        assert query.labels[0] == (f"{name}0 × {name}0" if split == TWO else f"{name}0")
        for page in few(("releases", "tiers", "present", "start", "data"), 2):
            app.go(page)
            for rest in [b for b in app.button if b.key == "draw_rest"]:
                rest.click().run()
            assert_literal(app, signs)
