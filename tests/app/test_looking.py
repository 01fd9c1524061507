"""What was seen of the data is said on hand-outs, and a sealed table is shown nowhere."""

import datetime

import pytest

from dpviz.ui.kit.group_controls import KNOWN
from dpviz.ui.linear_queries import OWN as LINEAR_OWN
from dpviz.ui.sparse_histograms import OWN as SPARSE_OWN
from dpviz.ui.top_k import OWN as TOPK_OWN
from dpviz.workspace.packing import report_of
from tests.app.reading import LISTED
from tests.app.test_upload import VISITS
from tests.conftest import few, full_run

THIS = "guarantee, this release"
LOOK, ROWS = "Look at the table: not private", "Show the rows anyway"
BOUNDS = "Look at what bounding costs: not private"
REVEAL = "Reveal the exact"


def switch_mode(app, mode):
    app.go("tiers")
    app.segment("mode", mode)


def drawn(app, tier):
    """The header of the hand-out of a tier, drawn now."""
    app.go("releases")
    app.press(f"draw_{tier}")
    ws = app.workspace()
    return dict(ws.facts_of(ws.ledger[-1]))


@pytest.mark.opens("specialists")
def test_groups_read_off_in_teaching_mode_lose_the_guarantee_in_hardened_mode(open_page):
    app = open_page("data").upload(VISITS)
    app.choose("Column of the groups", "ward")
    app.labelled("groups found in the data").click().run()
    app.press("use_statistic")
    switch_mode(app, "hardened")
    facts = drawn(app, "public")
    assert facts["read off the data"].startswith("the list of groups of “ward”")
    report = report_of(app.workspace(), datetime.date(2025, 1, 1))
    assert "No noise hides that a group exists" in report
    for which in (THIS, "guarantee, coalitions"):
        assert facts[which] == "none: the list of groups of “ward” was read off the data"
    assert "the hand-outs carry no guarantee" in app.words()
    assert "Groups read off the data" in app.words()
    assert "**Read off the data**" in [m.value[:21] for m in app.markdown]
    app.go("data")
    app.fill({LISTED: "D\nE"})  # a list that holds none of them
    assert "the hand-outs carry no guarantee" not in app.words()
    app.press("use_statistic")
    facts = drawn(app, "public")
    assert "read off the data" not in facts
    assert facts[THIS].startswith("the budget above")


def test_a_list_typed_afterwards_is_public_again_if_it_was_known_before(open_page):
    app = open_page("data").upload(VISITS)
    app.choose("Column of the groups", "ward")
    assert KNOWN not in app.labels()
    app.labelled("groups found in the data").click().run()
    assert KNOWN in app.labels()
    app.fill({LISTED: "C\nB\nZ"})
    app.press("use_statistic")
    switch_mode(app, "hardened")
    app.go("data")
    assert "type a list that was known before, and say so" in app.words()
    app.fill({KNOWN: True})
    assert "carry no guarantee" not in app.words()
    facts = drawn(app, "public")
    assert facts[THIS].startswith("the budget above")
    assert "says that the list was known before anybody looked" in facts["known before"]
    app.go("data")
    assert app.widget(KNOWN).value  # it was said of this list
    app.fill({LISTED: "C\nB\nZ\nA"})
    assert not app.widget(KNOWN).value  # and of no other
    assert "carry no guarantee" in app.words()
    app.fill({LISTED: "Z\nB\nC"})
    assert app.widget(KNOWN).value
    app.fill({KNOWN: False})
    assert "carry no guarantee" in app.words()
    app.fill({LISTED: "Z"})
    assert KNOWN not in app.labels()  # nothing on it was read off the data


@pytest.mark.opens("specialists", "reading")
def test_hardened_mode_asks_before_it_shows_rows_and_notes_it(open_page):
    app = open_page("tiers")
    switch_mode(app, "hardened")
    assert "looked at" not in drawn(app, "public")
    app.go("data")
    app.fill({LOOK: True})
    assert "weakens the promise" in app.words()
    assert "Raw rows on screen" not in app.words()
    assert not app.workspace().seen.tables
    app.fill({ROWS: True})
    assert "Raw rows on screen" in app.words()
    facts = drawn(app, "audit")
    assert "groups or bounds that are chosen by them weaken the promise" in facts["looked at"]
    assert "**Looked at**" in [m.value[:13] for m in app.markdown]
    ws = app.workspace()
    assert "looked at" not in dict(ws.facts_of(ws.ledger[0]))  # it was drawn before


@pytest.mark.opens("left_out", "reading")
@pytest.mark.parametrize("act", few([BOUNDS, LOOK], 2))
def test_a_look_in_teaching_mode_is_noted_in_hardened_mode(open_page, act):
    app = open_page("data")
    app.fill({act: True})
    switch_mode(app, "hardened")
    assert "looked at" in drawn(app, "public")


@pytest.mark.opens("left_out", "reading")
def test_every_look_ends_when_another_table_is_loaded(open_page):
    app = open_page("data")
    app.fill({BOUNDS: True, LOOK: True})
    assert "on screen: not private" in app.words()
    for sample in ("visits", "nhefs"):
        app.labelled(f"Load the sample {sample}").click().run()
        assert not any(app.widget(act).value for act in (BOUNDS, LOOK))
        assert "on screen: not private" not in app.words()
        assert sample == "nhefs" or app.workspace().table.digest not in app.workspace().seen.tables


@pytest.mark.usefixtures("unfolded")
def test_a_sealed_table_is_revealed_on_no_page_and_in_no_mode(open_page):
    app = open_page("releases")
    ws = app.workspace()
    ws.draw("public")
    ws.seal(ws.cap("public"))
    ws.start_over()  # the seal holds although the session is closed
    switch_mode(app, "hardened")
    switch_mode(app, "teaching")
    said = "shown on no page and in no mode"
    app.go("releases")
    assert said in app.words()
    assert not [t for t in app.labels() if REVEAL in t]
    app.go("data")
    assert said in app.words()
    assert BOUNDS not in app.labels()
    app.fill({LOOK: True})
    assert "the rows tell its exact numbers" in app.words()
    assert "Raw rows on screen" not in app.words()
    for page, key, value in (
        ("linear_queries", "linear_source", LINEAR_OWN),
        ("sparse_histograms", "sparse_source", SPARSE_OWN),
        ("top_k", "topk_source", TOPK_OWN),
    ):
        app.go(page)
        app.segmented_control(key=key).set_value(value).run()
        assert not [t for t in app.labels() if REVEAL in t]
        assert said in app.words()


@full_run
@pytest.mark.usefixtures("unfolded")
def test_a_stream_of_a_sealed_table_is_not_revealed_but_typed_counts_are(open_page):
    app = open_page("data")
    app.labelled("visits").click().run()
    app.press("use_statistic")
    ws = app.workspace()
    ws.seal(ws.caps()[0])
    app.go("continual_counting")
    app.segment("counting_source", "my table")
    assert not app.exception
    assert not [t for t in app.labels() if REVEAL in t]
    assert "shown on no page and in no mode" in app.words()
    app.segment("counting_source", "my counts")
    app.widget("Counts, one per line").set_value("3\n1\n4").run()
    assert [t for t in app.labels() if REVEAL in t]
