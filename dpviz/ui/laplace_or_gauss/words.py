"""What the page Laplace or Gauss says: the verdict, how to read each picture, and the footer."""

import math
from collections.abc import Sequence

from dpviz.charts.axes import probability
from dpviz.planning.choice import GAUSSIAN, LAPLACE, Choice, TierChoice
from dpviz.ui.kit import noise_words
from dpviz.ui.laplace_or_gauss.controls import View
from dpviz.words import NO_BREAK, budget, join, pm, significant
from dpviz.words.markdown import literal
from dpviz.workspace.facts import DEFINITION_WORDS, Facts
from dpviz.workspace.takeaways import counted

NOTHING = "Type a query on the right, and this line will say which noise is more exact for it."
HALF = math.log(0.5)  # beyond δ = 0.5 nothing is promised


def point(view: View) -> str:
    """ε and δ of the query, as "ε = 1 and δ = 1e-6"."""
    q = view.question
    return f"{budget('ε', q.epsilon)} and δ{NO_BREAK}={NO_BREAK}{probability(q.log_delta)}"


def takeaway(view: View | None) -> str:
    """Which noise is more exact here, by how much, and where that changes."""
    if view is None:
        return NOTHING
    c, noun = view.choice, literal(view.noun)
    mine, other = (c.laplace, c.gaussian) if c.better == LAPLACE else (c.gaussian, c.laplace)
    name, rival = ("Laplace", "Gaussian") if c.better == LAPLACE else ("Gaussian", "Laplace")
    return (
        f"At the same {point(view)} {name} noise is more exact: a standard deviation of "
        f"{significant(mine)} {noun}, where {rival} noise needs {significant(other)}. {_change(c)}"
    )


def _change(c: Choice) -> str:
    """Where the verdict turns round."""
    star = f"δ*{NO_BREAK}={NO_BREAK}{probability(c.crossover)}"
    if c.crossover >= HALF:
        return "At this ε that holds for every δ up to 0.5."
    if c.better == LAPLACE:
        return f"Only above {literal(star)} would Gauss be better."
    return f"Only below {literal(star)} would Laplace be better."


def map_reading(view: View) -> str:
    """How to read the map."""
    c = view.choice
    text = (
        "Thick line: Laplace and Gauss have the same variance. Deep colour: one has four times the "
        "variance of the other, or more. "
    )
    if view.question.epsilon <= 1 or view.axis == "epsilon":
        text += (
            "Dashed: the same line by the classical Gaussian formula, which asks for more noise "
            "than is needed (and proves nothing above ε = 1), so it flatters Laplace. "
        )
    if view.axis == "moved" or c.switch < HALF:
        text += "Dotted: right of it the ℓ2 Laplace mechanism needs less than pure Laplace noise. "
    if view.axis == "moved":
        text += f"With d = {view.dimension:,} numbers one person moves at most d groups. "
    if view.own and view.axis == "epsilon":
        text += "Small symbols: your tiers, at the plan’s δ. "
    most = math.floor(c.moved_up_to + 1e-9)
    if most >= 1:
        groups = f"{most:,} group" + ("" if most == 1 else "s")
        return (
            text + f"At {point(view)} Laplace is more exact up to {groups} that one person moves."
        )
    return text + f"At {point(view)} Gauss is more exact even if one person moves one group only."


def map_alt(view: View) -> str:
    """The map in words."""
    up = "ε" if view.axis == "epsilon" else "groups moved"
    return (
        f"Map, δ to the right, {up} upwards: Laplace noise is more exact on the left, Gauss on the "
        f"right. Your query is on the side of {view.choice.better.label}; "
        f"δ* = {probability(view.choice.crossover)}."
    )


def noise_reading(view: View) -> str:
    """What the four lines say at the query's δ."""
    c = view.choice
    text = (
        f"At δ = {probability(view.question.log_delta)} (dotted): Laplace "
        f"{significant(c.laplace)}, Gauss {significant(c.gaussian)}, "
        f"ℓ2 Laplace {significant(c.laplace_l2)}"
    )
    if c.gaussian_classical is not None:
        text += f", Gauss by the classical formula {significant(c.gaussian_classical)}"
    text += f" {literal(view.noun)}. Laplace noise keeps ε with no δ, so its line is flat. "
    if c.switch < HALF:
        text += (
            f"The ℓ2 Laplace mechanism falls below it at δ = {probability(c.switch)}, and is "
            "never below Gauss."
        )
    else:
        text += "The ℓ2 Laplace mechanism needs more at every δ up to 0.5."
    return text


