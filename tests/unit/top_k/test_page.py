"""The page Top-k: frames against literal lists, figures, words, and every number over a grid again.

What a list costs by a search over Rényi orders, where it can end by its formula; what was found by
sets of items.
"""

import io
import itertools
import math
from contextlib import redirect_stdout
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from dpviz.charts.top_k import two_rankings
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from dpviz.palette import TierStyle
from dpviz.scenes import top_k as scenes
from dpviz.scenes.top_k import BEST, CITIES, SEED, Settings, TopList, chosen
from dpviz.top_k import Reach, fit_in_order
from dpviz.top_k.choice import HISTOGRAM, TRUNCATED
from dpviz.ui import top_k as page
from dpviz.ui.kit import bound_controls
from dpviz.ui.kit.code import recipe_code
from dpviz.workspace.held import HeldTier
from tests.claim_settings import MOST_GROUPS, RELATIONS, in_quick, workspace_of
from tests.conftest import for_each
from tests.figure_frames import HOSTILE, check_harmless, texts
from tests.oracles_accounting import zcdp_epsilon
from tests.visiting import check_words

COUNTS = {"a": 50, "b": 40, "c": 30, "d": 30, "e": 1}
FOUND = ["b", "a", "e"]
NOISE = ("gaussian", "teaching")
GRID = list(
    itertools.product((page.PRIVATE, page.PUBLIC), ("", "3", "40"), ("1", "0.3"), ("10", "4"))
)


def asked(k=10, epsilon=1, l0=None, known=False):
    return Settings(
        k=k, epsilon=Fraction(epsilon), delta=Fraction(1, 10**6), reach=Reach(l0=l0), known=known
    )


def best_and_choice(what, name=None):
    best = what.choose()
    return best, best.named(name) if name else best


def scene(what=None, name=None, counts=CITIES, **other):
    what = what or asked()
    best, choice = best_and_choice(what, name)
    made = {
        "things": "destinations",
        "thing": "destination",
        "noun": "people",
        "settings": what,
        "best": best,
        "choice": choice,
        "drawn": scenes.draw(counts or CITIES, what, choice, 0),
        "counts": counts,
    }
    return TopList(**made | other)


def test_both_rankings_in_one_frame():
    values = np.array([41.5, 47.5, 3.0])
    frame = scenes.rankings(FOUND, values, COUNTS, 3).set_index(scenes.ITEM)
    assert frame[scenes.FATE].to_dict() == {
        "a": scenes.FOUND,
        "b": scenes.FOUND,
        "c": scenes.MISSED,
        "e": scenes.WRONG,
    }
    assert frame[scenes.TRUE_PLACE].to_dict() == {"a": 1, "b": 2, "c": 3, "e": 5}
    assert frame.loc["e", scenes.PLACE] == 3
    assert math.isnan(frame.loc["c", scenes.PLACE])
    fitted = frame.loc[FOUND, scenes.FITTED].to_numpy()
    np.testing.assert_allclose(fitted, fit_in_order(values))


def test_without_counts_or_without_a_list():
    hidden = scenes.rankings(FOUND, None, None, 3)
    assert set(hidden[scenes.FATE]) == {scenes.LISTED}
    assert hidden[[scenes.TRUE_PLACE, scenes.COUNT]].isna().all(axis=None)
    undrawn = scenes.rankings(None, None, COUNTS, 3)
    assert set(undrawn[scenes.FATE]) == {scenes.TRUE}
    assert scenes.rankings(None, None, None, 3).empty
    with pytest.raises(ParameterError, match="as many"):
        scenes.rankings(FOUND, np.zeros(2), COUNTS, 3)
    for some in (hidden, undrawn):
        assert two_rankings(some, k=3, noun="people").layout.height > 100


def test_an_item_that_is_in_no_count_is_wrong():
    frame = scenes.rankings(["z"], None, COUNTS, 2)
    assert frame.set_index(scenes.ITEM)[scenes.FATE]["z"] == scenes.WRONG


def test_the_picture_says_what_is_missed_and_what_is_wrong():
    frame = scenes.rankings(FOUND, np.array([41.5, 47.5, 3.0]), COUNTS, 3)
    fig = two_rankings(frame, k=3, noun="people")
    said = " ".join(texts(fig))
    assert "missing: c" in said
    assert "e <b>3</b>, truly " in said
    assert {"b <b>44</b>", "a <b>44</b>"} <= {*texts(fig)}  # the fit to the order of the list
    by_name = {}
    for trace in fig.data:
        by_name.setdefault(trace.name, []).append(trace)
    assert by_name["the same item"][0].y[:2].tolist() == [1, 2]  # a: true place, place on the list
    assert {t.marker.symbol for t in by_name[scenes.MISSED]} == {"x"}
    assert {t.marker.symbol for t in by_name[scenes.WRONG]} == {"diamond-open"}
    assert [t.x.tolist() for t in by_name[scenes.WRONG]] == [[1.0]]


