"""The page Releases: post-processing, upgrade, packs, the report, many groups."""

import pytest

from dpviz.accounting import half_width
from dpviz.handout import verify_pack
from dpviz.handout.post_processing import PROCESSINGS
from dpviz.noise import FAMILIES
from dpviz.release import today
from dpviz.ui.kit import hand_out
from dpviz.words import pm
from dpviz.workspace import packing
from tests.app.reading import LISTED, numbers_in, plain
from tests.cast import RHO

TABLE = "g\n" + "".join(f"{g}\n" * n for g, n in {"a": 211, "b": 313, "c": 2}.items())
MANY = "g\n" + "".join(f"ward {i:03}\n" * (i + 1) for i in range(200))
SHOW = "Show the numbers"


def released(app):
    """What every tier holds, to the last bit."""
    session = app.workspace().round.mechanism
    return {level: session.release(level).tobytes() for level in session.levels}


def drawn(open_page, table, groups, *, total=False):
    """The releases of a count per group of an upload."""
    app = open_page("data").upload(table.encode(), name="t.csv")
    app.fill({LISTED: "\n".join(groups)})
    app.fill({"Publish the total as well": total})
    app.press("use_statistic")
    app.go("releases")
    app.press("draw_rest")
    return app


@pytest.mark.usefixtures("pictured")
def test_post_processing_changes_marks_and_badge_and_never_the_release(open_page):
    app = drawn(open_page, TABLE, "abc", total=True)
    before, ws = released(app), app.workspace()
    query = ws.statistic.query
    assert [*query.labels[:3]] == [*"abc"]
    assert len(query.labels) == 4
    public = ws.values_of_tiers[0]
    assert app.widget(SHOW).options == [p.label for p in PROCESSINGS.values()]
    for key, processing in PROCESSINGS.items():
        app.fill({SHOW: key})
        marks = processing.apply(query, query.estimate(public.values))
        assert set(marks.tolist()) <= set(numbers_in(app.specs()[0])), key
        weakly = processing.kind == "weakly lossless"
        gain = "All releases together are as private as audit’s"
        if not weakly:
            gain = "All readers together learn no more than audit alone"
        assert f"{gain}]" in app.words(), key
        assert ("The mark is post-processed" in app.words()) == (key != "released")
        assert released(app) == before
        assert len(ws.ledger) == 4


def within(rho):
    """What is said of one group of the sample at this ρ of Gaussian noise."""
    return plain(pm(half_width(FAMILIES["gaussian"], 1 / (2 * rho), 0.95)))


@pytest.mark.opens("later")
def test_an_upgrade_says_before_and_after_and_asks_twice_for_a_budget_without_a_promise(open_page):
    app = open_page("releases")
    app.type("upgrade_amount", "0.3")
    said = app.words().replace("*", "")
    assert f"{within(RHO['public'])} → {within(0.3)} people (95 % confidence)" in said
    assert "ρ = 0.1 → ρ = 0.3 (larger = less private)" in said
    app.type("upgrade_amount", "0.001")
    assert "less than the plan says" in app.words()
    assert "less than the tier has" not in app.words()
    app.type("upgrade_amount", "20")
    app.labelled("Upgrade and draw").click().run()
    assert "I mean this budget" in app.errors()[0]
    assert app.workspace().ledger == []
    next(c for c in app.checkbox if c.label == "I mean this budget").check().run()
    app.text_input(key="upgrade_amount").set_value("30")  # the tick was for 20
    app.labelled("Upgrade and draw").click().run()
    assert app.workspace().ledger == []
    next(c for c in app.checkbox if c.label == "I mean this budget").check().run()
    app.labelled("Upgrade and draw").click().run()
    assert app.errors() == []
    assert [float(e.event.budget) for e in app.workspace().ledger] == [30.0]
    app.later().selectbox(key="upgrade_tier").set_value("public")
    app.type("upgrade_amount", "0.001")
    assert "less than the tier has" in app.words()
    app.go("tiers")
    app.press("state_±a 95 %")
    app.go("releases")
    boxes = [s.value for s in app.selectbox if s.label == "as"]
    assert boxes == ["±a 95 %", "±a 95 %"], "the forms open in the currency of the plan"


def pack_of(app, key="released"):
    releases = packing.releases_of(app.workspace(), PROCESSINGS[key])
    return packing.hand_out(app.workspace(), PROCESSINGS[key]), releases


def test_a_pack_is_checked_in_the_app_and_by_the_function(open_page):
    app = drawn(open_page, TABLE, "abc", total=True)
    pack, releases = pack_of(app, "clipped")
    key = app.workspace().signing_key()
    assert verify_pack(pack, [releases], today=today(), key=key) == ()
    checker = app.file_uploader[0]
    assert checker.label.startswith("Pack")
    checker.upload("pack.zip", pack, "application/zip").run()
    assert [len(app.success), app.errors()] == [1, []]
    app.file_uploader[0].upload("broken.zip", b"no zip", "application/zip").run()
    assert [len(app.success), len(app.errors())] == [0, 1]


def test_a_single_file_is_checked_by_the_ledger_and_by_its_signature(open_page):
    app = drawn(open_page, TABLE, "abc")
    ws = app.workspace()
    file = packing.file_of(ws, ws.ledger[0], today())
    app.file_uploader[0].upload("public.csv", file, "text/csv").run()
    assert [s.value for s in app.success] == [hand_out.FILE_PASSES]
    assert app.words().count("Passed: ") == 2
    app.file_uploader[0].upload("a.csv", file.replace(b"\r\na,", b"\r\na,9"), "text/csv").run()
    assert not app.success
    assert "Failed: The table and every line above it are as they were signed" in app.words()


@pytest.mark.usefixtures("pictured")
@pytest.mark.opens("ledger")
def test_many_groups_are_searched_sorted_and_cut(open_page):
    groups = [f"ward {i:03}" for i in range(200)]
    app = drawn(open_page, MANY, groups)
    assert groups_shown(app) == groups[:20]
    app.fill({"Search a group": "WARD 19"})
    assert groups_shown(app) == groups[190:]
    app.fill({"Search a group": "nobody"})
    assert "No group has this in its name" in app.words()
    app.fill({"Search a group": "", "Order": "largest"})
    values = dict(zip(groups, app.workspace().held[-1].values, strict=True))
    assert groups_shown(app) == sorted(groups, key=lambda g: -values[g])[:20]
    app.fill({"Order": "smallest", "Show": 50})
    assert groups_shown(app) == sorted(groups, key=values.__getitem__)[:50]
    app.fill({"Show": 1000})
    assert len(groups_shown(app)) == 200


def groups_shown(app):
    """The groups of the table of released numbers, downwards."""
    (table,) = [t.value for t in app.table if t.value.columns[0].lower() == "group"]
    return [cell.replace("\\", "") for cell in table.iloc[:, 0]]
