"""The Sparse histograms page by AppTest: numbers of the library, exact counts out of sight."""

import numpy as np
import pytest

from dpviz.data import load_declaration
from dpviz.sparse import expected_phantoms, threshold_for
from dpviz.ui.sparse_histograms.controls import TYPED
from dpviz.ui.sparse_histograms.view import DOMAIN
from dpviz.workspace.packing import packable
from tests.app.reading import (
    button,
    errors,
    everything,
    numbers_in,
    plain,
    run_sample,
    shelf,
    specs,
    words,
    workspace,
)
from tests.cast import RHO

HIGHEST_FIRST = sorted(RHO, key=RHO.__getitem__, reverse=True)


@pytest.fixture
def app(open_page):
    return open_page("sparse_histograms")


def traces(app, name):
    return [t for s in specs(app) for t in s["data"] if t.get("name") == name]


def style_of(trace):
    return trace["marker"]["color"]


def own(app):
    app.session_state["workspace"].table = load_declaration()
    app.session_state["workspace"].loading = "load_declaration()"
    app.segmented_control(key="sparse_source").set_value("my column").run()
    assert not app.exception


def test_the_sentence_counts_what_the_library_releases(app):
    button(app, "Show the other three tiers").click().run()
    names = run_sample(app)
    indices = set(names["indices"].tolist())
    found = [set(cells.tolist()) for cells, _ in names["releases"]]
    ghosts = sum(len(cells - indices) for cells in found)
    by_rho = sorted(zip(names["asked"], found, strict=True))
    head = plain(app.header[0].value)
    assert len(indices) == 100
    seen = len(by_rho[-1][1] & indices)
    away = "because a rare web page could give somebody away."
    assert head.endswith(f" {100 - seen} of the 100 stay hidden, {away}")
    assert head.startswith("1,000 people name 100 different web pages, of 1 billion possible. ")
    assert f"Readers in the group “audit” see {seen:,} of these, and " in head
    assert ": pages that only the noise made up. " in head
    assert len(by_rho) == 4
    assert [style_of(t) for t in traces(app, "survivors")] == [
        workspace(app).plan.style_of(name).colour for name in HIGHEST_FIRST
    ]
    assert ghosts == sum(len(list(numbers_in(t["y"]))) for t in traces(app, "phantoms"))


def test_what_drawing_costs_is_said_once_and_of_one_example(app):
    """The page spoke of 2,007 draws above and of 417 below, of two examples."""
    assert "random numbers" not in plain(app.header[0].value)
    (said,) = [line for line in words(app).split("\n") if "normal variates" in line]
    assert said.startswith("If 100 of 1 billion possible items have a count")


def test_thresholds_are_those_of_the_expected_phantoms(app):
    app.text_input(key="sparse_phantoms").set_value("0.5").run()
    button(app, "public").click().run()
    (asked,) = [a for a in run_sample(app)["asked"] if a[0] == RHO["public"]]
    assert asked[1] == threshold_for(RHO["public"], 0.5, cells=DOMAIN, l2_sensitivity=1.0)
    app.text_input(key="sparse_phantoms").set_value("7").run()
    assert asked in run_sample(app)["asked"]  # what was drawn keeps its threshold


def test_a_rerun_draws_nothing_and_any_order_is_kept(app):
    first = run_sample(app)["asked"]
    app.run()
    assert run_sample(app)["asked"] == first
    button(app, "public").click().run()
    assert [a[0] for a in run_sample(app)["asked"]] == [
        RHO["audit"],
        RHO["public"],
    ]
    assert button(app, "public").disabled


BAD_PHANTOMS = {
    "abc": "is not a finite number",
    "0": "above 0",
    "nan": "is not a finite number",
    "1e12": "1,000,000,000 items in all",
}
BAD_THRESHOLDS = {
    "-inf": "is not a finite number",
    "": "is not a finite number",
    "0": "about 500,000,000 items over 0",
    "20,5": "Type 20.5, with a point",
}


def test_phantoms_and_thresholds_that_cannot_be(app):
    for text, sentence in BAD_PHANTOMS.items():
        app.text_input(key="sparse_phantoms").set_value(text).run()
        assert not app.exception
        assert sentence in errors(app)[0]
        assert app.text_input(key="sparse_phantoms").value == text
    app.segmented_control(key="sparse_how").set_value(TYPED).run()
    for text, sentence in BAD_THRESHOLDS.items():
        app.text_input(key=f"sparse_tau_{DOMAIN}_public").set_value(text).run()
        assert not app.exception
        (found,) = errors(app)
        assert "Threshold of public" in found
        assert sentence in found


def test_a_typed_threshold_is_used_and_its_phantoms_are_said(app):
    app.segmented_control(key="sparse_how").set_value(TYPED).run()
    app.text_input(key=f"sparse_tau_{DOMAIN}_public").set_value("11.3").run()
    expected = expected_phantoms(RHO["public"], 11.3, cells=DOMAIN, l2_sensitivity=1.0)
    assert f"{expected:.0f} phantoms expected" in plain(button(app, "public").help)
    button(app, "public").click().run()
    assert (RHO["public"], 11.3) in run_sample(app)["asked"]
    names = run_sample(app)
    cells = names["releases"][-1][0]
    ghosts = int((~np.isin(cells, names["indices"])).sum())
    assert abs(ghosts - expected) < 5 * expected**0.5


