"""What must stand beside every number: definition, unit, neighbours, sensitivity, data.

The same facts make the footer of every page and the header block of every hand-out, so they are
written once. The seed is not among them.
"""

from dpviz import words
from dpviz.accounting.guarantees import guarantee_of
from dpviz.parameters import DELTA_MEANING
from dpviz.planning.budgets import ACCURACY_CONFIDENCE, Budget, Setting
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import Query
from dpviz.streams import Mode

Facts = tuple[tuple[str, str], ...]

MODE_WORDS = {
    "teaching": "teaching: seeded, reproducible, floating point, no privacy claim",
    "hardened": "hardened: operating-system entropy, no seed, integer noise sampled exactly",
}
DEFINITION_WORDS = {
    "ρ-zCDP": "ρ-zCDP (ρ, rho: privacy loss; larger = less private)",
    "ε-DP": "ε-DP (ε, epsilon: privacy loss; larger = less private)",
    "(ε, δ)-DP": "(ε, δ)-DP (ε, epsilon: privacy loss, larger = less private; "
    f"δ, delta: {DELTA_MEANING})",
}


def page_facts(query: Query, setting: Setting, definition: str, data: str) -> Facts:
    """The five fields of the footer, in order."""
    return (
        ("Definition", DEFINITION_WORDS[definition]),
        ("Unit", query.unit),
        ("Neighbours", query.neighbours),
        ("Sensitivity", query.formula(guarantee_of(setting.family).norm or "l1")),
        ("Data", data),
    )


def accuracy_words(query: Query, half_width: float) -> str:
    """How near the released numbers are, of what, and how surely."""
    each = "each released sum and number of rows" if query.per_value > 1 else "each number"
    return (
        f"with {words.percent(ACCURACY_CONFIDENCE)} confidence {each} is within "
        f"{words.pm(half_width)} ({query.noun_released}) of the bounded statistic"
    )


def stated(b: Budget) -> str:
    """A budget in its own currency, and as ε at its δ."""
    epsilon = words.loss_with_delta("ε", b.epsilon, b.delta)
    return epsilon if b.letter == "ε" else f"{words.budget(b.letter, b.loss)}, {epsilon}"


def handout_facts(
    planned: PlannedTier,
    query: Query,
    data: str,
    setting: Setting,
    definition: str,
    mode: Mode,
) -> Facts:
    """The header block of one tier's hand-out, up to its promise."""
    b = planned.budget
    mean = setting.family.mean(b.level)
    noise = f"{setting.family.label}, {setting.family.level_name} {b.level!r}"
    if mean:
        noise += f", mean {mean!r}: the column debiased has it subtracted"
    return (
        ("tier", planned.name),
        ("statistic", query.statistic),
        ("data", data),
        ("definition", DEFINITION_WORDS[definition]),
        ("budget", stated(b)),
        ("unit", query.unit),
        ("neighbours", query.neighbours),
        ("bounds", query.contribution),
        ("sensitivity", query.formula(guarantee_of(setting.family).norm or "l1")),
        ("noise", noise),
        ("accuracy", accuracy_words(query, b.half_width)),
        ("kind", "lossless: a coalition learns what its least private member learns alone"),
        ("mode", MODE_WORDS[mode]),
    )
