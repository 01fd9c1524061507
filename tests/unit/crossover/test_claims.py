"""Every number that the page Laplace or Gauss claims, computed again over a grid of settings.

The curve of Laplace noise by its atoms and splines, that of Gaussian noise by the normal law, both
at many digits; the δ at which the two cross by both curves a little below it and a little above.
"""

import math
from contextlib import nullcontext

import mpmath as mp
import numpy as np
import pytest

from dpviz.ui.laplace_or_gauss import controls, verdict, words
from tests.claim_settings import FULL, GRID, NOISE, OWN, moves, workspace_of
from tests.oracles_accounting_laplace import alike_laplace_delta
from tests.visiting import check_words, plain

LAPLACE, GAUSS = "standard deviation of Laplace noise", "standard deviation of Gaussian noise"
BEGINS = "the δ* from which on Gaussian noise is the smaller one"
ENDS = "the δ* up to which Gaussian noise is the smaller one"
EPSILONS, DELTAS = (
    ((0.1, 1.0, 4.0, 10.0), (1e-12, 1e-6, 0.1, 0.3)) if FULL else ((1.0,), (1e-6, 0.1))
)
SIDE = 1e-3  # how far from δ* both curves are compared, relative
PLAIN = [g for g in OWN if g[0] == NOISE[0] and g[3] == "count"]


def gaussian_delta(epsilon, deviation, l2):
    with mp.workdps(60):
        mu, e = mp.mpf(l2) / mp.mpf(deviation), mp.mpf(epsilon)
        return mp.ncdf(mu / 2 - e / mu) - mp.exp(e) * mp.ncdf(-mu / 2 - e / mu)


def laplace_delta(epsilon, deviation, l1, moved):
    return alike_laplace_delta(l1 * math.sqrt(2) / (moved * deviation), moved, epsilon)


def equal_variance(epsilon, delta, l2):
    """Standard deviation of the Gaussian noise that has this δ."""
    with mp.workdps(60):
        target = mp.log(mp.mpf(delta))
        low, high = mp.mpf(l2) / 60, mp.mpf(l2) * 10**4
        for _ in range(60):
            middle = mp.sqrt(low * high)
            less = mp.log(gaussian_delta(epsilon, middle, l2)) > target
            low, high = (middle, high) if less else (low, middle)
        return float(high)


def check(view, l1, l2, moved):
    claims = words.claims(view)
    check_words(words.takeaway(view), claims, f"up to 0.5, {view.question.epsilon:g}")
    found, q = {claim.what: claim for claim in claims}, view.question
    delta = math.exp(q.log_delta)
    laplace, gauss = found[LAPLACE].value, found[GAUSS].value
    assert float(gaussian_delta(q.epsilon, gauss, l2)) == pytest.approx(delta, rel=1e-6)
    pure = math.sqrt(2) * l1 / q.epsilon
    assert laplace <= pure * (1 + 1e-9)
    if moved is None:
        assert (found[LAPLACE].kind, laplace) == ("at most", pytest.approx(pure))
    else:
        assert found[LAPLACE].kind == "exact"
        assert laplace_delta(q.epsilon, laplace, l1, moved) <= delta * (1 + 1e-6)
        if laplace < pure * (1 - 1e-6):
            assert laplace_delta(q.epsilon, laplace * (1 - 1e-5), l1, moved) > delta
    check_verdict(view, moved)
    said = plain(words.takeaway(view))
    assert ("Gaussian noise smaller" in said or "every δ" in said) == (laplace <= gauss)
    check_crossing(view, found, l1, l2, moved)


def check_verdict(view, moved):
    """The sizes in the sentence are quantiles; one number more per person turns it round."""
    q, claims = view.question, verdict.claims(view)
    check_words(verdict.sentence(view), claims, f"{moved}")
    found = {claim.what: claim.value for claim in claims}
    if "half width of Laplace noise" in found:
        quantile = -math.log(0.05) / math.sqrt(2)  # of Laplace noise with standard deviation 1
        laplace, gauss = (found[f"half width of {n} noise"] for n in ("Laplace", "Gaussian"))
        assert laplace == pytest.approx(view.choice.laplace * quantile)
        assert gauss == pytest.approx(view.choice.gaussian * 1.959963984540054)
        assert (laplace <= gauss) == (view.choice.laplace <= view.choice.gaussian)
    turn = "numbers per person from which on Gaussian noise has the smaller variance"
    if turn in found and found[turn] <= 30:
        one = equal_variance(q.epsilon, math.exp(q.log_delta), 1)
        for count, smaller in ((found[turn] - 1, True), (found[turn], False)):
            kept = laplace_delta(q.epsilon, one * math.sqrt(count), count, count)
            assert (kept <= math.exp(q.log_delta) * (1 + 1e-6)) == smaller, count


