"""The sentence under every title: what the current numbers say, in plain words.

Pure functions from plain records to Markdown-safe text, with a claim behind every number: the test
of the claims computes each of them again by another way.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from dpviz import words
from dpviz.accounting import JointLoss, half_width
from dpviz.noise.family import Family
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.queries import BoundedMean, Query, Sensitivity
from dpviz.words.claims import Claim, Said
from dpviz.words.grammar import one_of, times_in_100, with_noun
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import ALL, COIN, right_by
from dpviz.workspace.held import HeldTier
from dpviz.workspace.nearness import EXAMPLE, Size, half_of_mean, what_is_near

RELOAD = (
    "What you load and release stays with this tab: reloading the page begins a fresh workspace, "
    "with nothing typed and nothing released. A second tab is a workspace of its own; what it "
    "releases of the same table adds to the privacy loss."
)
NO_TIER = "No tier can be used yet. Correct the plan below, or add a row with name and budget."
ACCURACY_SOURCE = "MATHEMATICS 4.1"
LOSS_SOURCE = "MATHEMATICS 5.1"
_COUNTS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def counted(n: int) -> str:
    """A number as a word where that reads better.

    >>> counted(4), counted(20)
    ('four', '20')
    """
    return _COUNTS[n] if n < len(_COUNTS) else f"{n:,}"


def counted_with(n: int, many: str) -> str:
    """A number as a word where that reads better, with what it is a number of.

    >>> counted_with(1, "readers"), counted_with(4, "readers"), counted_with(1200, "readers")
    ('one reader', 'four readers', '1,200 readers')
    """
    return f"{counted(n)} {one_of(many) if n == 1 else many}"


def within(
    tier: HeldTier, family: Family, confidence: float, query: Query, size: Size = EXAMPLE
) -> str:
    """One tier's accuracy, as "within ±31 people": of a number, or of a mean by its rows."""
    if isinstance(query, BoundedMean):
        half = half_of_mean(tier.level, family, confidence, query, size)
        return words.within(half, literal(words.after(query.noun)))
    half = half_width(family, tier.level, confidence) * query.step
    return words.within(half, unit_words(query))


def unit_words(query: Query) -> str:
    """The unit of the released numbers after a number: "people", or "of “cost”"."""
    return literal(unit_after(query))


def unit_after(query: Query, value: float = 2) -> str:
    """The unit after this value, as plain text."""
    noun = query.noun_released
    return words.after(query.nouns.units.get(noun, noun) if value == 1 else noun)


def moves(
    most: Sensitivity,
    *,
    step: float = 1.0,
    unit: str = "",
    replaced: bool = False,
    one: str = "person",
) -> str:
    """How far one person moves the released numbers, in words.

    Args:
        most: the sensitivity, in steps.
        step: one step, in the unit.
        unit: after a number, such as "rows"; "" for people.
        replaced: whether one person takes the place of another.
        one: what the unit of privacy is called.

    >>> moves(Sensitivity.bounded(1))
    'one person moves one number by at most 1'
    >>> moves(Sensitivity.bounded(3, 4), step=0.5, unit="rows", replaced=True)
    'one person for another moves at most three numbers, each by at most 2 rows'
    """
    who = f"one {one} for another" if replaced else f"one {one}"
    far = f"by at most {with_noun(words.significant(most.linf * step, 4), unit)}"
    if most.l0 < 2:
        return f"{who} moves one number {far}"
    return f"{who} moves at most {counted(most.l0)} numbers, each {far}"


def range_of_tiers(
    tiers: Sequence[HeldTier],
    family: Family,
    confidence: float,
    query: Query,
    verb: str = "sees",
    size: Size = EXAMPLE,
) -> str:
    """From the most to the least private tier, with their accuracies; one, if all share it.

    Args:
        tiers: most private first.
        family: the noise.
        confidence: of the accuracies.
        query: what they see.
        verb: of one of them.
        size: how many rows a mean has.
    """
    first, last = tiers[0], tiers[-1]
    sure = f"({times_in_100(confidence)})"
    what = what_is_near(query, size)
    start = f"{literal(words.capitalised(first.name))} {verb} {what} "
    near = within(first, family, confidence, query, size)
    if not half_width(family, first.level, confidence):
        sure = ""  # "usually" says it, of all
    if first is last:
        return f"{start}{near} {sure}".rstrip()
    best = within(last, family, confidence, query, size)
    if best == near:
        all_of_them = "Both" if len(tiers) == 2 else f"All {counted(len(tiers))}"
        return f"{all_of_them} {verb.replace('sees', 'see')} {what} {near} {sure}".rstrip()
    if not half_width(family, last.level, confidence):
        return f"{start}{near} {sure}, {literal(last.name)} {best}"
    return f"{start}{near}, {literal(last.name)} {best} {sure}"