def hills_reading(laplace: float, gauss: float, view: View) -> str:
    """What the two hills say; the half widths of both."""
    noun = literal(view.noun)
    text = (
        f"Bars: 95 % of the noise, {pm(laplace, 3)} {noun} for Laplace, "
        f"{pm(gauss, 3)} for Gauss. Heights say nothing, widths do. "
        "Laplace noise is pointed with long tails: at equal variance its bar is 8 % wider"
    )
    swapped = (laplace <= gauss) != (view.choice.better == LAPLACE)
    return text + ("; here that turns the verdict round." if swapped else ".")


def rounds_reading(view: View, exact: int | None, loose: int | None, most: int) -> str:
    """What the lines over the rounds say."""
    q = view.question
    if exact is None:
        now = f"In {most:,} rounds Laplace costs less"
    elif exact == 1:
        now = "Gauss lies below Laplace’s line at any number of rounds"
    else:
        now = f"From {counted(exact)} rounds on Gauss lies below Laplace’s line"
    if loose is None:
        then = f"Laplace would cost less in {most:,} rounds"
    else:
        then = f"Gauss would cost less from {counted(loose)} round{'s' if loose > 1 else ''} on"
    return (
        f"Both kinds have the standard deviation that Laplace needs for {budget('ε', q.epsilon)} "
        f"in one round; δ = {probability(q.log_delta)} for all rounds together. {now}. "
        "That line is an upper bound, by the best composition of any noise that keeps ε alone: the "
        "exact change comes no earlier, and may come somewhat later. Dashed: Figure 5 of Cesar and "
        "Rogers, arXiv:2004.07223, takes each round’s (ε, δ) and composes it as if it were any "
        "private mechanism. But "
        "k rounds of Gaussian noise are again one Gaussian release, of sensitivity √k·Δ₂, so the "
        f"solid line is exact. By the dashed line {then}. Lossless releases "
        "of one statistic need no rounds at all: together they cost the largest."
    )


def tiers_sentence(chosen: Sequence[TierChoice]) -> str:
    """Which noise each tier should use at its own ε and δ, and what the same ρ would say."""
    same_rho = noise_words.at_the_same_rho(chosen[0].choice.question.moved)
    kept = f"{same_rho}. On the page Tiers, another noise keeps what was typed."
    for_laplace, for_gauss = (
        [c.planned.name for c in chosen if c.choice.better == noise]
        for noise in (LAPLACE, GAUSSIAN)
    )
    if not (for_laplace and for_gauss):
        one = "Laplace" if for_laplace else "Gaussian"
        how_many = {1: "the one tier", 2: "both tiers"}
        all_of = how_many.get(len(chosen), f"all {counted(len(chosen))} tiers")
        return f"At the same ε and δ, {all_of} would have less noise with {one} noise. {kept}"
    laplace, gauss = literal(join(for_laplace)), literal(join(for_gauss))
    return (
        f"At the same ε and δ, {laplace} would have less noise with Laplace noise, {gauss} with "
        f"Gaussian. {kept} A session has one "
        "noise for all its tiers, so choose for the tier that matters most: two sessions would "
        "add their losses."
    )


def tiers_caution(delta: float, in_use: str, noun: str, left_out: Sequence[str]) -> str:
    """What the comparison of the tiers leaves out, and whom."""
    who = literal(join(left_out))
    absent = f"Left out: {who}, whose noise is so large that δ alone covers it. " if who else ""
    return absent + (
        f"Each tier keeps its own ε at δ = {probability(math.log(delta))}. “Needs”: standard "
        f"deviation, {noun}. “Other variance”: that of the worse noise over that of the better. "
        f"In use now: {in_use} noise. The comparison is at one (ε, δ): where the losses of many "
        "sessions add up, the ρ of Gaussian noise adds more slowly, as the picture of the rounds "
        "shows. In hardened mode discrete Laplace noise stands for Laplace, Skellam for Gauss."
    )


def facts(view: View | None, footer: Facts) -> Facts:
    """The footer's fields for this page: two kinds of noise are compared in (ε, δ)."""
    named = dict(footer) | {"Definition": DEFINITION_WORDS["(ε, δ)-DP"]}
    if view is not None:
        q = view.question
        named["Sensitivity"] = (
            f"Δ₁ = {significant(q.l1, 4)}, Δ₂ = {significant(q.l2, 4)} {view.noun}"
        )
    if view is not None and not view.own:
        named |= {
            "Unit": "the person or group that Δ₁ and Δ₂ were typed for",
            "Neighbours": "two tables whose numbers differ by at most Δ₁ and Δ₂",
            "Data": "none: a typed query",
        }
    return tuple(named.items())
