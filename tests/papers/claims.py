"""What the papers say in numbers, beside what the library computes.

The texts that we have of three papers have lost their formulas, and no paper prints a table; so
these are the numbers that can still be read, or that a statement in words fixes. `docs/PAPERS.md`
is this list as text.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np

from dpviz import streams
from dpviz.accounting import (
    adaptive_composition_log_delta,
    approximate_zcdp_epsilon,
    approximate_zcdp_epsilon_textbook,
    best_arity,
    classical_gaussian_sigma,
    gaussian_rho_for,
    histogram_gaussian_epsilon,
    histogram_loose_epsilon,
    honaker_error,
    mixed_composition_log_delta,
    poisson_theorem_epsilon,
    square_root_factor,
    tree_error,
)
from dpviz.accounting.levels import gaussian_rho
from dpviz.experiments.averaging import averaging_attacks
from dpviz.experiments.ladders import spaced_budgets
from dpviz.experiments.printed_bridge import bridged_variance
from dpviz.experiments.simulation import simulate_variances
from dpviz.gradual import jump_law
from dpviz.local import attack_errors, rappor_joint_loss
from dpviz.noise import ADDITIVE
from dpviz.sparse import SparseHistogram
from dpviz.sparse.printed_law import printed_leak, printed_rounds
from tests.papers.gradual import both_combined, staircase

LMR25, APT24 = "Private Lossless Multiple Release", "Count on Your Elders"
KHP15, BCT20 = "Gradual Release of Sensitive Data", "Bounding, Concentrating, and Truncating"
PAPERS = (LMR25, KHP15, APT24, BCT20)
AGREES = "agrees"
WRONG = "wrong as printed"  # with a counterexample; the page Method quotes it, and what was meant
MISPRINT = "misprint"  # the lines around it have it right
REMARK = "remark"  # true as stated: in the limit, under its condition, or a bound that is not tight
SEED, DRAWS = 7, 10**6  # of what is simulated
ENDS = (0.001, 5.0)  # budgets of [LMR25, Figure 2]
DELTA = 1e-6
RHOS = (0.1, 0.2)
ROUNDS = RHOS, tuple(1.5 * math.sqrt(0.5 / rho) for rho in RHOS)  # budgets and thresholds
STRANGERS = [10.0] * 100  # levels of their answers: ε = 0.1 each
HIGH = 100  # levels of a tree that is as good as endless


@dataclass(frozen=True, slots=True)
class Claim:
    """One statement of a paper: where, what, what it prints, what we find, and how they agree."""

    paper: str
    where: str
    what: str
    printed: str
    ours: Callable[[], float]
    verdict: str
    why: str = ""
    slow: bool = False


def measured_over_exact() -> float:
    """The largest deviation of a measured variance from that of a single release."""
    levels = [1 / (2 * rho) for rho in spaced_budgets(*ENDS, 10)]
    *_, last = simulate_variances(
        ADDITIVE["gaussian"], levels, levels, DRAWS, rng=streams.teaching(SEED)
    )
    return float(np.max(np.abs(last.lossless / np.array(levels) - 1)))


def second_release(count: int) -> float:
    """Variance of the second of `count` separate releases, over that of a lossless one."""
    first, second = spaced_budgets(*ENDS, count)[:2]
    return float(second / (second - first))


def doubled() -> float:
    """What all tiers of ten doublings together cost, over the largest budget."""
    rhos = [0.01 * 2**k for k in range(10)]
    return sum(rhos) / rhos[-1]


def leak() -> float:
    """δ of one event under Algorithm 6 as printed, over what zCDP allows."""
    found = printed_leak(*ROUNDS, 2.0, l2_sensitivity=1.0)
    return found.printed / found.zcdp


def distance() -> float:
    """Between the printed and the right law of Algorithm 6, in the second round."""
    return printed_rounds(*ROUNDS, l2_sensitivity=1.0)[-1].distance


def drawn_over_lemma() -> float:
    """Numbers that a sparse histogram draws, over the bound of Lemma 5.7."""
    histogram = SparseHistogram(
        [4, 71, 10**8], [40, 3, 90], 10**9, l2_sensitivity=1.0, rng=streams.teaching(SEED)
    )
    for rho in (0.1, 0.2, 0.4):
        histogram.release(rho, 4.5 / math.sqrt(2 * rho))
    return histogram.work[-1].drawn_so_far / histogram.work[-1].lemma


def simplified() -> float:
    """Corollary E.3 for one number, over Theorem E.2 as it is right."""
    rate, log_delta = 1000.0, math.log(DELTA)
    short = math.sqrt(2 * (math.log(1.25) - log_delta) / rate)
    short += 2 * (math.log(20) - log_delta) * (math.log(10) - log_delta) / rate
    return short / poisson_theorem_epsilon(
        rate, log_delta, l1_sensitivity=1, l2_sensitivity=1, linf_sensitivity=1, dimension=1
    )


def averaged(*, fresh: bool) -> float:
    """How far off many strangers are who average their answers, over one of them."""
    found = attack_errors(ADDITIVE["laplace"], STRANGERS)
    return math.sqrt((found.average if fresh else found.lossless_average) / found.lossless)


def best_over_average() -> float:
    """The squared error of the best estimate from separate answers, over that of their average."""
    count = len(STRANGERS)
    found = averaging_attacks(
        ADDITIVE["laplace"], STRANGERS, [count], 4_000, rng=streams.teaching(SEED)
    )[count]
    return found["independent, best"].value / found["independent, average"].value


def lemma_tightened() -> float:
    """ε of ten rounds of approximate zCDP by the least curve, over ε by the lemma."""
    rounds, log_delta = [(math.log(1e-8), 0.0, 0.01)] * 10, math.log(DELTA)
    lemma = approximate_zcdp_epsilon_textbook(rounds, log_delta)
    return approximate_zcdp_epsilon(rounds, log_delta) / lemma


def plain_constant(arity: int) -> float:
    """Leading constant of the squared error of a tree without subtraction, times ε²/log₂(T)³."""
    return (arity - 1) / math.log2(arity) ** 3


def constant(arity: int) -> float:
    """The same with subtraction, which has less of it where the digits are symmetric."""
    return (arity - arity % 2 / arity) / (2 * math.log2(arity) ** 3)


def best_odd() -> float:
    """The odd arity with the least leading constant."""
    return min(range(3, 200, 2), key=constant)


def best_even() -> float:
    """The even one."""
    return min(range(2, 200, 2), key=constant)


def best_plain() -> float:
    """The arity with the least leading constant of all trees without subtraction."""
    return min(range(2, 200), key=plain_constant)


def over_honaker() -> float:
    """The error of Honaker's binary tree over ours, its leading constant drawn from two sizes."""
    small, large = (honaker_error(2**h - 1, 1.0) / h**3 for h in (HIGH, 2 * HIGH))
    return (2 * large - small) / constant(19)  # what is left falls as 1/h


