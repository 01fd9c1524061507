"""Every number of a take-away, computed again by another way, over a grid of settings.

Accuracies by scipy's own distributions; losses by counting what the released noise really gives
away, outcome by outcome; what one person moves by taking a person out of a table, or for another.
"""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz.accounting import JointLoss, half_width
from dpviz.accounting.composition import APPROXIMATE, PURE, ZCDP
from dpviz.planning.cast import amounts
from dpviz.queries import BoundedMean, BoundedSum, Bounds, ByColumn, Count
from dpviz.release import today
from dpviz.workspace import Workspace, account, takeaways
from dpviz.workspace.guesses import CorrectGuesses, right_at, right_by
from dpviz.workspace.nearness import EXAMPLE, Size, nearness, size_of, typed_size, what_is_near
from dpviz.workspace.one_tier import one_tier
from dpviz.workspace.packing import report_of
from tests.claim_settings import (
    LAWS,
    OWN,
    READY,
    delta_at,
    in_quick,
    is_half_width,
    moves,
    workspace_of,
)
from tests.conftest import few, for_each
from tests.visiting import check_words, plain, unclaimed

each_setting = pytest.mark.parametrize(
    ("noise", "relation", "groups", "query"), few(OWN, 23) + in_quick(READY, 1)
)


def told(said):
    return {claim.what: claim for claim in said.claims}


@pytest.fixture
def ws(noise, relation, groups, query):
    return workspace_of(noise, relation, groups, query)


@each_setting
def test_distances_and_losses(ws, relation, groups):
    distances(ws)
    losses(ws, relation, groups)


def distances(ws):
    """A distance covers 95 of 100 draws, and no less would."""
    tiers = ws.values_of_tiers
    for tier in tiers:
        claims = told(takeaways.view(tier, ws.family, 0.95, ws.statistic.query))
        assert set(claims) == {f"distance from the exact number, {tier.name}"}
        distance = claims[f"distance from the exact number, {tier.name}"].value
        assert is_half_width(ws.family_name, tier.level, distance)


def losses(ws, relation, groups):
    """What the least private tier holds is all there is: its noise alone decides."""
    query, shifts = ws.statistic.query, moves(ws.statistic.query, relation, groups)
    claims = told(takeaways.tiers(ws.values_of_tiers, ws.family, query, *account.plan(ws)))
    start = "bound on the privacy loss of all together"
    (claim,) = (c for what, c in claims.items() if what.startswith(start))
    guesses = claims["right guesses about one person, here"]
    level = min(tier.level for tier in ws.values_of_tiers)
    if ws.family_name == "gaussian":
        size = sum(s * s for s in shifts) ** 0.5
        assert guesses.value == pytest.approx(1000 * stats.norm.cdf(size / 2 / level**0.5))
        assert guesses.kind == "exact"
        assert claim.value == pytest.approx(sum(s * s for s in shifts) / (2 * level))
    elif ws.family_name in ("laplace", "discrete_laplace"):
        assert claim.value == pytest.approx(sum(map(abs, shifts)) / level)
        assert guesses.value == pytest.approx(1000 / (1 + np.exp(-claim.value)))
        assert guesses.kind == "at most"
    else:
        law = LAWS[ws.family_name](level)
        for turned in (1, -1):
            assert delta_at(claim.value, law, [turned * s for s in shifts]) <= ws.delta
            assert 500 * (1 + delta_at(0.0, law, [turned * s for s in shifts])) <= guesses.value


@for_each("value", [0.123412, 0.00770165, 3.0, 1.99999, 12.30001])
def test_a_bound_is_never_written_smaller_than_it_is(value):
    loss = JointLoss(value, 0.0, "ρ-zCDP", "a sum")
    for words in (takeaways.loss_words(loss), takeaways.cost_words(loss)):
        assert value * (1 - 1e-12) <= float(words.rpartition("=")[2]) <= value * 1.001


def test_a_mean_is_said_with_its_own_distance_before_and_after_a_draw():
    """Of 100 rows, as their sum and number allow: by the ends of the interval, mean by mean."""
    ws = Workspace.load(b"ward,cost\nA,7\nB,5\n", name="x.csv")
    ws.state(BoundedMean("cost", 0, 50, ByColumn("ward", ("A", "B")), step=0.5))
    query, ends = ws.statistic.query, (ws.values_of_tiers[0], ws.values_of_tiers[-1])
    claims = told(takeaways.tiers(ws.values_of_tiers, ws.family, query, *account.plan(ws)))
    said = takeaways.view(ends[0], ws.family, 0.95, query)
    check_words(said.text, said.claims)
    assert "each mean of 100 rows" in said.text
    assert "of “cost”" in said.text
    for tier in ends:
        both = stats.norm.isf((1 - 0.95**0.5) / 2) * tier.level**0.5  # within it together
        sums = np.linspace(-200, 200, 20_001)
        low, high = query.interval(np.concatenate([sums, np.full(sums.size, 200)]), both)
        found = claims[f"distance from the exact mean, {tier.name}"].value
        assert found == pytest.approx((high - low).max() / 2, rel=1e-3)
    near = nearness(query, ws.family, ws.planned()[0][0].budget)
    assert near[0] == claims[f"distance from the exact mean, {ends[0].name}"].value
    assert near[1] == "of “cost” for each mean of 100 rows"


# Right guesses of 1,000: exact for Gaussian noise, at most for an ε, and never below a coin.


def test_each_tier_of_the_cast_has_the_guesses_of_the_story():
    ws = Workspace.fresh()
    said = {p.name: right_at(p.budget).said for p in ws.planned()[0]}
    assert said == {"public": "588", "partners": "624", "research": "651", "audit": "673"}
    for p in ws.planned()[0]:
        rho = float(amounts("ρ")[p.name])
        exact = 1000 * stats.norm.cdf(math.sqrt(2 * rho) / 2)
        assert right_at(p.budget).value == pytest.approx(exact)


