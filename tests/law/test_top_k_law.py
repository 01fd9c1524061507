"""The laws of top-k: ordered lists, lists that grow, the counts on them for every order of tiers.

Lists are counted, all of them, and compared with Plackett and Luce; the same question finds out
noise that is a tenth too wide or too narrow, and a list that is drawn afresh when it grows.
"""

from collections import Counter
from fractions import Fraction
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.noise import FAMILIES
from dpviz.top_k import Reach, TopK, UnknownDomain, draws, ranking, truncation
from dpviz.top_k.draws import by_gumbel
from dpviz.top_k.truncated import truncated_noise
from tests import oracles_top_k
from tests.conftest import FULL, few, full_run
from tests.law.specimens import FlippedBridge, IndependentBridge
from tests.oracles_top_k import END
from tests.statistical import CELL, DRAWS, LEVEL, MISS, broken_promises, kolmogorov_pvalue

SCORES = dict(enumerate((7.0, 4.0, 1.0, 0.0)))
SCALE = 2.0
COUNTS = {"a": 9, "b": 7, "c": 4, "d": 1}
ASKED = {"epsilon": 0.5, "reach": Reach(linf=1, l0=2)}
FEW = 5000 if FULL else 1500
LEVELS = (1.0, 2.2, 6.0)
ORDERS = list(permutations(LEVELS))
BRIDGING = [order for order in ORDERS if list(order) != sorted(order)]
NAMES = ("gaussian", "laplace", "discrete_laplace") if FULL else ("laplace",)


def list_pvalue(seen, law):
    """Chi-square test over all lists; those that are rarely expected are one cell."""
    n = sum(seen.values())
    common = {o for o, p in law.items() if p * n >= CELL}
    want = [law[o] * n for o in common]
    had = [seen[o] for o in common]
    want, had = [*want, n - sum(want)], [*had, n - sum(had)]
    if want[-1] < 1:  # what is left is next to impossible
        return 0.0 if had[-1] > CELL else list_pvalue_of(had[:-1], want[:-1])
    return list_pvalue_of(had, want)


def list_pvalue_of(had, want):
    had, want = np.array(had), np.array(want)
    return float(stats.chi2.sf(((had - want) ** 2 / want).sum(), len(had) - 1))


def test_ordered_lists_follow_plackett_and_luce(seed):
    rng, scores = streams.teaching(seed), np.array([*SCORES.values()])
    seen = Counter(tuple(by_gumbel(scores, SCALE, 3, rng=rng)) for _ in range(DRAWS))
    assert list_pvalue(seen, oracles_top_k.lists(SCORES, SCALE, 3)) > LEVEL
    for factor in (1 + MISS, 1 - MISS):
        assert list_pvalue(seen, oracles_top_k.lists(SCORES, SCALE * factor, 3)) < LEVEL


EXACT_DRAWS = 5000 if FULL else 3000
OFF = [Fraction(9, 10), Fraction(7, 10), Fraction(11, 10)]
# "a" comes first; then "b" as often as all others together, so that the second pick tells its rate
STEEP = {"a": 16, "b": 8, **{f"c{n}": 0 for n in range(60)}}


def slower(factor):
    """The exact sampler, but for its rate from the second pick on."""

    def picks(scores, rate, count, *, rng):
        first = draws.exactly(scores, rate, min(count, 1), rng=rng)
        left = [place for place in range(len(scores)) if place not in first]
        rest = draws.exactly([scores[p] for p in left], rate * factor, count - len(first), rng=rng)
        return [*first, *(left[place] for place in rest)]

    return picks


def hardened_lists(seed, monkeypatch, sampler=draws.exactly):
    """How often each list came in hardened mode, whose bits come from a seed here."""
    monkeypatch.setattr(ranking.streams, "mode_of", lambda _: "hardened")
    monkeypatch.setattr(ranking, "exactly", sampler)
    rng = streams.teaching(seed)
    tops = (TopK(STEEP, **ASKED, rng=rng) for _ in range(EXACT_DRAWS))
    return Counter(by_letters(top.rank(2).items) for top in tops)


def by_letters(items):
    return "".join(item[0] for item in items)


def law_by_letters(scale=SCALE):
    law = Counter()
    for items, chance in oracles_top_k.lists(STEEP, scale, 2).items():
        law[by_letters(items)] += chance
    return law


def test_lists_of_hardened_mode_follow_plackett_and_luce(seed, monkeypatch):
    seen = hardened_lists(seed, monkeypatch)
    assert list_pvalue(seen, law_by_letters()) > LEVEL
    for factor in (1 + MISS, 1 - MISS):
        assert list_pvalue(seen, law_by_letters(SCALE * factor)) < LEVEL


