"""The erratum as a story: what the printed algorithm draws, and what that gives away."""

import math
from dataclasses import dataclass

import streamlit as st

from dpviz.accounting import zcdp_epsilon
from dpviz.accounting.levels import gaussian_level
from dpviz.charts.sparse.story import laws_chart, laws_frame
from dpviz.errors import ParameterError
from dpviz.parameters import DELTA_MEANING, EPSILON, RHO
from dpviz.planning import typed
from dpviz.sparse.printed_law import Leak, Round, printed_leak, printed_rounds
from dpviz.ui.kit import controls, parts
from dpviz.words import percent, significant

STORY = (
    "Most items belong to nobody. Such an item stays hidden while its noise is low, and shows once "
    "the noise has risen above the threshold: a phantom. The value that it then shows must look "
    "exactly as if noise had been there all along; otherwise a careful reader could tell a phantom "
    "from an item that one person has, and so whether that person is in the table.\n\n"
    "A noise path that crosses the threshold in round 2 was mostly high in round 1 already. The "
    "algorithm as printed in the paper forgets this: it draws round 1 as if no crossing would "
    "come, and then forces the path over the threshold. Its phantoms end too near the threshold. "
    "This library looks back from the crossing, and draws from the right distribution."
)
CLOSEST, FARTHEST = 1.001, 1e4  # ratios of the budgets
LOWEST, HIGHEST = -3.0, 8.0  # thresholds in standard deviations
LOG_DELTAS = (-690.0, -1e-3)  # ln δ: smaller ones are 0, larger ones no promise
EPSILON_HELP = (
    f"δ is read at this ε. When there is one person more or one person fewer, {DELTA_MEANING}."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The story with its numbers."""

    rhos: tuple[float, float]
    thresholds: tuple[float, float]
    epsilon: float
    shown: Round  # the second one
    leak: Leak


def closer() -> Told | None:
    """The fold with the story; None while it is closed, or a number cannot be used."""
    told: list[Told | None] = []
    label = "An error in the paper, and what it would give away"
    parts.look_closer(label, lambda: told.append(_section()), key="sparse_erratum")
    return told[0] if told else None


def _section() -> Told | None:
    """The story, its controls, its picture; None while a number cannot be used."""
    st.markdown(STORY)
    left, right = st.columns([3, 1], gap="medium")
    with right:
        told = _controls()
    if told is None:
        return None
    with left:
        frame = laws_frame(told.shown)
        parts.chart(
            laws_chart(frame),
            heading="What a phantom shows in round 2",
            reading="Dotted: the threshold. The largest difference between their chances of “at "
            f"most this value” is {percent(told.shown.distance)} (Kolmogorov–Smirnov distance).",
            alt="Two hills beside the threshold; as printed, more of the values lie close to it. "
            f"Their distance is {told.shown.distance:.3g}.",
            key="sparse_laws",
        )
        st.markdown(verdict(told))
    return told


def _controls() -> Told | None:
    first = _field("Budget of round 1 (ρ₁)", "0.1", "sparse_rho1")
    second = _field("Budget of round 2 (ρ₂)", "0.2", "sparse_rho2")
    tau = _field("Threshold, in standard deviations of the noise", "1.5", "sparse_sd")
    epsilon = _field("ε at which δ is read", "2", "sparse_epsilon", EPSILON_HELP)
    st.caption("Larger ρ or ε: less private, less noise.")
    return parts.usable(
        lambda: told_of(
            (
                RHO.read(first, where="Budget of round 1"),
                RHO.read(second, where="Budget of round 2"),
            ),
            typed.number(tau, where="Threshold", example="1.5"),
            EPSILON.read(epsilon, where="ε"),
        )
    )


def told_of(rhos: tuple[float, float], deviations: float, epsilon: float) -> Told:
    """The story of two budgets and a threshold in standard deviations of each round's noise.

    Raises:
        ParameterError: if the budgets are too close or too far apart, or a number is out of range.
    """
    ratio = rhos[1] / rhos[0]
    if not CLOSEST <= ratio <= FARTHEST:
        raise ParameterError(
            f"Budget of round 2: it must be {CLOSEST:g} to {FARTHEST:g} times that of round 1. "
            f"Type for example {2 * rhos[0]:g}."
        )
    if not LOWEST <= deviations <= HIGHEST:
        raise ParameterError(f"Threshold: type a number from {LOWEST:g} to {HIGHEST:g}.")
    least, most = zcdp_epsilon(rhos[1], LOG_DELTAS[1]), zcdp_epsilon(rhos[1], LOG_DELTAS[0])
    if not least <= epsilon <= most:
        raise ParameterError(
            f"ε: at ρ = {rhos[1]:g} only an ε from {significant(least, 2)} to "
            f"{significant(most, 2)} tells anything. "
            f"Type for example {significant((least * most) ** 0.5, 2)}."
        )
    one, two = (deviations * gaussian_level(rho, 1.0) ** 0.5 for rho in rhos)
    return Told(
        rhos=rhos,
        thresholds=(one, two),
        epsilon=epsilon,
        shown=printed_rounds(rhos, (one, two), l2_sensitivity=1.0)[-1],
        leak=printed_leak(rhos, (one, two), epsilon, l2_sensitivity=1.0),
    )


def _field(label: str, value: str, key: str, help_text: str | None = None) -> str:
    return controls.text_input(label, value, key=key, help=help_text)


def verdict(told: Told) -> str:
    """What the difference does to δ, in words."""
    forced, allowed = told.leak.printed, told.leak.zcdp
    at = f"ε = {significant(told.epsilon)}"
    start = (
        "An item that nobody has, and that was hidden in round 1, shows in round 2 with chance "
        f"{percent(told.shown.probability)}. At {at} anything that keeps ρ = "
        f"{significant(told.shown.rho)} keeps (ε, δ) with a δ of "
        f"**{significant(allowed, 3)}**; as printed, this one event alone forces δ ≥ "
        f"**{rounded_down(forced)}**"
    )
    if forced > allowed:
        return (
            f"{start}, {significant(forced / allowed, 2)} times as much: **the promise is "
            "broken**. With the right distribution it is kept."
        )
    return (
        f"{start}. With these numbers this one event does not break the promise; it is drawn wrong "
        "even so, and other events may tell more."
    )


def rounded_down(bound: float) -> str:
    """A lower bound with three digits, never above itself.

    >>> rounded_down(0.0026154), rounded_down(0.0)
    ('0.00261', '0')
    """
    if bound <= 0:
        return "0"
    step = 10.0 ** (math.floor(math.log10(bound)) - 2)
    return significant(math.floor(bound / step) * step, 3)


def code(told: Told | None) -> str:
    """The same with the library; defines `story` and `leak`; nothing without a story."""
    if told is None:
        return ""
    return "\n".join(
        [
            "",
            "from dpviz.sparse.printed_law import printed_leak, printed_rounds",
            "",
            f"rhos, thresholds = {told.rhos!r}, {told.thresholds!r}",
            "story = printed_rounds(rhos, thresholds, l2_sensitivity=1.0)[-1]",
            f"leak = printed_leak(rhos, thresholds, {told.epsilon!r}, l2_sensitivity=1.0)",
            "print(story.distance, leak.printed, leak.zcdp)",
            "",
        ]
    )
