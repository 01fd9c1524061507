"""What was seen of the data is said on hand-outs, and a sealed table is shown nowhere."""

import datetime

import pytest

from dpviz.ui.bridge_paths import OWN as BRIDGE_OWN
from dpviz.ui.kit.group_controls import KNOWN
from dpviz.ui.linear_queries import OWN as LINEAR_OWN
from dpviz.ui.sparse_histograms import OWN as SPARSE_OWN
from dpviz.ui.top_k import OWN as TOPK_OWN
from dpviz.workspace.packing import report_of
from tests.app.reading import button, choose, fill, labels, widget, words, workspace
from tests.app.test_upload import VISITS, upload
from tests.conftest import few, full_run

THIS = "guarantee, this release"
LOOK, ROWS = "Look at the table: not private", "Show the rows anyway"
BOUNDS = "Look at what bounding costs: not private"
REVEAL = "Reveal the exact"
LIST = "Groups to publish, one per line"


def switch_mode(app, mode):
    app.switch_page("pages/tiers.py").run()
    app.segmented_control(key="mode").set_value(mode).run()


def drawn(app, tier):
    """The header of the hand-out of a tier, drawn now."""
    app.switch_page("pages/releases.py").run()
    app.button(key=f"draw_{tier}").click().run()
    ws = workspace(app)
    return dict(ws.facts_of(ws.ledger[-1]))


@pytest.mark.opens("specialists")
def test_groups_read_off_in_teaching_mode_lose_the_guarantee_in_hardened_mode(open_page):
    app = upload(open_page("data"), VISITS)
    choose(app, "Column of the groups", "ward")
    button(app, "groups found in the data").click().run()
    button(app, "Use this statistic").click().run()
    switch_mode(app, "hardened")
    facts = drawn(app, "public")
    assert facts["read off the data"].startswith("the list of groups of “ward”")
    report = report_of(workspace(app), datetime.date(2025, 1, 1))
    assert "No noise hides that a group exists" in report
    for which in (THIS, "guarantee, coalitions"):
        assert facts[which] == "none: the list of groups of “ward” was read off the data"
    assert "the hand-outs carry no guarantee" in words(app)
    assert "Groups read off the data" in words(app)
    assert "**Read off the data**" in [m.value[:21] for m in app.markdown]
    app.switch_page("pages/data.py").run()
    fill(app, {"Groups to publish, one per line": "D\nE"})  # a list that holds none of them
    assert "the hand-outs carry no guarantee" not in words(app)
    button(app, "Use this statistic").click().run()
    facts = drawn(app, "public")
    assert "read off the data" not in facts
    assert facts[THIS].startswith("the budget above")


def test_a_list_typed_afterwards_is_public_again_if_it_was_known_before(open_page):
    app = upload(open_page("data"), VISITS)
    choose(app, "Column of the groups", "ward")
    assert KNOWN not in labels(app)
    button(app, "groups found in the data").click().run()
    assert KNOWN in labels(app)
    fill(app, {LIST: "C\nB\nZ"})
    button(app, "Use this statistic").click().run()
    switch_mode(app, "hardened")
    app.switch_page("pages/data.py").run()
    assert "type a list that was known before, and say so" in words(app)
    fill(app, {KNOWN: True})
    assert "carry no guarantee" not in words(app)
    facts = drawn(app, "public")
    assert facts[THIS].startswith("the budget above")
    assert "says that the list was known before anybody looked" in facts["known before"]
    app.switch_page("pages/data.py").run()
    assert widget(app, KNOWN).value  # it was said of this list
    fill(app, {LIST: "C\nB\nZ\nA"})
    assert not widget(app, KNOWN).value  # and of no other
    assert "carry no guarantee" in words(app)
    fill(app, {LIST: "Z\nB\nC"})
    assert widget(app, KNOWN).value
    fill(app, {KNOWN: False})
    assert "carry no guarantee" in words(app)
    fill(app, {LIST: "Z"})
    assert KNOWN not in labels(app)  # nothing on it was read off the data


