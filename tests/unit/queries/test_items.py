"""Items of a huge domain: the coding is one to one, counting is that of a list, bounds hold."""

import itertools
import string

import numpy as np
import pytest

from dpviz.data import load_declaration, read_csv
from dpviz.errors import DataError, ParameterError
from dpviz.queries import (
    LETTERS,
    LETTERS_AND_DIGITS,
    Bounds,
    ByColumn,
    Count,
    ItemCounts,
    TextCounts,
    WholeNumbers,
    Words,
)
from tests.conftest import few

VISITS = read_csv(
    b"id,item\n1,b\n1,A\n1,a\n1,zz\n2,aa\n2,a\n2,\n,a\n3,long\n3,\xc3\xa9\n3,a b\n3,7\n", name="v"
)


@pytest.mark.parametrize("alphabet", [LETTERS, LETTERS_AND_DIGITS])
def test_every_word_of_a_small_domain_has_its_own_index_in_order(alphabet):
    letters = sorted(alphabet, key=alphabet.index)
    listed = ["".join(word) for n in (1, 2, 3) for word in itertools.product(letters, repeat=n)]
    words = Words(3, alphabet)
    assert words.size == len(listed)
    assert words.names(np.arange(words.size)) == listed
    assert [words.index(word.upper()) for word in listed[::97]] == list(range(0, words.size, 97))


@pytest.mark.parametrize(("alphabet", "longest"), [(LETTERS, 8), (LETTERS_AND_DIGITS, 7)])
def test_the_largest_domain_fits_and_the_next_one_is_refused(alphabet, longest):
    words = Words(longest, alphabet)
    last = alphabet[-1] * longest
    assert 1e10 < words.size <= 1e12
    assert words.names(np.array([words.size - 1])) == [last]
    assert words.index(last) == words.size - 1
    with pytest.raises(ParameterError, match=f"type at most {longest}"):
        Words(longest + 1, alphabet)


@pytest.mark.parametrize("bad", [0, 1.5, None])
def test_no_length_no_words(bad):
    with pytest.raises(ParameterError):
        Words(bad)


def test_no_alphabet_of_ones_own_and_no_index_outside():
    with pytest.raises(ParameterError, match="alphabet"):
        Words(3, "[^")
    for outside in (-1, Words(2).size):
        with pytest.raises(ParameterError, match="between 0 and"):
            Words(2).names(np.array([outside]))


def test_the_engine_codes_as_python_does():
    words = Words(8)
    indices, counts = ItemCounts("word", words).values(load_declaration())
    text = load_declaration()
    plain = text.collect(text.expression.select(word=text.text("word")))["word"].to_pylist()
    expected = {}
    for word in plain:
        if (index := words.index(word)) is not None:
            expected[index] = expected.get(index, 0) + 1
    assert dict(zip(indices.tolist(), counts.tolist(), strict=True)) == expected
    assert (np.diff(indices) > 0).all()
    assert "of" in words.names(indices)
    assert max(map(len, words.names(indices))) == 8  # longer ones are not counted


@pytest.mark.parametrize(
    "bounds",
    few(
        [
            Bounds(),
            Bounds(person="id"),
            Bounds(person="id", groups_per_person=2),
            Bounds(person="id", groups_per_person=3, rows_per_group=2),
            Bounds(person="id", salt="2026"),
            Bounds(person="id", groups_per_person=2, rows_per_group=2, salt="it's"),
        ],
        5,
    ),
)
def test_bounds_are_kept_as_for_a_list_of_the_same_items(bounds):
    listed = tuple(
        "".join(w) for n in (1, 2) for w in itertools.product(string.ascii_lowercase, repeat=n)
    )
    small = read_csv(
        b"id,item\n1,b\n1,a\n1,a\n1,zz\n2,aa\n2,a\n2,\n,a\n3,long\n3,\xc3\xa9\n3,a b\n3,7\n",
        name="small",
    )
    dense = Count(ByColumn("item", listed), bounds)
    sparse = ItemCounts("item", Words(2), bounds)
    indices, counts = sparse.values(VISITS)
    again = np.zeros(len(listed), dtype=np.int64)
    again[indices] = counts
    np.testing.assert_array_equal(again, dense.values(small))
    assert sparse.sensitivity == dense.sensitivity
    assert sparse.noun == dense.noun
    assert sparse.formula == dense.formula("l2")


def test_replacing_moves_twice_as_many_items():
    query = ItemCounts("item", Words(2), Bounds(person="id", relation="replace"))
    assert query.sensitivity.l2 == pytest.approx(2**0.5)


def test_whole_numbers_count_as_written_and_within_the_range_only():
    table = read_csv(
        b"n\n-3\n-3\n0\n5\n6\n-4\n1.0\n007\n1e2\nx\n\n99999999999999999999\n", name="n"
    )
    indices, counts = ItemCounts("n", WholeNumbers(-3, 5)).values(table)
    assert indices.tolist() == [0, 3, 8]
    assert counts.tolist() == [2, 1, 1]
    assert WholeNumbers(-3, 5).names(indices) == ["-3", "0", "5"]


def test_ranges_that_cannot_be():
    with pytest.raises(ParameterError, match="below the smallest"):
        WholeNumbers(3, 2)
    with pytest.raises(ParameterError, match="narrower"):
        WholeNumbers(0, 10**12)
    assert WholeNumbers(1, 10**12).size == 10**12


def test_what_cannot_be_counted():
    with pytest.raises(DataError, match="cannot also be"):
        ItemCounts("id", Words(2), Bounds(person="id"))
    with pytest.raises(ParameterError, match="number of items, 1,"):
        ItemCounts("item", WholeNumbers(1, 1), Bounds(person="id", groups_per_person=2))
    with pytest.raises(DataError, match="no column"):
        ItemCounts("other", Words(2)).values(VISITS)


def test_the_words_say_what_counts():
    assert ItemCounts("item", Words(2)).contribution.startswith("Each row counts at most once")
    many = ItemCounts("item", Words(2), Bounds(person="id", groups_per_person=3, rows_per_group=2))
    assert "at most with 2 rows per item and in at most 3 items" in many.contribution
    assert "number of rows" in many.statistic


# Counts per text: bounds by one person's rows alone, tried over pairs of neighbouring tables.


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


@pytest.mark.parametrize(("l0", "linf"), few([(2, 1), (1, 2)], 2))
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
