"""Every kind of statistic by every split, and of every size, on every page."""

import math
import re

import numpy as np
import pytest

from dpviz.accounting import half_width
from dpviz.planning.presets import Preset
from dpviz.planning.tiers import Tier
from dpviz.ui.data.query_controls import COUNT, MEAN, SUM
from dpviz.ui.kit.group_controls import BINS, COLUMN, EVERYBODY, TIME, TWO
from dpviz.workspace.reading_check import is_checked
from tests.app.reading import LISTED, numbers_in
from tests.conftest import FULL, few, full_run

ROWS = {"a": 2711, "b": 3313, "c": 4127}  # no pixel and no position has such a number
NUM = {"a": 41.25, "b": 53.5, "c": 61.75}
DAY = {"a": "2025-01-10", "b": "2025-02-10", "c": "2025-03-10"}
TABLE = "g,h,num,when\n" + "".join(
    f"{g},{'xy'[i % 3 > 0]},{NUM[g]},{DAY[g]}\n" for g in ROWS for i in range(ROWS[g])
)
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
    return open_page("data").upload(TABLE.encode(), "t.csv")


def use(app, kind, split):
    app.fill({"What": kind, "For": split})
    if kind != COUNT:  # the fields of the bounds belong to the column
        app.fill({"Number": "num"})
    app.fill(KINDS[kind] | SPLITS[split])
    assert app.errors() == []
    app.press("use_statistic")
    return app.workspace().statistic.query


def visit(app, page):
    app.go(page)
    assert app.errors() == [], page


def exact_numbers(app):
    """The exact answer, in steps and in units."""
    ws = app.workspace()
    steps = ws.exact()
    return set(steps.tolist()) | set(ws.statistic.query.estimate(steps).tolist())


def assert_nothing_exact(app, exact, *, drawn=False):
    """No figure holds an exact number, no word tells one; a whole one may be a rounded release."""
    assert not exact & set(numbers_in(app.specs()))
    said = app.everything()
    for number in exact:
        if not (drawn and float(number).is_integer()):
            assert f"{number:,}" not in said
            assert f"{number!r}" not in said


def sample_gives_the_accuracies(app):
    ws, budgets = app.workspace(), app.run_sample()["numbers"]
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
        exact, ws = exact_numbers(app), app.workspace()
        if not is_checked(ws, ws.statistic):  # else the counts are on screen, and that is noted
            assert_nothing_exact(app, exact)
        moved = app.run_sample()["numbers"]["change"].abs().sum() / query.step
        assert moved == pytest.approx(query.sensitivity.l1)
        visit(app, "tiers")
        assert_nothing_exact(app, exact)
        sample_gives_the_accuracies(app)
        visit(app, "releases")
        app.press("draw_rest")
        assert_nothing_exact(app, exact, drawn=True)
        app.sample_draws_the_same()
        assert len(app.workspace().rounds) == number
        for page in ("present", "start", "data") if split in (COLUMN, TIME) else ("data",):
            visit(app, page)
            assert_nothing_exact(app, exact, drawn=True)


@pytest.mark.usefixtures("pictured")
@pytest.mark.parametrize("kind", few([SUM, MEAN], 2))
def test_the_exact_numbers_appear_on_request_only(open_page, tmp_path, monkeypatch, kind):
    app = opened_with_table(open_page, tmp_path, monkeypatch)
    query = use(app, kind, COLUMN)
    exact = set(query.estimate(app.workspace().exact()).tolist())
    assert len(exact) == 3
    visit(app, "releases")
    app.press("draw_rest")
    assert not exact & set(numbers_in(app.specs()))
    reveal = "Reveal the exact numbers: not private"
    app.fill({reveal: True})
    assert exact <= set(numbers_in(app.specs()))
    assert "not private" in app.words()
    visit(app, "present")
    assert not exact & set(numbers_in(app.specs()))
    visit(app, "releases")
    assert not app.widget(reveal).value


@pytest.mark.usefixtures("unfolded", "pictured")
def test_what_bounding_costs_is_shown_on_request_only(open_page, tmp_path, monkeypatch):
    app = opened_with_table(open_page, tmp_path, monkeypatch)
    app.fill({"What": SUM, "For": COLUMN})
    app.fill({"Number": "num"})
    app.fill({"Lower clip bound": "0", "Upper clip bound": "50", "Grid step": "0.25"})
    app.fill({LISTED: "a\nb\nc"})
    lost = {n * (NUM[g] - 50) for g, n in ROWS.items() if g != "a"}  # values above 50 count as 50
    assert not lost & set(numbers_in(app.specs()))
    look = "Look at what bounding costs: not private"
    app.fill({look: True})
    assert lost <= set(numbers_in(app.specs()))
    visit(app, "tiers")
    visit(app, "data")
    assert not app.widget(look).value
    assert not lost & set(numbers_in(app.specs()))


# Hardened mode through the pages: whole numbers, no look at the data, nothing to reveal.


