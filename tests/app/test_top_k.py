"""The page Top-k by AppTest: numbers of the library, exact counts hidden, bad input refused."""

import numpy as np
import pytest

from dpviz.handout import tier_csv
from dpviz.workspace import structured
from tests.app.reading import numbers_in, plain
from tests.conftest import few

SIZES = {"ash": 2711, "birch": 2659, "cedar": 1487, "dogwood": 1013, "elm": 11}
TREES = "tree\n" + "".join(f"{name}\n" * n for name, n in SIZES.items())


def items_of(app):
    """The list that the sample draws."""
    return list(app.run_sample()["numbers"][0])


@pytest.fixture
def own(open_page, tmp_path, monkeypatch):
    """The page with an uploaded table, which lies where its code sample looks for it."""
    (tmp_path / "trees.csv").write_text(TREES, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    app = open_page("data").upload(TREES.encode(), "trees.csv").go("top_k")
    app.segment("topk_source", "my column")
    return app


BAD = {
    "topk_k_10": ("25", "from 1 to 24"),
    "topk_epsilon": ("0,5", "Type 0.5"),
    "topk_delta_1e-06": ("1", "too large"),
    "topk_l0": ("none", "from 1 to"),
}


@pytest.mark.opens("specialists")
def test_the_example_is_that_of_the_code_and_what_cannot_be_used_is_refused(open_page):
    app = open_page("top_k")
    found = items_of(app)
    assert "nine of the true ten; Oslo takes Prague’s place" in app.header[0].value
    assert "Oslo" in found
    assert "Prague" not in found
    app.press("topk_over")
    again = items_of(app)
    assert again != found
    for key, (text, sentence) in few(BAD.items(), 2):
        usual = app.text_input(key=key).value
        app.text_input(key=key).set_value(text).run()
        (said,) = app.errors()
        assert sentence in said
        assert app.text_input(key=key).value == text
        assert "the red sentence says why" in plain(app.header[0].value)
        app.text_input(key=key).set_value(usual).run()
        assert app.errors() == []
    assert items_of(app) == again
    assert app.workspace().ledger == []


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists")
def test_an_own_list_is_drawn_once_and_its_counts_by_tiers(own):
    app = own
    ws = app.workspace()
    ws.seed = 6  # none of its draws of noise rounds to 0
    secret = {n for n in SIZES.values() if n > 99}

    def hidden():
        assert not secret & {x for s in app.specs() for x in numbers_in(s)}
        assert not [n for n in secret if f"{n:,}" in app.everything()]

    hidden()
    assert "no list has been drawn" in app.words()
    app.press("topk_list")
    assert "All tiers get one and the same list" in app.words()
    assert sorted(items_of(app)) == ["ash", "birch", "cedar", "dogwood"]
    app.choose("Way to draw", "Gumbel list that can end")
    app.press("topk_list")
    app.labelled("public").click().run()
    hidden()
    app.labelled("partners").click().run()
    assert [e.tier for e in ws.ledger] == ["common items", "list of 10", "public", "partners"]
    assert [e.session for e in ws.ledger] == [1, 2, 3, 3]
    assert "names four values of “tree”, then it ended" in app.words()
    assert "“tree”" not in app.button(key="topk_list").label
    assert app.button(key="topk_list").disabled
    names = app.run_sample()
    items, releases, _ = names["numbers"]
    assert sorted(items) == ["ash", "birch", "cedar", "dogwood"]
    for entry, values in zip(ws.ledger[2:], releases, strict=True):
        np.testing.assert_array_equal(structured.release_of(ws, entry).values, values)
    for entry in ws.ledger:
        text = tier_csv(structured.release_of(ws, entry)).decode()
        assert not [n for n in SIZES.values() if f",{n}\n" in text]
    app.toggle(key="topk_reveal").set_value(True).run()
    assert not [n for n in secret if f"<b>{n:,}</b>" not in app.everything()]
    assert "not private" in app.words()


@pytest.mark.opens("specialists")
def test_a_public_list_is_that_of_the_page_data(open_page):
    app = open_page("top_k")
    app.segment("topk_source", "my column")
    app.segment("topk_domain", "public")
    assert "release all counts on the page Releases" in app.words()
    app.choose("Way to draw", "Gumbel list")
    app.type("topk_k_5", "6")
    assert "from 1 to 5" in app.errors()[0]
    app.type("topk_k_5", "3")
    app.press("topk_list")
    assert len(items_of(app)) == 3
