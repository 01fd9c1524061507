"""The figures of the paper on gradual release, drawn from our own functions; only once asked for.

Source: [KHP15] Figures 1 to 3 and section 3; MATHEMATICS 14.1, 14.4.
"""

from dataclasses import dataclass

import pandas as pd

from dpviz import streams
from dpviz.charts.gradual.paper import FIGURES, SETTING, gradual_paper_chart, gradual_paper_frame
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.state import Shelf

SEED = 7  # of the samples, public
_FRAMES = Shelf[pd.DataFrame]("gradual_paper")


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What one figure is called and what it says."""

    name: str
    title: str
    across: str
    up: str
    says: str


SAID = {
    1: Figure(
        name="Figure 1",
        title="Samples of the process",
        across="ε",
        up="noise",
        says="Each sample stays, jumps, stays, and comes to 0 as ε grows. Its jumps are fewer than "
        "it seems: their number depends on the ratio of the two ends alone.",
    ),
    2: Figure(
        name="Figure 2",
        title="Noise that is smaller for plain ε-privacy",
        across="noise",
        up="density",
        says="The staircase has the least squared error of all added noise that is ε-private. "
        "Laplace noise is the best where small changes must cost little; a path of the staircase "
        "is not known to us.",
    ),
    3: Figure(
        name="Figure 3",
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
    number = controls.selectbox(
        "Figure of the paper",
        FIGURES,
        format_func=lambda n: f"{SAID[n].name}: {SAID[n].title}",
        key="gradual_paper_figure",
    )
    figure = SAID[number]
    frame = _FRAMES.take(
        number, lambda: gradual_paper_frame(number, rng=streams.teaching(SEED, number))
    )
    parts.chart(
        gradual_paper_chart(frame, across=figure.across, up=figure.up),
        heading=f"{figure.name}: {figure.title}",
        reading=f"{figure.says} Settings, which are ours: {SETTING[number]}.",
        alt=f"{figure.title}: {figure.up} over {figure.across}, a line for each case.",
        key="gradual_paper",
    )
