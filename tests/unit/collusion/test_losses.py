"""The privacy loss of a coalition: whole distributions under three schemes."""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz.accounting import gaussian_epsilon
from dpviz.accounting.guarantees import Setting
from dpviz.accounting.laplace_composition import composed_laplace_epsilon
from dpviz.charts.collusion.frame import Holder, Plan
from dpviz.charts.collusion.losses import coalition_losses, losses_table
from dpviz.charts.losses import loss_strips, losses_frame, reach_of
from dpviz.errors import ParameterError
from dpviz.experiments.moved import Moved
from dpviz.noise import FAMILIES
from dpviz.palette import TierStyle
from dpviz.queries import Sensitivity

LN = math.log(1e-6)
ONE = Moved(((1.0, 1),))


def asked(family, budgets, joining=(), *, l0=1):
    sensitivity = Sensitivity(l0=l0, l1=l0, l2=math.sqrt(l0), linf=1)
    setting = Setting(
        family=FAMILIES[family], delta=1e-6, sensitivity=sensitivity, dimension=max(l0, 1)
    )
    counts = joining or (1,) * len(budgets)
    tiers = tuple(
        Holder(name=f"t{k}", loss=b, joining=n)
        for k, (b, n) in enumerate(zip(budgets, counts, strict=True))
    )
    return Plan(tiers=tiers, setting=setting, whole=max(budgets)), tiers


def by_scheme(plan, members, moved=ONE):
    return {each.scheme: each for each in coalition_losses(plan, members, moved)}


def test_gaussian_losses_are_normal_and_their_epsilons_closed_forms():
    plan, tiers = asked("gaussian", (0.1, 0.2, 0.5), (1, 3, 1))
    found = by_scheme(plan, tiers)
    rhos = {"lossless": 0.5, "splitting": 0.5, "independent": 0.1 + 3 * 0.2 + 0.5}
    for scheme, rho in rhos.items():
        mu, each = math.sqrt(2 * rho), found[scheme]
        assert each.epsilon == pytest.approx(gaussian_epsilon(LN, mu), rel=1e-9)
        law = stats.norm(mu**2 / 2, mu)
        for level in (-1.0, 0.0, 1.0):
            assert each.above(level) == pytest.approx(law.sf(level), abs=3e-4)
    assert [found[s].releases for s in rhos] == [1, 3, 5]


@pytest.mark.parametrize("chosen", [(0,), (1,), (0, 2), (1, 2)])
def test_of_any_subset_the_split_pieces_are_those_it_holds(chosen):
    plan, tiers = asked("gaussian", (0.1, 0.2, 0.5))
    members = tuple(tiers[k] for k in chosen)
    found = by_scheme(plan, members)
    pieces = sum((0.1, 0.1, 0.3)[k] for k in chosen)
    assert found["splitting"].epsilon == pytest.approx(
        gaussian_epsilon(LN, math.sqrt(2 * pieces)), rel=1e-9
    )
    assert found["lossless"].epsilon == pytest.approx(
        gaussian_epsilon(LN, math.sqrt(2 * members[-1].loss)), rel=1e-9
    )


def test_laplace_losses_are_convolved_and_never_beyond_the_sum():
    plan, tiers = asked("laplace", (0.5, 1.0))
    found = by_scheme(plan, tiers)
    apart = found["independent"]
    assert apart.epsilon == pytest.approx(composed_laplace_epsilon([0.5, 1.0], LN), rel=1e-6)
    assert found["lossless"].epsilon == pytest.approx(1.0, rel=1e-5)
    assert np.abs(apart.loss[apart.mass > 1e-12]).max() <= 1.5 + 1e-3
    rng = np.random.default_rng(3)  # the person moves the number by 1 and is there
    noise = rng.laplace(size=(400_000, 2)) / (0.5, 1.0)
    loss = ((np.abs(noise + 1) - np.abs(noise)) * (0.5, 1.0)).sum(axis=1)
    for level in (0.0, 0.7):
        assert apart.above(level) == pytest.approx(float((loss > level).mean()), abs=4e-3)


def test_what_moves_together_adds_up():
    """Two coordinates of Gaussian noise are one of √2 times the shift."""
    plan, tiers = asked("gaussian", (0.5,), l0=2)
    two = by_scheme(plan, tiers, Moved(((1.0, 2),)))["lossless"]
    assert two.epsilon == pytest.approx(gaussian_epsilon(LN, 1.0), rel=1e-9)


@pytest.mark.parametrize("family", ["discrete_laplace", "skellam", "poisson"])
def test_whole_number_noise_of_either_direction(family):
    plan, tiers = asked(family, (0.5, 1.0))
    found = by_scheme(plan, tiers)
    assert {"lossless", "independent"} <= set(found)
    assert found["lossless"].epsilon <= 1.0 * (1 + 1e-6)
    assert found["lossless"].epsilon < found["independent"].epsilon
    for each in found.values():
        assert each.mass.sum() + each.certain == pytest.approx(1.0, abs=1e-6)
        away = by_scheme(plan, tiers, Moved(((-1.0, 1),)))[each.scheme]
        assert away.epsilon == pytest.approx(each.epsilon, rel=1e-4)


def test_the_strips_keep_all_mass_and_the_table_says_the_same():
    plan, tiers = asked("gaussian", (0.1, 0.5))
    found = coalition_losses(plan, tiers, ONE)
    strips = [(each.scheme, each.loss, each.mass) for each in found]
    totals = {each.scheme: each.epsilon for each in found}
    frame = losses_frame(strips, reach_of(strips, max(totals.values())))
    assert frame.groupby("stage")["mass"].sum().to_numpy() == pytest.approx(1.0, abs=1e-6)
    assert losses_table(found)["independent releases"].tolist() == ["1", "2", "2"]
    figure = loss_strips(frame, totals=totals, main="lossless", style=TierStyle(2, 0))
    assert [bar.name for bar in figure.data] == ["lossless", "splitting", "independent"]
    lines = [shape for shape in figure.layout.shapes if shape.line.dash == "dot"]
    assert [line.x0 for line in lines] == list(totals.values())
    totals["independent"] = math.inf  # no ε is kept: no line
    figure = loss_strips(frame, totals=totals, main="lossless", style=TierStyle(2, 0))
    assert sum(shape.line.dash == "dot" for shape in figure.layout.shapes) == 2


def test_nobody_is_refused():
    plan, _ = asked("gaussian", (0.1,))
    with pytest.raises(ParameterError, match="tick a tier"):
        coalition_losses(plan, (), ONE)
