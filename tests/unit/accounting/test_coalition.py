"""What coalitions learn under each scheme: vectors, properties over random coalitions, refusals."""

import math
import random
import sys
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from dpviz import streams
from dpviz.accounting import (
    COMPARED,
    SCHEMES,
    coalition_epsilon,
    coalition_rho,
    privacy_loss,
    scheme_budgets,
    scheme_levels,
    scheme_pieces,
    scheme_rule,
    scheme_variances,
)
from dpviz.accounting.guarantees import Setting, guarantee_of
from dpviz.accounting.scheme_variances import ALONE, BOUND, CONVOLVED, MOST
from dpviz.accounting.schemes import pieces
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from dpviz.queries import Sensitivity
from tests import oracles_accounting as oracle
from tests.conftest import FULL, few, for_each, full_run

TIERS = [0.05, 0.1, 0.25, 0.5, 1.0]
PLACES = {"tiers": TIERS, "global_rho": 1.0}
every_scheme = pytest.mark.parametrize("scheme", SCHEMES)


def joint(rhos, scheme):
    return coalition_rho(rhos, scheme, **PLACES).value


@for_each(
    ("scheme", "rho"),
    [
        ("lossless", 0.5),
        ("independent", 0.95),
        ("splitting", 0.05 + 0.05 + 0.15 + 0.25),
        ("averaged", 0.5),
        ("doubling", 0.05 + 0.1 + 0.2 + 0.4),  # the grid 0.05, 0.1, 0.2, 0.4, 0.8
    ],
)
def test_every_scheme_by_hand(scheme, rho):
    assert joint([0.5, 0.05, 0.1, 0.25, 0.05], scheme) == rho


def test_splitting_without_a_tier_in_between():
    assert joint([0.5, 0.1, 0.1], "splitting") == 0.25 + 0.05
    assert joint([0.1, 0.25], "averaged") == 0.25
    assert [float(p) for p in pieces([Fraction(1, 4)], "averaged", TIERS)] == [0.05, 0.05, 0.15]


@every_scheme
def test_one_person_has_his_own_budget_unless_it_is_split_or_rounded(scheme):
    for rho in TIERS:
        found = joint([rho], scheme)
        if scheme in ("lossless", "averaged", "independent", "global"):
            assert found == rho
        else:
            assert 0 < found <= rho


@every_scheme
def test_order_never_matters_and_members_never_lower(scheme, seed):
    rng = random.Random(seed)
    for _ in range(100):
        rhos = rng.choices(TIERS[:-1], k=rng.randrange(1, 9))
        found = joint(rhos, scheme)
        assert joint(rng.sample(rhos, len(rhos)), scheme) == found
        assert joint([*rhos, rng.choice(TIERS)], scheme) >= found


def test_lossless_is_never_above_what_everybody_else_pays(seed):
    rng = random.Random(seed)
    for _ in range(100):
        rhos = rng.choices(TIERS, k=rng.randrange(1, 9))
        assert joint(rhos, "lossless") <= joint(rhos, "global") <= 1.0
        assert joint(rhos, "lossless") <= joint(rhos, "independent")
        assert joint(rhos, "splitting") <= joint(rhos, "lossless")
        assert joint(rhos, "doubling") < 2 * joint(rhos, "lossless")


def test_global_is_the_joint_law_of_the_releases(seed):
    """Inverse-variance weighting by solving with the covariance matrix g + own on the diagonal."""
    rng = random.Random(seed)
    for _ in range(50):
        whole = rng.uniform(0.5, 3)
        rhos = [rng.uniform(0.01, 0.99) * whole for _ in range(rng.randrange(1, 12))]
        g = 1 / (2 * whole)
        covariance = np.full((len(rhos), len(rhos)), g)
        covariance += np.diag([1 / (2 * rho) - g for rho in rhos])
        variance = 1 / np.linalg.solve(covariance, np.ones(len(rhos))).sum()
        assert coalition_rho(rhos, "global", global_rho=whole).value == pytest.approx(
            1 / (2 * variance), rel=1e-9
        )


