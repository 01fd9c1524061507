"""Mechanisms that add no noise: is there a blur, and what do two reports cost together?

Every proof is checked from its definition here, in fractions; bounds of joint losses are compared
with a linear program of another form and another solver.
"""

import itertools
import math
from fractions import Fraction as F

import numpy as np
import pytest
from scipy.optimize import linprog

from dpviz.errors import ParameterError
from dpviz.lossless import FiniteMechanism, blurs, decide_kernel, least_joint_loss, response
from dpviz.lossless.finite import greatest
from dpviz.lossless.kernels import Guessing, KernelDecision
from dpviz.lossless.least_loss import LeastLoss
from dpviz.noise.randomised_response import RandomisedResponse
from tests.conftest import FULL, few, for_each, full_run
from tests.finite_mechanisms import clipped_geometric, exponential_mechanism_table, noisy_max

GAPS = [[0, 0], [1, 0], [2, 0]]  # by how much the first of two candidates leads
EVEN = [[0, 1], [0, 0], [1, 0]]  # one ahead, none, the other ahead
CUBE = [list(row) for row in itertools.product((0, 1), repeat=3)]
GRID = [list(row) for row in itertools.product((0, 1, 2), repeat=2)]
QUARTER, HALF = F(1, 4), F(1, 2)


def scored(scores, mechanism=exponential_mechanism_table, bases=(QUARTER, HALF)):
    return [mechanism(scores, base) for base in bases]


def neighbours(scores):
    """One person moves each score by at most 1."""
    pairs = itertools.combinations(range(len(scores)), 2)
    far = {
        (i, j): max(abs(a - b) for a, b in zip(scores[i], scores[j], strict=True)) for i, j in pairs
    }
    return [pair for pair, distance in far.items() if distance <= 1]


def check(found, sharper, noisier):
    """The blur blurs, or the bet pays more: by enumerating every use of the sharper outcome."""
    if found.verdict == "yes":
        for row, aim in zip(sharper.rows, noisier.rows, strict=True):
            made = [
                sum(p * k[y] for p, k in zip(row, found.kernel, strict=True))
                for y in range(len(aim))
            ]
            assert tuple(made) == aim
        assert all(sum(k) == 1 and min(k) >= 0 for k in found.kernel)
        return
    bet, guesses = found.guessing, range(noisier.outcomes)
    mine = sum(
        v * q
        for pays, row in zip(bet.payoffs, noisier.rows, strict=True)
        for v, q in zip(pays, row, strict=True)
    )
    uses = [
        sum(
            bet.payoffs[d][use[x]] * p
            for d, row in enumerate(sharper.rows)
            for x, p in enumerate(row)
        )
        for use in itertools.product(guesses, repeat=sharper.outcomes)
    ]
    assert mine == bet.noisier > bet.sharper == max(uses)


YES_NO = {
    "randomised response": (response(HALF, 3), response(QUARTER, 3), "yes"),
    "randomised response, the other way": (response(QUARTER, 3), response(HALF, 3), "no"),
    "randomised response, a little too sharp": (response(HALF, 2), response("0.500001", 2), "no"),
    "clipped geometric": (clipped_geometric(QUARTER, 5), clipped_geometric(HALF, 5), "yes"),
    "clipped geometric, the other way": (
        clipped_geometric(HALF, 3),
        clipped_geometric(QUARTER, 3),
        "no",
    ),
    "exponential, even gaps": (*scored(EVEN), "yes"),
    "exponential, differing gaps": (*scored(GAPS), "no"),
    "exponential, close levels": (*scored(GAPS, bases=(HALF, F(51, 100))), "no"),
    "exponential, three candidates": (*scored(CUBE), "no"),
    "noisy max, even gaps": (*scored(EVEN, noisy_max), "yes"),
    "noisy max, differing gaps": (*scored(GAPS, noisy_max), "no"),
    "noisy max, three candidates": (*scored(CUBE, noisy_max), "no"),
    "anything to nothing": (exponential_mechanism_table(GAPS, HALF), response(0, 3), "yes"),
}


@for_each(("sharper", "noisier", "verdict"), few(YES_NO.values(), 2))
def test_known_answers_and_their_proofs(sharper, noisier, verdict):
    found = decide_kernel(sharper, noisier)
    assert found.verdict == verdict
    assert found.sentence.casefold().startswith(verdict)
    check(found, sharper, noisier)


@pytest.mark.parametrize("categories", [2, 3, 7])
def test_the_blur_of_randomised_response_is_that_of_the_house(categories):
    """K keeps with the quotient of both chances to keep, which is a step of its path."""
    found = decide_kernel(response(HALF, categories), response(QUARTER, categories)).kernel
    step = RandomisedResponse(categories)
    for below, row in enumerate(found):
        law = step.law_between(below, None, math.log(2), math.log(4), None)
        np.testing.assert_allclose([float(p) for p in row], law, rtol=1e-12)


