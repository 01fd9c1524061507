"""Rules in the papers that are wrong as printed, each with one number that the library computes.

The number is what a reader would learn by the text as printed, over what is promised. A rule is
called wrong only with its words, its place, a counterexample, and what may have been meant. All
other corrections are in docs/MATHEMATICS.md, section 11, by kind: misprints, statements that hold
in the limit or under conditions, bounds that can be tightened.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import pandas as pd

from dpviz.charts.method.mistakes import MISTAKES
from dpviz.experiments.printed_bridge import bridged_variance
from dpviz.sparse.printed_law import printed_leak
from dpviz.words import significant

CITED = {  # those with a rule that is wrong as printed, on one line of a phone
    "LMR25": "“Private Lossless Multiple Release” (Andersson et al., 2025)",
}
SCALES = (1.0, 3.0, 10.0)  # of three Laplace releases
RHOS, EPSILON = (0.1, 0.2), 2.0  # two rounds of a sparse histogram, and where δ is asked for
FAR_UP = 1.5  # standard deviations from 0 to the threshold


@dataclass(frozen=True, slots=True, kw_only=True)
class Mistake:
    """One rule that is wrong as printed.

    Attributes:
        paper: its key.
        where: paper and place in it.
        about: what a reader of the numbers would notice, a few words.
        times: the number, above 1: by how much more is given away than promised.
        of: what the number multiplies.
        quote: the words of the paper.
        told: what they do, and a counterexample.
        meant: what the authors may have meant, which is right.
        section: of the mathematics.
    """

    paper: str
    where: str
    about: str
    times: float
    of: str
    quote: str
    told: str
    meant: str
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
        where="Multiple release, appendix F, Lemma F.5",
        about="A reader who joins later gets too exact a number",
        times=right / printed,
        of="as exact",
        quote="let μ₁ = b²/b₁² and μ₂ = b₂²/b² […] X₁ = 0 if D₁ = 1, Lap(0, b) otherwise, and X₂ = "
        "0 if D₂ = 1, Lap(0, b₂) otherwise",
        told=f"The lemma draws a Laplace release of scale b between two others, b₂ < b < b₁. With "
        f"the scales {low}, {level} and {high} the new number should have the variance "
        f"{significant(right)}; as printed it has {significant(printed)}, so it comes nearer to "
        "the exact number than its tier may. (The lemma leaves open which part comes first; the "
        "other way round the noise comes out too large.)",
        meant="The same two parts with the scales b₁ and b; Claim F.3 of the same paper has it so.",
        section="2.3",
    )


def _passage() -> Mistake:
    thresholds = [FAR_UP * math.sqrt(0.5 / rho) for rho in RHOS]
    leak = printed_leak(RHOS, thresholds, EPSILON, l2_sensitivity=1.0)
    return Mistake(
        paper="LMR25",
        where="Multiple release, Algorithm 6, lines 18 to 22",
        about="A newly listed item makes it too obvious that someone has it",
        times=leak.printed / leak.zcdp,
        of="the allowance (δ)",
        quote="Draw fresh noise […] conditioned on Z̃ ≤ ρₖτₖ − Z […] Draw fresh noise […] "
        "conditioned on Z̃ > ρₖτₖ − Z",
        told="The algorithm for sparse histograms draws the hidden past of an item round by round, "
        "as if that past did not know that the item shows up now. A reader who sees an item show "
        "up in the second round can tell a count of 0 from 1 so well that "
        f"δ = {significant(leak.printed)} is needed at ε = {significant(EPSILON)}, where the "
        f"promise allows {significant(leak.zcdp)}.",
        meant="All rounds drawn at once, given that the item stays hidden until now: the chance "
        "in line 13 is that of this event, and the slower Algorithm 3 draws it right.",
        section="8.4",
    )


_STORIES: tuple[Callable[[], Mistake], ...] = (_bridge, _passage)


@cache
def mistakes() -> tuple[Mistake, ...]:
    """All of them, the largest number first.

    >>> [round(each.times, 3) for each in mistakes()]
    [4.038, 2.133]
    """
    return tuple(sorted((story() for story in _STORIES), key=lambda each: -each.times))


def frame() -> pd.DataFrame:
    """What the picture shows: one row per mistake, columns `MISTAKES`."""
    rows = [
        (CITED[each.paper], each.where, each.about, each.times, each.said) for each in mistakes()
    ]
    return pd.DataFrame(rows, columns=list(MISTAKES))
