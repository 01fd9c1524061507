"""Sentences of the Collusion page: pure functions, each tested."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from dpviz.accounting import posterior, posterior_of_test
from dpviz.charts.collusion.frame import (
    GLOBAL,
    INDEPENDENT,
    LOSSLESS,
    MOST_MEMBERS,
    SCHEMES,
    SPLITTING,
    Holder,
    persons,
)
from dpviz.charts.collusion.losses import SHOWN, CoalitionLoss
from dpviz.experiments.attack import Worlds
from dpviz.experiments.moved import Moved
from dpviz.queries import Nouns
from dpviz.ui.collusion.controls import View
from dpviz.ui.collusion.worlds import Question
from dpviz.words import (
    NARROW,
    NO_BREAK,
    capitalised,
    delta,
    join,
    loss,
    percent,
    significant,
)
from dpviz.words.claims import Claim
from dpviz.words.grammar import numbered
from dpviz.words.markdown import literal
from dpviz.workspace.facts import footer
from dpviz.workspace.takeaways import counted

NO_TIERS = "No tier can be drawn yet: say on the page Tiers who may see how much."
MOST_NAMED = 4
Z95 = 1.96  # standard deviations that hold 95 % of a normal law
EXAMPLE_FACTS = footer(
    "ρ-zCDP",
    unit="one person",
    neighbours="add or remove one person",
    sensitivity="one person moves the number by at most 1",
    data="none: the made-up town",
    symbols="Δ₂ = 1",
)


def who(shown: View) -> str:
    """The coalition in a few words, as Markdown.

    A tier that sends several members says how many.
    """
    names = [
        literal(m.name) if m.joining == 1 else f"{m.joining:,} of {literal(m.name)}"
        for m in shown.members
    ]
    if len(names) > MOST_NAMED:
        some = f"{counted(shown.persons)} persons of " if shown.persons > len(names) else ""
        return f"{some}{counted(len(names))} tiers"
    return join(names)


def take_away(shown: View) -> str:
    """What they learn together, and what independent releases would have given them."""
    last, plan = shown.last, shown.plan
    if shown.persons == 1:
        return (
            f"{capitalised(literal(last.name))} alone learns a privacy loss bounded by "
            f"{shown.budget(last.loss)} (larger = less private). Tick another tier to see what "
            "two learn together."
        )
    most = "" if plan.adds_exactly else "up to "
    apart = plan.learned(persons(shown.members), INDEPENDENT).value
    return (
        f"{capitalised(who(shown))} together learn exactly what {literal(last.name)} learns alone: "
        f"a privacy loss bounded by {shown.budget(last.loss)}. Independent releases would have "
        f"given them {most}{plan.loss_words(apart, shown.persons)}."
    )


def claims(shown: View) -> tuple[Claim, ...]:
    """Why the numbers of the take-away are what they are."""
    plan, held = shown.plan, persons(shown.members)
    fixed, delta = "who compares notes, and what each tier holds", plan.setting.delta
    at = "" if plan.adds_exactly else f", at δ = {significant(delta)}"
    sums = "" if plan.adds_exactly else f", at δ = {significant(min(1.0, len(held) * delta))}"
    together = Claim(
        what=f"bound on the privacy loss of all together, {plan.letter}",
        value=plan.learned(held, LOSSLESS).value,
        fixed=f"{fixed}{at}",
        method="the least private release tells all that the others tell (MATHEMATICS 1.3)",
        assumes="all releases are of one session",
        kind="at most",
    )
    if shown.persons == 1:
        return (together,)
    apart = plan.learned(held, INDEPENDENT)
    return together, Claim(
        what=f"bound on it for independent releases, {plan.letter}",
        value=apart.value,
        fixed=f"{fixed}{sums}",
        method=f"{apart.method} (MATHEMATICS 5.4)",
        kind="at most",
    )


def under_pills(shown: View) -> str:
    """What is ticked, beside the controls."""
    people = ""
    if shown.persons > len(shown.members):
        people = f", {shown.persons:,} persons"
    more = any((shown.people[m.name] or 0) > MOST_MEMBERS for m in shown.members)
    capped = f" More than {MOST_MEMBERS:,} of a tier count as {MOST_MEMBERS:,}." if more else ""
    return (
        f"{len(shown.members)} of {numbered(len(shown.plan.tiers), 'tiers')}{people}. "
        f"The least private of them is {literal(shown.last.name)}, "
        f"{shown.budget(shown.last.loss)}: more private members add nothing.{capped}"
    )


def bars_reading(shown: View) -> str:
    """How to read the bars, and which promise each sum is."""
    name, plan = literal(shown.last.name), shown.plan
    text = (
        f"±: accuracy of {name} alone, in {literal(shown.noun)}, with 95 % confidence. Segments: "
        f"what each tier adds. Grey line: what {name} learns alone. Grey bar: what no member holds "
        "alone. Budget split leaks no more, but needs more noise. Doubling needs more noise, too, "
        "and can leak up to twice as much. "
    )
    if plan.letter == "ε" and not plan.adds_exactly:
        text += (
            f"Each ε is at δ = {delta(plan.setting.delta)}; sums (≤) are upper bounds, and "
            "their δ add as well. "
        )
    elif plan.letter == "ε":
        text += "Global: two who hold equal numbers hold the global release itself. "
    if not shown.own:
        text += "The town is made up; every number of it is public."
    else:
        text += "Only budgets and head-counts are used: your data is not touched."
    return text


def bars_alt(shown: View) -> str:
    """The bars in words, for those who cannot see them."""
    plan = shown.plan
    learned = {s: plan.learned(persons(shown.members), s).value for s in (LOSSLESS, INDEPENDENT)}
    return (
        f"Bars of the bound {plan.letter} on the privacy loss, one per scheme. Lossless ends at "
        f"{loss(learned[LOSSLESS])}, {shown.last.name}’s own; separate noise at "
        f"{loss(learned[INDEPENDENT])}."
    )


def members_sentence(shown: View, tier: Holder, count: int) -> str:
    """What k members of one tier learn together, scheme by scheme."""
    learned = {
        s: shown.plan.learned([tier.loss] * count, s).value for s in (LOSSLESS, INDEPENDENT, GLOBAL)
    }
    letter, n = shown.plan.letter, counted(count)
    people = "member" if count == 1 else "members"
    return (
        f"{capitalised(n)} {people} of {literal(tier.name)} together learn "
        f"{letter} = **{loss(learned[LOSSLESS])}** here: all of them hold the same numbers. "
        f"Separate noise would give them **{loss(learned[INDEPENDENT])}**, a "
        f"global release with separate noise **{loss(learned[GLOBAL])}**."
    )


@dataclass(frozen=True, slots=True)
class Sides:
    """What a membership test says and how a page speaks of it.

    `yes` and `no` are its two answers; `ask` is the question, `belief` what a prior is about,
    `alarm` and `miss` the two mistakes, `even` between whom a guess at even odds is, and `guess`
    the two answers together.
    """

    yes: str
    no: str
    ask: str
    belief: str
    alarm: str
    miss: str
    even: str
    guess: str


def in_or_out(nouns: Nouns) -> Sides:
    """One of them more or less.

    >>> in_or_out(Nouns(one="aircraft", many="aircraft")).ask
    'Is a given aircraft in the table?'
    """
    who = "who" if nouns.of_people else "that"
    return Sides(
        yes="in",
        no="out",
        ask=f"Is a given {nouns.one} in the table?",
        belief=f"this {nouns.one} is in the table",
        alarm=f"says “in” of one {who} is out",
        miss=f"says “out” of one {who} is in",
        even=f"for {nouns.many} of {'whom' if nouns.of_people else 'which'} half are in",
        guess="“in” or “out”",
    )


def a_or_b(nouns: Nouns) -> Sides:
    """One of them in the place of another."""
    return Sides(
        yes="B",
        no="A",
        ask=f"Is {nouns.one} A or {nouns.one} B in the table?",
        belief="B is in the table, and not A",
        alarm="says “B” where it is A",
        miss="says “A” where it is B",
        even="where A and B are equally likely",
        guess="“A” or “B”",
    )


def sides(shown: View) -> Sides:
    """The question that neighbouring tables ask: in or out, or which of two."""
    return a_or_b(shown.nouns) if shown.replaced else in_or_out(shown.nouns)


def asked_of(shown: View) -> str:
    """What the squares are guesses of: their heading."""
    return f"{sides(shown).ask} 1,000 guesses"


def losses_reading(shown: View, found: Sequence[CoalitionLoss], moved: Moved) -> str:
    """What the strips of privacy losses say."""
    by = {each.scheme: each for each in found}
    here, apart = by.get(LOSSLESS), by.get(INDEPENDENT)
    at = f"δ{NO_BREAK}={NO_BREAK}{delta(shown.plan.setting.delta)}"
    said = []
    if here is not None and apart is not None:
        said.append(
            f"With the {shown.nouns.one} in the table, a loss above 1 has a chance of "
            f"{percent(here.above(1.0))} here and of {percent(apart.above(1.0))} with independent "
            "releases."
        )
    if SPLITTING in by:
        said.append("Budget split: without the lower tiers, a coalition lacks their part of the ")
        said[-1] += "budget; in return each tier but the lowest has a less exact number."
    missing = [SCHEMES[s] for s in SHOWN if s not in by]
    if missing:
        said.append(f"Left out, because it cannot be added up: {join(missing)}.")
    return (
        f"{moves(shown, moved, literal(shown.unit))}, and the losses of all of them add up. "
        f"Dotted: the ε that holds at {at}. {' '.join(said)}"
    )


def losses_alt(found: Sequence[CoalitionLoss]) -> str:
    """The strips in words."""
    each = join([f"{SCHEMES[f.scheme]} ε = {significant(f.epsilon)}" for f in found])
    return f"A strip of bars for each scheme, the further right the more is lost: {each}."


def trade_off_reading(shown: View, asked: Question, *, two_sided: bool) -> str:
    """How to read the trade-off curves."""
    other = ""
    if not two_sided:
        label = shown.plan.setting.family.label
        other = f" Thin: lossless, if {mirrored(shown)}; {label} noise is not symmetric."
    marks = "; symbols: the simulated attacker" if asked.worlds else ""
    both = [asked.exact(lossless=how) for how in (True, False)]
    lines = "the best possible test" if all(both) else "no test comes below the bound"
    if any(both) and not all(both):
        lines = f"the best possible test for {LOSSLESS}, a bound for {INDEPENDENT}"
    return (
        f"Lines: {lines}{marks}. Misses: {sides(shown).miss}. "
        f"Nearer to the dotted line: more private.{other}"
    )


def mirrored(shown: View) -> str:
    """When the attack on noise that is not symmetric has another curve."""
    if shown.replaced:
        return "A and B change places"
    return f"{shown.nouns.a_unit} makes the numbers smaller"


def moves(shown: View, moved: Moved, unit: str = "") -> str:
    """What the attacked person moves, as a sentence without its full stop.

    The sizes are in units of the statistic, which `unit` is the word for.
    """
    setting = shown.plan.setting
    subject = f"This {shown.nouns.one} moves"
    if shown.replaced:
        subject = "Putting B in the place of A moves"
    step, several = setting.step, setting.sensitivity.l0
    if moved.count == 1 and several > 1:
        far = f"{significant(moved.l2 * step)} {unit}".rstrip()
        return (
            f"{subject} up to {several:,} numbers; {setting.family.label} noise hides that exactly "
            f"as well as one number moved by Δ₂ = {far}"
        )
    sizes: dict[float, list[int]] = {}
    for shift, count in moved.shifts:
        sizes.setdefault(abs(shift) * step, [0, 0])[shift < 0] += count
    parts = [_alike(size, up, down, unit) for size, (up, down) in sizes.items()]
    return f"{subject} {join(parts)}"


def _alike(size: float, up: int, down: int, unit: str) -> str:
    """Numbers that move equally far."""
    number, far = up + down, f"{significant(size)} {unit}".rstrip()
    if number == 1:
        return f"one number by {far}"
    ways = f" ({up:,} up, {down:,} down)" if up and down else ""
    return f"{number:,} numbers by {far} each{ways}"


def knows(shown: View, asked: Question) -> str:
    """What the attacker of the membership test knows, and whether anybody could do better."""
    only = "which of the two it is" if shown.replaced else f"whether this {shown.nouns.one} is in"
    text = f"The attacker knows all except {only}, and looks at all that moves"
    both = [asked.exact(lossless=how) for how in (True, False)]
    end = "nobody can do better." if all(both) else f"{_bounded(asked, both)}"
    if not asked.worlds:
        end += " These are too many numbers to simulate."
    return f"{moves(shown, asked.moved, literal(shown.unit))}. {text}: {end}"


def _bounded(asked: Question, both: Sequence[bool]) -> str:
    which = "both numbers are" if not any(both) else f"the number for {INDEPENDENT} releases is"
    return (
        f"{which} a bound from (ε, δ) alone, since the exact test of {asked.moved.count:,} numbers "
        "is too long to compute; a real attacker is right less often."
    )


def simulated(worlds: Worlds) -> str:
    """How many of 1,000 guesses a simulated attacker had right, and how far chance moves that."""
    share = worlds.success()
    by = 1000 * Z95 * math.sqrt(share * (1 - share) / (2 * worlds.out.size))
    return (
        f"The simulated attacker: {1000 * share:.0f} (±{NARROW}{max(math.ceil(by), 1)} by chance)."
    )


def at_most(asked: Question, scheme: str) -> str:
    """What stands before a number that is only a bound."""
    return "" if asked.exact(lossless=scheme == LOSSLESS) else "at most "


def belief(
    shown: View, asked: Question, prior: float, alarms: float, misses: dict[str, float]
) -> str:
    """What the test makes of a belief, in plain numbers."""
    two, said = sides(shown), {}
    for scheme, missed in misses.items():
        yes, no = posterior_of_test(prior, alarms, missed)
        most = at_most(asked, scheme)
        least = "at least " if most else ""
        said[scheme] = (
            f"{most}**{percent(yes)}** likely after “{two.yes}” (odds {odds(yes)}), "
            f"{least}**{percent(no)}** after “{two.no}”"
        )
    text = (
        f"**What the test does to a belief.** Somebody thinks it {percent(prior)} likely (odds "
        f"{odds(prior)}) that {two.belief}, and then runs a test with {percent(alarms)} false "
        f"alarms. Lossless: {said[LOSSLESS]}."
    )
    if shown.persons > 1:
        text += f" Independent: {said[INDEPENDENT]}."
    if shown.plan.letter == "ε" and shown.plan.adds_exactly:
        low, high = posterior(prior, shown.last.loss)
        return text + (
            f" Whatever the attacker sees and tests, lossless release leaves this belief between "
            f"{percent(low)} and {percent(high)}: the odds change at most by the factor e^ε."
        )
    return text + " With this noise no bound holds for certain: a rare outcome can say more."


def odds(probability: float) -> str:
    """Odds as people say them.

    >>> odds(0.5), odds(0.75), odds(0.01)
    ('1 : 1', '3 : 1', '1 : 99')
    """
    for_it, against = probability, 1 - probability
    if for_it >= against:
        return f"{significant(for_it / against)} : 1" if against > 0 else "all : 0"
    return f"1 : {significant(against / for_it)}" if for_it > 0 else "0 : all"