@for_each(
    ("scheme", "epsilon"),
    [("lossless", 0.5), ("independent", 0.7), ("splitting", 0.3), ("doubling", 0.5), ("global", 1)],
)
def test_pure_budgets_add_in_the_same_pieces(scheme, epsilon):
    found = coalition_epsilon([0.5, 0.1, 0.1], scheme, tiers=TIERS, global_epsilon=1.0)
    assert found.value == epsilon


def test_two_persons_under_global_laplace_reach_the_global_budget():
    for epsilons in ([0.1, 0.1], [0.1, 0.5], [0.1, 1.0], [1.0]):
        assert coalition_epsilon(epsilons, "global", global_epsilon=1.0).value == 1.0
    assert coalition_epsilon([0.3], "global", global_epsilon=1.0).value == 0.3
    assert "equal values" in coalition_epsilon([0.1, 0.1], "global", global_epsilon=1).method


def test_doubling_finds_the_grid_value_without_a_logarithm():
    for least in (0.1, 0.3, 0.7, 1e-9, 123.456):
        grid = exact_grid(least, 60)
        for i in (0, 1, 7, 30, 40):
            just_below = math.nextafter(float(grid[i]), 0)
            assert coalition_rho([grid[i]], "doubling", tiers=[least]).value == float(grid[i])
            if i:
                assert coalition_rho([just_below], "doubling", tiers=[least]).value == float(
                    grid[i - 1]
                )


def exact_grid(least, count):
    return [Fraction(repr(least)) * 2**i for i in range(count)]


def test_decimals_are_added_exactly():
    for number in (float, Decimal, Fraction):
        tenth = number("0.1") if number is not float else 0.1
        assert coalition_rho([tenth] * 3, "independent").value == 0.3
        assert coalition_epsilon([tenth] * 7, "independent").value == 0.7
        assert coalition_rho([tenth], "splitting", tiers=[0.1, 0.7]).value == 0.1
    assert coalition_rho([0.7], "splitting", tiers=[0.1, 0.2, 0.3, 0.7]).value == 0.4
    assert coalition_rho(np.array([0.1, 0.2]), "independent").value == 0.3


def test_results_are_rounded_up(seed):
    rng = random.Random(seed)
    for _ in range(100):
        rhos = [rng.random() for _ in range(3)]
        found = coalition_rho(rhos, "global", global_rho=1).value
        shown = [Fraction(repr(rho)) for rho in rhos]
        own = sum(rho / (1 - rho) for rho in shown)
        assert Fraction(repr(found)) >= own / (1 + own)
        assert Fraction(repr(found)) <= own / (1 + own) * (1 + Fraction(1, 2**51))


@every_scheme
def test_methods_differ_and_float_works(scheme):
    found = coalition_rho([0.5, 0.1], scheme, **PLACES)
    assert float(found) == found.value
    methods = {coalition_rho([0.5, 0.1], each, **PLACES).method for each in SCHEMES}
    assert len(methods) == len(SCHEMES)


@pytest.mark.parametrize("call", [coalition_rho, coalition_epsilon])
def test_refusals_are_sentences(call):
    for scheme in ("splitting", "averaged", "doubling"):
        with pytest.raises(ParameterError, match=f"'{scheme}' needs tiers"):
            call([0.5], scheme)
        with pytest.raises(ParameterError, match="tiers must hold at least one budget"):
            call([0.5], scheme, tiers=[])
    with pytest.raises(ParameterError, match="below the smallest tier"):
        call([0.5, 0.04], "doubling", tiers=TIERS)
    with pytest.raises(ParameterError, match=r"0\.04 is not a tier"):
        call([0.5, 0.04], "splitting", tiers=TIERS)
    with pytest.raises(ParameterError, match=r"0\.3 is not a tier"):
        call([0.3], "splitting", tiers=TIERS)
    with pytest.raises(ParameterError, match="'global' needs global_"):
        call([0.5], "global")
    for scheme in ("all", "Lossless", "", None, ["lossless"]):
        with pytest.raises(ParameterError, match="scheme must be one of lossless"):
            call([0.5], scheme)
    for empty in ([], ()):
        with pytest.raises(ParameterError, match="must hold at least one budget"):
            call(empty, "lossless")


