"""What an entry leans on, and who holds a release."""

from types import SimpleNamespace

from dpviz.noise import FAMILIES
from dpviz.release import draw_neighbours, tiers_at


def entry(tier, session, level):
    return SimpleNamespace(tier=tier, session=session, level=level)


def test_who_holds_a_release_is_told_by_session_and_level():
    ledger = [entry("a", 1, 2.0), entry("b", 2, 2.0), entry("c", 1, 4.0), entry("d", 1, 2.0)]
    assert tiers_at(ledger, 1, 2.0) == ["a", "d"]
    assert tiers_at(ledger, 2, 2.0) == ["b"]
    assert tiers_at(ledger, 2, 4.0) == []


def test_a_draw_leans_on_the_nearest_on_either_side_and_on_nothing_that_is_held():
    law = FAMILIES["gaussian"]
    near = draw_neighbours(law, [1.0, 8.0, 3.0, 5.0], 4.0)
    assert [(n.level, n.weight) for n in near] == [(3.0, 0.5), (5.0, 0.5)]
    assert [n.level for n in draw_neighbours(law, [5.0, 8.0], 4.0)] == [0.0, 5.0]
    assert [n.level for n in draw_neighbours(law, [1.0, 3.0], 4.0)] == [3.0]
    assert draw_neighbours(law, [1.0, 4.0], 4.0) == ()
