"""The sentence under every title: what the current numbers say, in plain words.

Pure functions from plain records to Markdown-safe text; each is tested.
"""

from collections.abc import Sequence

from dpviz.accounting import JointLoss, half_width
from dpviz.figures import words
from dpviz.frames import HeldTier
from dpviz.noise.family import Family
from dpviz.queries import CountPerGroup
from dpviz.ui.text import literal

WHAT_THIS_IS = (
    "One sensitive table, several clearances. Each tier gets one noisy release, drawn **in any "
    "order, at any time**, exactly as noisy as a single release at its own budget. Tiers that "
    "compare notes learn only what the least private of them knows alone."
)
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def counted(n: int) -> str:
    """A number as a word where that reads better.

    >>> counted(4), counted(20)
    ('four', '20')
    """
    return _COUNTS[n] if n < len(_COUNTS) else str(n)


def within(tier: HeldTier, family: Family, confidence: float) -> str:
    """One tier's accuracy for one group, as "±31 people"."""
    return f"{words.pm(half_width(family, tier.level, confidence))} people"


def centre_words(centre: float, half: float) -> str:
    """The number as "1,793 ±294"; before a draw, when the centre is 0, the accuracy alone."""
    if centre == 0:
        return words.pm(half)
    return f"{words.number(centre, step=half)} {words.pm(half)}"


def range_of_tiers(tiers: Sequence[HeldTier], family: Family, confidence: float) -> str:
    """From the most to the least private tier, with their accuracies."""
    first, last = tiers[0], tiers[-1]
    sure = f"({words.percent(confidence)} confidence)"
    start = f"{literal(words.capitalised(first.name))} sees each group within "
    if first is last:
        return f"{start}{within(first, family, confidence)} {sure}"
    return (
        f"{start}{within(first, family, confidence)}, {literal(last.name)} within "
        f"{within(last, family, confidence)} {sure}"
    )


def start(tiers: Sequence[HeldTier], family: Family) -> str:
    """Start: who sees what, and what comparing notes brings."""
    if not tiers:
        return "There is no tier yet: say on the page Tiers who may see how much."
    said = range_of_tiers(tiers, family, 0.95)
    if len(tiers) == 1:
        return f"{said}."
    return (
        f"{said}. If all {counted(len(tiers))} compare notes, they learn what "
        f"{literal(tiers[-1].name)} knows already, and no more."
    )


def data(query: CountPerGroup) -> str:
    """Data: what will be published, and how far one person moves it."""
    groups = len(query.groups)
    number = "one group" if groups == 1 else f"each of {counted(groups)} groups"
    reach = query.groups_per_person
    move = (
        "one of these numbers by at most 1"
        if reach == 1
        else f"{counted(reach)} of these numbers by at most 1 each"
    )
    return (
        f"The number of people in {number} of “{literal(query.column)}”. "
        f"One person can change {move}."
    )


def tiers(held: Sequence[HeldTier], family: Family, joint: str, summed: str) -> str:
    """Tiers: the range of accuracies, and what the plan costs as a whole."""
    if not held:
        return "There is no tier yet. Add a row with a name and a budget."
    said = range_of_tiers(held, family, 0.95)
    if len(held) == 1:
        return f"{said}, for a privacy loss of {joint}."
    return f"{said}. All together cost a privacy loss of {joint}, not {summed}."


def releases(
    shown: Sequence[HeldTier], family: Family, confidence: float, total: JointLoss, alone: JointLoss
) -> str:
    """Releases: what the tiers that hold a release see, and what all together have learned."""
    if not shown:
        return "Nothing is released yet. Ask for the tiers in whatever order you like."
    said = range_of_tiers(shown, family, confidence)
    loss = loss_words(total)
    if total.value == alone.value:
        return f"{said}. The privacy loss so far is {loss}."
    return f"{said}. All together have learned {loss}, not {words.significant(alone.value, 4)}."


def letter_of(loss: JointLoss) -> str:
    """The letter of a loss: ρ or ε."""
    return "ρ" if loss.definition.startswith("ρ") else "ε"


def loss_words(loss: JointLoss) -> str:
    """A loss with its letter, and its δ where it has one."""
    stated = words.budget(letter_of(loss), loss.value)
    return f"{stated} at δ = {loss.delta:g}" if loss.delta else stated
