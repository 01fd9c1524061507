"""The ± of a mean is said for the groups of the visitor: typed, else released, else an example."""

import numpy as np
import pytest

from dpviz import Workspace
from dpviz.accounting import half_width
from dpviz.queries import BoundedMean, BoundedSum, Bounds, ByColumn, Count
from dpviz.release import today
from dpviz.workspace import account, takeaways
from dpviz.workspace.nearness import EXAMPLE, Size, nearness, size_of, typed_size, what_is_near
from dpviz.workspace.one_tier import one_tier
from dpviz.workspace.packing import report_of
from tests.visiting import plain, unclaimed

ROWS = b"id,ward,cost\n" + b"".join(
    b"%d,%s,%d\n" % (i, b"A" if i % 4 else b"B", i % 50) for i in range(2000)
)
WARDS = ByColumn("ward", ("A", "B"))
MEAN = BoundedMean("cost", 0, 50, WARDS)


@pytest.fixture
def ws():
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


def test_without_sizes_it_is_said_of_an_example(ws):
    assert size_of(ws) == EXAMPLE
    assert "each mean of 100 rows to within" in tiers_said(ws)


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
def test_typed_sizes_are_what_the_headline_speaks_of(ws, typed, rows, said, of):
    ws.plan.sizes[of] = typed  # each row is one person, so numbers of people will do
    assert f"will see {said} to within" in tiers_said(ws)
    near, unit = nearness(MEAN, ws.family, ws.planned()[0][0].budget, size_of(ws))
    assert near == pytest.approx(half(ws, rows) if rows > 1 else 25)
    assert unit.endswith(f"for {said}")


def test_sizes_of_people_say_nothing_of_rows_where_people_have_several(ws):
    ws.state(BoundedMean("cost", 0, 50, WARDS, Bounds("id", rows_per_group=5)))
    ws.plan.sizes["people"] = "400"
    assert size_of(ws) == EXAMPLE
    ws.plan.sizes["rows"] = "north: 4"  # of other groups
    assert size_of(ws) == EXAMPLE


def test_a_released_count_of_the_same_groups_is_spoken_of(ws):
    ws.state(Count(ByColumn("ward", ("B", "A"))))
    ws.draw("audit")
    ws.state(MEAN)
    assert size_of(ws) == EXAMPLE, "other groups"
    ws.state(Count(WARDS, total=True))
    ws.draw("public", "audit")
    least = float(np.min(ws.round.mechanism.held[min(ws.round.mechanism.held)][:2]))
    ws.state(MEAN)
    assert size_of(ws).rows == np.floor(least)
    assert abs(least - 500) < 50
    assert f"each mean of at least {np.floor(least):.0f} rows to within" in tiers_said(ws)
    ws.plan.sizes["rows"] = "300"
    assert size_of(ws).rows == 300, "what is typed goes first"


def test_the_means_that_were_released_have_numbers_of_rows_themselves(ws):
    ws.draw("audit")
    sums = ws.held[0].values * MEAN.step
    assert size_of(ws).rows == np.floor(sums[2:].min())
    ws.state(BoundedSum("cost", 0, 50, WARDS))
    assert (size_of(ws), what_is_near(ws.statistic.query)) == (EXAMPLE, "each number")


def test_a_report_and_a_tier_hear_of_no_sharper_release(ws):
    ws.draw("audit", "public")
    sharp, rough = (ws.held[i].values[2:].min() * MEAN.step for i in (1, 0))
    assert np.floor(sharp) != np.floor(rough)
    said = plain(one_tier(ws, "public").sentence.text)
    assert f"sees each mean of at least {np.floor(rough):.0f} rows" in said
    assert typed_size(ws) == EXAMPLE
    report = report_of(ws, today())
    assert "each mean of 100 rows" in plain(report)
    assert f"{np.floor(sharp):.0f} rows" not in plain(report)


def test_a_group_is_never_smaller_than_a_row():
    assert Size.about(-3.2, least=False, why="released").of("rows") == "1 row"
