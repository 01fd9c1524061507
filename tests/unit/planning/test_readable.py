"""Which groups are readable at a tier, and the sizes that people type for it."""

import pytest

from dpviz.accounting import half_width
from dpviz.accounting.guarantees import offered
from dpviz.errors import ParameterError
from dpviz.noise import FAMILIES
from dpviz.planning.budgets import Setting
from dpviz.planning.readable import read_sizes, smallest_readable
from dpviz.planning.tiers import DEFAULT_TIERS, as_rows, read_tiers
from dpviz.queries import Sensitivity


def setting(family="gaussian", step=1.0):
    return Setting(
        family=FAMILIES[family],
        delta=1e-6,
        sensitivity=Sensitivity.bounded(1),
        dimension=3,
        step=step,
    )


def plan(s):
    return read_tiers(as_rows(DEFAULT_TIERS), s)[0]


@pytest.mark.parametrize("family", offered())
@pytest.mark.parametrize("step", [1.0, 0.25, 64.0])
def test_the_least_readable_size_is_just_readable(family, step):
    s = setting(family, step)
    for p in plan(s):
        least = smallest_readable(p.budget, relative=0.2)
        assert least * 0.2 == pytest.approx(step * half_width(s.family, p.budget.level, 0.95))


@pytest.mark.parametrize("relative", [0, -1, float("nan"), float("inf")])
def test_a_limit_that_cannot_be_used(relative):
    with pytest.raises(ParameterError, match="relative must be"):
        smallest_readable(plan(setting())[0].budget, relative=relative)


LABELS = ["north", "south: coast", "7"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("120", {"north": 120.0, "south: coast": 120.0, "7": 120.0}),
        (" 1e3 \n", {"north": 1000.0, "south: coast": 1000.0, "7": 1000.0}),
        ("7", {"north": 7.0, "south: coast": 7.0, "7": 7.0}),  # a size, though a group is called 7
        ("north: 5", {"north": 5.0}),
        ("7: 5\n\n north :0.5 ", {"north": 0.5, "7": 5.0}),
        ("south: coast: 9", {"south: coast": 9.0}),
        ("north:\t3\r\n7:4", {"north": 3.0, "7": 4.0}),
    ],
)
def test_sizes_that_can_be_read(text, expected):
    found = read_sizes(text, LABELS)
    assert found == expected
    assert list(found) == [g for g in LABELS if g in expected]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "No size is typed"),
        (" \n\n", "No size is typed"),
        ("many", "“many” is not a number"),
        ("0", "0 is not a size. Type a number above 0, for example 120."),
        ("-3", "is not a size"),
        ("nan", "is not a size"),
        ("1e99", "too large"),
        ("1,5", "Type 1.5, with a point."),
        ("east: 5", "Line 1 of the sizes names no group"),
        ("north: 5\n120", "Line 2 of the sizes names no group"),
        ("north: 5\n\nnorth: 6", "Line 3 of the sizes names a group again"),
        ("north: x", "Size in line 1: “x” is not a number"),
        ("north:", "Size in line 1: “” is not a number"),
    ],
)
def test_sizes_that_cannot_be_read(text, sentence):
    with pytest.raises(ParameterError) as caught:
        read_sizes(text, LABELS)
    assert sentence in str(caught.value)