def distance_claim(
    what: str, value: float, unit: str, family: Family, *, confidence: float, budget: str, at: float
) -> Claim:
    """Why ± of one released number is what it is; `at` is the noise level of this budget."""
    return Claim(
        what=what,
        value=value,
        unit=unit,
        fixed=f"{words.percent(confidence)} confidence, {budget}, and so the {family.level_name} "
        f"{words.significant(at, 6)}",
        method=f"the least distance that covers so much of {family.label} noise "
        f"({ACCURACY_SOURCE})",
        assumes="each number is read by itself, as it was released",
    )


def accuracy_claims(
    tiers: Sequence[HeldTier],
    family: Family,
    confidence: float,
    query: Query,
    size: Size = EXAMPLE,
) -> tuple[Claim, ...]:
    """Why the accuracies of `range_of_tiers` are what they are: of its first tier and its last."""
    ends = {t.name: t for t in (tiers[0], tiers[-1])}
    if isinstance(query, BoundedMean):
        return _mean_claims(ends, family, confidence, query, size)
    return tuple(
        distance_claim(
            f"distance from the exact number, {name}",
            half_width(family, tier.level, confidence) * query.step,
            unit_after(query),
            family,
            confidence=confidence,
            budget=tier.budget,
            at=tier.level,
        )
        for name, tier in ends.items()
    )


def _mean_claims(
    ends: Mapping[str, HeldTier], family: Family, confidence: float, query: BoundedMean, size: Size
) -> tuple[Claim, ...]:
    """The same of means: what their sums and numbers of rows allow, and how many rows are meant."""
    rows = query.nouns.rows
    example = Claim(
        what=f"{rows} of a mean",
        value=size.rows,
        unit=rows,
        fixed=size.why,
        method=f"the error of a mean depends on its number of {rows} ({ACCURACY_SOURCE})",
    )
    return (
        example,
        *(
            Claim(
                what=f"distance from the exact mean, {name}",
                value=half_of_mean(tier.level, family, confidence, query, size),
                unit=words.after(query.noun),
                fixed=f"{words.percent(confidence)} confidence, {tier.budget}, {size.of(rows)}",
                method=f"half of the widest interval that sum and number of {rows} allow "
                f"({ACCURACY_SOURCE})",
                kind="at most",
            )
            for name, tier in ends.items()
        ),
    )


def loss_claim(what: str, loss: JointLoss, one: str = "person") -> Claim:
    """Why a loss of several releases is what it is; `one`: what the unit of privacy is called."""
    return Claim(
        what=f"{what}, {letter_of(loss)}",
        value=loss.value,
        fixed=f"δ = {words.significant(loss.delta)}" if loss.delta else "no δ is needed",
        method=f"{loss.method} ({LOSS_SOURCE})",
        assumes=f"one {one} counts no further than the bounds say",
        kind="at most",
    )


def tiers(
    held: Sequence[HeldTier],
    family: Family,
    query: Query,
    joint: JointLoss,
    alone: JointLoss,
    size: Size = EXAMPLE,
) -> Said:
    """Tiers: the range of accuracies, and what all tiers together can guess about one person."""
    if not held:
        return Said(NO_TIER)
    said = range_of_tiers(held, family, ACCURACY_CONFIDENCE, query, "will see", size)
    claims = (
        *accuracy_claims(held, family, ACCURACY_CONFIDENCE, query, size),
        *_losses(joint, alone, query.nouns.one),
    )
    here, fresh, one = right_by(joint), right_by(alone), query.nouns.one
    knows = f"{here.said} times in {ALL:,}"
    about = here.claim(f"right guesses about one {one}, here", loss_words(joint), one)
    if joint.value == alone.value:
        text = f"{said}, and guess right about one {one} {knows} (a coin: {COIN})."
        return Said(text, (*claims, about))
    usual = fresh.claim(
        f"right guesses about one {one}, with separate noise", loss_words(alone), one
    )
    everyone = "Both" if len(held) == 2 else f"All {counted(len(held))}"
    if no_more := _no_better(held, joint, one):
        return Said(f"{said}. {everyone} together guess {no_more}.", (*claims, about, usual))
    text = (
        f"{said}. {everyone} together guess right about one {one} {knows}; with separate "
        f"noise, {fresh.said} (a coin: {COIN})."
    )
    return Said(text, (*claims, about, usual))