def test_a_budget_above_the_global_one_is_refused_and_one_at_it_is_the_whole():
    assert coalition_rho([0.1, 1.0, 0.1], "global", global_rho=1.0).value == 1.0
    for call, name in ((coalition_rho, "global_rho"), (coalition_epsilon, "global_epsilon")):
        with pytest.raises(ParameterError, match=f"1.5 is above {name} 1"):
            call([0.1, 1.5], "global", **{name: 1.0})
        with pytest.raises(ParameterError, match="is above"):
            call([math.nextafter(1, 2)], "global", **{name: 1.0})


def test_pieces_are_the_fractions_of_the_definition():
    rng = np.random.default_rng(3)
    for _ in range(40):
        tiers = sorted({float(f"{v:.{rng.integers(1, 15)}g}") for v in rng.uniform(0.01, 9, 12)})
        held = rng.choice(tiers, size=5).tolist()
        whole = [Fraction(repr(t)) for t in tiers]
        below = dict(zip(tiers, [Fraction(0), *whole], strict=False))
        slices = sorted(Fraction(repr(h)) - below[h] for h in set(held))
        assert sorted(pieces([Fraction(repr(h)) for h in held], "splitting", tiers)) == slices
        grid = [whole[0] * 2**i for i in range(12)]
        wanted = {max(g for g in grid if g <= Fraction(repr(h))) for h in held}
        found = pieces([Fraction(repr(h)) for h in held], "doubling", tiers)
        assert sorted(found) == sorted(wanted)


# --- The schemes at equal joint guarantee: closed forms, convolved losses, refusals ---


# --- Variances of the schemes at equal joint guarantee: closed forms, properties, refusals -------

FAMILY_NAMES = ("gaussian", "laplace", "discrete_laplace", "poisson", "skellam")
every_compared = pytest.mark.parametrize("scheme", COMPARED)


def one(family, most=1.0, **more):
    """A number that one person moves by at most this much."""
    size = Sensitivity.bounded(1, most)
    return Setting(family=family, delta=1e-6, sensitivity=size, dimension=1, **more)


def test_laplace_by_hand():
    """The plan's own currency: 2(Δ₁/ε)² at each part of ε, in units of the statistic."""
    epsilons = [0.2, 0.05, 0.1]
    parts = {
        "lossless": [0.05, 0.1, 0.2],
        "splitting": [0.05, 0.05, 0.1],
        "independent": [0.2 * e / 0.35 for e in (0.05, 0.1, 0.2)],
        "averaged": [0.05, math.sqrt(2 * 0.05**2), math.sqrt(2 * 0.05**2 + 0.1**2)],
        "doubling": [0.2 * e / 0.35 for e in (0.05, 0.1, 0.2)],
    }
    setting = one(FAMILIES["laplace"], 3.0, step=0.5)
    for scheme, share in parts.items():
        found = scheme_variances(epsilons, scheme, setting=setting)
        assert found == pytest.approx([2 * (3 * 0.5 / e) ** 2 for e in share], rel=1e-14), scheme


@pytest.mark.parametrize("name", FAMILY_NAMES)
@every_compared
def test_every_family_keeps_the_joint_guarantee(name, scheme, monkeypatch):
    """What all releases of a scheme promise adds up to the largest budget, where budgets add."""
    monkeypatch.setattr(sys.modules[scheme_rule.__module__], "convolved_levels", lambda *_: None)
    losses, setting = [0.25, 0.5, 1.5], one(FAMILIES[name], 2.0)
    promise, k = guarantee_of(setting.family), scheme_pieces(losses, scheme)
    levels = scheme_levels(losses, scheme, setting=setting)
    alone = replace(setting, delta=setting.delta / k) if promise.with_delta else setting
    found = [promise.loss(level, alone) for level in levels.tolist()]
    assert found == pytest.approx([float(b) for b in scheme_budgets(losses, scheme)], rel=1e-6)
    if scheme == "lossless":
        assert (k, max(found)) == (1, pytest.approx(1.5, rel=1e-6))
    elif scheme == "doubling":  # 0.25, 0.5 and 1: all are released
        assert (k, sum(found)) == (3, pytest.approx(0.25 / 1.75 * 1.5 * 7, rel=1e-6))
    else:
        assert (k, sum(found)) == (3, pytest.approx(1.5, rel=1e-6))