def test_three_candidates_may_have_a_blur_though_two_never_do():
    """The counterexample of docs/LOSSLESS.md: one candidate leads another by 0, 1 and 2."""
    scores = [[gap, 0, 1] for gap in (0, 1, 2)]
    rows = [(1, 1, 4), (4, 1, 4), (16, 1, 4)], [(1, 1, 2), (2, 1, 2), (4, 1, 2)]
    sharper, noisier = scored(scores)
    for mechanism, weights in zip((sharper, noisier), rows, strict=True):
        assert mechanism == FiniteMechanism.of(weights)
    blur = (F(7, 10), F(1, 10), F(1, 5)), (F(0), F(0), F(1)), (F(1, 5), F(7, 20), F(9, 20))
    assert blurs(blur, sharper, noisier)
    assert decide_kernel(sharper, noisier).kernel == blur
    assert not blurs((blur[0], blur[2], blur[2]), sharper, noisier)
    assert decide_kernel(*scored(scores, noisy_max)).verdict == "no"
    assert decide_kernel(*scored([row[:2] for row in scores])).verdict == "no"


@full_run
@pytest.mark.parametrize("scores", [[3, 1, 0], [2, 2, 2, 0], [0, 0], [5]])
def test_noisy_max_is_that_of_exponential_noise(scores):
    """The largest of score + exponential noise of rate ln 2, by integrating over its value."""
    found = noisy_max([scores], HALF).rows[0]
    assert sum(found) == 1
    x = np.linspace(0, 80, 400_001) + max(scores)
    for place, chance in enumerate(found):
        density = math.log(2) * 2.0 ** -(x - scores[place])
        others = [1 - 2.0 ** -(x - s) for i, s in enumerate(scores) if i != place]
        # below the best score nobody wins
        whole = np.trapezoid(density * np.prod(others, axis=0), x)
        assert float(chance) == pytest.approx(whole, abs=1e-6)


def check_above(found, reports, pairs):
    """The joint laws have the right margins and quotients, by summing every cell."""
    shape = [range(report.outcomes) for report in reports]
    laws = [dict(zip(itertools.product(*shape), law, strict=True)) for law in found.above]
    for d, law in enumerate(laws):
        for place, report in enumerate(reports):
            for x, chance in enumerate(report.rows[d]):
                assert sum(v for cell, v in law.items() if cell[place] == x) == chance
        assert min(law.values()) >= 0
    ratios = [
        F(a, 1) / laws[other][cell]
        for one, other in [*pairs, *((j, i) for i, j in pairs)]
        for cell, a in laws[one].items()
        if a or laws[other][cell]
    ]
    assert max(ratios) <= found.high


def feasible(reports, pairs, ratio):
    """Whether floats find a joint law of this ratio: every cell an unknown, every sum a row."""
    cells = [*itertools.product(*(range(r.outcomes) for r in reports))]
    sets = range(len(reports[0].rows))
    place = {(d, cell): n for n, (d, cell) in enumerate(itertools.product(sets, cells))}
    equal, aim, limits = [], [], []
    for d in sets:
        for i, report in enumerate(reports):
            for x, chance in enumerate(report.rows[d]):
                row = np.zeros(len(place))
                row[[place[d, cell] for cell in cells if cell[i] == x]] = 1
                equal.append(row)
                aim.append(float(chance))
    for one, other in [*pairs, *((j, i) for i, j in pairs)]:
        for cell in cells:
            row = np.zeros(len(place))
            row[place[one, cell]], row[place[other, cell]] = 1, -ratio
            limits.append(row)
    found = linprog(
        np.zeros(len(place)),
        A_ub=np.array(limits),
        b_ub=np.zeros(len(limits)),
        A_eq=np.array(equal),
        b_eq=aim,
        method="highs-ipm",
    )
    return found.status == 0


def least(reports, pairs, low, high):
    """e^ε by feasibility alone."""
    for _ in range(22):
        ratio = math.sqrt(low * high)
        low, high = (low, ratio) if feasible(reports, pairs, ratio) else (ratio, high)
    return high


def two_bits():
    """Two secrets, and a report about either: nothing makes one report into the other."""
    rows, bits = response(HALF, 2).rows, [*itertools.product((0, 1), repeat=2)]
    mechanisms = [FiniteMechanism(tuple(rows[pair[i]] for pair in bits)) for i in (0, 1)]
    return (*mechanisms, [*itertools.combinations(range(4), 2)])


def test_the_joint_loss_of_two_secrets_is_between_one_and_both():
    sharper, noisier, pairs = two_bits()
    found = least_joint_loss([sharper, noisier], pairs, tolerance=1e-6)
    alone, low, high = found.epsilons
    assert alone == math.log(3) < low <= high <= low + 1e-6
    assert high < math.log(9) - 0.5
    check_above(found, [sharper, noisier], pairs)
    assert math.log(5) == pytest.approx(low, abs=1e-5)
    assert least([sharper, noisier], pairs, 3, 9) == pytest.approx(5, abs=1e-3)


