"""Every number that the page Top-k claims, computed again over a grid of settings.

What a list costs by a search over Rényi orders, where it can end by its formula; what was found by
sets of items.
"""

import itertools
import math
from fractions import Fraction

import pytest
from scipy import optimize, stats

from dpviz.errors import ParameterError
from dpviz.scenes.top_k import BEST, Settings, chosen
from dpviz.top_k import Reach
from dpviz.top_k.choice import HISTOGRAM, TRUNCATED
from dpviz.ui import top_k as page
from dpviz.ui.kit import bound_controls
from tests.claim_settings import MOST_GROUPS, RELATIONS, in_quick, workspace_of
from tests.visiting import check_words

NOISE = ("gaussian", "teaching")
GRID = list(
    itertools.product((page.PRIVATE, page.PUBLIC), ("", "3", "40"), ("1", "0.3"), ("10", "4"))
)


def renyi(rho, log_delta):
    """ε of ρ-zCDP at a δ: the least over all orders."""

    def at(log_more):
        order = 1 + math.exp(log_more)
        more = (-log_delta - math.log(order)) / (order - 1) + math.log1p(-1 / order)
        return rho * order + more

    found = optimize.minimize_scalar(at, bounds=(-12, 12), method="bounded")
    return max(0.0, float(found.fun))


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
    found = renyi(rho, log_delta)
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
