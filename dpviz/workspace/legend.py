"""How the tier that gets them reads the numbers of a structured session: names, unit, accuracy."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from dpviz.release import LedgerEntry

Reach = Callable[[LedgerEntry], Any]  # a number for all of them, or one for each


def _nothing(_level: float) -> float:
    return 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Legend:
    """What stands beside the numbers of a session, where somebody reads them.

    Attributes:
        one: what one of them is called.
        many: what several of them are called.
        columns: what their names are, and what they are, at the head of a table.
        noun: their unit.
        says: a sentence on how to read them, where they have no ±.
        half: of a release, how far off each number by itself may be with the usual confidence, in
            units; None for what has no such ±, such as a place in a list.
        offset: mean of the noise in the numbers at a level, in steps: to be subtracted.
    """

    one: str = "number"
    many: str = "numbers"
    columns: tuple[str, str] = ("name", "number")
    noun: str = ""
    says: str = ""
    half: Reach | None = None
    offset: Callable[[float], Any] = _nothing


NUMBERS = Legend()
