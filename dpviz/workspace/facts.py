"""What is given beside every number: definition, unit, neighbours, sensitivity, data.

The same facts make the footer of every page and the header block of every hand-out, so they are
written once. The seed is not among them. What is said of a release whose tier has another budget
now, or has left the plan, is in the unit in which the plan's owner types budgets, so that the two
amounts can be compared.
"""

from dpviz import words
from dpviz.accounting import half_width
from dpviz.accounting.guarantees import guarantee_of
from dpviz.handout.tier_release import PRACTICE
from dpviz.noise import ADDITIVE
from dpviz.planning.amounts import ACCURACIES, EPSILONS, Kind
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, Budget, Setting
from dpviz.queries import Query
from dpviz.release import LedgerEntry, ledger
from dpviz.streams import Mode

Facts = tuple[tuple[str, str], ...]

MODE_WORDS = {
    "teaching": "practice: seeded, reproducible, floating point, no privacy claim",
    "hardened": "hardened: operating-system entropy, no seed, integer noise sampled exactly",
}
PRACTICE_FACT = (PRACTICE, "these numbers are for trying out: do not publish them")
KIND_WORDS: dict[ledger.Kind, str] = {
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


# --- a release whose tier has another budget now ---


FACT = "drawn before"  # the line of a file that says it
_SAID = "drawn at {}, before"


def drawn_before(
    entry: LedgerEntry, kind: Kind, setting: Setting | None = None, noun: str = ""
) -> str:
    """That a release was drawn at another budget than the plan's, in the unit of the plan.

    Args:
        entry: of the ledger.
        kind: in which the tier's budget is typed now.
        setting: what budgets refer to in its session; None: a ± would be of no single number.
        noun: the unit of a ±.
    """
    return _SAID.format(_amount(entry, kind, setting, noun))


def called(tier: str, before: str) -> str:
    """The name of a tier with what is said of its release, if anything is.

    >>> called("audit", "drawn at ρ = 0.1, before"), called("audit", "")
    ('audit (drawn at ρ = 0.1, before)', 'audit')
    """
    return f"{tier} ({before})" if before else tier


def shortened(name: str, limit: int) -> str:
    """A tier's name with what is said of its release, cut so that “before” stays.

    Where the name finds no room, its symbol and colour stand for it.

    >>> one = called("partners", "drawn at ρ = 0.2, before")
    >>> shortened(one, 40), shortened(one, 18), shortened(one, 14)
    ('partners (drawn at ρ = 0.2, before)', 'partners (before)', 'part… (before)')
    >>> shortened(one, 10), shortened("partners", 6)
    ('before', 'partn…')
    """
    begin, end = _SAID.split("{}")
    tier, said, rest = name.partition(f" ({begin}")
    if words.columns(name) <= limit or not (said and rest.endswith(f"{end})")):
        return words.shorten(name, limit)
    alone = end.lstrip(", ")
    before = f" ({alone})"
    room = limit - len(before)
    return words.shorten(tier, room) + before if room >= 5 else words.shorten(alone, limit)


def is_said(text: str) -> bool:
    """Whether a line of a file is such a sentence.

    >>> is_said("drawn at ρ = 0.1, before"), is_said("drawn at 8 o’clock")
    (True, False)
    """
    begin, end = _SAID.split("{}")
    return len(text) <= 200 and text.startswith(begin) and text.endswith(end)


def _amount(entry: LedgerEntry, kind: Kind, setting: Setting | None, noun: str) -> str:
    """The budget of a release in a kind; in its own currency if that kind cannot say it."""
    b = entry.budget
    if kind in ACCURACIES and setting is not None:
        confidence, every = ACCURACIES[kind]
        count = setting.dimension if every else 1
        half = half_width(setting.family, entry.level, confidence, coordinates=count)
        return words.pm(half * setting.step, unit=noun)
    if kind in EPSILONS:
        return words.loss_with_delta("ε", b.epsilon, b.delta)
    stated = {"ρ": b.rho, "μ": b.mu}.get(kind)
    return entry_budget(entry) if stated is None else words.budget(kind, stated)
