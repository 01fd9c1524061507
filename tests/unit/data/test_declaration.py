"""The words are those of the text: its beginning, its length, its public lists."""

import pytest

from dpviz.data import DECLARATION, SAMPLES, load, load_declaration
from dpviz.queries import ByColumn, Count


@pytest.fixture(scope="module")
def words() -> list[str]:
    table = load_declaration()
    kept = table.expression.select(place=table.turns()["place"], word=table.text("word")).order_by(
        "place"
    )
    return list(table.collect(kept)["word"].to_pylist())


def test_it_is_the_text(words):
    assert len(words) == 1322
    assert words[:6] == ["when", "in", "the", "course", "of", "human"]
    assert words[71:78] == ["we", "hold", "these", "truths", "to", "be", "self"]
    assert words[-4:] == ["and", "our", "sacred", "honor"]
    assert all(word.isascii() and word.isalpha() and word.islower() for word in words)


def test_it_has_a_long_tail(words):
    counts = sorted((words.count(word) for word in set(words)), reverse=True)
    assert counts[0] == words.count("of") > 70
    assert sum(count == 1 for count in counts) > len(counts) / 2


@pytest.mark.parametrize("column", DECLARATION.groups)
def test_lists_are_public_and_those_of_parts_complete(column):
    table = load(DECLARATION)
    listed = DECLARATION.groups[column]
    counts = Count(ByColumn(column, listed)).values(table)
    if column == "part":
        assert counts.sum() == 1322
        assert counts.min() > 50
    else:
        assert 300 < counts.sum() < 800  # the commonest words of English, not of this text
        assert counts.min() == 0


def test_columns_are_those_of_the_record():
    table = load_declaration()
    kinds = {column.name: column.kind for column in table.columns}
    assert SAMPLES["load_declaration()"] is DECLARATION
    assert set(DECLARATION.groups) == {n for n, kind in kinds.items() if kind == "text"}
    numbers = {n for n, kind in kinds.items() if kind == "whole number"}
    assert set(DECLARATION.bounds) == numbers - {DECLARATION.person}
    assert "public domain" in DECLARATION.licence
    assert "National Archives" in DECLARATION.source
    assert not DECLARATION.synthetic
