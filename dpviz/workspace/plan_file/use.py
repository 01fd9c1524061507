"""Save the plan of a workspace, and put one to use; nothing is drawn, no session or ledger changes.

Opening a plan is a change of the plan in use, which `dpviz.workspace.undo` takes back.
"""

from dataclasses import replace

from dpviz.data import Reading, Table
from dpviz.errors import ParameterError
from dpviz.parameters import DELTA
from dpviz.planning.tiers import budgets_of
from dpviz.queries import BoundedMean, BoundedSum, Count, listed_in
from dpviz.workspace.keeping import alone
from dpviz.workspace.plan_file.record import FurtherStatistic, PlanFile, misfits, written
from dpviz.workspace.sessions import Statistic
from dpviz.workspace.undo import note, readable
from dpviz.workspace.workspace import Workspace


@alone
def plan_of(ws: Workspace) -> PlanFile:
    """The plan of a workspace as a record.

    Raises:
        ParameterError: if the rows as typed have a problem, or the tiers cannot be drawn.
    """
    ws.plan.check_typed()
    query, known = ws.statistic.query, ws.seen.of(ws.statistic)
    return PlanFile(
        table=ws.statistic.table.name,
        name=ws.statistic.own_name,
        query=query,
        tiers=ws.plan.tiers,
        family_name=ws.family_name,
        mode=ws.mode,
        delta=typed_delta(ws),
        sizes=_usable(ws.plan.sizes.get(query.counted, ""), query.labels),
        from_data=known.read_off,
        known_before=known.known_before,
        readings=ws.statistic.table.readings,
        how=ws.statistic.table.file.how,
        seed=ws.seed if ws.mode == "teaching" else None,
        further=tuple(_further(ws, s) for s in others_in_file(ws)),
    )


def others_in_file(ws: Workspace) -> list[Statistic]:
    """The statistics of the plan that its file holds beside the one in use: of the same table."""
    used, plain = ws.statistic, (Count, BoundedSum, BoundedMean)
    return [
        s
        for s in ws.statistics
        if s.key != used.key
        and s.table.digest == used.table.digest
        and s.table.readings == used.table.readings
        and isinstance(s.query, plain)
    ]


def _further(ws: Workspace, one: Statistic) -> FurtherStatistic:
    known = ws.seen.of(one)
    return FurtherStatistic(
        name=one.own_name,
        family_name="" if (noise := ws.noise_of(one)) == ws.family_name else noise,
        query=one.query,
        budgets=budgets_of(ws.tiers_of(one)),
        from_data=known.read_off,
        known_before=known.known_before,
        sizes=_usable(ws.plan.sizes.get(one.query.counted, ""), one.query.labels),
    )


def typed_delta(ws: Workspace) -> str:
    """The δ of a workspace as somebody would type it, with every digit."""
    return repr(ws.delta).replace("e-0", "e-")


def saved(ws: Workspace) -> bytes:
    r"""The plan of a workspace as the content of a plan file.

    Raises:
        ParameterError: if the rows as typed have a problem, or the tiers cannot be drawn.

    >>> from dpviz import Workspace
    >>> saved(Workspace.fresh())[:26]
    b'{\n  "format": "dpviz plan"'
    """
    return written(plan_of(ws))


@alone
def use(ws: Workspace, plan: PlanFile) -> None:
    """Put a whole plan to use on the table that is loaded.

    Raises:
        ParameterError: if the table lacks a column; nothing is changed then.
    """
    for sentence in misfits(plan, ws.table):
        raise ParameterError(sentence)
    note(ws)
    before = [*ws.statistics]
    ws.put_aside()
    ws.table = ws.table.read_as(_all_readings(ws.table, plan))
    ws.statistic = used = Statistic(ws.table, plan.query, ws.loading, own_name=plan.name)
    _set(ws, plan)
    stated: tuple[PlanFile | FurtherStatistic, ...] = (plan, *plan.further)
    for one in stated:
        _remember(ws, one)
    ws.use(ws.statistic)
    further = [
        Statistic(
            ws.table,
            one.query,
            ws.loading,
            budgets=dict(one.budgets),
            own_name=one.name,
            noise=plan.noise_of(one),
        )
        for one in plan.further
    ]
    ws.plan_for([used, *further])
    wanted = {s.key for s in (used, *further)}
    for former in before:
        if former.key not in wanted:
            ws.drop(former)
    for one in stated:
        if one.sizes:  # by the names of the plan, which are those in use now
            ws.plan.sizes = {**ws.plan.sizes, one.query.counted: one.sizes}


def _remember(ws: Workspace, one: PlanFile | FurtherStatistic) -> None:
    """What of the groups of a statistic was read off the data, and what was known before."""
    for part in listed_in(one.query.by):
        if part.column in (*one.from_data, *one.known_before):
            listed = ws.seen.listed.setdefault((ws.table.digest, part.column), set())
            listed.update(part.groups)
        if part.column in one.known_before:
            ws.seen.say_known(ws.table.digest, part)


@alone
def use_tiers(ws: Workspace, plan: PlanFile) -> None:
    """Put the tiers of a plan to use, with its noise, mode and δ; the statistic stays.

    Raises:
        ParameterError: if a tier cannot be drawn under the statistic in use; nothing is changed.
    """
    query = ws.statistic.query  # of which nothing that cannot be drawn is put to use
    replace(plan, query=query, sizes="", from_data=(), known_before=(), further=())
    note(ws)
    _set(ws, plan)
    ws.plan.turn(plan.query, ws.statistic.query, {})


def _all_readings(table: Table, plan: PlanFile) -> dict[str, Reading]:
    """How every column is read under a plan: those that it does not name as usual."""
    usual = {name: Reading() for name, _ in table.readings}
    return {**usual, **dict(plan.readings)}


def _set(ws: Workspace, plan: PlanFile) -> None:
    """Noise, mode, δ, seed and tiers of a plan that was looked at before."""
    ws.mode, ws.family_name = plan.mode, plan.family_name
    ws.delta = DELTA.read(plan.delta, where="δ")
    ws.seed = ws.seed if plan.seed is None else plan.seed
    ws.plan.rewrite(plan.tiers, ws.setting)


def _usable(sizes: str, labels: tuple[str, ...]) -> str:
    """Expected sizes that are those of this statistic's groups, else nothing."""
    return sizes if readable(sizes, labels) else ""
