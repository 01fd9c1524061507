"""The figures of the paper on gradual release, drawn from our own functions; only once asked for.

Source: [KHP15] Figures 1 to 3 and section 3; MATHEMATICS 14.1, 14.4.
"""

import pandas as pd

from dpviz import streams
from dpviz.charts.gradual.paper import SETTING, gradual_paper_chart, gradual_paper_frame
from dpviz.ui.kit import controls
from dpviz.ui.kit.paper import Figure, choose
from dpviz.ui.kit.state import Shelf

SEED = 7  # of the samples, public
_FRAMES = Shelf[pd.DataFrame]("gradual_paper")


SAID = {
    1: Figure(
        title="Samples of the process",
        across="ε",
        up="noise",
        says="Each sample stays, jumps, stays, and comes to 0 as ε grows. It jumps less often than "
        "it seems: how often depends only on the ratio of the two ends of the axis.",
    ),
    2: Figure(
        title="Noise that is smaller for plain ε-privacy",
        across="noise",
        up="density",
        says="The staircase has the least squared error of all added noise that is ε-private. "
        "Laplace noise is the best where small changes must cost little; we know of no path for "
        "the staircase.",
    ),
    3: Figure(
        title="The second response, given the first",
        across="noise of the second response",
        up="density, or chance to stay",
        says="Spikes: the chance that the number stays, which falls as ε₂ grows. The rest moves "
        "towards the truth, at 0.",
    ),
    4: Figure(
        name="Section 3",
        title="What a first response costs the second",
        across="ε₂ in units of ε₁",
        up="error in units of one response at ε₂",
        says="With fresh noise that costs ε₂ together, even the best mean of both is worse than "
        "one response at ε₂, at most by a factor of 1.41. Gradual release loses nothing.",
    ),
}


def section() -> None:
    """One figure of the paper, chosen by its number."""
    if not controls.toggle(
        "The figures of “Gradual release” by Koufogiannis, Han and Pappas, drawn again",
        key="gradual_paper_shown",
    ):
        return
    lines = "a line for each case"
    choose(SAID, SETTING, _frame, gradual_paper_chart, lines=lines, key="gradual_paper")


def _frame(number: int) -> pd.DataFrame:
    """One figure, drawn once for a visitor."""
    rng = streams.teaching(SEED, number)
    return _FRAMES.take(number, lambda: gradual_paper_frame(number, rng=rng))
