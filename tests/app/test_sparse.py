"""The Sparse histograms page by AppTest: numbers of the library, exact counts out of sight."""

import numpy as np
import pytest

from dpviz.data import load_declaration
from dpviz.scenes.sparse_histograms import CODING
from dpviz.sparse import expected_phantoms, threshold_for
from dpviz.ui.sparse_histograms import TYPED
from dpviz.workspace.packing import packable
from dpviz.workspace.takeaways import counted
from tests.app.reading import (
    button,
    errors,
    everything,
    numbers_in,
    plain,
    run_sample,
    specs,
    words,
    workspace,
)
from tests.cast import RHO

DOMAIN = CODING.size
HIGHEST_FIRST = sorted(RHO, key=RHO.__getitem__, reverse=True)


@pytest.fixture
def app(open_page):
    return open_page("sparse_histograms")


def traces(app, name):
    return [t for s in specs(app) for t in s["data"] if t.get("name") == name]


def own(app):
    app.session_state["workspace"].table = load_declaration()
    app.session_state["workspace"].loading = "load_declaration()"
    app.segmented_control(key="sparse_source").set_value("my column").run()
    assert not app.exception


def test_the_sentence_counts_what_the_library_releases(app):
    button(app, "Show the other three tiers").click().run()
    names = run_sample(app)
    indices = set(names["items"][0].tolist())
    found = [set(cells.tolist()) for cells, _ in names["numbers"]]
    by_rho = sorted(zip(names["asked"], found, strict=True))
    head = plain(app.header[0].value)
    assert len(indices) == 100
    seen = len(by_rho[-1][1] & indices)
    assert head.endswith("stay hidden, because a rare answer gives a person away.")
    start = "1,000 people typed a diagnosis. Audit sees "
    assert head.startswith(f"{start}{seen} of the 100 they typed, and ")
    made_up = len(by_rho[-1][1] - indices)
    assert f", and {counted(made_up)} that nobody typed. " in head
    (rows,) = traces(app, "in truth")
    assert len(list(numbers_in(rows["x"]))) == 8
    assert len(by_rho) == 4
    told = plain(everything(app))
    for name, (_, cells) in zip(HIGHEST_FIRST, reversed(by_rho), strict=True):
        assert f"{name} sees {len(cells & indices)}" in told
    made_up = [counted(len(cells - indices)) for _, cells in by_rho]
    assert f"Phantoms: {', '.join(made_up[:3])} and {made_up[3]} this time" in told


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
    "1e12": "217,180,147,158 items in all",
}
BAD_THRESHOLDS = {
    "-inf": "is not a finite number",
    "": "is not a finite number",
    "0": "about 108,590,073,579 items over 0",
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
    app.text_input(key=f"sparse_tau_{DOMAIN}_public").set_value("14.5").run()
    expected = expected_phantoms(RHO["public"], 14.5, cells=DOMAIN, l2_sensitivity=1.0)
    assert f"{expected:.3g} phantoms expected" in plain(button(app, "public").help)
    button(app, "public").click().run()
    assert (RHO["public"], 14.5) in run_sample(app)["asked"]
    names = run_sample(app)
    cells = names["numbers"][-1][0]
    ghosts = int((~np.isin(cells, names["items"][0])).sum())
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
    values = {v for spec in specs(app) for v in numbers_in(spec["data"]) if v == v}  # gaps: NaN
    top = sorted(names["numbers"][0][1])[-3:]
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


def test_of_releases_at_unlike_thresholds_the_sharpest_is_told(app):
    own(app)
    button(app, "public").click().run()
    assert "public sees 15. On average at most 5 of them are" in plain(app.header[0].value)
    app.text_input(key="sparse_phantoms").set_value("100").run()
    button(app, "audit").click().run()
    said = plain(app.header[0].value)
    assert "audit sees " in said
    assert "On average at most 100 of them are phantoms, " in said


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
    assert "which hardened mode does not allow" in app.header[0].value
    assert not app.exception


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
