"""The unit of privacy, rows and numbers have names: words, which are no part of a statistic."""

import re
from dataclasses import fields

import pytest

from dpviz.errors import DataError, ParameterError
from dpviz.queries import (
    BoundedMean,
    BoundedSum,
    Bounds,
    ByColumn,
    Count,
    Everybody,
    ItemCounts,
    Nouns,
    TextCounts,
    Words,
)
from dpviz.queries.nouns import LONGEST
from dpviz.words.grammar import a
from tests.conftest import for_each

CARRIERS = ByColumn("carrier", ("UA", "AA"))
PLANES = Nouns(one="aircraft", many="aircraft", row="flight", rows="flights", measure="minutes")
OF_PLANES = Bounds("tail", 2, 3, nouns=PLANES)
QUERIES = (
    Count(CARRIERS, OF_PLANES),
    Count(CARRIERS, Bounds("tail", nouns=PLANES)),
    Count(Everybody(), Bounds(nouns=PLANES)),
    BoundedSum("delay", 0, 60, CARRIERS, OF_PLANES),
    BoundedMean("delay", 0, 60, CARRIERS, OF_PLANES),
    TextCounts("tail", Bounds(nouns=PLANES)),
    ItemCounts("word", Words(3), Bounds("tail", 2, 3, nouns=PLANES)),
)


def test_a_statistic_speaks_of_its_unit_and_of_nobody_else():
    assert OF_PLANES.unit == "one aircraft = all flights with the same “tail”"
    assert Bounds(nouns=PLANES).unit == "one aircraft = one flight"
    assert OF_PLANES.neighbours == "add or remove one aircraft"
    said = [q.statistic for q in QUERIES]
    assert said[:5] == [
        "number of flights per group of “carrier”",
        "number of aircraft per group of “carrier”",
        "number of aircraft",
        "sum of “delay” in minutes per group of “carrier”, each flight at most 60",
        "mean of “delay” in minutes per group of “carrier”, each flight at most 60",
    ]
    assert [q.noun for q in QUERIES[3:5]] == ["minutes", "minutes"]
    assert QUERIES[4].noun_released == "flights"
    for query in QUERIES:
        text = f"{query.statistic} {query.contribution} {query.bounds.neighbours} {query.noun}"
        assert not re.search(r"\b(persons?|people|rows?)\b", text.lower()), text
    with pytest.raises(DataError, match="the column that names the aircraft cannot also"):
        Count(ByColumn("tail", ("a", "b")), OF_PLANES)


def test_words_make_no_other_statistic():
    for query in QUERIES:
        plain = type(query)(
            **{
                f.name: getattr(query, f.name)
                for f in fields(query)
                if f.init and f.name != "bounds"
            },
            bounds=Bounds(
                query.bounds.person, query.bounds.groups_per_person, query.bounds.rows_per_group
            ),
        )
        assert plain == query
        assert hash(plain) == hash(query)
        assert plain.nouns != query.nouns if hasattr(query, "nouns") else True
        assert plain.statistic != query.statistic


@for_each(
    ("words", "refusal"),
    [
        ({"one": ""}, "Name of one unit: nothing is typed. Type a word, such as aircraft"),
        ({"many": " \n"}, "Name of several units: nothing is typed"),
        ({"row": "x" * (LONGEST + 1)}, "it has more than 24 letters"),
        ({"one": "<b>x</b>"}, "“<” is no letter"),
        ({"rows": "a*b"}, "“\\*” is no letter"),
        ({"one": "$x$"}, "“\\$” is no letter"),
        ({"one": "www.evil.org"}, "“.” is no letter"),
        ({"many": "7 dwarfs"}, "does not read as a word"),
        ({"one": "p\u0430son"}, "does not read as a word"),
        ({"one": "a\u202eb"}, "⟨U\\+202E⟩” is no letter"),
        ({"measure": "[x](y)"}, "“\\[” is no letter"),
        ({"measure": "“cost”"}, "“““ is no letter|is no letter"),
        ({"one": 5}, "one"),
        ({"row": None}, "row"),
    ],
)
def test_what_is_no_word_is_refused_with_one_to_type(words, refusal):
    with pytest.raises(ParameterError, match=refusal) as told:
        Nouns(**words)
    assert "\n" not in str(told.value)


def test_units_of_measure_may_have_signs_and_words_their_apostrophes():
    for measure in ("€", "$", "°C", "km/h", "m²", "% of GDP", "Mio. €", ""):
        assert Nouns(measure=measure).measure == measure
    for one in ("aircraft", "ménage", "住戸", "owner's car", "co-op", "Haushalt 2"):
        assert Nouns(one=one).one == one
    assert Nouns(one="  two   words ").one == "two words"


def test_the_article_is_that_of_the_spoken_word():
    said = {a(n) for n in ("aircraft", "hour", "unit", "user", "owner", "European", "one-way trip")}
    assert said == {
        "an aircraft",
        "an hour",
        "a unit",
        "a user",
        "an owner",
        "a European",
        "a one-way trip",
    }