def test_doubling_keeps_more_than_a_quarter_of_every_budget(seed):
    rng = random.Random(seed)
    for _ in range(20):
        losses = sorted(10 ** rng.uniform(-3, 1) for _ in range(rng.randrange(1, 30)))
        parts = scheme_budgets(losses, "doubling")
        assert all(4 * part > loss for part, loss in zip(parts, losses, strict=True))


def test_price_of_splitting_between_log_spaced_budgets():
    # MATHEMATICS 5.5: from the second tier on 1 / (1 - (first/last)^(1/(m-1)))
    for m in (2, 10, 30, 100):
        rhos = np.geomspace(0.001, 5, m)
        factor = scheme_variances(rhos, "splitting") / scheme_variances(rhos, "lossless")
        assert factor[0] == 1
        assert factor[1:] == pytest.approx(1 / (1 - (0.001 / 5) ** (1 / (m - 1))), rel=1e-10)


@every_compared
@pytest.mark.parametrize("rhos", [[0.3], [0.001, 5.0], [0.1, 0.1, 0.4], np.linspace(0.1, 5, 30)])
def test_everything_together_costs_the_largest_budget(scheme, rhos):
    """Each scheme's releases, at these variances, have the joint budget max rho."""
    variances = scheme_variances(rhos, scheme)
    own = 1 / (2 * variances)
    largest = max(rhos)
    if scheme == "lossless":
        assert own.max() == pytest.approx(largest, rel=1e-14)
    elif scheme == "independent":
        assert own.sum() == pytest.approx(largest, rel=1e-12)
    elif scheme == "averaged":  # each has the pieces below its own, too
        assert own == pytest.approx(np.sort(rhos), rel=1e-12)
    elif scheme == "splitting":
        assert own[np.unique(np.sort(rhos), return_index=True)[1]].sum() == pytest.approx(
            largest, rel=1e-12
        )
    else:
        grid = [min(rhos)]
        while 2 * grid[-1] <= largest:
            grid.append(2 * grid[-1])
        together = own.max() / grid[-1] * sum(grid)
        assert together == pytest.approx(min(largest, sum(grid)), rel=1e-12)
        assert (own <= np.sort(rhos) * (1 + 1e-15)).all()


@every_compared
def test_nobody_beats_lossless_and_one_tier_pays_nothing(scheme, seed):
    rng = random.Random(seed)
    assert scheme_variances([0.3], scheme) == pytest.approx([1 / 0.6], rel=1e-15)
    for _ in range(50 if FULL else 10):
        rhos = [10 ** rng.uniform(-3, 1) for _ in range(rng.randrange(1, 20))]
        found, best = scheme_variances(rhos, scheme), scheme_variances(rhos, "lossless")
        assert found.shape == (len(rhos),)
        assert (found >= best * (1 - (1e-12 if scheme == "averaged" else 1e-15))).all()
        assert scheme_variances(rng.sample(rhos, len(rhos)), scheme).tolist() == found.tolist()


@pytest.mark.parametrize("scheme", ["global", "all", None])
def test_schemes_that_cannot_be_compared_so(scheme):
    with pytest.raises(ParameterError, match="scheme must be one of lossless, splitting"):
        scheme_variances([0.1], scheme)


AVERAGES = 200_000  # of simulated tiers: their variance is known to 0.5 %


