"""A session that goes on from earlier releases: it keeps them, and refuses what cannot be they."""

import numpy as np
import pytest

from dpviz import streams
from dpviz.errors import HardenedModeError, ParameterError, SealedError
from dpviz.noise import FAMILIES
from dpviz.release import MultipleRelease

POISSON, GAUSSIAN = FAMILIES["poisson"], FAMILIES["gaussian"]
HELD = {9.0: [12, 14], 4.0: [8, 9]}


def continued(values=(3, 5), family=POISSON, held=HELD, rng=None):
    return MultipleRelease.continued(values, family, held, rng=rng or streams.hardened())


def test_what_was_held_stays_and_the_rest_is_drawn_from_it():
    mine = np.array([8, 9])
    session = continued(held={9.0: [12, 14], 4.0: mine})
    mine[0] = 0
    assert session.levels == (4.0, 9.0)
    assert session.neighbours(5.0) == (4.0, 9.0)
    assert {x: v.tolist() for x, v in session.held.items()} == HELD
    assert not session.release(4.0).flags.writeable
    between = session.release(5.0)
    assert np.all(between >= [8, 9])
    assert np.all(between <= [12, 14]), "Poisson noise never falls"
    assert session.mode == "hardened"
    assert session.sealed_at is None


def test_without_the_exact_values_it_is_sealed_at_the_least_level():
    session = continued(values=None)
    assert session.sealed_at == 4.0
    session.seal(4.0)
    assert np.all(session.release(20.0) >= [12, 14])
    with pytest.raises(SealedError):
        session.release(3.0)
    assert continued(held={}).levels == ()


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        ({"values": None, "held": {}}, "sealed session holds"),
        ({"held": {4.0: [8]}}, "has shape"),
        ({"held": {4.0: [8, 9], 9.0: [[12, 14]]}, "values": None}, "has shape"),
        ({"held": {4.0: [8.5, 9.0]}}, "whole numbers"),
        ({"held": {0.0: [8, 9]}}, "level must be"),
        ({"held": {1e300: [8, 9]}}, "level must lie between"),
        ({"held": [4.0]}, "held must be a Mapping"),
        ({"values": [0.5]}, "whole numbers"),
        ({"family": GAUSSIAN}, "teaching only"),
        ({"rng": 7}, "rng"),
    ],
)
def test_what_cannot_be_an_earlier_session_is_refused(wrong, error):
    with pytest.raises(ParameterError, match=error) as refused:
        continued(**wrong)
    if wrong.get("family") is GAUSSIAN:
        assert refused.type is HardenedModeError
