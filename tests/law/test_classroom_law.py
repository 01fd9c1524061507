"""The law of both rounds of a class, over many classes: joint, in whatever order they ask.

With separate noise the errors are independent; on one path their covariance is the variance of the
sharper one, so all together are as far off as the sharpest alone. A class in which everybody had
the noise of a session of their own in the second round, too, is rejected.
"""

import math

import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.planning.cast import ILL, RHO
from dpviz.scenes import classroom as scenes
from dpviz.workspace.classroom import FOUR_TIERS, ONE_PATH, SEPARATE, Register, Student
from tests.conftest import SEEDS, few
from tests.statistical import LEVEL, WIDE, kolmogorov_pvalue

CLASSES = 2_000
STUDENTS = tuple(Student(f"Owl {k}", tier) for k, tier in enumerate(2 * FOUR_TIERS))
VARIANCE = np.array([1 / (2 * RHO[student.tier]) for student in STUDENTS])
PATH = np.minimum.outer(VARIANCE, VARIANCE)
APART = np.diag(VARIANCE)


def errors(which, seed, order=None):
    """Errors of all students in many classes, a row each, and those of the pooled number.

    Args:
        which: the round.
        seed: of the seeds of the classes.
        order: of asking; None: another one in each class.
    """
    rng = streams.teaching(seed, which)
    single, pooled = [], []
    for each in rng.integers(2**60, size=CLASSES).tolist():
        asked = tuple(rng.permutation(8).tolist()) if order is None else order
        both = (asked, asked)
        register = Register(
            code="", seed=each, tiers=FOUR_TIERS, students=STUDENTS, asked=both, round=ONE_PATH
        )
        found = scenes.Round(which=which, drawn=scenes.draw(register, which))
        by_name = {x.who: x.value - ILL for x in found.drawn}
        single.append([by_name[student.name] for student in STUDENTS])
        pooled.append(found.pool.value - ILL)
    return np.array(single), np.array(pooled)


def far_off(single, covariance):
    """How far measured covariances are from these, in standard errors, at most."""
    measured = single.T @ single / CLASSES
    spread = np.sqrt((covariance**2 + np.outer(VARIANCE, VARIANCE)) / CLASSES)
    return np.abs((measured - covariance) / spread).max()


def follows(pooled, variance):
    return kolmogorov_pvalue(pooled, stats.norm(scale=math.sqrt(variance)).cdf) > LEVEL


@pytest.mark.parametrize("seed", SEEDS)
def test_both_rounds_have_their_law_and_not_each_others(seed):
    for which, covariance, other in ((SEPARATE, APART, PATH), (ONE_PATH, PATH, APART)):
        single, pooled = errors(which, seed)
        assert far_off(single, covariance) < WIDE
        assert far_off(single, other) > WIDE
        together = 1 / np.linalg.pinv(covariance, hermitian=True).sum()
        assert follows(pooled, together)
        assert not follows(pooled, 2 * together)
    assert together == pytest.approx(VARIANCE.min())


@pytest.mark.parametrize("seed", SEEDS)
def test_the_order_of_asking_does_not_matter_in_law(seed):
    for order in few(((3, 7, 2, 6, 1, 5, 0, 4), (0, 1, 2, 3, 4, 5, 6, 7)), 2):
        single, pooled = errors(ONE_PATH, seed, order)
        assert far_off(single, PATH) < WIDE
        assert follows(pooled, VARIANCE.min())
