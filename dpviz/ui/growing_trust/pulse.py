"""Growing trust, a patient’s pulse: one number, the sharper the more its reader is trusted."""

import math
from dataclasses import replace
from functools import partial

import pandas as pd
import streamlit as st

from dpviz import streams
from dpviz.charts.forms.bar_rows import INK, bar_rows
from dpviz.charts.forms.picture import Picture
from dpviz.charts.pulse import cone_on_its_side, next_number
from dpviz.palette import GREY
from dpviz.parameters import EPSILON, SENSITIVITY
from dpviz.planning import typed
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.scenes import growing_trust as scenes
from dpviz.scenes.growing_trust import PATH_SEED, Pulse, Stopping
from dpviz.ui.growing_trust import meter
from dpviz.ui.growing_trust.meter import REFUSED
from dpviz.ui.kit import controls, panel, parts, press
from dpviz.ui.kit.page_form import COMPUTED, Closer, Missing, PageForm
from dpviz.ui.kit.parts import Field, in_use
from dpviz.ui.kit.state import Shelf, Slot
from dpviz.words import NO_BREAK, budget, capitalised, number, percent, significant, within
from dpviz.words.claims import Claim, Name, Number, Said, plus_minus, say
from dpviz.words.claims import share as share_of
from dpviz.words.markdown import literal, plain_text
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.gradual import (
    EXAMPLES,
    LARGEST_EPSILON,
    LEAST,
    MOST,
    RELAXED,
    SAME,
    SMALLEST_EPSILON,
    TIGHTENED,
    OneValue,
    Reading,
    pieces,
)
from dpviz.workspace.sessions import said
from dpviz.workspace.takeaways import counted
from dpviz.workspace.workspace import Workspace

NAMES = {example.what: example for example in EXAMPLES}
MANTISSAS = (  # of the stops of the slider
    *(1, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6, 1.8, 2, 2.2, 2.5, 2.8),
    *(3, 3.5, 4, 4.5, 5, 5.5, 6, 7, 8, 9),
)
START = 0.5  # where the slider begins
NEXT = ("2", "0.2", "1.5", "0.35")  # trust of the next reader: the first that nobody has
NTH = {1: "a second", 2: "a third", 3: "a fourth", 4: "a fifth", 5: "a sixth"}  # by readers before
SHARES = (0.05, 0.1, 0.2, 0.5)  # of a number, that its noise may be
VALUES = Shelf[OneValue]("gradual_values")
_STOPPED = Shelf[Stopping]("gradual_stopped")
AGAIN = Slot("gradual_again", lambda: 0)


# --- what is asked ---


def settings(ws: Workspace) -> Pulse | Missing:
    """Ask how much a reader is trusted; behind a button, for a value of the visitor’s own."""
    slide = st.container()
    with st.popover("Your own value", icon=":material/edit:"):
        reading = _reading()
        panel.start_over(
            "Draw new noise",
            draw_again,
            key="gradual_over",
            why="Another line for the same made-up value, and three other numbers. With a real "
            "value that would cost privacy again.",
        )
    with slide:
        epsilon = _slider()
    again = AGAIN.get() or PATH_SEED[1]
    seed: tuple[int, ...] = (PATH_SEED[0], again)
    if reading not in EXAMPLES:  # a typed value, whose path grows as it is asked: this tab's alone
        seed = (ws.seed, *streams.named(said(reading)), ws.tab, again)
    key = (reading, ws.mode, seed)

    def served() -> OneValue:
        one = VALUES.take(key, lambda: scenes.handed_out(*key))
        one.serve(LEAST, MOST)
        return one

    one = parts.value_or_refusal(served)
    if one is None:  # a fraction in hardened mode
        return REFUSED
    return Pulse(one=one, least=LEAST, most=MOST, epsilon=epsilon)


def draw_again() -> None:
    """Another path of the same value, and three other numbers."""
    AGAIN.set(AGAIN.get() + 1)


