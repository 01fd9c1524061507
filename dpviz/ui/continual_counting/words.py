"""Sentences of the page Continual counting: pure functions of what is shown."""

import pandas as pd

from dpviz.accounting.laplace_sums import laplace_sum_half_width, most_noises
from dpviz.accounting.levels import laplace_level
from dpviz.accounting.trees import Tree
from dpviz.charts.counting.frame import MOST_CELLS
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.ui.continual_counting.controls import View
from dpviz.ui.continual_counting.example import HOURS, Counting, Example
from dpviz.ui.kit import parts
from dpviz.words import (
    MINUS,
    capitalised,
    join,
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
FEW_ROWS = 3  # of blocks, whose lengths a caption lists


def distance(counting: Counting, tier: HeldTier, step: int) -> float:
    """Interval of a tier's running count of a step."""
    used = int(counting.used[step - 1])
    return laplace_sum_half_width(used, tier.level, ACCURACY_CONFIDENCE, family=counting.family)


def take_away(view: View, step: int) -> str:
    """How exact the running count of a step is, and how far separate noise would have grown."""
    c, tier = view.counting, view.reader
    every, noun = literal(c.every), literal(c.noun)
    drawn = tier.name in {each.name for each in c.tiers()}
    keeps = "keeps" if drawn else "would keep"
    ours, theirs = distance(c, tier, step), naive(c, tier, step)
    text = f"Noise on blocks of {every}s {keeps} {literal(tier.name)}’s total {within(ours, noun)}"
    if theirs > ours:
        text += f"; separate noise every {every}, just as private, would make it {pm(theirs)}"
    return f"{text}."


def _at(counting: Counting, step: int) -> str:
    """A step by its label or its number."""
    labels = counting.labels
    return f"{counting.every} {step:,}" if labels is None else labels[step - 1]


def naive(counting: Counting, tier: HeldTier, step: int) -> float:
    """Interval of a running count, had each step's count been given noise by itself.

    0 where it is not computed: for more steps than `most_noises` of this noise.
    """
    c = counting
    if step > most_noises(c.family):
        return 0.0
    level = laplace_level(tier.loss, c.moved)
    return laplace_sum_half_width(step, level, ACCURACY_CONFIDENCE, family=c.family)


def revealed(view: View) -> list[parts.Badge]:
    """The badge of exact numbers on screen that are somebody's."""
    shown = view.own is not None and view.counting.counts is not None
    return [parts.REVEALED] if shown else []


def claims(view: View, step: int) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are what they are."""
    c, tier = view.counting, view.reader
    what = f"distance from the exact running count, {tier.name}"
    how = "the distribution of the sum of as many noise terms as this step has"
    ours, theirs = distance(c, tier, step), naive(c, tier, step)
    found = [_distance(c, tier, step, what, ours, how)]
    if theirs > ours:
        what = f"the same with the noisy counts of every {c.every} added up, {tier.name}"
        how = "the distribution of the sum of as many noise terms as there were steps"
        found.append(_distance(c, tier, step, what, theirs, how))
    return tuple(found)


def _distance(c: Counting, tier: HeldTier, step: int, what: str, value: float, how: str) -> Claim:
    """Why ± of a running count is what it is."""
    return Claim(
        what=what,
        value=value,
        unit=c.noun,
        fixed=f"{_at(c, step)}, {percent(ACCURACY_CONFIDENCE)} confidence, {tier.budget}",
        method=f"{how} (MATHEMATICS 4.2)",
        assumes="one count is read by itself",
    )


def kept(one: Example) -> str:
    """How much must be kept to go on."""
    if not one.live:
        return (
            f"Whole stream: the counter keeps the sums of all blocks, about {HOURS:,} exact "
            "numbers and as many for each tier; a tier may come at any time and read all hours."
        )
    need = one.branching.tree(HOURS).most_held
    return (
        f"Live: hour {one.come:,} of {HOURS:,} has come. At any time the counter needs at most "
        f"{need:,} noise values for each tier, not {HOURS:,}; a tier that joins now reads from the "
        "next hour on."
    )


def strips_reading(c: Counting) -> str:
    """How to read the main picture."""
    sure = "at least 95 times in 100" if c.family.integer else "95 times in 100"
    text = (
        f"Each band holds the true count {sure}. Each total adds up a few blocks{_lengths(c)}, so "
        "little noise adds up."
    )
    if c.counts is None:
        return text
    if c.own:
        return f"{text} Grey: the exact count, not private."
    return f"{text} The calls, to a helpline, are invented, so the true count may be shown."


def enlarged_reading(c: Counting) -> str:
    """How to read the last steps."""
    return f"Dotted: where the count could lie with separate noise every {literal(c.every)}."


def _lengths(c: Counting) -> str:
    """How long all blocks are, where there are few lengths."""
    tree = c.tree
    if tree.height > FEW_ROWS:
        return f" (stretches of {literal(c.every)}s)"
    lengths = join([f"{tree.arity**row:,}" for row in range(tree.height)])
    return f" (of {lengths} {literal(c.every)}{'s' * (tree.height > 1)})"


def strips_alt(frame: pd.DataFrame, here: str) -> str:
    """What is on the main picture, in words."""
    rows = frame.groupby("tier", sort=False).tail(1)
    told = [
        f"{r.tier} {number(r.value, step=(r.high - r.low) / 2)} {pm((r.high - r.low) / 2)}"
        if r.value == r.value
        else f"{r.tier} reads from {r.step:,} on"
        for r in rows[::-1].itertuples()
    ]
    more = f", and {len(told) - 5} more" if len(told) > 5 else ""
    return f"Running counts with noise up to {here}, a strip for each: {', '.join(told[:5])}{more}."


def walk_heading(c: Counting, step: int) -> str:
    """Whose noise one count carries: of few blocks, not of all steps."""
    used = int(c.used[step - 1])
    text = f"This count carries the noise of {counted(used)} block{'s' * (used > 1)}"
    if used < step:
        text += f", not of {counted(step)} {c.every}s"
    return text


def walk_reading(c: Counting) -> str:
    """How to read the blocks."""
    text = "Each block has one random error; filled blocks are added"
    if not c.tree.most_negative:
        return f"{text}, empty ones are not needed."
    return (
        f"{text}, hatched ones taken away. {capitalised(literal(c.every))}s to come bring no "
        f"{literal(c.noun)} yet, only random errors drawn ahead."
    )


def walk_alt(tree: Tree, step: int) -> str:
    """The digits as text."""
    written = ", ".join(_signed(d) for d in tree.digits(step))
    return (
        f"Rows of blocks, the widest on top. Added or, with a minus, taken away in each row for "
        f"step {step:,}: {written}."
    )


def closer(view: View, step: int) -> str:
    """What the blocks are to those who want to know, and what is kept."""
    c, tree = view.counting, view.counting.tree
    high = tree.height
    lines = [
        digits(tree, step),
        f"One {c.noun.removesuffix('s') if view.example else 'event'} lies in at most "
        f"{counted(high)} block{'s' * (high > 1)}, one in each row: that is what its privacy "
        "costs. Every band follows from the exact distribution of the summed Laplace noise, so its "
        "width changes from step to step.",
        f"The random error of a block that is used before its last {literal(c.every)} has come is "
        "drawn ahead.",
    ]
    if tree.arity - 1 > MOST_CELLS:
        lines.append(
            f"A row has {tree.arity - 1} blocks, too many to draw one by one: runs of them are "
            "drawn as one bar with their number."
        )
    if view.example is not None:
        lines.append(kept(view.example))
    return "\n\n".join(lines)


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
            sensitivity="what one person can move, once in each row of blocks",
            data="none yet",
            symbols="Δ₁ = h·c, with the height h of the tree",
        )
    tree, most = view.counting.tree, view.counting.moved
    symbols = sensitivity_words(tree, most, view.counting.one)
    sensitivity = (
        f"one {view.counting.one} moves the counts by at most {most:,}, and "
        f"the sums of blocks by at most {tree.height * most:,} in all"
    )
    if view.own is None:
        return footer(
            "ε-DP",
            unit="one call: somebody who calls once in the whole stream",
            neighbours="one call more or less",
            sensitivity=sensitivity,
            data="none: invented calls per hour, of no real person",
            symbols=symbols,
        )
    s = view.own.stream
    return footer(
        "ε-DP",
        unit=s.unit,
        neighbours=s.neighbours,
        sensitivity=sensitivity,
        data=s.data,
        symbols=symbols,
    )
