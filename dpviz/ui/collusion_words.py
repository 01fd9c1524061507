"""Sentences, formulas and code sample of the Collusion page: pure functions, each tested."""

from dpviz.figures.words import capitalised, join, significant
from dpviz.frames.collusion import (
    DOUBLING,
    GLOBAL,
    INDEPENDENT,
    LOSSLESS,
    MOST_MEMBERS,
    SPLITTING,
    Holder,
    persons,
)
from dpviz.ui.collusion_controls import View
from dpviz.ui.facts import DEFINITION_WORDS
from dpviz.ui.takeaways import counted
from dpviz.ui.text import literal

NO_TIERS = "No tier can be drawn yet: say on the page Tiers who may see how much."
NOBODY = "Nobody compares notes yet: tick the tiers that put what they hold together."
MOST_NAMED = 4
EXAMPLE_FACTS = (
    ("Definition", DEFINITION_WORDS["ρ-zCDP"]),
    ("Unit", "one person"),
    ("Neighbours", "add or remove one person"),
    ("Sensitivity", "Δ₂ = 1: one person moves the number by at most 1"),
    ("Data", "none: a made-up example"),
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
            f"{capitalised(literal(last.name))} alone learns a privacy loss of "
            f"{shown.budget(last.loss)} (larger = less private). Tick another tier to see what "
            "two learn together."
        )
    most = "" if plan.adds_exactly else "up to "
    apart = plan.learned(persons(shown.members), INDEPENDENT).value
    return (
        f"{capitalised(who(shown))} together learn exactly what {literal(last.name)} learns alone: "
        f"a privacy loss of {shown.budget(last.loss)}. Independent releases would have given them "
        f"{most}{significant(apart)}."
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
    """The bars for who cannot see them."""
    plan = shown.plan
    learned = {s: plan.learned(persons(shown.members), s).value for s in (LOSSLESS, INDEPENDENT)}
    return (
        f"Bars of privacy loss {plan.letter}, one per scheme. Lossless ends at "
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


def formula(shown: View) -> str:
    """The joint budget of every scheme with the numbers of this coalition."""
    plan, losses = shown.plan, persons(shown.members)
    letter = r"\rho" if plan.letter == "ρ" else r"\varepsilon"
    value = {
        s: significant(plan.learned(losses, s).value, 5)
        for s in (LOSSLESS, INDEPENDENT, GLOBAL, SPLITTING, DOUBLING)
    }
    few = [significant(loss, 5) for loss in losses[:5]]
    listed = few + (["…"] if len(losses) > len(few) else [])
    text = (
        f"Coalition $C$ of persons with budgets ${letter}_i$; together they learn\n\n"
        rf"- lossless $\max_{{i\in C}}{letter}_i$ = max({', '.join(listed)}) = "
        f"**{value[LOSSLESS]}**\n"
        rf"- independent $\sum_{{i\in C}}{letter}_i$ = {' + '.join(listed)} = "
        f"**{value[INDEPENDENT]}**\n"
        rf"- budget split: the sum of ${letter}_i-{letter}_{{i-1}}$ over the tiers in $C$ = "
        f"**{value[SPLITTING]}**\n"
        rf"- doubling: the sum of the pieces ${letter}_1 2^j$ held, each once = "
        f"**{value[DOUBLING]}**\n"
    )
    if plan.letter == "ρ":
        return text + (
            r"- global release + own noise $\Big(g+\frac1{\sum_{i\in C}1/(t_i-g)}\Big)^{-1}$ with "
            rf"$t_i=1/\rho_i$, $g=1/\rho_{{\rm global}}$ = **{value[GLOBAL]}**"
            "\n\nMembership test: for false alarms $\\alpha$ it misses at least "
            r"$\Phi(\Phi^{-1}(1-\alpha)-\mu)$, $\mu=\sqrt{2\rho}$; at even odds it is right with "
            r"probability at most $\Phi(\mu/2)$."
        )
    return text + (
        "- global release + own noise: two members who hold equal numbers hold the global release "
        f"= **{value[GLOBAL]}**\n\nMembership test against Laplace noise at even odds: right with "
        r"probability at most $1-e^{-\varepsilon/2}/2$."
    )


def code(shown: View, tier: Holder, count: int) -> str:
    """The same with the library; defines `learned`, `members` and `success`."""
    plan = shown.plan
    name, word = (
        ("coalition_rho", "rho") if plan.letter == "ρ" else ("coalition_epsilon", "epsilon")
    )
    held = " + ".join(f"[{m.loss!r}] * {m.joining}" for m in shown.members)
    last = shown.last.loss
    if plan.letter == "ρ":
        advantage, test = "gaussian_advantage", f"gaussian_advantage(rho_to_mu({last!r}))"
        extra = "    rho_to_mu,\n"
    else:
        advantage, test, extra = "laplace_advantage", f"laplace_advantage({last!r})", ""
    return (
        f"from dpviz.accounting import (\n    SCHEMES,\n    {name},\n    {advantage},\n{extra})\n\n"
        f"tiers = {[t.loss for t in plan.tiers]!r}\n"
        f"held = {held}  # one budget per person\n"
        f"more = {{'tiers': tiers, 'global_{word}': {plan.whole!r}}}\n"
        f"learned = {{s: {name}(held, s, **more).value for s in SCHEMES}}\n"
        f"members = {{\n    s: {name}([{tier.loss!r}] * {count}, s, **more).value\n"
        f"    for s in ('lossless', 'independent', 'global')\n}}\n"
        f"success = (1 + {test}.value) / 2  # of the best membership test, lossless\n"
        "print(learned, members, success)\n"
    )
