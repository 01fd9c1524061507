"""Clearance tiers: the typed table, checked row by row; tiers restated, and groups still readable.

The table comes from people, so it is checked again here whatever the grid allowed: every row that
cannot be used gives one sentence, and the others stay usable. Limits: up to 100 tiers.

Another kind of budget, so that people switch freely and lose nothing: a noise level is stated as
the text that somebody would type, a decimal of `DIGITS` digits, rounded so that the level it gives
is never less private than the one it restates. Limits: whole-number noise has only some accuracies,
so "±a" may give a noisier level there; what was typed before the switch is remembered by the caller
and comes back word for word when its kind comes back.

Groups that are still readable at a tier, by the error ±a against the size of the group:

    relative error = a / size        readable: at most the limit, e.g. 0.1

Sizes are what somebody expects and types, from public knowledge; they are never read from the data.
Limits: counts and sums, whose ±a is the same for every group. The error of a mean depends on its
own group's released count and is read off the release (`Query.interval`).
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Decimal
from itertools import pairwise

from dpviz.accounting import gaussian_rho_for, half_width, rho_to_mu
from dpviz.errors import NoGuaranteeError, NoLossError, ParameterError
from dpviz.palette import COLOUR_NAMES
from dpviz.parameters import SIZE, decimal
from dpviz.planning.amounts import ACCURACIES, EPSILONS, KINDS, PAIR, Kind, read_amount
from dpviz.planning.budgets import Budget, Setting, at_level, meant_epsilon, resolve
from dpviz.words.names import looks, visible

MAX_TIERS = 100
MAX_NAME = 40
MAX_PEOPLE = 10**10  # more than there are
MAX_DIGITS = 30  # of an order number; longer text is no number that somebody typed

NAME, AMOUNT, KIND = "tier", "budget", "as"
PEOPLE, ORDER, NOTE, COLOUR = "people", "order", "note", "colour"
ANYONE = "anyone"  # in place of how many people hold a clearance: nobody counts them
COLUMNS = (NAME, AMOUNT, KIND, PEOPLE, ORDER, NOTE, COLOUR)

Budgets = Mapping[str, tuple[Kind, str]]  # kind and amount as typed, by the name of the tier
_Seen = dict[tuple[int, str], tuple[int, str]]  # what names look like → row and name
DIGITS = 7  # some switches in a row then stay within SAME of the level
SAME = 1e-5  # levels nearer than this, relatively, are the same to people
TRIES = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Tier:
    """One clearance tier as it was typed: nothing is converted yet."""

    name: str
    amount: str
    kind: Kind
    people: str = ""  # how many people hold this clearance, or `ANYONE`
    order: str = ""  # a larger number is a higher clearance
    note: str = ""
    colour: str = ""  # one of `palette.COLOUR_NAMES`, if somebody chose it

    @property
    def members(self) -> int | None:
        """How many people hold this clearance, if that was typed and they can be counted."""
        return int(self.people) if self.people and self.people != ANYONE else None


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedTier:
    """A tier with its budget stated in every currency."""

    tier: Tier
    budget: Budget

    @property
    def name(self) -> str:
        """Name of the tier."""
        return self.tier.name

    @property
    def people(self) -> int | None:
        """How many people hold this clearance, if that is known."""
        return self.tier.members


DEFAULT_TIERS = (  # who the pages talk about: the whole cast is in `planning.cast`
    Tier(name="public", amount="0.1", kind="ρ", people=ANYONE, note="anyone; one number"),
    Tier(name="partners", amount="0.2", kind="ρ", people="6", note="hospitals"),
    Tier(name="research", amount="0.3", kind="ρ", people="3", note="research groups"),
    Tier(name="audit", amount="0.4", kind="ρ", people="2", note="auditors"),
)
# As a plan lists them: the sharpest on top, as in every picture. A note is typed or is not there.
FIRST_PLAN = tuple(replace(tier, note="") for tier in DEFAULT_TIERS[::-1])


def budgets_of(tiers: Sequence[Tier]) -> Budgets:
    """The budget of each tier as typed.

    >>> budgets_of(DEFAULT_TIERS[:1])
    {'public': ('ρ', '0.1')}
    """
    return {tier.name: (tier.kind, tier.amount) for tier in tiers}


def with_budgets(tiers: Sequence[Tier], budgets: Budgets) -> tuple[Tier, ...]:
    """The tiers with other budgets, where they have one there.

    >>> [tier.amount for tier in with_budgets(DEFAULT_TIERS[:2], {"public": ("ρ", "2")})]
    ['2', '0.2']
    """
    return tuple(
        replace(tier, kind=budgets[tier.name][0], amount=budgets[tier.name][1])
        if tier.name in budgets
        else tier
        for tier in tiers
    )


def as_rows(tiers: Sequence[Tier]) -> list[dict[str, str]]:
    """Tiers as rows of the editable table, columns `COLUMNS`.

    >>> as_rows(DEFAULT_TIERS)[1]["people"]
    '6'
    """
    return [
        {NAME: t.name, AMOUNT: t.amount, KIND: t.kind, PEOPLE: t.people, ORDER: t.order}
        | {NOTE: t.note, COLOUR: t.colour}
        for t in tiers
    ]


def read_tiers(
    rows: Sequence[Mapping[str, object]], setting: Setting
) -> tuple[list[PlannedTier], list[str]]:
    """Check the typed rows and give each tier its level.

    Args:
        rows: mappings with the keys `COLUMNS`; missing cells are None or empty. A budget without
            a kind is of the kind of the row above, the first one ρ.
        setting: what the budgets refer to.

    Returns:
        The usable tiers, most private first, and one sentence per problem. A cell "people",
        "order" or "colour" that cannot be read is left out of its tier, which stays usable.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["laplace"], delta=1e-6, sensitivity=one, dimension=5)
    >>> tiers, problems = read_tiers([{"tier": "a", "budget": "2", "as": "ε"}], s)
    >>> tiers[0].budget.level, problems
    (0.5, [])
    >>> rows = [{"tier": "a", "budget": "2", "as": "ε"}, {"tier": "b", "budget": "4"}]
    >>> [p.tier.kind for p in read_tiers(rows, s)[0]]
    ['ε', 'ε']
    """
    planned: list[PlannedTier] = []
    problems = _problems_of_table(rows)
    seen: _Seen = {}
    kind: str = KINDS[0]
    for number, row in enumerate(rows[:MAX_TIERS], start=1):
        kind = text_of(row.get(KIND)) or kind
        try:
            tier = _read({**row, KIND: kind}, number, seen, problems)
            planned.append(PlannedTier(tier=tier, budget=_budget(tier, setting)))
        except ParameterError as error:
            problems.append(str(error))
    return sorted(planned, key=lambda p: -p.budget.level), problems


def ranked(tiers: Sequence[Tier]) -> tuple[Tier, ...]:
    """Tiers by their order number, lowest clearance first; those without one stay last.

    >>> low, high = Tier(name="a", amount="1", kind="ρ", order="2"), DEFAULT_TIERS[0]
    >>> [t.name for t in ranked([high, low])]
    ['a', 'public']
    """
    return tuple(sorted(tiers, key=lambda t: (_order(t) is None, _order(t) or 0)))


def out_of_order(planned: Sequence[PlannedTier]) -> list[tuple[str, str]]:
    """Neighbours in the order of clearance whose noise says the opposite.

    Args:
        planned: tiers as `read_tiers` gives them; those without an order number are left out.

    Returns:
        Pairs of names: the first has the lower clearance and yet the less noisy release.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> from dpviz.planning.budgets import Setting
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["laplace"], delta=1e-6, sensitivity=one, dimension=5)
    >>> rows = [{"tier": "low", "budget": "2", "as": "ε", "order": "1"},
    ...     {"tier": "high", "budget": "1", "as": "ε", "order": "2"}]
    >>> out_of_order(read_tiers(rows, s)[0])
    [('low', 'high')]
    """
    of = {p.tier: p for p in planned if _order(p.tier) is not None}
    rising = [of[tier] for tier in ranked(list(of))]
    return [
        (low.name, high.name)
        for low, high in pairwise(rising)
        if low.budget.level < high.budget.level and _order(low.tier) != _order(high.tier)
    ]


def never_as_large(planned: Sequence[PlannedTier], setting: Setting) -> list[str]:
    """Names of tiers whose ε stays below the one that their typed ρ or μ means.

    So it is where δ alone asks for noise: Poisson noise of a rate below ln(1/δ) shows with a chance
    above δ that nothing was added, whatever ε may be.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["poisson"], delta=1e-6, sensitivity=one, dimension=5)
    >>> never_as_large(read_tiers(as_rows(DEFAULT_TIERS), s)[0], s)
    ['partners', 'research', 'audit']
    """
    typed = [(p, meant_epsilon(p.tier.kind, p.tier.amount, setting)) for p in planned]
    return [p.name for p, meant in typed if meant and p.budget.epsilon < meant * (1 - 1e-3)]


def equal_budgets(planned: Sequence[PlannedTier]) -> list[list[str]]:
    """Names of tiers that share a level and so get the same numbers.

    Args:
        planned: tiers sorted by level, as `read_tiers` gives them.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> from dpviz.planning.budgets import Setting
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["laplace"], delta=1e-6, sensitivity=one, dimension=5)
    >>> rows = [{"tier": name, "budget": "1", "as": "ε"} for name in "ab"]
    >>> equal_budgets(read_tiers(rows, s)[0])
    [['a', 'b']]
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


