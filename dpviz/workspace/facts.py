"""What is given beside every number: definition, unit, neighbours, sensitivity, data.

The same facts make the footer of every page and the header block of every hand-out, so they are
written once. The seed is not among them.
"""

from dpviz import words
from dpviz.accounting.guarantees import guarantee_of
from dpviz.handout.tier_release import PRACTICE
from dpviz.noise import ADDITIVE
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, Budget
from dpviz.queries import Query
from dpviz.release import LedgerEntry
from dpviz.release.ledger import Kind
from dpviz.streams import Mode

Facts = tuple[tuple[str, str], ...]

MODE_WORDS = {
    "teaching": "practice: seeded, reproducible, floating point, no privacy claim",
    "hardened": "hardened: operating-system entropy, no seed, integer noise sampled exactly",
}
PRACTICE_FACT = (PRACTICE, "these numbers are for trying out: do not publish them")
KIND_WORDS: dict[Kind, str] = {
    "lossless": "lossless: a coalition learns what its least private member learns alone",
    "weakly lossless": "weakly lossless: a coalition learns no more than its least private member "
    "could",
}
DEFINITION_WORDS = {
    "ρ-zCDP": "ρ-zCDP (ρ, rho: bounds the privacy loss; larger = less private)",
    "ε-DP": "ε-DP (ε, epsilon: bounds the privacy loss; larger = less private)",
    "(ε, δ)-DP": "(ε, δ)-DP (ε, epsilon: bounds the privacy loss; larger = less private; δ, delta: "
    "how far a chance may go beyond that bound)",
}
SYMBOLS = "Sensitivity as a formula"  # a page shows it on hover, a file on a line


def footer(
    definition: str, *, unit: str, neighbours: str, sensitivity: str, data: str, symbols: str = ""
) -> Facts:
    """The five fields of a page's footer, in order; then the sensitivity in symbols, if there is.

    Args:
        definition: a key of `DEFINITION_WORDS`.
        unit: what is one person.
        neighbours: which two tables cannot be told apart.
        sensitivity: how far one person moves the numbers, in words with its number.
        data: where the numbers come from.
        symbols: the same as a formula.
    """
    return (
        ("Definition", DEFINITION_WORDS[definition]),
        ("Unit", unit),
        ("Neighbours", neighbours),
        ("Sensitivity", sensitivity),
        ("Data", data),
        *([(SYMBOLS, symbols)] if symbols else []),
    )


def accuracy_words(query: Query, half_width: float) -> str:
    """How near the released numbers are, of what, and how surely."""
    sure = f"with {words.percent(ACCURACY_CONFIDENCE)} confidence"
    near = words.within(half_width, f"({query.noun_released}) of the bounded statistic")
    if query.per_value == 1:
        return f"{sure} each number is {near}"
    return (
        f"{sure} each mean of the bounded values is between low and high; each released sum and "
        f"number of {query.nouns.rows} is {near}"
    )


def stated(b: Budget) -> str:
    """A budget in its own currency, and as ε at its δ."""
    epsilon = words.loss_with_delta("ε", b.epsilon, b.delta)
    return epsilon if b.letter == "ε" else f"{words.budget(b.letter, b.loss)}, {epsilon}"


def header(
    entry: LedgerEntry,
    mode: Mode,
    *,
    statistic: str,
    questions: str = "",
    data: str,
    together: str = "",
    unit: str,
    neighbours: str,
    bounds: str,
    sensitivity: str,
    items: str = "",
    threshold: str = "",
    noise: str,
    accuracy: str,
) -> Facts:
    """The header block of one tier's hand-out, up to its promise.

    Each keyword is the line of its name, and an empty one is left out; `together` ends the line of
    the budget, where that is for many numbers at once.
    """
    slots = {
        "tier": entry.tier,
        "statistic": statistic,
        "questions": questions,
        "data": data,
        "definition": DEFINITION_WORDS[entry.event.definition],
        "budget": ", ".join(filter(None, (stated(entry.budget), together))),
        "unit": unit,
        "neighbours": neighbours,
        "bounds": bounds,
        "sensitivity": sensitivity,
        "items": items,
        "threshold": threshold,
        "noise": noise,
        "accuracy": accuracy,
        "kind": KIND_WORDS[entry.kind],
        "mode": MODE_WORDS[mode],
    }
    return tuple((name, text) for name, text in slots.items() if text)


def handout_facts(entry: LedgerEntry, mode: Mode, query: Query, data: str) -> Facts:
    """The header block of the hand-out of a statistic as it is, up to its promise."""
    family, level = ADDITIVE[entry.family], entry.level
    mean = family.mean(level)
    noise = f"{family.label}, {family.level_name} {level!r}"
    if mean:
        noise += f", mean {mean!r}: the column debiased has it subtracted"
    return header(
        entry,
        mode,
        statistic=query.statistic,
        data=data,
        unit=query.unit,
        neighbours=query.neighbours,
        bounds=query.contribution,
        sensitivity=query.formula(guarantee_of(family).norm or "l1"),
        noise=noise,
        accuracy=accuracy_words(query, entry.budget.half_width),
    )


def entry_budget(entry: LedgerEntry) -> str:
    """What a release cost, with its δ where it has one."""
    return words.loss_with_delta(entry.budget.letter, entry.budget.loss, entry.event.delta)


def entry_noise(entry: LedgerEntry) -> str:
    """The noise of a release, such as "variance t = 5"."""
    if entry.selection is not None:
        if entry.selection.noise == "RAPPOR":
            return f"RAPPOR, response level {words.significant(entry.level, 4)}"
        return f"{entry.selection.noise} noise, scale {words.significant(entry.level, 4)}"
    family = ADDITIVE[entry.family]
    return f"{family.level_name} {family.level_symbol} = {words.significant(entry.level, 4)}"
