"""Every number of the page Data by another way, and its sentences; hostile names stay text."""

from itertools import product

import numpy as np
import pytest

from dpviz.accounting import half_width
from dpviz.data import read_csv
from dpviz.queries import (
    BoundedMean,
    BoundedSum,
    Bounds,
    ByColumn,
    ByTwoColumns,
    Count,
    Everybody,
    KeptRows,
)
from dpviz.scenes import data as scenes
from dpviz.scenes.data import COST, INFLUENCE, influence
from dpviz.ui.data import page
from dpviz.ui.kit.code import recipe_code
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.workspace import Workspace
from tests.claim_settings import FIRST, HEAD, NOISE, OTHERS, OWN, WARDS, workspace_of
from tests.conftest import few, for_each
from tests.unit.words.test_sentences import BAD
from tests.visiting import numbers_of, plain

BY = ByColumn("place", ("north", "south", "east"))
WARD = ByColumn("ward", ("A", "B", "C"))
TABLE = read_csv(b"ward,n\nA,1\nB,2\n", name="x.csv")
REPLACE = Bounds(relation="replace")
OTHER = "".join(f"x,{ward},3\n" for ward in WARDS[6:])


def bounded_queries():
    """Queries of every kind with bounds on a person, for both relations."""
    for relation, groups, rows in product(("add/remove", "replace"), (1, 2, 3), (1, 2)):
        bounds = Bounds("who", groups, rows, relation)
        yield Count(BY, bounds)
        yield BoundedSum("euros", -8, 24, by=BY, bounds=bounds, step=0.125)
        yield BoundedSum("euros", 16, 24, by=BY, bounds=bounds)
        yield BoundedMean("euros", 0, 50, by=BY, bounds=bounds)
        if relation == "add/remove":
            yield Count(BY, bounds, total=True)
        if groups == 1:
            yield Count(Everybody(), bounds)
            yield BoundedSum("euros", -8, 24, bounds=bounds)


@for_each("query", few(bounded_queries(), 3))
def test_the_picture_of_one_person_attains_the_sensitivity(query):
    frame, norms = influence(query), query.sensitivity
    assert tuple(frame.columns) == INFLUENCE
    assert list(frame["group"]) == list(query.entries)
    moved = frame["change"].to_numpy() / query.step
    assert np.abs(moved).sum() == pytest.approx(norms.l1)
    assert np.abs(moved).max() <= norms.linf * (1 + 1e-12)
    assert np.linalg.norm(moved) <= norms.l2 * (1 + 1e-12)
    assert np.count_nonzero(moved) <= norms.l0


def test_a_total_moves_by_what_its_groups_move():
    for relation, changes in (("add/remove", [1, 1, 0, 2]), ("replace", [-1, 1, 1, 1])):
        query = Count(BY, Bounds("who", 2, 1, relation), total=True)
        assert influence(query)["change"].tolist() == changes


def test_replacing_one_person_moves_one_group_up_and_another_down():
    bounds = Bounds("who", 1, 1, "replace")
    assert influence(Count(BY, bounds))["change"].tolist() == [-1, 1, 0]
    mean = influence(BoundedMean("euros", 0, 50, by=BY, bounds=bounds))
    assert mean["change"].tolist() == [-1, 1, 0, -1, 1, 0]


@pytest.mark.parametrize(
    ("noise", "relation", "groups", "query"), few([g for g in OWN if g[0] == NOISE[0]], 5)
)
def test_what_one_person_moves(noise, relation, groups, query):
    """The most that a table shows: a person with many rows goes, or comes for another one."""
    ws = workspace_of(noise, relation, groups, query)
    query = ws.statistic.query
    scene = scenes.publication(ws, ws.statistic)
    claims = {claim.what: claim.value for claim in page.headline(scene).claims}
    less, more = OTHERS, OTHERS + FIRST
    if relation == "replace":
        less += OTHER
    without, with_them = (
        query.values(read_csv((HEAD + rows).encode(), name="x.csv")) for rows in (less, more)
    )
    moved = np.abs(with_them - without) * query.step
    assert claims["largest change of one number"] == moved.max()
    assert claims["how many numbers change"] == np.count_nonzero(moved)
    assert np.count_nonzero(moved) == groups * (2 if relation == "replace" else 1)
    assert claims["numbers that are published"] == len(query.labels)
    assert scene.noise.half == min(
        half_width(ws.family, tier.level, 0.95) * query.step for tier in ws.values_of_tiers
    )