def text_of(value: object) -> str:
    """The cell as text; an empty cell may come as None or NaN.

    >>> text_of(" 0.1 "), text_of(float("nan"))
    ('0.1', '')
    """
    return "" if value is None or value != value else str(value).strip()


def _read(row: Mapping[str, object], number: int, seen: _Seen, problems: list[str]) -> Tier:
    name = _name(row, number, seen)
    kind = text_of(row.get(KIND))
    if kind not in KINDS:
        raise ParameterError(
            f"Budget of {name}: {kind[:20]} is not a kind of budget. Choose one, for example "
            f"{KINDS[0]}."
        )
    typed = text_of(row.get(AMOUNT))
    if not typed:
        example = "50" if kind in ACCURACIES else "0.1"
        raise ParameterError(
            f"Budget of {name} is empty. Type a number above 0, for example {example}."
        )
    tier = Tier(name=name, amount=typed, kind=kind, note=text_of(row.get(NOTE)))
    people, order, colour = (text_of(row.get(column)) for column in (PEOPLE, ORDER, COLOUR))
    if colour and colour not in COLOUR_NAMES:
        problems.append(
            f"Colour of {name}: {colour[:20]} is not one that a tier can have. Choose one, for "
            f"example {COLOUR_NAMES[0]}, or leave it empty."
        )
        colour = ""
    if people.casefold() == ANYONE:
        people = ANYONE
    elif people and not _is_people(people):
        problems.append(
            f"People of {name}: {people[:20]} is not a number of people. "
            f"Type a whole number in digits, for example 12, or {ANYONE}."
        )
        people = ""
    if order and _number(order) is None:
        problems.append(
            f"Order of {name}: {order[:20]} is not a number. "
            "Type one, for example 1 for the lowest clearance, or leave it empty."
        )
        order = ""
    return replace(tier, people=people, order=order, colour=colour)