def nothing_looks_at_the_data(app):
    offered = " ".join(app.labels())
    for act in ("groups found in the data", "bounding costs", "Reveal the exact"):
        assert act not in offered
    assert "Hardened" in app.words()
    assert "Practice mode" not in app.words()


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("specialists")
def test_every_kind_of_statistic(open_page, tmp_path, monkeypatch):
    (tmp_path / "t.csv").write_text(TABLE)
    monkeypatch.chdir(tmp_path)
    app = open_page("tiers")
    app.segment("mode", "hardened")
    app.go("data")
    app.upload(TABLE.encode(), name="t.csv")
    for kind in few(KINDS, 2):
        app.fill({"What": kind, "For": COLUMN})
        if kind != COUNT:
            app.fill({"Number": "num"})
        app.fill({LISTED: "\n".join(ROWS), **(CLIPS if kind != COUNT else {})})
        assert app.errors() == []
        nothing_looks_at_the_data(app)
        app.press("use_statistic")
        exact = exact_numbers(app)
        app.go("releases")
        assert not exact & set(numbers_in(app.specs()))  # afterwards a noise of 0 could be there
        assert [t.label for t in app.text_input if "Seed" in t.label] == []
        app.press("draw_rest")
        nothing_looks_at_the_data(app)
        session = app.workspace().round.mechanism
        assert (session.mode, session.family.integer, len(session.levels)) == ("hardened", True, 4)
        assert all(session.release(level).dtype == np.int64 for level in session.levels)
        assert sorted(app.run_sample()["numbers"]) == sorted(session.levels)
        app.go("data")
        nothing_looks_at_the_data(app)
    assert len(app.workspace().rounds) == len(few(KINDS, 2))


# Sums up to 1e15 with an accuracy of ±1e-12: sizes that people may type, on every page.


BEFORE = ("tiers", "bridge_paths", "variances", "collusion", "releases")  # before a draw
AFTER = ("tiers", "present", "data", "start", "releases")  # after it
LARGE_TABLE = "g,num\n" + "".join(f"{'ab'[i % 2]},{i * 10**14}\n" for i in range(10))
TIERS = {"exact": ("1e-12", "±a 95 %"), "less": ("1e-9", "±a 99 %"), "far": ("1e12", "±a 90 %")}


@full_run
@pytest.mark.parametrize(
    ("family", "kind"), few([("gaussian", SUM), ("laplace", SUM), ("laplace", MEAN)], 3)
)
def test_large_sums_with_little_noise(open_page, tmp_path, monkeypatch, family, kind):
    (tmp_path / "t.csv").write_text(LARGE_TABLE)
    monkeypatch.chdir(tmp_path)
    app = open_page("data")
    app.upload(LARGE_TABLE.encode(), "t.csv")
    app.fill({"What": kind, "For": COLUMN})
    app.fill({"Number": "num"})
    app.fill({"Lower clip bound": "0", "Upper clip bound": "1e15", LISTED: "a\nb"})
    assert app.errors() == []
    app.press("use_statistic")
    app.go("tiers")
    app.radio(key="family_teaching").set_value(family).run()
    ws = app.workspace()
    tiers = tuple(Tier(name=n, amount=a, kind=k) for n, (a, k) in TIERS.items())
    ws.plan.use_preset(Preset(name="sizes", story="sizes", tiers=tiers), ws.setting)
    app.run()
    for drawn, pages in ((False, BEFORE), (True, AFTER)):
        for page in pages:
            app.go(page)
            assert app.errors() == [], (page, drawn)
            assert not {"nan", "inf"} & set(app.everything().lower().split()), (page, drawn)
        if not drawn:
            app.press("draw_rest")


# Noise so small that nearly every number stays exact: ± rounds to 0, and every page still shows.


OF_A_PLAN = ("tiers", "bridge_paths", "variances", "collusion", "releases")  # before a draw
OF_RELEASES = ("tiers", "present", "collusion", "releases")  # after it
PLANS = {
    "some at 0": ("0.1", "5", "30"),
    "a wide ladder": ("0.01", "1", "30"),
    "all at 0": ("30", "45"),
    "one at 0": ("30",),
}


def planned(open_page, mode, family, amounts):
    app = open_page("tiers")
    app.segment("mode", mode)
    app.radio(key=f"family_{mode}").set_value(family).run()
    tiers = tuple(Tier(name=f"tier {amount}", amount=amount, kind="ε") for amount in amounts)
    ws = app.workspace()
    ws.plan.use_preset(Preset(name="tiny", story="tiny noise", tiers=tiers), ws.setting)
    app.run()
    least = ws.planned()[0][-1].budget.half_width
    assert least == 0, least
    return app


@full_run
@pytest.mark.usefixtures("pictured", "unfolded")
@pytest.mark.parametrize(
    ("mode", "family"), few([("teaching", "discrete_laplace"), ("hardened", "skellam")], 2)
)
@pytest.mark.parametrize("name", PLANS if FULL else ["some at 0"])
def test_every_page_shows_a_plan_without_noise_to_speak_of(open_page, mode, family, name):
    amounts = PLANS[name]
    app = planned(open_page, mode, family, amounts)
    for drawn, pages in ((False, OF_A_PLAN), (True, OF_RELEASES)):
        for page in few(pages, 2):
            app.go(page)
            assert not any(map(math.isinf, numbers_in(app.specs()))), (page, drawn)
            text = app.everything()
            assert "nan" not in text.lower().split(), (page, drawn)
            assert "±∞" not in text, (page, drawn)
            assert not re.search(r"±\s?0(?![.\d])", text), (page, drawn)
            if page == "tiers":
                assert "usually exact" in text
        if not drawn:
            for tick in [c for c in app.checkbox if c.label == "I mean this budget"]:
                tick.check()
            app.press("draw_rest")
            assert len(app.workspace().round.mechanism.levels) == len(amounts)
