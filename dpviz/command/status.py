"""`dpviz status`: the tiers of a project, what each holds, and what everything has cost."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from dpviz.command.kept import JSON, NAME, PLACE, UNREADABLE, ending, in_json, opened

if TYPE_CHECKING:
    from dpviz.workspace import Workspace


@click.command()
@NAME
@PLACE
@JSON
def status(name: str, place: str | None, as_json: bool) -> None:
    """Say what each tier of a project holds, what was lost in all, and whether it is sealed.

    It shows no released number. Ends with 0, or with 2 if the project cannot be read.
    """
    with ending(UNREADABLE, as_json), closing(opened(name, place)) as ws:
        told = facts(name, ws)
    click.echo(in_json(told) if as_json else "\n".join(sentences(told)))


def facts(name: str, ws: "Workspace") -> dict[str, Any]:
    """What a project says of itself, for programs; no released number is in it.

    Args:
        name: of the project.
        ws: the workspace that is open on it.
    """
    from dpviz.noise import ADDITIVE
    from dpviz.workspace import account
    from dpviz.workspace.facts import entry_budget, stated

    held = {(t.name, t.level) for t in ws.values_of_tiers if t.values is not None}
    return {
        "project": name,
        "table": ws.statistic.data,
        "statistic": ws.statistic.query.statistic,
        "unit": ws.statistic.query.unit,
        "neighbours": ws.statistic.query.neighbours,
        "noise": ws.family.label,
        "delta": ws.delta,
        "sealed": ws.round is not None and ws.round.mechanism.sealed_at is not None,
        "tiers": [
            {
                "name": p.name,
                "budget": stated(p.budget),
                "half_width": p.budget.half_width,
                "released": (p.name, p.budget.level) in held,
            }
            for p in ws.planned()[0]
        ],
        "statistics": [
            {
                "name": s.name,
                "statistic": s.query.statistic,
                "noise": ADDITIVE[ws.noise_of(s)].label,
                "not_released": ws.waiting(s),
            }
            for s in ws.statistics
        ],
        "releases": [
            {
                "tier": e.tier,
                "budget": entry_budget(e),
                "session": e.session,
                "statistic": ws.session_of(e).asking.statistic,
                "table": ws.session_of(e).asking.data,
                "drawn": e.drawn.isoformat(),
            }
            for e in ws.ledger
        ],
        "losses": [{"unit": unit, **asdict(loss)} for unit, loss in account.by_unit(ws).items()],
    }


def sentences(told: dict[str, Any]) -> Iterator[str]:
    """What `facts` found, for people.

    Args:
        told: those facts.
    """
    from dpviz import words
    from dpviz.accounting.composition import JointLoss
    from dpviz.data import quoted
    from dpviz.workspace.takeaways import cost_words

    sealed = "sealed: no tier can get a sharper release" if told["sealed"] else "not sealed"
    yield f"The project {quoted(told['project'])}: {told['statistic']}."
    yield f"Table: {words.visible(told['table'])}. Session: {sealed}."
    yield f"Protected: {told['unit']}; noise: {told['noise']}."
    yield "Tiers, most private first:"
    wide = max((len(words.visible(tier["name"])) for tier in told["tiers"]), default=0)
    for tier in told["tiers"]:
        has = "released" if tier["released"] else "not released"
        yield f"  {words.visible(tier['name']):<{wide}}  {tier['budget']}  {has}"
    for number, one in enumerate(told["statistics"], start=1):
        if len(told["statistics"]) > 1:
            waits = words.join([words.visible(tier) for tier in one["not_released"]]) or "nobody"
            yield f"Statistic {number}: {words.visible(one['name'])}; waiting: {waits}."
    if not told["releases"]:
        yield "Nothing has been released, so nothing is lost."
        return
    yield "Releases:"
    for one in told["releases"]:
        yield (
            f"  {words.visible(one['tier'])}: {one['statistic']}, {one['budget']}, "
            f"session {one['session']}, {one['drawn']}"
        )
    for loss in told["losses"]:
        numbers = {key: loss[key] for key in ("value", "delta", "definition", "method")}
        yield f"Lost in all, where {loss['unit']}: {cost_words(JointLoss(**numbers))}."
