"""What coalitions learn together, scheme by scheme, as tidy frames.

Only budgets, names and head-counts enter: all of it is public, nothing is drawn. Limits: budgets
add exactly for ρ (Gaussian noise) and for pure ε; where ε comes with a δ, a sum is an upper bound
(basic composition) and the δ add as well.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import pandas as pd

from dpviz import checks
from dpviz.accounting import Stated, coalition_epsilon, coalition_rho
from dpviz.accounting.guarantees import guarantee_of
from dpviz.errors import ParameterError
from dpviz.planning.budgets import Amount, Budget, Setting, resolve
from dpviz.words import loss_with_delta

LOSSLESS, INDEPENDENT, GLOBAL = "lossless", "independent", "global"
SPLITTING, DOUBLING = "splitting", "doubling"
SCHEMES = {
    LOSSLESS: "lossless",
    INDEPENDENT: "separate noise",
    GLOBAL: "global release + separate noise",
    SPLITTING: "budget split",
    DOUBLING: "doubling budgets",
}
SCHEME, TIER, START, STOP, SLOT, SYMBOL = "scheme", "tier", "start", "stop", "slot", "symbol"
TOTAL, PRICE = "total", "price"
SEGMENTS = (SCHEME, TIER, START, STOP, SLOT, SYMBOL, TOTAL, PRICE)
WHO, SIZE, LEAST = "coalition", "tiers", "least private"
COALITIONS = (WHO, SIZE, LEAST, SLOT, SYMBOL)  # and a column for each scheme
COUNT = "members"
CURVE = (COUNT, LOSSLESS, INDEPENDENT, GLOBAL)
MOST_TIERS = 10  # whose coalitions are all listed: 1,023 of them
BASIC = "ε and δ of all releases add (basic composition)"
COUNTS = (  # members of one tier on a logarithmic axis: dense where they are few
    *(1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 40, 50, 64, 80, 100, 128, 160, 200),
    *(256, 320, 400, 512, 640, 800, 1000),
)
MOST_MEMBERS = COUNTS[-1]  # of one tier, on the curve and as a head-count


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """One tier: its budget, how many of its members join in, and its look."""

    name: str
    loss: float
    slot: int = 0
    symbol: int = 0
    joining: int = 1

    def __post_init__(self) -> None:
        checks.non_negative(loss=self.loss)
        checks.whole(0, slot=self.slot, symbol=self.symbol, joining=self.joining)


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All tiers that are served, ascending by budget, and what their budgets refer to."""

    tiers: tuple[Holder, ...]
    setting: Setting
    whole: float  # budget of the one global release

    def __post_init__(self) -> None:
        checks.non_negative(whole=self.whole)

    @property
    def letter(self) -> str:
        """The currency of the budgets."""
        return guarantee_of(self.setting.family).letter

    @property
    def adds_exactly(self) -> bool:
        """Whether a sum of budgets is exact; else it is an upper bound."""
        return not guarantee_of(self.setting.family).with_delta

    def loss_words(self, loss: float, releases: int = 1) -> str:
        """A bound on the loss of some independent releases, with their δ where it needs one."""
        delta = 0.0 if self.adds_exactly else min(1.0, releases * self.setting.delta)
        return loss_with_delta(self.letter, loss, delta)

    def learned(self, losses: Sequence[float], scheme: str) -> Stated:
        """Joint budget of persons with these budgets under a scheme.

        Raises:
            ParameterError: as `coalition_rho` and `coalition_epsilon`.
        """
        tiers = [t.loss for t in self.tiers]
        if self.letter == "ρ":
            return coalition_rho(losses, scheme, tiers=tiers, global_rho=self.whole)
        found = coalition_epsilon(losses, scheme, tiers=tiers, global_epsilon=self.whole)
        return found if self.adds_exactly else replace(found, method=BASIC)

    def budget(self, loss: float) -> Budget:
        """The budget in every currency.

        Raises:
            ParameterError: no guarantee holds at this budget.
        """
        return resolve(self.letter, Amount(loss), self.setting)

    def half_width(self, loss: float) -> float:
        """± of one released number at this budget; NaN where no guarantee holds."""
        try:
            return self.budget(loss).half_width
        except ParameterError:
            return float("nan")


