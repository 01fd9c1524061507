"""Milliseconds per accounting call, beside dp_accounting in the same run.

Run `python -m tests.benchmarks.bench_accounting`. Goal P10: at most 0.2 ms for the Gaussian
epsilon, for the zCDP conversion and for every other closed form; at most 5 ms for the optimal
composition of 1,000 pure guarantees. Goal P11: at most 100 ms for that of 200 different ones. The
peer's epsilon and sigma are in double precision with an absolute tolerance of 1e-12 and give no
answer below delta = 1e-308.
"""

import math
import statistics
import time
from collections.abc import Callable
from functools import partial, reduce

import dp_accounting
import numpy as np
from dp_accounting import gaussian_mechanism
from dp_accounting.pld import privacy_loss_distribution as pld
from dp_accounting.pld.privacy_loss_mechanism import LaplacePrivacyLoss
from dp_accounting.rdp import rdp_privacy_accountant

from dpviz.accounting import (
    SCHEMES,
    adaptive_composition_epsilon,
    coalition_epsilon,
    coalition_rho,
    composed_laplace_epsilon,
    composed_laplace_log_delta,
    composed_pure_epsilon,
    crossover_dimension,
    crossover_log_delta,
    gaussian_advantage,
    gaussian_epsilon,
    gaussian_log_delta,
    gaussian_sigma,
    gaussian_trade_off,
    half_width,
    histogram_gaussian_epsilon,
    l2_mechanism,
    laplace_l2_scale,
    laplace_log_delta,
    laplace_scale,
    laplace_trade_off,
    level_for_half_width,
    mixed_composition_epsilon,
    posterior,
    privacy_loss,
    pure_composition_epsilon,
    pure_composition_log_delta,
    scheme_variances,
    setwise_epsilon,
    worst_order,
    zcdp_epsilon,
)
from dpviz.accounting.composed_loss import PrivacyLoss
from dpviz.accounting.poisson_levels import poisson_level
from dpviz.noise import FAMILIES
from tests.benchmarks.table import heading, line

DELTA, LOG_DELTA = 1e-6, math.log(1e-6)
REPEATS, ROUNDS = 100, 5
CLOSED, PURE, DIFFERENT, CALIBRATED, LAPLACES = 0.2, 5.0, 100.0, 20.0, 50.0  # goals, ms
Call = Callable[[float], object]


def milliseconds(call: Call, repeats: int = REPEATS) -> float:
    """Median over rounds of the time per call; every call gets an argument of its own."""
    call(1.0)
    times = []
    for number in range(ROUNDS):
        started = time.perf_counter()
        for k in range(repeats):
            call(1.0 + 1e-3 * (number * repeats + k))
        times.append((time.perf_counter() - started) / repeats * 1e3)
    return statistics.median(times)


def report(
    name: str,
    ours: Call,
    peer: Call | None = None,
    repeats: int = REPEATS,
    goal: float | None = None,
) -> None:
    """Print one line: our time, and the peer's as floor."""
    mine = milliseconds(ours, repeats)
    if peer is None:
        line(name, mine, "ms", goal)
        return
    theirs = milliseconds(peer, repeats)
    ratio = f"{mine / theirs:.3f} of dp_accounting’s"
    line(name, mine, "ms", goal, floor=theirs, beside=ratio)


closed = partial(report, goal=CLOSED)  # a closed form


def main() -> None:
    """Time every call; less than 30 s in all."""
    heading("Accounting; the floor is dp_accounting in the same run")
    gauss()
    closed_forms()
    compositions()
    mixtures()
    losses()
    poisson = FAMILIES["poisson"]
    report("half_width, Poisson", lambda x: half_width(poisson, 500 * x, 0.95))
    way_back = partial(level_for_half_width, poisson, confidence=0.95)
    report("level_for_half_width, Poisson", lambda x: way_back(50 * x), repeats=20)
    for groups, others in ((1, 0), (3, 0), (50, 0), (5, 5)):
        name = f"poisson_level, {groups} groups of a person, {others} others lost"
        report(name, _poisson(groups, others), repeats=4, goal=CALIBRATED)


