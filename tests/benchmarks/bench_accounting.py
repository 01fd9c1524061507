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
import warnings
from collections.abc import Callable
from functools import reduce

import numpy as np

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

DELTA = 1e-6
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


def main() -> None:
    """Time every call; less than 30 s in all."""
    heading("Accounting; the floor is dp_accounting in the same run")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import dp_accounting
        from dp_accounting import gaussian_mechanism as peer
        from dp_accounting.rdp import rdp_privacy_accountant

        def rdp_epsilon(x: float) -> float:
            accountant = rdp_privacy_accountant.RdpAccountant()
            accountant.compose(dp_accounting.GaussianDpEvent(x))
            return accountant.get_epsilon(DELTA)

        log_delta, deep = math.log(DELTA), -690.0
        report("gaussian_log_delta", lambda x: gaussian_log_delta(x, 1.0), goal=CLOSED)
        report(
            "gaussian_epsilon, delta 1e-6",
            lambda x: gaussian_epsilon(log_delta, 1 / x),
            lambda x: peer.get_epsilon_gaussian(x, DELTA),
            goal=CLOSED,
        )
        report(
            "gaussian_epsilon, delta 1e-300", lambda x: gaussian_epsilon(deep, 1 / x), goal=CLOSED
        )
        report(
            "gaussian_sigma, delta 1e-6",
            lambda x: gaussian_sigma(x, log_delta, 1.0),
            lambda x: peer.get_sigma_gaussian(x, DELTA),
            goal=CLOSED,
        )
        report(
            "zcdp_epsilon",
            lambda x: zcdp_epsilon(1 / (2 * x * x), log_delta),
            rdp_epsilon,
            goal=CLOSED,
        )
        closed_forms(log_delta)
        compositions(log_delta)
        losses()
    poisson = FAMILIES["poisson"]
    report("half_width, Poisson", lambda x: half_width(poisson, 500 * x, 0.95))
    report(
        "level_for_half_width, Poisson",
        lambda x: level_for_half_width(poisson, 50 * x, 0.95),
        repeats=20,
    )
    for groups in (1, 3, 50):
        report(
            f"poisson_level, {groups} groups per person",
            _poisson(groups, 0),
            repeats=4,
            goal=CALIBRATED,
        )
    report("poisson_level, five groups for five others", _poisson(5, 5), repeats=4, goal=CALIBRATED)


def closed_forms(log_delta: float) -> None:
    """One number each: Laplace noise, crossovers, coalitions of twenty, attacks."""
    from dp_accounting.pld.privacy_loss_mechanism import LaplacePrivacyLoss

    report(
        "laplace_log_delta",
        lambda x: laplace_log_delta(0.1, x, 1.0),
        lambda x: LaplacePrivacyLoss(x).get_delta_for_epsilon(0.1),
        goal=CLOSED,
    )
    report("laplace_scale", lambda x: laplace_scale(x, log_delta, 1.0), goal=CLOSED)
    report("laplace_l2_scale", lambda x: laplace_l2_scale(x, log_delta, 1.0), goal=CLOSED)
    report(
        "l2_mechanism", lambda x: l2_mechanism(x, log_delta, 1.0, l1_sensitivity=5.0), goal=CLOSED
    )
    report("crossover_log_delta", lambda x: crossover_log_delta(x, 5.0, 1.0), goal=CLOSED)
    report("crossover_dimension", lambda x: crossover_dimension(x, log_delta), goal=CLOSED)
    tiers = [round(0.05 * k, 2) for k in range(1, 21)]
    for scheme in SCHEMES:
        report(f"coalition_rho, 20 members, {scheme}", _coalition(tiers, scheme), goal=CLOSED)
    report(
        "coalition_epsilon, 20 members",
        lambda _: coalition_epsilon(tiers, "independent"),
        goal=CLOSED,
    )
    report("scheme_variances, 20 tiers", lambda _: scheme_variances(tiers, "doubling"), goal=CLOSED)
    report("gaussian_advantage", gaussian_advantage, goal=CLOSED)
    report("posterior", lambda x: posterior(0.3, x), goal=CLOSED)
    alphas = np.linspace(0, 1, 1001)
    report("gaussian_trade_off, 1,001 points", lambda x: gaussian_trade_off(x, alphas))
    report("laplace_trade_off, 1,001 points", lambda x: laplace_trade_off(x, alphas))


def _coalition(tiers: list[float], scheme: str) -> Call:
    """Everybody together, one person per tier."""
    return lambda _: coalition_rho(tiers, scheme, tiers=tiers, global_rho=1.5)


