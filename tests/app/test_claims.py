"""Every page says why its numbers are true; on the pages that explain, each is computed again.

Another way than the page's: closed forms, matrices, scipy's distributions, or draws.
"""

import importlib
import re

import numpy as np
import pytest
from scipy import stats
from scipy.optimize import brentq

from dpviz import streams
from dpviz.accounting import gaussian_log_delta
from dpviz.ui.kit import parts
from dpviz.ui.kit.page_table import PAGES
from dpviz.words.claims import Said
from tests.oracles_accounting_laplace import laplace_log_delta

HEAD = parts.head


@pytest.fixture
def said(open_page, monkeypatch):
    """What the head of a page says, and why."""
    heads = []

    def spy(file, takeaway, mode, badges=()):
        heads.append(takeaway if isinstance(takeaway, Said) else Said(takeaway))
        HEAD(file, takeaway, mode, badges)

    monkeypatch.setattr(parts, "head", spy)

    def of(file):
        app = open_page(file)
        assert app.header[0].help == (heads[-1].why or "")
        return heads[-1]

    return of


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.file)
def test_a_sentence_with_a_number_says_why(said, page):
    head = said(page.file)
    assert bool(head.claims) == bool(re.search(r"\d", head.text)), head.text


def values(head):
    return {claim.what: claim.value for claim in head.claims}


def test_laplace_or_gauss(said):
    """At ε = 1 and δ = 1e-6, one number moved by 1."""
    laplace, gauss, star = values(said("laplace_or_gauss")).values()
    assert gaussian_log_delta(1.0, 1 / gauss) == pytest.approx(np.log(1e-6), rel=1e-9)
    level = laplace / 2**0.5
    assert float(laplace_log_delta(1.0, level, 1.0)) == pytest.approx(np.log(1e-6), rel=1e-6)
    other = brentq(lambda s: gaussian_log_delta(1.0, 1 / s) - np.log(star), 0.1, 10)
    assert float(laplace_log_delta(1.0, other / 2**0.5, 1.0)) == pytest.approx(np.log(star))


@pytest.fixture
def shown(said, monkeypatch):
    """What the words of a page were made from."""

    def of(file):
        words = importlib.import_module(f"dpviz.ui.{file}.words")
        seen = []
        take_away = words.take_away
        monkeypatch.setattr(words, "take_away", lambda *made: seen.append(made) or take_away(*made))
        return values(said(file)), seen[-1]

    return of


def test_variances(shown):
    """Gaussian noise has a variance of 1/ρ: each scheme by the part of ρ that it leaves a tier."""
    found, (_, ladder, reading) = shown("variances")
    (factor,) = found.values()
    budgets = [tier.budget for tier in ladder.tiers]
    own, below = budgets[reading.marked], [0.0, *budgets][reading.marked]
    parts_of = {
        "splitting": own - below,
        "independent": own * max(budgets) / sum(budgets),
    }
    assert factor == pytest.approx(own / parts_of[reading.compared])


def test_collusion(shown):
    """Of one session the largest budget counts, of many sessions the sum for each person."""
    found, (view,) = shown("collusion")
    together, apart = found.values()
    losses = [member.loss for member in view.members for _ in range(member.joining)]
    assert together == max(losses)
    assert apart == pytest.approx(sum(losses))


def test_bridge_paths(shown):
    """Gaussian noise: a normal quantile, and a Brownian bridge."""
    found, (scene, asked, _) = shown("bridge_paths")
    half, near, far = found.values()
    level = asked.budget.level
    assert half == pytest.approx(stats.norm.isf(0.025) * level**0.5)
    low, high = (pin.level for pin in scene.held.around(level))
    assert near == pytest.approx(100 * (high - level) / (high - low))
    assert far == pytest.approx(100 * (level - low) / (high - low))


def test_linear_queries(said):
    """Running totals of 52 weeks at ρ = 0.05: noise of variance 10."""
    best, data, bound = values(said("linear_queries")).values()
    totals = np.tri(52)
    assert data == pytest.approx((10 * np.mean(np.sum(totals**2, axis=1))) ** 0.5)
    by_equal_weights = 10**0.5 * np.linalg.svd(totals, compute_uv=False).sum() / 52
    assert by_equal_weights * (1 - 1e-9) <= bound <= best < data
    assert best <= 1.001 * bound


def test_sparse_histograms(shown):
    """Items that nobody has show where normal noise passes the threshold."""
    found, (scene,) = shown("sparse_histograms")
    for tier, phantoms in zip(scene.drawn, found.values(), strict=True):
        empty = scene.size - scene.truth[0].size
        passing = stats.norm.sf(tier.threshold * (2 * tier.rho) ** 0.5)
        assert empty * passing <= phantoms == pytest.approx(scene.size * passing, rel=1e-9)


def test_continual_counting(shown):
    """as many Laplace terms as the widest step adds up, drawn."""
    found, (view,) = shown("continual_counting")
    rng, terms = streams.teaching(7), int(view.counting.used.max())
    sums = rng.laplace(size=(200_000, terms)).sum(axis=1)
    levels = {tier.name: tier.level for tier in view.counting.readers}
    for what, half in found.items():
        within = np.mean(np.abs(sums) <= half / levels[what.split(", ")[1]])
        assert within == pytest.approx(0.95, abs=4 * (0.95 * 0.05 / 200_000) ** 0.5)


def test_top_k(shown):
    """Gumbel noise by another generator: how many of the ten most common a list misses."""
    found, (scene, frame, _) = shown("top_k")
    counts = np.sort(np.array([*scene.counts.values()], dtype=float))[::-1]
    rng, draws = np.random.default_rng(11), 20_000
    end = found["noisy count above which an item can be named"]
    noisy = np.append(counts, end) + rng.gumbel(0, scene.choice.scale, (draws, counts.size + 1))
    order = np.argsort(-noisy, axis=1)[:, :10]
    ended = np.cumsum(order == counts.size, axis=1) > 0
    missed = 10 - ((order < 10) & ~ended).sum(axis=1)
    spread = missed.std() / 10
    assert found["items missed on average"] == pytest.approx(missed.mean(), abs=4 * spread)
    top = sorted(scene.counts, key=lambda item: -scene.counts[item])[:10]
    assert found["items missed by this list"] == len({*top} - {*scene.found.items})
    assert found["items shown wrongly"] == len({*scene.found.items} - {*top})
    steps = 2 * np.sqrt(10 * scene.choice.scale**-2 / 8 * np.log(4e6))
    assert 0.9 * found["privacy loss of the list"] <= steps <= 1.2 * 0.5
    assert frame is not None
