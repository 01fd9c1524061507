"""Which stream a practice session draws from: that of its seed and of everything it is asked.

    seed → what is asked → which session of this question → (the tab)

Two tabs with one seed that ask the same question get the same numbers, in whatever order; two
questions that differ in anything share no noise, so nothing of it can be subtracted. What repeats
an order of asking only (sparse histograms, reports by RAPPOR) draws below the tab's own number.
Why that is safe: docs/DECISIONS.md, "A seed belongs to a tab".
"""

import math
from collections.abc import Hashable, Iterable
from dataclasses import fields, is_dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np

from dpviz import streams
from dpviz.workspace.sessions import Asking, Session


def stream_of(asking: Asking, seed: int, tab: int, before: Iterable[Session]) -> tuple[int, ...]:
    """Seed and path of the generator of a session that is opened now.

    Args:
        asking: what it is asked for.
        seed: of the workspace.
        tab: the workspace's own number, which no other one has.
        before: the sessions that were opened, also those that are closed.
    """
    asked = (seed, *streams.named(said(asking.key, asking.laid)))
    number = 1 + sum(one.stream[: len(asked)] == asked for one in before)
    return (*asked, number, *(() if asking.any_order else (tab,)))


def generator(stream: tuple[int, ...]) -> np.random.Generator:
    """The generator of a stream; without a stream, a hardened one."""
    return streams.teaching(*stream) if stream else streams.hardened()


def said(*parts: Hashable) -> str:
    """What makes a question, as text: equal for equal parts and for no others, on any machine.

    Raises:
        TypeError: if a part is nothing that a question is made of; a fault in the code.

    >>> from dpviz.queries import ByColumn
    >>> said(ByColumn("ward", ("A", "B")), 1.0)
    "(ByColumn('ward', ('A', 'B')), 1)"
    """
    return f"({', '.join(map(_written, parts))})"


def _written(part: Any) -> str:
    if isinstance(part, tuple):
        return said(*part)
    if is_dataclass(part) and type(part).__eq__ is not object.__eq__:
        # by what tells two of them apart, as names of groups do not
        return type(part).__name__ + said(
            *(getattr(part, f.name) for f in fields(part) if f.compare)
        )
    if part is None or isinstance(part, str):
        return repr(part)
    if isinstance(part, int | float | Fraction | Decimal):
        return str(Fraction(part)) if math.isfinite(part) else repr(float(part))
    raise TypeError(f"a question is not made of {type(part).__name__}")
