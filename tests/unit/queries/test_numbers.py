"""Sums, means and the grid below them: ranges, steps, exact rounding, and intervals that hold."""

import itertools
import math
import string
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from dpviz.data import load_declaration, read_csv
from dpviz.errors import DataError, ParameterError
from dpviz.queries import (
    LETTERS,
    LETTERS_AND_DIGITS,
    BoundedMean,
    BoundedSum,
    Bounds,
    ByColumn,
    Count,
    Grid,
    ItemCounts,
    TextCounts,
    WholeNumbers,
    Words,
)
from dpviz.queries.clip import MOST_STEPS, default_step
from tests.conftest import few, for_each

WARDS = ByColumn("ward", ("a", "b", "c"))


@pytest.mark.parametrize("query", [BoundedSum, BoundedMean])
@pytest.mark.parametrize(
    ("lower", "upper", "says"),
    [
        (10, 0, "lower must be below upper, got 10 and 0; type the smaller bound first"),
        (5, 5, "lower must be below upper"),
        (-0.0, 0.0, "lower must be below upper"),
        (math.nan, 1, "lower must be a finite number, such as 0 or 100; got nan"),
        (0, math.nan, "upper must be a finite number"),
        (0, math.inf, "upper must be a finite number"),
        (-math.inf, 0, "lower must be a finite number"),
        ("0", 1, "lower must be a finite number"),
        (0, True, "upper must be a finite number"),
        (None, 1, "lower must be a finite number"),
        (0, 10**400, "upper must be a finite number"),
        (-1e308, 1e308, "lower and upper must be between −10¹⁰⁰ and 10¹⁰⁰"),
        (1e12, 1e12 + 1.5, "lower and upper are too close together"),
        (1e15, 1e15 + 0.125, "lower and upper are too close together"),
        (0, 1e-310, "lower and upper are too close together"),
    ],
)
def test_ranges(query: Any, lower: Any, upper: Any, says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        query("x", lower, upper)


@for_each(
    ("query", "step", "says"),
    [
        (BoundedSum, 0.1, "must be a power of two"),
        (BoundedSum, 0, "must be a finite number above 0"),
        (BoundedSum, math.nan, "must be a finite number above 0"),
        (BoundedSum, "1", "must be a number"),
        (BoundedSum, 16, r"step must be at most upper − lower, 10, got 16; .* 0.0078125"),
        (BoundedSum, 2.0**-60, r"too many steps from 0 .* at least 2.3283064365386963e-10"),
        (BoundedMean, 3, "must be a power of two"),
        (BoundedMean, 2, "the step of a mean must be between .* and 1"),
        (BoundedMean, 2.0**-31, "the step of a mean must be between"),
    ],
)
def test_steps(query: Any, step: Any, says: str) -> None:
    with pytest.raises(ParameterError, match=says):
        query("x", 0 if query is BoundedMean else -1, 9, step=step)


@given(st.floats(-1e12, 1e12), st.floats(1e-6, 1e12))
def test_every_range_that_is_accepted_has_a_step_and_its_refusal_names_it(lower, width):
    try:
        BoundedMean("x", lower, lower + width)
    except ParameterError:
        return
    try:
        query = BoundedSum("x", lower, lower + width)
    except ParameterError as refusal:
        named = float(str(refusal).rsplit(" ", 1)[1])
        query = BoundedSum("x", lower, lower + width, step=named)
    assert query.sensitivity.linf <= 2**36


def test_what_a_query_is_made_of() -> None:
    mean = BoundedMean("x", 0, 10, WARDS)
    assert mean.labels == ("a", "b", "c")
    assert mean.entries == ("sum: a", "sum: b", "sum: c", "rows: a", "rows: b", "rows: c")
    assert (mean.dimension, mean.per_value, mean.step) == (6, 2, 2**-10)
    total = Count(WARDS, total=True)
    assert total.labels == total.entries == ("a", "b", "c", "total")
    assert (total.dimension, total.per_value, total.step) == (4, 1, 1.0)
    sums = BoundedSum("x", 0, 10, WARDS)
    assert (sums.dimension, sums.per_value, sums.step) == (3, 1, 2**-7)
    assert Count(WARDS).directions == (1, 0)
    assert Count(WARDS, Bounds(relation="replace")).directions == (1, 1)
    assert Count(WARDS, Bounds(relation="replace"), total=True).directions == (2, 1)
    assert sums.directions[1] == 0
    assert BoundedSum("x", -2, -1).directions == (1, 0)
    assert BoundedSum("x", -2, 1).directions is None
    assert mean.directions is None


def test_counts_and_sums_are_read_in_their_units() -> None:
    released = np.array([4, -2, 7])
    low, high = Count(WARDS).interval(released, 1.5)
    assert Count(WARDS).estimate(released).tolist() == [4, -2, 7]
    assert (low.tolist(), high.tolist()) == ([2.5, -3.5, 5.5], [5.5, -0.5, 8.5])
    query = BoundedSum("x", 0, 100, WARDS, step=0.25)
    low, high = query.interval(released, 2)
    assert query.estimate(released).tolist() == [1, -0.5, 1.75]
    assert (low.tolist(), high.tolist()) == ([0.5, -1, 1.25], [1.5, 0, 2.25])


def test_means_are_those_of_the_clipped_values() -> None:
    rng = np.random.default_rng(7)
    x = rng.normal(40, 30, 500)
    wards = rng.choice(["a", "b"], 500)
    text = "ward,x\n" + "".join(f"{w},{v!r}\n" for w, v in zip(wards, map(float, x), strict=True))
    query = BoundedMean("x", 0, 80, WARDS, step=2.0**-20)
    got = query.estimate(query.values(read_csv(text.encode(), name="t")))
    for ward, mean in zip("ab", got, strict=False):
        assert mean == pytest.approx(np.clip(x[wards == ward], 0, 80).mean(), abs=40 * 2**-20)
    assert math.isnan(got[2])


def test_means_of_hardly_anybody() -> None:
    query = BoundedMean("x", 10, 30, WARDS, step=1)
    released = np.array([1.0, 5.0, -3.0, 0.0, 2.0, 0.5])  # S, then N
    means = query.estimate(released)
    assert math.isnan(means[0])  # no rows
    assert means[1:].tolist() == [30, 10]  # 2.5 and −6 half ranges from the middle: clipped
    low, high = query.interval(released, 0.75)
    assert (low[0], high[0]) == (10, 30)  # nothing is told
    assert (low[2], high[2]) == (10, 30)


@given(
    st.lists(st.tuples(st.integers(-50, 50), st.integers(-5, 60)), min_size=3, max_size=3),
    st.floats(0, 20),
)
def test_the_interval_of_a_mean_holds_whatever_noise_within_the_half_width(pairs, half):
    query = BoundedMean("x", -2, 6, WARDS, step=1)
    sums, rows = np.array(pairs, dtype=float).T
    low, high = query.interval(np.concatenate([sums, rows]), half)
    assert (low <= high).all()
    assert ((low >= -2) & (high <= 6)).all()
    for s, n in itertools.product(np.linspace(-half, half, 5), repeat=2):
        means = query.estimate(np.concatenate([sums + s, rows + n]))
        told = ~np.isnan(means)
        assert (low[told] - 1e-9 <= means[told]).all()
        assert (means[told] <= high[told] + 1e-9).all()


def test_the_interval_of_a_mean_is_no_wider_than_its_corners() -> None:
    query = BoundedMean("x", -1, 1, step=1)
    low, high = query.interval(np.array([-6.0, 20.0]), 2)
    assert (low[0], high[0]) == (-8 / 18, -4 / 22)
    low, high = query.interval(np.array([1.0, 20.0]), 2)
    assert (low[0], high[0]) == (-1 / 18, 3 / 18)


def test_the_error_of_a_mean_of_known_rows_is_that_of_its_widest_interval():
    """Over every mean that a group may have, by the interval that is handed out."""
    query = BoundedMean("x", -2, 6, step=0.5)
    for rows in (3.0, 10.0, 100.0, 1e6):
        for share in (0.0, 1e-3, 0.1, 0.3, 0.34, 0.4, 0.499, 0.5, 2.0):
            half = share * rows / query.step
            sums = np.linspace(-1, 1, 4001) * rows / query.step
            low, high = query.interval(
                np.concatenate([sums, np.full(4001, rows / query.step)]), half
            )
            widest = (high - low).max() / 2
            assert query.within(rows, half) == pytest.approx(widest, rel=2e-3, abs=1e-12)
            assert query.within(rows, half) >= widest * (1 - 1e-12)
    for wrong in (0, -1, float("nan")):
        with pytest.raises(ParameterError):
            query.within(wrong, 1.0)


# The grid: exact rounding, here and in the engine, and the step that nobody has to choose.


steps = st.integers(-20, 20).map(lambda k: 2.0**k)
numbers = st.floats(min_value=-1e6, max_value=1e6)


@given(numbers, steps)
@example(0.49999999999999994, 1.0)
@example(-0.5, 1.0)
@example(2.5, 1.0)
def test_rounding_is_half_up_exactly(x, step):
    exact = math.floor(Fraction(x) / Fraction(step) + Fraction(1, 2))
    if abs(exact) < 2**51:
        assert Grid(step).steps(np.array([x]))[0] == exact


def test_a_step_that_is_no_power_of_two_and_a_value_off_the_grid_are_refused():
    for step in (0.1, 3.0, 0.0, -1.0, math.nan, math.inf):
        with pytest.raises(ParameterError):
            Grid(step)
    for value in (math.nan, math.inf, 1e300):
        with pytest.raises(ParameterError, match="too large for this grid"):
            Grid(1.0).steps(np.array([0.0, value]))


ODD = [0.49999999999999994, 0.5, 0.5000000000000001, 1.5, 2.5, -0.5, -0.5000000000000001]


def test_the_engine_rounds_as_the_grid_does():
    rng = np.random.default_rng(3)
    edges = [(n + 0.5) * 0.125 for n in range(-40, 40)]
    near = [math.nextafter(x, way) for x in edges for way in (-math.inf, math.inf)]
    values = [*ODD, *edges, *near, *rng.uniform(-6, 6, 200), 5e-324, -5e-324, -0.0]
    text = "id,x\n" + "".join(f"{i},{value!r}\n" for i, value in enumerate(map(float, values)))
    table = read_csv(text.encode(), name="t")
    one_each = ByColumn("id", tuple(str(i) for i in range(len(values))))
    for low, high, step in ((-6, 6, 0.125), (-5.1, 5.3, 0.5), (0.1, 0.30000000000000004, 2**-37)):
        query = BoundedSum("x", low, high, one_each, step=step)
        expected = Grid(step).steps(np.clip(values, low, high))
        assert (query.values(table) == expected).all()


@given(numbers, st.floats(min_value=1e-3, max_value=1e6))
def test_the_default_step_is_the_largest_that_cuts_the_range_into_1024(low, width):
    high = low + width
    step = default_step(low, high)
    assert math.frexp(step)[0] == 0.5
    farthest = max(abs(low), abs(high))
    needed = 2 * (farthest / MOST_STEPS) > step >= farthest / MOST_STEPS  # no smaller one is exact
    assert step <= (high - low) / 1024 < 2 * step or needed
    assert BoundedSum("x", low, high).step == step


# --- Items of a huge domain ---


ITEMS = b"id,item\n1,b\n1,A\n1,a\n1,zz\n2,aa\n2,a\n2,\n,a\n3,long\n3,\xc3\xa9\n3,a b\n3,7\n"
VISITS = read_csv(ITEMS, name="v")


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


def test_no_length_no_alphabet_of_ones_own_and_no_index_outside():
    for bad in (0, 1.5, None):
        with pytest.raises(ParameterError):
            Words(bad)
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
            Bounds(person="id", salt="2026", relation="replace"),
            Bounds(person="id", groups_per_person=2, rows_per_group=2, salt="it's"),
        ],
        5,
    ),
)
def test_bounds_are_kept_as_for_a_list_of_the_same_items(bounds):
    listed = tuple(
        "".join(w) for n in (1, 2) for w in itertools.product(string.ascii_lowercase, repeat=n)
    )
    small = read_csv(ITEMS.replace(b"A", b"a"), name="small")
    dense = Count(ByColumn("item", listed), bounds)
    sparse = ItemCounts("item", Words(2), bounds)
    indices, counts = sparse.values(VISITS)
    again = np.zeros(len(listed), dtype=np.int64)
    again[indices] = counts
    np.testing.assert_array_equal(again, dense.values(small))
    assert sparse.sensitivity == dense.sensitivity
    assert sparse.noun == dense.noun
    assert sparse.formula == dense.formula("l2")


