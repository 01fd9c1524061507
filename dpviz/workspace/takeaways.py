"""The sentence under every title: what the current numbers say, in plain words.

Pure functions from plain records to Markdown-safe text, with a claim behind every number: the test
of the claims computes each of them again by another way.
"""

from collections.abc import Sequence

from dpviz import words
from dpviz.accounting import JointLoss, half_width
from dpviz.noise.family import Family
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.cast import with_article
from dpviz.queries import BoundedMean, Query, Sensitivity
from dpviz.words.claims import Claim, Name, Number, Said, say
from dpviz.words.grammar import one_of, times_in_100, with_noun
from dpviz.words.markdown import literal
from dpviz.workspace.guesses import A_COIN, ALL, CorrectGuesses, right_by
from dpviz.workspace.held import HeldTier
from dpviz.workspace.nearness import EXAMPLE, Size, half_of_mean, half_of_number, what_is_near

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
    return words.within(*_half_width_of(tier, family, confidence, query, size))


def close_and_safe(
    tier: HeldTier, family: Family, query: Query, right: CorrectGuesses, size: Size = EXAMPLE
) -> str:
    """Under which condition numbers are to be drawn: near enough for a tier, and safe enough."""
    half, unit = _half_width_of(tier, family, ACCURACY_CONFIDENCE, query, size)
    near = words.pm(half, unit=unit) if half else "that"  # no ± tells anything of so little noise
    return (
        f"If {near} is close enough for {literal(with_article(tier.name))}, and {right.said} right "
        f"guesses of {ALL:,} about one {literal(query.nouns.one)} are safe enough, draw the "
        "numbers; if not, change the plan."
    )


def _half_width_of(
    tier: HeldTier, family: Family, confidence: float, query: Query, size: Size
) -> tuple[float, str]:
    """One tier's ± and what follows it."""
    half = half_of_number(tier.level, family, confidence, query, size)
    mean = isinstance(query, BoundedMean)
    return half, literal(words.after(query.noun)) if mean else unit_words(query)


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
) -> Said:
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
    near, best = (_distance(tier, family, confidence, query, size) for tier in (first, last))
    blurred = {tier.name: half_width(family, tier.level, confidence) for tier in (first, last)}
    usual = (
        f" ({times_in_100(confidence)})" if blurred[first.name] else ""
    )  # else "usually" says it
    parts: dict[str, Number | Name | Said | str] = {"what": _what_is_near(query, size)}
    parts |= {"near": near, "sure": Said(usual)}
    if first is not last and best.text == near.text:
        see = verb.replace("sees", "see")
        return say("{all} {see} {what} {near}{sure}", all=everybody(len(tiers)), see=see, **parts)
    parts |= {"first": Name(words.capitalised(with_article(first.name))), "verb": verb}
    if first is last:
        return say("{first} {verb} {what} {near}{sure}", **parts)
    ends = "{near}, {last} {best}{sure}" if blurred[last.name] else "{near}{sure}, {last} {best}"
    return say(
        "{first} {verb} {what} " + ends, last=Name(with_article(last.name)), best=best, **parts
    )


def everybody(count: int) -> Said:
    """How many tiers there are, at the beginning of a sentence."""
    return Said("Both" if count == 2 else f"All {counted(count)}")


def _what_is_near(query: Query, size: Size) -> Said:
    """What is said to be near, and how many rows it has if it is a mean."""
    what, rows = what_is_near(query, size), query.nouns.rows
    if not isinstance(query, BoundedMean):
        return Said(what)
    example = Claim(
        what=f"{rows} of a mean",
        value=size.rows,
        unit=rows,
        fixed=size.why,
        method=f"the error of a mean depends on its number of {rows} ({ACCURACY_SOURCE})",
    )
    return Said(what, (example,))


