"""What comparing notes does to one person: right guesses, here and with fresh noise for each."""

import math
from dataclasses import replace

import pandas as pd

from dpviz.charts.collusion.frame import (
    INDEPENDENT,
    LOSSLESS,
    SCHEME,
    SCHEMES,
    Holder,
    persons,
)
from dpviz.charts.collusion.prices import HALF, NO_NOISE, Leak
from dpviz.charts.guesses import LUCK, WRONG
from dpviz.noise.family import NORMAL
from dpviz.palette import GREY
from dpviz.ui.collusion.controls import View
from dpviz.ui.collusion.words import MOST_NAMED
from dpviz.ui.collusion.worlds import question
from dpviz.words import NO_BREAK, capitalised, join, loss, pm
from dpviz.words.claims import Claim
from dpviz.words.grammar import several
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import BOUND, EXACT, Right, right_of_epsilon, right_of_rho
from dpviz.workspace.takeaways import counted

_ALIKE = "Both ways have equally much noise."


def right(shown: View, *, lossless: bool) -> Right:
    """Guesses about one person that the coalition gets right.

    Args:
        shown: with at least one member.
        lossless: by lossless releases; else with fresh noise for each person.
    """
    asked, plan = question(shown), shown.plan
    held = persons(shown.members)
    if plan.setting.family.shape == NORMAL and plan.letter == "ρ":
        total = plan.learned(held, LOSSLESS if lossless else INDEPENDENT).value
        return right_of_rho(total)
    if asked.exact(lossless=lossless):
        found = asked.right(lossless=lossless)
        cut = not lossless and len(asked.levels) < shown.persons
        return replace(found, kind="at least") if cut else found
    scheme = LOSSLESS if lossless else INDEPENDENT
    releases = 1 if lossless else shown.persons
    delta = 0.0 if plan.adds_exactly else min(1.0, releases * plan.setting.delta)
    return right_of_epsilon(plan.learned(held, scheme).value, delta)


def who(shown: View) -> str:
    """Who compares notes, as Markdown."""
    if len(shown.members) == len(shown.plan.tiers) and shown.persons > len(shown.members):
        return f"all {counted(shown.persons)} readers of the {counted(len(shown.members))} tiers"
    names = join([literal(m.name) for m in shown.members])
    if len(shown.members) > MOST_NAMED:
        return f"{counted(shown.persons)} readers of {counted(len(shown.members))} tiers"
    if shown.persons > len(shown.members):
        return f"the {counted(shown.persons)} readers of {names}"
    return names


def _several(shown: View) -> str:
    """Who compares notes, in few words; Markdown."""
    if len(shown.members) == len(shown.plan.tiers) and shown.persons > len(shown.members):
        return f"{counted(shown.persons)} readers"
    return who(shown)


def take_away(shown: View) -> str:
    """What comparing notes gains them: in guesses, here and with separate noise for each."""
    last, here = literal(shown.last.name), right(shown, lossless=True)
    what = f"between two {shown.nouns.many}" if shown.replaced else f"about {shown.nouns.a_unit}"
    often = f"right {what} {here.said} times in 1,000 (a coin: 500)"
    if shown.persons == 1:
        return (
            f"{capitalised(last)} alone guesses {often}. "
            "Tick another tier to see two compare notes."
        )
    one = f"one of {last}" if len(shown.members) == 1 else f"{last}, the sharpest,"
    return (
        f"Nothing new: {_several(shown)} together guess {often}, no more than {one} alone. "
        "If each had one separate number of their own, it would be "
        f"{right(shown, lossless=False).said}."
    )


def readers_words(shown: View) -> str:
    """How many readers of which tiers the squares are of; Markdown."""
    if shown.persons == len(shown.members):
        return f"One reader of each tier. {_ALIKE}"
    of = f" of {counted(len(shown.members))} tiers"
    if len(shown.members) <= MOST_NAMED:
        of = f": {join([_joining(shown, m) for m in reversed(shown.members)])}"
    return (
        f"{capitalised(counted(shown.persons))} readers{of}. Each has the number of their tier. "
        f"{_ALIKE}"
    )


def _joining(shown: View, member: Holder) -> str:
    """How many readers of one tier; of a tier that nobody counted, why it is one."""
    name = literal(member.name)
    if member.joining > 1 or shown.people.get(member.name, 1) is not None:
        return f"{member.joining:,}{NO_BREAK}{name}"
    why = "" if shown.own else " (its number is published once)"
    return f"{name} as{NO_BREAK}1{why}"


