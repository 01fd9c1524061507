"""What the pictures of the page Sparse histograms show: named rows, released items."""

from fractions import Fraction

import numpy as np
import pytest

from dpviz import streams
from dpviz.charts.sparse import ITEMS, named_rows
from dpviz.data import long_tail
from dpviz.errors import ParameterError
from dpviz.palette import TierStyle
from dpviz.scenes.sparse_histograms import (
    HIDDEN,
    PHANTOM,
    SEEN,
    largest_items,
    ten_items,
)
from dpviz.workspace.sparse import ItemTier
from dpviz.workspace.structured import for_all_tiers
from tests.figure_frames import HOSTILE, check_harmless, texts

LOOK = {"style": TierStyle(2, 0), "noun": "people"}


def tier(name, found, values, threshold=10.0, level=25.0):
    released = None if found is None else (np.array(found), np.array(values, dtype=float))
    return ItemTier(
        planned=for_all_tiers(name, level, Fraction(1), 0.0),
        style=TierStyle(2, 0),
        threshold=threshold,
        phantoms=1.0,
        released=released,
    )


def names(indices):
    return [f"item {i}" for i in indices]


TIERS = [
    tier("waiting", None, None),
    tier("public", [7, 1000], [48.0, 11.5]),
    tier("audit", [7, 40, 99], [50.5, 10.5, 19.0], level=1.0),
]


def test_own_items_come_from_released_numbers_alone():
    frame = largest_items(TIERS, names, 3)
    assert frame["group"].drop_duplicates().tolist() == ["item 7", "item 99", "item 1000"]
    assert set(frame["value"].dropna()) == {48.0, 11.5, 50.5, 19.0}
    assert frame["tier"].drop_duplicates().tolist() == ["audit", "public"]
    assert frame["value"].isna().sum() == 2  # hidden: public's item 99, audit's item 1000
    audit = frame[frame["tier"] == "audit"].iloc[0]
    assert audit["high"] - audit["value"] == pytest.approx(1.959964, abs=1e-5)
    assert largest_items(TIERS[:1], names, 20).empty


def test_the_made_up_tail_is_zipf_and_nobody_twice():
    indices, counts = long_tail(1000, 2000, 10**9, rng=streams.teaching(7))
    assert len(set(indices.tolist())) == 1000
    assert counts[[0, 1, 9, 999]].tolist() == [2000, 1000, 200, 2]
    assert 0 <= indices.min() <= indices.max() < 10**9
    full, _ = long_tail(5, 9, 5, rng=streams.teaching(7))
    assert sorted(full.tolist()) == [0, 1, 2, 3, 4]
    for bad in ((6, 9, 5), (9, 5, 10), (0, 5, 10)):
        with pytest.raises(ParameterError):
            long_tail(*bad, rng=streams.teaching(7))


def test_named_rows_are_seen_hidden_and_phantoms():
    indices = np.arange(100, 160)
    counts = np.maximum(60 - np.arange(60), 1)
    seen = np.arange(100, 150)
    one = tier("a", [*seen, 5, 6, 7], [*(60.5 - np.arange(50)), 12.0, 11.0, 10.5], threshold=10.0)
    frame = ten_items(one, (indices, counts), names)
    assert frame["kind"].tolist() == [SEEN] * 4 + [HIDDEN] * 4 + [PHANTOM] * 2
    assert frame["item"].iloc[[0, 3, 4, 7]].tolist() == [
        f"item {i}"
        for i in (100, 149, 150, 159)  # the most common and the rarest of each kind
    ]
    assert frame["item"].iloc[8:].tolist() == ["item 5", "item 6"]  # the largest
    hidden = frame[frame["kind"] == HIDDEN]
    assert hidden["value"].isna().all()
    assert hidden["count"].tolist() == [10, 7, 4, 1]
    made = named_rows(frame, threshold=10.0, **LOOK)
    assert list(made.figure.layout.yaxis.ticktext) == frame["item"].tolist()
    by_name = {t.name: t for t in made.figure.data}
    assert list(by_name["in truth"].x) == frame["count"][:8].tolist()
    assert list(by_name["published"].x) == frame["value"][:4].tolist()
    assert list(by_name["published of a phantom"].x) == [12.0, 11.0]
    said = [f"{SEEN}: <b>{v}</b>" for v in ("60.5", "44.5", "27.5", "11.5")]
    said += [HIDDEN] * 4 + [f"{PHANTOM}: <b>{v}</b>" for v in (12, 11)]
    assert texts(made.figure)[:11] == ["shown above 10", *said]
    (line,) = made.figure.layout.shapes
    assert (line.x0, line.x1) == (10.0, 10.0)
    assert made.alt.endswith("Phantom: item 5 and item 6.")


def test_named_rows_without_phantoms_or_without_anything_seen():
    truth = np.array([3, 4]), np.array([9, 2])
    none = ten_items(tier("a", [], []), truth, names)
    assert none["kind"].tolist() == [HIDDEN, HIDDEN]
    assert list(none.columns) == list(ITEMS)
    assert texts(named_rows(none, threshold=10.0, **LOOK).figure)[1:3] == [HIDDEN, HIDDEN]
    both = ten_items(tier("a", [3, 4], [11.0, 12.0]), truth, names)
    assert both["kind"].tolist() == [SEEN, SEEN]
    with pytest.raises(ParameterError):
        named_rows(none.drop(columns="count"), threshold=1.0, **LOOK)


def test_names_of_items_never_run_as_markup():
    frame = ten_items(tier("a", [3], [11.0]), (np.array([3]), np.array([9])), lambda _: HOSTILE[:1])
    check_harmless(named_rows(frame, threshold=10.0, **LOOK).figure)