def gauss() -> None:
    """The Gaussian curve, its inverses, and zCDP."""

    def rdp_epsilon(x: float) -> float:
        accountant = rdp_privacy_accountant.RdpAccountant()
        accountant.compose(dp_accounting.GaussianDpEvent(x))
        return accountant.get_epsilon(DELTA)

    closed("gaussian_log_delta", lambda x: gaussian_log_delta(x, 1.0))
    closed(
        "gaussian_epsilon, delta 1e-6",
        lambda x: gaussian_epsilon(LOG_DELTA, 1 / x),
        lambda x: gaussian_mechanism.get_epsilon_gaussian(x, DELTA),
    )
    closed("gaussian_epsilon, delta 1e-300", lambda x: gaussian_epsilon(-690.0, 1 / x))
    closed(
        "gaussian_sigma, delta 1e-6",
        lambda x: gaussian_sigma(x, LOG_DELTA, 1.0),
        lambda x: gaussian_mechanism.get_sigma_gaussian(x, DELTA),
    )
    closed("zcdp_epsilon", lambda x: zcdp_epsilon(1 / (2 * x * x), LOG_DELTA), rdp_epsilon)


def closed_forms() -> None:
    """One number each: Laplace noise, crossovers, coalitions of twenty, attacks."""
    closed(
        "laplace_log_delta",
        lambda x: laplace_log_delta(0.1, x, 1.0),
        lambda x: LaplacePrivacyLoss(x).get_delta_for_epsilon(0.1),
    )
    closed("laplace_scale", lambda x: laplace_scale(x, LOG_DELTA, 1.0))
    closed("laplace_l2_scale", lambda x: laplace_l2_scale(x, LOG_DELTA, 1.0))
    closed("l2_mechanism", lambda x: l2_mechanism(x, LOG_DELTA, 1.0, l1_sensitivity=5.0))
    closed("crossover_log_delta", lambda x: crossover_log_delta(x, 5.0, 1.0))
    closed("crossover_dimension", lambda x: crossover_dimension(x, LOG_DELTA))
    tiers = [round(0.05 * k, 2) for k in range(1, 21)]
    places = {"tiers": tiers, "global_rho": 1.5}
    for scheme in SCHEMES:
        name = f"coalition_rho, 20 members, {scheme}"
        closed(name, lambda _, scheme=scheme: coalition_rho(tiers, scheme, **places))
    closed("coalition_epsilon, 20 members", lambda _: coalition_epsilon(tiers, "independent"))
    closed("scheme_variances, 20 tiers", lambda _: scheme_variances(tiers, "doubling"))
    closed("gaussian_advantage", gaussian_advantage)
    closed("posterior", lambda x: posterior(0.3, x))
    alphas = np.linspace(0, 1, 1001)
    report("gaussian_trade_off, 1,001 points", lambda x: gaussian_trade_off(x, alphas))
    report("laplace_trade_off, 1,001 points", lambda x: laplace_trade_off(x, alphas))


def coin(epsilon: float) -> pld.PrivacyLossDistribution:
    """The peer's loss of a pure mechanism; its discretisation is the default, as in all below."""
    return pld.from_randomized_response(2 / (1 + math.exp(epsilon)), 2)


def compositions() -> None:
    """Sums of many losses."""
    report(
        "pure_composition_log_delta, 1,000 parts",
        lambda x: pure_composition_log_delta(1000, 0.01, x),
        lambda x: coin(0.01 * x).self_compose(1000).get_delta_for_epsilon(1.0),
        repeats=4,
        goal=PURE,
    )
    report(
        "pure_composition_epsilon, 1,000 parts",
        lambda x: pure_composition_epsilon(1000, 0.01 * x, LOG_DELTA),
        repeats=4,
        goal=PURE,
    )
    rounds = partial(histogram_gaussian_epsilon, LOG_DELTA, l0_sensitivity=10, rounds=20)
    report("histogram_gaussian_epsilon, 20 rounds", lambda x: rounds(100 * x))
    report(
        "composed_laplace_log_delta, 20 releases",
        lambda x: composed_laplace_log_delta([0.05 * x] * 20, 0.5),
        lambda x: pld.from_laplace_mechanism(20 / x).self_compose(20).get_delta_for_epsilon(0.5),
        repeats=4,
    )
    report(
        "composed_laplace_epsilon, 20 budgets",
        lambda x: composed_laplace_epsilon([0.01 * x * k for k in range(1, 21)], LOG_DELTA),
        repeats=1,
        goal=LAPLACES,
    )


