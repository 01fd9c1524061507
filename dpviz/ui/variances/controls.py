"""Controls of the Variances page: which tiers, what they are compared with, where one reads.

What was typed stays on screen; a pair of ends that cannot be used leaves the last usable one in
use.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from dpviz import checks
from dpviz.accounting.guarantees import guarantee_of
from dpviz.charts.variances.frame import BASELINES, SCHEMES, LadderTier
from dpviz.errors import ParameterError
from dpviz.experiments.ladders import Spacing, spaced_budgets
from dpviz.noise import FAMILIES
from dpviz.parameters import RHO
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.state import Slot
from dpviz.words import NO_BREAK, significant
from dpviz.words.markdown import literal
from dpviz.workspace.workspace import Workspace

OWN = 0  # in place of a number of tiers
COUNTS = (2, 10, 30, 100, OWN)
ENDS = ("0.001", "5")  # of [LMR25, Figure 2]
_KEPT = Slot("variance_ends", lambda: (float(ENDS[0]), float(ENDS[1])))
SPACING_WORDS: dict[Spacing, str] = {"factors": "equal factors", "steps": "equal steps"}
WHAT_IT_IS = {
    "splitting": "Tier i gets an independent release from the budget between it and the tier "
    "below.",
    "independent": "Every tier gets an independent release; all budgets are scaled down together.",
    "doubling": "Releases at ρ, 2ρ, 4ρ …, scaled down together; a tier gets the best one allowed.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """Which tiers are drawn, most private first, and the sensitivity that scales their noise."""

    tiers: tuple[LadderTier, ...]
    l2_sensitivity: float
    unit: str  # of a variance
    own: bool
    written: str  # how the budgets are made, as Python

    def __post_init__(self) -> None:
        checks.positive(l2_sensitivity=self.l2_sensitivity)

    @property
    def joint(self) -> str:
        """The joint privacy loss that all schemes keep."""
        return f"ρ{NO_BREAK}={NO_BREAK}{significant(self.tiers[-1].budget)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the picture shows: the scheme compared, the tier read off, the vertical axis."""

    compared: str
    marked: int
    relative: bool


def ladder(ws: Workspace) -> Ladder:
    """Which tiers: a ladder between two typed ends, or the tiers of the plan."""
    count = controls.segmented_control(
        "How many tiers",
        COUNTS,
        default=10,
        format_func=lambda n: "mine" if n == OWN else f"{n}",
        key="variance_count",
        help="A ladder of this many budgets between two ends, or mine: the tiers of your plan.",
    )
    if count == OWN:
        return _own(ws)
    spacing = controls.segmented_control(
        "Budgets spaced by",
        SPACING_WORDS,
        default="factors",
        key="variance_spacing",
        help="Equal factors: evenly on a logarithmic scale. Equal steps: each budget is the one "
        "before plus the same amount.",
    )
    least, largest = _ends()
    n, how = int(count or 10), spacing or "factors"
    budgets = spaced_budgets(least, largest, n, how)
    tiers = (
        LadderTier(name=f"tier {i} of {n}", budget=float(b)) for i, b in enumerate(budgets, start=1)
    )
    return Ladder(
        tiers=tuple(tiers),
        l2_sensitivity=1.0,
        unit="squared units",
        own=False,
        written=f"spaced_budgets({least!r}, {largest!r}, {n}, {how!r})",
    )


def _ends() -> tuple[float, float]:
    """The two ends as typed; the last usable pair while they are not usable."""
    left, right = st.columns(2)
    with left:
        smallest = controls.text_input(
            "Smallest ρ", ENDS[0], key="variance_smallest", help="Budget of the most private tier."
        )
    with right:
        highest = controls.text_input(
            "Largest ρ", ENDS[1], key="variance_largest", help="Budget of the least private tier."
        )
    st.caption("small ρ: more private, more noise · large ρ: less private, less noise")
    kept = _KEPT.get()
    try:
        least = RHO.read(smallest, where="Smallest ρ")
        largest = RHO.read(highest, where="Largest ρ")
        spaced_budgets(least, largest, max(COUNTS))
        kept = (least, largest)
        _KEPT.set(kept)
    except ParameterError as error:
        parts.refusal(str(error))
        st.caption(f"The picture still shows {kept[0]:g} to {kept[1]:g}.")
    return kept


def _own(ws: Workspace) -> Ladder:
    """The tiers of the plan, read as budgets of Gaussian noise."""
    setting = ws.statistic.setting(FAMILIES["gaussian"].name, ws.delta)
    planned, problems = ws.plan.planned(setting)
    if problems:
        st.caption(literal(problems[0]))
    if guarantee_of(ws.family).letter != "ρ":
        st.caption("Figures of ρ are for Gaussian noise: your budgets are read as such here.")
    st.caption("Change them on the page Tiers; the data is not touched here, only its sensitivity.")
    tiers = [
        LadderTier(name=p.name, budget=p.budget.loss, slot=style.slot, symbol=style.symbol)
        for p in planned
        for style in (ws.plan.style_of(p.name),)
    ]
    tiers.sort(key=lambda t: t.budget)
    return Ladder(
        tiers=tuple(tiers),
        l2_sensitivity=setting.sensitivity.l2 * setting.step,
        unit=f"{ws.statistic.query.noun_released}²",
        own=True,
        written=repr([t.budget for t in tiers]),
    )


def reading(shown: Ladder) -> Reading:
    """What is compared, at which tier it is read off, and as what."""
    scheme = controls.selectbox(
        "Compare with",
        BASELINES,
        format_func=lambda scheme: SCHEMES[scheme],
        key="variance_compared",
        help="Three ways to serve the tiers without lossless release.",
    )
    st.caption(WHAT_IT_IS[scheme])
    kind = controls.segmented_control(
        "Draw",
        ("variance", "price"),
        default="variance",
        format_func=lambda k: "variance" if k == "variance" else "times lossless",
        key="variance_axis",
        help="The variance of the noise, or how many times that of lossless release.",
    )
    return Reading(compared=scheme, marked=_place(shown.tiers), relative=kind == "price")


def _place(tiers: Sequence[LadderTier]) -> int:
    """Which tier is read off, from 0 at the most private one."""
    if len(tiers) < 2:
        return 0
    label = "Read off at tier"
    names = [t.name for t in tiers]
    chosen = controls.select_slider(
        label,
        range(len(tiers)),
        value=len(tiers) // 2,
        format_func=lambda i: f"{literal(names[i])} (ρ = {significant(tiers[i].budget)})",
        key=f"variance_place_{len(tiers)}_{tiers[0].slot > 0}",
        help="The dotted line in the picture, and the numbers below it.",
    )
    st.caption("left: more private, more noise · right: less private, less noise")
    return chosen
