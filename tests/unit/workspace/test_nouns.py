"""Names of the unit, rows and numbers in plans, sessions, projects, losses and hand-outs."""

import csv
import io
import json
import zipfile
from dataclasses import replace

import numpy as np
import pytest

from dpviz.accounting import half_width
from dpviz.handout import reader_csv, tier_json, verify_folder
from dpviz.handout.post_processing import PROCESSINGS
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.queries import BoundedMean, BoundedSum, Bounds, ByColumn, Count, Nouns
from dpviz.workspace import Workspace, account, packing, plan_file
from dpviz.workspace.projects import Projects
from tests.conftest import few, full_run

FLIGHTS = (
    "tail,owner,carrier,delay\n"
    + "".join(f"N{i % 40},o{i % 9},{'UA' if i % 3 else 'AA'},{i % 61}\n" for i in range(900))
).encode()
CARRIERS = ByColumn("carrier", ("UA", "AA"))
PLANES = Nouns(one="aircraft", many="aircraft", row="flight", rows="flights", measure="minutes")
BOUNDS = Bounds("tail", 2, 20, nouns=PLANES)
SUM = BoundedSum("delay", 0, 60, CARRIERS, BOUNDS)
MEAN = BoundedMean("delay", 0, 60, CARRIERS, BOUNDS)
COUNT = Count(CARRIERS, Bounds("tail", 2, nouns=PLANES))


@pytest.fixture
def ws():
    found = Workspace.load(FLIGHTS, name="flights.csv")
    found.seed = 1  # all intervals of 95 % hold the exact numbers
    return found


def named(query, **words):
    nouns = replace(query.nouns, **words)
    return replace(query, bounds=replace(query.bounds, nouns=nouns))


def table(content):
    """Facts and rows of a CSV."""
    rows = list(csv.reader(io.StringIO(content.decode("utf-8-sig"))))
    blank = rows.index([])
    return {name.removeprefix("# "): text for name, text in rows[:blank]}, rows[blank + 1 :]


def handed(ws):
    return packing.release_of(ws, ws.ledger[-1], PROCESSINGS["released"])


def test_a_plan_keeps_the_words_and_an_older_one_speaks_of_people(ws):
    ws.state(MEAN)
    content = plan_file.saved(ws)
    assert plan_file.opened(content).query.nouns == PLANES
    older = json.loads(content)
    del older["statistic"]["bounds"]["nouns"]
    assert plan_file.opened(json.dumps(older).encode()).query.nouns == Nouns()
    older["statistic"]["bounds"]["nouns"] = {"one": "aircraft"}
    assert plan_file.opened(json.dumps(older).encode()).query.nouns.one == "aircraft"
    for wrong in ({"one": "<i>"}, {"one": ""}, {"sort": "x"}, {"one": 7}):
        older["statistic"]["bounds"]["nouns"] = wrong
        with pytest.raises(Exception, match="plan") as told:
            plan_file.opened(json.dumps(older).encode())
        assert "\n" not in str(told.value)


def test_other_words_go_on_with_the_session_and_files_keep_theirs(ws):
    ws.state(COUNT)
    ws.draw("public")
    before = reader_csv(handed(ws))
    ws.state(named(COUNT, one="plane", many="planes"))
    assert ws.statistic.query.statistic == "number of planes per group of “carrier”"
    assert len(ws.statistics) == 1
    assert ws.round is ws.sessions[0]
    assert ws.waiting() == ["partners", "research", "audit"]
    ws.draw("audit")
    assert [e.session for e in ws.ledger] == [1, 1]
    assert reader_csv(packing.release_of(ws, ws.ledger[0], PROCESSINGS["released"])) == before
    assert ws.plan.sizes == {}


@full_run
def test_a_project_keeps_the_words(ws, tmp_path):
    ws.use_mode("hardened")
    ws.state(named(SUM, one="plane", many="planes"))
    projects = Projects(tmp_path)
    projects.create("flights", ws)
    ws.draw("public")
    ws.state(SUM)
    ws.save_plan()
    ws.catch_up()
    assert {s.query.nouns.one for s in ws.statistics if s.query == SUM} == {"aircraft"}
    found = projects.open("flights")
    assert found.statistic.query.nouns == PLANES
    assert found.round.statistic.query.nouns.one == "plane", "of what was drawn before"
    assert list(account.by_unit(found)) == [SUM.unit]


