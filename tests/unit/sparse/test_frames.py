"""Frames and figures of the page Sparse histograms: what stands in them, and what does not."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from dpviz import streams
from dpviz.charts.forms.rulers import rulers
from dpviz.charts.sparse.frame import (
    MOST_SHOWN,
    SparseTier,
    rates_frame,
    released_items_frame,
    shown_frame,
    strips_frame,
    truth_frame,
)
from dpviz.charts.sparse.growth import DENSE, OURS, amount, growth_chart, growth_frame
from dpviz.charts.sparse.rates import sparse_rates
from dpviz.charts.sparse.rows import HIDDEN, KIND, MADE_UP, ROWS, SEEN, named_rows, rows_frame
from dpviz.charts.sparse.strips import KEY, KEY_AT, TRUE_WORDS, sparse_strips
from dpviz.data import long_tail
from dpviz.errors import ParameterError
from dpviz.experiments.domain_growth import Cost
from dpviz.palette import TierStyle

INDICES, COUNTS = np.array([40, 7, 99]), np.array([5, 50, 20])


def tier(name, found, values, threshold=10.0, level=25.0):
    return SparseTier(
        name=name,
        budget="ρ = 0.02",
        level=level,
        threshold=threshold,
        style=TierStyle(2, 0),
        indices=None if found is None else np.array(found, dtype=np.int64),
        values=None if found is None else np.array(values, dtype=float),
    )


def names(indices):
    return [f"item {i}" for i in indices]


TIERS = [
    tier("waiting", None, None),
    tier("public", [7, 1000], [48.0, 11.5]),
    tier("audit", [7, 40, 99], [50.5, 10.5, 19.0], level=1.0),
]


def test_survivors_and_phantoms_are_counted():
    strips = strips_frame(TIERS, INDICES)
    assert strips["drawn"].tolist() == [False, True, True]
    assert strips["true items"].tolist() == [0, 1, 3]
    assert strips["phantoms"].tolist() == [0, 1, 0]


def test_survivors_stand_at_their_rank_and_phantoms_have_none():
    shown = shown_frame(TIERS, INDICES, COUNTS, names)
    by_item = shown[shown["tier"] == "audit"].set_index("item")
    assert by_item["rank"].to_dict() == {"item 7": 1, "item 99": 2, "item 40": 3}
    assert by_item["count"].to_dict() == {"item 7": 50, "item 99": 20, "item 40": 5}
    ghost = shown[shown["rank"].isna()]
    assert ghost["item"].tolist() == ["item 1000"]
    assert ghost["count"].tolist() == [0]


def test_many_marks_are_thinned_and_their_ends_kept():
    many = np.arange(5 * MOST_SHOWN)
    found = [tier("public", many, many + 1.0)]
    shown = shown_frame(found, many, many[::-1] + 1, names)
    assert len(shown) <= MOST_SHOWN
    assert shown["rank"].min() == 1
    assert shown["rank"].max() == many.size
    truth = truth_frame(many + 1)
    assert len(truth) <= 400
    assert truth["count"].iloc[[0, -1]].tolist() == [many.size, 1]
    assert truth_frame(many[:100] + 1)["rank"].tolist() == list(range(1, 101))


def test_nothing_is_drawn_before_anything_is_released():
    empty = shown_frame(TIERS[:1], INDICES, COUNTS, names)
    fig = sparse_strips(strips_frame(TIERS[:1], INDICES), truth_frame(COUNTS), empty, noun="people")
    assert [t.name for t in fig.data] == ["true counts"]
    assert released_items_frame(TIERS[:1], names, 20, 0.95).empty


def test_the_strips_show_the_released_values():
    shown = shown_frame(TIERS, INDICES, COUNTS, names)
    fig = sparse_strips(strips_frame(TIERS, INDICES), truth_frame(COUNTS), shown, noun="people")
    marks = {(t.name, t.yaxis): sorted(t.y) for t in fig.data if t.mode == "markers"}
    assert marks[("survivors", "y")] == [48.0]
    assert marks[("phantoms", "y")] == [11.5]
    assert marks[("survivors", "y2")] == [10.5, 19.0, 50.5]
    texts = [a.text for a in fig.layout.annotations]
    assert any("sees 1 of 3" in t for t in texts)
    assert "1 phantom" in texts
    assert [t for t in texts if "hidden" in t] == ["2 hidden: below the line", "0 hidden"]
    assert [t for t in texts if "waiting" in t and t.endswith("not shown yet")]
    assert len([s for s in fig.layout.shapes if s.type == "line"]) == 2  # thresholds


def test_both_kinds_of_marks_are_named_where_there_is_room():
    """The words floated over no mark; how many are hidden stands at the line that hides them."""
    counts = np.maximum(200 // np.arange(1, 101), 2)
    indices = np.arange(100)
    kept = tier("audit", np.array([*range(20), 500, 501]), np.full(22, 7.0), 6.0)
    shown = shown_frame([kept], indices, counts, names)
    fig = sparse_strips(
        strips_frame([kept], indices), truth_frame(counts), shown, noun="people", items="pages"
    )
    told = {a.text: a for a in fig.layout.annotations}
    rarest = told[f"{TRUE_WORDS}, here 2"]
    assert (rarest.x, rarest.y) == (100, math.log10(2))
    assert told[KEY].y == math.log10(counts[KEY_AT])
    assert told["↓ 80 hidden"].y == math.log10(kept.threshold)
    assert "hidden: below the line" not in " ".join(told)
    assert "line at 6 people:<br>shown only above" in told
    four = [replace(kept, name=name) for name in "abcd"]
    shown = shown_frame(four, indices, counts, names)
    fig = sparse_strips(strips_frame(four, indices), truth_frame(counts), shown, noun="people")
    told = {a.text: a for a in fig.layout.annotations}
    assert told[TRUE_WORDS].y == math.log10(200)  # in a low strip it would lie on other words
    assert "80 hidden: below the line" in told


def test_many_tiers_that_wait_are_counted():
    named = sparse_strips(
        strips_frame([*(tier(name, None, None) for name in "abc"), TIERS[1]], INDICES),
        truth_frame(COUNTS),
        shown_frame(TIERS[1:2], INDICES, COUNTS, names),
        noun="people",
    ).layout.annotations[-1]
    assert "more" not in named.text
    those = [*(tier(name * 14, None, None) for name in "abcd"), TIERS[1]]
    shown = shown_frame(those, INDICES, COUNTS, names)
    fig = sparse_strips(strips_frame(those, INDICES), truth_frame(COUNTS), shown, noun="people")
    assert fig.layout.annotations[-1].text.endswith("and 2 more: not shown yet")


def test_names_of_items_never_run_as_markup():
    shown = shown_frame(TIERS, INDICES, COUNTS, lambda i: ["<b>x</b>%{y}"] * len(i))
    fig = sparse_strips(strips_frame(TIERS, INDICES), truth_frame(COUNTS), shown, noun="people")
    hover = "".join(text for t in fig.data if t.hovertext is not None for text in t.hovertext)
    assert "&lt;b&gt;x" in hover


@pytest.mark.parametrize("threshold", [0.0, 8.0, 30.0])
def test_rates_are_those_of_a_simulation(threshold):
    rng = streams.teaching(5)
    counts, size, level, runs = np.array([30, 10, 3, 1]), 200, 16.0, 4000
    everything = np.concatenate([counts, np.zeros(size - 4)])
    shown = everything + rng.normal(0, 4, (runs, size)) > threshold
    row = rates_frame(counts, size, level, np.array([threshold])).iloc[0]
    share = shown[:, :4].mean()
    assert row["recall"] == pytest.approx(share, abs=5 * 0.5 / math.sqrt(4 * runs))
    precision = shown[:, :4].sum() / max(shown.sum(), 1)
    assert row["precision"] == pytest.approx(precision, abs=0.02)


def test_rates_far_out_say_nothing_wrong():
    frame = rates_frame(np.array([3]), 10**12, 1.0, np.array([0.0, 200.0]))
    assert frame["recall"].tolist() == [pytest.approx(stats.norm.sf(-3)), 0.0]
    assert math.isnan(frame["precision"][1])  # nothing at all is expected
    fig = sparse_rates(frame, threshold=5.0, style=TierStyle(2, 0), seen={"recall": 0.5})
    assert [t.name for t in fig.data] == ["recall", "recall, drawn", "precision"]


def test_own_items_come_from_released_numbers_alone():
    frame = released_items_frame(TIERS, names, 3, 0.95)
    assert frame["group"].drop_duplicates().tolist() == ["item 7", "item 99", "item 1000"]
    assert set(frame["value"].dropna()) == {48.0, 11.5, 50.5, 19.0}
    assert frame["tier"].drop_duplicates().tolist() == ["audit", "public"]
    assert frame["value"].isna().sum() == 2  # hidden: public's item 99, audit's item 1000
    audit = frame[frame["tier"] == "audit"].iloc[0]
    assert audit["high"] - audit["value"] == pytest.approx(1.959964, abs=1e-5)


def test_a_hidden_item_is_said_to_be_hidden():
    frame = released_items_frame([tier("public", [1000], [11.5]), TIERS[2]], names, 3, 0.95)
    words = {"what": "Items.", "noun": "people", "shared": "people", "confidence": 0.95}
    made = rulers(frame, **words, absent="hidden")
    texts = [a.text for a in made.figure.layout.annotations]
    assert not any("too few" in text for text in texts)
    assert sum("hidden" in text for text in texts) == frame["value"].isna().sum() > 0


def cost(size, dense=None):
    return Cost(
        size=size,
        seconds=0.02,
        bytes=1000,
        normals=400,
        lemma=500,
        rounds=4,
        dense_seconds=dense,
        dense_bytes=None if dense is None else 8 * size,
    )


def test_noise_everywhere_is_extrapolated_from_the_largest_domain_tried():
    frame = growth_frame([cost(10**9), cost(10**3, 0.001), cost(10**6, 0.5)])
    dense = frame[frame["method"] == DENSE].set_index("items possible")
    assert dense["measured"].to_dict() == {10**3: True, 10**6: True, 10**9: False}
    assert dense["seconds"][10**9] == pytest.approx(500)
    assert dense["bytes"][10**9] == pytest.approx(8e9)
    assert dense["normals"][10**9] == 4e9
    assert frame[frame["method"] == OURS]["measured"].all()
    for quantity in ("seconds", "bytes", "normals"):
        fig = growth_chart(frame, quantity, at=10**6)
        said = [a.text for a in fig.layout.annotations]
        assert any("extrapolated" in t for t in said) == (quantity != "normals")
        assert ("bound of Lemma 5.7" in {t.name for t in fig.data}) == (quantity == "normals")


def test_amounts_have_units_that_suit_them():
    assert amount(93_000.0, "seconds") == "1.08 days"
    assert amount(339e3, "bytes") == "339 kB"
    assert amount(416, "normals") == "416"


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


def test_named_rows_are_seen_hidden_and_made_up():
    indices = np.arange(100, 160)
    counts = np.maximum(60 - np.arange(60), 1)
    seen = np.arange(100, 150)
    one = tier("a", [*seen, 5, 6, 7], [*(60.5 - np.arange(50)), 12.0, 11.0, 10.5], threshold=10.0)
    frame = rows_frame(one, indices, counts, names)
    assert frame[KIND].tolist() == [SEEN] * 4 + [HIDDEN] * 4 + [MADE_UP] * 2
    assert frame["item"].iloc[[0, 3, 4, 7]].tolist() == [
        f"item {i}"
        for i in (100, 149, 150, 159)  # the most common and the rarest of each kind
    ]
    assert frame["item"].iloc[8:].tolist() == ["item 5", "item 6"]  # the largest
    hidden = frame[frame[KIND] == HIDDEN]
    assert hidden["value"].isna().all()
    assert hidden["count"].tolist() == [10, 7, 4, 1]
    fig = named_rows(frame, threshold=10.0, style=TierStyle(2, 0), noun="people")
    assert list(fig.layout.yaxis.ticktext) == frame["item"].tolist()
    by_name = {t.name: t for t in fig.data}
    assert list(by_name["in truth"].x) == frame["count"][:8].tolist()
    assert list(by_name["published"].x) == frame["value"][:4].tolist()
    assert list(by_name["made up"].x) == [12.0, 11.0]
    said = [a.text for a in fig.layout.annotations]
    assert (
        said
        == [*(f"<b>{v}</b>" for v in ("60.5", "44.5", "27.5", "11.5")), *["hidden"] * 4]
        + [MADE_UP] * 2
    )
    (line,) = fig.layout.shapes
    assert (line.x0, line.x1) == (10.0, 10.0)


def test_named_rows_without_phantoms_or_without_anything_seen():
    indices, counts = np.array([3, 4]), np.array([9, 2])
    none = rows_frame(tier("a", [], []), indices, counts, names)
    assert none[KIND].tolist() == [HIDDEN, HIDDEN]
    assert list(none.columns) == list(ROWS)
    fig = named_rows(none, threshold=10.0, style=TierStyle(2, 0), noun="people")
    assert {a.text for a in fig.layout.annotations} == {"hidden"}
    both = rows_frame(tier("a", [3, 4], [11.0, 12.0]), indices, counts, names)
    assert both[KIND].tolist() == [SEEN, SEEN]
    with pytest.raises(ParameterError):
        named_rows(none.drop(columns="count"), threshold=1.0, style=TierStyle(2, 0), noun="x")
