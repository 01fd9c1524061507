"""Every number that the page Sparse histograms claims, computed again over a grid of settings.

Phantoms by the normal law of one item times all items; what releases hold by sets of items.
"""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz.scenes import sparse_histograms as scenes
from dpviz.ui import sparse_histograms as page
from dpviz.ui.kit import bound_controls
from dpviz.ui.kit.code import recipe_code
from dpviz.workspace.takeaways import counted_with
from dpviz.workspace.workspace import Workspace
from tests.claim_settings import MOST_GROUPS, RELATIONS, workspace_of
from tests.visiting import check_words, numbers_of, plain

NOISE = ("gaussian", "teaching")
PLAN = (("public", "0.5"), ("partners", "1"), ("audit", "4"))
WARDS = {"sparse_source": page.OWN, "sparse_column": "ward", "sparse_longest": 2}


def said(shown):
    """The claims of a headline whose numbers are all claimed."""
    told = page.headline(shown), page.beside(shown)[0]
    for each in told:
        check_words(each.text, each.claims)
    return {claim.what: claim.value for each in told for claim in each.claims}


def check_phantoms(shown, found, l2):
    """As many as pass the threshold if nobody has any item: at least as many as really do."""
    for tier in shown.drawn[-1:] or shown.tiers[:1]:
        passing = stats.norm.sf(tier.threshold * math.sqrt(2 * tier.rho) / l2)
        value = found[f"phantoms that {tier.name} sees on average"]
        assert value == pytest.approx(shown.size * passing, rel=1e-9)


def check_truth(shown, found):
    """True items and phantoms, by sets."""
    has = set(shown.truth[0].tolist())
    seen = {t.name: set(t.released[0].tolist()) for t in shown.drawn}
    name = shown.drawn[-1].name
    assert found["items in the table"] == len(has)
    assert found[f"of these, items that {name} sees"] == len(seen[name] & has)
    assert found[f"phantoms that {name} sees"] == len(seen[name] - has)
    ghosts = len(seen[name] - has)
    many = f", and {counted_with(ghosts, 'phantoms')}{' that ' if ghosts else '.'}"
    assert many in page.headline(shown).text


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("groups", MOST_GROUPS)
@pytest.mark.parametrize("amount", ["5", "0.03"])
def test_a_column_of_the_visitors(visit, relation, groups, amount):
    """Before anything is drawn, with one release and with all; hidden and revealed."""
    ws = workspace_of(NOISE, relation, groups, "count", PLAN)
    answers = WARDS | {"sparse_phantoms": amount} | bounds(relation, groups)
    l2 = math.sqrt(groups * (2 if relation == "replace" else 1))
    for draw in ((), ("partners",), ("public", "audit")):
        visit.come(**answers)
        shown = page.settings(ws)
        ws.record(shown.asking, *(t.planned for t in shown.tiers if t.name in draw))
        visit.come(**answers)
        shown = page.settings(ws)
        found = said(shown)
        assert shown.l2 == pytest.approx(l2)
        check_phantoms(shown, found, l2)
        if draw:
            tier = shown.drawn[-1]
            assert found[f"items that {tier.name} sees"] == tier.released[0].size
            assert "nothing tells which" in page.headline(shown).text
            visit.come(**answers, sparse_reveal=True)
            assert said(page.settings(ws)) == found


def bounds(relation, groups):
    """The fields of who is protected, as somebody fills them."""
    who = {"unit_": bound_controls.COLUMN, "person_": "who", "l0_": str(groups)}
    return who | {"relation_": relation}


def test_the_made_up_example(visit):
    """All tiers hold their releases, which share phantoms."""
    visit.come()
    shown = page.settings(workspace_of(NOISE, "add/remove", 1, "count", PLAN))
    assert len(shown.drawn) == len(PLAN)
    found = said(shown)
    check_phantoms(shown, found, 1.0)
    check_truth(shown, found)


def test_guesses_are_those_of_the_sharpest(visit):
    ws = workspace_of(NOISE, "add/remove", 1, "count", PLAN)
    visit.come()
    shown = page.settings(ws)
    told = page.beside(shown)[-1]
    check_words(told.text, told.claims, "1,000")
    right = 1000 * stats.norm.cdf(math.sqrt(2 * shown.drawn[-1].rho) / 2)
    assert f"at most {math.ceil(right)} times in 1,000" in plain(told.text)


def test_the_sample_shown_is_what_made_the_numbers(visit):
    ws = workspace_of(NOISE, "add/remove", 1, "count", PLAN)
    visit.come()
    shown = page.settings(ws)
    again = numbers_of(recipe_code(scenes.releases, **page.arguments(shown)))
    held = {t.rho: t.released for t in shown.tiers}
    for (rho, _), (cells, values) in zip(shown.rounds, again, strict=True):
        np.testing.assert_array_equal(cells, held[rho][0])
        np.testing.assert_array_equal(values, held[rho][1])


@pytest.mark.parametrize("allowed", ["0.01", "5", "1000"])
def test_the_hidden_values_of_the_town_are_those_below_the_line_of_the_draw_on_screen(allowed):
    shown = scenes.of_town(Workspace.fresh(), allowed)
    tier = shown.drawn[-1]
    cells, values = tier.released
    hidden = scenes.hidden_values(tier)
    assert set(hidden.index) == set(range(shown.size)) - set(cells.tolist())
    assert hidden.max() <= tier.threshold < values.min()
    frame = scenes.ten_items(tier, shown.truth, shown.names, hidden)
    below = frame[frame["kind"] == scenes.HIDDEN]
    assert below["value"].tolist() == [
        hidden[scenes.DIAGNOSES.index(name)] for name in below["item"]
    ]