def pieces_words(shown: View) -> str:
    """What the fair rival would tell them: pieces of the budget, averaged; "" for one reader."""
    if shown.persons == 1:
        return ""
    if not shown.plan.adds_exactly:
        return ""
    return (
        "Independent pieces that each tier averages itself would tell them no more either, if all "
        "budgets are known beforehand; what that costs in noise is on the page Variances."
    )


def acceptable(shown: View) -> str:
    """A link to where one finds out whether these guesses are too many."""
    return f"Is {right(shown, lossless=True).said} too many? What others publish with"


def one_per_tier(shown: View, half: float) -> str:
    """What fresh noise would do if all readers of a tier had one number; "" if they have.

    Args:
        shown: with at least one member.
        half: ± of the tier that is looked at, with a release of each tier.
    """
    if shown.persons == len(shown.members) or not (math.isfinite(half) and half):
        return ""
    alone = replace(shown, members=tuple(replace(m, joining=1) for m in shown.members))
    each = right(alone, lossless=False)
    return (
        f"With one number per tier, separate noise would need {pm(half)}, and together they would "
        f"guess right {each.said} times."
    )


def claims(shown: View) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are what they are."""
    fixed = f"a coin: 500; {several(shown.persons, 'reader', 'readers')} in all"
    each = [
        ("here", right(shown, lossless=True), "the sharpest release says all (MATHEMATICS 1.3)")
    ]
    if shown.persons > 1:
        apart = right(shown, lossless=False)
        each.append(
            ("with separate noise for each", apart, "all releases together (MATHEMATICS 5.4)")
        )
    return tuple(
        Claim(
            what=f"right guesses of 1,000 about one {shown.nouns.one}, {name}",
            value=found.value,
            fixed=f"{fixed}; both answers equally likely before, the best method of guessing",
            method=f"{BOUND if found.kind == 'at most' else EXACT}, {held}",
            kind=found.kind,
        )
        for name, found, held in each
    )


def prices_reading(shown: View, tier: Holder, everybody: int) -> str:
    """What the bars of ± say, and at which promise.

    Args:
        shown: the page.
        tier: whose number.
        everybody: how many readers there are.
    """
    plan = shown.plan
    most = shown.budget(plan.tiers[-1].loss)
    may = f"learn {most}"
    if plan.letter == "ρ":
        may = f"get {right_of_rho(plan.tiers[-1].loss).said} guesses right"
    together = f"all {everybody:,} readers together" if everybody > 1 else "everybody"
    text = f"Shorter is better: 95 times in 100 {literal(tier.name)}’s number is at most this far "
    text += "from the exact one. "
    text += f"In each way {together} may {may}, so separate noise must be larger."
    if not plan.adds_exactly:
        text += " Where losses cannot be combined exactly, the bar is an upper bound."
    return text


def prices_alt(tier: Holder, frame: pd.DataFrame) -> str:
    """The bars of ± in words."""
    each = [
        f"{SCHEMES[row[SCHEME]]} {pm(row[HALF]) if math.isfinite(row[HALF]) else NO_NOISE}"
        for row in frame.to_dict("records")
    ]
    return (
        f"A bar for each of {counted(len(each))} schemes, how far off {tier.name}’s number may "
        f"be: {join(each)}."
    )


def arrays_reading(shown: View, ink: str) -> str:
    """What the squares are; Markdown, with a square in the colour of each part."""
    name, colour = literal(shown.last.name), shown.look(shown.last).colour
    parts = [(_mixed(LUCK), "right by luck"), (colour, f"right by {name}’s number")]
    if shown.persons > 1:
        parts.append((ink, "right by comparing notes"))
    said = [f':color[■]{{foreground="{colour}"}} {text}' for colour, text in parts]
    said.append(f':color[▪]{{foreground="{_mixed(WRONG)}"}} wrong')
    return " &emsp; ".join(f":small[{part.replace(' ', NO_BREAK)}]" for part in said)


def _mixed(strength: float) -> str:
    """The grey of a part of the squares, as strong as there."""
    return f"{GREY}{round(255 * strength):02X}"


def leak_words(shown: View, leak: Leak | None) -> str:
    """What is wrong with the global release; plain text for a figure, "" if nothing is."""
    if leak is None:
        return ""
    many = sum(t.joining for t in leak.tiers)
    names = " and ".join(t.name for t in leak.tiers)
    who = f"the {counted(many)} readers of {names}" if len(leak.tiers) == 1 else names
    if shown.plan.letter == "ρ":
        joint, meant = (right_of_rho(x).said for x in (leak.joint, leak.meant))
        return f"but {who} together guess right {joint} times, not {meant}"
    letter = shown.plan.letter
    return f"but {who} together learn {letter} = {loss(leak.joint)}, not {loss(leak.meant)}"
