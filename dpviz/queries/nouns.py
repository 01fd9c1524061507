"""What one unit of privacy, one row and a number are called: words, which change no number.

A table need not be one of people: its unit may be the household or the aircraft, its rows flights,
its numbers minutes. Two statistics that differ in words alone are the same statistic.
"""

import unicodedata
from dataclasses import dataclass, fields
from typing import Any

from dpviz import checks
from dpviz.errors import ParameterError
from dpviz.words.grammar import a
from dpviz.words.names import visible

LONGEST = 24  # characters; a longer word is cut beside a number in a picture
_LETTERS, _APOSTROPHES = ("L", "M", "N", "Zs", "Pd"), "'’"  # of a word: nothing that is markup
_SYMBOLS, _SIGNS = ("Sc", "So"), "./%·()"  # of a unit besides, such as "€", "°C", "km/h"
FIELDS = {
    "one": "one unit",
    "many": "several units",
    "row": "one row",
    "rows": "several rows",
    "measure": "the unit of the number",
}
_EXAMPLES = {
    "one": "aircraft",
    "many": "households",
    "row": "flight",
    "rows": "flights",
    "measure": "minutes",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Nouns:
    """The words for the unit of privacy, for rows, and for the unit of a number.

    Attributes:
        one: the unit of privacy, one of them.
        many: several of them.
        row: one row of the table.
        rows: several rows.
        measure: what the clipped column is measured in, such as "minutes" or "€"; "": not said.

    Raises:
        ParameterError: if a word is empty, too long, or has signs that no word has.

    >>> plane = Nouns(one="aircraft", many="aircraft", row="flight", rows="flights")
    >>> plane.a_unit, plane.each, Nouns().a_unit
    ('an aircraft', 'each aircraft', 'a person')
    """

    one: str = "person"
    many: str = "people"
    row: str = "row"
    rows: str = "rows"
    measure: str = ""

    def __post_init__(self) -> None:
        for each in fields(self):
            word = _checked(each.name, getattr(self, each.name))
            object.__setattr__(self, each.name, word)

    @property
    def of_people(self) -> bool:
        """Whether the unit is a person, of whom one may say "somebody"."""
        return self.one == "person"

    @property
    def a_unit(self) -> str:
        """One of the units, whichever: "an aircraft"."""
        return a(self.one)

    @property
    def each(self) -> str:
        """Every unit by itself: "each aircraft"."""
        return f"each {self.one}"

    @property
    def units(self) -> dict[str, str]:
        """Several of a unit → one of it, for those words that change with the number."""
        return {self.many: self.one, self.rows: self.row}


def _checked(name: str, word: Any) -> str:
    """A word without blanks at its ends, refused if it cannot be used."""
    checks.instance(str, **{name: word})
    text, unit = " ".join(word.split()), name == "measure"
    what, instead = f"Name of {FIELDS[name]}", f"Type a word, such as {_EXAMPLES[name]}"
    if not text and not unit:
        raise ParameterError(f"{what}: nothing is typed. {instead}")
    if len(text) > LONGEST:
        raise ParameterError(f"{what}: it has more than {LONGEST} letters. {instead}")
    wrong = [c for c in text if not _belongs(c, unit=unit)]
    if wrong:
        raise ParameterError(f"{what}: “{visible(wrong[0])}” is no letter. {instead}")
    if visible(text) != text or not (unit or text[0].isalpha()):
        raise ParameterError(f"{what}: it does not read as a word. {instead}")
    return text


def _belongs(character: str, *, unit: bool) -> bool:
    """Whether a character may be in a word, or in a unit, which is shown as a column's name is."""
    kinds = (*_LETTERS, *_SYMBOLS) if unit else _LETTERS
    signs = _APOSTROPHES + _SIGNS if unit else _APOSTROPHES
    return character in signs or unicodedata.category(character).startswith(kinds)


PERSON = Nouns()