def compositions(log_delta: float) -> None:
    """Sums of many losses; the peer's discretisation is its default."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    report(
        "pure_composition_log_delta, 1,000 parts",
        lambda x: pure_composition_log_delta(1000, 0.01, x),
        lambda x: (
            pld.from_randomized_response(2 / (1 + math.exp(0.01 * x)), 2)
            .self_compose(1000)
            .get_delta_for_epsilon(1.0)
        ),
        repeats=4,
        goal=PURE,
    )
    report(
        "pure_composition_epsilon, 1,000 parts",
        lambda x: pure_composition_epsilon(1000, 0.01 * x, log_delta),
        repeats=4,
        goal=PURE,
    )
    mixtures(log_delta)
    report(
        "histogram_gaussian_epsilon, 20 rounds",
        lambda x: histogram_gaussian_epsilon(log_delta, 100 * x, l0_sensitivity=10, rounds=20),
    )
    report(
        "composed_laplace_log_delta, 20 releases",
        lambda x: composed_laplace_log_delta([0.05 * x] * 20, 0.5),
        lambda x: pld.from_laplace_mechanism(20 / x).self_compose(20).get_delta_for_epsilon(0.5),
        repeats=4,
    )
    report(
        "composed_laplace_epsilon, 20 budgets",
        lambda x: composed_laplace_epsilon([0.01 * x * k for k in range(1, 21)], log_delta),
        repeats=1,
        goal=LAPLACES,
    )


def mixtures(log_delta: float) -> None:
    """Pure and bounded-range mechanisms; the peer composes as many pure ones."""
    from dp_accounting.pld import privacy_loss_distribution as pld

    different = [0.01 + 0.0007 * math.sqrt(k) for k in range(200)]

    def pure(count: int, epsilon: float) -> float:
        one = pld.from_randomized_response(2 / (1 + math.exp(epsilon)), 2)
        return float(one.self_compose(count).get_epsilon_for_delta(DELTA))

    def each(x: float) -> float:
        whole = pld.from_randomized_response(2 / (1 + math.exp(x * different[0])), 2)
        for epsilon in different[1:]:
            one = pld.from_randomized_response(2 / (1 + math.exp(x * epsilon)), 2)
            whole = whole.compose(one)
        return float(whole.get_epsilon_for_delta(DELTA))

    report(
        "mixed_composition_epsilon, 50 of each kind",
        lambda x: mixed_composition_epsilon(50, 50, 0.1 * x, log_delta),
        lambda x: pure(100, 0.1 * x),
        repeats=4,
    )
    report(
        "adaptive_composition_epsilon, 10 of each",
        lambda x: adaptive_composition_epsilon(worst_order(10, 10), 0.1 * x, log_delta),
        lambda x: pure(20, 0.1 * x),
        repeats=1,
    )
    report(
        "setwise_epsilon, 200 budgets",
        lambda x: setwise_epsilon([x * e for e in different], log_delta=log_delta),
        each,
        repeats=1,
        goal=DIFFERENT,
    )
    report(
        "composed_pure_epsilon, 200 budgets",
        lambda x: composed_pure_epsilon([x * e for e in different], log_delta),
        each,
        repeats=1,
        goal=DIFFERENT,
    )


def losses() -> None:
    """Losses as objects, from the parts to the epsilon; the peer's discretisation is its default.

    Every call has arguments of its own, so nothing comes from a cache. Ours are exact on a lattice,
    else within 1e-5; the peer's are rounded up by 1e-4 for each part.
    """
    from dp_accounting.pld import privacy_loss_distribution as pld

    def several(one: PrivacyLoss, count: int) -> PrivacyLoss:
        return one.compose(one, times=count - 1)

    report(
        "50 answers of 5 categories",
        lambda x: several(privacy_loss.randomised_response(0.2 * x, categories=5), 50).epsilon(
            DELTA
        ),
        lambda x: (
            pld.from_randomized_response(5 / (math.exp(0.2 * x) + 4), 5)
            .self_compose(50)
            .get_epsilon_for_delta(DELTA)
        ),
        repeats=4,
    )
    report(
        "100 releases of discrete Laplace noise",
        lambda x: several(privacy_loss.discrete_laplace(10 / x), 100).epsilon(DELTA),
        lambda x: (
            pld.from_discrete_laplace_mechanism(x / 10, 1)
            .self_compose(100)
            .get_epsilon_for_delta(DELTA)
        ),
        repeats=4,
    )
    report(
        "a Gaussian and 10 Laplace releases",
        lambda x: (
            privacy_loss.gaussian(0.5 * x)
            .compose(privacy_loss.laplace(5 / x, 1.0), times=10)
            .epsilon(DELTA)
        ),
        lambda x: (
            pld.from_gaussian_mechanism(2 / x)
            .compose(pld.from_laplace_mechanism(5 / x).self_compose(10))
            .get_epsilon_for_delta(DELTA)
        ),
        repeats=1,
    )
    report(
        "20 Laplace releases, 20 budgets",
        lambda x: reduce(
            PrivacyLoss.compose, [privacy_loss.laplace(100 / (x * k), 1.0) for k in range(1, 21)]
        ).epsilon(DELTA),
        lambda x: reduce(
            pld.PrivacyLossDistribution.compose,
            [pld.from_laplace_mechanism(100 / (x * k)) for k in range(1, 21)],
        ).get_epsilon_for_delta(DELTA),
        repeats=1,
    )
    report(
        "top-10 of 0.1 each", lambda x: privacy_loss.top_k(0.1 * x, 10).epsilon(DELTA), repeats=1
    )


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
