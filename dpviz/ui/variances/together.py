"""The second question of the Variances page: how the noise of two tiers moves together.

Theory against a simulation that can fail: a planted mistake shows what failing looks like.
"""

import zlib
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st

from dpviz import checks
from dpviz.accounting.guarantees import offered
from dpviz.charts.variances.covariance import (
    WRITTEN_UP_TO,
    covariance_frame,
    covariance_labels,
    covariance_map,
)
from dpviz.experiments.covariance import (
    CHANCE,
    CovarianceCheck,
    SampleCovariances,
    check_covariances,
    levels_with_variances,
)
from dpviz.experiments.increments import LAW, REST, RESTING, SIZES, Event
from dpviz.noise import ADDITIVE
from dpviz.noise.family import DOUBLE_EXPONENTIAL, NORMAL
from dpviz.ui.kit import controls, parts, press, work
from dpviz.ui.variances import jobs, measure
from dpviz.ui.variances.jobs import ANOTHER, APART, NOTHING
from dpviz.words import capitalised, join, percent, significant
from dpviz.words.grammar import numbered
from dpviz.words.markdown import literal, plain_text
from dpviz.workspace.held import HeldTier
from dpviz.workspace.workspace import Workspace

QUICK, LEAST_QUICK, LONG = 80_000, 4_000, 1_000_000  # draws at once: of all tiers, of each
PLANTS: dict[str, tuple[str, str]] = {  # what is said, and where what draws is from
    NOTHING: ("nothing", "release"),
    APART: ("every tier drawn independently", "experiments.simulation"),
    ANOTHER: ("another distribution, same covariances", "experiments.planted"),
}
WITHIN: parts.Badge = ("Within the band", "check", "green", "Theory and simulation agree.")
OUTSIDE: parts.Badge = ("Outside the band", "block", "red", "The simulation contradicts theory.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Matrix:
    """One measurement of a covariance matrix."""

    family_name: str
    levels: tuple[float, ...]  # ascending, in steps
    repetitions: int
    planted: str  # one of `PLANTS`

    def __post_init__(self) -> None:
        checks.one_of(tuple(PLANTS), planted=self.planted)
        checks.whole(1, repetitions=self.repetitions)
        for level in self.levels:
            checks.positive(level=level)

    @property
    def path(self) -> int:
        """The number of the stream below the seed that belongs to it."""
        return zlib.crc32(repr(self).encode())

    @property
    def settings(self) -> tuple[str, tuple[float, ...], int, str, int]:
        """What `jobs.covariances` needs to draw it."""
        return self.family_name, self.levels, self.repetitions, self.planted, self.path

    def at_once(self) -> SampleCovariances:
        """All draws, now."""
        *_, (_, found) = jobs.covariances(*self.settings)
        return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Together:
    """What is shown: the tiers, least noisy first, and their matrix."""

    tiers: tuple[HeldTier, ...]
    matrix: Matrix
    sample: SampleCovariances
    scaled: bool
    check: CovarianceCheck


def section(ws: Workspace) -> Together | None:
    """Controls, picture and verdict; None where no tier can be drawn."""
    left, right = st.columns([3, 1], gap="medium")
    with right:
        family_name = _family(ws)
        tiers = tiers_of(ws, family_name)
        shown = _measure(family_name, tiers) if tiers else None
    with left:
        if shown is None:
            parts.empty(
                "No tier can be drawn with this noise.",
                "Say on the page Tiers who may see how much, or choose another noise.",
                lambda: parts.link("tiers"),
            )
        else:
            _picture(ws, shown)
    return shown


def tiers_of(ws: Workspace, family_name: str) -> tuple[HeldTier, ...]:
    """The tiers of the plan under this noise, least noisy first; equal ones are one.

    Noise without a budget gets the variances of the tiers' Gaussian noise.
    """
    base = family_name if family_name in offered() else ADDITIVE["gaussian"].name
    planned = ws.plan.planned(ws.statistic.setting(base, ws.delta))[0]
    names: dict[float, list[str]] = {}
    for p in planned:
        names.setdefault(p.budget.level, []).append(p.name)
    levels = sorted(names)
    family = ADDITIVE[family_name]
    own = levels if base == family_name else levels_with_variances(family, levels)
    return tuple(
        HeldTier(
            name=join(names[level]),
            level=mine,
            letter="ε",
            loss=0.0,  # not told: some of these have none
            slot=ws.plan.style_of(names[level][0]).slot,
            symbol=ws.plan.style_of(names[level][0]).symbol,
        )
        for level, mine in zip(levels, own, strict=True)
    )


def _family(ws: Workspace) -> str:
    names = list(ADDITIVE)
    chosen = controls.selectbox(
        "Noise",
        names,
        index=names.index(ws.family_name),
        format_func=lambda name: ADDITIVE[name].label,
        key="variance_family",
        help="All additive families. The statement is the same for each: the covariance of two "
        "tiers is the variance of the less noisy one.",
    )
    if chosen not in offered():
        st.caption(
            f"{ADDITIVE[chosen].label} noise has no budget for tiers; here it has the variances of "
            "your tiers’ Gaussian noise."
        )
    return str(chosen or ws.family_name)


def _measure(family_name: str, tiers: tuple[HeldTier, ...]) -> Together:
    kind = controls.segmented_control(
        "Show",
        ("covariance", "correlation"),
        default="covariance",
        key="variance_scaled",
        help="Correlation: covariance divided by the two standard deviations; 1 means that both "
        "tiers have the same noise, 0 that they share none.",
    )
    planted = controls.selectbox(
        "Plant a mistake",
        list(PLANTS),
        format_func=lambda name: PLANTS[name][0],
        key="variance_planted",
        help="The check must then fail. Drawn independently, tiers share no noise. Another "
        "distribution: the steps from tier to tier have the right variances and covariances, but "
        "come from another noise.",
        lasting=False,
    )
    planted = str(planted or NOTHING)
    levels = tuple(t.level for t in tiers)
    long = Matrix(family_name=family_name, levels=levels, repetitions=LONG, planted=planted)
    quick = replace(long, repetitions=max(LEAST_QUICK, QUICK // len(levels)))
    found, asked = work.result(long), long
    if found is None:
        with st.spinner("Drawing …", show_time=False):
            found = work.result(quick) or work.keep(quick, quick.at_once())
        asked = quick
    _long_work(long)
    scaled = kind == "correlation"
    check = check_covariances(ADDITIVE[family_name], levels, found, scaled=scaled)
    return Together(tiers=tiers, matrix=asked, sample=found, scaled=scaled, check=check)


def _long_work(long: Matrix) -> None:
    """A million draws of each tier, in the background."""
    found, busy = work.result(long), work.pending(long)
    press.button(
        "Draw 1 million of each",
        work.start,
        long,
        jobs.covariances,
        *long.settings,
        key="covariance_draw",
        icon="casino",
        width="stretch",
        disabled=busy or found is not None,
        help="A narrower band: fifty times as many draws for four tiers.",
    )
    work.watch(long, partial(measure.told, LONG))
    if found is not None:
        st.caption(measure.said(found.repetitions, LONG))


def _picture(ws: Workspace, shown: Together) -> None:
    query, n = ws.statistic.query, len(shown.tiers)
    step = 1.0 if shown.scaled else query.step**2
    unit = "" if shown.scaled else f"{query.noun_released}²"
    cells = covariance_frame(shown.check.in_units(step))
    written = "Bold: theory. Below it: measured" if n <= WRITTEN_UP_TO else "Colour: theory"
    parts.chart(
        covariance_map(cells, covariance_labels(shown.tiers), unit=unit, chance=CHANCE),
        heading="Correlation of two tiers’ noise"
        if shown.scaled
        else f"Covariance of two tiers’ noise, {literal(unit)}",
        reading=f"{written} on {shown.sample.repetitions:,} draws of the real sampler, tiers asked "
        "for in random orders, on numbers that are all 0: no data is touched. Stronger colour: "
        "more noise in common.",
        alt=f"Matrix of {n} by {numbered(n, 'tiers')}, least noisy first. "
        f"{plain_text(verdict(shown))}",
        key="covariance",
    )
    words, icon, colour, sentence = WITHIN if shown.check.passed else OUTSIDE
    st.badge(words, icon=f":material/{icon}:", color=colour, help=sentence)  # type: ignore[arg-type]
    st.markdown(verdict(shown))
    st.caption(f"{tested(shown)} {proves(shown)}")


def verdict(shown: Together) -> str:
    """What the comparison says, in one or two sentences."""
    n, check = len(shown.tiers), shown.check
    pairs, law = n * (n + 1) // 2, _law(shown)
    if check.passed:
        return (
            f"{law} All {pairs} of these numbers and all {len(check.events)} shares below agree "
            "with theory; a correct program fails this check with a chance of about "
            f"{percent(CHANCE)}."
        )
    if failing := int(check.outside.sum()):
        why = " Drawn independently, tiers share no noise." if _apart(shown) else ""
        return (
            f"{law} {failing} of {n * n} cells are outside the band: this sampler breaks it.{why}"
        )
    return (
        f"{law} All {pairs} of these numbers agree with theory, and yet the sampler is wrong: "
        f"{_worst(shown)}."
    )


def tested(shown: Together) -> str:
    """What was tested beside the matrix, and how much of it failed."""
    events, strange = shown.check.events, int(shown.check.strange.sum())
    some = "none is" if not strange else f"{strange:,} are" if strange > 1 else "one is"
    return (
        f"Also compared: in what share of the draws two neighbouring tiers are exactly equal, how "
        "far they differ, and whether size or sign of the difference depends on the less noisy "
        f"one. Of {len(events):,} shares {some} outside the band."
    )


def proves(shown: Together) -> str:
    """What the covariances prove by themselves."""
    noise = ADDITIVE[shown.matrix.family_name]
    if noise.shape == NORMAL:
        return (
            "Covariances say all only if the noise of all tiers together is Gaussian; the shares "
            "test that, too."
        )
    return (
        f"Covariances alone would prove nothing for {noise.label} noise: differences with "
        "another distribution can have the same ones."
    )


def _apart(shown: Together) -> bool:
    return shown.matrix.planted == APART


def _worst(shown: Together) -> str:
    """The share that is farthest from theory, in its own standard deviations."""
    check = shown.check
    chances = np.array([event.chance for event in check.events])
    scale = np.sqrt(np.maximum(chances * (1 - chances), 1 / shown.sample.repetitions))
    far = np.where(check.strange, np.abs(check.shares - chances) / scale, -1.0)
    place = int(np.argmax(far))
    event = check.events[place]
    return (
        f"{_happens(shown, event)} in {percent(float(check.shares[place]))} of the draws, where "
        f"theory says {percent(event.chance)}"
    )


def _happens(shown: Together, event: Event) -> str:
    """An event as the subject and verb of a sentence."""
    high = literal(shown.tiers[event.high].name)
    if event.low is None:
        return f"the noise of {high} is at most {significant(event.step[1])} steps"
    low = literal(shown.tiers[event.low].name)
    if event.kind == LAW:
        return f"{high} is at most {significant(event.step[1])} steps above {low}"
    if event.kind == REST:
        return f"{low} and {high} are exactly equal"
    if event.kind == RESTING:
        return f"{low} has little noise and {high} is exactly equal to it"
    if event.kind == SIZES:
        return f"{low} has little noise and {high} is far from it"
    return f"{low} is above its median and {high} far above it"


def _law(shown: Together) -> str:
    """The statement for the first and the last tier, with numbers."""
    what = "correlation" if shown.scaled else "covariance"
    first, last = shown.tiers[0], shown.tiers[-1]
    if first is last:
        return f"With one tier there is only the variance of {literal(first.name)}."
    value = shown.check.theory[0, -1]
    noise = ADDITIVE[shown.matrix.family_name]
    laplace = noise.shape == DOUBLE_EXPONENTIAL and not noise.integer and shown.scaled
    ratio = f" = l/h = {significant(first.level)}/{significant(last.level)}" if laplace else ""
    rule = (
        f"must have {what} {significant(value)}{ratio}"
        if shown.scaled
        else f"share all the noise of {literal(first.name)}, the less noisy one"
    )
    return f"{literal(capitalised(first.name))} and {literal(last.name)} {rule}."
