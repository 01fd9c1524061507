"""Every engine gives the exact answers of the definition, on tables made to trip it up."""

import hashlib
import itertools

import numpy as np
import pytest

from dpviz.queries import (
    BoundedMean,
    BoundedSum,
    Bounds,
    ByBins,
    ByColumn,
    ByCycle,
    ByThreeColumns,
    ByTime,
    ByTwoColumns,
    Count,
    Everybody,
    ItemCounts,
    TextCounts,
    WholeNumbers,
    Words,
)
from tests.conftest import FULL
from tests.engines.places import PLACES, QUICK
from tests.oracles_queries import Rows, exact

TABLES = 20 if FULL else 1  # of each part
PARTS = range(10 if FULL else 1)  # so a full run has 200 tables on each engine
LONG = "x" * 9000
VALUES = {
    "id": ["p", "P", "p ", "á", "a\u0301", "aa", "å", "\u00a0q", "1", "01", "1.0", "ß", "ss", ""],
    "ward": ["a", "A", "a\u2003", "b", "B", "aa", "az", "å", "a_", "a%", "a\\b", "it's", LONG, ""],
    "word": ["the", "The", "THE", "İ", "K", "a b", "-3", "-03", "+3", "999", "1000", "٣", ""],
    "x": [
        *("0", "-0", "1", "2.5", "-1", ".5", "5.", "+2", " 3 ", "1e-400", "1e400", "-1e400"),
        *("5e-324", "2.4703282292062327e-324", "1.7976931348623158e308", "0e99999", "1e99999"),
        *("1e-99999", "0.49999999999999994", "0.125", "-0.125", "0.375", "9007199254740993"),
        *("inf", "nan", "0x10", "1_000", "1,5", "٣", "1e", "", "1" * 400, "0." + "0" * 990 + "1"),
    ],
    "when": [
        *("2025-01-31", "2025-01-31 24:00", "2025-01-31T23:59:59.999999Z", "2025-01-31 24:00:01"),
        *("2024-02-29", "2025-02-29", "1900-02-29", "2000-02-29 12:00", "2025-02-28 24:00"),
        *("1582-10-10", "1500-02-29", "1500-02-28", "0001-01-01", "9999-12-31", "1969-12-31 23:00"),
        *("2025-12-31 24:00", "2025-06-31", "2025-13-01", "2025-01-01 23:60", "2025-1-1", ""),
        *("2025-01-31 05:30+01", "20250131", "2025-01-31 25:00", "1970-01-01", "٢٠٢٥-01-06"),
    ],
}
WARDS = ByColumn("ward", ("b", "a", "A", "aa", "å", "it's", "a\\b", "a%", LONG))
GROUPINGS = (
    Everybody(),
    WARDS,
    ByTwoColumns(WARDS, ByColumn("word", ("the", "The", "K"))),
    ByThreeColumns(
        ByColumn("ward", ("a", "A")),
        ByColumn("word", ("the", "a b")),
        ByColumn("x", ("0", "-0", "1")),
    ),
    ByBins("x", (-1, 0, 5e-324, 0.125, 0.375, 1, 2.5, 1e300)),
    ByTime("when", "hour", "2025-01-31", "2025-02-02"),
    ByTime("when", "week", "2025-01-27", "2025-02-10"),
    ByTime("when", "month", "2024-12-01", "2025-03-01"),
    ByTime("when", "year", "1500-01-01", "2026-01-01"),
    *(ByCycle("when", of) for of in ("weekday", "hour of the day", "quarter of the year")),
)
KEPT = [(1, 1, ""), (2, 1, ""), (2, 2, "2026"), (1, 3, "salt")]
RELATIONS = ("add/remove", "replace")


def nasty_rows(rng: np.random.Generator, number: int = 60) -> Rows:
    few = {name: rng.choice(len(values), 6) for name, values in VALUES.items()}
    return [
        {name: values[rng.choice(few[name])] for name, values in VALUES.items()}
        for _ in range(number)
    ]


def bounds_of(rng: np.random.Generator, groups: int) -> Bounds:
    l0, linf, salt = KEPT[rng.integers(len(KEPT))]
    relation = RELATIONS[rng.integers(2)]
    if rng.random() < 0.2:
        return Bounds(relation=relation)
    return Bounds("id", min(l0, groups), linf, relation, salt)


def turn(row: dict[str, str], key: str) -> str:
    """The hash that sorts the rows of one person, written out."""
    parts = ("\nv" + v.replace("\n", "\n ") if v else "\nn" for v in row.values())
    text = key + "".join(parts)
    return hashlib.md5(text.encode(), usedforsecurity=False).hexdigest()


def read(rows: Rows) -> Rows:
    """The rows as engines hold them: without white space at the ends."""
    return [{name: value.strip() for name, value in row.items()} for row in rows]


@pytest.mark.parametrize("part", PARTS)
@pytest.mark.parametrize("engine", PLACES)
def test_answers_are_those_of_the_definition(engine, part, place_of):
    if not FULL and engine not in QUICK:
        pytest.skip("in make test-engines")
    place, found = place_of(engine), 0
    for seed in range(part * TABLES, (part + 1) * TABLES):
        rng = np.random.default_rng(seed)
        rows = nasty_rows(rng)
        by = GROUPINGS[seed % len(GROUPINGS)] if FULL else GROUPINGS[rng.integers(len(GROUPINGS))]
        bounds = bounds_of(rng, len(by.labels))
        held = sorted(read(rows), key=lambda row: turn(row, bounds.salt))
        step = float(rng.choice([0.25, 2.0**-10]))
        queries = [
            Count(by, bounds, total=not isinstance(by, Everybody)),
            BoundedSum("x", -0.3, 2.6, by, bounds, step=step),
            BoundedMean("x", -1e5, 1e6, by, bounds, step=2.0**-3),
        ]
        with place.opened(rows) as table:
            for query in queries:
                got = query.values(table).tolist()
                assert got == exact(query, held), (engine, seed, query.statistic, bounds)
                found += sum(map(abs, got))
    assert found > TABLES


@pytest.mark.parametrize("engine", PLACES)
def test_items_and_texts_are_those_of_python(engine, place_of):
    if not FULL and engine not in QUICK:
        pytest.skip("in make test-engines")
    place = place_of(engine)
    rows = nasty_rows(np.random.default_rng(7), 200)
    words, numbers = Words(5), WholeNumbers(-5, 999)
    with place.opened(rows) as table:
        held = [row["word"] for row in read(rows)]
        indices, counts = ItemCounts("word", words).values(table)
        expected = [words.index(word) for word in held]
        assert dict(zip(indices.tolist(), counts.tolist(), strict=True)) == counted(expected)
        indices, counts = ItemCounts("word", numbers).values(table)
        whole = [int(w) + 5 if w in ("-3", "999") else None for w in held]
        assert dict(zip(indices.tolist(), counts.tolist(), strict=True)) == counted(whole)
        first = TextCounts("ward", Bounds("id")).values(table)
    wards = {}
    for row in read(rows):
        if row["id"] and row["ward"]:
            wards.setdefault(row["id"], set()).add(row["ward"])
    assert first == counted(min(texts) for texts in wards.values())
    assert list(first) == sorted(first)


def counted(values):
    kept = sorted(value for value in values if value is not None)
    return {value: len([*same]) for value, same in itertools.groupby(kept)}
