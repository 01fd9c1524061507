"""Controls of the Variances page: which tiers, what they are compared with, where one reads.

What was typed stays on screen; a pair of ends that cannot be used leaves the last usable one in
use.
"""

from dataclasses import dataclass

import pandas as pd
import streamlit as st

from dpviz.accounting.guarantees import Guarantee, Setting, guarantee_of
from dpviz.charts.variances.frame import BASELINES, SCHEMES, LadderTier, variances_frame
from dpviz.errors import ParameterError
from dpviz.experiments.ladders import Spacing, spaced_budgets
from dpviz.palette import TierStyle
from dpviz.parameters import EPSILON, RHO
from dpviz.queries import Sensitivity
from dpviz.ui.kit import controls, parts
from dpviz.ui.kit.state import Slot
from dpviz.words import budget, capitalised, loss_with_delta
from dpviz.words.markdown import literal
from dpviz.workspace import account
from dpviz.workspace.takeaways import unit_after
from dpviz.workspace.workspace import Workspace

OWN = 0  # in place of a number of tiers
COUNTS = (2, 10, 30, 100, OWN)
MOST_LISTED = 6  # tiers beside one another; more are in a box
FEW = (2, 10, OWN)  # where each level is searched for on an exact curve
ENDS = {"ρ": ("0.001", "5"), "ε": ("0.05", "5")}  # of ρ: those of [LMR25, Figure 2]
_KEPT = Slot[dict[str, tuple[float, float]]]("variance_ends", dict)
SPACING_WORDS: dict[Spacing, str] = {"factors": "equal factors", "steps": "equal steps"}
WHAT_IT_IS = {
    "splitting": "Tier i gets an independent release from the budget between it and the tier "
    "below.",
    "independent": "Every tier gets an independent release; all budgets are scaled down together.",
    "doubling": "Releases at the smallest budget, its double, its fourfold …, scaled down "
    "together; a tier gets the best one allowed.",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """Which tiers are drawn, most private first, and what their budgets refer to."""

    tiers: tuple[LadderTier, ...]
    setting: Setting
    unit: str  # of a variance
    noun: str  # of a number
    own: bool
    written: str  # how the budgets are made, as Python
    one: str = "person"  # what is protected

    @property
    def promise(self) -> Guarantee:
        """What the noise of these tiers promises."""
        return guarantee_of(self.setting.family)

    @property
    def letter(self) -> str:
        """Letter of the budgets."""
        return self.promise.letter

    @property
    def joint(self) -> str:
        """The joint budget that all schemes keep."""
        at = self.setting.delta if self.promise.with_delta else 0.0
        return loss_with_delta(self.letter, self.tiers[-1].budget, at)


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What the picture shows: the scheme compared, the tier read off, the vertical axis."""

    compared: str
    marked: int
    relative: bool


def ladder(ws: Workspace) -> Ladder:
    """Which tiers: a ladder between two typed ends, or those of the plan; with its noise."""
    promise = guarantee_of(ws.family)
    counts = FEW if promise.with_delta else COUNTS
    count = controls.segmented_control(
        "How many tiers",
        counts,
        default=10,
        format_func=lambda n: "mine" if n == OWN else f"{n}",
        key="variance_few" if promise.with_delta else "variance_count",
        help="A ladder of this many budgets between two ends, or mine: the tiers of your plan. "
        "Both use the noise of your plan.",
    )
    noise = capitalised(ws.family.label)
    st.caption(f"{noise} noise, as in your plan. Choose another noise on the page Tiers.")
    if count == OWN:
        return own(ws)
    spacing = controls.segmented_control(
        "Budgets spaced by",
        SPACING_WORDS,
        default="factors",
        key="variance_spacing",
        help="Equal factors: evenly on a logarithmic scale. Equal steps: each budget is the one "
        "before plus the same amount.",
    )
    least, largest = _ends(promise.letter)
    n, how = int(count or 10), spacing or "factors"
    budgets = spaced_budgets(least, largest, n, how)
    tiers = (
        LadderTier(name=f"tier {i} of {n}", budget=float(b)) for i, b in enumerate(budgets, start=1)
    )
    one = Sensitivity.bounded(1)
    return Ladder(
        tiers=tuple(tiers),
        setting=Setting(family=ws.family, delta=ws.delta, sensitivity=one, dimension=1),
        unit="squared units",
        noun="units",
        own=False,
        written=f"spaced_budgets({least!r}, {largest!r}, {n}, {how!r})",
    )


def _ends(letter: str) -> tuple[float, float]:
    """The two ends as typed; the last usable pair while they are not usable."""
    first, last = ENDS[letter]
    left, right = st.columns(2)
    key = "" if letter == "ρ" else "_epsilon"
    with left:
        smallest = controls.text_input(
            f"Smallest {letter}",
            first,
            key=f"variance_smallest{key}",
            help="Budget of the most private tier.",
        )
    with right:
        highest = controls.text_input(
            f"Largest {letter}",
            last,
            key=f"variance_largest{key}",
            help="Budget of the least private tier.",
        )
    st.caption(
        f"small {letter}: more private, more noise · large {letter}: less private, less noise"
    )
    typed = RHO if letter == "ρ" else EPSILON
    kept = _KEPT.get().get(letter, (float(first), float(last)))
    try:
        least = typed.read(smallest, where=f"Smallest {letter}")
        largest = typed.read(highest, where=f"Largest {letter}")
        spaced_budgets(least, largest, max(COUNTS))
        kept = (least, largest)
        _KEPT.set({**_KEPT.get(), letter: kept})
    except ParameterError as error:
        parts.refusal(str(error))
        st.caption(f"The picture still shows {kept[0]:g} to {kept[1]:g}.")
    return kept


def whose(shown: Ladder) -> int:
    """Whose noise is shown, from 0 at the most private tier; the highest clearance on top."""
    tiers = shown.tiers
    names = tuple(t.name for t in tiers)
    order, opens = list(range(len(tiers) - 1, -1, -1)), min(1, len(tiers) - 1)
    label, key = "Whose numbers?", controls.keyed("variance_whose", names)
    if len(tiers) > MOST_LISTED:
        return int(
            controls.selectbox(label, order, index=opens, key=key, format_func=lambda i: names[i])
        )
    default = order[opens]
    return controls.pill(
        label, order, default=default, key=key, format_func=lambda i: _listed(tiers[i])
    )


def _listed(tier: LadderTier) -> str:
    return parts.chip(tier.name, TierStyle(tier.slot, tier.symbol))


def own(ws: Workspace) -> Ladder:
    """The tiers of the plan."""
    planned, problems = ws.planned()
    known, left_out = account.at_plan(ws, planned)
    for problem in [*problems[:1], *left_out]:
        st.caption(literal(problem))
    tiers = [
        LadderTier(name=p.name, budget=loss, slot=style.slot, symbol=style.symbol)
        for p, loss in known
        for style in (ws.plan.style_of(p.name),)
    ]
    return Ladder(
        tiers=tuple(tiers),
        setting=ws.setting,
        unit=f"{ws.statistic.query.noun_released}²",
        noun=unit_after(ws.statistic.query),
        own=True,
        one=ws.statistic.query.nouns.one,
        written=repr([t.budget for t in tiers]),
    )


def frame_of(shown: Ladder) -> pd.DataFrame | None:
    """The noise of every scheme; None, with the reason, where it cannot be had."""
    return parts.usable(lambda: variances_frame(shown.tiers, shown.setting))


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
    return Reading(compared=scheme, marked=_place(shown), relative=kind == "price")


def _place(shown: Ladder) -> int:
    """Which tier is read off, from 0 at the most private one."""
    tiers, letter = shown.tiers, shown.letter
    if len(tiers) < 2:
        return 0
    label = "Read off at tier"
    names = [t.name for t in tiers]
    chosen = controls.select_slider(
        label,
        range(len(tiers)),
        value=len(tiers) // 2,
        format_func=lambda i: f"{literal(names[i])} ({budget(letter, tiers[i].budget)})",
        key=f"variance_place_{len(tiers)}_{tiers[0].slot > 0}",
        help="The dotted line in the picture, and the numbers below it.",
    )
    st.caption("left: more private, more noise · right: less private, less noise")
    return chosen