def persons(members: Sequence[Holder]) -> list[float]:
    """One budget per person.

    >>> persons([Holder(name="a", loss=0.1, joining=2), Holder(name="b", loss=1.0)])
    [0.1, 0.1, 1.0]
    """
    return [m.loss for m in members for _ in range(m.joining)]


def schemes_frame(plan: Plan, members: Sequence[Holder]) -> pd.DataFrame:
    """Segments of the bars, one row of bars per scheme; columns `SEGMENTS`.

    Lossless segments are nested and begin at 0; those of the others stand end to end, each as long
    as what its tier adds to those before it. Under the global scheme the rest that no member holds
    alone has the name "" and slot 0. PRICE is ± of the least private member alone.

    Args:
        plan: all tiers.
        members: the coalition, at least one tier of the plan.

    Raises:
        ParameterError: there is no member.
    """
    if not members:
        raise ParameterError("a coalition has at least one member; tick a tier")
    joined = sorted(members, key=lambda m: m.loss)
    rows = []
    for scheme in SCHEMES:
        total = plan.learned(persons(joined), scheme).value
        alone = (SPLITTING, DOUBLING)
        own = plan.learned([joined[-1].loss], scheme).value if scheme in alone else joined[-1].loss
        price = plan.half_width(own)
        for name, start, stop, slot, symbol in _segments(plan, joined, scheme, total):
            rows.append((scheme, name, start, stop, slot, symbol, total, price))
    return pd.DataFrame(rows, columns=list(SEGMENTS))


Segment = tuple[str, float, float, int, int]


def _segments(plan: Plan, joined: list[Holder], scheme: str, total: float) -> list[Segment]:
    last = joined[-1]
    if scheme == LOSSLESS:
        return [(m.name, 0.0, m.loss, m.slot, m.symbol) for m in joined]
    if scheme == GLOBAL:
        held = [(last.name, 0.0, last.loss, last.slot, last.symbol)]
        rest = total > last.loss * (1 + 1e-9)
        return [*held, ("", last.loss, total, 0, 0)] if rest else held
    found, before = [], 0.0
    for place, m in enumerate(joined, start=1):
        stop = plan.learned(persons(joined[:place]), scheme).value
        if stop > before:  # a member with nothing new has no segment
            found.append((m.name, before, stop, m.slot, m.symbol))
        before = stop
    return found


def listed(plan: Plan) -> tuple[Holder, ...]:
    """The tiers whose coalitions are all listed: the least private ones where there are many."""
    return plan.tiers[-MOST_TIERS:]


def coalitions_frame(plan: Plan, schemes: Sequence[str] = tuple(SCHEMES)) -> pd.DataFrame:
    """Every coalition of the listed tiers, one member each: 2^m − 1 rows.

    Args:
        plan: all tiers.
        schemes: which ones; each is a column beside `COALITIONS`.

    Returns:
        Rows that go up by size; LEAST is the least private member, SLOT and SYMBOL its look.
    """
    tiers, rows = listed(plan), []
    for size in range(1, len(tiers) + 1):
        for chosen in combinations(tiers, size):
            losses, last = [m.loss for m in chosen], chosen[-1]
            learned = [plan.learned(losses, scheme).value for scheme in schemes]
            who = ", ".join(m.name for m in chosen)
            rows.append((who, size, last.name, last.slot, last.symbol, *learned))
    return pd.DataFrame(rows, columns=[*COALITIONS, *schemes])


def members_frame(plan: Plan, loss: float, counts: Sequence[int]) -> pd.DataFrame:
    """What k members of one tier learn together; columns `CURVE`.

    Args:
        plan: all tiers, and the global budget.
        loss: budget of the tier.
        counts: values of k, from 1 to `MOST_MEMBERS`.
    """
    schemes = (LOSSLESS, INDEPENDENT, GLOBAL)
    rows = [(k, *(plan.learned([loss] * k, s).value for s in schemes)) for k in counts]
    return pd.DataFrame(rows, columns=list(CURVE))
