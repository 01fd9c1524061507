"""Counts per text: bounds by one person's rows alone, tried over pairs of neighbouring tables."""

import pytest

from dpviz.data import read_csv
from dpviz.errors import DataError, ParameterError
from dpviz.queries import Bounds, TextCounts, text_counts


def table(rows):
    text = "".join(f"{person},{word}\n" for person, word in rows)
    return read_csv(f"id,w\n{text}".encode(), name="t")


def counted(rows, **bounds):
    return TextCounts("w", Bounds(person="id", **bounds)).values(table(rows))


def test_every_text_is_an_item_as_it_is_written():
    rows = [(1, "Flu"), (2, "flu"), (3, " flu "), (4, ""), (5, "grippe – é")]
    assert TextCounts("w").values(table(rows)) == {"Flu": 1, "flu": 2, "grippe – é": 1}


def test_the_first_texts_of_a_person_in_the_order_of_the_alphabet_count():
    rows = [(1, "c"), (1, "a"), (1, "b"), (2, "c"), (2, "c"), ("", "a")]
    assert counted(rows, groups_per_person=2) == {"a": 1, "b": 1, "c": 1}
    assert counted(rows, rows_per_group=2) == {"a": 1, "c": 2}


@pytest.mark.parametrize(("l0", "linf"), [(2, 1), (1, 2)])
def test_no_person_moves_more_than_the_bounds(l0, linf):
    """With one person more at most ℓ₀ counts rise, by at most ℓ∞, and none falls."""
    others = [(8, "b"), (9, "b"), (9, "c"), (8, "a")]
    asked = {"groups_per_person": l0, "rows_per_group": linf}
    without = counted(others, **asked)
    for words in ("dca", "aab", "ccc"):
        with_one = counted([*others, *((1, w) for w in words)], **asked)
        moved = {w: with_one.get(w, 0) - without.get(w, 0) for w in {*with_one, *without}}
        assert min(moved.values()) >= 0
        assert max(moved.values()) <= linf
        assert sum(n > 0 for n in moved.values()) <= l0


def test_words_for_people():
    query = TextCounts("w", Bounds(person="id", groups_per_person=2, rows_per_group=3))
    assert query.statistic == "number of rows per text of “w”"
    assert "at most with 3 rows per text and in at most 2 texts" in query.contribution
    assert "Each row counts at most once" in TextCounts("w").contribution


def test_what_cannot_be_counted_is_refused(monkeypatch):
    with pytest.raises(DataError, match="names the person"):
        TextCounts("id", Bounds(person="id"))
    with pytest.raises(DataError):
        TextCounts("nothing").values(table([(1, "a")]))
    monkeypatch.setattr(text_counts, "MOST_TEXTS", 2)
    with pytest.raises(ParameterError, match="more than 2 texts"):
        TextCounts("w").values(table([(1, "a"), (2, "b"), (3, "c")]))
