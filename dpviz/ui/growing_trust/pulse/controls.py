"""Controls of the story of a pulse: the value, where it is read, what is released next."""

import math
from dataclasses import dataclass, replace

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from dpviz import streams
from dpviz.parameters import EPSILON
from dpviz.planning import typed
from dpviz.streams import Mode
from dpviz.ui.kit import controls, panel, parts
from dpviz.ui.kit.state import Shelf, Slot
from dpviz.words import capitalised, clean
from dpviz.workspace.gradual import (
    EXAMPLES,
    HIDDEN,
    LARGEST_EPSILON,
    LEAST,
    MOST,
    SMALLEST_EPSILON,
    OneValue,
    Reading,
)
from dpviz.workspace.seeded import said
from dpviz.workspace.workspace import Workspace

OWN = "Your own value"
NAMES = {example.what: example for example in EXAMPLES}
MANTISSAS = (  # of the stops of the slider
    *(1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5, 2.8),
    *(3, 3.5, 4, 4.5, 5, 5.5, 6, 7, 8, 9),
)
START = 0.5  # where the slider begins
HANDED_OUT = (LEAST, 1.0, 0.5)  # to the readers at first, in this order
NEXT = ("2", "0.2", "1.5", "0.35")  # trust of the next reader: the first that nobody has
NTH = {1: "a second", 2: "a third", 3: "a fourth", 4: "a fifth", 5: "a sixth"}  # by readers before
SEED, PICKED = (
    7,
    528,
)  # the path at first: its errors shrink towards larger ε, and all its jumps are seen
VALUES = Shelf[OneValue]("gradual_values")
AGAIN = Slot("gradual_again", lambda: 0)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """What is looked at.

    Attributes:
        one: the value with its path and its releases.
        least: the smallest ε that is shown.
        most: the largest one.
        epsilon: where the path is read.
        wanted: trust of the next reader, ε; None while what is typed cannot be used.
    """

    one: OneValue
    least: float
    most: float
    epsilon: float
    wanted: float | None

    @property
    def reading(self) -> Reading:
        """The value."""
        return self.one.reading

    @property
    def picked(self) -> bool:
        """Whether the path is the one that was picked because it is easy to read."""
        return self.one.seed == (SEED, PICKED) and not self.one.family.integer

    @property
    def is_of_readers(self) -> bool:
        """Whether readers get numbers of the path; hardened ones are drawn apart from it."""
        return self.one.mode == "teaching"

    @property
    def stays(self) -> tuple[float, float]:
        """From which ε to which the number stays the same, among those that are shown."""
        low, high = self.one.rests(self.epsilon)
        return max(low, self.least), min(high, self.most)

    @property
    def digit(self) -> float:
        """What numbers are shown to about: a step; of whole numbers 1, so that all digits show."""
        return 1.0 if self.one.family.integer else self.reading.step

    @property
    def number(self) -> float:
        """What is read."""
        return self.one.number(self.epsilon)


def view(
    ws: Workspace, own: DeltaGenerator, at: DeltaGenerator, ask: DeltaGenerator
) -> View | None:
    """What the fields hold; None, with the reason on screen, while they cannot be used.

    Args:
        ws: the workspace, whose mode the releases have.
        own: where the button of the box with the visitor's own value goes.
        at: where the slider goes.
        ask: where the field of the next release goes.
    """
    with own.popover(OWN, icon=":material/edit:"):
        reading = _reading()
        ends = _ends()
        typed_at = st.container()
        panel.start_over(
            "Draw fresh noise",
            draw_again,
            key="gradual_over",
            why="Another line for the same made-up value, and three other numbers. With a real "
            "value that would cost privacy again.",
        )
    if reading is None or ends is None:
        return None
    again = AGAIN.get() or PICKED
    seed: tuple[int, ...] = (SEED, again)
    if reading not in EXAMPLES:  # a typed value, whose path grows as it is asked: this tab's alone
        seed = (ws.seed, *streams.named(said(reading)), ws.tab, again)
    key = (reading, ws.mode, seed)
    one = parts.usable(lambda: VALUES.take(key, lambda: _opened(reading, ws.mode, *seed)))
    if one is None or parts.usable(lambda: one.serve(*ends) or True) is None:
        return None
    with at:
        slid = _slider(*ends)
    with typed_at:
        epsilon = _typed(slid, *ends)
    with ask:
        wanted = _wanted(one)
    if epsilon is None:
        return None
    return View(one=one, least=ends[0], most=ends[1], epsilon=epsilon, wanted=wanted)


def _opened(reading: Reading, mode: Mode, *seed: int) -> OneValue:
    """A value with its path, and with three numbers that are handed out already."""
    one = OneValue(reading, mode, *seed)
    for epsilon in HANDED_OUT:
        one.release(epsilon)
    return one