def test_whole_numbers_count_as_written_and_within_the_range_only():
    table = read_csv(
        b"n\n-3\n-3\n0\n5\n6\n-4\n1.0\n007\n1e2\nx\n\n99999999999999999999\n", name="n"
    )
    indices, counts = ItemCounts("n", WholeNumbers(-3, 5)).values(table)
    assert indices.tolist() == [0, 3, 8]
    assert counts.tolist() == [2, 1, 1]
    assert WholeNumbers(-3, 5).names(indices) == ["-3", "0", "5"]


def test_what_cannot_be_counted():
    with pytest.raises(ParameterError, match="below the smallest"):
        WholeNumbers(3, 2)
    with pytest.raises(ParameterError, match="narrower"):
        WholeNumbers(0, 10**12)
    assert WholeNumbers(1, 10**12).size == 10**12
    with pytest.raises(DataError, match="cannot also be"):
        ItemCounts("id", Words(2), Bounds(person="id"))
    with pytest.raises(ParameterError, match="number of items, 1,"):
        ItemCounts("item", WholeNumbers(1, 1), Bounds(person="id", groups_per_person=2))
    with pytest.raises(DataError, match="no column"):
        ItemCounts("other", Words(2)).values(VISITS)


def test_the_words_say_what_counts():
    many = Bounds(person="id", groups_per_person=3, rows_per_group=2)
    for query, one in (
        (ItemCounts("item", Words(2), many), "item"),
        (TextCounts("item", many), "text"),
    ):
        assert query.statistic.startswith(f"number of rows per {one} of “item”")
        assert f"at most with 2 rows per {one} and in at most 3 {one}s" in query.contribution
        alone = replace(query, bounds=Bounds())
        assert alone.contribution.startswith("Each row counts at most once")


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
