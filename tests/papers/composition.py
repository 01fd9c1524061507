"""What the figures of a paper are called, and what ours say of them; here those of [BCT20]."""

from dataclasses import dataclass

SIMULATED = 6  # the figure that is drawn: made-up counts, with a public seed


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """Title, axes, and what to notice; `name` in place of the number of a figure."""

    name: str = ""
    title: str
    across: str
    up: str
    says: str


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