def _reading() -> Reading:
    """The value, its unit and what is hidden."""
    what = controls.selectbox(
        "What is reported",
        list(NAMES),
        format_func=lambda what: f"{capitalised(what)}, {NAMES[what].unit}",
        key="gradual_what",
        help="Made-up values of no real person, so the page may show the exact value.",
    )
    example = NAMES[what]
    value, step = in_use(
        Field(
            label=f"Exact value ({example.unit})",
            default=f"{example.value:g}",
            help="The value that the noise hides. It is made up, so it may be shown.",
            reader=partial(typed.number, example=f"{example.value:g}"),
            key=f"gradual_value_{what}",
        ),
        Field(
            label=f"Hide differences up to ({example.unit})",
            default=f"{example.step:g}",
            help="If two values are at most this far apart, their chances to give any one number "
            "differ by a factor of at most eᵋ. Hiding larger differences needs more noise: its "
            "scale is this difference divided by ε.",
            reader=SENSITIVITY.read,
            key=f"gradual_step_{what}",
        ),
        check=lambda both: replace(example, value=both[0], step=both[1]),
    )
    return replace(example, value=value, step=step)


def _slider() -> float:
    """Where the path is read, on a logarithmic scale."""
    powers = range(math.floor(math.log10(LEAST)), math.ceil(math.log10(MOST)) + 1)
    stops = (float(f"{m}e{power}") for power in powers for m in MANTISSAS)
    inside = sorted({LEAST, MOST, *(stop for stop in stops if LEAST < stop < MOST)})
    chosen = controls.select_slider(
        "How much do you trust the reader?",
        inside,
        value=min(inside, key=lambda stop: abs(math.log(stop / START))),
        format_func=lambda stop: f"ε = {stop:g}",
        key=controls.keyed("gradual_epsilon", (LEAST, MOST)),
        help="Trust is ε: larger = sharper, less private. Logarithmic scale, as in the picture. "
        "Slide: the number stays, jumps, stays. "
        "Each trust has one number, the same whenever you come back to it.",
    )
    st.caption("More trust, a larger ε: sharper, less private.")
    return chosen


# --- the sentences ---


def shown(scene: Pulse, value: float) -> str:
    """A number of the page with its unit."""
    return f"{number(value, step=scene.digit)} {scene.reading.unit}"


def _half(scene: Pulse, who: str, epsilon: float) -> Claim:
    unit = scene.reading.unit
    return Claim(
        what=f"how far off the number of {who} is at most",
        value=scene.half(epsilon),
        unit=unit,
        fixed=f"{percent(ACCURACY_CONFIDENCE)} of the numbers, {budget('ε', epsilon)}, differences "
        f"up to {scene.reading.step:g} {unit} are hidden",
        method="quantile of the noise (MATHEMATICS 4.1)",
    )


def _near(claim: Claim, *, unit: bool = True) -> Said:
    """How near a reader comes, after "sees"."""
    if claim.value == 0:
        return Said(f"and is {within(0)}", (claim,))
    return say("to within {half}", half=plus_minus(claim, unit=unit))


def headline(scene: Pulse) -> Said:
    """How near the truth the least and the most trusted reader are, and what all know together."""
    least, most, what = min(scene.one.released), max(scene.one.released), Name(scene.reading.what)
    return say(
        "A stranger sees Maria’s {what} {far}, her doctor {near}. All her readers together know no "
        "more than the doctor.",
        what=what,
        far=_near(_half(scene, "the stranger", least)),
        near=_near(_half(scene, "the doctor", most), unit=False),
    )


