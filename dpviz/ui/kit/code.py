"""The same in Python: code samples that reproduce, with the library, what a page shows.

Each is a complete program; a test executes it and compares the numbers.
"""

import ast
import inspect
import sys
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from fractions import Fraction
from types import FunctionType, ModuleType
from typing import Any

from dpviz.data import Table
from dpviz.noise import FAMILIES
from dpviz.workspace.sessions import Asking, Session, Statistic
from dpviz.workspace.workspace import Workspace

HARDENED = "# Hardened draws cannot be repeated: these are fresh ones, of the same kind."
STREAMS = "from dpviz import streams"
Imports = set[tuple[str, str]]  # of a module, and of what in it; "" for all of it
SEALED = "# The session on screen is sealed; this one draws afresh: new numbers from the table."


class Text(str):
    """A setting of a recipe as an expression of its own, such as a table that is loaded.

    Args:
        text: the expression.
        before: lines that it needs, such as imports.
    """

    before: tuple[str, ...]

    def __new__(cls, text: str, before: tuple[str, ...] = ()) -> "Text":
        """Make a text of the expression."""
        made = super().__new__(cls, text)
        made.before = before
        return made


def seeded(*path: int) -> Text:
    """The generator of made-up numbers, as an expression with its import.

    >>> seeded(31, 7)
    'streams.teaching(31, 7)'
    """
    return Text(f"streams.teaching{path}", before=(STREAMS,))


def generator(ws: Workspace, asking: Asking) -> Text:
    """The generator of a session, or of the one that would come next, as Python."""
    if ws.mode == "hardened":
        return Text("streams.hardened()", before=(STREAMS,))
    one = ws.find(asking.key)
    return Text(f"streams.teaching{one.stream if one else ws.next_stream(asking)}", (STREAMS,))


def drawn_again(ws: Workspace, asking: Asking, one: Session | None) -> dict[str, object]:
    """With what a session draws the same again: generator, order, and why it would not be the same.

    Args:
        ws: where it is.
        asking: what it was opened for.
        one: the session; None before the first draw.
    """
    rng = generator(ws, asking)
    remarks = (HARDENED,) * (ws.mode == "hardened") + if_sealed(one)
    return {
        "rng": Text(rng, before=(*rng.before, *remarks)),
        "any_order": asking.any_order and ws.mode == "teaching",
    }


def if_sealed(one: Session | None) -> tuple[str, ...]:
    """That a sealed session cannot be drawn again, as a comment; nothing for any other one."""
    return () if one is None or one.sealed_at is None else (SEALED,)


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


def values_code(table: Table, loading: str, query: Any) -> Text:
    """The exact numbers that a query of any kind has on a table, with the lines that load it."""
    return Text("query.values(table)", before=(_asked(table, loading, query),))


def query_code(statistic: Statistic) -> str:
    """Load the table and state the query; defines `table` and `query`."""
    return _asked(statistic.table, statistic.loading, statistic.query)


def _asked(table: Table, loading: str, query: Any) -> str:
    names = sorted(_classes(query))
    imports, loaded = table_code(table, loading, query.columns)
    return "\n".join(
        [
            imports,
            f"from dpviz.queries import {', '.join(names)}",
            "",
            loaded,
            f"query = {_written(query)}",
        ]
    )


def query_text(statistic: Statistic) -> Text:
    """The query as a setting of a recipe, after the lines that load its table."""
    before, query = query_code(statistic).split("\nquery = ")
    return Text(query, tuple(line for line in before.split("\n") if line))


def recipe_code(recipe: Callable[..., Any], **settings: object) -> str:
    """The program that makes the numbers of a scene: what is shown is what ran.

    Args:
        recipe: a function of `dpviz.scenes`. Functions and constants of its module that it uses
            are shown with it, all else is imported.
        settings: its arguments.

    >>> from dpviz.accounting.scheme_variances import ONE_NUMBER
    >>> from dpviz.scenes.variances import ways
    >>> text = recipe_code(ways, losses=(0.1, 0.4), setting=ONE_NUMBER)
    >>> "losses = (0.1, 0.4)" in text, text.splitlines()[-2:]
    (True, ['numbers = ways(losses=losses, setting=setting)', 'print(numbers)'])
    """
    imports: Imports = set()
    shown: dict[str, str] = {}
    _gather(recipe, imports, shown)
    before = [line for s in settings.values() if isinstance(s, Text) for line in s.before]
    lines = [f"{name} = {_written(value, imports=imports)}" for name, value in settings.items()]
    call = ", ".join(f"{name}={name}" for name in settings)
    constants = [text for text in shown.values() if not text.startswith("def ")]
    sources = [text for text in shown.values() if text.startswith("def ")]
    return "\n".join(
        [
            *_import_lines(imports),
            *dict.fromkeys(before),
            "",
            *constants,
            *lines,
            *(f"\n\n{source.rstrip()}" for source in sources),
            f"\n\nnumbers = {recipe.__name__}({call})",
            "print(numbers)",
            "",
        ]
    )


def _import_lines(imports: Imports) -> list[str]:
    """Whole modules first, then a line for each module that names come from."""
    names: dict[str, list[str]] = {}
    for module, name in sorted(imports, key=lambda pair: (bool(pair[1]), pair)):
        names.setdefault(module, []).append(name)
    return [
        f"from {module} import {', '.join(each)}" if each[0] else f"import {module}"
        for module, each in names.items()
    ]


def _gather(function: Callable[..., Any], imports: Imports, shown: dict[str, str]) -> None:
    """What a function needs to run: imports; constants and functions of its module as text."""
    source, known = inspect.getsource(function), inspect.unwrap(function).__globals__
    names = {n.id for n in ast.walk(ast.parse(source)) if isinstance(n, ast.Name)}
    for name in sorted(names & set(known) - {function.__name__, *shown}):
        value = known[name]
        if isinstance(value, ModuleType):
            imports.add((f"{value.__name__} as {name}", ""))
        elif isinstance(value, FunctionType) and value.__module__ == function.__module__:
            _gather(value, imports, shown)
        elif hasattr(value, "__module__") and hasattr(value, "__name__"):
            found = getattr(sys.modules.get(value.__module__), name, None) is value
            home = value.__module__ if found else function.__module__  # an alias has no other
            imports.add((home, name))
        else:
            shown[name] = f"{name} = {_written(value, imports=imports)}"
    shown[function.__name__] = source


def _written(value: Any, indent: str = "", imports: Imports | None = None) -> str:
    """A value as Python, an argument per line; what is as by default is left out.

    What that text needs to run is added to `imports`, if given.
    """
    name = getattr(value, "name", None)
    if name in FAMILIES and FAMILIES[name] is value:
        if imports is not None:
            imports.add(("dpviz.noise", "FAMILIES"))
        return f"FAMILIES[{name!r}]"
    if isinstance(value, Text):
        return str(value)
    if isinstance(value, tuple) and any(map(is_dataclass, value)):
        lines = [f"{indent}    {_written(each, indent + '    ', imports)}," for each in value]
        return "\n".join(["(", *lines, f"{indent})"])
    if isinstance(value, tuple):
        inside = [_written(each, indent, imports) for each in value]
        return f"({', '.join(inside)}{',' * (len(inside) == 1)})"
    if imports is not None and isinstance(value, Fraction):
        imports.add(("fractions", "Fraction"))
    if not is_dataclass(value):
        return repr(value)
    if imports is not None:
        imports.add((type(value).__module__, type(value).__name__))
    inner = indent + "    "
    arguments = [
        f"{inner}{name}={_written(held, inner, imports)}," for name, held in _arguments(value)
    ]
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