@pytest.mark.opens("specialists", "reading")
def test_hardened_mode_asks_before_it_shows_rows_and_notes_it(open_page):
    app = open_page("tiers")
    switch_mode(app, "hardened")
    assert "looked at" not in drawn(app, "public")
    app.switch_page("pages/data.py").run()
    fill(app, {LOOK: True})
    assert "weakens the promise" in words(app)
    assert "Raw rows on screen" not in words(app)
    assert not workspace(app).seen.tables
    fill(app, {ROWS: True})
    assert "Raw rows on screen" in words(app)
    facts = drawn(app, "audit")
    assert "groups or bounds that are chosen by them weaken the promise" in facts["looked at"]
    assert "**Looked at**" in [m.value[:13] for m in app.markdown]
    ws = workspace(app)
    assert "looked at" not in dict(ws.facts_of(ws.ledger[0]))  # it was drawn before


@pytest.mark.opens("left_out", "reading")
@pytest.mark.parametrize("act", few([BOUNDS, LOOK], 2))
def test_a_look_in_teaching_mode_is_noted_in_hardened_mode(open_page, act):
    app = open_page("data")
    fill(app, {act: True})
    switch_mode(app, "hardened")
    assert "looked at" in drawn(app, "public")


@pytest.mark.opens("left_out", "reading")
def test_every_look_ends_when_another_table_is_loaded(open_page):
    app = open_page("data")
    fill(app, {BOUNDS: True, LOOK: True})
    assert "on screen: not private" in words(app)
    for sample in ("visits", "nhefs"):
        button(app, f"Load the sample {sample}").click().run()
        assert not any(widget(app, act).value for act in (BOUNDS, LOOK))
        assert "on screen: not private" not in words(app)
        assert sample == "nhefs" or workspace(app).table.digest not in workspace(app).seen.tables


@pytest.mark.usefixtures("unfolded")
def test_a_sealed_table_is_revealed_on_no_page_and_in_no_mode(open_page):
    app = open_page("releases")
    ws = workspace(app)
    ws.draw("public")
    ws.seal(ws.cap("public"))
    ws.start_over()  # the seal holds although the session is closed
    switch_mode(app, "hardened")
    switch_mode(app, "teaching")
    said = "shown on no page and in no mode"
    app.switch_page("pages/releases.py").run()
    assert said in words(app)
    assert not [t for t in labels(app) if REVEAL in t]
    app.switch_page("pages/data.py").run()
    assert said in words(app)
    assert BOUNDS not in labels(app)
    fill(app, {LOOK: True})
    assert "the rows tell its exact numbers" in words(app)
    assert "Raw rows on screen" not in words(app)
    for page, key, value in (
        ("bridge_paths", "bridge_source", BRIDGE_OWN),
        ("linear_queries", "linear_source", LINEAR_OWN),
        ("sparse_histograms", "sparse_source", SPARSE_OWN),
        ("top_k", "topk_source", TOPK_OWN),
    ):
        app.switch_page(f"pages/{page}.py").run()
        app.segmented_control(key=key).set_value(value).run()
        assert not [t for t in labels(app) if REVEAL in t]
        assert said in words(app)


@full_run
@pytest.mark.usefixtures("unfolded")
def test_a_stream_of_a_sealed_table_is_not_revealed_but_typed_counts_are(open_page):
    app = open_page("data")
    button(app, "visits").click().run()
    button(app, "Use this statistic").click().run()
    ws = workspace(app)
    ws.seal(ws.caps()[0])
    app.switch_page("pages/continual_counting.py").run()
    app.segmented_control(key="counting_source").set_value("my table").run()
    assert not app.exception
    assert not [t for t in labels(app) if REVEAL in t]
    assert "shown on no page and in no mode" in words(app)
    app.segmented_control(key="counting_source").set_value("my counts").run()
    widget(app, "Counts, one per line").set_value("3\n1\n4").run()
    assert [t for t in labels(app) if REVEAL in t]
