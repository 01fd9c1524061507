"""Every kind of statistic by every split, through the widgets of Data, on every page."""

import numpy as np
import pytest

from dpviz.accounting import half_width
from dpviz.ui.data.query_controls import COUNT, MEAN, SUM
from dpviz.ui.kit.group_controls import BINS, COLUMN, EVERYBODY, TIME, TWO
from tests.app.reading import (
    button,
    errors,
    everything,
    fill,
    labels,
    numbers_in,
    run_sample,
    sample_draws_the_same,
    specs,
    upload,
    widget,
    words,
    workspace,
)
from tests.conftest import few

ROWS = {"a": 2711, "b": 3313, "c": 4127}  # no pixel and no position has such a number
NUM = {"a": 41.25, "b": 53.5, "c": 61.75}
DAY = {"a": "2025-01-10", "b": "2025-02-10", "c": "2025-03-10"}
TABLE = "g,h,num,when\n" + "".join(
    f"{g},{'xy'[i % 3 > 0]},{NUM[g]},{DAY[g]}\n" for g in ROWS for i in range(ROWS[g])
)
LISTED = "Groups to publish, one per line"
SPLITS = {
    EVERYBODY: {},
    COLUMN: {LISTED: "a\nb\nc"},
    TWO: {f"{LISTED}: g": "a\nb\nc", f"{LISTED}: h": "x\ny"},
    BINS: {"Column of the number": "num", "Edges of the bins": "0, 50, 60, 100"},
    TIME: {"From (year-month-day)": "2025-01-01", "Until, not included": "2025-04-01"},
}
LENGTHS = {EVERYBODY: 1, COLUMN: 3, TWO: 6, BINS: 3, TIME: 3}
CLIPS = {"Number": "num", "Lower clip bound": "0", "Upper clip bound": "100"}
KINDS = {COUNT: {}, SUM: {**CLIPS, "Grid step": "0.25"}, MEAN: CLIPS}


def opened_with_table(open_page, directory, monkeypatch):
    (directory / "t.csv").write_text(TABLE)
    monkeypatch.chdir(directory)  # the code samples load the file by its name
    return upload(open_page("data"), TABLE.encode(), "t.csv")


def use(app, kind, split):
    fill(app, {"What": kind, "For": split})
    if kind != COUNT:  # the fields of the bounds belong to the column
        fill(app, {"Number": "num"})
    fill(app, KINDS[kind] | SPLITS[split])
    assert errors(app) == []
    button(app, "Use this statistic").click().run()
    return workspace(app).statistic.query


def visit(app, page):
    app.switch_page(f"pages/{page}.py").run()
    assert errors(app) == [], page


def exact_numbers(app):
    """The exact answer, in steps and in units."""
    ws = workspace(app)
    steps = ws.exact()
    return set(steps.tolist()) | set(ws.statistic.query.estimate(steps).tolist())


def assert_nothing_exact(app, exact, *, drawn=False):
    """No figure holds an exact number, no word tells one; a whole one may be a rounded release."""
    assert not exact & set(numbers_in(specs(app)))
    said = everything(app)
    for number in exact:
        if not (drawn and float(number).is_integer()):
            assert f"{number:,}" not in said
            assert f"{number!r}" not in said


def sample_gives_the_accuracies(app):
    ws, budgets = workspace(app), run_sample(app)["numbers"]
    for tier in ws.values_of_tiers:
        assert budgets[tier.name].level == tier.level
        half = half_width(ws.family, tier.level, 0.95) * ws.statistic.query.step
        assert budgets[tier.name].half_width == half


@pytest.mark.usefixtures("unfolded", "pictured")
@pytest.mark.parametrize("kind", few(reversed(KINDS), 3))
def test_every_split_of_a_kind_fills_every_page(open_page, tmp_path, monkeypatch, kind):
    app = opened_with_table(open_page, tmp_path, monkeypatch)
    for number, split in enumerate(few(reversed(SPLITS), 5), start=1):
        query = use(app, kind, split)
        assert len(query.labels) == LENGTHS[split]
        exact = exact_numbers(app)
        assert_nothing_exact(app, exact)
        moved = run_sample(app)["numbers"]["change"].abs().sum() / query.step
        assert moved == pytest.approx(query.sensitivity.l1)
        visit(app, "tiers")
        assert_nothing_exact(app, exact)
        sample_gives_the_accuracies(app)
        visit(app, "releases")
        app.button(key="draw_rest").click().run()
        assert_nothing_exact(app, exact, drawn=True)
        sample_draws_the_same(app)
        assert len(workspace(app).rounds) == number
        for page in ("present", "start", "data") if split in (COLUMN, TIME) else ("data",):
            visit(app, page)
            assert_nothing_exact(app, exact, drawn=True)


