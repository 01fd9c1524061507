"""What people read about a query: statistic, unit, rule, formulas with their numbers, and nouns."""

import math
import re
from dataclasses import replace

import pytest

from dpviz.errors import DataError, ParameterError
from dpviz.queries import (
    BoundedMean,
    BoundedSum,
    Bounds,
    ByBins,
    ByColumn,
    ByTime,
    ByTwoColumns,
    Count,
    Everybody,
    ItemCounts,
    Nouns,
    Query,
    TextCounts,
    Words,
)
from dpviz.queries.nouns import LONGEST
from dpviz.words.grammar import a
from tests.conftest import few, for_each
from tests.unit.queries.test_pairs import configurations

WARDS = ByColumn("ward", ("d", "a", "c", "b"))
SWAP = Bounds(relation="replace")


@for_each(
    ("query", "statistic", "noun"),
    [
        (Count(WARDS), "number of people per group of “ward”", "people"),
        (
            Count(WARDS, Bounds("id"), total=True),
            "number of people per group of “ward”, and their total",
            "people",
        ),
        (Count(WARDS, Bounds("id", 1, 2)), "number of rows per group of “ward”", "rows"),
        (Count(Everybody(), Bounds("id")), "number of people", "people"),
        (
            Count(ByTwoColumns(WARDS, ByColumn("sex", ("f",)))),
            "number of people per group of “ward” × “sex”",
            "people",
        ),
        (Count(ByBins("age", (0, 1))), "number of people per bin of “age”", "people"),
        (
            Count(ByTime("when", "week", "2025-01-06", "2025-01-13")),
            "number of people per week of “when”",
            "people",
        ),
        (
            BoundedSum("euros", 0, 9, WARDS),
            "sum of “euros” per group of “ward”, each row at most 9",
            "“euros”",
        ),
        (BoundedMean("euros", 0, 1234.5), "mean of “euros”, each row at most 1,234.5", "“euros”"),
        (BoundedMean("euros", -5, 9), "mean of “euros”, each row from −5 to 9", "“euros”"),
    ],
)
def test_statistic_and_noun(query: Query, statistic: str, noun: str) -> None:
    assert (query.statistic, query.noun) == (statistic, noun)


def test_unit_and_neighbours() -> None:
    assert Count(WARDS).unit == "one person = one row"
    assert Count(WARDS, Bounds("id")).unit == "one person = all rows with the same “id”"
    assert Count(WARDS).neighbours == "add or remove one person"
    assert Count(WARDS, SWAP).neighbours == "replace one person"


@for_each(
    ("query", "rule"),
    [
        (Count(WARDS), "Each row counts at most once, in the one group that it names."),
        (Count(Everybody()), "Each row counts at most once."),
        (
            Count(WARDS, Bounds("id", 3)),
            "Each person counts at most once per group and in at most 3 groups: the first 3 in the "
            "order of the list. Rows without “id” are not counted.",
        ),
        (
            Count(WARDS, Bounds("id", 2, salt="spring")),
            "Each person counts at most once per group and in at most 2 groups: the first 2 in an "
            "order that the public salt “spring” shuffles for each person. "
            "Rows without “id” are not counted.",
        ),
        (
            Count(Everybody(), Bounds("id", salt="spring")),
            "Each person counts at most once. Rows without “id” are not counted.",
        ),
        (
            Count(WARDS, Bounds("id", 1, 5)),
            "Each person counts with at most 5 rows per group, the first in the order of the "
            "table, and in at most 1 group: the first 1 in the order of the list. "
            "Rows without “id” are not counted.",
        ),
        (
            BoundedSum("euros", 0, 100, bounds=Bounds("id")),
            "Each person counts with at most 1 row, the first in the order of the table. "
            "Rows without “id” are not counted. Rows whose “euros” is not a number are left "
            "out first. Values are clipped to the range from 0 to 100 and rounded to multiples of "
            "0.0625.",
        ),
        (
            BoundedMean("euros", 0, 100),
            "Each row counts at most once. Rows whose “euros” is not a number are left out first. "
            "Values are clipped to the range from 0 to 100, and rounded to steps of 1/1,024 of "
            "half that range.",
        ),
    ],
)
def test_contribution(query: Query, rule: str) -> None:
    assert query.contribution == rule


def computed(text: str) -> float:
    """The value of a formula with numbers, read as people read it."""
    text = re.sub(r"√(\d+)", r"√(\1)", text).replace(",", "").replace("max(0 ", "max(0, ")
    for sign, code in (("√", "sqrt"), ("·", "*"), ("−", "-"), ("²", "**2")):
        text = text.replace(sign, code)
    return float(eval(text, {"sqrt": math.sqrt}))


def test_every_formula_gives_its_number() -> None:
    """The part with the numbers is computed; it is the sensitivity in units, for all queries."""
    for relation in ("add/remove", "replace"):
        for name, query in few(configurations(relation), 5):  # type: ignore[arg-type]
            for norm in ("l1", "l2", "linf"):
                line = query.formula(norm)  # type: ignore[arg-type]
                numbers = re.sub(r" \([\d,.]+ steps of [\d.]+\)", "", line.split(", where ")[0])
                expected = getattr(query.sensitivity, norm) * query.step
                assert computed(numbers.split(" = ")[2]) == pytest.approx(expected), (name, line)
                assert computed(numbers.split(" = ")[-1]) == pytest.approx(expected, rel=6e-4)


@pytest.mark.parametrize("query", [Count(WARDS), BoundedSum("x", 0, 1), BoundedMean("x", 0, 1)])
def test_an_unknown_norm(query: Query) -> None:
    with pytest.raises(ParameterError, match="norm must be one of l0, l1, l2, linf, got 'l3'"):
        query.formula("l3")  # type: ignore[arg-type]


def test_groupings_say_which_rows_belong() -> None:
    assert "compared as written with a list of 4; rows with others" in WARDS.described
    assert ByBins("age", (0, 9)).described.startswith(
        "Each bin holds its lower edge and not its up"
    )
    days = ByTime("when", "day", "2025-01-01", "2025-01-03")
    assert "Each day from 2025-01-01 until before 2025-01-03" in days.described
    assert Everybody().described == "Every row belongs to the one group."
    pairs = ByTwoColumns(WARDS, ByColumn("sex", ("f", "m")))
    assert pairs.columns == ("ward", "sex")
    assert pairs.title == "“ward” × “sex”"
    assert "lists of 4 and 2" in pairs.described


# The unit of privacy, rows and numbers have names: words, which are no part of a statistic.


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
        plain = replace(query, bounds=replace(query.bounds, nouns=Nouns()))
        assert plain == query
        assert hash(plain) == hash(query)
        assert plain.bounds.nouns != query.bounds.nouns
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
    for said in ("an aircraft", "an hour", "a unit", "a user", "a European", "a one-way trip"):
        assert a(said.partition(" ")[2]) == said