def test_hostile_names_are_text():
    counts = {name: 9 + place for place, name in enumerate(HOSTILE)}
    frame = scenes.rankings(HOSTILE[:4], np.arange(4.0), counts, 5)
    fig = two_rankings(frame, k=5, noun="people")
    check_harmless(fig)
    assert "\u202e" not in " ".join(texts(fig))


def test_tiers_hold_their_intervals_around_the_middle_of_their_noise():
    family = FAMILIES["poisson"]
    tier = HeldTier(
        name="a", level=4.0, letter="ε", loss=1.0, style=TierStyle(2, 0), values=np.array([14, 9])
    )
    frame = scenes.tiers_frame(["x", "y"], [tier], family)
    assert frame["value"].tolist() == [14 - family.mean(4.0), 9 - family.mean(4.0)]
    assert (frame["high"] - frame["value"] == frame["value"] - frame["low"]).all()


MECHANISMS = [
    (asked(), None),
    (asked(l0=3), None),
    (asked(l0=3), "Gumbel list that can end"),
    (asked(known=True), None),
    (asked(known=True, l0=3), None),
]


@for_each(("what", "name"), MECHANISMS)
def test_each_mechanism_has_its_list_words_and_code(what, name):
    one = scene(what, name)
    missed, _ = one.outcomes
    assert missed == len(set(sorted(CITIES, key=lambda c: -CITIES[c])[:10]) - {*one.drawn.items})
    assert one.list_cost.value <= 1 + 1e-12
    assert "Here $k$ = 10" in page.formula(one)
    names = {}
    with redirect_stdout(io.StringIO()):
        exec(recipe_code(scenes.listed, **page.arguments(one)), names)
    items, (values,), _ = names["numbers"]
    assert tuple(items) == one.drawn.items
    np.testing.assert_array_equal(values, one.drawn.values)


def test_a_list_that_ends_at_once_says_what_would_help():
    one = scene(asked(epsilon=Fraction(1, 10)))
    assert one.drawn.items == ()
    assert page.headline(one).text.startswith("Not at this budget: the list ended before its first")


def test_a_hidden_list_says_nothing_of_the_truth():
    hidden = scene(drawn=scene().drawn, counts=None)
    said = page.headline(hidden)
    assert "what it misses stays hidden" in said.text
    assert [claim.kind for claim in said.claims] == ["at most"]  # what it cost
    made = page.picture(hidden)
    assert "hidden" in made.alt
    assert not any("true top" in text for text in texts(made.figure))
    assert {x for t in made.figure.data[1:] for x in t.x} == {0.0}  # it stands alone
    undrawn = page.headline(replace(hidden, drawn=None)).text
    assert undrawn.startswith("Not yet: no list has been drawn")
    assert "325" in undrawn


def test_the_first_list_is_that_of_its_seed():
    one = scene()
    again = scenes.draw(CITIES, one.settings, one.choice, 0)
    assert (again.items, SEED) == (one.drawn.items, 5)
    assert scenes.draw(CITIES, one.settings, one.choice, 1).items != one.drawn.items


def test_where_there_are_fewer_items_than_asked_for_only_they_can_be_missed():
    few = {"a": 900, "b": 800, "c": 2}
    what = asked()
    best, choice = best_and_choice(what)
    one = scene(what, counts=few, drawn=scenes.draw(few, what, choice, 0), best=best)
    assert (one.k, one.true_k) == (10, 3)
    assert page.headline(one).text.startswith("Yes. This list names two of the true three. A guess")
    fig = two_rankings(one.frame, k=10, noun="people")
    assert "true top 3" in " ".join(texts(fig))


def test_neighbours_that_the_fit_made_equal_are_noticed():
    frame = scenes.rankings(["a", "b", "c"], np.array([9.0, 4.0, 6.0]), None, 3)
    assert scenes.averaged(frame)
    assert frame.loc[1, scenes.FITTED] == frame.loc[2, scenes.FITTED] == 5
    kept = scenes.rankings(["a", "b", "c"], np.array([9.0, 6.0, 6.0]), None, 3)
    assert not scenes.averaged(kept)
    assert not scenes.averaged(scenes.rankings(["a", "b"], None, None, 2))


def check_cost(shown, value):
    """What is said to be lost is not less than the law of the draws, nor much more."""
    choice, asked = shown.choice, shown.settings
    if choice.mechanism == HISTOGRAM:
        assert value == float(asked.epsilon)
        return
    if choice.mechanism == TRUNCATED:
        rho = asked.reach.l0 * asked.reach.linf**2 / (2 * choice.scale**2)
        log_delta = asked.log_delta - math.log(2)
    else:
        ways = 2 if asked.reach.both_ways else 1
        rho = shown.k * (ways * asked.reach.linf / choice.scale) ** 2 / 8
        log_delta = asked.log_delta - math.log(2 if asked.known else 4)
    found = max(0.0, float(zcdp_epsilon(rho, log_delta)))
    if choice.step is not None:
        found = min(found, shown.k * float(choice.step))
    assert found * (1 - 1e-9) <= value <= found * 1.001
    assert value <= float(asked.epsilon / (1 if shown.in_one else 2)) * (1 + 1e-12)


