"""`dpviz plan check`: look at a plan file without the dashboard, alone or with a table.

It draws nothing, and of a table it looks at the names of the columns, and at the form that all
values of a column have, as the page Data does before anybody asked for counts. The library is
loaded within the command, once it is known what is asked: it takes a second.
"""

import sys
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from dpviz.command.kept import (
    FILE,
    FILES,
    JSON,
    UNREADABLE,
    as_before,
    ending,
    how_read,
    in_json,
    read_plan,
)

if TYPE_CHECKING:
    from dpviz.data import Table
    from dpviz.workspace.account import Composed
    from dpviz.workspace.plan_file import FurtherStatistic, PlanFile
    from dpviz.workspace.reading_check import Remark

MISFIT = 1  # what the shell gets


@click.group()
def plan() -> None:
    """Work with plan files."""


@plan.command()
@click.argument("file", type=FILE)
@click.option("--table", type=FILE, help=f"{FILES}; to use the plan on")
@how_read
@JSON
def check(file: Path, table: Path | None, how: Mapping[str, Any], as_json: bool) -> None:
    """Say what the plan in FILE publishes, for whom, and what it costs.

    Of a table it says, by the form of its values alone, which groups cannot be in it, and which
    column most values of are read as nothing. It tells no number of rows.

    Ends with 0 if the plan can be used, 1 if it does not fit the table, and 2 if the plan or the
    table cannot be read. Nothing is drawn.
    """
    from dpviz.data import read_table
    from dpviz.workspace.plan_file import misfits

    with ending(UNREADABLE, as_json):
        found = read_plan(file)
        how = as_before(table, found.table, found.how, how)
        read = read_table(table, **how) if table else None
        wrong = misfits(found, read) if read else []
        remarks = _remarks(found, read) if read and not wrong else []
        wrong += [remark.text for remark in remarks if remark.weight == "wrong"]
        said = [remark.text for remark in remarks if remark.weight != "wrong"]
    if as_json:
        click.echo(in_json({**_facts(found), "misfits": wrong, "remarks": said}))
    else:
        click.echo("\n".join([*_sentences(found, wrong, table), *said]))
    sys.exit(MISFIT if wrong else 0)


@plan.command()
def schema() -> None:
    """Print the format of plan files as a JSON Schema."""
    from dpviz.workspace.plan_file import json_schema

    click.echo(in_json(json_schema()))


def _remarks(found: "PlanFile", table: "Table") -> "list[Remark]":
    """How the columns of a table are read under a plan, by their form alone."""
    from dpviz.queries.reading_check import misread
    from dpviz.workspace.reading_check import Remark, said_total, said_unchecked

    read = table.read_as(dict(found.readings))
    queries = (found.query, *(one.query for one in found.further))
    refused = [Remark(f"{text}.", "wrong") for query in queries for text in misread(query, read)]
    unchecked = {said.text: said for query in queries for said in said_unchecked(query, read)}
    return [*refused, *unchecked.values(), *said_total(read)]


def _facts(found: "PlanFile") -> dict[str, Any]:
    """What a plan says and what it costs, for programs."""
    from dpviz.planning.budgets import ACCURACY_CONFIDENCE
    from dpviz.workspace.account import of_tiers

    planned, query = found.planned, found.query
    together, fresh = of_tiers(planned, found.family_name, found.setting.delta)
    return {
        "table": found.table,
        "file": found.how.chosen,
        "columns": list(found.columns),
        "statistic": query.statistic,
        "numbers": len(query.labels),
        "unit": query.unit,
        "unsaid": found.unsaid,
        "neighbours": query.neighbours,
        "noise": found.family_name,
        "mode": found.mode,
        "delta": found.delta,
        "confidence": ACCURACY_CONFIDENCE,
        "tiers": [
            {
                "name": p.name,
                "typed": {"amount": p.tier.amount, "kind": p.tier.kind},
                "loss": asdict(of_tiers([p], found.family_name, found.setting.delta)[0]),
                "half_width": p.budget.half_width,
            }
            for p in planned
        ],
        "half_width_of": query.noun_released,
        "name": found.name,
        "further": [
            {
                "name": one.name,
                "statistic": one.query.statistic,
                "noise": found.noise_of(one),
                "tiers": [
                    {"name": p.name, "half_width": p.budget.half_width}
                    for p in found.planned_of(one)
                ],
            }
            for one in found.further
        ],
        "together": asdict(together),
        "with_fresh_noise": asdict(fresh),
        "in_all": [
            {
                "statistics": [one.query.statistic for one in same],
                "tiers": [
                    {"name": name, "loss": asdict(loss)} for name, loss in told.tiers.items()
                ],
                "together": asdict(told.together),
            }
            for same, told in _in_all(found)
        ],
    }