def check_crossing(view, found, l1, l2, moved):
    """Just below a δ* the one noise is smaller, and just above it the other one."""
    epsilon = view.question.epsilon
    for what, gauss_above in ((BEGINS, True), (ENDS, False)):
        if what in found:
            star = found[what].value
            assert 0 < star < 0.5
            if moved is None:
                pure = math.sqrt(2) * l1 / epsilon
                assert float(gaussian_delta(epsilon, pure, l2)) == pytest.approx(star, rel=1e-9)
                assert found[what].kind == "at least"
                continue
            for delta, above in ((star * (1 - SIDE), False), (star * (1 + SIDE), True)):
                deviation = equal_variance(epsilon, delta, l2)
                costs_more = laplace_delta(epsilon, deviation, l1, moved) > delta
                assert costs_more == (gauss_above == above), (what, star)


CASES = [  # the noise of the plan changes nothing: with one of them at every ε and δ
    (setting, epsilon, delta)
    for setting in (GRID if FULL else PLAIN)
    for epsilon in EPSILONS
    for delta in DELTAS
    if setting[0] == NOISE[0] or (epsilon, delta) == (1.0, 1e-6)
]


@pytest.mark.parametrize(("setting", "epsilon", "delta"), CASES)
def test_the_visitors_statistic(visit, setting, epsilon, delta):
    """Whichever noise the plan has: the page compares the same two."""
    ws, (_, relation, groups, _) = workspace_of(*setting), setting
    shifts = [s * ws.statistic.query.step for s in moves(ws.statistic.query, relation, groups)]
    visit.come(crossover_query=controls.OWN, crossover_epsilon=epsilon, crossover_delta=delta)
    l1, l2 = sum(map(abs, shifts)), math.sqrt(sum(s * s for s in shifts))
    check(controls.view(ws, nullcontext(), nullcontext()), l1, l2, len(shifts))


@pytest.mark.parametrize("counts", [1, 5, 8, 9, 100] if FULL else [5, 9])
def test_the_town(visit, counts):
    """Its verdict turns with how many counts one person is in."""
    visit.come(crossover_counts=counts)
    check(
        controls.view(workspace_of(*OWN[0]), nullcontext(), nullcontext()),
        counts,
        math.sqrt(counts),
        counts,
    )


TYPED = [  # ε, δ, Δ₂, d, Δ₁
    ("1", 1e-6, "1", "10", "2.5"),  # not a whole number of groups: by its pure ε
    ("1", 1e-6, "1.3", "10", "2.1"),
    ("0.3", 1e-6, "1", "10", "1.7"),
    ("4.1", 0.1, "1", "2", ""),  # Gauss is better only between two δ
    ("4.1", 0.4, "1", "2", ""),
    ("4.886554", 1e-6, "1", "1", ""),  # Laplace is better at every δ
    ("0.3", 1e-9, "2", "4", "4"),
]


@pytest.mark.parametrize(("epsilon", "delta", "l2", "dimension", "l1"), TYPED)
def test_a_typed_query(visit, epsilon, delta, l2, dimension, l1):
    visit.come(
        crossover_query=controls.TYPED,
        crossover_delta=delta,
        crossover_typed_epsilon=epsilon,
        crossover_typed_l2=l2,
        crossover_typed_d=dimension,
        crossover_typed_l1=l1,
    )
    view = controls.view(workspace_of(*OWN[0]), nullcontext(), nullcontext())
    first, second = float(l1 or math.sqrt(int(dimension)) * float(l2)), float(l2)
    moved = round((first / second) ** 2)
    alike = math.isclose(moved, (first / second) ** 2)
    check(view, first, second, moved if alike else None)


def test_both_ends_of_the_range_are_claimed(visit):
    """Where Gauss is better between two δ only, both are said and both are claimed."""
    visit.come(
        crossover_query=controls.TYPED,
        crossover_typed_epsilon="4.1",
        crossover_typed_d="2",
        crossover_delta=0.1,
    )
    view = controls.view(workspace_of(*OWN[0]), nullcontext(), nullcontext())
    assert "only between δ* = 0.31 and 0.46" in plain(words.takeaway(view))
    assert {BEGINS, ENDS} <= {claim.what for claim in words.claims(view)}


def test_a_δ_that_no_float_holds_is_no_0(visit):
    """With a thousand groups δ* is 10⁻⁴⁴²: it is claimed by its logarithm."""
    visit.come(crossover_query=controls.TYPED, crossover_typed_d="1000")
    view = controls.view(workspace_of(*OWN[0]), nullcontext(), nullcontext())
    (star,) = (claim for claim in words.claims(view) if "δ*" in claim.what)
    assert star.what.startswith("the log₁₀ of the δ*")
    pure = math.sqrt(2 * 1000)
    with mp.workdps(600):
        mu = mp.mpf(1) / mp.mpf(pure)
        log = mp.log10(mp.ncdf(mu / 2 - 1 / mu) - mp.e * mp.ncdf(-mu / 2 - 1 / mu))
    assert star.value == pytest.approx(float(log), rel=1e-6)
    assert np.isfinite(star.value)