def check_threshold(shown, value):
    """Where a list can end, and where truncated noise is cut."""
    choice, asked, reach = shown.choice, shown.settings, shown.settings.reach
    if choice.mechanism == TRUNCATED:
        each = math.exp(asked.log_delta) / 2 / reach.l0
        normal = stats.norm(scale=choice.scale)
        cut = value - reach.linf
        beyond = normal.sf(cut - reach.linf) - normal.sf(cut)
        assert beyond / (1 - 2 * normal.sf(cut)) == pytest.approx(each, rel=1e-6)
        return
    most = min(reach.l0 or 1000, 1000)
    log = math.log(most) - asked.log_delta + math.log(4)
    assert value == pytest.approx(reach.linf * (1 + log / float(choice.step)))


def come(ws):
    """The list of somebody who has answered."""
    return page.settings(ws, page.fine(ws))


def said(shown):
    """The claims of a headline whose numbers are all claimed, and its text."""
    told = page.headline(shown)
    check_words(told.text, told.claims, "1,000")
    check_cost(shown, shown.list_cost.value)
    if shown.choice.threshold is not None:
        check_threshold(shown, shown.choice.threshold)
    return {claim.what: claim.value for claim in told.claims}, told.text


def check_found(shown, found):
    """What a list has right and what is wrong, by sets."""
    top = {*sorted(shown.counts, key=lambda item: (-shown.counts[item], item))[: shown.true_k]}
    listed = {*shown.drawn.items}
    assert shown.outcomes == (len(top - listed), len(listed - top))
    order = sorted(shown.counts, key=lambda item: (-shown.counts[item], item))
    pairs = zip(order[: shown.true_k], shown.drawn.items, strict=False)
    assert shown.in_place == sum(true == drawn for true, drawn in pairs)
    if top - listed:
        assert found["items that this list has right"] == len(top & listed)


@pytest.mark.parametrize(("domain", "limit", "epsilon", "k"), in_quick(GRID, 3))
def test_the_example(visit, domain, limit, epsilon, k):
    answers = {"topk_domain": domain, "topk_l0": limit}
    visit.come(**answers, topk_epsilon=epsilon, topk_k_10=k)
    shown = come(workspace_of(NOISE, "add/remove", 1, "count"))
    found, _ = said(shown)
    if shown.drawn.items:
        check_found(shown, found)


@pytest.mark.parametrize("relation", RELATIONS)
@pytest.mark.parametrize("groups", MOST_GROUPS)
@pytest.mark.parametrize("domain", [page.PRIVATE, page.PUBLIC])
def test_a_column_of_the_visitors(visit, relation, groups, domain):
    """Before the list is drawn, after it, and with the truth revealed; by every mechanism."""
    who = {"unit_": bound_controls.COLUMN, "person_": "who", "l0_": str(groups)}
    answers = who | {"relation_": relation, "topk_source": page.OWN, "topk_domain": domain}
    answers |= {"topk_column": "ward", "topk_epsilon": "20"}
    ws = workspace_of(NOISE, relation, groups, "count")
    visit.come(**answers)
    best = come(ws).best
    for choice in (best, *best.others):
        name = BEST if choice is best else choice.mechanism
        asked = answers | {"topk_mechanism": name}
        visit.come(**asked)
        shown = come(ws)
        assert shown.settings.reach.l0 == groups * (2 if relation == "replace" else 1)
        _, text = said(shown)
        assert text.startswith("Not yet")
        if shown.own.listing is None:
            continue
        shown.own.listing.draw(ws, sure=True)
        visit.come(**asked)
        shown = come(ws)
        _, text = said(shown)
        assert "right" not in text
        visit.come(**asked, topk_reveal=True)
        shown = come(ws)
        found, text = said(shown)
        if shown.drawn.items:
            check_found(shown, found)


def test_a_mechanism_that_does_not_fit_is_refused_with_one_that_does():
    settings = Settings(
        k=5, epsilon=Fraction(1), delta=Fraction(1, 10**6), reach=Reach(l0=5), known=True
    )
    best, used = chosen(settings, BEST)
    assert used == best
    for other in best.others:
        assert chosen(settings, other.mechanism)[1].mechanism == other.mechanism
    with pytest.raises(ParameterError, match=f"another way to draw, such as {best.mechanism}"):
        chosen(settings, "a coin")