def _in_all(found: "PlanFile") -> "list[tuple[list[PlanFile | FurtherStatistic], Composed]]":
    """What tiers learn by all statistics that protect the same unit, where there are several."""
    from dpviz.workspace.account import composed, unit_of

    units: dict[Hashable, list[PlanFile | FurtherStatistic]] = {}
    stated: list[PlanFile | FurtherStatistic] = [found, *found.further]
    for one in stated:
        units.setdefault(unit_of(one.query.bounds), []).append(one)
    names = [tier.name for tier in found.tiers]
    return [
        (
            same,
            composed(
                names,
                [(found.setting_of(one), found.planned_of(one)) for one in same],
                found.setting.delta,
            ),
        )
        for same in units.values()
        if len(same) > 1
    ]


def _sentences(found: "PlanFile", wrong: Sequence[str], table: Path | None) -> list[str]:
    """What a plan says and what it costs, for people."""
    from dpviz import words
    from dpviz.data import quoted
    from dpviz.workspace.account import of_tiers
    from dpviz.workspace.takeaways import loss_words, unit_after

    planned, query, setting = found.planned, found.query, found.setting
    together, fresh = of_tiers(planned, found.family_name, setting.delta)
    mode = "practice mode: no privacy claim" if found.mode == "teaching" else "hardened mode"
    names = [words.visible(p.name) for p in planned]
    losses = [loss_words(of_tiers([p], found.family_name, setting.delta)[0]) for p in planned]
    nears = [words.within(p.budget.half_width, unit_after(query)) for p in planned]
    wide, long = (max(map(len, column)) for column in (names, losses))
    fit = [f"It fits {quoted(table.name)}."] if table and not wrong else list(wrong)
    return [
        f"A plan for {quoted(found.table)}, in {mode}.",
        *([f"The file is read {found.how.described}."] if found.how.described else []),
        f"Published: {query.statistic}.",
        f"Protected: {query.unit}; neighbouring tables: {query.neighbours}.",
        f"Noise: {setting.family.label}, at δ = {found.delta}.",
        "Tiers, most private first, and how near each number comes, 95 times in 100:",
        *(
            f"  {name:<{wide}}  {loss:<{long}}  {near}"
            for name, loss, near in zip(names, losses, nears, strict=True)
        ),
        f"All tiers together tell {loss_words(together)}; with separate noise they would "
        f"tell {loss_words(fresh)}.",
        *_further(found),
        *([f"{found.unsaid}."] if found.unsaid else []),
        *fit,
    ]


def _further(found: "PlanFile") -> list[str]:
    """The other statistics of a plan, and what the tiers learn by all of one unit together."""
    from dpviz import words
    from dpviz.workspace.takeaways import loss_words

    said = [
        f"Published, too, with budgets of its own: {one.query.statistic}." for one in found.further
    ]
    for same, told in _in_all(found):
        each = [f"{words.visible(name)} {loss_words(loss)}" for name, loss in told.tiers.items()]
        said.append(
            f"By {len(same)} statistics together, where {same[0].query.unit}: "
            f"{words.join(each)}; all tiers {loss_words(told.together)}."
        )
        if told.left_out:
            said.append(
                f"Left out, without a budget for each of them: {words.join(told.left_out)}."
            )
    return said