def _name(row: Mapping[str, object], number: int, seen: _Seen) -> str:
    name = text_of(row.get(NAME))
    check_name(name, where=f"row {number}")
    keys = list(enumerate((name.casefold(), *looks(name))))
    first, other = next((seen[key] for key in keys if key in seen), (0, ""))
    if other.casefold() == name.casefold():
        raise ParameterError(f"Two tiers are called {name}. Give each tier a name of its own.")
    if first:
        raise ParameterError(
            f"The names of rows {first} and {number} look alike: {visible(other)} and "
            f"{visible(name)}. Give one of the two tiers another name."
        )
    seen.update(dict.fromkeys(keys, (number, name)))
    return name


def check_name(name: str, *, where: str) -> None:
    """Refuse a name that no tier can have.

    Args:
        name: what was typed, without white space around it.
        where: whose name it is, e.g. "row 5" or "the new tier".

    Raises:
        ParameterError: one sentence with what to type instead.

    >>> check_name("", where="row 5")
    Traceback (most recent call last):
    dpviz.errors.ParameterError: Row 5 has no name. Type one, for example council.
    """
    if not name:
        whose = where[:1].upper() + where[1:]
        raise ParameterError(f"{whose} has no name. Type one, for example council.")
    if len(name) > MAX_NAME or not name.isprintable():
        raise ParameterError(
            f"The name of {where} is too long or has control characters. "
            f"Type at most {MAX_NAME} plain characters."
        )


def _is_people(text: str) -> bool:
    whole = text.isascii() and text.isdigit() and len(text) < MAX_DIGITS
    return whole and int(text) <= MAX_PEOPLE


def _number(text: str) -> Decimal | None:
    """The typed number if it is finite and of ordinary length."""
    found = decimal(text) if len(text) < MAX_DIGITS else None
    return found if found is not None and found.is_finite() else None


def _order(tier: Tier) -> Decimal | None:
    return _number(tier.order)


