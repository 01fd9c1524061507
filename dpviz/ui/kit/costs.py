"""What a press would draw and cost, in words: for one tier, for all of them, and together."""

from collections.abc import Callable, Hashable, Mapping, Sequence

from dpviz import words
from dpviz.planning.budgets import Budget
from dpviz.planning.tiers import PlannedTier
from dpviz.ui.kit.state import Shelf
from dpviz.workspace import changes
from dpviz.workspace.changes import Change
from dpviz.workspace.guesses import ALL, right_by
from dpviz.workspace.sessions import Asking
from dpviz.workspace.takeaways import cost_words, counted
from dpviz.workspace.workspace import Workspace

FEW = 8  # tiers of which each is told its loss with all others where sessions meet: 0.05 s for one
_COSTS = Shelf[tuple[Hashable, Change, dict[str, Change]]]("panel_costs")


def computed(
    ws: Workspace, asking: Asking, tiers: Sequence[PlannedTier], key: str
) -> tuple[Change, dict[str, Change]]:
    """What drawing all of them would change, and each alone; computed again after a draw only.

    Args:
        ws: the workspace.
        asking: what the session is asked for.
        tiers: who may draw, most private first.
        key: of the panel that shows it.
    """
    found = ws.find(asking.key)  # none once it was closed, though the ledger is as it was
    now = (
        (
            asking.key,
            found and found.number,
            ws.mode,
            ws.delta,
            ws.next_number,
            tuple(e.event for e in ws.ledger),
        ),
        tuple((p.name, p.budget.level) for p in tiers),
    )
    kept = _COSTS.get(key)
    if kept is None or kept[0] != now:
        rest = changes.of_draw(ws, asking, tiers)
        few = len(ws.sessions) < 2 or len(rest.drawn) <= FEW
        kept = _COSTS.put(key, (now, rest, changes.of_each(ws, asking, tiers) if few else {}))
    return kept[1:]


def of_one(one: Change | None, budget: Budget, near: str) -> str:
    """What a press draws for one tier and what it costs: it alone, and all together.

    Args:
        one: what it changes; None: what all together cost then takes too long to compute here.
        budget: of the tier.
        near: how near its numbers come, in words; or nothing.

    >>> from dpviz.workspace.changes import of_draw
    >>> ws = Workspace.fresh()
    >>> change = of_draw(ws, ws.statistic.asking(ws.family_name), ws.planned()[0][-1:])
    >>> said = of_one(change, change.drawn["audit"], "Within 3 people")
    >>> print(said.translate({0x202F: None, 0xA0: " "}))
    Within 3 people. Bound on the privacy loss: ρ = 0.4; of all: ρ = 0.4 (none so far).
    """
    first = f"{near}. " if near else ""
    loss = words.budget(budget.letter, budget.loss)
    if budget.letter == "ε":
        loss = words.loss_with_delta("ε", budget.loss, budget.delta)
    many = f"not computed, as more than {counted(FEW)} tiers wait"
    all_of_them = many if one is None else together(one)
    return f"{first}Bound on the privacy loss: {loss}; of all: {all_of_them}."


def of_all(
    rest: Change, near: Callable[[PlannedTier], str], by_name: Mapping[str, PlannedTier]
) -> str:
    """What a press for all who wait costs, and what it draws if only one does.

    Args:
        rest: what it changes.
        near: how near the numbers of a tier come, in words.
        by_name: the tiers.
    """
    if len(rest.drawn) == 1:
        ((name, budget),) = rest.drawn.items()
        return of_one(rest, budget, near(by_name[name]))
    if rest.drawn and rest.after.value and not rest.before.value:
        who = "both" if len(rest.drawn) == 2 else f"all {counted(len(rest.drawn))}"
        after = right_by(rest.after).said
        return f"After {who}, a guess is right {after} times in {ALL:,}."
    return f"{_right(rest)} ({together(rest)})." if rest.drawn else ""


def _right(rest: Change) -> str:
    """How many guesses are right with all that is drawn, before → after; once, if it stays."""
    before, after = (right_by(loss).said for loss in (rest.before, rest.after))
    many = after if before == after else f"{before} → {after}"
    return f"Guesses right by all together, of {ALL:,}: {many}"


def together(one: Change) -> str:
    r"""What everything costs together, before → after; once, where it stays the same.

    >>> from dpviz.workspace.changes import of_draw
    >>> ws = Workspace.fresh()
    >>> together(of_draw(ws, ws.statistic.asking(ws.family_name), ws.planned()[0]))
    'ρ\xa0=\xa00.4 (none so far)'
    """
    before, after = cost_words(one.before), cost_words(one.after)
    if not one.before.value:
        return f"{after} (none so far)" if one.after.value else "none"
    return after if before == after else f"{before} → {after}"
