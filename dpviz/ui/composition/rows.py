"""The rows of the sequence on the page Composition: kept by number, moved, added and removed.

What is typed into a row belongs to its fields, whose keys have the number of the row; a row that
moves keeps its number, and the last change can be undone with all that was typed.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from dpviz.parameters import exact
from dpviz.ui.kit.state import Slot
from dpviz.workspace.composition import ANY, EXAMPLE, MOST_PARTS, Part, from_ledger, typed
from dpviz.workspace.workspace import Workspace

Texts = tuple[str, str, str, str]  # kind, budget, how many, note


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows in order, by their numbers; what each began with; and the rows before a change."""

    order: tuple[int, ...]
    began: tuple[Texts, ...]  # by number
    before: "Rows | None" = None

    @classmethod
    def of(cls, texts: Iterable[Texts], earlier: "Rows | None" = None) -> "Rows":
        """New rows in the place of earlier ones."""
        known = earlier.began if earlier else ()
        added = tuple(texts)
        order = tuple(range(len(known), len(known) + len(added)))
        return cls(order, known + added, earlier and replace(earlier, before=None))


ROWS = Slot("composition_rows", lambda: Rows.of(EXAMPLE))


def move(number: int, by: int) -> None:
    """Move a row up or down; at an end it stays, and one that was taken away meanwhile is gone."""
    rows = ROWS.get()
    order = list(rows.order)
    if number not in order:
        return
    place = order.index(number)
    to = min(max(place + by, 0), len(order) - 1)
    order.insert(to, order.pop(place))
    ROWS.set(replace(rows, order=tuple(order)))


def remove(number: int) -> None:
    """Take a row away, if it is there."""
    rows = ROWS.get()
    if number not in rows.order:
        return
    order = tuple(n for n in rows.order if n != number)
    ROWS.set(Rows(order, rows.began, replace(rows, before=None)))


def clear() -> None:
    """Take all rows away."""
    rows = ROWS.get()
    ROWS.set(Rows((), rows.began, replace(rows, before=None)))


def add() -> None:
    """One more row at the end."""
    rows = ROWS.get()
    if len(rows.order) < MOST_PARTS:
        began = (*rows.began, (ANY.name, "0.1", "1", ""))
        ROWS.set(Rows((*rows.order, len(rows.began)), began, replace(rows, before=None)))


def example() -> None:
    """The made-up sequence."""
    ROWS.set(Rows.of(EXAMPLE, ROWS.get()))


def load(ws: Workspace) -> None:
    """What was released in the workspace, all of it."""
    ROWS.set(Rows.of(map(_texts, from_ledger(ws)), ROWS.get()))


def undo() -> None:
    """The rows before the last change."""
    before = ROWS.get().before
    if before is not None:
        ROWS.set(replace(before, began=ROWS.get().began))


def _texts(part: Part) -> Texts:
    budget = typed(part.amount) + (f", {typed(exact(part.delta))}" if part.delta else "")
    return part.answer.name, budget, str(part.count), part.note