def _budget(tier: Tier, setting: Setting) -> Budget:
    where = f"Budget of {tier.name}"
    amount = read_amount(tier.kind, tier.amount, where=where)
    try:
        return resolve(tier.kind, amount, setting)
    except NoGuaranteeError:
        raise NoGuaranteeError(
            f"{where}: no guarantee holds with so little {setting.family.label} "
            f"noise at δ = {setting.delta:g}. Type a larger ±a, or a larger δ for the plan."
        ) from None
    except NoLossError:
        instead = "a smaller ±a" if tier.kind in ACCURACIES else "the budget as ε"
        raise NoLossError(
            f"{where}: this {setting.family.label} noise keeps ε = 0 at "
            f"δ = {float(setting.delta):g}, which alone counts. Type {instead}, or a smaller δ "
            "for the plan."
        ) from None
    except ParameterError as error:
        if setting.sensitivity.l1 == 0:
            raise ParameterError(f"{where}: {error}") from None
        instead = "another ±a" if tier.kind in ACCURACIES else "another budget"
        raise ParameterError(  # the reason speaks of levels, which nobody typed
            f"{where}: {setting.family.label} noise of this size is out of reach here. "
            f"Type {instead}, or choose another noise."
        ) from None


def restate(level: float, kind: Kind, setting: Setting, *, digits: int = DIGITS) -> str:
    """The text to type so that a budget of this kind gives this level, or hardly more noise.

    Args:
        level: noise level, above 0.
        kind: the kind of budget to type.
        setting: what the budget refers to; its δ is the one in "(ε, δ)".
        digits: of the decimal.

    Returns:
        A text that `read_amount` reads; the level that it resolves to is at least `level`.

    Raises:
        ParameterError: if no guarantee holds at this level, or no such budget is so small.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["gaussian"], delta=1e-6, sensitivity=one, dimension=5)
    >>> restate(1.0, "ρ", s), restate(1.0, "ε", s), restate(1.0, "±a 95 %", s)
    ('0.5', '4.886554', '1.959964')
    """
    value = _value(level, kind, setting)
    if not value > 0:
        raise ParameterError(f"this noise has no {kind} above 0: choose another kind.")
    up = kind in ACCURACIES  # a larger ±a is more private, a larger budget less
    tail = f", {written(Decimal(repr(setting.delta)))}" if kind == PAIR else ""
    unit = Decimal(1).scaleb(Decimal(value).adjusted() - digits + 1)
    nearest = Decimal(value).quantize(unit, rounding=ROUND_HALF_EVEN)
    private = Decimal(value).quantize(unit, rounding=ROUND_CEILING if up else ROUND_FLOOR)
    away = [private + (2**n - 1) * (unit if up else -unit) for n in range(TRIES)]
    for typed in (nearest, *away):
        text = written(typed) + tail
        if typed > 0 and _level(kind, text, setting) >= level:
            return text
    raise ParameterError(f"this noise cannot be stated as {kind}: choose another kind.")


def restate_tiers(
    tiers: Sequence[Tier], kind: Kind, setting: Setting, remembered: Mapping[tuple[str, Kind], str]
) -> tuple[Tier, ...]:
    """The same tiers with their budgets typed as this kind.

    Args:
        tiers: the plan; a tier that cannot be restated comes back as it is.
        kind: the kind of budget to switch to.
        setting: what the budgets refer to.
        remembered: what was typed earlier for a tier (its name) and a kind. It comes back if what
            is typed now is but a restatement of it, directly or by way of other remembered texts.

    >>> from dpviz.noise import FAMILIES
    >>> from dpviz.queries import Sensitivity
    >>> from dpviz.planning.budgets import Setting
    >>> one = Sensitivity(l0=1, l1=1, l2=1, linf=1)
    >>> s = Setting(family=FAMILIES["gaussian"], delta=1e-6, sensitivity=one, dimension=5)
    >>> restate_tiers([Tier(name="a", amount="0.5", kind="ρ")], "μ", s, {})[0].amount
    '1'
    """
    return tuple(_switched(tier, kind, setting, remembered) for tier in tiers)


def _switched(
    tier: Tier, kind: Kind, setting: Setting, remembered: Mapping[tuple[str, Kind], str]
) -> Tier:
    if tier.kind == kind:
        return tier
    own = {k: text for (name, k), text in remembered.items() if name == tier.name}
    try:
        level = _level(tier.kind, tier.amount, setting)
        if kind in own and _linked(tier, kind, own, setting):
            return replace(tier, kind=kind, amount=own[kind])
        return replace(tier, kind=kind, amount=restate(level, kind, setting))
    except ParameterError:
        return tier