def test_losses_of_different_units_are_beside_each_other_and_never_added(ws):
    owners = Bounds("owner", 2, nouns=Nouns(one="owner", many="owners"))
    swapped = replace(COUNT, bounds=replace(COUNT.bounds, relation="replace"))
    budgets = {}
    for query, tier in ((COUNT, "public"), (Count(CARRIERS, owners), "audit"), (swapped, "public")):
        ws.state(query)
        ws.draw(tier)
        budgets[query] = ws.ledger[-1].budget.loss
    assert len(account.by_unit(ws)) == 3
    for query, loss in budgets.items():
        ws.state(query)
        assert account.joint(ws).value == account.independent(ws).value == loss
        assert len(account.entries(ws)) == 1
        assert account.sessions_with_plan(ws) == 1
        assert len(account.other_units(ws)) == 2
        assert all(query.unit not in u or "neighbours" in u for u in account.other_units(ws))
    ws.state(COUNT)
    ws.draw("audit")
    ws.state(named(COUNT, one="plane", many="planes"))
    assert len(account.by_unit(ws)) == 3, "another word is no other unit"
    ws.state(SUM)
    ws.draw("public")
    sharpest, added = (e.budget.loss for e in ws.ledger[-2:])
    assert account.joint(ws).value == pytest.approx(sharpest + added), "of aircraft, who add"


def test_what_a_press_would_cost_leaves_other_units_out(ws):
    ws.state(Count(CARRIERS, Bounds("owner", 2)))
    ws.draw("audit")
    ws.state(COUNT)
    asking, (public, *_) = ws.statistic.asking(ws.family_name), ws.planned()[0]
    assert account.with_draws(ws, [(asking, [public.budget])]).value == public.budget.loss
    assert account.with_plan(ws)[0].value == ws.planned()[0][-1].budget.loss


@pytest.mark.parametrize("family", few(["gaussian", "poisson"], 2))
@pytest.mark.parametrize("query", few([MEAN, SUM], 2), ids=few(["mean", "sum"], 2))
def test_a_hand_out_has_the_mean_or_the_sum_in_its_unit_and_no_steps(ws, query, family):
    """Estimate and interval follow from the released numbers alone."""
    ws.use_family(family)
    ws.state(query)
    ws.draw("audit")
    release = handed(ws)
    facts, (head, *rows) = table(reader_csv(release))
    assert head == ["group", "estimate", "low", "high"]
    assert [row[0] for row in rows] == ["UA", "AA"]
    told = np.array([[float(cell) for cell in row[1:]] for row in rows])
    values = release.values - ws.family.mean(release.level)
    half = half_width(ws.family, release.level, ACCURACY_CONFIDENCE, coordinates=query.per_value)
    if query is SUM:
        expected = np.array([values, values - half, values + half]).T * query.step
    else:
        sums, counts = np.split(values, 2)
        corners = [(sums + i * half) / (counts + j * half) for i in (-1, 1) for j in (-1, 1)]
        ends = np.clip([sums / counts, np.min(corners, axis=0), np.max(corners, axis=0)], -1, 1)
        expected = 30 + 30 * ends.T
    np.testing.assert_allclose(told, expected, rtol=1e-12)
    assert facts["statistic"] == query.statistic
    assert "in minutes" in facts["column estimate"]
    assert not {"noise", "sensitivity"} & set(facts)
    assert "step" not in "".join(facts[f] for f in ("accuracy", "budget", "unit"))
    found = json.loads(tier_json(release, release.drawn))
    assert found["released"]["value"] == release.values.tolist()
    assert (found["measure"], found["step"]) == ("minutes", query.step)
    assert {"noise", "sensitivity"} < set(found["facts"])
    exact = query.estimate(ws.exact())
    assert ((told[:, 1] <= exact) & (exact <= told[:, 2])).all()


def test_packs_of_means_pass_every_check_and_a_changed_mean_none(ws):
    ws.state(MEAN)
    ws.draw("audit", "public")
    ws.state(COUNT)
    ws.draw("audit")
    content = packing.hand_out(ws)
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = set(archive.namelist())
        readme = archive.read("practice-public/README.txt").decode("utf-8-sig")
    assert {n for n in names if n.startswith("practice-public/")} == {
        f"practice-public/{n}"
        for n in ("README.txt", "SIGNED.json", "estimates.csv", "release.json")
    }
    assert sum(n.endswith("release.csv") for n in names) == 1, "counts are read as released"
    assert "release.csv" not in readme
    assert packing.check(ws, content) == ()
    assert verify_folder(content).passed
    changed = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as old, zipfile.ZipFile(changed, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            if name == "practice-public/estimates.csv":
                data = data.replace(b"\r\nUA,", b"\r\nUA,1")
            new.writestr(name, data)
    found = verify_folder(changed.getvalue())
    assert not found.passed
    wrong = {f.where: f.what for check in found.checks for f in check.findings}
    assert "practice-public/estimates.csv" in wrong
