"""A field keeps what was usable last, says in one sentence why something else is not."""

import pytest

from dpviz.errors import ParameterError
from dpviz.parameters import RHO
from dpviz.ui.kit import parts
from dpviz.ui.kit.field import Field, in_use


def field(label, default):
    return Field(label=label, default=default, help="", reader=RHO.read, key=label.lower())


SMALLEST, LARGEST = field("Smallest", "0.1"), field("Largest", "5")


def ascend(both):
    if not both[0] < both[1]:
        raise ParameterError("type a smaller one first")


@pytest.fixture
def refused(visit, monkeypatch):
    said = []
    monkeypatch.setattr(parts, "refusal", said.append)
    visit.come()
    return said


def test_the_default_is_in_use_and_then_what_is_typed(visit, refused):
    assert SMALLEST.value() == 0.1
    visit.answers = {"smallest": "0.25"}
    assert SMALLEST.value() == 0.25
    assert refused == []


def test_what_cannot_be_used_leaves_the_last_usable_value_and_one_sentence(visit, refused):
    visit.answers = {"smallest": "0.25"}
    SMALLEST.value()
    for typed in ("", "0,1", "-1", "nonsense"):
        visit.answers, before = {"smallest": typed}, len(refused)
        assert SMALLEST.value() == 0.25
        assert len(refused) == before + 1
        assert refused[-1].startswith("Smallest: ")
    visit.answers = {"smallest": "nonsense"}
    visit.kept.clear()  # a visitor who comes back to a field that holds nonsense
    assert SMALLEST.value() == 0.1


def test_fields_that_go_together_are_used_together_or_not_at_all(visit, refused):
    assert in_use(SMALLEST, LARGEST, check=ascend) == (0.1, 5.0)
    visit.answers = {"smallest": "7"}
    assert in_use(SMALLEST, LARGEST, check=ascend) == (0.1, 5.0)
    assert refused == ["type a smaller one first"]
    visit.answers = {"smallest": "7", "largest": "9"}
    assert in_use(SMALLEST, LARGEST, check=ascend) == (7.0, 9.0)
    visit.answers = {"smallest": "x", "largest": "8"}
    assert in_use(SMALLEST, LARGEST, check=ascend) == (7.0, 9.0)
