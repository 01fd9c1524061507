"""The same in Python: code samples that reproduce, with the library, what a page shows.

Each is a complete program; a test executes it and compares the numbers.
"""

from collections.abc import Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from dpviz.data import Table
from dpviz.planning.tiers import PlannedTier
from dpviz.workspace.sessions import Asking, Session, Statistic
from dpviz.workspace.workspace import Workspace

HARDENED = "# Hardened draws cannot be repeated: these are fresh ones, of the same kind."
SEALED = "# The session on screen is sealed; this one draws afresh: new numbers from the table."


def generator(ws: Workspace, asking: Asking) -> str:
    """The generator of a session, or of the one that would come next, as Python."""
    if ws.mode == "hardened":
        return "streams.hardened()"
    one = ws.find(asking.key)
    return f"streams.teaching{one.stream if one else ws.next_stream(asking)}"


def in_any_order(ws: Workspace, asking: Asking) -> str:
    """The argument, after others, by which a practice session gives its numbers in any order."""
    return ", any_order=True" if asking.any_order and ws.mode == "teaching" else ""


def if_sealed(one: Session | None) -> list[str]:
    """That a sealed session cannot be drawn again, as a comment; nothing for any other one."""
    return [] if one is None or one.sealed_at is None else [SEALED]


def table_code(table: Table, loading: str, columns: Sequence[str]) -> tuple[str, str]:
    """The import and the line that load a table, read as it is where these columns are used.

    Args:
        table: with its readings.
        loading: how the library loads it, a Python expression.
        columns: on which the numbers depend.
    """
    load = loading.split("(")[0]
    asked = dict(table.readings_of(columns))
    if not asked:
        return f"from dpviz.data import {load}", f"table = {loading}"
    readings = "".join(f"    {n!r}: {_on_one_line(how)},\n" for n, how in asked.items())
    return (
        f"from dpviz.data import Reading, {load}",
        f"table = {loading}.read_as({{\n{readings}}})",
    )


def query_code(statistic: Statistic) -> str:
    """Load the table and state the query; defines `table` and `query`."""
    names = sorted(_classes(statistic.query))
    imports, table = table_code(statistic.table, statistic.loading, statistic.query.columns)
    return "\n".join(
        [
            imports,
            f"from dpviz.queries import {', '.join(names)}",
            "",
            table,
            f"query = {_written(statistic.query)}",
        ]
    )


def sensitivity_code(statistic: Statistic) -> str:
    """What the Data page shows; defines `sensitivity`."""
    return query_code(statistic) + "\nsensitivity = query.sensitivity\nprint(sensitivity)\n"


def plan_code(ws: Workspace, planned: Sequence[PlannedTier]) -> str:
    """From what was typed to noise levels and accuracies; defines `budgets`."""
    tiers = [f"    ({p.name!r}, {p.tier.kind!r}, {p.tier.amount!r})," for p in planned]
    imports, body = query_code(ws.statistic).split("\n\n")
    query = body.split("\n", 1)[1]
    return "\n".join(
        [
            "from dpviz.planning.budgets import Setting, read_amount, resolve",
            "from dpviz.noise import FAMILIES",
            imports.split("\n")[1],
            "",
            query,
            "setting = Setting(",
            f'    family=FAMILIES["{ws.family_name}"],',
            f"    delta={ws.delta!r},",
            "    sensitivity=query.sensitivity,",
            "    dimension=query.dimension,",
            "    step=query.step,",
            "    directions=query.directions,",
            ")",
            "tiers = [",
            *tiers,
            "]",
            "budgets = {",
            "    name: resolve(kind, read_amount(kind, text, where=name), setting)",
            "    for name, kind, text in tiers",
            "}",
            "for name, budget in budgets.items():",
            "    print(name, budget.letter, budget.loss, budget.level, budget.half_width)",
            "",
        ]
    )


def release_code(ws: Workspace) -> str:
    """Draw the same releases in the same order; defines `session`.

    After sealing the exact numbers are gone, so the sample says that it draws afresh.
    """
    one = ws.round
    statistic = one.statistic if one else ws.statistic
    asking = one.asking if one else statistic.asking(ws.family_name)
    sealed_at = one.mechanism.sealed_at if one else None
    imports, body = query_code(statistic).split("\n\n")
    lines = [
        "from dpviz import streams",
        imports,
        "from dpviz.noise import FAMILIES",
        "from dpviz.release import MultipleRelease",
        "",
        body,
        "session = MultipleRelease(",
        "    query.values(table),",
        f'    FAMILIES["{asking.family.name}"],',
        f"    rng={generator(ws, asking)}{in_any_order(ws, asking)},",
        ")",
    ]
    if ws.mode == "hardened":
        lines.append(HARDENED)
    lines += if_sealed(one)
    lines += [f"session.release({level!r})" for level in ws.levels_of(one)]
    if sealed_at is not None:
        lines.append(f"session.seal({sealed_at!r})")
    lines.append("for level in session.levels:")
    lines.append("    debiased = session.release(level) - session.family.mean(level)")
    lines.append("    print(level, query.estimate(debiased))")
    return "\n".join([*lines, ""])


def _written(value: Any, indent: str = "") -> str:
    """A query as Python, an argument per line; what is as by default is left out."""
    if not is_dataclass(value):
        return repr(value)
    inner = indent + "    "
    arguments = [f"{inner}{n}={_written(held, inner)}," for n, held in _arguments(value)]
    name = type(value).__name__
    return "\n".join([f"{name}(", *arguments, f"{indent})"]) if arguments else f"{name}()"


def _on_one_line(value: Any) -> str:
    """A record as Python; what is as by default is left out."""
    arguments = ", ".join(f"{name}={held!r}" for name, held in _arguments(value))
    return f"{type(value).__name__}({arguments})"


def _arguments(value: Any) -> list[tuple[str, Any]]:
    """Names and values of what is not as by default."""
    found = [(f.name, getattr(value, f.name), f.default) for f in fields(value) if f.init]
    return [(name, held) for name, held, default in found if held != default]


def _classes(value: Any) -> set[str]:
    """Names of all classes that a query is written with: those, and no others, are imported."""
    if not is_dataclass(value):
        return set()
    inside = (_classes(held) for _, held in _arguments(value))
    return {type(value).__name__}.union(*inside)