def beside(scene: Pulse) -> tuple[Said, ...]:
    """What all readers together guess."""
    found = scene.meter
    who = f"all {counted(found.readers)} readers together guess"
    asks = f"Is her {scene.reading.what}"
    fixed = f"differences up to {scene.reading.step:g} {scene.reading.unit} are hidden"
    hardened = Said(
        "Hardened mode: each number is whole, drawn exactly from the operating system’s "
        "randomness. The line is only an illustration: it always comes from a seed."
    )
    said = (meter.question(found, who, fixed, asks),)
    return (*said, hardened) if scene.one.mode == "hardened" else said


def reading(scene: Pulse) -> str:
    """How to read the picture."""
    apart = scene.one.mode == "hardened"
    whose = "what readers have" + (", drawn apart from the line" if apart else "")
    return (
        "Laplace noise shrinks in jumps, while the grey range narrows steadily. "
        f"Dots: {whose}{'.' if apart else '; readers see only their dot.'} Grey area and ±: how "
        "near the truth a number is, 95 times in 100."
    )


def picture(scene: Pulse) -> Picture:
    """The cone on its side, with the numbers that readers have."""
    return cone_on_its_side(
        scene.steps,
        scene.cone,
        scene.one.released,
        {epsilon: scene.half(epsilon) for epsilon in scene.one.released},
        exact=scene.reading.value,
        at=scene.epsilon,
        unit=scene.reading.unit,
        what=scene.reading.what,
        step=scene.digit,
    )


# --- the closer: one more reader ---


def add_reader(_: Workspace, scene: Pulse) -> None:
    """Ask for the trust of one more reader, say what the number may be, and draw it."""
    one = scene.one
    left, right = st.columns(2, gap="large")
    with left:
        wanted = _wanted(one)
        usable = wanted is not None and one.turn(wanted) != SAME
        label = f"Give the number for trust {wanted:g}" if usable else "Give the number"
        press.button(
            label,
            one.release,
            wanted,
            key="gradual_draw",
            type="primary",
            icon="person_add",
            width="stretch",
            disabled=not usable,
            help="The same trust gives the same number for good. The value is made up: these "
            "numbers cost nobody any privacy and count towards no budget.",
        )
        parts.problem_of_last_act()
        if wanted is not None:
            st.markdown(next_words(scene, wanted))
    with right:
        if wanted is not None:
            _law(scene, wanted)
    held = [f"{shown(scene, x)} ({budget('ε', e)})" for e, x in one.released.items()]
    st.caption(literal(f"Handed out so far, in this order: {'; '.join(held)}."))


# --- the closer: stop when it is good enough ---


def stop(_: Workspace, scene: Pulse) -> None:
    """Sharpen until the noise is a chosen share of the number, and say what that costs."""
    share = controls.select_slider(
        "Good enough: noise of at most",
        SHARES,
        value=SHARES[1],
        format_func=lambda each: f"{percent(each)} of the number",
        key="gradual_share",
    )
    asked = scene.reading.value, scene.reading.step, share
    found = _STOPPED.take(asked, lambda: scenes.stopping(*asked))
    if found.met:
        parts.picture(
            paid_bars(found),
            reading=f"What half of {scenes.RUNS} tries pay at most. Shorter is more private.",
            key="gradual_stop",
        )
    parts.sentence(stop_words(found))


def paid_bars(found: Stopping) -> Picture:
    """What a request pays on one path, and by starting again."""
    rows = [
        {
            "row": words,
            "length": paid,
            "colour": colour,
            "end": f"ε{NO_BREAK}={NO_BREAK}{significant(paid)}",
            "detail": f"{words}: half of the tries pay at most {budget('ε', paid)}.",
        }
        for words, paid, colour in (
            ("Sharpen the same number", found.one_path, INK),
            ("Start again with twice the budget", found.again, GREY),
        )
    ]
    return bar_rows(pd.DataFrame(rows), what="Privacy paid until a number is good enough.")