@full_run
@pytest.mark.parametrize("factor", OFF, ids=str)
def test_a_second_pick_at_another_rate_is_found_out(factor, seed, monkeypatch):
    seen = hardened_lists(seed, monkeypatch, slower(factor))
    assert list_pvalue(seen, law_by_letters()) < LEVEL


def grown(seed, steps, *, unknown=None):
    """How often each list came, asked for in these lengths; ⊥ ends it."""
    seen, rng = Counter(), streams.teaching(seed)
    for _ in range(FEW):
        top = TopK(COUNTS, **ASKED, unknown=unknown, rng=rng)
        for k in steps:
            found = top.rank(k)
        seen[(*found.items, END) if found.ended else found.items] += 1
    return seen


@pytest.mark.parametrize("steps", few([(1, 2, 3), (3,)], 2), ids=str)
def test_a_list_that_grows_has_the_law_of_one_that_was_asked_for_at_once(steps, seed):
    law = oracles_top_k.lists(COUNTS, 2.0, 3)
    assert list_pvalue(grown(seed, steps), law) > LEVEL


def test_a_list_that_can_end_has_the_law_that_is_written_down(seed):
    unknown = UnknownDomain(seen=3, log_delta=np.log(0.3))
    law = oracles_top_k.lists_that_can_end(COUNTS, 3, epsilon=0.5, linf=1, l0=2, seen=3, delta=0.3)
    seen = grown(seed, (1, 3), unknown=unknown)
    assert list_pvalue(seen, law) > LEVEL
    near = oracles_top_k.lists_that_can_end(
        COUNTS, 3, epsilon=0.5, linf=1, l0=None, seen=4, delta=0.3
    )
    assert list_pvalue(seen, near) < LEVEL


def test_a_list_drawn_afresh_when_it_grows_is_found_out(seed):
    """The first two of one draw, the third of another: an item may come twice, or too often."""
    rng, scores = streams.teaching(seed), np.array([*COUNTS.values()], dtype=float)
    seen = Counter()
    for _ in range(FEW):
        first = by_gumbel(scores, 2.0, 2, rng=rng)
        seen[(*first, by_gumbel(scores, 2.0, 3, rng=rng)[2])] += 1
    assert list_pvalue(seen, oracles_top_k.lists(dict(enumerate(scores)), 2.0, 3)) < LEVEL


def counted(family, order, seed):
    """Noise of the counts on one long list, tiers asked for in this order."""
    counts = dict(enumerate((np.arange(DRAWS) % 7).tolist()))
    top = TopK(counts, epsilon=0.5, reach=Reach(), rng=streams.teaching(seed, 1))
    items = top.rank(DRAWS).items
    exact = np.array([counts[item] for item in items])
    session = top.values(family, rng=streams.teaching(seed, 2, ORDERS.index(order)))
    for level in order:
        session.release(level)
    noise = np.array([session.release(level) - exact for level in LEVELS])
    return noise if family.integer else noise.round(11)  # sums of floats are rounded


@pytest.mark.parametrize("order", few(ORDERS[::-1], 6), ids=str)
@pytest.mark.parametrize("name", NAMES)
def test_joint_law_of_the_counts_in_every_order(name, order, seed):
    family = FAMILIES[name]
    assert broken_promises(family, LEVELS, counted(family, order, seed)) == []


@pytest.mark.parametrize("order", BRIDGING if FULL else BRIDGING[:1], ids=str)
@pytest.mark.parametrize("specimen", [FlippedBridge, IndependentBridge])
def test_broken_tiers_are_found_out(specimen, order, seed):
    family = specimen(FAMILIES["laplace"])
    assert broken_promises(family, LEVELS, counted(family, order, seed))


@pytest.mark.parametrize("log_delta", [-0.3, -3.0, -20.0])
def test_truncated_noise_has_its_law(log_delta, seed):
    cut = truncation(3.0, 2.0, log_delta)
    noise = truncated_noise(3.0, cut, DRAWS, rng=streams.teaching(seed))
    assert np.abs(noise).max() <= cut
    assert kolmogorov_pvalue(noise, oracles_top_k.truncated_cdf(3.0, cut)) > LEVEL
    for factor in (1 + MISS, 1 - MISS):
        law = oracles_top_k.truncated_cdf(3.0 * factor, cut * factor)
        assert kolmogorov_pvalue(noise, law) < LEVEL
