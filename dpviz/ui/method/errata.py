"""Mistakes that we found in the papers, each with one number that the library computes.

The number is what a reader would learn, or how much noise there would be, by the text as printed,
over what is promised: above 1 the printed text gives more away, below 1 it spends noise in vain.
All corrections are in docs/MATHEMATICS.md, section 11; here are those that one number tells.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import pandas as pd

from dpviz.accounting.adaptive_composition import adaptive_composition_log_delta
from dpviz.accounting.levels import gaussian_rho
from dpviz.accounting.mixed_composition import mixed_composition_log_delta
from dpviz.charts.method.mistakes import MISTAKES
from dpviz.experiments.printed_bridge import bridged_variance
from dpviz.local import rappor_joint_loss
from dpviz.sparse.printed_law import printed_leak
from dpviz.ui.method.papers import CITED
from dpviz.words import significant

SCALES = (1.0, 3.0, 10.0)  # of three Laplace releases
RHOS, EPSILON = (0.1, 0.2), 2.0  # two rounds of a sparse histogram, and where δ is asked for
FAR_UP = 1.5  # standard deviations from 0 to the threshold
RHO = 0.1
FLIPS = (0.75, 0.5)  # the f of RAPPOR, before and after
ROUNDS, STEP, TOTAL = 2, 1.0, 0.0  # rounds of top-k, ε of each, and where δ is asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """One mistake.

    Attributes:
        paper: its key.
        where: paper and place in it.
        about: what a reader of the numbers would notice, a few words.
        times: the number; above 1: more is given away than promised.
        of: what the number multiplies.
        told: what is printed, and what is right.
        section: of the mathematics.
    """

    paper: str
    where: str
    about: str
    times: float
    of: str
    told: str
    section: str

    @property
    def said(self) -> str:
        """The number with its meaning."""
        return f"{significant(self.times)} times {self.of}"


def _bridge() -> Mistake:
    right, printed = (bridged_variance(*SCALES, printed=each) for each in (False, True))
    low, level, high = (significant(scale) for scale in SCALES)
    return Mistake(
        paper="LMR25",
        where="Multiple release, Lemma F.5",
        about="A reader who joins later gets too exact a number",
        times=right / printed,
        of="as exact",
        told=f"The lemma draws a Laplace release between two others, and gives its two parts each "
        f"other’s scale. Between scales {low} and {high}, a number of scale {level} should have "
        f"the variance {significant(right)}; as printed it has {significant(printed)}, so it "
        "comes nearer to the exact number than its tier may. (The lemma leaves open which part "
        "comes first; the other way round the noise comes out too large.)",
        section="2.3",
    )


def _passage() -> Mistake:
    thresholds = [FAR_UP * math.sqrt(0.5 / rho) for rho in RHOS]
    leak = printed_leak(RHOS, thresholds, EPSILON, l2_sensitivity=1.0)
    return Mistake(
        paper="LMR25",
        where="Multiple release, Algorithm 6",
        about="An item new on a list tells too clearly that someone has it",
        times=leak.printed / leak.zcdp,
        of="the allowance (δ)",
        told="The algorithm for sparse histograms draws the hidden past of an item as if it did "
        "not know that the item shows up now. A reader who sees an item show up in the second "
        f"round can tell a count of 0 from 1 so well that δ = {significant(leak.printed)} is "
        f"needed at ε = {significant(EPSILON)}, where the promise allows {significant(leak.zcdp)}.",
        section="8.4",
    )


def _variance() -> Mistake:
    spent = gaussian_rho(1 / RHO, 1.0) / RHO
    return Mistake(
        paper="LMR25",
        where="Multiple release, Lemma 3.2",
        about="Numbers come out blurrier than they need to be",
        times=spent,
        of="the loss allowed: safe, but too noisy",
        told="The lemma has the variance 1/ρ where 1/(2ρ) is enough. Nobody is harmed: the noise "
        "has twice the variance that the budget asks for.",
        section="2.1",
    )


def _recast() -> Mistake:
    chain, recast = (rappor_joint_loss(how, *FLIPS) for how in ("chain", "recast"))
    return Mistake(
        paper="KHP15",
        where="Gradual release, section 4.1",
        about="Two reports of one person tell more than the sharper one",
        times=recast / chain,
        of="the privacy loss",
        told="RAPPOR’s noise is relaxed through a Laplace number. Each report is right, but both "
        f"together tell ε = {significant(recast, 5)} about a bit, where the sharper one alone "
        f"tells {significant(chain, 5)}. A chain of coin flips on the bit itself loses nothing.",
        section="15.2",
    )


def _rounds() -> Mistake:
    fixed = math.exp(mixed_composition_log_delta(0, ROUNDS, STEP, TOTAL))
    chosen = math.exp(adaptive_composition_log_delta(["bounded_range"] * ROUNDS, STEP, TOTAL).value)
    return Mistake(
        paper="BCT20",
        where="Bounding, Concentrating, and Truncating, Theorems 2 and 3",
        about="A top list, filled place by place, tells too much",
        times=chosen / fixed,
        of="the allowance (δ)",
        told="The theorems are for rounds that are fixed in advance, and are used for top-k, which "
        f"chooses each round by the result before. For {ROUNDS} rounds of ε = "
        f"{significant(STEP)} each they give δ = {significant(fixed)} at ε = "
        f"{significant(TOTAL)}; chosen one after the other they need {significant(chosen)}.",
        section="5.10",
    )


_STORIES: tuple[Callable[[], Mistake], ...] = (
    _bridge,
    _passage,
    _rounds,
    _recast,
    _variance,
)


@cache
def mistakes() -> tuple[Mistake, ...]:
    """All of them, the largest number first.

    >>> [round(each.times, 3) for each in mistakes()]
    [4.038, 2.133, 1.052, 1.036, 0.5]
    """
    return tuple(sorted((story() for story in _STORIES), key=lambda each: -each.times))


def frame() -> pd.DataFrame:
    """What the picture shows: one row per mistake, columns `MISTAKES`."""
    rows = [
        (CITED[each.paper], each.where, each.about, each.times, each.said) for each in mistakes()
    ]
    return pd.DataFrame(rows, columns=list(MISTAKES))
