"""Entries, limits, and lists that were released, as JSON and back: a closed list, no code.

A record is an object with its class under "is", and its fields; floats come back to the last digit.
Limit: the names of classes and fields are the format. To rename one takes a new `FORMAT` in
`dpviz.workspace.projects.database`, and the old name is read on.
"""

import json
import math
from dataclasses import fields, is_dataclass
from datetime import date
from fractions import Fraction
from numbers import Integral, Real
from typing import Any

from dpviz.accounting import ReleaseEvent
from dpviz.accounting.guarantees import Budget
from dpviz.accounting.odometer import Limit
from dpviz.errors import ParameterError
from dpviz.release import LedgerEntry, Neighbour, Provenance, Selection
from dpviz.workspace.plan_limits import PlanLimit

_IS = "is"
NEWER = (
    "The project has something in it that this version of dpviz does not know. Install the version "
    "that wrote it"
)


class NewerError(ParameterError):
    """What was written has a class, a field or a noise that is not known here."""


_LEDGER = (Limit, PlanLimit, LedgerEntry, Budget, Neighbour, Provenance, Selection, ReleaseEvent)
KINDS: dict[str, Any] = {kind.__name__: kind for kind in _LEDGER}


def written(record: Any) -> str:
    """A record as text.

    Raises:
        ParameterError: if it holds something that is not on the list.

    >>> written(Neighbour(level=0.1, weight=1.0))
    '{"is": "Neighbour", "level": 0.1, "weight": 1.0}'
    """
    return json.dumps(_plain(record), allow_nan=False)


def read(text: str) -> Any:
    """The record that `written` made a text of.

    Raises:
        NewerError: if it has a class or a field that this version does not know.
        ParameterError: if the text is not such a one.

    >>> read(written(Neighbour(level=0.1, weight=1.0)))
    Neighbour(level=0.1, weight=1.0)
    """
    try:
        return _made(json.loads(text))
    except NewerError:
        raise
    except (ValueError, LookupError, TypeError, ArithmeticError, RecursionError):
        raise ParameterError("this is no record of a project that this version knows") from None


def _plain(value: Any) -> Any:
    """What JSON writes for a value; a class that is not on the list is refused."""
    if value is None or isinstance(value, bool | str):
        return value
    if isinstance(value, Fraction):
        return {_IS: "Fraction", "of": str(value)}
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real) and math.isfinite(value):
        return float(value)
    if isinstance(value, date):
        return {_IS: "date", "of": value.isoformat()}
    if isinstance(value, tuple | list):
        return [_plain(each) for each in value]
    name = type(value).__name__
    if is_dataclass(value) and KINDS.get(name) is type(value):
        return {_IS: name} | {
            f.name: _plain(getattr(value, f.name)) for f in fields(value) if f.init
        }
    raise ParameterError(f"A project cannot keep a {name}; work in a workspace without a project")


def _made(found: Any) -> Any:
    """The value that JSON was written for; whatever does not fit raises something."""
    if isinstance(found, list):
        return tuple(_made(each) for each in found)
    if not isinstance(found, dict):
        return found
    name = found.pop(_IS)
    if name == "Fraction":
        return Fraction(found["of"])
    if name == "date":
        return date.fromisoformat(found["of"])
    kind = KINDS.get(name)
    if kind is None or found.keys() - {f.name for f in fields(kind)}:
        raise NewerError(NEWER)
    return kind(**{field: _made(value) for field, value in found.items()})
