"""Undo and redo of every change of a plan, and plan A, with which another one is compared.

Each look at the plan in use (`note`, as by each run of a page) keeps it if it has changed. What was
released is never undone: sessions and ledger stay, and a statistic of which something was released
stays in the plan. Another table begins a new history. So does a change that another tab of the
project has made: nobody takes back here, without seeing it, what was done there.
"""

from dataclasses import replace

from dpviz.errors import ParameterError
from dpviz.planning.tiers import as_rows, budgets_of, read_sizes
from dpviz.workspace.history import History, PlanState
from dpviz.workspace.keeping import alone
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.workspace import Workspace


def state_of(ws: Workspace) -> PlanState:
    """The plan that a workspace has in use."""
    return PlanState(
        table=ws.table,
        statistics=tuple(
            replace(s, budgets=budgets_of(ws.tiers_of(s)), noise=ws.noise_of(s))
            for s in ws.statistics
        ),
        topics=tuple(ws.topics),
        statistic=ws.statistic,
        tiers=ws.plan.tiers,
        styles=dict(ws.plan.styles),
        sizes=_sizes(ws),
        former=dict(ws.plan.former),
        family_name=ws.family_name,
        mode=ws.mode,
        delta=ws.delta,
        seed=ws.seed,
        is_guess=ws.is_guess,
    )


def _sizes(ws: Workspace) -> dict[str, str]:
    """The expected sizes; where those of now cannot be read, the ones before."""
    unit, labels, sizes = ws.statistic.query.counted, ws.statistic.query.labels, dict(ws.plan.sizes)
    if unit in sizes and not readable(sizes[unit], labels):
        del sizes[unit]
        before = ws.history.now.sizes if ws.history.now else {}
        sizes |= {unit: before[unit]} if unit in before else {}
    return sizes


def readable(sizes: str, labels: tuple[str, ...]) -> bool:
    """Whether typed sizes are those of these groups.

    >>> readable("A: 40", ("A", "B")), readable("C: 40", ("A", "B"))
    (True, False)
    """
    try:
        read_sizes(sizes, labels)
    except ParameterError:
        return False
    return True


@alone
def note(ws: Workspace) -> None:
    """Keep the plan in use, if it is another one than at the last look."""
    state, before = state_of(ws), ws.history.now
    if before is not None and before.table.digest != state.table.digest:
        ws.history = History()
    if ws.history.now is None or _differ(ws, ws.history.now, state):
        ws.history.follow(state)


def _differ(ws: Workspace, one: PlanState, other: PlanState) -> bool:
    """Whether somebody changed the plan between two states.

    A statistic that is in one of them alone counts only while nothing was released of it.
    """
    both = {s.key: s for s in (*one.statistics, *other.statistics)}
    alike = {s.key for s in one.statistics} & {s.key for s in other.statistics}
    stay = {key for key, s in both.items() if key not in alike and ws.released(s)}
    return bool(one.said(stay) != other.said(stay))


def can_undo(ws: Workspace) -> bool:
    """Whether there is a change to take back; rows that were typed and refused are one."""
    return bool(ws.history.past) or ws.plan.refused


@alone
def undo(ws: Workspace) -> None:
    """Take back the last change of the plan; nothing if there is none.

    The statistic that was changed is in use then.

    >>> ws = Workspace.fresh()
    >>> note(ws)
    >>> ws.use_family("laplace")
    >>> undo(ws)
    >>> ws.family_name
    'gaussian'
    """
    note(ws)
    history = ws.history
    if ws.plan.refused and history.now is not None:
        _put(ws, history.now, ws.statistic)
        return
    while history.past and history.now is not None:
        undone, history.now = history.now, history.past.pop()
        history.future.append(undone)
        _put(ws, history.now, undone.statistic)
        if _differ(ws, undone, history.now):
            return


@alone
def redo(ws: Workspace) -> None:
    """Make the change again that was undone last; nothing if there is none.

    Raises:
        ParameterError: if the rows as typed have a problem; they stay as they are.
    """
    note(ws)
    history = ws.history
    ws.plan.check_typed()
    while history.future and history.now is not None:
        before, history.now = history.now, history.future.pop()
        history.past.append(before)
        _put(ws, history.now, history.now.statistic)
        if _differ(ws, before, history.now):
            return


def _put(ws: Workspace, state: PlanState, seen: Statistic) -> None:
    """Use a plan again, and of its statistics the one that is seen, if it is one of them.

    Sessions and ledger stay as they are.
    """
    ws.mode, ws.family_name, ws.delta, ws.seed = (
        state.mode,
        state.family_name,
        state.delta,
        state.seed,
    )
    ws.table, ws.statistic = state.table, state.statistic  # of which the budgets of its tiers are
    ws.use(state.statistic)
    kept = {s.key for s in state.statistics}
    ws.statistics[:] = [
        *state.statistics,
        *(s for s in ws.statistics if s.key not in kept and ws.released(s)),
    ]
    ws.topics[:] = state.topics
    plan = ws.plan
    plan.tiers, plan.typed_rows, plan.refused = state.tiers, as_rows(state.tiers), False
    plan.styles, plan.sizes = dict(state.styles), dict(state.sizes)
    plan.former, plan.edition = dict(state.former), plan.edition + 1
    ws.restyle()
    ws.use(next((s for s in state.statistics if s.key == seen.key), state.statistic))
    ws.is_guess = state.is_guess


# --- two plans side by side ---


@alone
def keep_as_a(ws: Workspace) -> None:
    """Keep the plan in use, to compare those to come with it.

    Raises:
        ParameterError: if the rows as typed have a problem.
    """
    ws.plan.check_typed()
    ws.history.plan_a = state_of(ws)


@alone
def forget_a(ws: Workspace) -> None:
    """Compare the plan with no other one any more."""
    ws.history.plan_a = None


@alone
def use_a(ws: Workspace) -> None:
    """Put plan A to use: a change of the plan as any other, which can be undone."""
    note(ws)
    if ws.history.plan_a is not None:
        _put(ws, ws.history.plan_a, ws.statistic)


def plan_a(ws: Workspace) -> Workspace | None:
    """A workspace that has plan A, and no release; None while there is none.

    The statistic in use is that of the plan in use, where A has it.
    """
    state = ws.history.plan_a
    if state is None:
        return None
    made = Workspace(state.table, ws.loading, state.statistic)
    _put(made, state, ws.statistic)
    return made
