"""Which groups are shown, which are readable: all from plain numbers."""

import numpy as np
import pandas as pd
import pytest

from dpviz.charts.releases.choice import ORDERS, pick_groups
from dpviz.charts.tiers.readable import READABLE, readable_frame
from dpviz.errors import ParameterError
from dpviz.palette import TierStyle
from tests.figure_frames import releases, unknown

GROUPS = ["Oslo", "Bergen", "oslofjord", "[O]", "Ås"]
VALUES = {"Oslo": 50.0, "Bergen": 400.0, "oslofjord": 3.0, "[O]": -20.0, "Ås": 60.0}


def many():
    """Two tiers; the less private one holds VALUES, the other the opposite."""
    frame = releases(["public", "audit"], GROUPS)
    sign = np.where(frame["tier"] == "audit", 1.0, -1.0)
    value = sign * frame["group"].map(VALUES)
    return frame.assign(value=value, low=value - 10, high=value + 10)


def shown(frame):
    return list(frame.loc[frame["tier"] == frame["tier"].iloc[0], "group"])


@pytest.mark.parametrize(
    ("order", "expected"),
    [
        ("list", GROUPS),
        ("largest", ["Bergen", "Ås", "Oslo", "oslofjord", "[O]"]),
        ("smallest", ["[O]", "oslofjord", "Oslo", "Ås", "Bergen"]),
        ("name", ["[O]", "Bergen", "Oslo", "oslofjord", "Ås"]),
        ("least certain", ["oslofjord", "[O]", "Oslo", "Ås", "Bergen"]),
    ],
)
def test_orders_go_by_the_least_private_tier(order, expected):
    frame = many()
    before = frame.copy(deep=True)
    found = pick_groups(frame, order=order)
    assert shown(found) == expected
    assert list(found["tier"]) == ["public"] * 5 + ["audit"] * 5
    assert shown(found[found["tier"] == "audit"]) == expected
    assert shown(pick_groups(frame, order=order, show=2)) == expected[:2]
    merged = found.merge(frame, on=["group", "tier"])
    assert (merged["value_x"] == merged["value_y"]).all()
    pd.testing.assert_frame_equal(frame, before)


@pytest.mark.parametrize(
    ("search", "expected"),
    [
        ("OSLO", ["Oslo", "oslofjord"]),
        ("[o]", ["[O]"]),
        (".*", []),
        (" ås ", ["Ås"]),
        ("", GROUPS),
    ],
)
def test_search_is_plain_text_whatever_its_capitals(search, expected):
    found = pick_groups(many(), search=search)
    assert list(found["group"].drop_duplicates()) == expected


def test_unknown_numbers_are_last_and_the_least_certain():
    frame = unknown(many(), "audit", "Ås")
    for order in ("largest", "smallest"):
        assert shown(pick_groups(frame, order=order))[-1] == "Ås"
    assert shown(pick_groups(frame, order="least certain"))[0] == "Ås"


@pytest.mark.parametrize("bad", [{"show": 0}, {"order": "random"}])
def test_what_cannot_be_shown_is_refused(bad):
    with pytest.raises(ParameterError):
        pick_groups(many(), **bad)


def test_categorical_frames_are_picked_alike():
    frame = many()
    typed = frame.astype({"group": "category", "tier": "category"})
    for order in ORDERS:
        found = pick_groups(typed, order=order, search="o", show=3)
        assert shown(found) == shown(pick_groups(frame, order=order, search="o", show=3))


def test_readable_is_half_width_over_size():
    tiers = [("public", 30.0, TierStyle(2, 0)), ("audit", 2.0, TierStyle(7, 1))]
    frame = readable_frame(["a", "b", "c"], np.array([300.0, 20.0, 0.0]), tiers, 0.1)
    assert tuple(frame.columns) == READABLE
    assert frame["relative"].tolist() == [0.1, 1.5, np.inf, 2 / 300, 0.1, np.inf]
    assert frame["readable"].tolist() == [True, False, False, True, True, False]
    assert [style.symbol for style in frame["style"]] == [0, 0, 0, 1, 1, 1]
    with pytest.raises(ParameterError, match="limit"):
        readable_frame(["a"], np.ones(1), tiers, 0.0)
