"""Invalid values cannot exist: every public record with numbers checks itself when it is made.

`tests.record_specimens` makes the arguments of one valid record of each class, by the types of its
fields and by what it says of the class. Each number in them, in arrays, tuples and mappings, too,
is replaced by what is no number: it is refused, except for what `LEGAL` names, by field.
"""

import ast
import math
from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from pathlib import Path

import numpy as np

import dpviz
from dpviz.errors import ParameterError
from tests.record_specimens import FEWER, INF, LEGAL, NAN, NEGATIVE, NONE, OWN, class_of, specimens
from tests.sources import tree

ROOT = Path(dpviz.__file__).parent
ABOVE = ("ui", "scenes")  # what a page shows is made by its scene from records that are checked
STATE = (  # what changes as a visitor acts is no record; nor is what a decision alone can make
    *("workspace.book.Book", "workspace.plan.Plan", "workspace.sessions.Session"),
    *("workspace.workspace.Workspace", "workspace.local.data_market.Stall"),
    *("workspace.projects.contents.Contents", "workspace.projects.contents.KeptSession"),
    *("lossless.partial_fractions.Expansion", "lossless.series.SeriesLaw"),
)
NUMERIC = {"int", "float", "Number", "Fraction", "Decimal", "Array", "Floats", "NDArray"}
BAD = {NAN: math.nan, INF: math.inf, FEWER: -math.inf, NEGATIVE: -1, NONE: None}
BAD |= {"text": "text", "no float": -(10**400)}


@lru_cache
def records():
    """The public dataclasses with a field of numbers that are checked, as room.file.Class."""
    found = []
    for path in sorted(ROOT.rglob("*.py")):
        parts, text = path.relative_to(ROOT).with_suffix("").parts, path.read_text(encoding="utf-8")
        if parts[0] in ABOVE or "dataclass" not in text:
            continue
        for node in tree(text).body:
            if not isinstance(node, ast.ClassDef) or node.name.startswith("_"):
                continue
            made = any("dataclass" in ast.unparse(each) for each in node.decorator_list)
            if made and any(map(holds_numbers, node.body)):
                found.append(".".join((*parts, node.name)))
    return [name for name in found if name not in STATE]


def holds_numbers(statement):
    """Whether it is a field of numbers, and neither a fact of the class nor a function."""
    if not isinstance(statement, ast.AnnAssign):
        return False
    names = {each.id for each in ast.walk(statement.annotation) if isinstance(each, ast.Name)}
    return bool(names & NUMERIC) and not names & {"ClassVar", "Callable"}


def spoiled(value):
    """The value with one number replaced: pairs of what it is now, and the new value."""
    if isinstance(value, bool | str | None):
        return
    if isinstance(value, int | float | Fraction):
        yield from BAD.items()
    elif isinstance(value, np.ndarray):
        yield from spoiled_array(value)
    elif isinstance(value, Mapping):
        yield from (
            (what, {**value, key: other})
            for key, held in value.items()
            for what, other in spoiled(held)
        )
    elif isinstance(value, tuple | list):
        yield from (
            (what, type(value)((*value[:place], other, *value[place + 1 :])))
            for place, held in enumerate(value)
            for what, other in spoiled(held)
        )


def spoiled_array(value):
    for what in (NAN, INF, FEWER, NEGATIVE):
        changed = value.astype(float)
        changed.flat[0] = BAD[what]
        yield what, changed
    yield "text", value.astype(str)
    yield "another shape", value[None]
    yield "no array", "text"


def outcome(name, arguments):
    """What becomes of these arguments: "made", "refused", or another error."""
    try:
        class_of(name)(**arguments)
    except ParameterError:
        return "refused"
    except Exception as error:
        return repr(error)
    return "made"


SPECIMENS = specimens(records())


def test_what_is_said_of_a_record_is_said_of_one_that_is_there():
    assert len(SPECIMENS) > 150
    assert {*OWN, *LEGAL} <= set(SPECIMENS)


def test_no_record_holds_what_is_no_number():
    for name, specimen in SPECIMENS.items():
        assert outcome(name, specimen) == "made", (
            name,
            "say in tests/record_specimens.py what its fields need beyond a value of their types",
        )
        found = {}
        for field, value in specimen.items():
            for what, other in spoiled(value):
                ends = outcome(name, {**specimen, field: other})
                found.setdefault((field, what), set()).add(ends)
        allowed = {(f, what) for f, whats in LEGAL.get(name, {}).items() for what in whats}
        legal = [key for key, ends in found.items() if ends != {"refused"}]
        assert {*legal} <= allowed, (name, found)
        assert {key for key in allowed if "made" not in found[key]} == set(), name
