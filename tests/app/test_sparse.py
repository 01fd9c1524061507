"""The Sparse histograms page by AppTest: numbers of the library, exact counts out of sight."""

import pytest

from dpviz.data import load_declaration
from dpviz.queries import Words
from dpviz.scenes.sparse_histograms import DIAGNOSES
from dpviz.workspace import packing
from tests.app.reading import numbers_in
from tests.conftest import full_run

DOMAIN, WORDS = len(DIAGNOSES), Words(8).size


@pytest.fixture
def app(open_page):
    return open_page("sparse_histograms")


@pytest.fixture
def own(app):
    app.session_state["workspace"].table = load_declaration()
    app.session_state["workspace"].loading = "load_declaration()"
    app.segment("sparse_source", "my column")
    return app


def exact(app):
    """Three counts of the sample, if they are drawn."""
    return {76.0, 65.0, 56.0} & {v for s in app.specs() for v in numbers_in(s["data"])}


def labelled(widgets, label):
    return next(one for one in widgets if one.label == label)


BAD_PHANTOMS = {
    "abc": "is not a finite number",
    "0": "above 0",
    "nan": "is not a finite number",
    "1e12": f"{WORDS:,} items in all",
}


def test_phantoms_that_cannot_be(own):
    for text, sentence in BAD_PHANTOMS.items():
        own.type("sparse_phantoms", text)
        assert sentence in own.errors()[0]
        assert own.text_input(key="sparse_phantoms").value == text


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists", "sparse_rates")
def test_own_words_enter_the_ledger_and_their_counts_no_figure_until_revealed(own):
    own.labelled("audit").click().run()
    own.labelled("public").click().run()
    ws = own.workspace()
    assert [e.tier for e in ws.ledger] == ["audit", "public"]
    assert {e.kind for e in ws.ledger} == {"weakly lossless"}
    facts = dict(ws.facts_of(ws.ledger[0]))
    assert "nothing tells which" in facts["threshold"]
    assert f"{WORDS:,}" in facts["items"]
    assert packing.check(ws, packing.hand_out(ws)) == ()
    names = own.run_sample()
    values = {v for spec in own.specs() for v in numbers_in(spec["data"]) if v == v}  # gaps: NaN
    top = sorted(names["numbers"][0][1])[-3:]
    assert all(min(abs(v - x) for x in values) < 1e-9 for v in top)
    assert "cannot be sealed" in own.words()
    assert not exact(own)
    assert "1,322" not in own.everything()
    own.toggle(key="sparse_reveal").set_value(True).run()
    assert "not private" in own.words()
    assert len(exact(own)) == 3
    own.go("start")
    own.go("sparse_histograms")
    assert not own.toggle(key="sparse_reveal").value


@full_run
def test_what_items_could_be_is_asked_and_of_few_not_many_phantoms_can_be_allowed(own):
    kinds = labelled(own.selectbox, "Items are").options
    for kind in (*kinds, kinds[0], kinds[-1]):
        labelled(own.selectbox, "Items are").set_value(kind).run()
        assert all(s.value == s.max for s in own.slider)  # the longest word
    labelled(own.text_input, "To").set_value("0").run()
    (said,) = own.errors()  # once, for all tiers
    assert said.endswith("Type fewer, for example 0.5.")
    own.type("sparse_phantoms", "0.5")
    assert own.errors() == []