@pytest.mark.parametrize("name", few(FAMILY_NAMES, 4))
def test_pieces_averaged_by_each_tier_have_the_variance_that_is_stated(name):
    """By drawing the pieces; equal weights, or pieces of other tiers, would be found out."""
    losses, setting = [0.3, 0.5, 1.2], one(FAMILIES[name])
    family, levels = setting.family, scheme_levels([0.3, 0.5, 1.2], "averaged", setting=setting)
    assert levels.tolist() == scheme_levels(losses, "splitting", setting=setting).tolist()
    zeros = np.zeros(AVERAGES, np.int64 if family.integer else np.float64)
    drawn = np.array(
        [
            family.extend(zeros, 0.0, x, rng=streams.teaching(7, k)) - family.mean(x)
            for k, x in enumerate(levels.tolist())
        ]
    )
    weights = 1 / np.array([family.variance(x) for x in levels.tolist()])
    stated = scheme_variances(losses, "averaged", setting=setting)
    for place in range(3):
        own = slice(place + 1)
        found = np.average(drawn[own], axis=0, weights=weights[own]).var()
        assert found == pytest.approx(stated[place], rel=0.02)
    assert drawn.mean(axis=0).var() > stated[2] * 1.04  # equal weights
    exact = scheme_variances(losses, "lossless", setting=setting)
    ratio = stated / exact
    assert ratio[0] == pytest.approx(1, rel=0.2 if setting.family.integer else 1e-12)
    if name == "gaussian":
        assert ratio == pytest.approx(np.ones(3), rel=1e-12)
    if name == "laplace":  # 1.2² / (0.3² + 0.2² + 0.7²)
        assert ratio[2] == pytest.approx(1.44 / 0.62, rel=1e-12)


def test_pieces_of_equal_budget_are_shared_and_equal_slices_are_not():
    assert scheme_variances([0.2, 0.2, 0.4], "averaged").round(6).tolist() == [2.5, 2.5, 1.25]
    assert scheme_variances([0.2, 0.4, 0.6], "averaged") == pytest.approx([2.5, 1.25, 1 / 1.2])


@full_run
def test_of_no_other_family_do_pieces_beat_lossless_release():
    many = [1, 2, 3, 4, 5]
    found = {
        name: scheme_variances(many, "averaged", setting=one(FAMILIES[name]))[-1]
        / scheme_variances(many, "lossless", setting=one(FAMILIES[name]))[-1]
        for name in FAMILY_NAMES
    }
    assert {name for name, times in found.items() if times < 1 - 1e-9} == {"poisson"}
    assert found["poisson"] == pytest.approx(0.261, abs=1e-3)
    assert found["laplace"] == pytest.approx(5, rel=1e-12)
    assert found["discrete_laplace"] == pytest.approx(27.0, abs=0.1)
    assert found["skellam"] == pytest.approx(18.2, abs=0.1)


# --- Alternatives of noise that needs a δ: their losses convolved, checked by the masses alone ---

LOSSES, DELTA = [0.5, 1.0, 3.0], 1e-3
families = pytest.mark.parametrize("name", ["poisson", "skellam"])


def setting_of(name, l0=1, **more):
    size = Sensitivity.bounded(l0)
    return Setting(family=FAMILIES[name], delta=DELTA, sensitivity=size, dimension=9, **more)


def delta_of(name, levels, epsilon):
    """δ of releases at these levels where one number moves by 1, by the masses of all outcomes."""
    pair_of = {"poisson": oracle.poisson_pair, "skellam": oracle.skellam_pair}[name]
    return oracle.delta_by_enumeration([pair_of(level, 1) for level in levels.tolist()], epsilon)


@families
@pytest.mark.parametrize("scheme", few(["doubling", "independent", "splitting"], 2))
def test_all_releases_together_keep_the_joint_budget_and_hardly_less_noise_would(name, scheme):
    """Two releases, so that all outcomes of both can be listed."""
    losses, setting = [1.0, 2.0], setting_of(name)
    levels = scheme_levels(losses, scheme, setting=setting)
    assert scheme_rule(losses, scheme, setting=setting) == CONVOLVED
    assert scheme_pieces(losses, scheme) == 2
    assert levels[0] >= levels[1], "the more is promised, the more noise"
    assert delta_of(name, levels, 2.0) <= DELTA
    fewer = levels * ([1, 0.99] if scheme == "splitting" else 0.99)
    assert delta_of(name, fewer, 2.0) > DELTA
    if scheme == "splitting":  # what the first tier holds is the first slice
        assert delta_of(name, levels[:1], 1.0) <= DELTA < delta_of(name, levels[:1] * 0.99, 1.0)


@full_run
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


@pytest.mark.parametrize("level", few([750.0, 700.0], 2))
def test_a_mass_that_no_float_holds_is_no_error(level):
    """e^-λ of no noise at all: below the least float from λ = 745 on."""
    loss = privacy_loss.poisson(level).compose(privacy_loss.poisson(level, lowered=True))
    assert -math.inf < loss.log_delta(3.0) < -100
