"""What is said of a release whose tier has another budget now, or has left the plan.

Pictures, buttons, files and the report take these words from here. They are in the unit in which
the plan's owner types budgets, so that the two amounts can be compared.
"""

from dpviz import words
from dpviz.accounting import half_width
from dpviz.planning.amounts import ACCURACIES, EPSILONS, Kind
from dpviz.planning.budgets import Setting
from dpviz.release import LedgerEntry
from dpviz.workspace.facts import entry_budget

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
