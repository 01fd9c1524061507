"""The erratum as a story: what the printed algorithm draws, and what that gives away."""

from dataclasses import dataclass

import streamlit as st

from dpviz.errors import ParameterError
from dpviz.figures.sparse_story import laws_chart
from dpviz.figures.words import percent, significant
from dpviz.frames.sparse_story import laws_frame
from dpviz.mechanisms.printed_histogram import TwoRounds
from dpviz.parameters import EPSILON, RHO
from dpviz.ui import parts, typed

STORY = (
    "Nobody has most items. Such an item stays hidden while its noise is below the threshold, and "
    "shows once the noise has risen above it: a phantom. The value that it then shows must look "
    "exactly as if noise had been there all along; otherwise a careful reader could tell a phantom "
    "from an item that one person has, and so whether that person is in the table.\n\n"
    "A noise path that crosses the threshold in round 2 was mostly high in round 1 already. The "
    "algorithm as printed in the paper forgets this: it draws round 1 as if no crossing were to "
    "come, and then forces the path over the threshold. Its phantoms end too near the threshold. "
    "This library looks back from the crossing, and draws the right law."
)
EPSILON_HELP = (
    "One person more or less may make whatever is seen at most e^ε times as likely, except with a "
    "chance δ."
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """The story with its numbers."""

    story: TwoRounds
    epsilon: float


def section() -> Told | None:
    """The story, its controls, its picture; None while a number cannot be used."""
    st.subheader("An error in the paper, and what it would give away", anchor=False)
    st.markdown(STORY)
    left, right = st.columns([3, 1], gap="medium")
    with right:
        told = _controls()
    if told is None:
        return None
    with left:
        frame = laws_frame(told.story)
        parts.chart(
            laws_chart(frame),
            heading="What a phantom shows in round 2",
            reading="Two laws of the same number: how often each value comes. Dotted: the "
            "threshold. The farthest that the two disagree about the chance of “up to this value” "
            f"is {percent(told.story.distance)} (Kolmogorov–Smirnov distance).",
            alt="Two hills beside the threshold; as printed, more of the values lie close to it. "
            f"Their distance is {told.story.distance:.3g}.",
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
    try:
        story = TwoRounds(
            RHO.read(first, where="Budget of round 1"),
            RHO.read(second, where="Budget of round 2"),
            typed.number(tau, where="Threshold", example="1.5"),
        )
        return Told(story=story, epsilon=EPSILON.read(epsilon, where="ε"))
    except ParameterError as error:
        parts.refusal(str(error))
        return None


def _field(label: str, value: str, key: str, help_text: str | None = None) -> str:
    return st.text_input(label, value, key=key, persist_state="session", help=help_text) or ""


def verdict(told: Told) -> str:
    """What the difference does to δ, in words."""
    story = told.story
    forced, allowed = story.delta(told.epsilon), story.allowed(told.epsilon)
    at = f"ε = {significant(told.epsilon)}"
    start = (
        f"An item that nobody has first shows in round 2 with chance {percent(story.crossing)}. "
        f"At {at} anything that keeps ρ = {significant(story.second)} fails with a chance δ of at "
        f"most **{significant(allowed, 3)}**; as printed, this one event alone forces δ ≥ "
        f"**{significant(forced, 3)}**"
    )
    if forced > allowed:
        return (
            f"{start}, {significant(forced / allowed, 2)} times as much: **the promise is "
            "broken**. With the right law it is kept."
        )
    return (
        f"{start}. With these numbers this one event does not break the promise; the law is wrong "
        "all the same, and other events may tell more."
    )


def code(told: Told | None) -> str:
    """The same with the library; defines `story`, `forced`, `allowed`; nothing without a story."""
    if told is None:
        return ""
    s = told.story
    return "\n".join(
        [
            "",
            "from dpviz.mechanisms.printed_histogram import TwoRounds",
            "",
            f"story = TwoRounds({s.first!r}, {s.second!r}, {s.deviations!r})",
            f"forced, allowed = story.delta({told.epsilon!r}), story.allowed({told.epsilon!r})",
            "print(story.distance, forced, allowed)",
            "",
        ]
    )
