"""The law of whole paths: jumps, joint law in every order of growing, and that of a session.

A path and a session are held against the same promises, and against each other by two samples;
copies of the path that jump half as often, too far, or afresh are found out by each of these.
"""

from itertools import pairwise, permutations

import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.gradual import LaplacePath, gradual_law, jump_law, path
from dpviz.gradual.laws import JumpLaw
from dpviz.noise import FAMILIES
from dpviz.release import MultipleRelease
from tests.conftest import FULL, few, full_run
from tests.law.specimens import IndependentBridge
from tests.statistical import (
    DRAWS,
    LEVEL,
    broken_promises,
    chi_square_pvalue,
    kolmogorov_pvalue,
)

LAPLACE, WHOLE = FAMILIES["laplace"], FAMILIES["discrete_laplace"]
EPSILONS = (2.0, 0.7, 0.2)  # sharper first, as levels ascend
LEVELS = tuple(1 / epsilon for epsilon in EPSILONS)
ORDERS = list(permutations(EPSILONS))
MILLION = 1_000_000
AT_ONCE = 200_000


def grown(order, seed, family=LAPLACE, draws=DRAWS):
    """A path of many coordinates that begins at the first budget and grows as others are asked."""
    rng = streams.teaching(seed, ORDERS.index(order))
    values = np.zeros(draws, dtype=np.int64 if family.integer else float)
    one = LaplacePath(values, order[0], order[0], family=family, rng=rng)
    for epsilon in order[1:]:
        one.relax_to(epsilon)
        one.tighten_to(epsilon)
    return one


def noise_of(one):
    return np.array([one.at(epsilon) for epsilon in EPSILONS])


def asked(order, seed, family=LAPLACE):
    """The same of a session: noise at each of the budgets, asked for in this order."""
    session = MultipleRelease(np.zeros(DRAWS), family, rng=streams.teaching(seed, 9))
    for epsilon in order:
        session.release(1 / epsilon)
    return np.array([session.release(level) for level in LEVELS])


def counts_pvalue(one):
    """Numbers of jumps between each two budgets, against Poisson."""
    return min(poisson_pvalue(one.jumps(*ends), *ends) for ends in ((0.2, 0.7), (0.7, 2.0)))


def poisson_pvalue(jumps, low, high):
    mean = jump_law(low, high).mean
    return chi_square_pvalue(jumps, lambda x: FAMILIES["poisson"].cdf(x, mean))


def different(first, second):
    """The least p-value of two samples of noise: values, changes, sizes, and whether they rest."""

    def seen(noise):
        steps = np.diff(noise, axis=0)
        yield from noise
        yield from steps
        yield np.abs(noise[0]) + np.abs(steps[0])
        yield noise[0] * steps[1]
        yield (steps == 0).sum(axis=0)
        yield np.where(steps[0] == 0, np.abs(noise[2]), -1.0)

    pairs = zip(seen(first), seen(second), strict=True)
    return min(stats.ks_2samp(a, b, method="asymp").pvalue for a, b in pairs)


GROWING = ORDERS if FULL else [(0.7, 2.0, 0.2)]


@pytest.mark.parametrize("order", GROWING, ids=str)
def test_a_path_has_its_joint_law_however_it_grew(order, seed):
    one = grown(order, seed)
    assert broken_promises(LAPLACE, LEVELS, noise_of(one)) == []
    assert counts_pvalue(one) > LEVEL


@pytest.mark.parametrize("order", ORDERS if FULL else ORDERS[2:3], ids=str)
def test_path_and_session_have_one_law(order, seed):
    session, noise = asked(order, seed), noise_of(grown(order, seed))
    assert different(noise, session) > LEVEL
    changes = (np.diff(session, axis=0) != 0).mean(axis=1)
    still = [jump_law(low, high).probability(0) for high, low in pairwise(EPSILONS)]
    assert np.abs(1 - changes - still).max() < 6 * 0.5 / np.sqrt(DRAWS)
    if order != EPSILONS:  # else the session bridges nothing
        assert different(noise, asked(order, seed, IndependentBridge(LAPLACE))) < LEVEL