def _distance(
    tier: HeldTier, family: Family, confidence: float, query: Query, size: Size
) -> Number:
    """How near one tier comes, and why."""
    near = words.to_within(*_half_width_of(tier, family, confidence, query, size))
    if not isinstance(query, BoundedMean):
        claim = distance_claim(
            f"distance from the exact number, {tier.name}",
            half_width(family, tier.level, confidence) * query.step,
            unit_after(query),
            family,
            confidence=confidence,
            budget=tier.budget,
            at=tier.level,
        )
        return Number(near, claim)
    rows = query.nouns.rows
    claim = Claim(
        what=f"distance from the exact mean, {tier.name}",
        value=half_of_mean(tier.level, family, confidence, query, size),
        unit=words.after(query.noun),
        fixed=f"{words.percent(confidence)} confidence, {tier.budget}, {size.of(rows)}",
        method=f"half of the widest interval that sum and number of {rows} allow "
        f"({ACCURACY_SOURCE})",
        kind="at most",
    )
    return Number(near, claim)


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
    *,
    verb: str = "will see",
    confidence: float = ACCURACY_CONFIDENCE,
    right: CorrectGuesses | None = None,
) -> Said:
    """The range of accuracies, and what all tiers together can guess about one person.

    The pages Tiers and Releases say it, and the report for stakeholders.

    Args:
        held: the tiers, most private first.
        family: the noise.
        query: what they see.
        joint: the loss of all of them together.
        alone: the same, had each separate noise.
        size: how many rows a mean has.
        verb: of one tier.
        confidence: of the accuracies.
        right: right guesses by all together; by default those that the joint loss allows.
    """
    if not held:
        return Said(NO_TIER)
    one, several, fresh = query.nouns.one, len(held) > 1, right_by(alone)
    found = right or right_by(joint)
    here = found.times(f"right guesses about one {one}, here", loss_words(joint), one)
    what = f"right guesses about one {one}, with separate noise"
    about = fresh.claim(what, loss_words(alone), one)
    near = range_of_tiers(held, family, confidence, query, verb, size)
    parts: dict[str, Number | Name | Said | str] = {"near": near, "one": Name(one)}
    if no_better(held, joint) and joint.value != alone.value:
        parts |= {"All": everybody(len(held)), "last": Name(held[-1].name)}
        said = say(
            "{near}. {All} tiers together guess right about one {one} no more often than {last} "
            "alone: {here} ({coin}).",
            here=here,
            coin=A_COIN,
            **parts,
        )
        return Said(said.text, (*said.claims, *losses(joint, alone, one), about))
    parts |= {"here": here, "coin": A_COIN}
    if joint.value == alone.value:
        parts["guess"] = "guesses" if verb == "sees" and not several else "guess"
        said = say("{near}, and {guess} right about one {one} {here} ({coin}).", **parts)
        return Said(said.text, said.claims + losses(joint, alone, one))
    parts["who"] = "An attacker guesses"
    if several:
        parts["who"] = Said(f"{everybody(len(held)).text} together guess")
    said = say(
        "{near}. {who} right about one {one} {here}; with separate noise, {fresh} ({coin}).",
        fresh=Number(fresh.said, about),
        **parts,
    )
    return Said(said.text, said.claims + losses(joint, alone, one))


def no_better(held: Sequence[HeldTier], joint: JointLoss) -> bool:
    """Whether several guess no better about one person than the least private of them alone."""
    last = held[-1]
    same = (last.loss, last.delta, last.letter) == (joint.value, joint.delta, letter_of(joint))
    return same and len(held) > 1


def losses(together: JointLoss, alone: JointLoss, unit: str) -> tuple[Claim, ...]:
    """The loss of all together, and beside it the other one where the sentence names it."""
    one = loss_claim("bound on the privacy loss of all together", together, unit)
    if together.value == alone.value:
        return (one,)
    return one, loss_claim(
        "bound on the privacy loss had each been drawn with separate noise", alone, unit
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
    return say("{near}.", near=range_of_tiers([tier], family, confidence, query, size=size))
