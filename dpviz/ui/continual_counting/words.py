"""Sentences of the page Continual counting: pure functions of what is shown."""

import pandas as pd

from dpviz.accounting.laplace_sums import laplace_sum_half_width, most_noises
from dpviz.accounting.levels import laplace_level
from dpviz.accounting.trees import Tree
from dpviz.charts.counting.frame import MOST_CELLS
from dpviz.charts.counting.stream import step_name
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.continual_counting.controls import View
from dpviz.ui.continual_counting.example import HOURS, Counting, Example
from dpviz.ui.kit import parts
from dpviz.words import (
    MINUS,
    capitalised,
    number,
    percent,
    pm,
    within,
)
from dpviz.words.claims import Claim
from dpviz.words.markdown import literal
from dpviz.workspace.counting import sensitivity_words
from dpviz.workspace.facts import Facts, footer
from dpviz.workspace.held import HeldTier
from dpviz.workspace.takeaways import counted

NOTHING = "No stream to count yet."


def worst(counting: Counting, tier: HeldTier) -> float:
    """Widest interval of a tier over all steps."""
    most = int(counting.used.max())
    return laplace_sum_half_width(most, tier.level, ACCURACY_CONFIDENCE, family=counting.family)


def take_away(view: View | None) -> str:
    """How exact every running count is, and what adding up noisy counts would have cost."""
    if view is None:
        return NOTHING
    c = view.counting
    last = c.readers[-1]
    held = {tier.name for tier in c.tiers()}
    reads = "reads" if last.name in held else "would read"
    unit = f"{literal(c.noun)} ({percent(ACCURACY_CONFIDENCE)} confidence)"
    text = (
        f"{capitalised(literal(last.name))} {reads} each of {c.steps:,} running counts "
        f"{within(worst(c, last), unit)}"
    )
    if len(c.readers) > 1:
        first = c.readers[0]
        text += f", {literal(first.name)} {within(worst(c, first))}"
    text += "."
    if naive(c, last) > worst(c, last):
        text += (
            f" Adding up noisy {_every(c)} counts would end at {pm(naive(c, last))} for "
            f"{literal(last.name)}."
        )
    return text


def naive(counting: Counting, tier: HeldTier) -> float:
    """Interval of the last running count, had each step's count been given noise by itself.

    0 where it is not computed: for more steps than `most_noises` of this noise.
    """
    c = counting
    if c.steps > most_noises(c.family):
        return 0.0
    level = laplace_level(tier.loss, c.moved)
    return laplace_sum_half_width(c.steps, level, ACCURACY_CONFIDENCE, family=c.family)


def _every(c: Counting) -> str:
    """What a single count is called: "hourly"."""
    return {"day": "daily", "step": "single"}.get(c.every, f"{c.every}ly")


def revealed(view: View | None) -> list[parts.Badge]:
    """The badge of exact numbers on screen that are somebody's."""
    shown = view is not None and view.own is not None and view.counting.counts is not None
    return [parts.REVEALED] if shown else []


