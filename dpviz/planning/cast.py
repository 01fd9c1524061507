"""The one cast of every example: the tiers, the council that asks later, and the made-up town.

A visitor meets the same names, budgets, symbols and numbers of people on every page. The town is
made up, so its exact count may be shown; Maria is one of its people.
"""

from dpviz.palette import TierStyle, slots_for
from dpviz.planning.amounts import Kind
from dpviz.planning.tiers import DEFAULT_TIERS, Tier

PUBLIC, PARTNERS, RESEARCH, AUDIT = (tier.name for tier in DEFAULT_TIERS)
COUNCIL = Tier(name="council", amount="0.15", kind="ρ", people="1", note="next month")
ASKING = (RESEARCH, PUBLIC, AUDIT, PARTNERS)  # order in which the tiers of the plan ask
MONTHS = ("January", "February", "April", "June")  # in which they do
PEOPLE, ILL = 1000, 312  # of the town; of these have high blood pressure
TOWNS = 20  # made up, of a round of "Be the insurer"
KNOWN = ILL - 1  # of whom an insurer knows, who knows about everyone but Maria
STYLES = {
    name: TierStyle(slot, symbol)
    for symbol, (name, slot) in enumerate(
        [*zip((t.name for t in DEFAULT_TIERS), slots_for(4), strict=True), (COUNCIL.name, 3)]
    )
}
_WITH_ARTICLE = (PUBLIC, COUNCIL.name, "press")
# The same tiers with noise whose budget is ε: the sum is 2.5 times the largest there, too.
_EPSILONS = {PUBLIC: "0.5", COUNCIL.name: "0.75", PARTNERS: "1", RESEARCH: "1.5", AUDIT: "2"}


def amounts(kind: Kind) -> dict[str, str]:
    """Budget of each of the five as typed text, in ρ or, for all else, in ε.

    >>> amounts("ρ")
    {'public': '0.1', 'council': '0.15', 'partners': '0.2', 'research': '0.3', 'audit': '0.4'}
    >>> amounts("ε")["audit"]
    '2'
    """
    if kind != "ρ":
        return dict(_EPSILONS)
    typed = {tier.name: tier.amount for tier in (*DEFAULT_TIERS, COUNCIL)}
    return {name: typed[name] for name in _EPSILONS}


def with_article(name: str) -> str:
    """A group of readers as it is called in a sentence.

    >>> with_article("council"), with_article("audit")
    ('the council', 'audit')
    """
    return f"the {name}" if name in _WITH_ARTICLE else name


RHO = {name: float(typed) for name, typed in amounts("ρ").items()}