def releases(
    shown: Sequence[HeldTier],
    family: Family,
    confidence: float,
    query: Query,
    total: JointLoss,
    alone: JointLoss,
    planned: Sequence[HeldTier] = (),
    size: Size = EXAMPLE,
) -> Said:
    """Releases: what the tiers that hold a release see, and what all together can guess.

    Before the first draw of a session it says what the tiers of the plan will see.
    """
    if not shown and total.value:
        return Said(
            "Nothing is released in this session yet; earlier sessions have cost "
            f"{cost_words(total)}, and more will add.",
            _losses(total, total, query.nouns.one),
        )
    if not shown and not planned:
        return Said("Nothing is drawn yet. Ask for the tiers in any order.")
    if not shown:
        will = range_of_tiers(planned, family, confidence, query, "will see", size)
        claims = accuracy_claims(planned, family, confidence, query, size)
        return Said(f"Nothing is drawn yet. {will}.", claims)
    said = range_of_tiers(shown, family, confidence, query, size=size)
    if len(shown) > 1 and {t.name for t in planned} == {t.name for t in shown}:
        said = f"{'Both' if len(shown) == 2 else f'All {counted(len(shown))}'} are drawn. {said}"
    claims = accuracy_claims(shown, family, confidence, query, size)
    guessed, apart = replace(right_by(total), kind="at most"), right_by(alone)
    one = query.nouns.one
    claims += (guessed.claim("right guesses by all together", loss_words(total), one),)
    who = "All together guess" if len(shown) > 1 else "An attacker guesses"
    if no_more := _no_better(shown, total, one):
        usual = apart.claim("right guesses with separate noise", loss_words(alone), one)
        return Said(f"{said}; together they guess {no_more}.", (*claims, usual))
    text = f"{said}. {who} right about one {one} {guessed.said} times in 1,000"
    if total.value == alone.value:
        return Said(f"{text} (a coin: {COIN}).", claims)
    return Said(
        f"{text}; with separate noise, {apart.said} (a coin: {COIN}).",
        (*claims, apart.claim("right guesses with separate noise", loss_words(alone), one)),
    )


def _no_better(held: Sequence[HeldTier], joint: JointLoss, one: str) -> str:
    """That all guess no better about one person than the least private tier, if none loses more."""
    last = held[-1]
    same = (last.loss, last.delta, last.letter) == (joint.value, joint.delta, letter_of(joint))
    return (
        f"no better about one {one} than {literal(last.name)} alone"
        if same and len(held) > 1
        else ""
    )


def _losses(together: JointLoss, alone: JointLoss, unit: str) -> tuple[Claim, ...]:
    """The loss of all together, and beside it the other one where the sentence names it."""
    one = loss_claim("bound on the privacy loss of all together", together, unit)
    if together.value == alone.value:
        return (one,)
    return one, loss_claim(
        "bound on the privacy loss had each been drawn with independent noise", alone, unit
    )


def letter_of(loss: JointLoss) -> str:
    """The letter of a loss: ρ or ε."""
    return "ρ" if loss.definition.startswith("ρ") else "ε"


def loss_words(loss: JointLoss) -> str:
    """A loss with its letter, and its δ where it has one."""
    return words.loss_with_delta(letter_of(loss), loss.value, loss.delta)


def cost_words(loss: JointLoss) -> str:
    """A loss as it is said of releases: "at most" where it is an upper bound."""
    return f"at most {loss_words(loss)}" if loss.bound else loss_words(loss)


def view(
    tier: HeldTier, family: Family, confidence: float, query: Query, size: Size = EXAMPLE
) -> Said:
    """Present: what one tier sees."""
    return Said(
        range_of_tiers([tier], family, confidence, query, size=size) + ".",
        accuracy_claims([tier], family, confidence, query, size),
    )
