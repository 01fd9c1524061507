"""The page Sparse histograms: every number again over a grid of settings, and what pictures show.

Phantoms by the normal law of one item times all items; what releases hold by sets of items.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.charts.sparse import ITEMS, named_rows
from dpviz.data import long_tail
from dpviz.errors import ParameterError
from dpviz.palette import TierStyle
from dpviz.scenes import sparse_histograms as scenes
from dpviz.scenes.sparse_histograms import HIDDEN, PHANTOM, SEEN, largest_items, ten_items
from dpviz.ui import sparse_histograms as page
from dpviz.ui.kit import bound_controls
from dpviz.ui.kit.code import recipe_code
from dpviz.workspace.sparse import ItemTier
from dpviz.workspace.structured import for_all_tiers
from dpviz.workspace.takeaways import counted_with
from dpviz.workspace.workspace import Workspace
from tests.claim_settings import MOST_GROUPS, RELATIONS, workspace_of
from tests.figure_frames import HOSTILE, check_harmless, texts
from tests.visiting import check_words, numbers_of, plain

LOOK = {"style": TierStyle(2, 0), "noun": "people"}
NOISE = ("gaussian", "teaching")
PLAN = (("public", "0.5"), ("partners", "1"), ("audit", "4"))
WARDS = {"sparse_source": page.OWN, "sparse_column": "ward", "sparse_longest": 2}


def tier(name, found, values, threshold=10.0, level=25.0):
    released = None if found is None else (np.array(found), np.array(values, dtype=float))
    return ItemTier(
        planned=for_all_tiers(name, level, Fraction(1), 0.0),
        style=TierStyle(2, 0),
        threshold=threshold,
        phantoms=1.0,
        released=released,
    )


def names(indices):
    return [f"item {i}" for i in indices]


TIERS = [
    tier("waiting", None, None),
    tier("public", [7, 1000], [48.0, 11.5]),
    tier("audit", [7, 40, 99], [50.5, 10.5, 19.0], level=1.0),
]


def test_own_items_come_from_released_numbers_alone():
    frame = largest_items(TIERS, names, 3)
    assert frame["group"].drop_duplicates().tolist() == ["item 7", "item 99", "item 1000"]
    assert set(frame["value"].dropna()) == {48.0, 11.5, 50.5, 19.0}
    assert frame["tier"].drop_duplicates().tolist() == ["audit", "public"]
    assert frame["value"].isna().sum() == 2  # hidden: public's item 99, audit's item 1000
    audit = frame[frame["tier"] == "audit"].iloc[0]
    assert audit["high"] - audit["value"] == pytest.approx(1.959964, abs=1e-5)
    assert largest_items(TIERS[:1], names, 20).empty


def test_the_made_up_tail_is_zipf_and_nobody_twice():
    indices, counts = long_tail(1000, 2000, 10**9, rng=streams.teaching(7))
    assert len(set(indices.tolist())) == 1000
    assert counts[[0, 1, 9, 999]].tolist() == [2000, 1000, 200, 2]
    assert 0 <= indices.min() <= indices.max() < 10**9
    full, _ = long_tail(5, 9, 5, rng=streams.teaching(7))
    assert sorted(full.tolist()) == [0, 1, 2, 3, 4]
    for bad in ((6, 9, 5), (9, 5, 10), (0, 5, 10)):
        with pytest.raises(ParameterError):
            long_tail(*bad, rng=streams.teaching(7))


def test_named_rows_are_seen_hidden_and_phantoms():
    indices = np.arange(100, 160)
    counts = np.maximum(60 - np.arange(60), 1)
    seen = np.arange(100, 150)
    one = tier("a", [*seen, 5, 6, 7], [*(60.5 - np.arange(50)), 12.0, 11.0, 10.5], threshold=10.0)
    frame = ten_items(one, (indices, counts), names)
    assert frame["kind"].tolist() == [SEEN] * 4 + [HIDDEN] * 4 + [PHANTOM] * 2
    assert frame["item"].iloc[[0, 3, 4, 7]].tolist() == [
        f"item {i}"
        for i in (100, 149, 150, 159)  # the most common and the rarest of each kind
    ]
    assert frame["item"].iloc[8:].tolist() == ["item 5", "item 6"]  # the largest
    hidden = frame[frame["kind"] == HIDDEN]
    assert hidden["value"].isna().all()
    assert hidden["count"].tolist() == [10, 7, 4, 1]
    made = named_rows(frame, threshold=10.0, **LOOK)
    assert list(made.figure.layout.yaxis.ticktext) == frame["item"].tolist()
    by_name = {t.name: t for t in made.figure.data}
    assert list(by_name["in truth"].x) == frame["count"][:8].tolist()
    assert list(by_name["published"].x) == frame["value"][:4].tolist()
    assert list(by_name["published of a phantom"].x) == [12.0, 11.0]
    said = [f"{SEEN}: <b>{v}</b>" for v in ("60.5", "44.5", "27.5", "11.5")]
    said += [HIDDEN] * 4 + [f"{PHANTOM}: <b>{v}</b>" for v in (12, 11)]
    assert texts(made.figure)[:11] == ["shown beyond 10", *said]
    (line,) = made.figure.layout.shapes
    assert (line.x0, line.x1) == (10.0, 10.0)
    assert made.alt.endswith("Phantom: item 5 and item 6.")


def test_named_rows_without_phantoms_or_without_anything_seen():
    truth = np.array([3, 4]), np.array([9, 2])
    none = ten_items(tier("a", [], []), truth, names)
    assert none["kind"].tolist() == [HIDDEN, HIDDEN]
    assert list(none.columns) == list(ITEMS)
    assert texts(named_rows(none, threshold=10.0, **LOOK).figure)[1:3] == [HIDDEN, HIDDEN]
    both = ten_items(tier("a", [3, 4], [11.0, 12.0]), truth, names)
    assert both["kind"].tolist() == [SEEN, SEEN]
    with pytest.raises(ParameterError):
        named_rows(none.drop(columns="count"), threshold=1.0, **LOOK)


def test_names_of_items_never_run_as_markup():
    frame = ten_items(tier("a", [3], [11.0]), (np.array([3]), np.array([9])), lambda _: HOSTILE[:1])
    check_harmless(named_rows(frame, threshold=10.0, **LOOK).figure)


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
