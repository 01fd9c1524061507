"""Alternatives of noise that needs a δ: their losses convolved, checked by the masses alone."""

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from dpviz.accounting import privacy_loss, scheme_budgets, scheme_levels, scheme_pieces, scheme_rule
from dpviz.accounting.guarantees import Setting, guarantee_of
from dpviz.accounting.scheme_convolved import MOST
from dpviz.accounting.scheme_variances import ALONE, BOUND, CONVOLVED
from dpviz.noise import FAMILIES
from dpviz.queries import Sensitivity
from tests.conftest import FULL

LAWS = {"poisson": stats.poisson, "skellam": lambda level: stats.skellam(level, level)}
LOSSES, DELTA = [0.5, 1.0, 3.0], 1e-3
families = pytest.mark.parametrize("name", LAWS)


def setting_of(name, l0=1, **more):
    size = Sensitivity.bounded(l0)
    return Setting(family=FAMILIES[name], delta=DELTA, sensitivity=size, dimension=9, **more)


def delta_of(name, levels, epsilon, moves):
    """δ of releases at these levels where one number moves by each of `moves` in all of them.

    The masses of all outcomes together, no grid of losses: sum of P - e^ε Q where it is positive,
    the worse of the two directions.
    """
    laws = [LAWS[name](level) for level in levels for _ in moves]
    shifts = [by for _ in levels for by in moves]
    sides = [np.ones(1), np.ones(1)]
    for law, by in zip(laws, shifts, strict=True):
        x = np.arange(*(math.floor(law.ppf(1e-9)) - 3, math.ceil(law.isf(1e-9)) + 4))
        for side, masses in enumerate((law.pmf(x), law.pmf(x - by))):
            sides[side] = np.outer(sides[side], masses).ravel()
    p, q = sides
    return max(float(np.maximum(a - math.exp(epsilon) * b, 0).sum()) for a, b in ((p, q), (q, p)))


@families
@pytest.mark.parametrize("scheme", ["independent", "doubling", "splitting"])
def test_all_releases_together_keep_the_joint_budget_and_hardly_less_noise_would(name, scheme):
    """Two releases, so that all outcomes of both can be listed."""
    losses, setting = [1.0, 2.0], setting_of(name)
    levels = scheme_levels(losses, scheme, setting=setting)
    assert scheme_rule(losses, scheme, setting=setting) == CONVOLVED
    assert scheme_pieces(losses, scheme) == 2
    assert delta_of(name, levels, 2.0, [1]) <= DELTA
    fewer = levels * ([1, 0.99] if scheme == "splitting" else 0.99)
    assert delta_of(name, fewer, 2.0, [1]) > DELTA
    if scheme == "splitting":  # what the first tier holds is the first slice
        assert (
            delta_of(name, levels[:1], 1.0, [1])
            <= DELTA
            < delta_of(name, levels[:1] * 0.99, 1.0, [1])
        )


@families
@pytest.mark.parametrize("scheme", ["independent", "doubling", "splitting"])
@pytest.mark.parametrize("l0", [1, 2] if FULL else [1])
def test_less_noise_than_by_adding_and_never_less_than_lossless(name, scheme, l0):
    setting = setting_of(name, l0)
    found = scheme_levels(LOSSES, scheme, setting=setting)
    promise = guarantee_of(setting.family)
    each = Setting(
        family=setting.family,
        delta=DELTA / scheme_pieces(LOSSES, scheme),
        sensitivity=setting.sensitivity,
        dimension=9,
    )
    added = [promise.level(part, each) for part in scheme_budgets(LOSSES, scheme)]
    assert (found <= np.array(added) * 1.001).all()
    assert (found >= scheme_levels(LOSSES, "lossless", setting=setting)).all()


def test_every_direction_of_a_replacement_is_kept():
    """ℓ₀ = 2 under replacement: up and up, up and down; the same move in both releases."""
    setting = setting_of("poisson", 2)
    levels = scheme_levels([2.0, 4.0], "independent", setting=setting)
    for _signs in product((1, -1), repeat=2):
        loss = privacy_loss.PrivacyLoss()
        for level, sign in product(levels.tolist(), _signs):
            loss = loss.compose(privacy_loss.poisson(level, lowered=sign < 0))
        assert loss.delta(4.0) <= DELTA


def test_what_is_out_of_reach_is_added_and_says_so():
    many = np.geomspace(0.5, 3, MOST + 1)
    setting = setting_of("skellam")
    assert scheme_rule(many, "independent", setting=setting) == BOUND
    assert scheme_rule(many, "lossless", setting=setting) == ALONE
    uneven = Setting(  # more largest moves than are looked at one by one
        family=FAMILIES["skellam"],
        delta=DELTA,
        sensitivity=Sensitivity(l0=9, l1=300.5, l2=140.3, linf=90.0),
        dimension=9,
    )
    assert scheme_rule([0.5, 1.0], "independent", setting=uneven) == BOUND
    assert scheme_levels([0.5, 1.0], "independent", setting=uneven).shape == (2,)


@pytest.mark.parametrize("level", [700.0, 900.0, 1200.0])
def test_a_mass_that_no_float_holds_is_no_error(level):
    """e^-λ of no noise at all: below the least float from λ = 745 on."""
    loss = privacy_loss.poisson(level).compose(privacy_loss.poisson(level, lowered=True))
    assert -math.inf < loss.log_delta(3.0) < -100
