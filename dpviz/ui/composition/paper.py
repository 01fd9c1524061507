"""The figures of the paper on composition, drawn from our own functions; only once asked for.

Source: [BCT20] Figures 1 to 6; MATHEMATICS 5.8 to 5.10, 9.2, 13.3.
"""

import pandas as pd

from dpviz import streams
from dpviz.charts.paper.chart import paper_chart
from dpviz.charts.paper.frames import SETTING, list_frame, paper_frame
from dpviz.ui.kit.paper import Figure, choose
from dpviz.ui.kit.state import Shelf

SIMULATED, SEED = 6, 7  # the figure that is drawn, and its public seed
_LISTS = Shelf[pd.DataFrame]("composition_lists")


FIGURES = {
    1: Figure(
        title="One bound for any order, by the share of pure mechanisms",
        across="mechanisms",
        up="total ε",
        says="Dashed: equation 3, a bound for any adaptive choice and order. Solid: the optimal "
        "total if all are pure. With half of them pure, equation 3 is within 10 % of it.",
    ),
    2: Figure(
        title="The optimal total, by the share of pure mechanisms",
        across="mechanisms",
        up="total ε",
        says="Exact for mechanisms that are fixed in advance (Theorem 3). The more of them are the "
        "best of a list, the less they cost together.",
    ),
    3: Figure(
        title="What it costs to ask the pure mechanism first",
        across="total ε in units of the ε of one mechanism",
        up="ratio of δ",
        says="Exact, for one pure mechanism and two of bounded range. Asked first, the pure one "
        "costs a little more than between or after the two. From a total of one ε on, the order "
        "does not matter.",
    ),
    4: Figure(
        title="One histogram, Laplace or Gauss",
        across="groups that one person moves",
        up="ε",
        says="Solid lines are exact; Lemmas 6.2 and 6.3 are upper bounds of them. The paper draws "
        "all but the exact line of Laplace noise.",
    ),
    5: Figure(
        title="A histogram in 20 rounds, Laplace or Gauss",
        across="groups in all rounds together",
        up="total ε",
        says="Crosses: the paper composes Gaussian rounds as if each were any private mechanism, "
        "which is several times too much. By the exact lines Gauss costs less here, not Laplace.",
    ),
    6: Figure(
        title="Counts of a list: Laplace noise, or Gauss fitted to the order",
        across="place on the list",
        up="root mean square error",
        says="Simulated, with a fixed seed and made-up counts; the paper takes words of a play. "
        "The fit helps where counts are small and alike; where the list is in the wrong order, it "
        "can be off by more than the noise.",
    ),
}


def shown() -> None:
    """One figure of the paper, chosen by its number."""
    lines = "a line for each way to count"
    choose(FIGURES, SETTING, _frame, paper_chart, lines=lines, key="composition_paper")


def _frame(number: int) -> pd.DataFrame:
    """One figure; the sixth is drawn once for a visitor: made-up counts, always the same."""
    if number != SIMULATED:
        return paper_frame(number)
    return _LISTS.take("six", lambda: list_frame(rng=streams.teaching(SEED, SIMULATED)))