def test_own_words_are_released_and_enter_the_ledger_once(app):
    own(app)
    assert "Draw any tier" in plain(app.header[0].value)
    button(app, "audit").click().run()
    button(app, "public").click().run()
    assert not app.exception
    ws = workspace(app)
    assert [e.tier for e in ws.ledger] == ["audit", "public"]
    assert {e.kind for e in ws.ledger} == {"weakly lossless"}
    names = run_sample(app)
    shown = traces(app, "audit")
    values = {v for t in shown for v in numbers_in(t["x"]) if v == v}  # gaps are NaN
    top = sorted(names["releases"][0][1])[-3:]
    assert all(min(abs(v - x) for x in values) < 1e-9 for v in top)
    assert "cannot be sealed" in words(app)


def test_too_many_phantoms_for_a_small_domain_is_said_once_with_advice_that_works(app):
    own(app)
    next(s for s in app.selectbox if s.label == "Items are").set_value("whole numbers").run()
    next(t for t in app.text_input if t.label == "To").set_value("0").run()
    assert not app.exception
    (said,) = errors(app)
    assert said.endswith("Type fewer, for example 0.5.")
    assert "red sentences" in plain(app.header[0].value)
    app.text_input(key="sparse_phantoms").set_value("0.5").run()
    assert errors(app) == []
    assert "Draw any tier" in plain(app.header[0].value)


def test_the_longest_word_follows_the_alphabet(app):
    own(app)
    kinds = next(s for s in app.selectbox if s.label == "Items are")
    for kind in (*kinds.options, kinds.options[0]):
        next(s for s in app.selectbox if s.label == "Items are").set_value(kind).run()
        assert not app.exception
        assert all(s.value == s.max for s in app.slider)


def test_releases_at_unlike_thresholds_are_not_said_to_have_as_many_phantoms(app):
    own(app)
    button(app, "public").click().run()
    assert "; on average at most 5 there are phantoms, " in plain(app.header[0].value)
    app.text_input(key="sparse_phantoms").set_value("100").run()
    button(app, "audit").click().run()
    assert "; on average at most 5 to 100 in each are phantoms, " in plain(app.header[0].value)


def test_own_counts_are_in_no_figure_until_revealed(app):
    own(app)
    button(app, "Draw all four tiers").click().run()
    exact = {76.0, 65.0, 56.0}
    assert not exact & {v for s in specs(app) for v in numbers_in(s)}
    assert not traces(app, "true counts")
    assert "1,322" not in everything(app)
    app.toggle(key="sparse_reveal").set_value(True).run()
    assert not app.exception
    assert "not private" in words(app)
    assert exact <= {v for s in specs(app) for v in numbers_in(s)}
    app.switch_page("pages/start.py").run()
    app.switch_page("pages/sparse_histograms.py").run()
    assert not app.toggle(key="sparse_reveal").value


def test_hardened_mode_says_what_to_do_instead(open_page):
    app = open_page("tiers")
    app.segmented_control(key="mode").set_value("hardened").run()
    app.switch_page("pages/sparse_histograms.py").run()
    assert not app.exception
    app.segmented_control(key="sparse_source").set_value("my column").run()
    assert "which hardened mode does not allow" in errors(app)[0]
    assert not app.exception


def test_the_erratum_has_the_numbers_of_the_library(app):
    names = run_sample(app)
    story, shown = names["story"], words(app)
    assert f"{names['leak'].zcdp:.5f}" == "0.00123"
    assert "0.00123" in shown
    assert "0.00261" in shown
    assert f"is {100 * story.distance:.3g} %" in shown
    assert "the promise is broken" in shown
    app.text_input(key="sparse_rho2").set_value("0.05").run()
    assert "must be 1.001 to 10000 times" in errors(app)[0]
    app.text_input(key="sparse_rho2").set_value("0.2").run()
    app.text_input(key="sparse_sd").set_value("5").run()
    assert "does not break the promise" in words(app)
    assert not errors(app)
    for key, text, sentence in (
        ("sparse_epsilon", "1e4", "tells anything"),
        ("sparse_epsilon", "two", "is not a number"),
        ("sparse_sd", "nan", "is not a finite number"),
        ("sparse_sd", "9", "from -3 to 8"),
    ):
        before = app.text_input(key=key).value
        app.text_input(key=key).set_value(text).run()
        assert not app.exception
        assert sentence in errors(app)[0]
        app.text_input(key=key).set_value(before).run()


def test_the_domain_grows_and_the_draws_do_not(app):
    button(app, "Measure every size").click().run()
    assert not app.exception
    (costs,) = shelf(app, "sparse_costs").values()
    measured = {c.size: c for c in costs.values()}
    assert sorted(measured) == [10**p for p in range(3, 13)]
    assert max(c.normals for c in costs.values()) < 500
    assert all(c.normals <= c.lemma for c in costs.values())
    assert measured[10**12].bytes < 2 * measured[10**6].bytes
    eight_bytes = 8 * 10**6 * (1 + 4)  # for each item's count, and for its noise in four releases
    assert measured[10**6].dense_bytes == pytest.approx(eight_bytes, rel=0.01)
    assert measured[10**12].dense_seconds is None
    app.select_slider(key="sparse_size").set_value(10**12).run()
    assert f"{measured[10**12].normals:,} normal variates for 4 releases" in words(app)
    assert "4 trillion, time and memory extrapolated" in words(app)


def test_files_of_the_tiers_hold_their_items_and_what_they_are(app):
    own(app)
    button(app, "audit").click().run()
    ws = workspace(app)
    (entry,) = ws.ledger
    facts = dict(ws.facts_of(entry))
    assert "weakly lossless" in facts["kind"]
    assert "nothing tells which" in facts["threshold"]
    assert "217,180,147,158" in facts["items"]
    (one,) = ws.sessions
    assert one.mechanism.releases[0][0] == RHO["audit"]
    assert not packable(ws)