def draw_again() -> None:
    """Another path of the same value, and three other numbers."""
    AGAIN.set(AGAIN.get() + 1)


def _reading() -> Reading | None:
    """The value, its unit and what one step of it is."""
    what = controls.selectbox(
        "What is reported",
        list(NAMES),
        format_func=lambda what: f"{capitalised(what)}, {NAMES[what].unit}",
        key="gradual_what",
        help="Made-up values of no real person, so the page may show the exact value.",
    )
    example = NAMES[what]
    value = controls.text_input(
        f"Exact value ({example.unit})",
        f"{example.value:g}",
        key=f"gradual_value_{what}",
        help="The value that the noise hides. It is made up, so it may be shown.",
    )
    step = controls.text_input(
        f"Hide differences up to ({example.unit})",
        f"{example.step:g}",
        key=f"gradual_step_{what}",
        help="If two values are at most this far apart, their chances to give any one number "
        "differ by a factor of at most e^ε. Hiding larger differences needs more noise: its scale "
        "is this difference divided by ε.",
    )
    number = parts.usable(
        lambda: typed.number(value, where="Exact value", example=f"{example.value:g}")
    )
    size = parts.usable(lambda: typed.number(step, where=HIDDEN, example=f"{example.step:g}"))
    if number is None or size is None:
        return None
    if size <= 0:
        parts.refusal(
            f"{HIDDEN}: {clean(step)[:20]} is not above 0. Type a number such as {example.step:g}."
        )
        return None
    return parts.usable(lambda: replace(example, value=number, step=size))


def _ends() -> tuple[float, float] | None:
    """Smallest and largest ε, as typed."""
    left, right = st.columns(2)
    with left:
        least = controls.text_input("Smallest ε", f"{LEAST:g}", key="gradual_least")
    with right:
        most = controls.text_input("Largest ε", f"{MOST:g}", key="gradual_most")
    low = parts.usable(lambda: EPSILON.read(least, where="Smallest ε"))
    high = parts.usable(lambda: EPSILON.read(most, where="Largest ε"))
    return None if low is None or high is None else (low, high)


def _slider(least: float, most: float) -> float:
    """Where the path is read, on a logarithmic scale."""
    powers = range(math.floor(math.log10(least)), math.ceil(math.log10(most)) + 1)
    stops = (float(f"{m}e{power}") for power in powers for m in MANTISSAS)
    inside = sorted({least, most, *(stop for stop in stops if least < stop < most)})
    nearest = min(inside, key=lambda stop: abs(math.log(stop / START)))
    return controls.select_slider(
        "How much do you trust the reader?",
        inside,
        value=nearest,
        format_func=lambda stop: f"{stop:g}",
        key=controls.keyed("gradual_epsilon", (least, most)),
        help="Trust is ε: larger = sharper, less private. Logarithmic scale, as in the picture. "
        "Slide: the number stays, jumps, stays. "
        "Each ε has one number, the same whenever you come back to it.",
    )


def _typed(slid: float, least: float, most: float) -> float | None:
    """Where the path is read, if it is typed; else where the slider is."""
    text = controls.text_input(
        "Or type ε",
        "",
        placeholder=f"{slid:g}",
        key="gradual_typed",
        help="While a number stands here, the slider has no effect.",
    )
    if not text.strip():
        return slid
    found = parts.usable(lambda: EPSILON.read(text, where="Or type ε"))
    if found is not None and not least <= found <= most:
        parts.refusal(
            f"Or type ε: {found:g} is not in the picture. Type a number from {least:g} to "
            f"{most:g}, or change the smallest or the largest ε."
        )
        return None
    return found


def _wanted(one: OneValue) -> float | None:
    """The trust of the next reader, as typed; after each draw the field begins afresh."""
    readers = len(one.released)
    usual = next((trust for trust in NEXT if float(trust) not in one.released), NEXT[-1])
    label = f"Add {NTH.get(readers, 'another')} reader, with trust"
    text = controls.text_input(
        label,
        usual,
        key=f"gradual_wanted_{readers}",
        help="Trust is ε. Larger than all before: relaxing. Smaller than all before: "
        "tightening. In between: filled in. In any order, they cost together what the largest ε "
        "costs.",
    )
    found = parts.usable(lambda: EPSILON.read(text, where=label))
    if found is not None and not SMALLEST_EPSILON <= found <= LARGEST_EPSILON:
        parts.refusal(
            f"{label}: {found:g} cannot be drawn here. Type a number from "
            f"{SMALLEST_EPSILON:g} to {LARGEST_EPSILON:g}."
        )
        return None
    return found
