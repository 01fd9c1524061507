"""Each broken sampler, in the place of the right one, is caught: and by which check exactly.

So a check that stops looking fails here. Not every flaw is seen by every check: a session that
draws again, or that was copied, has the right law each time, and floats have it, too; who bridges
wrongly along the line of the covariances passes every test of covariances.
"""

import copy
from functools import partial

import numpy as np
import pytest

from dpviz import streams
from dpviz.errors import ParameterError
from dpviz.experiments.audit import audit
from dpviz.experiments.audit_sessions import Coalition, HistogramCells
from dpviz.experiments.broken import table
from dpviz.experiments.broken.table import AUDITOR, LAW, TWINS
from dpviz.experiments.covariance import check_covariances, simulate_covariances
from dpviz.noise import FAMILIES
from dpviz.release import MultipleRelease
from tests.conftest import FULL, few
from tests.law import test_sparse_law
from tests.law.test_sparse_law import drawn
from tests.oracles_sparse import opened
from tests.statistical import DRAWS, LEVEL, broken_promises

RUNS = 200_000
LAW_DRAWS = 80_000  # twenty orders of asking, so that some of them need a bridge
SURE = 1 - 1e-6
ORDERS = {"variance": (1.25, 5.0, 2.5, 5 / 3), "scale": (0.5, 10.0, 2.0)}
COVARIANCE, MARGINAL, ATOM, STEP = "covariance", "law at", "atom", "law of the step"
INDEPENDENCE, COVARIANCES, SHARES = "independence", "check of covariances", "check of shares"
AGAIN, DIGITS = "the same numbers when asked again", "last digits"
BY = {  # what goes red; the auditor and the digits by outputs alone
    "small": {COVARIANCE, MARGINAL, STEP, COVARIANCES, SHARES, AUDITOR},
    "redraw": {AGAIN, AUDITOR},
    "copies": {AGAIN, AUDITOR},
    "fresh": {COVARIANCE, STEP, INDEPENDENCE, COVARIANCES, SHARES, AUDITOR},
    "copying bridge": {COVARIANCE, MARGINAL, ATOM, COVARIANCES, SHARES, AUDITOR},
    "straight bridge": {MARGINAL, ATOM, STEP, INDEPENDENCE, SHARES, AUDITOR},
    "Lemma F.5": {COVARIANCE, MARGINAL, ATOM, STEP, INDEPENDENCE, COVARIANCES, SHARES, AUDITOR},
    "floats": {DIGITS, AUDITOR},
}
WORDS = (COVARIANCE, MARGINAL, ATOM, STEP, INDEPENDENCE)


def law_checks(game, seed):
    """What the suite of the joint law, the check of covariances and a second question find."""
    family = game.family
    order = ORDERS[family.level_unit]
    levels = sorted(order)
    session = game.open_releases(np.zeros(DRAWS, int), family, rng=streams.teaching(seed))
    held = {level: session.release(level) for level in order}
    wrong = broken_promises(family, levels, np.array([held[level] for level in levels]))
    found = {next(word for word in WORDS if each.startswith(word)) for each in wrong}
    if any((session.release(level) != held[level]).any() for level in order):
        found.add(AGAIN)
    *_, sample = simulate_covariances(
        family, levels, LAW_DRAWS, rng=streams.teaching(seed), open_releases=game.open_releases
    )
    check = check_covariances(family, levels, sample)
    return found | {
        name for name, red in ((COVARIANCES, check.outside), (SHARES, check.strange)) if red.any()
    }


def audited(twin, game, *, digits):
    found = audit(
        game, RUNS, rng=streams.teaching(4), delta=twin.delta, confidence=SURE, digits=digits
    )
    return found.epsilon(twin.delta) > twin.right.promised_epsilon(twin.delta)


SESSIONS = [twin for twin in TWINS.values() if isinstance(twin.wrong, Coalition)]


@pytest.mark.parametrize("twin", few(SESSIONS, 8), ids=lambda twin: twin.key)
def test_the_checks_that_catch_each_broken_sampler(twin, seed):
    red = law_checks(twin.wrong, seed)
    if audited(twin, twin.wrong, digits=twin.digits):
        red.add(AUDITOR)
    if twin.digits and not audited(twin, twin.wrong, digits=False):
        red.add(DIGITS)  # the auditor is blind without them
    assert red == BY[twin.key]
    law = red - {AUDITOR, DIGITS, AGAIN}
    assert set(twin.caught_by) == ({AUDITOR} | ({LAW} if law else set())), "what the page says"
    if FULL:  # else by tests/law/test_joint_law.py and tests/unit/experiments/test_variances.py
        assert law_checks(twin.right, seed) == set()
    assert not audited(twin, twin.right, digits=twin.digits)


def test_no_broken_sampler_is_left_out():
    assert set(BY) | {"Algorithm 6"} == set(TWINS)
    assert all(AUDITOR in twin.caught_by for twin in TWINS.values())


def test_the_printed_algorithm_is_caught_by_the_auditor_and_by_the_sparse_law(seed):
    twin = TWINS["Algorithm 6"]
    assert isinstance(twin.wrong, HistogramCells)
    assert audited(twin, twin.wrong, digits=False)
    assert not audited(twin, twin.right, digits=False)
    dense, wrong, right = (
        drawn(kind, 1.2, "level", (0, 1, 2), seed) for kind in ("dense", "printed", "sparse")
    )
    assert type(opened("printed", [], [], 9, seed=1)) is twin.wrong.open_histogram
    assert min(test_sparse_law.differences(wrong, dense)) < LEVEL
    assert min(test_sparse_law.differences(right, dense)) > LEVEL


READINGS = {table.PRINTED: True, table.EXCHANGED: True, table.RIGHT: False}


@pytest.mark.parametrize("reading", few(READINGS, 2))
def test_both_readings_of_the_printed_lemma_break_privacy(reading):
    """Where the new level is near the noisier one; the right scales, drawn the same way, do not."""
    game = Coalition(
        FAMILIES["laplace"],
        (0.2, 3.0, 2.9),
        (2.9, 3.0),
        open_releases=table.broken_family(partial(table.BrokenPrintedBridge, reading=reading)),
    )
    found = audit(game, RUNS, rng=streams.teaching(5), confidence=SURE, digits=False)
    assert (found.epsilon() > game.promised_epsilon(0.0)) == READINGS[reading]


def test_copies_are_refused_by_a_session_and_not_by_the_broken_one():
    values, family = [3], FAMILIES["discrete_laplace"]
    copied = copy.copy(table.BrokenCopiedSession(values, family, rng=streams.teaching(1))).release(
        2.0
    )
    assert copied.shape == (1,)
    with pytest.raises(ParameterError, match="neither copied nor pickled"):
        copy.copy(MultipleRelease(values, family, rng=streams.teaching(1)))
