"""What a workspace has spent and its plan will cost, of which unit, and in whose words."""

import csv
import io
import json
from dataclasses import replace

import numpy as np
import pytest

from dpviz.accounting import half_width
from dpviz.data import read_csv
from dpviz.errors import ParameterError
from dpviz.handout import reader_csv, tier_json
from dpviz.handout.post_processing import PROCESSINGS
from dpviz.handout.received import FILES
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.queries import BoundedMean, BoundedSum, Bounds, ByColumn, Count, Nouns
from dpviz.release import MultipleRelease
from dpviz.workspace import Workspace, account, packing, plan_file
from dpviz.workspace.sessions import Statistic
from tests import handouts
from tests.cast import MOST, RHO, SUM
from tests.conftest import few
from tests.structured_sessions import by_hand

TABLE = read_csv(b"g,n\na,1\nb,2\nb,3\n", name="t.csv")
BY = ByColumn("g", ("a", "b"))


def values(pair):
    return [loss.value for loss in pair]


@pytest.mark.parametrize("drawn", few([["audit", "public"], ["public"], ["public", "partners"]], 2))
def test_what_is_drawn_of_the_plan_is_not_counted_twice(drawn):
    ws = Workspace.fresh()
    ws.draw(*drawn)
    assert values(account.with_plan(ws)) == pytest.approx([MOST, SUM])
    assert account.sessions_with_plan(ws) == 1


def test_the_plan_comes_on_top_of_earlier_sessions():
    ws = Workspace.fresh()
    ws.draw("audit")
    ws.start_over()
    assert account.sessions_with_plan(ws) == 2
    assert values(account.with_plan(ws)) == pytest.approx([RHO["audit"] + MOST, RHO["audit"] + SUM])
    ws.draw("public")
    assert account.sessions_with_plan(ws) == 2
    assert values(account.with_plan(ws)) == pytest.approx([RHO["audit"] + MOST, RHO["audit"] + SUM])
    assert account.joint(ws).value == pytest.approx(RHO["audit"] + RHO["public"])


def test_a_release_at_a_former_budget_stays_in_the_account():
    ws = Workspace.fresh()
    ws.draw("audit")
    ws.plan.upgrade("audit", "ρ", "0.25", ws.setting)
    joint, alone = account.with_plan(ws)
    assert joint.value == RHO["audit"]
    assert alone.value == pytest.approx(SUM + 0.25)


def test_equal_levels_are_one_release():
    ws = Workspace.fresh()
    ws.use_tiers([{"tier": n, "budget": "0.1", "as": "ρ"} for n in "ab"])
    assert values(account.with_plan(ws)) == [0.1, 0.1]


def test_each_statistic_has_its_own_loss():
    ws = Workspace.fresh()
    assert account.by_statistic(ws) == []
    counts = Statistic(TABLE, Count(BY), "")
    sums = Statistic(TABLE, BoundedSum("n", 0, 5, BY), "")
    for statistic, tiers in ((counts, ["public", "partners"]), (sums, ["research"])):
        ws.use(statistic)
        ws.draw(*tiers)
    ws.start_over()
    ws.draw("research")  # the sums again: both sessions count
    found = account.by_statistic(ws)
    assert [words for words, *_ in found] == [counts.query.statistic, sums.query.statistic]
    assert [names for _, _, names, _ in found] == [["public", "partners"], ["research"]]
    assert [loss.value for *_, loss in found] == pytest.approx(
        [RHO["partners"], 2 * RHO["research"]]
    )
    assert account.joint(ws).value == pytest.approx(RHO["partners"] + 2 * RHO["research"])


def test_a_tier_whose_noise_the_delta_of_the_plan_covers_is_left_out_with_the_reason():
    ws = Workspace.fresh()
    ws.use_family("skellam")
    ws.delta = 0.5
    tiers = [("a", "0.01, 1e-9", "(ε, δ)"), ("b", "1", "ε")]
    assert ws.use_tiers([{"tier": n, "budget": b, "as": k} for n, b, k in tiers]) == []
    found, left_out = account.at_plan(ws, ws.planned()[0])
    assert [(p.name, loss) for p, loss in found] == [("b", 1.0)]
    assert left_out == ["Left out: a, as the plan’s δ alone covers its noise."]


# Structured sessions stand in the same ledger, cost what they cost, and enter no pack.


def draw(ws, *names):
    planned = {p.name: p for p in ws.planned()[0]}
    asking = by_hand(ws.family, lambda rng: MultipleRelease([1.0, 2.0], ws.family, rng=rng))
    for name in names:
        ws.record(asking, planned[name])


def test_the_largest_of_a_session_counts_and_sessions_add():
    ws = Workspace.fresh()
    ws.draw("audit")
    draw(ws, "public", "research", "public")
    assert account.joint(ws).value == pytest.approx(RHO["audit"] + RHO["research"])
    assert account.independent(ws).value == pytest.approx(
        RHO["audit"] + RHO["research"] + RHO["public"]
    )
    assert [e.session for e in ws.ledger] == [1, 2, 2]
    assert [e.number for e in ws.ledger] == [1, 2, 3]
    words = [(names, loss.value) for _, _, names, loss in account.by_statistic(ws)]
    assert words == [(["audit"], RHO["audit"]), (["public", "research"], RHO["research"])]