def exponent(arity: int) -> float:
    """a, where Laplace noise is the better one up to δ = O(T^-a) (Theorem 1.2)."""
    return math.pi**2 * (arity - 1 / arity) / (8 * math.log(arity) ** 3)


def over_gauss() -> float:
    """Variance of Laplace noise with ρ = ε²/2 against Gaussian noise with that ρ."""
    rho, epsilon = 0.02, 0.2
    return 2 / epsilon**2 * (2 * rho)


def over_classical() -> float:
    """Variance of the same Laplace noise against the classical Gaussian formula."""
    log_delta = math.log(DELTA)
    rho = gaussian_rho_for(0.9, log_delta)
    return 2 / (2 * rho) / classical_gaussian_sigma(0.9, log_delta, 1.0) ** 2


def closed_bound(steps: int) -> float:
    """The exact factor over the closed bound (1 + ln(4T/5)/π)²."""
    return square_root_factor(steps) / (1 + math.log(0.8 * steps) / math.pi) ** 2


def finite_tree() -> float:
    """Error of arity 19 at a thousand steps over that of the best arity."""
    return tree_error(1000, 19, 1.0) / tree_error(1000, best_arity(1000), 1.0)


_LMR25, _KHP15, _APT24, _BCT20 = (partial(Claim, paper) for paper in PAPERS)
CLAIMS = (
    _LMR25(
        "Section 6, Figure 2",
        "lossless releases have the variance of single ones: largest deviation measured",
        "0 but for sampling",
        measured_over_exact,
        AGREES,
        "ten releases, 10⁶ draws; sampling explains 0.005",
        slow=True,
    ),
    *(
        _LMR25(
            "Figure 2",
            f"the first jump of the variance grows with the releases: m = {count}",
            "grows",
            lambda count=count: second_release(count),
            AGREES,
            "spaced as the caption says; the text has equal steps instead",
        )
        for count in (2, 10, 30)
    ),
    _LMR25(
        "Introduction",
        "doubling: what all tiers cost together, over the largest budget",
        "a constant factor",
        doubled,
        AGREES,
        "below 2, however many",
    ),
    _LMR25(
        "Lemma 3.2",
        "ρ that the printed variance 1/ρ spends, over ρ",
        "1",
        lambda: gaussian_rho(1 / 0.1, 1.0) / 0.1,
        MISPRINT,
        "the lemma ends with 1/(2ρ), and Algorithm 1 draws it",
    ),
    _LMR25(
        "Lemma F.5",
        "variance of a number of scale 3, drawn between scales 1 and 10",
        "18",
        lambda: bridged_variance(1, 3, 10, printed=True),
        WRONG,
        "18 with the scales put right; read the other way round the lemma gives 189",
    ),
    _LMR25(
        "Algorithm 6",
        "distance of the printed law of a second round from the right one",
        "0",
        distance,
        WRONG,
        "the hidden past must know that the item shows up now",
    ),
    _LMR25(
        "Algorithm 6",
        "δ that one event needs as printed, over what 0.2-zCDP allows at ε = 2",
        "at most 1",
        leak,
        WRONG,
        "ρ = 0.1, then 0.2; thresholds of 1.5 standard deviations",
    ),
    _LMR25(
        "Lemma 5.7",
        "numbers drawn for a sparse histogram, over (k + c)m",
        "at most 1",
        drawn_over_lemma,
        AGREES,
        "three budgets, a billion cells",
    ),
    _LMR25(
        "Corollary E.3",
        "ε of Poisson noise by the short formula, over Theorem E.2 put right",
        "above 1",
        simplified,
        AGREES,
        "one number that moves by 1, λ = 1,000, δ = 10⁻⁶",
    ),
    _KHP15(
        "Section 2.3",
        "variance of the staircase noise over Laplace noise at ε = 5",
        "below 1",
        lambda: staircase(5.0)[1] / (2 / 25),
        AGREES,
        "the paper says so; its own optimum is for Lipschitz privacy",
    ),
    _KHP15(
        "Section 3.4",
        "expected jumps of the process between ε = 0.1 and 10",
        "finitely many",
        lambda: jump_law(0.1, 10.0).mean,
        AGREES,
        "between two positive budgets; from 0 on there are infinitely many",
    ),
    _KHP15(
        "Section 3",
        "error of the best mean of two fresh responses over one at ε₂, at its worst",
        "above 1",
        lambda: max(both_combined(ratio) for ratio in np.linspace(1.01, 4.0, 600)),
        AGREES,
        "gradual release: 1",
    ),
    _KHP15(
        "Section 4.1",
        "ε of RAPPOR’s bit relaxed from f = 0.75 to 0.5, both reports together",
        "at most 1.3863",
        lambda: rappor_joint_loss("recast", 0.75, 0.5),
        AGREES,
        "it promises the ε of the Laplace number, 2 ln(1/0.5); the second bit alone tells ln 3 = "
        "1.0986, so it is not lossless in RAPPOR’s own ε",
    ),
    _KHP15(
        "Section 4.2",
        "distance of the average of 100 strangers’ answers with separate noise, over one answer",
        "0 for a large group",
        lambda: averaged(fresh=True),
        AGREES,
        "falls as 1/√100; ε = 0.1 each adds up to 10",
    ),
    _KHP15(
        "Section 4.2",
        "the same with answers of one process",
        "1",
        lambda: averaged(fresh=False),
        AGREES,
        "they hold one number: all together know what one of them knows",
    ),
    _KHP15(
        "Section 4.2",
        "squared error of the best estimate from separate answers, over that of their average",
        "",
        best_over_average,
        REMARK,
        "averaging is not the best attack; simulated, down to one half for ever more answers",
    ),
    _APT24(
        "Theorem 3.7",
        "best arity of a tree without subtraction",
        "",
        best_plain,
        REMARK,
        "in the limit; the text that we have lost the number",
    ),
    _APT24(
        "Section 1.2",
        "error without subtraction over the error with it, each at its best arity",
        "roughly 2",
        lambda: plain_constant(int(best_plain())) / constant(int(best_odd())),
        AGREES,
        "leading terms",
    ),
    _APT24(
        "Appendix C, Claim 1",
        "error of the best even arity over that of the best odd one",
        "above 1",
        lambda: constant(int(best_even())) / constant(int(best_odd())),
        AGREES,
        "leading terms",
    ),
    _APT24(
        "Corollary C.3",
        "best even arity of a tree",
        "",
        best_even,
        REMARK,
        "in the limit; the text that we have lost the number",
    ),
    _APT24("Corollary 4.9", "best arity of a tree", "19", best_odd, AGREES, "in the limit"),
    _APT24(
        "Corollary 4.9",
        "error of arity 19 over that of the best arity, for 1,000 steps",
        "1 in the limit",
        finite_tree,
        REMARK,
        "the corollary is about the limit; of 1,000 steps 14 is best, and even arities can win",
    ),
    _APT24(
        "Section 1",
        "error of Honaker’s tree over theirs, in the limit",
        "more than 4",
        over_honaker,
        AGREES,
        "leading terms",
    ),
    _APT24(
        "Theorem 1.2",
        "a in δ = O(T^−a) up to which Laplace noise is better",
        "0.92",
        lambda: exponent(19),
        AGREES,
        "against the stated bound; 1.83 against one without its spare √2",
    ),
    _APT24(
        "Corollary 5.5",
        "variance of Laplace over Gaussian noise of one ρ",
        "at most 2",
        over_gauss,
        AGREES,
        "exactly 2 by zCDP",
    ),
    _APT24(
        "Corollary 5.5",
        "the same against the classical Gaussian formula at ε = 0.9, δ = 10⁻⁶",
        "at most 2",
        over_classical,
        AGREES,
    ),
    _APT24(
        "Section 5, the bound of [HUU23]",
        "exact factor of the square root over the closed bound, for two steps",
        "",
        lambda: closed_bound(2),
        REMARK,
        "a bound from seven steps on; we have not seen for which lengths [HUU23] states it",
    ),
    _BCT20(
        "Lemma 5.4, Figure 3",
        "δ at ε = 0 of one DP and two BR mechanisms of ε = 1, the DP one first",
        "more than in other orders",
        lambda: math.exp(
            adaptive_composition_log_delta(["pure", *["bounded_range"] * 2], 1.0, 0.0).value
        ),
        AGREES,
    ),
    _BCT20(
        "Lemma 5.4, Figure 3",
        "the same, the DP one in the middle or last",
        "the order matters",
        lambda: math.exp(
            adaptive_composition_log_delta([*["bounded_range"] * 2, "pure"], 1.0, 0.0).value
        ),
        AGREES,
        "only the DP one first differs, which the text that we have does not say",
    ),
    _BCT20(
        "Theorem 3, and top-k",
        "δ at ε = 0 of two rounds of ε = 1 chosen one after the other, over the formula",
        "1 for rounds that are fixed in advance",
        lambda: math.exp(
            adaptive_composition_log_delta(["bounded_range"] * 2, 1.0, 0.0).value
            - mixed_composition_log_delta(0, 2, 1.0, 0.0)
        ),
        REMARK,
        "the theorem does not cover adaptive rounds, of which this is the supremum; no list is "
        "known that breaks the number",
    ),
    _BCT20(
        "Lemma 3.4",
        "ε of ten rounds of truncated Gaussian noise by the least curve, over ε by the lemma",
        "at most 1",
        lemma_tightened,
        AGREES,
        "δᵢ = 10⁻⁸ and ρ = 0.01 each, δ = 10⁻⁶; the lemma is a valid bound",
    ),
    _BCT20(
        "Figure 5",
        "ε of 20 rounds of Gaussian noise by the way of the figure (10 groups, σ = 100)",
        "above Laplace noise",
        lambda: histogram_loose_epsilon(math.log(DELTA), 100.0, l0_sensitivity=10, rounds=20),
        REMARK,
        "a valid bound, above Laplace noise as drawn; the next line is exact",
    ),
    _BCT20(
        "Figure 5",
        "the same, composed exactly",
        "",
        lambda: histogram_gaussian_epsilon(math.log(DELTA), 100.0, l0_sensitivity=10, rounds=20),
        REMARK,
        "below Laplace noise of that variance, 0.828",
    ),
)