@for_each(
    ("loss", "value"),
    [
        (JointLoss(1.0, 0.0, ZCDP, "a sum"), 1000 * stats.norm.cdf(math.sqrt(2) / 2)),
        (JointLoss(1.0, 0.0, PURE, "a sum"), 1000 * math.e / (1 + math.e)),
        (JointLoss(1.0, 1e-3, APPROXIMATE, "a sum"), 1000 * (math.e + 1e-3) / (1 + math.e)),
    ],
)
def test_a_loss_bounds_the_guesses(loss, value):
    found = right_by(loss)
    assert found.value == pytest.approx(value)
    assert found.count == (round(value) if loss.definition == ZCDP else math.ceil(value))
    assert found.said.startswith("at most") is (loss.definition != ZCDP)
    sides = {"exact": "673", "at most": "at most 674", "at least": "at least 673"}
    assert {kind: CorrectGuesses(value=673.4, kind=kind).said for kind in sides} == sides


# The ± of a mean is said for the groups of the visitor: typed, else released, else an example.


ROWS = b"id,ward,cost\n" + b"".join(
    b"%d,%s,%d\n" % (i, b"A" if i % 4 else b"B", i % 50) for i in range(2000)
)
WARDS = ByColumn("ward", ("A", "B"))
MEAN = BoundedMean("cost", 0, 50, WARDS)


@pytest.fixture
def visits():
    found = Workspace.load(ROWS, name="visits.csv")
    found.state(MEAN)
    return found


def tiers_said(ws):
    said = takeaways.tiers(
        ws.values_of_tiers, ws.family, ws.statistic.query, *account.plan(ws), size_of(ws)
    )
    assert not unclaimed(said.text, said.claims, "95 times in 100, of 1,000")
    return plain(said.text)


def half(ws, rows):
    """Half of the widest interval of a mean of this many rows, written out again."""
    level = ws.planned()[0][0].budget.level
    share = half_width(ws.family, level, 0.95, coordinates=2) * MEAN.step / rows
    return 25 * max(2 * share / (1 + share), share / (1 - share))


@pytest.mark.parametrize(
    ("typed", "rows", "said"),
    [
        ("400", 400, "each mean of 400 rows"),
        ("A: 1500\nB: 1500", 1500, "each mean of 1,500 rows"),
        ("A: 1500\nB: 480", 480, "each mean of at least 480 rows"),
        ("A: 1500", 1500, "each mean of at least 1,500 rows"),
        ("B: 0.5", 1, "each mean of at least 1 row"),
    ],
)
@pytest.mark.parametrize("of", ["rows", "people"])
def test_typed_sizes_are_what_the_headline_speaks_of(visits, typed, rows, said, of):
    visits.plan.sizes[of] = typed  # each row is one person, so numbers of people will do
    assert f"will see {said} to within" in tiers_said(visits)
    near, unit = nearness(MEAN, visits.family, visits.planned()[0][0].budget, size_of(visits))
    assert near == pytest.approx(half(visits, rows) if rows > 1 else 25)
    assert unit.endswith(f"for {said}")


def test_sizes_of_people_say_nothing_of_rows_where_people_have_several(visits):
    visits.state(BoundedMean("cost", 0, 50, WARDS, Bounds("id", rows_per_group=5)))
    visits.plan.sizes["people"] = "400"
    assert size_of(visits) == EXAMPLE
    visits.plan.sizes["rows"] = "north: 4"  # of other groups
    assert size_of(visits) == EXAMPLE
    assert "each mean of 100 rows to within" in tiers_said(visits)


def test_a_released_count_of_the_same_groups_is_spoken_of(visits):
    visits.state(Count(ByColumn("ward", ("B", "A"))))
    visits.draw("audit")
    visits.state(MEAN)
    assert size_of(visits) == EXAMPLE, "other groups"
    visits.state(Count(WARDS, total=True))
    visits.draw("public", "audit")
    least = float(np.min(visits.round.mechanism.held[min(visits.round.mechanism.held)][:2]))
    visits.state(MEAN)
    assert size_of(visits).rows == np.floor(least)
    assert abs(least - 500) < 50
    assert f"each mean of at least {np.floor(least):.0f} rows to within" in tiers_said(visits)
    visits.plan.sizes["rows"] = "300"
    assert size_of(visits).rows == 300, "what is typed goes first"


def test_the_means_that_were_released_have_numbers_of_rows_themselves(visits):
    visits.draw("audit")
    sums = visits.held[0].values * MEAN.step
    assert size_of(visits).rows == np.floor(sums[2:].min())
    visits.state(BoundedSum("cost", 0, 50, WARDS))
    assert (size_of(visits), what_is_near(visits.statistic.query)) == (EXAMPLE, "each number")
    assert Size.about(-3.2, least=False, why="released").of("rows") == "1 row", "never smaller"


def test_a_report_and_a_tier_hear_of_no_sharper_release(visits):
    visits.draw("audit", "public")
    sharp, rough = (visits.held[i].values[2:].min() * MEAN.step for i in (1, 0))
    assert np.floor(sharp) != np.floor(rough)
    said = plain(one_tier(visits, "public").sentence.text)
    assert f"sees each mean of at least {np.floor(rough):.0f} rows" in said
    assert typed_size(visits) == EXAMPLE
    report = report_of(visits, today())
    assert "each mean of 100 rows" in plain(report)
    assert f"{np.floor(sharp):.0f} rows" not in plain(report)