def test_the_noise_is_shown_of_the_statistic_in_use_alone():
    ws = Workspace.fresh()
    other = Statistic(ws.table, Count(Everybody()), ws.loading)
    assert scenes.publication(ws, ws.statistic).in_use
    assert not scenes.publication(ws, ws.statistic, usable=False).in_use
    assert (scenes.publication(ws, other).noise, scenes.publication(ws, other).in_use) == (
        None,
        False,
    )


def test_what_the_bounds_cost_is_counted_in_the_table():
    table = read_csv(b"id,ward\n1,A\n1,B\n1,B\n2,B\n,A\n", name="visits")
    query = Count(ByColumn("ward", ("A", "B")), Bounds(person="id"))
    cost = scenes.bound_cost(Statistic(table, query, ""))
    assert cost.kept == KeptRows(rows=5, in_groups=4, after_groups=2, after_rows=2, clipped=0)
    assert tuple(cost.groups.columns) == COST
    assert cost.groups.to_numpy().tolist() == [["A", 1, 1, 0], ["B", 1, 2, -1]]
    empty = BoundedMean("id", 0, 5, ByColumn("ward", ("A", "Z")))
    assert np.isnan(scenes.bound_cost(Statistic(table, empty, "")).groups["difference"].iloc[1])


def test_the_recipe_makes_the_numbers_of_the_page():
    ws = Workspace.fresh()
    scene = scenes.publication(ws, ws.statistic)
    again = numbers_of(recipe_code(page.PAGE.recipe, **page.PAGE.arguments(scene)))
    assert again.equals(scene.influence)


def said(query, table=TABLE):
    ws = Workspace.fresh()
    ws.use(Statistic(table, query, ""))
    return page.headline(scenes.publication(ws, ws.statistic))


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        (
            Count(WARD, Bounds("n", 2)),
            "Three counts, each with noise added: the number of people per group of “ward”. "
            "One person can change two of them by at most 1 each.",
        ),
        (
            BoundedSum("n", 0, 50, bounds=REPLACE),
            "One number, with noise added: the sum of “n”, each row at most 50. "
            "Replacing one person can change it by at most 50 of “n”.",
        ),
        (
            BoundedMean("n", 0, 50, WARD),
            "Three numbers, each with noise added, made of 6 sums and numbers of rows: the mean of "
            "“n” per group of “ward”, each row at most 50. One person can change two of them by at "
            "most 1 each.",
        ),
    ],
)
def test_the_headline_says_what_is_published_and_what_one_person_changes(query, sentence):
    assert plain(said(query).text) == sentence


def test_a_mean_says_what_is_released_and_how_it_is_read():
    ws = Workspace.fresh()

    def formula(query):
        return page.formula(scenes.publication(ws, Statistic(TABLE, query, "")))

    mean = formula(BoundedMean("n", 20, 50, WARD))
    assert all(part in mean for part in ("from one budget", "$m=35$", "$h=15$"))
    assert "from one budget" not in formula(BoundedSum("n", 20, 50, WARD))


@for_each("name", few(BAD, 2))
def test_hostile_names_stay_literal_in_every_sentence(name):
    by = ByTwoColumns(ByColumn(f"{name} a", (name, "2")), ByColumn(f"{name} b", (name, "2")))
    ws = Workspace.fresh()
    ws.use_tiers([{"tier": name, "budget": "1", "as": "ρ", "note": ""}])
    for query in (
        BoundedSum(f"{name} n", 0, 5, by, Bounds(f"{name} p", 2)),
        BoundedMean(f"{name} n", 0, 5, by, Bounds(f"{name} p", 2)),
    ):
        ws.use(Statistic(TABLE, query, ""))
        scene = scenes.publication(ws, ws.statistic)
        headline = page.headline(scene)
        for text in (headline.text, headline.why, page.reading(scene), page.formula(scene)):
            assert name not in text
