"""Three of the further questions by AppTest: Composition, Laplace or Gauss, Method."""

import math

import pytest

from dpviz.accounting import joint_loss
from dpviz.accounting.gaussian import gaussian_sigma
from dpviz.scenes.method import scene
from dpviz.ui.laplace_or_gauss import OWN
from dpviz.ui.method import MISPRINTS
from dpviz.words.markdown import literal
from dpviz.workspace import account
from dpviz.workspace.composition import LAPLACE
from tests.app.reading import plain
from tests.conftest import few


def press(app, key):
    app.button(key=f"composition_{key}").click().run()


def fill(app, key, text):
    app.type(f"composition_{key}", text)


def order(app):
    """Numbers of the rows as they are shown."""
    keys = [field.key for field in app.text_input if field.key.startswith("composition_budget_")]
    return [int(key.rsplit("_", 1)[1]) for key in keys]


def unfold(app, *names):
    for name in names:
        app.session_state[f"closer_{name}"] = True
    app.run()


@pytest.mark.usefixtures("pictured", "shut")
def test_a_sequence_is_edited_and_every_number_can_be_computed_again(open_page):
    app = open_page("composition")
    assert "20 answers" in app.head()
    assert "35 more" in app.head()
    assert len(app.get("plotly_chart")) == 1
    app.text_input(key="composition_limit").set_value("")  # which is quicker
    app.text_input(key="composition_count_1").set_value("2")
    press(app, "add")
    app.text_input(key="composition_budget_2").set_value("0.25")
    app.text_input(key="composition_count_2").set_value("2")
    app.selectbox(key="composition_answer_2").set_value(LAPLACE.name)
    unfold(app, "specialists", "composition_bounds")
    assert "14 answers" in app.head()
    assert len(app.get("plotly_chart")) == 2
    press(app, "remove_1")
    assert order(app) == [0, 2]
    names = app.run_sample()
    assert names["rows"][1][1] == "0.25"
    total = f"{names['numbers']['epsilon'][0]:.2f}"[:3]
    assert any(f"At ε ≤ {total}" in plain(text.value) for text in app.markdown)
    press(app, "remove_0")
    press(app, "remove_2")
    assert "Add a question" in app.head()
    press(app, "example")
    assert "20 answers" in app.head()
    press(app, "add")
    app.text_input(key=f"composition_budget_{order(app)[-1]}").set_value("0.25").run()
    app.go("tiers")
    app.go("composition")
    assert app.text_input(key=f"composition_budget_{order(app)[-1]}").value == "0.25"


BAD = [
    ("budget_0", "0", "Question 1, Budget ε: 0 is not a budget. Type a number above 0"),
    ("count_1", "0", "Question 2, how many: “0” cannot be used. Type a whole number from 1 to"),
    ("delta_1e-06", "1", "δ of all together: 1 is too large. Type a number between"),
    ("limit", "-1", "Your limit on the cost (ε): -1 is not a budget."),
]


@pytest.mark.usefixtures("pictured", "shut")
def test_releases_are_loaded_and_what_cannot_be_used_stays_as_it_was_typed(open_page):
    app = open_page("composition")
    for key, text, sentence in few(BAD, 2):
        field = app.text_input(key=f"composition_{key}")
        before = field.value
        fill(app, key, text)
        (found,) = app.errors()
        assert sentence in found
        assert app.text_input(key=f"composition_{key}").value == text
        assert ("Correct what is typed" in app.head()) == key.startswith(("budget", "count"))
        fill(app, key, before)
        assert not app.errors()
    assert "801 times in 1,000" in app.words()
    assert app.button(key="composition_load").disabled
    ws = app.workspace()
    ws.draw("public", "audit")
    ws.start_over()
    ws.draw("partners")
    app.run()
    press(app, "load")
    unfold(app, "specialists")
    total = float(joint_loss(account.events(ws, ws.ledger), delta=ws.delta).value)  # ρ
    rows = app.run_sample()["rows"]
    assert sum(int(count) * float(budget) for _, budget, count in rows) == pytest.approx(total)
    assert "number of people per group of “education”" in app.everything()
    assert "two answers" in app.head()


# The page Laplace or Gauss by AppTest: its controls turn the verdict and no plan.


def slide(app, key, value):
    next(s for s in app.select_slider if s.key.startswith(key)).set_value(value).run()


def choose(app, value):
    next(s for s in app.get("button_group") if s.key == "crossover_query").set_value(value).run()
    return app


def here(app):
    """The query in the map."""
    (trace,) = (t for t in app.specs()[0]["data"] if t["name"] == "here")
    return 10 ** trace["x"][0], trace["y"][0]


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists")
def test_moving_δ_and_ε_turns_the_verdict_and_no_plan(open_page):
    app = choose(open_page("laplace_or_gauss"), OWN)
    assert "For your statistic, Laplace noise is smaller" in app.head()
    assert "number of people per group of “education”" in app.words()
    slide(app, "crossover_delta", 0.1)
    assert "For your statistic, Gaussian noise is smaller" in app.head()
    assert here(app)[1] == pytest.approx(-1)
    made = app.run_sample()["numbers"]
    gauss = gaussian_sigma(1.0, math.log(0.1), 1.0)
    assert made.set_index("noise")["deviation"]["gaussian"] == gauss
    slide(app, "crossover_epsilon", 5.0)
    assert "Laplace noise is smaller" in app.head()
    assert app.workspace().delta == 1e-6
    assert app.workspace().ledger == []


# The page Method: its program gives its numbers, and the drawer tells both rules in full.


@pytest.mark.opens("specialists")
def test_its_program_gives_the_numbers_of_the_picture(open_page):
    assert open_page("method").run_sample()["numbers"] == scene().misprints


@pytest.mark.usefixtures("unfolded")
def test_every_story_is_told_with_what_may_be_meant(open_page):
    app = open_page("method")
    said = app.words()
    markdown = [each.value for each in app.markdown]
    assert all(any(literal(each.quote) in text for text in markdown) for each in MISPRINTS)
    assert said.count("Perhaps meant: ") == len(MISPRINTS)
    tables = " ".join(cell for table in app.table for cell in table.value.to_numpy().ravel())
    assert "Tiers that compare notes" in tables
    assert "Which noise is best for many numbers at once" in said
