"""What stands beside the numbers of a sparse histogram: on the page, and in a tier's file."""

from dpviz import words
from dpviz.planning.budgets import ACCURACY_CONFIDENCE
from dpviz.planning.tiers import PlannedTier
from dpviz.queries import ItemCounts
from dpviz.sparse import expected_phantoms
from dpviz.workspace.facts import DEFINITION_WORDS, MODE_WORDS, Facts

DEFINITION = DEFINITION_WORDS["ρ-zCDP"]
EXAMPLE_FACTS: Facts = (
    ("Definition", DEFINITION),
    ("Unit", "one person, who names one item"),
    ("Neighbours", "add or remove one person"),
    ("Sensitivity", "Δ₂ = √ℓ₀ · ℓ∞ = 1: one person moves one count by 1"),
    ("Data", "made up: 1,000 items of a billion are named, by nobody who exists; all is public"),
)


def page_facts(query: ItemCounts | None, data: str) -> Facts:
    """The footer of the page: for a column of this table, or for the example."""
    if query is None:
        return EXAMPLE_FACTS
    return (
        ("Definition", DEFINITION),
        ("Unit", query.bounds.unit),
        ("Neighbours", query.bounds.neighbours),
        ("Sensitivity", query.formula),
        ("Data", f"{data}; items: {query.coding.described}"),
    )


def tier_facts(
    planned: PlannedTier, query: ItemCounts, data: str, threshold: float, mode: str
) -> Facts:
    """The header block of one tier's hand-out."""
    b, size = planned.budget, query.coding.size
    phantoms = expected_phantoms(b.loss, threshold, cells=size, l2_sensitivity=query.sensitivity.l2)
    return (
        ("tier", planned.name),
        ("statistic", f"{query.statistic}, where it exceeds the threshold with its noise"),
        ("data", data),
        ("definition", DEFINITION),
        (
            "budget",
            f"{words.budget('ρ', b.loss)}, {words.loss_with_delta('ε', b.epsilon, b.delta)}",
        ),
        ("unit", query.bounds.unit),
        ("neighbours", query.bounds.neighbours),
        ("bounds", query.contribution),
        ("sensitivity", query.formula),
        ("items", f"{query.coding.described}: {size:,} that could be; others are not counted"),
        (
            "threshold",
            f"{threshold!r}; at most {words.significant(phantoms)} items are expected to be here "
            "by noise alone, and nothing tells which",
        ),
        ("noise", f"Gaussian, variance {b.level!r}"),
        (
            "accuracy",
            f"with {words.percent(ACCURACY_CONFIDENCE)} confidence a number is within "
            f"{words.pm(b.half_width)} ({query.noun}) of the bounded one, before the threshold "
            "chooses: what is just above it tends to be too high",
        ),
        (
            "kind",
            "weakly lossless: a coalition learns no more than its least private member could",
        ),
        ("mode", MODE_WORDS[mode]),
    )
