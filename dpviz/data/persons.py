"""Which columns may name a person, told by their names and kinds alone, never by their values.

Limits: a guess from words, English and German, for the order of a list and for a warning; it
decides nothing.
"""

import re
from collections.abc import Iterable

from dpviz.data.table import Column

_WORD = re.compile(r"[A-ZÄÖÜ]?[a-zäöüß]+|[A-ZÄÖÜ]+(?![a-zäöüß])")
_PERSON = re.compile(
    "((account|aircraft|card|case|client|customer|device|employee|family|household|kennung|kunden?|"
    "login|member|nummer|owner|participant|passport|patient|person|plate|pupil|respondent|student|"
    "subject|tail|user|worker)(id|name|num|nummer)?)|id|uuid|e?mail|name|nr|phone|pid|ssn"
)
_MEASURE = re.compile(
    "age|alter|amount|betrag|cost|count|date|datum|day|delay|distance|duration|height|hour|jahr|"
    "latitude|length|longitude|minutes?|monat|month|pay|percent|price|quarter|rate|salary|score|"
    "share|stunde|sum|tag|temperature|time|total|uhrzeit|wage|week|weekday|weight|year|zeit"
)


def may_name_a_person(column: Column) -> bool:
    """Whether the name of a column is one of an identifier.

    >>> [may_name_a_person(Column(n, "text")) for n in ("patient_id", "userId", "region")]
    [True, True, False]
    """
    return _has(_PERSON, column.name)


def is_no_person(column: Column) -> bool:
    """Whether the name or the kind of a column is one of a date or a measure.

    >>> [is_no_person(Column(n, "whole number")) for n in ("year", "person", "year of patient")]
    [True, False, False]
    """
    if column.kind in ("date", "time", "yes/no", "number"):
        return True
    return _has(_MEASURE, column.name) and not may_name_a_person(column)


def persons_first(columns: Iterable[Column]) -> list[str]:
    """Names of columns, those that may name a person first; else in the order of the file.

    >>> persons_first([Column("year", "whole number"), Column("tailnum", "text")])
    ['tailnum', 'year']
    """
    return [c.name for c in sorted(columns, key=lambda c: not may_name_a_person(c))]


def _has(shape: re.Pattern[str], name: str) -> bool:
    return any(shape.fullmatch(word.lower()) for word in _WORD.findall(name))
