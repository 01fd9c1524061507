"""What each noise promises, and what stays the same when it is changed: the typed budget.

Whether Laplace or Gaussian noise is the smaller one depends on what both are held to. At the same
ε and δ either may be. At the same ρ it is always the Gaussian where Laplace noise keeps ρ by its
pure ε = √(2ρ), an upper bound: variances 2Δ₁²/(2ρ) and Δ₂²/(2ρ). Exactly it is the Gaussian up to
ρ = 1.63, whatever one person moves (MATHEMATICS 9.1).
"""

from collections.abc import Sequence

from dpviz.accounting.composition import APPROXIMATE, PURE, ZCDP
from dpviz.accounting.guarantees import guarantee_of, offered
from dpviz.noise import ADDITIVE
from dpviz.planning.amounts import ACCURACIES, Kind
from dpviz.planning.tiers import Tier
from dpviz.words import capitalised, join, significant
from dpviz.words.markdown import literal

READ_AS_EPSILON = (
    "For discrete Laplace noise a ρ means ε = √(2ρ); for Poisson and Skellam noise it means the ε "
    "that Gaussian noise of this ρ has at δ."
)

WHY_GAUSSIAN = (
    "The default plan has Gaussian noise because its budgets are in ρ, which adds up over many "
    "releases: at each of these ρ, Gaussian noise has a smaller variance than Laplace noise."
)
_BUDGET = {ZCDP: "ρ", PURE: "ε, with no δ", APPROXIMATE: "ε at δ"}


def promised() -> str:
    """Which budget each noise of a tier has, and which kinds draw whole numbers.

    >>> promised().split(". ")[0]
    'Gaussian: ρ'
    """
    by: dict[str, list[str]] = {}
    families = [ADDITIVE[name] for name in offered()]
    for family in families:
        by.setdefault(_BUDGET[guarantee_of(family).definition], []).append(family.label)
    whole = capitalised(join([family.label for family in families if family.integer]))
    budgets = [capitalised(f"{', '.join(names)}: {budget}") for budget, names in by.items()]
    return ". ".join([*budgets, f"{whole}: whole numbers, for counts."])


def kept_as_typed(tiers: Sequence[Tier]) -> str:
    """What the tiers of the plan keep when another noise is chosen.

    >>> from dpviz.planning.tiers import DEFAULT_TIERS
    >>> kept_as_typed(DEFAULT_TIERS)
    'Changing the noise keeps what you typed: ρ.'
    >>> kept_as_typed([DEFAULT_TIERS[0], Tier(name="audit", amount="1", kind="ε")])
    'Changing the noise keeps what you typed: ρ for public, ε for audit.'
    """
    by: dict[str, list[str]] = {}
    for t in tiers:
        by.setdefault(_called(t.kind), []).append(t.name)
    if len(by) == 1:
        return f"Changing the noise keeps what you typed: {next(iter(by))}."
    listed = ", ".join(f"{what} for {literal(join(names))}" for what, names in by.items())
    return f"Changing the noise keeps what you typed: {listed}."


def typed_as_rho(tiers: Sequence[Tier]) -> bool:
    """Whether a budget is typed in ρ, or in μ, which is √(2ρ)."""
    return any(t.kind in ("ρ", "μ") for t in tiers)


def at_the_same_rho(moved: float) -> str:
    """How Laplace and Gaussian noise compare at equal ρ, by the bound that budgets are read by.

    Args:
        moved: R² = (Δ₁/Δ₂)².

    >>> at_the_same_rho(3.0)
    'At the same ρ, read as ε²/2, Laplace noise has 6 times the variance of Gaussian noise'
    """
    return (
        f"At the same ρ, read as ε²/2, Laplace noise has {significant(2 * moved)} times the "
        "variance of Gaussian noise"
    )


def _called(kind: Kind) -> str:
    return "the accuracy" if kind in ACCURACIES else kind