def stop_words(found: Stopping) -> Said:
    """How much is paid where it stops, and what starting again would pay."""
    fixed = f"{scenes.RUNS} tries"
    near = share_of(found.share, what="good enough", fixed=fixed, method="as chosen")
    if not found.met:
        return say(
            "Even at the largest budget, the noise is rarely below {near} of this number. Choose a "
            "larger share.",
            near=near,
        )
    ours, theirs = (
        Number(
            significant(paid),
            Claim(
                what=f"ε that half of the tries pay at most, {way}",
                value=paid,
                fixed=fixed,
                method=method,
            ),
        )
        for way, paid, method in (
            ("one path", found.one_path, "the ε of the last release (MATHEMATICS 5.13)"),
            ("starting again", found.again, "the ε of all releases, added"),
        )
    )
    return say(
        "Begin with much noise, look, and ask for less until it is at most {near} of the number. "
        "You pay only for where you stop: ε = {ours}. Start again with twice the budget each time, "
        "and you pay ε = {theirs}.",
        near=near,
        ours=ours,
        theirs=theirs,
    )


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
    found = parts.value_or_refusal(lambda: EPSILON.read(text, where=label))
    if found is not None and not SMALLEST_EPSILON <= found <= LARGEST_EPSILON:
        parts.refusal(
            f"{label}: {found:g} cannot be drawn here. Type a number from "
            f"{SMALLEST_EPSILON:g} to {LARGEST_EPSILON:g}."
        )
        return None
    return found


def next_words(scene: Pulse, wanted: float) -> str:
    """What the number for this trust will be, before it is drawn."""
    one = scene.one
    turn, held, at = one.turn(wanted), one.released, budget("ε", wanted)
    if turn == SAME:
        return literal(
            f"The number at {at} is {shown(scene, held[wanted])}, and stays so: asked again, it is "
            "not drawn again. Type another trust."
        )
    found = one.law(wanted)
    same = {value: percent(chance) for value, chance in found.atoms}
    if turn == RELAXED:
        before = max(held)
        chances = pieces(found, scene.reading.value, held[before])
        return literal(
            f"Relaxing from {budget('ε', before)} to {at}: with chance {percent(chances.stays)} "
            f"the number stays {shown(scene, held[before])}. With {percent(chances.between)} it "
            f"lands between the value and there, with {percent(chances.opposite)} on the other "
            f"side of the value, with {percent(chances.beyond)} further out. Only the owner, who "
            "knows the value, can draw it."
        )
    if turn == TIGHTENED:
        before = min(held)
        return literal(
            f"Tightening from {budget('ε', before)} to {at}: with chance {same[held[before]]} the "
            f"new reader gets the same {shown(scene, held[before])}; otherwise noise is added to "
            "it. Anyone who holds that number could do it: the value is not needed."
        )
    low, high = max(e for e in held if e < wanted), min(e for e in held if e > wanted)
    lower, upper = budget("ε", low), budget("ε", high)
    if held[low] == held[high] and not one.family.integer:
        return literal(
            f"Between {lower} and {upper}: both are {shown(scene, held[low])}, so the number "
            "between them is surely the same."
        )
    again = [same.get(held[epsilon], percent(0.0)) for epsilon in (low, high)]
    return literal(
        f"Between {lower} and {upper}: with chance {again[0]} it is the number at {lower} again, "
        f"with {again[1]} that at {upper}; otherwise it is a new number. The two numbers around it "
        "are all that matters: the value is not needed."
    )


def _law(scene: Pulse, wanted: float) -> None:
    """The chances of the next number."""
    one = scene.one
    whole = one.family.integer
    curve, atoms = scenes.law(one.law(wanted), whole=whole)
    atoms = atoms[atoms["value"].isin([*one.before(wanted).values()])]
    fig = next_number(
        curve,
        atoms,
        exact=scene.reading.value,
        whole=whole,
        unit=scene.reading.unit,
        step=scene.digit,
    )
    alt = "The chances of the next number, as a hill with a spike where it stays. "
    alt += plain_text(next_words(scene, wanted))
    parts.chart(fig, heading="", reading="", alt=alt, key="gradual_law")