def test_a_structured_session_first_leaves_its_number_to_it():
    ws = Workspace.fresh()
    draw(ws, "public")
    ws.draw("public")
    assert ws.round is not None
    assert [s.asking.plain is None for s in ws.sessions] == [True, False]
    assert ws.round.number == 2
    assert account.sessions_with_plan(ws) == 2
    assert account.with_plan(ws)[0].value == pytest.approx(MOST + RHO["public"])
    assert [e.tier for e in account.once(ws)] == ["public"]
    assert account.joint(ws).value == pytest.approx(2 * RHO["public"])


# Names of the unit, rows and numbers in plans, sessions, projects, losses and hand-outs.


FLIGHTS = (
    "tail,owner,carrier,delay\n"
    + "".join(f"N{i % 40},o{i % 9},{'UA' if i % 3 else 'AA'},{i % 61}\n" for i in range(900))
).encode()
CARRIERS = ByColumn("carrier", ("UA", "AA"))
PLANES = Nouns(one="aircraft", many="aircraft", row="flight", rows="flights", measure="minutes")
BOUNDS = Bounds("tail", 2, 20, nouns=PLANES)
DELAYS = BoundedSum("delay", 0, 60, CARRIERS, BOUNDS)
MEAN_DELAY = BoundedMean("delay", 0, 60, CARRIERS, BOUNDS)
FLOWN = Count(CARRIERS, Bounds("tail", 2, nouns=PLANES))


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
    ws.state(MEAN_DELAY)
    content = plan_file.saved(ws)
    assert plan_file.opened(content).query.nouns == PLANES
    older = json.loads(content)
    del older["statistic"]["bounds"]["nouns"]
    assert plan_file.opened(json.dumps(older).encode()).query.nouns == Nouns()
    older["statistic"]["bounds"]["nouns"] = {"one": "aircraft"}
    assert plan_file.opened(json.dumps(older).encode()).query.nouns.one == "aircraft"
    for wrong in ({"one": "<i>"}, {"one": ""}, {"sort": "x"}, {"one": 7}):
        older["statistic"]["bounds"]["nouns"] = wrong
        with pytest.raises(ParameterError, match="plan") as told:
            plan_file.opened(json.dumps(older).encode())
        assert "\n" not in str(told.value)


def test_other_words_go_on_with_the_session_and_files_keep_theirs(ws):
    ws.state(FLOWN)
    ws.draw("public")
    before = reader_csv(handed(ws))
    ws.state(named(FLOWN, one="plane", many="planes"))
    assert ws.statistic.query.statistic == "number of planes per group of “carrier”"
    assert len(ws.statistics) == 1
    assert ws.round is ws.sessions[0]
    assert ws.waiting() == ["partners", "research", "audit"]
    ws.draw("audit")
    assert [e.session for e in ws.ledger] == [1, 1]
    assert reader_csv(packing.release_of(ws, ws.ledger[0], PROCESSINGS["released"])) == before
    assert ws.plan.sizes == {}


def test_losses_of_different_units_are_beside_each_other_and_never_added(ws):
    owners = Bounds("owner", 2, nouns=Nouns(one="owner", many="owners"))
    swapped = replace(FLOWN, bounds=replace(FLOWN.bounds, relation="replace"))
    budgets = {}
    for query, tier in ((FLOWN, "public"), (Count(CARRIERS, owners), "audit"), (swapped, "public")):
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
    ws.state(FLOWN)
    ws.draw("audit")
    ws.state(named(FLOWN, one="plane", many="planes"))
    assert len(account.by_unit(ws)) == 3, "another word is no other unit"
    ws.state(DELAYS)
    ws.draw("public")
    sharpest, added = (e.budget.loss for e in ws.ledger[-2:])
    assert account.joint(ws).value == pytest.approx(sharpest + added), "of aircraft, who add"


def test_what_a_press_would_cost_leaves_other_units_out(ws):
    ws.state(Count(CARRIERS, Bounds("owner", 2)))
    ws.draw("audit")
    ws.state(FLOWN)
    asking, (public, *_) = ws.statistic.asking(ws.family_name), ws.planned()[0]
    assert account.with_draws(ws, [(asking, [public.budget])]).value == public.budget.loss
    assert account.with_plan(ws)[0].value == ws.planned()[0][-1].budget.loss


@pytest.mark.parametrize("family", ["gaussian", "poisson"])
@pytest.mark.parametrize("query", [MEAN_DELAY, DELAYS], ids=["mean", "sum"])
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
    if query is DELAYS:
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
    ws.state(MEAN_DELAY)
    ws.draw("audit", "public")
    ws.state(FLOWN)
    ws.draw("audit")
    content = packing.hand_out(ws)
    files = handouts.opened(content)
    assert {*handouts.folder(files, "practice-public")} == {
        *("README.txt", "SIGNED.json", "estimates.csv", "release.json")
    }
    assert sum(n.endswith("release.csv") for n in files) == 1, "counts are read as released"
    assert b"release.csv" not in files["practice-public/README.txt"]
    assert packing.check(ws, content) == ()
    assert handouts.found(content) == {}
    means = "practice-public/estimates.csv"
    changed = files | {means: handouts.swapped(files[means], "\r\nUA,", "\r\nUA,1")}
    assert means in handouts.found(changed)[FILES]