def mixtures() -> None:
    """Pure and bounded-range mechanisms; the peer composes as many pure ones."""
    different = [0.01 + 0.0007 * math.sqrt(k) for k in range(200)]

    def pure(count: int, epsilon: float) -> float:
        return float(coin(epsilon).self_compose(count).get_epsilon_for_delta(DELTA))

    def each(x: float) -> float:
        coins = (coin(x * epsilon) for epsilon in different)
        whole = reduce(pld.PrivacyLossDistribution.compose, coins)
        return float(whole.get_epsilon_for_delta(DELTA))

    report(
        "mixed_composition_epsilon, 50 of each kind",
        lambda x: mixed_composition_epsilon(50, 50, 0.1 * x, LOG_DELTA),
        lambda x: pure(100, 0.1 * x),
        repeats=4,
    )
    report(
        "adaptive_composition_epsilon, 10 of each",
        lambda x: adaptive_composition_epsilon(worst_order(10, 10), 0.1 * x, LOG_DELTA),
        lambda x: pure(20, 0.1 * x),
        repeats=1,
    )
    for name, ours in (
        ("setwise_epsilon", partial(setwise_epsilon, log_delta=LOG_DELTA)),
        ("composed_pure_epsilon", partial(composed_pure_epsilon, log_delta=LOG_DELTA)),
    ):
        report(
            f"{name}, 200 budgets",
            lambda x, ours=ours: ours([x * e for e in different]),
            each,
            repeats=1,
            goal=DIFFERENT,
        )


def losses() -> None:
    """Losses as objects, from the parts to the epsilon.

    Every call has arguments of its own, so nothing comes from a cache. Ours are exact on a lattice,
    else within 1e-5; the peer's are rounded up by 1e-4 for each part.
    """

    def several(one: PrivacyLoss, count: int) -> PrivacyLoss:
        return one.compose(one, times=count - 1)

    def against(
        name: str,
        ours: Callable[[float], PrivacyLoss],
        theirs: Callable[[float], pld.PrivacyLossDistribution],
        repeats: int,
    ) -> None:
        report(
            name,
            lambda x: ours(x).epsilon(DELTA),
            lambda x: theirs(x).get_epsilon_for_delta(DELTA),
            repeats=repeats,
        )

    against(
        "50 answers of 5 categories",
        lambda x: several(privacy_loss.randomised_response(0.2 * x, categories=5), 50),
        lambda x: pld.from_randomized_response(5 / (math.exp(0.2 * x) + 4), 5).self_compose(50),
        repeats=4,
    )
    against(
        "100 releases of discrete Laplace noise",
        lambda x: several(privacy_loss.discrete_laplace(10 / x), 100),
        lambda x: pld.from_discrete_laplace_mechanism(x / 10, 1).self_compose(100),
        repeats=4,
    )
    ten = partial(PrivacyLoss.compose, times=10)
    against(
        "a Gaussian and 10 Laplace releases",
        lambda x: ten(privacy_loss.gaussian(0.5 * x), privacy_loss.laplace(5 / x, 1.0)),
        lambda x: pld.from_gaussian_mechanism(2 / x).compose(
            pld.from_laplace_mechanism(5 / x).self_compose(10)
        ),
        repeats=1,
    )
    scales = [100 / k for k in range(1, 21)]
    against(
        "20 Laplace releases, 20 budgets",
        lambda x: reduce(PrivacyLoss.compose, [privacy_loss.laplace(b / x, 1.0) for b in scales]),
        lambda x: reduce(
            pld.PrivacyLossDistribution.compose, [pld.from_laplace_mechanism(b / x) for b in scales]
        ),
        repeats=1,
    )
    top = partial(privacy_loss.top_k, count=10)
    report("top-10 of 0.1 each", lambda x: top(0.1 * x).epsilon(DELTA), repeats=1)


def _poisson(groups: int, others: int) -> Call:
    """One calibration; arguments differ from call to call, so nothing comes from the cache."""
    return lambda x: poisson_level(
        x,
        DELTA,
        l1_sensitivity=groups + others,
        l2_sensitivity=math.sqrt(groups + others),
        linf_sensitivity=1,
        dimension=100,
        directions=(groups, others),
    )


if __name__ == "__main__":
    main()