# --- for specialists ---


def formula(scene: Pulse) -> str:
    """The formulas (MATHEMATICS 14.1 to 14.3), and the same with the numbers on screen."""
    one, step = scene.one, f"{scene.reading.step:g} {scene.reading.unit}"
    jumps = significant(one.jumps(scene.least, scene.most).mean, 6)
    here = (
        rf"Here $\Delta_1$ = {step}, so at $\varepsilon$ = {scene.epsilon:g} $b$ = "
        f"{significant(one.level(scene.epsilon), 5)}. Between {scene.least:g} and {scene.most:g} "
        f"{jumps} jumps are expected."
    )
    if scene.picked:
        here += " The path on screen was picked because its jumps are easy to see; few are as tidy."
    return "\n\n".join([HEAD, *([WHOLE] if one.family.integer else []), here, RELAX])


HEAD = (
    r"Noise at $\varepsilon$ has the scale $b=\Delta_1/\varepsilon$. Towards smaller $\varepsilon$ "
    r"jumps come by chance at rate $2/\varepsilon$, each a Laplace number of scale $b$ at the "
    r"$\varepsilon$ of the jump; between $\varepsilon_1$ and $\varepsilon_2$ their number is "
    r"Poisson with mean $2\ln(\varepsilon_2/\varepsilon_1)$, so the number stays with chance "
    r"$(\varepsilon_1/\varepsilon_2)^2$."
)
WHOLE = (
    r"Whole numbers: the rate is $\frac1{\Delta_1}\coth\frac{\varepsilon}{2\Delta_1}$, a jump is "
    r"discrete Laplace and may be 0, and the mean is $2\ln\frac{\sinh(\varepsilon_2/2\Delta_1)}"
    r"{\sinh(\varepsilon_1/2\Delta_1)}$."
)
RELAX = (
    r"Relaxing from noise $x$ at $\varepsilon_1$ to $\varepsilon_2$, for $\Delta_1=1$: it stays "
    r"with chance $\frac{\varepsilon_1}{\varepsilon_2}e^{-(\varepsilon_2-\varepsilon_1)|x|}$, else "
    r"its density is $\frac{\varepsilon_2^2-\varepsilon_1^2}{2\varepsilon_2}"
    r"e^{-\varepsilon_1|x-y|-\varepsilon_2|y|+\varepsilon_1|x|}$."
)


def facts(scene: Pulse) -> Facts:
    """Definition, unit, neighbours, sensitivity and data of this story."""
    step = f"{scene.reading.step:g} {scene.reading.unit}"
    return footer(
        "ε-DP",
        unit="one value of one person",
        neighbours=f"two values at most {step} apart",
        sensitivity=f"a change of {step} counts ε, one of {scene.reading.step / 2:g} counts half "
        "of it (ε/2)",
        data="none: a made-up value that is typed here",
        symbols=f"Δ₁ = {step}",
    )


def arguments(scene: Pulse) -> dict[str, object]:
    """With which the recipe makes the numbers on screen."""
    one = scene.one
    return {
        "reading": scene.reading,
        "mode": one.mode,
        "seed": one.seed,
        "trusts": tuple(one.released),
        "grown": tuple(one.grown),
        "epsilon": scene.epsilon,
    }


PAGE = PageForm(
    file="growing_trust",
    guesses=COMPUTED,
    controls=settings,
    headline=headline,
    picture=picture,
    reading=reading,
    beside=beside,
    aside=lambda scene: meter.bars(scene.meter, "the doctor"),
    formula=formula,
    recipe=scenes.pulse,
    arguments=arguments,
    facts=facts,
    closers=(
        Closer(label="Add a reader", inside=add_reader, key="gradual_add"),
        Closer(label="Stop when it is good enough", inside=stop, key="gradual_stop"),
    ),
    badges=(parts.lossless("the doctor"),),
)
