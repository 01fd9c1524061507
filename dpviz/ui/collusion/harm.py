"""What comparing notes does to one person: right guesses, here and with separate noise."""

from dpviz.charts.collusion.frame import INDEPENDENT, LOSSLESS, Holder, persons
from dpviz.charts.guesses import LUCK, WRONG
from dpviz.palette import GREY
from dpviz.ui.collusion.controls import View
from dpviz.ui.collusion.words import MOST_NAMED
from dpviz.words import NO_BREAK, capitalised, join
from dpviz.words.claims import Claim
from dpviz.words.grammar import several
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import BOUND, EXACT, Right, right_of_epsilon, right_of_rho
from dpviz.workspace.takeaways import counted

_ALIKE = "Both ways use the same amount of noise."


def right(shown: View, *, lossless: bool) -> Right:
    """Guesses about one person that the group gets right: the number of the page Tiers.

    Of one reader of each tier, tiers that share a number count once, as they do there.

    Args:
        shown: with at least one member.
        lossless: by lossless releases; else with separate noise for each person.
    """
    plan, held = shown.plan, persons(shown.members)
    if shown.persons == len(shown.members):
        held = sorted(set(held))
    total = plan.learned(held, LOSSLESS if lossless else INDEPENDENT).value
    if plan.letter == "ρ":
        return right_of_rho(total)
    releases = 1 if lossless else len(held)
    return right_of_epsilon(
        total, 0.0 if plan.adds_exactly else min(1.0, releases * plan.setting.delta)
    )


def who(shown: View) -> str:
    """Who compares notes, as Markdown."""
    tiers, readers = len(shown.members), shown.persons
    if tiers == len(shown.plan.tiers) and tiers > 1:
        if readers > tiers:
            return f"all {counted(readers)} readers"
        return f"all {counted(tiers)} tiers" if tiers > 2 else "both tiers"
    if tiers > MOST_NAMED:
        return f"{counted(readers)} readers of {counted(tiers)} tiers"
    names = join([literal(m.name) for m in shown.members])
    return f"the {counted(readers)} readers of {names}" if readers > tiers else names


def take_away(shown: View) -> str:
    """What comparing notes gains them: in guesses, here and with separate noise."""
    last, here = literal(shown.last.name), right(shown, lossless=True)
    often = f"right {here.said} times in 1,000"
    if shown.persons == 1:
        alone = f"{capitalised(last)} alone guesses {often} (a coin: 500)"
        return f"{alone} and has nobody to compare notes with."
    one = f"{last} alone" if len(shown.members) > 1 else "one of them"
    each = " for each" if shown.persons > len(shown.members) else ""
    return (
        f"They gain nothing. {capitalised(who(shown))} together guess {often}, as often as {one}; "
        f"with separate noise{each}, {right(shown, lossless=False).said}."
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
        "Averaged pieces: if all budgets are known beforehand, or only rise, each tier can average "
        "separate pieces of its budget, and together they learn no more; Variances has the price."
    )


def acceptable(shown: View) -> str:
    """A link to where one finds out whether these guesses are too many."""
    return f"Is {right(shown, lossless=True).said} too many? What others publish with"


def claims(shown: View) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are what they are."""
    fixed = f"a coin: 500; {several(shown.persons, 'reader', 'readers')} in all"
    each = [
        ("here", right(shown, lossless=True), "the sharpest release says all (MATHEMATICS 1.3)")
    ]
    if shown.persons > 1:
        apart = right(shown, lossless=False)
        each.append(("with separate noise", apart, "all releases together (MATHEMATICS 5.4)"))
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