def test_bounds_of_random_mechanisms_agree_with_another_solver():
    rng = np.random.default_rng(7)
    above_alone = 0
    for _ in range(6 if FULL else 3):
        sets, outs = rng.integers(2, 4, 2)
        tables = [rng.integers(1, 9, (sets, outs)).tolist() for _ in range(2)]
        sharper, noisier = map(FiniteMechanism.of, tables)
        pairs = [*itertools.combinations(range(sets), 2)]
        found = least_joint_loss([sharper, noisier], pairs)
        check_above(found, [sharper, noisier], pairs)
        independent = float(sharper.ratio(pairs) * noisier.ratio(pairs))
        other = least([sharper, noisier], pairs, 1.0, independent)
        assert float(found.low) * (1 - 1e-3) <= other <= float(found.high) * (1 + 1e-3)
        above_alone += found.low > max(sharper.ratio(pairs), noisier.ratio(pairs))
    assert above_alone  # so that bounds below are proved by weights, too


def no_more_than_alone(scores, bases):
    """Whether the joint loss is that of the sharper report, to 1e-6."""
    for mechanism in (exponential_mechanism_table, noisy_max):
        sharper, noisier = scored(scores, mechanism, bases)
        pairs = neighbours(scores)
        assert decide_kernel(sharper, noisier).verdict == "no"
        found = least_joint_loss([sharper, noisier], pairs, tolerance=1e-6)
        check_above(found, [sharper, noisier], pairs)
        alone, low, high = found.epsilons
        assert alone <= low <= high <= alone + 1e-6


@pytest.mark.parametrize("scores", [GAPS, GRID, CUBE], ids=["gaps", "grid", "cube"])
def test_without_a_blur_two_lists_cost_no_more_than_the_sharper(scores):
    """The table of docs/LOSSLESS.md: the joint loss of ε is that of the sharper report alone."""
    no_more_than_alone(scores, (QUARTER, HALF))


def test_the_greatest_quotient_looks_both_ways():
    assert FiniteMechanism.of([[1, 1], [9, 1]]).ratio([(0, 1)]) == 5
    assert FiniteMechanism.of([[1, 1], [1, 0]]).ratio([(0, 1)]) is None
    assert greatest([(F(1), F(0)), (HALF, HALF)], [(0, 1)]) == 2


def test_a_blur_of_another_shape_blurs_nothing():
    assert not blurs(((F(1),), (F(1),)), response(HALF, 2), response(HALF, 2))
    assert not blurs(((HALF, HALF),), response(HALF, 2), response(HALF, 2))


LAW = ((HALF, F(0)), (F(0), HALF))


@for_each(
    "use",
    [
        lambda: FiniteMechanism.of([]),
        lambda: FiniteMechanism.of([[]]),
        lambda: FiniteMechanism.of([[0, 0]]),
        lambda: FiniteMechanism.of([[1, -1]]),
        lambda: FiniteMechanism.of([[1, 2], [1]]),
        lambda: FiniteMechanism(((0.5, 0.5),)),
        lambda: FiniteMechanism(((HALF, F(1, 3)),)),
        lambda: response(2, 2),
        lambda: response(HALF, 1),
        lambda: response(HALF, 10**6),
        lambda: decide_kernel(response(HALF, 2), response(HALF, 3)),
        lambda: decide_kernel(response(HALF, 2), None),
        lambda: least_joint_loss([response(HALF, 2), response(HALF, 2)], []),
        lambda: least_joint_loss([response(HALF, 2), response(HALF, 2)], [(0, 2)]),
        lambda: least_joint_loss([response(HALF, 2), response(HALF, 2)], [(0, 1, 1)]),
        lambda: least_joint_loss([response(HALF, 2), response(HALF, 3)], [(0, 1)]),
        lambda: least_joint_loss([response(1, 2), response(HALF, 2)], [(0, 1)]),
        lambda: least_joint_loss([response(HALF, 20), response(HALF, 20)], [(0, 1)]),
        lambda: least_joint_loss([FiniteMechanism.of([[10**9, 1], [1, 10**9]])] * 2, [(0, 1)]),
        lambda: decide_kernel(*[FiniteMechanism.of([[1] * 21])] * 2),
        lambda: blurs(((F(1), F(1)),), response(HALF, 2), response(HALF, 2)),
        lambda: Guessing(LAW, HALF, HALF),
        lambda: KernelDecision("yes"),
        lambda: KernelDecision("no", kernel=((F(1),),)),
        lambda: LeastLoss(F(3), F(2), F(4), ((HALF, F(0), F(0), HALF),)),
    ],
)
def test_refuses(use):
    with pytest.raises(ParameterError):
        use()
