"""Controls of the Tiers page beside the plan: mode, noise, δ, remarks, currencies, practice."""

import math
from collections.abc import Callable, Sequence
from functools import partial

import streamlit as st

from dpviz.accounting.guarantees import guarantee_of
from dpviz.charts.axes import probability
from dpviz.charts.tiers.plan import DELTA_OF, LOSSES, PLAN, plan_frame
from dpviz.errors import ParameterError
from dpviz.noise import ADDITIVE
from dpviz.noise.exponential import WARNING
from dpviz.parameters import DELTA, DELTA_MEANING
from dpviz.planning.cautions import warning
from dpviz.planning.tiers import PlannedTier, equal_budgets, never_as_large, out_of_order
from dpviz.streams import Mode
from dpviz.ui.kit import controls, noise_words, parts, press
from dpviz.ui.kit.plan_file import noise_key
from dpviz.ui.kit.state import fill
from dpviz.words import capitalised, delta, join, loss, percent, pm, rounded_up, significant
from dpviz.words.markdown import literal
from dpviz.workspace.advice import Advice, better_noise
from dpviz.workspace.workspace import Workspace

# A phone has room for short names only; the caption says them in full.
NARROW_NAMES = dict(zip(PLAN[-4:], ("δ", "± one", "± all", "level"), strict=True))


def choose_mode(ws: Workspace) -> None:
    """Teaching or hardened; sessions that exist keep the mode that they began with."""
    modes: list[Mode] = ["teaching", "hardened"]
    chosen = controls.segmented_control(
        "Mode",
        modes,
        default=ws.mode,
        format_func=lambda mode: parts.MODES[mode][0],
        key="mode",
        help="Teaching: the noise comes from a seed and can be repeated; no privacy claim. "
        "Hardened: it comes from the operating system’s randomness, without a seed, and only "
        "noise in whole numbers is offered.",
    )
    if chosen and chosen != ws.mode:
        with st.spinner("Finding the noise level of each budget …"):
            ws.use_mode(chosen)


def choose_family(ws: Workspace) -> None:
    """Which noise; another family starts a new session."""
    names = ws.offered
    chosen = controls.radio(
        "Noise",
        names,
        index=names.index(ws.family_name),
        format_func=lambda name: ADDITIVE[name].label,
        key=noise_key(ws.mode),
        help=f"{noise_words.promised()} Exponential noise is not offered for tiers: {WARNING}",
    )
    if chosen != ws.family_name:
        with st.spinner("Finding the noise level of each budget …"):
            ws.use_family(str(chosen))
    if ws.ledger and ws.round is None:
        st.caption("Another noise starts a new session; the loss of earlier releases still counts.")


def advise(ws: Workspace) -> None:
    """Which noise would need less for this statistic, mode and plan, and a button to use it."""
    with st.spinner("Comparing every noise …"):
        found = better_noise(ws)
    if found is None:
        st.caption(f"No offered noise needs less than {ws.family.label} for these budgets.")
        return
    least, most = percent(round(found.least, 2)), percent(round(found.most, 2))
    share = least if least == most else f"{least} to {most}"
    st.markdown(
        f"**{capitalised(found.family.label)} noise would need less**: {share} of the standard "
        "deviation of the noise in use, with every budget kept as it is typed."
        + _only_epsilon(ws, found)
    )
    press.button(
        f"Use {found.family.label} noise", _use_noise, ws, found.family.name, key="use_better_noise"
    )


def _only_epsilon(ws: Workspace, found: Advice) -> str:
    """What is given up with a noise that has no ρ."""
    if not (noise_words.typed_as_rho(ws.plan.tiers) and guarantee_of(found.family).with_delta):
        return ""
    return " It keeps the ε that a typed ρ gives at δ, and not the ρ itself."


def _use_noise(ws: Workspace, name: str) -> None:
    fill(noise_key(ws.mode), name)
    ws.use_family(name)


def _what_stays(ws: Workspace) -> str:
    """What a change of noise holds fixed, and what that does to the size of the noise."""
    kept, s = noise_words.kept_as_typed(ws.plan.tiers), ws.statistic.query.sensitivity
    if not noise_words.typed_as_rho(ws.plan.tiers):
        return kept
    if ws.mode == "hardened":
        return f"{kept} {noise_words.READ_AS_EPSILON}"
    same_rho = noise_words.at_the_same_rho((s.l1 / s.l2) ** 2 if s.l2 else 1.0)
    return (
        f"{noise_words.WHY_GAUSSIAN} {kept} {same_rho}; at the same ε and δ, for one release, it "
        "may have less: see Laplace or Gauss."
    )