@pytest.mark.usefixtures("pictured")
@pytest.mark.parametrize("kind", few([SUM, MEAN], 2))
def test_the_exact_numbers_appear_on_request_only(open_page, tmp_path, monkeypatch, kind):
    app = opened_with_table(open_page, tmp_path, monkeypatch)
    query = use(app, kind, COLUMN)
    exact = set(query.estimate(workspace(app).exact()).tolist())
    assert len(exact) == 3
    visit(app, "releases")
    app.button(key="draw_rest").click().run()
    assert not exact & set(numbers_in(specs(app)))
    reveal = "Reveal the exact numbers: not private"
    fill(app, {reveal: True})
    assert exact <= set(numbers_in(specs(app)))
    assert "not private" in words(app)
    visit(app, "present")
    assert not exact & set(numbers_in(specs(app)))
    visit(app, "releases")
    assert not widget(app, reveal).value


@pytest.mark.usefixtures("unfolded", "pictured")
def test_what_bounding_costs_is_shown_on_request_only(open_page, tmp_path, monkeypatch):
    app = opened_with_table(open_page, tmp_path, monkeypatch)
    fill(app, {"What": SUM, "For": COLUMN})
    fill(app, {"Number": "num"})
    fill(app, {"Lower clip bound": "0", "Upper clip bound": "50", "Grid step": "0.25"})
    fill(app, {LISTED: "a\nb\nc"})
    lost = {n * (NUM[g] - 50) for g, n in ROWS.items() if g != "a"}  # values above 50 count as 50
    assert not lost & set(numbers_in(specs(app)))
    look = "Look at what bounding costs: not private"
    fill(app, {look: True})
    assert lost <= set(numbers_in(specs(app)))
    visit(app, "tiers")
    visit(app, "data")
    assert not widget(app, look).value
    assert not lost & set(numbers_in(specs(app)))


# Hardened mode through the pages: whole numbers, no look at the data, nothing to reveal.


def nothing_looks_at_the_data(app):
    offered = " ".join(labels(app))
    for act in ("groups found in the data", "bounding costs", "Reveal the exact"):
        assert act not in offered
    assert "Hardened" in words(app)
    assert "Practice mode" not in words(app)


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists")
def test_every_kind_of_statistic(open_page, tmp_path, monkeypatch):
    (tmp_path / "t.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    app = open_page("tiers")
    app.segmented_control(key="mode").set_value("hardened").run()
    app.switch_page("pages/data.py").run()
    upload(app, TABLE.encode(), name="t.csv")
    for kind in few(KINDS, 2):
        fill(app, {"What": kind, "For": COLUMN})
        if kind != COUNT:
            fill(app, {"Number": "num"})
        fill(app, {LISTED: "\n".join(ROWS), **(CLIPS if kind != COUNT else {})})
        assert errors(app) == []
        nothing_looks_at_the_data(app)
        button(app, "Use this statistic").click().run()
        exact = exact_numbers(app)
        app.switch_page("pages/releases.py").run()
        assert not exact & set(numbers_in(specs(app)))  # afterwards a noise of 0 could be there
        assert [t.label for t in app.text_input if "Seed" in t.label] == []
        app.button(key="draw_rest").click().run()
        nothing_looks_at_the_data(app)
        session = workspace(app).round.mechanism
        assert (session.mode, session.family.integer, len(session.levels)) == ("hardened", True, 4)
        assert all(session.release(level).dtype == np.int64 for level in session.levels)
        assert sorted(run_sample(app)["numbers"]) == sorted(session.levels)
        app.switch_page("pages/data.py").run()
        nothing_looks_at_the_data(app)
    assert len(workspace(app).rounds) == len(few(KINDS, 2))