def test_relaxing_follows_the_conditional_law(seed):
    """Given the noisier value, the sharper one is where its law says: the path's, by quantiles."""
    draws = DRAWS if FULL else DRAWS // 20
    one = grown((0.2, 0.7, 2.0), seed, draws=draws)
    noisy, sharp = one.at(0.2), one.at(0.7)
    uniform = streams.teaching(seed, 99).random(draws)
    found = np.empty(draws)
    for i in range(draws):
        law = gradual_law({0.2: noisy[i]}, 0.7, exact=0.0)
        upto = float(law.cdf(np.array(sharp[i])))
        found[i] = upto - uniform[i] * (law.rest if sharp[i] == noisy[i] else 0.0)
    assert kolmogorov_pvalue(found, lambda x: np.clip(x, 0, 1)) > LEVEL


class HalfAsOften(JumpLaw):
    """Jumps at rate 1 per unit of ln ε, not 2."""

    def draw(self, size, *, rng):
        return JumpLaw(self.mean / 2).draw(size, rng=rng)


def often(monkeypatch):
    monkeypatch.setattr(path, "JumpLaw", HalfAsOften)


def too_far(monkeypatch, factor=1.1):
    right = path.noise_of
    monkeypatch.setattr(
        path, "noise_of", lambda family, scales, rng: right(family, factor * scales, rng=rng)
    )


def afresh(monkeypatch):
    def redrawn(self, epsilon):
        return LAPLACE.extend(np.zeros(self.dimension), 0, 1 / epsilon, rng=self._rng)

    monkeypatch.setattr(path.LaplacePath, "at", redrawn)


@pytest.mark.parametrize("flaw", few([often, too_far, afresh], 2))
def test_broken_paths_are_found_out(flaw, seed, monkeypatch):
    session = asked(EPSILONS, seed)
    flaw(monkeypatch)
    order = (2.0, 0.7, 0.2)
    one = grown(order, seed)
    noise = noise_of(one)
    assert broken_promises(LAPLACE, LEVELS, noise)
    assert different(noise, session) < LEVEL
    if flaw is often:
        assert counts_pvalue(one) < LEVEL


def test_broken_relaxing_is_found_out(seed, monkeypatch):
    too_far(monkeypatch, 1.3)  # only jumps outwards have a scale, so less of it is seen
    assert broken_promises(LAPLACE, LEVELS, noise_of(grown((0.2, 0.7, 2.0), seed)))


def whole_paths(order, seed, draws):
    """Whole numbers are drawn jump by jump, so in parts."""
    parts = [grown(order, seed * 1000 + n, WHOLE, 300) for n in range(draws // 300)]
    return np.concatenate([noise_of(one) for one in parts], axis=1), parts


@pytest.mark.parametrize("order", ORDERS if FULL else [(0.2, 0.7, 2.0)], ids=str)
def test_whole_paths_have_the_law_of_a_session(order, seed):
    draws = 1200 if FULL else 600
    noise, parts = whole_paths(order, seed, draws)
    session = MultipleRelease(np.zeros(DRAWS, int), WHOLE, rng=streams.teaching(seed, 9))
    other = np.array([session.release(level) for level in LEVELS])
    steps, others = np.diff(noise, axis=0), np.diff(other, axis=0)
    rows = [(*noise, *steps, np.abs(noise[0]) + np.abs(steps[0])),
            (*other, *others, np.abs(other[0]) + np.abs(others[0]))]  # fmt: skip
    assert (
        min(stats.ks_2samp(a, b, method="asymp").pvalue for a, b in zip(*rows, strict=True)) > LEVEL
    )
    for level, row in zip(LEVELS, noise, strict=True):
        assert chi_square_pvalue(row, lambda x, b=level: WHOLE.cdf(x, b)) > LEVEL
    number = np.concatenate([one.jumps(0.2, 0.7) for one in parts])
    mean = jump_law(0.2, 0.7, family=WHOLE).mean
    assert abs(number.mean() - mean) < 6 * np.sqrt(mean / draws)


@full_run
@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_a_million_paths(order):
    """A scale wrong by three parts in a hundred would be seen, and a rate by two."""
    parts = [grown(order, 100 + n, draws=AT_ONCE) for n in range(MILLION // AT_ONCE)]
    noise = np.concatenate([noise_of(one) for one in parts], axis=1)
    assert broken_promises(LAPLACE, LEVELS, noise) == []
    for low, high in ((0.2, 0.7), (0.2, 2.0)):
        jumps = np.concatenate([one.jumps(low, high) for one in parts])
        assert poisson_pvalue(jumps, low, high) > LEVEL
        still = jump_law(low, high).probability(0)
        assert abs((jumps == 0).mean() - still) < 6 * 0.5 / np.sqrt(MILLION)