def choose_delta(ws: Workspace) -> None:
    """One δ for the whole plan, beside every ε that needs one."""
    nouns = ws.statistic.query.nouns
    typed = controls.text_input(
        "δ of the plan",
        delta(ws.delta),
        key="delta",
        help=f"δ, delta: {DELTA_MEANING}. Rule of thumb, no more: at most 1 / number of "
        f"{nouns.many}. Publishing all about one {nouns.one} at random would pass this rule, too; "
        "1e-6 is usual. Laplace noise needs none.",
    )
    try:
        ws.delta = DELTA.read(str(typed), where="δ")
    except ParameterError as error:
        parts.refusal(str(error))
    if guarantee_of(ws.family).pure:
        st.caption(f"{capitalised(ws.family.label)} noise keeps ε without any δ.")


def remarks(ws: Workspace, planned: Sequence[PlannedTier], problems: Sequence[str]) -> None:
    """What to know about this plan, in words."""
    if problems and planned and len(planned) == len(ws.plan.tiers):
        st.warning("The plan in use is the last one without a problem.", icon=":material/history:")
    impossible = [p.name for p in planned if not ws.possible(p.budget.level)]
    if impossible:
        st.info(
            f"The session is sealed: {literal(join(impossible))} cannot be drawn in it any more."
        )
    for names in equal_budgets(planned):
        who = literal(join(names))
        st.info(f"{who} have equal budgets, so they get the same numbers.")
    _cautions(planned)
    if ws.plan.spread_anew:
        st.caption("The colours of all tiers have changed, to make room for the new tier.")


def _cautions(planned: Sequence[PlannedTier]) -> None:
    """Budgets that promise next to nothing, and an order that the noise contradicts."""
    for p in planned:
        if (sentence := warning(p.budget)) is not None:
            st.warning(f"{literal(p.name)}: {literal(sentence)}", icon=":material/warning:")
    for low, high in out_of_order(planned):
        st.info(
            f"{literal(low)} is below {literal(high)} in the order and yet gets less noise. "
            "Exchange their budgets, or their places in the order."
        )


def of_family(ws: Workspace, planned: Sequence[PlannedTier]) -> None:
    """What the noise in use makes of budgets typed in another currency."""
    if planned:
        st.caption(_what_stays(ws))
    typed = noise_words.typed_as_rho([p.tier for p in planned])
    if typed and guarantee_of(ws.family).pure:
        st.caption(
            f"{capitalised(ws.family.label)} noise: a typed ρ means ε = √(2ρ), since ε-DP gives "
            "ε²/2-zCDP. So the tier keeps its ρ, but not the ε of Gaussian noise."
        )
    if typed and guarantee_of(ws.family).with_delta:
        st.caption(
            f"{ws.family.label} noise has no ρ: a typed ρ or μ means the ε that Gaussian noise of "
            "it has at δ."
        )
    if below := never_as_large(planned, ws.setting):
        least = f"{literal(join(below))}: even the least {ws.family.label} noise that keeps this δ"
        st.caption(f"{least} has a smaller ε than was typed, so the smaller one is shown.")
    if ws.family.never_falls:
        symbol = ws.family.level_symbol
        st.caption(
            f"{ws.family.label} noise is never negative and has mean {symbol}; pictures subtract "
            f"{symbol}."
        )


def currencies(ws: Workspace, planned: Sequence[PlannedTier]) -> None:
    """Every tier's budget in every currency."""
    query = ws.statistic.query
    frame = plan_frame(planned, ws.family, query.dimension, query.step)
    shown = frame.astype(object)
    for name in PLAN[1:]:
        written: Callable[[float], str] = partial(significant, digits=4)
        if name in LOSSES:
            written = loss
        if name == DELTA_OF:
            written = _delta
        if name.startswith("±"):
            written = _up
        shown[name] = [written(x) if x == x else "–" for x in frame[name]]
    parts.table(
        shown.rename(columns=NARROW_NAMES),
        alt="Each tier’s budget as ρ, μ, ε with its δ, and as accuracy, 95 % confidence.",
    )
    steps = "" if query.step == 1 else f", in steps of {significant(query.step, 4)}"
    st.caption(
        f"± in {literal(query.noun_released)}, with 95 % confidence: for one group, and for all "
        f"groups at once. Levels: {ws.family.level_name} {ws.family.level_symbol}{steps}. "
        "Changing the noise keeps the budget as typed, and changes the other columns."
    )


def _delta(at: float) -> str:
    """A δ for a narrow column, which breaks no line within it."""
    return probability(math.log(at)) if at else "0"


def _up(half_width: float) -> str:
    """A half width for a table, rounded up: its confidence holds for what is written.

    A budget that is typed another way has seven digits, so ±25 may come back as 25.0000004: what is
    above by less than a millionth is not rounded up.
    """
    return significant(rounded_up(half_width * (1 - 1e-6), 4), 4) if half_width else pm(half_width)
