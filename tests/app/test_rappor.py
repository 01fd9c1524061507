"""The page RAPPOR by AppTest: numbers of the library, texts hidden, nonsense refused."""

import numpy as np
import pytest

from dpviz.scenes.rappor import HIJACKED
from dpviz.ui.rappor import REPORTS
from dpviz.workspace import account
from tests.app.reading import numbers_in, plain

SIZES = {"ash": 1711, "birch": 1259, "cedar": 487, "dogwood": 113}
TREES = "tree\n" + "".join(f"{name}\n" * n for name, n in SIZES.items())


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists")
def test_the_example_is_that_of_the_code_and_nonsense_is_refused(open_page):
    app = open_page("rappor")
    assert "100,000 browsers" in app.words()
    numbers = app.run_sample()["numbers"]
    mine = numbers[numbers["text"] == HIJACKED]
    shown = np.array(list(numbers_in(app.specs())))
    assert all(min(abs(shown - each)) < 1e-9 for each in mine["estimate"])
    assert any(REPORTS[0] in each.value for each in app.markdown), "reports are weakly lossless"
    assert "private" in REPORTS[0]
    assert app.get("page_link")[-1].proto.page.endswith("more_questions")
    assert app.workspace().ledger == []
    before = str(app.specs())
    app.press("rappor_over")
    assert str(app.specs()) != before
    assert "rng = streams.teaching(5, 1)" in app.code[-1].value
    app.select_slider(key="rappor_q").set_value(0.25).run()
    assert ["unless p and q differ" in each for each in app.errors()] == [True]


@pytest.fixture
def own(open_page, tmp_path, monkeypatch):
    """The page with an uploaded table, which lies where its code sample looks for it."""
    (tmp_path / "trees.csv").write_text(TREES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    app = open_page("data")
    app.file_uploader[0].upload("trees.csv", TREES.encode(), "text/csv").run()
    app.go("rappor")
    app.segment("rappor_source", "my column")
    assert "Who reports: nothing is chosen" in plain(app.header[0].value)
    app.choose("Who reports", "one row")
    return app


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists")
def test_each_row_of_a_column_is_a_client_whose_text_stays_hidden(own):
    app = own
    assert "no candidates yet" in app.header[0].value
    app.text_area(key="rappor_candidates").set_value("ash\nbirch\n\nyew\nash").run()
    assert "Nobody has reported yet" in app.words()
    app.press("rappor_ask_0")
    app.press("rappor_ask_1")
    ws = app.workspace()
    assert [e.tier for e in ws.ledger] == ["reports at f = 0.75", "reports at f = 0.5"]
    assert next(iter(account.by_unit(ws).values())).value == pytest.approx(
        4 * np.log(3), rel=1e-9
    )  # max, not sum
    assert "3,570 people" in app.words()
    numbers = app.run_sample()["numbers"]
    shown = np.array(list(numbers_in(app.specs())))
    ash = numbers[numbers["text"] == "ash"]["estimate"]
    assert all(min(abs(shown - each)) < 1e-9 for each in ash)
    everywhere = app.everything()
    assert "cedar" not in everywhere
    hidden = {float(n) for n in SIZES.values()}
    assert not hidden & {float(x) for spec in app.specs() for x in numbers_in(spec)}
    assert not any(f"{n:,}" in everywhere for n in SIZES.values())
    app.toggle(key="rappor_reveal").set_value(True).run()
    assert "1,711" in app.everything()
