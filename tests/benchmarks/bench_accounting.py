"""Milliseconds per accounting call, beside dp_accounting in the same run.

Run `python -m tests.benchmarks.bench_accounting`. PERFORMANCE, P10: at most 0.2 ms for the Gaussian
epsilon and for the zCDP conversion. The peer's epsilon and sigma are in double precision with an
absolute tolerance of 1e-12 and give no answer below delta = 1e-308.
"""

import math
import statistics
import time
import warnings
from collections.abc import Callable

from dpviz.accounting import (
    gaussian_epsilon,
    gaussian_log_delta,
    gaussian_sigma,
    half_width,
    level_for_half_width,
    zcdp_epsilon,
)
from dpviz.mechanisms import poisson_level
from dpviz.noise import FAMILIES

DELTA = 1e-6
REPEATS, ROUNDS = 100, 5
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


def report(name: str, ours: Call, peer: Call | None = None, repeats: int = REPEATS) -> None:
    """Print one line: our time, the peer's, and their ratio."""
    mine = milliseconds(ours, repeats)
    if peer is None:
        print(f"{name:42s} {mine:9.4f} ms")
        return
    theirs = milliseconds(peer, repeats)
    print(f"{name:42s} {mine:9.4f} ms   dp_accounting {theirs:9.4f} ms   ratio {mine / theirs:.3f}")


def main() -> None:
    """Time every call; less than 30 s in all."""
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
        report("gaussian_log_delta", lambda x: gaussian_log_delta(x, 1.0))
        report(
            "gaussian_epsilon, delta 1e-6",
            lambda x: gaussian_epsilon(log_delta, 1 / x),
            lambda x: peer.get_epsilon_gaussian(x, DELTA),
        )
        report("gaussian_epsilon, delta 1e-300", lambda x: gaussian_epsilon(deep, 1 / x))
        report(
            "gaussian_sigma, delta 1e-6",
            lambda x: gaussian_sigma(x, log_delta, 1.0),
            lambda x: peer.get_sigma_gaussian(x, DELTA),
        )
        report(
            "zcdp_epsilon",
            lambda x: zcdp_epsilon(1 / (2 * x * x), log_delta),
            rdp_epsilon,
        )
    poisson = FAMILIES["poisson"]
    report("half_width, Poisson", lambda x: half_width(poisson, 500 * x, 0.95))
    report(
        "level_for_half_width, Poisson",
        lambda x: level_for_half_width(poisson, 50 * x, 0.95),
        repeats=20,
    )
    for groups in (1, 3, 50):
        report(f"poisson_level, {groups} groups per person", _poisson(groups), repeats=4)


def _poisson(groups: int) -> Call:
    """One calibration; arguments differ from call to call, so nothing comes from the cache."""
    return lambda x: poisson_level(
        x,
        DELTA,
        l1_sensitivity=groups,
        l2_sensitivity=math.sqrt(groups),
        linf_sensitivity=1,
        dimension=100,
    )


if __name__ == "__main__":
    main()
