"""Every number that the page Sparse histograms claims, computed again over a grid of settings.

Phantoms by the normal law of one item times all items; what releases hold by sets of items.
"""

import math

import pytest
from scipy import stats

from dpviz.planning.cast import PEOPLE
from dpviz.ui.kit import bound_controls
from dpviz.ui.sparse_histograms import controls, words
from tests.claim_settings import MOST_GROUPS, RELATIONS, workspace_of
from tests.visiting import check_words, plain

NOISE = ("gaussian", "teaching")
PLAN = (("public", "0.5"), ("partners", "1"), ("audit", "4"))
WARDS = {"sparse_source": controls.OWN, "sparse_column": "ward", "sparse_longest": 2}


def said(shown):
    """The claims of a take-away whose numbers are all claimed."""
    claims = words.claims(shown)
    given = f"{words.size_words(shown.size)} {PEOPLE:,}"
    check_words(words.take_away(shown), claims, given)
    return {claim.what: claim.value for claim in claims}


def check_phantoms(shown, found, l2):
    """As many as pass the threshold if nobody has any item: at least as many as really do."""
    for tier in shown.drawn or shown.tiers[:1]:
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
    assert f", and {words.counted(ghosts) if ghosts else 'none'} that " in words.take_away(shown)
    assert (" hidden, because" in words.take_away(shown)) == (not has <= seen[name])


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
        controls.scene(ws).draw(*draw)
        visit.come(**answers)
        shown = controls.scene(ws)
        found = said(shown)
        assert shown.l2 == pytest.approx(l2)
        check_phantoms(shown, found, l2)
        if draw:
            for tier in shown.drawn:
                assert found[f"items that {tier.name} sees"] == tier.released[0].size
            assert "nothing there tells which" in words.take_away(shown)
            visit.come(**answers, sparse_reveal=True)
            check_truth(shown := controls.scene(ws), said(shown))


def bounds(relation, groups):
    """The fields of who is protected, as somebody fills them."""
    who = {"unit_": bound_controls.COLUMN, "person_": "who", "l0_": str(groups)}
    return who | {"relation_": relation}


def test_the_made_up_example(visit):
    """As it opens: the sharpest tier holds a release; then all do, which share phantoms."""
    for draw in (False, True):
        ws = workspace_of(NOISE, "add/remove", 1, "count", PLAN)
        visit.come()
        shown = controls.scene(ws)
        if draw:
            shown.draw(*(t.name for t in shown.tiers if t.released is None))
            shown = controls.scene(ws)
        found = said(shown)
        check_phantoms(shown, found, 1.0)
        check_truth(shown, found)


def test_guesses_are_those_of_the_two_ends(visit):
    ws = workspace_of(NOISE, "add/remove", 1, "count", PLAN)
    visit.come()
    shown = controls.scene(ws)
    for _ in range(2):
        those = shown.drawn or shown.tiers
        said = plain(words.guesses(shown))
        for tier in (those[-1], those[0]):
            right = 1000 * stats.norm.cdf(math.sqrt(2 * tier.rho) / 2)
            times = " times in 1,000" if tier is those[-1] else ""
            assert f"{right:.0f}{times} with what {tier.name} sees" in said
        assert "is right at most about" in said
        shown.draw(*(t.name for t in shown.tiers if t.released is None))
        shown = controls.scene(ws)
