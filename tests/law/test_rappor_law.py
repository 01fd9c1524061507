"""The laws of local reports: permanent bits for every order of f, one client or a million at once.

The two responses are counted together; broken copies are found out: a response drawn afresh at the
second f, whose losses add, and the recast of the paper, whose bits tell more than the second alone.
"""

import math
from itertools import permutations

import numpy as np
import pytest
from scipy import stats

from dpviz import MultipleRelease, streams
from dpviz.local import (
    Bloom,
    LaplaceBits,
    Rappor,
    RapporClient,
    RapporSurvey,
    instantaneous_response,
    rappor_joint_loss,
    rappor_law,
)
from dpviz.local.rappor import CHAIN
from tests.conftest import FULL
from tests.statistical import LEVEL, MISS

BITS = 400_000 if FULL else 120_000
ORDERS = list(permutations((0.75, 0.5)))
FIRST, SECOND = 0.75, 0.5


def pvalue(first, second, law):
    """Chi-square test of two responses to zeros."""
    seen = np.bincount(2 * first.astype(int) + second, minlength=4)
    want = np.asarray(law).ravel() * seen.sum()
    return float(stats.chi2.sf(((seen - want) ** 2 / want).sum(), 3))


def told(first, second):
    """What both responses to zeros tell, as a plain estimate: the largest ln of two frequencies."""
    seen = np.bincount(2 * first.astype(int) + second, minlength=4).reshape(2, 2)
    return float(np.log(seen / seen[::-1, ::-1]).max())


def chained(order, rng):
    """Permanent bits of zeros through a session, f asked for in this order."""
    session = MultipleRelease(np.zeros(BITS, dtype=int), CHAIN, rng=rng)
    for f in order:
        session.release(Rappor(f=f, p=0.5, q=0.75).level)
    return [session.release(Rappor(f=f, p=0.5, q=0.75).level) for f in (FIRST, SECOND)]


def redrawn(rng):
    """Broken: the second response is drawn from the filter again."""
    return [chained((f,), rng)[i] for i, f in enumerate((FIRST, SECOND))]


def recast(rng):
    """As printed: the Laplace number is relaxed, and cut again."""
    bits = LaplaceBits(np.zeros(BITS, dtype=int), rng=rng)
    return [bits.permanent(f) for f in (FIRST, SECOND)]


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_permanent_bits_follow_the_chain_in_either_order(order, seed):
    bits = chained(order, streams.teaching(seed))
    law = rappor_law("chain", FIRST, SECOND)
    assert pvalue(*bits, law) > LEVEL
    assert pvalue(*bits, rappor_law("chain", FIRST, SECOND * (1 + MISS))) < LEVEL
    assert pvalue(*bits, rappor_law("recast", FIRST, SECOND)) < LEVEL
    alone = math.log((1 - SECOND / 2) / (SECOND / 2))  # what the sharper report tells
    assert abs(told(*bits) - alone) < 0.02
    assert rappor_joint_loss("chain", FIRST, SECOND) == pytest.approx(alone, rel=1e-15)


def test_a_response_drawn_afresh_is_found_out_and_its_losses_add(seed):
    bits = redrawn(streams.teaching(seed))
    assert pvalue(*bits, rappor_law("chain", FIRST, SECOND)) < LEVEL
    assert pvalue(*bits, rappor_law("fresh", FIRST, SECOND)) > LEVEL
    both = math.log(3) + math.log(1.25 / 0.75)
    assert abs(rappor_joint_loss("fresh", FIRST, SECOND) - both) < 1e-12
    assert abs(told(*bits) - both) < 0.06


def test_the_recast_as_printed_is_right_bit_by_bit_but_not_lossless(seed):
    bits = recast(streams.teaching(seed))
    for f, each in zip((FIRST, SECOND), bits, strict=True):
        assert stats.binomtest(int(each.sum()), BITS, f / 2).pvalue > LEVEL
    assert pvalue(*bits, rappor_law("recast", FIRST, SECOND)) > LEVEL
    assert pvalue(*bits, rappor_law("chain", FIRST, SECOND)) < LEVEL
    assert told(*bits) > math.log(3) + 0.01


@pytest.mark.parametrize("order", ORDERS, ids=str)
def test_clients_one_by_one_follow_the_same_law(order, seed):
    """Clients of a thousand bits each, of which all but one are zeros."""
    bloom, rng = Bloom(bits=1000, hashes=1, cohorts=1), streams.teaching(seed)
    empty = np.arange(1000) != bloom.positions("x", 0)[0]
    seen = {f: [] for f in order}
    for _ in range(BITS // 1000):
        client = RapporClient("x", bloom, rng=rng)
        for f in order:
            seen[f].append(client.permanent(Rappor(f=f, p=0.5, q=0.75))[empty])
    bits = [np.concatenate(seen[f]) for f in (FIRST, SECOND)]
    assert pvalue(*bits, rappor_law("chain", FIRST, SECOND)) > LEVEL
    assert pvalue(*bits, rappor_law("fresh", FIRST, SECOND)) < LEVEL


@pytest.mark.parametrize("mode", ["teaching", "hardened"])
def test_sums_of_many_clients_follow_the_chances_of_a_report(mode, seed):
    """Bits that a text sets, and those that it does not, in a survey of one text."""
    rng = streams.teaching(seed) if mode == "teaching" else streams.hardened()
    bloom, asked = Bloom(bits=8, hashes=3, cohorts=4), Rappor(f=0.4, p=0.2, q=0.7)
    reports = RapporSurvey({"x": BITS // 8}, bloom, rng=rng).report(asked)
    set_bits = bloom.design(["x"]).toarray().reshape(4, 8).astype(bool)
    many = np.repeat(reports.clients, 8).reshape(4, 8)
    for where, chance in ((set_bits, asked.one_if_one), (~set_bits, asked.one_if_zero)):
        ones, of = int(reports.ones[where].sum()), int(many[where].sum())
        assert stats.binomtest(ones, of, chance).pvalue > LEVEL
        assert stats.binomtest(ones, of, chance * (1 + MISS)).pvalue < LEVEL


@pytest.mark.parametrize("bit", [0, 1])
def test_instantaneous_responses_are_fresh(bit, seed):
    rng, asked = streams.teaching(seed), Rappor(f=0.5, p=0.3, q=0.8)
    permanent = np.full(BITS, bit)
    first, second = (instantaneous_response(permanent, asked, rng=rng) for _ in range(2))
    chance = (asked.p, asked.q)[bit]
    law = np.outer([1 - chance, chance], [1 - chance, chance])
    assert pvalue(first, second, law) > LEVEL
    assert pvalue(first, first, law) < LEVEL