def claims(view: View | None) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are what they are."""
    if view is None:
        return ()
    c = view.counting
    last = c.readers[-1]
    ends = {tier.name: tier for tier in (last, c.readers[0])}
    found = [
        _distance(
            c,
            tier,
            f"distance from the exact running count, {name}",
            worst(c, tier),
            "the law of the sum of as many noise terms as the widest step has",
        )
        for name, tier in ends.items()
    ]
    if naive(c, last) > worst(c, last):
        what = f"the same had noisy {_every(c)} counts been added up, {last.name}"
        how = "the law of the sum of as many noise terms as there are steps"
        found.append(_distance(c, last, what, naive(c, last), how))
    return tuple(found)


def _distance(c: Counting, tier: HeldTier, what: str, value: float, how: str) -> Claim:
    """Why ± of a running count is what it is."""
    return Claim(
        what=what,
        value=value,
        unit=c.noun,
        fixed=f"{percent(ACCURACY_CONFIDENCE)} confidence, {tier.budget}",
        method=f"{how} (MATHEMATICS 4.2)",
        assumes="one count is read by itself",
    )


def kept(one: Example) -> str:
    """How much must be kept to go on."""
    if not one.live:
        return (
            f"Whole stream: the sums of all vertices are kept, about {HOURS:,} exact numbers and "
            "as many for each tier; a tier may come at any time and read all hours."
        )
    need = one.branching.tree(HOURS).most_held
    return (
        f"Live: hour {one.come:,} of {HOURS:,} has come. At any time the counter needs at most "
        f"{need:,} noise values for each tier, not {HOURS:,}; a tier that joins now reads from the "
        "next hour on."
    )


def strips_reading(c: Counting) -> str:
    """How to read the main picture."""
    sure = percent(ACCURACY_CONFIDENCE)
    whole = " With whole-number noise the confidence is at least that." if c.family.integer else ""
    grey = ""
    if c.counts is not None:
        grey = (
            " Grey: the exact count, not private."
            if c.own
            else " Grey: the true count. It can be shown because the events are invented."
        )
    return (
        f"Line: what the tier reads. Band: {sure} interval of each {c.every} by itself, from the "
        "exact distribution of its summed Laplace noise, so its width changes from step to step."
        f"{whole}{grey}"
    )


def strips_alt(frame: pd.DataFrame, here: str) -> str:
    """What is on the main picture, in words."""
    rows = frame.groupby("tier", sort=False).tail(1)
    told = [
        f"{r.tier} {number(r.value, step=(r.high - r.low) / 2)} {pm((r.high - r.low) / 2)}"
        for r in rows.itertuples()
    ]
    return f"Noisy running counts up to {here}, a strip for each tier: {', '.join(told)}."[:200]


def walk_reading(c: Counting, step: int) -> str:
    """How to read the tree at this step."""
    tree = c.tree
    used = int(c.used[step - 1])
    folded = (
        f" A row has {tree.arity - 1} vertices, too many to draw one by one: runs of them are "
        "drawn as one bar with their number."
        if tree.arity - 1 > MOST_CELLS
        else ""
    )
    return (
        f"Each box is the noisy number of {literal(c.noun)} in some {c.every}s, with independent "
        f"noise. Blue: added. Hatched: subtracted. Empty: not needed now. The count at "
        f"{literal(step_name(step, c.labels, c.every))} uses {counted(used)} "
        f"box{'es' * (used > 1)}; one event lies in at most {tree.height} "
        f"box{'es' * (tree.height > 1)}, one in each row.{folded}"
    )


def walk_alt(tree: Tree, step: int) -> str:
    """The digits as text."""
    written = ", ".join(_signed(d) for d in tree.digits(step))
    return f"Rows of vertices, one for each digit of {step:,} in base {tree.arity}: {written}."


def digits(tree: Tree, step: int) -> str:
    """The step written out in the offset base."""
    pairs = zip(reversed(range(tree.height)), tree.digits(step), strict=True)
    terms = [f"({_signed(d)}) · {tree.arity**level:,}" for level, d in pairs]
    low, high = -tree.most_negative, tree.most_positive
    return (
        f"**{step:,}** = {' + '.join(terms)}: the digits of {step:,} in base {tree.arity}, each "
        f"from {_signed(low)} to {_signed(high)}."
    )


def _signed(digit: int) -> str:
    return f"+{digit}" if digit > 0 else f"{MINUS}{-digit}" if digit else "0"


def facts(view: View | None) -> Facts:
    """The footer."""
    if view is None:
        return footer(
            "ε-DP",
            unit="one person",
            neighbours="add or remove one person",
            sensitivity="Δ₁ = h·c: the height of the tree times what one person can move",
            data="none yet",
        )
    sensitivity = sensitivity_words(view.counting.tree, view.counting.moved)
    if view.own is None:
        return footer(
            "ε-DP",
            unit="one event: a person counts once in the whole stream",
            neighbours="one event more or less",
            sensitivity=sensitivity,
            data="none: invented events per hour, of no real person",
        )
    s = view.own.stream
    return footer(
        "ε-DP", unit=s.unit, neighbours=s.neighbours, sensitivity=sensitivity, data=s.data
    )
