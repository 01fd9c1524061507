"""Clearance tiers: the typed table, checked row by row, with a noise level for each tier.

The table comes from people, so it is checked again here whatever the grid allowed: every row that
cannot be used gives one sentence, and the others stay usable. How far: up to 100 tiers.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dpviz.errors import NoGuaranteeError, ParameterError
from dpviz.mechanisms.budgets import KINDS, PARAMETERS, Budget, Kind, Setting, resolve

MAX_TIERS = 100
MAX_NAME = 40

NAME, AMOUNT, KIND, NOTE = "tier", "budget", "as", "note"
COLUMNS = (NAME, AMOUNT, KIND, NOTE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """One clearance tier as it was typed: nothing is converted yet."""

    name: str
    amount: str
    kind: Kind
    note: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTier:
    """A tier with its budget stated in every currency."""

    tier: Tier
    budget: Budget

    @property
    def name(self) -> str:
        """Name of the tier."""
        return self.tier.name


DEFAULT_TIERS = (
    Tier(name="public", amount="0.002", kind="ρ", note="anyone, on the web"),
    Tier(name="restricted", amount="0.01", kind="ρ", note="partners under contract"),
    Tier(name="confidential", amount="0.05", kind="ρ", note="own analysts"),
    Tier(name="top secret", amount="0.5", kind="ρ", note="audit"),
)


def as_rows(tiers: Sequence[Tier]) -> list[dict[str, str]]:
    """Tiers as rows of the editable table, columns `COLUMNS`.

    >>> as_rows(DEFAULT_TIERS)[0]["tier"]
    'public'
    """
    return [{NAME: t.name, AMOUNT: t.amount, KIND: t.kind, NOTE: t.note} for t in tiers]


def read_tiers(
    rows: Sequence[Mapping[str, object]], setting: Setting
) -> tuple[list[PlannedTier], list[str]]:
    """Check the typed rows and give each tier its level.

    Args:
        rows: mappings with the keys `COLUMNS`; missing cells are None or empty.
        setting: what the budgets refer to.

    Returns:
        The usable tiers, most private first, and one sentence per problem.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["laplace"], delta=1e-6, sensitivity=one, dimension=5)
    >>> tiers, problems = read_tiers([{"tier": "a", "budget": "2", "as": "ε", "note": ""}], s)
    >>> tiers[0].budget.level, problems
    (0.5, [])
    """
    planned: list[PlannedTier] = []
    problems = _problems_of_table(rows)
    seen: set[str] = set()
    for number, row in enumerate(rows[:MAX_TIERS], start=1):
        try:
            tier = _read(row, number, seen)
            planned.append(PlannedTier(tier=tier, budget=_budget(tier, setting)))
        except ParameterError as error:
            problems.append(str(error))
    return sorted(planned, key=lambda p: -p.budget.level), problems


def equal_budgets(planned: Sequence[PlannedTier]) -> list[list[str]]:
    """Names of tiers that share a level and so get the very same numbers.

    Args:
        planned: tiers sorted by level, as `read_tiers` gives them.
    """
    groups: dict[float, list[str]] = {}
    for p in planned:
        groups.setdefault(p.budget.level, []).append(p.name)
    return [names for names in groups.values() if len(names) > 1]


def _problems_of_table(rows: Sequence[Mapping[str, object]]) -> list[str]:
    if not rows:
        return [
            "There is no tier yet. Add a row with a name and a budget, for example public, 0.1."
        ]
    if len(rows) > MAX_TIERS:
        return [f"There are {len(rows)} tiers; at most {MAX_TIERS} work. Delete some rows."]
    return []


def _text(value: object) -> str:
    """The cell as text; an empty cell may come as None or NaN."""
    return "" if value is None or value != value else str(value).strip()


def _read(row: Mapping[str, object], number: int, seen: set[str]) -> Tier:
    name = _text(row.get(NAME))
    if not name:
        raise ParameterError(f"Row {number} has no name. Type one, for example partners.")
    if len(name) > MAX_NAME or not name.isprintable():
        raise ParameterError(
            f"The name in row {number} is too long or has control characters. "
            f"Type at most {MAX_NAME} plain characters."
        )
    if name.casefold() in seen:
        raise ParameterError(f"Two tiers are called {name}. Give each tier a name of its own.")
    seen.add(name.casefold())
    kind = _text(row.get(KIND)) or KINDS[0]
    if kind not in KINDS:
        raise ParameterError(f"Budget of {name}: {kind[:20]} is no kind. Choose ρ, ε or ±a.")
    typed = _text(row.get(AMOUNT))
    if not typed:
        raise ParameterError(f"Budget of {name} is empty. Type a number above 0, for example 0.1.")
    return Tier(name=name, amount=typed, kind=kind, note=_text(row.get(NOTE)))


def _budget(tier: Tier, setting: Setting) -> Budget:
    value = PARAMETERS[tier.kind].read(tier.amount, where=f"Budget of {tier.name}")
    try:
        return resolve(tier.kind, value, setting)
    except NoGuaranteeError:
        raise NoGuaranteeError(
            f"Budget of {tier.name}: no guarantee holds with so little {setting.family.label} "
            f"noise at δ = {setting.delta:g}. Type a larger ±a, or a larger δ for the plan."
        ) from None
    except ParameterError as error:
        raise ParameterError(f"Budget of {tier.name}: {error}") from None