def _linked(tier: Tier, kind: Kind, own: Mapping[Kind, str], setting: Setting) -> bool:
    """Whether the remembered text of this kind says the same, directly or by way of others."""
    waiting = [kind, *(k for k in own if k not in (kind, tier.kind))]
    reached = [tier]
    for now in reached:  # grows as texts are found that say the same
        for other in tuple(waiting):
            earlier = replace(tier, kind=other, amount=own[other])
            if _same(now, earlier, setting):
                if other == kind:
                    return True
                waiting.remove(other)
                reached.append(earlier)
    return False


def _same(now: Tier, earlier: Tier, setting: Setting) -> bool:
    """Whether both texts give nearly one level, or the one now is the earlier one restated."""
    try:
        level = _level(earlier.kind, earlier.amount, setting)
        near = math.isclose(level, _level(now.kind, now.amount, setting), rel_tol=SAME)
        return near or restate(level, now.kind, setting) == now.amount
    except ParameterError:  # remembered from another plan, in which it made sense
        return False


def _level(kind: Kind, text: str, setting: Setting) -> float:
    return resolve(kind, read_amount(kind, text, where="Budget"), setting).level


def _value(level: float, kind: Kind, setting: Setting) -> float:
    """The budget or the accuracy of this level, not rounded yet."""
    if kind in ACCURACIES:
        confidence, every = ACCURACIES[kind]
        coordinates = setting.dimension if every else 1
        return half_width(setting.family, level, confidence, coordinates=coordinates) * setting.step
    stated = at_level(level, setting)
    if kind in EPSILONS:
        return stated.epsilon
    rho = stated.rho  # where a family has none, a typed ρ means the ε of Gaussian noise
    if rho is None:
        rho = gaussian_rho_for(stated.epsilon, math.log(setting.delta))
    return rho if kind == "ρ" else rho_to_mu(rho)


def written(number: Decimal) -> str:
    """A number as people type it: no trailing zeros, no exponent at ordinary sizes."""
    short = number.normalize()
    return f"{short:f}" if -5 < number.adjusted() < 12 else f"{short:e}"


def rename_sizes(text: str, named: Mapping[str, str]) -> str:
    r"""Typed sizes under other names of the groups; what names none of them stays as it is.

    Args:
        text: what was typed, as for `read_sizes`.
        named: new name of each group, by its former one.

    >>> rename_sizes("A: 120\nC: 3", {"A": "north", "B": "south"})
    'north: 120\nC: 3'
    """
    lines = [line.rpartition(":") for line in text.splitlines()]
    found = [(named.get(group.strip(), group), colon, size) for group, colon, size in lines]
    return "\n".join(map("".join, found))


def read_sizes(text: str, labels: Sequence[str]) -> dict[str, float]:
    """Read typed sizes: one number for all groups, or a line "group: 120" for each that matters.

    Args:
        text: what was typed; empty lines do not count.
        labels: names of the groups.

    Returns:
        Expected size of each group that has one, in the order of `labels`.

    Raises:
        ParameterError: one sentence that names the line and says what to type instead.

    >>> read_sizes("120", ["north", "south"])
    {'north': 120.0, 'south': 120.0}
    >>> read_sizes("south: 80", ["north", "south"])
    {'south': 80.0}
    """
    lines = [(n, line.strip()) for n, line in enumerate(text.splitlines(), start=1)]
    lines = [(n, line) for n, line in lines if line]
    if not lines:
        raise ParameterError("No size is typed. Type one for all groups, for example 120.")
    if len(lines) == 1 and ":" not in lines[0][1]:
        return dict.fromkeys(labels, SIZE.read(lines[0][1], where="Size of a group"))
    known = set(labels)
    typed: dict[str, float] = {}
    for number, line in lines:
        group, colon, size_text = (part.strip() for part in line.rpartition(":"))
        if not colon or group not in known:
            raise ParameterError(
                f"Line {number} of the sizes names no group of this statistic. "
                "Type the group as it is listed, a colon and a number, for example north: 120."
            )
        if group in typed:
            raise ParameterError(f"Line {number} of the sizes names a group again. Delete one.")
        typed[group] = SIZE.read(size_text, where=f"Size in line {number}")
    return {label: typed[label] for label in labels if label in typed}
