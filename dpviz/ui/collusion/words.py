"""Sentences of the Collusion page: pure functions, each tested."""

from dpviz.accounting import posterior, posterior_of_test
from dpviz.charts.collusion.frame import (
    GLOBAL,
    INDEPENDENT,
    LOSSLESS,
    MOST_MEMBERS,
    Holder,
    Plan,
    persons,
)
from dpviz.noise.family import NORMAL
from dpviz.ui.collusion.controls import View
from dpviz.words import capitalised, join, percent, significant
from dpviz.words.markdown import literal
from dpviz.workspace.facts import footer
from dpviz.workspace.takeaways import counted

NO_TIERS = "No tier can be drawn yet: say on the page Tiers who may see how much."
NOBODY = "Nobody compares notes yet: tick the tiers that put what they hold together."
MOST_NAMED = 4
EXAMPLE_FACTS = footer(
    "ρ-zCDP",
    unit="one person",
    neighbours="add or remove one person",
    sensitivity="Δ₂ = 1: one person moves the number by at most 1",
    data="none: a made-up example",
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
        f"given them {most}{significant(apart)}."
    )


def under_pills(shown: View) -> str:
    """What is ticked, beside the controls."""
    people = ""
    if shown.persons > len(shown.members):
        people = f", {shown.persons:,} persons"
    more = any((shown.people[m.name] or 0) > MOST_MEMBERS for m in shown.members)
    capped = f" More than {MOST_MEMBERS:,} of a tier count as {MOST_MEMBERS:,}." if more else ""
    return (
        f"{len(shown.members)} of {len(shown.plan.tiers)} tiers{people}. The least private of them "
        f"is {literal(shown.last.name)}, {shown.budget(shown.last.loss)}: more private members "
        f"add nothing.{capped}"
    )


def bars_reading(shown: View) -> str:
    """How to read the bars, and which promise each sum is."""
    name, plan = literal(shown.last.name), shown.plan
    text = (
        f"±: accuracy of {name} alone, in {literal(shown.noun)}, with 95 % confidence. Segments: "
        f"what each tier adds. Grey line: what {name} learns alone. Grey bar: what no member holds "
        "alone. Budget split leaks no more, but pays with accuracy; doubling pays, too, and can "
        "leak up to twice as much. "
    )
    if plan.letter == "ε" and not plan.adds_exactly:
        text += (
            f"The ε are at δ = {plan.setting.delta:g}, or at the δ typed with a budget; sums (≤) "
            "are upper bounds, and their δ add as well. "
        )
    elif plan.letter == "ε":
        text += "Global: two who hold equal numbers hold the global release itself. "
    if not shown.own:
        text += "A made-up example; every number of it is public."
    else:
        text += "Only budgets and head-counts are used: your data is not touched."
    return text


def bars_alt(shown: View) -> str:
    """The bars in words, for those who cannot see them."""
    plan = shown.plan
    learned = {s: plan.learned(persons(shown.members), s).value for s in (LOSSLESS, INDEPENDENT)}
    return (
        f"Bars of the bound {plan.letter} on the privacy loss, one per scheme. Lossless ends at "
        f"{significant(learned[LOSSLESS])}, {shown.last.name}’s own; independent releases at "
        f"{significant(learned[INDEPENDENT])}."
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
        f"{letter} = **{significant(learned[LOSSLESS])}** here: all of them hold the same numbers. "
        f"Independent releases would give them **{significant(learned[INDEPENDENT], 4)}**, a "
        f"global release with own noise **{significant(learned[GLOBAL], 4)}**."
    )


def trade_off_reading(*, two_sided: bool) -> str:
    """How to read the trade-off curves."""
    other = (
        ""
        if two_sided
        else (
            " Thin: lossless, if a person makes the number smaller; Poisson noise is not symmetric."
        )
    )
    return (
        "Lines: the best possible test; symbols: the simulated attacker. Misses: says “out” of one "
        f"who is in. Nearer to the dotted line: more private.{other}"
    )


def knows(shown: View) -> str:
    """What the attacker of the membership test knows, and who could do better."""
    text = "The attacker knows all except whether this person is in: nobody can do better"
    if one_number_tells_all(shown.plan):
        return f"{text}."
    several = shown.plan.setting.sensitivity.l0
    return (
        f"{text} from one number. One person moves up to {several:,} numbers: a test of all of "
        "them finds more."
    )


def one_number_tells_all(plan: Plan) -> bool:
    """Whether the test shown is the best there is.

    A person who moves several numbers is found better by a test of all of them; only with Gaussian
    noise does one number that is moved by Δ₂ tell exactly as much.
    """
    return plan.setting.family.shape == NORMAL or plan.setting.sensitivity.l0 == 1


def from_one_number(plan: Plan) -> str:
    """What to add to a statement about the attack shown; nothing where it is the best one."""
    return "" if one_number_tells_all(plan) else ", from one number"


def belief(shown: View, prior: float, alarms: float, misses: dict[str, float]) -> str:
    """What the test makes of a belief, in plain numbers."""
    after = {s: posterior_of_test(prior, alarms, missed) for s, missed in misses.items()}
    said = {
        s: f"**{percent(yes)}** likely after “in” (odds {odds(yes)}), **{percent(no)}** after “out”"
        for s, (yes, no) in after.items()
    }
    text = (
        f"**What it makes of a belief.** Somebody thinks it {percent(prior)} likely (odds "
        f"{odds(prior)}) that this person is in, and then asks a test with {percent(alarms)} false "
        f"alarms{from_one_number(shown.plan)}. Lossless: {said[LOSSLESS]}."
    )
    if shown.persons > 1:
        text += f" Independent: {said[INDEPENDENT]}."
    if shown.plan.letter == "ε" and shown.plan.adds_exactly:
        low, high = posterior(prior, shown.last.loss)
        return text + (
            f" Whatever the attacker sees and asks, lossless release leaves it between "
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
