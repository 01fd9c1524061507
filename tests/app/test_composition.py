"""The page Composition by AppTest: a sequence is edited, loaded, refused, and nothing is lost."""

import pytest

from dpviz.accounting import joint_loss
from dpviz.workspace import account
from dpviz.workspace.composition import LAPLACE
from tests.app.reading import errors, everything, head, run_sample, words, workspace
from tests.conftest import few
from tests.visiting import plain

pytestmark = pytest.mark.usefixtures("pictured", "shut")


def press(app, key):
    app.button(key=f"composition_{key}").click().run()


def fill(app, key, text):
    app.text_input(key=f"composition_{key}").set_value(text).run()


def order(app):
    """Numbers of the rows as they are shown."""
    keys = [field.key for field in app.text_input if field.key.startswith("composition_budget_")]
    return [int(key.rsplit("_", 1)[1]) for key in keys]


def unfold(app, *names):
    for name in names:
        app.session_state[f"closer_{name}"] = True
    app.run()


def test_a_sequence_is_edited_and_every_number_can_be_computed_again(open_page):
    app = open_page("composition")
    assert "20 answers" in head(app)
    assert "35 more" in head(app)
    assert len(app.get("plotly_chart")) == 1
    app.text_input(key="composition_limit").set_value("")  # which is quicker
    app.text_input(key="composition_count_1").set_value("2")
    press(app, "add")
    app.text_input(key="composition_budget_2").set_value("0.25")
    app.text_input(key="composition_count_2").set_value("2")
    app.selectbox(key="composition_answer_2").set_value(LAPLACE.name)
    boxes = few(("specialists", "composition_bounds", "composition_orders"), 3)
    unfold(app, *boxes)
    assert "14 answers" in head(app)
    assert len(app.get("plotly_chart")) == len(boxes)
    press(app, "up_2")
    assert order(app) == [0, 2, 1]
    names = run_sample(app)
    assert names["rows"][1][1] == "0.25"
    total = f"{names['numbers']['epsilon'][0]:.2f}"[:3]
    assert any(f"At ε ≤ {total}" in plain(text.value) for text in app.markdown)
    press(app, "clear")
    assert "Add a question" in head(app)
    press(app, "undo")
    app.switch_page("pages/tiers.py").run()
    app.switch_page("pages/composition.py").run()
    assert order(app) == [0, 2, 1]
    assert app.text_input(key="composition_budget_2").value == "0.25"


BAD = [
    ("budget_0", "0", "Question 1, Budget ε: 0 is not a budget. Type a number above 0"),
    ("count_1", "0", "Question 2, how many: “0” cannot be used. Type a whole number from 1 to"),
    ("delta_1e-06", "1", "δ of all together: 1 is too large. Type a number between"),
    ("limit", "-1", "Your limit on the cost (ε): -1 is not a budget."),
]


def test_releases_are_loaded_and_what_cannot_be_used_stays_as_it_was_typed(open_page):
    app = open_page("composition")
    for key, text, sentence in few(BAD, 2):
        field = app.text_input(key=f"composition_{key}")
        before = field.value
        fill(app, key, text)
        (found,) = errors(app)
        assert sentence in found
        assert app.text_input(key=f"composition_{key}").value == text
        assert ("Correct what is typed" in head(app)) == key.startswith(("budget", "count"))
        fill(app, key, before)
        assert not errors(app)
    assert "800 times in 1,000" in words(app)
    assert app.button(key="composition_load").disabled
    ws = workspace(app)
    ws.draw("public", "audit")
    ws.start_over()
    ws.draw("partners")
    app.run()
    press(app, "load")
    unfold(app, "specialists")
    total = float(joint_loss(account.events(ws, ws.ledger), delta=ws.delta).value)  # ρ
    rows = run_sample(app)["rows"]
    assert sum(int(count) * float(budget) for _, budget, count in rows) == pytest.approx(total)
    assert "number of people per group of “education”" in everything(app)
    assert "two answers" in head(app)
    press(app, "undo")
    assert "800 times in 1,000" in words(app)
